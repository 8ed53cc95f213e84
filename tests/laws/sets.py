"""Random sets of labels for the laws, as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from accordant import Annotations, Scheme

LABELS = ("a", "b", "c", "d")
Sets = Sequence[Sequence[tuple[Any, ...] | None]]  # (items, coders), None for missing


@st.composite
def label_sets(
    draw: Any, *, coders: int | None = None, complete: bool = False, empty: bool = True
) -> Sets:
    """(items, coders) sets of up to three of four labels; two items on which labels vary."""
    m = coders or draw(st.integers(2, 4))
    some = st.sets(st.sampled_from(LABELS), min_size=0 if empty else 1, max_size=3)
    one = some.map(lambda s: tuple(sorted(s)))
    cell = one if complete else st.one_of(st.none(), one)
    row = st.lists(cell, min_size=m, max_size=m).filter(lambda r: any(x is not None for x in r))
    rows = draw(st.lists(row, min_size=2, max_size=8))
    return [*rows, [("a",), *[("b",)] * (m - 1)], [("a", "c")] * m]


def annotations(rows: Sets, labels: Sequence[Any] = LABELS, **scheme: Any) -> Annotations:
    """Sets as annotations; the labels are declared."""
    values: tuple[Any, ...] = tuple(dict.fromkeys(x for r in rows for x in r if x is not None))
    code = {v: k for k, v in enumerate(values)}
    grid = np.array([[-1 if x is None else code[x] for x in row] for row in rows])
    coders = tuple(f"coder {c + 1}" for c in range(grid.shape[1]))
    made = Scheme(tuple(labels), declared=True, max_labels=None, **scheme)
    return Annotations(range(len(grid)), coders, ("",), (made,), values, grid)
