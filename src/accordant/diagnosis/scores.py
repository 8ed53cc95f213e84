"""Precision, recall and F1 of each coder on each category; the others or a gold coder are right.

Hoek & Scholman (2017, section 4): they show which categories of a framework are problematic, and
which of the coders have problems with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..errors import unknown
from ..inference.categories import MOST_CATEGORIES, category_labels
from ..measure.coefficient_value import Undefined
from ..measure.confusion import tabular
from ..measure.shares import LabelOrder, held_labels
from ..results import Record, Result
from ..scheme import Label
from .coder_pairs import busiest

MOST_CODERS = 100  # a table of more cannot be read; the busiest ones are scored


@dataclass(frozen=True)
class CategoryScore(Record):
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
    gold : str or None
        The coder whose labels are right; None where those of each other coder of the item are, pair
        by pair.
    tp, fp, fn : ndarray
        (C, L) numbers of annotations, without a gold coder of pairs of annotations.
    left_out : int
        Coders that are not scored: those with the fewest annotations.
    """

    coders: tuple[str, ...]
    categories: tuple[Label, ...]
    gold: str | None
    tp: Floats
    fp: Floats
    fn: Floats
    left_out: int = 0

    def __iter__(self) -> Iterator[CategoryScore]:
        return (self.of(c, k) for c in self.coders for k in self.categories)

    def of(self, coder: str | None, category: Label) -> CategoryScore:
        """One coder on one category; None for all coders together."""
        if coder is not None and coder not in self.coders:
            raise unknown("coder", coder, self.coders, "scored are")
        if category not in self.categories:
            raise unknown("category", category, self.categories, "the table has")
        k = self.categories.index(category)
        rows = slice(None) if coder is None else [self.coders.index(coder)]
        return CategoryScore(
            coder, category, *(int(x[rows, k].sum()) for x in (self.tp, self.fp, self.fn))
        )

    @cached_property
    def f1(self) -> Floats:
        """(C, L) NaN where neither gave it."""
        return _ratios(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder and category."""
        return [row for score in self for row in score.to_rows()]


def scores(counts: Counts, *, gold: str | None = None, labels: LabelOrder = None) -> Scores | None:
    """Score each coder on each category.

    Parameters
    ----------
    counts : Counts
    gold : str, optional
        The coder whose labels count as right; by default those of each other coder of the item.
    labels : sequence, optional
        The order of the categories.

    Returns
    -------
    Scores or None
        None if it is not known who gave what, if nobody can be compared, or if there are too many
        values for a table.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "a"], ["a", "b", "b", "a"]]
    >>> for score in ac.diagnose(rows, gold="coder 2").pooled.scores:
    ...     print(f"{score.category}: {score.precision:.2f} {score.recall:.2f} {score.f1:.2f}")
    a: 0.67 1.00 0.80
    b: 1.00 0.50 0.67
    """
    if counts.coder is None or counts.n_coders < 2 or not tabular(counts):
        return None
    names = category_labels(counts, labels)
    members = held_labels(counts, labels)[1] if counts.of_sets else np.eye(counts.n_values)
    often = counts.pool @ members
    shown = np.sort(np.argsort(-often, kind="stable")[:MOST_CATEGORIES])
    who, row, size = counts.coder, counts.row, counts.size
    times = counts.times[row]

    def by_coder(x: NDArray[Any]) -> Floats:
        return sums(who, times * x, counts.n_coders)

    others = (size - 1)[row]
    if gold is not None:
        of_gold = who == counts.coders.index(gold)
        others = (counts.sum_entries(of_gold) > 0)[row].astype(np.int64)
    columns = []
    for k in shown:
        holds = members[counts.value, k] > 0
        right = counts.sum_entries(holds)[row] - holds
        if gold is not None:
            right = counts.sum_entries(holds & of_gold)[row]
        columns.append([by_coder(x) for x in (holds * right, holds * others, right)])
    tp, held, right = np.moveaxis(np.array(columns).reshape(len(shown), 3, -1), 0, 2)
    chosen = np.array([c for c in busiest(counts, MOST_CODERS) if counts.coders[c] != gold], int)
    return Scores(
        tuple(counts.coders[c] for c in chosen),
        tuple(names[k] for k in shown),
        gold,
        tp[chosen],
        (held - tp)[chosen],
        (right - tp)[chosen],
        counts.n_coders - len(chosen) - (gold is not None),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _ratios(part: Floats, whole: Floats) -> Floats:
    return np.asarray(part / np.where(whole > 0, whole, np.nan))
