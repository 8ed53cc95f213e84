"""How far each pair of coders agrees.

Of sets of labels the measures of Marchal et al. (2022) are about two coders: of more coders a
pooled figure is a mean over pairs, and its precision and recall are the same; here each pair stands
for itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..measure.coefficients import COEFFICIENTS
from ..measure.distances import weights_for
from ..measure.pairs import each_pair
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..results import Result

__all__ = ["MOST_CODERS", "MOST_MEASURED", "CoderPairs", "busiest", "coder_pairs"]

MOST_CODERS = 100  # a table of more coders cannot be read; the busiest ones are shown
MOST_MEASURED = 50  # pairs: exact chance of large sets of many labels takes a tenth of a second


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
    counts : Counts or None
        The annotations of these coders where values are sets of labels.
    """

    coders: tuple[str, ...]
    n_common: Floats
    percent: Floats
    kappa: Floats
    left_out: int = 0
    weights: str = "identity"
    counts: Counts | None = None

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

    @cached_property
    def boot(self) -> dict[tuple[int, int], dict[str, Any]]:
        """Of sets of labels boot-match, boot-precision and boot-recall of each pair of positions.

        Chance is that of the items of the pair; the pairs with the most common items are measured.
        Precision is about the labels of the first coder, recall about those of the second.
        """
        if self.counts is None:
            return {}
        one, other = np.triu_indices(len(self.coders), 1)
        n = self.n_common[one, other]
        chosen = np.sort(np.argsort(-n, kind="stable")[: min(MOST_MEASURED, int((n > 0).sum()))])
        pairs = zip(one[chosen].tolist(), other[chosen].tolist(), strict=True)
        return {pair: _measured(self.counts, *pair) for pair in pairs}

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [
            {
                "first": self.coders[a],
                "second": self.coders[b],
                "n_common": int(self.n_common[a, b]),
                "percent": float(self.percent[a, b]),
                "kappa": float(self.kappa[a, b]),
                **self.boot.get((a, b), {}),
            }
            for a, b in combinations(range(len(self.coders)), 2)
        ]


def _measured(counts: Counts, a: int, b: int) -> dict[str, Any]:
    """The measures of label draw for two coders on the items of both."""
    two, boot = counts.of_coders(np.array([a, b])).pairable, COEFFICIENTS["boot"]
    match, precision, recall = (
        boot.parts(two, weights_for(name, two)) for name in ("overlap", "precision", "recall")
    )
    observed, expected = float(match.observed), float(match.expected)
    return {
        "observed": observed,
        "expected": expected,
        "boot_match": float(match.value),
        "boot_precision": float(precision.value),
        "boot_recall": float(recall.value),
        "undefined": why_undefined(boot, two, observed, expected),
    }


def coder_pairs(counts: Counts, w: Weights) -> CoderPairs:
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
    shown = busiest(counts, MOST_CODERS)
    left_out = counts.n_coders - len(shown)
    if left_out:
        counts = counts.of_coders(shown)
    n_common = np.diag(_items_of(counts))
    percent, kappa = (np.full(n_common.shape, np.nan) for _ in range(2))
    for found in each_pair(*COEFFICIENTS["light"].view(counts, w)):
        for table, x in ((n_common, found.n), (percent, found.observed), (kappa, found.value)):
            table[found.one, found.other] = table[found.other, found.one] = x
    sets = counts if counts.of_sets else None
    return CoderPairs(counts.coders, n_common, percent, kappa, left_out, w.name, sets)


def busiest(counts: Counts, most: int) -> Ints:
    """The coders with the most annotations, in the order of the data."""
    if counts.n_coders <= most or counts.coder is None:
        return np.arange(counts.n_coders)
    return np.sort(np.argsort(-_items_of(counts), kind="stable")[:most])


def _items_of(counts: Counts) -> Floats:
    """(C,) number of items that each coder annotated."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return sums(coder, counts.times[counts.row], counts.n_coders)
