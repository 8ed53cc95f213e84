"""What a report holds: the page, the chapters in their order, results as they are, sizes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant import Report, RequestError, report
from pages import bundled, is_a, written

KILOBYTE = 1024


@pytest.fixture(scope="module")
def visitors() -> Report:
    return report(bundled("visitors"))


@pytest.fixture(scope="module")
def beside() -> Report:
    """Three humans and two models on 90 items."""
    rng = np.random.default_rng(3)
    right = rng.integers(0, 3, 90)

    def said(skill: float) -> list[str]:
        wrong = rng.random(90) > skill
        return ["abc"[k] for k in np.where(wrong, rng.integers(0, 3, 90), right)]

    coders = {"Ann": 0.9, "Bob": 0.9, "Cleo": 0.85, "good model": 0.95, "bad model": 0.4}
    table = {"item": list(range(90))} | {name: said(x) for name, x in coders.items()}
    data = ac.read(table, coder=list(coders))
    return report(data, models=["good model", "bad model"])


ORDER = [
    "alt_test",
    "disagreement",
    "what_if",
    "confusion",
    "categories",
    "coders",
    "items",
    "annotator_reliability",
    "estimated_labels",
    "agreement",
    "coefficient_choice",
    "levels",
    "final_labels",
    "data",
    "methods",
    "references",
]


def first(found: Report, kind: str) -> Any:
    return next(b for s in found.opening for b in s.blocks if is_a(b, kind))


# ---------------------------------------------------------------------- chapters


@pytest.mark.parametrize("fixture", ["visitors", "made", "single", "case", "known", "beside"])
def test_chapters_stand_in_their_order_and_each_states_a_finding(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    found: Report = request.getfixturevalue(fixture)
    keys = [s.key for s in found.sections]
    assert keys == [key for key in ORDER if key in keys]
    assert {"agreement", "data", "methods", "references"} <= set(keys)
    for section in found.sections:
        assert section.lead.endswith("."), section.key
        assert len(re.findall(r"\. [A-Z]", section.lead)) == 0, section.lead
        assert section.title


def test_only_questions_of_the_data_are_told(visitors: Report) -> None:
    for section in visitors.sections:
        for block in section.every_block():
            if is_a(block, "Choice") and block.label == "Question":
                assert [name for name, _ in block.options] == ["topic", "mood"]


def test_one_table_stands_open_in_a_chapter(visitors: Report) -> None:
    """What is deeper is folded on a page and left out on paper."""
    for section in visitors.printed(full=False):
        every = [b for b in section.every_block() if is_a(b, "Table") and b.depth == "main"]
        assert len(every) <= 2, section.key  # one for each of two questions
        assert not any(is_a(b, "Fold", "Chart") for b in section.every_block())


def test_everything_is_in_json(visitors: Report) -> None:
    found = json.loads(visitors.to_json())
    assert [s["key"] for s in found["sections"]] == [s.key for s in visitors.sections]
    rows = [r for s in found["sections"] if s["key"] == "what_if" for r in _rows(s)]
    steps = ac.diagnose(ac.read(bundled("visitors")))["mood"].what_if.steps
    told = [r for r in rows if r.get("kind") and r.get("alpha_before") == steps[0].before]
    assert len(told) >= len(steps) > 0


def _rows(x: Any) -> list[dict[str, Any]]:
    if isinstance(x, dict):
        own = [r for r in x.get("rows", ()) if isinstance(r, dict)]
        return own + [r for y in x.values() for r in _rows(y)]
    return [r for y in x for r in _rows(y)] if isinstance(x, list) else []


# ---------------------------------------------------------------------- the first page


def test_a_lane_holds_the_coefficient_and_what_follows(visitors: Report) -> None:
    table = ac.agreement(ac.read(bundled("visitors")))
    lanes = {lane.name: lane for lane in first(visitors, "Verdicts").lanes}
    for question, state in (("topic", "undecided"), ("mood", "misses")):
        (row,) = (r for r in table.of_question(question) if r.coefficient == "alpha")
        lane = lanes[question]
        assert (lane.value, lane.low, lane.high, lane.state) == (
            row.value,
            row.low,
            row.high,
            state,
        )
    assert [lane.name[:4] for lane in lanes.values() if lane.alternative] == ["mood"]


def test_actions_come_by_gain_and_name_the_file(visitors: Report) -> None:
    steps = first(visitors, "Steps").steps
    counted = [step for step in steps if step.effect]
    gains = [step.then - step.now for step in counted]
    assert len(gains) > 1
    assert gains == sorted(gains, reverse=True)
    assert all("visitors.csv" in step.action.shell() for step in steps)
    assert all(step.effect.endswith(("computed", "at most", "estimated")) for step in counted)


def test_many_questions_are_a_table_with_those_that_miss_first() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for q in range(12):
        for i in range(60):
            right = rng.choice(["a", "b"])
            for coder in "xyz":
                said = right if rng.random() < 0.5 + q / 20 else rng.choice(["a", "b"])
                rows.append({"item": i, "question": f"q{q}", "coder": coder, "label": said})
    found = report(rows, fit=False)
    verdicts = first(found, "Verdicts")
    order = ["misses", "undecided", "meets"]
    states = [order.index(row["state"]) for row in verdicts.table.rows]
    assert len(states) == 12
    assert states == sorted(states)
    assert "<table" in ac.report(rows, fit=False)._repr_html_() or verdicts.table.rows


def test_models_beside_humans_come_first(beside: Report) -> None:
    assert beside.opening[0].key == "models-first"
    assert beside.sections[0].key == "alt_test"
    (tests,) = (
        b.table
        for b in beside["alt_test"].blocks
        if is_a(b, "Chart") and b.table.columns[0].key == "model"
    )
    passed = {row["model"]: row["passed"] for row in tests.rows}
    assert passed == {"good model": True, "bad model": False}


def test_a_wrong_model_is_refused() -> None:
    with pytest.raises(RequestError, match="nobody"):
        report([["a", "b"], ["a", "b"]], models="nobody")


# ---------------------------------------------------------------------- options


def test_options_reach_the_results() -> None:
    data = [["a", "b", "a", "c"] * 10, ["a", "b", "b", "c"] * 10]
    found = report(data, level=0.9, benchmark="landis_koch", title="Mine")
    assert found.title == "Mine"
    assert found.table[0].level == 0.9
    assert len(first(found, "Verdicts").thresholds) == 5
    with pytest.raises(RequestError):
        report(data, benchmark="nobody")


def test_what_is_cited_is_listed(visitors: Report) -> None:
    listed = written(visitors, ".md", full=True).partition("## References")[2]
    cited = {
        s
        for section in visitors.sections
        for b in section.every_block()
        if is_a(b, "Finding")
        for s in b.sources
    }
    assert cited
    for source in cited:
        assert re.split(r"[ ,]", source)[0] in listed, source


# ---------------------------------------------------------------------- sizes


def test_sizes_of_the_example(visitors: Report, tmp_path: Path) -> None:
    assert visitors.save(tmp_path / "r.html").stat().st_size <= 200 * KILOBYTE
    short, full = written(visitors, ".md"), written(visitors, ".md", full=True)
    assert len(short.split()) <= 6_000 < len(full.split())
    printed = visitors.save(tmp_path / "r.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6
