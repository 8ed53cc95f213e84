"""Random annotations for the laws, and the shortest way from them to coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from accordant import COEFFICIENTS, Annotations, Scheme, agreement

KEYS = [key for key, c in COEFFICIENTS.items() if not c.only_sets]
"""Coefficients that take any weights; those of label sets have laws of their own."""

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


def values(
    rows: Sequence[Sequence[int]],
    wanted: Any = "identity",
    categories: Sequence[Any] = SCORES[:3],
    keys: Sequence[str] = KEYS,
) -> list[float]:
    """The coefficients of codes."""
    found = agreement(annotations(rows, categories), keys, weights=wanted, interval="none")
    return [row.value for row in found]


def same(x: Any, *, abs: float = 1e-12) -> Any:
    """Equal but for rounding; undefined equals undefined."""
    return pytest.approx(x, rel=1e-9, abs=abs, nan_ok=True)


def missing_out(rng: np.random.Generator, codes: Any, share: float) -> Any:
    """The codes with a share of them missing, but no item without any."""
    codes = np.where(rng.random(codes.shape) < share, -1, codes)
    empty = (codes < 0).all(1)
    codes[empty, 0] = 0
    return codes
