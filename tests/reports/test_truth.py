"""What is probably true, and what is opinion rather than error."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.data import examples
from accordant.errors import RequestError
from accordant.views.document import Chart, Prose, Table
from accordant.views.model_charts import parts, reliability
from accordant.views.report import Report, report

Said = dict[Any, list[str]]


def tables(found: Report, key: str) -> list[Table]:
    return [b for b in found[key].every_block() if isinstance(b, Table)]


def table(found: Report, key: str, title: str) -> Table:
    return next(t for t in tables(found, key) if t.title.startswith(title))


@pytest.fixture(scope="module")
def data() -> Any:
    kinds = {"good": 5, "sloppy": 2, "spammer": 2}
    return ac.simulate_crowd(200, kinds, 3, per_item=4, rng=8).data


@pytest.fixture(scope="module")
def found(data: Any) -> Report:
    return report(data)


def said(data: Any) -> Said:
    """What coders said of each item, counted by hand."""
    answered: Said = {}
    rows = data.answered
    for i, v in zip(rows.item.tolist(), rows.value.tolist(), strict=True):
        answered.setdefault(data.items[i], []).append(data.values[v])
    return answered


def test_changes_against_the_majority_vote_counted_by_hand(data: Any, found: Report) -> None:
    labels = ac.fit(data).tempered().labelled()
    expected = Counter()
    for item, given in said(data).items():
        (top, n), *rest = Counter(given).most_common()
        tied = bool(rest) and rest[0][1] == n
        label = labels[item]
        expected["tied" if label is None else "settled" if tied else
                 "same" if label == top else "other"] += 1  # fmt: skip
    rows = {row["name"]: row["n"] for row in table(found, "truth", "Beside the majority").rows}
    assert rows["the same"] == expected["same"] > 0
    assert rows["another label"] == expected["other"] > 0
    assert rows["a label, where the vote is a tie"] == expected["settled"] > 0
    assert sum(rows.values()) == 200
    told = f"It gives {expected['other']} items another label than the majority vote"
    assert told in found["truth"].lead


def test_how_sure_adds_up(data: Any, found: Report) -> None:
    shown = table(found, "truth", "How sure the labels are").rows
    tempered = ac.fit(data).tempered()
    assert sum(row["n"] for row in shown) == 200
    wrong = sum(row["wrong"] for row in shown if "wrong" in row)
    assert wrong == pytest.approx(float((1 - tempered.confidence).sum()), abs=1e-9)
    sure = sum(row["n"] for row in shown if row["name"] in ("99 % or more", "95 to 99 %"))
    assert f"at least 95\xa0% sure of {sure:,} of 200 labels" in found["truth"].lead
    for row in shown:
        if row["n"]:
            total, entries = found.evidence.cells[row["opens"]["n"]]
            assert total == row["n"]
            assert 0 < len(entries) <= total


def test_the_curve_is_that_of_the_posterior(data: Any, found: Report) -> None:
    chart = next(
        b for b in found["truth"].every_block()
        if isinstance(b, Chart) and "expected to be right" in b.title
    )  # fmt: skip
    expected = ac.fit(data).tempered().coverage().to_rows()
    drawn = chart.definition["data"]["values"]
    assert [row["expected"] for row in drawn] == [row["expected"] for row in expected]
    assert f"{100 * expected[-1]['expected']:.1f}" in chart.title


def test_the_least_sure_stand_with_their_annotations(data: Any, found: Report) -> None:
    shown = table(found, "truth", "The least sure labels").rows
    confidence = [row["confidence"] for row in shown]
    assert confidence == sorted(confidence)
    whole = ac.fit(data).tempered().confidence
    assert confidence[0] == pytest.approx(float(whole.min()), abs=1e-12)
    given = {str(item): each for item, each in said(data).items()}
    for row in shown:
        heard = sorted(part.split(": ")[1] for part in row["labels"].split("; "))
        assert heard == sorted(given[row["item"]])


def test_prevalence_beside_what_is_given(data: Any, found: Report) -> None:
    rows = table(found, "truth", "How frequent each label is").rows
    posterior = ac.fit(data)
    assert [row["value"] for row in rows] == posterior.prevalence.tolist()
    assert sum(row["other"] for row in rows) == pytest.approx(1)
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)


def test_beliefs_are_tempered_and_the_report_says_so() -> None:
    data = ac.simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, rng=1).data
    found = report(data)
    text = " ".join(b.text for b in found["truth"].every_block() if isinstance(b, Prose))
    assert "A factor τ tempers them" in text
    assert ac.fit(data).tempered().tempering in text
    assert "Without it the model would be surer than 99.9" in text
    assert "cannot be seen without some labels that are known" in text


def test_a_gold_coder_is_not_seen_by_the_model() -> None:
    data = examples.load("visitors").of_question("topic")
    found = report(data, gold="Ada")
    others = ac.fit(data.of_coders(["Bruno", "Chiara", "Deniz"])).tempered()
    ada = said(data.of_coders(["Ada"]))
    known = [(item, label) for item, label in others.labelled().items() if item in ada]
    right = sum(label in ada[item] for item, label in known if label is not None)
    assert not any(label is None for _, label in known)
    assert f"Against Ada, {100 * right / len(known):.1f}\xa0% of {len(known)} labels are right" in (
        found["truth"].lead
    )
    rows = table(found, "truth", "How sure, how right").rows
    assert sum(row["n"] for row in rows) == len(known)
    hits = sum(row["n"] * row["observed"] for row in rows)
    assert hits == pytest.approx(right, abs=1e-6)
    coders = {row["coder"] for row in table(found, "trust", "Coders at a glance").rows}
    assert coders == {"Bruno", "Chiara", "Deniz"}


def test_two_coders_are_left_without_the_gold_coder() -> None:
    found = report([["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", "b", "a", "a"]],
                   coder=["Ann", "Bob", "Cleo"], gold="Cleo")  # fmt: skip
    assert "Without Cleo, whose labels count as right: Two coders" in found["truth"].lead


def test_a_vote_promises_nothing() -> None:
    found = report(examples.load("visitors"), fit="majority")
    assert "Majority vote gives 114 of 120 items a label; 6 are ties." in found["truth"].lead
    assert "expected wrong" not in {c.heading for t in tables(found, "truth") for c in t.columns}
    text = " ".join(b.text for b in found["truth"].every_block() if isinstance(b, Prose))
    assert "Shares of votes promise no accuracy." in text
    assert not any(t.title.startswith("Beside the majority") for t in tables(found, "truth"))
    assert all(section.key != "ambiguity" for section in found.sections)


BELIEVES = ("believed", "probably true", "right with probability")
"""What a report on votes says nowhere of its labels; other words for chance may occur."""


def test_a_vote_is_not_told_as_a_belief() -> None:
    found = report(examples.load("crowd"), fit="majority")
    assert found["truth"].title == "What the vote says"
    assert found["trust"].title == "Who agrees with the vote"
    glance = table(found, "trust", "Coders at a glance")
    assert "as voted" in {c.heading for c in glance.columns}
    told = [
        *(c.help for t in [*tables(found, "truth"), glance] for c in t.columns),
        *(note for t in tables(found, "truth") for note in t.notes),
        *(t.title for t in tables(found, "truth") + tables(found, "trust")),
        *(b.title for b in found["truth"].every_block() if isinstance(b, Chart)),
    ]
    for words in BELIEVES:
        assert not any(words in text for text in told), words


def test_known_labels_from_a_column_or_a_file(tmp_path: Any) -> None:
    data = examples.load("crowd")
    truth = dict(zip(data.items, data.metadata["truth"], strict=True))
    path = tmp_path / "known.csv"
    path.write_text("item,gold\n" + "".join(f"{item},{x}\n" for item, x in truth.items()))
    right = ac.fit(data).accuracy(truth)
    for gold in ("truth", path, str(path), truth):
        found = report(data, gold=gold)
        assert f"{100 * right:.1f}\xa0% of 150 labels are right" in found["truth"].lead
        assert sum(row["n"] for row in table(found, "truth", "How sure, how right").rows) == 150
        coders = {row["coder"] for row in table(found, "trust", "Coders at a glance").rows}
        assert coders == set(data.coders)


def test_a_column_of_known_labels_that_was_not_used_is_told() -> None:
    found = report(examples.load("crowd"))
    text = " ".join(b.text for b in found["truth"].every_block() if isinstance(b, Prose))
    assert "The column “gold” seems to hold some and was not used: gold='gold' does so." in text
    asked = report(examples.load("crowd"), gold="truth")
    text = " ".join(b.text for b in asked["truth"].every_block() if isinstance(b, Prose))
    assert "was not used" not in text


def test_known_labels_that_nothing_is_scored_by() -> None:
    with pytest.raises(RequestError, match="fit=False wants none"):
        report(examples.load("crowd"), gold="truth", fit=False)
    with pytest.raises(RequestError, match="neither a coder of the data nor a file"):
        report(examples.load("crowd"), gold="nobody")


def test_asked_for_more_it_compares_models(data: Any) -> None:
    found = report(data, fit="dawid_skene")
    assert "Dawid–Skene is at least" in found["truth"].lead
    compared = next(t for t in tables(found, "truth") if "predicts hidden annotations" in t.title)
    assert {"majority", "pooled", "dawid_skene"} <= {row["model"] for row in compared.rows}
    assert sum(row["advised"] == "advised" for row in compared.rows) == 1


def test_the_order_of_rows_does_not_matter(data: Any, found: Report) -> None:
    rows = [
        {"item": data.items[i], "coder": data.coders[c], "label": data.values[v]}
        for i, c, v in zip(
            *(getattr(data.answered, k).tolist() for k in ("item", "coder", "value")), strict=True
        )
    ]  # fmt: skip
    again = report([rows[k] for k in np.random.default_rng(1).permutation(len(rows))])
    for key in ("trust", "truth", "ambiguity"):
        assert again[key].lead == found[key].lead


def test_sets_of_labels_are_believed_label_by_label() -> None:
    data = examples.load("levi2022_neat")
    found = report(data)
    shown = table(found, "truth", "How sure the labels are")
    assert sum(row["n"] for row in shown.rows) == 2209
    assert shown.columns[0].heading == "probability of the set"
    rates = table(found, "truth", "How frequent each label is").rows
    assert [row["name"] for row in rates] == ["Complication", "Resolution", "Success"]
    assert [row["value"] for row in rates] == ac.fit(data).prevalence.tolist()


# ---------------------------------------------------------------------- opinion or error


@pytest.fixture(scope="module")
def ambiguous() -> Any:
    return ac.simulate_crowd(150, 40, 3, per_item=30, ambiguous=0.15, rng=2).data


def test_ambiguous_items_are_those_of_ambiguity(ambiguous: Any) -> None:
    found = report(ambiguous)
    expected = ac.ambiguity(ambiguous)
    assert found["ambiguity"].lead == expected.sentence
    shown = table(found, "ambiguity", "Items that can be read in several ways").rows
    clear = [row["item"] for row in shown if row["what"] == "ambiguous"]
    rest = [row["item"] for row in shown if row["what"] != "ambiguous"]
    assert clear == [str(x) for x in expected.items][: len(clear)]
    assert set(rest) <= {str(x) for x in expected.unclear_items}
    assert len(clear) > 5
    where = table(found, "ambiguity", "Where disagreement comes from").rows[0]
    assert where["by_coders"] == expected.by_coders
    assert where["by_items"] == expected.by_items
    shares = ("by_coders", "between_schools", "by_items")
    assert sum(where[key] for key in shares) == pytest.approx(1)


def test_the_bar_is_a_whole(ambiguous: Any) -> None:
    chart = next(b for b in report(ambiguous)["ambiguity"].blocks if isinstance(b, Chart))
    drawn = chart.definition["data"]["values"]
    assert max(row["end"] for row in drawn) == pytest.approx(1)
    assert sum(row["share"] for row in drawn) == pytest.approx(1)
    assert {row["part"] for row in drawn} == {"usual errors of coders", "left with items"}


def test_without_disagreement_there_is_nothing_to_explain() -> None:
    found = report([["a", "b", "a", "b"]] * 3)
    assert [s.key for s in found.sections if s.key in ("trust", "truth", "ambiguity")] == [
        "trust", "truth",
    ]  # fmt: skip


def test_charts_take_what_is_not_known() -> None:
    nothing = {"expected": math.nan, "observed": math.nan, "low": math.nan, "high": math.nan}
    drawn = reliability([nothing], x_title="x", y_title="y")
    assert drawn["data"]["values"] == [dict.fromkeys(nothing)]
    bar = parts([{"name": "a", "part": "p", "share": 1.0, "kind": "rest"}], title="x")
    assert bar["data"]["values"][0]["end"] == 1
