"""The search for schools: groups of coders who share a reading that one truth does not explain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...numbers import p_text
from ..em import How
from ..uncertainty import Answers
from ..votes import Votes
from .clusters import best_split
from .kappas import Grid, kappas
from .one_truth import OneTruth

__all__ = ["LEVEL", "Split", "found_split", "grid_of", "once", "rarity"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

LEVEL = 0.005  # none of the draws: whoever is called a school is called so in public
DRAWS = 199
ENOUGH = 3  # draws that part the coders as much: then it is not rare at this level
WORTH_TESTING = 0.05  # kappa; a smaller gap is not worth a word (difficult items alone make .03)
MOST_CELLS = 4_000_000  # annotations x answers (or coders) of one draw; of more, some items
ALIKE = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)  # correlations that are tried
TRIED = 8  # draws of each
COMPATIBLE = 2.0  # standard deviations by which schools may agree less than by a draw
CODE = 71


class Split(NamedTuple):
    """Which school each coder belongs to, -1 for none, and how clear that is."""

    of: Ints
    gap: float
    p_value: float
    kappa: Floats
    n_shared: Floats
    n_draws: int


def found_split(
    votes: Votes, expected: Answers, how: How, progress: Callable[[int, int], None] | None = None
) -> Split:
    """The clearest split of coders into two to four schools, tested against one truth.

    Parameters
    ----------
    votes : Votes
    expected : Answers
        What a model with one truth makes of the coders.
    how : How
        Its seed.
    progress : callable, optional

    Notes
    -----
    Average linkage on the kappas of all pairs of coders (Kairam & Heer 2016 cluster by overlap).
    The least gap between the mean kappa within a school and with another one is compared with the
    gap that the same search finds in annotations drawn from the model, so with coders who differ
    in skill and bias, but not in what they take for true, and who err as much alike as coders of
    different schools may do here: strict coders, or hard items, are no schools. Draws end once
    three show as large a gap (Besag & Clifford 1991).
    """
    votes = once(votes)
    grid = grid_of(votes)
    kappa, shrunk, n = kappas(grid, votes.label, votes.n_answers)
    split, gap = best_split(shrunk, n)
    nobody = np.full(votes.n_coders, -1)
    if split is None or gap < WORTH_TESTING:
        return Split(nobody, max(gap, 0.0), 1.0, kappa, n, 0)
    some = _some(votes)
    reference = gap
    if some is not votes:  # then what is compared is of the same items
        grid = grid_of(some)
        _, fewer, shared = kappas(grid, some.label, some.n_answers)
        reference = best_split(fewer, shared)[1]
    rng = how.generator(CODE)
    model = _as_alike(OneTruth(some, expected), grid, split, rng)
    as_many, done = 0, 0
    while done < DRAWS and as_many < ENOUGH:
        _, drawn, shared = kappas(grid, model.draw(rng), some.n_answers)
        as_many += best_split(drawn, shared)[1] >= reference
        done += 1
        if progress is not None:
            progress(done, DRAWS)
    p = as_many / done if as_many == ENOUGH else (1 + as_many) / (1 + done)
    return Split(_joined(split, kappa, n), gap, p, kappa, n, done)


def _as_alike(model: OneTruth, grid: Grid, split: Ints, rng: np.random.Generator) -> OneTruth:
    """The model in which coders err as much alike as those of different schools may do here.

    Schools that contradict each other agree less than by any one truth: then nothing is in common.
    """
    votes = model.votes
    apart = (split[:, None] != split[None, :]) & (split[:, None] >= 0) & (split[None, :] >= 0)

    def between(label: Ints) -> float:
        kappa, _, n = kappas(grid, label, votes.n_answers)
        weight = np.where(apart & ~np.isnan(kappa), n, 0)
        return float((weight * np.nan_to_num(kappa)).sum() / max(float(weight.sum()), 1e-300))

    seen, most = between(votes.label), 0.0
    for alike in ALIKE:
        one = replace(model, alike=alike)
        drawn = np.array([between(one.draw(rng)) for _ in range(TRIED)])
        if drawn.mean() - COMPATIBLE * drawn.std(ddof=1) > seen:
            break
        most = alike
    return replace(model, alike=most)


def once(votes: Votes) -> Votes:
    """The votes without those of a coder who gave an item several labels for it."""
    pair = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    again = pair[1:] == pair[:-1]  # sorted by item, coder and label
    if not again.any():
        return votes
    return votes.without(np.append(again, False) | np.append(False, again))


def grid_of(votes: Votes) -> Grid:
    """Where the annotations stand, one of a coder and an item."""
    cell = votes.coder.astype(np.int64) * votes.n_items + votes.item
    return Grid(cell, votes.n_coders, votes.n_items)


def _some(votes: Votes) -> Votes:
    """The votes, or those of as many items as can be drawn quickly."""
    most = MOST_CELLS // max(votes.n_answers, votes.n_coders)
    if len(votes.item) <= most:
        return votes
    kept = votes.order[: max(1, int(votes.n_items * most / len(votes.item)))]
    chosen = np.zeros(votes.n_items, bool)
    chosen[kept] = True
    return votes.without(~chosen[votes.item])


def _joined(split: Ints, kappa: Floats, n: Floats) -> Ints:
    """Those who were left alone with the school that they agree with most, if they do.

    They belong to it if their mean kappa with its members is above that between schools.
    """
    of = split.copy()
    weight = np.where(np.isnan(kappa), 0, n)
    value = np.where(np.isnan(kappa), 0, kappa)
    other = (split[:, None] != split[None, :]) & (split[:, None] >= 0) & (split[None, :] >= 0)
    apart = float((value * weight)[other].sum() / max(weight[other].sum(), 1e-300))
    for c in np.flatnonzero(split < 0):
        mean = [
            float((value[c] * weight[c])[split == g].sum() / max(weight[c][split == g].sum(), 1e-9))
            for g in range(int(split.max()) + 1)
        ]
        best = int(np.argmax(mean))
        if mean[best] > apart:
            of[c] = best
    return of


def rarity(p: float) -> str:
    """A p-value in a sentence; the smallest that so many draws can show is only a bound.

    Examples
    --------
    >>> rarity(0.005), rarity(0.25)
    ('p ≤ 0.005', 'p = 0.250')
    """
    return p_text(p, least=1 / (1 + DRAWS))
