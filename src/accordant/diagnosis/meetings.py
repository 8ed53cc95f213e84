"""Which coders met: annotated an item in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..counts.counts import Counts
from .tables import by_pattern

__all__ = ["n_groups", "n_meetings"]


def n_meetings(counts: Counts) -> int:
    """How many pairs of coders have an item in common."""
    met = _met(counts)
    n = np.count_nonzero(met) if isinstance(met, np.ndarray) else met.nnz
    return int(n - counts.n_coders) // 2


def n_groups(counts: Counts) -> int:
    """How many groups the coders fall into if coders of the same item belong together."""
    if counts.coder is None or counts.n_coders == 0:
        return 1
    met = _met(counts)
    if isinstance(met, np.ndarray):
        return len(np.unique(_lowest_reached(met > 0)))
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(met, directed=False)[0])


def _met(counts: Counts) -> Any:
    """(C, C) in how many patterns two coders meet, on the diagonal those of the coder."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    who = by_pattern(counts, coder, counts.n_coders, np.ones(len(coder)))
    return who.T @ who


def _lowest_reached(met: Any) -> Any:
    """(C,) the first coder that each coder reaches through others."""
    first = np.arange(len(met))
    while True:
        reached = np.where(met, first[None, :], len(met)).min(1)
        if np.array_equal(reached, first):
            return first
        first = reached
