"""Tables by pattern, dense if small and sparse if large; who met whom; annotations one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from .counts import DENSE_CELLS, Counts


def by_pattern(counts: Counts, column: Ints, width: int, x: NDArray[Any]) -> Any:
    """Sum of ``x`` (E,) by pattern and ``column`` (E,): (P, width).

    Sparse tables cost an import of a fifth of a second, so small ones do without.
    """
    if counts.n_patterns * width <= DENSE_CELLS // 4:
        cell = counts.row * np.int64(width) + column
        table = np.bincount(cell, weights=x, minlength=counts.n_patterns * width)
        return table.reshape(counts.n_patterns, width)
    from scipy.sparse import csr_array

    shape = (counts.n_patterns, width)
    return csr_array((np.asarray(x, float), column, counts.start), shape=shape)


def value_table(counts: Counts) -> Any:
    """(P, K) how many coders gave the items of a pattern each value."""
    return by_pattern(counts, counts.value, counts.n_values, counts.n)


def filled(table: Any) -> Floats:
    """A product of tables as a dense array."""
    return np.asarray(table if isinstance(table, np.ndarray) else table.toarray(), dtype=float)


def n_groups(counts: Counts) -> int:
    """How many groups the coders fall into if coders of the same item belong together."""
    if counts.coder is None or counts.n_coders == 0:
        return 1
    met = _met(counts)
    if isinstance(met, np.ndarray):
        return len(np.unique(_lowest_reached(met > 0)))
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(met, directed=False)[0])


def _met(counts: Counts) -> Any:
    """(C, C) in how many patterns two coders meet, on the diagonal those of the coder."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    who = by_pattern(counts, coder, counts.n_coders, np.ones(len(coder)))
    return who.T @ who


def _lowest_reached(met: Any) -> Any:
    """(C,) the first coder that each coder reaches through others."""
    first = np.arange(len(met))
    while True:
        reached = np.where(met, first[None, :], len(met)).min(1)
        if np.array_equal(reached, first):
            return first
        first = reached


MOST_ITEMS = 50_000  # of larger data every second, third … item is looked at


def evenly(n: int, most: int = MOST_ITEMS) -> Ints:
    """Positions of at most so many of n items, evenly spaced.

    Examples
    --------
    >>> evenly(4), evenly(10, most=4)
    (array([0, 1, 2, 3]), array([0, 3, 6, 9]))
    """
    return np.arange(0, n, max(1, -(-n // most)))


def one_by_one(counts: Counts, items: Ints) -> tuple[Ints, Ints]:
    """(N,) which of the items, and (N,) which entry of the counts: a row for each annotation.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a", "b", "a"], ["a", None, "a"]]))
    >>> item, entry = one_by_one(counts, np.arange(3))
    >>> item.tolist(), [counts.values[v] for v in counts.value[entry]]
    ([0, 0, 1, 2, 2], ['a', 'a', 'b', 'a', 'a'])
    """
    pattern = counts.pattern_of[items]
    size = np.append(np.diff(counts.start), 0)[pattern]
    item = np.repeat(np.arange(len(items)), size)
    before = np.cumsum(size) - size
    within = np.arange(len(item)) - before[item]
    return item, counts.start[:-1][pattern[item]] + within


def positions_of(counts: Counts, patterns: Ints, most: int) -> Ints:
    """Positions of items that show these patterns, in this order; few of many.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a", "b", "a", "b"], ["a", "a", "b", "a"]]))
    >>> positions_of(counts, counts.pattern_of[[1, 2]], 3).tolist()
    [1, 3, 2]
    """
    enough = np.searchsorted(np.cumsum(counts.times[patterns]), most) + 1
    rank = np.full(counts.n_patterns + 1, -1)
    rank[patterns[:enough]] = np.arange(len(patterns[:enough]))
    of = rank[counts.pattern_of]
    found = np.flatnonzero(of >= 0)
    return np.asarray(found[np.argsort(of[found], kind="stable")[:most]])
