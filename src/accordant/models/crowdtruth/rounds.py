"""CrowdTruth 2.0: items, coders and categories judged by each other, round after round.

Dumitrache et al. (2018), section 3. Every score of a round follows from those of the round before.
An item needs no loop over pairs of coders: the sum of its weighted vectors holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .vectors import Vectors

__all__ = ["FLOOR", "Rounds", "Scores"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FLOOR = 1e-8  # of CrowdTruth: what stands in place of a weight or a score below it


@dataclass(frozen=True, eq=False)
class Scores:
    """What a round says of everything, each from 0 to 1. I items, C coders, K categories.

    Parameters
    ----------
    item : ndarray
        (I,) quality (UQS).
    coder : ndarray
        (C,) quality (WQS): the product of the following two.
    with_coders, with_items : ndarray
        (C,) agreement with the other coders (WWA) and with the items (WUA).
    category : ndarray
        (K,) quality (AQS).
    """

    item: Floats
    coder: Floats
    with_coders: Floats
    with_items: Floats
    category: Floats

    def change(self, before: Scores) -> float:
        """The largest change of the quality of an item, a coder or a category."""
        each = (
            (self.item, before.item), (self.coder, before.coder), (self.category, before.category)
        )  # fmt: skip
        return max(float(np.abs(new - old).max(initial=0)) for new, old in each)


@dataclass(frozen=True, eq=False)
class Rounds:
    """The rounds over some vectors.

    Parameters
    ----------
    vectors : Vectors
    closed : bool
        Whether the categories are the same for all items, so that they have a quality.
    """

    vectors: Vectors
    closed: bool

    def run(
        self, tolerance: float, most: int, progress: Callable[[int, int], None] | None = None
    ) -> tuple[Scores, Scores, float, int]:
        """All rounds.

        Parameters
        ----------
        tolerance : float
            Stop when no quality changes by as much.
        most : int
            Stop after so many rounds.
        progress : callable, optional

        Returns
        -------
        first, last : Scores
            After the first round, in which all weights are 1, and after the last one.
        change : float
            The largest change in the last round.
        n : int
            How many rounds there were.
        """
        scores, first, change, n = self.start, None, np.inf, 0
        while n < most and change >= tolerance:
            new = self.next(scores)
            change, scores, n = new.change(scores), new, n + 1
            first = first or new
            if progress is not None:
                progress(n, most)
        return first or scores, scores, change, n

    @property
    def start(self) -> Scores:
        """Every weight is 1; 0 for items of one coder, and for coders who share no item.

        These have nothing to agree with, and must not count in what is said of the others.
        """
        v = self.vectors
        coder = (v.n_shared > 0).astype(float)
        return Scores(v.shared.astype(float), coder, coder, coder, np.ones(v.shape[2]))

    def next(self, before: Scores) -> Scores:
        """The round after some scores."""
        v = self.vectors
        n_items, n_coders, _ = v.shape
        weight, of_item, of_category = before.coder[v.coder], before.item[v.item], before.category
        length = np.sqrt(np.bincount(v.row, of_category[v.category] * v.share**2))
        unit = np.sqrt(of_category[v.category]) * v.share / length[v.row]
        own = weight[v.row] * unit
        rest = np.bincount(v.cell, own)[v.cell] - own  # the unit vectors of the other coders
        agreed = np.bincount(v.row, unit * rest)
        others = np.maximum(np.bincount(v.item, weight)[v.item] - weight, 0)
        item = _mean(v.item, weight * agreed, weight * others, n_items, 2 * FLOOR)
        with_coders = _mean(v.coder, of_item * agreed, of_item * others, n_coders)
        likeness = self._with_rest(weight, length, of_category)
        with_items = _mean(v.coder, of_item * likeness, of_item, n_coders)
        category = self._categories(before) if self.closed else of_category
        return Scores(item, with_coders * with_items, with_coders, with_items, category)

    def _with_rest(self, weight: Floats, length: Floats, of_category: Floats) -> Floats:
        """(M,) cosine of each vector with the weighted sum of those of the other coders."""
        v = self.vectors
        own = weight[v.reach_row] * v.reach_share
        total = np.bincount(v.cell, weight[v.row] * v.share)
        rest = total[v.reach_cell] - own
        factor = of_category[v.cell_category][v.reach_cell]
        product = np.bincount(v.reach_row, factor * own * rest)
        size = weight * length * np.sqrt(np.bincount(v.reach_row, factor * rest**2))
        nothing = size < FLOOR
        return np.where(nothing, FLOOR, product / np.where(nothing, 1, size))

    # ------------------------------------------------------------------ categories

    def _categories(self, before: Scores) -> Floats:
        """(K,) mean over pairs of coders of P(one gives it | the other does)."""
        v, seats = self.vectors, self._seats
        n = v.shape[2]
        given = seats.gave.copy()
        given.data = given.data * np.repeat(before.item[v.cell_item], np.diff(given.indptr))
        found = (seats.both @ given).tocoo()
        pair = (found.data.real > 0) & (found.row != found.col)
        row, column, sums = found.row[pair], found.col[pair], found.data[pair]
        weight, category = before.coder[seats.coder], seats.category[row]
        together = weight[row] * weight[column]
        agreed = np.bincount(category, together * sums.imag / sums.real, n)
        pairs = np.bincount(category, together, n)
        enough = pairs > FLOOR
        return np.maximum(np.where(enough, agreed / np.where(enough, pairs, 1), FLOOR), FLOOR)

    @cached_property
    def _seats(self) -> _Seats:
        from scipy.sparse import csr_array

        v = self.vectors
        n_coders = v.shape[1]
        key = v.cell_category[v.reach_cell].astype(np.int64) * n_coders + v.coder[v.reach_row]
        seats, seat = np.unique(key, return_inverse=True)
        shape = (len(v.cell_item), len(seats))
        seat, start = seat.astype(np.int32), v.reach_start.astype(np.int32)
        both = csr_array((1 + 1j * v.reach_share, seat, start), shape=shape).T.tocsr()
        gave = csr_array((v.reach_share, seat, start), shape=shape, copy=True)
        gave.eliminate_zeros()
        return _Seats(both, gave, seats % n_coders, seats // n_coders)


class _Seats(NamedTuple):
    """Who gave each category, among those who could have given it; S seats, L cells.

    A seat is a coder and a category that somebody gave to an item of the coder. Seats of
    different categories never meet in a cell, so one product serves all categories. And it
    serves two sums: the real part of ``both`` is 1 where the coder annotated the item, the
    imaginary part the share of the times that the coder gave the category.
    """

    both: Any  # (S, L)
    gave: Any  # (L, S)
    coder: Ints
    category: Ints


def _mean(of: Ints, x: Floats, weight: Floats, n: int, floor: float = FLOOR) -> Floats:
    """(n,) weighted means of what belongs to each."""
    return np.bincount(of, x, n) / np.maximum(np.bincount(of, weight, n), floor)
