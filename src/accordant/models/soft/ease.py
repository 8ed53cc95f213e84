"""Hard items: one reading, but more errors than these coders usually make.

The ease e of an item multiplies the log odds of being right, counted from guessing:
logit r(e) = logit 1/K + e (logit r − logit 1/K). So at e = 0 everybody guesses, whoever guesses
anyway is not touched, and whoever errs does so as usual: an error falls on each other category as
often as the coder's confusion matrix says. The logarithm of e is normal over items (Whitehill et
al. 2009), with such a mean that coders are right as often as they are found to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EASES", "SPREADS", "Hardness", "hardness", "one_reading"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Standard deviations of the logarithm of the ease that are tried; 0: all items are alike."""
LOG_EASES = np.linspace(-3.5, 3.5, 22)
EASES = np.append(1.0, np.exp(LOG_EASES))  # the first is that of an ordinary item
EDGE = 1e-9  # nearest to 0 and 1 that a probability of being right is taken to be


@dataclass(frozen=True, eq=False)
class Hardness:
    """How the ease of items may be spread.

    Parameters
    ----------
    spreads : tuple of float
        (D,) standard deviations of the logarithm.
    weights : ndarray
        (D, E) probability of each of `EASES`; rows sum to 1.
    """

    spreads: tuple[float, ...]
    weights: Floats


def hardness(right: float, n_categories: int) -> Hardness:
    """The spreads that are tried, each with the mean that keeps coders right as often.

    Parameters
    ----------
    right : float
        How often coders are right.
    n_categories : int
        K. With two, an item that is hard and one with two readings are the same: then all items
        are taken as alike.

    Examples
    --------
    >>> hardness(0.8, 2).spreads, hardness(0.8, 3).weights.shape
    ((0.0,), (7, 23))
    """
    ordinary = np.append(1.0, np.zeros(len(LOG_EASES)))
    chance = 1 / max(n_categories, 1)
    if n_categories < 3:
        return Hardness(SPREADS[:1], ordinary[None])
    right = min(max(right, chance + 0.01), 0.999)
    each = right_at(np.array(right), n_categories)
    rows = [ordinary]
    for spread in SPREADS[1:]:
        low, high = -3.0, 3.0
        for _ in range(40):
            middle = (low + high) / 2
            row = np.exp(-0.5 * ((LOG_EASES - middle) / spread) ** 2)
            row = np.append(0.0, row / row.sum())
            low, high = (middle, high) if row @ each < right else (low, middle)
        rows.append(row)
    return Hardness(SPREADS, np.array(rows))


def right_at(right: Floats, n_categories: int) -> Floats:
    """(..., E) how often a coder who is right so often (...) is right on items of each ease."""
    base = -np.log(max(n_categories - 1, 1))
    p = np.clip(right, EDGE, 1 - EDGE)
    skill = np.log(p / (1 - p)) - base
    return np.asarray(1 / (1 + np.exp(-(base + EASES * skill[..., None]))))


def one_reading(given: Floats, right: Floats, hit: NDArray[np.bool_], hard: Hardness,
                n_categories: int) -> Floats:  # fmt: skip
    """(B, S, D) log likelihood of the annotations of items with one reading.

    Parameters
    ----------
    given, right : ndarray
        (B, n, S) probability of each label that was given, and of the right one.
    hit : ndarray of bool
        (B, n, S) whether the label is the right one.
    hard : Hardness
    n_categories : int
    """
    if len(hard.spreads) == 1:
        return np.asarray(np.log(given).sum(1)[..., None])
    alone = right_at(right, n_categories)  # (B, n, S, E)
    wrong = np.log(given / np.maximum(1 - right, EDGE))[..., None] + np.log1p(
        -np.minimum(alone, 1 - EDGE)
    )
    each = np.where(hit[..., None], np.log(np.maximum(alone, EDGE)), wrong).sum(1)  # (B, S, E)
    top = each.max(-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(each - top) @ hard.weights.T + 1e-300))
