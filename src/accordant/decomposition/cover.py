"""The shortest way to say a set of values as one condition or another: 'a, or b without c'."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_STEPS", "shortest_cover"]

MOST_STEPS = 600
"""Choices that are tried; only rules too long to be read need more, and may be longer still."""


def shortest_cover(
    wanted: int, where: NDArray[np.uint64], length: NDArray[np.int64], below: int
) -> tuple[int, list[int]] | None:
    """Conditions of the least total length that together hold for just the wanted values.

    The minimal form of a Boolean function after Quine (1952) and McCluskey (1956): a value that
    nobody gave is neither wanted nor unwanted, and a condition may be any that holds for no
    unwanted value. Branch and bound on the value with the fewest conditions.

    Parameters
    ----------
    wanted : int
        The values as bits.
    where : ndarray of uint64
        (N,) where each condition holds, as bits, ordered by length.
    length : ndarray of int
        (N,) literals and operators of each condition.
    below : int
        A length to stay below.

    Returns
    -------
    tuple or None
        The length, with an operator between any two conditions, and their places; None if there
        is none below the limit.

    Examples
    --------
    >>> where, length = np.array([0b0011, 0b0110, 0b1100], np.uint64), np.array([1, 1, 3])
    >>> shortest_cover(0b0111, where, length, 9)
    (3, [0, 1])
    >>> shortest_cover(0b0111, where, length, 3) is None
    True
    """
    usable = np.flatnonzero((where & ~np.uint64(wanted)) == 0)
    kept = usable[_useful(where[usable], length[usable])]
    sets = [int(x) for x in where[kept]]
    costs = [int(x) + 1 for x in length[kept]]  # each with an operator; the first has one too many
    union = 0
    for inside in sets:
        union |= inside
    if union != wanted:
        return None
    search = _Search(sets, costs, wanted, below + 1)
    search.greedy()
    search.go(wanted, 0, [])
    if search.best is None:
        return None
    return search.limit - 1, [int(kept[i]) for i in sorted(search.best)]


def _useful(where: NDArray[np.uint64], length: NDArray[np.int64]) -> NDArray[np.int64]:
    """Conditions for which no other, not longer one holds wherever they hold."""
    inside = (where[:, None] & ~where) == 0
    earlier = np.arange(len(where))[:, None] > np.arange(len(where))
    worse = inside & (length[:, None] >= length) & ((where[:, None] != where) | earlier)
    return np.flatnonzero(~worse.any(1))


class _Search:
    """Branch and bound; ``limit`` is what the best cover so far costs."""

    def __init__(self, sets: Sequence[int], costs: Sequence[int], wanted: int, limit: int) -> None:
        self.sets, self.costs, self.wanted, self.limit = sets, costs, wanted, limit
        self.best: list[int] | None = None
        self.steps = 0
        self.holding: dict[int, list[int]] = {}  # of each value, the conditions that hold for it
        self.price: dict[int, float] = {}  # what a value costs at least
        rest = wanted
        while rest:
            value = rest & -rest
            rest ^= value
            these = [i for i, inside in enumerate(sets) if inside & value]
            self.holding[value] = these
            self.price[value] = min(costs[i] / sets[i].bit_count() for i in these)

    def greedy(self) -> None:
        """A cover to begin with: each time the condition with the most values for its length."""
        rest, chosen = self.wanted, []
        while rest:
            best = max(
                range(len(self.sets)),
                key=lambda i: (self.sets[i] & rest).bit_count() / self.costs[i],
            )
            chosen.append(best)
            rest &= ~self.sets[best]
        for i in sorted(chosen, key=lambda i: -self.costs[i]):
            others = 0
            for j in chosen:
                others |= self.sets[j] if j != i else 0
            if others == self.wanted:
                chosen.remove(i)
        cost = sum(self.costs[i] for i in chosen)
        if cost < self.limit:
            self.limit, self.best = cost, chosen

    def go(self, rest: int, cost: int, chosen: list[int]) -> None:
        """Try every condition that holds for the hardest value that is left."""
        if not rest:
            self.limit, self.best = cost, chosen
            return
        self.steps += 1
        hardest, fewest, least, left = 0, len(self.sets) + 1, 0.0, rest
        while left:
            value = left & -left
            left ^= value
            least += self.price[value]
            if len(self.holding[value]) < fewest:
                hardest, fewest = value, len(self.holding[value])
        if cost + least > self.limit - 1 + 1e-9 or self.steps > MOST_STEPS:
            return
        order = sorted(
            self.holding[hardest],
            key=lambda i: (self.costs[i] / (self.sets[i] & rest).bit_count(), i),
        )
        for i in order:
            if cost + self.costs[i] < self.limit:
                self.go(rest & ~self.sets[i], cost + self.costs[i], [*chosen, i])
