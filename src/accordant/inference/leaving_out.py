"""The coefficient without one item, for every item at once.

Items that show the same pattern give the same answer, so one is left out of each pattern (with
several questions, of each kind of item, with all answers about it). The sums over the remaining
items are the sums over all less one item's share; nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.kinds import Kinds
from ..measure.registry import Coefficient
from ..measure.weights import Weights

__all__ = ["jackknife", "left_out", "refound"]

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
    kinds : Kinds
    chosen : ndarray of int
        (S,) the kind of the item that each sample lacks.
    """

    times: NDArray[np.floating[Any]]
    kinds: Kinds
    chosen: Ints
    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """(S, P)."""
        return len(self.chosen), len(self.times)

    def sum(self, axis: int = -1) -> Floats:
        """(S,) number of items of each sample."""
        return self @ np.ones(len(self.times))

    def __matmul__(self, x: Any) -> Floats:
        """Sums over items of a dense or sparse (P,) or (P, W)."""
        own = self.kinds.totals_of(self.chosen, x)
        return np.asarray(self.times @ x - (own if isinstance(own, np.ndarray) else own.toarray()))


def left_out(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """The coefficient without one item of each kind: (G,), kinds (patterns) of its own view."""
    counts, w = coefficient.view(counts, w)
    if coefficient.left_out_of is not None and counts.n_questions == 1:
        return coefficient.left_out_of(counts, w)
    return refound(coefficient, counts, w, progress=progress)


def refound(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """The same by finding the coefficient again for each kind, many at a time."""
    n, _ = len(counts.kinds.times), counts.anonymous_of  # known once, for all samples
    width = counts.n_values * (counts.n_coders if coefficient.needs_coders else 1)
    step = max(1, BATCH_CELLS // width)
    without = np.full(n, np.nan)
    for start in range(0, n, step):
        chosen = np.arange(start, min(start + step, n))
        samples: Any = WithoutOne(counts.times, counts.kinds, chosen)
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
    counts, w = coefficient.view(coefficient.sample(counts), w)
    times, n = counts.kinds.times, counts.kinds.n
    without = left_out(coefficient, counts, w, progress=progress)
    if n < 2 or np.isnan(without).any():
        return float("nan")
    mean = times @ without / n
    return float((n - 1) / n * (times @ (without - mean) ** 2))
