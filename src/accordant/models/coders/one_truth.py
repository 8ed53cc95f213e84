"""Annotations as they would be if there were one truth: what schools are told from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..uncertainty import Answers
from ..votes import Votes

__all__ = ["OneTruth"]

LEAST_SHAPE = 1e-3  # of a gamma variable

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class OneTruth:
    """Draws of all annotations: each item has one truth, coders err by confusion matrices.

    Coders of an item may err alike all the same: items near a threshold, or hard ones, lead strict
    coders, or careless ones, to the same error without a reading of their own. So what decides
    their answers may have a part in common (a Gaussian copula): along the scale where there is one,
    else from the true category to the answers that are ever rarer.

    Parameters
    ----------
    votes : Votes
        Who annotated what.
    expected : Answers
        What the model makes of the coders.
    alike : float
        Correlation of what decides the answers of two coders to an item.
    """

    votes: Votes
    expected: Answers
    alike: float = 0.0

    @cached_property
    def _states(self) -> tuple[Ints, Floats]:
        """(K,) categories, the most frequent first, and up to which number each is drawn."""
        n = self.expected.counts.sum((0, 2))
        order = np.argsort(-n, kind="stable")
        return order, np.cumsum(n[order] / n.sum())

    @cached_property
    def _answers(self) -> Ints:
        """(O,) answers, the most frequent first: their names and order do not matter."""
        return np.argsort(-self.expected.counts.sum((0, 1)), kind="stable")

    @cached_property
    def _order(self) -> Ints:
        """(K, O) the order of the answers where each of `_states` is true."""
        states, _ = self._states
        votes = self.votes
        if votes.n_categories == 2 or votes.scheme.scale not in ("nominal", "circular"):
            return np.tile(np.arange(votes.n_answers), (len(states), 1))
        others = [self._answers[self._answers != k] for k in states.tolist()]
        return np.concatenate([states[:, None], np.array(others)], axis=1)

    @cached_property
    def _places(self) -> Ints:
        """(N,) the place of each annotation if items stood in the order of their names."""
        votes = self.votes
        rank = np.empty(votes.n_items, np.int64)
        rank[votes.order] = np.arange(votes.n_items)
        place = np.empty(len(votes.item), np.int64)
        place[np.lexsort((votes.coder, rank[votes.item]))] = np.arange(len(place))
        return place

    def draw(self, rng: np.random.Generator) -> Ints:
        """(N,) labels in place of those that were given.

        The confusion matrices are drawn too, since they are not known exactly.
        """
        votes = self.votes
        states, up_to = self._states
        answers = self._answers
        shape = np.maximum(self.expected.shape[:, states][:, :, answers], LEAST_SHAPE)
        confusion = rng.standard_gamma(shape) + 1e-300  # (C, K, O) in that order
        confusion /= confusion.sum(-1, keepdims=True)
        u = np.empty(votes.n_items)
        u[votes.order] = rng.random(votes.n_items)
        state = np.minimum(np.searchsorted(up_to, u, side="right"), len(states) - 1)[votes.item]
        place = np.argsort(answers)[self._order]  # (K, O) where the answers of each order stand
        rows = np.take_along_axis(confusion[votes.coder, state], place[state], axis=1)
        v = self._deciding(rng)
        k = (v[:, None] >= np.cumsum(rows, axis=-1)).sum(1)
        return np.asarray(self._order[state, np.minimum(k, len(answers) - 1)])

    def _deciding(self, rng: np.random.Generator) -> Floats:
        """(N,) what decides the answers, from 0 to 1, alike within items."""
        from scipy.special import ndtr

        votes = self.votes
        if not self.alike:
            return np.asarray(rng.random(len(votes.item))[self._places])
        item = np.empty(votes.n_items)
        item[votes.order] = rng.standard_normal(votes.n_items)
        own = rng.standard_normal(len(votes.item))[self._places]
        both = np.sqrt(self.alike) * item[votes.item] + np.sqrt(1 - self.alike) * own
        return np.asarray(ndtr(both))
