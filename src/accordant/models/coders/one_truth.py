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

    Parameters
    ----------
    votes : Votes
        Who annotated what.
    expected : Answers
        What the model makes of the coders.
    """

    votes: Votes
    expected: Answers

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
        shape = np.maximum(self.expected.shape[:, states][:, :, self._answers], LEAST_SHAPE)
        confusion = rng.standard_gamma(shape) + 1e-300  # (C, K, O) in that order
        confusion /= confusion.sum(-1, keepdims=True)
        u = np.empty(votes.n_items)
        u[votes.order] = rng.random(votes.n_items)
        state = np.minimum(np.searchsorted(up_to, u, side="right"), len(states) - 1)
        v = rng.random(len(votes.item))[self._places]
        rows = np.cumsum(confusion, axis=-1)[votes.coder, state[votes.item]]
        k = (v[:, None] >= rows).sum(1)
        return np.asarray(self._answers[np.minimum(k, len(self._answers) - 1)])
