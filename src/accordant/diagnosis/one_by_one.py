"""The annotations of some items one by one, where the order of items matters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts

__all__ = ["MOST_ITEMS", "evenly", "one_by_one", "positions_of"]

Ints = NDArray[np.integer[Any]]

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
