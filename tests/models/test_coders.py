"""Coders at a glance: figures by hand and as published, intervals that cover, laws, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accordant as ac
from accordant.models.coders.call import above_chance, bits, chance, spammer_score
from accordant.models.coders.coders import Coders, CodersOfQuestions
from accordant.models.coders.verdicts import agreement_with_others
from accordant.models.estimate import shares_of
from accordant.models.estimators.blend import held_out
from accordant.models.uncertainty import beta_ends, counted
from accordant.models.votes import votes
from claims.simulated_crowd import simulate_crowd
from models.planted import mixed, permuted_coders, relabelled, shuffled

# Raykar & Yu's score on Dawid-Skene (maximum likelihood): golden list, tolerance .002
BLUEBIRD = {
    "w1": 0.406,
    "w10": 0.0265,
    "w13": 0.4148,
    "w24": 0.001,
    "w28": 0.6547,
    "w37": 0.7408,
    "w38": 0.0001,
    "w4": 0.5118,
    "w5": 0.0003,
    "w9": 0.2546,
}


def confusion(seed: int, k: int, o: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(o), k)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_spammer_score_as_published(seed: int, k: int) -> None:
    a = confusion(seed, k, k)
    by_pairs = sum(((a[i] - a[j]) ** 2).sum() for i in range(k) for j in range(i)) / (k * (k - 1))
    assert spammer_score(a) == pytest.approx(by_pairs)
    if k == 2:
        assert spammer_score(a) == pytest.approx((a[0, 0] + a[1, 1] - 1) ** 2)


def test_spammer_scores_of_bluebird(real_data: Callable[[str], Path]) -> None:
    found = ac.coders(real_data("crowd/bluebird.csv"), "dawid_skene", leave_out=0, restarts=0)
    for name, score in BLUEBIRD.items():
        assert found[name].spammer_score == pytest.approx(score, abs=0.002)


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
def test_skill_and_bits_by_the_joint_table(seed: int, k: int, abstains: bool) -> None:
    a, p = confusion(seed, k, k + abstains), confusion(seed + 1, 1, k)[0]
    joint = p[:, None] * a
    given, agreed = joint.sum(0), np.trace(joint)
    chance = (p * given[:k]).sum()
    assert skill(a, p) == pytest.approx((agreed - chance) / (1 - chance))
    told = (joint * np.log2(joint / (p[:, None] * given))).sum()
    assert bits(a, p) == pytest.approx(told, abs=1e-9)


def skill(confusion: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Of the share that is right, beside the one that chance would make right."""
    return above_chance((confusion.diagonal() * p).sum(), chance(confusion, p))


def test_a_coder_who_does_not_look_has_no_skill() -> None:
    habit = np.tile([0.7, 0.2, 0.1], (3, 1))
    p = np.array([0.6, 0.3, 0.1])
    assert skill(habit, p) == pytest.approx(0)
    assert bits(habit, p) == pytest.approx(0)
    assert spammer_score(habit) == pytest.approx(0)
    assert skill(np.eye(3)[[1, 2, 0]], p) < 0 < bits(np.eye(3)[[1, 2, 0]], p)


def test_agreement_with_others_by_hand() -> None:
    v = votes(ac.read([["a", "a", "b", None], ["a", "b", "b", "a"], ["a", "b", None, None]]))
    found = agreement_with_others(v)
    assert found == pytest.approx([(1 + 0 + 1) / 3, (1 + 0.5 + 1) / 3, (1 + 0.5) / 2])
    alone = votes(ac.read([["a", "b", None], [None, None, "a"]]))
    assert np.isnan(agreement_with_others(alone)).all()


def test_control_items_are_told_apart() -> None:
    crowd = simulate_crowd(300, 6, 3, per_item=4, gold=0.3, seed=3)
    found = ac.coders(crowd.data, gold=crowd.gold, leave_out=0)
    rows = crowd.data.answered
    for name in found.posterior.coders:
        c, one = crowd.data.coders.index(name), found[name]
        mine = rows.coder == c
        on = np.isin(rows.item[mine] + 1, list(crowd.gold))
        hit = rows.value[mine][on] == crowd.truth[rows.item[mine][on]]
        assert one.n_control == on.sum() > 0
        assert one.accuracy == pytest.approx(hit.mean())
        n, right = float(on.sum()), float(hit.sum())
        low, high = beta_ends(np.array(right + 0.5), np.array(n - right + 0.5), 0.95)
        low, high = (low if right else 0.0), (high if right < n else 1.0)
        assert (one.accuracy_low, one.accuracy_high) == pytest.approx((float(low), float(high)))
    none = ac.coders(crowd.data, leave_out=0)
    assert all(c.n_control == 0 and np.isnan(c.accuracy) for c in none)


@pytest.mark.parametrize("shape", [(6, 2, 6), (20, 3, 5), (60, 3, 5)])
def test_intervals_cover(shape: tuple[int, int, int]) -> None:
    n_coders, k, per_item = shape
    inside = total = 0
    for seed in range(12):
        crowd = simulate_crowd(300, n_coders, k, per_item=per_item, seed=seed)
        found = ac.coders(crowd.data, "dawid_skene", leave_out=0, restarts=0)
        true = dict(zip(crowd.data.coders, crowd.accuracy, strict=True))
        inside += sum(c.low <= true[c.coder] <= c.high for c in found)
        total += len(found)
    assert 0.86 <= inside / total <= 0.995


def test_intervals_cover_where_spammers_move_the_labels() -> None:
    kinds = {"good": 8, "sloppy": 6, "spammer": 6}
    inside = total = 0
    for seed in range(12):
        crowd = simulate_crowd(200, kinds, 3, per_item=4, seed=seed)
        found = ac.coders(crowd.data, leave_out=0)
        true = dict(zip(crowd.data.coders, crowd.accuracy, strict=True))
        inside += sum(c.low <= true[c.coder] <= c.high for c in found)
        total += len(found)
    assert inside / total >= 0.87


def test_uncertain_labels_widen_intervals() -> None:
    crowd = simulate_crowd(200, 6, 2, per_item=3, seed=1)
    unsure = ac.fit(crowd.data, "dawid_skene")
    sure = np.eye(2)[crowd.truth]
    assert (counted(unsure.votes, sure, sure, sure, 0.0).known == 1).all()
    p = unsure.probabilities
    assert (counted(unsure.votes, p, p, p, 0.0).known < 0.97).any()


def test_labels_that_are_all_as_probable_tell_nothing_of_a_coder() -> None:
    """Known labels count in full (Louis 1982); where nobody knows which are right, none does."""
    table = votes(ac.read([["a", "b", "a", "b"], ["a", "b", "b", "a"]]))
    sure = np.eye(2)[[0, 1, 0, 1]]
    size = counted(table, sure, sure, sure, 0.0).size
    assert size.tolist() == [4, 4]
    alike = np.full((4, 2), 0.5)
    assert counted(table, sure, sure, alike, 0.0).size == pytest.approx([0, 0])
    half = np.array([[1.0, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]])  # mean .75, missing .125 of .1875
    assert counted(table, sure, sure, half, 0.0).size == pytest.approx([4 / 3] * 2)


def test_a_model_without_a_prior_is_less_sure_of_labels_that_do_not_follow_the_coder() -> None:
    crowd = simulate_crowd(300, 45, 2, per_item=3, accuracy=0.7, seed=2)
    found = ac.fit(crowd.data, "dawid_skene", restarts=0)
    q = found.estimate.probabilities
    apart = shares_of(held_out(found.votes, q))
    own, fair = (float(x.max(1).mean() - (x.argmax(1) == crowd.truth).mean()) for x in (q, apart))
    assert own > 0.1  # said to be right, less those that are
    assert abs(fair) < 0.5 * own


def test_the_interval_holds_the_estimate() -> None:
    for model in ("majority", "dawid_skene", "pooled", "one_coin"):
        for c in ac.coders(mixed().data, model, leave_out=0):
            assert c.low <= c.competence <= c.high
            assert c.skill_low <= c.skill <= c.skill_high


def test_confusion_with_intervals() -> None:
    crowd = mixed()
    found = ac.coders(crowd.data, "dawid_skene", leave_out=0)
    inside = total = 0
    for c, name in enumerate(crowd.data.coders):
        rows = found.confusion_of(name)
        table = np.array([r["probability"] for r in rows]).reshape(3, 3)
        assert table.sum(1) == pytest.approx(1)
        assert sum(r["n"] for r in rows) == pytest.approx(found[name].n_annotations)
        true = crowd.confusion[c].ravel()
        inside += sum(r["low"] <= t <= r["high"] for r, t in zip(rows, true, strict=True))
        total += len(rows)
    assert inside / total > 0.85


def test_an_overused_label_is_named() -> None:
    good, leaning = np.full((3, 3), 0.05) + 0.85 * np.eye(3), np.full((3, 3), 0.1)
    leaning += 0.4 * np.eye(3)
    leaning[:, 0] += 0.3
    crowd = simulate_crowd(300, np.stack([good] * 5 + [leaning]), per_item=6, seed=1)
    found = ac.coders(crowd.data, leave_out=0)
    last = found.each[-1]
    assert last.overused == crowd.categories[0]
    assert 1 < last.overuse_low < last.overuse < last.overuse_high
    assert last.overuse == pytest.approx(leaning[:, 0].mean() * 3, abs=0.35)


def test_a_label_that_is_hardly_ever_true_is_overused_at_most_as_often_as_given() -> None:
    crowd = simulate_crowd(60, {"spammer": 4}, 20, per_item=4, seed=1)
    found = ac.coders(crowd.data, leave_out=0)
    named = [c for c in found if c.overused is not None]
    assert named
    for c in named:
        given = (
            crowd.data.answered.value[crowd.data.answered.coder == crowd.data.coders.index(c.coder)]
            == crowd.data.values.index(c.overused)
        ).sum()
        assert c.overuse <= given + 1
        assert c.overuse_high <= c.n_annotations


def figures(found: Coders) -> dict[str, np.ndarray]:
    return {c.coder: np.array([c.competence, c.low, c.skill, c.skill_high, c.bits]) for c in found}


def test_order_and_names_do_not_matter() -> None:
    data = mixed().data
    base = ac.coders(data, "dawid_skene", leave_out=0)
    for other in (shuffled(data, 1), relabelled(data)):
        found = ac.coders(other, "dawid_skene", leave_out=0)
        for name, x in figures(base).items():
            assert figures(found)[name] == pytest.approx(x, abs=1e-6)
        assert [c.verdict for c in found] == [c.verdict for c in base]
    turned = ac.coders(permuted_coders(data)[0], "dawid_skene", leave_out=0)
    assert sorted(c.n_annotations for c in turned) == sorted(c.n_annotations for c in base)
    assert sorted(c.competence for c in turned) == pytest.approx(
        sorted(c.competence for c in base), abs=1e-6
    )


def test_one_table_through_every_door() -> None:
    crowd = mixed()
    posterior = ac.fit(crowd.data, "dawid_skene")
    one = ac.coders(posterior, leave_out=0)
    other = ac.coders(crowd.data, "dawid_skene", leave_out=0)
    assert json.loads(one.to_json()) == json.loads(other.to_json())
    assert len({tuple(row) for row in one.to_rows()}) == 1
    assert str(one).count("\n") > len(crowd.kinds)
    assert "seed 0" in one.signature


def test_several_questions() -> None:
    rows = [
        {"item": i, "coder": c, "question": q, "label": "ab"[(i + c * (i % 3 == 0)) % 2]}
        for i in range(12)
        for c in range(3)
        for q in ("one", "two")
    ]
    import pandas as pd

    found = ac.coders(pd.DataFrame(rows), leave_out=0)
    assert isinstance(found, CodersOfQuestions)
    assert [c.question for c in found] == ["one", "two"]
    assert found["two"].question == "two"
    assert len(found.to_rows()) == 6


def test_sets_of_labels_have_a_table_for_each_label() -> None:
    made = ac.simulate(80, 4, list("abc"), seed=1)
    found = ac.coders(made, "majority", leave_out=0)
    assert isinstance(found, CodersOfQuestions)
    assert [c.question for c in found] == ["a", "b", "c"]
    assert len(found["b"]) == 4


def test_few_and_no_annotations_in_common() -> None:
    alone = ac.coders([["a", "b", None, None], [None, None, "a", "b"]], "majority")
    assert all(c.verdict == "few" and np.isnan(c.agreement) for c in alone)
    assert str(alone)
    one = ac.coders([["a", "b", "a", "b", "a", "b"]], "majority")
    assert len(one) == 1
    same = ac.coders([["a"] * 9, ["a"] * 9, ["a"] * 9], "majority")
    assert all(c.verdict != "constant" for c in same)
    assert str(same)


def test_abstentions_are_counted() -> None:
    crowd = simulate_crowd(200, 6, 3, per_item=4, abstentions=0.2, seed=1)
    for how in ("missing", "informative"):
        found = ac.coders(crowd.data, abstentions=how, leave_out=0)
        assert sum(c.n_annotations for c in found) == len(crowd.data.answered)
        assert sum(c.n_abstained for c in found) == 800 - len(crowd.data.answered)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"level": 95}, "between 0 and 1"),
        ({"leave_out": -1}, "^leave_out: "),
        ({"leave_out": True}, "^leave_out: "),
        ({"model": "bayes theorem"}, "no model"),
        ({"gold": "nobody"}, "neither a coder"),
    ],
)
def test_bad_arguments(more: dict, told: str) -> None:
    with pytest.raises(ac.RequestError, match=told):
        ac.coders([["a", "b"], ["a", "b"]], **more)


def test_bad_names_and_double_arguments() -> None:
    found = ac.coders([["a", "b"], ["a", "b"]], "majority")
    with pytest.raises(ac.RequestError, match="nobody"):
        found.confusion_of("nobody")
    with pytest.raises(ac.RequestError, match="no verdict"):
        found.of_verdict("bad")
    with pytest.raises(ac.RequestError, match="posterior is fitted"):
        ac.coders(ac.fit([["a", "b"], ["a", "b"]]), gold={1: "a"})


@pytest.mark.parametrize("model", ["blend", "pooled"])
def test_the_matrix_of_a_coder_agrees_with_the_accuracy_beside_it(model: str) -> None:
    """That of `blend` had been drawn to all coders so much that the best looked like the others."""
    rng = np.random.default_rng(77)
    truth, right = rng.integers(4, size=300), rng.uniform(0.5, 0.95, 20)
    found = ac.fit(
        [
            (i, f"c{c}", "wxyz"[truth[i] if rng.random() < right[c] else rng.integers(4)])
            for i in range(300)
            for c in rng.choice(20, 4, replace=False)
        ],
        model,
    )
    assert found.confusion is not None
    share = found.answers.met
    of_matrix = (share * np.diagonal(found.confusion, axis1=1, axis2=2)).sum(1)
    assert np.abs(of_matrix - found.competence).max() < 0.06
