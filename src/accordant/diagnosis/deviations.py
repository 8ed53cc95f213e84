"""Who gave what instead of what, beside what the null expects: the table behind explanations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from ..counts.tables import evenly
from ..inference.null import Null

__all__ = ["Changes", "Deviations", "Timeline"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Changes:
    """What is lost and gained where one value is given instead of another. K values, L labels.

    For single labels a change is a cell: the latent category is lost, the given one gained. For
    sets of labels each lost label is changed into each gained one; where nothing is lost, or
    nothing gained, the last position stands for nothing.

    Parameters
    ----------
    lost, gained : ndarray of bool
        (K, K, L) by latent and given value.
    held : ndarray of bool
        (K, L) which value holds which label.
    plain : bool
        Whether values are single labels.
    """

    lost: Bools
    gained: Bools
    held: Bools
    plain: bool

    @classmethod
    def of(cls, members: Bools) -> Changes:
        """Those between values with these members (K, L)."""
        n = len(members)
        plain = members.shape == (n, n) and bool(np.array_equal(members, np.eye(n, dtype=bool)))
        lost = members[:, None, :] & ~members[None, :, :]
        gained = ~members[:, None, :] & members[None, :, :]
        if not plain:
            off = ~np.eye(n, dtype=bool)[:, :, None]
            lost = np.concatenate([lost, off & ~lost.any(2, keepdims=True)], 2)
            gained = np.concatenate([gained, off & ~gained.any(2, keepdims=True)], 2)
            members = np.concatenate([members, ~members.any(1, keepdims=True)], 1)
        return cls(lost, gained, members, plain)

    @property
    def n(self) -> int:
        """How many labels there are, with nothing as one of them where sets are compared."""
        return int(self.lost.shape[2])

    @cached_property
    def _flat(self) -> tuple[Floats, Floats]:
        n = self.n
        return self.lost.reshape(-1, n).astype(float), self.gained.reshape(-1, n).astype(float)

    def table(self, x: Floats) -> Floats:
        """(..., L, L) sums over the cells of each change, for x of (..., K, K)."""
        if self.plain:
            return x
        lost, gained = self._flat
        flat = x.reshape(*x.shape[:-2], -1)
        rows = flat.reshape(-1, flat.shape[-1])
        found = np.stack([lost.T @ (row[:, None] * gained) for row in rows])
        return np.asarray(found.reshape(*x.shape[:-2], self.n, self.n))

    def losses(self, x: Floats) -> Floats:
        """(..., L) sums over the cells in which each label is lost."""
        if self.plain:
            return np.asarray(x.sum(-1))
        return np.asarray(x.reshape(*x.shape[:-2], -1) @ self._flat[0])

    def gains(self, x: Floats) -> Floats:
        """(..., L) sums over the cells in which each label is gained."""
        if self.plain:
            return np.asarray(x.sum(-2))
        return np.asarray(x.reshape(*x.shape[:-2], -1) @ self._flat[1])

    def cells(self, a: int, b: int) -> Bools:
        """(K, K) the cells in which label a is changed into b."""
        return np.asarray(self.lost[:, :, a] & self.gained[:, :, b])


BINS = 8  # stretches begin and end at eighths
OWN = 2  # pseudo-counts of a coder's own rate for a value
BATCHES = 12  # so many different times are batches


@dataclass(frozen=True, eq=False)
class Timeline:
    """When annotations were made. I items, C coders.

    Parameters
    ----------
    rank : ndarray
        (I,), or (I, C) where it is known of each coder: from -1 to 1, equal times alike.
    bin : ndarray of int
        The same shape: the batch, if there are few, or else the eighth; -1 where it is not known.
    n_bins : int
    known : bool
        Whether it is known, and not only how the data stand.
    """

    rank: Floats
    bin: Ints
    n_bins: int
    known: bool = True

    @classmethod
    def of(cls, times: NDArray[Any], *, known: bool = True) -> Timeline:
        """From times in any unit; NaN where there is none."""
        times = np.asarray(times, float)
        flat = times if times.ndim > 1 else times[:, None]
        rank, bins = np.zeros(flat.shape), np.full(flat.shape, -1)
        there = np.isfinite(flat)
        values = np.unique(flat[there])
        batches = 1 < len(values) <= BATCHES
        for c in range(flat.shape[1]):
            at = there[:, c]
            _, of, count = np.unique(flat[at, c], return_inverse=True, return_counts=True)
            middle = np.cumsum(count) - (count + 1) / 2
            part = (middle[of] + 0.5) / max(int(at.sum()), 1)
            rank[at, c] = 2 * part - 1
            bins[at, c] = (
                np.searchsorted(values, flat[at, c]) if batches else (part * BINS).astype(int)
            )
        n = len(values) if batches else BINS
        shape = times.shape
        return cls(rank.reshape(shape), np.minimum(bins, n - 1).reshape(shape), n, known)

    def at(self, item: Ints, coder: Ints) -> tuple[Floats, Ints]:
        """(N,) rank and bin of each annotation."""
        where = (item,) if self.rank.ndim == 1 else (item, coder)
        return self.rank[where], self.bin[where]

    def of_items(self) -> tuple[Floats, Ints]:
        """(I,) rank and bin of each item, for all coders together."""
        if self.rank.ndim == 1:
            return self.rank, self.bin
        rank = self.rank.mean(1)
        return rank, np.minimum(((rank + 1) / 2 * self.n_bins).astype(int), self.n_bins - 1)


@dataclass(frozen=True, eq=False)
class Deviations:
    """Deviations of coders, beside those that the null expects. C coders, K values, L labels.

    Parameters
    ----------
    null : Null
    changes : Changes
    ordinal : bool
        Whether the values are in order.
    groups : dict of str to ndarray of int
        For each property of items, the group of each item; -1 for none.
    timeline : Timeline
        When annotations were made.
    difficulty : ndarray
        (I,) how hard items are by what has been told of their places.
    focus : tuple of int or None
        Only explanations of this coder are looked for, or of this coder and the labels that
        follow, so that there are fewer candidates.
    kinds : int
        How many kinds of explanations are looked for; 0 for all.
    """

    null: Null
    changes: Changes
    ordinal: bool
    groups: Mapping[str, Ints]
    timeline: Timeline
    difficulty: Floats
    focus: tuple[int, ...] | None = None
    kinds: int = 0

    @cached_property
    def observed(self) -> Floats:
        """(C, K, K) by latent and given value."""
        return self.null.deviations

    @cached_property
    def expected(self) -> Floats:
        """(C, K, K) the same by the null."""
        return self.null.expected

    @cached_property
    def by_others(self) -> Floats:
        """(C, K, K) what the null expects of a coder if the others alone say what is difficult."""
        weakness = self.null.weakness
        alike = self.expected * (weakness.mean() / np.maximum(weakness, 1e-12))[:, None]
        o, e = self.observed.sum(2), alike.sum(2)
        ratio = (o.sum(0) - o + OWN) / (e.sum(0) - e + OWN)
        return np.asarray(alike * ratio[:, :, None])

    @cached_property
    def n(self) -> float:
        """How many deviations there are."""
        return float(max(self.observed.sum(), 1e-9))

    @cached_property
    def of_coder(self) -> tuple[Floats, Floats]:
        """(C,) observed and expected deviations of each coder."""
        return self.observed.sum((1, 2)), np.maximum(self.by_others.sum((1, 2)), 1e-9)

    @cached_property
    def changed(self) -> tuple[Floats, Floats]:
        """(L, L) observed and expected changes of all coders."""
        return self.changes.table(self.observed.sum(0)), self.changes.table(self.expected.sum(0))

    @cached_property
    def changed_by(self) -> tuple[Floats, Floats]:
        """(C, L, L) observed and expected changes of each coder."""
        return self.changes.table(self.observed), self.changes.table(self.by_others)

    @cached_property
    def sure(self) -> bool:
        """Whether some items have three annotations, so that one coder can be seen to deviate."""
        return self.null.patterns.known and bool((self.null.patterns.size > 2).any())

    @cached_property
    def clumping(self) -> Floats:
        """(L, L) of each change: how far equal deviations come together in other cells."""
        null = self.null
        return null.clumping(self.changes.table(null.once), self.changes.table(null.twice))

    @cached_property
    def excess_within_items(self) -> tuple[Floats, Floats]:
        """(C, L) how much more often a coder gives a label than the others, and its error.

        Over all ways in which the annotations of each item could have changed hands: needs no
        model, and keeps difficulty and prevalence.
        """
        rows, members = self.null.patterns, self.changes.held.astype(float)
        held = rows.given @ members
        p = (held / np.maximum(rows.size, 1)[:, None])[rows.row]
        w = rows.weight[rows.row]
        n = rows.n_coders
        own, mean, var = (
            np.stack([np.bincount(rows.coder, w * column, n) for column in x.T], 1)
            for x in (members[rows.value], p, p * (1 - p))
        )
        return np.asarray(own - mean, float), np.asarray(np.sqrt(var + 1e-9), float)

    @cached_property
    def within_items(self) -> tuple[Floats, Floats]:
        """(C, L) -log p that a coder gives a label so often, or so seldom; about normal."""
        excess, error = self.excess_within_items
        return -log_ndtr(-excess / error), -log_ndtr(excess / error)

    def mask(self, cells: NDArray[Any], coders: Any = slice(None)) -> Bools:
        """(C, K, K) some cells (K, K) of some coders."""
        found = np.zeros(self.observed.shape, bool)
        found[coders] = cells
        return found

    @cached_property
    def annotations(self) -> tuple[Ints, Ints]:
        """(N,) item and entry of each annotation; of many items every second, third …."""
        rows = self.null.patterns
        size = np.append(rows.size.astype(int), 0)
        starts = np.append(np.cumsum(size[:-1]) - size[:-1], 0)
        items = evenly(len(rows.pattern))
        n = size[rows.pattern[items]]
        item = np.repeat(items, n)
        before = np.repeat(starts[rows.pattern[items]] - np.cumsum(n) + n, n)
        return np.asarray(item, np.int64), np.arange(len(item)) + before

    @property
    def part(self) -> float:
        """The share of the items that `annotations` are of."""
        n = len(self.null.patterns.pattern)
        return len(evenly(n)) / max(n, 1)

    @cached_property
    def by_annotation(self) -> tuple[Floats, Floats]:
        """(N,) how likely each annotation deviates, and how likely the null says it is to.

        Of two annotations nobody knows which one deviates: what is usual for the given value is
        expected, so that data sorted by value show no place that is harder.
        """
        null, rows = self.null, self.null.patterns
        latent = null.latent
        deviates = 1 - latent[rows.row, rows.value]
        rates = np.minimum(latent @ null.rates.sum(2).T, 1)
        expected = rates[rows.row, rows.coder]
        if not (rows.size > 2).any():
            expected = _mean_by(deviates, rows.value, rows.weight[rows.row], rows.n_values)
        item, entry = self.annotations
        return deviates[entry], expected[entry] * self.difficulty[item]

    @cached_property
    def own_pace(self) -> Floats:
        """(E,) how often the coder deviates from the likely values, beside the null's share.

        What a coder does with one category is no change over time where the data are sorted by it.
        """
        rows, null = self.null.patterns, self.null
        o, e = self.observed.sum(2), self.expected.sum(2)
        ratio = (o + OWN) / (e + OWN)
        rates = null.rates.sum(2)
        latent = null.latent[rows.row]
        alike = (latent * rates[rows.coder]).sum(1)
        return np.asarray((latent * (rates * ratio)[rows.coder]).sum(1) / np.maximum(alike, 1e-12))

    @cached_property
    def by_item(self) -> tuple[Floats, Floats]:
        """(I,) sums of `by_annotation`."""
        item, n = self.annotations[0], len(self.difficulty)
        d, e = (np.bincount(item, x, n).astype(float) for x in self.by_annotation)
        return d, e

    def change_of(self, coder: int, a: int, b: int) -> tuple[Ints, Floats, Floats]:
        """Items of a coder, how likely each annotation changes a into b, and likely could."""
        rows, latent = self.null.patterns, self.null.latent
        order, ends = self._by_coder
        own = order[ends[coder] : ends[coder + 1]]
        item, entry = (x[own] for x in self.annotations)
        at = latent[rows.row[entry]]
        did = (at * self.changes.cells(a, b)[:, rows.value[entry]].T).sum(1)
        return item, did, at @ self.changes.lost[:, :, a].any(1)

    @cached_property
    def _by_coder(self) -> tuple[Ints, Ints]:
        """(N,) annotations sorted by coder, and where those of each begin."""
        rows = self.null.patterns
        coder = rows.coder[self.annotations[1]]
        order = np.argsort(coder, kind="stable")
        return order, np.searchsorted(coder[order], np.arange(rows.n_coders + 1))


def _mean_by(x: Floats, group: Ints, weight: Floats, n: int) -> Floats:
    """(E,) the weighted mean of the group of each."""
    total, of = (np.bincount(group, y, n) for y in (x * weight, weight))
    return np.asarray((total / np.maximum(of, 1e-12))[group])
