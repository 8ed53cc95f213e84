"""Tables with a row for each pattern: dense if small, sparse if large."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import DENSE_CELLS, Counts

__all__ = ["by_pattern", "filled", "value_table"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def by_pattern(counts: Counts, column: Ints, width: int, x: NDArray[Any]) -> Any:
    """Sum of ``x`` (E,) by pattern and ``column`` (E,): (P, width).

    Sparse tables cost an import of a fifth of a second, so small ones do without.
    """
    if counts.n_patterns * width <= DENSE_CELLS // 4:
        cell = counts.row * np.int64(width) + column
        table = np.bincount(cell, weights=x, minlength=counts.n_patterns * width)
        return table.reshape(counts.n_patterns, width)
    from scipy.sparse import csr_array

    shape = (counts.n_patterns, width)
    return csr_array((np.asarray(x, float), column, counts.start), shape=shape)


def value_table(counts: Counts) -> Any:
    """(P, K) how many coders gave the items of a pattern each value."""
    return by_pattern(counts, counts.value, counts.n_values, counts.n)


def filled(table: Any) -> Floats:
    """A product of tables as a dense array."""
    return np.asarray(table if isinstance(table, np.ndarray) else table.toarray(), dtype=float)
