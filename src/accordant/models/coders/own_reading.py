"""Whether schools read items in ways of their own, or one of them is only less sure of the same.

Coders who guess where items are hard agree less with careful ones than these do with each other.
That is no reading of their own: where the two give different labels, they do not agree among
themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..votes import Votes

__all__ = ["own_readings"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

LEVEL = 0.1  # for each school, besides the test of all of them
CLEARER = 0.01  # the same for a small gap, which careful coders and guessing ones make too
SMALL = 0.1  # gap of kappa: where a third of the items is hard to half of the coders, .05 to .11


def own_readings(votes: Votes, of: Ints, gap: float) -> NDArray[np.bool_]:
    """(G,) whether each school agrees within on the items that it labels differently from others.

    Parameters
    ----------
    votes : Votes
    of : ndarray of int
        (C,) the school of each coder, -1 for none.
    gap : float
        The least difference of the mean kappa within a school and with another one.

    Notes
    -----
    Of a coder and another school, those items count where most of the coder's own school, the coder
    left out, gave another label than most of the other school. There the coder takes the side of
    the own school in more than half of the cases, if that has a reading: who guesses takes either
    side, and who knows better that of the others. Each other school is compared by itself; items
    vary independently.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> rows = ["aaaabbbb", "aaaabbbb", "aaaabbbb", "aabbaabb", "aabbaabb", "aabbaabb"]
    >>> of = np.array([0, 0, 0, 1, 1, 1])
    >>> own_readings(votes(read([list(row) for row in rows])), of, 0.2).tolist()
    [True, True]
    >>> rows[3:] = ["aaaaaabb", "aaaabbaa", "aabbbbbb"]
    >>> own_readings(votes(read([list(row) for row in rows])), of, 0.2).tolist()
    [False, False]
    """
    schools = range(int(of.max(initial=-1)) + 1)
    parts = [votes.without(of[votes.coder] != g) for g in schools]
    most = [_most(part.counts, np.arange(votes.n_items)) for part in parts]
    level = LEVEL if gap >= SMALL else CLEARER
    own = []
    for g, part in enumerate(parts):
        rest = _most(part.counts, part.item, part.label, part.times)  # (N of g,)
        sides = [_sides(part, rest, most[h][part.item]) for h in schools if h != g]
        own.append(all(p <= level for p in sides))
    return np.array(own, bool)


def _most(
    counts: Floats, item: Ints, label: Ints | None = None, times: Floats | float = 1.0
) -> Ints:
    """(n,) the category with most votes for each item, one label taken out; -1 for a tie or none.

    Categories are gone through one by one: a table of all annotations would be large.
    """
    most, top = np.full(len(item), -1), np.zeros(len(item))
    for k in range(counts.shape[1]):
        n = counts[item, k] - (0.0 if label is None else times * (label == k))
        most = np.where(n > top, k, np.where((n == top) & (n > 0), -1, most))
        top = np.maximum(top, n)
    return most


def _sides(part: Votes, rest: Ints, other: Ints) -> float:
    """One-sided p-value: how rarely coders would side so much with their own school."""
    from scipy.special import stdtr

    at = np.flatnonzero((rest >= 0) & (other >= 0) & (rest != other))
    label = part.label[at]
    side = (label == rest[at]).astype(float) - (label == other[at])
    of_item = np.bincount(part.item[at], side)
    of_item = of_item[np.bincount(part.item[at]) > 0]
    spread = float((of_item**2).sum())
    if len(of_item) < 2 or spread == 0:
        return 1.0
    return float(stdtr(len(of_item) - 1, -float(of_item.sum()) / np.sqrt(spread)))
