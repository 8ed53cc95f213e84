"""The digest of annotations: the same for the same annotations, another one for any other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accordant import Annotations, read

ITEMS, CODERS, LABELS = ["t1", "t2", "t3"], ["Ann", "Bob", "Cem"], ["x", "y", "z"]
CELLS = [(i, c) for i in ITEMS for c in CODERS]
STUDY = st.dictionaries(st.sampled_from(CELLS), st.sampled_from(LABELS), min_size=2)


def study(cells: dict[tuple[str, str], str], order: list[int] | None = None) -> Annotations:
    """Annotations with the same scheme and names, whichever cells there are."""
    rows = [{"item": i, "coder": c, "label": cells.get((i, c))} for i, c in CELLS]
    return read([rows[k] for k in order or range(len(rows))], categories=LABELS, layout="long")


@given(STUDY, STUDY)
def test_two_studies_have_one_fingerprint_only_if_they_are_equal(one: Any, other: Any) -> None:
    assert (study(one).fingerprint == study(other).fingerprint) is (one == other)


@given(STUDY, st.permutations(range(len(CELLS))))
def test_the_order_of_rows_does_not_matter(cells: Any, order: list[int]) -> None:
    assert study(cells, order).fingerprint == study(cells).fingerprint


def test_no_two_small_studies_share_a_fingerprint() -> None:
    """All 4 ** 6 ways in which two coders may answer three items with three labels, or not."""
    lines = np.array(np.meshgrid(*[[-1, 0, 1, 2]] * 6)).reshape(6, -1).T.reshape(-1, 3, 2)
    base = read({"item": ITEMS, "Ann": LABELS, "Bob": LABELS})
    found = {replace(base, layout=grid).fingerprint for grid in lines}
    assert len(found) == 4**6


def test_everything_that_a_result_depends_on_changes_it() -> None:
    base = read([("t1", q, c, x) for q in ("one", "two") for c, x in (("A", "x"), ("B", "y"))])
    c = base.columns
    others = [
        replace(base, coders=("A", "C")),
        replace(base, items=("t2",)),
        replace(base, questions=("one", "three")),
        replace(base, values=("x", "z")),
        replace(base, coders=("A", "B", "C")),
        base.of_scale("ordinal"),
        replace(base, schemes=tuple(replace(s, declared=True) for s in base.schemes)),
        replace(base, layout=replace(c, value=1 - c.value)),
        replace(base, layout=replace(c, status=c.status + np.array([0, 0, 0, 1], np.uint8))),
        replace(base, layout=replace(c, value=np.where(np.arange(4) == 2, -1, c.value))),
        replace(base, layout=c.where(np.arange(4) != 1)),
        replace(base, layout=c.where(np.array([0, 1, 2, 3, 3]))),
    ]
    for one, other in combinations([base, *others], 2):
        assert one.fingerprint != other.fingerprint


def test_ids_are_the_same_as_numbers_and_as_text() -> None:
    numbers = read({"item": [1, 2, 10], "A": ["x", "y", "x"], "B": ["x", "x", "y"]})
    text = read({"item": ["1", "2", "10"], "A": ["x", "y", "x"], "B": ["x", "x", "y"]})
    real = read({"item": [1.0, 2.0, 10.0], "A": ["x", "y", "x"], "B": ["x", "x", "y"]})
    assert numbers.fingerprint == text.fingerprint == real.fingerprint
