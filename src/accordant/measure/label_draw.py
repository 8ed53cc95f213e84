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

`sum_of_pairs` takes the coders one by one, each with the sets of the own labels: exact to about
1e-13; from sets of ten labels on, enumeration loses a digit for every three labels more. Who can
draw more than 100,000 sets is simulated as in the paper.

How probable each set is follows by enumeration. The probability that the first s labels drawn are
the set A follows from the sets that lack one label of A,

    G(A) = sum over j in A of G(A without j) p_j / (1 - p(A without j)),

level by level over all sets of at most m labels. That a set B is *included* in the s labels
drawn is the sum over the sets of s labels that hold B. All terms are positive and 1 - p(A) is
added up from the other shares, so that results are accurate to rounding however skewed shares are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Bools, Floats, Ints
from ..errors import RequestError
from .registry import Progress
from .sets import Score, Terms

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


# ------------------------------------------------------------------ sets, by enumeration


@dataclass(frozen=True, eq=False)
class SubsetFamily:
    """All n sets of b out of K labels.

    ``members`` (n, b) their labels, ascending; ``without`` (n, b) the number of the set of b - 1
    labels that lacks that member; ``others`` (n, K - b) the labels that a set does not hold and
    ``joined`` (n, K - b) the number of the set of b + 1 labels that holds them too; ``outside``
    (K, n) 1 where a set does not hold a label. The last level has no larger sets.
    """

    members: Ints
    without: Ints
    others: Ints
    joined: Ints
    outside: Floats


def n_subsets(n_labels: int, most: int) -> int:
    """Number of sets of 1 to ``most`` labels.

    Examples
    --------
    >>> n_subsets(19, 2)
    190
    """
    return sum(comb(n_labels, b) for b in range(1, most + 1))


@lru_cache(maxsize=4)
def levels(n_labels: int, most: int) -> tuple[SubsetFamily, ...]:
    """The sets of 1, 2, ... ``most`` labels, each level ordered by its last label.

    Examples
    --------
    >>> levels(3, 2)[1].members.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    members = [np.arange(n_labels)[:, None]]
    for b in range(2, most + 1):
        smaller = members[-1]
        # The sets whose last label is l: every smaller set of labels before l comes first.
        number = [comb(last, b - 1) for last in range(n_labels)]
        before = np.concatenate([np.arange(n) for n in number])
        members.append(np.column_stack([smaller[before], np.repeat(np.arange(n_labels), number)]))
    without = [_lacking_one(found, n_labels) for found in members]
    return tuple(
        _level(found, lacking, above)
        for found, lacking, above in zip(
            members, without, [*zip(members[1:], without[1:], strict=True), None], strict=True
        )
    )


def _lacking_one(members: Ints, n_labels: int) -> Ints:
    """(n, b) number of the set that lacks one member: the sum of C(label, place) over the rest."""
    n, b = members.shape
    if b == 1:
        return np.zeros((n, 1), np.intp)
    table = np.array([[comb(k, place) for place in range(b + 1)] for k in range(n_labels)])
    places = np.arange(b)
    same = table[members, places + 1]  # for members before the one that lacks
    moved = table[members, places]  # for members after it
    before = np.cumsum(same, 1) - same
    after = moved.sum(1, keepdims=True) - np.cumsum(moved, 1)
    return np.asarray(before + after, np.intp)


def _level(members: Ints, without: Ints, above: tuple[Ints, Ints] | None) -> SubsetFamily:
    if above is None:
        nothing = np.zeros((len(members), 0), np.intp)
        return SubsetFamily(members, without, nothing, nothing, np.zeros((0, 0)))
    larger, lacking = above
    order = np.argsort(lacking, axis=None, kind="stable")
    shape = (len(members), -1)
    others = larger.ravel()[order].reshape(shape)
    joined = (order // larger.shape[1]).reshape(shape)
    outside = np.zeros((others.shape[0], int(larger.max()) + 1))
    np.put_along_axis(outside, others, 1.0, 1)
    return SubsetFamily(members, without, others, joined, np.ascontiguousarray(outside.T))


def _exact(
    p: Floats, every: tuple[SubsetFamily, ...]
) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """For each level G (N, n), and for all but the last G / (1 - p) and 1 / (1 - p)."""
    G, per_rest, inverse = [p], [], []
    for level, larger in pairwise(every):
        rest = p @ level.outside
        # Nothing is left to draw: sets beyond it have probability 0.
        inverse.append(np.divide(1, rest, out=np.zeros(rest.shape), where=rest > 0))
        per_rest.append(G[-1] * inverse[-1])
        found = np.zeros((len(p), len(larger.members)))
        for lacking, last in zip(larger.without.T, larger.members.T, strict=True):
            found += per_rest[-1][:, lacking] * p[:, last]
        G.append(found)
    return G, per_rest, inverse


def inclusion(p: Floats, most: int, degree: int) -> list[Floats]:
    """Probability that the s labels drawn include a set of b labels.

    Parameters
    ----------
    p : ndarray
        (N, K) shares of the labels, each row with sum 1.
    most : int
        Largest number of labels drawn.
    degree : int
        Largest b that is wanted, at most ``most``.

    Returns
    -------
    list of ndarray
        For b = 1 ... degree (N, most - b + 1, n): drawing s = b ... most labels, every set of b.

    Examples
    --------
    >>> inclusion(np.array([[0.5, 0.25, 0.25]]), 2, 1)[0][0].round(4)
    array([[0.5   , 0.25  , 0.25  ],
           [0.8333, 0.5833, 0.5833]])
    """
    every = levels(p.shape[1], most)
    G, _, _ = _exact(p, every)
    found = [
        np.zeros((len(p), most - b + 1, len(every[b - 1].members))) for b in range(1, degree + 1)
    ]
    for s in range(1, most + 1):
        included = G[s - 1]
        for b in range(s, 0, -1):
            if b < s:
                included = _over_supersets(included, every[b - 1]) / (s - b)
            if b <= degree:
                found[b - 1][:, s - b] = included
    return found


def _over_supersets(x: Floats, level: SubsetFamily) -> Floats:
    """(N, n) sums of x over the sets with one label more."""
    total = np.zeros((len(x), len(level.members)))
    for joined in level.joined.T:
        total += x[:, joined]
    return total


def inclusion_slope(p: Floats, most: int, pull: Sequence[Floats]) -> Floats:
    """How shares move a sum of inclusion probabilities.

    Parameters
    ----------
    p : ndarray
        (N, K) shares of the labels, each row with sum 1.
    most : int
        Largest number of labels drawn.
    pull : sequence of ndarray
        What each number that `inclusion` returns is multiplied by in the sum.

    Returns
    -------
    ndarray
        (N, K) derivative of each row's sum with respect to its shares, for moves that keep their
        total.
    """
    every = levels(p.shape[1], most)
    _, per_rest, inverse = _exact(p, every)
    of_G = [_pull_on_sets(s, every, pull) for s in range(1, most + 1)]
    slope = np.zeros(p.shape)
    for b in range(most - 1, 0, -1):  # from G of b + 1 labels to G of b labels
        level = every[b - 1]
        of_per_rest = np.zeros(per_rest[b - 1].shape)
        for joined, label in zip(level.joined.T, level.others.T, strict=True):
            above = of_G[b][:, joined]
            of_per_rest += above * p[:, label]
            for row, x in enumerate(above * per_rest[b - 1]):
                slope[row] += np.bincount(label, x, p.shape[1])
        of_rest = -of_per_rest * per_rest[b - 1] * inverse[b - 1]
        slope += of_rest @ level.outside.T
        of_G[b - 1] = of_G[b - 1] + of_per_rest * inverse[b - 1]
    return slope + of_G[0]


def _pull_on_sets(s: int, every: tuple[SubsetFamily, ...], pull: Sequence[Floats]) -> Floats:
    """(N, n) what G of each set of s labels is multiplied by: `inclusion` the other way round."""
    total = pull[0][:, s - 1]
    for b in range(2, s + 1):
        subsets = sum(total[:, lacking] for lacking in every[b - 1].without.T)
        total = np.asarray(subsets) / (s - b + 1)
        if b <= len(pull):
            total = total + pull[b - 1][:, s - b]
    return total


# ------------------------------------------------------------------ own labels of each coder
#
# A crowd gives many labels, and each of its coders few. All sets of the crowd's labels for each
# coder would fill gigabytes; here coders come group by group, those who give the same labels with
# the sets of these labels, and meet the running sums of those who came before.

Part: TypeAlias = tuple[int, Ints | slice, Floats, Floats]

MOST_KEPT = 1_000_000  # numbers of all coders together, of which inclusion is kept
CELLS = 200_000  # numbers of one array held at a time: they stay in the cache


def n_own_sets(p: Floats, q: Floats) -> Ints:
    """(C,) how many sets each coder can draw, from shares (N, C, K) and sizes (N, C, S + 1).

    Examples
    --------
    >>> n_own_sets(np.array([[[0.5, 0.5, 0, 0]]]), np.array([[[0, 0.5, 0.5]]]))
    array([3])
    """
    return np.array([n_subsets(*of) for of in zip(*_supports(p, q), strict=True)], np.int64)


def _supports(p: Floats, q: Floats) -> tuple[list[int], list[int]]:
    """For each coder the number of labels that the coder gives, and the largest set of them."""
    given, drawn = np.count_nonzero(p.any(0), axis=1), np.asarray(q.any(0))
    largest = np.where(drawn.any(1), drawn.shape[1] - 1 - np.argmax(drawn[:, ::-1], axis=1), 0)
    return given.tolist(), np.minimum(given, largest).tolist()


@dataclass(frozen=True, eq=False)
class SameDraws:
    """G ``coders`` who give the same k ``labels`` and draw up to ``most`` of them.

    ``sets`` for b = 1 ... (n,): where the sets of b of their labels stand among all.
    """

    coders: Ints
    labels: Ints
    most: int
    sets: Sequence[Ints | slice]

    @property
    def cells(self) -> int:
        """How many numbers the group takes in a sample."""
        n = n_subsets(len(self.labels), self.most)
        return len(self.coders) * max(n, 1) * (self.most + 1)

    def parts(self, p: Floats, q: Floats) -> Iterator[Part]:
        """For b = 0, 1 ... b, the sets, how probably each is in a draw, and how often that size is.

        From shares (N, C, K) and sizes (N, C, S + 1); the latter two (N, G, sizes, n or 1).
        """
        shares, sizes = p[:, self.coders].take(self.labels, -1), q[:, self.coders]
        rows = shares.reshape(len(p) * len(self.coders), len(self.labels))
        found = inclusion(rows, self.most, len(self.sets)) if self.sets else []
        yield 0, slice(None), np.ones((*sizes.shape, 1)), sizes[..., None]
        for b, (sets, x) in enumerate(zip(self.sets, found, strict=True), 1):
            included = x.reshape(*shares.shape[:2], *x.shape[1:])
            yield b, sets, included, sizes[..., b : b + x.shape[1], None]

    def slope(self, p: Floats, pull: Sequence[Floats]) -> Floats:
        """(G, k) how shares (C, K) move a sum in which ``pull`` multiplies `parts` from b = 1."""
        return inclusion_slope(p[self.coders].take(self.labels, -1), self.most, pull)


def _groups(terms: Terms, p: Floats, q: Floats) -> tuple[list[SameDraws], list[int]]:
    """The coders with annotations in groups, and how many sets of 0, 1 ... labels there are.

    All are one group where sets are not needed, or where somebody is first.
    """
    n_labels, g = p.shape[2], terms.by_degree
    together = terms.degree <= 1 or not np.array_equal(g, g.swapaxes(0, 1))
    members: dict[tuple[int, ...], list[int]] = {}
    for c, most in enumerate(_supports(p, q)[1]):
        kind = *np.flatnonzero(p[:, c].any(0)).tolist(), most
        if q[:, c].any():
            members.setdefault((*range(n_labels), terms.most) if together else kind, []).append(c)
    kinds = sorted(members, key=lambda kind: (len(kind), kind[-1]))  # those of one size in turn
    degrees = range(1, terms.degree + 1)
    below = np.array([[comb(k, b) for b in degrees] for k in range(n_labels)])
    numbers = [_numbers(np.array(x, int), most, below) for *x, most in kinds]
    none = np.zeros(0, int)
    each = [[own[b] for own in numbers if len(own) > b] for b in range(terms.degree)]
    every = [x[0] if len(x) == 1 else np.unique(np.concatenate([none, *x])) for x in each]
    groups = []
    for kind, own in zip(kinds, numbers, strict=True):
        sets = [
            slice(None) if len(x) == len(all_of_b) else np.searchsorted(all_of_b, x)
            for x, all_of_b in zip(own, every, strict=False)
        ]
        whole = SameDraws(np.array(members[kind]), np.array(kind[:-1], int), kind[-1], sets)
        n = min(-(-whole.cells // MOST_KEPT), len(whole.coders))
        parts = np.array_split(whole.coders, n)
        groups += [replace(whole, coders=coders) for coders in parts]
    return groups, [1, *map(len, every)]


def _numbers(labels: Ints, most: int, below: Ints) -> list[Ints]:
    """For b = 1 ... (n,) the sets of b of some labels, numbered among those of all labels.

    ``below`` (K, b) is the number of sets of so many of the labels before each label.
    """
    found: list[Ints] = [np.zeros(1, np.int64)]
    for level, n in zip(levels(len(labels), most) if most else (), below.T, strict=False):
        found.append(found[-1][level.without[:, -1]] + n[labels[level.members[:, -1]]])
    return found[1:]


def sum_of_pairs(terms: Terms, p: Floats, q: Floats) -> Floats:
    """(N,) sum of the expected scores of all pairs of coders c < d.

    Parameters
    ----------
    terms : Terms
    p, q : ndarray
        (N, C, K) shares of the labels and (N, C, S + 1) of the sizes, in N samples; a coder without
        sizes is left out.
    """
    groups, n_sets = _groups(terms, p, q)
    cells = max([sum(n_sets) * q.shape[2], *(group.cells for group in groups)])
    step = max(1, CELLS // cells)
    total = np.zeros(len(p))
    for at in range(0, len(p), step):
        some = slice(at, at + step)
        total[some] = _sum(terms, groups, n_sets, p[some], q[some])
    return total


def _sum(
    terms: Terms, groups: Sequence[SameDraws], n_sets: Sequence[int], p: Floats, q: Floats
) -> Floats:
    total, before = np.zeros(len(p)), _nothing(n_sets, q)
    for group in groups:
        for b, sets, included, size in group.parts(p, q):
            given, own = included * size, slice(included.shape[2])
            g = terms.by_degree[b:, b:, b]
            if len(group.coders) > 1:
                earlier = given[:, :1] if given.shape[1] == 2 else np.cumsum(given[:, :-1], 1)
                within = (earlier @ given[:, 1:].swapaxes(-1, -2)).sum(1)  # (N, sizes, sizes)
                total += (within * g[own, own]).sum((-1, -2))
            if len(groups) > 1:
                whole = given.sum(1)
                across = before[b][..., sets] @ whole.swapaxes(-1, -2)  # (N, sizes, own sizes)
                total += (across * g[:, own]).sum((-1, -2))
                before[b][:, own, sets] += whole
    return total


def _nothing(n_sets: Sequence[int], q: Floats) -> list[Floats]:
    """For b = 0, 1 ... zeros (N, S - b + 1, sets of b labels)."""
    return [np.zeros((len(q), q.shape[2] - b, n)) for b, n in enumerate(n_sets)]


def sum_of_pairs_slope(terms: Terms, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Slopes (C, K) and (C, S + 1) of the sum over all pairs of coders."""
    one = p[None], q[None]
    groups, n_sets = _groups(terms, *one)
    kept = sum(group.cells for group in groups) <= MOST_KEPT
    each = [list(x.parts(*one)) if kept else [] for x in groups]
    before, after = _nothing(n_sets, one[1]), _nothing(n_sets, one[1])
    for group, parts in zip(groups, each, strict=True):
        for b, sets, included, size in parts or group.parts(*one):
            after[b][:, : included.shape[2], sets] += (included * size).sum(1)
    of_p, of_q = np.zeros(p.shape), np.zeros(q.shape)
    for group, parts in zip(groups, each, strict=True):
        pull = []
        for b, sets, included, size in parts or group.parts(*one):
            own, g = slice(included.shape[2]), terms.by_degree[b:, b:, b]
            given = included * size
            earlier = np.cumsum(given, 1) - given
            whole = given[:, -1] + earlier[:, -1]
            after[b][:, own, sets] -= whole
            of_others = g[own] @ after[b][..., sets] + g.T[own] @ before[b][..., sets]
            of_given = of_others[:, None] + g.T[own, own] @ earlier
            of_given += g[own, own] @ (whole[:, None] - earlier - given)
            before[b][:, own, sets] += whole
            of_q[group.coders, b : b + included.shape[2]] += (of_given * included)[0].sum(-1)
            pull.append((of_given * size)[0])
        if len(pull) > 1:
            of_p[group.coders[:, None], group.labels] = group.slope(p, pull[1:])
    return of_p, of_q
