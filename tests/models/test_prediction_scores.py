"""Scores of predictions against soft labels: SciPy, scikit-learn, the bootstrap, every form."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import accuracy_score, f1_score

import accordant as ac
from models.readings import crowd

CROWD = crowd(120, 7, 3, ambiguous=0.4, least=3, seed=1)
SOFT = ac.soft_labels(CROWD, smoothing="none")
P = 0.6 * SOFT.probabilities + 0.4 * np.random.default_rng(0).dirichlet(np.ones(3), len(SOFT))
MEASURES = ("cross_entropy", "js", "brier", "accuracy", "macro_f1")


def table(p: Any = P, soft: Any = SOFT) -> dict[str, list[Any]]:
    """Columns: the items, and the probability of each category."""
    columns = {str(c): list(x) for c, x in zip(soft.categories, np.asarray(p).T, strict=True)}
    return {"item": list(soft.names), **columns}


SCORES = ac.score_predictions(table(), SOFT, resamples=200)


def test_measures_against_scipy_and_sklearn() -> None:
    t = SOFT.probabilities
    cross = (stats.entropy(t, axis=1) + stats.entropy(t, P, axis=1)) / math.log(2)
    assert SCORES["cross_entropy"].value == pytest.approx(cross.mean())
    divergence = jensenshannon(t, P, base=2, axis=1) ** 2
    assert SCORES["js"].value == pytest.approx(divergence.mean())
    assert SCORES["brier"].value == pytest.approx(((t - P) ** 2).sum(1).mean())
    clear = ~SOFT.tied
    truth, guess = t.argmax(1)[clear], P.argmax(1)[clear]
    assert SCORES["accuracy"].value == pytest.approx(accuracy_score(truth, guess))
    macro = f1_score(truth, guess, average="macro")
    assert SCORES["macro_f1"].value == pytest.approx(macro)


def test_intervals_against_a_normal_law() -> None:
    found = ac.score_predictions(table(), SOFT, resamples=4000)
    each = ((SOFT.probabilities - P) ** 2).sum(1)
    low, high = stats.norm.interval(0.95, each.mean(), each.std() / math.sqrt(len(each)))
    brier = found["brier"]
    assert (brier.low, brier.high) == pytest.approx((low, high), abs=0.003)
    assert found.to_json() == ac.score_predictions(table(), SOFT, resamples=4000).to_json()
    for score in found.scores:
        assert score.low <= score.value <= score.high
    wide = ac.score_predictions(table(), SOFT, resamples=4000, level=0.99)["brier"]
    assert wide.low < brier.low < brier.high < wide.high


def test_what_others_get_by_hand() -> None:
    soft = ac.soft_labels([["a", "b"], ["a", "a"]], smoothing="none")
    scores = ac.score_predictions(table(np.full((2, 2), 0.5), soft), soft)
    assert scores["brier"].frequencies == pytest.approx((0.125 + 0.125) / 2)  # .75 for 1 and .5
    assert scores["cross_entropy"].best == pytest.approx(0.5)
    assert scores["brier"].majority_label == 0  # a tie is shared out
    assert scores["accuracy"].value == 0.5  # a prediction that is tied is right by its share


@given(st.lists(st.tuples(*[st.floats(0.001, 1)] * 3), min_size=2, max_size=5))
def test_proper_scores_are_best_for_the_soft_labels(rows: list[tuple[float, ...]]) -> None:
    p = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    soft = ac.soft_labels([list("abc"), list("abb")], smoothing="none")
    found = ac.score_predictions(table(np.resize(p, (3, 3)), soft), soft, resamples=2)
    for measure in ("cross_entropy", "js", "brier"):
        assert found[measure].best <= found[measure].value + 1e-12
        assert found[measure].value >= 0


def test_order_of_rows_does_not_matter() -> None:
    order = np.random.default_rng(1).permutation(len(P))
    shuffled = {name: [x[k] for k in order] for name, x in table().items()}
    assert ac.score_predictions(shuffled, SOFT, resamples=200).to_json() == SCORES.to_json()


def test_every_form_of_predictions_gives_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame(table())
    frame.to_csv(tmp_path / "p.csv", index=False)
    frame.rename(columns={c: f"p_{c}" for c in "ABC"}).to_parquet(tmp_path / "p.parquet")
    with (tmp_path / "p.jsonl").open("w") as f:
        for item, row in zip(SOFT.names, P.tolist(), strict=True):
            f.write(json.dumps({"item": item, "soft": dict(zip("ABC", row, strict=True))}) + "\n")
    indexed = frame.set_index("item")
    for form in (frame, indexed, *(tmp_path / f"p.{x}" for x in ("csv", "parquet", "jsonl"))):
        found = ac.score_predictions(form, SOFT, resamples=2)
        for measure in MEASURES:
            assert found[measure].value == pytest.approx(SCORES[measure].value), type(form)
    labels = {"item": SOFT.names, "label": [SOFT.categories[k] for k in P.argmax(1)]}
    hard = ac.score_predictions(labels, SOFT)
    assert hard["accuracy"].value == pytest.approx(SCORES["accuracy"].value)
    assert math.isfinite(hard["cross_entropy"].value)


def test_sets_of_labels() -> None:
    rows = {"item": [1, 1, 1, 2, 2, 2], "coder": list("xyzxyz")}
    data = ac.read(rows | {"label": ["p;q", "p", "p", "q", "q", ""]}, separator=";", blank="empty")
    scores = ac.score_predictions({"item": [1, 2], "p": [0.9, 0.2], "q": [0.4, 0.7]}, data)
    apart = np.array([[0.1, 0.4 - 1 / 3], [0.2, 0.7 - 2 / 3]])  # from p 1, 0 and q 1/3, 2/3
    assert scores["brier"].value == pytest.approx(2 * (apart**2).mean())
    assert scores["macro_f1"].value == 1
    found = ac.fit(data, "majority")
    apart = found.probabilities - [[1, 1 / 3], [0, 2 / 3]]
    assert ac.score_predictions(found, data)["brier"].value == pytest.approx(2 * (apart**2).mean())


def test_several_models() -> None:
    found = ac.score_predictions({"sharp": table(), "flat": table(np.full(P.shape, 1 / 3))}, SOFT)
    assert found["sharp", "js"].value == pytest.approx(SCORES["js"].value)
    assert found["sharp", "js"].value < found["flat", "js"].value
    assert [(r["model"], r["measure"]) for r in found.to_rows()] == [
        (model, measure) for model in ("sharp", "flat") for measure in MEASURES
    ]
    with pytest.raises(ac.RequestError, match="other"):
        found["other", "js"]


def test_what_is_told() -> None:
    belief = ac.soft_labels(CROWD, of="belief")
    told = {f.code: f for f in ac.score_predictions(belief, SOFT).findings}
    assert told["mixed_kinds"].facts == {"predictions": "belief", "soft": "opinion"}
    same = ac.score_predictions(SOFT, SOFT)
    assert "mixed_kinds" not in {f.code for f in same.findings}
    some = {name: [*x[:50], *extra] for (name, x), extra in zip(
        table().items(), [["other"], [1], [0], [0]], strict=True)}  # fmt: skip
    part = ac.score_predictions(some, SOFT)["js"]
    assert (part.n_items, part.n_missing) == (50, 70)


@pytest.mark.parametrize(
    "predictions",
    [
        {"item": [1, 2], "a": [0.5, 0.5], "b": [0.6, 0.5]},
        {"item": [1, 2], "a": [0.5, 1], "b": [None, 0]},
        {"item": [1, 2], "a": [3.0, 1], "b": [-2.0, 0]},
        {"item": [1, 2], "p_a": [1, 1], "p_c": [0, 0]},
        {"item": ["x"], "a": [1], "b": [0]},
        {"item": [1, 2], "label": ["z", "a"]},
        {"item": [1, 2], "a": [1], "b": [0, 1]},
        {"item": [1, 1], "a": [1, 0], "b": [0, 1]},
        {"item": [1, 2], "score": [1, 0]},
        {"item": [1, 2], "a": ["x", 0], "b": [0, 1]},
        {"item": [1, 2], "label": ["a", None]},
        "missing.csv",
    ],
)
def test_predictions_that_are_none(predictions: Any) -> None:
    with pytest.raises(ac.AccordantError):
        ac.score_predictions(predictions, [["a", "b"], ["a", "a"]])


def test_soft_labels_take_no_options_of_annotations() -> None:
    with pytest.raises(ac.RequestError, match="soft labels already"):
        ac.score_predictions(table(), SOFT, smoothing="none")
