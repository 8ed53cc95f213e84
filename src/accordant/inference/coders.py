"""Coders are a sample too: the second source of variance (Gwet 2014, ch. 5-6)."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.distances import weights_for
from ..measure.registry import Coefficient
from ..measure.weights import Weights

__all__ = ["coder_variance", "without_each_coder"]


def without_each_coder(coefficient: Coefficient, counts: Counts, w: Weights) -> Floats:
    """(C,) the coefficient if one coder is left out, NaN where it is undefined then."""
    every = np.arange(counts.n_coders)
    rest = (counts.of_coders(np.delete(every, c)) for c in every)
    return np.array([float(coefficient.parts(part, _fitted(w, part)).value) for part in rest])


def _fitted(w: Weights, counts: Counts) -> Weights:
    """The weights as those of these counts: Krippendorff's ordinal metric depends on the pool."""
    return weights_for(w.name, counts) if w.name == "ordinal-metric" else w


def coder_variance(
    coefficient: Coefficient, counts: Counts, w: Weights, *, coder_population: float = np.inf
) -> float:
    """Variance of the coefficient over samples of coders, by leaving out each coder once.

    NaN if the coefficient is undefined without some coder.

    Raises
    ------
    RequestError
        With fewer than three coders (without one of two nothing is left), if the coders are not
        known, or if their population is smaller than the sample.
    """
    n = counts.n_coders
    if counts.coder is None:
        raise RequestError(
            "the variance between coders needs to know which coder gave which label, "
            "and the data give only counts"
        )
    if n < 3:
        raise RequestError(
            f"the variance between coders needs at least 3 coders; the data have {n}"
        )
    if n > coder_population:
        raise RequestError(
            f"the population of {coder_population:,.0f} coders is smaller than the sample of {n:,}"
        )
    values = without_each_coder(coefficient, counts, w)
    return float((1 - n / coder_population) * (n - 1) / n * ((values - values.mean()) ** 2).sum())
