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
MOST_POINTS = 100  # of more it takes too long to tell
ROUNDING = 1e-9
OF_LABELS = ("alpha", "pi", "kappa")  # their chance rests on the labels of the same items


def least_possible(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """The smallest value that the coefficient can have of such data.

    In general nothing but the expected agreement that was found limits it. If chance rests on the
    labels of the same items and distances are squared distances of points, as those of all named
    scales are, two labels of all differ at least (m - 1) / m times as much as two of m labels of
    an item, D_e >= (m - 1) / m D_o. So it is where every annotation that counts has another beside
    it: always of alpha, of pi without single annotations, of kappa if all coders annotate every
    item. Elsewhere, and for means over pairs of coders or labels, it is so with m = 2 if who
    annotates an item does not depend on its labels.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    if not coefficient.corrected:
        return least_weight(w)
    found = coefficient.parts(counts, w)
    if coefficient.key in OF_LABELS or coefficient.is_mean:
        sizes = counts.size[counts.times > 0]
        fewest = float(sizes.min(initial=counts.n_coders))
        complete = {"alpha": True, "pi": fewest >= 2, "kappa": fewest == counts.n_coders}
        if _of_points(w):
            least = -1 / (fewest - 1) if complete.get(coefficient.key) else -1.0
            return min(least, float(found.value))
    least = float(chance_corrected(np.asarray(least_weight(w)), found.expected))
    return min(least, float(found.value))  # nan if undefined


def _of_points(w: Weights) -> bool:
    """Whether distances are squared distances of points (Schoenberg 1938)."""
    if isinstance(w, Identity | Squared | Linear):
        return True
    if not 0 < w.n_values <= MOST_POINTS:
        return False
    centred = w.matrix - w.matrix.mean(0)
    centred = centred - centred.mean(1, keepdims=True)
    return bool(w.symmetric and np.linalg.eigvalsh(centred).min() > -ROUNDING)


def least_weight(w: Weights) -> float:
    """How much the two values agree that agree least; one value tells nothing of others."""
    return float(w.matrix.min()) if 1 < w.n_values <= MOST_VALUES else 0.0
