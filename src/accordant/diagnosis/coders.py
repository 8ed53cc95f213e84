"""How each coder labels, and how far the others agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..inference.influence import without_each_coder
from ..measure.coefficients import COEFFICIENTS
from ..measure.label_use import LabelUse, label_use
from ..measure.shares import LabelOrder, coder_entropy
from ..measure.weights import Weights, ordered_pairs
from ..results import Result
from ..scheme import Value

__all__ = ["MOST_LEFT_OUT", "Coders", "coders"]

MOST_LEFT_OUT = 50  # alpha is computed once more for each coder that is left out
BLOCK = 4_000_000  # cells of a temporary table of patterns x values
WORTH = 8  # so many cells of that table are filled as quickly as one annotation is compared
MOST_ENTRIES = 20_000_000  # entries that are gone through for this: about two seconds


@dataclass(frozen=True, eq=False)
class Coders(Result):
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
) -> Coders:
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
        return Coders((), counts.values, none, none, none, none, None, whole, none)
    times = counts.times[counts.row]
    shared = times * (counts.size >= 2)[counts.row]
    n_pairs = _summed(counts, shared * (counts.size[counts.row] - 1))
    agreed = _summed(counts, times * agreement_with_others(counts, w))
    without = _alpha_without(counts, metric)
    return Coders(
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
