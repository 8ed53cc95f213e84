"""Standard errors by linearisation: how far each item pulls the coefficient.

Gwet (2008; 2014, ch. 5-6) writes a coefficient as the mean of one number per item; the spread
of these numbers gives the standard error. Krippendorff's alpha follows the same idea on its
pairable items (Gwet 2014, sec. 6.3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.registry import Coefficient, item_agreement, observed_agreement
from ..measure.weights import Weights

__all__ = ["Linearised", "left_out", "linearise"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Linearised:
    """How far the items of each pattern pull a coefficient away from its value.

    Parameters
    ----------
    counts : Counts
        The view of the counts that the coefficient takes.
    deviation : ndarray
        (P,) mean 0 over the sampled items.
    sampled : ndarray of bool
        (P,) whether such items are in the sample that the standard error is about. Alpha knows
        only pairable items; for the others single-coded items tell about chance.
    """

    counts: Counts
    deviation: Floats
    sampled: NDArray[np.bool_]

    @property
    def n(self) -> float:
        """Number of sampled items."""
        return float(self.counts.times @ self.sampled)

    def variance(self, *, population: float = np.inf, large_sample: bool = False) -> float:
        """Variance of the coefficient over samples of items.

        Parameters
        ----------
        population : float
            How many items there are to sample from: the finite-population correction 1 - n / N.
        large_sample : bool
            Divide by n instead of n - 1, as Fleiss, Cohen & Everitt (1969) do.
        """
        n = self.n
        if n < 2:
            return float("nan")
        squares = float(self.counts.times @ (self.sampled * self.deviation**2))
        return (1 - n / population) * squares / (n * (n if large_sample else n - 1))

    def of_items(self) -> Floats:
        """(I,) the deviation of each item, 0 for an item that is not sampled."""
        x = np.append(np.where(self.sampled, self.deviation, 0), 0)
        return np.asarray(x[self.counts.pattern_of])


def linearise(coefficient: Coefficient, counts: Counts, w: Weights) -> Linearised:
    """How far each item pulls the coefficient."""
    counts, w = coefficient.view(counts, w)
    pairable = counts.size >= 2
    if coefficient.slope_of is None:
        everyone = np.ones(counts.n_patterns, bool)
        return Linearised(counts, _pseudo_deviations(coefficient, counts, w), everyone)
    slope = coefficient.slope_of(counts, w)
    agreed = item_agreement(counts, w)
    observed = observed_agreement(counts, w, per_value=coefficient.per_value)
    with np.errstate(invalid="ignore", divide="ignore"):
        if coefficient.per_value:
            # without the small-sample term and with replacement, as Gwet linearises alpha
            p = counts.pool / counts.pool.sum()
            chance = w.expected(p, p)
            value = (observed - chance) / (1 - chance)
            mean_size = counts.pool.sum() / counts.n_pairable
            own = np.where(pairable, counts.size * (agreed - observed) / mean_size, 0)
            x = (own - (1 - value) * slope) / (1 - chance)
            return Linearised(counts, x, pairable)
        chance = coefficient.expected(counts, w)
        value = (observed - chance) / (1 - chance)
        weight = pairable * counts.n_items / counts.n_pairable
        x = (weight * (agreed - chance) - (1 - value) * slope) / (1 - chance) - value
    return Linearised(counts, x, np.ones(counts.n_patterns, bool))


def left_out(coefficient: Coefficient, counts: Counts, w: Weights) -> Floats:
    """The coefficient without one item of each pattern: (P,), patterns of its own view."""
    counts, w = coefficient.view(counts, w)
    step = max(1, 4_000_000 // max(counts.n_patterns, counts.n_values * counts.n_coders))
    parts = [np.zeros(0)]
    for start in range(0, counts.n_patterns, step):
        chosen = np.arange(start, min(start + step, counts.n_patterns))
        times = np.repeat(counts.times[None], len(chosen), 0)
        times[np.arange(len(chosen)), chosen] -= 1
        parts.append(coefficient.parts(counts.drawn(times), w).value)
    return np.concatenate(parts)


def _pseudo_deviations(coefficient: Coefficient, counts: Counts, w: Weights) -> NDArray[Any]:
    """Jackknife pseudo-values less their mean, one for each pattern."""
    values = left_out(coefficient, counts, w)
    mean = counts.times @ values / counts.n_items
    return np.asarray((counts.n_items - 1) * (mean - values))
