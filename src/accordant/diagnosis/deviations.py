"""Who gave what instead of what, beside what the null expects: the table behind explanations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from ..inference.null import Null

__all__ = ["Changes", "Deviations"]

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
        return self.lost.shape[2]

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


@dataclass(frozen=True, eq=False)
class Deviations:
    """Deviations of coders, beside those that the null expects. C coders, K values, L labels.

    Parameters
    ----------
    null : Null
    changes : Changes
    grid : ndarray of int
        (I, C) the annotations, in the order of the data; -1 for none.
    ordinal : bool
        Whether the values are in order.
    groups : dict of str to ndarray of int
        For each property of items, the group of each item; -1 for none.
    times : ndarray
        (I, C) when each annotation was made, as ranks from -1 to 1.
    difficulty : ndarray
        (I,) how hard items are by what has been told of their places.
    """

    null: Null
    changes: Changes
    grid: Ints
    ordinal: bool
    groups: dict[str, Ints]
    times: Floats
    difficulty: Floats

    @cached_property
    def observed(self) -> Floats:
        """(C, K, K) by latent and given value."""
        return self.null.deviations

    @cached_property
    def expected(self) -> Floats:
        """(C, K, K) the same by the null."""
        return self.null.expected

    @cached_property
    def n(self) -> float:
        """How many deviations there are."""
        return float(max(self.observed.sum(), 1e-9))

    @cached_property
    def of_coder(self) -> tuple[Floats, Floats]:
        """(C,) observed and expected deviations of each coder."""
        return self.observed.sum((1, 2)), np.maximum(self.expected.sum((1, 2)), 1e-9)

    @cached_property
    def changed(self) -> tuple[Floats, Floats]:
        """(L, L) observed and expected changes of all coders."""
        return self.changes.table(self.observed.sum(0)), self.changes.table(self.expected.sum(0))

    @cached_property
    def changed_by(self) -> tuple[Floats, Floats]:
        """(C, L, L) observed and expected changes of each coder."""
        return self.changes.table(self.observed), self.changes.table(self.expected)

    @cached_property
    def sure(self) -> bool:
        """Whether some items have three annotations, so that one can be seen to deviate."""
        return bool((self.null.patterns.size > 2).any())

    @cached_property
    def clumping(self) -> Floats:
        """(L, L) of each change: how far equal deviations come together in other cells."""
        null = self.null
        return null.clumping(self.changes.table(null.once), self.changes.table(null.twice))

    def clumping_of(self, cells: Bools) -> float:
        """The same of some cells (K, K)."""
        null = self.null
        return float(null.clumping(null.once[cells].sum(), null.twice[cells].sum()))

    @cached_property
    def within_items(self) -> tuple[Floats, Floats]:
        """(C, L) -log p that a coder gives a label so often, or so seldom.

        By the normal approximation to the distribution over all ways in which the annotations of
        each item could have changed hands: needs no model, and keeps difficulty and prevalence.
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
        z = (own - mean) / np.sqrt(var + 1e-9)
        return -log_ndtr(-z), -log_ndtr(z)

    def mask(self, cells: NDArray[Any], coders: Any = slice(None)) -> Bools:
        """(C, K, K) some cells (K, K) of some coders."""
        found = np.zeros(self.observed.shape, bool)
        found[coders] = cells
        return found

    @cached_property
    def by_annotation(self) -> tuple[Floats, Floats]:
        """(I, C) how likely each annotation deviates, and how likely the null says it is to."""
        null, rows = self.null, self.null.patterns
        latent = null.latent
        dev = np.zeros((len(rows.weight), rows.n_coders))
        has = np.zeros(dev.shape)
        dev[rows.row, rows.coder] = 1 - latent[rows.row, rows.value]
        has[rows.row, rows.coder] = 1
        expected = has * np.minimum(latent @ null.rates.sum(2).T, 1)
        return dev[rows.pattern], expected[rows.pattern] * self.difficulty[:, None]

    def change_by_item(self, coder: int, a: int, b: int) -> tuple[Floats, Floats]:
        """(I,) how likely a coder's annotation changes a into b, and how likely it could."""
        rows, latent = self.null.patterns, self.null.latent
        own = rows.coder == coder
        row, value = rows.row[own], rows.value[own]
        could = np.zeros(len(rows.weight))
        could[row] = (latent[row] * self.changes.lost[:, :, a].any(1)).sum(1)
        did = np.zeros(len(rows.weight))
        did[row] = (latent[row] * self.changes.cells(a, b)[:, value].T).sum(1)
        return did[rows.pattern], could[rows.pattern]
