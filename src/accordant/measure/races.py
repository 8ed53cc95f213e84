"""Sets drawn without replacement, as a race: integrals where sets are too many to enumerate.

Drawing labels one after another, each with probability proportional to its share p_k among the
labels left, is a race: label k arrives after an exponential time with rate p_k, and the first s
to arrive are the s labels drawn. Given the time t, whether a label has arrived is independent of
the other labels, with probability a = 1 - exp(-p t), so that sums over all sets become products
over labels, and what remains is an integral over t:

- One label (`one_race`): k is among the first s if fewer than s others arrive before it does.
- The labels that two coders have in common (`two_races`): with t and u the times at which the
  last label of each coder's set arrives, a label is in neither set, in one, or in both. The
  label that arrives last at t carries its density h = p exp(-p t) instead of a.

All terms are positive. The integrals are sums over x with t = exp(x - exp(-x)), in steps that
leave an error of about 1e-13: with both ends far down, such sums converge exponentially.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["one_race", "one_race_slope", "two_races", "two_races_slope"]

Floats = NDArray[np.float64]

STEP = 0.25
LOWEST = -3.5  # where t has become 1e-16
LAST = 40.0  # rates times t: beyond, exp(-40) = 4e-18 is left
CELLS = 300_000  # numbers of one array held at a time
STATES_KEPT = 10_000_000  # for the slopes, which go back through every label: 80 MB
STATES = 100_000  # the same for two races, where many passes go over it: it stays in the cache


def _nodes(p: Floats, most: int) -> tuple[Floats, Floats]:
    """Times (T,) and their weights, fit for every row of shares p (N, K).

    The last label drawn is slowest where the most frequent ones have arrived already.
    """
    ordered = np.sort(p, axis=-1)
    drawn = np.maximum(np.minimum(most, np.count_nonzero(p, axis=-1)), 1)
    left = np.take_along_axis(np.cumsum(ordered, -1), p.shape[-1] - drawn[:, None], -1)
    slowest = left[left > 0].min(initial=1.0)
    x = np.arange(LOWEST, np.log(LAST / slowest) + STEP, STEP)
    t = np.exp(x - np.exp(-x))
    return t, STEP * t * (1 + np.exp(-x))


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
    t, weight = _nodes(p, most)
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
    t, weight = _nodes(p, most)
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


# ------------------------------------------------------------------ labels in common


def two_races(p1: Floats, p2: Floats, most: tuple[int, int], last: int) -> Floats:
    """How many labels the sets of two coders have in common, given their sizes.

    Parameters
    ----------
    p1, p2 : ndarray
        (K,) shares of the labels, of sum 1.
    most : tuple of int
        Largest number of labels that each draws, m1 and m2.
    last : int
        Largest number in common that is wanted.

    Returns
    -------
    ndarray
        (m1 + 1, m2 + 1, last + 1) probability of r labels in common, given both sizes.

    Examples
    --------
    >>> p = np.full(3, 1 / 3)
    >>> two_races(p, p, (2, 2), 2)[2, 2].round(4)
    array([0.    , 0.6667, 0.3333])
    """
    law = np.zeros((most[0] + 1, most[1] + 1, last + 1))
    for pair in _pairs_of_times(p1, p2, most, last):
        state = pair.start(most, last)
        for k in range(len(p1)):
            state = pair.next(state, k)
        law += state[1, 1] @ pair.weight
    law[0], law[:, 0] = 0, 0
    law[0, :, 0] = law[:, 0, 0] = 1
    return law


def two_races_slope(p1: Floats, p2: Floats, pull: Floats) -> tuple[Floats, Floats]:
    """How shares move a sum of `two_races`, in which ``pull`` multiplies each number.

    Returns
    -------
    tuple of ndarray
        (K,) derivatives of the sum with respect to ``p1`` and to ``p2``, for moves that keep their
        totals.
    """
    most, last = (pull.shape[0] - 1, pull.shape[1] - 1), pull.shape[2] - 1
    pull = pull.copy()
    pull[0], pull[:, 0] = 0, 0  # with an empty set nothing is in common, whatever the shares
    slopes = np.zeros((2, len(p1)))
    for pair in _pairs_of_times(p1, p2, most, last, kept=len(p1)):
        states = [pair.start(most, last)]
        for k in range(len(p1)):
            states.append(pair.next(states[-1], k))
        of = np.zeros(states.pop().shape)
        of[1, 1] = pull[..., None] * pair.weight
        for k in reversed(range(len(p1))):
            of, moves = pair.previous(of, states.pop(), k)
            slopes[:, k] += moves
    return slopes[0], slopes[1]


def _pairs_of_times(
    p1: Floats, p2: Floats, most: tuple[int, int], last: int, kept: int = 1
) -> Iterator[_Pair]:
    """All pairs of times, some at a time; ``kept`` states of each must fit into memory."""
    t, t_weight = _nodes(p1[None], most[0])
    u, u_weight = _nodes(p2[None], most[1])
    cells = 4 * (most[0] + 1) * (most[1] + 1) * (last + 1)
    step = max(8, min(STATES, STATES_KEPT // kept) // cells)
    weight = np.outer(t_weight, u_weight).ravel()
    for at in range(0, weight.size, step):
        i, j = np.divmod(np.arange(at, min(at + step, weight.size)), len(u))
        yield _Pair.of(p1, p2, t[i], u[j], weight[i * len(u) + j])


@dataclass(frozen=True, eq=False)
class _Pair:
    """P pairs of times at which the last labels of two coders' sets arrive.

    ``f1``, ``a1``, ``h1`` (K, P): a label has not arrived for the first coder, has arrived, or
    does so now. A state (2, 2, m1 + 1, m2 + 1, R + 1, P) says how probable it is that, of the
    labels so far, one was the last to arrive for the first coder, one for the second, and that
    so many are in the first set, in the second, and in both.
    """

    p: tuple[Floats, Floats]
    t: tuple[Floats, Floats]
    weight: Floats
    f1: Floats
    a1: Floats
    h1: Floats
    f2: Floats
    a2: Floats
    h2: Floats

    @classmethod
    def of(cls, p1: Floats, p2: Floats, t: Floats, u: Floats, weight: Floats) -> _Pair:
        parts = []
        for p, time in ((p1, t), (p2, u)):
            rate = np.outer(p, time)
            f = np.exp(-rate)
            parts += [f, -np.expm1(-rate), p[:, None] * f]
        return cls((p1, p2), (t, u), weight, *parts)

    def start(self, most: tuple[int, int], last: int) -> Floats:
        """The state before the first label."""
        state = np.zeros((2, 2, most[0] + 1, most[1] + 1, last + 1, len(self.weight)))
        state[0, 0, 0, 0, 0] = 1
        return state

    def next(self, state: Floats, k: int) -> Floats:
        """The state with label k."""
        either, both = self._second(state, k)
        either *= self.f1[k]
        either[:, :, 1:] += self.a1[k] * both[:, :, :-1]
        either[1, :, 1:] += self.h1[k] * both[0, :, :-1]
        return either

    def _second(self, state: Floats, k: int) -> tuple[Floats, Floats]:
        """The state after the second coder, if the first coder's set lacks label k or holds it."""
        held = np.zeros(state.shape)
        np.multiply(state[:, :, :, :-1], self.a2[k], out=held[:, :, :, 1:])
        held[:, 1, :, 1:] += self.h2[k] * state[:, 0, :, :-1]
        lacked = state * self.f2[k]
        lacks = lacked + held
        lacked[..., 1:, :] += held[..., :-1, :]
        return lacks, lacked

    def previous(self, of: Floats, state: Floats, k: int) -> tuple[Floats, tuple[Any, Any]]:
        """`next` the other way round: what multiplies the state without label k; both slopes."""
        lacks, holds = self._second(state, k)
        of_f1 = _dot(of, lacks)
        of_a1 = _dot(of[:, :, 1:], holds[:, :, :-1])
        of_h1 = _dot(of[1, :, 1:], holds[0, :, :-1])
        of_lacked = np.zeros(of.shape)  # what multiplies `holds`, then f2 state
        np.multiply(of[:, :, 1:], self.a1[k], out=of_lacked[:, :, :-1])
        of_lacked[0, :, :-1] += self.h1[k] * of[1, :, 1:]
        of_held = of * self.f1[k]
        of_lacked_all = of_lacked + of_held
        of_held[..., :-1, :] += of_lacked[..., 1:, :]
        of_f2 = _dot(of_lacked_all, state)
        of_a2 = _dot(of_held[:, :, :, 1:], state[:, :, :, :-1])
        of_h2 = _dot(of_held[:, 1, :, 1:], state[:, 0, :, :-1])
        before = of_lacked_all
        before *= self.f2[k]
        before[:, :, :, :-1] += self.a2[k] * of_held[:, :, :, 1:]
        before[:, 0, :, :-1] += self.h2[k] * of_held[:, 1, :, 1:]
        moves = (
            self._by_rate(0, of_f1, of_a1, of_h1, self.f1[k], k),
            self._by_rate(1, of_f2, of_a2, of_h2, self.f2[k], k),
        )
        return before, moves

    def _by_rate(
        self, coder: int, of_f: Floats, of_a: Floats, of_h: Floats, f: Floats, k: int
    ) -> Any:
        t, p = self.t[coder], self.p[coder][k]
        return (f * (t * (of_a - of_f) + of_h * (1 - p * t))).sum()


def _dot(a: Floats, b: Floats) -> Floats:
    """(P,) the sum of products over all but the last axis."""
    axes = "abcde"[: a.ndim - 1]
    return np.asarray(np.einsum(f"{axes}z,{axes}z->z", a, b))
