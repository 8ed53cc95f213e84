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
