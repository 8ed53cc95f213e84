"""What counts as agreement: for K values, a (K, K) matrix with 1 for full agreement.

A matrix is only one way to hold weights. Equality, squared distance and linear distance work
on any number of values, a million real numbers included, without one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums

STEP = 0.22  # of log t where 1 / (x + y)^2 is a sum of exponentials: misses 6e-18
NEGLIGIBLE = 1e-8  # (t (x + y))^2 below the square of this is nothing
LATEST = 45.0  # exp(-t (x + y)) beyond it is nothing
BLOCK = 4_000_000  # cells of the matrix held at a time where it is too large to keep


@dataclass(frozen=True, eq=False)
class Weights(ABC):
    """How much two values agree, as an operator on counts."""

    name: str
    n_values: int

    @abstractmethod
    def apply(self, p: Floats) -> Floats:
        """W p for (..., K): the agreement of each value with one drawn from ``p``."""

    @abstractmethod
    def pairs(self, counts: Counts) -> Floats:
        """(P,) sum of weights over ordered pairs of different annotations of an item."""

    @abstractmethod
    def at(self, a: Ints, b: Ints) -> Floats:
        """The weights of pairs of values."""

    @property
    def symmetric(self) -> bool:
        """Whether w(a, b) = w(b, a) for all values."""
        return True

    @property
    def symmetrised(self) -> Weights:
        """The mean of both directions."""
        return self

    @cached_property
    def total(self) -> float:
        """Sum of all K x K weights."""
        return float(self.apply(np.ones(self.n_values)).sum())

    @property
    def diagonal(self) -> Floats:
        """(K,) weight of each value with itself."""
        every = np.arange(self.n_values)
        return self.at(every, every)

    @property
    def matrix(self) -> Floats:
        """(K, K)."""
        return self.apply(np.eye(self.n_values)).T

    def expected(self, p: Floats, q: Floats) -> Floats:
        """Mean agreement of a value drawn from ``p`` (..., K) and one from ``q``: (...)."""
        return np.asarray((p * self.apply(q)).sum(-1))


@dataclass(frozen=True, eq=False)
class Identity(Weights):
    """Equal or not."""

    def apply(self, p: Floats) -> Floats:
        return p

    def pairs(self, counts: Counts) -> Floats:
        counts = counts.anonymous
        return counts.sum_entries(counts.n * (counts.n - 1))

    def at(self, a: Ints, b: Ints) -> Floats:
        return np.asarray(a == b, dtype=float)


@dataclass(frozen=True, eq=False)
class Squared(Weights):
    """1 - (s_k - s_l)^2 / scale for scores s: closed form in the first two moments."""

    scores: Floats
    scale: float

    @cached_property
    def _centred(self) -> Floats:
        """Differences do not change, and squares lose fewer digits."""
        return np.asarray(self.scores - self.scores.mean())

    def apply(self, p: Floats) -> Floats:
        s = self._centred
        mass, first, second = p.sum(-1), p @ s, p @ (s * s)
        distance = (
            np.multiply.outer(mass, s * s) - 2 * np.multiply.outer(first, s) + second[..., None]
        )
        return np.asarray(mass[..., None] - distance / self.scale)

    def pairs(self, counts: Counts) -> Floats:
        counts = counts.anonymous
        s = self._centred[counts.value]
        first, second = counts.sum_entries(counts.n * s), counts.sum_entries(counts.n * s * s)
        size = counts.size
        return size * (size - 1) - 2 * (size * second - first * first) / self.scale

    def at(self, a: Ints, b: Ints) -> Floats:
        return np.asarray(1 - (self.scores[a] - self.scores[b]) ** 2 / self.scale)


@dataclass(frozen=True, eq=False)
class Elementwise(Weights):
    """Any symmetric function of two values; the matrix is computed in blocks and never kept."""

    weight: Callable[[Ints, Ints], Floats]

    def at(self, a: Ints, b: Ints) -> Floats:
        return self.weight(a, b)

    def apply(self, p: Floats) -> Floats:
        every = np.arange(self.n_values)
        step = max(1, BLOCK // self.n_values)
        parts = [
            p @ self.at(every[:, None], every[None, start : start + step])
            for start in range(0, self.n_values, step)
        ]
        return np.concatenate(parts, axis=-1)

    def pairs(self, counts: Counts) -> Floats:
        counts = counts.anonymous
        value, n = counts.value, counts.n
        total = counts.sum_entries(n * (n - 1) * self.at(value, value))
        for a, b in ordered_pairs(counts):
            both = n[a] * n[b] * (self.at(value[a], value[b]) + self.at(value[b], value[a]))
            total += sums(counts.row[a], both, counts.n_patterns)
        return total


@dataclass(frozen=True, eq=False)
class Linear(Elementwise):
    """1 - |s_k - s_l| / scale for scores s: running sums over the sorted scores."""

    scores: Floats
    scale: float

    def apply(self, p: Floats) -> Floats:
        order = np.argsort(self.scores, kind="stable")
        s, q = self.scores[order], p[..., order]
        below, below_s = np.cumsum(q, -1), np.cumsum(q * s, -1)
        mass, mass_s = below[..., -1:], below_s[..., -1:]
        distance = np.empty_like(below)
        distance[..., order] = s * (2 * below - mass) - 2 * below_s + mass_s
        return mass - distance / self.scale


@dataclass(frozen=True, eq=False)
class Ratio(Elementwise):
    """1 - ((s_k - s_l) / (s_k + s_l))^2 / scale for scores s of at least 0.

    1 / (x + y)^2 is the integral of t exp(-t x) exp(-t y) over t, a sum of products of a number
    for x and one for y. In steps of u = log t the integrand falls off to both sides faster than
    exponentially, and the sum over equal steps h misses 4 pi^2 / h exp(-pi^2 / h) of it, less than
    rounding does (Trefethen & Weideman 2014). Every term is positive: no digit is lost.
    """

    scores: Floats
    scale: float

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """Times t (T,), and the weights h t^2 of exp(-t (x + y)) in the sum."""
        low, high = self.scores[self.scores > 0].min(), 2 * self.scores.max()
        u = np.arange(np.log(NEGLIGIBLE / high), np.log(LATEST / low) + STEP, STEP)
        return np.exp(u), STEP * np.exp(2 * u)

    @cached_property
    def _centred(self) -> Floats:
        """Differences do not change; of scores that lie close together squares lose no digits."""
        low, high = self.scores.min(), self.scores.max()
        return self.scores - ((low + high) / 2 if high < 2 * low else 0)

    def apply(self, p: Floats) -> Floats:
        s = self._centred
        moments = np.stack([p, p * s, p * s * s])  # (3, ..., K)
        t, weight = self._nodes
        of_t = sum(
            moments[..., some] @ np.exp(-np.multiply.outer(self.scores[some], t))
            for some in self._blocks
        )
        near = of_t * weight
        distance = np.empty_like(p)
        for some in self._blocks:
            kernel, x = near @ np.exp(-np.multiply.outer(t, self.scores[some])), s[some]
            distance[..., some] = x * x * kernel[0] - 2 * x * kernel[1] + kernel[2]
        return np.asarray(p.sum(-1, keepdims=True) - distance / self.scale)

    @property
    def _blocks(self) -> list[slice]:
        """Scores, so many at a time that their exponentials fit."""
        step = max(1, BLOCK // len(self._nodes[0]))
        return [slice(at, at + step) for at in range(0, self.n_values, step)]


@dataclass(frozen=True, eq=False)
class Blend(Weights):
    """A mixture of two weights: ``share`` of the second, the rest of the first."""

    first: Weights
    second: Weights
    share: float

    def _mix(self, one: Floats, two: Floats) -> Floats:
        return np.asarray((1 - self.share) * one + self.share * two)

    def apply(self, p: Floats) -> Floats:
        return self._mix(self.first.apply(p), self.second.apply(p))

    def pairs(self, counts: Counts) -> Floats:
        return self._mix(self.first.pairs(counts), self.second.pairs(counts))

    def at(self, a: Ints, b: Ints) -> Floats:
        return self._mix(self.first.at(a, b), self.second.at(a, b))


@dataclass(frozen=True, eq=False)
class WeightMatrix(Elementwise):
    """A matrix that is kept: (K, K), rows are the first coder's value."""

    table: Floats

    def at(self, a: Ints, b: Ints) -> Floats:
        return np.asarray(self.table[a, b])

    def apply(self, p: Floats) -> Floats:
        return np.asarray(p @ self.table.T)

    @classmethod
    def of(cls, name: str, table: Floats) -> WeightMatrix:
        """Weights that keep a (K, K) matrix."""
        return cls(name, len(table), lambda a, b: np.asarray(table[a, b]), table)

    @cached_property
    def symmetric(self) -> bool:
        return bool(np.array_equal(self.table, self.table.T))

    @property
    def symmetrised(self) -> WeightMatrix:
        return WeightMatrix.of(self.name, (self.table + self.table.T) / 2)


def ordered_pairs(counts: Counts) -> list[tuple[Ints, Ints]]:
    """Positions of all pairs of entries of the same pattern, the earlier entry first.

    One pair of arrays for each distance between the entries; together every pair once.
    """
    width = np.diff(counts.start)
    left = counts.start[1:][counts.row] - np.arange(len(counts.row)) - 1  # entries after each
    found: list[tuple[Ints, Ints]] = []
    first: Ints = np.arange(len(counts.row))
    for lag in range(1, int(width.max(initial=0))):
        first = first[left[first] >= lag]
        found.append((first, first + lag))
    return found
