"""What the margins of a table of two coders do to kappa: prevalence, bias, the largest kappa.

Only items that both coders of a pair annotated count, as in a contingency table. The coefficients
that are reported take the distributions from all annotations, so where some are missing the kappa
of a pair may stand there with another value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..measure.coefficient_value import Undefined
from ..measure.confusion import Confusion
from ..measure.registry import chance_corrected
from ..results import Record
from .categories import RatioEstimate
from .distributions import chi2_tail, normal_quantile
from .exact_tests import exact_interval


class EqualMargins(NamedTuple):
    """A chi-squared test of equal distributions: NaN where nothing can differ."""

    chi2: float = math.nan
    df: int = 0
    p_value: float = math.nan


def stuart_maxwell(table: Floats) -> EqualMargins:
    """Equal distributions of two coders (Stuart 1955; Maxwell 1970), from a (K, K) table.

    For two categories this is the test of McNemar (1947) without correction for continuity.

    Examples
    --------
    >>> round(stuart_maxwell(np.array([[20.0, 10, 5], [3, 30, 15], [0, 5, 40]])).chi2, 3)
    13.765
    """
    first, second = table.sum(1), table.sum(0)
    used = np.flatnonzero((first + second) > 0)
    t = table[np.ix_(used, used)]
    d = first[used] - second[used]
    v = np.diag(first[used] + second[used]) - t - t.T
    # the differences sum to 0; categories never taken for others carry no information
    size, direction = np.linalg.eigh(v) if len(used) else (np.zeros(0), np.zeros((0, 0)))
    kept = size > 1e-10 * size.max(initial=0)
    if not kept.any():
        return EqualMargins()
    chi2 = float((np.square(d @ direction[:, kept]) / size[kept]).sum())
    df = int(kept.sum())
    return EqualMargins(chi2, df, chi2_tail(chi2, df))


def _undefined(reason: str, sentence: str) -> RatioEstimate:
    return RatioEstimate(math.nan, undefined=Undefined(reason, sentence))


NO_PAIRS = _undefined("no_pairs", "the two coders have no item in common")
OF_LABELS = _undefined(
    "label_sets", "annotations are sets of labels, and their margins say nothing about kappa"
)
NOT_TWO = _undefined("not_two_values", "the index is defined for two categories only")
ONE_CATEGORY = _undefined("one_category", "the scheme has one category only")


@dataclass(frozen=True)
class Indices(Record):
    """What the margins of a two-coder table do to kappa.

    Parameters
    ----------
    first, second : str
        The coders.
    n_items : int
        Items that both annotated.
    kappa, kappa_max, kappa_ratio : float
        Cohen's kappa, the largest it could be with these margins, and their ratio.
    prevalence, bias : RatioEstimate
        (Byrt, Bishop & Carlin 1993), two categories only.
    pabak : RatioEstimate
        (K A_o - 1) / (K - 1), with its exact binomial interval; 2 A_o - 1 for two categories.
    marginal_difference : float
        Share of annotations that would have to move for equal distributions; in a 2 x 2 table the
        absolute bias index.
    marginal_p : float
        p-value of equal distributions (Stuart 1955; Maxwell 1970).
    """

    first: str
    second: str
    n_items: int
    kappa: float = math.nan
    kappa_max: float = math.nan
    kappa_ratio: float = math.nan
    prevalence: RatioEstimate = OF_LABELS
    bias: RatioEstimate = OF_LABELS
    pabak: RatioEstimate = OF_LABELS
    marginal_difference: float = math.nan
    marginal_p: float = math.nan


def indices(confusion: Confusion, *, level: float = 0.95) -> Indices:
    """The indices of two coders; all undefined for a table of the labels of sets.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.confusion import contingency
    >>> found = indices(contingency(count(read([["y", "n", "y", "y"], ["y", "n", "n", "y"]]))))
    >>> found.kappa, found.kappa_max, found.pabak.value
    (0.5, 0.5, 0.5)
    """
    whose = str(confusion.first), str(confusion.second), confusion.n
    if confusion.of_labels:
        return Indices(*whose)
    table, n = confusion.table, confusion.table.sum()
    if not n:
        return Indices(*whose, prevalence=NO_PAIRS, bias=NO_PAIRS, pabak=NO_PAIRS)
    first, second = table.sum(1) / n, table.sum(0) / n
    reached = float(chance_corrected(np.trace(table) / n, first @ second))
    largest = kappa_max(table)
    return Indices(
        *whose,
        reached,
        largest,
        reached / largest if largest > 0 else math.nan,
        prevalence_index(table, level=level),
        bias_index(table, level=level),
        pabak(table, level=level),
        float(np.abs(first - second).sum() / 2),
        stuart_maxwell(table).p_value,
    )


def kappa_max(table: Floats) -> float:
    """The largest kappa that the margins of the table allow (Cohen 1960, p. 42).

    Both coders agree on as many items as their distributions let them.
    """
    n = table.sum()
    if not n:
        return math.nan
    first, second = table.sum(1) / n, table.sum(0) / n
    return float(chance_corrected(np.minimum(first, second).sum(), first @ second))


def prevalence_index(table: Floats, *, level: float = 0.95) -> RatioEstimate:
    """(a - d) / n of a 2 x 2 table: how far one category prevails (Byrt et al. 1993, p. 425)."""
    return _difference(table, (0, 0), (1, 1), level)


def bias_index(table: Floats, *, level: float = 0.95) -> RatioEstimate:
    """(b - c) / n of a 2 x 2 table: how far the coders' distributions differ (Byrt et al. 1993)."""
    return _difference(table, (0, 1), (1, 0), level)


def _difference(
    table: Floats, one: tuple[int, int], other: tuple[int, int], level: float
) -> RatioEstimate:
    """Difference of two cells of a multinomial sample, as shares."""
    n = float(table.sum())
    if table.shape != (2, 2):
        return NOT_TWO
    if not n:
        return NO_PAIRS
    more, less = float(table[one]), float(table[other])
    value = (more - less) / n
    # both cells are of the same items, so their shares are correlated
    se = math.sqrt(((more + less) / n - value**2) / n)
    reach = normal_quantile((1 + level) / 2) * se
    return RatioEstimate(value, se, max(-1.0, value - reach), min(1.0, value + reach))


def pabak(table: Floats, *, level: float = 0.95) -> RatioEstimate:
    """Prevalence- and bias-adjusted kappa with the exact interval of Clopper & Pearson (1934).

    (K A_o - 1) / (K - 1); for two categories 2 A_o - 1 (Byrt et al. 1993). The interval is that
    of the observed agreement, carried over.
    """
    n, k = float(table.sum()), len(table)
    if not n:
        return NO_PAIRS
    if k < 2:
        return ONE_CATEGORY
    agreed = float(np.trace(table))
    se = math.sqrt(agreed * (n - agreed) / n**3)
    ends = (float(x) for x in exact_interval(agreed, n, level))
    value, low, high = ((k * p - 1) / (k - 1) for p in (agreed / n, *ends))
    return RatioEstimate(value, se * k / (k - 1), low, high)
