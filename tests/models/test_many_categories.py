"""A thousand categories, many labels: what grows with the square of categories is not drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import accordant as ac
from accordant.models.coders.call import above_chance, chance
from accordant.models.emission import given
from accordant.models.estimators import dawid_skene as estimator
from accordant.models.priors import Prior, learned, strength_of
from accordant.views.view import named
from claims.simulated_crowd import simulate_crowd

Floats = NDArray[np.float64]


def crowd(seed: int, n_items: int, n_coders: int, n_categories: int) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_categories, n_items)
    return [
        (f"i{i}", f"c{c}", f"l{truth[i] if rng.random() < 0.8 else rng.integers(0, n_categories)}")
        for i in range(n_items)
        for c in range(n_coders)
    ]


def test_many_categories_are_fast() -> None:
    rows = crowd(3, 600, 4, 420)
    found = ac.fit(rows)
    assert found.estimate.restarts == ()
    made = ac.coders(found)
    assert all(c.low <= c.competence <= c.high for c in made)
    assert made.each[0].low > 0.6


def test_schools_are_not_looked_for_with_very_many_categories() -> None:
    found = ac.coders(ac.fit(crowd(4, 300, 4, 120), restarts=0), leave_out=0)
    assert found.schools.reason == "they are looked for with at most 100 categories"


@pytest.mark.parametrize("n_categories", [12, 40, 150])
def test_certainty_holds_with_many_categories(n_categories: int) -> None:
    """A row of few items repeated what their coders had said: 1 of 20 wrong at 99 %."""
    accuracy, confidence, correlation = [], [], []
    for seed in range(30, 34):
        data = simulate_crowd(400, 20, n_categories, per_item=3, seed=seed)
        found = ac.fit(data.data)
        right = zip(found.labels, data.labels, strict=True)
        accuracy.append(np.mean([a == b for a, b in right]))
        confidence.append(found.confidence.mean())
        correlation.append(found.dependence.correlation)
    assert abs(np.mean(confidence) - np.mean(accuracy)) < 0.03
    assert abs(np.mean(correlation)) < 0.02


def test_replicates_draw_from_the_row_of_what_is_true() -> None:
    found = ac.fit(crowd(5, 40, 4, 6), "pooled")
    emission, votes = found.estimate.emission, found.votes
    state = votes.item % 6
    table = emission.table(votes.item, votes.coder)
    rows = given(emission, votes.item, votes.coder, state)
    assert (rows == table[np.arange(len(state)), state]).all()


def test_cells_that_hardly_anybody_used_are_no_rows() -> None:
    few, many = (ac.fit(crowd(6, 300, 8, k), restarts=0) for k in (20, 120))

    def cells(found: Any) -> list[dict[str, Any]]:
        return named("fit", "confusion").rows(found.told_parts)

    assert len(cells(few)) == 8 * 20**2
    assert 8 * 100 < len(cells(many)) < 8 * 300
    assert min(row["n"] for row in cells(many)) >= 0.5


# ------------------------------------------------------------------ the strength of the prior


def marginal(counts: Floats, mean: Floats, strength: float) -> float:
    """Log-likelihood of a Dirichlet-multinomial, up to what does not depend on the strength."""
    from scipy.special import gammaln

    a = strength * mean
    rows = gammaln(strength) - gammaln(counts.sum(2) + strength)
    return float(rows.sum() + (gammaln(counts + a) - gammaln(a)).sum())


@pytest.mark.parametrize("seed", range(6))
def test_strength_reaches_the_best_of_a_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = rng.dirichlet([8, 2, 1] if seed % 2 else [2, 1, 0.5], (30, 3))
    counts = np.array([[rng.multinomial(20, p) for p in rows] for rows in own]).astype(float)
    strength = 2.0
    for _ in range(12):
        strength = strength_of(counts, learned(counts, strength))
    mean = learned(counts, 1.0)
    grid = np.geomspace(0.5, 5, 400)
    best = grid[np.argmax([marginal(counts, mean, s) for s in grid])]
    assert strength == pytest.approx(best, rel=0.02)


def test_rare_labels_are_learned_in_a_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minka's fixed point alone creeps: 2,000 rounds for a label that is true of five items."""
    rounds = []
    monkeypatch.setattr(
        estimator, "strength_of", lambda n, cells: rounds.append(1) or strength_of(n, cells)
    )
    rng = np.random.default_rng(5)
    rows = [
        (f"i{i}", f"c{c}", "yes" if (i < 5) == (rng.random() < 0.97) else "no")
        for i in range(40)
        for c in range(20)
    ]
    ac.fit(rows, "pooled", restarts=0)
    assert 0 < len(rounds) < 60


def test_density_of_a_shared_prior_is_that_of_each_coder() -> None:
    rng = np.random.default_rng(6)
    logs, cells = np.log(rng.dirichlet([1, 2, 3], (5, 3))), rng.random((1, 3, 3))
    items, prevalence = rng.random(3), np.log([0.2, 0.3, 0.5])
    direct = float((cells * logs).sum() + (items * prevalence).sum())
    assert Prior(cells, items).log_density(logs, prevalence) == pytest.approx(direct, rel=1e-12)
    own = np.repeat(cells, 5, 0)
    assert Prior(own, items).log_density(logs, prevalence) == pytest.approx(direct, rel=1e-12)


def test_chance_stands_in_skill() -> None:
    confusion, prevalence = np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.8, 0.2])
    by_chance = 0.8 * (0.8 * 0.9 + 0.2 * 0.3) + 0.2 * (0.8 * 0.1 + 0.2 * 0.7)
    assert chance(confusion, prevalence) == pytest.approx(by_chance)
    found = above_chance(np.array(0.86), chance(confusion, prevalence))
    assert found == pytest.approx((0.86 - by_chance) / (1 - by_chance))


def test_few_coders_of_very_many_are_not_left_out() -> None:
    found = ac.coders(ac.fit(crowd(7, 60, 5, 3), restarts=0), leave_out=0)
    assert found.leaving_out.bounded.startswith("No coder was left out")
