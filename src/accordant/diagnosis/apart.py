"""Annotations beside the others of their items: how far apart, and what the others say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.registry import item_agreement
from ..measure.weights import Weights
from .coders import agreement_with_others

__all__ = ["all_disagreement", "beside_the_others", "others_say"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


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


def others_say(counts: Counts) -> Ints:
    """(E,) the value that most of the other coders of an item gave, the first one of a tie.

    The coder's own where nobody else annotated the item.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a"], ["a"], ["b"]]))
    >>> [counts.values[v] for v in others_say(counts)]
    ['a', 'a', 'a']
    """
    bare = counts.anonymous
    if not len(bare.value):
        return counts.value
    order = np.lexsort((-bare.n, bare.row))
    first = order[bare.start[:-1]]
    second = order[np.minimum(bare.start[:-1] + 1, bare.start[1:] - 1)]
    of = counts.anonymous_of[counts.row]
    one, other = first[of], second[of]
    own = counts.value == bare.value[one]
    left = bare.n[one] - own
    return np.asarray(np.where(own & (left < bare.n[other]), bare.value[other], bare.value[one]))


def all_disagreement(counts: Counts, w: Weights) -> float:
    """Disagreement of all items, each with the weight of its annotations, as in alpha."""
    paired = counts.size >= 2
    d = 1 - item_agreement(counts, w)[paired]
    return float((counts.times * counts.size)[paired] @ d)
