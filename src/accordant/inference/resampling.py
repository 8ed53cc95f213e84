"""Bootstrap over items, on patterns.

To draw I items with replacement is to draw how often each pattern occurs, from a multinomial
distribution: exactly the item bootstrap, at a cost that does not grow with the items. With
several questions whole items are drawn, as kinds that show several patterns. Where patterns
are nearly as many as items, drawing the items themselves is the quicker way to the same
distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import Counts
from ..measure.registry import Coefficient
from ..measure.weights import Weights

Progress: TypeAlias = Callable[[int, int], None]

BATCH_CELLS = 4_000_000  # resamples are drawn this many cells at a time
TIE = 1e-9  # values that differ by less are one: the same sum in another order rounds otherwise
FEW_REPEATS = 4  # with fewer items per pattern it is quicker to draw items (measured)


def bootstrap(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
) -> Floats:
    """The coefficient in resamples of the items: (n_resamples,), NaN where undefined.

    The weights of the full sample are kept in every resample: they are part of the question.
    That holds for Krippendorff's ordinal metric too, whose distances come from the pool; its
    standard error by linearisation rests on the same footing.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    (values,) = bootstrap_together(
        [(coefficient, w)], counts, n_resamples=n_resamples, rng=rng, progress=progress
    )
    return np.asarray(values)


def bootstrap_together(
    wanted: Sequence[tuple[Coefficient, Weights]],
    counts: Counts,
    *,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
) -> Floats:
    """R coefficients in the same resamples of the items: (R, n_resamples).

    The items are those of ``counts``; give ``counts.anonymous`` if nobody asks who the
    coders are.
    """
    width = counts.n_values * (counts.n_coders if any(c.needs_coders for c, _ in wanted) else 1)
    values = np.empty((len(wanted), n_resamples))
    _ = counts.anonymous_of  # known once, for all resamples
    kinds, done = counts.kinds, 0
    width = max(width, counts.n_patterns)
    for times in draws(kinds.times, n_resamples, rng=rng, width=width):
        drawn = counts.drawn(kinds.patterns(times))
        end = done + len(times)
        for row, (coefficient, w) in zip(values, wanted, strict=True):
            row[done:end] = coefficient.parts(drawn, w).value
        done = end
        if progress:
            progress(done, n_resamples)
    return values


def draws(
    times: NDArray[Any], n_resamples: int, *, rng: Any = None, width: int = 1
) -> Iterator[Floats]:
    """How often each pattern occurs in resamples of the items: batches of (S, P).

    A seed gives the same resamples whatever the size of the batches.

    Parameters
    ----------
    times : ndarray
        (P,) how many items show each pattern, or are of each kind.
    n_resamples : int
    rng : int or Generator, optional
    width : int
        How many sums each resample needs besides its P counts.
    """
    generator = np.random.default_rng(rng)
    n, n_patterns = int(times.sum()), len(times)
    step = max(1, BATCH_CELLS // max(n_patterns, width))
    few = 0 < n < FEW_REPEATS * n_patterns
    pattern = np.repeat(np.arange(n_patterns), times.astype(int)) if few else np.zeros(0, int)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        if few:
            yield np.stack(
                [
                    np.bincount(pattern[generator.integers(n, size=n)], minlength=n_patterns)
                    for _ in range(size)
                ]
            ).astype(float)
        else:
            yield generator.multinomial(n, times / max(n, 1), size=size).astype(float)


def percentile(values: Floats, level: float) -> tuple[float, float]:
    """The central interval of the resamples."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def beside(values: Floats, limit: float) -> tuple[int, int, int]:
    """How many values lie below, at and above a limit."""
    below = int(np.count_nonzero(values < limit - TIE))
    above = int(np.count_nonzero(values > limit + TIE))
    return below, len(values) - below - above, above
