"""Scales of words: printed probabilities, published limits, never a bare adjective."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import RequestError, benchmark

SCALES = [
    "landis_koch",
    "fleiss",
    "altman",
    "cicchetti",
    "regier",
    "krippendorff",
    "artstein_poesio",
]


def test_probabilities_are_those_of_a_cut_normal() -> None:
    """By drawing: normal, kept if within -1 … 1."""
    drawn = np.random.default_rng(1).normal(0.85, 0.2, 400_000)
    drawn = drawn[np.abs(drawn) <= 1]
    found = benchmark(0.85, 0.2, "regier")
    lows = [b.low for b in found.scale.bands]
    assert found.cumulative == pytest.approx([(drawn >= low).mean() for low in lows], abs=0.005)


@given(
    value=st.floats(-1, 1),
    se=st.floats(0, 2),
    scale=st.sampled_from(SCALES),
)
def test_probabilities_add_up(value: float, se: float, scale: str) -> None:
    found = benchmark(value, se, scale)
    assert sum(found.membership) == pytest.approx(1)
    assert min(found.membership) >= -1e-12
    assert found.cumulative[-1] == 1
    assert found.probability > 0.95
    assert found.band is not None
    assert found.estimate_band is not None


@pytest.mark.parametrize(
    "scale, value, word",
    [
        ("landis_koch", -0.1, "poor"),
        ("landis_koch", 0.1, "slight"),
        ("landis_koch", 0.5, "moderate"),
        ("landis_koch", 0.81, "almost perfect"),
        ("fleiss", 0.39, "poor"),
        ("fleiss", 0.5, "fair to good"),
        ("fleiss", 0.76, "excellent"),
        ("altman", 0.7, "good"),
        ("cicchetti", 0.59, "fair"),
        ("cicchetti", 0.6, "good"),
        ("regier", 0.2, "questionable"),
        ("regier", 0.19, "unacceptable"),
        ("krippendorff", 0.667, "tentative conclusions only"),
        ("krippendorff", 0.66, "not reliable"),
        ("krippendorff", 0.8, "reliable"),
        ("artstein_poesio", 0.79, "quality not assured"),
    ],
)
def test_limits(scale: str, value: float, word: str) -> None:
    found = benchmark(value, 0.0, scale)
    assert found.estimate_band == found.band
    assert found.band is not None
    assert found.band.name == word


def test_uncertainty_lowers_the_word() -> None:
    sure, unsure = (benchmark(0.85, se, "landis_koch") for se in (0.01, 0.15))
    assert sure.band is not None
    assert unsure.band is not None
    assert sure.band.name == "almost perfect"
    assert unsure.band.name == "moderate"


@pytest.mark.parametrize("name", SCALES)
def test_a_word_never_stands_alone(name: str) -> None:
    found = benchmark(0.7, 0.05, name)
    scale = found.scale
    assert scale.place in str(found)
    assert scale.caveat.endswith(".")
    for row in found.to_rows():
        assert row["source"] == scale.place
        assert 0 <= row["cumulative"] <= 1
    lows = [b.low for b in scale.bands]
    assert lows == sorted(lows, reverse=True)
    assert lows[-1] == -math.inf


def test_without_a_standard_error_there_is_no_word() -> None:
    found = benchmark(0.9, math.nan)
    assert found.band is None
    assert math.isnan(found.probability)
    assert "no band" in str(found)
    assert benchmark(math.nan, 0.1).estimate_band is None


@pytest.mark.parametrize(
    ("value", "se", "scale", "level"),
    [
        (0.9, 0.1, "best", 0.95),
        (0.9, 0.1, 3, 0.95),
        (0.9, 0.1, "fleiss", 95),
        (0.5, -0.1, "fleiss", 0.95),
        (0.5, math.inf, "fleiss", 0.95),
        (math.inf, 0.1, "fleiss", 0.95),
    ],
)
def test_what_cannot_be_asked(value: float, se: float, scale: str, level: float) -> None:
    with pytest.raises(RequestError):
        benchmark(value, se, scale, level=level)
