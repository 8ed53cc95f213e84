"""Which values are taken for which: contingency tables, and the items behind each cell.

Where annotations are sets of labels, the tables are of labels (`label_cells`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..errors import RequestError, unknown
from ..measure.sets import label_sets
from ..results import Result
from ..scheme import Value
from .held_labels import LabelOrder, held_labels
from .label_cells import (
    NO_FURTHER,
    in_cell,
    label_table,
    pairs_of_entries,
    pooled_label_table,
)
from .tables import by_pattern, filled, value_table

__all__ = [
    "MOST_TABLES",
    "MOST_VALUES",
    "Confusion",
    "against_rest",
    "coincidences",
    "contingencies",
    "contingency",
    "given_values",
    "pooled_confusion",
    "tabular",
    "value_table",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

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
        counts = self.counts
        if self._of_rest:
            return int(counts.times @ ((self._own >= 0) * (counts.size - 1)))
        if self._sides is None:
            return int(counts.times @ (counts.size * (counts.size - 1)))
        return int(counts.times @ ((self._sides[0] >= 0) & (self._sides[1] >= 0)))

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

    def patterns(self, k: int, other: int) -> NDArray[np.bool_]:
        """(P,) whether items that show a pattern stand in the cell of two positions."""
        counts = self.counts
        if self.of_labels:
            return self._patterns_of_labels(k, other)
        if self._of_rest:
            row, start = self._by_value
            found = np.zeros(counts.n_patterns, bool)
            found[row[start[other] : start[other + 1]]] = True
            return np.asarray(found & (self._own == k))
        if self._sides is not None:
            return np.asarray((self._sides[0] == k) & (self._sides[1] == other))
        bare = counts.anonymous
        of_k = bare.sum_entries(bare.n * (bare.value == k))
        of_other = bare.sum_entries(bare.n * (bare.value == other))
        found = of_k >= 2 if k == other else (of_k > 0) & (of_other > 0)
        return np.asarray(found[counts.anonymous_of])

    def _patterns_of_labels(self, k: int, other: int) -> NDArray[np.bool_]:
        """(P,) the same for a table of labels."""
        counts = self.counts
        _, members = held_labels(counts, self.values[:-1])  # type: ignore[arg-type]
        if self._of_rest:
            rest = np.flatnonzero(self._theirs)
            own = self._own[counts.row[rest]]
            found = np.zeros(counts.n_patterns, bool)
            found[counts.row[rest[in_cell(members, own, counts.value[rest], k, other)]]] = True
            return found
        if self._sides is not None:
            a, b = self._sides
            both = np.flatnonzero((a >= 0) & (b >= 0))
            found = np.zeros(counts.n_patterns, bool)
            found[both] = in_cell(members, a[both], b[both], k, other)
            return found
        found = np.zeros(counts.anonymous.n_patterns, bool)
        for row, first, second in pairs_of_entries(counts.anonymous):
            found[row[in_cell(members, first, second, k, other)]] = True
        return np.asarray(found[counts.anonymous_of])

    @cached_property
    def _sides(self) -> tuple[Ints, Ints] | None:
        """(P,) the values that each of the two coders gave; None if the table is pooled."""
        if self.first is None or self.second is None:
            return None
        return given_values(self.counts, self.first), given_values(self.counts, self.second)

    @property
    def _of_rest(self) -> bool:
        """Whether the columns are of all coders but one."""
        return self.first is not None and self.second is None

    @property
    def _who(self) -> int:
        return self.counts.coders.index(str(self.first))

    @cached_property
    def _own(self) -> Ints:
        """(P,) the value of the coder of the rows."""
        return given_values(self.counts, str(self.first))

    @cached_property
    def _by_value(self) -> tuple[Ints, Ints]:
        """Patterns of the annotations of the others, by value, and (K + 1,) where each begins."""
        rest = np.flatnonzero(self._theirs)
        value = self.counts.value[rest]
        order = np.argsort(value, kind="stable")
        start = np.searchsorted(value[order], np.arange(self.counts.n_values + 1))
        return self.counts.row[rest[order]], start

    @cached_property
    def _theirs(self) -> NDArray[np.bool_]:
        """(E,) which annotations the coder of the rows is compared with."""
        return _of_others(self.counts, self._who, self._own)

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
        raise RequestError(
            "a table of two coders needs to know which coder gave which label, "
            "and the data give only counts"
        )
    if first is None or second is None:
        if counts.n_coders < 2:
            raise RequestError("a table of two coders needs two coders")
        first, second = counts.coders[:2]
    _check_width(counts)
    a, b = given_values(counts, first), given_values(counts, second)
    both = (a >= 0) & (b >= 0)
    if counts.of_sets:
        order, members = held_labels(counts, labels)
        table = label_table(members, a[both], b[both], counts.times[both])
        return Confusion(first, second, (*order, NO_FURTHER), table, counts, True)
    k = counts.n_values
    n = np.bincount(a[both] * k + b[both], weights=counts.times[both], minlength=k * k)
    return Confusion(first, second, counts.values, n.astype(float).reshape(k, k), counts)


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
    _check_width(counts)
    own = given_values(counts, coder)
    rest = np.flatnonzero(_of_others(counts, counts.coders.index(coder), own))
    k = counts.n_values
    cell = own[counts.row[rest]] * np.int64(k) + counts.value[rest]
    times = counts.times[counts.row[rest]]
    if counts.of_sets:
        order, members = held_labels(counts, labels)
        found, of = np.unique(cell, return_inverse=True)
        n = np.bincount(of, weights=times, minlength=len(found))
        table = label_table(members, *np.divmod(found, k), n)
        return Confusion(coder, None, (*order, NO_FURTHER), table, counts, True)
    n = np.bincount(cell, weights=times, minlength=k * k)
    return Confusion(coder, None, counts.values, n.astype(float).reshape(k, k), counts)


def _of_others(counts: Counts, coder: int, own: Ints) -> NDArray[np.bool_]:
    """(E,) annotations by others of the items that a coder annotated, ``own`` (P,)."""
    return np.asarray((own >= 0)[counts.row] & (counts.coder != coder))


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
    _check_width(counts)
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


def _check_width(counts: Counts) -> None:
    _check_size(_width(counts))


def _check_size(k: int) -> None:
    if k > MOST_VALUES:
        raise RequestError(
            f"a table of {k:,} values cannot be read; at most {MOST_VALUES:,} "
            "values are tabulated (are these numbers on an interval scale, or free text?)"
        )
