"""Who gave what instead of what, beside what the null expects: the table behind explanations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from ..inference.item_patterns import Patterns
from ..inference.null import Null

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Changes:
    """What is lost and gained where one value is given instead of another. K values, L labels.

    For single labels a change is a cell: the latent category is lost, the given one gained. For
    sets of labels each lost label is changed into each gained one.

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
        return cls(lost, gained, members, plain)

    @property
    def n(self) -> int:
        """How many labels there are."""
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


OWN = 2  # pseudo-counts of a coder's own rate for a value


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
    difficulty : ndarray
        (I,) how hard items are by what has been told of their places.
    focus : int or None
        Only explanations of this coder are looked for, so that there are fewer candidates.
    kinds : int
        How many kinds of explanations are looked for; 0 for all.
    """

    null: Null
    changes: Changes
    ordinal: bool
    groups: Mapping[str, Ints]
    difficulty: Floats
    focus: int | None = None
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
    def alike(self) -> Floats:
        """(K, K) what the null would expect of all coders if any value were as likely a slip."""
        return np.asarray(self.expected.sum((0, 2))[:, None] * self.null.parts["slips"])

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
    def within_items(self) -> tuple[Floats, Floats]:
        """(C, L) -log p that a coder gives a label so often, and so seldom, about normal.

        Over all ways in which the annotations of each item could have changed hands: needs no
        model, and keeps difficulty and prevalence.
        """
        rows, members = self.null.patterns, self.changes.held.astype(float)
        held = rows.given @ members
        p = (held / np.maximum(rows.size, 1)[:, None])[rows.row]
        w = rows.weight[rows.row]
        own, mean, var = (
            np.stack([np.bincount(rows.coder, w * column, rows.n_coders) for column in x.T], 1)
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
    def by_item(self) -> tuple[Floats, Floats, Floats]:
        """(I,) deviations on each item, those the null expects, and those if values were alike.

        Of two annotations nobody knows which one deviates: what is usual for the given value is
        expected, so that no value seems to make a place harder.
        """
        null, rows = self.null, self.null.patterns
        latent = null.latent
        deviates = 1 - latent[rows.row, rows.value]
        rates = np.minimum(latent @ null.rates.sum(2).T, 1)
        expected = rates[rows.row, rows.coder]
        if not (rows.size > 2).any():
            expected = _mean_by(deviates, rows.value, rows.weight[rows.row], rows.n_values)
        each = rows.sums(np.stack([deviates, expected, np.ones(len(expected))], 1))
        d, e, n = np.append(each, np.zeros((1, 3)), 0)[rows.pattern].T
        return d, e * self.difficulty, n * self.difficulty


def _mean_by(x: Floats, group: Ints, weight: Floats, n: int) -> Floats:
    """(E,) the weighted mean of the group of each."""
    total, of = (np.bincount(group, y, n) for y in (x * weight, weight))
    return np.asarray((total / np.maximum(of, 1e-12))[group])


# ------------------------------------------------------------------ what they cost


@dataclass(frozen=True, eq=False)
class Edit:
    """Deviations that are resolved: each, with its probability, becomes what is likely.

    Parameters
    ----------
    null : Null
        It says how likely each value is the latent one.
    parts : ndarray
        (C, K, K) the share that is resolved, by coder, latent and given value: what is beyond
        the null.
    onto : ndarray of int
        (K, K) what the given value becomes instead of the latent one; -1 for the latent one.
    items : ndarray of bool, optional
        (I,) only on these items.
    """

    null: Null
    parts: Floats
    onto: NDArray[Any]
    items: Bools | None = None

    @classmethod
    def of(cls, null: Null, parts: Floats, onto: NDArray[Any] | None = None, **only: Any) -> Edit:
        """What the given values (K,) become where some of them are resolved."""
        there = parts.any(0)
        return cls(null, parts, np.where(there, -1 if onto is None else onto, -1), **only)

    def __or__(self, other: Edit) -> Edit:
        """Both resolved; what each would change otherwise becomes the latent value."""
        mine, theirs = self.parts.any(0), other.parts.any(0)
        both = np.where(self.onto == other.onto, self.onto, -1)
        onto = np.where(mine & theirs, both, np.where(mine, self.onto, other.onto))
        return Edit(self.null, np.maximum(self.parts, other.parts), onto)


def gain_of(edit: Edit, agreement: Floats) -> float:
    """By how much Krippendorff's alpha would rise if some deviations were resolved.

    Each annotation that may be one of the deviations becomes what the null holds for likely,
    with the probability that it is one, and alpha is computed again; ``agreement`` is (K, K).

    Examples
    --------
    >>> from accordant.inference.null import fit_null
    >>> grid = np.array([[0, 0, 0], [1, 1, 1]] * 20 + [[0, 0, 1]] * 10)
    >>> null = fit_null(Patterns.of_grid(grid, 2), np.eye(2, dtype=bool))
    >>> last = np.zeros((3, 2, 2))
    >>> last[2, 0, 1] = 1
    >>> gain_of(Edit.of(null, last), np.eye(2)) > 0.2
    True
    """
    rows, latent = edit.null.patterns, edit.null.latent
    there = np.ones(len(latent), bool)
    if edit.items is not None:
        rows, there = rows.parted(edit.items)
        latent = np.tile(latent, (2, 1))
    before = rows.given
    same = _alike(rows, before, agreement, np.diag(agreement)[rows.value])
    alike, total = same.copy(), before.copy()
    for k in np.flatnonzero(edit.parts.any((0, 2))).tolist():
        # given the latent value k, all of these deviations become k, or go there, together
        onto = edit.onto[k, rows.value]
        to = np.where(onto < 0, k, onto)
        moved = edit.parts[rows.coder, k, rows.value] * there[rows.row]
        given = np.zeros(before.shape)
        np.add.at(given, (rows.row, rows.value), 1 - moved)
        np.add.at(given, (rows.row, to), moved)
        own = (
            (1 - moved) ** 2 * agreement[rows.value, rows.value]
            + 2 * moved * (1 - moved) * agreement[rows.value, to]
            + moved**2 * agreement[to, to]
        )
        alike += latent[:, k] * (_alike(rows, given, agreement, own) - same)
        total += latent[:, [k]] * (given - before)
    return max(0.0, _alpha(rows, alike, total, agreement) - _alpha(rows, same, before, agreement))


def _alike(rows: Patterns, given: Floats, agree: Floats, own: Floats) -> Floats:
    """(P,) agreement over pairs of annotations; ``own`` (E,) is that of each with itself."""
    whole = np.einsum("pk,kl,pl->p", given, agree, given, optimize=True)
    return np.asarray(whole - rows.sums(own[:, None])[:, 0])


def _alpha(rows: Patterns, alike: Floats, total: Floats, agree: Floats) -> float:
    """Krippendorff's alpha from agreement over pairs (P,) and values (P, K) of each pattern."""
    m = rows.size
    paired = np.where(m >= 2, rows.weight / np.maximum(m - 1, 1), 0)
    shares = (np.where(m >= 2, rows.weight, 0)) @ total
    n = float(shares.sum())
    if n < 2:
        return math.nan
    observed = float(paired @ alike) / n
    expected = float(shares @ agree @ shares - shares @ np.diag(agree)) / (n * (n - 1))
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan
