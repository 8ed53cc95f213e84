"""A coder's annotations beside those of the others, pair by pair and item by item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts

__all__ = ["Beside", "beside"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

MOST_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class Beside:
    """A coder beside each other coder of its items: M pairs of annotations, N kinds of items.

    ``own``, ``other`` (M,) the values of a pair, ``at`` (M,) which kind of items it is of;
    ``value`` (N,) the coder's value, ``times`` (N,) how many items, ``size`` (N,) how many others
    annotated them. An item is a coder's annotation that somebody else made too.
    """

    own: Ints
    other: Ints
    at: Ints
    value: Ints
    times: Floats
    size: Floats

    @cached_property
    def weight(self) -> Floats:
        """(M,) what a pair counts, so that each item counts once."""
        return np.asarray((self.times / self.size)[self.at])

    @property
    def n_items(self) -> float:
        """Items that the coder and somebody else annotated."""
        return float(self.times.sum())

    def among_others(self, holds: NDArray[Any]) -> Floats:
        """(N,) mean of something (V,) known of each value over the annotations of the others."""
        total = np.bincount(self.at, weights=holds[self.other], minlength=len(self.value))
        return np.asarray(total / self.size)

    def sides(self, holds: Bools) -> tuple[float, float]:
        """Items on which the coder gives one of the values (V,) and most others do not, and back.

        Items on which the others are divided evenly are on neither side.
        """
        others, mine = self.among_others(holds.astype(float)), holds[self.value]
        few, many = others < 0.5 - 1e-9, others > 0.5 + 1e-9
        return float(self.times @ (mine & few)), float(self.times @ (~mine & many))

    def heights(self) -> tuple[float, float]:
        """Items on which the coder is higher than most of the others are, and lower."""
        up = np.bincount(
            self.at, weights=np.sign(self.own - self.other), minlength=len(self.value)
        )  # fmt: skip
        return float(self.times @ (up > 0)), float(self.times @ (up < 0))

    def of_majority(self, n_values: int) -> Floats:
        """(V, V) items that most others give value r and the coder value c, by r and c."""
        key = self.at * np.int64(n_values) + self.other
        cells, n = np.unique(key, return_counts=True)
        at, value = np.divmod(cells, n_values)
        most = n > self.size[at] / 2
        at, value = at[most], value[most]
        table = np.bincount(
            value * np.int64(n_values) + self.value[at], weights=self.times[at],
            minlength=n_values**2,
        )  # fmt: skip
        return np.asarray(table.reshape(n_values, n_values), float)


def beside(counts: Counts, coder: str) -> Beside:
    """The annotations of a coder beside those of the others; of very many every second, third ….

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = beside(count(read([["a", "a"], ["a", "b"], ["a", "b"]])), "coder 1")
    >>> found.sides(np.array([True, False])), found.n_items
    ((1.0, 0.0), 2.0)
    """
    if counts.coder is None:
        none = np.zeros(0, np.int64)
        return Beside(none, none, none, none, np.zeros(0), np.zeros(0))
    its = np.flatnonzero(counts.coder == counts.coders.index(coder))
    its = its[counts.size[counts.row[its]] > 1]
    step = max(1, -(-int(counts.size[counts.row[its]].sum()) // MOST_PAIRS))
    its = its[::step]
    row = counts.row[its]
    size = np.diff(counts.start)[row]
    begin = np.cumsum(size) - size
    at = np.repeat(np.arange(len(its)), size)
    entry = counts.start[:-1][row][at] + np.arange(len(at)) - begin[at]
    others = entry != its[at]
    at, entry = at[others], entry[others]
    return Beside(
        counts.value[its[at]], counts.value[entry], at, counts.value[its],
        counts.times[row].astype(float), size - 1.0,
    )  # fmt: skip
