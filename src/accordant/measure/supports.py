"""Label draw of many coders, each of whom draws only from the labels that the coder gives.

A crowd gives many labels, and each of its coders few. All sets of the crowd's labels for each
coder (`subsets`) fill gigabytes; here coders come one after another, each with the sets of the
own labels, and meet the running sums of those who came before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .subsets import inclusion, inclusion_slope, levels, n_subsets
from .terms import Terms

__all__ = ["n_own_sets", "sum_of_pairs", "sum_of_pairs_slope"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_CELLS = 20_000_000  # running sums of all sets: 160 MB; beyond it only of sets that occur


def n_own_sets(p: Floats, q: Floats) -> Ints:
    """(C,) how many sets each coder can draw, from shares (C, K) and sizes (C, S + 1).

    Examples
    --------
    >>> n_own_sets(np.array([[0.5, 0.5, 0, 0]]), np.array([[0, 0.5, 0.5]]))
    array([3])
    """
    return np.array([n_subsets(*of) for of in zip(*_supports(p, q), strict=True)], np.int64)


def _supports(p: Floats, q: Floats) -> tuple[list[int], list[int]]:
    """For each coder the number of labels that the coder gives, and the largest set of them."""
    given = np.count_nonzero(p, axis=1)
    largest = np.where(q.any(1), q.shape[1] - 1 - np.argmax(q[:, ::-1] > 0, axis=1), 0)
    return given.tolist(), np.minimum(given, largest).tolist()


@dataclass(frozen=True, eq=False)
class Coder:
    """One coder's draws: ``labels`` (k,) with ``shares`` (1, k), ``sizes`` (S + 1,) up to ``most``.

    ``sets`` for b = 1 ... (n,): where the sets of b of the own labels stand among all.
    """

    number: int
    labels: Ints
    shares: Floats
    sizes: Floats
    most: int
    sets: Sequence[Ints]

    def included(self) -> Iterator[tuple[Ints, Floats]]:
        """For b = 0, 1 ... the sets and (sizes, n) how probably they are in a draw of each size."""
        yield np.zeros(1, np.intp), np.ones((len(self.sizes), 1))
        if self.sets:
            found = inclusion(self.shares, self.most, len(self.sets))
            yield from zip(self.sets, (x[0] for x in found), strict=True)

    def given(self) -> Iterator[tuple[Ints, Floats]]:
        """The same, times how often the coder draws so many labels."""
        for b, (sets, included) in enumerate(self.included()):
            yield sets, included * self.sizes[b : b + len(included), None]


@dataclass(frozen=True, eq=False)
class Crowd:
    """Coders with shares (C, K) and sizes (C, S + 1) who draw their labels."""

    terms: Terms
    p: Floats
    q: Floats

    def __iter__(self) -> Iterator[Coder]:
        for c in self._order:
            labels = np.flatnonzero(self.p[c])
            most = self._largest[c]
            sets = [
                number if occurring is None else np.searchsorted(occurring, number)
                for number, occurring in zip(
                    self._numbers(labels, most), self._occurring, strict=False
                )
            ]
            yield Coder(c, labels, self.p[c][None, labels], self.q[c], most, sets)

    @cached_property
    def _largest(self) -> list[int]:
        return _supports(self.p, self.q)[1]

    @property
    def _order(self) -> list[int]:
        """Coders with annotations; those who can draw as many sets in turn, if nobody is first."""
        there = np.flatnonzero(self.q.any(1)).tolist()
        g = self.terms.by_degree
        if not np.array_equal(g, g.swapaxes(0, 1)):
            return list(there)
        given, largest = _supports(self.p, self.q)
        return sorted(there, key=lambda c: (given[c], largest[c]))

    def nothing(self) -> list[Floats]:
        """For b = 0, 1 ... zeros (S - b + 1, sets of b labels)."""
        s = self.q.shape[1]
        n = [1, *(len(x) if x is not None else comb(self.p.shape[1], b + 1)
                  for b, x in enumerate(self._occurring))]  # fmt: skip
        return [np.zeros((s - b, size)) for b, size in enumerate(n)]

    def _numbers(self, labels: Ints, most: int) -> list[Ints]:
        """For b = 1 ... (n,) the sets of b of some labels, numbered among those of all labels."""
        found: list[Ints] = [np.zeros(1, np.int64)]
        for b, level in enumerate(levels(len(labels), most)[: self.terms.degree]):
            last = labels[level.members[:, -1]]
            found.append(found[-1][level.without[:, -1]] + self._below[last, b])
        return found[1:]

    @cached_property
    def _below(self) -> Ints:
        """(K, b) number of sets of so many of the labels before each label."""
        some = range(1, self.terms.degree + 1)
        return np.array([[comb(k, b) for b in some] for k in range(self.p.shape[1])])

    @cached_property
    def _occurring(self) -> list[Ints | None]:
        """For b = 1, 2 ... the numbers of the sets that any coder can draw; None for all sets."""
        found: list[Ints | None] = []
        for b in range(1, self.terms.degree + 1):
            few = comb(self.p.shape[1], b) * self.q.shape[1] <= MOST_CELLS
            found.append(None if few else self._union(b))
        return found

    def _union(self, b: int) -> Ints:
        each = [
            self._numbers(np.flatnonzero(self.p[c]), most)[b - 1]
            for c, most in enumerate(self._largest)
            if most >= b
        ]
        return np.unique(np.concatenate(each)) if each else np.zeros(0, np.int64)


def sum_of_pairs(terms: Terms, p: Floats, q: Floats) -> float:
    """Sum of the expected scores of all pairs of coders c < d.

    Parameters
    ----------
    terms : Terms
    p, q : ndarray
        (C, K) shares of the labels and (C, S + 1) of the sizes; a coder without sizes is left out.
    """
    crowd, total = Crowd(terms, p, q), 0.0
    before = crowd.nothing()
    for coder in crowd:
        for b, (sets, given) in enumerate(coder.given()):
            both = before[b][:, sets] @ given.T  # (sizes of those before, own sizes)
            total += float((both * terms.by_degree[b:, b : b + len(given), b]).sum())
            before[b][: len(given), sets] += given
    return total


def sum_of_pairs_slope(terms: Terms, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Slopes (C, K) and (C, S + 1) of the sum over all pairs of coders."""
    crowd = Crowd(terms, p, q)
    of_p, of_q = np.zeros(p.shape), np.zeros(q.shape)
    before, after = crowd.nothing(), crowd.nothing()
    for coder in crowd:
        for b, (sets, given) in enumerate(coder.given()):
            after[b][: len(given), sets] += given
    for coder in crowd:
        pull = []
        for b, (sets, included) in enumerate(coder.included()):
            own, g = slice(len(included)), terms.by_degree[b:, b:, b]
            size = coder.sizes[b : b + len(included), None]
            after[b][own, sets] -= included * size
            of_given = g[own] @ after[b][:, sets] + g.T[own] @ before[b][:, sets]
            before[b][own, sets] += included * size
            of_q[coder.number, b : b + len(included)] += (of_given * included).sum(-1)
            pull.append((of_given * size)[None])
        if len(pull) > 1:
            of_p[coder.number, coder.labels] = inclusion_slope(coder.shares, coder.most, pull[1:])
    return of_p, of_q
