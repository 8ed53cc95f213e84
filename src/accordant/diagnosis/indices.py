"""What lies behind a kappa of two coders: prevalence, bias, the largest kappa they allow."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..errors import RequestError
from ..inference.distributions import chi2_tail, normal_quantile
from ..measure.registry import chance_corrected
from ..measure.results import Undefined
from ..measure.sets import unranked
from ..results import Result
from ..scheme import number
from .confusion import Confusion
from .estimate import Estimate

__all__ = [
    "Indices", "bias_index", "full_agreement", "indices", "kappa_max", "marginal_difference",
    "marginal_statistic", "marginal_test", "pabak", "prevalence_index",
]  # fmt: skip

Floats = NDArray[np.float64]

NO_PAIRS = Undefined("no_pairs", "the two coders have no item in common")
OF_LABELS = Undefined(
    "label_sets", "annotations are sets of labels, and their margins say nothing about kappa"
)
NOT_TWO = Undefined("not_two_values", "the index is defined for two categories only")


@dataclass(frozen=True)
class Indices(Result):
    """What the margins of a two-coder table do to kappa.

    Parameters
    ----------
    first, second : str
        The coders.
    n_items : int
        Items that both annotated.
    kappa, kappa_max, kappa_ratio : float
        Cohen's kappa, the largest it could be with these margins, and their ratio.
    prevalence, bias : Estimate
        (Byrt, Bishop & Carlin 1993), two categories only.
    pabak : Estimate
        (K A_o - 1) / (K - 1), with its exact binomial interval; 2 A_o - 1 for two categories.
    marginal_difference : float
        Share of annotations that would have to move for equal distributions.
    marginal_p : float
        p-value of equal distributions.
    """

    first: str
    second: str
    n_items: int
    kappa: float
    kappa_max: float
    kappa_ratio: float
    prevalence: Estimate
    bias: Estimate
    pabak: Estimate
    marginal_difference: float
    marginal_p: float

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        row: dict[str, Any] = {}
        for f in fields(self):
            x = getattr(self, f.name)
            row |= x.to_row(f.name) if isinstance(x, Estimate) else {f.name: x}
        return [row]


def indices(confusion: Confusion, *, level: float = 0.95) -> Indices:
    """The indices of two coders; all undefined for a table of the labels of sets.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.diagnosis.confusion import contingency
    >>> found = indices(contingency(count(read([["y", "n", "y", "y"], ["y", "n", "n", "y"]]))))
    >>> found.kappa, found.kappa_max, found.pabak.value
    (0.5, 0.5, 0.5)
    """
    if confusion.of_labels:
        return _of_no_use(confusion)
    table = confusion.table
    reached, largest = _kappa(table), kappa_max(table)
    ratio = reached / largest if largest > 0 else math.nan
    return Indices(
        str(confusion.first), str(confusion.second), confusion.n, reached, largest, ratio,
        prevalence_index(table, level=level), bias_index(table, level=level),
        pabak(table, level=level), marginal_difference(table), marginal_test(table)[1],
    )  # fmt: skip


def _of_no_use(confusion: Confusion) -> Indices:
    nothing, none = math.nan, Estimate(math.nan, undefined=OF_LABELS)
    return Indices(
        str(confusion.first), str(confusion.second), confusion.n, nothing, nothing, nothing,
        none, none, none, nothing, nothing,
    )  # fmt: skip


def kappa_max(table: Floats) -> float:
    """The largest kappa that the margins of the table allow (Cohen 1960, p. 42).

    Both coders agree on as many items as their distributions let them.
    """
    n = table.sum()
    if not n:
        return math.nan
    first, second = table.sum(1) / n, table.sum(0) / n
    return float(chance_corrected(np.minimum(first, second).sum(), first @ second))


def _kappa(table: Floats) -> float:
    n = table.sum()
    if not n:
        return math.nan
    return float(chance_corrected(np.trace(table) / n, (table.sum(1) @ table.sum(0)) / n**2))


def prevalence_index(table: Floats, *, level: float = 0.95) -> Estimate:
    """(a - d) / n of a 2 x 2 table: how far one category prevails (Byrt et al. 1993, p. 425)."""
    return _difference(table, lambda t: (t[0, 0], t[1, 1]), level)


def bias_index(table: Floats, *, level: float = 0.95) -> Estimate:
    """(b - c) / n of a 2 x 2 table: how far the coders' distributions differ (Byrt et al. 1993)."""
    return _difference(table, lambda t: (t[0, 1], t[1, 0]), level)


def _difference(table: Floats, cells: Any, level: float) -> Estimate:
    """Difference of two cells of a multinomial sample, as shares."""
    n = float(table.sum())
    if table.shape != (2, 2):
        return Estimate(math.nan, undefined=NOT_TWO)
    if not n:
        return Estimate(math.nan, undefined=NO_PAIRS)
    more, less = cells(table)
    value = float(more - less) / n
    # both cells are of the same items, so their shares are correlated
    se = math.sqrt((float(more + less) / n - value**2) / n)
    reach = normal_quantile((1 + level) / 2) * se
    return Estimate(value, se, max(-1.0, value - reach), min(1.0, value + reach))


def pabak(table: Floats, *, level: float = 0.95) -> Estimate:
    """Prevalence- and bias-adjusted kappa with the exact interval of Clopper & Pearson (1934).

    (K A_o - 1) / (K - 1); for two categories 2 A_o - 1 (Byrt et al. 1993). The interval is that
    of the observed agreement, carried over.
    """
    n, k = float(table.sum()), len(table)
    if not n:
        return Estimate(math.nan, undefined=NO_PAIRS)
    if k < 2:
        reason = Undefined("one_category", "the scheme has one category only")
        return Estimate(math.nan, undefined=reason)
    agreed = float(np.trace(table))
    se = math.sqrt(agreed * (n - agreed) / n**3)
    low, high = _clopper_pearson(agreed, n, level)
    value, low, high = ((k * p - 1) / (k - 1) for p in (agreed / n, low, high))
    return Estimate(value, se * k / (k - 1), low, high)


def _clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return low, high


def marginal_difference(table: Floats) -> float:
    """Half the sum of the absolute differences of the coders' shares: 0 to 1.

    The share of one coder's annotations that would have to move for equal distributions; in a
    2 x 2 table the absolute bias index.
    """
    n = table.sum()
    return float(np.abs(table.sum(1) - table.sum(0)).sum() / (2 * n)) if n else math.nan


def marginal_test(table: Floats) -> tuple[float, float]:
    """Chi-squared and p-value of equal distributions of the two coders (Stuart 1955; Maxwell 1970).

    For two categories this is the test of McNemar (1947) without correction for continuity.
    """
    chi2, rank = marginal_statistic(table)
    return (chi2, chi2_tail(chi2, rank)) if rank else (math.nan, math.nan)


def marginal_statistic(table: Floats) -> tuple[float, int]:
    """Chi-squared of equal distributions and its degrees of freedom; NaN and 0 without any."""
    first, second = table.sum(1), table.sum(0)
    used = np.flatnonzero((first + second) > 0)
    t = table[np.ix_(used, used)]
    d = first[used] - second[used]
    v = np.diag(first[used] + second[used]) - t - t.T
    # the differences sum to 0; categories never taken for others carry no information
    size, direction = np.linalg.eigh(v) if len(used) else (np.zeros(0), np.zeros((0, 0)))
    kept = size > 1e-10 * size.max(initial=0)
    if not kept.any():
        return math.nan, 0
    along = d @ direction[:, kept]
    return float((np.square(along) / size[kept]).sum()), int(kept.sum())


def full_agreement(counts: Counts, *, tolerance: float = 0.0) -> float:
    """Share of items on which all coders agree, of those with two or more annotations.

    Parameters
    ----------
    counts : Counts
    tolerance : float
        Numeric values that differ by at most this count as the same.
    """
    n = float(counts.n_pairable)
    if not n:
        return math.nan
    bare = unranked(counts.anonymous)
    score = _scores(bare, tolerance)[bare.value]
    spread = np.maximum.reduceat(score, bare.start[:-1]) - np.minimum.reduceat(
        score, bare.start[:-1]
    )
    agreed = (bare.size >= 2) & (spread <= tolerance + 1e-12)
    return float(bare.times @ agreed) / n


def _scores(counts: Counts, tolerance: float) -> Floats:
    """(K,) the values as numbers; their codes if only equal values agree."""
    if tolerance == 0:
        return np.arange(counts.n_values, dtype=float)
    found = [None if isinstance(v, tuple) else number(v) for v in counts.values]
    if None in found:
        odd = counts.values[found.index(None)]
        raise RequestError(f"a tolerance needs numeric categories; {odd!r} is not a number")
    return np.array(found, dtype=float)
