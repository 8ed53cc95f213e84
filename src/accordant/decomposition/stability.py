"""How firm a ranking is: how often a partition is among the best if the items are drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..inference.resampling import draws
from .bipartitions import Bipartitions
from .closed_forms import closed_form
from .comparable import Comparables
from .cuts import CRITERIA, score_all
from .places import Cells
from .states import States

__all__ = ["TOP", "Stability", "criterion_values", "stability"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Progress: TypeAlias = Callable[[int, int], None] | None

TOP = 10
"""How many are the best: Levi & Shenhav (2022) print ten in Tables 5 and 6."""


@dataclass(frozen=True)
class Stability:
    """How often each of N bipartitions is first, and among the best ten, in resamples of the items.

    Parameters
    ----------
    first, top : ndarray
        (N,) shares of the resamples.
    n_resamples : int
    n_compared : int
        N: among how many the places are counted.
    """

    first: Floats
    top: Floats
    n_resamples: int
    n_compared: int


def stability(
    cells: Cells,
    which: Bipartitions,
    coefficient: str,
    criterion: str,
    *,
    n_resamples: int = 300,
    rng: Any = None,
    progress: Progress = None,
) -> Stability:
    """Draw the items anew, rank again, and count the places.

    The item bootstrap (Efron & Tibshirani 1993, ch. 6): an item takes all its annotations with it,
    whichever pairs of coders they belong to.

    Parameters
    ----------
    cells : Cells
    which : Bipartitions
        N bipartitions, which compete with each other only.
    coefficient : str
    criterion : str
        One of `accordant.decomposition.cuts.CRITERIA`.
    n_resamples : int
    rng : int or Generator, optional
    progress : callable, optional

    Examples
    --------
    >>> from accordant.counts.count import count
    >>> from accordant.data import examples
    >>> from accordant.decomposition.places import cells_of
    >>> from accordant.decomposition.states import states
    >>> counted = count(examples.load("levi2022_neat"))
    >>> cells = cells_of(counted, states(counted))
    >>> every = Bipartitions.every(8)
    >>> found = stability(cells, every, "kappa", "excess", n_resamples=20, rng=0)
    >>> found.n_compared, float(found.first.sum()), round(float(found.top.sum()), 6)
    (127, 1.0, 10.0)
    """
    if cells.counts is None:
        raise ValueError("no items stand behind these tables")
    n, done = len(which), 0
    first, top = np.zeros(n), np.zeros(n)
    sign = CRITERIA[criterion]
    for batch in draws(cells.counts.times, n_resamples, rng=rng):
        for times in batch:
            drawn = replace(cells.states, tables=cells.tables(times))
            value = criterion_values(drawn, which, coefficient, criterion)
            # As `Scores.ranked`: rounding decides no place, what is undefined stands last.
            order = np.argsort(-sign * np.round(value, 12), kind="stable")[:TOP]
            order = order[~np.isnan(value[order])]
            first[order[:1]] += 1
            top[order] += 1
            done += 1
            if progress is not None:
                progress(done, n_resamples)
    return Stability(first / n_resamples, top / n_resamples, n_resamples, n)


def criterion_values(
    states: States, which: Bipartitions, coefficient: str, criterion: str
) -> Floats:
    """(N,) one criterion of bipartitions, without what only others need."""
    if criterion not in ("explained", "excess", "lift"):
        return np.asarray(getattr(score_all(states, which, coefficient), criterion))
    found = Comparables(states, own=closed_form(coefficient).own)
    value = np.full(len(which), np.nan)
    if not found.explains:
        return value
    for where, of in which.walk([found.forms.only([0, 1])]):
        explained, chance = of(0)
        if criterion == "explained":
            value[where] = explained
        elif criterion == "excess":
            value[where] = explained - chance
        else:
            value[where] = explained / np.where(chance > 1e-12, chance, np.nan)
    return value
