"""Tests of one human at a time, and which of many are rejected."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...inference.settings import number_of

__all__ = ["adjusted", "harmonic", "mean_below", "share_of", "signed_ranks_below"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def mean_below(n: Floats, mean: Floats, square: Floats, bound: Floats) -> tuple[Floats, Floats]:
    """One-sided t-test that a mean lies below a bound.

    Parameters
    ----------
    n, mean, square : ndarray
        (...) number of values, their mean and the mean of their squares.
    bound : ndarray
        (...) what the mean is compared with.

    Returns
    -------
    statistic, p_value : ndarray
        (...) with n − 1 degrees of freedom. Values without any spread are on one side of the
        bound for certain: p is 0 if they lie below, else 1. NaN for a single value.
    """
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.maximum(square - mean**2, 0) * n / (n - 1)
        flat = variance < 1e-12
        t = (mean - bound) / np.sqrt(variance / n)
        t = np.where(flat, np.where(mean < bound, -np.inf, np.inf), t)
        t = np.where(n > 1, t, np.nan)
        p = stdtr(n - 1, np.where(np.isfinite(t), t, 0.0))
    p = np.where(np.isposinf(t), 1.0, np.where(np.isneginf(t), 0.0, p))
    return np.asarray(t), np.asarray(np.where(np.isnan(t), np.nan, p))


def signed_ranks_below(x: Floats) -> tuple[float, float]:
    """Wilcoxon's signed-rank test that values lie below zero, exact with ties.

    Parameters
    ----------
    x : ndarray
        (n,) values; those equal to 0 do not enter.

    Returns
    -------
    statistic, p_value : float
        The sum of the ranks of the positive values, and the share of all 2^n ways to give the
        values a sign in which it is as low. 1 if every value is 0.

    Examples
    --------
    >>> signed_ranks_below(np.array([-1.0, -2.0, -3.0, -4.0, -5.0]))
    (0.0, 0.03125)
    """
    x = x[x != 0]
    if not len(x):
        return 0.0, 1.0
    size = np.abs(x)
    _, of, times = np.unique(np.round(size, 12), return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    doubled = (2 * last - times + 1)[of.reshape(-1)]  # twice the mean rank, a whole number
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2
        ways[:rank] /= 2
    statistic = int(doubled[x > 0].sum())
    return statistic / 2, min(1.0, float(ways[: statistic + 1].sum()))


def harmonic(m: int) -> float:
    """1 + 1/2 + … + 1/m: what Benjamini & Yekutieli (2001) divide the level by."""
    return math.fsum(1 / k for k in range(1, m + 1))


def adjusted(p: Floats) -> Floats:
    """p-values to be compared with q, whatever the tests depend on each other.

    Parameters
    ----------
    p : ndarray
        (m,) p-values of m tests; NaN for what was not tested.

    Returns
    -------
    ndarray
        (m,) the lowest false discovery rate at which the test is rejected (Benjamini & Yekutieli
        2001, theorem 1.3).

    Examples
    --------
    >>> adjusted(np.array([0.01, 0.02, 0.5])).round(4).tolist()
    [0.055, 0.055, 0.9167]
    """
    found = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    m = len(known)
    if not m:
        return found
    order = known[np.argsort(p[known], kind="stable")]
    scaled = p[order] * harmonic(m) * m / np.arange(1, m + 1)
    found[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return found


def share_of(name: str, x: Any, *, open_end: bool = True) -> float:
    """A number from 0 to 1 that was asked for."""
    found = number_of(name, x)
    if not 0 <= found <= 1 or (open_end and found in (0, 1)):
        raise RequestError(f"a number between 0 and 1, not {x!r}", parameter=name)
    return found
