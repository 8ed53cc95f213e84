"""Is one coefficient higher than another? Tests on the same items, and on independent ones.

On the same items a coefficient that is high by chance is high in both rounds. The paired test
follows each item through both (Gwet 2016): the pull of the item on one coefficient less its
pull on the other, and the spread of these differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts, Kinds
from ..errors import RequestError
from ..measure.registry import Coefficient
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from .distributions import chi2_tail, t_quantile
from .influence import left_out, linearise
from .intervals import (
    NAMES,
    Uncertainty,
    clustered,
    from_resamples,
    interval,
    p_value,
    satterthwaite,
    standard_error,
    uncertainty,
    variance,
)
from .resampling import bootstrap, draws
from .settings import Settings

__all__ = ["Difference", "Homogeneity", "Side", "difference", "homogeneity", "in_common"]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the things compared: a coefficient of counts with weights."""

    coefficient: Coefficient
    counts: Counts
    w: Weights

    @cached_property
    def value(self) -> float:
        """The coefficient."""
        return float(self.coefficient.parts(self.counts, self.w).value)

    @property
    def why(self) -> Undefined | None:
        """Why there is no value, if there is none."""
        found = self.coefficient.parts(self.counts, self.w)
        return why_undefined(
            self.coefficient, self.counts, float(found.observed), float(found.expected)
        )

    @cached_property
    def viewed(self) -> Side:
        """What the coefficient looks at, of the items that it rests on."""
        sample = self.coefficient.sample(self.counts)
        return Side(self.coefficient, *self.coefficient.view(sample, self.w))

    @property
    def kinds(self) -> Kinds:
        """The items that the coefficient rests on, each with all answers about it."""
        return self.viewed.counts.kinds


@dataclass(frozen=True, kw_only=True)
class Difference(Uncertainty):
    """The second coefficient less the first, with its standard error, interval and test.

    ``n`` is the number of items in both, or None if the sides are independent.
    """

    value: float
    statistic: float = np.nan
    df: float = np.nan
    n: int | None = None


@dataclass(frozen=True)
class Homogeneity:
    """Test that G independent coefficients have one value (Fleiss, Levin & Paik 2003, ch. 18).

    ``common`` is their mean, weighted by precision; ``statistic`` follows chi-squared with
    ``df`` = G - 1 if they do.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    common: float
    se: float
    statistic: float
    df: int
    p_value: float


def difference(first: Side, second: Side, settings: Settings, *, paired: bool) -> Difference:
    """How much the second coefficient is above the first.

    Parameters
    ----------
    first, second : Side
        If ``paired``, row i of both ``counts.pattern_of`` is the same item, or the same question
        about it; rows that one side does not have are emptied beforehand (`in_common`).
    settings : Settings
        'auto' (from the intervals of both sides), 'analytic' (Gwet 2016), 'delta', 'large-sample',
        'jackknife' or 'bootstrap'; ``null`` is the difference that is tested.
    paired : bool

    Raises
    ------
    RequestError
        For the BCa interval and for sampled coders, which are not known for differences.
    """
    if settings.method == "bca" or settings.sampled_coders:
        what = "sampled coders" if settings.sampled_coders else "BCa intervals"
        raise RequestError(f"{what} are not available for a difference of coefficients")
    value = second.value - first.value
    n = int(np.count_nonzero(_of_both(first, second))) if paired else None
    nothing = Difference(value=value, n=n)
    if np.isnan(value) or settings.method == "none":
        return nothing
    doubts = [doubt for x in (first, second) if (doubt := x.coefficient.doubt(x.counts, x.w))]
    if doubts:
        return replace(nothing, note=doubts[0])
    how = "paired" if paired else "unpaired"
    if settings.method == "auto":
        return _of_both_intervals(first, second, settings, n, f"{how}, from both intervals")
    if settings.method == "bootstrap":
        draw = _paired_draws if paired else _unpaired_draws
        name = f"{how}, bootstrap{clustered(first.counts)}"
        values = draw(first, second, settings)
        found = from_resamples(values, settings, name, what="difference")
        return replace(nothing, **vars(found))
    square, df = _spread(first, second, n, settings)
    if settings.method == "large-sample":
        df = np.inf
    se = standard_error(square)
    low, high = interval(value, se, df, settings.level)
    return Difference(
        value=value,
        se=se,
        low=low,
        high=high,
        df=df,
        n=n,
        statistic=(value - settings.null) / se if se > 0 else np.nan,
        p_value=p_value(value, settings.null, se, df, settings.alternative),
        method=f"{how}, {NAMES.get(settings.method, settings.method)}{clustered(first.counts)}",
        note=None if se > 0 else "the items show no variation in the difference",
    )


def _of_both_intervals(
    first: Side, second: Side, s: Settings, n: int | None, name: str
) -> Difference:
    """The interval of a difference from those of both sides (Zou & Donner 2008; Zou 2007, paired).

    Each end is as far away as the ends of both intervals, in the direction that makes it, add up
    to; on the same items less what both have in common. So it is as wide as few items make them,
    on the side where they make them wide. The test is the one that fits it.
    """
    value, plain = second.value - first.value, replace(s, method="delta")
    square, df = _spread(first, second, n, plain)
    one, two = (uncertainty(x.coefficient, x.counts, x.w, x.value, s) for x in (first, second))
    common = 0.0 if n is None else _correlation(first, second, n, plain)
    below = _together(second.value - two.low, one.high - first.value, common)
    above = _together(two.high - second.value, first.value - one.low, common)
    toward = (below if value > s.null else above) / t_quantile((1 + s.level) / 2, df)
    why = dict.fromkeys(x.note for x in (one, two) if x.note and np.isnan(x.low))
    return Difference(
        value=value,
        se=standard_error(square),
        low=value - below,
        high=value + above,
        df=df,
        n=n,
        statistic=(value - s.null) / toward if toward > 0 else np.nan,
        p_value=p_value(value, s.null, toward, df, s.alternative),
        method=name + clustered(first.counts),
        note="; ".join(why) or None,
    )


def _together(one: float, other: float, common: float) -> float:
    """The reach of a difference from the reach of both sides, ``common`` their correlation."""
    return float(np.sqrt(max(one**2 + other**2 - 2 * common * one * other, 0.0)))


def _correlation(first: Side, second: Side, n: int, s: Settings) -> float:
    """Correlation of both coefficients over samples of the same items; 0 if one does not vary."""
    one, two = _pull(first, n, s), _pull(second, n, s)
    size = np.sqrt((one @ one) * (two @ two))
    return float(one @ two / size) if size > 0 else 0.0


def homogeneity(sides: Sequence[Side], settings: Settings) -> Homogeneity:
    """Test whether coefficients of independent data are the same.

    Raises
    ------
    RequestError
        With fewer than two coefficients that have a value and a standard error, or for methods
        that draw resamples.
    """
    if settings.method in ("bootstrap", "bca", "none") or settings.sampled_coders:
        raise RequestError("homogeneity is tested with analytic standard errors or the jackknife")
    values = np.array([side.value for side in sides])
    squares = np.array([_variance(side, settings) for side in sides])
    usable = ~np.isnan(values) & (squares > 0)
    if len(sides) < 2 or not usable.all():
        raise RequestError(
            "homogeneity needs at least two coefficients, all with a value and a standard error; "
            f"{np.count_nonzero(usable)} of {len(sides)} have them"
        )
    precision = 1 / squares
    common = float(precision @ values / precision.sum())
    statistic = float(precision @ (values - common) ** 2)
    return Homogeneity(
        tuple(values.tolist()),
        tuple(np.sqrt(squares).tolist()),
        common,
        float(precision.sum() ** -0.5),
        statistic,
        len(sides) - 1,
        chi2_tail(statistic, len(sides) - 1),
    )


def in_common(first: Counts, second: Counts, rows: Ints, others: Ints) -> tuple[Counts, Counts]:
    """Both counts on what both have: row ``rows[i]`` of one is ``others[i]`` of two.

    With several questions the rows about an item stay side by side, those that one lacks empty.
    """
    one, two = first.pattern_of[rows], second.pattern_of[others]
    there = (one >= 0) & (two >= 0)
    return _only(first, np.where(there, one, -1)), _only(second, np.where(there, two, -1))


def _only(counts: Counts, pattern_of: Ints) -> Counts:
    times = np.bincount(pattern_of[pattern_of >= 0], minlength=counts.n_patterns)
    return replace(counts.drawn(times), pattern_of=pattern_of)


def _of_both(first: Side, second: Side) -> Bools:
    """(I,) whether an item tells anything about one of the coefficients."""
    return np.asarray((first.kinds.of >= 0) | (second.kinds.of >= 0))


def _variance(side: Side, s: Settings) -> float:
    method = "delta" if s.method == "auto" else s.method
    return variance(side.coefficient, side.counts, side.w, method, population=s.population)


def _spread(first: Side, second: Side, n: int | None, s: Settings) -> tuple[float, float]:
    """Variance of a difference and its degrees of freedom: of n items in both, or independent.

    The mean of n differences (Gwet 2016), or the sum of both variances with the degrees of freedom
    of Welch (1947).
    """
    if n is None:
        one, two = _variance(first, s), _variance(second, s)
        return one + two, satterthwaite((one, first.kinds.n - 1), (two, second.kinds.n - 1))
    if n < 2:
        return np.nan, n - 1.0
    room = 1 - n / s.population
    if s.method == "jackknife":
        there = _of_both(first, second)
        without = (_left_out(second) - _left_out(first))[there]
        return float(room * (n - 1) / n * ((without - without.mean()) ** 2).sum()), n - 1.0
    pull = _pull(second, n, s) - _pull(first, n, s)
    square = room * (pull @ pull) / (n * (n if s.method == "large-sample" else n - 1))
    return float(square), n - 1.0


def _pull(side: Side, n: int, s: Settings) -> Floats:
    """(I,) pull of each item on a coefficient, as a mean over n items."""
    found = linearise(side.coefficient, side.counts, side.w, ratio=s.method == "delta")
    return found.of_items() * n / found.n


def _left_out(side: Side) -> Floats:
    """(I,) the coefficient without each item."""
    without = left_out(side.coefficient, side.viewed.counts, side.viewed.w)
    return np.asarray(np.append(without, side.value)[side.kinds.of])


def _paired_draws(first: Side, second: Side, s: Settings) -> Floats:
    """Differences in resamples of the items: (n_resamples,)."""
    there, width = _of_both(first, second), len(second.kinds.times) + 1
    key = (first.kinds.of[there] + 1) * np.int64(width) + second.kinds.of[there] + 1
    pairs, times = np.unique(key, return_counts=True)
    found, done = np.empty(s.n_resamples), 0
    views = first.viewed.counts, second.viewed.counts
    cost = max(max(counts.n_values, counts.n_patterns) for counts in views)
    for drawn in draws(times, s.n_resamples, rng=s.rng, width=cost):
        end = done + len(drawn)
        one = _value(first, drawn, pairs // width - 1)
        found[done:end] = _value(second, drawn, pairs % width - 1) - one
        done = end
        if s.progress:
            s.progress(done, s.n_resamples)
    return found


def _value(side: Side, drawn: Floats, kind: Ints) -> Floats:
    """The coefficient in resamples (S, J) of items that are of these kinds (J,)."""
    times = side.kinds.patterns(_folded(drawn, kind, len(side.kinds.times)))
    return side.coefficient.parts(side.viewed.counts.drawn(times), side.viewed.w).value


def _folded(drawn: Floats, kind: Ints, n: int) -> Floats:
    """Times of pairs of kinds (S, J) as times of one side's kinds (S, n); -1 is none of them."""
    from scipy.sparse import csr_array

    known = kind >= 0
    start = np.append(0, np.cumsum(known))
    table = csr_array((np.ones(known.sum()), kind[known], start), shape=(len(kind), n))
    return np.asarray(drawn @ table)


def _unpaired_draws(first: Side, second: Side, s: Settings) -> Floats:
    generator = np.random.default_rng(s.rng)
    one, two = (
        bootstrap(
            x.coefficient,
            x.counts,
            x.w,
            n_resamples=s.n_resamples,
            rng=generator,
            progress=s.progress,
        )
        for x in (first, second)
    )
    return np.asarray(two - one)
