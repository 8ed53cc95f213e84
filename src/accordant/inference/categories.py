"""Agreement on each category: the category against all others.

The cost follows how often a category was given. Items without it differ only in who annotated them:
they are grouped by that once, and for each category only the patterns that hold it are looked at
again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..counts.row_keys import Groups, entries_of, group_keys, group_rows, sums
from ..measure.coefficient_value import Undefined
from ..measure.coefficients import COEFFICIENTS
from ..measure.confusion import MOST_VALUES
from ..measure.registry import Coefficient
from ..measure.shares import LabelOrder, distribution, held_labels
from ..measure.undefined import why_undefined
from ..measure.weights import Identity, Weights
from ..results import Record, Result
from ..scheme import Label
from .intervals import uncertainty
from .score import MeanRatio
from .settings import Settings

MOST_CATEGORIES = 100  # the most frequent ones are broken down; the rest is counted
KEYS = ("percent", "pi", "kappa", "alpha", "ac")


@dataclass(frozen=True)
class CategoryAgreement(Record):
    """One category against all others.

    Parameters
    ----------
    category : Label
    n_annotations, share : int, float
        How often it was given, and its share of all annotations.
    n_items, n_disputed : int
        Items to which somebody gave it, and those of them on which others disagree.
    by_coder : tuple of int
        How often each coder gave it; empty if the coders are not known.
    specific, negative : RatioEstimate
        If one coder gave it, how likely another one did (positive agreement); if one did not,
        how likely another did not (negative agreement).
    percent, pi, kappa, alpha, ac : RatioEstimate
        Coefficients of the category against the rest, nominal.
    """

    row_of = (
        "category n_annotations share n_items n_disputed specific negative percent pi kappa alpha "
        "ac undefined"
    )

    category: Label
    n_annotations: int
    share: float
    n_items: int
    n_disputed: int
    by_coder: tuple[int, ...]
    specific: RatioEstimate
    negative: RatioEstimate
    percent: RatioEstimate
    pi: RatioEstimate
    kappa: RatioEstimate
    alpha: RatioEstimate
    ac: RatioEstimate

    @property
    def undefined(self) -> Undefined | None:
        """Why there is no alpha."""
        return self.alpha.undefined


@dataclass(frozen=True)
class Categories(Result):
    """Every category against the rest, in the order of the scheme.

    Parameters
    ----------
    rows : tuple of CategoryAgreement
        The categories that somebody used.
    unused : tuple
        Categories of the scheme that nobody used.
    left_out : int
        How many of the rarest used categories are not broken down.
    coders : tuple of str
        The coders of ``by_coder``.
    """

    rows: tuple[CategoryAgreement, ...]
    unused: tuple[Label, ...]
    left_out: int
    coders: tuple[str, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each used category."""
        return [row for r in self.rows for row in r.to_rows()]


def categories(
    counts: Counts, *, level: float = 0.95, most: int = MOST_CATEGORIES, labels: LabelOrder = None
) -> Categories:
    """Break agreement down by category.

    Where annotations are sets of labels, a category stands against annotations without it;
    ``labels`` gives their order, and those that nobody used.
    Thousands of values are measurements, not categories, and are not broken down.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> [(r.category, r.specific.value) for r in categories(count(data)).rows]
    [('a', 0.8), ('b', 0.6666666666666666)]
    """
    every = category_labels(counts, labels)
    n = distribution(counts, every).n
    used = np.flatnonzero(n)
    most = 0 if len(used) > MOST_VALUES else most
    shown = np.sort(used[np.argsort(-n[used], kind="stable")[:most]])
    against = AgainstRest(counts)
    rows = tuple(_category(against.of(every[k]), level) for k in shown)
    unused = tuple(every[k] for k in np.flatnonzero(n == 0))
    return Categories(rows, unused, len(used) - len(shown), counts.coders)


def category_labels(counts: Counts, labels: LabelOrder = None) -> tuple[Label, ...]:
    """The categories: the values, or the labels that the values are sets of."""
    if counts.of_sets:
        return held_labels(counts, labels)[0]
    return tuple(v for v in counts.values if not isinstance(v, tuple))


def specific_agreement(counts: Counts, code: int, *, level: float = 0.95) -> RatioEstimate:
    """If one coder gave the value, how likely another coder of the item gave it too.

    For two coders the positive agreement 2a / (2a + b + c) of Cicchetti & Feinstein (1990); for
    any number of coders, some of them missing, Uebersax (1982): pairs with the value on both
    sides among pairs with it on one.
    """
    bare = counts.anonymous
    n = bare.sum_entries(bare.n * (bare.value == code))
    nothing = Undefined(
        "not_given", f"no coder gave {bare.values[code]!r} to an item that another annotated"
    )
    return ratio_of(bare, n * (n - 1), n * (bare.size - 1), nothing, level=level)


def _category(two: Counts, level: float) -> CategoryAgreement:
    """The breakdown of one category, from counts of it against the rest."""
    bare = two.anonymous
    given = bare.sum_entries(bare.n * bare.value)
    total = float(bare.times @ given)
    w = Identity("identity", 2)
    measured = {
        key: coefficient_of(COEFFICIENTS[key], two if key == "kappa" else bare, w, level=level)
        for key in KEYS
    }
    return CategoryAgreement(
        labels_of(two.values[1])[0],
        int(total),
        total / float(two.n_annotations),
        int(bare.times @ (given > 0)),
        int(bare.times @ ((given > 0) & (given < bare.size))),
        () if two.coder is None else tuple(int(n) for n in two.by_coder[:, 1]),
        specific_agreement(bare, 1, level=level),
        specific_agreement(bare, 0, level=level),
        **measured,
    )


def labels_of(value: Any) -> tuple[Label, ...]:
    """The labels of a value: itself, or those of a set."""
    return value if isinstance(value, tuple) else (value,)


@dataclass(frozen=True, eq=False)
class AgainstRest:
    """Annotations to be read as 'with the category' (1) or 'without' (0)."""

    counts: Counts

    @cached_property
    def _presence(self) -> Groups:
        """Patterns grouped by who annotated (or by how many, if that is all that is known)."""
        counts = self.counts
        if counts.coder is None:
            return group_keys(counts.size, int(counts.size.max(initial=0)) + 1)
        return group_rows(counts.start, counts.coder)

    def of(self, category: Label) -> Counts:
        """The counts of one category; they no longer know which item shows which pattern."""
        counts, groups = self.counts, self._presence
        holds = np.array([category in labels_of(v) for v in counts.values])
        mine = np.unique(counts.row[holds[counts.value]])
        n = len(groups.first)
        without = sums(groups.of, counts.times, n) - sums(groups.of[mine], counts.times[mine], n)
        rest = groups.first[without > 0]
        entry, start = entries_of(counts.start, np.concatenate([mine, rest]))
        given = holds[counts.value[entry]]
        given[start[len(mine)] :] = False
        two = replace(
            counts,
            start=start,
            coder=None if counts.coder is None else counts.coder[entry],
            value=given.astype(np.int64),
            n=counts.n[entry],
            times=np.concatenate([counts.times[mine], without[without > 0]]),
            values=(f"not {category}", category),
            pattern_of=np.zeros(0, np.int64),
            n_questions=1,
        )
        # without coders a value stands once in a pattern: add up the labels read as the rest
        return two if two.coder is not None else two.merged(np.arange(2), two.values)


@dataclass(frozen=True)
class RatioEstimate:
    """A value, its standard error and interval; NaN with a reason where it does not exist."""

    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    undefined: Undefined | None = None

    def to_row(self, name: str) -> dict[str, Any]:
        """Its columns in a table: ``name``, ``name_se``, ``name_low``, ``name_high``."""
        ends = {f"{name}_{key}": getattr(self, key) for key in ("se", "low", "high")}
        return {name: self.value, **ends}

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "undefined"
        if math.isnan(self.low):
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def coefficient_of(
    coefficient: Coefficient, counts: Counts, w: Weights, *, level: float = 0.95
) -> RatioEstimate:
    """A coefficient of counts with its linearised interval."""
    parts = coefficient.parts(counts, w)
    value = float(parts.value)
    reason = why_undefined(coefficient, counts, float(parts.observed), float(parts.expected))
    sure = uncertainty(coefficient, counts, w, value, Settings("auto", level))
    return RatioEstimate(value, sure.se, sure.low, sure.high, reason)


def ratio_of(
    counts: Counts, part: Floats, whole: Floats, nothing: Undefined, *, level: float = 0.95
) -> RatioEstimate:
    """Sum of ``part`` (P,) over sum of ``whole`` (P,), both over items; a share of it.

    The standard error is that of a ratio of two means over items (Cochran 1977, sec. 2.11), the
    interval that of a score test: one or two items in which all or nothing is in the share do
    not make it narrow. Where this is so of every item there is no standard error, and the
    interval is the exact one of Clopper & Pearson (1934) for so many items. ``nothing`` says why
    there is no ratio where ``whole`` is 0.
    """
    n = float(counts.n_items)
    total = float(counts.times @ whole)
    if total <= 0:
        return RatioEstimate(math.nan, undefined=nothing)
    value = float(counts.times @ part) / total
    if n < 2:
        return RatioEstimate(value)
    if value in (0, 1):
        items = float(counts.times @ (whole > 0))
        far = ((1 - level) / 2) ** (1 / items)
        return RatioEstimate(value, low=far if value else 0.0, high=1.0 if value else 1 - far)
    lost = MeanRatio(np.asarray(counts.times, float), whole - part, whole, float(whole.max()))
    low, high = lost.interval(level, 1.0)
    return RatioEstimate(value, lost.error, 1 - high, 1 - low)
