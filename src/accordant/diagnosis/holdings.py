"""Which labels each annotation holds, and how many of them are right.

Right is what another coder gave, what most of the others gave, or what a gold coder gave. All
coders and labels are counted in one pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..scheme import Label
from .categories import category_labels
from .held_labels import LabelOrder, held_labels
from .tables import by_pattern, filled

__all__ = ["Holdings", "Totals"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Totals: TypeAlias = tuple[Floats, Floats, Floats, Floats, Floats]
"""(C, L) right labels that were given, labels given, labels right; (C,) scored and not scored."""

NOBODY = -1
CELLS = 5_000_000  # of a dense table of patterns x labels


@dataclass(frozen=True, eq=False)
class Holdings:
    """Annotations and the labels that they hold. P patterns, E entries, C coders, H holdings.

    Parameters
    ----------
    counts : Counts
        Which know the coders.
    labels : tuple
        (L,) in the order of the scheme.
    entry, label : ndarray of int
        (H,) the annotation and the label of each holding.
    """

    counts: Counts
    labels: tuple[Label, ...]
    entry: Ints
    label: Ints

    @classmethod
    def of(cls, counts: Counts, order: LabelOrder = None) -> Holdings:
        """What the annotations of some counts hold."""
        labels = category_labels(counts, order)
        if not counts.of_sets:
            return cls(counts, labels, np.arange(len(counts.value)), counts.value)
        of_value, label = np.nonzero(held_labels(counts, order)[1])
        size = np.bincount(of_value, minlength=counts.n_values)
        start = np.cumsum(size) - size
        n_held = size[counts.value]
        entry = np.repeat(np.arange(len(counts.value)), n_held)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(n_held) - n_held, n_held)
        return cls(counts, labels, entry, label[start[counts.value[entry]] + within])

    # ------------------------------------------------------------------ three kinds of right

    def against_others(self) -> Totals:
        """Every pair of annotations of an item by itself."""
        others = self.counts.size[self.counts.row] - 1
        n_too = self._n_held - 1
        return (
            self._by_label(n_too),
            self._by_label(others[self.entry]),
            self._met(self._cells_n) - self._by_label(np.ones(len(self.entry))),
            self._by_coder(others),
            self._by_coder(others == 0),
        )

    def against_gold(self, gold: int) -> Totals:
        """The annotation of one coder is right, where there is one."""
        counts = self.counts
        there = np.zeros(counts.n_patterns, bool)
        there[counts.row[counts.coder == gold]] = True
        right = np.zeros(len(self._cells), bool)
        right[self._cell_of[self._coder == gold]] = True
        scored = there[counts.row]
        return (
            self._by_label(right[self._cell_of]),
            self._by_label(scored[self.entry]),
            self._met(right),
            self._by_coder(scored),
            self._by_coder(~scored),
        )

    def against_majority(self) -> Totals:
        """What most of the others gave is right."""
        if not self.counts.of_sets:
            return self._against_most_frequent()
        others = self.counts.size[self.counts.row] - 1
        most = 2 * (self._n_held - 1) - others[self.entry]  # above 0: more than half of the others
        cell_row = self._cells // len(self.labels)
        without = 2 * self._cells_n > self.counts.size[cell_row] - 1  # to who does not hold it
        tie = most == 0
        right = self._met(without) - self._by_label(without[self._cell_of])
        tp = self._by_label(most > 0)
        return tp, self._by_label(~tie), right + tp, self._by_coder(others > 0), (
            self._by_coder(others == 0)
        )  # fmt: skip

    def _against_most_frequent(self) -> Totals:
        right = self._majority
        known = right != NOBODY
        return (
            self._by_label(right == self.label),
            self._by_label(known),
            self._sum(np.flatnonzero(known), right[known], np.ones(int(known.sum()))),
            self._by_coder(known),
            self._by_coder(~known),
        )

    @property
    def _majority(self) -> Ints:
        """(E,) the label that more of the others gave than any other one, or none."""
        counts, own = self.counts, self.label
        value, n = self._three
        row = counts.row
        first, second, third = n[row].T
        is_first, is_second = own == value[row, 0], own == value[row, 1]
        next_to_it = np.where(is_second, np.maximum(second - 1, third), second)
        ahead = np.where(is_first, first - 1 > second, first > next_to_it)
        overtaken = is_first & (second > first - 1) & (second > third)
        return np.where(ahead, value[row, 0], np.where(overtaken, value[row, 1], NOBODY))

    @cached_property
    def _three(self) -> tuple[Ints, Ints]:
        """(P, 3) the most frequent labels of a pattern, and (P, 3) how many gave them."""
        n_patterns = self.counts.n_patterns
        row, label = np.divmod(self._cells, len(self.labels))
        order = np.lexsort((-self._cells_n, row))
        start = np.searchsorted(row, np.arange(n_patterns + 1))
        value, n = np.full((n_patterns, 3), NOBODY), np.zeros((n_patterns, 3), np.int64)
        for i in range(3):
            there = np.flatnonzero(np.diff(start) > i)
            at = order[start[there] + i]
            value[there, i], n[there, i] = label[at], self._cells_n[at]
        return value, n

    # ------------------------------------------------------------------ sums

    @cached_property
    def _coder(self) -> Ints:
        """(H,)."""
        return self._owner[self.entry]

    @property
    def _owner(self) -> Ints:
        """(E,) who gave the annotation."""
        counts = self.counts
        return np.zeros_like(counts.value) if counts.coder is None else counts.coder

    @cached_property
    def _found(self) -> tuple[Ints, Ints, Ints]:
        """The cells (pattern x label) that occur, the cell of each holding, holdings of each."""
        cell = self.counts.row[self.entry] * np.int64(len(self.labels)) + self.label
        return np.unique(cell, return_inverse=True, return_counts=True)

    @property
    def _cells(self) -> Ints:
        return self._found[0]

    @property
    def _cell_of(self) -> Ints:
        return self._found[1]

    @property
    def _cells_n(self) -> Ints:
        return self._found[2]

    @property
    def _n_held(self) -> Ints:
        """(H,) how many coders of the item gave the label."""
        return self._cells_n[self._cell_of]

    def _by_label(self, x: NDArray[Any]) -> Floats:
        """(C, L) sum of ``x`` (H,) over the items."""
        return self._sum(self.entry, self.label, x)

    def _sum(self, entry: Ints, label: Ints, x: NDArray[Any]) -> Floats:
        n_coders, n_labels = self.counts.n_coders, len(self.labels)
        weight = x * self.counts.times[self.counts.row[entry]]
        cell = self._owner[entry] * np.int64(n_labels) + label
        found = np.bincount(cell, weights=weight, minlength=n_coders * n_labels)
        return found.astype(float).reshape(n_coders, n_labels)

    def _by_coder(self, x: NDArray[Any]) -> Floats:
        """(C,) sum of ``x`` (E,) over the items."""
        weight = x * self.counts.times[self.counts.row]
        return np.bincount(self._owner, weights=weight, minlength=self.counts.n_coders).astype(
            float
        )

    def _met(self, x: NDArray[Any]) -> Floats:
        """(C, L) sum of ``x``, of the cells that occur, over the items of each coder."""
        counts, n_labels = self.counts, len(self.labels)
        row, label = np.divmod(self._cells, n_labels)
        weighted = counts.times[counts.row]
        who = by_pattern(counts, self._owner, counts.n_coders, weighted)
        if isinstance(who, np.ndarray) and counts.n_patterns * n_labels <= CELLS:
            table: Any = np.bincount(
                self._cells, weights=x.astype(float), minlength=counts.n_patterns * n_labels
            ).reshape(counts.n_patterns, n_labels)
        else:
            from scipy.sparse import csr_array

            shape = counts.n_patterns, n_labels
            table = csr_array((x.astype(float), (row, label)), shape=shape)
            who = csr_array(who)
        return filled(who.T @ table)
