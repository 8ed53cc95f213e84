"""How good labels and their probabilities are, by what is known to be true.

Nothing here is taken from the package that is judged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gold import Crowd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = 1e-6  # probability that a true label has at least, in the log-loss
BINS = 10
SURE = 0.95
TIE = 1e-9
MANY = 20  # annotations with gold labels; with fewer the accuracy of a coder is not known


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What a method says of the items of a crowd.

    Parameters
    ----------
    items : sequence
        (I,)
    categories : sequence
        (K,)
    probabilities : ndarray
        (I, K); NaN where it says nothing.
    own : ndarray or None
        (I, K) before recalibration.
    coders : mapping of str to (low, high), or None
        The intervals of their accuracy.
    prevalence : sequence of (low, high), or None
        (K,) intervals.
    worth : float
        What an annotation counts, in the mean; 1 without recalibration.
    labels_only : bool
        Whether probabilities are 0 and 1 for want of better ones.
    """

    items: Sequence[Any]
    categories: Sequence[Any]
    probabilities: Floats
    own: Floats | None = None
    coders: dict[str, tuple[float, float]] | None = None
    prevalence: Sequence[tuple[float, float]] | None = None
    worth: float = math.nan
    labels_only: bool = False


def scored(given: Crowd, said: Beliefs) -> dict[str, float]:
    """Every measure of a method on a crowd, by name; NaN where there is none.

    Returns
    -------
    dict
        ``accuracy`` (a tie counts for a part), ``n`` items with gold labels, ``log_loss`` and that
        before recalibration (``own_log_loss``), ``worth`` of an annotation, ``brier`` (Σ over
        categories of the squared distance to the truth), ``calibration_error``
        (mean distance of confidence and accuracy in ten bins), ``confidence``, ``n_sure`` labels
        with a probability of .95 or more and how often they are right (``sure_right``); ``coders``
        with enough gold labels and the share whose interval holds their accuracy
        (``coders_held``), likewise ``categories`` and ``prevalence_held``.
    """
    at = {str(item): i for i, item in enumerate(said.items)}
    rows = np.array([at[str(item)] for item in given.gold])
    right = right_labels(given, said)
    p = certain_nothing(said.probabilities[rows])
    top = p >= p.max(1, keepdims=True) - TIE
    hit = (top & right).sum(1) / top.sum(1)
    out = {"accuracy": float(hit.mean()), "n": len(rows)}
    if not said.labels_only:
        confidence = p.max(1)
        sure = confidence >= SURE
        out |= {
            "log_loss": log_loss(p, right),
            "brier": brier(p, right),
            "calibration_error": calibration_error(confidence, hit),
            "confidence": float(confidence.mean()),
            "n_sure": int(sure.sum()),
            "sure_right": float(hit[sure].mean()) if sure.any() else math.nan,
        }
    if said.own is not None:
        out |= {"own_log_loss": log_loss(certain_nothing(said.own[rows]), right)}
        out |= {"worth": said.worth}
    return out | coders_held(given, said) | prevalence_held(given, said, right)


def right_labels(given: Crowd, said: Beliefs) -> NDArray[np.bool_]:
    """(n, K) whether a category is right; a gold label that is no category leaves none."""
    names = [str(c) for c in said.categories]
    return np.array([[name in labels for name in names] for labels in given.gold.values()])


def certain_nothing(p: Floats) -> Floats:
    """Where nothing is said, every category is as probable."""
    return np.where(np.isnan(p), 1 / p.shape[1], p)


def log_loss(p: Floats, right: NDArray[np.bool_]) -> float:
    """Mean surprise at what is true."""
    return float(-np.log(np.clip((p * right).sum(1), LEAST, 1)).mean())


def brier(p: Floats, right: NDArray[np.bool_]) -> float:
    """Mean squared distance of probabilities and truth, 0 to 2; of several truths the nearest."""
    best = np.where(right, p, -1).max(1)
    return float(((p**2).sum(1) - 2 * np.maximum(best, 0) + 1).mean())


def calibration_error(confidence: Floats, hit: Floats) -> float:
    """Mean distance of confidence and accuracy, in bins of equal width."""
    at = np.minimum((confidence * BINS).astype(int), BINS - 1)
    apart = np.bincount(at, confidence - hit, BINS)
    return float(np.abs(apart).sum() / len(hit))


def coders_held(given: Crowd, said: Beliefs) -> dict[str, float]:
    """Whose interval holds the accuracy by gold labels."""
    if said.coders is None or not given.complete:
        return {}
    own = given.frame[given.frame.item.isin(given.gold.keys())]
    hit = [x in given.gold[i] for i, x in zip(own.item, own.label, strict=True)]
    held = []
    for coder, mine in own.assign(hit=hit).groupby("coder").hit:
        low, high = said.coders.get(str(coder), (math.nan, math.nan))
        if len(mine) >= MANY and not math.isnan(low):
            held.append(low - TIE <= mine.mean() <= high + TIE)
    return {"coders": len(held), "coders_held": float(np.mean(held)) if held else math.nan}


def prevalence_held(given: Crowd, said: Beliefs, right: NDArray[np.bool_]) -> dict[str, float]:
    """Of how many categories the interval of the prevalence holds that of the gold labels."""
    if said.prevalence is None or not given.complete:
        return {}
    ends = [x for x in zip(said.prevalence, right.mean(0), strict=True) if not math.isnan(x[0][0])]
    held = [low - TIE <= share <= high + TIE for (low, high), share in ends]
    return {"categories": len(held), "prevalence_held": float(np.mean(held)) if held else math.nan}
