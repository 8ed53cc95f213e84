"""Standard error, interval and p-value of one coefficient, by a named method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.registry import Coefficient, chance_corrected
from ..measure.weights import Weights
from .coders import coder_variance
from .distributions import normal_quantile, normal_tail, t_quantile, t_tail
from .leaving_out import jackknife
from .linearised import linearise
from .resampling import bca, bootstrap, percentile

__all__ = [
    "METHODS", "Alternative", "Method", "Settings", "Uncertainty", "interval", "p_value",
    "satterthwaite", "share_beyond", "standard_error", "uncertainty", "variance",
]  # fmt: skip

Floats = NDArray[np.float64]
Method: TypeAlias = Literal[
    "analytic", "delta", "large-sample", "bootstrap", "bca", "jackknife", "none"
]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
METHODS: tuple[Method, ...] = get_args(Method)

ROUNDING = 1e-12  # coefficients are of size 1, so this is no spread at all


@dataclass(frozen=True)
class Settings:
    """How uncertainty is computed.

    Parameters
    ----------
    method : {'analytic', 'delta', 'large-sample', 'bootstrap', 'bca', 'jackknife', 'none'}
        'analytic' is Gwet's linearisation with a t interval. 'delta' is the same where every
        item has two annotations; where some have one, it treats their number as sampled too,
        and agrees with bootstrap and jackknife while Gwet's formulas give wider intervals.
        'large-sample' is Gwet's variance with divisor n and a normal interval (for two coders
        and kappa: Fleiss, Cohen & Everitt 1969). 'bootstrap' and 'bca' draw items; 'jackknife'
        leaves each item out.
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
            raise RequestError(
                f"unknown alternative {self.alternative!r}: choose one of "
                f"{', '.join(get_args(Alternative))}"
            )
        if self.method in ("bootstrap", "bca") and (
            self.sampled_coders or np.isfinite(self.population)
        ):
            raise RequestError(
                f"the {self.method} draws from an endless population of items and keeps the "
                "coders: choose 'analytic', 'delta' or 'jackknife' for a finite population or "
                "for sampled coders"
            )
        if self.n_resamples < 2:
            raise RequestError(f"at least 2 resamples are needed, not {self.n_resamples}")


@dataclass(frozen=True)
class Uncertainty:
    """Standard error, interval and p-value; NaN where they do not exist, and ``note`` says why."""

    se: float = np.nan
    low: float = np.nan
    high: float = np.nan
    p_value: float = np.nan
    method: str = ""
    n_undefined_resamples: int = 0
    note: str | None = None


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
    if value > 1 - ROUNDING:
        return _perfect(coefficient, counts, w, settings)
    if settings.method in ("bootstrap", "bca"):
        return _resampled(coefficient, counts, w, value, settings)
    return _analytic(coefficient, counts, w, value, n, settings)


def variance(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    method: Method,
    *,
    population: float = np.inf,
    progress: Callable[[int, int], None] | None = None,
) -> float:
    """Variance of the coefficient over samples of items, by a method that draws nothing."""
    if method == "jackknife":
        n = float(counts.n_pairable if coefficient.per_value else counts.n_items)
        return jackknife(coefficient, counts, w, progress=progress) * (1 - n / population)
    pull = linearise(coefficient, counts, w, ratio=method == "delta")
    return pull.variance(population=population, large_sample=method == "large-sample")


def _analytic(
    coefficient: Coefficient, counts: Counts, w: Weights, value: float, n: float, s: Settings
) -> Uncertainty:
    name = {"analytic": "linearised", "delta": "delta method"}.get(s.method, s.method)
    found = variance(coefficient, counts, w, s.method, population=s.population, progress=s.progress)
    df = n - 1 if s.method != "large-sample" else np.inf
    if s.sampled_coders:
        between = coder_variance(coefficient, counts, w, coder_population=s.coder_population)
        df = satterthwaite((found, df), (between, counts.n_coders - 1))
        found += between
        name += " + coders"
    se = standard_error(found)
    low, high = interval(value, se, df, s.level)
    low, high = _within(coefficient, low, high)
    p = p_value(value, s.null, se, df, s.alternative)
    return Uncertainty(se, low, high, p, f"{name}, {_shape(df)}", note=_note(se, n, s))


def _perfect(coefficient: Coefficient, counts: Counts, w: Weights, s: Settings) -> Uncertainty:
    """The exact bound where no item shows a disagreement.

    Nothing varies then, and every other method gives an interval without width. No disagreement
    in n items is compatible with a share of agreement down to (alpha / 2)^(1 / n) (Clopper &
    Pearson 1934; the "rule of three"); A_e is taken as it is.
    """
    n = float(counts.n_pairable)
    expected = coefficient.parts(counts, w).expected
    least = np.asarray(((1 - s.level) / 2) ** (1 / n) if n < s.population else 1.0)
    low, high = _within(coefficient, float(chance_corrected(least, expected)), 1.0)
    note = (
        f"no item of {n:,.0f} shows a disagreement, so nothing tells how much the coefficient "
        "varies: there is no standard error, and the lower end is the exact bound for no "
        "disagreement in so many items"
    )
    return Uncertainty(low=low, high=high, method="exact bound", note=note)


def standard_error(variance: float) -> float:
    """The root of a variance; one that is only rounding is 0, or tests would believe in it."""
    se = float(np.sqrt(variance))
    return 0.0 if se < ROUNDING else se


def interval(value: float, se: float, df: float, level: float) -> tuple[float, float]:
    """The value and so many standard errors to each side; infinite ``df`` for a normal one."""
    p = (1 + level) / 2
    reach = normal_quantile(p) if np.isinf(df) else t_quantile(p, df)
    return value - reach * se, value + reach * se


def p_value(value: float, null: float, se: float, df: float, alternative: Alternative) -> float:
    """Probability of a value as far from the null; NaN without a standard error."""
    if not se > 0:
        return float("nan")
    score = (value - null) / se
    tail: Callable[[float], float] = normal_tail if np.isinf(df) else lambda x: t_tail(x, df)
    if alternative == "two-sided":
        return float(min(1.0, 2 * tail(abs(score))))
    return float(tail(score if alternative == "greater" else -score))


def satterthwaite(*sources: tuple[float, float]) -> float:
    """Degrees of freedom of a sum of (variance, degrees of freedom) (Satterthwaite 1946).

    Gwet gives none for two sources of variance. The normal distribution is too sure of itself
    where three coders tell how much coders differ.
    """
    total = sum(v for v, _ in sources)
    return float(total**2 / sum(v**2 / df for v, df in sources)) if total > 0 else sources[0][1]


def _shape(df: float) -> str:
    return "z" if np.isinf(df) else f"t({df:.0f})" if df == round(df) else f"t({df:.1f})"


def _note(se: float, n: float, s: Settings) -> str | None:
    if se == 0:
        return (
            "every item pulls the coefficient equally, so these data cannot tell how much it "
            "would vary; the interval has no width, which is too sure"
        )
    if np.isnan(se):
        if n < 2:
            return "one item tells nothing about variation between items"
        if s.method == "jackknife" or s.sampled_coders:
            return "without one of the items or coders the coefficient is undefined"
    return None


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
        return Uncertainty(
            method=name,
            n_undefined_resamples=lost,
            note="the coefficient is undefined in nearly all resamples",
        )
    if s.method == "bca":
        low, high = bca(coefficient, counts, w, value, defined, s.level)
    else:
        low, high = percentile(defined, s.level)
    note = None
    if np.isnan(low):
        note = "nearly all resamples lie on one side of the value, so there is no BCa interval"
    elif lost:
        note = f"{lost:,} of {s.n_resamples:,} resamples have no value and are left out"
    p = share_beyond(defined, s.null, s.alternative)
    return Uncertainty(float(defined.std(ddof=1)), low, high, p, name, lost, note)


def share_beyond(values: Floats, null: float, alternative: Alternative) -> float:
    """p-value by the share of resamples on the other side of the null, never 0.

    (1 + b) / (1 + B) as Davison & Hinkley (1997, ch. 4) count.
    """
    n = len(values) + 1
    at_most = (1 + np.count_nonzero(values <= null)) / n
    at_least = (1 + np.count_nonzero(values >= null)) / n
    if alternative == "two-sided":
        return float(min(1.0, 2 * min(at_most, at_least)))
    return float(at_most if alternative == "greater" else at_least)


def _within(coefficient: Coefficient, low: float, high: float) -> tuple[float, float]:
    """Cut the interval at 1, which no coefficient exceeds, and a percentage at 0."""
    return max(low, 0.0) if coefficient.key == "percent" else low, min(high, 1.0)
