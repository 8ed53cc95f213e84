"""Bootstrap and jackknife over items, on patterns.

To draw I items with replacement is to draw how often each pattern occurs, from a multinomial
distribution: exactly the item bootstrap, at a cost that does not grow with the items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.registry import Coefficient
from ..measure.weights import Weights
from .distributions import normal_quantile, normal_tail
from .linearised import left_out

__all__ = ["bca", "bootstrap", "jackknife", "percentile"]

Floats = NDArray[np.float64]

BATCH_CELLS = 4_000_000  # resamples are drawn this many cells at a time


def bootstrap(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """The coefficient in resamples of the items: (n_resamples,), NaN where undefined.

    The weights of the full sample are kept in every resample.
    """
    generator = np.random.default_rng(rng)
    counts, w = coefficient.view(counts, w)
    n = int(counts.times.sum())
    width = counts.n_values * (counts.n_coders if coefficient.needs_coders else 1)
    step = max(1, min(n_resamples, BATCH_CELLS // max(counts.n_patterns, width)))
    values = np.empty(n_resamples)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        times = generator.multinomial(n, counts.times / n, size=size)
        values[start : start + size] = coefficient.parts(counts.drawn(times), w).value
        if progress:
            progress(start + size, n_resamples)
    return values


def percentile(values: Floats, level: float) -> tuple[float, float]:
    """The central interval of the resamples."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    values: Floats,
    level: float,
) -> tuple[float, float]:
    """Bias-corrected and accelerated interval (Efron 1987).

    Leaves out one item of each pattern, not each item.
    """
    below = (np.count_nonzero(values < value) + np.count_nonzero(values == value) / 2) / len(values)
    if not 0 < below < 1:
        return percentile(values, level)
    bias = normal_quantile(below)
    times = coefficient.view(counts, w)[0].times
    without = left_out(coefficient, counts, w)
    known = ~np.isnan(without)
    mean = np.average(without[known], weights=times[known])
    far = mean - without[known]
    spread = float(times[known] @ far**2)
    acceleration = float(times[known] @ far**3) / (6 * spread**1.5) if spread > 0 else 0.0
    ends = []
    for p in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(p)
        ends.append(1 - normal_tail(bias + z / (1 - acceleration * z)))
    low, high = np.quantile(values, ends)
    return float(low), float(high)


def jackknife(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """Variance by leaving out each item once."""
    times = coefficient.view(counts, w)[0].times
    n = times.sum()
    without = left_out(coefficient, counts, w)
    if n < 2 or np.isnan(without).any():
        return float("nan")
    mean = times @ without / n
    return float((n - 1) / n * (times @ (without - mean) ** 2))
