"""A number with its interval: what every breakdown is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..inference.intervals import Settings, uncertainty
from ..inference.score import Ratio
from ..measure.registry import Coefficient
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..measure.weights import Weights

__all__ = ["Estimate", "coefficient_of", "ratio_of"]


@dataclass(frozen=True)
class Estimate:
    """A value, its standard error and interval; NaN with a reason where it does not exist."""

    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    undefined: Undefined | None = None

    def to_row(self, name: str) -> dict[str, Any]:
        """Its columns in a table: ``name``, ``name_se``, ``name_low``, ``name_high``."""
        return {
            name: self.value,
            f"{name}_se": self.se,
            f"{name}_low": self.low,
            f"{name}_high": self.high,
        }

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "undefined"
        if math.isnan(self.low):
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def coefficient_of(
    coefficient: Coefficient, counts: Counts, w: Weights, *, level: float = 0.95
) -> Estimate:
    """A coefficient of counts with its linearised interval."""
    parts = coefficient.parts(counts, w)
    value = float(parts.value)
    reason = why_undefined(coefficient, counts, float(parts.observed), float(parts.expected))
    sure = uncertainty(coefficient, counts, w, value, Settings("auto", level))
    return Estimate(value, sure.se, sure.low, sure.high, reason)


def ratio_of(
    counts: Counts,
    part: NDArray[np.float64],
    whole: NDArray[np.float64],
    nothing: Undefined,
    *,
    level: float = 0.95,
) -> Estimate:
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
        return Estimate(math.nan, undefined=nothing)
    value = float(counts.times @ part) / total
    if n < 2:
        return Estimate(value)
    if value in (0, 1):
        items = float(counts.times @ (whole > 0))
        far = ((1 - level) / 2) ** (1 / items)
        return Estimate(value, low=far if value else 0.0, high=1.0 if value else 1 - far)
    lost = Ratio(np.asarray(counts.times, float), whole - part, whole, float(whole.max()))
    low, high = lost.interval(level, 1.0)
    return Estimate(value, lost.error, 1 - high, 1 - low)
