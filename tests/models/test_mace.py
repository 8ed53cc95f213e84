"""MACE: its likelihood enumerated, MACE.jar's figures, the defects of other programs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import accordant as ac
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimate import Estimate, believed
from accordant.models.estimators.mace import mace
from accordant.models.votes import Votes, votes
from claims.simulated_crowd import simulate_crowd
from models.planted import (
    camps,
    estimate,
    mixed,
    permuted_coders,
    reversed_categories,
    shuffled,
    sparse,
    table,
    unbalanced,
)
from models.published import accuracy, crowd, published

Floats = NDArray[np.float64]
SNOW = ("snow_rte", "snow_temporal", "snow_wsd")
# "50 iterations, best of 10 restarts" is not the optimum of these: ours is higher by more than
# a nat, so labels differ too.
STOPPED_EARLY = {("product", "VB"), ("product", "EM"), ("weather_cf", "EM")}

RARELY_FOUND = {("weather_cf", "VB"): 20}  # starts: one of ten or twenty leads to the optimum


def marginal(t: Votes, found: Estimate) -> float:
    """What MACE prints: Σ log Σ_k exp(expected logarithms), without the cost of the coders."""
    return believed(t, found.state_prior, found.emission.log_likelihood(t))[1]


# ------------------------------------------------------------------ the model


def enumerated(t: Votes, knows: Floats, strategy: Floats, prior: Floats) -> float:
    """log P(annotations) by summing over all truths and over who spammed in which annotation."""
    total = 0.0
    for truth in itertools.product(range(t.n_categories), repeat=t.n_items):
        for spammed in itertools.product((False, True), repeat=len(t.label)):
            p = float(np.prod(prior[list(truth)]))
            for i, c, label, spam in zip(t.item, t.coder, t.label, spammed, strict=True):
                if spam:
                    p *= (1 - knows[c]) * strategy[c, label]
                else:
                    p *= knows[c] * (label == truth[i])
            total += p
    return float(np.log(total))


def test_the_likelihood_is_that_of_the_model() -> None:
    rows = [["a", "b", "a"], ["b", "b", "a"], ["a", "a", None]]
    t = votes(ac.read(rows))
    for steps in (1, 7):
        found = mace(t, How(max_iterations=steps), method="em", prevalence="learned")
        knows = found.coder_parameters["competence"]
        strategy = found.coder_parameters["strategy"]
        wanted = enumerated(t, knows, strategy, found.state_prior)
        assert marginal(t, found) == pytest.approx(wanted, abs=1e-10)
        again = mace(t, How(max_iterations=steps + 1), method="em", prevalence="learned")
        logs = np.log(knows).sum() + np.log(1 - knows).sum() + np.log(strategy).sum()
        assert again.climb.value == pytest.approx(wanted + 0.005 * logs, abs=1e-9)


def test_the_lower_bound_is_below_the_evidence() -> None:
    """log ∫ P(annotations | parameters) by drawing parameters from their prior."""
    t = votes(ac.read([["a", "b", "a"], ["b", "b", "a"]]))
    found = mace(t, How(), method="vb")
    rng = np.random.default_rng(0)
    n = 400_000
    knows = rng.beta(0.5, 0.5, (n, 2))
    strategy = rng.dirichlet([10, 10], (n, 2))
    p = np.ones(n)
    for i in range(t.n_items):
        given = [(c, k) for at, c, k in zip(t.item, t.coder, t.label, strict=True) if at == i]
        each = np.zeros(n)
        for true in range(2):
            q = np.full(n, 0.5)
            for c, k in given:
                q *= (1 - knows[:, c]) * strategy[:, c, k] + knows[:, c] * (k == true)
            each += q
        p *= each
    evidence = np.log(p.mean())
    assert evidence - 2 < found.climb.value < evidence


def test_emission_is_a_distribution_and_gives_the_beliefs_back() -> None:
    data = mixed().data
    t = table(data)
    for method in ("em", "vb"):
        found = mace(t, How(), method=method)
        rows = found.emission.table(t.item[:50], t.coder[:50])
        assert np.allclose(rows.sum(2), 1)
        assert np.allclose(found.confusion[t.coder[:50]], rows)
        q, _ = believed(t, found.state_prior, found.emission.log_likelihood(t))
        assert np.allclose(q, found.probabilities, atol=1e-12)
        wanted = np.einsum("k,ckk->c", found.prevalence, found.confusion)
        assert np.allclose(found.competence, wanted)


# ------------------------------------------------------------------ laws


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 4),
    method=st.sampled_from(["em", "vb"]),
    prevalence=st.sampled_from(["uniform", "learned"]),
)
def test_the_objective_never_falls(seed: int, k: int, method: str, prevalence: str) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, k, (5, 15)).astype(object)
    rows[rng.random(rows.shape) < 0.3] = None
    rows[0] = rng.integers(0, k, 15)
    data: Any = [[None if x is None else "abcd"[int(x)] for x in row] for row in rows]
    t = votes(ac.read(data, categories=list("abcd"[:k])))
    found = mace(t, How(restarts=2), method=method, prevalence=prevalence)
    for run in (found.climb, *found.restarts):
        history = np.array(run.history)
        assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
        assert not run.fell
    assert np.allclose(found.probabilities.sum(1), 1)


@pytest.mark.parametrize("method", ["em", "vb"])
def test_nothing_depends_on_rows_coders_or_the_order_of_categories(method: str) -> None:
    data = mixed().data
    how = How(restarts=2)
    base = estimate(data, "mace", how, method=method)
    moved = shuffled(data)
    found, t = estimate(moved, "mace", how, method=method), votes(moved)
    where = {item: k for k, item in enumerate(map(str, t.items))}
    order = [where[str(item)] for item in votes(data).items]
    assert np.allclose(found.probabilities[order], base.probabilities, atol=1e-6)
    turned = estimate(reversed_categories(data), "mace", how, method=method)
    assert np.allclose(turned.probabilities[:, ::-1], base.probabilities, atol=1e-6)
    renamed, place = permuted_coders(data)
    other = estimate(renamed, "mace", How(), method=method)
    first = estimate(data, "mace", How(), method=method)
    assert np.allclose(other.probabilities, first.probabilities, atol=1e-6)
    assert np.allclose(other.competence[place], first.competence, atol=1e-6)


def test_a_thousand_annotations_of_an_item() -> None:
    rng = np.random.default_rng(1)
    truth = np.arange(20) % 4
    right = rng.random((1000, 20)) < 0.7
    label = np.where(right, truth, (truth + rng.integers(1, 4, right.shape)) % 4)
    found = ac.fit(label, "mace", restarts=1, layout="transposed")
    assert (found.estimate.probabilities.argmax(1) == truth).all()
    assert np.isfinite(found.history).all()
    assert found.estimate.coder_parameters["competence"].mean() == pytest.approx(0.6, abs=0.05)


# ------------------------------------------------------------------ what it finds


def test_planted_competence_and_strategy_are_recovered() -> None:
    rng = np.random.default_rng(5)
    knows = np.array([0.95, 0.8, 0.6, 0.4, 0.1, 0.0])
    strategy = np.array([[0.2, 0.3, 0.5]] * 4 + [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])
    truth = rng.integers(0, 3, 1500)
    spam = np.array([rng.choice(3, 1500, p=s) for s in strategy])
    label = np.where(rng.random((6, 1500)) < knows[:, None], truth, spam)
    for method in ("em", "vb"):
        found = ac.fit(label, "mace", method=method, restarts=2).estimate
        assert np.abs(found.coder_parameters["competence"] - knows).max() < 0.05
        assert np.abs(found.coder_parameters["strategy"][2:] - strategy[2:]).max() < 0.06
        right = knows + (1 - knows) / 3
        assert np.abs(found.competence - right).max() < 0.04
    interval = ac.fit(label, "mace", restarts=2).interval("competence")
    assert (interval.low < right + 0.01).all()
    assert (interval.high > right - 0.01).all()


def test_restarts_differ_and_the_best_is_kept() -> None:
    t = table(sparse().data)
    found = mace(t, How(restarts=6), method="em")
    values = [run.value for run in found.restarts]
    assert len({round(v, 3) for v in values}) > 1
    assert found.climb.value >= max(values) - 1e-3
    again = mace(t, How(restarts=6), method="em")
    assert np.array_equal(found.probabilities, again.probabilities)


def test_control_items_and_restarts_teach_whom_to_trust() -> None:
    """Three who always say 'a' outvote two who know, from where the votes begin."""
    rng = np.random.default_rng(2)
    truth = rng.choice(list("ab"), 60).tolist()
    rows = [["a"] * 60] * 3 + [truth] * 2
    misled = ac.fit(rows, "mace", restarts=0)
    assert misled.estimate.coder_parameters["competence"][:3].min() > 0.9
    gold = {i + 1: truth[i] for i in range(20)}
    for found in (ac.fit(rows, "mace", gold=gold, restarts=0), ac.fit(rows, "mace")):
        assert found.labels == truth
        competence = found.estimate.coder_parameters["competence"]
        assert competence[:3].max() < 0.1 < 0.9 < competence[3:].min()
        assert found.log_likelihood > misled.log_likelihood


def test_learned_prevalence_mends_unequal_categories() -> None:
    found = unbalanced()
    plain = ac.fit(found.data, "mace", restarts=0)
    learned = ac.fit(found.data, "mace", prevalence="learned", restarts=0)
    assert found.share_right(learned.labels) >= found.share_right(plain.labels)
    assert learned.prevalence[0] == pytest.approx(0.9, abs=0.05)
    (note,) = [f for f in plain.estimate.findings if f.code == "unequal_categories"]
    assert [step.options for step in note.do] == [{"prevalence": "learned"}]
    assert not [f for f in learned.estimate.findings if f.code == "unequal_categories"]
    assert not [f for f in ac.fit(camps().data, "mace").findings if f.code == "unequal_categories"]


@pytest.mark.parametrize(
    ("share", "accuracy", "prevalence"),
    [(0.5, 0.8, "uniform"), (0.9, 0.9, "uniform"), (0.9, 0.8, "learned")],
)
def test_intervals_hold_the_competence_of_coders_with_equal_errors(
    share: float, accuracy: float, prevalence: str
) -> None:
    held = []
    for seed in range(10):
        made = simulate_crowd(
            400,
            20,
            2,
            per_item=5,
            errors="equal",
            accuracy=accuracy,
            prevalence=[share, 1 - share],
            seed=seed,
        )
        found = ac.fit(made.data, "mace", prevalence=prevalence, restarts=0)
        interval = found.interval("competence")
        held.append((interval.low <= made.accuracy) & (made.accuracy <= interval.high))
        assert (interval.low < found.competence).all()
        assert (found.competence < interval.high).all()
    assert 0.87 < np.mean(held) < 0.985


@pytest.mark.parametrize(("accuracy", "k"), [(0.8, 2), (0.7, 2), (0.7, 4)])
def test_a_uniform_prevalence_that_is_clearly_wrong_is_told(accuracy: float, k: int) -> None:
    """What the model calls competence is .07 to .3 too low then."""
    shares = [0.9, *[0.1 / (k - 1)] * (k - 1)]
    made = simulate_crowd(
        600, 20, k, per_item=5, errors="equal", accuracy=accuracy, prevalence=shares, seed=1
    )
    found = ac.fit(made.data, "mace", restarts=0)
    (told,) = [f for f in found.estimate.findings if f.code == "unequal_categories"]
    assert told.severity == "warning"
    assert "no interval" in told.sentence
    assert told.evidence["category"] == made.categories[0]


def test_starts_hang_on_no_names() -> None:
    data = sparse().data
    renamed, _ = permuted_coders(data)
    how = How(restarts=3)
    one, two = (estimate(x, "mace", how, method="em") for x in (data, renamed))
    assert np.allclose(one.probabilities, two.probabilities, atol=1e-9)
    here, there = (list(table(x).coders) for x in (data, renamed))
    new = dict(zip(data.coders, renamed.coders, strict=True))
    at = [there.index(new[name]) for name in here]
    assert np.allclose(one.competence, two.competence[at], atol=1e-9)
    reached = [sorted(run.value for run in x.restarts) for x in (one, two)]
    assert np.allclose(*reached, atol=1e-6)


def test_abstentions_as_answers_are_a_part_of_spamming() -> None:
    rows = [["a", "b", "a", "b"], ["a", "b", "a", "b"], ["", "", "a", ""]]
    found = ac.fit(rows, "mace", blank="skipped", abstentions="informative")
    assert found.labels == ["a", "b", "a", "b"]
    strategy = found.estimate.coder_parameters["strategy"]
    assert strategy.shape == (3, 3)
    assert strategy[2].argmax() == 2
    assert np.allclose(found.estimate.confusion.sum(2), 1)


def test_hidden_annotations_leave_coders_and_items_without_any() -> None:
    t = votes(ac.read([["a", "b"], ["a", "b"], ["b", "b"]]))
    for method in ("em", "vb"):
        found = mace(t.without(t.item == 1), How(), method=method)
        assert found.probabilities[1].tolist() == pytest.approx([0.5, 0.5])
        found = mace(t.without(t.coder == 2), How(max_iterations=200), method=method)
        assert np.isfinite(found.competence).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mcmc"}, "^method: choose from vb, em, not 'mcmc'"),
        ({"prevalence": "flat"}, "^prevalence: choose from uniform, learned, not 'flat'"),
        ({"knowing": 0}, "^knowing: a number of annotations above 0, not 0"),
        ({"smoothing": -1}, "^smoothing: a number"),
        ({"strategy": "flat"}, "^strategy: a number"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        ac.fit([["a", "b"], ["a", "b"]], "mace", **options)


# ------------------------------------------------------------------ published values


@pytest.mark.parametrize("method", ["VB", "EM"])
def test_the_published_log_marginals_and_accuracies(
    real_data: Callable[[str], Path], method: str
) -> None:
    right = {entry["data"]: entry for entry in published(real_data, f"MACE {method} accuracy")}
    for entry in published(real_data, f"MACE {method} (50 iterations"):
        name = entry["data"]
        t = crowd(real_data, name)
        n = RARELY_FOUND.get((name, method), 10)
        found = mace(t, How(restarts=n, max_iterations=50), method=method.lower())
        got = marginal(t, found)
        assert got > entry["value"] - entry["tol"], name
        if (name, method) in STOPPED_EARLY:
            assert found.climb.value >= max(run.value for run in found.restarts) - 1e-3
            continue
        assert got < entry["value"] + 0.25, name  # at most a little better
        share = accuracy(real_data, name, t, found.probabilities)
        assert share == pytest.approx(right[name]["value"], abs=right[name]["tol"] + 1e-6), name


def test_the_competences_of_mace_jar(real_data: Callable[[str], Path]) -> None:
    entries = published(real_data, "MACE-VB competence per annotator")
    assert {entry["data"] for entry in entries} == set(SNOW)
    for entry in entries:
        t = crowd(real_data, entry["data"])
        # after 50 iterations none has arrived: with 20 starts one is as near as the best of theirs
        found = mace(t, How(restarts=20, max_iterations=50))
        got = dict(zip(t.coders, found.coder_parameters["competence"].tolist(), strict=True))
        assert set(got) == set(entry["value"])
        for coder, value in entry["value"].items():
            assert got[coder] == pytest.approx(value, abs=entry["tol"] + 0.001), coder


def test_what_it_does_to_two_camps(real_data: Callable[[str], Path]) -> None:
    for entry in published(real_data, "what one-truth models do to two camps"):
        t = crowd(real_data, entry["data"])
        found = mace(t, How(restarts=5))
        got = dict(zip(t.coders, found.coder_parameters["competence"].tolist(), strict=True))
        for coder, value in entry["value"]["mace"].items():
            assert got[coder] == pytest.approx(value, abs=entry["tol"]), (entry["data"], coder)


def test_unequal_categories_of_a_real_crowd(real_data: Callable[[str], Path]) -> None:
    t = crowd(real_data, "product")
    for method in ("vb", "em"):
        found = mace(t, How(), method=method, prevalence="learned")
        assert accuracy(real_data, "product", t, found.probabilities) > 0.92  # majority: .897
