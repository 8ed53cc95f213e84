"""How coders label an item, given what is true of it, and how that is counted from beliefs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..arrays import Floats, Ints
from .votes import UNKNOWN, Votes

IMPOSSIBLE = -1e300  # log 0 that can be added and multiplied by 0
DRAWN = 2.0  # annotations by which each row of a coder's confusion is drawn to that of all


class Emission(Protocol):
    """The probability of a label, given what is true. K categories."""

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, K) probability that the coder gives label o (last) to the item where k is true."""
        ...

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) log probability of all annotations of each item where k is true."""
        ...


@dataclass(frozen=True, eq=False)
class Confusions:
    """A confusion matrix for each coder, the same for all items.

    Parameters
    ----------
    probabilities : ndarray
        (C, K, K) that coder c answers o where k is true; rows sum to 1.
    """

    probabilities: Floats

    @cached_property
    def logs(self) -> Floats:
        """(C, K, K) log probabilities."""
        return logs(self.probabilities)

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, K); the item does not matter."""
        return self.probabilities[coder]

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) by one sparse product."""
        k = self.probabilities.shape[1]
        table = self.logs.transpose(0, 2, 1).reshape(-1, k)
        return np.asarray(votes.by_item @ np.ascontiguousarray(table))


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
        # 0 for what is impossible, which is counted by itself: 1e300 swallows others
        log_right, log_wrong = (np.log(np.where(p > 0, p, 1)) for p in (right, wrong))
        never = self._summed(votes, (right <= 0).astype(float), (wrong <= 0).astype(float))
        return self._summed(votes, log_right, log_wrong) + IMPOSSIBLE * np.minimum(never, 1.0)

    def _summed(self, votes: Votes, right: Floats, wrong: Floats) -> Floats:
        """(I, K) sums over annotations: of ``right`` where the label is k, else of ``wrong``."""
        more = votes.tally(votes.times * (right - wrong))
        base = np.bincount(votes.item, votes.times * wrong, votes.n_items)
        return np.asarray(more + base[:, None])


def logs(p: Floats) -> Floats:
    """Logarithms, `IMPOSSIBLE` for 0."""
    with np.errstate(divide="ignore"):
        found: Floats = np.asarray(np.log(p))
    np.maximum(found, IMPOSSIBLE, out=found)
    return found


def expected_logs(a: Floats) -> Floats:
    """E log p under Dirichlet distributions with parameters (..., O).

    Examples
    --------
    >>> expected_logs(np.array([1.0, 1.0])).round(3).tolist()
    [-1.0, -1.0]
    """
    from scipy.special import digamma

    return np.asarray(digamma(a) - digamma(a.sum(-1, keepdims=True)))


def divergence(a: Floats, b: Floats, logs: Floats) -> float:
    """Σ Kullback–Leibler divergence of Dirichlet distributions with parameters a from those of b.

    The last axis is that of a distribution; ``logs`` are expected under a.

    Examples
    --------
    >>> a = np.array([3.0, 1.0])
    >>> divergence(a, a, expected_logs(a))
    0.0
    """
    from scipy.special import gammaln

    whole = gammaln(a.sum(-1)) - gammaln(b.sum(-1))
    parts = gammaln(b) - gammaln(a) + (a - b) * logs
    return float(whole.sum() + parts.sum())


def answers_by_truth(votes: Votes, q: Floats) -> Floats:
    """(C, K, K) expected number of items where k is true and the coder answered o.

    Items are gone through as they stand, and the sums of the coders stay in the cache: seven
    times as fast as a product with the table turned round.
    """
    k = q.shape[1]
    found = np.asarray(votes.by_item.T @ q).reshape(votes.n_coders, votes.n_categories, k)
    return np.ascontiguousarray(found.transpose(0, 2, 1))


def items_by_truth(q: Floats) -> Floats:
    """(K,) expected number of items of each category: a sum down, four times as fast as by NumPy.

    Examples
    --------
    >>> items_by_truth(np.array([[0.75, 0.25], [0.5, 0.5]])).tolist()
    [1.25, 0.75]
    """
    return np.asarray(np.einsum("ik->k", q))


def rows_of(counts: Floats) -> Floats:
    """Shares of the last axis; equal ones where there is nothing.

    Examples
    --------
    >>> rows_of(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    total = counts.sum(-1, keepdims=True)
    some = total > 0
    if some.all():  # the usual case: tables of many categories are large
        return np.asarray(counts / total)
    return np.where(some, counts / np.where(some, total, 1), 1 / counts.shape[-1])


def drawn_together(counts: Floats) -> Floats:
    """(C, K, K) confusion of each coder from expected counts, drawn to that of all."""
    pooled = counts.sum(0) + 0.01
    pooled /= pooled.sum(-1, keepdims=True)
    found = counts + DRAWN * pooled
    return np.asarray(found / found.sum(-1, keepdims=True))


def competence_of(confusion: Floats, prevalence: Floats) -> Floats:
    """(C,) probability of being right, Σ_k prevalence_k confusion_kk.

    Examples
    --------
    >>> competence_of(np.array([[[0.9, 0.1], [0.4, 0.6]]]), np.array([0.5, 0.5])).tolist()
    [0.75]
    """
    right = np.einsum("k,ckk->c", prevalence, confusion)
    given = np.einsum("k,cko->c", prevalence, confusion)
    return np.asarray(np.where(given > 0, right / np.where(given > 0, given, 1), np.nan))


def with_known(votes: Votes, shares: Floats) -> Floats:
    """The same (I, K), with control items in their category."""
    control = np.flatnonzero(votes.known != UNKNOWN)
    found = shares.copy()
    found[control] = 0
    found[control, votes.known[control]] = 1
    return found
