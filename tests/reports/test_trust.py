"""Who can be trusted: the same numbers as `coders`, a minority school first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.data import examples
from accordant.errors import RequestError
from accordant.render.html import html
from accordant.render.markdown import markdown
from accordant.views import fitted
from accordant.views.document import Chart, Choice, Finding, Fold, Matrix, Table
from accordant.views.report import FORMATS, Report, report

OF_MODELS = ("trust", "truth", "ambiguity")


def keys(found: Report) -> list[str]:
    return [s.key for s in found.sections if s.key in OF_MODELS]


def table(found: Report, key: str, title: str) -> Table:
    each = [b for b in found[key].every_block() if isinstance(b, Table)]
    return next(t for t in each if t.title.startswith(title))


@pytest.fixture(scope="module")
def crowd() -> Any:
    kinds = {"good": 6, "spammer": 1, "adversary": 1}
    return ac.simulate_crowd(250, kinds, 3, per_item=5, rng=3).data


@pytest.fixture(scope="module")
def of_crowd(crowd: Any) -> Report:
    return report(crowd)


@pytest.fixture(scope="module")
def of_schools() -> Report:
    return report(ac.simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, rng=1).data)


def test_the_table_is_that_of_coders(crowd: Any, of_crowd: Report) -> None:
    expected = {c.coder: c for c in ac.coders(crowd)}
    shown = table(of_crowd, "trust", "Coders at a glance").rows
    assert {row["coder"] for row in shown} == set(expected)
    for row in shown:
        c = expected[row["coder"]]
        assert row["competence"] == c.competence
        assert row["interval"] == (c.low, c.high)
        assert row["skill_interval"] == (c.skill_low, c.skill_high)
        assert row["verdict"].replace("\N{NO-BREAK SPACE}", " ") == c.words
    competence = [row["competence"] for row in shown]
    assert competence == sorted(competence, reverse=True)


def test_the_chart_draws_the_table(of_crowd: Report) -> None:
    chart = next(b for b in of_crowd["trust"].blocks if isinstance(b, Chart))
    drawn = {row["name"]: row for row in chart.definition["data"]["values"]}
    for row in chart.table.rows:
        own = drawn[row["coder"]]
        assert (own["value"], own["low"], own["high"]) == (row["competence"], *row["interval"])
        # skill = (right - chance) / (1 - chance)
        again = (row["competence"] - own["other"]) / (1 - own["other"])
        assert again == pytest.approx(row["skill"], abs=1e-9)
    assert chart.title.startswith("adversary 1 is below chance")
    assert drawn["adversary 1"]["colour"] != drawn["good 1"]["colour"]


def test_bad_coders_are_told_at_the_top(of_crowd: Report) -> None:
    assert "Who can be trusted: look at “adversary 1” and “spammer 1” first." in of_crowd.verdict
    assert "1 random or nearly so and 1 below chance" in of_crowd["trust"].lead
    titles = {b.title for b in of_crowd["trust"].blocks if isinstance(b, Finding)}
    assert "Coders below chance" in titles


def test_confusion_of_each_coder_on_demand(of_crowd: Report) -> None:
    fold = next(b for b in of_crowd["trust"].blocks if isinstance(b, Fold) and "each" in b.title)
    choice = fold.blocks[0]
    assert isinstance(choice, Choice)
    assert {name for name, _ in choice.options} >= {"good 1", "spammer 1", "adversary 1"}
    for _, (matrix,) in choice.options:
        assert isinstance(matrix, Matrix)
        for line in matrix.cells:
            assert sum(cell.value for cell in line) == pytest.approx(1, abs=1e-9)


def test_a_minority_school_stands_first(of_schools: Report) -> None:
    first = of_schools["trust"].blocks[0]
    assert isinstance(first, Finding)
    assert first.title == "Coders fall into 2 schools"
    chart, side = first.blocks
    assert [row["n_coders"] for row in chart.table.rows] == [4, 3]
    assert all(row["school_1"] != row["school_2"] for row in side.rows)
    assert first.items is not None
    assert of_schools.evidence.cells[first.items.key][0] == int(side.title.split(" of ")[0][-2:])
    assert any("2 schools with readings of their own" in s for s in of_schools.verdict)
    assert "Look at" not in of_schools["trust"].lead  # a school is no bad coder


def test_questions_each_have_their_own(made: Report) -> None:
    (choice,) = (b for b in made["trust"].blocks if isinstance(b, Choice))
    assert [name for name, _ in choice.options] == ["Question stance"]
    told = " ".join(b.text for b in made["truth"].blocks if hasattr(b, "text"))
    assert "Question spam: All annotations are the same" in told


def test_label_sets_are_judged_label_by_label() -> None:
    data = examples.load("levi2022_neat")
    found = report(data)
    rows = table(found, "trust", "Coders at a glance, label by label").rows
    assert len(rows) == 9
    expected = ac.coders(ac.fit(data), leave_out=0)
    for row in rows:
        assert row["skill"] == expected[row["label"]][row["coder"]].skill
        assert 0.8 < row["sensitivity"] <= 1
    assert "The final label” is something else" in markdown(found)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([["a", "b", "a", "c"], ["a", "b", "b", "c"]], "Two coders cannot show who is right"),
        ([["a", "a"]] * 3, "All annotations are the same"),
        (np.random.default_rng(1).normal(size=(3, 30)), "measurements, not categories"),
        (
            [{"item": i, "label": x} for i, y in enumerate(["aab", "abb", "aaa"]) for x in y],
            "do not say who annotated what",
        ),
    ],
    ids=["two coders", "one label", "measurements", "nobody known"],
)
def test_why_there_is_no_model(data: Any, said: str) -> None:
    options = {"scale": "interval"} if isinstance(data, np.ndarray) else {}
    found = report(data, **options)
    assert keys(found) == ["truth"]
    assert said in found["truth"].lead
    assert found["truth"].blocks == ()


@pytest.mark.parametrize(
    "data", [[["a", "b", "a"]], [["a", "b", None], [None, None, "a"]]], ids=["one coder", "apart"]
)
def test_nothing_to_compare_has_no_section(data: list[list[str | None]]) -> None:
    assert keys(report(data)) == []


def test_three_coders_who_always_differ_are_no_crash() -> None:
    found = report([["a", "b", "c"], ["a", "c", "b"], ["b", "c", "a"]])
    assert keys(found) == [*OF_MODELS]
    assert "3 coders agree no more than by chance" in found["trust"].lead
    assert "undefined" not in html(found).split('id="trust"')[1].split("</section>")[0]


def test_no_model_if_none_is_wanted(crowd: Any) -> None:
    assert keys(report(crowd, fit=False)) == []


def test_an_unknown_model_is_refused(crowd: Any) -> None:
    with pytest.raises(RequestError, match="there is no model 'dawid_skeen'"):
        report(crowd, fit="dawid_skeen")


def test_large_data_say_what_was_left_out(crowd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted, "QUICK", 100)
    monkeypatch.setattr(fitted, "LEFT_OUT", 100)
    found = report(crowd)
    assert keys(found) == [*OF_MODELS]
    assert "was not looked at, since it takes long" in found["ambiguity"].lead
    text = markdown(found)
    assert "further starts of the search, checks and ambiguous items" in text
    assert "What hangs on each coder was left out" in text
    asked = report(crowd, fit=True)
    assert "was not looked at" not in asked["ambiguity"].lead
    monkeypatch.setattr(fitted, "TOO_MANY", 100)
    assert "was left out, since it takes long" in report(crowd)["truth"].lead


def test_many_coders_are_cut_and_the_bad_ones_stay() -> None:
    kinds = {"good": 60, "spammer": 2}
    found = report(ac.simulate_crowd(500, kinds, 3, per_item=6, rng=5).data)
    shown = table(found, "trust", "Coders at a glance")
    assert len(shown.rows) == 40
    assert {"spammer 1", "spammer 2"} <= {row["coder"] for row in shown.rows}
    assert any("40 of 62 coders are shown" in note for note in shown.notes)


def test_hostile_names_stay_text(tmp_path: Any) -> None:
    evil = "<script>alert(1)</script>|`"
    rows = [
        {"item": f"{evil}{i}", "coder": f"{evil}{c}", "label": f"{evil}{(i * c) % 3}"}
        for i in range(12) for c in range(4)
    ]  # fmt: skip
    found = report(rows)
    assert "trust" in keys(found)
    assert "<script>alert" not in html(found)
    for suffix in FORMATS:
        assert found.save(tmp_path / f"r{suffix}").stat().st_size > 10_000


def test_what_is_cited_is_listed(of_crowd: Report, of_schools: Report) -> None:
    references = " ".join(text for _, text, _ in of_schools["references"].blocks[0].entries)  # type: ignore[union-attr]
    assert "Kairam" in references
    references = " ".join(text for _, text, _ in of_crowd["references"].blocks[0].entries)  # type: ignore[union-attr]
    assert "Dawid" in references
    assert "Raykar" in references
