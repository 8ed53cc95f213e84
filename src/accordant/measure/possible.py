"""The smallest value that a coefficient can have.

Coders who never agree reach -A_e / (1 - A_e). Where chance rests on the labels of the same items
(π, κ and α of a complete table), two coders who never agree cannot expect to agree on more than
half of them, so that no value lies below -1, or below -1 / (m - 1) with m annotations of an item.
"""

from __future__ import annotations

import numpy as np

from ..counts.counts import Counts
from .registry import Coefficient, chance_corrected
from .weights import Identity, Linear, Squared, Weights

__all__ = ["least_possible", "least_weight"]

MOST_VALUES = 500  # of more the worst two are taken not to agree at all
POOLED = ("pi", "kappa", "alpha")  # chance rests on labels of the same items


def least_possible(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """The smallest value that the coefficient can have of such data.

    Nothing but the expected agreement that was found limits it in general. It is limited in
    advance if every item has as many annotations as there are coders (of alpha always, which
    counts no others), and if distances are those of points, as on the named scales: coders who
    all differ differ more from each other than two labels drawn from all do, D_e >= (m - 1) / m
    D_o. A mean over pairs of coders or over labels has the limit of two coders.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    if not coefficient.corrected:
        return least_weight(w)
    points = isinstance(w, Identity | Squared | Linear)
    if coefficient.is_mean and points:
        return -1.0
    sizes = counts.size[counts.times > 0]
    complete = coefficient.per_value or bool((sizes == counts.n_coders).all())
    if complete and points and coefficient.key in POOLED:
        return -1 / (float(sizes.min()) - 1)
    found = coefficient.parts(counts, w)
    least = float(chance_corrected(np.asarray(least_weight(w)), found.expected))
    return min(least, float(found.value))  # nan if undefined


def least_weight(w: Weights) -> float:
    """How much the two values agree that agree least."""
    return float(w.matrix.min()) if 0 < w.n_values <= MOST_VALUES else 0.0
