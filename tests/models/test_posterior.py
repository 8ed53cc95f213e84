"""The one shape: accuracy without luck, what is kept, averages, what can be written."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import InputError, RequestError
from accordant.models.gold import known_labels
from models.planted import binary, mixed, relabelled, reversed_categories, shuffled, unbalanced

TIED = [["a", "b", "a", "c"], ["a", "b", "b", "a"], ["a", "b", None, "b"]]
TRUTH = {1: "a", 2: "a", 3: "b", 4: "c"}


def fitted(model: str = "majority", **more: Any) -> Any:
    return ac.fit(TIED, model, **more)


def test_a_tie_is_never_right_by_luck() -> None:
    found = fitted()
    assert found.labels == ["a", "b", None, None]
    # right, wrong, one of two, one of three
    assert found.accuracy(TRUTH) == pytest.approx((1 + 0 + 1 / 2 + 1 / 3) / 4)
    assert found.accuracy(TRUTH, ties="wrong") == pytest.approx(1 / 4)
    assert found.accuracy(TRUTH, ties="left out") == pytest.approx(1 / 2)


def test_scores_by_hand() -> None:
    found = ac.fit([["a", "a", "a", "b"], ["a", "a", "a", "b"]], "majority")
    scores = found.scores({1: "a", 2: "a", 3: "b", 4: "b"})
    assert scores.accuracy == 0.75
    rows = {row["category"]: row for row in scores.to_rows()}
    assert (rows["a"]["precision"], rows["a"]["recall"]) == pytest.approx((2 / 3, 1))
    assert (rows["b"]["precision"], rows["b"]["recall"]) == pytest.approx((1, 1 / 2))
    assert rows["b"]["f1"] == pytest.approx(2 / 3)
    assert scores.macro_f1 == pytest.approx((0.8 + 2 / 3) / 2)
    # Wilson (1927) for 3 of 4
    assert (scores.low, scores.high) == pytest.approx((0.3006, 0.9544), abs=1e-4)
    assert "0.750" in str(scores)


def test_scores_agree_with_sklearn() -> None:
    from sklearn import metrics

    crowd = mixed()
    found = ac.fit(crowd.data, "dawid_skene", restarts=0)
    truth = dict(zip(found.labelled(), crowd.labels, strict=True))
    said = [str(x) for x in found.labels]
    p, r, f, n = metrics.precision_recall_fscore_support(
        [str(x) for x in crowd.labels], said, labels=[str(c) for c in found.categories]
    )
    scores = found.scores(truth, ties="wrong")
    assert scores.precision == pytest.approx(tuple(p))
    assert scores.recall == pytest.approx(tuple(r))
    assert scores.f1 == pytest.approx(tuple(f))
    assert scores.n_true == tuple(n)


def test_control_items_do_not_count() -> None:
    crowd = unbalanced()
    found = ac.fit(crowd.data, "dawid_skene", gold=crowd.gold)
    right = dict(zip(list(crowd.data.items), crowd.labels, strict=True))
    names = list(found.labelled())
    by_name = {name: right[name] for name in names}
    told, _ = known_labels(crowd.gold, found.data)
    scores = found.scores(by_name)
    assert scores.n_told == len(told)
    assert scores.n_items + scores.n_told == len(names)
    assert "control item" in str(scores)
    with pytest.raises(InputError, match="the model was told"):
        found.accuracy(dict(told))


def test_a_coder_that_was_learned_from_is_no_truth() -> None:
    data = ac.read({"item": ["x", "y"], "Ann": ["a", "b"], "Bob": ["a", "b"], "Eve": ["a", "b"]})
    found = ac.fit(data, "majority")
    with pytest.raises(RequestError, match="has learned from 'Eve'"):
        found.accuracy("Eve")
    assert ac.fit(data.of_coders(["Ann", "Bob"]), "majority").accuracy({"x": "a"}) == 1


def test_a_truth_that_nobody_gave_is_wrong() -> None:
    data = ac.read([["a", "b"], ["a", "b"]], categories=["a", "b", "c"])
    found = ac.fit(data, "majority")
    assert found.accuracy({1: "c", 2: "b"}) == 0.5


def test_bad_requests_are_said() -> None:
    found = fitted()
    with pytest.raises(RequestError, match="^ties: "):
        found.accuracy(TRUTH, ties="lucky")
    with pytest.raises(RequestError, match="one of confidence, share and entropy"):
        found.keep()
    with pytest.raises(RequestError, match="one of"):
        found.keep(confidence=0.5, share=0.5)
    with pytest.raises(RequestError, match="number from 0 to 1"):
        found.keep(share=50)
    with pytest.raises(RequestError, match="not a number"):
        found.mean()


# ------------------------------------------------------------------ averages


def test_mean_and_median_are_those_of_the_annotations() -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 7, (5, 40))
    found = ac.fit(table.tolist(), "majority")
    assert found.mean() == pytest.approx(table.mean(0))
    assert found.median() == pytest.approx(np.median(table, 0))


def test_mean_and_median_with_gaps_and_even_numbers() -> None:
    rng = np.random.default_rng(4)
    table = rng.choice([-5.0, 0.0, 2.5, 10.0], (6, 60))
    hole = rng.random(table.shape) < 0.4
    hole[0] = False
    shown = np.where(hole, np.nan, table)
    found = ac.fit(
        [[None if np.isnan(x) else x for x in row] for row in shown.tolist()], "majority"
    )
    assert found.mean() == pytest.approx(np.nanmean(shown, 0))
    assert found.median() == pytest.approx(np.nanmedian(shown, 0))


def test_affect_as_published(real_data: Any) -> None:
    data = ac.read(real_data("crowd/snow_affect.csv"))
    found = ac.fit(data, "majority")
    with open(real_data("crowd/snow_affect.gold.csv"), encoding="utf-8") as f:
        gold = {row["item"]: float(row["gold"]) for row in csv.DictReader(f)}
    expert = np.array([gold[str(x)] for x in found.labelled()])
    mean, median = found.mean() - expert, found.median() - expert
    assert np.abs(mean).mean() == pytest.approx(12.022, abs=1e-3)
    assert np.sqrt((mean**2).mean()) == pytest.approx(17.8353, abs=1e-3)
    assert np.abs(median).mean() == pytest.approx(13.5293, abs=1e-3)
    assert np.sqrt((median**2).mean()) == pytest.approx(21.2641, abs=1e-3)


# ------------------------------------------------------------------ shown and written


@pytest.mark.parametrize("model", ["map", "pooled", "one_coin", "mace", "glad", "subtypes"])
def test_the_log_likelihood_is_that_of_the_annotations(model: str) -> None:
    """Whatever was maximised: annotation by annotation, through what the model predicts."""
    found = fitted(model, restarts=0)
    votes, estimate = found.votes, found.estimate
    prior = estimate.state_prior if len(estimate.state_prior) else estimate.prevalence
    total = 0.0
    for i in range(votes.n_items):
        joint = np.log(prior)
        for at in np.flatnonzero(votes.item == i):
            table = estimate.emission.table(votes.item[[at]], votes.coder[[at]])
            joint = joint + np.log(table[0, :, votes.label[at]])
        total += float(np.log(np.exp(joint).sum()))
    if model in ("mace", "subtypes"):  # variational: the mean of a logarithm is less
        assert found.log_likelihood <= total + 1e-9
    else:
        assert found.log_likelihood == pytest.approx(total, abs=1e-6)
    assert np.isnan(fitted().log_likelihood)


def test_rows_have_the_same_keys_and_labels_can_be_written(tmp_path: Path) -> None:
    found = fitted("dawid_skene")
    rows = found.to_rows()
    assert len({tuple(row) for row in rows}) == 1
    found.write(tmp_path / "labels.csv")
    with open(tmp_path / "labels.csv", encoding="utf-8") as f:
        read = list(csv.DictReader(f))
    assert [row["item"] for row in read] == [str(x) for x in found.labelled()]
    assert [row["label"] or None for row in read] == found.labels
    assert [float(row["p_a"]) for row in read] == pytest.approx(found.probabilities[:, 0])
    with pytest.raises(RequestError, match="must end in"):
        found.write(tmp_path / "labels.doc")


def test_coder_rows() -> None:
    found = ac.fit(binary().data, "one_coin")
    rows = found.coder_rows()
    assert [row["coder"] for row in rows] == list(found.coders)
    assert [row["competence"] for row in rows] == pytest.approx(found.competence)
    assert sum(row["n_annotations"] for row in rows) == len(found.votes)


def test_entropy_has_no_minus_zero() -> None:
    assert not np.signbit(fitted().entropy).any()


@pytest.mark.parametrize("change", [shuffled, relabelled, reversed_categories])
def test_accuracy_depends_on_no_order_or_name(change: Any) -> None:
    crowd = mixed()
    one = ac.fit(crowd.data, "majority")
    other = ac.fit(change(crowd.data), "majority")
    truth = dict(zip(one.labelled(), crowd.labels, strict=True))
    names = {str(c): str(c) for c in one.categories}
    if change is relabelled:
        names = {str(c): f"{c} (new)" for c in one.categories}
    again = {item: names[str(label)] for item, label in truth.items()}
    assert other.accuracy(again) == pytest.approx(one.accuracy(truth))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("snow_rte", 0.896875),
        ("snow_temporal", 0.936147),
        ("bluebird", 0.759259),
        ("web", 0.730651),
    ],
)
def test_majority_as_published_ties_sharing_credit(
    name: str, expected: float, real_data: Any
) -> None:
    found = ac.fit(ac.read(real_data(f"crowd/{name}.csv")), "majority")
    assert found.accuracy(gold_of(real_data, name)) == pytest.approx(expected, abs=1e-6)


def gold_of(real_data: Any, name: str) -> dict[str, str]:
    with open(real_data(f"crowd/{name}.gold.csv"), encoding="utf-8") as f:
        return {row["item"]: row["gold"] for row in csv.DictReader(f)}


@pytest.mark.parametrize("labels", [(False, True), (0, 1), ("no", "yes")])
def test_labels_keep_their_type(labels: tuple[Any, Any], tmp_path: Path) -> None:
    import pandas as pd

    grid = np.array([[0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 1]])
    frame = pd.DataFrame(
        [(i, f"c{c}", labels[k]) for c, row in enumerate(grid) for i, k in enumerate(row)],
        columns=["item", "coder", "label"],
    )
    for data in (frame, np.array(labels)[grid]):
        found = ac.fit(data)
        assert [type(x) for x in found.categories] == [type(x) for x in labels]
        series = pd.Series(found.labelled())
        assert series.tolist() == [labels[k] for k in (0, 1, 0, 1)]
        assert series.dtype == frame["label"].dtype
        probabilities = pd.DataFrame(found.probabilities, found.votes.names, found.categories)
        assert (probabilities.idxmax(axis=1) == series).all()
        gold = dict(zip(found.votes.names, series, strict=True))
        assert found.accuracy(gold) == 1
        found.write(tmp_path / "labels.csv")
        assert found.accuracy(tmp_path / "labels.csv") == 1
