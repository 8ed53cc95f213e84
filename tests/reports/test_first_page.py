"""The first page: its advice follows from the strongest finding, whatever it is about."""

from __future__ import annotations

from typing import Any

import numpy as np

from accordant import Report, report
from pages import is_a


def opening(found: Report, kind: str) -> Any:
    return next(b for s in found.opening for b in s.blocks if is_a(b, kind))


def asked(found: Report) -> list[tuple[str, Any]]:
    steps = opening(found, "Steps").steps
    return [(step.action.call, dict(step.action.options)) for step in steps]


def test_more_items_are_asked_for_only_where_they_would_narrow_the_interval() -> None:
    rng = np.random.default_rng(2)
    right = rng.integers(0, 3, 4000)

    def coder(n: int, wrong: float) -> list[int]:
        return np.where(rng.random(n) < wrong, rng.integers(0, 3, n), right[:n]).tolist()

    for n, more in ((60, True), (4000, False)):
        found = report([[f"k{x}" for x in coder(n, 0.183)] for _ in range(2)])
        assert [lane.state for lane in opening(found, "Verdicts").lanes] == ["undecided"]
        assert ("items_needed" in [call for call, _ in asked(found)]) is more


def test_the_interval_that_is_too_wide_is_the_one_that_is_named() -> None:
    """With numbers another scale may be the undecided one: the sentence is about that."""
    told = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        right = rng.integers(1, 6, 45)
        width = 1 + seed % 2  # narrow: undecided as nominal; wide: as ordinal
        step = rng.integers(-width, width + 1, 45) * (rng.random(45) < (0.8, 1)[seed % 2])
        near = np.clip(right + step, 1, 5)
        found = report([near.tolist(), right.tolist()], fit=False, seed=1)
        lanes = {lane.alternative: lane for lane in opening(found, "Verdicts").lanes}
        for each in opening(found, "Steps").steps:
            if each.action.call == "items_needed":
                ordinal = "on an ordinal scale" in each.reason
                lane = lanes[ordinal]
                limit = float(each.reason.rstrip(".").rpartition(" ")[2])
                assert lane.low < limit <= lane.high
                assert ("scale" in each.action.options) is ordinal
                assert each.reason.startswith("With 45 items")
                told.add(ordinal)
    assert told == {False, True}
