"""Coders who know the answer or spam: what such coders say, and how likely it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..votes import Votes

__all__ = ["Spamming"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Spamming:
    """With a certain probability the true label, else one from the coder's own distribution.

    Parameters
    ----------
    knows : ndarray
        (C,) probability that the coder knows; under a distribution of it, its mean.
    strategy : ndarray
        (C, O) distribution of answers of a coder who does not; its mean.
    log_knows, log_spams, log_strategy : ndarray
        (C,), (C,) and (C, O): the expected logarithms, which beliefs about items rest on. Of
        parameters that are one number these are the logarithms of `knows`, 1 − `knows` and
        `strategy`.
    n_categories : int
        K, the first of the O answers.
    """

    knows: Floats
    strategy: Floats
    log_knows: Floats
    log_spams: Floats
    log_strategy: Floats
    n_categories: int

    @classmethod
    def certain(cls, both: Floats, styles: Floats, n_categories: int) -> Spamming:
        """Shares of the counts (C, 2) known and spammed, and (C, O) of each answer spammed."""
        shares = both / both.sum(1, keepdims=True)
        strategy = styles / styles.sum(1, keepdims=True)
        logs = np.log(shares)
        return cls(
            shares[:, 0], strategy, logs[:, 0], logs[:, 1], np.log(strategy), n_categories
        )  # fmt: skip

    @classmethod
    def expected(cls, both: Floats, styles: Floats, n_categories: int) -> Spamming:
        """Beta and Dirichlet distributions with these counts."""
        from scipy.special import digamma

        logs = digamma(both) - digamma(both.sum(1, keepdims=True))
        total = styles.sum(1, keepdims=True)
        return cls(
            both[:, 0] / both.sum(1), styles / total, logs[:, 0], logs[:, 1],
            digamma(styles) - digamma(total), n_categories,
        )  # fmt: skip

    @cached_property
    def log_guess(self) -> Floats:
        """(C, O) of spamming with this answer."""
        return self.log_spams[:, None] + self.log_strategy

    @cached_property
    def log_either(self) -> Floats:
        """(C, O) of this answer where it is true: known, or spammed."""
        return np.logaddexp(self.log_guess, self.log_knows[:, None])

    @property
    def gain(self) -> Floats:
        """(C, O) how much more probable this answer is where it is true, as a logarithm."""
        return np.asarray(self.log_either - self.log_guess)

    @property
    def known(self) -> Floats:
        """(C, O) probability that this answer was known if it is true."""
        return np.asarray(np.exp(self.log_knows[:, None] - self.log_either))

    def confusion(self) -> Floats:
        """(C, K, O)."""
        return self.table(np.empty(0, int), np.arange(len(self.knows)))

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, O); the item does not matter."""
        spam = (1 - self.knows[coder])[:, None] * self.strategy[coder]
        found = np.repeat(spam[:, None, :], self.n_categories, axis=1)
        k = np.arange(self.n_categories)
        found[:, k, k] += self.knows[coder][:, None]
        return found

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) by two sums over annotations, without a table of N x K."""
        said = votes.label < self.n_categories
        item, coder, label = votes.item[said], votes.coder[said], votes.label[said]
        cell = item.astype(np.int64) * self.n_categories + label
        more = np.bincount(
            cell, votes.times[said] * self.gain[coder, label], votes.n_items * self.n_categories
        )
        guess = votes.times * self.log_guess[votes.coder, votes.label]
        base = np.bincount(votes.item, guess, votes.n_items)
        return np.asarray(more.reshape(votes.n_items, -1) + base[:, None])
