"""Few items, and data that lack something: nothing is claimed, no chapter contradicts another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import Report, report
from pages import is_a

LABELS = {
    "random": lambda rng, shape: rng.integers(0, 3, shape),
    "perfect": lambda rng, shape: np.tile(rng.integers(0, 3, shape[1]), (shape[0], 1)),
    "nearly": lambda rng, shape: np.where(
        rng.random(shape) < 0.9, rng.integers(0, 3, shape[1])[None], rng.integers(0, 3, shape)
    ),
}
GRID = [
    (n_items, n_coders, kind)
    for n_items in (2, 5, 8, 12, 15)
    for n_coders in (2, 3, 4)
    for kind in LABELS
]


@pytest.fixture(scope="module", params=GRID, ids=lambda x: "-".join(map(str, x)))
def small(request: pytest.FixtureRequest) -> tuple[int, Report]:
    n_items, n_coders, kind = request.param
    codes = LABELS[kind](np.random.default_rng(n_items), (n_coders, n_items))
    return n_items, report([["abc"[k] for k in line] for line in codes])


def test_few_items_are_no_evidence(small: tuple[int, Report]) -> None:
    n_items, found = small
    _nobody_is_reliable(found)
    _what_meets_lies_above(found)
    _no_gains(found)
    _every_estimate_says_so(found, n_items)


def _nobody_is_reliable(found: Report) -> None:
    for section in found.sections:
        for block in section.every_block():
            if is_a(block, "Table"):
                assert all(row.get("verdict") != "reliable" for row in block.rows)


def _what_meets_lies_above(found: Report) -> None:
    for block in _opening(found, "Verdicts"):
        limits = [limit for limit, _ in block.thresholds]
        for lane in block.lanes:
            if lane.state == "meets":
                assert lane.low >= limits[0]
            if lane.state == "misses":
                assert lane.high < limits[0]


def _no_gains(found: Report) -> None:
    for block in _opening(found, "Steps"):
        assert all(np.isnan(step.now) and np.isnan(step.then) for step in block.steps)
    assert "cost" not in [section.key for section in found.opening]


def _every_estimate_says_so(found: Report, n_items: int) -> None:
    lanes = next(iter(_opening(found, "Verdicts"))).lanes
    if all(lane.state == "undefined" for lane in lanes):
        return
    assert found.title.startswith(f"Only {n_items} items")
    for section in found.sections:
        if section.key in ("data", "final_labels", "methods", "references", "estimated_labels"):
            continue
        assert f"only {n_items} items" in section.lead, (section.key, section.lead)


def _opening(found: Report, kind: str) -> list[Any]:
    return [b for section in found.opening for b in section.blocks if is_a(b, kind)]


@pytest.mark.parametrize(
    "data, options",
    [
        ([["a", "b", "a", "c"]], {}),
        ([["a", "a", "a"], ["a", "a", "a"]], {}),
        ({"item": list("wxyz"), "a": [2, 0, 1, 3], "b": [1, 3, 2, 0]}, {"layout": "counts"}),
        ([["a", "b", None, None], [None, None, "a", "b"]], {}),
        ([["a,b", "", "a", "c"], ["b", "", "a,c", "c"]], {"separator": ","}),
        ([[1.5, 2.5, 9.0, 3.5], [1.0, 2.5, 7.5, 3.0]], {"scale": "interval"}),
        ([["a"], ["b"]], {}),
        ([["a", "b", "a", "b"], ["b", "a", "b", "a"]], {}),
    ],
    ids=[
        "one coder",
        "undefined",
        "anonymous counts",
        "apart",
        "sets",
        "measurements",
        "one item",
        "opposite",
    ],
)
def test_what_is_lacking_is_no_failure(data: Any, options: Any, tmp_path: Any) -> None:
    found = report(data, **options)
    for suffix in Report.endings:
        assert found.save(tmp_path / f"r{suffix}").stat().st_size > 500
    for section in found.sections:
        for block in section.every_block():
            if is_a(block, "Table") and block.depth != "evidence":
                assert block.rows, (section.key, block.title)
