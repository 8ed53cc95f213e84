"""Sets of labels: a model of a yes or no for each label, and the sets that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac

LABELS = ("a", "b", "c", "d")


def crowd(seed: int = 1) -> tuple[Any, dict[str, tuple[str, ...]], Any, Any]:
    """Data, the true sets, and (C, L) sensitivity and specificity of the coders."""
    rng = np.random.default_rng(seed)
    truth = rng.random((300, 4)) < np.array([0.5, 0.3, 0.2, 0.1])
    truth[~truth.any(1), 0] = True
    sensitivity, specificity = rng.uniform(0.5, 0.95, (9, 4)), rng.uniform(0.8, 0.98, (9, 4))
    rows = []
    for i in range(300):
        for c in rng.choice(9, 5, replace=False):
            p = np.where(truth[i], sensitivity[c], 1 - specificity[c])
            said = [x for x, yes in zip(LABELS, rng.random(4) < p, strict=True) if yes]
            rows.append((f"i{i:03}", f"w{c}", "|".join(said) or "none"))
    sets = {
        f"i{i:03}": tuple(x for x, yes in zip(LABELS, row, strict=True) if yes)
        for i, row in enumerate(truth)
    }
    data = ac.read(rows, separator="|", empty=["none"], categories=list(LABELS))
    return data, sets, sensitivity, specificity


def test_true_sets_and_coders_are_recovered() -> None:
    data, truth, sensitivity, specificity = crowd()
    found, votes = ac.fit(data, "dawid_skene"), ac.fit(data, "majority")
    score, plain = found.scores(truth), votes.scores(truth)
    assert score.n_items == 300
    assert score.exact > plain.exact + 0.05
    assert score.jaccard > max(0.9, plain.jaccard)
    assert score.f1 > max(0.92, plain.f1)
    rows = found.coder_rows()
    assert len(rows) == 9 * 4
    for row in rows:
        c, k = int(row["coder"][1:]), LABELS.index(row["label"])
        assert row["sensitivity"] == pytest.approx(sensitivity[c, k], abs=0.25)
        assert row["specificity"] == pytest.approx(specificity[c, k], abs=0.1)
    by_label = {row["label"]: row for row in score.to_rows()}
    assert by_label["a"]["n_true"] == sum("a" in x for x in truth.values())


def test_each_label_is_a_model_of_its_own() -> None:
    data, _, _, _ = crowd()
    found = ac.fit(data)
    assert found.categories == LABELS
    assert [one.question for one in found] == list(LABELS)
    assert found["b"].categories == (False, True)
    assert found.probabilities[:, 1] == pytest.approx(found["b"].probabilities[:, 1])
    p = found.probabilities
    assert found.confidence == pytest.approx(np.maximum(p, 1 - p).prod(1))
    rows = found.to_rows()
    first = {x for x, q in zip(LABELS, p[0], strict=True) if q > 0.5}
    assert {*(found.labels[0] or ())} == first
    assert rows[0]["p_b"] == pytest.approx(p[0, 1])
    assert found.coverage().expected[-1] == pytest.approx(found.confidence.mean())
    with pytest.raises(ac.RequestError, match="'e'"):
        found["e"]
    table = ac.coders(found)
    assert [one.question for one in table] == list(LABELS)
    assert "label by label" in str(found)


def test_known_sets_teach_each_label() -> None:
    data, truth, _, _ = crowd()
    gold = dict(list(truth.items())[:40])
    found = ac.fit(data, "pooled", gold=gold)
    labels = found.labelled()
    assert all({*(labels[i] or ())} == {*x} for i, x in gold.items())
    assert int((found["a"].votes.known >= 0).sum()) == 40


def test_scores_by_hand() -> None:
    rows = [(i, c, x) for i, x in ((1, "p;q"), (2, "p"), (3, "q"), (4, "p;q")) for c in "ABC"]
    found = ac.fit(ac.read(rows, separator=";"), "majority")
    told = found.scores({1: ["p", "q"], 2: ["q"], 3: "q", 4: ("p",)})
    assert told.exact == 0.5
    assert told.jaccard == pytest.approx((1 + 0 + 1 + 0.5) / 4)
    # said: p 1 2 4, q 1 3 4; true: p 1 4, q 1 2 3
    assert told.f1 == pytest.approx(2 * 4 / (6 + 5))
    assert told.mean_f1 == pytest.approx((2 * 2 / 5 + 2 * 2 / 6) / 2)


def test_a_tie_leaves_a_set_open() -> None:
    rows = [(1, "A", "p;q"), (1, "B", "p"), (2, "A", "q"), (2, "B", "q")]
    found = ac.fit(ac.read(rows, separator=";"), "majority")
    assert found.labels == [None, ("q",)]
    assert found.tied.tolist() == [True, False]
    (told,) = [f for f in found.findings if f.code == "ties"]
    assert told.facts["labels"] == ("q",)


def test_what_cannot_be_known_is_withheld() -> None:
    rows = [("i1", "a", ["p", "q"]), ("i2", "b", ["p"]), ("i3", "a", ["q"]), ("i4", "b", ["p"])]
    found = ac.fit(rows)
    assert [{*(x or ())} for x in found.labels] == [{"p", "q"}, {"p"}, {"q"}, {"p"}]
    assert np.isnan(found.confidence).all()
    assert found.to_rows()[0]["reason"] == found.withheld
    with pytest.raises(ac.RequestError, match="no coder gave any label"):
        ac.fit(ac.read([["none"] * 3] * 3, separator="|", empty=["none"], categories=["a", "b"]))
