"""Agreement of each coder in the course of the annotation: in fifths, or in batches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import evenly, one_by_one
from ..data.annotations import Annotations
from ..measure.weights import Weights
from ..results import Result
from .coders import agreement_with_others
from .order import Order, order_of

__all__ = ["FEW_ITEMS", "Drift", "beside_the_others", "drift"]

FEW_ITEMS = 30  # of a coder; below, no change is shown
PARTS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")


@dataclass(frozen=True, eq=False)
class Drift(Result):
    """Agreement in the order of annotation. C coders, S parts.

    Whether agreement changes beyond chance is told by the findings.

    Parameters
    ----------
    order : Order
        In which order the items were annotated, as far as it is known.
    coders : tuple of str
        (C,) names.
    parts : tuple of str
        (S,) fifths of the items of each coder, or the batches.
    n : ndarray
        (C, S) items that the coder and two others annotated.
    own, among : ndarray
        (C, S) mean agreement of the coder with the others, and of these among themselves; NaN
        where there are no items.
    """

    order: Order
    coders: tuple[str, ...]
    parts: tuple[str, ...]
    n: Floats
    own: Floats
    among: Floats

    @property
    def n_items(self) -> Floats:
        """(C,) items of each coder in all parts."""
        return np.asarray(self.n.sum(1))

    @property
    def change(self) -> Floats:
        """(C,) how much more the coder falls behind the others in the last part than in the first.

        The agreement of the others among themselves is taken off, so that hard items do not count
        as drift; NaN with fewer than `FEW_ITEMS` items.
        """
        behind = self.among - self.own
        found = np.array([_end(row, -1) - _end(row, 0) for row in behind])
        return np.where(self.n_items < FEW_ITEMS, np.nan, found)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "first": _end(self.own[c], 0),
                "last": _end(self.own[c], -1),
                "others_first": _end(self.among[c], 0),
                "others_last": _end(self.among[c], -1),
                "change": float(self.change[c]),
            }
            for c, name in enumerate(self.coders)
        ]


def _end(x: Floats, at: int) -> float:
    """The first (0) or last (-1) part that is known."""
    known = x[~np.isnan(x)]
    return float(known[at]) if len(known) else math.nan


def drift(data: Annotations, counts: Counts, w: Weights, order: str | None = None) -> Drift | None:
    """Agreement of each coder with the others along the order of annotation.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of these data.
    w : Weights
    order : str, optional
        The metadata column with the order (numbers, dates, batches); by default the order of the
        data.

    Returns
    -------
    Drift or None
        None for several questions together, unknown coders, fewer than `FEW_ITEMS` items that two
        coders annotated, or none that three did.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> right = ["a", "b"] * 50
    >>> tired = right[:50] + ["a"] * 50
    >>> data = read([right, right, tired])
    >>> found = drift(data, count(data), weights_for("identity", count(data)))
    >>> found.own[2].round(2).tolist(), found.change.tolist()
    ([1.0, 1.0, 0.75, 0.5, 0.5], [-0.25, -0.25, 0.5])
    """
    if counts.coder is None or counts.n_questions > 1 or counts.n_pairable < FEW_ITEMS:
        return None
    items = evenly(len(data.items))
    found = order_of(data, order, items)
    own, among = beside_the_others(counts, w)
    item, entry = one_by_one(counts, items)
    place = found.at(item, counts.coder[entry])
    keep = ~np.isnan(place) & ~np.isnan(among[entry])
    entry, place = entry[keep], place[keep]
    if not len(entry):
        return None
    coder, names = counts.coder[entry], found.batches or PARTS
    part = place.astype(np.int64) if found.batches else _fifth(place, coder)
    shape = (counts.n_coders, len(names))
    cell = coder * np.int64(shape[1]) + part
    n = np.bincount(cell, minlength=shape[0] * shape[1]).astype(float)
    over = np.where(n > 0, n, np.nan)
    with_others, of_others = (
        (1 - np.bincount(cell, weights=x[entry], minlength=len(n)) / over).reshape(shape)
        for x in (own, among)
    )
    return Drift(found, counts.coders, names, n.reshape(shape), with_others, of_others)


def beside_the_others(counts: Counts, w: Weights) -> tuple[Floats, Floats]:
    """(E,) mean disagreement of an annotation with the others of its item, and of these others.

    NaN where nobody else, or only one other coder, annotated the item.
    """
    agreed = agreement_with_others(counts, w.symmetrised)
    m = counts.size[counts.row].astype(float)
    total = counts.sum_entries(agreed)[counts.row]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(m > 1, 1 - agreed / (m - 1), np.nan)
        among = np.where(m > 2, 1 - (total - 2 * agreed) / ((m - 1) * (m - 2)), np.nan)
    return own, among


def _fifth(place: Floats, coder: NDArray[Any]) -> Ints:
    """(N,) in which fifth of the coder's places each one stands; equal places stand together."""
    order = np.lexsort((place, coder))
    p, c = place[order], coder[order]
    tie = np.cumsum(np.concatenate([[True], (p[1:] != p[:-1]) | (c[1:] != c[:-1])])) - 1
    middle = np.bincount(tie, weights=np.arange(len(p))) / np.bincount(tie)
    n = np.bincount(c)
    rank = (middle[tie] - (np.cumsum(n) - n)[c]) / np.maximum(n[c] - 1, 1)
    found = np.empty(len(p), np.int64)
    found[order] = np.minimum((rank * len(PARTS)).astype(np.int64), len(PARTS) - 1)
    return found
