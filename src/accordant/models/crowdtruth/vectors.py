"""Annotations as vectors over the categories: where every CrowdTruth measure starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...scheme import Value
from ..votes import Votes

__all__ = ["Vectors", "vectors"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Vectors:
    """One vector for each coder and item; I items, C coders, K categories, M vectors.

    A vector has 1 for each category that the coder gave to the item. If the coder annotated it
    several times, it has the share of the times. A coder who said that nothing applies gave the
    category ``()``, so that an empty set agrees with an empty set and with nothing else.

    Parameters
    ----------
    items : sequence
        (I,) names.
    coders : tuple of str
        (C,) names.
    categories : tuple
        (K,) in the order of the scheme, then ``()`` if a coder gave the empty set.
    item, coder : ndarray of int
        (M,) whose vector it is, by item and coder.
    times : ndarray
        (M,) how often the coder annotated the item.
    row, category : ndarray of int
        (E,) the vector and the category of each entry that is not 0, by vector and category.
    share : ndarray
        (E,) the entry.
    """

    items: Sequence[Any] | NDArray[Any]
    coders: tuple[str, ...]
    categories: tuple[Value, ...]
    item: Ints
    coder: Ints
    times: Floats
    row: Ints
    category: Ints
    share: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        """I, C, K."""
        return len(self.items), len(self.coders), len(self.categories)

    @cached_property
    def per_item(self) -> Ints:
        """(I,) how many coders annotated it."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def per_coder(self) -> Ints:
        """(C,) how many items the coder annotated."""
        return np.bincount(self.coder, minlength=len(self.coders))

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """(I,) whether two coders or more annotated it."""
        return self.per_item > 1

    @cached_property
    def n_shared(self) -> Ints:
        """(C,) how many items of the coder another one annotated too."""
        return np.bincount(self.coder[self.shared[self.item]], minlength=len(self.coders))

    @cached_property
    def per_category(self) -> Ints:
        """(K,) in how many vectors it is."""
        return np.bincount(self.category, minlength=len(self.categories))

    # ------------------------------------------------------------------ cells

    @cached_property
    def _cells(self) -> tuple[Ints, Ints]:
        n = len(self.items)
        return np.unique(
            self.category.astype(np.int64) * n + self.item[self.row], return_inverse=True
        )

    @cached_property
    def cell(self) -> Ints:
        """(E,) which cell the entry is in: a category that somebody gave to an item."""
        return self._cells[1].astype(np.int32)

    @cached_property
    def cell_item(self) -> Ints:
        """(L,) the item of each cell; cells are sorted by category and item."""
        return (self._cells[0] % len(self.items)).astype(np.int32)

    @cached_property
    def cell_category(self) -> Ints:
        """(L,) the category of each cell."""
        return (self._cells[0] // len(self.items)).astype(np.int32)

    # ------------------------------------------------------------------ reach

    @cached_property
    def reach_start(self) -> Ints:
        """(L + 1,) where the vectors that a cell reaches start: all vectors of its item."""
        return np.concatenate([[0], np.cumsum(self.per_item[self.cell_item])])

    @cached_property
    def reach_cell(self) -> Ints:
        """(R,) the cell."""
        n = np.diff(self.reach_start)
        return np.repeat(np.arange(len(n), dtype=np.int32), n)

    @cached_property
    def reach_row(self) -> Ints:
        """(R,) the vector."""
        shift = self._item_start[self.cell_item] - self.reach_start[:-1]
        found = np.arange(self.reach_start[-1]) + np.repeat(shift, np.diff(self.reach_start))
        return found.astype(np.int32)

    @cached_property
    def reach_share(self) -> Floats:
        """(R,) the entry of the vector at the category of the cell, which may be 0."""
        found = np.zeros(int(self.reach_start[-1]))
        place = self.row - self._item_start[self.item[self.row]]
        found[self.reach_start[self.cell] + place] = self.share
        return found

    @cached_property
    def _item_start(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.per_item)])


def vectors(votes: Votes) -> Vectors:
    """The vectors of the annotations of one question.

    Parameters
    ----------
    votes : Votes
        Of categories, or of sets of labels.

    Returns
    -------
    Vectors

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> found = vectors(votes(read([["a", "b"], ["a", "a|b"]], coders_in="rows", separator="|")))
    >>> found.categories, found.row.tolist(), found.category.tolist()
    (('a', 'b'), [0, 1, 2, 3, 3], [0, 0, 1, 0, 1])
    """
    item, coder = votes.item, votes.coder
    first = np.ones(len(item), bool)
    first[1:] = (item[1:] != item[:-1]) | (coder[1:] != coder[:-1])
    row = np.cumsum(first) - 1
    times = _sums(row, votes.times)
    categories, start, member = _members(votes)
    size = np.diff(start)[votes.label]
    of = np.repeat(np.arange(len(item)), size)
    inside = np.arange(len(of)) - np.repeat(np.cumsum(size) - size, size)
    category = member[start[votes.label][of] + inside]
    key = row[of].astype(np.int64) * len(categories) + category
    share = (votes.times / times[row])[of]
    if not (key[1:] > key[:-1]).all():
        key, place = np.unique(key, return_inverse=True)
        share = _sums(place, share)
    at, category = np.divmod(key, len(categories))
    small = np.int32
    return Vectors(
        votes.items, votes.coders, categories, item[first], coder[first], times,
        at.astype(small), category.astype(small), share,
    )  # fmt: skip


def _sums(of: Ints, x: Floats) -> Floats:
    return np.asarray(np.bincount(of, x), np.float64)


def _members(votes: Votes) -> tuple[tuple[Value, ...], Ints, Ints]:
    """The categories, and which of them each value holds: (V + 1,) starts and the members."""
    if votes.scheme.max_labels == 1:
        n = len(votes.categories)
        return votes.categories, np.arange(n + 1), np.arange(n)
    sets = [x if isinstance(x, tuple) else (x,) for x in votes.categories]
    labels = tuple(dict.fromkeys((*votes.scheme.categories, *(x for s in sets for x in s))))
    categories: tuple[Value, ...] = (*labels, ()) if () in sets else labels
    place = {x: k for k, x in enumerate(categories)}
    held = [sorted(place[x] for x in set(s)) if s else [place[()]] for s in sets]
    start = np.concatenate([[0], np.cumsum([len(h) for h in held])]).astype(np.int64)
    return categories, start, np.array([k for h in held for k in h], np.int64)
