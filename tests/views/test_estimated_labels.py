"""The estimated labels: how certain they are, and how they compare with votes and known labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.crowds import table as crowds_table
from benchmarks.crowds.gold import FOURTEEN

import accordant as ac
from accordant.data import examples
from accordant.errors import RequestError
from accordant.models.model_list import MODELS
from accordant.views.blocks import Actions, Chart, Prose, Table
from accordant.views.view import named, names
from claims.simulated_crowd import simulate_crowd

CROWD = simulate_crowd(200, {"good": 5, "sloppy": 2, "spammer": 2}, 3, per_item=4, seed=8)
TRUTH = dict(zip(CROWD.data.items, CROWD.labels, strict=True))


@pytest.fixture(scope="module")
def fitted() -> Any:
    return ac.fit(CROWD.data)


@pytest.fixture(scope="module")
def vote() -> Any:
    return ac.fit(CROWD.data, "majority")


@pytest.fixture(scope="module")
def of_sets() -> Any:
    return ac.fit(ac.simulate(40, 3, 4, double=0.2, seed=1))


def blocks(found: Any, name: str, **options: Any) -> list[Any]:
    return list(named("fit", name).section(found.told_parts, **options).blocks)


def rows(found: Any, name: str, **options: Any) -> list[dict[str, Any]]:
    return named("fit", name).rows(found.told_parts, **options)


def given() -> dict[Any, list[str]]:
    """What coders said of each item, counted by hand."""
    found: dict[Any, list[str]] = {}
    answered = CROWD.data.answered
    for i, v in zip(answered.item.tolist(), answered.value.tolist(), strict=True):
        found.setdefault(CROWD.data.items[i], []).append(CROWD.data.values[v])
    return found


def test_golden_page(golden: Callable[..., None], fitted: Any) -> None:
    shown = ("answer", "certainty", "items", "majority", "prevalence", "coverage", "next")
    sections = [named("fit", name).section(fitted.told_parts) for name in shown]
    scored = [
        named("fit", name).section(fitted.told_parts, truth=TRUTH)
        for name in ("scores", "calibration", "coverage")
    ]
    golden("estimated_labels", [*sections, *scored])


def test_labels_are_those_of_the_posterior(fitted: Any) -> None:
    assert rows(fitted, "labels") == fitted.to_rows()
    kept = rows(fitted, "labels", keep=0.99)
    assert [row["item"] for row in kept] == fitted.keep(confidence=0.99).items
    share = rows(fitted, "labels", keep_share=0.5)
    assert [row["item"] for row in share] == fitted.keep(share=0.5).items


def test_bands_add_up(fitted: Any) -> None:
    shown = rows(fitted, "certainty")
    assert sum(row["n_items"] for row in shown) == 200
    errors = sum(row["expected_errors"] for row in shown if row["expected_errors"] is not None)
    assert errors == pytest.approx(float((1 - fitted.confidence).sum()), abs=1e-9)
    certain = int(((fitted.confidence >= 0.95) & ~fitted.tied).sum())
    assert sum(row["n_items"] for row in shown[:2]) == certain
    said = " ".join(b.text for b in blocks(fitted, "answer") if isinstance(b, Prose))
    assert f"{certain:,} of 200 labels" in said


def test_changes_against_the_majority_vote_counted_by_hand(fitted: Any) -> None:
    labels, expected = fitted.labelled(), Counter[str]()
    for item, said in given().items():
        (top, n), *rest = Counter(said).most_common()
        tied = bool(rest) and rest[0][1] == n
        label = labels[item]
        expected[
            "tied" if label is None else "settled" if tied else "same" if label == top else "other"
        ] += 1
    shown = [row["n_items"] for row in rows(fitted, "majority")]
    counted = [expected["same"], expected["other"], expected["settled"], expected["tied"]]
    assert shown == [n for k, n in enumerate(counted) if n or k < 2]
    assert expected["other"] > 0
    assert expected["settled"] > 0


def test_the_least_certain_stand_first_with_their_annotations(fitted: Any) -> None:
    shown = rows(fitted, "items")
    confidence = [row["confidence"] for row in shown]
    assert [round(p, 6) for p in confidence] == sorted(round(p, 6) for p in confidence)
    assert confidence[0] == float(fitted.confidence.min())
    said = given()
    for row in shown:
        heard = sorted(part.split(": ")[1] for part in row["labels"].split("; "))
        assert heard == sorted(said[row["item"]])


def test_prevalence_beside_what_is_given(fitted: Any) -> None:
    shown = rows(fitted, "prevalence")
    assert [row["estimated_share"] for row in shown] == fitted.prevalence.tolist()
    assert sum(row["share_of_annotations"] for row in shown) == pytest.approx(1)
    assert sum(row["n_labels"] for row in shown) == 200 - int(fitted.tied.sum())
    assert all(row["low"] <= row["estimated_share"] <= row["high"] for row in shown)


def test_the_curve_is_that_of_the_posterior(fitted: Any) -> None:
    shown, expected = rows(fitted, "coverage"), fitted.coverage().to_rows()
    assert [row["expected_accuracy"] for row in shown] == [row["expected"] for row in expected]
    (chart,) = (b for b in blocks(fitted, "coverage") if isinstance(b, Chart))
    drawn = chart.definition["data"]["values"]
    assert [row["expected_accuracy"] for row in drawn] == [row["expected"] for row in expected]


def test_known_labels(fitted: Any) -> None:
    scores, accuracy = fitted.scores(TRUTH), fitted.accuracy(TRUTH)
    shown = rows(fitted, "scores", truth=TRUTH)
    assert [row["f1"] for row in shown] == list(scores.f1)
    assert {row["accuracy"] for row in shown} == {accuracy}
    bins = rows(fitted, "calibration", truth=TRUTH)
    assert sum(row["n_items"] for row in bins) == 200
    hits = sum(row["n_items"] * row["accuracy"] for row in bins)
    assert hits == pytest.approx(200 * accuracy)
    assert rows(fitted, "coverage", truth=TRUTH)[-1]["accuracy"] == pytest.approx(accuracy)
    said = " ".join(b.text for b in blocks(fitted, "answer", truth=TRUTH) if isinstance(b, Prose))
    assert f"{accuracy:.3f}" in said


def test_what_is_kept_is_scored_beside_all(fitted: Any) -> None:
    kept = fitted.keep(confidence=0.9)
    options: dict[str, Any] = {"truth": {**TRUTH, "nobody": "A"}, "keep": 0.9}
    said = blocks(fitted, "answer", **options)[-1].text
    for found in (kept.scores(TRUTH), fitted.scores(TRUTH)):
        assert f"{found.accuracy:.3f}" in said
        assert f"({found.n_items} items)" in said
    assert "“nobody”" in said


@pytest.mark.parametrize("name", ["scores", "calibration"])
def test_known_labels_are_needed(fitted: Any, name: str) -> None:
    with pytest.raises(RequestError) as error:
        rows(fitted, name)
    assert "truth" in error.value.do[0].options


@pytest.mark.parametrize("what", ["scores", "calibration", "coverage"])
def test_results_by_themselves_show_the_same(fitted: Any, what: str) -> None:
    alone = getattr(fitted, what)(TRUTH)
    shown = named("fit", what).section(fitted.told_parts, truth=TRUTH)
    assert named(what, what).section(alone.told_parts).title == shown.title
    assert f"{fitted.accuracy(TRUTH):.3f}" in str(alone)


def test_what_is_kept_by_itself(fitted: Any) -> None:
    kept = fitted.keep(confidence=0.99)
    assert f"{len(kept)} items of 200" in str(kept)


def test_a_vote_promises_nothing(vote: Any) -> None:
    assert all("expected_errors" not in row for row in rows(vote, "certainty"))
    assert rows(vote, "coverage")  # programs get the thresholds
    assert not any(isinstance(b, Chart) for b in blocks(vote, "coverage"))
    assert any(isinstance(b, Chart) for b in blocks(vote, "coverage", truth=TRUTH))
    tied = [row for row in rows(vote, "items") if row["tied"]]
    assert tied
    assert all(row["label"] is None and " or " in row["alternative"] for row in tied)


def test_sets_are_judged_as_wholes_and_label_by_label(of_sets: Any) -> None:
    assert rows(of_sets, "labels") == of_sets.to_rows()
    assert sum(row["n_items"] for row in rows(of_sets, "certainty")) == 40
    shares = [row["estimated_share"] for row in rows(of_sets, "prevalence")]
    assert shares == of_sets.prevalence.tolist()
    assert {row["label"] for row in rows(of_sets, "coverage")} == set(of_sets.categories)
    truth = {
        item: label
        for item, label in zip(of_sets.items, of_sets.labels, strict=True)
        if label is not None
    }
    shown = rows(of_sets, "scores", truth=truth)
    assert all(row["f1"] == 1 or math.isnan(row["f1"]) for row in shown)
    assert {row["label"] for row in rows(of_sets, "calibration", truth=truth)} == {
        *map(str, of_sets.categories)
    }


def test_nothing_can_be_learned_from_single_annotations() -> None:
    found = ac.fit([{"item": k, "coder": "abc"[k % 3], "label": "xy"[k % 2]} for k in range(12)])
    (actions,) = (b for b in blocks(found, "next") if isinstance(b, Actions))
    assert [action.options for action in actions.actions] == [{"gold": "FILE"}]
    assert all(math.isnan(row["confidence"]) for row in rows(found, "labels"))


def test_every_view_of_a_fit_has_rows_or_words(fitted: Any) -> None:
    for name in names("fit"):
        if name not in ("scores", "calibration"):
            assert blocks(fitted, name), name
            assert all(isinstance(row, dict) for row in rows(fitted, name)), name


def test_questions_stand_side_by_side() -> None:
    found = ac.fit(examples.load("visitors"))
    assert {row["question"] for row in rows(found, "labels")} == {"topic", "mood"}
    assert isinstance(named("fit", "labels").table(found.told_parts), Table)


# ------------------------------------------------------------------ what certainty is worth


def answer_of(found: Any, **options: Any) -> str:
    return str(blocks(found, "answer", **options)[-1].text)


def test_what_labels_were_worth_elsewhere_is_what_was_measured() -> None:
    rows = crowds_table.read(Path(crowds_table.__file__).with_name("crowds.json"))
    every = {key: one.right_of_certain for key, one in MODELS.items() if one.right_of_certain}
    assert len(every) == 10
    for key, told in every.items():
        own = [r for r in rows if r["method"] == key and r["crowd"] in FOURTEEN and r["n_sure"]]
        n = np.array([r["n_sure"] for r in own])
        right = np.array([r["sure_right"] for r in own])
        assert told == pytest.approx(((n * right).sum() / n.sum(), right[n >= 10].min()), abs=6e-4)


def test_certainty_is_conditional_wherever_dependence_is_not_seen() -> None:
    small = simulate_crowd(12, 4, 3, per_item=4, accuracy=0.9, seed=2)
    found = ac.fit(small.data)
    assert not found.dependence.seen
    assert found.confidence.max() < 0.999
    assert answer_of(found).startswith("If coders err independently, which cannot be seen here")
    known = dict(zip(found.items.tolist(), small.labels, strict=True))
    told = ac.fit(small.data, gold={k: known[k] for k in list(known)[:4]})
    assert "cannot be seen" not in answer_of(told)
    together = ac.fit(simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, seed=1).data)
    assert together.dependence.seen
    assert "cannot be seen" not in answer_of(together)


def test_the_worth_elsewhere_is_told_of_the_usual_model_only(fitted: Any) -> None:
    assert "public crowds" in answer_of(fitted)
    assert "public crowds" in str(blocks(fitted, "certainty")[0].text)
    assert "public crowds" not in answer_of(fitted, truth=TRUTH)
    assert "public crowds" not in answer_of(ac.fit(CROWD.data, worth=0.9))
    assert "public crowds" not in answer_of(ac.fit(CROWD.data, rounds=30))
