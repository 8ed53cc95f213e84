"""The chapters of models of coders: the views of a fit, or why there is no model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant import Report, report
from accordant.data import examples
from accordant.errors import RequestError
from accordant.render.html import html
from accordant.render.markdown import markdown
from accordant.views import report_models
from accordant.views.blocks import Choice, Fold, Matrix, Table
from accordant.views.view import named
from claims.simulated_crowd import simulate_crowd

RELIABILITY, LABELS = "annotator_reliability", "estimated_labels"
OF_MODELS = (RELIABILITY, LABELS)


def keys(found: Report) -> list[str]:
    return [s.key for s in found.sections if s.key in OF_MODELS]


def tables(found: Report, key: str) -> list[Table]:
    return [b for b in found[key].every_block() if isinstance(b, Table)]


def of_coders(found: Report) -> Table:
    return next(t for t in tables(found, RELIABILITY) if t.columns[0].key == "coder")


@pytest.fixture(scope="module")
def crowd() -> Any:
    kinds = {"good": 6, "spammer": 1, "adversary": 1}
    return simulate_crowd(250, kinds, 3, per_item=5, seed=3).data


@pytest.fixture(scope="module")
def of_crowd(crowd: Any) -> Report:
    return report(crowd)


@pytest.fixture(scope="module")
def of_groups() -> Report:
    return report(simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, seed=1).data)


def test_the_tables_are_those_of_the_fit(crowd: Any, of_crowd: Report) -> None:
    found = ac.fit(crowd)
    rows = named("fit", "coders").rows(found.told_parts)
    shown = of_coders(of_crowd).rows
    for key in ("coder", "verdict", "competence", "skill_low", "skill_high"):
        assert [row[key] for row in shown] == [row[key] for row in rows]
    assert all(row["labels_changing"] == row["labels_changing"] for row in shown)
    certainty = tables(of_crowd, LABELS)[0]
    expected = named("fit", "certainty").rows(found.told_parts)
    assert [row["n_items"] for row in certainty.rows] == [row["n_items"] for row in expected]


def test_items_behind_a_number_can_be_opened(of_crowd: Report) -> None:
    opened = 0
    for table in tables(of_crowd, LABELS):
        for row in table.rows:
            if "opens" in row:
                total, entries = of_crowd.evidence.cells[row["opens"]["n_items"]]
                assert total == row["n_items"]
                assert 0 < len(entries) <= total
                opened += 1
    assert opened >= 4


def test_confusion_of_coders_is_folded(of_crowd: Report) -> None:
    folds = [b for b in of_crowd[RELIABILITY].blocks if isinstance(b, Fold)]
    assert any(isinstance(b, Matrix) for fold in folds for b in fold.blocks)


def test_coder_groups_are_told(of_groups: Report) -> None:
    blocks = list(of_groups[RELIABILITY].every_block())
    groups = next(b for b in blocks if isinstance(b, Table) and "n_coders" in b.rows[0])
    assert [row["n_coders"] for row in groups.rows] == [4, 3]
    items = next(b for b in blocks if isinstance(b, Table) and "school_1" in b.rows[0])
    assert all(row["school_1"] != row["school_2"] for row in items.rows)


def test_questions_each_have_their_own(made: Report) -> None:
    assert not any(isinstance(b, Choice) for b in made[RELIABILITY].blocks)  # one has a model
    assert "All annotations are the same" in str(made[LABELS].blocks[-1])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([["a", "b", "a", "c"], ["a", "b", "b", "c"]], "Two coders"),
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
    assert keys(found) == [LABELS]
    assert said in found[LABELS].lead
    assert found[LABELS].blocks == ()


@pytest.mark.parametrize(
    "data", [[["a", "b", "a"]], [["a", "b", None], [None, None, "a"]]], ids=["one coder", "apart"]
)
def test_nothing_to_compare_has_no_section(data: list[list[str | None]]) -> None:
    found = report(data)
    assert keys(found) == [LABELS]
    assert not found[LABELS].blocks


def test_three_coders_who_always_differ_are_undetermined() -> None:
    found = report([["a", "b", "c"], ["a", "c", "b"], ["b", "c", "a"]])
    assert keys(found) == [*OF_MODELS]
    assert {row["verdict"] for row in of_coders(found).rows} == {"undetermined"}
    assert found[LABELS].lead.startswith("Undetermined")


def test_no_model_if_none_is_wanted(crowd: Any) -> None:
    assert keys(report(crowd, fit=False)) == []


def test_an_unknown_model_is_refused(crowd: Any) -> None:
    with pytest.raises(RequestError, match="there is no model 'dawid_skeen'"):
        report(crowd, fit="dawid_skeen")


def test_large_data_leave_out_what_takes_long(crowd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_models, "QUICK", 100)
    monkeypatch.setattr(report_models, "LEFT_OUT", 100)
    found = report(crowd)
    assert "labels_changing" not in {c.key for c in of_coders(found).columns}
    assert not any("p_check" in row for t in tables(found, LABELS) for row in t.rows)
    asked = report(crowd, fit=True)
    assert any("p_check" in row for t in tables(asked, LABELS) for row in t.rows)
    monkeypatch.setattr(report_models, "TOO_MANY", 100)
    assert keys(report(crowd)) == [LABELS]


def test_hostile_names_stay_text() -> None:
    evil = "<script>alert(1)</script>|`"
    rows = [
        {"item": f"{evil}{i}", "coder": f"{evil}{c}", "label": f"{evil}{(i * c) % 3}"}
        for i in range(12)
        for c in range(4)
    ]
    found = report(rows)
    assert RELIABILITY in keys(found)
    assert "<script>alert" not in html(found)
    assert markdown(found)


def test_a_gold_coder_is_not_seen_by_the_model() -> None:
    data = examples.load("visitors").of_question("topic")
    found = report(data, gold="Ada")
    others = ac.fit(data.of_coders(["Bruno", "Chiara", "Deniz"]))
    assert {row["coder"] for row in of_coders(found).rows} == {"Bruno", "Chiara", "Deniz"}
    accuracy = others.accuracy(data.of_coders(["Ada"]))
    assert f"{accuracy:.3f}" in found[LABELS].lead


def test_two_coders_are_left_without_the_gold_coder() -> None:
    found = report(
        [["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", "b", "a", "a"]],
        coder=["Ann", "Bob", "Cleo"],
        gold="Cleo",
    )
    assert "Without Cleo" in found[LABELS].lead


def test_known_labels_from_a_column_or_a_file(tmp_path: Any) -> None:
    data = examples.load("crowd")
    truth = dict(zip(data.items, data.metadata["truth"], strict=True))
    path = tmp_path / "known.csv"
    path.write_text("item,gold\n" + "".join(f"{item},{x}\n" for item, x in truth.items()))
    right = ac.fit(data).accuracy(truth)
    for gold in ("truth", path, str(path), truth):
        found = report(data, gold=gold)
        assert f"{right:.3f}" in found[LABELS].lead
        assert {row["n_known"] for row in of_coders(found).rows} != {0}
        assert any("brier" in row for t in tables(found, LABELS) for row in t.rows)


def test_known_labels_that_nothing_is_scored_by() -> None:
    with pytest.raises(RequestError, match="no model is wanted"):
        report(examples.load("crowd"), gold="truth", fit=False)
    with pytest.raises(RequestError, match="neither a coder of the data nor a file"):
        report(examples.load("crowd"), gold="nobody")


def test_asked_for_more_it_compares_models(crowd: Any) -> None:
    found = report(crowd, fit="dawid_skene")
    compared = next(t for t in tables(found, LABELS) if any("advised" in row for row in t.rows))
    assert {"majority", "pooled", "dawid_skene"} <= {row["model"] for row in compared.to_rows()}
    assert sum(row["advised"] for row in compared.rows) == 1


def test_the_order_of_rows_does_not_matter(crowd: Any, of_crowd: Report) -> None:
    columns = (getattr(crowd.answered, k).tolist() for k in ("item", "coder", "value"))
    rows = [
        {"item": crowd.items[i], "coder": crowd.coders[c], "label": crowd.values[v]}
        for i, c, v in zip(*columns, strict=True)
    ]
    again = report([rows[k] for k in np.random.default_rng(1).permutation(len(rows))])
    for key in OF_MODELS:
        assert again[key].lead == of_crowd[key].lead


def test_label_sets_are_judged_label_by_label() -> None:
    data = examples.load("levi2022_neat")
    found = report(data)
    expected = ac.coders(ac.fit(data), leave_out=0)
    rows = next(t for t in tables(found, RELIABILITY) if "label" in t.rows[0]).rows
    assert len(rows) == 9
    for row in rows:
        assert row["skill"] == expected[row["label"]][row["coder"]].skill


def test_what_is_cited_is_listed(of_crowd: Report, of_groups: Report) -> None:
    def cited(made: Report) -> str:
        return " ".join(text for _, text, _ in made["references"].blocks[0].entries)  # type: ignore[union-attr]

    assert "Kairam" in cited(of_groups)
    assert "Dawid" in cited(of_crowd)
    assert "Raykar" in cited(of_crowd)
