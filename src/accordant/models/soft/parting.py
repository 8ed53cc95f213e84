"""Items about which schools of coders differ: no noise, whatever a model with one truth says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coders.schools import schools
from ..posterior import Posterior

__all__ = ["Parted", "parted"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Parted:
    """What schools differ about.

    Parameters
    ----------
    schools : tuple of tuple of str
        Who belongs to each; empty if there are none.
    differ : ndarray
        (I,) whether the majorities of two schools are different labels.
    between : ndarray
        (I,) share of all pairs of annotations of such an item that differ and are of coders of
        different schools; 0 for other items.
    """

    schools: tuple[tuple[str, ...], ...]
    differ: NDArray[np.bool_]
    between: Floats

    @classmethod
    def none(cls, n_items: int) -> Parted:
        """No schools."""
        return cls((), np.zeros(n_items, bool), np.zeros(n_items))


def parted(posterior: Posterior) -> Parted:
    """Look for schools, and for what they differ about."""
    votes = posterior.votes
    found = schools(posterior)
    if not found:
        return Parted.none(votes.n_items)
    said = found.majorities  # (G, I)
    clear = said >= 0
    top = np.where(clear, said, -1).max(0)
    bottom = np.where(clear, said, votes.n_categories).min(0)
    differ = (clear.sum(0) > 1) & (top != bottom)
    own = found.of[votes.coder]
    within = sum(_apart(votes, own == g) for g in range(len(found.names)))
    n = np.bincount(votes.item, votes.times, votes.n_items)
    pairs = np.maximum(n * (n - 1) / 2, 1)
    return Parted(
        found.names, differ, np.where(differ, _apart(votes, own >= 0) - within, 0) / pairs
    )


def _apart(votes: Any, keep: NDArray[np.bool_]) -> Floats:
    """(I,) disagreeing pairs among some annotations of each item."""
    cell = votes.item[keep].astype(np.int64) * votes.n_answers + votes.label[keep]
    counts = np.bincount(cell, votes.times[keep], votes.n_items * votes.n_answers)
    counts = counts.reshape(votes.n_items, -1)
    return np.asarray((counts.sum(1) ** 2 - (counts**2).sum(1)) / 2)
