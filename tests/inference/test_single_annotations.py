"""To alpha and Light's kappa an item with one annotation is no item, whatever the method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import COEFFICIENTS
from accordant.inference.compare import Side, difference
from accordant.inference.intervals import Uncertainty, uncertainty
from accordant.inference.settings import METHODS, Settings
from accordant.measure.distances import weights_for
from inference.test_linearised import random_rows
from laws.drawing import Rows, counts_of

PAIRED = [row for row in random_rows(45, 3, 0.3) if sum(v >= 0 for v in row) >= 2]
SINGLE = [[0, -1, -1], [-1, 1, -1], [-1, 2, -1], [-1, -1, 0]] * 8
FIELDS = ("se", "low", "high", "p_value")
ON_PAIRS = ("alpha", "light")


def found(key: str, rows: Rows, settings: Settings) -> tuple[float, Uncertainty]:
    counts = counts_of(rows)
    w = weights_for("quadratic", counts)
    value = float(COEFFICIENTS[key].parts(counts, w).value)
    return value, uncertainty(COEFFICIENTS[key], counts, w, value, settings)


@pytest.mark.parametrize("key", ON_PAIRS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("more", [{}, {"population": 90}, {"sampled_coders": True}], ids=str)
def test_they_change_nothing(key: str, method: Any, more: dict[str, Any]) -> None:
    if method in ("bootstrap", "bca"):
        more = {"rng": 1, "n_resamples": 300}
    settings = Settings(method, null=0.2, **more)
    (one, sure), (other, again) = (found(key, rows, settings) for rows in (PAIRED, PAIRED + SINGLE))
    assert other == pytest.approx(one, abs=1e-12)
    for name in FIELDS:
        assert getattr(again, name) == pytest.approx(getattr(sure, name), rel=1e-9, nan_ok=True)
    assert again.method == sure.method


@pytest.mark.parametrize("key", ON_PAIRS)
@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_they_change_nothing_in_perfect_agreement(key: str, method: Any) -> None:
    rows = [[0, 0, 0], [1, 1, 1], [2, 2, 2]] * 4
    settings = Settings(method, rng=1)
    (one, sure), (other, again) = (found(key, r, settings) for r in (rows, rows + SINGLE))
    assert one == other == 1
    assert (sure.low, sure.p_value) == (again.low, again.p_value)


@pytest.mark.parametrize("key", ON_PAIRS)
@pytest.mark.parametrize("method", ["analytic", "delta", "large-sample", "jackknife", "bootstrap"])
@pytest.mark.parametrize("paired", [True, False])
def test_they_change_no_difference(key: str, method: Any, paired: bool) -> None:
    second = [row[::-1] for row in PAIRED[::-1]]

    def compared(*rounds: Rows) -> Any:
        sides = [
            Side(COEFFICIENTS[key], c, weights_for("identity", c)) for c in map(counts_of, rounds)
        ]
        return difference(*sides, Settings(method, rng=1, n_resamples=300), paired=paired)

    one, other = compared(PAIRED, second), compared(PAIRED + SINGLE, second + SINGLE[::-1])
    for name in ("value", "se", "low", "high", "p_value", "df"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-9, nan_ok=True)
    assert other.n == one.n


@pytest.mark.parametrize(
    "key", [k for k, c in COEFFICIENTS.items() if k not in ON_PAIRS and not c.only_sets]
)
def test_to_the_others_they_tell_about_chance(key: str) -> None:
    one, other = (found(key, rows, Settings())[1] for rows in (PAIRED, PAIRED + SINGLE))
    assert not np.isclose(one.se, other.se)
    assert not COEFFICIENTS[key].pairs_only
