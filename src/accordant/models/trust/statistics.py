"""What is compared between annotations and their replicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Ints
from ...diagnosis.words import quoted
from ..fitted_model import FittedModel
from ..votes import Votes

__all__ = ["Statistic", "statistics_of"]

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
        "votes",
        "items by their number of votes for a category",
        cells,
        of,
        float(len(n) * len(chosen)),
    )


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
