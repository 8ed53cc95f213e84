"""Kinds of items: what is drawn, and left out, as a whole.

Of one question a kind of item is a pattern. Counted together, answers to several questions
about one item are not independent: a hard item is hard in all of them. An item is then the
patterns that it shows in every question, and items that show the same ones are of one kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grouping import group_keys

__all__ = ["Kinds", "grouped", "patterns_alone"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Kinds:
    """G kinds of items, of which each shows some of P patterns.

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
        from scipy.sparse import csr_array  # several questions only: not worth 0.2 s at start

        shows = np.zeros((0, 1), np.int64) if self.shows is None else self.shows
        kind, question = np.nonzero(shows >= 0)
        start = np.searchsorted(kind, np.arange(len(shows) + 1))
        entries = (np.ones(len(kind)), shows[kind, question], start)
        return csr_array(entries, shape=(len(shows), self.n_patterns))


def patterns_alone(times: NDArray[np.floating[Any]], pattern_of: Ints) -> Kinds:
    """Every pattern is a kind."""
    return Kinds(times, pattern_of, len(times))


def grouped(rows: Ints, n_patterns: int) -> Kinds:
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
