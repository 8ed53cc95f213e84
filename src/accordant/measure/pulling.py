"""How far an item pulls a coefficient, where the coefficient says how it pulls A_e.

Gwet (2008; 2014, ch. 5-6) writes a coefficient as the mean of one number per item. Krippendorff's
alpha follows the same idea on its pairable items (Gwet 2014, sec. 6.3.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from .registry import Coefficient, item_agreement, observed_agreement
from .weights import Weights

__all__ = ["deviation"]

Floats = NDArray[np.float64]


def deviation(
    coefficient: Coefficient, counts: Counts, w: Weights, *, ratio: bool = False
) -> Floats:
    """(P,) how far an item of each pattern pulls the coefficient away from its value.

    Parameters
    ----------
    coefficient : Coefficient
        One with a slope.
    counts, w
        As the coefficient views them.
    ratio : bool
        Whether the number of items with two annotations varies over samples.
    """
    if coefficient.per_value:
        return _of_values(coefficient, counts, w)
    return _of_means(coefficient, counts, w, ratio)


def _of_means(coefficient: Coefficient, counts: Counts, w: Weights, ratio: bool) -> Floats:
    """(P,) where every item counts once."""
    agreed, found = item_agreement(counts, w), coefficient.parts(counts, w)
    observed, chance, value = found.observed, found.expected, found.value
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = (counts.size >= 2) * counts.n_items / counts.n_pairable
        own = (weight * (agreed - observed) - (1 - value) * _slope(coefficient, counts, w)) / (
            1 - chance
        )
    return np.asarray(own if ratio else own + value * (weight - 1))


def _of_values(coefficient: Coefficient, counts: Counts, w: Weights) -> Floats:
    """(P,) where every annotation counts once, all of them of items with two or more.

    Without the small-sample term and with replacement, as Gwet linearises alpha.
    """
    agreed = item_agreement(counts, w)
    observed = observed_agreement(counts, w, per_value=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = counts.pool / counts.pool.sum()
        chance = w.expected(p, p)
        value = (observed - chance) / (1 - chance)
        mean_size = counts.pool.sum() / counts.n_pairable
        own = counts.size * (agreed - observed) / mean_size
        return np.asarray((own - (1 - value) * _slope(coefficient, counts, w)) / (1 - chance))


def _slope(coefficient: Coefficient, counts: Counts, w: Weights) -> Floats:
    """(P,) how far an item pulls expected agreement."""
    if coefficient.slope_of is None:
        raise TypeError(f"{coefficient.key} does not say how A_e moves with an item")
    return coefficient.slope_of(counts, w)
