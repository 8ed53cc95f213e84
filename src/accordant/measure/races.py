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
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import lgamma, log, pi

import numpy as np

from ..arrays import Floats

__all__ = ["ERROR", "nodes", "one_race", "one_race_slope"]

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
        race = _Race.of(p[rows], t, most)
        density = race.h * weight
        fewer = np.zeros(density.shape)
        for n in range(most):
            for i in range(n + 1):
                fewer += race.before[:-1, i] * race.after[1:, n - i]
            found[rows, n] = (density * fewer).sum(-1).T
    return found


def _rows(p: Floats, most: int, n_nodes: int) -> Iterator[slice]:
    step = max(1, CELLS // max(p.shape[1] * most * n_nodes, 1))
    return (slice(at, at + step) for at in range(0, len(p), step))


@dataclass(frozen=True, eq=False)
class _Race:
    """What has happened by time t, for N rows of K labels.

    ``f``, ``a`` and ``h`` (K, N, T): a label has not arrived, has, or does so now (density).
    ``before`` and ``after`` (K + 1, most, N, T): so many of the labels before label k, or of k
    and the labels after it, have arrived.
    """

    f: Floats
    a: Floats
    h: Floats
    before: Floats
    after: Floats

    @classmethod
    def of(cls, p: Floats, t: Floats, most: int) -> _Race:
        rate = p.T[:, :, None]
        f, a = np.exp(-rate * t), -np.expm1(-rate * t)
        before, after = np.zeros((2, len(f) + 1, most, *f.shape[1:]))
        before[0, 0] = after[-1, 0] = 1
        for k in range(len(f)):
            _one_more(before[k], f[k], a[k], before[k + 1])
            _one_more(after[-1 - k], f[-1 - k], a[-1 - k], after[-2 - k])
        return cls(f, a, rate * f, before, after)


def _one_more(count: Floats, f: Floats, a: Floats, out: Floats) -> None:
    """The law of a number of arrivals (most, N, T), with one more label."""
    np.multiply(count, f, out=out)
    out[1:] += count[:-1] * a


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
        race = _Race.of(p[rows], t, most)
        of_h = np.zeros(race.h.shape)
        of_before, of_after = np.zeros((2, *race.before.shape))
        for n in range(most):
            now = race.h * reach[n][:, rows]
            for i in range(n + 1):
                before, after = race.before[:-1, i], race.after[1:, n - i]
                of_h += reach[n][:, rows] * before * after
                of_before[:-1, i] += now * after
                of_after[1:, n - i] += now * before
        of_f, of_a = np.zeros((2, *race.f.shape))
        for k in range(len(race.f)):
            _one_less(race, of_after, of_f, of_a, k, k + 1, k, race.after)
            j = len(race.f) - 1 - k
            _one_less(race, of_before, of_f, of_a, j, j, j + 1, race.before)
        slope[rows] = (weight * _by_rate(of_f, of_a, of_h, race, p[rows], t)).sum(-1).T
    return slope


def _one_less(
    race: _Race,
    of: Floats,
    of_f: Floats,
    of_a: Floats,
    k: int,
    here: int,
    there: int,
    count: Floats,
) -> None:
    """`_one_more` the other way round: from what multiplies ``count[there]`` to its parts."""
    of_f[k] += (of[there] * count[here]).sum(0)
    of_a[k] += (of[there][1:] * count[here][:-1]).sum(0)
    of[here] += of[there] * race.f[k]
    of[here][:-1] += of[there][1:] * race.a[k]


def _by_rate(of_f: Floats, of_a: Floats, of_h: Floats, race: _Race, p: Floats, t: Floats) -> Floats:
    return np.asarray(race.f * (t * (of_a - of_f) + of_h * (1 - p.T[:, :, None] * t)))
