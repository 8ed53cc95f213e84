"""Which coefficient to report, and what published scales make of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.diagnosis.agreement import AgreementTable
from accordant.render.show import sections_of
from accordant.views.blocks import Chart
from accordant.views.view import named

ONE = [
    ["a", "b", "a", "a", "c", "b"] * 5,
    ["a", "b", "b", "a", "c", "b"] * 5,
    ["a", "b", "a", "c", "c", None] * 5,
]
TWO = [
    {"item": i, "coder": c, "question": question, "label": label}
    for i in range(40)
    for c, k in (("Ada", 5), ("Bea", 7), ("Cem", 9))
    for question, label in (
        ("topic", "ab"[(i + (i % k == 0)) % 2]),
        ("mood", "uvw"[(i + (i % k == 1)) % 3]),
    )
]


@pytest.fixture(scope="module")
def one() -> AgreementTable:
    return ac.agreement(ONE)


@pytest.fixture(scope="module")
def two() -> AgreementTable:
    return ac.agreement(TWO)


def test_golden_page(one: AgreementTable, two: AgreementTable, golden: Callable[..., None]) -> None:
    told = [
        named("agreement", name).section(table.told_parts)
        for table in (one, two)
        for name in ("recommendation", "benchmarks", "questions")
    ]
    golden("coefficient_choice", [section for section in told if section.blocks])


def test_print_recommends_unless_coefficients_were_chosen(one: AgreementTable) -> None:
    assert "recommendation" in [s.key for s in sections_of(one)]
    assert "recommendation" not in [s.key for s in sections_of(ac.agreement(ONE, "alpha"))]


def test_the_recommendation_is_given_once(two: AgreementTable) -> None:
    rows = named("agreement", "recommendation").rows(two.told_parts)
    assert rows[0]["role"] == "report"
    assert rows[0]["coefficient"] == two.recommendation.primary
    assert {row["question"] for row in rows} == {None}


def test_probabilities_of_a_scale_add_up(one: AgreementTable) -> None:
    rows = named("agreement", "benchmarks").rows(one.told_parts)
    scales = {row["name"] for row in rows}
    assert len(scales) == len({row["source"] for row in rows}) > 3
    for scale in scales:
        own = [row for row in rows if row["name"] == scale]
        assert sum(row["probability"] for row in own) == pytest.approx(1, abs=1e-9)
        assert own[0]["cumulative"] == pytest.approx(1, abs=1e-9)
        assert sum(row["where"] == "estimate" for row in own) == 1


def test_questions_stand_beside_the_pooled_figure(two: AgreementTable) -> None:
    rows = named("agreement", "questions").rows(two.told_parts)
    assert [row["question"] for row in rows] == ["topic", "mood", "pooled"]
    for row in rows:
        part = None if row["question"] == "pooled" else row["question"]
        assert row["alpha"] == two[part, "alpha"].value
        assert (row["low"], row["high"]) == (two[part, "alpha"].low, two[part, "alpha"].high)


def test_one_question_is_not_compared_with_itself(one: AgreementTable) -> None:
    assert named("agreement", "questions").rows(one.told_parts) == []


def test_several_questions_have_a_table_each_and_no_title_of_a_chart(two: AgreementTable) -> None:
    section = named("agreement", "coefficients").section(two.told_parts)
    charts = [block for block in section.every_block() if isinstance(block, Chart)]
    assert len(charts) == 3
    assert not any(chart.title in str(two) for chart in charts)
    assert all(name in str(two) for name in ("topic", "mood", "All questions together"))


def test_nothing_to_compare() -> None:
    table = ac.agreement([["a", None], [None, "b"]])
    assert named("agreement", "benchmarks").rows(table.told_parts) == []
    assert "recommendation" in [section.key for section in sections_of(table)]
