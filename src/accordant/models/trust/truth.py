"""A truth to score labels by: where it comes from, and which items count."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...actions import Action
from ...arrays import Bools, Floats, Ints
from ...data.annotations import Annotations
from ...errors import InputError, RequestError
from ...inference.distributions import normal_quantile
from ..gold import ALL_MATCHED, Gold, Unmatched, gold_labels
from ..votes import UNKNOWN, Votes

__all__ = ["Truth", "believed_in", "truth_of", "wilson"]


@dataclass(frozen=True, eq=False)
class Truth:
    """The right category of items.

    Parameters
    ----------
    codes : ndarray of int
        (I,) position of the right category; -1 where it is unknown or the model was told it; K
        if it is a category that nobody gave.
    n_told : int
        Control items: their labels were given to the model, so it cannot be scored by them.
    unmatched : Unmatched
        Items with a known label that are no items of the data.
    """

    codes: Ints
    n_told: int
    unmatched: Unmatched = ALL_MATCHED

    @property
    def scored(self) -> Bools:
        """(I,) whether the item counts."""
        return self.codes >= 0


def truth_of(votes: Votes, data: Annotations, truth: Gold, *, told: bool = False) -> Truth:
    """The truth of the items that a model was fitted to.

    Parameters
    ----------
    votes, data : Votes, Annotations
        What the model was fitted to, and where it comes from.
    truth : str, path, mapping or frame
        As ``gold`` of `fit`.
    told : bool
        Whether control items count too.

    Returns
    -------
    Truth

    Raises
    ------
    RequestError
        If it is the labels of a coder that the model learned from.
    InputError
        If no item is left to score.
    """
    labels, holders, unmatched = gold_labels(truth, data)
    if learned := [name for name in holders if name in votes.coders]:
        raise RequestError(
            f"the model has learned from {learned[0]!r}, so it cannot be scored by that coder: "
            "leave the coder out of the data, or name the coder when fitting",
            do=[Action("fit", {"gold": learned[0]})],
        )
    position = {value: k for k, value in enumerate(votes.categories)}
    known = {item: position.get(label, len(position)) for item, label in labels.items()}
    codes = np.array([known.get(name, UNKNOWN) for name in votes.names], np.intp)
    control = (votes.known != UNKNOWN) & (codes >= 0)
    n_told = 0 if told else int(control.sum())
    if not told:
        codes[control] = UNKNOWN
    if not (codes >= 0).any():
        why = (
            "every item with a known label was a control item, which the model was told"
            if n_told
            else "no item with a known label was annotated"
        )
        raise InputError(f"nothing can be scored: {why}")
    return Truth(codes, n_told, unmatched)


def believed_in(probabilities: Floats, codes: Ints) -> Floats:
    """(n,) probability of the right category; 0 if nobody gave it."""
    inside = codes < probabilities.shape[1]
    at = np.where(inside, codes, 0)
    return np.where(inside, probabilities[np.arange(len(codes)), at], 0.0)


def wilson(share: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a proportion (Wilson 1927); NaN where n is 0.

    Parameters
    ----------
    share : float
        May come from shared credit, such as 7.5 of 10.
    n : int
    level : float

    Returns
    -------
    low, high : float

    Examples
    --------
    >>> [round(x, 3) for x in wilson(0.9, 100)]
    [0.826, 0.945]
    """
    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    z = normal_quantile((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))
