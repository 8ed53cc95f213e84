"""Scores against soft labels: against SciPy and scikit-learn, and by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import accuracy_score, f1_score, log_loss

import accordant as ac
from accordant.errors import InputError, RequestError
from accordant.models.soft.distributions import DISTANCES, js
from accordant.models.soft.scores import errors, influences, one_coder, resampled, sums_of, values

SAME = 1e-12  # two floats that were computed in different ways

CROWD = ac.simulate_crowd(120, 9, 3, per_item=(3, 7), ambiguous=0.4, seed=1)
SOFT = ac.soft_labels(CROWD.data, smoothing="none")
RNG = np.random.default_rng(0)
P = 0.6 * SOFT.probabilities + 0.4 * RNG.dirichlet(np.ones(3), len(SOFT))
SCORES = ac.score_predictions(P, SOFT)


# ---------------------------------------------------------------------- against others


def test_distances_against_scipy():
    t = SOFT.probabilities
    expected = {
        "cross_entropy": (stats.entropy(t, axis=1) + stats.entropy(t, P, axis=1)) / math.log(2),
        "kl": stats.entropy(t, P, base=2, axis=1),
        "js": jensenshannon(t, P, base=2, axis=1) ** 2,
        "js_distance": jensenshannon(t, P, base=2, axis=1),
        "brier": ((t - P) ** 2).sum(1),
        "total_variation": np.abs(t - P).sum(1) / 2,
        "cosine": (t * P).sum(1) / np.linalg.norm(t, axis=1) / np.linalg.norm(P, axis=1),
    }
    assert set(expected) == set(DISTANCES)
    for name, values_of in expected.items():
        assert np.allclose(SCORES.of_items[name], values_of, atol=1e-9)
        assert SCORES[name].value == pytest.approx(values_of.mean())
        se = values_of.std(ddof=1) / math.sqrt(len(values_of))
        assert SCORES[name].se == pytest.approx(se)  # the delta method of a mean
        low, high = stats.t.interval(0.95, len(t) - 1, values_of.mean(), se)
        assert (SCORES[name].low, SCORES[name].high) == pytest.approx((max(low, 0), high))


def test_cross_entropy_against_sklearn():
    """The votes as labels, one by one, each item counting once."""
    i, k = np.nonzero(SOFT.counts)
    weight = SOFT.counts[i, k] / SOFT.n[i]
    found = ac.score_predictions(P, SOFT, unit="nats")["cross_entropy"].value
    assert found == pytest.approx(log_loss(k, P[i], sample_weight=weight, labels=[0, 1, 2]))


def test_hard_scores_against_sklearn():
    clear = ~SOFT.tied
    truth, guess = SOFT.counts.argmax(1)[clear], P.argmax(1)[clear]
    assert SCORES["accuracy"].value == pytest.approx(accuracy_score(truth, guess))
    for average in ("micro", "macro"):
        expected = f1_score(truth, guess, average=average)
        assert SCORES[f"{average}_f1"].value == pytest.approx(expected)
    assert SCORES.n_tied == SOFT.tied.sum() > 0


def test_entropies_of_predictions_and_coders():
    t, e = (stats.entropy(x, base=2, axis=1) for x in (SOFT.probabilities, P))
    assert SCORES["entropy_correlation"].value == pytest.approx(stats.pearsonr(t, e).statistic)
    cosine = t @ e / np.linalg.norm(t) / np.linalg.norm(e)
    assert SCORES["entropy_similarity"].value == pytest.approx(cosine)
    assert SCORES["entropy_gap"].value == pytest.approx((e - t).mean())


def test_wasserstein_against_scipy():
    data = CROWD.data
    numbers = {"A": 1, "B": 2, "C": 5}
    triples = [(r["item"], r["coder"], numbers[r["label"]]) for r in data.to_rows()]
    soft = ac.soft_labels(triples, smoothing="none", scale="interval")
    found = ac.score_predictions(P, soft).of_items["wasserstein"]
    at = [1, 2, 5]
    expected = [stats.wasserstein_distance(at, at, p, q) for p, q in zip(soft.probabilities, P)]
    assert np.allclose(found, expected)


def test_standard_errors_against_the_bootstrap():
    drawn = ac.score_predictions(P, SOFT, interval="bootstrap", resamples=4000)
    for score in SCORES.scores:
        other = drawn[score.measure]
        assert other.value == pytest.approx(score.value, abs=SAME)
        assert score.se == pytest.approx(other.se, rel=0.12, abs=1e-3), score.measure
    again = ac.score_predictions(P, SOFT, interval="bootstrap", resamples=4000)
    assert again.to_json() == drawn.to_json()


def test_standard_errors_against_the_jackknife():
    parts = (SOFT.probabilities, (SOFT.counts == SOFT.counts.max(1, keepdims=True)) * 1.0)
    sums = sums_of(parts[0], parts[1], 1.0 - SOFT.tied, P, floor=0, at=None)
    n = len(P)
    moved = influences(sums, np.arange(n), n)
    total = sums.x.sum(0)
    each = values(total - sums.x, len(sums.names))
    jackknife = np.sqrt((n - 1) / n * ((each - each.mean(0)) ** 2).sum(0))
    assert np.allclose(errors(moved), jackknife, rtol=0.05)
    drawn = resampled(sums, np.arange(n), n, 50, 1)
    assert drawn.shape == (50, len(sums.measures))


def test_items_of_one_cluster_count_together():
    """Each item twice: as clusters of two the error stays, as single items it shrinks."""
    items = [f"{k}{i}" for k in "ab" for i in range(60)]
    triples = [
        (f"{k}{r['item']}", r["coder"], r["label"])
        for k in "ab"
        for r in CROWD.data.to_rows()
        if int(r["item"]) < 60
    ]
    soft = ac.soft_labels(triples, smoothing="none")
    own = {str(x): P[int(str(x)[1:])].tolist() for x in soft.names}
    once = ac.soft_labels([t for t in triples if t[0][0] == "a"], smoothing="none")
    alone = ac.score_predictions({i: p for i, p in own.items() if i[0] == "a"}, once)
    twice = ac.score_predictions(own, soft, clusters={i: i[1:] for i in own})
    naive = ac.score_predictions(own, soft)
    assert twice["brier"].se == pytest.approx(alone["brier"].se)
    assert naive["brier"].se < 0.75 * twice["brier"].se
    assert len(items) == 120
    with pytest.raises(RequestError, match="no group"):
        ac.score_predictions(own, soft, clusters={"a1": 1})


# ---------------------------------------------------------------------- laws

distributions = st.lists(st.floats(0.001, 1), min_size=3, max_size=3).map(
    lambda x: np.array(x) / sum(x)
)


@given(distributions, distributions)
def test_jensen_shannon_is_symmetric_and_bounded(p, q):
    assert js(p, q) == pytest.approx(js(q, p).item(), abs=1e-12)
    assert 0 <= js(p, q) <= 1
    assert js(p, p) == 0


@given(distributions, distributions)
def test_proper_scores_are_best_for_the_truth(t, p):
    for name in ("cross_entropy", "kl", "brier"):
        of = DISTANCES[name].of
        assert of(t, t) <= of(t, p) + 1e-12


@given(distributions, distributions, st.permutations(range(3)))
def test_names_of_categories_do_not_matter(t, p, order):
    for distance in DISTANCES.values():
        assert distance.of(t[list(order)], p[list(order)]) == pytest.approx(
            distance.of(t, p).item(), abs=1e-9
        )


def test_order_of_rows_does_not_matter():
    by_item = dict(zip(SOFT.names, P.tolist()))
    order = np.random.default_rng(1).permutation(len(P))
    shuffled = {SOFT.names[k]: P[k].tolist() for k in order}
    one = ac.score_predictions(by_item, SOFT, interval="bootstrap", resamples=200)
    other = ac.score_predictions(shuffled, SOFT, interval="bootstrap", resamples=200)
    assert one.to_json() == other.to_json()


# ---------------------------------------------------------------------- what to compare with


def test_references_by_hand():
    soft = ac.soft_labels([["a", "b"], ["a", "a"]], smoothing="none")
    scores = ac.score_predictions([[0.5, 0.5], [0.5, 0.5]], soft)
    tv = scores["total_variation"].references
    assert tv["uniform"] == 0.25
    assert tv["soft_labels"] == 0
    assert tv["frequencies"] == 0.25  # .75 against 1 and .5
    assert tv["majority_label"] == 0  # a tie is shared out
    assert scores["cross_entropy"].references["soft_labels"] == pytest.approx(0.5)


def test_a_perfect_model_gets_what_is_said_of_it():
    """The true distributions as predictions: the reachable score is met."""
    rng = np.random.default_rng(5)
    p = rng.dirichlet([0.8, 0.5, 0.3], 3000)
    labels = [[int(rng.choice(3, p=q)) for q in p] for _ in range(4)]
    for smoothing in ("none", "cells"):
        soft = ac.soft_labels(labels, smoothing=smoothing)
        scores = ac.score_predictions(p, soft)
        for name in ("cross_entropy", "kl", "js", "brier", "total_variation"):
            score = scores[name]
            assert abs(score.value - score.references["perfect"]) < 4 * score.se, name
            assert score.references["perfect"] > score.references["soft_labels"]


def test_one_coder_by_brute_force():
    """Every annotation against the other annotations of its item, each item counting once."""
    soft = ac.soft_labels(CROWD.data, smoothing="none")
    total, weight, agree, decided = 0.0, 0.0, 0.0, 0.0
    for counts in soft.counts:
        n = counts.sum()
        for k in range(3):
            for _ in range(int(counts[k])):
                others = counts - np.eye(3)[k]
                total += np.abs(np.eye(3)[k] - others / others.sum()).sum() / 2 / n
                weight += 1 / n
                top = np.flatnonzero(others == others.max())
                if len(top) == 1:
                    agree += (top[0] == k) / n
                    decided += 1 / n
    scores = ac.score_predictions(P, soft)
    assert scores["total_variation"].one_coder == pytest.approx(total / weight)
    assert scores["accuracy"].one_coder == pytest.approx(agree / decided)
    assert one_coder(ac.soft_labels([("i", "x", "a"), ("j", "y", "b")]), np.array([0, 1])) is None


def test_a_coder_as_prediction_is_as_good_as_a_coder():
    """One coder's labels, left out of the votes, score like other coders do."""
    crowd = ac.simulate_crowd(400, {"good": 6}, 3, per_item=6, seed=2)
    rows = crowd.data.to_rows()
    own = {r["item"]: r["label"] for r in rows if r["coder"] == "good 1"}
    others = [(r["item"], r["coder"], r["label"]) for r in rows if r["coder"] != "good 1"]
    score = ac.score_predictions(own, others)["total_variation"]
    assert score.difference_low - 0.03 < 0 < score.difference_high + 0.03


# ---------------------------------------------------------------------- forms


def test_every_form_of_predictions_gives_the_same(tmp_path):
    import pandas as pd

    names, items = list(SOFT.categories), [str(x) for x in SOFT.names]
    frame = pd.DataFrame(P, columns=names)
    frame.insert(0, "item", items)
    frame.to_csv(tmp_path / "p.csv", index=False)
    frame.rename(columns={c: f"p_{c}" for c in names}).to_parquet(tmp_path / "p.parquet")
    with (tmp_path / "p.jsonl").open("w") as f:
        for item, row in zip(items, P.tolist()):
            f.write(json.dumps({"item": item, "soft": dict(zip(names, row))}) + "\n")
    forms = [
        P.tolist(),
        frame,
        frame.set_index("item"),
        tmp_path / "p.csv",
        str(tmp_path / "p.parquet"),
        tmp_path / "p.jsonl",
        dict(zip(items, P)),
        {c: list(frame[c]) for c in frame},
        {i: dict(zip(names, row)) for i, row in zip(items, P.tolist())},
        [{"item": i, **dict(zip(names, row))} for i, row in zip(items, P.tolist())],
    ]
    for form in forms:
        found = ac.score_predictions(form, SOFT)
        for score in SCORES.scores:
            assert found[score.measure].value == pytest.approx(score.value), type(form)


def test_a_series_by_item_and_columns_of_distributions():
    import pandas as pd

    items, rows = SOFT.names, P.tolist()
    each = [dict(zip(SOFT.categories, row)) for row in rows]
    forms = [
        pd.Series(each, index=items),
        {"item": items, "prediction": each},
        pd.Series(rows, index=items),
        {"id": items, "probs": rows},
    ]
    for form in forms:
        found = ac.score_predictions(form, SOFT)
        assert found["js"].value == pytest.approx(SCORES["js"].value), type(form)
    labels = [SOFT.categories[k] for k in P.argmax(1)]
    series = ac.score_predictions(pd.Series(labels, index=items), SOFT)
    assert series["accuracy"].value == pytest.approx(SCORES["accuracy"].value, abs=SAME)


def test_a_posterior_of_sets_is_scored_label_by_label():
    data = ac.read(
        {
            "item": [1, 1, 1, 2, 2, 2],
            "coder": list("xyzxyz"),
            "label": ["p;q", "p", "p;q", "q", "q", "q"],
        },
        separator=";",
        blank="empty",
    )
    found = ac.fit(data, "majority")
    scores = ac.score_predictions(found, data)
    apart = np.abs(found.probabilities - [[1, 2 / 3], [0, 1]])
    assert scores["total_variation"].value == pytest.approx(apart.mean())


def test_hard_labels():
    labels = [SOFT.categories[k] for k in P.argmax(1)]
    one = ac.score_predictions(labels, SOFT)
    other = ac.score_predictions({"item": SOFT.names, "label": labels}, SOFT)
    third = ac.score_predictions(dict(zip(SOFT.names, labels)), SOFT)
    for found in (one, other, third):
        assert found["accuracy"].value == pytest.approx(SCORES["accuracy"].value, abs=SAME)
    assert "floor" in {f.code for f in one.findings}
    assert one["js"].value > SCORES["js"].value


def test_ties_are_left_out_or_shared():
    votes = [["a", "a"], ["b", "a"]]
    left = ac.score_predictions(["a", "a"], votes)
    assert (left["accuracy"].value, left.n_tied) == (1.0, 1)
    shared = ac.score_predictions(["a", "a"], votes, ties="shared")
    assert (shared["accuracy"].value, shared.n_tied) == (0.75, 0)
    tied = ac.score_predictions([[0.5, 0.5], [0.5, 0.5]], votes)
    assert tied["accuracy"].value == 0.5  # a prediction that is tied is right by its share


def test_sets_of_labels():
    data = ac.read(
        {
            "item": [1, 1, 1, 2, 2, 2],
            "coder": list("xyzxyz"),
            "label": ["p;q", "p", "p", "q", "q", ""],
        },
        separator=";",
        blank="empty",
    )
    scores = ac.score_predictions({1: {"p": 0.9, "q": 0.4}, 2: {"p": 0.2, "q": 0.7}}, data)
    # shares: p 1, q 1/3; p 0, q 2/3
    apart = np.array([[0.1, 0.4 - 1 / 3], [0.2, 0.7 - 2 / 3]])
    assert scores["total_variation"].value == pytest.approx(apart.mean())
    assert scores["brier"].value == pytest.approx(2 * (apart**2).mean())
    assert scores["micro_f1"].value == 1
    wrong = ac.score_predictions({1: {"p": 0.9, "q": 0.6}, 2: {"p": 0.2, "q": 0.3}}, data)
    assert wrong["micro_f1"].value == pytest.approx(
        f1_score([[1, 0], [0, 1]], [[1, 1], [0, 0]], average="micro")
    )
    assert wrong["macro_f1"].value == pytest.approx(
        f1_score([[1, 0], [0, 1]], [[1, 1], [0, 0]], average="macro")
    )


def test_soft_labels_of_other_kind_are_told():
    belief = ac.soft_labels(CROWD.data, of="belief")
    codes = {f.code: f for f in ac.score_predictions(belief, SOFT).findings}
    assert codes["mixed_kinds"].severity == "warning"
    assert "mixed_kinds" not in {f.code for f in ac.score_predictions(SOFT, SOFT).findings}
    assert "scored_against_beliefs" in {f.code for f in ac.score_predictions(P, belief).findings}
    assert ac.score_predictions(P, belief).to_rows()[0]["kind"] == "belief"
    smooth = ac.score_predictions(P, ac.soft_labels(CROWD.data))
    assert "smoothed_targets" in {f.code for f in smooth.findings}


def test_missing_and_other_items_are_counted():
    some = dict(zip(SOFT.names[:50], P[:50].tolist())) | {"other": [1, 0, 0]}
    scores = ac.score_predictions(some, SOFT)
    assert (len(scores.items), scores.n_missing, scores.n_extra) == (50, 70, 1)
    finding = next(f for f in scores.findings if f.code == "items_without_prediction")
    assert "70 items of 120 have no prediction" in finding.sentence
    assert len(scores.item_rows()) == 50


def test_a_useless_prediction_is_told():
    wrong = np.roll(SOFT.probabilities, 1, axis=1)
    codes = {f.code for f in ac.score_predictions(wrong, SOFT).findings}
    assert "no_better_than_frequencies" in codes
    zero = ac.score_predictions(wrong, SOFT, floor=0)
    assert zero["cross_entropy"].value == math.inf
    assert math.isnan(zero["cross_entropy"].se)
    assert "impossible_labels" in {f.code for f in zero.findings}


TWO = [["a", "b"], ["a", "a"]]


@pytest.mark.parametrize(
    "predictions, says",
    [
        ([[0.5, 0.6], [0.5, 0.5]], r"item 1: the probabilities sum to 1.1.*1 of 2 rows"),
        ([[0.5, float("nan")], [1, 0]], "item 1 has no probability for 'b'"),
        ([[3.0, -2.0], [1, 0]], "softmax"),
        ([[0.5, 0.5]], "1 predictions for 2 items"),
        ([[0.2, 0.3, 0.5], [1, 0, 0]], "has 3 probabilities; 2 are needed"),
        ({1: {"a": 0.5, "c": 0.5}}, "category 'c'"),
        ({"x": {"a": 1.0}}, "no predicted item"),
        ({1: "z", 2: "a"}, "category 'z'"),
        ({}, "no predictions"),
        ({"item": [], "a": [], "b": []}, "no predictions"),
        ({"item": [1, 2], "a": [1], "b": [0, 1]}, "differ in length"),
        ({"item": [1, 1], "a": [1, 0], "b": [0, 1]}, "two predictions"),
        ({"item": [1, 2], "score": [1, 0]}, "no column for a category"),
        ({"item": [1, 2], "a": ["x", 0], "b": [0, 1]}, "no probability"),
        ({"item": [1, 2], "label": ["a", None]}, "no predicted label"),
        ({1: [0.5], 2: [1]}, "has 1 probabilities; 2 are needed"),
    ],
)
def test_predictions_that_are_none(predictions, says):
    with pytest.raises(InputError, match=says):
        ac.score_predictions(predictions, TWO)


@pytest.mark.parametrize(
    "options, says",
    [
        ({"ties": "random"}, "ties"),
        ({"floor": 0.7}, "floor"),
        ({"unit": "dits"}, "unit"),
        ({"interval": "exact"}, "interval"),
        ({"level": 1.0}, "level"),
        ({"interval": "bootstrap", "resamples": 1}, "^resamples: "),
    ],
)
def test_requests_that_make_no_sense(options, says):
    with pytest.raises(RequestError, match=says):
        ac.score_predictions([[1, 0], [0, 1]], TWO, **options)


def test_several_questions_need_a_choice():
    data = {"item": [1, 1, 2, 2], "coder": list("xyxy"), "p": list("aabb"), "q": list("cddd")}
    both = ac.soft_labels(ac.read(data, label=["p", "q"]))
    with pytest.raises(RequestError, match="one question"):
        ac.score_predictions([[1, 0], [0, 1]], both)
    with pytest.raises(RequestError, match="soft labels already"):
        ac.score_predictions([[1, 0], [0, 1]], both["p"], smoothing="none")


def test_what_is_shown():
    rows = SCORES.to_rows()
    assert len({tuple(row) for row in rows}) == 1
    assert {row["unit"] for row in rows} == {"bits"}
    assert "Jensen–Shannon" in str(SCORES)
    nats = ac.score_predictions(P, SOFT, unit="nats")
    assert nats["js"].value == pytest.approx(SCORES["js"].value * math.log(2))
    assert nats["brier"].value == pytest.approx(SCORES["brier"].value, abs=SAME)
