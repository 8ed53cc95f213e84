"""The null: planted rates, simulation and closed form say the same; the surprise is a tail."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from accordant.inference.null import Patterns, fit_null, surprise

Grid = np.ndarray


def slipped(seed: int, items: int, rates, k: int = 4) -> Grid:
    """Coders who slip to any other value, each at a rate."""
    rng = np.random.default_rng(seed)
    latent = rng.integers(k, size=(items, 1))
    slips = rng.random((items, len(rates))) < rates
    other = (latent + rng.integers(1, k, size=slips.shape)) % k
    return np.where(slips, other, latent)


def fitted(grid: Grid, k: int = 4, **more):
    return fit_null(Patterns.of_grid(grid, k), np.eye(k, dtype=bool), **more)


def pairs_of(grids: Grid, k: int) -> Grid:
    """(K, K) shares of pairs of annotations of different coders, by counting."""
    found = np.zeros((k, k))
    coders = grids.shape[-1]
    for a in range(coders):
        for b in range(coders):
            if a != b:
                both = (grids[..., a] >= 0) & (grids[..., b] >= 0)
                np.add.at(found, (grids[..., a][both], grids[..., b][both]), 1)
    return found / found.sum()


def test_rates_of_coders_are_recovered() -> None:
    planted = np.array([0.03, 0.06, 0.12, 0.2])
    null = fitted(slipped(0, 3000, planted))
    found = null.deviations.sum((1, 2)) / null.exposure.sum(1)
    assert found == pytest.approx(planted, abs=0.015)  # two standard errors at the largest rate


def test_shares_are_recovered() -> None:
    rng = np.random.default_rng(1)
    shares = np.array([0.6, 0.25, 0.1, 0.05])
    latent = rng.choice(4, size=(3000, 1), p=shares)
    slips = rng.random((3000, 4)) < 0.1
    grid = np.where(slips, (latent + rng.integers(1, 4, slips.shape)) % 4, latent)
    assert fitted(grid).prior == pytest.approx(shares, abs=0.02)


def test_what_is_expected_meets_the_margins() -> None:
    null = fitted(slipped(2, 800, [0.05, 0.1, 0.2]))
    assert null.expected.sum((1, 2)) == pytest.approx(null.deviations.sum((1, 2)), rel=0.05)
    assert null.expected.sum() == pytest.approx(null.deviations.sum(), rel=0.03)
    assert np.einsum("ckk->", null.deviations) == 0


def test_pairs_in_closed_form_are_those_of_simulations() -> None:
    null = fitted(slipped(3, 600, [0.05, 0.1, 0.2]))
    many = null.simulate(400, seed=1)
    assert many.shape == (400, 600, 3)
    assert pairs_of(many, 4) == pytest.approx(null.pairs(), abs=0.006)
    assert null.pairs().sum() == pytest.approx(1)
    assert null.pairs() == pytest.approx(null.pairs().T)


def test_simulations_keep_who_annotated_what() -> None:
    grid = slipped(4, 200, [0.1] * 5)
    grid[np.random.default_rng(4).random(grid.shape) < 0.4] = -1
    single = (grid >= 0).sum(1) < 2  # these items are not compared
    made = fitted(grid).simulate(3)
    assert ((made >= 0) == (grid >= 0))[:, ~single].all()
    assert (made == fitted(grid).simulate(3)).all()  # the same seed


def test_names_of_values_and_order_of_items_do_not_matter() -> None:
    grid, rng = slipped(5, 300, [0.05, 0.1, 0.2]), np.random.default_rng(5)
    null, mixed = fitted(grid), fitted(grid[rng.permutation(300)])
    assert mixed.deviations == pytest.approx(null.deviations, abs=1e-6)
    other = rng.permutation(4)
    renamed = fitted(other[grid])
    assert renamed.deviations[:, other][:, :, other] == pytest.approx(null.deviations, abs=1e-6)


def test_slips_on_a_scale_go_to_neighbours() -> None:
    rng = np.random.default_rng(6)
    seen = rng.normal(size=(800, 1)) + rng.normal(scale=0.3, size=(800, 3))
    grid = np.searchsorted([-1.2, -0.4, 0.4, 1.2], seen)
    rates = fitted(grid, 5, ordinal=True).rates.sum(0)
    assert (rates[0, 1] > 5 * rates[0, 2:]).all()


@given(st.integers(20, 400), st.floats(0.02, 0.6), st.floats(0, 1))
def test_the_surprise_is_about_that_of_the_binomial(n: int, p: float, at: float) -> None:
    mean = n * p
    k = int(np.ceil(mean + 1 + at * (n - mean - 1)))
    if k >= n or k < mean + 1.5 * np.sqrt(mean):
        return
    exact = -binom.logsf(k - 1, n, p)
    if not np.isfinite(exact):
        return  # beyond what a float holds
    assert float(surprise(np.array(float(k)), n, p)) == pytest.approx(exact, abs=1.2, rel=0.1)


def test_nothing_beyond_what_is_expected_is_no_surprise() -> None:
    for k in range(31):
        assert float(surprise(np.array(float(k)), 100, 0.3)) <= 0
    clumped = surprise(np.array(60.0), 100, 0.3, 3.0)
    assert 0 < float(clumped) < float(surprise(np.array(60.0), 100, 0.3))
