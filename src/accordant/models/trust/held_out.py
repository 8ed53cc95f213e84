"""How well a model predicts annotations that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import Bools, Floats, Ints
from ..em import How
from ..estimate import Estimate
from ..model import Model
from ..votes import Votes
from .states import state_beliefs

__all__ = ["HeldOut", "folds_of", "held_out", "predicted"]


SURPRISE = 0.01  # part of a prediction that is spread over all answers: nothing is impossible
CELLS = 4_000_000  # of tables that are held at a time


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of hidden annotations.

    Parameters
    ----------
    log_probability : ndarray
        (N,) log probability of each annotation when it was hidden, in nats; NaN where it never
        was, being the only one of its item.
    times : ndarray
        (N,) how often each stands in the data.
    item : ndarray of int
        (N,) its item.
    """

    log_probability: Floats
    times: Floats
    item: Ints

    @property
    def n(self) -> int:
        """Annotations that were predicted."""
        return int(self.times[~np.isnan(self.log_probability)].sum())

    @property
    def mean(self) -> float:
        """Mean log probability of an annotation."""
        seen = ~np.isnan(self.log_probability)
        if not seen.any():
            return math.nan
        return float(np.average(self.log_probability[seen], weights=self.times[seen]))

    def less(self, other: HeldOut) -> tuple[float, float]:
        """By how much the other predicts better, and the standard error, clustered by items.

        The difference of the mean log probability of the same annotations.
        """
        seen = ~np.isnan(self.log_probability)
        d = (other.log_probability - self.log_probability)[seen]
        times, item = self.times[seen], self.item[seen]
        n = times.sum()
        mean = float((d * times).sum() / n)
        of_item = np.bincount(item, times * (d - mean))
        n_items = len(np.unique(item))
        if n_items < 2:
            return mean, math.nan
        se = math.sqrt(float((of_item**2).sum()) * n_items / (n_items - 1)) / n
        return mean, float(se)


def folds_of(votes: Votes, folds: int, rng: np.random.Generator) -> Ints:
    """(N,) in which fold each annotation is hidden; -1 for the only coder of an item.

    The annotations of an item are dealt to the folds in turn, from a random fold on and in random
    order. So every item keeps a coder in every fold, and repeated annotations of a coder are
    hidden together. Draws follow the names of items and coders.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> table = votes(read([["a", "b", "a"], ["a", "b", "b"], ["a", "b", None]]))
    >>> fold = folds_of(table, 3, np.random.default_rng(0))
    >>> sorted(fold[table.item == 0].tolist()), len(set(fold[table.item == 2].tolist()))
    ([0, 1, 2], 2)
    """
    key = votes.place[votes.item] * votes.n_coders + votes.coder
    pair, group = np.unique(key, return_inverse=True)
    item = pair // votes.n_coders
    shuffled = np.lexsort((rng.random(len(pair)), item))
    n = np.bincount(item, minlength=votes.n_items)
    rank = np.empty(len(pair), np.int64)
    rank[shuffled] = np.arange(len(pair)) - np.repeat(np.cumsum(n) - n, n)
    fold = (rank + rng.integers(0, folds, votes.n_items)[item]) % folds
    fold[n[item] < 2] = -1
    return np.asarray(fold[group])


def held_out(
    votes: Votes,
    model: Model,
    how: How,
    fold: Ints,
    *,
    step: Callable[[], None] | None = None,
    **options: Any,
) -> HeldOut:
    """Fit without the annotations of each fold in turn, and predict them.

    Parameters
    ----------
    votes : Votes
    model : Model
    how : How
    fold : ndarray of int
        (N,) from `folds_of`.
    step : callable, optional
        Called after each fold.
    **options
        Of the model.

    Returns
    -------
    HeldOut
    """
    found = np.full(len(votes.item), np.nan)
    for k in range(int(fold.max(initial=-1)) + 1):
        hidden = fold == k
        if hidden.any():
            rest = votes.without(hidden)
            found[hidden] = predicted(model.fit(rest, how, **options), rest, votes, hidden)
        if step is not None:
            step()
    return HeldOut(found, votes.times, votes.item)


def predicted(estimate: Estimate, rest: Votes, votes: Votes, hidden: Bools) -> Floats:
    """(n,) log Σ_s q_s P(answer | s) of the hidden annotations, q from the annotations left.

    One part in a hundred of each prediction is spread evenly over the answers, for all models
    alike, so that an answer that a model excludes costs 4.6 nats and more instead of everything.
    """
    q = state_beliefs(estimate, rest)
    at = np.flatnonzero(hidden)
    out = np.empty(len(at))
    step = max(1, CELLS // (q.shape[1] * votes.n_answers))
    for start in range(0, len(at), step):
        part = at[start : start + step]
        item, label = votes.item[part], votes.label[part]
        table = estimate.emission.table(item, votes.coder[part])
        p = np.einsum("ns,ns->n", q[item], table[np.arange(len(part)), :, label])
        out[start : start + step] = np.log((1 - SURPRISE) * p + SURPRISE / votes.n_answers)
    return out
