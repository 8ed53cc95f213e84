"""How sure a model is of a coder, by what the coder's annotations alone can tell."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .estimate import AS_FIXED, AS_KNOWN, Interval, Intervals

__all__ = [
    "LEVEL", "NO_ERROR", "Found", "beta_interval", "dirichlet_intervals", "holding",
    "moments_interval", "prevalence_interval", "unseen_error",
]  # fmt: skip

Floats = NDArray[np.float64]

LEVEL = 0.95
BEFOREHAND = 2.0  # annotations that a coder is worth before any is seen
JEFFREYS = 0.5  # added to every cell where no prior was given: what nobody saw may still be
NO_ERROR = 0.5  # of an annotation: who is expected to have erred less is taken to have made none
UNSURE = f"Beta, allowing for uncertain labels; coders are {AS_FIXED}"
METHOD = f"Dirichlet on the expected counts; labels {AS_KNOWN}"


class Found(NamedTuple):
    """What was estimated: confusion (C, K, O), competence (C,), prevalence (K,)."""

    confusion: Floats
    competence: Floats
    prevalence: Floats


def beta_interval(a: Floats, b: Floats, level: float = LEVEL, method: str = METHOD) -> Interval:
    """Equal-tailed intervals of Beta distributions; NaN where both parameters are 0.

    Examples
    --------
    >>> found = beta_interval(np.array([9.5]), np.array([1.5]))
    >>> found.low.round(3).tolist(), found.high.round(3).tolist()
    ([0.619], [0.989])
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    good = (a > 0) & (b > 0)
    safe_a, safe_b = np.where(good, a, 1), np.where(good, b, 1)
    # a category that cannot be anything else, or nothing at all, is known exactly
    exact = np.where(a > 0, 1.0, np.where(b > 0, 0.0, np.nan))
    low, high = (betaincinv(safe_a, safe_b, p) for p in (tail, 1 - tail))
    return Interval(np.where(good, low, exact), np.where(good, high, exact), level, method)


def moments_interval(
    mean: Floats, variance: Floats, level: float = LEVEL, method: str = METHOD
) -> Interval:
    """Intervals of shares by the Beta distributions with the same means and variances."""
    room = mean * (1 - mean)
    good = (variance > 0) & (room > 0)
    n = np.where(good, room / np.where(good, variance, 1) - 1, 1e12)
    n = np.maximum(n, 1e-6)
    found = beta_interval(mean * n, (1 - mean) * n, level, method)
    nothing = np.isnan(mean)
    return Interval(
        np.where(nothing, np.nan, found.low), np.where(nothing, np.nan, found.high), level, method
    )


def holding(found: Interval, estimate: Floats) -> Interval:
    """The same intervals, each at least as wide as to hold its estimate; none where NaN.

    Examples
    --------
    >>> holding(Interval(np.array([0.1]), np.array([0.6]), 0.95, ""), np.array([0.0])).low.tolist()
    [0.0]
    """
    low, high = np.minimum(found.low, estimate), np.maximum(found.high, estimate)
    return replace(found, low=low, high=high)


def unseen_error(n: Floats, level: float = LEVEL) -> Floats:
    """(...) the least share of right labels that n annotations without an error do not exclude.

    The lower end of Jeffreys' interval of n of n, about 1 - 2.5 / n at 95 %, with two annotations
    more for what is known of other coders. Where no coder errs, a prior that is learned from all of
    them knows of no error, and an interval would be a point.

    Examples
    --------
    >>> unseen_error(np.array([3.0, 20.0, 100.0])).round(3).tolist()
    [0.621, 0.893, 0.976]
    """
    from scipy.special import betaincinv

    return np.asarray(betaincinv(n + BEFOREHAND + JEFFREYS, JEFFREYS, (1 - level) / 2))


def prevalence_interval(q: Floats, prevalence: Floats, more_items: Floats) -> Interval:
    """Of the prevalence of categories, as unsure as the beliefs in the items are.

    Parameters
    ----------
    q : ndarray
        (I, K) beliefs.
    prevalence : ndarray
        (K,) as estimated.
    more_items : ndarray
        (K,) items of the prior; without any, half an item in each category (Jeffreys 1946).

    Returns
    -------
    Interval
        Beta distributions with the mean and variance of the prevalence. The information is that of
        the scores of the items, Σ_i (q_i - π)(q_i - π)ᵀ for log odds, which is what annotations
        leave of that of known labels (Louis 1982). What coders do is taken as found.
    """
    more = more_items if more_items.any() else np.full(len(prevalence), JEFFREYS)
    share = np.einsum("ik->k", q) + more
    total = share.sum()
    mean = share / total
    spread = np.diag(mean) - np.outer(mean, mean)
    about = q - mean
    information = about.T @ about + more.sum() * spread
    variance = np.diag(spread @ np.linalg.pinv(information, hermitian=True) @ spread)
    found = moments_interval(mean, np.maximum(variance, mean * (1 - mean) / (total + 1)))
    return holding(replace(found, method=UNSURE), prevalence)


def _no_interval(of: Floats, why: str) -> Interval:
    return Interval(np.full(of.shape, np.nan), np.full(of.shape, np.nan), LEVEL, why)


def _open(found: Interval, counts: Floats) -> Interval:
    """Of confusion: a row (C, K, O) in which all answers are the same is no certainty."""
    row = counts.sum(2, keepdims=True)
    alike = (row - counts.max(2, keepdims=True) < NO_ERROR) & (row > NO_ERROR)
    least = unseen_error(row)
    low, high = np.minimum(found.low, least), np.maximum(found.high, 1 - least)
    own = counts > row / 2
    return replace(
        found,
        low=np.where(alike & own, low, found.low),
        high=np.where(alike & ~own, high, found.high),
    )


def dirichlet_intervals(
    counts: Floats, cells: Floats, q: Floats, more_items: Floats, found: Found, none: str = ""
) -> Intervals:
    """Of confusion, competence and prevalence, as if what coders were right about were known.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) expected annotations.
    cells : ndarray
        (C, K, O) or (1, K, O) annotations of the prior; where there are hardly any, a few as
        those of all coders together (see `priors.learned`), for the width alone.
    q : ndarray
        (I, K) beliefs.
    more_items : ndarray
        (K,) items of the prior.
    found : Found
        What was estimated, which the intervals hold.
    none : str
        Why there are no intervals of competence and prevalence (NaN), if so.

    Returns
    -------
    Intervals
        95 % equal-tailed. Competence is a sum over rows, whose Beta distribution has the same
        mean and variance. Since the labels are themselves estimates, those of coders are somewhat
        too narrow.
    """
    a = counts + cells

    def confusion() -> Interval:
        found_cells = beta_interval(a, a.sum(2, keepdims=True) - a)
        return _open(holding(found_cells, found.confusion), counts)

    def prevalence() -> Interval:
        if none:
            return _no_interval(found.prevalence, none)
        return prevalence_interval(q, found.prevalence, more_items)

    def competence() -> Interval:
        if none:
            return _no_interval(found.competence, none)
        p = found.prevalence
        k = np.arange(len(p))
        given = a[:, :, : len(p)]  # a category; not an abstention
        n = given.sum(2)
        right = given[:, k, k] / n
        spread = right * (1 - right) / (n + 1)
        ends = holding(moments_interval(right @ p, spread @ p**2), found.competence)
        answered = counts[:, :, : len(p)]
        met = answered.sum((1, 2))
        none_wrong = met - answered[:, k, k].sum(1) < NO_ERROR
        least = np.where(none_wrong, unseen_error(met), 1.0)
        return replace(ends, low=np.minimum(ends.low, least))

    return Intervals(confusion=confusion, competence=competence, prevalence=prevalence)
