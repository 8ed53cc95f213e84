"""Intervals hold the truth about as often as they say.

Over many simulated crowds: 20 data sets give 320 intervals of competence, whose coverage has a
standard error of about .025 at 80 %. A broken interval must show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.models.uncertainty import prevalence_interval
from claims.simulated_crowd import simulate_crowd
from models import planted

SETS = 20
DESIGN: dict[str, Any] = {
    "items": 200,
    "coders": 16,
    "categories": 2,
    "per_item": 5,
    "prevalence": [0.6, 0.4],
    "accuracy": 0.8,
}


def coverage(model: str, level: float | None = None, **options: Any) -> dict[str, float]:
    """Share of the intervals that hold what was planted, by parameter."""
    held: dict[str, list[float]] = {}
    if level is not None:
        options["level"] = level
    for seed in range(SETS):
        made = simulate_crowd(**DESIGN, seed=seed)
        found = planted.estimate(made.data, model, **options)
        truth = {
            "competence": made.accuracy,
            "prevalence": made.prevalence,
            "confusion": made.confusion,
        }
        for name, value in truth.items():
            if name in found.intervals:
                x = found.intervals[name]
                held.setdefault(name, []).append(((x.low <= value) & (value <= x.high)).mean())
    return {name: float(np.mean(x)) for name, x in held.items()}


def test_credible_intervals_of_the_hierarchical_model() -> None:
    """At 80 %, so that intervals that are too wide show as well."""
    found = coverage("hierarchical", 0.8, draws=120, warm_up=60, chains=2)
    assert found["competence"] == pytest.approx(0.8, abs=0.06)
    assert found["confusion"] == pytest.approx(0.8, abs=0.05)
    assert found["prevalence"] == pytest.approx(0.8, abs=0.25)  # 20 intervals, not 320


@pytest.mark.parametrize("model", ["variational", "pooled", "blend", "dawid_skene"])
def test_intervals_that_allow_for_uncertain_labels_cover(model: str) -> None:
    held: dict[str, list[float]] = {"competence": [], "confusion": [], "prevalence": []}
    for seed in range(SETS):
        made = simulate_crowd(**DESIGN, seed=seed)
        found = ac.fit(made.data, model, restarts=0)
        for name, value in (
            ("competence", made.accuracy),
            ("confusion", made.confusion),
            ("prevalence", made.prevalence),
        ):
            x = found.interval(name)
            held[name].append(float(((x.low <= value) & (value <= x.high)).mean()))
    assert 0.9 < np.mean(held["competence"]) < 0.995
    assert 0.88 < np.mean(held["confusion"]) < 0.995
    assert np.mean(held["prevalence"]) >= 0.85


CROWDS: dict[str, dict[str, Any]] = {
    "few annotations": {"items": 200, "coders": 100, "categories": 3, "accuracy": 0.75},
    "many categories": {"items": 240, "coders": 20, "categories": 5, "accuracy": 0.75},
    "a rare category": {
        "items": 200,
        "coders": 80,
        "categories": 2,
        "prevalence": [0.9, 0.1],
        "accuracy": 0.8,
    },
}


@pytest.mark.parametrize("crowd", CROWDS)
@pytest.mark.parametrize("model", ["blend", "dawid_skene", "one_coin", "map"])
def test_intervals_hold_their_estimate_and_often_the_truth(model: str, crowd: str) -> None:
    held = []
    for seed in range(5):
        made = simulate_crowd(**CROWDS[crowd], seed=seed)
        found = ac.fit(made.data, model, restarts=0)
        for name in ("competence", "prevalence"):
            x, value = found.interval(name), getattr(found, name)
            assert (x.low <= value + 1e-9).all()
            assert (value <= x.high + 1e-9).all()
        x = found.interval("competence")
        held.append(((x.low <= made.accuracy) & (made.accuracy <= x.high)).mean())
    if model != "map":
        assert np.mean(held) > 0.85


def test_prevalence_is_as_unsure_as_the_labels_are() -> None:
    """With known labels the variance of a share; where labels are unsure or shared, more."""
    share = np.array([0.7, 0.3])
    sure = np.repeat(np.eye(2), [70, 30], axis=0)
    unsure = np.clip(sure, 0.25, 0.75)
    one, half = np.ones(100), np.full(100, 0.5)
    wide = [
        float(np.ptp([x.low[0], x.high[0]]))
        for x in (
            prevalence_interval(share, sure, one, 0.0),
            prevalence_interval(share, unsure, one, 0.0),
            prevalence_interval(share, sure, half, 0.0),
            prevalence_interval(share, sure, one, 0.4),
        )
    ]
    assert wide[0] == pytest.approx(2 * 1.96 * (0.7 * 0.3 / 101) ** 0.5, rel=0.02)
    assert min(wide[1:]) > 1.2 * wide[0]
