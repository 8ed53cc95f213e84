"""Krippendorff (2011), Computing Krippendorff's alpha-reliability: four metrics, missing data."""

from __future__ import annotations

from typing import Any

import pytest

from accordant import agreement

PRINTED = 0.5e-3

# Four observers, twelve units, "." missing; the last unit has one observer.
OBSERVERS = ["123321412...", "1233224125..", ".33323422513", "1233244125 1."]
DATA: list[list[Any]] = [
    [None if v == "." else int(v) for v in row.replace(" ", "")] for row in OBSERVERS
]


@pytest.mark.parametrize(
    "scale, alpha", [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_four_metrics(scale: str, alpha: float) -> None:
    row = agreement(DATA, "alpha", scale=scale)["alpha"]
    assert row.value == pytest.approx(alpha, abs=PRINTED)
    assert (row.n_items, row.n_pairable) == (12, 11)


def test_coincidences() -> None:
    """40 pairable values; observed disagreement .200, expected .779 (Krippendorff 2004, p. 230)."""
    row = agreement(DATA, "alpha")["alpha"]
    assert 1 - row.observed == pytest.approx(0.2, abs=PRINTED)
    assert 1 - row.expected == pytest.approx(0.779, abs=PRINTED)


def test_ordinal_metric_is_not_gwets_ordinal_weights() -> None:
    """The two things called ordinal: alpha .815 with Krippendorff's metric, .834 with Gwet's."""
    metric, weights = (
        agreement(DATA, "alpha", weights=w, scale="ordinal")["alpha"]
        for w in ("ordinal-metric", "ordinal")
    )
    assert metric.value == pytest.approx(0.815, abs=PRINTED)
    assert weights.value == pytest.approx(0.834, abs=PRINTED)
    assert metric.weights != weights.weights


def test_krippendorff_1980_binary() -> None:
    """Krippendorff (1980, p. 133): alpha .095 although 60 % agree."""
    rows = agreement([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]])
    assert rows["percent"].value == pytest.approx(0.6, abs=PRINTED)
    assert rows["alpha"].value == pytest.approx(0.095, abs=PRINTED)
