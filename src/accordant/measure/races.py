"""Sets drawn without replacement, as a race: integrals where sets are too many to enumerate.

Drawing labels one after another, each with probability proportional to its share p_k among the
labels left, is a race: label k arrives after an exponential time with rate p_k, and the first s
to arrive are the s labels drawn. Given the time t, whether a label has arrived is independent of
the other labels, with probability a = 1 - exp(-p t), so that sums over all sets become products
over labels, and what remains is an integral over t. Here for one label: k is among the first s
if fewer than s others arrive before it does. `two_races` does it for what two coders share.

All terms are positive. The integrals are sums over x with t = exp(x - exp(-x)), in steps that
leave an error of 1e-13: with both ends far down, such sums converge exponentially.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from math import lgamma, log, pi

import numpy as np

from ..arrays import Floats

__all__ = ["ERROR", "by_rate", "events", "nodes", "one_race", "one_race_slope"]

ERROR = 1e-13  # what the steps of an integral may miss
LOWEST = -3.5  # where t has become 1e-16
LEFT = 40.0  # exp(-40) = 4e-18 may be left beyond the last time
CELLS = 300_000  # numbers of one array held at a time


def nodes(p: Floats, most: int, error: float = ERROR) -> tuple[Floats, Floats]:
    """Times (T,) and their weights, fit for every row of shares p (N, K).

    The last label drawn is slowest where the most frequent ones have arrived already.
    """
    ordered = np.sort(p, axis=-1)
    drawn = np.maximum(np.minimum(most, np.count_nonzero(p, axis=-1)), 1)
    left = np.take_along_axis(np.cumsum(ordered, -1), p.shape[-1] - drawn[:, None], -1)
    slowest = left[left > 0].min(initial=1.0)
    step = _step(most, error)
    x = np.arange(LOWEST, np.log(_last(most) / slowest) + step, step)
    t = np.exp(x - np.exp(-x))
    return t, step * t * (1 + np.exp(-x))


@lru_cache(maxsize=64)
def _step(most: int, error: float) -> float:
    """The largest step that misses no more than an error, whatever the shares.

    The s-th to arrive of very many labels has the sharpest density over x = log t, that of a
    gamma variable of shape s. Of it steps of length h miss up to 2 |Gamma(s + iw)| / Gamma(s)
    with w = 2 pi / h, and up to twice as much where t = exp(x - exp(-x)).
    """
    rank = np.arange(1, most)
    for w in count(10.0, 0.25):
        missed = log(4) + log(2 * pi * w) / 2 - pi * w / 2 + np.log(np.hypot(1, w / rank)).sum()
        if missed < log(error):
            break
    return 2 * pi / w


@lru_cache(maxsize=64)
def _last(most: int) -> float:
    """The last time, where nothing is left of the density t^(s - 1) exp(-t) / (s - 1)!."""
    t = LEFT
    for _ in range(20):
        t = LEFT + (most - 1) * log(t) - lgamma(max(most, 1))
    return max(t, LEFT)


def events(p: Floats, t: Floats) -> Floats:
    """(3, ..., T) a label of each share has not arrived, has, or does so now (density)."""
    rate = p[..., None] * t
    f = np.exp(-rate)
    return np.stack([f, -np.expm1(-rate), p[..., None] * f])


def by_rate(
    of_f: Floats, of_a: Floats, of_h: Floats, f: Floats, t: Floats, p: float | Floats
) -> Floats:
    """From the slopes by the three `events` at each time to the slope by the share p."""
    return np.asarray(f * (t * (of_a - of_f) + of_h * (1 - p * t)))


# ------------------------------------------------------------------ one label


def one_race(p: Floats, most: int) -> Floats:
    """Probability that a label is among the s labels drawn.

    Parameters
    ----------
    p : ndarray
        (N, K) shares of the labels, each row with sum 1.
    most : int
        Largest number of labels drawn.

    Returns
    -------
    ndarray
        (N, most, K) for s = 1 ... most.

    Examples
    --------
    >>> one_race(np.array([[0.5, 0.25, 0.25]]), 2)[0].round(4)
    array([[0.5   , 0.25  , 0.25  ],
           [0.8333, 0.5833, 0.5833]])
    """
    t, weight = nodes(p, most)
    found = np.empty((len(p), most, p.shape[1]))
    for rows in _rows(p, most, len(t)):
        f, a, h = events(p[rows].T, t)
        before, after = _running(f, a, most), _running(f[::-1], a[::-1], most)[::-1]
        density = h * weight
        fewer = np.zeros(density.shape)
        for n in range(most):
            for i in range(n + 1):
                fewer += before[:-1, i] * after[1:, n - i]
            found[rows, n] = (density * fewer).sum(-1).T
    return found


def _rows(p: Floats, most: int, n_nodes: int) -> Iterator[slice]:
    step = max(1, CELLS // max(p.shape[1] * most * n_nodes, 1))
    return (slice(at, at + step) for at in range(0, len(p), step))


def _running(f: Floats, a: Floats, most: int) -> Floats:
    """(K + 1, most, N, T) so many of the labels before each of K labels have arrived."""
    law = np.zeros((len(f) + 1, most, *f.shape[1:]))
    law[0, 0] = 1
    for k in range(len(f)):
        np.multiply(law[k], f[k], out=law[k + 1])
        law[k + 1, 1:] += law[k, :-1] * a[k]
    return law


def _running_slope(of: Floats, law: Floats, f: Floats, a: Floats) -> Floats:
    """(2, K, N, T) slopes by f and a of a sum in which ``of`` multiplies each number of the law."""
    slope = np.empty((2, *f.shape))
    for k in reversed(range(len(f))):
        slope[0, k] = (of[k + 1] * law[k]).sum(0)
        slope[1, k] = (of[k + 1, 1:] * law[k, :-1]).sum(0)
        of[k] += of[k + 1] * f[k]
        of[k, :-1] += of[k + 1, 1:] * a[k]
    return slope


def one_race_slope(p: Floats, most: int, pull: Floats) -> Floats:
    """How shares move a sum of `one_race`, in which ``pull`` (N, most, K) multiplies each number.

    Returns
    -------
    ndarray
        (N, K) derivative of each row's sum with respect to its shares, for moves that keep their
        total.
    """
    t, weight = nodes(p, most)
    # (most, K, N, 1): n others have arrived before k, and count for every s > n.
    reach = np.cumsum(pull[:, ::-1], axis=1)[:, ::-1].transpose(1, 2, 0)[..., None]
    slope = np.empty(p.shape)
    for rows in _rows(p, most, len(t)):
        shares = p[rows].T
        f, a, h = events(shares, t)
        before, after = _running(f, a, most), _running(f[::-1], a[::-1], most)[::-1]
        of_h = np.zeros(h.shape)
        of_before, of_after = np.zeros((2, *before.shape))
        for n in range(most):
            now = h * reach[n][:, rows]
            for i in range(n + 1):
                of_h += reach[n][:, rows] * before[:-1, i] * after[1:, n - i]
                of_before[:-1, i] += now * after[1:, n - i]
                of_after[1:, n - i] += now * before[:-1, i]
        of_f, of_a = _running_slope(of_before, before, f, a)
        backward = _running_slope(of_after[::-1], after[::-1], f[::-1], a[::-1])
        of_f, of_a = of_f + backward[0, ::-1], of_a + backward[1, ::-1]
        slope[rows] = (weight * by_rate(of_f, of_a, of_h, f, t, shares[..., None])).sum(-1).T
    return slope
