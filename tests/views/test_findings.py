"""Causes of disagreement, caveats and what-if as every reader sees them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import accordant as ac
from accordant.data import examples
from accordant.diagnosis.diagnose import Diagnosis
from accordant.diagnosis.finding import Finding as Told
from accordant.views.blocks import Chart, Finding
from accordant.views.remarks import remarks
from accordant.views.view import named

VISITORS = Path(examples.__file__).with_name("visitors.csv")


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return ac.diagnose(VISITORS)


def test_golden_page(found: Diagnosis, golden: Callable[..., None]) -> None:
    golden(
        "findings",
        [
            named("diagnose", name).section(found.each)
            for name in ("overview", "findings", "what-if", "caveats")
        ],
    )


def test_the_first_finding_has_most_to_gain(found: Diagnosis) -> None:
    section = named("diagnose", "findings").section(found.each[1:])
    blocks = [b for b in section.every_block() if isinstance(b, Finding)]
    assert [b.stake for b in blocks] == sorted((b.stake for b in blocks), reverse=True)


def test_programs_get_every_finding(found: Diagnosis) -> None:
    rows = named("diagnose", "findings").rows(found.each)
    codes = [f.code for part in found.each for f in part.findings]
    assert [row["code"] for row in rows] == codes


def test_what_if_starts_from_alpha(found: Diagnosis) -> None:
    topic = found["topic"]
    rows = named("diagnose", "what-if").rows([topic])
    assert {row["alpha_before"] for row in rows} == {topic.alpha}
    assert len(rows) == len(topic.what_if)
    chart = next(
        b for b in named("diagnose", "what-if").section([topic]).blocks if isinstance(b, Chart)
    )
    assert chart.table.columns[0].key == "what"


def test_nothing_to_resolve_where_coders_agree() -> None:
    same = ac.diagnose([["a", "b", "a"], ["a", "b", "a"]])
    assert named("diagnose", "what-if").rows(same.each) == []


def test_advice_that_differs_is_told_beside_each() -> None:
    told = [("a", Told("x", "warning", "A is so.", "Do it."))]
    (same,) = remarks([*told, ("b", Told("x", "warning", "B is so.", "Do it."))])
    (each,) = remarks([*told, ("b", Told("x", "warning", "B is so.", "Ask."))])
    assert isinstance(same, Finding)
    assert isinstance(each, Finding)
    assert (same.advice, same.about) == ("Do it.", (("a", "A is so."), ("b", "B is so.")))
    assert (each.advice, each.about) == ("", (("a", "A is so. Do it."), ("b", "B is so. Ask.")))
