"""Explanations: what must hold on any grid, and the gain by recomputing alpha."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.counts.count import count
from accordant.diagnosis.explain import Explanations, explain
from accordant.diagnosis.explanation import KINDS
from accordant.diagnosis.gain import gain_of
from accordant.inference.null import Patterns, fit_null
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from diagnosis.made import of_grid

Grid = np.ndarray


def grid_of(seed: int, items: int, coders: int, k: int, share: float) -> Grid:
    """Slips, and a confused pair or a biased coder in two of three grids."""
    rng = np.random.default_rng(seed)
    latent = rng.integers(k, size=(items, 1))
    slips = rng.random((items, coders)) < share
    grid = np.where(slips, (latent + rng.integers(1, k, slips.shape)) % k, latent)
    if seed % 3 == 0:
        swap = rng.random(grid.shape) < 0.3
        grid = np.where(swap & (grid < 2), 1 - grid, grid)
    if seed % 3 == 1:
        grid[(grid[:, 0] == 0) & (rng.random(items) < 0.6), 0] = 1
    return grid


def explained(grid: Grid, k: int, **more) -> Explanations:
    return explain(Patterns.of_grid(grid, k), np.eye(k, dtype=bool), **more)


GRIDS = st.builds(
    lambda *x: (grid_of(*x), x[3]),
    st.integers(0, 10_000),
    st.integers(30, 250),
    st.integers(2, 6),
    st.integers(2, 5),
    st.floats(0, 0.25),
)
IN_PLACE = {"stretch", "trend", "coder_stretch", "coder_trend", "coder_change"}


@given(GRIDS)
@settings(max_examples=40, deadline=None)
def test_facts_are_within_their_bounds(made: tuple[Grid, int]) -> None:
    grid, k = made
    found = explained(grid, k)
    for one in found.found:
        assert one.kind in KINDS
        assert one.score > 0
        assert one.observed > one.expected >= 0
        assert one.observed <= one.of + 1e-6
        assert 0.01 <= one.share <= 1
        assert all(0 <= c < grid.shape[1] for c in one.coders)
        assert all(0 <= x < k for x in one.labels)
        if one.cells is not None:
            assert one.cells.shape == (grid.shape[1], k, k)
    names = [one.key for one in found.found]
    assert len(set(names)) == len(names)
    single = [one.coders for one in found.found if len(one.coders) == 1]
    assert len(set(single)) == len(single)  # one coder, one explanation


@given(GRIDS, st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_names_do_not_matter(made: tuple[Grid, int], seed: int) -> None:
    """Nor does the order of items, for what is not about the order."""
    grid, k = made
    rng = np.random.default_rng(seed)
    values, coders = rng.permutation(k), rng.permutation(grid.shape[1])
    first = explained(grid, k).found[:1]
    other = explained(values[grid][:, coders], k).found[:1]
    assert len(first) == len(other)
    for one, two in zip(first, other, strict=True):
        if one.kind == "coder_groups":  # either group may be the one that is named
            continue
        assert one.kind == two.kind
        assert one.score == pytest.approx(two.score, rel=1e-3, abs=1e-3)
        assert set(values[list(one.labels)]) == set(two.labels)
        assert set(one.coders) == {int(coders[c]) for c in two.coders}


@given(st.integers(0, 1000), st.integers(2, 5), st.integers(2, 5))
@settings(max_examples=25, deadline=None)
def test_nothing_is_found_where_all_agree(seed: int, coders: int, k: int) -> None:
    grid = np.random.default_rng(seed).integers(k, size=(60, 1)).repeat(coders, 1)
    assert not explained(grid, k).found
    grid[0, 0] = (grid[0, 0] + 1) % k
    assert not explained(grid, k).found


def test_the_last_null_exceeds_nothing() -> None:
    grid = grid_of(3, 300, 4, 5, 0.08)
    last = explained(grid, 5).last
    known = {one.key for one in explained(grid, 5).found}
    for kind in KINDS.values():
        assert not [x for x in kind.find(last) if x.key not in known and x.share >= 0.01]


@pytest.mark.parametrize("seed", range(4))
def test_a_pair_and_a_coder_are_both_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = grid_of(3 * seed, 400, 5, 5, 0.04)  # values 0 and 1 are confused
    grid[(grid[:, 4] == 3) & (rng.random(400) < 0.6), 4] = 4
    found = explained(grid, 5).found
    assert {(0, 1)} <= {x.labels for x in found if x.kind == "pair"}
    assert (4,) in {x.coders for x in found}
    assert len(found) == 2


# ------------------------------------------------------------------ the gain


def alpha(grid: Grid, weights: str) -> float:
    counts = count(of_grid(grid, tuple(range(3))))
    return float(COEFFICIENTS["alpha"].parts(counts, weights_for(weights, counts)).value)


@pytest.mark.parametrize("weights", ["identity", "linear"])
def test_the_gain_is_that_of_edited_annotations(weights: str) -> None:
    """Items of which it is certain what is right: editing them is what the gain computes."""
    grid = np.repeat([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2]], 40, axis=0)
    grid[:12, 4] = 1
    grid[40:45, 3] = 2
    null = fit_null(Patterns.of_grid(grid, 3), np.eye(3, dtype=bool))
    cells = np.zeros((5, 3, 3), bool)
    cells[4, 0, 1] = True
    edited = grid.copy()
    edited[:12, 4] = 0
    counts = count(of_grid(grid, tuple(range(3))))
    found = gain_of(null, cells, 1.0, weights_for(weights, counts).matrix)
    assert found == pytest.approx(alpha(edited, weights) - alpha(grid, weights), abs=5e-4)
    early = np.arange(120) < 6
    edited = np.where(early[:, None], edited, grid)
    found = gain_of(null, cells, 1.0, weights_for(weights, counts).matrix, early)
    assert found == pytest.approx(alpha(edited, weights) - alpha(grid, weights), abs=5e-4)


@given(GRIDS, st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_the_gain_is_between_nothing_and_perfect_agreement(
    made: tuple[Grid, int], part: float
) -> None:
    grid, k = made
    null = fit_null(Patterns.of_grid(grid, k), np.eye(k, dtype=bool))
    cells = np.ones((grid.shape[1], k, k), bool)
    some = gain_of(null, cells, part, np.eye(k))
    assert 0 <= some <= gain_of(null, cells, 1.0, np.eye(k)) + 1e-9 <= 2
