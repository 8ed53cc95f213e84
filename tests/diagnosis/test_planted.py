"""The first finding names the cause that was planted; where there is none, nothing alarms."""

from __future__ import annotations

from typing import Any

import pytest

import accordant as ac
from accordant.diagnosis.finding import Finding
from accordant.simulate.cause import GENRES

RUNS = 200
OFTEN = 0.95

NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "confused_pair": ("confused_pair", {"pairs": (("A", "B"),)}),
    "biased_coder": ("coder_apart", {"coder": "coder 4"}),
    "rare_category": ("weak_category", {"category": "E"}),
    "ambiguous_group": ("item_group", {"column": "genre", "value": GENRES[0]}),
    "drift": ("drift", {"coder": "coder 4"}),
}
"""Cause to the code of the finding, and what it must name."""


def first_of(seed: int, cause: str, **design: Any) -> Finding:
    return ac.diagnose(ac.simulate_cause(cause, seed=seed, **design)).findings[0]


@pytest.mark.parametrize("cause", NAMED)
def test_the_first_finding_names_the_cause(cause: str) -> None:
    code, names = NAMED[cause]
    found = [first_of(seed, cause) for seed in range(RUNS)]
    right = [f.code == code and names.items() <= dict(f.evidence).items() for f in found]
    assert sum(right) >= OFTEN * RUNS, [str(f) for f, ok in zip(found, right) if not ok][:5]
    assert all(f.stake > 0 and f.remedy and f.seen for f, ok in zip(found, right) if ok)


@pytest.mark.parametrize("design", [{"items": 200, "correct": 0.95}, {"items": 300}])
def test_clean_data_alarm_nobody(design: dict[str, Any]) -> None:
    loud = [
        f
        for seed in range(RUNS)
        for f in [first_of(seed, "none", **design)]
        if f.severity != "note"
    ]
    assert len(loud) <= (1 - OFTEN) * RUNS, [str(f) for f in loud]


def test_a_cause_that_does_not_act_is_not_found() -> None:
    """Otherwise the findings would come from something else in the data.

    Not so a rare category: errors that hit every category alike outnumber what is right there.
    """
    for cause, (code, _) in NAMED.items():
        if cause == "rare_category":
            continue
        found = [first_of(seed, cause, strength=0.0) for seed in range(10)]
        assert sum(f.code == code and f.severity != "note" for f in found) <= 1, cause
