"""GLAD: its likelihood enumerated, planted abilities and difficulties, published values."""

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
from scipy.optimize import minimize
from scipy.stats import spearmanr

import accordant as ac
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimate import believed
from accordant.models.estimators.glad import Abilities, glad
from accordant.models.votes import Votes, votes
from claims.simulated_crowd import simulate_crowd
from models.planted import (
    difficult,
    estimate,
    mixed,
    permuted_coders,
    reversed_categories,
    shuffled,
    unbalanced,
)
from models.published import accuracy, crowd, published

Floats = NDArray[np.float64]
TINY = [["a", "b", "a", "b"], ["a", "b", "b", "b"], ["b", "b", "a", None]]


def posterior(t: Votes, ability: Floats, log_easiness: Floats) -> float:
    """log P(annotations, parameters) by enumeration of truths, normal constants left out."""
    k, total = t.n_categories, 0.0
    for truth in itertools.product(range(k), repeat=t.n_items):
        p = k ** -float(t.n_items)
        for i, c, label in zip(t.item, t.coder, t.label, strict=True):
            right = 1 / (1 + np.exp(-ability[c] * np.exp(log_easiness[i])))
            p *= right if label == truth[i] else (1 - right) / (k - 1)
        total += p
    squares = ((ability - 1) ** 2).sum() + ((log_easiness - 1) ** 2).sum()
    return float(np.log(total) - squares / 2)


@pytest.mark.parametrize("categories", [["a", "b"], ["a", "b", "c"]])
def test_the_optimum_is_that_of_the_enumerated_posterior(categories: list[str]) -> None:
    t = votes(ac.read(TINY, categories=categories))
    found = glad(t, How(tolerance=1e-13))
    ability = found.coder_parameters["ability"]
    log_easiness = -np.log(found.item_parameters["difficulty"])
    assert found.climb.value == pytest.approx(posterior(t, ability, log_easiness), abs=1e-9)

    def cost(x: Floats) -> float:
        return -posterior(t, x[: t.n_coders], x[t.n_coders :])

    best = minimize(cost, np.concatenate([ability, log_easiness]) + 0.1)
    assert found.climb.value == pytest.approx(-best.fun, abs=1e-6)
    assert np.allclose(ability, best.x[: t.n_coders], atol=1e-3)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 4),
    prevalence=st.sampled_from(["uniform", "learned"]),
)
def test_the_objective_never_falls(seed: int, k: int, prevalence: str) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, k, (5, 15)).astype(object)
    rows[rng.random(rows.shape) < 0.3] = None
    rows[0] = rng.integers(0, k, 15)
    data: Any = [[None if x is None else "abcd"[int(x)] for x in row] for row in rows]
    t = votes(ac.read(data, categories=list("abcd"[:k])))
    found = glad(t, How(restarts=1), prevalence=prevalence)
    for run in (found.climb, *found.restarts):
        history = np.array(run.history)
        assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
        assert run.converged
        assert not run.fell
    assert np.allclose(found.probabilities.sum(1), 1)


def test_nothing_depends_on_rows_coders_or_the_order_of_categories() -> None:
    data = mixed().data
    how = How(restarts=1)
    base = estimate(data, "glad", how)
    moved = shuffled(data)
    found, t = estimate(moved, "glad", how), votes(moved)
    where = {item: k for k, item in enumerate(map(str, t.items))}
    order = [where[str(item)] for item in votes(data).items]
    assert np.allclose(found.probabilities[order], base.probabilities, atol=1e-4)
    turned = estimate(reversed_categories(data), "glad", how)
    assert np.allclose(turned.probabilities[:, ::-1], base.probabilities, atol=1e-4)
    renamed, place = permuted_coders(data)
    other = estimate(renamed, "glad")
    assert np.allclose(other.competence[place], base.competence, atol=1e-4)


def test_planted_difficulty_and_ability_are_recovered() -> None:
    truth = difficult()
    found = ac.fit(truth.data, "glad", restarts=0)
    assert found.converged
    assert truth.share_right(found.labels) >= truth.share_right(
        ac.fit(truth.data, "majority").labels
    )
    difficulty = found.estimate.item_parameters["difficulty"]
    assert spearmanr(difficulty, -truth.ease).statistic > 0.6
    ability = found.estimate.coder_parameters["ability"]
    assert spearmanr(ability, truth.accuracy).statistic > 0.8
    assert np.abs(found.competence - truth.accuracy).mean() < 0.08


def test_an_adversary_has_negative_ability_and_still_helps() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200)
    right = rng.random((5, 200)) < np.array([0.9, 0.85, 0.8, 0.1, 0.1])[:, None]
    label = np.where(right, truth, 1 - truth)
    found = ac.fit(label, "glad", restarts=0)
    ability = found.estimate.coder_parameters["ability"]
    assert (ability > 0).tolist() == [True, True, True, False, False]
    assert found.competence[3:].max() < 0.25
    interval = found.estimate.intervals["ability"]
    assert (interval.high[3:] < 0).all()
    assert (interval.low < ability).all()
    both = found.interval("competence")
    assert ((both.low < found.competence) & (found.competence < both.high)).all()
    share = float((found.estimate.probabilities.argmax(1) == truth).mean())
    assert share > float((label[:3].mean(0).round() == truth).mean())


def test_emission_is_a_distribution_and_gives_the_beliefs_back() -> None:
    t = votes(mixed().data)
    found = glad(t, How())
    assert np.allclose(found.emission.table(t.item[:50], t.coder[:50]).sum(2), 1)
    q, _ = believed(t, found.state_prior, found.emission.log_likelihood(t))
    assert np.allclose(q, found.probabilities, atol=1e-12)


def test_log_odds_far_out_are_not_rounded_to_certainty() -> None:
    t = votes(ac.read([["a", "b"], ["a", "a"]]))
    extreme = Abilities(np.array([1.0, 1.0]), np.log([800.0, 800.0]), 2)
    table = extreme.log_likelihood(t)
    assert table[1].tolist() == pytest.approx([-800, -800])
    assert table[0].tolist() == pytest.approx([0, -1600])


def test_a_thousand_annotations_of_an_item() -> None:
    rng = np.random.default_rng(1)
    truth = np.arange(20) % 4
    right = rng.random((1000, 20)) < 0.7
    label = np.where(right, truth, (truth + rng.integers(1, 4, right.shape)) % 4)
    found = ac.fit(label, "glad", restarts=0, layout="transposed")
    assert (found.estimate.probabilities.argmax(1) == truth).all()
    assert np.isfinite(found.history).all()


def test_two_items_of_a_thousand_annotations_are_soon_done() -> None:
    """Log-odds are large there, where steps of the bound alone come to 2,000 iterations."""
    rows = [(1, f"c{c}", "x" if c % 3 else "y") for c in range(1000)]
    rows += [(2, f"c{c}", "y") for c in range(0, 1000, 5)]
    found = ac.fit(rows, "glad", restarts=0)
    assert found.labels == ["x", "y"]
    assert found.converged
    assert len(found.history) < 100
    assert found.history[-1] > -266.1  # -266.7 after 2,000 iterations of the bound


def test_control_items_and_prevalence() -> None:
    truth = unbalanced()
    plain = ac.fit(truth.data, "glad", restarts=0)
    learned = ac.fit(truth.data, "glad", prevalence="learned", gold=truth.gold, restarts=0)
    assert learned.prevalence[0] == pytest.approx(0.9, abs=0.05)
    assert truth.share_right(learned.labels) > truth.share_right(plain.labels) - 0.01
    at = {str(item): k for k, item in enumerate(learned.items)}
    for item, label in truth.gold.items():
        assert learned.labels[at[str(item)]] == label


def test_few_annotations_say_little_of_difficulty() -> None:
    few = ac.fit([list("abab"), list("abba"), list("abab")], "glad")
    (note,) = [f for f in few.estimate.findings if f.code == "difficulty_from_prior"]
    assert note.sentence.startswith("A typical item has 3 annotations")
    many = ac.fit([list("abab")] * 5, "glad")
    assert not [f for f in many.estimate.findings if f.code == "difficulty_from_prior"]


def test_hidden_annotations_leave_coders_and_items_without_any() -> None:
    t = votes(ac.read(TINY))
    found = glad(t.without((t.item == 1) | (t.coder == 2)), How())
    assert found.probabilities[1].tolist() == pytest.approx([0.5, 0.5])
    assert found.coder_parameters["ability"][2] == pytest.approx(1)
    assert found.item_parameters["difficulty"][1] == pytest.approx(np.exp(-1))


def test_bad_requests() -> None:
    with pytest.raises(RequestError, match="prevalence: choose from uniform.*'flat'"):
        ac.fit([["a", "b"], ["a", "b"]], "glad", prevalence="flat")
    with pytest.raises(RequestError, match="^abstentions: "):
        ac.fit([["a", ""], ["a", "b"]], "glad", blank="skipped", abstentions="informative")


def test_published_objectives_and_accuracies(real_data: Callable[[str], Path]) -> None:
    """The same objective as an independent program, and crowd-kit's accuracies."""
    entries = published(real_data, "GLAD (uniform class prior")
    assert len(entries) >= 8
    for entry in entries:
        name = entry["data"]
        t = crowd(real_data, name)
        found = glad(t, How())
        assert found.climb.converged
        assert found.climb.value == pytest.approx(entry["objective"], abs=0.01), name
        share = accuracy(real_data, name, t, found.probabilities)
        assert share == pytest.approx(entry["value"], abs=entry["tol"]), name


def test_fifty_thousand_annotations_converge() -> None:
    truth = simulate_crowd(10_000, 100, 5, per_item=5, seed=1)
    t = votes(truth.data)
    found = glad(t, How())
    assert found.climb.converged
