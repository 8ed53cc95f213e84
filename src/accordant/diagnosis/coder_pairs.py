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
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..inference.influence import without_each_coder
from ..measure.coefficients import COEFFICIENTS
from ..measure.distances import weights_for
from ..measure.label_use import LabelUse, label_use
from ..measure.pairs import each_pair
from ..measure.shares import LabelOrder, coder_entropy
from ..measure.undefined import why_undefined
from ..measure.weights import Weights, ordered_pairs
from ..results import Result
from ..scheme import Value

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


# ------------------------------------------------------------------ how each coder labels


MOST_LEFT_OUT = 50  # alpha is computed once more for each coder that is left out
BLOCK = 4_000_000  # cells of a temporary table of patterns x values
WORTH = 8  # so many cells of that table are filled as quickly as one annotation is compared
MOST_ENTRIES = 20_000_000  # entries that are gone through for this: about two seconds


@dataclass(frozen=True, eq=False)
class CoderTable(Result):
    """What each coder does. C coders, K values.

    Parameters
    ----------
    coders : tuple of str
        (C,) names; empty if the data do not tell who gave which label.
    values : tuple
        (K,) values.
    n_items, n_shared : ndarray
        (C,) items of the coder, and those of them that somebody else annotated too.
    entropy : ndarray
        (C,) bits.
    agreement : ndarray
        (C,) mean agreement with the other coders of an item, over all such pairs.
    labels : LabelUse or None
        Which labels each gives; None if the table would be too large.
    alpha : float
        Alpha of all coders.
    alpha_without : ndarray
        (C,) alpha if the coder is left out; NaN with fewer than three coders or too many.
    """

    coders: tuple[str, ...]
    values: tuple[Value, ...]
    n_items: Floats
    n_shared: Floats
    entropy: Floats
    agreement: Floats
    labels: LabelUse | None
    alpha: float
    alpha_without: Floats

    @property
    def alpha_change(self) -> Floats:
        """(C,) how much alpha rises if the coder is left out."""
        return self.alpha_without - self.alpha

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder; ``bias_value`` is what it gives most unlike the others."""
        unknown: list[tuple[Value | None, float]] = [(None, math.nan)] * len(self.coders)
        found = unknown if self.labels is None else self.labels.strongest_bias()
        numbers = ("agreement", "alpha_without", "alpha_change", "entropy")
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "n_shared": int(self.n_shared[c]),
                **{key: float(getattr(self, key)[c]) for key in numbers},
                "bias_value": value,
                "bias": bias,
            }
            for c, (name, (value, bias)) in enumerate(zip(self.coders, found, strict=True))
        ]


def coders(
    counts: Counts, w: Weights, metric: Weights | None = None, labels: LabelOrder = None
) -> CoderTable:
    """Break agreement down by coder.

    Parameters
    ----------
    counts : Counts
    w : Weights
        What counts as agreement with the others.
    metric : Weights, optional
        The weights of alpha, by default the same.
    labels : sequence, optional
        The order of the labels that sets hold.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]))
    >>> found = coders(counts, weights_for("identity", counts))
    >>> found.agreement.tolist(), found.n_items.tolist()
    ([0.75, 0.625, 0.625], [4.0, 4.0, 4.0])
    """
    alpha = COEFFICIENTS["alpha"]
    metric = metric or w
    whole = float(alpha.parts(counts, metric).value)
    if counts.coder is None:
        none = np.zeros(0)
        return CoderTable((), counts.values, none, none, none, none, None, whole, none)
    times = counts.times[counts.row]
    shared = times * (counts.size >= 2)[counts.row]
    n_pairs = _summed(counts, shared * (counts.size[counts.row] - 1))
    agreed = _summed(counts, times * agreement_with_others(counts, w))
    without = _alpha_without(counts, metric)
    return CoderTable(
        coders=counts.coders,
        values=counts.values,
        n_items=_summed(counts, times),
        n_shared=_summed(counts, shared),
        entropy=coder_entropy(counts),
        agreement=np.asarray(agreed / np.where(n_pairs, n_pairs, np.nan)),
        labels=label_use(counts, labels),
        alpha=whole,
        alpha_without=without,
    )


def _summed(counts: Counts, x: NDArray[Any]) -> Floats:
    """(C,) sum of ``x`` (E,) over the annotations of each coder."""
    owner = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return sums(owner, x, counts.n_coders)


def agreement_with_others(counts: Counts, w: Weights) -> Floats:
    """(E,) sum of the weights of an annotation with the others of its item."""
    k, found = counts.n_values, []
    if w.symmetric and counts.n_patterns * k <= WORTH * len(counts.value):
        step = max(1, BLOCK // max(k, 1))
        for low in range(0, counts.n_patterns, step):
            start, end = counts.start[low], counts.start[min(low + step, counts.n_patterns)]
            row, value = counts.row[start:end] - low, counts.value[start:end]
            n = np.bincount(row * np.int64(k) + value, minlength=(row[-1] + 1) * k)
            others = w.apply(n.reshape(-1, k).astype(float))
            found.append(others[row, value])
        return np.concatenate([np.zeros(0), *found]) - w.diagonal[counts.value]
    return _pair_by_pair(counts, w)


def _pair_by_pair(counts: Counts, w: Weights) -> Floats:
    """(E,) the same for many values, or weights that know a first and a second coder."""
    found = np.zeros(len(counts.value))
    for a, b in ordered_pairs(counts):
        both = w.at(counts.value[a], counts.value[b])
        found += np.bincount(a, weights=both, minlength=len(found))
        found += np.bincount(b, weights=both, minlength=len(found))
    return found


def _alpha_without(counts: Counts, metric: Weights) -> Floats:
    """(C,) alpha without each coder, NaN where that is too much work or means nothing."""
    busy = counts.n_coders > MOST_LEFT_OUT or counts.n_coders * len(counts.value) > MOST_ENTRIES
    if busy or counts.n_coders < 3:
        return np.full(counts.n_coders, np.nan)
    return without_each_coder(COEFFICIENTS["alpha"], counts, metric)
