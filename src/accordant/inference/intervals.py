"""Standard error, interval and p-value of one coefficient, by a named method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.registry import Coefficient
from ..measure.weights import Weights
from .coders import coder_variance
from .distributions import normal_quantile, normal_tail, t_quantile, t_tail
from .linearised import linearise
from .resampling import bca, bootstrap, jackknife, percentile

__all__ = ["METHODS", "Alternative", "Method", "Settings", "Uncertainty", "uncertainty"]

Floats = NDArray[np.float64]
Method: TypeAlias = Literal["analytic", "large-sample", "bootstrap", "bca", "jackknife", "none"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True)
class Settings:
    """How uncertainty is computed.

    Parameters
    ----------
    method : {'analytic', 'large-sample', 'bootstrap', 'bca', 'jackknife', 'none'}
        'analytic' is Gwet's linearisation with a t interval; 'large-sample' the same variance
        with divisor n and a normal interval (for two coders and kappa: Fleiss, Cohen & Everitt
        1969); 'bootstrap' and 'bca' draw items; 'jackknife' leaves each item out.
    level : float
        Confidence level, between 0 and 1.
    null : float
        Value that the p-value tests against.
    alternative : {'two-sided', 'greater', 'less'}
    population : float
        Number of items that the sample comes from.
    sampled_coders : bool
        Whether the coders are a sample too: adds the variance between coders.
    coder_population : float
        Number of coders that the sample comes from.
    n_resamples : int
    rng : int, Generator or None
    progress : callable, optional
        Called with (done, total) while resamples are drawn.
    """

    method: Method = "analytic"
    level: float = 0.95
    null: float = 0.0
    alternative: Alternative = "two-sided"
    population: float = np.inf
    sampled_coders: bool = False
    coder_population: float = np.inf
    n_resamples: int = 2000
    rng: Any = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise RequestError(
                f"unknown interval {self.method!r}: choose one of {', '.join(METHODS)}"
            )
        if not 0 < self.level < 1:
            raise RequestError(f"the level must lie between 0 and 1, not {self.level}")
        if self.alternative not in get_args(Alternative):
            raise RequestError(f"unknown alternative {self.alternative!r}")
        if self.n_resamples < 2:
            raise RequestError(f"at least 2 resamples are needed, not {self.n_resamples}")


@dataclass(frozen=True)
class Uncertainty:
    """Standard error, interval and p-value; NaN where they do not exist."""

    se: float = np.nan
    low: float = np.nan
    high: float = np.nan
    p_value: float = np.nan
    method: str = ""
    n_undefined_resamples: int = 0


def uncertainty(
    coefficient: Coefficient, counts: Counts, w: Weights, value: float, settings: Settings
) -> Uncertainty:
    """How sure ``value``, the coefficient of these counts, is."""
    if np.isnan(value) or settings.method == "none":
        return Uncertainty()
    n = float(counts.n_pairable if coefficient.per_value else counts.n_items)
    if n > settings.population:
        raise RequestError(
            f"the population of {settings.population:,.0f} items is smaller than the sample "
            f"of {n:,.0f}"
        )
    if settings.method in ("bootstrap", "bca"):
        return _resampled(coefficient, counts, w, value, settings)
    return _analytic(coefficient, counts, w, value, n, settings)


def _analytic(
    coefficient: Coefficient, counts: Counts, w: Weights, value: float, n: float, s: Settings
) -> Uncertainty:
    if s.method == "jackknife":
        variance = jackknife(coefficient, counts, w) * (1 - n / s.population)
        name = "jackknife"
    else:
        large = s.method == "large-sample"
        variance = linearise(coefficient, counts, w).variance(
            population=s.population, large_sample=large
        )
        name = "large-sample" if large else "linearised"
    if s.sampled_coders:
        variance += coder_variance(coefficient, counts, w, coder_population=s.coder_population)
        name += " + coders"
    se = float(np.sqrt(variance))
    large = s.method == "large-sample"
    reach = normal_quantile((1 + s.level) / 2) if large else t_quantile((1 + s.level) / 2, n - 1)
    low, high = _within(coefficient, value - reach * se, value + reach * se)
    score = (value - s.null) / se if se > 0 else np.nan
    tail: Callable[[float], float] = normal_tail if large else lambda x: t_tail(x, n - 1)
    name += ", z" if large else f", t({n - 1:.0f})"
    return Uncertainty(se, low, high, _p_value(score, tail, s.alternative), name)


def _resampled(
    coefficient: Coefficient, counts: Counts, w: Weights, value: float, s: Settings
) -> Uncertainty:
    values = bootstrap(
        coefficient, counts, w, n_resamples=s.n_resamples, rng=s.rng, progress=s.progress
    )
    defined = values[~np.isnan(values)]
    lost = len(values) - len(defined)
    name = f"{s.method}, {s.n_resamples:,} resamples"
    if len(defined) < 2:
        return Uncertainty(method=name, n_undefined_resamples=lost)
    if s.method == "bca":
        low, high = bca(coefficient, counts, w, value, defined, s.level)
    else:
        low, high = percentile(defined, s.level)
    at_most = (1 + np.count_nonzero(defined <= s.null)) / (len(defined) + 1)
    at_least = (1 + np.count_nonzero(defined >= s.null)) / (len(defined) + 1)
    p = {
        "two-sided": min(1.0, 2 * min(at_most, at_least)),
        "greater": at_most,
        "less": at_least,
    }[s.alternative]
    return Uncertainty(float(defined.std(ddof=1)), low, high, float(p), name, lost)


def _within(coefficient: Coefficient, low: float, high: float) -> tuple[float, float]:
    """Cut the interval at 1, which no coefficient exceeds, and a percentage at 0."""
    return max(low, 0.0) if coefficient.key == "percent" else low, min(high, 1.0)


def _p_value(score: float, tail: Callable[[float], float], alternative: Alternative) -> float:
    """Probability of a score as far from the null; ``tail`` is the upper tail."""
    if np.isnan(score):
        return float("nan")
    if alternative == "two-sided":
        return float(min(1.0, 2 * tail(abs(score))))
    return float(tail(score if alternative == "greater" else -score))
