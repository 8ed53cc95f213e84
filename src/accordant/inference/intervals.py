"""Standard error, interval and p-value of one coefficient, by a named method.

The bootstrap over items works on patterns. To draw I items with replacement is to draw how often
each pattern occurs, from a multinomial distribution: exactly the item bootstrap, at a cost that
does not grow with the items. With several questions whole items are drawn, as kinds that show
several patterns. Where patterns are nearly as many as items, drawing the items themselves is the
quicker way to the same distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.registry import Coefficient, chance_corrected
from ..measure.weights import Weights
from ..numbers import count_of
from .distributions import (
    least_share,
    none_by_chance,
    normal_quantile,
    normal_tail,
    t_quantile,
    t_tail,
)
from .influence import coder_variance, linearise
from .score import least_possible, ratio_of
from .settings import Alternative, Settings

Progress: TypeAlias = Callable[[int, int], None]

BATCH_CELLS = 4_000_000  # resamples are drawn this many cells at a time
TIE = 1e-9  # values that differ by less are one: the same sum in another order rounds otherwise
FEW_REPEATS = 4  # with fewer items per pattern it is quicker to draw items (measured)


def bootstrap(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
) -> Floats:
    """The coefficient in resamples of the items: (n_resamples,), NaN where undefined.

    The weights of the full sample are kept in every resample: they are part of the question.
    That holds for Krippendorff's ordinal metric too, whose distances come from the pool; its
    standard error by linearisation rests on the same footing.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    (values,) = bootstrap_together(
        [(coefficient, w)], counts, n_resamples=n_resamples, rng=rng, progress=progress
    )
    return np.asarray(values)


def bootstrap_together(
    wanted: Sequence[tuple[Coefficient, Weights]],
    counts: Counts,
    *,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
) -> Floats:
    """R coefficients in the same resamples of the items: (R, n_resamples).

    The items are those of ``counts``; give ``counts.anonymous`` if nobody asks who the
    coders are.
    """
    width = counts.n_values * (counts.n_coders if any(c.needs_coders for c, _ in wanted) else 1)
    values = np.empty((len(wanted), n_resamples))
    _ = counts.anonymous_of  # known once, for all resamples
    kinds, done = counts.kinds, 0
    width = max(width, counts.n_patterns)
    for times in draws(kinds.times, n_resamples, rng=rng, width=width):
        drawn = counts.drawn(kinds.patterns(times))
        end = done + len(times)
        for row, (coefficient, w) in zip(values, wanted, strict=True):
            row[done:end] = coefficient.parts(drawn, w).value
        done = end
        if progress:
            progress(done, n_resamples)
    return values


def draws(
    times: NDArray[Any], n_resamples: int, *, rng: Any = None, width: int = 1
) -> Iterator[Floats]:
    """How often each pattern occurs in resamples of the items: batches of (S, P).

    A seed gives the same resamples whatever the size of the batches.

    Parameters
    ----------
    times : ndarray
        (P,) how many items show each pattern, or are of each kind.
    n_resamples : int
    rng : int or Generator, optional
    width : int
        How many sums each resample needs besides its P counts.
    """
    generator = np.random.default_rng(rng)
    n, n_patterns = int(times.sum()), len(times)
    step = max(1, BATCH_CELLS // max(n_patterns, width))
    few = 0 < n < FEW_REPEATS * n_patterns
    pattern = np.repeat(np.arange(n_patterns), times.astype(int)) if few else np.zeros(0, int)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        if few:
            yield np.stack(
                [
                    np.bincount(pattern[generator.integers(n, size=n)], minlength=n_patterns)
                    for _ in range(size)
                ]
            ).astype(float)
        else:
            yield generator.multinomial(n, times / max(n, 1), size=size).astype(float)


def percentile(values: Floats, level: float) -> tuple[float, float]:
    """The central interval of the resamples."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def beside(values: Floats, limit: float) -> tuple[int, int, int]:
    """How many values lie below, at and above a limit."""
    below = int(np.count_nonzero(values < limit - TIE))
    above = int(np.count_nonzero(values > limit + TIE))
    return below, len(values) - below - above, above


MANY = 200  # effective items from which a score interval is value ± t standard errors
FROM_SCORE = (
    f"the effective number of items is below {MANY}, so the interval is from a score test: all "
    "values that the test does not reject"
)
ONE_ITEM = "one item tells nothing about variation between items"
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
    found = _Estimate(coefficient, counts, w, value, settings, shift, more).found()
    remark = coefficient.remark_of and coefficient.remark_of(*coefficient.view(counts, w))
    notes = [x for x in (remark, found.note) if x]
    return replace(found, note="; ".join(notes) or None)


@dataclass(frozen=True, eq=False)
class _Estimate:
    """A value whose uncertainty is asked for: the parameters of `uncertainty`."""

    coefficient: Coefficient
    counts: Counts
    w: Weights
    value: float
    settings: Settings
    shift: float
    more: float

    @cached_property
    def n(self) -> float:
        """Number of items that it rests on."""
        return self.coefficient.sample_size(self.counts)

    @cached_property
    def least(self) -> float:
        """The smallest value that is possible."""
        return least_possible(self.coefficient, self.counts, self.w)

    def found(self) -> Uncertainty:
        """By the method that is asked for, where the data have one at all."""
        s = self.settings
        if s.method == "none":
            return Uncertainty()
        if self.n > s.population:
            raise RequestError(
                f"the population of {count_of(s.population, 'item')} is smaller than the sample "
                f"of {self.n:,.0f}"
            )
        if doubt := self.coefficient.doubt(self.counts, self.w):
            return Uncertainty(note=doubt)
        if self.value > 1 - ROUNDING:
            return self.perfect()
        finite = s.sampled_coders or np.isfinite(s.population)
        if s.method == "bootstrap" or (not self.coefficient.has_formula and not finite):
            return self.resampled()
        return self.chosen() if s.method == "auto" else self.analytic("linearised")

    def chosen(self) -> Uncertainty:
        """The score interval where few items decide, else value ± t standard errors.

        The latter where it alone is known: for sampled coders, for means over labels and where
        chance was simulated.
        """
        s, df = self.settings, self.n - 1
        if df < 1 or s.sampled_coders or self.more or self.coefficient.each_of is not None:
            return self.analytic("delta method")
        ratio = ratio_of(self.coefficient, self.counts, self.w, self.value, population=s.population)
        if ratio.effective >= MANY:
            return self.by_error(ratio.error, df, "delta method")
        ends = ratio.interval(s.level, 1 - self.least)
        p = _tail(-float(ratio.score(np.array([1 - s.null]))[0]), df, s.alternative)
        name = f"score{clustered(self.counts)}, {_shape(df)}"
        return Uncertainty(ratio.error, 1 - ends[1], 1 - ends[0], p, name, note=FROM_SCORE)

    def analytic(self, name: str) -> Uncertainty:
        """Value ± t standard errors, by a method that draws nothing."""
        s, of, df = self.settings, (self.coefficient, self.counts, self.w), self.n - 1
        pull = linearise(*of, ratio=name == "delta method")
        square = pull.variance(population=s.population)
        if s.sampled_coders:
            between = coder_variance(*of)
            df = satterthwaite((square, df), (between, self.counts.n_coders - 1))
            square += between
            name += " + coders"
        se = standard_error(square + self.more)
        return replace(self.by_error(se, df, name), note=self.why_no_error(se))

    def by_error(self, se: float, df: float, name: str) -> Uncertainty:
        """Value ± t standard errors, within what is possible."""
        s = self.settings
        low, high = interval(self.value, se, df, s.level) if se > 0 else (np.nan, np.nan)
        p = p_value(self.value, s.null, se, df, s.alternative)
        name = f"{name}{clustered(self.counts)}, {_shape(df)}"
        return Uncertainty(se, max(low, self.least), min(high, 1.0), p, name)

    def why_no_error(self, se: float) -> str | None:
        """Why there is no standard error that is above 0."""
        if se == 0:
            return (
                "every item pulls the coefficient equally, so these data cannot tell how much it "
                "would vary: there is no interval"
            )
        if np.isnan(se) and self.n < 2:
            return ONE_ITEM
        if np.isnan(se) and self.settings.sampled_coders:
            return "without one of the items or coders the coefficient is undefined"
        return None

    def perfect(self) -> Uncertainty:
        """The exact bound where no item shows a disagreement.

        Nothing varies then, and every other method gives an interval without width. A_e is taken
        as it is. An item that shows a disagreement may still agree in part, so the bound is
        cautious with weights and with several questions.
        """
        s, n = self.settings, int(self.counts.pairable.kinds.n)
        expected = float(self.coefficient.parts(self.counts, self.w).expected)
        least = np.asarray(least_share(n, s.level, s.population))
        low = float(chance_corrected(least, np.asarray(expected)))
        low, high = max(low, self.least), 1.0
        share = min(max(s.null * (1 - expected) + expected, 0.0), 1.0)
        beyond = none_by_chance(n, share, s.population)
        p = {"two-sided": min(1.0, 2 * beyond), "greater": beyond, "less": 1.0}[s.alternative]
        note = (
            f"no item of {n:,} shows a disagreement, so nothing tells how much the coefficient "
            "varies: there is no standard error, and the lower end is the exact bound for no "
            "disagreement in so many items"
        )
        name = f"exact bound{clustered(self.counts)}"
        return Uncertainty(low=low, high=high, p_value=p, method=name, note=note)

    def resampled(self) -> Uncertainty:
        """From resamples of the items."""
        s, rng = self.settings, 0 if self.settings.rng is None else self.settings.rng
        if self.n < 2:
            return Uncertainty(note=ONE_ITEM)
        values = bootstrap(
            self.coefficient,
            self.counts,
            self.w,
            n_resamples=s.n_resamples,
            rng=rng,
            progress=s.progress,
        )
        values = np.minimum(values + self.shift, 1)
        return from_resamples(values, s, f"bootstrap{clustered(self.counts)}")


def from_resamples(values: Floats, s: Settings, name: str) -> Uncertainty:
    """The spread, the interval and the test that values in resamples give; NaN where undefined."""
    defined = values[~np.isnan(values)]
    lost = len(values) - len(defined)
    name = f"{name}, {s.n_resamples:,} resamples"
    if len(defined) < 2:
        note = "undefined in nearly all resamples"
        return Uncertainty(method=name, n_undefined_resamples=lost, note=note)
    low, high = percentile(defined, s.level)
    note = f"left out: {lost:,} of {s.n_resamples:,} resamples, without a value" if lost else ""
    p = share_beyond(defined, s.null, s.alternative)
    return Uncertainty(float(defined.std(ddof=1)), low, high, p, name, lost, note or None)


def clustered(counts: Counts) -> str:
    """What a method adds to its name if answers about one item are kept together."""
    return ", clustered by item" if counts.n_questions > 1 else ""


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
