"""Random annotations for the laws, and the shortest way from them to a coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from accordant import COEFFICIENTS, Annotations, Scheme
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.data.annotations import NO_VALUE
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient, Parts

OF_VALUES = {key: c for key, c in COEFFICIENTS.items() if not c.only_sets}
"""Coefficients that take any weights; those of label sets have laws of their own."""

every = pytest.mark.parametrize("coefficient", OF_VALUES.values(), ids=OF_VALUES)

WEIGHTS = (
    "identity",
    "linear",
    "quadratic",
    "radical",
    "ratio",
    "circular",
    "bipolar",
    "ordinal",
    "ordinal-metric",
)
weights = st.sampled_from(WEIGHTS)

Rows = list[list[int]]  # (items, coders), -1 for missing

SCORES = (1, 2, 4, 7)  # categories as numbers, at unequal distances


@st.composite
def tables(
    draw: Any, *, complete: bool = False, coders: int | None = None, values: int = 3
) -> Rows:
    """(items, coders) codes: every coder annotates, two values occur, one item has two of them."""
    m = coders or draw(st.integers(2, 4))
    cell = st.integers(0 if complete else -1, values - 1)
    row = st.lists(cell, min_size=m, max_size=m).filter(lambda r: max(r) >= 0)
    rows: Rows = draw(st.lists(row, min_size=2, max_size=9))
    return [*rows, [0, *[1] * (m - 1)], [0] * m]


def annotations(
    rows: Sequence[Sequence[int]], categories: Sequence[Any] = SCORES[:3]
) -> Annotations:
    """Codes as annotations; the categories are declared."""
    grid = np.array(rows)
    coders = tuple(f"coder {c + 1}" for c in range(grid.shape[1]))
    scheme = Scheme(tuple(categories), declared=True)
    return Annotations(range(len(grid)), coders, ("",), (scheme,), tuple(categories), grid)


def counts_of(rows: Sequence[Sequence[int]], categories: Sequence[Any] = SCORES[:3]) -> Counts:
    """Codes as counts."""
    return count(annotations(rows, categories))


def parts(coefficient: Coefficient, counts: Counts, wanted: Any = "identity") -> Parts:
    """Observed, expected and value with the weights that fit these counts."""
    return coefficient.parts(counts, weights_for(wanted, counts, ordered=True))


def value(
    coefficient: Coefficient,
    rows: Sequence[Sequence[int]],
    wanted: Any = "identity",
    categories: Sequence[Any] = SCORES[:3],
) -> float:
    """The coefficient of codes."""
    return float(parts(coefficient, counts_of(rows, categories), wanted).value)


def same(x: Any, *, abs: float = 1e-12) -> Any:
    """Equal but for rounding; undefined equals undefined."""
    return pytest.approx(x, rel=1e-9, abs=abs, nan_ok=True)


def missing_out(rng: np.random.Generator, codes: Any, share: float) -> Any:
    """The codes with a share of them missing, but no item without any."""
    codes = np.where(rng.random(codes.shape) < share, NO_VALUE, codes)
    empty = (codes == NO_VALUE).all(1)
    codes[empty, 0] = 0
    return codes
