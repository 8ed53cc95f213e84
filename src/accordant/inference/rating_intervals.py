"""How sure the coefficients of ratings are: limits by F or by likelihood, wider where needed.

The F limits of McGraw & Wong (1996) and the profile likelihood of REML hold for normal data.
Where the ratings of items are skewed, the variance of an item's mean square is larger than normal
data have it, and both are too narrow however many items there are. On Fisher's scale they are
therefore widened by the ratio of the standard error that the items show to the normal one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..measure.ratings import (
    MOST_SHARE,
    SAME,
    RatingCoefficient,
    Reml,
    Sums,
    Variances,
    raters,
    reml,
    sums_of,
    variances,
)
from .distributions import chi2_quantile, chi2_tail
from .intervals import Uncertainty
from .settings import Settings

TOLERANCE = 1e-10  # the smallest p-value that is told
WIDER = 0.005  # less is not worth a word


def rating_uncertainty(
    coefficient: RatingCoefficient, counts: Counts, value: float, s: Settings
) -> Uncertainty:
    """The interval of a coefficient of ratings that has a value.

    'auto' widens the limits where the ratings are not normal; 'analytic' gives them as published.
    """
    if s.method == "none" or coefficient.of_ranks:
        return Uncertainty()
    rating = coefficient.rated(counts)
    sums = sums_of(counts, rating)
    fit = None if sums.complete else reml(sums, coefficient.design)
    found = variances(sums, coefficient.design) if fit is None else fit.variances
    if found.rest <= SAME * found.total:
        return Uncertainty(note="coders never differ but in their level: nothing tells how much")
    wide = widening(counts, rating, sums, found, coefficient) if s.method == "auto" else 1.0
    of = _ByF(coefficient, sums, found, wide) if fit is None else _ByProfile(fit, wide)
    k = sums.per_item if coefficient.mean else 1.0
    low, high = (spearman_brown(x, k) for x in of.limits(s.level))
    p = of.p_value(spearman_brown(s.null, 1 / k))  # of two sides
    if s.alternative != "two-sided":
        p = p / 2 if (s.alternative == "greater") == (value > s.null) else 1 - p / 2
    how = of.name + (", widened" if wide > 1 + WIDER else "")
    return Uncertainty(low=low, high=high, p_value=p, method=how)


def spearman_brown(single: float, k: float) -> float:
    """The reliability of the mean of k ratings whose single ones have this reliability.

    Examples
    --------
    >>> spearman_brown(0.5, 2), spearman_brown(0.0, 5)
    (0.6666666666666666, 0.0)
    """
    return k * single / (1 + (k - 1) * single)


# ------------------------------------------------------------------ limits


def widening(
    counts: Counts, rating: Floats, sums: Sums, v: Variances, coefficient: RatingCoefficient
) -> float:
    """How much wider than for normal data the limits are on Fisher's scale: at least 1.

    Of an item with m ratings, variance e of an error and λe of items, the squares within are e
    times χ² with m − 1 degrees of freedom, and the square of the mean, times m, is e (1 + mλ)
    times χ² with one, if the data are normal. The slope of its log-likelihood by λ, with e
    profiled out, is a sum of the two; its variance over the items is compared with that of the χ².
    """
    m, times, rest = counts.size.astype(float), counts.times, max(v.rest, SAME * v.total)
    ratio = max(v.item, 0.0) / rest
    y = rating - sums.centre
    if coefficient.design != "nested":
        y = y - levels(sums, ratio)[raters(counts)]
    of_mean = counts.sum_entries(y) ** 2 / m
    within = (counts.sum_entries(y * y) - of_mean) / rest
    of_mean /= rest * (1 + m * ratio)
    n, more = times.sum(), times @ (m - 1)
    within *= more / max(times @ within, SAME)  # levels of coders were estimated: less is within
    of_mean *= n / max(times @ of_mean, SAME)
    g = m / (1 + m * ratio)
    shared = float((times @ g) / (times @ m))
    slope = g * (1 - of_mean) - shared * (m - within - of_mean)
    normal = 2 * (times @ g**2) - 2 * (times @ g) ** 2 / (times @ m)
    return math.sqrt(max(1.0, float(times @ slope**2 / normal) * n / (n - 1)))


def levels(sums: Sums, ratio: float) -> Floats:
    """(C,) the levels of coders, from the mean of all, by generalised least squares.

    ``ratio`` is the variance of items by that of errors; without gaps they are coders' means.
    """
    phi = ratio / (1 + sums.size * ratio)
    system = np.diag(sums.by_count) - np.tensordot(phi, sums.together, 1)
    return np.asarray(np.linalg.solve(system, sums.by_coder - phi @ sums.seen))


@dataclass(frozen=True)
class _ByF:
    """Limits without gaps by F (McGraw & Wong 1996, table 7)."""

    coefficient: RatingCoefficient
    sums: Sums
    v: Variances
    wide: float
    name: ClassVar[str] = "F"

    def limits(self, level: float) -> tuple[float, float]:
        """Of one rating."""
        from scipy.special import fdtri

        n, k, v = self.sums.n_items, float(self.sums.n_coders), self.v
        e, b, j, p = v.rest, v.rest + k * v.item, v.rest + n * v.coder, (1 + level) / 2
        absolute = self.coefficient.design == "crossed"
        value = v.item / (v.item + v.rest + (v.coder if absolute else 0.0))
        if absolute:
            a = k * value / (n * (1 - value))
            c = 1 + (n - 1) * a
            spread = (a * j) ** 2 / (k - 1) + (c * e) ** 2 / ((n - 1) * (k - 1))
            df = (a * j + c * e) ** 2 / spread
            down, up = fdtri(n - 1, df, p), fdtri(df, n - 1, p)
            d = k * j + (k * n - k - n) * e
            ends = n * (b - down * e) / (down * d + n * b), n * (up * b - e) / (d + n * up * b)
        else:
            df = n * (k - 1) if self.coefficient.design == "nested" else (n - 1) * (k - 1)
            down, up = b / e / fdtri(n - 1, df, p), b / e * fdtri(df, n - 1, p)
            ends = (down - 1) / (down + k - 1), (up - 1) / (up + k - 1)
        middle = (1 + (k - 1) * value) / (1 - value)
        wider = (middle * ((1 + (k - 1) * x) / (1 - x) / middle) ** self.wide for x in ends)
        low, high = ((x - 1) / (x + k - 1) for x in wider)
        return float(low), float(high)

    def p_value(self, null: float) -> float:
        """The level at which an end of the interval is the null, subtracted from 1."""
        above = self.limits(0.0)[0] > null

        def beyond(tail: float) -> bool:
            low, high = self.limits(1 - tail)
            return low > null if above else high < null

        down, up = TOLERANCE, 1.0
        for _ in range(40 if not beyond(down) else 0):
            middle = math.sqrt(down * up)
            down, up = (down, middle) if beyond(middle) else (middle, up)
        return down


@dataclass(frozen=True)
class _ByProfile:
    """Limits with gaps: where the profile of the likelihood is low enough."""

    fit: Reml
    wide: float
    name: ClassVar[str] = "REML, profile"

    def limits(self, level: float) -> tuple[float, float]:
        """Of one rating."""
        from scipy.optimize import brentq

        cut = self.fit.deviance + chi2_quantile(level, 1) * self.wide**2
        best = self.fit.variances.item / self.fit.variances.total

        def over(x: float) -> float:
            return self.fit.profile(x) - cut

        low = 0.0 if over(0.0) < 0 else brentq(over, 0.0, best, xtol=1e-7)
        high = 1.0 if over(MOST_SHARE) < 0 else brentq(over, best, MOST_SHARE, xtol=1e-7)
        return float(low), float(high)

    def p_value(self, null: float) -> float:
        """By the ratio of likelihoods; NaN for a null that no variances have."""
        if not 0 <= null < 1:
            return math.nan
        more = max(self.fit.profile(null) - self.fit.deviance, 0.0)
        return chi2_tail(more / self.wide**2, 1)
