"""How firm a ranking is: how often a partition is among the best if the items are drawn anew."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..inference.resampling import draws
from .bipartitions import Bipartitions, smaller_side
from .places import Cells
from .space import Space, criterion_values

__all__ = ["ENOUGH", "TOP", "Stability", "spread", "stability"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Progress: TypeAlias = Callable[[int, int], None] | None

TOP = 10
"""How many are the best: Levi & Shenhav (2022) print ten in Tables 5 and 6."""

ENOUGH = 40
"""Of fewer bipartitions to be among the best ten says nothing."""


@dataclass(frozen=True)
class Stability:
    """How often each bipartition is first, and among the best ten, in resamples of the items.

    Bipartitions that tie share a place.

    Parameters
    ----------
    which : Bipartitions
        N of them: all that compete, or those that were ever among the best ten.
    first, top : ndarray
        (N,) shares of the resamples.
    n_resamples : int
    n_compared : int
        Among how many the places are counted.
    """

    which: Bipartitions
    first: Floats
    top: Floats
    n_resamples: int
    n_compared: int

    @cached_property
    def _place(self) -> dict[bytes, int]:
        return {side.tobytes(): k for k, side in enumerate(smaller_side(self.which.sides))}

    def of(self, side: Bools) -> tuple[float, float]:
        """`first` and `top` of a bipartition, (C,) its side 0; NaN if it does not compete.

        `top` is NaN too where fewer than forty compete.
        """
        k = self._place.get(smaller_side(side[None])[0].tobytes())
        if k is None:
            every = len(self.which) < self.n_compared  # the others were never among the best
            return (0.0, 0.0) if every else (math.nan, math.nan)
        enough = self.n_compared >= ENOUGH
        return float(self.first[k]), float(self.top[k]) if enough else math.nan


def stability(
    cells: Cells,
    space: Space,
    coefficient: str,
    criterion: str,
    *,
    n_resamples: int = 300,
    rng: Any = None,
    progress: Progress = None,
) -> Stability:
    """Draw the items anew, search again, and count the places.

    The item bootstrap (Efron & Tibshirani 1993, ch. 6): an item takes all its annotations with it,
    whichever pairs of coders they belong to. The whole search is repeated, since the best of one
    sample would be among the best of the others too often if only they competed.

    Parameters
    ----------
    cells : Cells
    space : Space
        What competes.
    coefficient : str
    criterion : str
        One of `accordant.decomposition.criteria.CRITERIA`.
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
    >>> every = Space(8, Bipartitions.every(8))
    >>> found = stability(cells, every, "kappa", "excess", n_resamples=20, rng=0)
    >>> found.n_compared, float(found.first.sum()), round(float(found.top.sum()), 6)
    (127, 1.0, 10.0)
    """
    if cells.counts is None:
        raise ValueError("no items stand behind these tables")
    tally = _Listed(space.which) if space.which is not None else _Seen(space.n_states)
    done = 0
    for batch in draws(cells.counts.times, n_resamples, rng=rng):
        for times in batch:
            drawn = replace(cells.states, tables=cells.tables(times))
            found = space.best(drawn, coefficient, criterion, TOP)
            tally.add(found.places, found.which, found.credit(1), found.credit(TOP))
            done += 1
            if progress is not None:
                progress(done, n_resamples)
    which, first, top = tally.counted()
    return Stability(which, first / n_resamples, top / n_resamples, n_resamples, len(space))


class _Listed:
    """Credit by the place in a list."""

    def __init__(self, which: Bipartitions) -> None:
        self.which = which
        self.first, self.top = np.zeros((2, len(which)))

    def add(self, places: Any, which: Bipartitions, first: Floats, top: Floats) -> None:
        """Of one resample."""
        self.first[places] += first
        self.top[places] += top

    def counted(self) -> tuple[Bipartitions, Floats, Floats]:
        """All of them."""
        return self.which, self.first, self.top


class _Seen:
    """Credit by the code, of those that were ever among the best."""

    def __init__(self, n_states: int) -> None:
        self.n_states = n_states
        self.credit: dict[int, list[float]] = {}

    def add(self, places: Any, which: Bipartitions, first: Floats, top: Floats) -> None:
        """Of one resample."""
        for code, one, ten in zip(which.codes.tolist(), first, top, strict=True):
            of = self.credit.setdefault(code, [0.0, 0.0])
            of[0] += float(one)
            of[1] += float(ten)

    def counted(self) -> tuple[Bipartitions, Floats, Floats]:
        """Those that were seen."""
        first, top = np.array(list(self.credit.values()), float).reshape(-1, 2).T
        return Bipartitions.of_codes(list(self.credit), self.n_states), first, top


def spread(
    cells: Cells,
    which: Bipartitions,
    coefficient: str,
    criterion: str,
    *,
    n_resamples: int = 100,
    rng: Any = None,
) -> Floats:
    """(N,) the standard deviation of a criterion over resamples of the items.

    Of each bipartition for itself; NaN where it has no value in two resamples.
    """
    if cells.counts is None:
        raise ValueError("no items stand behind these tables")
    found = np.array([
        criterion_values(
            replace(cells.states, tables=cells.tables(times)), which, coefficient, criterion
        )
        for batch in draws(cells.counts.times, n_resamples, rng=rng)
        for times in batch
    ])  # fmt: skip
    n_known = (~np.isnan(found)).sum(0)
    mean = np.nansum(found, 0) / np.maximum(n_known, 1)
    squares = np.nansum((found - mean) ** 2, 0)
    return np.asarray(np.sqrt(np.where(n_known > 1, squares / np.maximum(n_known - 1, 1), np.nan)))
