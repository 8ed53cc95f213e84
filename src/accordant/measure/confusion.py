"""Which values are taken for which: contingency tables, and the items behind each cell.

Where annotations are sets of labels, the tables are of labels: whole sets are no use as rows and
columns, since a scheme of 19 categories has hundreds of them. Of two annotations A and B the table
counts the labels that both hold on its diagonal, and in the cell (k, l) that A holds k and not B,
while B holds l and not A. Where all of B's labels are A's too, A's further labels stand in the last
column, `NO_FURTHER`, and the other way round in the last row; two empty sets stand where the two
meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import by_pattern, filled, value_table
from ..errors import RequestError, unknown
from ..results import Result
from ..scheme import Value
from .sets import label_sets
from .shares import LabelOrder, Members, held_labels

Pairs: TypeAlias = tuple[Ints, Ints, Ints]
"""(N,) pattern and the two values of N pairs of annotations."""

MOST_VALUES = 2000  # a table of more values is neither readable nor small (32 MB)
MOST_TABLES = 300  # tables of two coders: all pairs of 25 coders


@dataclass(frozen=True, eq=False)
class Confusion(Result):
    """A K x K table of pairs of annotations of the same item.

    Parameters
    ----------
    first, second : str or None
        The coders of the rows and of the columns. If only the second is None, the columns are of
        all other coders. Both are None if the table pools all pairs of coders; such a table is
        symmetric and holds every pair twice, once in each direction.
    values : tuple
        (K,) values. Of sets the labels, and last `NO_FURTHER`: no label that the other
        annotation does not hold.
    table : ndarray
        (K, K) number of pairs.
    counts : Counts
        What the table was counted from.
    of_labels : bool
        Whether the table is of the labels of sets. A pair of annotations then stands in as many
        cells as it has labels in common, and labels apart.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found = contingency(count(data))
    >>> found.table.tolist()
    [[2.0, 1.0], [0.0, 1.0]]
    >>> found.items("a", "b").tolist()
    [2]
    """

    first: str | None
    second: str | None
    values: tuple[Value, ...]
    table: Floats
    counts: Counts
    of_labels: bool = False

    @cached_property
    def n(self) -> int:
        """Number of pairs; in a table of two coders, of items that both annotated."""
        if not self.of_labels:
            return int(self.table.sum())
        times, size = self.counts.times, self.counts.size
        pooled = self.first is None
        return int(times @ (size * (size - 1)) if pooled else times[self._pairs[0]].sum())

    @property
    def observed(self) -> float:
        """Share of pairs on the diagonal; NaN in a table of labels, where pairs share cells."""
        return float(np.trace(self.table) / self.n) if self.n and not self.of_labels else np.nan

    @property
    def row_share(self) -> Floats:
        """(K, K) share of each cell in its row: what stands against the value; NaN if nothing."""
        total = self.table.sum(1, keepdims=True)
        return np.asarray(self.table / np.where(total > 0, total, np.nan))

    @property
    def never_agreed(self) -> tuple[Value, ...]:
        """Values that both sides used, but never on the same item: empty target cells."""
        used = (self.table.sum(0) > 0) & (self.table.sum(1) > 0)
        empty = (used & (np.diag(self.table) == 0))[: self._n_taken]
        return tuple(self.values[k] for k in np.flatnonzero(empty))

    @property
    def _n_taken(self) -> int:
        """How many of the values can be taken for another: no label at all cannot."""
        return len(self.values) - self.of_labels

    def mix_ups(self, most: int = 10) -> list[tuple[Value, Value, int, int]]:
        """The values most often taken for each other.

        ``(a, b, n, m)``: n pairs with a in the row and b in the column, and m the other way.
        """
        a, b = np.triu_indices(self._n_taken, 1)
        n, m = self.table[a, b], self.table[b, a]
        best = np.argsort(-(n + m), kind="stable")[:most]
        return [
            (self.values[a[i]], self.values[b[i]], int(n[i]), int(m[i]))
            for i in best
            if n[i] + m[i]
        ]

    def items(self, row: Value, column: Value) -> Ints:
        """The items behind a cell: positions, as in ``counts.pattern_of``."""
        k, other = self._position(row), self._position(column)
        shown = self.patterns(k, other)
        return np.flatnonzero(np.append(shown, False)[self.counts.pattern_of])

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each cell that is not empty; ``share`` is of all pairs, or of the row."""
        total, row_share = self.n or 1, self.row_share
        return [
            {
                "first": self.first,
                "second": self.second,
                "row": self.values[k],
                "column": self.values[j],
                "n": int(self.table[k, j]),
                "share": float(self.table[k, j] / total),
                "row_share": float(row_share[k, j]),
            }
            for k, j in np.argwhere(self.table > 0).tolist()
        ]

    def patterns(self, k: int, other: int) -> Bools:
        """(P,) whether items that show a pattern stand in the cell of two positions."""
        counts, bare = self.counts, self.counts.anonymous
        if self.first is not None:
            return self._holding(counts.n_patterns, [self._pairs], k, other)
        if self.of_labels:
            found = self._holding(bare.n_patterns, pairs_of_entries(bare), k, other)
        else:
            of_k = bare.sum_entries(bare.n * (bare.value == k))
            of_other = bare.sum_entries(bare.n * (bare.value == other))
            found = of_k >= 2 if k == other else (of_k > 0) & (of_other > 0)
        return np.asarray(found[counts.anonymous_of])

    def _holding(self, n: int, pairs: Iterable[Pairs], k: int, other: int) -> Bools:
        """(n,) whether a pattern holds a pair of annotations that stands in the cell."""
        found, members = np.zeros(n, bool), None
        if self.of_labels:
            _, members = held_labels(self.counts, self.values[:-1])  # type: ignore[arg-type]
        for row, first, second in pairs:
            if members is None:
                here = (first == k) & (second == other)
            else:
                here = in_cell(members, first, second, k, other)
            found[row[here]] = True
        return found

    @cached_property
    def _pairs(self) -> Pairs:
        """Of the coder of the rows and that of the columns, or all others."""
        return pairs_of(self.counts, str(self.first), self.second)

    def _position(self, value: Value) -> int:
        if value not in self.values:
            known = ", ".join(map(str, self.values[:20]))
            raise RequestError(f"there is no value {value!r}: the table has {known}")
        return self.values.index(value)


def tabular(counts: Counts) -> bool:
    """Whether there are few enough values, or labels of sets, for a table."""
    return _width(counts) <= MOST_VALUES


def contingency(
    counts: Counts,
    first: str | None = None,
    second: str | None = None,
    *,
    labels: LabelOrder = None,
) -> Confusion:
    """The contingency table of two coders, by default the first two.

    Of sets of labels it is a table of labels; ``labels`` gives their order, and those that
    nobody used.

    Raises
    ------
    RequestError
        If the coders are not known or do not exist, or there are too many values for a table.
    """
    if counts.coder is None:
        raise RequestError("the data do not say which coder gave which label")
    if first is None or second is None:
        if counts.n_coders < 2:
            raise RequestError("the table is of one coder")
        first, second = counts.coders[:2]
    return _of_pairs(counts, first, second, labels)


def against_rest(counts: Counts, coder: str, *, labels: LabelOrder = None) -> Confusion:
    """What one coder gave (rows) where the others gave something else (columns).

    Each item counts the pairs of the coder's annotation with those of the others.

    Raises
    ------
    RequestError
        If the coder is not known, or there are too many values for a table.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a", "b", "a"], ["a", "b", "b"], ["b", "b", "b"]]))
    >>> against_rest(counts, "coder 1").table.tolist()
    [[1.0, 3.0], [0.0, 2.0]]
    """
    return _of_pairs(counts, coder, None, labels)


def _of_pairs(counts: Counts, first: str, second: str | None, labels: LabelOrder) -> Confusion:
    """The table of a coder and another one, or all others."""
    _check_size(_width(counts))
    row, one, other = pairs_of(counts, first, second)
    k, times = counts.n_values, counts.times[row]
    cell = one * np.int64(k) + other
    if not counts.of_sets:
        n = np.bincount(cell, weights=times, minlength=k * k).astype(float).reshape(k, k)
        return Confusion(first, second, counts.values, n, counts)
    order, members = held_labels(counts, labels)
    found, of = np.unique(cell, return_inverse=True)
    table = label_table(members, *np.divmod(found, k), np.bincount(of, times, len(found)))
    return Confusion(first, second, (*order, NO_FURTHER), table, counts, True)


def pairs_of(counts: Counts, first: str, second: str | None) -> Pairs:
    """The annotations of a coder beside those of another one, or of all others."""
    own = given_values(counts, first)
    if second is None:
        mine = counts.coder == counts.coders.index(first)
        rest = np.flatnonzero((own >= 0)[counts.row] & ~mine)
        row = counts.row[rest]
        return row, own[row], counts.value[rest]
    other = given_values(counts, second)
    row = np.flatnonzero((own >= 0) & (other >= 0))
    return row, own[row], other[row]


def two_by_two(counts: Counts, coders: Sequence[str]) -> Iterator[tuple[str, str, Pairs]]:
    """Every two of some coders who have items in common, with their annotations of these."""
    for first, second in combinations(coders, 2):
        pairs = pairs_of(counts, first, second)
        if len(pairs[0]):
            yield first, second, pairs


def contingencies(
    counts: Counts, *, most: int = MOST_TABLES, labels: LabelOrder = None
) -> tuple[Confusion, ...]:
    """The tables of all pairs of coders with items in common, at most ``most`` of them."""
    if counts.coder is None:
        return ()
    found = []
    for first, second in combinations(counts.coders, 2):
        table = contingency(counts, first, second, labels=labels)
        if table.n:
            found.append(table)
        if len(found) == most:
            break
    return tuple(found)


def pooled_confusion(counts: Counts, *, labels: LabelOrder = None) -> Confusion:
    """All pairs of annotations of the same item, each in both directions.

    Items with many coders have more pairs, so they weigh more than in the coefficients.
    """
    _check_size(_width(counts))
    if counts.of_sets:
        order, members = held_labels(counts, labels)
        values, table = (*order, NO_FURTHER), pooled_label_table(counts, members)
        return Confusion(None, None, values, table, counts, True)
    return Confusion(None, None, counts.values, _cross(counts, np.ones(counts.n_patterns)), counts)


def coincidences(counts: Counts) -> Floats:
    """(K, K) Krippendorff's coincidence matrix (2011, p. 3).

    Like `pooled_confusion`, but each annotation counts once: the pairs of an item with m
    annotations weigh 1 / (m - 1). The rows are values, also where these are sets.
    """
    return _cross(counts, 1 / np.maximum(counts.size - 1, 1))


def _cross(counts: Counts, factor: Floats) -> Floats:
    """Sum over items of ``factor`` (P,) x the number of ordered pairs (k, l): (K, K)."""
    _check_size(counts.n_values)
    k = counts.n_values
    pairable = factor * (counts.size >= 2)
    weight = (counts.times * pairable)[counts.row]
    weighted = by_pattern(counts, counts.value, k, counts.n * weight)
    found = filled(weighted.T @ value_table(counts))
    found[np.diag_indices(k)] -= counts.sum_by_value(pairable)  # none is paired with itself
    return found


def given_values(counts: Counts, coder: str) -> Ints:
    """(P,) the value that a coder gave, -1 for none."""
    if coder not in counts.coders:
        raise unknown("coder", coder, counts.coders)
    if counts.coder is None:
        raise RequestError("the data do not say which coder gave which label")
    found = np.full(counts.n_patterns, -1)
    mine = counts.coder == counts.coders.index(coder)
    found[counts.row[mine]] = counts.value[mine]
    return found


def _width(counts: Counts) -> int:
    return len(label_sets(counts.values).labels) if counts.of_sets else counts.n_values


def _check_size(k: int) -> None:
    if k > MOST_VALUES:
        raise RequestError(
            f"a table of {k:,} values cannot be read; at most {MOST_VALUES:,} are tabulated"
        )


NO_FURTHER: Value = ()

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


def pairs_of_entries(counts: Counts) -> Iterator[Pairs]:
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
