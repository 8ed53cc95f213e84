"""Label draw: how much coders agree who draw a number of labels and then so many labels.

The chance of Marchal et al. (2022, section 3.2). For an item each coder, independently of the
others, draws the size s of a label set from how often the coder gives sets of each size, then s
labels one after another, without replacement, each with probability proportional to the coder's
share of it among the labels left. The paper simulates such coders; this is the exact expectation.

How much two sets agree, f(s1, s2, r), follows from their sizes and the number r of labels in
both. Written with binomial coefficients, f = sum over b of g(s1, s2, b) C(r, b), the expectation
needs only how probably each coder's set includes each set B of b labels,

    E f = sum over s1, s2, b of g(s1, s2, b) q1(s1) q2(s2) sum over B of P1(B | s1) P2(B | s2),

which is a product of one number per coder: the mean over all pairs of coders is one sum over
coders. Precision, recall, F1 and the divided vote need single labels only (b <= 1).

`subsets` takes the coders one by one, each with the sets of the own labels: exact to about 1e-13;
from sets of ten labels on, enumeration loses a digit for every three labels more. Who can draw more
than 100,000 sets is simulated as in the paper.
"""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Bools, Floats
from ..errors import RequestError
from .registry import Progress
from .sets import Score, Terms
from .subsets import n_own_sets, sum_of_pairs, sum_of_pairs_slope

__all__ = ["expected_score", "expected_score_slope", "few_sets", "simulated_score"]

MOST_SETS = 100_000  # that a coder can draw; of more, expected agreement is simulated
DRAWN = 1_000_000  # numbers held at a time where sets are drawn
SIMULATED = 200_000  # sets of each coder, where expected agreement is simulated unasked


def few_sets(shares: ArrayLike, sizes: ArrayLike) -> bool:
    """Whether coders can draw so few sets that their agreement is computed exactly."""
    p, q, _, _ = _read(shares, sizes)
    return bool(n_own_sets(p, q).max(initial=0) <= MOST_SETS)


def expected_score(score: Score, shares: ArrayLike, sizes: ArrayLike) -> Floats:
    """Expected agreement of coders who draw their labels: the mean over pairs of coders.

    Parameters
    ----------
    score : callable
        Weight of two label sets, given the size of the first coder's, the size of the second's,
        and of their intersection: elementwise on arrays.
    shares : array_like
        (..., C, K) how often each coder gave each label; counts or shares. Leading axes are
        resamples.
    sizes : array_like
        (..., C, S + 1) how often each coder gave 0, 1, ... S labels; counts or shares. A coder
        with no annotation at all (lost in a resample) does not count.

    Returns
    -------
    ndarray
        (...) mean over pairs of coders c < d, c being the first; NaN with fewer than two coders,
        and in resamples of coders who can draw too many sets.

    Raises
    ------
    RequestError
        If a coder would draw more labels than have a positive share (not checked in resamples).

    Notes
    -----
    Marchal et al. (2022), section 3.2, exact instead of simulated.

    Examples
    --------
    Five categories, two labels each: 1 - C(3, 2) / C(5, 2).

    >>> from accordant.measure.sets import SCORES
    >>> shares, sizes = [[1, 1, 1, 1, 1]] * 2, [[0, 0, 1]] * 2
    >>> expected_score(SCORES["overlap"], shares, sizes).round(12)
    np.float64(0.7)
    """
    p, q, n_coders, lead = _read(shares, sizes)
    if n_own_sets(p, q).max(initial=0) <= MOST_SETS:
        total = sum_of_pairs(Terms(score, q.shape[-1] - 1), p, q)
        return _mean(total, n_coders).reshape(lead)
    if lead:
        return np.full(lead, np.nan)
    rng = np.random.default_rng(0)
    return np.asarray(simulated_score(score, shares, sizes, SIMULATED, 1, rng)[0])


def expected_score_slope(
    score: Score, shares: ArrayLike, sizes: ArrayLike
) -> tuple[Floats, Floats]:
    """How expected agreement moves with the habits of each coder.

    Parameters
    ----------
    score, shares, sizes
        As in `expected_score`, without leading axes: (C, K) and (C, S + 1).

    Returns
    -------
    tuple of ndarray
        (C, K) derivatives with respect to the shares (of sum 1 for each coder) and (C, S + 1)
        to the distribution of sizes. Moves that change the sum do not count: the mean of a row,
        weighted by the coder's shares, is zero. Labels and sizes that the coder never gave have 0.

    Examples
    --------
    A second label of the first coder makes overlap with the second coder's only label likelier.

    >>> from accordant.measure.sets import SCORES
    >>> shares, sizes = [[3, 1], [1, 0]], [[0, 3, 1], [0, 1, 0]]
    >>> expected_score_slope(SCORES["overlap"], shares, sizes)[1][0].round(4)
    array([ 0.    , -0.0625,  0.1875])
    """
    by_label, by_size = np.asarray(shares, float), np.asarray(sizes, float)
    p, q, n_coders, _ = _read(by_label, by_size)
    if n_own_sets(p, q).max(initial=0) <= MOST_SETS:
        of_p, of_q = sum_of_pairs_slope(Terms(score, q.shape[-1] - 1), p[0], q[0])
    else:
        of_p, of_q = _simulated_slope(score, p[0], q[0])
    n_pairs = n_coders * (n_coders - 1) / 2
    scale = 1 / n_pairs[0] if n_pairs[0] else np.nan
    slopes = np.zeros(by_label.shape), np.zeros(by_size.shape)
    slopes[0][:, by_label.any(0)] = scale * np.where(p[0] > 0, _along(of_p, p[0]), 0)
    slopes[1][:, : q.shape[-1]] = scale * np.where(q[0] > 0, _along(of_q, q[0]), 0)
    return slopes


def _simulated_slope(score: Score, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Slopes (C, K) and (C, S + 1) of the sum over all pairs of coders, from drawn sets.

    A label arrives after an exponential time with rate p; the derivative of the logarithm of its
    density by p is 1 / p less the time.
    """
    rng, known = np.random.default_rng(0), np.flatnonzero(q.any(-1))
    step = max(1, DRAWN // p.size)
    of_p, of_q, n = np.zeros(p.shape), np.zeros(q.shape), -(-SIMULATED // step)
    for _ in range(n):
        drawn = {c: _drawn(p[c], q[c], step, rng) for c in known.tolist()}
        agreed = {c: np.zeros(step) for c in drawn}
        for c, d in combinations(drawn, 2):
            both = np.count_nonzero(drawn[c].members & drawn[d].members, axis=0)
            found = score(drawn[c].size, drawn[d].size, both)
            agreed[c], agreed[d] = agreed[c] + found, agreed[d] + found
        for c, own in drawn.items():
            with np.errstate(divide="ignore", invalid="ignore"):
                of_p[c] += np.nan_to_num((1 - own.arrival) @ agreed[c] / p[c]) / (n * step)
                of_q[c] += np.nan_to_num(np.bincount(own.size, agreed[c], q.shape[1]) / q[c]) / (
                    n * step
                )
    return of_p, of_q


# ------------------------------------------------------------------ what is given


def _read(shares: ArrayLike, sizes: ArrayLike) -> tuple[Floats, Floats, Floats, tuple[int, ...]]:
    """Shares (N, C, K), sizes (N, C, S + 1), coders with annotations (N,), and the leading axes.

    Without the labels that nobody gave and the sizes beyond the largest that occurs.
    """
    p, q = np.asarray(shares, float), np.asarray(sizes, float)
    if p.ndim < 2 or q.ndim != p.ndim or p.shape[:-1] != q.shape[:-1]:
        raise RequestError(
            f"shares (..., coders, labels) {p.shape} and sizes (..., coders, sizes) {q.shape} do "
            "not fit"
        )
    lead = p.shape[:-2]
    p, q = (x.reshape(prod(lead), *x.shape[-2:]) for x in (p, q))
    p = p[..., p.any((0, 1))]
    q = q[..., : int(np.flatnonzero(q.any((0, 1))).max(initial=0)) + 1]
    if not lead:
        _check(p[0], q[0])
    present = np.asarray(q.any(-1).sum(-1), float)
    return _normalised(p), _normalised(q), present, lead


def _check(p: Floats, q: Floats) -> None:
    for name, x in (("shares", p), ("sizes", q)):
        if not np.isfinite(x).all() or (x < 0).any():
            raise RequestError(f"{name} must be numbers that are not negative")
    largest = q.shape[-1] - 1 - np.argmax(q[:, ::-1] > 0, axis=-1)
    for c in np.flatnonzero(q.any(-1) & (largest > np.count_nonzero(p, axis=-1))):
        raise RequestError(
            f"coder {c + 1} cannot draw {largest[c]} different labels: "
            f"only {np.count_nonzero(p[c])} have a positive share"
        )


def _normalised(x: Floats) -> Floats:
    total = x.sum(-1, keepdims=True)
    return np.asarray(x / np.where(total > 0, total, 1))


def _along(slope: Floats, x: Floats) -> Floats:
    """The slope for moves that leave the sum of each row of ``x`` as it is."""
    return np.asarray(slope - (slope * x).sum(-1, keepdims=True))


def _mean(total: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(n > 1, total / (n * (n - 1) / 2), np.nan))


# ------------------------------------------------------------------ simulated


def simulated_score(
    score: Score,
    shares: ArrayLike,
    sizes: ArrayLike,
    n_items: int,
    n_draws: int,
    rng: np.random.Generator,
    progress: Progress = None,
) -> Floats:
    """Agreement of coders who draw their labels, simulated: to confirm `expected_score`.

    Parameters
    ----------
    score, shares, sizes
        As in `expected_score`, without leading axes: (C, K) and (C, S + 1).
    n_items : int
        Items of a simulated data set.
    n_draws : int
        Simulated data sets.
    rng : Generator
        Source of randomness; the same state gives an equal result.
    progress : callable, optional
        Called with the number of data sets done, and all.

    Returns
    -------
    ndarray
        (n_draws,) mean score over the items of each data set and over the pairs of coders;
        NaN with fewer than two coders.

    Examples
    --------
    >>> from accordant.measure.sets import SCORES
    >>> shares, sizes = [[1, 1, 1, 1, 1]] * 2, [[0, 0, 1]] * 2
    >>> drawn = simulated_score(
    ...     SCORES["overlap"], shares, sizes, 500, 200, np.random.default_rng(1)
    ... )
    >>> drawn.shape, bool(abs(drawn.mean() - 0.7) < 0.01)
    ((200,), True)
    """
    p, q, n_coders, _ = _read(np.asarray(shares, float), np.asarray(sizes, float))
    present = q[0].any(-1)
    p, q = p[0, present], q[0, present]
    n, total = n_items * n_draws, np.zeros(n_draws)
    step = max(1, DRAWN // max(p.size, 1))
    for at in range(0, n, step):
        item = np.arange(at, min(at + step, n))
        weight = np.zeros(len(item))
        drawn = [_drawn(*habits, len(item), rng) for habits in zip(p, q, strict=True)]
        for one, other in combinations(drawn, 2):
            both = np.count_nonzero(one.members & other.members, axis=0)
            weight += score(one.size, other.size, both)
        first = at // n_items
        found = np.bincount(item // n_items - first, weight)
        total[first : first + len(found)] += found
        if progress:
            progress(int(item[-1] + 1) // n_items, n_draws)
    return _mean(total / max(n_items, 1), n_coders)


class _Drawn(NamedTuple):
    """Sizes (n,) and members (K, n) of n label sets; (K, n) arrivals in units of their mean."""

    size: NDArray[np.intp]
    members: Bools
    arrival: Floats


def _drawn(p: Floats, q: Floats, n: int, rng: np.random.Generator) -> _Drawn:
    """Label sets of one coder.

    The labels race: exponential times with the shares as rates, and the first s are drawn.
    """
    size = rng.choice(len(q), n, p=q)
    standard = rng.standard_exponential((len(p), n))
    with np.errstate(divide="ignore"):
        arrival = standard * (1 / p)[:, None]
    latest = np.full((len(q), n), np.inf)  # the first, second ... arrival
    latest[0] = -np.inf
    for time in arrival:
        for rank in latest[1:]:
            earlier = np.minimum(rank, time)
            time = np.maximum(rank, time)
            rank[:] = earlier
    return _Drawn(size, arrival <= latest[size, np.arange(n)], standard)
