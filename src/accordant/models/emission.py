"""How coders label an item, given what is true of it: the part of a model that predicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..arrays import Floats, Ints
from .votes import Votes

__all__ = ["IMPOSSIBLE", "Confusions", "Emission", "OneCoin", "Uncertain", "logs"]


IMPOSSIBLE = -1e300  # log 0 that can be added and multiplied by 0


class Emission(Protocol):
    """The probability of an answer, given what is true. S states, usually the K categories."""

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, S, O) probability that the coder gives answer o to the item in state s."""
        ...

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, S) log probability of all annotations of each item in state s."""
        ...


@dataclass(frozen=True, eq=False)
class Confusions:
    """A confusion matrix for each coder, the same for all items.

    Parameters
    ----------
    probabilities : ndarray
        (C, S, O) that coder c answers o where s is true; rows sum to 1.
    """

    probabilities: Floats

    @cached_property
    def logs(self) -> Floats:
        """(C, S, O) log probabilities."""
        return logs(self.probabilities)

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, S, O); the item does not matter."""
        return self.probabilities[coder]

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, S) by one sparse product."""
        _, n_states, _ = self.probabilities.shape
        table = self.logs.transpose(0, 2, 1).reshape(-1, n_states)
        return np.asarray(votes.by_item @ np.ascontiguousarray(table))


@dataclass(frozen=True, eq=False)
class Uncertain(Confusions):
    """Confusion matrices that are known as distributions: their means, and expected logarithms.

    Items are judged by the expected logarithms, new annotations predicted by the means.

    Parameters
    ----------
    probabilities : ndarray
        (C, S, O) means; rows sum to 1.
    expected_logs : ndarray
        (C, S, O) E log p, below the logarithms of the means.
    """

    expected_logs: Floats

    @cached_property
    def logs(self) -> Floats:
        """(C, S, O) expected log probabilities."""
        return self.expected_logs


@dataclass(frozen=True, eq=False)
class OneCoin:
    """One probability of being right, for each coder and item; errors fall on any other category.

    Parameters
    ----------
    accuracy : callable
        (item, coder) → (n,) probabilities of being right.
    n_categories : int
    """

    accuracy: Callable[[Ints, Ints], Floats]
    n_categories: int

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, K) right on the diagonal."""
        right = self.accuracy(item, coder)
        wrong = (1 - right) / max(self.n_categories - 1, 1)
        out = np.repeat(wrong, self.n_categories**2).reshape(-1, *[self.n_categories] * 2)
        k = np.arange(self.n_categories)
        out[:, k, k] = right[:, None]
        return out

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) without a table of N x K."""
        right = self.accuracy(votes.item, votes.coder)
        wrong = (1 - right) / max(self.n_categories - 1, 1)
        return self._summed(votes, _finite(right), _finite(wrong)) + IMPOSSIBLE * np.minimum(
            self._summed(votes, (right <= 0).astype(float), (wrong <= 0).astype(float)), 1.0
        )

    def _summed(self, votes: Votes, right: Floats, wrong: Floats) -> Floats:
        """(I, K) sums over annotations: of ``right`` where the label is k, else of ``wrong``."""
        n = votes.n_items * votes.n_categories
        cell = votes.item.astype(np.int64) * votes.n_categories + votes.label
        more = np.bincount(cell, votes.times * (right - wrong), n)
        base = np.bincount(votes.item, votes.times * wrong, votes.n_items)
        return np.asarray(more.reshape(votes.n_items, -1) + base[:, None])


def _finite(p: Floats) -> Floats:
    """Logarithms, 0 for what is impossible, which is counted by itself: 1e300 swallows others."""
    return np.asarray(np.log(np.where(p > 0, p, 1)))


def logs(p: Floats) -> Floats:
    """Logarithms, `IMPOSSIBLE` for 0."""
    with np.errstate(divide="ignore"):
        found: Floats = np.asarray(np.log(p))
    np.maximum(found, IMPOSSIBLE, out=found)
    return found
