"""Precision, recall and F1 of each coder on each category, the others or a gold coder being right.

Hoek & Scholman (2017, section 4): they show which categories of a framework are problematic, and
which of the coders have problems with them. Right is what another coder gave, what most of the
others gave, or what a gold coder gave; all coders and labels are counted in one pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import entries_of, sums
from ..counts.tables import by_pattern, filled
from ..errors import RequestError, unknown
from ..inference.categories import MOST_CATEGORIES, category_labels
from ..measure.confusion import tabular
from ..measure.results import Undefined
from ..measure.shares import LabelOrder, held_labels
from ..results import Record, Result
from ..scheme import Label
from .pairs import busiest

__all__ = ["Holdings", "Reference", "Score", "Scores", "Totals", "scores"]

Reference: TypeAlias = Literal["others", "majority", "gold"]

MOST_CODERS = 100  # a table of more cannot be read; the busiest ones are scored
MOST_CELLS = 20_000_000  # coders x categories: 160 MB


@dataclass(frozen=True)
class Score(Record):
    """One coder on one category.

    Parameters
    ----------
    coder : str or None
        None for all coders together.
    category : Label
    tp, fp, fn : int
        How often the coder gave it and it was right, gave it and it was not, and did not give it
        although it was right.
    """

    row_of = "coder category tp fp fn precision recall f1 undefined"

    coder: str | None
    category: Label
    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """How much of what the coder gave was right; NaN if the coder never gave it."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """How much of what was right the coder gave; NaN if it never was."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """Their harmonic mean, 2 tp / (2 tp + fp + fn); NaN if neither gave it."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def undefined(self) -> Undefined | None:
        """Why one of them has no value."""
        given, right = self.tp + self.fp, self.tp + self.fn
        if given and right:
            return None
        if not given and not right:
            return Undefined("not_given", "neither the coder nor the reference gave it")
        if not given:
            return Undefined("never_given", "the coder never gave it, so there is no precision")
        return Undefined("never_right", "the reference never holds it, so there is no recall")


@dataclass(frozen=True, eq=False)
class Scores(Result):
    """Each coder on each category. C coders, L categories.

    Parameters
    ----------
    coders : tuple of str
        (C,) those who are scored.
    categories : tuple
        (L,) the most frequent ones, in the order of the scheme.
    reference : {'others', 'majority', 'gold'}
        What is right: what each other coder of the item gave, pair by pair; what most of the
        others gave; or what a gold coder gave.
    gold : str or None
        The gold coder.
    tp, fp, fn : ndarray
        (C, L) numbers of pairs of annotations, or of annotations where one thing is right.
    n : ndarray
        (C,) annotations that were scored; with the others as reference, pairs of annotations.
    n_without : ndarray
        (C,) annotations for which nothing is right: nobody else (or not the gold coder) annotated
        the item, or no single label has the majority.
    left_out : int
        Coders that are not scored: those with the fewest annotations.
    """

    coders: tuple[str, ...]
    categories: tuple[Label, ...]
    reference: Reference
    gold: str | None
    tp: Floats
    fp: Floats
    fn: Floats
    n: Floats
    n_without: Floats
    left_out: int = 0

    def __iter__(self) -> Iterator[Score]:
        return (self.of(c, k) for c in self.coders for k in self.categories)

    def of(self, coder: str | None, category: Label) -> Score:
        """One coder on one category; None for all coders together."""
        if coder is not None and coder not in self.coders:
            raise unknown("coder", coder, self.coders, "scored are")
        if category not in self.categories:
            raise unknown("category", category, self.categories, "the table has")
        k = self.categories.index(category)
        rows = slice(None) if coder is None else [self.coders.index(coder)]
        return Score(coder, category, *(int(x[rows, k].sum()) for x in (self.tp, self.fp, self.fn)))

    @cached_property
    def precision(self) -> Floats:
        """(C, L) NaN where the coder never gave the category."""
        return _ratios(self.tp, self.tp + self.fp)

    @cached_property
    def recall(self) -> Floats:
        """(C, L) NaN where the category was never right."""
        return _ratios(self.tp, self.tp + self.fn)

    @cached_property
    def f1(self) -> Floats:
        """(C, L) NaN where neither gave it."""
        return _ratios(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def macro(self) -> tuple[Floats, Floats, Floats]:
        """(C,) precision, recall and F1: means over the categories where they are defined."""
        return _mean(self.precision), _mean(self.recall), _mean(self.f1)

    @property
    def micro(self) -> Floats:
        """(C,) F1 of all categories together; of single labels the share that was right."""
        tp, fp, fn = (x.sum(1) for x in (self.tp, self.fp, self.fn))
        return _ratios(2 * tp, 2 * tp + fp + fn)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder and category."""
        return [row for score in self for row in score.to_rows()]


def scores(
    counts: Counts,
    *,
    gold: str | None = None,
    reference: Reference | None = None,
    labels: LabelOrder = None,
) -> Scores | None:
    """Score each coder on each category.

    Parameters
    ----------
    counts : Counts
    gold : str, optional
        The coder whose labels count as right.
    reference : {'others', 'majority', 'gold'}, optional
        What is right, see `Scores`; by default the gold coder if there is one, else the others.
        A majority of single labels is the one that more of the others gave than any other one; of
        sets it is decided label by label, by more than half of them.
    labels : sequence, optional
        The order of the categories.

    Returns
    -------
    Scores or None
        None if it is not known who gave what, if nobody can be compared, or if there are too many
        values for a table.

    Raises
    ------
    RequestError
        If there is no such coder or reference.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]]))
    >>> for score in scores(counts, gold="coder 2"):
    ...     print(f"{score.category}: {score.precision:.2f} {score.recall:.2f} {score.f1:.2f}")
    a: 0.67 1.00 0.80
    b: 1.00 0.50 0.67
    """
    reference = reference or ("others" if gold is None else "gold")
    if reference not in ("others", "majority", "gold") or (reference == "gold") != bool(gold):
        raise RequestError(
            f"{reference!r} does not fit the coder whose labels are right "
            f"({gold!r}): name that coder for 'gold', and nobody for 'others' or 'majority'",
            parameter="reference",
        )
    if gold is not None and gold not in counts.coders:
        raise unknown("coder", gold, counts.coders)
    if counts.coder is None or counts.n_coders < 2 or not tabular(counts):
        return None
    given = Holdings.of(counts, labels)
    if counts.n_coders * len(given.labels) > MOST_CELLS:
        return None
    if reference == "gold":
        found = given.against_gold(counts.coders.index(str(gold)))
    else:
        found = given.against_others() if reference == "others" else given.against_majority()
    chosen = np.array([c for c in busiest(counts, MOST_CODERS) if counts.coders[c] != gold], int)
    tp, held, right, n, n_without = (x[chosen] for x in found)
    shown = np.sort(np.argsort(-(held + right).sum(0), kind="stable")[:MOST_CATEGORIES])
    tp, held, right = tp[:, shown], held[:, shown], right[:, shown]
    return Scores(
        tuple(counts.coders[c] for c in chosen),
        tuple(given.labels[k] for k in shown),
        reference,
        gold,
        tp,
        held - tp,
        right - tp,
        n,
        n_without,
        counts.n_coders - len(chosen) - (gold is not None),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _ratios(part: Floats, whole: Floats) -> Floats:
    return np.asarray(part / np.where(whole > 0, whole, np.nan))


def _mean(x: Floats) -> Floats:
    """(C,) mean over the categories where there is a value."""
    known = ~np.isnan(x)
    return _ratios(np.where(known, x, 0).sum(1), known.sum(1))


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
    owner : ndarray of int
        (E,) who gave the annotation.
    cell, cell_of, n_held : ndarray of int
        The cells (pattern x label) that occur, (H,) the cell of each holding, and how many coders
        of the item gave the label of each cell.
    """

    counts: Counts
    labels: tuple[Label, ...]
    entry: Ints
    label: Ints
    owner: Ints
    cell: Ints
    cell_of: Ints
    n_held: Ints

    @classmethod
    def of(cls, counts: Counts, order: LabelOrder = None) -> Holdings:
        """What the annotations of some counts hold."""
        labels = category_labels(counts, order)
        entry, label = np.arange(len(counts.value)), counts.value
        if counts.of_sets:
            of_value, held = np.nonzero(held_labels(counts, order)[1])
            start = np.searchsorted(of_value, np.arange(counts.n_values + 1))
            place, new_start = entries_of(start, counts.value)
            entry, label = np.repeat(entry, np.diff(new_start)), held[place]
        found = counts.row[entry] * np.int64(len(labels)) + label
        cell, cell_of, n_held = np.unique(found, return_inverse=True, return_counts=True)
        owner = np.zeros_like(counts.value) if counts.coder is None else counts.coder
        return cls(counts, labels, entry, label, owner, cell, cell_of, n_held)

    # ------------------------------------------------------------------ three kinds of right

    def against_others(self) -> Totals:
        """Every pair of annotations of an item by itself."""
        others = self.counts.size[self.counts.row] - 1
        return (
            self._by_label(self.n_held[self.cell_of] - 1),
            self._by_label(others[self.entry]),
            self._met(self.n_held) - self._by_label(np.ones(len(self.entry))),
            self._by_coder(others),
            self._by_coder(others == 0),
        )

    def against_gold(self, gold: int) -> Totals:
        """The annotation of one coder is right, where there is one."""
        counts = self.counts
        there = np.zeros(counts.n_patterns, bool)
        there[counts.row[counts.coder == gold]] = True
        right = np.zeros(len(self.cell), bool)
        right[self.cell_of[self.owner[self.entry] == gold]] = True
        scored = there[counts.row]
        return (
            self._by_label(right[self.cell_of]),
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
        most = 2 * (self.n_held[self.cell_of] - 1) - others[self.entry]  # above 0: more than half
        cell_row = self.cell // len(self.labels)
        without = 2 * self.n_held > self.counts.size[cell_row] - 1  # to who does not hold it
        tp = self._by_label(most > 0)
        return (
            tp,
            self._by_label(most != 0),
            self._met(without) - self._by_label(without[self.cell_of]) + tp,
            self._by_coder(others > 0),
            self._by_coder(others == 0),
        )

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
        row, label = np.divmod(self.cell, len(self.labels))
        order = np.lexsort((-self.n_held, row))
        start = np.searchsorted(row, np.arange(n_patterns + 1))
        value, n = np.full((n_patterns, 3), NOBODY), np.zeros((n_patterns, 3), np.int64)
        for i in range(3):
            there = np.flatnonzero(np.diff(start) > i)
            at = order[start[there] + i]
            value[there, i], n[there, i] = label[at], self.n_held[at]
        return value, n

    # ------------------------------------------------------------------ sums

    def _by_label(self, x: NDArray[Any]) -> Floats:
        """(C, L) sum of ``x`` (H,) over the items."""
        return self._sum(self.entry, self.label, x)

    def _sum(self, entry: Ints, label: Ints, x: NDArray[Any]) -> Floats:
        shape = self.counts.n_coders, len(self.labels)
        weight = x * self.counts.times[self.counts.row[entry]]
        cell = self.owner[entry] * np.int64(shape[1]) + label
        return sums(cell, weight, shape[0] * shape[1]).reshape(shape)

    def _by_coder(self, x: NDArray[Any]) -> Floats:
        """(C,) sum of ``x`` (E,) over the items."""
        return sums(self.owner, x * self.counts.times[self.counts.row], self.counts.n_coders)

    def _met(self, x: NDArray[Any]) -> Floats:
        """(C, L) sum of ``x``, of the cells that occur, over the items of each coder."""
        counts, shape = self.counts, (self.counts.n_patterns, len(self.labels))
        who = by_pattern(counts, self.owner, counts.n_coders, counts.times[counts.row])
        if isinstance(who, np.ndarray) and shape[0] * shape[1] <= CELLS:
            return filled(who.T @ sums(self.cell, x, shape[0] * shape[1]).reshape(shape))
        from scipy.sparse import csr_array

        table = csr_array((x.astype(float), np.divmod(self.cell, shape[1])), shape=shape)
        return filled(csr_array(who).T @ table)
