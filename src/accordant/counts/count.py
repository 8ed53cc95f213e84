"""From annotations to counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import NO_VALUE, Annotations
from ..scheme import Scheme, union
from .counts import Counts
from .grouping import Groups, group_keys, group_rows, mixed_radix

__all__ = ["count"]

Ints = NDArray[np.integer[Any]]


def count(data: Annotations, question: str | None = None) -> Counts:
    """Count the annotations of one question, or of all questions together (pooled).

    Pooled, every question about an item is an item of its own. Coders without an annotation
    and items without an annotation are left out.

    Parameters
    ----------
    data : Annotations
    question : str, optional

    Returns
    -------
    Counts

    Examples
    --------
    >>> from accordant import read
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]], coders_in="rows"))
    >>> counts.n_patterns, counts.times.tolist(), counts.by_coder.tolist()
    (3, [2.0, 1.0, 1.0], [[3.0, 1.0], [2.0, 2.0]])
    """
    if question is not None:
        data = data.of_question(question)
    scheme = union(data.schemes)
    code = _codes(data, scheme)
    grid = data.grid
    if grid is None:
        grid = _as_grid(data, code)
    elif code is not None:
        grid = code[grid]
    if grid is not None:
        return _count_grid(grid, data, scheme)
    return _count_columns(data, code, scheme)


def _codes(data: Annotations, scheme: Scheme) -> Ints | None:
    """(V + 1,) position in the scheme of each value, -1 last; None if nothing changes."""
    values: tuple[Any, ...] = scheme.categories
    if data.values is values or data.values == values:
        return None
    position = {v: k for k, v in enumerate(_all_values(data, scheme))}
    return np.array([position.get(v, NO_VALUE) for v in data.values] + [NO_VALUE], np.int64)


def _all_values(data: Annotations, scheme: Scheme) -> tuple[Any, ...]:
    """The values that are compared: the categories, or every label set that was given."""
    if scheme.max_labels == 1:
        return scheme.categories
    return data.values


def _as_grid(data: Annotations, code: Ints | None) -> Ints | None:
    """The columns as a (I x Q, C) grid of scheme codes, or None if it would be mostly empty."""
    c, n_coders, n_questions = data.answered, len(data.coders), len(data.questions)
    n_rows = len(data.items) * n_questions
    if n_rows * n_coders > 4 * len(c) + 10_000 or n_coders > 1000:
        return None
    n_values = len(data.values) if code is None else int(code.max(initial=0)) + 1
    grid = np.full((n_rows, n_coders), NO_VALUE, _small_int(n_values))
    row = c.item if n_questions == 1 else c.item.astype(np.int64) * n_questions + c.question
    grid[row, c.coder] = c.value if code is None else code[c.value]
    return grid


def _small_int(n: int) -> type[np.signedinteger[Any]]:
    return np.int8 if n <= 127 else np.int16 if n <= 32767 else np.int32


def _count_grid(grid: Ints, data: Annotations, scheme: Scheme) -> Counts:
    values = _all_values(data, scheme)
    used = np.flatnonzero((grid != NO_VALUE).any(0))
    if len(used) < grid.shape[1]:
        grid = grid[:, used]
    groups = _group_grid(grid, len(values))
    patterns = grid[groups.first]
    filled = patterns != NO_VALUE
    size = filled.sum(1)
    alive = size > 0
    if not alive.all():  # at most one pattern is empty unless grouping was given up
        patterns, filled, size = patterns[alive], filled[alive], size[alive]
    number = np.where(alive, np.cumsum(alive) - 1, -1)
    _, coder = np.nonzero(filled)
    names = data.coders if len(used) == len(data.coders) else tuple(data.coders[c] for c in used)
    counts = Counts(
        start=np.concatenate([[0], np.cumsum(size)]),
        coder=coder,
        value=patterns[filled].astype(np.int64),
        n=np.ones(len(coder), np.int64),
        times=groups.times[alive].astype(float),
        coders=names,
        values=values,
        pattern_of=groups.of if alive.all() else number[groups.of],
        declared=scheme.declared,
    )
    return counts.anonymous if data.anonymous else counts


def _group_grid(grid: Ints, n_values: int) -> Groups:
    radix = mixed_radix(n_values + 1, grid.shape[1])
    if radix is None:
        size = (grid != NO_VALUE).sum(1)
        row, coder = np.nonzero(grid != NO_VALUE)
        start = np.concatenate([[0], np.cumsum(size)])
        return group_rows(start, coder * np.int64(n_values) + grid[row, coder])
    key = np.zeros(len(grid), np.int64)
    for column, weight in zip(grid.T, radix[0], strict=True):
        key += (column.astype(np.int64) + 1) * weight
    return group_keys(key, radix[1])


def _count_columns(data: Annotations, code: Ints | None, scheme: Scheme) -> Counts:
    """Sparse annotations: many coders, each with a few items."""
    c, values = data.answered, _all_values(data, scheme)
    n_questions = len(data.questions)
    row = c.item.astype(np.int64) * n_questions + c.question
    order = np.lexsort((c.coder, row))
    row, value = row[order], (c.value if code is None else code[c.value])[order]
    used, coder = np.unique(c.coder[order], return_inverse=True)
    start = np.searchsorted(row, np.arange(len(data.items) * n_questions + 1))
    groups = group_rows(start, coder * np.int64(len(values)) + value)
    size = np.diff(start)[groups.first]
    alive = size > 0
    first, size = groups.first[alive], size[alive]
    new_start = np.concatenate([[0], np.cumsum(size)])
    entry = np.arange(new_start[-1]) + np.repeat(start[:-1][first] - new_start[:-1], size)
    number = np.where(alive, np.cumsum(alive) - 1, -1)
    counts = Counts(
        start=new_start,
        coder=coder[entry],
        value=value[entry].astype(np.int64),
        n=np.ones(len(entry), np.int64),
        times=groups.times[alive].astype(float),
        coders=tuple(data.coders[u] for u in used),
        values=values,
        pattern_of=number[groups.of],
        declared=scheme.declared,
    )
    return counts.anonymous if data.anonymous else counts
