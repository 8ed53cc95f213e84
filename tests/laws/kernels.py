"""The inner parts of measuring: counts, weights and coefficients, for laws about how they are held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from accordant import COEFFICIENTS
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from laws.drawing import KEYS, SCORES, annotations

OF_VALUES = {key: COEFFICIENTS[key] for key in KEYS}
every = pytest.mark.parametrize("coefficient", OF_VALUES.values(), ids=OF_VALUES)


def counts_of(rows: Sequence[Sequence[int]], categories: Sequence[Any] = SCORES[:3]) -> Counts:
    """Codes as counts."""
    return count(annotations(rows, categories))


def value(
    coefficient: Coefficient,
    rows: Sequence[Sequence[int]],
    wanted: Any = "identity",
    categories: Sequence[Any] = SCORES[:3],
) -> float:
    """The coefficient of codes, with the weights that fit them."""
    counts = counts_of(rows, categories)
    return float(coefficient.parts(counts, weights_for(wanted, counts, ordered=True)).value)
