"""Items with the same annotations, counted once, by who gave what: what a null is fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items with the same annotations, counted once. P patterns, E entries, C coders, K values.

    Parameters
    ----------
    pattern : ndarray of int
        (I,) the pattern of each item; P for those without annotations.
    weight : ndarray
        (P,) how many items have it.
    row, coder, value : ndarray of int
        (E,) the annotations, sorted by pattern.
    n_coders, n_values : int
    known : bool
        Whether it is known who annotated; if not, all annotations are those of one coder.
    """

    pattern: Ints
    weight: Floats
    row: Ints
    coder: Ints
    value: Ints
    n_coders: int
    n_values: int
    known: bool = True

    @classmethod
    def of(cls, counts: Counts) -> Patterns:
        """Those of annotations that are counted."""
        n = counts.n.astype(int)
        known = counts.coder is not None
        coder = np.zeros(len(counts.value), int) if counts.coder is None else counts.coder
        return cls(
            np.asarray(counts.pattern_of),
            np.asarray(counts.times, float),
            np.repeat(counts.row, n),
            np.repeat(coder, n),
            np.repeat(counts.value, n),
            counts.n_coders if known else 1,
            counts.n_values,
            known,
        )

    @classmethod
    def of_grid(cls, grid: Ints, n_values: int) -> Patterns:
        """Those of a grid (I, C) of values, -1 for none."""
        rows, pattern = _distinct(grid)
        row, coder = np.nonzero(rows >= 0)
        weight = np.bincount(pattern, minlength=len(rows)).astype(float)
        return cls(pattern, weight, row, coder, rows[row, coder], grid.shape[1], n_values)

    def in_order(self, coders: Ints, values: Ints) -> Patterns:
        """The same with coders and values at other places (C,) and (K,), whatever the rows' order.

        Patterns are put in an order that only their annotations decide, so that sums over them
        have the same last digits.
        """
        coder = coders[self.coder] if self.known else self.coder
        value, n = values[self.value], len(self.weight)
        mixed = np.uint64(0x9E3779B97F4A7C15) * (coder * self.n_values + value + 1).astype(
            np.uint64
        )
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
        key = np.zeros(n, np.uint64)
        np.add.at(key, self.row, mixed)
        rank = np.empty(n + 1, np.int64)
        rank[np.argsort(key, kind="stable")] = np.arange(n)
        rank[n] = n
        weight = np.empty(n)
        weight[rank[:n]] = self.weight
        row = rank[self.row]
        order = np.lexsort((value, coder, row))
        pattern, known = rank[self.pattern], self.known
        row, coder, value = row[order], coder[order], value[order]
        return Patterns(pattern, weight, row, coder, value, self.n_coders, self.n_values, known)

    def without(self, entries: Bools) -> Patterns:
        """The same without some entries (E,)."""
        kept = ~entries
        return replace(self, row=self.row[kept], coder=self.coder[kept], value=self.value[kept])

    def parted(self, items: Bools) -> tuple[Patterns, Bools]:
        """Patterns of which each is of some items (I,) or of the others; whether of these (P,)."""
        n = len(self.weight)
        there = self.pattern < n
        both = np.where(there, self.pattern + n * items, 2 * n)
        row = np.concatenate([self.row, self.row + n])
        weight = np.bincount(both, minlength=2 * n + 1)[: 2 * n].astype(float)
        doubled = (np.tile(x, 2) for x in (self.coder, self.value))
        coder, value = doubled
        found = replace(self, pattern=both, weight=weight, row=row, coder=coder, value=value)
        return found, np.arange(2 * n) >= n

    @cached_property
    def given(self) -> Floats:
        """(P, K) how many coders gave each value."""
        cells = self.row * self.n_values + self.value
        found = np.bincount(cells, minlength=len(self.weight) * self.n_values)
        return np.asarray(found.reshape(-1, self.n_values), float)

    @cached_property
    def size(self) -> Floats:
        """(P,) annotations of an item."""
        return np.asarray(self.given.sum(1))

    @cached_property
    def shares(self) -> Floats:
        """(K,) of all annotations, a little smoothed."""
        found = self.weight @ self.given + 0.5
        return np.asarray(found / found.sum())

    @cached_property
    def compared(self) -> Patterns:
        """The same without items of a single annotation, and without patterns of no item."""
        return self.without((self.size < 2)[self.row] | (self.weight == 0)[self.row])

    def sums(self, x: Floats) -> Floats:
        """(P, ...) sums over the entries (E, ...) of each pattern."""
        found = np.zeros((len(self.weight), *x.shape[1:]))
        if len(self.row):
            starts = np.flatnonzero(np.diff(self.row, prepend=-1))
            found[self.row[starts]] = np.add.reduceat(x, starts)
        return found

    @cached_property
    def by_cell(self) -> Any:
        """(C · K, E) which coder gave which value, for products."""
        cells, n = self.coder * self.n_values + self.value, len(self.value)
        shape = (self.n_coders * self.n_values, n)
        from scipy.sparse import csr_array

        return csr_array((np.ones(n), (cells, np.arange(n))), shape=shape)


def _distinct(grid: Ints) -> tuple[Ints, Ints]:
    """The distinct rows, and the row of each item."""
    base = int(grid.max(initial=0)) + 2
    if grid.shape[1] * np.log2(base) > 62:
        return grid, np.arange(len(grid))
    code = (grid + 1) @ (base ** np.arange(grid.shape[1], dtype=np.int64))
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    return grid[first], inverse
