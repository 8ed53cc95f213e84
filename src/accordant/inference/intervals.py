"""Standard error, interval and p-value of one coefficient, by a named method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.possible import least_possible
from ..measure.registry import Coefficient, chance_corrected
from ..measure.weights import Weights
from .coders import coder_variance
from .distributions import (
    least_share,
    none_by_chance,
    normal_quantile,
    normal_tail,
    t_quantile,
    t_tail,
)
from .influence import jackknife, linearise
from .resampling import bca, beside, bootstrap, percentile
from .score import ratio_of
from .settings import METHODS, Alternative, Method, Settings

__all__ = [
    "FROM_SCORE", "METHODS", "Alternative", "Method", "Settings", "Uncertainty", "clustered",
    "interval", "p_value", "satterthwaite", "share_beyond", "standard_error", "uncertainty",
    "variance",
]  # fmt: skip

Floats = NDArray[np.float64]

MANY = 200  # effective items from which a score interval is value ± t standard errors
FROM_SCORE = (
    f"the effective number of items is below {MANY}, so the interval is from a score test: all "
    "values that the test does not reject"
)
ROUNDING = 1e-12  # coefficients are of size 1, so this is no spread at all


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
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    settings: Settings,
    *,
    shift: float = 0.0,
    more: float = 0.0,
) -> Uncertainty:
    """How sure ``value``, the coefficient of these counts, is.

    If its chance was simulated, it lies ``shift`` from the coefficient and has ``more`` variance.
    """
    if np.isnan(value):
        return Uncertainty()
    found = _found(coefficient, counts, w, value, settings, shift, more)
    remark = coefficient.remark_of and coefficient.remark_of(*coefficient.view(counts, w))
    notes = [x for x in (remark, found.note) if x]
    return replace(found, note="; ".join(notes) or None)


def _found(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    settings: Settings,
    shift: float,
    more: float,
) -> Uncertainty:
    if settings.method == "none":
        return Uncertainty()
    n = coefficient.sample_size(counts)
    if n > settings.population:
        raise RequestError(
            f"the population of {settings.population:,.0f} items is smaller than the sample "
            f"of {n:,.0f}"
        )
    if doubt := coefficient.doubt(counts, w):
        return Uncertainty(note=doubt)
    if value > 1 - ROUNDING:
        return _perfect(coefficient, counts, w, settings)
    if settings.method in ("bootstrap", "bca"):
        return _resampled(coefficient, counts, w, value, settings, shift)
    if settings.method == "auto":
        return _chosen(coefficient, counts, w, value, n, settings, more)
    return _analytic(coefficient, counts, w, value, n, settings, more)


def _chosen(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    n: float,
    s: Settings,
    more: float,
) -> Uncertainty:
    """The score interval where few items decide, else value ± t standard errors.

    The latter where it alone is known: for sampled coders, for means over labels and where chance
    was simulated.
    """
    if n < 2 or s.sampled_coders or more or coefficient.each_of is not None:
        return _analytic(coefficient, counts, w, value, n, replace(s, method="delta"), more)
    ratio = ratio_of(coefficient, counts, w, value, population=s.population)
    least = least_possible(coefficient, counts, w)
    if ratio.effective >= MANY:
        return _by_error(value, ratio.error, n - 1, s, f"delta method{clustered(counts)}", least)
    ends = ratio.interval(s.level, 1 - least)
    p = _tail(-float(ratio.score(np.array([1 - s.null]))[0]), n - 1, s.alternative)
    name = f"score{clustered(counts)}, {_shape(n - 1)}"
    return Uncertainty(ratio.error, 1 - ends[1], 1 - ends[0], p, name, note=FROM_SCORE)


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
        room = 1 - coefficient.sample_size(counts) / population
        return jackknife(coefficient, counts, w, progress=progress) * room
    pull = linearise(coefficient, counts, w, ratio=method == "delta")
    return pull.variance(population=population, large_sample=method == "large-sample")


def _analytic(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    n: float,
    s: Settings,
    more: float = 0.0,
) -> Uncertainty:
    name = {"analytic": "linearised", "delta": "delta method"}.get(s.method, s.method)
    found = variance(coefficient, counts, w, s.method, population=s.population, progress=s.progress)
    df = n - 1 if s.method != "large-sample" else np.inf
    if s.sampled_coders:
        between = coder_variance(coefficient, counts, w, coder_population=s.coder_population)
        df = satterthwaite((found, df), (between, counts.n_coders - 1))
        found += between
        name += " + coders"
    se = standard_error(found + more)
    least = least_possible(coefficient, counts, w)
    return replace(
        _by_error(value, se, df, s, f"{name}{clustered(counts)}", least), note=_note(se, n, s)
    )


def _by_error(
    value: float, se: float, df: float, s: Settings, name: str, least: float
) -> Uncertainty:
    """Value ± t standard errors, within what is possible."""
    low, high = interval(value, se, df, s.level) if se > 0 else (np.nan, np.nan)
    p = p_value(value, s.null, se, df, s.alternative)
    return Uncertainty(se, max(low, least), min(high, 1.0), p, f"{name}, {_shape(df)}")


def clustered(counts: Counts) -> str:
    """What a method adds to its name if answers about one item are kept together."""
    return ", clustered by item" if counts.n_questions > 1 else ""


def _perfect(coefficient: Coefficient, counts: Counts, w: Weights, s: Settings) -> Uncertainty:
    """The exact bound where no item shows a disagreement.

    Nothing varies then, and every other method gives an interval without width. A_e is taken as
    it is. An item that shows a disagreement may still agree in part, so the bound is cautious
    with weights and with several questions.
    """
    n = int(counts.pairable.kinds.n)
    expected = float(coefficient.parts(counts, w).expected)
    least = np.asarray(least_share(n, s.level, s.population))
    low = float(chance_corrected(least, np.asarray(expected)))
    low, high = max(low, least_possible(coefficient, counts, w)), 1.0
    share = min(max(s.null * (1 - expected) + expected, 0.0), 1.0)
    beyond = none_by_chance(n, share, s.population)
    p = {"two-sided": min(1.0, 2 * beyond), "greater": beyond, "less": 1.0}[s.alternative]
    note = (
        f"no item of {n:,} shows a disagreement, so nothing tells how much the coefficient "
        "varies: there is no standard error, and the lower end is the exact bound for no "
        "disagreement in so many items"
    )
    name = f"exact bound{clustered(counts)}"
    return Uncertainty(low=low, high=high, p_value=p, method=name, note=note)


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
    return _tail((value - null) / se, df, alternative)


def _tail(score: float, df: float, alternative: Alternative) -> float:
    """Probability of a score as far from 0."""
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
            "would vary: there is no interval"
        )
    if np.isnan(se):
        if n < 2:
            return "one item tells nothing about variation between items"
        if s.method == "jackknife" or s.sampled_coders:
            return "without one of the items or coders the coefficient is undefined"
    return None


def _resampled(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    s: Settings,
    shift: float = 0.0,
) -> Uncertainty:
    values = bootstrap(
        coefficient, counts, w, n_resamples=s.n_resamples, rng=s.rng, progress=s.progress
    )
    defined = np.minimum(values[~np.isnan(values)] + shift, 1)
    lost = len(values) - len(defined)
    name = f"{s.method}{clustered(counts)}, {s.n_resamples:,} resamples"
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
    below, tied, above = beside(values, null)
    at_most, at_least = (1 + below + tied) / n, (1 + above + tied) / n
    if alternative == "two-sided":
        return float(min(1.0, 2 * min(at_most, at_least)))
    return float(at_most if alternative == "greater" else at_least)
