"""Annotations for the tests of this folder, from arrays, tables and counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from accordant.data.annotations import NO_VALUE, Annotations, Columns
from accordant.scheme import Scheme


def from_coders(
    rows: Sequence[Sequence[Any]], values: Sequence[Any] = (), **scheme: Any
) -> Annotations:
    """One row for each coder, None for missing."""
    found = sorted(
        {v for row in rows for v in row if v is not None}, key=lambda v: (str(type(v)), v)
    )
    categories = tuple(values) or tuple(found)
    code = {v: k for k, v in enumerate(categories)} | {None: NO_VALUE}
    grid = np.array([[code[v] for v in row] for row in rows], dtype=np.int64).T
    return of_grid(grid, categories, **scheme)


def of_grid(
    grid: np.ndarray, categories: Sequence[Any], *, anonymous: bool = False, **scheme: Any
) -> Annotations:
    """An (I, C) array of codes."""
    names = tuple(f"coder {c + 1}" for c in range(grid.shape[1]))
    made = Scheme(tuple(categories), **({"declared": True} | scheme))
    return Annotations(
        tuple(f"i{i}" for i in range(len(grid))),
        names,
        ("",),
        (made,),
        made.categories,
        grid,
        anonymous=anonymous,
    )


def of_sets(
    rows: Sequence[Sequence[str | None]],
    categories: Sequence[Any] = (),
    *,
    anonymous: bool = False,
    **scheme: Any,
) -> Annotations:
    """One row for each coder, a string of one-letter labels for each item, None for missing."""
    found = tuple(categories) or tuple(sorted({x for row in rows for v in row if v for x in v}))
    order = {label: k for k, label in enumerate(found)}
    ranked = scheme.get("ranked", False)
    each = [
        [None if v is None else tuple(v if ranked else sorted(v, key=order.__getitem__)) for v in r]
        for r in rows
    ]
    values = tuple(dict.fromkeys(v for row in each for v in row if v is not None))
    code = {v: k for k, v in enumerate(values)} | {None: NO_VALUE}
    grid = np.array([[code[v] for v in row] for row in each], dtype=np.int64).T
    made = Scheme(found, **({"declared": True, "max_labels": None} | scheme))
    names = tuple(f"coder {c + 1}" for c in range(len(rows)))
    items = tuple(f"i{i}" for i in range(len(grid)))
    return Annotations(items, names, ("",), (made,), values, grid, anonymous=anonymous)


def sets_at_random(
    seed: int,
    items: int = 60,
    coders: int = 3,
    labels: int = 5,
    missing: float = 0.2,
    empty: float = 0.1,
    anonymous: bool = False,
) -> Annotations:
    """Coders who often share a label, with gaps, empty sets and up to three labels."""
    rng = np.random.default_rng(seed)
    names = "abcdefghij"[:labels]
    rows: list[list[str | None]] = [[] for _ in range(coders)]
    for _ in range(items):
        shared = rng.choice(list(names))
        for row in rows:
            own = set(rng.choice(list(names), size=rng.integers(0, 3), replace=False))
            given = own | {shared} if rng.random() < 0.7 or not own else own
            given = set() if rng.random() < empty else given
            row.append(None if rng.random() < missing else "".join(given))
    return of_sets(rows, names, anonymous=anonymous)


def from_table(
    table: Sequence[Sequence[int]], values: Sequence[Any] = (), **scheme: Any
) -> Annotations:
    """A contingency table: rows are the first coder's labels."""
    t = np.array(table)
    a, b = np.nonzero(t)
    grid = np.repeat(np.stack([a, b], axis=1), t[a, b], axis=0)
    return of_grid(grid, tuple(values) or tuple(range(1, len(t) + 1)), **scheme)


def from_counts(counts: Sequence[Sequence[int]], values: Sequence[Any] = ()) -> Annotations:
    """A row for each item: how many coders gave each category."""
    t = np.array(counts)
    grid = np.full((len(t), t.sum(1).max()), NO_VALUE)
    for i, row in enumerate(t):
        grid[i, : row.sum()] = np.repeat(np.arange(len(row)), row)
    return of_grid(grid, tuple(values) or tuple(range(1, t.shape[1] + 1)), anonymous=True)


def of_questions(grids: dict[str, np.ndarray], values: dict[str, str] | None = None) -> Annotations:
    """Two coders, several questions about the same items; gaps are left out."""
    values = values or dict.fromkeys(grids, "ab")
    made = [of_grid(g, values[q]) for q, g in grids.items()]
    union = tuple(dict.fromkeys(v for m in made for v in m.values))
    item, coder, question, value = [], [], [], []
    for q, m in enumerate(made):
        c = m.answered
        item.append(c.item), coder.append(c.coder), question.append(np.full(len(c), q))
        value.append(np.array([union.index(m.values[v]) for v in c.value]))
    columns = Columns(
        *(np.concatenate(x) for x in (item, question, coder, value)),
        np.zeros(sum(map(len, item)), int),
    )
    return Annotations(
        made[0].items, made[0].coders, tuple(grids), tuple(m.scheme for m in made), union, columns
    )


def at_random(
    seed: int, items: int = 40, coders: int = 4, values: int = 4, missing: float = 0.3
) -> Annotations:
    """Coders who mostly agree, with gaps; the items share a leaning so that agreement is not 0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(values, size=items)
    grid = np.where(
        rng.random((items, coders)) < 0.6,
        truth[:, None],
        rng.integers(values, size=(items, coders)),
    )
    grid[rng.random((items, coders)) < missing] = NO_VALUE
    return of_grid(grid, tuple("abcdefghij"[:values]))


GOOD_SETS = of_sets([["ab", "a", "c", "bc", "b", "ac"] * 30 + ["a", "b", "ab"]] * 2, "abc")
"""Two coders who always give the same set."""

FLEISS_1971 = from_coders(
    [
        [4, 2, 2, 5, 2, 1, 3, 1, 1, 5, 1, 1, 2, 1, 2, 3, 1, 1, 2, 1, 5, 2, 2, 1, 1, 2, 1, 2, 1, 5],
        [4, 2, 3, 5, 2, 1, 3, 1, 1, 5, 4, 2, 2, 4, 2, 3, 1, 1, 2, 3, 5, 4, 2, 1, 4, 2, 1, 2, 3, 5],
        [4, 2, 3, 5, 2, 3, 3, 3, 4, 5, 4, 4, 2, 4, 4, 3, 1, 1, 4, 3, 5, 4, 4, 4, 4, 2, 1, 4, 3, 5],
        [4, 5, 3, 5, 4, 3, 3, 3, 4, 5, 4, 4, 3, 4, 4, 3, 4, 1, 4, 5, 5, 4, 5, 4, 4, 2, 1, 4, 3, 5],
        [4, 5, 3, 5, 4, 3, 5, 3, 4, 5, 4, 4, 3, 4, 4, 3, 5, 1, 4, 5, 5, 4, 5, 4, 4, 2, 5, 4, 3, 5],
        [4, 5, 5, 5, 4, 3, 5, 4, 4, 5, 4, 4, 3, 4, 5, 5, 5, 2, 4, 5, 5, 4, 5, 4, 5, 4, 5, 4, 3, 5],
    ]
)
"""Fleiss (1971): diagnoses of 30 patients by 6 psychiatrists."""

KRIPPENDORFF_2011 = from_coders(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
)
"""Krippendorff (2011), data C: 4 coders, 12 items, with gaps."""
