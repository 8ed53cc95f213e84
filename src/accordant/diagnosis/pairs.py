"""How far each pair of coders agrees: coder x coder tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.coefficients import COEFFICIENTS
from ..measure.pairs import each_pair
from ..measure.weights import Weights
from ..results import Result

__all__ = ["MOST_CODERS", "CoderPairs", "coder_pairs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_CODERS = 100  # a table of more coders cannot be read; the busiest ones are shown


@dataclass(frozen=True, eq=False)
class CoderPairs(Result):
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
        return int((self._each(self.n_common) == 0).sum())

    @property
    def n_without_kappa(self) -> int:
        """Pairs without a kappa: no common item, or no variation on these."""
        return int(np.isnan(self._each(self.kappa)).sum())

    @property
    def n_pairs(self) -> int:
        """Pairs of the coders shown."""
        return len(self.coders) * (len(self.coders) - 1) // 2

    @cached_property
    def light(self) -> float:
        """Light's kappa (1971): the mean kappa of the pairs where it is defined."""
        found = self._each(self.kappa)
        return float(np.nanmean(found)) if (~np.isnan(found)).any() else math.nan

    def _each(self, table: Floats) -> Floats:
        """The entries of a (C, C) table, one for each pair."""
        return np.asarray(table[np.triu_indices(len(self.coders), 1)])

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
    n_common = np.diag(_items_of(counts))
    percent, kappa = (np.full(n_common.shape, np.nan) for _ in range(2))
    for found in each_pair(*COEFFICIENTS["light"].view(counts, w)):
        for table, x in ((n_common, found.n), (percent, found.observed), (kappa, found.value)):
            table[found.one, found.other] = table[found.other, found.one] = x
    return CoderPairs(counts.coders, n_common, percent, kappa, left_out, w.name)


def busiest(counts: Counts, most: int) -> Ints:
    """The coders with the most annotations, in the order of the data."""
    if counts.n_coders <= most or counts.coder is None:
        return np.arange(counts.n_coders)
    return np.sort(np.argsort(-_items_of(counts), kind="stable")[:most])


def _items_of(counts: Counts) -> Floats:
    """(C,) number of items that each coder annotated."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    n = np.bincount(coder, weights=counts.times[counts.row], minlength=counts.n_coders)
    return n.astype(float)
