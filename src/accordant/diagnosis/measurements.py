"""Ratings in their own units: what a typical error is, who rates higher, how far two may lie apart.

A coefficient says which share of the variance is of items. Who uses the ratings asks what a
difference of so many points means: the standard error of measurement and the smallest real
difference (Weir 2005), coders' levels, and for two coders the limits of agreement of Bland &
Altman (1986, 1999).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..inference.distributions import normal_quantile, t_quantile, t_tail
from ..inference.rating_intervals import levels
from ..measure.ratings import (
    MOST_CODERS,
    Sums,
    Variances,
    constant,
    numbers_of,
    raters,
    sums_of,
    variances,
)

MOST_PAIRS = 45  # of coders whose limits of agreement are told: those of ten coders
SURE = 0.99  # that no coder is named where all have one level
FEW_ITEMS = 5  # in common, below which limits of agreement say nothing


@dataclass(frozen=True)
class PairLimits:
    """Differences between the ratings of two coders, second − first.

    Parameters
    ----------
    first, second : str
    n_common : int
        Items that both rated.
    bias, bias_low, bias_high : float
        Mean difference and its interval.
    sd : float
        Standard deviation of the differences.
    low, high : float
        Limits of agreement: 95 % of the differences lie between them, if these are normal.
    low_low, low_high, high_low, high_high : float
        Intervals of the limits.
    slope, slope_p : float
        How the difference changes with the size of what is rated, and its p-value.
    share_within : float
        Share of the differences at hand that lie between the limits.
    """

    first: str
    second: str
    n_common: int
    bias: float
    bias_low: float
    bias_high: float
    sd: float
    low: float
    high: float
    low_low: float
    low_high: float
    high_low: float
    high_high: float
    slope: float
    slope_p: float
    share_within: float


@dataclass(frozen=True, eq=False)
class Measurements:
    """Ratings of one question in their own units.

    Parameters
    ----------
    counts : Counts
    sums : Sums
    level : float
        Confidence level.
    """

    counts: Counts
    sums: Sums
    level: float

    @cached_property
    def variances(self) -> Variances:
        """Of items, coders and what is left."""
        return variances(self.sums, "crossed")

    @property
    def error(self) -> float:
        """Standard error of measurement: of one rating, coders' levels included."""
        return math.sqrt(max(self.variances.coder, 0.0) + self.variances.rest)

    @property
    def error_of_coder(self) -> float:
        """The same for ratings by one coder, whose level is the same for all items."""
        return math.sqrt(self.variances.rest)

    @property
    def detectable(self) -> float:
        """By how much two ratings of one coder differ in 5 % of cases where nothing differs."""
        return normal_quantile(0.975) * math.sqrt(2) * self.error_of_coder

    @property
    def detectable_between(self) -> float:
        """By how much ratings of two coders differ in 5 % of cases where nothing differs."""
        return normal_quantile(0.975) * math.sqrt(2) * self.error

    @property
    def df(self) -> float:
        """Degrees of freedom of what is left."""
        return max(self.sums.n - self.sums.n_items - self.sums.n_coders + 1, 1.0)

    def coder_rows(self) -> list[dict[str, Any]]:
        """Each coder's level above the mean of all, with its interval given the items."""
        v, n = self.variances, self.sums.by_count
        ratio = max(v.item, 0.0) / v.rest if v.rest > 0 else math.inf
        level = levels(self.sums, min(ratio, 1e9))
        level = level - level.mean()
        c = len(level)
        reach = t_quantile((1 + self.level) / 2, self.df)
        # the mean of all coders is in the difference: of complete ratings exactly e (C - 1) / (C n)
        se = np.sqrt(v.rest * (1 / n * (1 - 2 / c) + (1 / n).mean() / c))
        return [
            {
                "coder": name,
                "n_items": int(n[k]),
                "mean": self.sums.centre + float(self.sums.by_coder[k] / n[k]),
                "rated_higher": float(level[k]),
                "low": float(level[k] - reach * se[k]),
                "high": float(level[k] + reach * se[k]),
            }
            for k, name in enumerate(self.counts.coders)
        ]

    @property
    def sure(self) -> dict[str, Any] | None:
        """The coder whose level is farthest from the mean, if that is no accident."""
        rows = self.coder_rows()
        tail = (1 - SURE) / (2 * len(rows))  # of all coders, none of whom differs
        wider = t_quantile(1 - tail, self.df) / t_quantile((1 + self.level) / 2, self.df)
        far = max(rows, key=lambda row: abs(row["rated_higher"]))
        reach = wider * (far["high"] - far["low"]) / 2
        return far if abs(far["rated_higher"]) > reach else None

    @cached_property
    def usual(self) -> float:
        """The difference that 95 % of the pairs of ratings of an item do not exceed."""
        parts = [(abs(y - x), self.counts.times) for _, _, x, y in self._columns]
        if not parts:
            return math.nan
        d, t = (np.concatenate(each) for each in zip(*parts, strict=True))
        d, t = d[~np.isnan(d)], t[~np.isnan(d)]
        order = np.argsort(d)
        d, t = d[order], t[order]
        return float(d[np.searchsorted(np.cumsum(t), 0.95 * t.sum() * (1 - 1e-12))])

    @cached_property
    def _columns(self) -> list[tuple[int, int, Floats, Floats]]:
        """Each pair of coders and their ratings, pattern by pattern; none of many coders."""
        c = self.counts.n_coders
        if c * (c - 1) // 2 > MOST_PAIRS:
            return []
        table = _table(self.counts)
        return [(a, b, table[:, a], table[:, b]) for a, b in combinations(range(c), 2)]

    @cached_property
    def pairs(self) -> tuple[PairLimits, ...]:
        """Limits of agreement of each pair of coders with items in common; none of many coders."""
        return tuple(x for x in (self._limits(*each) for each in self._columns) if x is not None)

    def _limits(self, a: int, b: int, x: Floats, y: Floats) -> PairLimits | None:
        both = ~np.isnan(x) & ~np.isnan(y)
        t, d, size = self.counts.times[both].astype(float), (y - x)[both], ((x + y) / 2)[both]
        n = float(t.sum())
        if n < FEW_ITEMS:
            return None
        bias = float(t @ d / n)
        sd = math.sqrt(max(float(t @ (d - bias) ** 2) / (n - 1), 0.0))
        q, z = t_quantile((1 + self.level) / 2, n - 1), normal_quantile(0.975)
        reach = q * sd / math.sqrt(n)
        wide = q * sd * math.sqrt(1 / n + z**2 / (2 * (n - 1)))  # Bland & Altman (1999)
        slope, p = _slope(size, d, t)
        low, high = bias - z * sd, bias + z * sd
        inside = float(t @ ((d >= low) & (d <= high)) / n)
        ends = (low - wide, low + wide, high - wide, high + wide)
        around = (sd, low, high, *ends, slope, p, inside)
        names = self.counts.coders
        return PairLimits(names[a], names[b], int(n), bias, bias - reach, bias + reach, *around)


def measurements(counts: Counts, level: float) -> Measurements | None:
    """Measurements in their own units; None where there are too few, or nothing varies."""
    if not 2 <= counts.n_coders <= MOST_CODERS or counts.n_pairable < 2:
        return None
    sums = sums_of(counts, numbers_of(counts)[counts.value])
    return None if constant(sums) else Measurements(counts, sums, level)


def _table(counts: Counts) -> Floats:
    """(P, C) the rating of each coder in each pattern, NaN where there is none."""
    table = np.full((counts.n_patterns, counts.n_coders), np.nan)
    table[counts.row, raters(counts)] = numbers_of(counts)[counts.value]
    return table


def _slope(x: Floats, y: Floats, times: Floats) -> tuple[float, float]:
    """Slope of y on x and its p-value; NaN where x does not vary."""
    n = float(times.sum())
    dx, dy = x - times @ x / n, y - times @ y / n
    square = float(times @ dx**2)
    if n < 3 or square <= 0:
        return math.nan, math.nan
    slope = float(times @ (dx * dy)) / square
    rest = float(times @ (dy - slope * dx) ** 2) / (n - 2)
    if rest <= 0:
        return slope, math.nan
    return slope, min(1.0, 2 * t_tail(abs(slope) / math.sqrt(rest / square), n - 2))
