"""How far each pair of coders agrees: coder x coder tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import DENSE_CELLS, Counts
from ..measure.registry import chance_corrected
from ..measure.results import Rows
from ..measure.weights import Weights, ordered_pairs

__all__ = ["MOST_CODERS", "CoderPairs", "coder_pairs", "overlap"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_CODERS = 100  # a table of more coders cannot be read; the busiest ones are shown


@dataclass(frozen=True, eq=False)
class CoderPairs(Rows):
    """Agreement of every pair of coders on the items that both annotated.

    Parameters
    ----------
    coders : tuple of str
        (C,) the coders shown.
    n_common : ndarray
        (C, C) items that both annotated; on the diagonal the items of the coder.
    percent, kappa : ndarray
        (C, C) A_o and Cohen's kappa with the weights of the scale; NaN where undefined and on
        the diagonal.
    left_out : int
        Coders that are not shown: those with the fewest annotations.
    weights : str
        Name of the weights.
    """

    coders: tuple[str, ...]
    n_common: Floats
    percent: Floats
    kappa: Floats
    left_out: int = 0
    weights: str = "identity"

    @property
    def n_without_overlap(self) -> int:
        """Pairs of coders without a common item."""
        return int((self.n_common[np.triu_indices(len(self.coders), 1)] == 0).sum())

    @cached_property
    def light(self) -> float:
        """Light's kappa (1971): the mean kappa of the pairs where it is defined."""
        found = self.kappa[np.triu_indices(len(self.coders), 1)]
        return float(np.nanmean(found)) if (~np.isnan(found)).any() else math.nan

    def mean_of_coder(self, table: Floats) -> Floats:
        """(C,) mean over the pairs of a coder of ``percent`` or ``kappa``, NaN if there is none."""
        known = ~np.isnan(table)
        n = known.sum(1)
        return np.where(n, np.where(known, table, 0).sum(1) / np.where(n, n, 1), np.nan)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [
            {
                "first": self.coders[a],
                "second": self.coders[b],
                "n_common": int(self.n_common[a, b]),
                "percent": float(self.percent[a, b]),
                "kappa": float(self.kappa[a, b]),
            }
            for a, b in zip(*np.triu_indices(len(self.coders), 1), strict=True)
        ]


def coder_pairs(counts: Counts, w: Weights, *, most: int = MOST_CODERS) -> CoderPairs:
    """Compare every coder with every other.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]]))
    >>> found = coder_pairs(counts, weights_for("identity", counts))
    >>> found.percent.tolist()[0][1], found.kappa.tolist()[0][1]
    (0.75, 0.5)
    """
    if counts.coder is None:
        nobody = np.zeros((0, 0))
        return CoderPairs((), nobody, nobody, nobody, 0, w.name)
    shown = busiest(counts, most)
    left_out = counts.n_coders - len(shown)
    if left_out:
        counts = counts.of_coders(shown)
    n_common = overlap(counts)
    agreed = _summed(counts, w)
    with np.errstate(invalid="ignore", divide="ignore"):
        percent = agreed / n_common
    np.fill_diagonal(percent, np.nan)
    kappa = np.asarray(chance_corrected(percent, _by_chance(counts, w, n_common)))
    return CoderPairs(counts.coders, n_common, percent, kappa, left_out, w.name)


def busiest(counts: Counts, most: int) -> Ints:
    """The coders with the most annotations, in the order of the data."""
    if counts.n_coders <= most or counts.coder is None:
        return np.arange(counts.n_coders)
    n = np.bincount(counts.coder, weights=counts.times[counts.row], minlength=counts.n_coders)
    return np.sort(np.argsort(-n, kind="stable")[:most])


def overlap(counts: Counts) -> Floats:
    """(C, C) number of items that both coders annotated, on the diagonal those of the coder."""
    coder = counts.coder
    if coder is None:
        return np.zeros((0, 0))
    width = counts.n_coders
    items = np.bincount(coder, weights=counts.times[counts.row], minlength=width)
    found = np.diag(items).astype(float)
    for a, b in ordered_pairs(counts):
        cell = coder[a] * width + coder[b]
        n = np.bincount(cell, weights=counts.times[counts.row[a]], minlength=width * width)
        found += n.reshape(width, width) + n.reshape(width, width).T
    return found


def _summed(counts: Counts, w: Weights) -> Floats:
    """(C, C) sum of weights over the common items of each pair."""
    width = counts.n_coders
    found = np.zeros((width, width))
    for first, second, times, a, b in _pairs(counts):
        cell, agreed = first * width + second, times * w.at(counts.value[a], counts.value[b])
        n = np.bincount(cell, weights=agreed, minlength=width * width).reshape(width, width)
        found += n + n.T
    return found


def _by_chance(counts: Counts, w: Weights, n_common: Floats) -> Floats:
    """(C, C) expected agreement of each pair, from their distributions on common items."""
    width, k = counts.n_coders, counts.n_values
    found = np.full((width, width), np.nan)
    if width * width * k > DENSE_CELLS:
        return found
    table = np.zeros(width * width * k)
    for first, second, times, a, b in _pairs(counts):
        for one, other, entry in ((first, second, a), (second, first, b)):
            cell = (one * width + other) * k + counts.value[entry]
            table += np.bincount(cell, weights=times, minlength=len(table))
    one, other = np.triu_indices(width, 1)
    n = n_common[one, other][:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        p = table.reshape(width, width, k)
        found[one, other] = w.expected(p[one, other] / n, p[other, one] / n)
    found[other, one] = found[one, other]
    return found


def _pairs(counts: Counts) -> Iterator[tuple[Ints, Ints, NDArray[Any], Ints, Ints]]:
    """Coders, number of items and entries of all pairs of annotations of an item."""
    if counts.coder is None:
        return
    for a, b in ordered_pairs(counts):
        yield counts.coder[a], counts.coder[b], counts.times[counts.row[a]], a, b
