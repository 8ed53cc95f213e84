"""Coefficients of ratings that are numbers: shares of variance, from one table of sums.

Everything that squared differences need of ratings are sums over items: of the items with m
ratings each, how many there are, the squares of their sums, and what coders and pairs of coders
gave. Definitions below say which share of the variance a coefficient is; all of them read the
same three variances, of items, of coders and of what is left.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..errors import RequestError
from .registry import Coefficient, Parts
from .weights import Weights

Design: TypeAlias = Literal["crossed", "fixed", "nested"]
RATINGS: dict[str, RatingCoefficient] = {}
MOST_CODERS = 500  # whose own means and (C, C) system are estimated
SAME = 1e-12  # of all variance: less is rounding
MOST_SHARE = 1 - 1e-7


@dataclass(frozen=True)
class Variances:
    """Of items, of coders and of what is left: what a rating is made of.

    Examples
    --------
    >>> Variances(6.0, 1.0, 3.0).total
    10.0
    """

    item: float
    coder: float
    rest: float

    @property
    def total(self) -> float:
        """Variance of one rating."""
        return self.item + self.coder + self.rest


@dataclass(eq=False, kw_only=True)
class RatingCoefficient(Coefficient):
    """A share of the variance of ratings, with all that text, tables and tests say about it.

    Written above the function from (`Variances`, ratings of an item) to the value, it stands in
    `RATINGS` under the name of that function, whose docstring says when it is the right one.

    Parameters
    ----------
    design : {'crossed', 'fixed', 'nested'}
        Whether coders are a sample with a variance, these very ones with means of their own, or
        each item is rated by coders like any others.
    mean : bool
        Whether it is about the mean of all ratings of an item instead of a single one.
    of_ranks : bool
        Whether each coder's ratings count by their rank only.
    """

    design: Design = "crossed"
    mean: bool = False
    of_ranks: bool = False
    of_sets: str | None = "identity"
    fixed_weights: bool = True
    needs_coders: bool = True
    share: Callable[[Variances, float], float] = field(init=False, repr=False)

    def __call__(self, share: Any) -> Any:
        """Register the definition."""
        self.share, self.assumption = share, inspect.getdoc(share) or ""
        self.key = getattr(share, "__name__", "")
        RATINGS[self.key] = self
        return self

    def parts(self, counts: Counts, w: Weights) -> Parts:
        """The value of each resample; there is no agreement by chance that it is beyond."""
        nothing = np.full(counts.n_items.shape, np.nan)
        if impossible(self, counts):
            return Parts(nothing, nothing, nothing)
        rating = self.rated(counts)
        times = counts.times.reshape(-1, counts.n_patterns)
        each = [self.value(sums_of(counts.drawn(t), rating)) for t in times]
        return Parts(nothing, nothing, np.array(each).reshape(counts.n_items.shape))

    def rated(self, counts: Counts) -> Floats:
        """(E,) the ratings, or their ranks."""
        rating = numbers_of(counts)[counts.value]
        return ranked(counts, rating) if self.of_ranks else rating

    def value(self, sums: Sums) -> float:
        """The coefficient of such sums; NaN where nothing varies."""
        if constant(sums):
            return math.nan
        return self.share(variances(sums, self.design), sums.per_item)


# ------------------------------------------------------------------ the definitions

_MCGRAW = ("mcgraw1996", "shrout1979")


@RatingCoefficient(
    symbol="ICC(A,1)",
    name="ICC(A,1), absolute agreement",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + \sigma^2_c + \sigma^2_e}",
    sources=_MCGRAW,
    variants=("ICC(2,1)", "ICC2"),
    aliases=("icc", "icc2", "icc(2,1)", "icc(a,1)", "icc_a1"),
)
def icc_a(v: Variances, k: float) -> float:
    """One rating by any coder; a coder who rates higher than others throughout is in error."""
    return v.item / v.total


@RatingCoefficient(
    symbol="ICC(C,1)",
    name="ICC(C,1), consistency",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + \sigma^2_e}",
    sources=_MCGRAW,
    variants=("ICC(3,1)", "ICC3"),
    aliases=("icc3", "icc(3,1)", "icc(c,1)", "icc_c1"),
    design="fixed",
)
def icc_c(v: Variances, k: float) -> float:
    """One rating where only the order and the distances of items matter, not a coder's level."""
    return v.item / (v.item + v.rest)


@RatingCoefficient(
    symbol="ICC(1)",
    name="ICC(1), one-way",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + \sigma^2_e}",
    sources=_MCGRAW,
    variants=("ICC(1,1)", "ICC1"),
    aliases=("icc1", "icc(1,1)", "icc(1)", "icc_1"),
    design="nested",
)
def icc_one(v: Variances, k: float) -> float:
    """One rating where each item has other coders, so that nobody's level can be told."""
    return v.item / (v.item + v.rest)


@RatingCoefficient(
    symbol="ICC(A,k)",
    name="ICC(A,k), absolute agreement of means",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + (\sigma^2_c + \sigma^2_e) / k}",
    sources=_MCGRAW,
    variants=("ICC(2,k)", "ICC2k"),
    aliases=("icc2k", "icc(2,k)", "icc(a,k)", "icc_ak"),
    mean=True,
)
def icc_a_mean(v: Variances, k: float) -> float:
    """The mean of all k coders is what is used, never one coder's rating."""
    return v.item / (v.item + (v.coder + v.rest) / k)


@RatingCoefficient(
    symbol="ICC(C,k)",
    name="ICC(C,k), consistency of means",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + \sigma^2_e / k}",
    sources=(*_MCGRAW, "cronbach1951"),
    variants=("ICC(3,k)", "ICC3k", "Cronbach's alpha of coders"),
    aliases=("icc3k", "icc(3,k)", "icc(c,k)", "icc_ck", "cronbach", "cronbach_alpha"),
    design="fixed",
    mean=True,
)
def icc_c_mean(v: Variances, k: float) -> float:
    """The mean of all k coders is used to order the items, and its level does not matter."""
    return v.item / (v.item + v.rest / k)


@RatingCoefficient(
    symbol="ICC(k)",
    name="ICC(k), one-way, of means",
    formula=r"\frac{\sigma^2_i}{\sigma^2_i + \sigma^2_e / k}",
    sources=_MCGRAW,
    variants=("ICC(1,k)", "ICC1k"),
    aliases=("icc1k", "icc(1,k)", "icc(k)", "icc_k"),
    design="nested",
    mean=True,
)
def icc_one_mean(v: Variances, k: float) -> float:
    """The mean of k ratings is used, and each item has other coders."""
    return v.item / (v.item + v.rest / k)


@RatingCoefficient(
    symbol="W",
    name="Kendall's W",
    formula=r"\frac{SS_i}{SS_i + SS_e} \text{ of ranks}",
    sources=("kendall1939",),
    aliases=("w", "kendall_w", "concordance", "coefficient_of_concordance"),
    design="fixed",
    of_ranks=True,
)
def kendall(v: Variances, k: float) -> float:
    """Only the order in which each coder puts the items matters; ties have the mean rank."""
    icc = v.item / (v.item + v.rest)
    return ((k - 1) * icc + 1) / k


# ------------------------------------------------------------------ the sums


@dataclass(frozen=True, eq=False)
class Sums:
    """What squared differences need of ratings; ratings are taken from their mean.

    Parameters
    ----------
    size : ndarray
        (M,) numbers of ratings that items have.
    items, squares : ndarray
        (M,) how many items have so many, and the sum of their squared sums.
    together : ndarray
        (M, C, C) how many of them two coders rated both; on the diagonal each coder.
    seen : ndarray
        (M, C) sum of the item sums over the items that a coder rated.
    by_coder : ndarray
        (C,) sum of each coder's ratings.
    square : float
        Sum of all squared ratings.
    centre : float
        What was taken from each rating.
    """

    size: Floats
    items: Floats
    squares: Floats
    together: Floats
    seen: Floats
    by_coder: Floats
    square: float
    centre: float

    @property
    def n_items(self) -> float:
        """Number of items."""
        return float(self.items.sum())

    @property
    def n_coders(self) -> int:
        """C."""
        return len(self.by_coder)

    @cached_property
    def by_count(self) -> Floats:
        """(C,) how many items each coder rated."""
        return np.asarray(np.diagonal(self.together.sum(0)))

    @property
    def n(self) -> float:
        """Number of ratings."""
        return float(self.size @ self.items)

    @property
    def per_item(self) -> float:
        """Harmonic mean of the number of ratings of an item."""
        return self.n_items / float((self.items / self.size).sum())

    @property
    def complete(self) -> bool:
        """Whether every coder rated every item."""
        return len(self.size) == 1 and int(self.size[0]) == self.n_coders


def numbers_of(counts: Counts) -> Floats:
    """(K,) the values as numbers.

    Raises
    ------
    RequestError
        If one is no number.
    """
    for value in counts.values:
        if isinstance(value, str | tuple):
            raise RequestError(
                f"ratings are numbers, and {value!r} is none", parameter="coefficients"
            )
    return np.array(counts.values, float)


def raters(counts: Counts) -> Ints:
    """(E,) who gave each rating."""
    if counts.coder is None:
        raise ValueError("the counts do not say which coder gave which rating")
    return counts.coder


def constant(sums: Sums) -> bool:
    """Whether all ratings are the same number, but for rounding."""
    return sums.square <= SAME * sums.n * (1 + sums.centre**2)


def impossible(coefficient: RatingCoefficient, counts: Counts) -> str:
    """The reason why who rated what gives no value; empty if it gives one."""
    if counts.coder is None:
        return "unknown_coders"
    if (counts.n_pairable < 2).any():
        return "few_pairs"
    if coefficient.of_ranks and (counts.size < counts.n_coders).any():
        return "gaps"
    if coefficient.design != "nested" and counts.n_coders > MOST_CODERS:
        return "many_coders"
    if counts.times.ndim == 1 and constant(sums_of(counts, coefficient.rated(counts))):
        return "no_variation"
    return ""


def sums_of(counts: Counts, rating: Floats) -> Sums:
    """The sums of ratings (E,), one for each entry of the counts.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = count(read([[1.0, 2.0, 4.0], [1.0, 3.0, 4.0]], scale="interval"))
    >>> sums = sums_of(found, numbers_of(found)[found.value])
    >>> sums.n_items, sums.by_count.tolist(), sums.complete
    (3.0, [3.0, 3.0], True)
    """
    c, coder = counts.n_coders, raters(counts)
    times = counts.times[counts.row]
    centre = float(times @ rating / times.sum())
    y = rating - centre
    total = counts.sum_entries(y)
    sizes = np.unique(counts.size)
    shape = len(sizes), c
    together, seen = np.zeros((*shape, c)), np.zeros(shape)
    items, squares = np.zeros(len(sizes)), np.zeros(len(sizes))
    for k, size in enumerate(sizes):
        chosen = np.flatnonzero(counts.size == size)
        t = counts.times[chosen]
        who = coder[(counts.start[chosen][:, None] + np.arange(size)).ravel()].reshape(-1, size)
        items[k], squares[k] = t.sum(), t @ total[chosen] ** 2
        for a in range(size):
            np.add.at(seen[k], who[:, a], t * total[chosen])
            cell = who[:, a] * c + who.T  # (size, P) cells of the table of pairs
            weight = np.broadcast_to(t, cell.shape).ravel()
            together[k] += np.bincount(cell.ravel(), weight, c * c).reshape(c, c)
    return Sums(
        sizes.astype(float),
        items,
        squares,
        together,
        seen,
        np.bincount(coder, times * y, c).astype(float),
        float(times @ y**2),
        centre,
    )


def ranked(counts: Counts, rating: Floats) -> Floats:
    """(E,) the rank of each rating among those of its coder; equal ones have the mean rank."""
    times, who = counts.times[counts.row], raters(counts)
    order = np.lexsort((rating, who))
    coder, value, n = who[order], rating[order], times[order]
    first = np.append(True, (np.diff(coder) != 0) | (np.diff(value) != 0))
    group = np.cumsum(first) - 1
    size = np.bincount(group, n)
    before = np.cumsum(size) - size
    of_coder = coder[first]
    start = before[np.searchsorted(of_coder, of_coder)]
    out = np.empty(len(rating))
    out[order] = (before - start + (size + 1) / 2)[group]
    return out


# ------------------------------------------------------------------ variances


def variances(sums: Sums, design: Design) -> Variances:
    """By the analysis of variance without gaps (Shrout & Fleiss 1979), else by REML."""
    if not sums.complete:
        return reml(sums, design).variances
    n, k = sums.n_items, sums.n_coders
    grand = sums.by_coder.sum() ** 2 / (n * k)
    item = float(sums.squares[0]) / k - grand
    coder = float((sums.by_coder**2).sum()) / n - grand
    rest = sums.square - grand - item
    if design == "nested":
        rest /= n * (k - 1)
        return Variances((item / (n - 1) - rest) / k, 0.0, rest)
    rest = (rest - coder) / ((n - 1) * (k - 1))
    rest = max(rest, 0.0)
    return Variances((item / (n - 1) - rest) / k, (coder / (k - 1) - rest) / n, rest)


@dataclass(frozen=True)
class Reml:
    """The most probable variances, and how much worse any share of the items' variance is."""

    variances: Variances
    deviance: float
    profile: Callable[[float], float] = field(repr=False)


def reml(sums: Sums, design: Design) -> Reml:
    """Restricted maximum likelihood of a two-way model with gaps, exactly, from the sums.

    Ratings are a mean plus random effects of item and coder plus an error. Items are integrated
    out by their number of ratings, coders by a (C, C) system (Patterson & Thompson 1971).
    """
    deviance = _deviance(sums, design)

    def best(rho: float) -> tuple[float, float]:
        if design != "crossed":
            return deviance(rho, 0.0)[0], 0.0
        share, low = _least(lambda x: deviance(rho, (1 - rho) * x)[0])
        return low, (1 - rho) * share

    rho, low = _least(lambda x: best(x)[0])
    coder = best(rho)[1]
    scale = deviance(rho, coder)[1]
    found = Variances(rho * scale, coder * scale, (1 - rho - coder) * scale)
    return Reml(found, low, lambda x: best(x)[0])


def _least(function: Callable[[float], float]) -> tuple[float, float]:
    """Where in [0, 1) a function is least, and its value there."""
    from scipy.optimize import minimize_scalar

    options: Any = {"xatol": 1e-8}
    found = minimize_scalar(function, bounds=(0, MOST_SHARE), method="bounded", options=options)
    ends = [(float(found.x), float(found.fun)), (0.0, function(0.0))]
    return min(ends, key=lambda x: x[1])


def _deviance(sums: Sums, design: Design) -> Callable[[float, float], tuple[float, float]]:
    """-2 log restricted likelihood and the variance, of the shares of items and of coders."""
    count, by_coder, one = sums.by_count, sums.by_coder, np.ones(sums.n_coders)
    drawn = count > 0  # a resample may leave a coder out
    df = sums.n - (float(drawn.sum()) if design == "fixed" else 1)

    def deviance(rho: float, coder: float) -> tuple[float, float]:
        e = 1 - rho - coder
        phi = rho / (e + sums.size * rho)
        a = (np.diag(count) - np.tensordot(phi, sums.together, 1)) / e
        b = (by_coder - phi @ sums.seen) / e
        square = float(sums.square - phi @ sums.squares) / e
        log = float(sums.items @ ((sums.size - 1) * math.log(e) + np.log(e + sums.size * rho)))
        around, weight, across = float(b.sum()), float(a.sum()), 0.0
        if design == "fixed":
            a = a + np.diag(~drawn)
            square -= float(b @ np.linalg.solve(a, b))
            log += float(np.linalg.slogdet(a)[1])
        else:
            if coder > 0:
                more = np.eye(len(one)) + coder * a
                inner = coder * np.linalg.solve(more, np.column_stack([b, a @ one]))
                log += float(np.linalg.slogdet(more)[1])
                weight -= float((a @ one) @ inner[:, 1])
                around -= float((a @ one) @ inner[:, 0])
                across = float(b @ inner[:, 0])
            square -= float(across + around**2 / weight)
            log += math.log(weight)
        scale = max(float(square / df), 1e-300)
        return log + df * math.log(scale), scale

    return deviance
