"""The search for camps of coders, and how often chance alone finds as much."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.tables import one_by_one
from ..measure.registry import item_agreement
from ..measure.weights import Weights

__all__ = ["LEAST_P", "Compared", "best_split", "gaps", "how_rare"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_CAMPS = 4
DEALS = 200  # of the annotations of each item to its coders
LEAST_P = 1 / (1 + DEALS)
"""The smallest p-value that so many deals can show: the truth may be far below."""
ENOUGH = 10  # deals with camps as far apart; after that, no more are made
WORK = 8_000_000  # pairs of annotations that are looked at in all deals together: 0.2 s
FEW = 5.0  # so many common items of pure chance temper the agreement of a pair
SEED = 1  # the same data give the same answer


@dataclass(frozen=True, eq=False)
class Compared:
    """M pairs of annotations of the same item: who, what, and how much the pair counts."""

    one: Ints  # (M,) coders
    other: Ints
    first: Ints  # (M,) values
    second: Ints
    entry: tuple[Ints, Ints]  # (M,) and (M,) which annotations
    mean: Floats  # (M,) mean agreement on the item
    weight: Floats  # (M,)
    times: Floats  # (M,) how many items

    @classmethod
    def of(cls, counts: Counts, w: Weights) -> Compared:
        """All pairs of the patterns, each counting as often as it occurs."""
        every = np.arange(counts.n_patterns)[(counts.size > 1)]
        return cls.made(counts, w, every, counts.times[every])

    @classmethod
    def made(cls, counts: Counts, w: Weights, pattern: Ints, times: NDArray[Any]) -> Compared:
        """The pairs of some items, given by their patterns; annotations are numbered anew."""
        size = counts.size[pattern]
        begin = np.cumsum(size) - size
        ones, others, items = [], [], []
        for m in np.unique(size).tolist():
            a, b = np.triu_indices(m, 1)
            rows = np.flatnonzero(size == m)
            ones.append((begin[rows][:, None] + a).ravel())
            others.append((begin[rows][:, None] + b).ravel())
            items.append(np.repeat(rows, len(a)))
        a, b, item = (np.concatenate([np.zeros(0, np.int64), *x]) for x in (ones, others, items))
        entry = (
            np.arange(int(size.sum()))
            - np.repeat(begin, size)
            + np.repeat(counts.start[pattern], size)
        )
        coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
        agreed = item_agreement(counts, w)[pattern]
        return cls(
            coder[entry[a]], coder[entry[b]], counts.value[entry[a]], counts.value[entry[b]],
            (a, b), agreed[item], 2 * times[item] / np.maximum(size[item] - 1, 1),
            times[item].astype(float),
        )  # fmt: skip

    def excess(self, agreed: Floats, n_coders: int) -> tuple[Floats, Floats]:
        """(C, C) mean agreement of two coders beyond that on their items, and its weight.

        A few common items say little: they are tempered towards 0.
        """
        mean, weight = self.summed(agreed - self.mean, n_coders)
        n = self._both(self.times, n_coders)
        return mean * n / (n + FEW), weight

    def summed(self, x: Floats, n_coders: int) -> tuple[Floats, Floats]:
        """(C, C) mean of x (M,) of two coders, 0 without common items, and its weight."""
        total, weight = (self._both(y, n_coders) for y in (self.weight * x, self.weight))
        return total / np.where(weight > 0, weight, 1), weight

    def _both(self, x: Floats, n_coders: int) -> Floats:
        """(C, C) sum of x (M,), whichever coder comes first."""
        cell = self.one * np.int64(n_coders) + self.other
        table = np.bincount(cell, weights=x, minlength=n_coders**2).reshape(n_coders, n_coders)
        return np.asarray(table + table.T, float)


def best_split(excess: Floats, n: Floats) -> tuple[Ints | None, float]:
    """(C,) the best split, and its gap; coders alone in a cluster are in no camp.

    A gap counts by the share of coders that are in a camp, so that camps do not get clearer by
    leaving out members.
    """
    best, most = None, 0.0
    for cluster in _clusters(float(excess.max()) - excess):
        size = np.bincount(cluster)
        kept = np.flatnonzero(size >= 2)
        if not 2 <= len(kept) <= MOST_CAMPS or size[kept].sum() * 2 <= len(excess):
            continue
        number = np.full(len(size), -1)
        number[kept] = np.arange(len(kept))
        of = number[cluster]
        gap = least_gap(of, excess, n) * float(size[kept].sum()) / len(excess)
        if gap > most:
            best, most = of, gap
    return best, most


def _clusters(far: Floats) -> Iterator[Ints]:
    """(C,) clusters of average linkage, from twice as many as there may be camps down to two.

    Of coders who are `far` (C, C) from each other: the two nearest clusters are joined, and the
    distance to the others is the mean over their members (Sokal & Michener 1958).
    """
    d = far.copy()
    np.fill_diagonal(d, np.inf)
    size, of, n = np.ones(len(d)), np.arange(len(d)), len(d)
    while n > 2:
        i, j = sorted(divmod(int(d.argmin()), len(d)))
        mean = (size[i] * d[i] + size[j] * d[j]) / (size[i] + size[j])
        d[i], d[:, i], d[i, i] = mean, mean, np.inf
        d[j], d[:, j] = np.inf, np.inf
        size[i] += size[j]
        of[of == j] = i
        n -= 1
        if n <= 2 * MOST_CAMPS:
            yield of.copy()


def least_gap(of: Ints, x: Floats, n: Floats) -> float:
    """The least gap, over all camps and all other camps, of x (C, C) within above between.

    If the others counted together, a camp could be cut in two as soon as there is another one.
    """
    member = (of[None, :] == np.arange(of.max() + 1)[:, None]).astype(float)  # (G, C)
    off = n * (1 - np.eye(len(n)))
    weight, total = member @ off @ member.T, member @ (off * x) @ member.T
    if not (weight > 0).all():
        return -math.inf  # some never met: nothing tells whether they are of one camp
    mean = total / weight
    within = np.diag(mean).copy()
    np.fill_diagonal(mean, -np.inf)
    return float((within - mean.max(1)).min())


def gaps(of: Ints, x: Floats, n: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(G,) mean of x (C, C) within each camp and with the others, and the weights of both."""
    member = (of[None, :] == np.arange(of.max() + 1)[:, None]).astype(float)  # (G, C)
    rest = (of >= 0) - member
    off = n * (1 - np.eye(len(n)))
    weight, total = member @ off, member @ (off * x)
    inside, outside = ((weight * m).sum(1) for m in (member, rest))
    one, other = ((total * m).sum(1) for m in (member, rest))
    within = one / np.where(inside > 0, inside, np.nan)
    between = other / np.where(outside > 0, outside, np.nan)
    return within, between, inside, outside


def how_rare(counts: Counts, w: Weights, gap: float) -> float:
    """How often the same search finds such a gap where the annotations are dealt at random.

    Items on which all agree deal alike every time, so only the others are dealt; of many, some.
    The gap of fewer items varies more, which is on the careful side.
    """
    rng = np.random.default_rng(SEED)
    places = np.flatnonzero(np.append(counts.size > 1, False)[counts.pattern_of])
    pattern = counts.pattern_of[places]
    agreed = item_agreement(counts, w)
    n_pairs = counts.size * (counts.size - 1) / 2
    if n_pairs[pattern].sum() * DEALS > WORK:
        chosen = rng.permutation(len(places))
        enough = int(np.searchsorted(np.cumsum(n_pairs[pattern[chosen]]), WORK / DEALS))
        places = np.sort(places[chosen[: max(2, enough)]])
        pattern = counts.pattern_of[places]
    pairs = Compared.made(counts, w, pattern, np.ones(len(pattern)))
    item, entry = one_by_one(counts, places)
    value, (a, b) = counts.value[entry], pairs.entry
    disputed = agreed[pattern][item] < 1 - 1e-12
    at = np.flatnonzero(disputed)
    as_many = 0
    for n in range(DEALS):
        if as_many == ENOUGH:  # Besag & Clifford (1991): enough to see that it is not rare
            return as_many / n
        dealt = value.copy()
        dealt[at] = value[at[np.argsort(item[at] + rng.random(len(at)))]]
        same = w.at(dealt[a], dealt[b])
        _, found = best_split(*pairs.excess(same, counts.n_coders))
        as_many += found >= gap
    return (1 + as_many) / (1 + DEALS)
