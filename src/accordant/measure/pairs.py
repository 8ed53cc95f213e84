"""Kappa of every pair of coders on the items that both annotated, and the mean of these.

A mean of ratios is not the ratio of means, so Light's kappa does not follow from one A_o and
one A_e. M pairs of coders have a common item; the others are not there at all. A million items
of twenty coders have a hundred million pairs of annotations, so these never exist at once: they
are tabulated pair of coders by pair of coders, or listed a few coders at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from .registry import Parts, chance_corrected
from .weights import Weights

__all__ = [
    "PairParts",
    "SharedItems",
    "doubt_on_pairs",
    "each_pair",
    "mean_of_pairs",
    "mean_without_one",
    "n_undefined_pairs",
    "pull_on_pairs",
    "remark_on_pairs",
    "shared_items",
]

OfPair: TypeAlias = Callable[[Ints, Ints, Ints], Floats]
"""A number for items to which the coders of a pair gave two values: elementwise."""

CELLS = 4_000_000  # sums held at a time
LISTED = 2_000_000  # pairs of annotations held at a time, but at least those of one coder
MOST_TABULATED = 256  # values of a K x K table for each pair of coders
WORTH = 8  # one pair of annotations takes as long to list as so many rows to tabulate


@dataclass(frozen=True, eq=False)
class PairParts(Parts):
    """A_o, A_e and kappa of M pairs: (..., M), with what they rest on.

    ``one`` and ``other`` (M,) the coders, the earlier first; ``n`` (..., M) common items;
    ``first`` and ``second`` (..., M, K) how the two distribute their labels over these items.
    """

    one: Ints
    other: Ints
    n: Floats
    first: Floats
    second: Floats

    @property
    def known(self) -> Bools:
        """(..., M) whether the pair has a kappa."""
        return np.asarray(~np.isnan(self.value))

    @classmethod
    def of(
        cls, w: Weights, coders: tuple[Ints, Ints], n: Floats, agreed: Floats, margins: list[Floats]
    ) -> PairParts:
        """From sums over the common items: ``agreed`` of weights, ``margins`` (..., M, K)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            p, q = (x / n[..., None] for x in margins)
            observed, expected = agreed / n, np.where(n > 0, w.expected(p, q), np.nan)
        return cls(observed, expected, chance_corrected(observed, expected), *coders, n, p, q)


def each_pair(counts: Counts, w: Weights) -> Iterator[PairParts]:
    """Every pair of coders with a common item, many at a time."""
    return (part.parts(w) for part in _some_pairs(counts))


def mean_of_pairs(counts: Counts, w: Weights) -> Parts:
    """Mean A_o, A_e and kappa of the pairs that have a kappa: (...).

    If no pair has one, the mean A_o and A_e of all pairs with a common item, which say why.
    """
    shape = counts.n_items.shape
    known, met = np.zeros((4, *shape)), np.zeros((4, *shape))
    for found in each_pair(counts, w):
        numbers = np.stack([found.observed, found.expected, found.value, np.ones(found.n.shape)])
        known += np.where(found.known, numbers, 0).sum(-1)
        met += np.where(np.isnan(found.observed), 0, numbers).sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, expected, value = np.where(known[3] > 0, known[:3] / known[3], met[:3] / met[3])
    return Parts(observed, expected, value)


def n_undefined_pairs(counts: Counts, w: Weights) -> int:
    """How many pairs of coders have no kappa: no common item, or no variation on these."""
    known = sum(int(np.count_nonzero(found.known)) for found in each_pair(counts, w))
    return counts.n_coders * (counts.n_coders - 1) // 2 - known


def remark_on_pairs(counts: Counts, w: Weights) -> str | None:
    """Which pairs of coders are not in the mean."""
    lost = n_undefined_pairs(counts, w)
    every = counts.n_coders * (counts.n_coders - 1) // 2
    if not lost:
        return None
    has = "1 has" if lost == 1 else f"{lost:,} have"
    return f"mean of {every - lost:,} of {every:,} pairs of coders; {has} no kappa"


@dataclass(frozen=True)
class SharedItems:
    """What the kappa of a pair of coders rests on, on average over the pairs that met.

    Parameters
    ----------
    n_items : float
        Items with two or more annotations.
    per_pair : float
        Items that two coders have in common.
    disputed_by_chance : float
        On how many of these two coders who guess would disagree.
    """

    n_items: float
    per_pair: float
    disputed_by_chance: float

    @property
    def few(self) -> bool:
        """Whether the mean of the kappas is too far from what it estimates.

        The kappa of a pair is too low by an amount that falls with the disagreements by chance in
        its table, and no other pair makes up for it, while the standard error of the mean falls
        with the items. In simulated studies of 4 to 40 coders and two categories (even and 90:10)
        intervals hold the true value in 92 of 100 or more from this limit on, in about 85 at half
        of it and in 0 to 30 far below. Where pairs share most items no such bias is seen.
        """
        apart = self.per_pair < self.n_items / 2
        return apart and self.per_pair * self.disputed_by_chance < MARGIN * self.n_items


MARGIN = 3
BLOCK = 100_000  # patterns held at a time as rows of a dense table
MOST_DENSE = 64  # coders


def shared_items(counts: Counts, w: Weights) -> SharedItems:
    """How many items pairs of coders share: pairs that share none do not count."""
    counts = counts.pairable
    n, size = float(counts.n_items), counts.size.astype(float)
    if counts.coder is None or not n or bool((size == counts.n_coders).all()):
        per_pair = n
    else:
        per_pair = float(counts.times @ (size * (size - 1))) / 2 / _n_met(counts, counts.coder)
    chance = 1 - float(w.expected(counts.share, counts.share)) if n else 0.0
    return SharedItems(n, per_pair, per_pair * chance)


def _n_met(counts: Counts, coder: Ints) -> int:
    """How many pairs of coders have an item in common."""
    who: Any
    if counts.n_coders > MOST_DENSE:
        from scipy.sparse import csr_array

        who = csr_array(
            (np.ones(len(coder)), coder, counts.start), shape=(counts.n_patterns, counts.n_coders)
        )
        met = who.T @ who
        return int(met.nnz - np.count_nonzero(met.diagonal())) // 2
    total = np.zeros((counts.n_coders, counts.n_coders))
    for low in range(0, counts.n_patterns, BLOCK):
        high = min(low + BLOCK, counts.n_patterns)
        who = np.zeros((high - low, counts.n_coders), np.float32)
        own = slice(counts.start[low], counts.start[high])
        who[counts.row[own] - low, coder[own]] = 1
        total += who.T @ who
    return int(np.count_nonzero(np.triu(total, 1)))


def doubt_on_pairs(counts: Counts, w: Weights) -> str | None:
    """Why the mean kappa should not be reported: pairs of coders share too few items."""
    found = shared_items(counts, w)
    if not found.few:
        return None
    return (
        f"pairs of coders share {found.per_pair:,.3g} of {found.n_items:,.0f} items on average: "
        "the mean of their κ is biased and its error is not known, so there is no interval"
    )


def pull_on_pairs(counts: Counts, w: Weights) -> Floats:
    """How far an item pulls the mean kappa: (P,), n times the derivative by its weight.

    Each kappa is linearised on the common items of its pair (Fleiss, Cohen & Everitt 1969).
    """
    total, n_known = np.zeros(counts.n_patterns), 0
    for part in _some_pairs(counts):
        found = part.parts(w)
        n_known += int(np.count_nonzero(found.known))
        total += part.by_pattern(found, _pull(w, found))
    return total * float(counts.n_items) / max(n_known, 1)


def mean_without_one(counts: Counts, w: Weights) -> Floats:
    """The mean kappa without one item of each pattern: (P,).

    Only the kappas of the pairs of coders who annotated the item change.
    """
    total, n_known = 0.0, 0
    change, lost = np.zeros((2, counts.n_patterns))
    for part in _some_pairs(counts):
        found = part.parts(w)
        total += float(found.value[found.known].sum())
        n_known += int(np.count_nonzero(found.known))
        fewer = _without_one(w, found)
        change += part.by_pattern(found, lambda *at, of=fewer: of(*at)[0])
        lost += part.by_pattern(found, lambda *at, of=fewer: of(*at)[1])
    left = np.round(n_known - lost)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(left > 0, (total + change) / left, np.nan))


def _moved(w: Weights, found: PairParts) -> OfPair:
    """The agreement of both values with one that the other coder of the pair gives to any item."""
    ahead = w.apply(found.second)
    behind = w.apply(found.first) if w.symmetric else found.first @ w.matrix
    return lambda pair, k, other: ahead[pair, k] + behind[pair, other]


def _pull(w: Weights, found: PairParts) -> OfPair:
    """The pull of items to which the coders of a pair gave the values ``k`` and ``other``."""
    moved = _moved(w, found)

    def pull(pair: Ints, k: Ints, other: Ints) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            change = (w.at(k, other) - found.observed[pair]) - (1 - found.value[pair]) * (
                moved(pair, k, other) - 2 * found.expected[pair]
            )
            pull = change / ((1 - found.expected) * found.n)[pair]
        return np.where(found.known[pair], pull, 0)

    return pull


def _without_one(w: Weights, found: PairParts) -> Callable[..., tuple[Floats, Floats]]:
    """How much is added to the sum of kappas, and how many are lost, without such an item."""
    moved = _moved(w, found)

    def fewer(pair: Ints, k: Ints, other: Ints) -> tuple[Floats, Floats]:
        n, both = found.n[pair], w.at(k, other)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (n * found.observed[pair] - both) / (n - 1)
            chance = n * (n * found.expected[pair] - moved(pair, k, other)) + both
            value = chance_corrected(observed, np.where(n > 1, chance / (n - 1) ** 2, np.nan))
        known = found.known[pair], ~np.isnan(value)
        before, now = np.where(known[0], found.value[pair], 0), np.where(known[1], value, 0)
        return now - before, known[0] - known[1].astype(float)

    return fewer


# ------------------------------------------------------------------ tabulated


@dataclass(frozen=True, eq=False)
class Tabulated:
    """Some pairs of coders with a table each of what they gave to their common items.

    ``grid`` (C, P) the value that each coder gave, K for none; ``one`` and ``other`` (M,).
    """

    counts: Counts
    grid: Ints
    one: Ints
    other: Ints

    def parts(self, w: Weights) -> PairParts:
        """A_o, A_e and kappa of these pairs."""
        k = self.counts.n_values
        once = bool((self.counts.times == 1).all())  # to count is quicker than to add up
        times = None if once else self.counts.times
        table = np.stack(
            [
                np.bincount(self._cell(m), times, (k + 1) ** 2).reshape(k + 1, k + 1)[:k, :k]
                for m in range(len(self.one))
            ]
        ).astype(float)
        met = np.flatnonzero(table.any((1, 2)))
        table, every = table[met], np.arange(k)
        agreed = (table * w.at(every[:, None], every)).sum((1, 2))
        coders = self.one[met], self.other[met]
        return PairParts.of(w, coders, table.sum((1, 2)), agreed, [table.sum(2), table.sum(1)])

    def by_pattern(self, found: PairParts, number: OfPair) -> Floats:
        """(P,) sums of a number over the pairs that annotated an item of each pattern."""
        k, total = self.counts.n_values, np.zeros(self.counts.n_patterns)
        pair, every = np.arange(len(found.one))[:, None, None], np.arange(k)
        table = np.zeros((len(found.one), k + 1, k + 1))
        table[:, :k, :k] = number(pair, every[:, None], every)
        place = {(a, b): m for m, (a, b) in enumerate(zip(self.one, self.other, strict=True))}
        for each, a, b in zip(table, found.one, found.other, strict=True):
            total += each.ravel().take(self._cell(place[a, b]))
        return total

    def _cell(self, m: int) -> Ints:
        """(P,) the cell of the (K + 1, K + 1) table of a pair that each pattern falls into."""
        wide = self.counts.n_values + 1
        first = np.multiply(self.grid[self.one[m]], wide, dtype=np.intp)
        first += self.grid[self.other[m]]
        return np.asarray(first)


def _tabulated(counts: Counts) -> Iterator[Tabulated]:
    """All pairs of coders, so many at a time that their tables fit."""
    k = counts.n_values
    grid = np.full((counts.n_coders, counts.n_patterns), k, np.min_scalar_type(k))
    grid[counts.coder, counts.row] = counts.value
    one, other = np.triu_indices(counts.n_coders, 1)
    step = max(1, CELLS // k**2)
    for low in range(0, len(one), step):
        yield Tabulated(counts, grid, one[low : low + step], other[low : low + step])


# ------------------------------------------------------------------ listed


@dataclass(frozen=True, eq=False)
class Listed:
    """All pairs of annotations of some pairs of coders: L of them.

    ``pair`` (L,) in ``range(M)``, ``row`` (L,) the pattern, ``first`` and ``second`` (L,) the
    values that the earlier and the later coder gave; ``one`` and ``other`` (M,) the coders.
    """

    counts: Counts
    pair: Ints
    row: Ints
    first: Ints
    second: Ints
    one: Ints
    other: Ints

    def parts(self, w: Weights) -> PairParts:
        """A_o, A_e and kappa of these pairs: (..., M)."""
        m, k, ones = len(self.one), self.counts.n_values, np.ones(len(self.pair))
        n = self._sums(self.pair, ones, m)
        agreed = self._sums(self.pair, w.at(self.first, self.second), m)
        margins = [self._sums(self.pair * k + x, ones, m * k) for x in (self.first, self.second)]
        shaped = [x.reshape(*n.shape, k) for x in margins]
        return PairParts.of(w, (self.one, self.other), n, agreed, shaped)

    def by_pattern(self, found: PairParts, number: OfPair) -> Floats:
        """(P,) sums of a number over the pairs that annotated an item of each pattern."""
        return sums(self.row, number(self.pair, self.first, self.second), self.counts.n_patterns)

    def _sums(self, column: Ints, x: Floats, width: int) -> Floats:
        """Sums of ``x`` (L,) over items by column: (..., width)."""
        times: Any = self.counts.times
        if times.ndim == 1:
            return sums(column, x * times[self.row], width)
        from scipy.sparse import coo_array  # resamples only: not worth 0.2 s at start

        table = coo_array((x, (self.row, column)), shape=(times.shape[-1], width))
        return np.asarray(times @ table.tocsr())


def _listed(counts: Counts, coder: Ints) -> Iterator[Listed]:
    """All pairs of coders, those of a few first coders at a time.

    The annotations of an item stand in the order of the coders, so those behind an annotation
    are its pairs in which its coder is the first.
    """
    behind = counts.start[1:][counts.row] - np.arange(len(coder)) - 1
    order = np.argsort(coder, kind="stable")
    ends = np.cumsum(np.bincount(coder, minlength=counts.n_coders))
    n_pairs = np.append(0, np.cumsum(behind[order]))
    low = 0
    while low < len(order):
        fits = np.searchsorted(n_pairs[ends], n_pairs[low] + LISTED, "right") - 1
        own = np.searchsorted(ends, low, "right")  # the coder with whom we go on
        high = int(ends[max(fits, own)])
        yield from _of_entries(counts, coder, order[low:high], behind)
        low = high


def _of_entries(counts: Counts, coder: Ints, entries: Ints, behind: Ints) -> Iterator[Listed]:
    """The pairs of some annotations with those behind them, by pair of coders."""
    n = behind[entries]
    first = np.repeat(entries, n)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(n) - n, n)
    code = coder[first] * np.int64(counts.n_coders) + coder[second]
    order = np.argsort(code, kind="stable")
    seen, start = np.unique(code[order], return_index=True)
    one, other = np.divmod(seen, counts.n_coders)
    start = np.append(start, len(order))
    size = int(np.prod(counts.times.shape[:-1], dtype=int))
    step = max(1, CELLS // (max(size, 1) * counts.n_values))
    for low in range(0, len(seen), step):
        high = min(low + step, len(seen))
        chosen = order[start[low] : start[high]]
        a, b = first[chosen], second[chosen]
        pair = np.repeat(np.arange(high - low), np.diff(start[low : high + 1]))
        yield Listed(
            counts,
            pair,
            counts.row[a],
            counts.value[a],
            counts.value[b],
            one[low:high],
            other[low:high],
        )


def _some_pairs(counts: Counts) -> Iterator[Tabulated] | Iterator[Listed]:
    """The pairs of coders in whichever way is quicker."""
    if counts.coder is None:
        return iter(())
    n_coders, size = counts.n_coders, counts.size.astype(float)
    to_list, to_tabulate = (size * (size - 1)).sum(), n_coders * (n_coders - 1) * len(size)
    few = counts.times.ndim == 1 and 0 < counts.n_values <= MOST_TABULATED
    if few and to_tabulate <= WORTH * to_list:
        return _tabulated(counts)
    return _listed(counts, counts.coder)
