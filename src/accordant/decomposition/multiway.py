"""Partitions into any number of blocks, all of them for few values, and what they settle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .closed_forms import ClosedForm, closed_form
from .comparable import Comparables
from .cuts import Means
from .figures import Figures
from .forms import Forms, apart
from .levels import Agreement, Levels
from .null import null_states, why_no_null
from .set_partitions import set_partitions
from .states import States

__all__ = ["BlockScores", "every_partition", "score_blocks", "score_partition"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CELLS = 4_000_000  # partitions x pairs of values looked at together


@dataclass(frozen=True, eq=False)
class BlockScores(Figures):
    """N partitions of C states with L labels, scored on G pairs of coders.

    What `accordant.decomposition.cuts.Scores` is for two sides, for any number of blocks; with two
    blocks the figures are the same.

    Parameters
    ----------
    states : States
    coefficient : str
        Key of the coefficient.
    blocks : ndarray of int
        (N, C) the block of each state, from 0 on.
    first : ndarray
        (N,) agreement on the block of a value.
    second : ndarray
        (N,) agreement given the same block: the mean over the labels of sets, or the coefficient
        over all categories; NaN if every value is a block.
    by_label : ndarray
        (N, L) agreement on each label, given the same block.
    explained : ndarray
        (N,) share of the items on which two coders differ that they put in different blocks; of a
        pooled table of the pairs of annotations that differ.
    chance : ndarray
        (N,) the same share for draws by chance.
    flip : ndarray
        (N,) share of all slips in one label that go from block to block; NaN for categories.
    n_undefined : ndarray of int
        (N,) coefficients without a value, over both levels and all pairs.
    """

    states: States
    coefficient: str
    blocks: NDArray[Any]
    first: Floats
    second: Floats
    by_label: Floats
    explained: Floats
    chance: Floats
    flip: Floats
    n_undefined: Ints

    def __len__(self) -> int:
        return len(self.blocks)

    @cached_property
    def n_blocks(self) -> Ints:
        """(N,) how many blocks hold a state."""
        return _n_blocks(self.blocks)

    @cached_property
    def smallest(self) -> Floats:
        """(N,) share of the annotations in the block with the fewest."""
        share = Comparables(self.states, own=True).share
        found = np.full(len(self), np.inf)
        for b in np.unique(self.blocks):
            inside = self.blocks == b
            found = np.where(inside.any(1), np.minimum(found, inside @ share), found)
        return found

    @cached_property
    def information(self) -> Floats:
        """(N,) share of the uncertainty that coders leave each other that is about the block.

        (H(f(A) | B) + H(f(B) | A)) / (H(A | B) + H(B | A)), the mean over the pairs of coders that
        leave any.
        """
        each = [_information(m, self.blocks) for m in self.states.tables]
        known = [x for x in each if x is not None]
        return np.asarray(np.mean(known, 0)) if known else np.full(len(self), np.nan)

    @property
    def explained_by_slips(self) -> Floats:
        """(N,) what `explained` would be with independent slips in the labels; NaN for none."""
        return self.nothing if self.null is None else self.null.explained

    @cached_property
    def null(self) -> BlockScores | None:
        """The same partitions, had the labels been mistaken independently; None for categories."""
        if why_no_null(self.states):
            return None
        return score_blocks(null_states(self.states), self.blocks, self.coefficient)

    def _agreements(self) -> Iterator[tuple[slice, Iterator[Agreement], Floats]]:
        return _Measured(self.states, closed_form(self.coefficient)).walk(self.blocks)

    def take(self, which: Any) -> BlockScores:
        """Some of them: indices or a mask (N,)."""
        names = (
            "blocks", "first", "second", "by_label", "explained", "chance", "flip", "n_undefined",
        )  # fmt: skip
        found = replace(self, **{name: getattr(self, name)[which] for name in names})
        if self.__dict__.get("null") is not None:
            found.__dict__["null"] = self.__dict__["null"].take(which)
        return found


def score_blocks(states: States, blocks: Any, coefficient: str = "kappa") -> BlockScores:
    """Partitions into any number of blocks, scored on both levels.

    The first level is the coefficient over the blocks as categories; all else is as with two
    sides (Levi & Shenhav 2022, section 3.1, and their future work). What two coders put in
    different blocks is a sum over pairs of values in different blocks, so that many partitions
    cost one product of matrices.

    Parameters
    ----------
    states : States
    blocks : array_like of int
        (N, C) the block of each state; how blocks are numbered changes nothing.
    coefficient : str
        ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``.

    Raises
    ------
    RequestError
        If the blocks do not fit the states, or there is no such coefficient.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> none, a, b, both = (), ("a",), ("b",), ("a", "b")
    >>> data = read([[none, none, a, a, both, none], [none, none, a, b, b, a]])
    >>> found = states(count(data))
    >>> how_many = score_blocks(found, [[0, 1, 1, 2]])
    >>> how_many.first.round(3).tolist(), how_many.explained.round(3).tolist()
    ([0.455], [0.667])
    """
    blocks = np.asarray(blocks)
    if blocks.ndim != 2 or blocks.shape[1] != states.n_states:
        raise RequestError(
            f"blocks of shape {blocks.shape} do not fit {states.n_states} states: "
            f"give (N, {states.n_states})"
        )
    form = closed_form(coefficient)
    n, n_labels, g = len(blocks), states.members.shape[1], len(states.pairs)
    first, second, explained, chance, flip = np.empty((5, n))
    by_label, n_undefined = np.empty((n_labels, n)), np.empty(n, np.int64)
    measured = _Measured(states, form)
    for where, each, shares in measured.walk(blocks):
        total = Means(where.stop - where.start, max(n_labels, 1))
        for found in each:
            total.add(found)
        first[where], second[where], label = total.means()
        if n_labels:
            by_label[:, where] = label
        n_undefined[where] = g * (1 + max(n_labels, 1)) - total.n_first - total.n_label.sum(0)
        explained[where], chance[where], flip[where] = np.clip(shares, 0, 1)
    if not measured.comparables.explains:
        explained[:] = chance[:] = np.nan
    if not measured.comparables.flips:
        flip[:] = np.nan
    return BlockScores(
        states, form.key, blocks, first, second, by_label.T, explained, chance, flip, n_undefined
    )


def score_partition(states: States, block_of_state: Any, coefficient: str = "kappa") -> BlockScores:
    """One partition into any number of blocks: `score_blocks` with N = 1.

    Parameters
    ----------
    block_of_state : array_like of int
        (C,) as `Partition.of` gives it.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> found = states(count(read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "b"]])))
    >>> score_partition(found, [0, 0, 1]).first_by_pair.round(3).tolist()
    [[0.545]]
    """
    return score_blocks(states, np.asarray(block_of_state)[None], coefficient)


def every_partition(
    states: States, n_blocks: int | None = None, coefficient: str = "kappa"
) -> BlockScores:
    """All partitions of the states that occur into so many blocks, or into 2 to C − 1.

    Parameters
    ----------
    states : States
    n_blocks : int, optional
        How many blocks.

    Raises
    ------
    RequestError
        If there are too many of them (`accordant.decomposition.set_partitions.MOST_PARTITIONS`).

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> found = states(count(read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "b"]])))
    >>> every_partition(found).blocks.tolist()
    [[0, 0, 1], [0, 1, 0], [0, 1, 1]]
    """
    return score_blocks(states, set_partitions(states.n_states, n_blocks), coefficient)


# ---------------------------------------------------------------------- how it is worked out


class _Measured:
    """The states, ready for partitions: numbers that are sums over pairs of values apart.

    A form of a cut, constant − Σ_ij q_ij over pairs of states on different sides, is a form of any
    partition when it is read over pairs of states in different blocks.
    """

    def __init__(self, states: States, form: ClosedForm) -> None:
        self.states, self.form = states, form
        self.comparables = Comparables(states, own=form.own)
        self.levels = [Levels(m, states.members, form) for m in states.tables]
        parts = [self.comparables.forms.only([0, 1, 2])]
        self.n_forms: list[int] = []
        for level in self.levels:
            kept = level.first_forms.only([0])
            labels = level.forms.only(list(range(2 + level.own, len(level.forms))))
            mine = [kept, apart(_drawn(level)[None]), *([labels] if level.n_labels else [])]
            self.n_forms.append(sum(map(len, mine)))
            parts += mine
        forms = Forms.stacked(parts)
        self.ones, self.others = np.triu_indices(states.n_states, 1)
        self.weights = np.ascontiguousarray(forms.quadratic[:, self.ones, self.others])  # (F, P)
        self.constant = forms.constant

    def walk(self, blocks: NDArray[Any]) -> Iterator[tuple[slice, Iterator[Agreement], Floats]]:
        """A few partitions at a time: the agreement of each pair of coders, and (3, n) shares."""
        step = max(1, CELLS // max(len(self.ones), 1))
        by_state = np.ascontiguousarray(blocks.T)
        for low in range(0, len(blocks), step):
            where = slice(low, min(low + step, len(blocks)))
            some = by_state[:, where]
            parted = (some[self.ones] != some[self.others]).astype(float)  # (P, n)
            numbers = self.constant[:, None] - self.weights @ parted
            sizes = _n_blocks(some.T)
            yield where, self._each(numbers[3:], some, sizes), numbers[:3]

    def _each(self, numbers: Floats, some: NDArray[Any], sizes: Ints) -> Iterator[Agreement]:
        at = 0
        for level, n_forms in zip(self.levels, self.n_forms, strict=True):
            kept, spread, *labels = numbers[at : at + n_forms]
            at += n_forms
            n = max(level.n, 1e-300)
            first, known = np.zeros(len(sizes)), np.zeros(len(sizes), bool)
            for k in np.unique(sizes):  # chance of some coefficients rests on their number
                these = sizes == k
                first[these], known[these] = self.form.value(
                    1 - kept[these] / n, spread[these], level.n, int(k)
                )
            known &= (sizes > 1) & (level.n > 0)
            rest = np.array(labels) if level.n_labels else self._categories(level, some)
            filler = np.empty((1 + level.own, len(sizes)))  # margins of sides, which nobody reads
            value, label_known, left = level.second(np.concatenate([kept[None], filler, rest]))
            label_known &= sizes < len(some)  # else nothing is left to disagree on
            yield Agreement(first * known, known, value * label_known, label_known, left)

    def _categories(self, level: Levels, some: NDArray[Any]) -> Floats:
        """(1, n) Σ_k r_k c_k, the margins of the items that both coders put in the same block."""
        table = level.table if level.own else (level.table + level.table.T) / 2
        found = np.zeros((1, some.shape[1]))
        for k, block in enumerate(some):
            inside = (some == block).astype(float)
            found += (table[k] @ inside) * (table[:, k] @ inside)
        return found


def _drawn(level: Levels) -> Floats:
    """(C, C) distribution of two independent draws from the margins of two coders."""
    p, q = level.row / max(level.n, 1e-300), level.column / max(level.n, 1e-300)
    if not level.own:
        p = q = (p + q) / 2
    return np.asarray(p[:, None] * q)


def _n_blocks(blocks: NDArray[Any]) -> Ints:
    """(N,) how many different blocks there are in each row."""
    ordered = np.sort(blocks, axis=1)
    return np.asarray((ordered[:, 1:] != ordered[:, :-1]).sum(1) + (blocks.shape[1] > 0), np.int64)


def _information(table: Floats, blocks: NDArray[Any]) -> Floats | None:
    """(N,) of one pair of coders; None if each knows what the other says."""
    left = 2 * _xlogx(table).sum() - _xlogx(table.sum(0)).sum() - _xlogx(table.sum(1)).sum()
    if not -left > 1e-12 * max(table.sum(), 1):
        return None
    total = np.full(len(blocks), _xlogx(table.sum(0)).sum() + _xlogx(table.sum(1)).sum())
    for b in np.unique(blocks):
        inside = (blocks == b).astype(float)
        total -= _xlogx(inside @ table).sum(1) + _xlogx(inside @ table.T).sum(1)
    return np.asarray(total / -left)


def _xlogx(x: Floats) -> Floats:
    return np.asarray(x * np.log(np.where(x > 0, x, 1)))
