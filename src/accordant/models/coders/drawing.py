"""How sure the confusion matrix of each coder is: draws that fit the annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..em import How
from ..estimators.pooling import answers_by_truth, rows_of
from ..votes import Votes

__all__ = ["METHOD", "Expected", "against_others", "expected"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

METHOD = "expected counts"
DRAWN = "draws of the labels and of the coders"
STRENGTH = 2.0  # annotations that each row of the crowd's confusion matrix is worth beforehand
DRAWS = 400
FEWEST_DRAWS = 100
MOST_CELLS = 20_000_000  # numbers drawn in all, and 1/10 of it at a time
MOST_MISSING = 0.95  # of what a row would tell if the truth were known
CODE = 7  # of the draws, among all that a seed is used for
LEAST_SHAPE = 1e-3  # of a gamma variable


@dataclass(frozen=True, eq=False)
class Expected:
    """What each coder answered to what, as far as the truth is known. C coders, K, O.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) expected number of items where k is true and the coder answered o.
    known : ndarray
        (C, K) share of what the row of a coder would tell if the truth were known.
    draws : ndarray, optional
        (B, C, K, O) confusion matrices that were drawn together with what is true.
    """

    counts: Floats
    known: Floats
    draws: Floats | None = None

    @property
    def method(self) -> str:
        """How intervals are made."""
        return METHOD if self.draws is None else DRAWN

    @cached_property
    def pooled(self) -> Floats:
        """(K, O) confusion matrix of all coders together."""
        return rows_of(self.counts.sum(0) + 1e-9)

    @cached_property
    def confusion(self) -> Floats:
        """(C, K, O) shares of the expected counts; those of all coders where there are none."""
        n = self.counts.sum(-1, keepdims=True)
        return np.where(n > 0, self.counts / np.where(n > 0, n, 1), self.pooled)

    @cached_property
    def met(self) -> Floats:
        """(C, K) share of each category among the items of a coder, as expected."""
        return rows_of(self.counts.sum(-1))

    def quantiles(
        self,
        of: Callable[[Floats, slice], tuple[Floats, ...]],
        level: float,
        how: How,
    ) -> list[tuple[Floats, Floats]]:
        """Lower and upper ends (C, ...) of what a function makes of confusion matrices.

        Parameters
        ----------
        of : callable
            (B, c, K, O) draws and which coders → arrays (B, c, ...).
        level : float
        how : How
            Its seed.
        """
        tails = [(1 - level) / 2, (1 + level) / 2]
        parts = [
            [np.quantile(x, tails, axis=0) for x in of(drawn, which)]
            for which, drawn in self._draws(how)
        ]
        return [(np.concatenate([p[0] for p in x]), np.concatenate([p[1] for p in x]))
                for x in zip(*parts, strict=True)]  # fmt: skip

    def _draws(self, how: How) -> Iterator[tuple[slice, Floats]]:
        """Confusion matrices (B, c, K, O) of some coders at a time.

        Each row follows a Dirichlet distribution (Louis 1982 for what an uncertain truth takes
        away). Categories are drawn in the order of their frequency: their names and order do not
        matter.
        """
        if self.draws is not None:
            yield slice(0, self.draws.shape[1]), self.draws
            return
        n, k, o = self.counts.shape
        rows = np.argsort(-self.counts.sum((0, 2)), kind="stable")
        columns = np.argsort(-self.counts.sum((0, 1)), kind="stable")
        back = np.argsort(rows), np.argsort(columns)
        b = int(np.clip(MOST_CELLS // max(self.counts.size, 1), FEWEST_DRAWS, DRAWS))
        step = max(1, MOST_CELLS // 10 // (b * k * o))
        rng = how.generator(CODE)
        for start in range(0, n, step):
            which = slice(start, min(start + step, n))
            found = _dirichlet(rng, self._shape[which][:, rows][:, :, columns], b)
            yield which, found[:, :, back[0]][:, :, :, back[1]]

    @cached_property
    def _shape(self) -> Floats:
        """(C, K, O) of the Dirichlet distribution of each row."""
        shape = self.counts * self.known[:, :, None] + STRENGTH * self.pooled
        return np.maximum(shape, LEAST_SHAPE)

    def shape_of(self, c: int) -> Floats:
        """(K, O) of the Dirichlet distributions of one coder, where none has to be drawn."""
        return np.asarray(self.counts[c] * self.known[c][:, None] + STRENGTH * self.pooled)

    def drawn(self, rng: np.random.Generator, rows: Ints, columns: Ints) -> Floats:
        """(C, K, O) one draw of all confusion matrices, categories and answers in this order."""
        found: Floats = _dirichlet(rng, self._shape[:, rows][:, :, columns], 1)[0]
        return found


def _dirichlet(rng: np.random.Generator, shape: Floats, n: int) -> Floats:
    """(n, ...) draws; the last axis sums to 1."""
    found = rng.standard_gamma(shape, (n, *shape.shape)) + 1e-300
    return np.asarray(found / found.sum(-1, keepdims=True))


def expected(votes: Votes, q: Floats) -> Expected:
    """Count what coders answered, given beliefs, and how much uncertain beliefs take away.

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) beliefs.

    Returns
    -------
    Expected

    Notes
    -----
    If the truth were known, n answers to items of category k would tell about the share that is
    right as n draws of a coin do. The information that is missing because it is not known is the
    variance of the score over the beliefs (Louis 1982, section 3), taken row by row.
    """
    counts = answers_by_truth(votes, q)
    unsure = answers_by_truth(votes, q * (1 - q))
    k = np.arange(counts.shape[1])
    n = counts.sum(-1)
    pooled = rows_of(counts.sum(0) + 1e-9)
    share = (counts[:, k, k] + STRENGTH * pooled[k, k]) / (n + STRENGTH)
    here, away = unsure[:, k, k], unsure.sum(-1) - unsure[:, k, k]
    lost = here * (1 - share) ** 2 + away * share**2
    whole = n * share * (1 - share)
    missing = np.where(whole > 0, lost / np.where(whole > 0, whole, 1), 0)
    return Expected(counts, 1 - np.clip(missing, 0, MOST_MISSING))


def against_others(votes: Votes) -> Expected:
    """The same, against the labels of the other coders: for votes, which are no beliefs.

    A coder's own label never counts as its own truth. Who agrees with nobody beyond chance has no
    skill, but since others err too, all skills are lower than against the truth.
    """
    given = votes.label < votes.n_categories
    pair = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    _, group = np.unique(pair, return_inverse=True)
    k = votes.n_categories
    own_total = np.bincount(group, votes.times * given)[group]
    others = votes.counts.sum(1)[votes.item] - own_total
    met = others > 0
    weight = np.where(met, votes.times / np.where(met, others, 1), 0)
    cell = votes.coder.astype(np.int64) * votes.n_answers + votes.label
    counts = np.empty((votes.n_coders, k, votes.n_answers))
    for true in range(k):  # a table of N x K would be the largest thing here
        own = np.bincount(group, votes.times * (votes.label == true))[group]
        share = weight * (votes.counts[votes.item, true] - own)
        counts[:, true] = np.bincount(cell, share, votes.n_coders * votes.n_answers).reshape(
            votes.n_coders, -1
        )
    return Expected(counts, np.ones(counts.shape[:2]))
