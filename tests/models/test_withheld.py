"""Where it cannot be said how sure labels are, nothing says so all the same."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.errors import RequestError
from accordant.models.call import MODELS
from claims.simulated_crowd import simulate_crowd

GIVEN = {f"i{k}": "xxy"[k % 3] for k in range(20)}
ONE_EACH = [(item, "abc"[k % 3], label) for k, (item, label) in enumerate(GIVEN.items())]
TWO = [[*"xyzxyzxyzx"], [*"xyzxyyxzzx"]]
QUICK: dict[str, dict[str, Any]] = {"hierarchical": {"draws": 150, "warm_up": 80, "chains": 2}}


def measured(n: int = 40, digits: int = 3) -> list[list[float]]:
    rng = np.random.default_rng(1)
    true = rng.normal(size=n)
    return [[round(float(x), digits) for x in true + rng.normal(0, 0.2, n)] for _ in range(3)]


@pytest.mark.parametrize("model", [m for m in MODELS if m != "majority"])
def test_one_coder_per_item_leaves_the_labels_that_were_given(model: str) -> None:
    more = QUICK.get(model, {}) | (
        {"scale": "ordinal", "categories": [*"xyz"]} if model == "ordinal" else {}
    )
    found = ac.fit(ONE_EACH, model, **more)
    assert found.labelled() == GIVEN
    if not found.model.probabilistic:
        return
    assert np.isnan(found.confidence).all()
    assert np.isnan(found.entropy).all()
    row = found.to_rows()[0]
    assert math.isnan(row["confidence"])
    assert math.isnan(row["p_x"])
    assert "nothing shows who is right" in row["reason"]
    with pytest.raises(RequestError, match="nothing shows who is right"):
        found.keep(confidence=0.5)
    with pytest.raises(RequestError, match="nothing shows who is right"):
        ac.soft_labels(found, of="belief")
    assert np.isnan(found.coverage().expected).all()
    assert [f.code for f in found.findings] == ["nothing_to_learn"]


def test_control_items_make_single_annotations_worth_something() -> None:
    gold = dict(list(GIVEN.items())[:12])
    found = ac.fit(ONE_EACH, gold=gold)
    assert not found.withheld
    assert np.isfinite(found.confidence).all()


def test_sets_by_single_coders_stay_as_they_are() -> None:
    rows = [("i1", "a", ["p", "q"]), ("i2", "b", ["p"]), ("i3", "a", ["q"]), ("i4", "b", ["p"])]
    found = ac.fit(rows)
    assert [set(x or ()) for x in found.labels] == [{"p", "q"}, {"p"}, {"q"}, {"p"}]
    assert np.isnan(found.confidence).all()
    assert "reason" in found.to_rows()[0]


def test_two_coders_promise_nothing() -> None:
    found = ac.fit(TWO)
    assert "two coders alone" in found.withheld
    assert np.isnan(found.confidence).all()
    assert {row["reason"] for row in found.to_rows()} == {found.withheld}
    assert "not_identified" in {f.code for f in found.findings}
    for name in ("competence", "confusion", "prevalence"):
        interval = found.interval(name)
        assert np.isnan(interval.low).all(), name
        assert found.withheld in interval.method
    for coder in ac.coders(found):
        assert math.isnan(coder.low)
        assert math.isnan(coder.skill_high)
        assert coder.verdict == "few"
        assert found.withheld in coder.method
    assert math.isnan(ac.coders(found).confusion_of("coder 1")[0]["low"])
    with pytest.raises(RequestError, match="two coders alone"):
        found.keep(share=0.5)
    with pytest.raises(RequestError, match="two coders alone"):
        ac.soft_labels(found, of="belief")


def test_known_labels_or_a_third_coder_are_enough() -> None:
    assert not ac.fit(TWO, gold={1: "x", 6: "y", 8: "y", 9: "z"}).withheld
    assert not ac.fit([*TWO, TWO[0]]).withheld
    assert not ac.fit(TWO, "majority").withheld


def test_measurements_are_told_from_categories() -> None:
    found = ac.fit(measured())
    told = next(f for f in found.findings if f.code == "not_categories")
    assert told.severity == "problem"
    assert told.evidence["annotations"] == 120
    assert "mean or the median" in told.advice
    assert np.isnan(found.confidence).all()
    assert "category of its own" in found.to_rows()[0]["reason"]
    means = found.mean()
    assert means == pytest.approx(np.mean(measured(), axis=0))


def test_free_text_is_told_too() -> None:
    rows = [[f"word {k} {c}" for k in range(30)] for c in range(3)]
    told = next(f for f in ac.fit(rows).findings if f.code == "not_categories")
    assert "free text" in told.advice


@pytest.mark.parametrize("rows", [measured(digits=0), measured(6), [["a", "b"], ["c", "d"]]])
def test_few_values_are_categories(rows: list[list[Any]]) -> None:
    assert "not_categories" not in {f.code for f in ac.fit([*rows, rows[0]]).findings}


# ------------------------------------------------------------------ one figure everywhere


def crowd() -> Any:
    return simulate_crowd(200, 12, 3, per_item=8, misleading=0.2, seed=3)


def test_what_a_user_gets_is_recalibrated_everywhere(tmp_path: Path) -> None:
    found = ac.fit(crowd().data)
    assert found.worth < 0.9
    rows = found.to_rows()
    top = [max(v for k, v in row.items() if k.startswith("p_")) for row in rows]
    assert [row["confidence"] for row in rows] == pytest.approx(top)
    assert found.confidence == pytest.approx(top)
    assert found.recalibrated().confidence == pytest.approx(top)
    assert ac.soft_labels(found, of="belief").probabilities == pytest.approx(found.probabilities)
    assert found.coverage().expected[-1] == pytest.approx(np.mean(top))
    kept = found.keep(confidence=0.9)
    assert len(kept) == sum(x >= 0.9 for x in top)
    found.write(tmp_path / "labels.csv")
    again = (tmp_path / "labels.csv").read_text().splitlines()
    head = again[0].split(",")
    assert float(again[1].split(",")[head.index("confidence")]) == pytest.approx(top[0])
    assert f"worth {found.worth:.4g}" in found.signature


def test_the_model_itself_can_be_had() -> None:
    found = ac.fit(crowd().data)
    raw = ac.fit(crowd().data, worth=1)
    assert np.array_equal(raw.probabilities, found.not_recalibrated.probabilities)
    assert np.array_equal(raw.probabilities, raw.estimate.probabilities)
    assert [row["not_recalibrated"] for row in found.to_rows()] == pytest.approx(
        list(raw.confidence)
    )
    assert raw.confidence.mean() > found.confidence.mean()
    assert "not_recalibrated" not in raw.to_rows()[0]
    assert raw.labels == found.labels
    assert "overconfident" in {f.code for f in raw.findings}
    assert "overconfident" not in {f.code for f in found.findings}
    with pytest.raises(RequestError, match="shares of votes, not probabilities"):
        ac.fit(crowd().data, "majority", worth=0.5)


def test_sets_are_recalibrated_too() -> None:
    made = crowd()
    names = {k + 1: label for k, label in enumerate(made.labels)}
    rows = [
        (item, coder, [str(label), "also"] if names[item] == label else [str(label)])
        for item, coder, label in _rows(made.data)
    ]
    found = ac.fit(rows)
    assert found.recalibration.startswith("By label")
    assert "worth" in found.signature
    raw = ac.fit(rows, worth=1)
    assert not raw.recalibration
    assert [r["not_recalibrated"] for r in found.to_rows()] == pytest.approx(
        list(raw.confidence), abs=0.02
    )
    assert raw.confidence.mean() > found.confidence.mean()


def _rows(data: Any) -> list[tuple[Any, str, Any]]:
    c = data.answered
    return [
        (int(data.items[i]), data.coders[k], data.values[v])
        for i, k, v in zip(c.item.tolist(), c.coder.tolist(), c.value.tolist(), strict=True)
    ]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=12), st.integers(0, 3))
def test_whatever_single_coders_gave_stays(labels: list[str], seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [(f"i{k}", f"c{rng.integers(3)}", label) for k, label in enumerate(labels)]
    found = ac.fit(rows, restarts=0)
    assert found.labelled() == {item: label for item, _, label in rows}


# ------------------------------------------------------------------ coders beside a truth


def test_coders_by_known_labels_by_hand() -> None:
    rows = [["a", "b", "a", "b"], ["a", "b", "b", None], ["b", "b", "a", "a"]]
    found = ac.fit(rows)
    scores = found.coder_scores({1: "a", 2: "b", 3: "a", 99: "b"})
    assert scores.n.tolist() == [3, 3, 3]
    assert scores.accuracy == pytest.approx([1, 2 / 3, 2 / 3])
    # Wilson (1927) for 2 of 3
    assert (scores.low[1], scores.high[1]) == pytest.approx((0.2077, 0.9385), abs=1e-4)
    none = ac.fit(rows).coder_scores({4: "b"})
    assert none.n.tolist() == [1, 0, 1]
    assert math.isnan(none.accuracy[1])
