"""What is said to have been found four times in five is found that often."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.diagnosis.explain import explain
from accordant.diagnosis.power import power
from accordant.inference.null import Patterns

RUNS, OFTEN = 40, 0.7
MORE = 0.02  # beyond the share that is promised


def slipped(rng: np.random.Generator, shares: np.ndarray, items: int = 300, coders: int = 4):
    k = len(shares)
    latent = rng.choice(k, size=(items, 1), p=shares)
    slips = rng.random((items, coders)) < 0.08
    return latent, np.where(slips, (latent + rng.integers(1, k, slips.shape)) % k, latent)


def explained(grid: np.ndarray, k: int):
    return explain(Patterns.of_grid(grid, k), np.eye(k, dtype=bool))


EVEN, ZIPF = np.full(5, 0.2), np.array([60, 30, 20, 15, 12]) / 137


@pytest.mark.parametrize("shares, pair", [(EVEN, (0, 1)), (ZIPF, (3, 4)), (ZIPF, (0, 1))])
def test_a_pair_of_the_promised_share_is_found(shares: np.ndarray, pair: tuple[int, int]) -> None:
    rng, hits, k = np.random.default_rng(1), 0, len(shares)
    for _ in range(RUNS):
        latent, grid = slipped(rng, shares)
        least = float(power(explained(grid, k).last).pairs[pair])
        swap = rng.random(grid.shape) < least + MORE
        one, other = ((grid == x) & (latent == x) & swap for x in pair)
        grid = np.where(one, pair[1], np.where(other, pair[0], grid))
        found = explained(grid, k).found
        hits += any(set(pair) <= set(x.labels) for x in found)
    assert hits >= OFTEN * RUNS


def test_a_coder_of_the_promised_share_is_found() -> None:
    rng, hits = np.random.default_rng(2), 0
    for _ in range(RUNS):
        _, grid = slipped(rng, EVEN)
        least = float(np.nanmedian(power(explained(grid, 5).last).coders))
        wrong = rng.random(300) < least + MORE
        grid[wrong, 2] = (grid[wrong, 2] + rng.integers(1, 5, wrong.sum())) % 5
        hits += any(2 in x.coders for x in explained(grid, 5).found)
    assert hits >= OFTEN * RUNS


def test_more_items_show_less() -> None:
    rng = np.random.default_rng(3)
    small, large = (power(explained(slipped(rng, EVEN, items)[1], 5).last) for items in (100, 1000))
    off = ~np.eye(5, dtype=bool)
    assert np.nanmedian(large.pairs[off]) < np.nanmedian(small.pairs[off])
    assert np.median(large.coders) < np.median(small.coders)
    assert np.isnan(np.diag(small.pairs)).all()


def test_two_coders_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(4)
    found = power(explained(slipped(rng, EVEN, coders=2)[1], 5).last)
    assert not len(found.coders)
    assert np.isfinite(found.pairs[0, 1])
