"""Who gave which value to which item, as patterns with multiplicities.

Ten million items with five coders and five categories show a few thousand patterns of
annotation. Coefficients, standard errors and resamples look at each pattern once, so their
cost does not grow with the number of items.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scheme import Value
from .row_keys import entries_of, group_keys, group_rows, mixed_radix, renumbered, sums

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FEW_CELLS = 100_000  # cells of a table that is worth no sparse one
DENSE_CELLS = 20_000_000  # cells of a temporary dense table: 160 MB


@dataclass(frozen=True, eq=False)
class Kinds:
    """G kinds of items, of which each shows some of P patterns.

    What is drawn, and left out, as a whole. Of one question a kind of item is a pattern. Counted
    together, answers to several questions about one item are not independent: a hard item is hard
    in all of them. An item is then the patterns that it shows in every question, and items that
    show the same ones are of one kind.

    Parameters
    ----------
    times : ndarray of float
        (G,) how many items are of each kind.
    of : ndarray of int
        (I,) the kind of each item, -1 for an item without annotations.
    n_patterns : int
        P.
    shows : ndarray of int or None
        (G, Q) the pattern in each question, -1 for none; None if kind g shows pattern g only.
    """

    times: NDArray[np.floating[Any]]
    of: Ints
    n_patterns: int
    shows: Ints | None = None

    @property
    def n(self) -> float:
        """Number of items with an annotation."""
        return float(self.times.sum())

    def total(self, x: Floats) -> Floats:
        """Sum of ``x`` (P,) over the patterns that an item of each kind shows: (G,)."""
        if self.shows is None:
            return x
        return np.asarray(np.append(x, 0)[self.shows].sum(1))

    def totals_of(self, chosen: Ints, x: Any) -> Any:
        """The same for the kinds ``chosen`` (S,) and a dense or sparse ``x``, (P,) or (P, W)."""
        return x[chosen] if self.shows is None else self._table[chosen] @ x

    def patterns(self, times: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """How often each pattern occurs, (..., P), among so many items of each kind, (..., G)."""
        return times if self.shows is None else np.asarray(times @ self._table)

    @cached_property
    def _table(self) -> Any:
        """(G, P) how often an item of each kind shows each pattern."""
        shows = np.zeros((0, 1), np.int64) if self.shows is None else self.shows
        kind, question = np.nonzero(shows >= 0)
        shape = len(shows), self.n_patterns
        if shape[0] * shape[1] <= FEW_CELLS:
            dense = np.zeros(shape)
            np.add.at(dense, (kind, shows[kind, question]), 1)
            return dense
        from scipy.sparse import csr_array  # large tables only: not worth 0.2 s at start

        start = np.searchsorted(kind, np.arange(len(shows) + 1))
        return csr_array((np.ones(len(kind)), shows[kind, question], start), shape=shape)


@dataclass(frozen=True, eq=False)
class Counts:
    """How many coders (and, where known, which) gave each item each value.

    P patterns, E entries, C coders, K values. Everything that a coefficient needs is a sum over
    items, so a resample of the items is only another ``times``. Leading axes ``...`` of
    ``times`` are resamples and appear in front of every derived array.

    Parameters
    ----------
    start : ndarray of int
        (P + 1,) the entries of pattern p are ``start[p]:start[p + 1]``.
    coder : ndarray of int or None
        (E,) who gave the value; None if only the number of coders is known.
    value : ndarray of int
        (E,) code into ``values``.
    n : ndarray of int
        (E,) how many coders gave it (1 where the coder is known).
    times : ndarray of float
        (..., P) number of items that show pattern p.
    coders : tuple of str
        (C,) names, or slots if the coders are not known.
    values : tuple
        (K,) the values, in the order of the scheme.
    pattern_of : ndarray of int
        (I,) the pattern of each item, -1 for an item without annotations. Questions counted
        together are rows of their own, (I x Q,), those about one item side by side.
    declared : bool
        Whether the scheme declared the values (False: they were read off the data).
    n_questions : int
        Q, how many rows of ``pattern_of`` are about one item: answers about the same item are
        not independent, so it is items that are drawn and left out.
    """

    start: Ints
    coder: Ints | None
    value: Ints
    n: Ints
    times: NDArray[np.floating[Any]]
    coders: tuple[str, ...]
    values: tuple[Value, ...]
    pattern_of: Ints
    declared: bool = False
    n_questions: int = 1

    # ------------------------------------------------------------------ facts

    @property
    def n_patterns(self) -> int:
        """P."""
        return len(self.start) - 1

    @property
    def n_coders(self) -> int:
        """C."""
        return len(self.coders)

    @property
    def n_values(self) -> int:
        """K."""
        return len(self.values)

    @property
    def of_sets(self) -> bool:
        """Whether the values are sets of labels."""
        return bool(self.values) and isinstance(self.values[0], tuple)

    @cached_property
    def n_items(self) -> Floats:
        """(...) number of items with at least one annotation."""
        return np.asarray(self.times.sum(-1))

    @cached_property
    def n_pairable(self) -> Floats:
        """(...) number of items with at least two annotations."""
        return np.asarray(self.times @ (self.size >= 2))

    @cached_property
    def n_annotations(self) -> Floats:
        """(...) number of annotations."""
        return np.asarray(self.times @ self.size)

    @cached_property
    def kinds(self) -> Kinds:
        """Kinds of items, to be drawn and left out as a whole; each pattern for one question."""
        if self.n_questions == 1:
            return Kinds(self.times, self.pattern_of, self.n_patterns)
        found = _grouped(self.pattern_of.reshape(-1, self.n_questions), self.n_patterns)
        if not np.allclose(found.patterns(found.times), self.times):
            raise ValueError("resamples of several questions do not say which items were drawn")
        return found

    @cached_property
    def row(self) -> Ints:
        """(E,) the pattern of each entry."""
        return np.repeat(np.arange(self.n_patterns), np.diff(self.start))

    @cached_property
    def size(self) -> Ints:
        """(P,) number of annotations of an item that shows pattern p."""
        if self.coder is not None:
            return np.diff(self.start)
        return self.sum_entries(self.n).astype(np.int64)

    # ------------------------------------------------------------------ sums

    def sum_entries(self, x: NDArray[Any]) -> Floats:
        """Sum of ``x`` (E,) over the entries of each pattern: (P,)."""
        return sums(self.row, x, self.n_patterns)

    def sum_by_value(self, factor: NDArray[Any]) -> Floats:
        """Sum over items of ``factor`` (P,) x the number of coders who gave value k: (..., K)."""
        return self._sum_by(self.value, self.n_values, factor)

    def _sum_by(self, column: Ints, width: int, factor: NDArray[Any]) -> Floats:
        x = factor[self.row] * self.n
        if self.times.ndim == 1:
            return sums(column, x * self.times[self.row], width)
        if self.n_patterns * width <= DENSE_CELLS:
            cell = self.row * width + column
            table = sums(cell, x, self.n_patterns * width)
            return self.times @ table.reshape(self.n_patterns, width)
        from scipy.sparse import csr_array  # resamples of large data only: not worth 0.2 s at start

        sparse = csr_array((x, column, self.start), shape=(self.n_patterns, width))
        return np.asarray(self.times @ sparse)

    @cached_property
    def share(self) -> Floats:
        """(..., K) share of each value, every item counting once."""
        with np.errstate(invalid="ignore"):  # no item, no share
            return np.asarray(self.sum_by_value(1 / self.size) / self.n_items[..., None])

    @cached_property
    def pool(self) -> Floats:
        """(..., K) number of pairable annotations: those of items with two or more coders."""
        return self.sum_by_value(self.size >= 2)

    @cached_property
    def by_coder(self) -> Floats:
        """(..., C, K) to how many items coder c gave value k. Needs to know the coders."""
        if self.coder is None:
            raise ValueError("the counts do not say which coder gave which value")
        column = self.coder * self.n_values + self.value
        flat = self._sum_by(column, self.n_coders * self.n_values, np.ones(self.n_patterns))
        return flat.reshape(*flat.shape[:-1], self.n_coders, self.n_values)

    # ------------------------------------------------------------------ other counts

    @cached_property
    def pairable(self) -> Counts:
        """Only the items with at least two annotations."""
        paired = self.size >= 2
        if paired.all():
            return self
        entry, start = entries_of(self.start, np.flatnonzero(paired))
        return replace(
            self,
            start=start,
            coder=None if self.coder is None else self.coder[entry],
            value=self.value[entry],
            n=self.n[entry],
            times=self.times[..., paired],
            pattern_of=renumbered(paired, self.pattern_of),
        )

    def drawn(self, times: NDArray[Any]) -> Counts:
        """The same patterns, pattern p shown by ``times[..., p]`` items.

        ``times`` may be an array, or an operator that knows the sums such an array would give.
        """
        is_array = isinstance(times, np.ndarray | list)
        other = replace(self, times=np.asarray(times, float) if is_array else times)
        for name in ("row", "size", "_merged"):  # these do not depend on ``times``
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @cached_property
    def anonymous(self) -> Counts:
        """The same annotations without who gave them: fewer patterns.

        Pattern p here is pattern ``anonymous_of[p]`` there.
        """
        if self.coder is None:
            return self
        bare, of = self._merged
        return bare.drawn(_fold(self.times, of, bare.n_patterns))

    @cached_property
    def anonymous_of(self) -> Ints:
        """(P,) pattern in `anonymous` of each pattern here."""
        return np.arange(self.n_patterns) if self.coder is None else self._merged[1]

    @cached_property
    def _merged(self) -> tuple[Counts, Ints]:
        """The anonymous patterns (each shown once), and the map to them."""
        row, value, n = self._values_of_patterns()
        start = np.searchsorted(row, np.arange(self.n_patterns + 1))
        radix = mixed_radix(self.n_coders + 1, self.n_values)
        if radix is None:
            groups = group_rows(start, value * np.int64(self.n_coders + 1) + n)
        else:
            key = sums(row, radix[0][value] * n, self.n_patterns)
            groups = group_keys(key.astype(np.int64), radix[1])
        entry, new_start = entries_of(start, groups.first)
        pattern_of = np.append(groups.of, -1)[self.pattern_of]  # -1, the last, stays -1
        bare = Counts(
            new_start,
            None,
            value[entry],
            n[entry],
            np.ones(len(groups.first)),
            self.coders,
            self.values,
            pattern_of,
            self.declared,
            self.n_questions,
        )
        return bare, groups.of

    def _values_of_patterns(self) -> tuple[Ints, Ints, Ints]:
        """Row, value and number of coders of every value that a pattern holds, in this order."""
        cell = self.row * np.int64(self.n_values) + self.value
        if self.n_patterns * self.n_values <= min(DENSE_CELLS, 8 * len(cell) + 1000):
            table = np.bincount(cell, minlength=self.n_patterns * self.n_values)
            found = np.flatnonzero(table)
            n = table[found]
        else:
            found, n = np.unique(cell, return_counts=True)
        return found // self.n_values, found % self.n_values, n

    def of_coders(self, chosen: Ints) -> Counts:
        """Only the annotations of some coders (indices, kept in this order)."""
        if self.coder is None:
            raise ValueError("the counts do not say which coder gave which value")
        new = np.full(self.n_coders, -1)
        new[chosen] = np.arange(len(chosen))
        return self._rebuilt(
            new[self.coder], self.value, tuple(self.coders[c] for c in chosen), self.values
        )

    def merged(self, groups: Ints, values: tuple[Value, ...]) -> Counts:
        """The same annotations with value k read as value ``groups[k]`` of ``values``."""
        value = np.asarray(groups)[self.value]
        if self.coder is not None:
            return self._rebuilt(self.coder, value, self.coders, values)
        cell, of = np.unique(self.row * len(values) + value, return_inverse=True)
        row, value = np.divmod(cell, len(values))  # a value stands once in a pattern
        return replace(
            self,
            start=np.searchsorted(row, np.arange(self.n_patterns + 1)),
            value=value,
            n=np.bincount(of, weights=self.n).astype(np.int64),
            values=values,
        )

    def _rebuilt(
        self, coder: Ints, value: Ints, coders: tuple[str, ...], values: tuple[Value, ...]
    ) -> Counts:
        """Other coders or values for the same patterns; a coder below 0 is left out.

        Patterns that became equal are kept apart: `anonymous` merges them where it pays.
        """
        keep = coder >= 0
        size = np.bincount(self.row[keep], minlength=self.n_patterns)
        alive = size > 0
        start = np.concatenate([[0], np.cumsum(size[alive])])
        order = np.flatnonzero(keep)
        if self.coder is not None:  # entries stand in the order of the coders
            order = order[np.lexsort((coder[order], self.row[order]))]
        return replace(
            self,
            start=start,
            coder=None if self.coder is None else coder[order],
            value=value[order],
            n=self.n[order],
            coders=coders,
            values=values,
            times=self.times if alive.all() else self.times[..., alive],
            pattern_of=renumbered(alive, self.pattern_of),
        )


def _fold(times: NDArray[Any], of: Ints, n: int) -> Floats:
    """Add up ``times`` (..., P) over the patterns that became one: (..., n)."""
    if times.ndim == 1:
        return sums(of, times, n)
    order = np.argsort(of, kind="stable")
    bounds = np.searchsorted(of[order], np.arange(n))
    return np.add.reduceat(times[..., order], bounds, axis=-1)


def _grouped(rows: Ints, n_patterns: int) -> Kinds:
    """Kinds of items from the patterns that each shows in Q questions: (I, Q), -1 for none."""
    there = (rows >= 0).any(1)
    shown = np.sort(rows[there], axis=1)  # which question shows which pattern does not matter
    groups = group_keys(np.zeros(len(shown), np.int64), 1)
    for column in shown.T:
        n_possible = len(groups.first) * (n_patterns + 1)
        groups = group_keys(groups.of * np.int64(n_patterns + 1) + column + 1, n_possible)
    of = np.full(len(rows), -1)
    of[there] = groups.of
    return Kinds(groups.times.astype(float), of, n_patterns, shown[groups.first])
