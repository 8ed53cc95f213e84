"""Can the model stand in for a coder: the same answers as `model_as_coder`."""

from __future__ import annotations

from typing import Any

import pytest

import accordant as ac
from accordant.data import examples
from accordant.errors import RequestError
from accordant.models.standing_in.limits import not_for
from accordant.views.document import Chart, Choice, Table
from accordant.views.report import FORMATS, Report, report

RIGHT = [k % 3 for k in range(60)]
HUMAN = [[(x + (k % j == 0)) % 3 for k, x in enumerate(RIGHT)] for j in (5, 7, 9)]
POOR = [(x + (k % 2)) % 3 for k, x in enumerate(RIGHT)]
NAMES = ["Ada", "Bea", "Cem", "good", "poor"]
MODELS = ["good", "poor"]


@pytest.fixture(scope="module")
def found() -> Report:
    return report([*HUMAN, RIGHT, POOR], coder=NAMES, models=MODELS)


def tables(found: Report) -> list[Table]:
    return [b for b in found["stand-in"].every_block() if isinstance(b, Table)]


def rows(names: list[str], said: list[list[int]], **more: Any) -> list[dict[str, Any]]:
    return [
        {"item": f"i{i}", "coder": name, "label": f"c{x}", **more}
        for name, labels in zip(names, said, strict=True)
        for i, x in enumerate(labels)
    ]


def test_the_answers_are_those_of_the_call(found: Report) -> None:
    expected = ac.model_as_coder([*HUMAN, RIGHT, POOR], MODELS, coder=NAMES)
    shown = {row["name"]: row for row in tables(found)[0].rows}
    for test in expected.tests:
        row = shown[test.model]
        assert row["winning_rate"] == test.winning_rate
        assert row["interval"] == (test.low, test.high)
        assert row["told"] == ("passed" if test.passed else "failed")
    groups = {row["name"]: row["value"] for row in tables(found)[1].rows}
    assert groups["two humans"] == expected.groups[0].value
    assert groups["a human and good"] == expected.groups[1].value
    lead = found["stand-in"].lead
    assert "“good” may stand in for coders like these and “poor” may not, or not yet" in lead
    assert found["stand-in"].title == "Can a model stand in for a coder?"


def test_the_charts_hold_humans_beside_models(found: Report) -> None:
    test, agreement = (b for b in found["stand-in"].blocks if isinstance(b, Chart))
    assert test.title.startswith("good, the best of the models, is as good as a human")
    names = {row["name"] for row in agreement.definition["data"]["values"]}
    assert names == {"two humans", "a human and good", "a human and poor"}
    assert agreement.title.startswith("Two humans agree by α")


def test_models_may_come_from_elsewhere() -> None:
    apart = report(rows(NAMES[:3], HUMAN), models=rows(["good"], [RIGHT]))
    assert apart["stand-in"].title == "Can the model stand in for a coder?"
    assert "“good” may stand in for coders like these" in apart["stand-in"].lead
    coders = next(
        t for t in apart["annotator_reliability"].every_block()
        if isinstance(t, Table) and t.columns[0].key == "coder"
    )  # fmt: skip
    assert {row["coder"] for row in coders.rows} == set(NAMES[:3])


def test_each_question_is_tested_by_itself() -> None:
    data = [
        *rows(NAMES, [*HUMAN, RIGHT, POOR], question="one"),
        *rows(NAMES, [*HUMAN, POOR, RIGHT], question="two"),
    ]
    found = report(data, models=MODELS)
    (choice,) = (b for b in found["stand-in"].blocks if isinstance(b, Choice))
    assert [name for name, _ in choice.options] == ["Question one", "Question two"]
    best = [blocks[0].title.split(",")[0] for _, blocks in choice.options]
    assert best == ["good", "poor"]
    assert found["stand-in"].lead.startswith("Question one: By the alternative annotator test")


def test_the_lead_names_whom_a_model_may_not_stand_in_for() -> None:
    """The same sentence as in the finding and on the command line."""
    data = examples.load("crowd")
    beside = ac.model_as_coder(data, examples.path("crowd_models"))
    passed = [t.model for t in beside.tests if t.passed]
    lead = report(data, models=examples.path("crowd_models"))["stand-in"].lead
    assert passed
    told = not_for(beside, passed)
    assert told
    for sentence in told:
        assert sentence in lead
    for model in passed:
        own = next(f for f in beside.findings if f.evidence.get("model") == model)
        assert all(sentence in own.sentence for sentence in not_for(beside, [model]))


def test_no_section_unless_asked() -> None:
    plain = report([*HUMAN, RIGHT], coder=NAMES[:4])
    assert all(section.key != "stand-in" for section in plain.sections)


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(RequestError, match="gpt"):
        report([*HUMAN, RIGHT], coder=NAMES[:4], models=["good", "gpt"])
    with pytest.raises(RequestError, match="names no model"):
        report([*HUMAN, RIGHT], coder=NAMES[:4], models=[])


def test_every_format_has_it(found: Report, tmp_path: Any) -> None:
    for suffix in FORMATS:
        path = found.save(tmp_path / f"r{suffix}")
        if suffix in (".html", ".md", ".json", ".tex"):
            assert "alternative annotator test" in path.read_text("utf-8")
    references = " ".join(text for _, text, _ in found["references"].blocks[0].entries)  # type: ignore[union-attr]
    assert "Calderon" in references
