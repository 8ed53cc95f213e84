"""Beliefs that claim too much are weighed down: what tau does, and how it is found."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.models.estimators.pooling import answers_by_truth
from accordant.models.trust.design_effect import DRAWN, DesignEffect, design_effect
from accordant.models.votes import votes
from models.planted import (
    binary,
    camps,
    mixed,
    permuted_coders,
    reversed_categories,
    shuffled,
    unbalanced,
)

Path_of = Callable[[str], Path]


def correlated(seed: int = 0, share: float = 0.3) -> tuple[Any, dict[int, str]]:
    """Coders who are independent but for some items, on which most of them err together."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    right = np.where(rng.random(400) < share, rng.beta(2, 2, 400), 0.9)
    given = np.where(rng.random((9, 400)) < right, truth, 1 - truth)
    names = np.array(["no", "yes"])
    rows = [[str(x) for x in names[row]] for row in given]
    return ac.read(rows), {k + 1: str(names[t]) for k, t in enumerate(truth)}


# ------------------------------------------------------------------ what tau does


@pytest.mark.parametrize("model", ["pooled", "variational", "one_coin"])
@pytest.mark.parametrize("tau", [0.1, 0.35, 1.0, 1.7])
def test_labels_and_their_order_stay(model: str, tau: float) -> None:
    found = ac.fit(mixed().data, model, tau=1, restarts=0)
    tempered = found.tempered(tau)
    assert tempered.labels == found.labels
    assert tempered.tau == tau
    assert tempered.probabilities.sum(1) == pytest.approx(1)
    p, q = found.probabilities, tempered.probabilities
    if tau == 1:
        assert np.array_equal(q, p)
    inside = (p > 1e-9).all(1)
    expected = p[inside] ** tau / (p[inside] ** tau).sum(1, keepdims=True)
    assert q[inside] == pytest.approx(expected, abs=2e-3)


def test_zeros_of_maximum_likelihood_exclude_nothing() -> None:
    found = ac.fit(
        [["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]], "dawid_skene"
    )
    assert (found.estimate.confusion == 0).any()
    assert (found.tempered(0.5).probabilities > 0).all()


def test_control_items_keep_their_labels() -> None:
    crowd = unbalanced()
    found = ac.fit(crowd.data, "dawid_skene", gold=crowd.gold)
    tempered = found.tempered(0.2)
    control = found.votes.known >= 0
    assert control.sum() > 10
    assert (tempered.probabilities[control].max(1) == 1).all()
    assert (tempered.probabilities[~control].max(1) < 1).all()


def test_shares_of_votes_are_not_beliefs() -> None:
    found = ac.fit([["a", "b"], ["a", "b"]], "majority")
    with pytest.raises(RequestError, match="shares of votes, not probabilities"):
        found.tempered()
    assert not [f for f in found.findings if f.code == "overconfident"]


@pytest.mark.parametrize("tau", [0, -1, math.nan, True, "half"])
def test_bad_tau(tau: Any) -> None:
    with pytest.raises(RequestError, match="^tau: "):
        ac.fit([["a", "b"], ["a", "b"]], "pooled").tempered(tau)


def test_each_tempering_starts_from_the_model() -> None:
    found = ac.fit(binary().data, "pooled").tempered(0.5)
    again = found.tempered(0.25).tempered(0.5)
    assert np.array_equal(again.probabilities, found.probabilities)
    with pytest.raises(RequestError, match="not both"):
        ac.fit(binary().data, "pooled").tempered(0.5, gold={1: "a"})
    assert "tau 0.5" in found.signature


# ------------------------------------------------------------------ how tau is found


def by_hand(table: Any, q: np.ndarray) -> float:
    """The correlation as the definition writes it, pair by pair."""
    counts = answers_by_truth(table, q)
    pooled = counts.sum(0) + 0.01
    pooled /= pooled.sum(-1, keepdims=True)
    p = counts + DRAWN * pooled
    p /= p.sum(-1, keepdims=True)
    up = down = 0.0
    for i in range(table.n_items):
        own = np.flatnonzero(table.item == i)
        for a, b in permutations(own.tolist(), 2):
            for k in range(q.shape[1]):
                for o in range(table.n_answers):
                    x, y = p[table.coder[a], k, o], p[table.coder[b], k, o]
                    up += q[i, k] * ((table.label[a] == o) - x) * ((table.label[b] == o) - y)
                    down += q[i, k] * math.sqrt(x * (1 - x) * y * (1 - y))
    return up / down


def test_correlation_by_definition() -> None:
    rng = np.random.default_rng(0)
    rows = rng.choice(["a", "b", "c"], (4, 25)).tolist()
    for row in rows:
        row[int(rng.integers(25))] = None
    table = votes(ac.read(rows))
    q = rng.dirichlet(np.ones(3), table.n_items)
    found = design_effect(table, q)
    assert found.correlation == pytest.approx(by_hand(table, q))
    n = table.per_item
    assert found.per_item == pytest.approx((n**2).sum() / n.sum())
    alike = DesignEffect(0.05, found.per_item, found.n_items)
    assert alike.seen == pytest.approx(1 + (found.per_item - 1) * 0.05)
    assert found.error > 0


@pytest.mark.parametrize("crowd", [binary, mixed])
def test_independent_coders_show_no_correlation(crowd: Any) -> None:
    found = ac.fit(crowd().data, "dawid_skene", restarts=0)
    assert abs(found.design_effect.correlation) < 0.02
    assert found.tempered().tau == 1


@pytest.mark.parametrize("per_item", [5, 20])
def test_noise_is_no_dependence(per_item: int) -> None:
    """Before, tau fell to .4 in half of the crowds of independent coders."""
    options = {"per_item": per_item, "accuracy": 0.7}
    found = [
        ac.fit(ac.simulate_crowd(200, 20, 3, seed=seed, **options).data, restarts=0)
        for seed in range(12)
    ]
    assert sum(one.tempered().tau == 1 for one in found) >= 11
    assert sum(f.code == "overconfident" for one in found for f in one.findings) <= 1


def test_what_chance_makes_of_few_annotations() -> None:
    """The truth goes where coders go: replicates show the same correlation below 0."""
    crowds = [ac.simulate_crowd(160, 60, 5, per_item=3, seed=seed) for seed in range(5)]
    each = [ac.fit(crowd.data, restarts=0).design_effect for crowd in crowds]
    assert np.mean([one.correlation for one in each]) < -0.015
    assert np.mean([one.by_chance for one in each]) == pytest.approx(
        np.mean([one.correlation for one in each]), abs=0.015
    )


def test_that_nothing_can_be_seen_is_said() -> None:
    """Three annotations per item: one item in ten misleads, and nothing shows it."""
    crowd = ac.simulate_crowd(400, 60, 3, per_item=3, misleading=0.1, seed=100)
    found = ac.fit(crowd.data, restarts=0)
    (told,) = (f for f in found.findings if f.code == "dependence_unseen")
    assert told.severity == "note"
    assert "3.0 annotations per item and 20 per coder" in told.sentence
    assert "about 50 items" in told.advice
    assert found.design_effect.blind
    assert "nothing can be seen" in found.tempered().tempering


def test_shared_errors_are_seen_and_tempering_pays() -> None:
    data, truth = correlated()
    found = ac.fit(data, "dawid_skene", tau=1, restarts=0)
    assert found.design_effect.correlation > 0.02
    before, after = found.calibration(truth), found.tempered().calibration(truth)
    assert after.log_loss < 0.7 * before.log_loss
    assert after.error < before.error
    assert after.accuracy == pytest.approx(before.accuracy, abs=0.01)


def test_nothing_to_see_with_one_coder_per_item() -> None:
    data = ac.read({"item": list("wxyz"), "A": ["a", "b", "", ""], "B": ["", "", "a", "b"]})
    found = ac.fit(data, "pooled")
    assert math.isnan(found.design_effect.correlation)
    assert found.tempered().tau == 1
    assert "no item has annotations of two coders" in found.tempered().tempering


def test_gold_decides_as_far_as_there_is_any() -> None:
    data, truth = correlated(1)
    found = ac.fit(data, "dawid_skene", restarts=0)
    plain, full = found.tempered(), found.tempered(gold=truth)
    names = list(truth)
    few = found.tempered(gold={name: truth[name] for name in names[:3]})
    assert abs(math.log(few.tau / plain.tau)) < 0.7
    assert "400 gold items" in full.tempering
    assert "drawn towards" in full.tempering
    codes = np.array([found.categories.index(truth[name]) for name in names])

    def loss(tau: float) -> float:
        p = found.evidence.beliefs(tau)[np.arange(len(codes)), codes]
        return float(-np.log(p).mean())

    best = min(np.exp(np.linspace(-4, 0.6, 200)), key=loss)
    assert full.tau == pytest.approx(best, rel=0.15)
    assert loss(full.tau) <= loss(plain.tau) + 1e-9


def test_control_items_are_gold_too() -> None:
    data, truth = correlated(2)
    told = {name: truth[name] for name in list(truth)[:80]}
    found = ac.fit(data, "dawid_skene", gold=told, restarts=0).tempered()
    assert "80 control items, judged by fits that were not told them" in found.tempering


def test_control_items_do_not_flatter() -> None:
    """The model knows the labels of its control items: by them, beliefs looked too modest."""
    gains, taus = [], []
    for seed in range(4):
        crowd = ac.simulate_crowd(160, 60, 5, per_item=3, gold=0.5, seed=seed)
        told = ac.fit(crowd.data, gold=crowd.gold, tau=1, restarts=0)
        others = {
            k: label
            for k, label in zip(list(crowd.data.items), crowd.labels, strict=True)
            if k not in crowd.gold
        }
        tempered = told.tempered()
        taus.append(tempered.tau)
        gains.append(told.calibration(others).log_loss - tempered.calibration(others).log_loss)
    assert np.mean(taus) < 0.9  # in the sample it was 1.2
    assert np.mean(gains) > 0  # and others were worse for it by .036
    q = told.control_evidence
    assert np.isfinite(q[told.votes.known >= 0]).all()
    assert np.isnan(q[told.votes.known < 0]).all()


@pytest.mark.parametrize("change", [shuffled, reversed_categories])
def test_no_order_matters(change: Any) -> None:
    data = mixed().data
    one, other = (ac.fit(d, "pooled", restarts=0).tempered() for d in (data, change(data)))
    assert other.tau == pytest.approx(one.tau, rel=1e-6)
    p = dict(zip(one.labelled(), one.confidence.tolist(), strict=True))
    q = dict(zip(other.labelled(), other.confidence.tolist(), strict=True))
    assert q == pytest.approx(p, abs=1e-6)


def test_names_of_coders_do_not_matter() -> None:
    data = mixed().data
    other, _ = permuted_coders(data)
    one, two = (ac.fit(d, "pooled", restarts=0).tempered().tau for d in (data, other))
    assert two == pytest.approx(one, rel=1e-6)


def test_repeated_annotations_and_abstentions_do_no_harm() -> None:
    found = ac.fit(unbalanced().data, "dawid_skene", abstentions="informative", restarts=0)
    assert np.isfinite(found.tempered().probabilities).all()


def test_the_rule_of_tau() -> None:
    assert DesignEffect(0.0, 10.0, 5).tau == 1
    assert DesignEffect(-0.3, 10.0, 5).tau == 1
    assert DesignEffect(0.04, 10.0, 5).tau == pytest.approx(1 / (1 + 5 * 0.6))
    assert DesignEffect(0.04, 10.0, 5, by_chance=0.03).tau == pytest.approx(1 / (1 + 5 * 0.3))
    assert DesignEffect(0.04, 10.0, 5, error=0.03).tau == 1  # no more than noise
    assert DesignEffect(0.04, 10.0, 5, by_chance=-0.02).tau == pytest.approx(1 / (1 + 5 * 0.6))
    just = DesignEffect(0.04, 10.0, 5, error=0.04 / 1.65).tau
    assert 0.5 < just < 1  # hardly more than noise: less tempered than by all of it
    assert DesignEffect(0.04, 10.0, 5).tau < 0.26


def test_when_nothing_can_be_seen() -> None:
    assert not DesignEffect(0.0, 3.0, 5).blind  # nobody tried
    assert DesignEffect(0.0, 3.0, 5, error=0.01, planted=0.015).blind
    assert not DesignEffect(0.0, 3.0, 5, error=0.01, planted=0.03).blind
    assert not DesignEffect(0.05, 3.0, 5, error=0.01, planted=0.015).blind


# ------------------------------------------------------------------ what a reader is told


def test_overconfidence_is_told_with_its_numbers() -> None:
    data, truth = correlated(3)
    found = ac.fit(data, "dawid_skene", tau=1, restarts=0)
    (told,) = (f for f in found.findings if f.code == "overconfident")
    sure = found.confidence > 0.999
    assert told.evidence["n"] == sure.sum()
    assert f"{sure.sum():,} labels" in told.sentence
    wrong = sum(
        x != truth[name]
        for (name, x), s in zip(found.labelled().items(), sure.tolist(), strict=True)
        if s
    )
    assert told.evidence["claimed_wrong"] < 1 < wrong
    assert told.evidence["low"] <= told.evidence["expected_wrong"] <= told.evidence["high"]
    assert told.evidence["low"] < wrong < 2.5 * told.evidence["high"]
    assert "probably" in told.sentence
    assert "about 50 items" in told.advice
    assert not [f for f in found.tempered().findings if f.code == "overconfident"]


def test_camps_make_beliefs_too_sure() -> None:
    found = ac.fit(camps().data, "dawid_skene", restarts=0)
    assert found.design_effect.correlation > 0.05


# ------------------------------------------------------------------ against known labels

GOLD = [
    "snow_rte", "snow_temporal", "bluebird", "web", "weather_cf", "sp_polarity", "product",
    "tweet_sentiment", "face_sentiment",
]  # fmt: skip


@pytest.mark.parametrize("name", GOLD)
def test_tempering_helps_where_truth_is_known(name: str, real_data: Path_of) -> None:
    """Log-loss against gold before and after, labels staying as they are."""
    found = ac.fit(ac.read(real_data(f"crowd/{name}.csv")), "dawid_skene", tau=1, restarts=0)
    with open(real_data(f"crowd/{name}.gold.csv"), encoding="utf-8") as f:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(f)}
    before, tempered = found.calibration(gold), found.tempered()
    after = tempered.calibration(gold)
    assert after.log_loss < 0.45 * before.log_loss  # beliefs of maximum likelihood: all too sure
    # products are unequally frequent, and a weaker prior makes beliefs a little too cautious
    assert after.error < (before.error if name != "product" else 0.06)
    assert after.accuracy > before.accuracy - 0.005
    gold_50 = dict(list(gold.items())[:50])
    assert found.tempered(gold=gold_50).calibration(gold).log_loss < 1.1 * after.log_loss


def test_how_many_sure_labels_are_wrong(real_data: Path_of) -> None:
    """P(wrong) among labels surer than .999: 4.8 % in snow_rte, where the model says 0.003 %."""
    found = ac.fit(ac.read(real_data("crowd/snow_rte.csv")), "dawid_skene", tau=1, restarts=0)
    (told,) = (f for f in found.findings if f.code == "overconfident")
    assert told.evidence["n"] == 705
    assert told.evidence["claimed_wrong"] < 0.1
    assert 20 < told.evidence["expected_wrong"] < 50  # 34 are wrong by gold


def test_beliefs_that_were_averaged_keep_their_labels() -> None:
    """Where beliefs do not follow from the parameters, it is the beliefs that are tempered."""
    found = ac.fit(mixed().data, "pooled", restarts=0)
    own = found.untempered.probabilities
    p = 0.6 * own + 0.4 * own[:, [1, 2, 0]]
    averaged = replace(found, estimate=replace(found.estimate, probabilities=p))
    tempered = averaged.tempered(0.5)
    assert tempered.labels == averaged.labels
    seen = p.min(1) > 1e-6
    expected = np.sqrt(p[seen]) / np.sqrt(p[seen]).sum(1, keepdims=True)
    assert tempered.probabilities[seen] == pytest.approx(expected)
