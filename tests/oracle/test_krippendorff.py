"""Alpha against the package krippendorff: nominal, ordinal, interval and ratio, missing data."""

from __future__ import annotations

import warnings
from typing import Any

import krippendorff
import numpy as np
import pytest

from oracle.random_data import N_SAMPLES, Differences, Sample, ours, samples

LEVELS = {
    "nominal": "identity",
    "ordinal": "ordinal-metric",
    "interval": "quadratic",
    "ratio": "ratio",
}


REFUSED = ("more than one value", "at least one unit with values assigned by at least two")


def theirs(sample: Sample, level: Any) -> float:
    """NaN where the package raises: for one category only, and without an item of two coders.

    It divides by zero, with a warning, where other categories occur on single annotations only.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(
                krippendorff.alpha(reliability_data=sample.floats, level_of_measurement=level)
            )
    except ValueError as error:
        if not any(reason in str(error) for reason in REFUSED):
            raise
        return np.nan


@pytest.mark.parametrize("level", LEVELS)
def test_alpha(level: str) -> None:
    differences = Differences()
    for sample in samples():
        mine = ours(sample, "alpha", LEVELS[level]).value
        differences.compare(sample, level, mine, theirs(sample, level))
    differences.none_left(of_at_least=N_SAMPLES)


def absolute(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any = float) -> Any:
    return np.abs(v1 - v2).astype(dtype)


def test_own_distance() -> None:
    """An own metric: here the absolute difference, which is our linear weight."""
    differences = Differences()
    for sample in samples()[:300]:
        mine = ours(sample, "alpha", "linear").value
        differences.compare(sample, "linear", mine, theirs(sample, absolute))
    differences.none_left(of_at_least=300)
