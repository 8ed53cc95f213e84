"""Annotations as a fitted model would make them: the same items and coders, other labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...arrays import Ints
from ..emission import given
from ..estimate import Estimate, categories_of, state_beliefs
from ..estimators.canonical import canonical
from ..votes import UNKNOWN, Votes

__all__ = ["Replicator", "of_items", "some_items"]


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


class Replicator:
    """Draws labels for the annotations that a model was fitted to, again and again.

    Every replicate draws what is true of each item from the share of the states among the items
    (of a control item it is known), then what each coder answers. Draws belong to items and
    annotations in the order of their names; states and answers are passed in the order of how
    frequent they are, so that nothing depends on how rows, names or categories are ordered.

    Parameters
    ----------
    votes : Votes
    estimate : Estimate
    """

    def __init__(self, votes: Votes, estimate: Estimate) -> None:
        self.votes, self.emission = votes, estimate.emission
        self.item = votes.place[votes.item]  # in the order of names
        coder = canonical(votes).coder[votes.coder]  # whatever coders are called
        self.drawn_at = np.argsort(self.item * votes.n_coders + coder, kind="stable")
        category = categories_of(estimate)
        free = votes.known == UNKNOWN
        share = state_beliefs(estimate, votes)[free if free.any() else slice(None)].mean(0)
        self.states = np.argsort(-share, kind="stable")
        self.up_to = share[self.states].cumsum()
        self.known = votes.known[votes.order]
        self.first_state = np.array(
            [np.flatnonzero(category == k)[0] for k in range(votes.n_categories)]
        )
        used = np.bincount(votes.label, votes.times, votes.n_answers)
        self.answers = np.argsort(-used, kind="stable")

    def truth(self, rng: np.random.Generator) -> Ints:
        """(I,) a state for each item, in the order of names."""
        u = rng.random(len(self.known)) * self.up_to[-1]
        state = self.states[np.minimum(np.searchsorted(self.up_to, u), len(self.states) - 1)]
        control = self.known != UNKNOWN
        state[control] = self.first_state[self.known[control]]
        return np.asarray(state)

    def labels(self, rng: np.random.Generator) -> Ints:
        """(N,) a label for each annotation, in the order of the votes."""
        votes = self.votes
        state = self.truth(rng)[self.item]
        n = len(state)
        u, out = np.empty(n), np.empty(n, np.intp)
        u[self.drawn_at] = rng.random(n)
        step = max(1, CELLS // (len(self.states) * votes.n_answers))
        for start in range(0, n, step):
            part = slice(start, start + step)
            rows = given(self.emission, votes.item[part], votes.coder[part], state[part])
            rows = rows[:, self.answers].cumsum(1)
            k = (u[part, None] * rows[:, -1:] > rows).sum(1)
            out[part] = self.answers[np.minimum(k, len(self.answers) - 1)]
        return out
