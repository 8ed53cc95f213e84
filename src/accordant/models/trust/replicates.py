"""Annotations as a fitted model would make them, and what is compared between them and the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Floats, Ints
from ...diagnosis.words import quoted
from ..estimate import categories_of, state_beliefs
from ..estimators.canonical import canonical
from ..fitted_model import FittedModel
from ..votes import UNKNOWN, Votes

__all__ = ["Replicator", "Statistic", "of_items", "some_items", "statistics_of"]


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
    """

    def __init__(self, posterior: FittedModel) -> None:
        votes, estimate = posterior.votes, posterior.estimate
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
            [np.flatnonzero(category == k)[0] for k in range(len(posterior.categories))]
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
            table = self.emission.table(votes.item[part], votes.coder[part])
            rows = table[np.arange(len(table)), state[part]][:, self.answers].cumsum(1)
            k = (u[part, None] * rows[:, -1:] > rows).sum(1)
            out[part] = self.answers[np.minimum(k, len(self.answers) - 1)]
        return out


MOST_CATEGORIES = 12  # with a histogram of votes each, the most frequent ones
MOST_VOTES = 12  # cells of a histogram; more votes are put together by share
MOST_PAIRS = 500_000  # pairs of annotations
SHARED = 10  # items that two coders must share to be compared
MOST_CODERS = 200  # those with most annotations


@dataclass(frozen=True, eq=False)
class Statistic:
    """Numbers that follow from labels.

    Parameters
    ----------
    name, title : str
    cells : tuple of str
        (B,) what each number is of.
    of : callable
        From labels (n,) of the annotations to the numbers (B,).
    total : float
        What the numbers are shares of.
    least : float
        Standard deviation where replicates never differ.
    """

    name: str
    title: str
    cells: tuple[str, ...]
    of: Callable[[Ints], Floats]
    total: float
    least: float = 1.0


def statistics_of(posterior: FittedModel) -> tuple[Statistic, ...]:
    """All that apply to the annotations of a fit."""
    votes = posterior.votes
    found = [_unanimous(votes), _histograms(posterior), _pairs(votes), _coders(posterior)]
    return tuple(s for s in found if s is not None)


def _unanimous(votes: Votes) -> Statistic:
    n = votes.per_item
    several = n > 1
    k = votes.n_answers

    def of(label: Ints) -> Floats:
        cell = votes.item.astype(np.int64) * k + label
        counts = np.bincount(cell, votes.times, len(n) * k).reshape(-1, k)
        return np.array([float(((counts.max(1) == n) & several).sum())])

    title = "items on which all agree"
    return Statistic("unanimous", title, ("unanimous items",), of, float(several.sum()))


def _histograms(posterior: FittedModel) -> Statistic:
    """Items by how many votes each of the frequent categories has."""
    votes, answers = posterior.votes, posterior.votes.n_answers
    n = votes.per_item
    used = np.bincount(votes.label, votes.times, answers)[: votes.n_categories]
    chosen = np.argsort(-used, kind="stable")[:MOST_CATEGORIES]
    if len(chosen) == 2:
        chosen = chosen[1:]  # the rarer one: the other follows from it
    most = int(n.max(initial=0))
    width = min(most, MOST_VOTES) + 1
    few = most <= MOST_VOTES

    def of(label: Ints) -> Floats:
        cell = votes.item.astype(np.int64) * answers + label
        counts = np.bincount(cell, votes.times, len(n) * answers)
        own = counts.reshape(-1, answers)[:, chosen]
        bin_ = own if few else np.ceil(own / n[:, None] * MOST_VOTES - 1e-9)
        cell = bin_.astype(np.int64) + width * np.arange(len(chosen))
        return np.bincount(cell.ravel(), minlength=width * len(chosen)).astype(float)

    def spelt(k: int, b: int) -> str:
        name = quoted(posterior.categories[k])
        return f"{name}: {b} votes" if few else f"{name}: up to {b}/{MOST_VOTES} of the votes"

    cells = tuple(spelt(k, b) for k in chosen.tolist() for b in range(width))
    return Statistic(
        "votes", "items by their number of votes for a category", cells, of,
        float(len(n) * len(chosen)),
    )  # fmt: skip


def _pairs(votes: Votes) -> Statistic | None:
    """How often any two coders with enough items in common agree."""
    active = np.zeros(votes.n_coders, bool)
    count = np.bincount(votes.coder, minlength=votes.n_coders)
    active[np.argsort(-count, kind="stable")[:MOST_CODERS]] = True
    kept = np.flatnonzero(active[votes.coder])
    coder, of_item = votes.coder[kept], votes.item[kept]
    width = np.bincount(of_item)
    total = int((width * (width - 1) // 2).sum())
    step = -(-total // MOST_PAIRS)
    if step > 1:
        inside = (of_item % step) == 0
        kept, coder, of_item = kept[inside], coder[inside], of_item[inside]
    first, second = _within(of_item)
    first, second = first[coder[first] != coder[second]], second[coder[first] != coder[second]]
    if not len(first):
        return None
    low = np.minimum(coder[first], coder[second]).astype(np.int64)
    high = np.maximum(coder[first], coder[second])
    pair, which, shared = np.unique(
        low * votes.n_coders + high, return_inverse=True, return_counts=True
    )
    enough = shared >= SHARED
    if not enough.any():
        return None
    place = np.cumsum(enough) - 1
    use = enough[which]
    a, b, cell = kept[first[use]], kept[second[use]], place[which[use]]
    size = int(enough.sum())

    def of(label: Ints) -> Floats:
        return np.bincount(cell[label[a] == label[b]], minlength=size).astype(float)

    cells = tuple(
        f"{quoted(votes.coders[x])} and {quoted(votes.coders[y])}"
        for x, y in zip(*(v.tolist() for v in np.divmod(pair[enough], votes.n_coders)), strict=True)
    )
    return Statistic("pairs", "agreement of any two coders", cells, of, float(len(a)))


def _within(group: Ints) -> tuple[Ints, Ints]:
    """All pairs of positions in the same group; groups stand together."""
    n = len(group)
    end = np.searchsorted(group, group, side="right")
    width = end - np.arange(n) - 1
    first = np.repeat(np.arange(n), width)
    begin = np.cumsum(width) - width
    second = np.arange(int(width.sum())) - np.repeat(begin, width) + first + 1
    return first, second


def _coders(posterior: FittedModel) -> Statistic:
    """How often each coder gives each label: every sensible model fits that."""
    votes, k = posterior.votes, posterior.votes.n_answers
    count = np.bincount(votes.coder, minlength=votes.n_coders)
    chosen = np.sort(np.argsort(-count, kind="stable")[:MOST_CODERS])
    place = np.full(votes.n_coders, -1)
    place[chosen] = np.arange(len(chosen))
    where = place[votes.coder]
    use = np.flatnonzero(where >= 0)
    base, times = where[use] * k, votes.times[use]

    def of(label: Ints) -> Floats:
        return np.asarray(np.bincount(base + label[use], times, len(chosen) * k), float)

    answers = [quoted(c) for c in posterior.categories] + ["no label"] * votes.informative
    cells = tuple(f"{quoted(votes.coders[c])}: {a}" for c in chosen.tolist() for a in answers)
    return Statistic("coders", "labels that each coder uses", cells, of, float(times.sum()))
