"""A table of labels for annotations that are sets: which label is given where another is not.

Whole sets are no use as rows and columns: a scheme of 19 categories has hundreds of them. Of two
annotations A and B the table counts the labels that both hold on its diagonal, and in the cell
(k, l) that A holds k and not B, while B holds l and not A. Where all of B's labels are A's too,
A's further labels stand in the last column, `NO_FURTHER`, and the other way round in the last
row; two empty sets stand where the two meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..scheme import Value
from .held_labels import Members
from .tables import by_pattern, value_table

__all__ = [
    "NO_FURTHER", "in_cell", "label_table", "n_cells", "pairs_of_entries", "pooled_label_table",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

NO_FURTHER: Value = ()
"""The last row and column: no label that the other annotation does not hold."""

CELLS = 4_000_000  # cells of a temporary table of pairs x labels


def label_table(members: Members, first: Ints, second: Ints, n: NDArray[Any]) -> Floats:
    """(L + 1, L + 1) table of pairs of annotations.

    Parameters
    ----------
    members : ndarray of bool
        (V, L) which value holds which label.
    first, second : ndarray of int
        (N,) the values of the two annotations.
    n : ndarray
        (N,) how often each pair occurs.
    """
    width = members.shape[1] + 1
    found = np.zeros((width, width))
    step = max(1, CELLS // width)
    for low in range(0, len(n), step):
        part = slice(low, low + step)
        times = np.asarray(n[part], float)
        one, other, both = _apart(members, first[part], second[part])
        found += one.T @ (other * times[:, None])
        found[np.diag_indices(width - 1)] += times @ both.astype(float)
    return found


def _apart(members: Members, first: Ints, second: Ints) -> tuple[Floats, Floats, Members]:
    """(N, L + 1) labels of one alone, of the other alone, and (N, L) those of both.

    The last column says that there are none alone, unless the two are the same: then the last
    column is of two empty sets only.
    """
    a, b = members[first], members[second]
    both, one, other = a & b, a & ~b, b & ~a
    same = ~(one.any(1) | other.any(1))
    shown = ~same | ~a.any(1)
    sides = [np.column_stack([x, ~x.any(1) & shown]).astype(float) for x in (one, other)]
    return sides[0], sides[1], both


def pooled_label_table(counts: Counts, members: Members) -> Floats:
    """(L + 1, L + 1) table of all pairs of annotations of the same item, in both directions."""
    width = members.shape[1] + 1
    found = np.zeros((width, width))
    for first, second, n in _pairs_of_values(counts):
        found += label_table(members, first, second, n)
    return found


def _pairs_of_values(counts: Counts) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Values that stand together on an item, and how many ordered pairs of annotations do."""
    times = counts.times * (counts.size >= 2)
    weighted = by_pattern(counts, counts.value, counts.n_values, counts.n * times[counts.row])
    together = weighted.T @ value_table(counts)
    own = counts.sum_by_value(counts.size >= 2)  # none is paired with itself
    if isinstance(together, np.ndarray):
        together[np.diag_indices(len(together))] -= own
        first, second = np.nonzero(together)
        yield first, second, together[first, second]
        return
    entries = together.tocoo()
    yield entries.row, entries.col, entries.data
    every = np.arange(counts.n_values)
    yield every, every, -own


def in_cell(members: Members, first: Ints, second: Ints, k: int, other: int) -> Members:
    """(N,) whether pairs of annotations stand in the cell of two positions."""
    one, two, both = _apart(members, first, second)
    if k == other < members.shape[1]:
        return np.asarray(both[:, k])
    return np.asarray((one[:, k] > 0) & (two[:, other] > 0))


def pairs_of_entries(counts: Counts) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Pattern and values of all pairs of entries of anonymous counts, in both directions."""
    size = np.diff(counts.start)
    for shift in range(int(size.max(initial=1))):  # an entry and the one so many places behind it
        first = np.flatnonzero(counts.start[1:][counts.row] - np.arange(len(counts.row)) > shift)
        if not shift:
            first = first[counts.n[first] >= 2]
        second, row = first + shift, counts.row[first]
        yield row, counts.value[first], counts.value[second]
        if shift:
            yield row, counts.value[second], counts.value[first]


def n_cells(counts: Counts, members: Members) -> Floats:
    """(P,) how many cells off the diagonal the pairs of annotations of an item fill.

    Of anonymous counts: an entry of n annotations and one of m fill each cell n m times.
    """
    found = np.zeros(counts.n_patterns)
    size, place = np.diff(counts.start), np.arange(len(counts.row))
    step = max(1, CELLS // (members.shape[1] + 1))
    for shift in range(1, int(size.max(initial=1))):  # an entry and the one so many places behind
        every = np.flatnonzero(counts.start[1:][counts.row] - place > shift)
        for low in range(0, len(every), step):
            first = every[low : low + step]
            second = first + shift
            one, other, _ = _apart(members, counts.value[first], counts.value[second])
            n = 2 * counts.n[first] * counts.n[second] * one.sum(1) * other.sum(1)
            found += np.bincount(counts.row[first], weights=n, minlength=len(found))
    return found
