"""From annotations to counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import NO_VALUE, Annotations
from ..scheme import Label, Scheme, Value, union
from .counts import Counts
from .row_keys import MOST_KEYS, Groups, entries_of, group_keys, group_rows, mixed_radix, renumbered

Ints = NDArray[np.integer[Any]]

MANY_VALUES = 126  # codes that fit a byte: such grids are counted byte by byte


def count(data: Annotations, question: str | None = None, *, who: bool = True) -> Counts:
    """Count the annotations of one question, or of all questions together (pooled).

    Pooled, every question about an item is an item of its own. Coders without an annotation
    and items without an annotation are left out.

    Parameters
    ----------
    data : Annotations
    question : str, optional
    who : bool
        Whether to keep who gave which label. Without it large panels are counted in a fraction
        of the time and memory; coefficients that need the coders are then undefined.

    Returns
    -------
    Counts

    Examples
    --------
    >>> from accordant import read
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]], layout="transposed"))
    >>> counts.n_patterns, counts.times.tolist(), counts.by_coder.tolist()
    (3, [2.0, 1.0, 1.0], [[3.0, 1.0], [2.0, 2.0]])
    """
    if question is not None:
        data = data.of_question(question)
    scheme = union(data.schemes)
    values, code = _compared(data, scheme)
    counts = _counted(data, code, values, scheme, who)
    counts = replace(counts, n_questions=len(data.questions))
    return counts if who and not data.anonymous else counts.anonymous


def _counted(
    data: Annotations, code: Ints | None, values: tuple[Value, ...], scheme: Scheme, who: bool
) -> Counts:
    """The counts by the quickest way; those of few values in large panels are anonymous."""
    grid = _as_grid(data, code, len(values))
    if grid is None:
        return _count_columns(data, code, values, scheme)
    used = np.flatnonzero((grid != NO_VALUE).any(0))
    coders = tuple(data.coders[c] for c in used)
    if len(used) < grid.shape[1]:
        grid = np.ascontiguousarray(grid[:, used])
    if (data.anonymous or not who) and _worth_by_value(grid.shape[1], len(values)):
        return _count_values(grid, coders, values, scheme)
    return _count_grid(grid, coders, values, scheme)


# ------------------------------------------------------------------ values and codes


def _compared(data: Annotations, scheme: Scheme) -> tuple[tuple[Value, ...], Ints | None]:
    """The categories, or every label set that was given; and their codes by those of the data.

    Beside questions with several labels a single label is a set of one, and a set is the same
    set whatever the order in which the scheme of its question lists the categories.
    """
    if scheme.max_labels == 1:
        return scheme.categories, _recode(data.values, scheme.categories)
    position = {label: k for k, label in enumerate(scheme.categories)}
    given = _given(data).tolist()
    sets = {data.values[k]: _as_set(data.values[k], position, scheme) for k in given}
    wanted = tuple(dict.fromkeys(sets.values()))
    return wanted, _recode([sets.get(value) for value in data.values], wanted)


def _given(data: Annotations) -> Ints:
    """Codes of the values that occur, without sorting the annotations."""
    cells = data.columns.value if data.grid is None else data.grid.reshape(-1)
    times = np.bincount(cells.astype(np.intp) + 1, minlength=len(data.values) + 1)
    return np.flatnonzero(times[1:])


def _as_set(value: Value, position: Mapping[Label, int], scheme: Scheme) -> tuple[Label, ...]:
    if not isinstance(value, tuple):
        return (value,)
    return value if scheme.ranked else tuple(sorted(value, key=position.__getitem__))


def _recode(values: Sequence[Value | None], wanted: tuple[Value, ...]) -> Ints | None:
    """(V + 1,) position in ``wanted`` of each value, -1 last; None if nothing changes."""
    if values is wanted or tuple(values) == wanted:
        return None
    position: dict[Value | None, int] = {v: k for k, v in enumerate(wanted)}
    return np.array([position.get(v, NO_VALUE) for v in values] + [NO_VALUE], np.int32)


def _as_grid(data: Annotations, code: Ints | None, n_values: int) -> Ints | None:
    """(I x Q, C) codes of the scheme, or None if the grid would be mostly empty."""
    small = np.int8 if n_values <= MANY_VALUES else np.int32
    if data.grid is not None:
        grid = data.grid if code is None else code[data.grid]
        return np.ascontiguousarray(grid, dtype=small)
    c, n_coders, n_questions = data.answered, len(data.coders), len(data.questions)
    n_rows = len(data.items) * n_questions
    if n_rows * n_coders > 4 * len(c) + 10_000 or n_coders > 1000:
        return None
    grid = np.full((n_rows, n_coders), NO_VALUE, small)
    row = c.item if n_questions == 1 else c.item.astype(np.int64) * n_questions + c.question
    grid[row, c.coder] = c.value if code is None else code[c.value]
    return grid


# ------------------------------------------------------------------ grids


def _count_grid(
    grid: Ints, coders: tuple[str, ...], values: tuple[Value, ...], scheme: Scheme
) -> Counts:
    """Patterns of who gave which value."""
    patterns, groups = _patterns_of_grid(grid, len(values))
    filled = patterns != NO_VALUE
    size = filled.sum(1)
    _, coder = np.nonzero(filled)
    start = np.concatenate([[0], np.cumsum(size[size > 0])])
    value, n = patterns[filled].astype(np.int64), np.ones(len(coder), np.int64)
    return _made(start, coder, value, n, groups, size > 0, coders, values, scheme)


def _made(
    start: Ints,
    coder: Ints | None,
    value: Ints,
    n: Ints,
    groups: Groups,
    alive: NDArray[np.bool_],
    coders: tuple[str, ...],
    values: tuple[Value, ...],
    scheme: Scheme,
) -> Counts:
    """Counts of the groups that hold an annotation."""
    return Counts(
        start,
        coder,
        value,
        n,
        groups.times[alive].astype(float),
        coders,
        values,
        renumbered(alive, groups.of),
        scheme.declared,
    )


def _patterns_of_grid(grid: Ints, n_values: int) -> tuple[Ints, Groups]:
    """(P, C) distinct rows of the grid, and the groups of items that show them."""
    base, n_coders = n_values + 1, grid.shape[1]
    radix = mixed_radix(base, n_coders)
    if radix is None:
        size = np.count_nonzero(grid != NO_VALUE, axis=1)
        row, coder = np.nonzero(grid != NO_VALUE)
        start = np.concatenate([[0], np.cumsum(size)])
        groups = group_rows(start, coder * np.int64(n_values) + grid[row, coder])
        return grid[groups.first], groups
    places, n_possible = radix
    small = np.dtype(np.int32 if n_possible <= MOST_KEYS else np.int64)
    key: Ints = np.zeros(len(grid), small)
    for column, place in zip(grid.T, places.astype(small), strict=True):
        key += (column.astype(small) + 1) * place
    groups = group_keys(key, n_possible)
    return grid[groups.first], groups


def _worth_by_value(n_coders: int, n_values: int) -> bool:
    """Whether there are few values, and too many patterns of coders for a table of them."""
    return n_values <= MANY_VALUES and (n_values + 1) ** n_coders > MOST_KEYS


def _count_values(
    grid: Ints, coders: tuple[str, ...], values: tuple[Value, ...], scheme: Scheme
) -> Counts:
    """Patterns of how many coders gave each value, without the patterns of coders first."""
    base, radix = len(coders) + 1, mixed_radix(len(coders) + 1, len(values))
    if radix is None:
        n = _times_of_values(grid, len(values))
        row, value = np.nonzero(n)
        start = np.searchsorted(row, np.arange(len(n) + 1))
        groups = group_rows(start, value * np.int64(base) + n[row, value])
    else:
        groups = group_keys(_sum_of_codes(grid, radix[0]), radix[1])
    patterns = _times_of_values(grid[groups.first], len(values))
    alive = patterns.sum(1) > 0
    row, value = np.nonzero(patterns[alive])
    start = np.searchsorted(row, np.arange(int(alive.sum()) + 1))
    n = patterns[alive][row, value]
    return _made(start, None, value, n, groups, alive, coders, values, scheme)


def _times_of_values(grid: Ints, n_values: int) -> Ints:
    """(I, K) how many coders gave each value."""
    return np.stack([np.count_nonzero(grid == k, axis=1) for k in range(n_values)], axis=1)


def _sum_of_codes(grid: Ints, places: Ints) -> Ints:
    """(I,) sum over the coders of ``places[code]``, 0 for a missing annotation.

    Two bytes are looked up at a time: 20 coders are 10 look-ups.
    """
    table = np.zeros(256, places.dtype)
    table[: len(places)] = places
    both = (table[:, None] + table).ravel()
    key = np.zeros(len(grid), places.dtype)
    paired = grid.shape[1] // 2 * 2
    pairs = np.ascontiguousarray(grid[:, :paired]).view(np.uint16)
    for column in pairs.T:
        key += both.take(column)
    for column in grid[:, paired:].view(np.uint8).T:
        key += table.take(column)
    return key


# ------------------------------------------------------------------ sparse annotations


def _count_columns(
    data: Annotations, code: Ints | None, values: tuple[Value, ...], scheme: Scheme
) -> Counts:
    """Many coders, each with a few items."""
    c, n_questions = data.answered, len(data.questions)
    row = c.item.astype(np.int64) * n_questions + c.question
    order = np.lexsort((c.coder, row))
    row, value = row[order], (c.value if code is None else code[c.value])[order]
    used, coder = np.unique(c.coder[order], return_inverse=True)
    start = np.searchsorted(row, np.arange(len(data.items) * n_questions + 1))
    groups = group_rows(start, coder * np.int64(len(values)) + value)
    alive = np.diff(start)[groups.first] > 0
    entry, new_start = entries_of(start, groups.first[alive])
    coders, n = tuple(data.coders[u] for u in used), np.ones(len(entry), np.int64)
    chosen = value[entry].astype(np.int64)
    return _made(new_start, coder[entry], chosen, n, groups, alive, coders, values, scheme)
