"""Alpha against evalica (Rust), with its observed and expected disagreement."""

from __future__ import annotations

import evalica
import numpy as np
import pandas as pd
import pytest

from oracle.random_data import N_SAMPLES, Differences, ours, samples

LEVELS = {
    "nominal": "identity",
    "ordinal": "ordinal-metric",
    "interval": "quadratic",
    "ratio": "ratio",
}


@pytest.mark.parametrize("level", LEVELS)
def test_alpha(level: str) -> None:
    """evalica calls alpha 1 where one category leaves it undefined, and refuses without pairs."""
    differences = Differences()
    for sample in samples():
        row = ours(sample, "alpha", LEVELS[level])
        try:
            found = evalica.alpha(pd.DataFrame(sample.floats), level)
        except evalica.InsufficientRatingsError:
            assert row.undefined is not None
            assert row.undefined.reason == "no_pairs"
            differences.compare(sample, level, row.value, np.nan)
            continue
        if found.expected == 0:
            assert row.undefined is not None
            assert row.undefined.reason in ("no_variation", "no_variation_in_pairs")
            assert found.alpha == 1
            differences.compare(sample, level, row.value, np.nan)
            continue
        differences.compare(sample, level, row.value, found.alpha)
        if level == "nominal":  # our distances have a largest of 1, theirs are raw
            size = sample.counts.sum(1)
            n = size[size >= 2].sum()  # evalica gives sums over pairable annotations, not means
            differences.compare(sample, "observed", 1 - row.observed, found.observed / n)
            differences.compare(sample, "expected", 1 - row.expected, found.expected / n)
    differences.none_left(of_at_least=N_SAMPLES)
