"""What the annotations say of a coder without a model: agreement with others, control items."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..uncertainty import JEFFREYS, beta_ends
from ..votes import UNKNOWN, Votes

__all__ = ["Control", "agreement_with_others", "control", "favourite"]

Floats = NDArray[np.float64]


class Control(NamedTuple):
    """How often each coder was right about control items, (C,) each."""

    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats


def agreement_with_others(votes: Votes) -> Floats:
    """(C,) mean share of the other annotations of an item that are the same as the coder's.

    Each annotation of an item with annotations by others counts once. NaN for a coder who shares
    no item with another one.
    """
    times = votes.times
    pair = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    _, group = np.unique(pair, return_inverse=True)
    own = np.bincount(group, times)[group]  # by the same coder, whatever the label
    cell = votes.item.astype(np.int64) * votes.n_answers + votes.label
    same = np.bincount(cell, times, votes.n_items * votes.n_answers)[cell] - times
    others = votes.per_item[votes.item] - own
    met = others > 0
    share = np.where(met, same / np.where(met, others, 1), 0)
    total = np.bincount(votes.coder, times * share, votes.n_coders)
    n = np.bincount(votes.coder, times * met, votes.n_coders)
    return np.asarray(total / np.where(n > 0, n, np.nan))


def control(votes: Votes, level: float) -> Control:
    """Accuracy on control items, with the interval of Jeffreys (Brown et al. 2001)."""
    on = (votes.known[votes.item] != UNKNOWN) & (votes.label < votes.n_categories)
    coder, times = votes.coder[on], votes.times[on]
    n = np.asarray(np.bincount(coder, times, votes.n_coders), np.float64)
    hit = votes.label[on] == votes.known[votes.item[on]]
    right = np.asarray(np.bincount(coder, times * hit, votes.n_coders), np.float64)
    low, high = beta_ends(right + JEFFREYS, n - right + JEFFREYS, level)
    low, high = np.where(right > 0, low, 0.0), np.where(right < n, high, 1.0)
    low, high = (np.where(n > 0, x, np.nan) for x in (low, high))
    return Control(n, right / np.where(n > 0, n, np.nan), low, high)


def favourite(votes: Votes) -> tuple[NDArray[np.integer[Any]], Floats]:
    """(C,) the label that each coder gave most, and (C,) how often, as a share."""
    cell = votes.coder.astype(np.int64) * votes.n_answers + votes.label
    n = np.bincount(cell, votes.times, votes.n_coders * votes.n_answers)
    given = n.reshape(votes.n_coders, -1)
    total = given.sum(1)
    return given.argmax(1), given.max(1) / np.where(total > 0, total, np.nan)
