"""How coders read an ordered scale: a cumulative logit with three numbers for each coder.

Where category k is true, coder c gives a label up to o with probability

    σ(precision_c (τ_o − m_k) + stretch_c τ_o − shift_c),      o = 0, …, T − 1, T = K − 1

with cut points τ and positions m of the categories that all coders share, in steps from one
category to the next. A coder who does not look has precision 0, and labels by stretch and shift
alone. The logarithm of the probability is concave in each block of parameters, since with upper
and lower cut u and l

    log P = log σ(u) + log σ(−l) + log(1 − exp(l − u)),

so that Newton's steps, halved if need be, never lower it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["Reading", "at_first", "errors_of", "improved", "penalty", "spreads_of", "table"]

Floats = NDArray[np.float64]

PRECISE = 3.0  # log odds from one category to the next, at first
AT_FIRST = (1.5, 1.0, 1.5)  # standard deviations of precision, stretch and shift, at first
NARROWEST, WIDEST = 0.1, 5.0  # that they may come to
ANY = 5.0  # standard deviation of the mean precision of a population around PRECISE
SHARED = 1.0  # standard deviation of cut points and positions around equal steps
HALVINGS = 30
LONGEST = 0.25  # step of a population; beliefs that are vague at first must be able to follow
NOTHING = 1e-12  # relative: what a step promises that rounding would swallow
ROUNDS = 1  # of Newton's steps in an iteration of the loop


@dataclass(frozen=True, eq=False)
class Reading:
    """The parameters. C coders, K categories, T = K − 1 cut points.

    Parameters
    ----------
    coders : ndarray
        (C, 3) precision, stretch, shift.
    cuts : ndarray
        (T,) rising.
    positions : ndarray
        (K,) of the categories; the first is −T / 2 and the last T / 2, so that a scale may be
        turned upside down.
    mean : float
        Mean precision of the population of coders, from a wide normal distribution: where nobody
        ever errs, it would grow for ever.
    spreads : ndarray
        (3,) standard deviations of the coders' parameters.
    """

    coders: Floats
    cuts: Floats
    positions: Floats
    mean: float
    spreads: Floats


def at_first(n_coders: int, k: int) -> Reading:
    """All coders alike, cut points half-way between equal steps."""
    coders = np.zeros((n_coders, 3))
    coders[:, 0] = PRECISE
    return Reading(coders, *_equal(k), PRECISE, np.array(AT_FIRST))


def _equal(k: int) -> tuple[Floats, Floats]:
    """(T,) cut points and (K,) positions in equal steps around 0."""
    positions = np.arange(float(k)) - (k - 1) / 2
    return positions[1:] - 0.5, positions


def table(r: Reading) -> Floats:
    """(C, K, K) log probability of each label where each category is true."""
    a = _odds(r)
    c, k, t = a.shape
    found = np.zeros((c, k, t + 1))
    found[:, :, :t] -= np.logaddexp(0, -a)
    found[:, :, 1:] -= np.logaddexp(0, a)
    found[:, :, 1:t] += np.log(-np.expm1(-_gaps(r)))[:, None]
    return found


def penalty(r: Reading) -> float:
    """Log density of the parameters, but for a constant."""
    away = float(r.mean - PRECISE) / ANY
    return float(_penalties(r).sum()) - _shared(r) - away**2 / 2


def improved(r: Reading, counts: Floats) -> Reading:
    """Parameters under which the expected annotations (C, K, K) are more probable, or as probable.

    Parameters
    ----------
    r : Reading
    counts : ndarray
        (C, K, K) expected annotations: category, then label.
    """
    for _ in range(ROUNDS):
        r = _of_coders(r, counts)
        r = _of_population(r, counts)
        if len(r.cuts):
            r = _of_all(r, counts)
    return r


def spreads_of(r: Reading, counts: Floats) -> Floats:
    """(3,) how far coders differ: squares of their parameters and how uncertain each is (Laplace).

    One round of the EM algorithm for variances, with the curvature at the mode as its precision.
    """
    _, curvature = _slopes(r, counts)
    uncertain = np.linalg.inv(curvature)[:, range(3), range(3)]
    away = r.coders - [r.mean, 0, 0]
    return np.asarray(np.clip(np.sqrt((away**2 + uncertain).mean(0)), NARROWEST, WIDEST))


def errors_of(r: Reading, counts: Floats) -> Floats:
    """(C, 3) standard errors of a coder's parameters, the labels and the others taken as found."""
    _, curvature = _slopes(r, counts)
    return np.asarray(np.sqrt(np.linalg.inv(curvature)[:, range(3), range(3)]))


# ------------------------------------------------------------------ each coder


def _odds(r: Reading) -> Floats:
    """(C, K, T) log odds of a label up to each cut."""
    precision, stretch, shift = r.coders.T[:, :, None, None]
    return np.asarray(precision * (r.cuts - r.positions[:, None]) + stretch * r.cuts - shift)


def _gaps(r: Reading) -> Floats:
    """(C, T − 1) from each cut to the next, in log odds; above 0."""
    return np.asarray((r.coders[:, :1] + r.coders[:, 1:2]) * np.diff(r.cuts))


def _penalties(r: Reading) -> Floats:
    """(C,) log density of each coder's parameters."""
    away = (r.coders - [r.mean, 0, 0]) / r.spreads
    return np.asarray(-0.5 * (away**2).sum(1) - np.log(r.spreads).sum())


def _values(r: Reading, counts: Floats) -> Floats:
    """(C,) what is to be raised; −inf where cut points of a coder are in the wrong order."""
    gaps = _gaps(r)
    wrong = np.asarray((gaps <= 0).any(1))
    if wrong.any():
        coders = np.where(wrong[:, None], [PRECISE, 0, 0], r.coders)
        r = replace(r, coders=coders)
    value = np.einsum("cko,cko->c", counts, table(r)) + _penalties(r)
    return np.where(wrong, -np.inf, value)


def _weights(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, K, T) slopes and curvatures of the two sigmoids in the log odds at each cut."""
    up, down = counts[:, :, :-1], counts[:, :, 1:]
    p = 1 / (1 + np.exp(-np.clip(_odds(r), -700, 700)))
    return up * (1 - p) - down * p, (up + down) * p * (1 - p)


def _gap_weights(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, T − 1) slopes and curvatures of what is left, in the gap of each inner label."""
    n, gap = counts.sum(1)[:, 1:-1], np.minimum(_gaps(r), 700)
    grown = np.expm1(gap)
    return n / grown, n * np.exp(gap) / grown**2


def _slopes(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, 3) gradient and (C, 3, 3) negative second derivatives for the coders' parameters."""
    k, t = len(r.positions), len(r.cuts)
    x = np.empty((k, t, 3))
    x[:, :, 0] = r.cuts - r.positions[:, None]
    x[:, :, 1] = r.cuts
    x[:, :, 2] = -1
    slope, curve = _weights(r, counts)
    gradient = np.einsum("ckt,ktp->cp", slope, x)
    second = np.einsum("ckt,ktp,ktq->cpq", curve, x, x, optimize=True)
    if t > 1:
        steps = np.diff(r.cuts)
        gap_slope, gap_curve = _gap_weights(r, counts)
        gradient[:, :2] += (gap_slope @ steps)[:, None]
        second[:, :2, :2] += (gap_curve @ steps**2)[:, None, None]
    gradient -= (r.coders - [r.mean, 0, 0]) / r.spreads**2
    second[:, range(3), range(3)] += 1 / r.spreads**2
    return gradient, second


def _of_coders(r: Reading, counts: Floats) -> Reading:
    """A Newton step for each coder, halved until it leads upwards."""
    gradient, second = _slopes(r, counts)
    step = np.linalg.solve(second, gradient[:, :, None])[:, :, 0]
    old, coders = _values(r, counts), r.coders.copy()
    promised = np.einsum("cp,cp->c", gradient, step)
    left = np.flatnonzero(promised > NOTHING * (1 + np.abs(old)))
    for _ in range(HALVINGS):
        tried = replace(r, coders=coders[left] + step[left])
        better = _values(tried, counts[left]) >= old[left]
        coders[left[better]] = tried.coders[better]
        left = left[~better]
        if not len(left):
            break
        step[left] /= 2
    return replace(r, coders=coders)


def _of_population(r: Reading, counts: Floats) -> Reading:
    """The mean of the coders' precision; then all of them and their mean up or down together.

    Without the latter each coder is held by the mean and the mean by the coders, and a population
    that is much more precise than at first is approached in thousands of iterations.
    """
    weight, own = len(r.coders) / float(r.spreads[0]) ** 2, 1 / ANY**2
    mean = (weight * float(r.coders[:, 0].mean()) + own * PRECISE) / (weight + own)
    r = replace(r, mean=mean)
    gradient, second = _slopes(r, counts)
    away = (r.coders[:, 0] - r.mean) / r.spreads[0] ** 2
    slope = float((gradient[:, 0] + away).sum()) - own * (mean - PRECISE)
    step = slope / (float((second[:, 0, 0] - r.spreads[0] ** -2).sum()) + own)
    step = min(max(step, -LONGEST), LONGEST)

    def value(r: Reading) -> float:
        return float(_values(r, counts).sum()) - own * (r.mean - PRECISE) ** 2 / 2

    old = value(r)
    for _ in range(HALVINGS):
        if not slope * step > NOTHING * (1 + abs(old)):
            return r
        tried = replace(r, coders=r.coders + step * np.eye(3)[0], mean=mean + step)
        if value(tried) >= old:
            return tried
        step /= 2
    return r


# ------------------------------------------------------------------ what all share


def _shared(r: Reading) -> float:
    """How far cut points and positions are from equal steps, squared."""
    away = np.concatenate([r.cuts, r.positions]) - np.concatenate(_equal(len(r.positions)))
    return float((away**2).sum()) / (2 * SHARED**2)


def _of_all(r: Reading, counts: Floats) -> Reading:
    """A Newton step for cut points and inner positions together, halved until it leads upwards."""
    k, t = len(r.positions), len(r.cuts)
    precision, wide = r.coders[:, 0], r.coders[:, 0] + r.coders[:, 1]
    slope, curve = _weights(r, counts)
    gradient, second = np.zeros(t + k), np.zeros((t + k, t + k))
    gradient[:t] = np.einsum("c,ckt->t", wide, slope)
    gradient[t:] = -np.einsum("c,ckt->k", precision, slope)
    second[range(t), range(t)] = np.einsum("c,ckt->t", wide**2, curve)
    second[range(t, t + k), range(t, t + k)] = np.einsum("c,ckt->k", precision**2, curve)
    both = -np.einsum("c,ckt->tk", wide * precision, curve)
    second[:t, t:], second[t:, :t] = both, both.T
    if t > 1:
        gap_slope, gap_curve = _gap_weights(r, counts)
        ends = np.zeros((t - 1, t + k))
        ends[range(t - 1), range(1, t)], ends[range(t - 1), range(t - 1)] = 1, -1
        gradient += (wide @ gap_slope) @ ends
        second += ends.T @ ((wide**2 @ gap_curve)[:, None] * ends)
    now = np.concatenate([r.cuts, r.positions])
    gradient -= (now - np.concatenate(_equal(k))) / SHARED**2
    second[range(t + k), range(t + k)] += 1 / SHARED**2
    free = np.delete(np.arange(t + k), [t, t + k - 1])  # where the scale begins and ends is fixed
    step = np.zeros(t + k)
    step[free] = np.linalg.solve(second[np.ix_(free, free)], gradient[free])
    old = float(_values(r, counts).sum()) - _shared(r)
    for _ in range(HALVINGS):
        cuts, positions = now[:t] + step[:t], now[t:] + step[t:]
        tried = replace(r, cuts=cuts, positions=positions)
        rising = bool((np.diff(cuts) > 0).all())
        if rising and float(_values(tried, counts).sum()) - _shared(tried) >= old:
            return tried
        step /= 2
    return r
