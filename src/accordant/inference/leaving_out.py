"""The coefficient without one item, for every item at once.

Items that show the same pattern give the same answer, so one is left out of each pattern. The
sums over the remaining items are the sums over all less one item's share; nothing is counted
again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.registry import Coefficient
from ..measure.weights import Weights

__all__ = ["jackknife", "left_out"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

BATCH_CELLS = 4_000_000  # this many sums are held at a time


@dataclass(frozen=True, eq=False)
class WithoutOne:
    """``times`` of S samples, each of which lacks one item: what (S, P) counts would do.

    Parameters
    ----------
    times : ndarray of float
        (P,) how many items show each pattern.
    chosen : ndarray of int
        (S,) the pattern of the item that each sample lacks.
    """

    times: NDArray[np.floating[Any]]
    chosen: Ints
    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """(S, P)."""
        return len(self.chosen), len(self.times)

    def sum(self, axis: int = -1) -> Floats:
        """(S,) number of items of each sample."""
        return np.full(len(self.chosen), self.times.sum() - 1)

    def __matmul__(self, x: Any) -> Floats:
        """Sums over items of a dense or sparse (P,) or (P, W)."""
        own = x[self.chosen]
        return np.asarray(self.times @ x - (own if isinstance(own, np.ndarray) else own.toarray()))


def left_out(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """The coefficient without one item of each pattern: (P,), patterns of its own view."""
    counts, w = coefficient.view(counts, w)
    n, _ = counts.n_patterns, counts.anonymous_of  # known once, for all samples
    width = counts.n_values * (counts.n_coders if coefficient.needs_coders else 1)
    step = max(1, BATCH_CELLS // width)
    without = np.full(n, np.nan)
    for start in range(0, n, step):
        chosen = np.arange(start, min(start + step, n))
        samples: Any = WithoutOne(counts.times, chosen)
        without[chosen] = coefficient.parts(counts.drawn(samples), w).value
        if progress:
            progress(int(chosen[-1]) + 1, n)
    return without


def jackknife(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> float:
    """Variance by leaving out each item once (Efron & Tibshirani 1993, ch. 11).

    NaN if the coefficient is undefined without some item.
    """
    times = coefficient.view(counts, w)[0].times
    n = times.sum()
    without = left_out(coefficient, counts, w, progress=progress)
    if n < 2 or np.isnan(without).any():
        return float("nan")
    mean = times @ without / n
    return float((n - 1) / n * (times @ (without - mean) ** 2))
