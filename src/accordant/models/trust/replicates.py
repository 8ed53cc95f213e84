"""Annotations as a fitted model would make them: the same items and coders, other labels."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ...errors import RequestError
from ..estimate import Estimate
from ..estimators.canonical import canonical
from ..votes import UNKNOWN, Votes
from .states import categories_of, state_beliefs

__all__ = ["Replicator", "of_items", "some_items", "whole_number"]


CELLS = 16_000_000  # of the table of answers


def some_items(votes: Votes, most: int) -> Ints:
    """Positions of the items, or of so many that they have about ``most`` annotations."""
    step = -(-len(votes.item) // most)
    return np.arange(votes.n_items) if step <= 1 else np.sort(votes.order[::step])


def of_items(votes: Votes, items: Ints) -> Votes:
    """The annotations of some items; coders stay, also those who are left without any.

    Parameters
    ----------
    votes : Votes
    items : ndarray of int
        Positions in ascending order.
    """
    place = np.full(votes.n_items, -1, votes.item.dtype)
    place[items] = np.arange(len(items))
    kept = votes.without(place[votes.item] < 0)
    names = votes.items
    own = names[items] if isinstance(names, np.ndarray) else [names[i] for i in items.tolist()]
    return replace(kept, items=own, item=place[kept.item], known=votes.known[items])


def whole_number(n: Any, name: str, least: int) -> None:
    """Refuse what is no whole number, or too small a one.

    Raises
    ------
    RequestError
    """
    if isinstance(n, bool) or not isinstance(n, Integral) or int(n) < least:
        raise RequestError(f"a whole number from {least} up, not {n!r}", parameter=name)


class Replicator:
    """Draws labels for the annotations of some items, again and again.

    Every replicate draws what is true of each item from the share of the states among the items
    (of a control item it is known), then what each coder answers. Draws belong to items and
    annotations in the order of their names; states and answers are passed in the order of how
    frequent they are, so that nothing depends on how rows, names or categories are ordered.

    Parameters
    ----------
    votes : Votes
    estimate : Estimate
    items : ndarray of int
        Positions of the items.
    """

    def __init__(self, votes: Votes, estimate: Estimate, items: Ints) -> None:
        chosen = np.zeros(votes.n_items, bool)
        chosen[items] = True
        self.at = np.flatnonzero(chosen[votes.item])  # positions of the annotations
        place = votes.place
        coder = canonical(votes).coder
        key = place[votes.item[self.at]] * votes.n_coders + coder[votes.coder[self.at]]
        self.drawn_at = np.argsort(key, kind="stable")  # whatever coders are called
        self.items = items[np.argsort(place[items])]
        self.position = np.empty(votes.n_items, np.int64)
        self.position[self.items] = np.arange(len(items))
        self.item = self.position[votes.item[self.at]]  # in the order of names
        self.votes, self.emission = votes, estimate.emission
        category = categories_of(estimate)
        free = votes.known == UNKNOWN
        share = state_beliefs(estimate, votes)[free if free.any() else slice(None)].mean(0)
        self.states = np.argsort(-share, kind="stable")
        self.up_to = share[self.states].cumsum()
        self.known = votes.known[self.items]
        self.first_state = np.array(
            [np.flatnonzero(category == k)[0] for k in range(votes.n_categories)]
        )
        used = np.bincount(votes.label, votes.times, votes.n_answers)
        self.answers = np.argsort(-used, kind="stable")

    def truth(self, rng: np.random.Generator) -> Ints:
        """(n,) a state for each item, in the order of names."""
        u = rng.random(len(self.items)) * self.up_to[-1]
        state = self.states[np.minimum(np.searchsorted(self.up_to, u), len(self.states) - 1)]
        control = self.known != UNKNOWN
        state[control] = self.first_state[self.known[control]]
        return np.asarray(state)

    def labels(self, rng: np.random.Generator, share: float = 0.0, half: float = 0.0) -> Ints:
        """(m,) a label for each annotation of these items, in the order of the votes.

        Parameters
        ----------
        rng : Generator
        share, half : float
            Plant a dependence: on this share of the items, so many of the coders answer as if
            another state were true, the same one for all of them.
        """
        truth = self.truth(rng)
        state = truth[self.item]
        u = np.empty(len(self.at))
        if share:
            other = self._other(truth, rng)
            led = rng.random(len(truth)) < share
            u[self.drawn_at] = rng.random(len(self.at))
            state = np.where(led[self.item] & (u < half), other[self.item], state)
        u[self.drawn_at] = rng.random(len(self.at))
        out = np.empty(len(self.at), np.intp)
        step = max(1, CELLS // (len(self.states) * self.votes.n_answers))
        for start in range(0, len(self.at), step):
            part = slice(start, start + step)
            rows = self._rows(self.at[part], state[part])[:, self.answers].cumsum(1)
            k = (u[part, None] * rows[:, -1:] > rows).sum(1)
            out[part] = self.answers[np.minimum(k, len(self.answers) - 1)]
        return out

    def _other(self, truth: Ints, rng: np.random.Generator) -> Ints:
        """(n,) another state for each item, all others being equally probable."""
        n = len(self.states)
        place = np.empty(n, np.intp)
        place[self.states] = np.arange(n)
        away = 1 + (rng.random(len(truth)) * (n - 1)).astype(np.intp)
        return np.asarray(self.states[(place[truth] + away) % n])

    def _rows(self, at: Ints, state: Ints) -> Floats:
        """(n, O) probability of each answer."""
        table = self.emission.table(self.votes.item[at], self.votes.coder[at])
        return table[np.arange(len(at)), state]
