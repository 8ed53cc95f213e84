"""Sets drawn without replacement, by enumeration: how probable each set of labels is.

A coder draws labels one after another, each with probability proportional to its share among the
labels left. The probability that the first s labels drawn are the set A follows from the sets
that lack one label of A,

    G(A) = sum over j in A of G(A without j) p_j / (1 - p(A without j)),

level by level over all sets of at most m labels. That a set B is *included* in the s labels
drawn is the sum over the sets of s labels that hold B. All terms are positive and 1 - p(A) is
added up from the other shares, so that results are accurate to rounding however skewed shares are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb

import numpy as np

from ..arrays import Floats, Ints

__all__ = ["Level", "inclusion", "inclusion_slope", "levels", "n_subsets"]


@dataclass(frozen=True, eq=False)
class Level:
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
def levels(n_labels: int, most: int) -> tuple[Level, ...]:
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


def _level(members: Ints, without: Ints, above: tuple[Ints, Ints] | None) -> Level:
    if above is None:
        nothing = np.zeros((len(members), 0), np.intp)
        return Level(members, without, nothing, nothing, np.zeros((0, 0)))
    larger, lacking = above
    order = np.argsort(lacking, axis=None, kind="stable")
    shape = (len(members), -1)
    others = larger.ravel()[order].reshape(shape)
    joined = (order // larger.shape[1]).reshape(shape)
    outside = np.zeros((others.shape[0], int(larger.max()) + 1))
    np.put_along_axis(outside, others, 1.0, 1)
    return Level(members, without, others, joined, np.ascontiguousarray(outside.T))


def _exact(p: Floats, every: tuple[Level, ...]) -> tuple[list[Floats], list[Floats], list[Floats]]:
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


def _over_supersets(x: Floats, level: Level) -> Floats:
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


def _pull_on_sets(s: int, every: tuple[Level, ...], pull: Sequence[Floats]) -> Floats:
    """(N, n) what G of each set of s labels is multiplied by: `inclusion` the other way round."""
    total = pull[0][:, s - 1]
    for b in range(2, s + 1):
        subsets = sum(total[:, lacking] for lacking in every[b - 1].without.T)
        total = np.asarray(subsets) / (s - b + 1)
        if b <= len(pull):
            total = total + pull[b - 1][:, s - b]
    return total
