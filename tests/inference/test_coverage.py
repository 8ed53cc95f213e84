"""Intervals hold what they promise, in a small simulation; benchmarks/coverage.py runs all."""

from __future__ import annotations

import pytest
from benchmarks.coverage import WORLDS, World, coverage

from accordant import COEFFICIENTS

N = 500
ERROR = 5 * (0.95 * 0.05 / N) ** 0.5  # five standard errors of a share: about .05
EASY = [w for w in WORLDS if "near-perfect" not in w.name and "95:5" not in w.name]


@pytest.mark.parametrize("world", EASY[:10], ids=lambda w: w.name)
def test_95_of_100_intervals_hold_the_true_value(world: World) -> None:
    for found in coverage(world, COEFFICIENTS.values(), n_datasets=N):
        for method in ("delta", "jackknife"):
            assert found.share[method] == pytest.approx(0.95, abs=ERROR), (
                found.coefficient,
                method,
            )
        assert found.share["analytic"] > 0.95 - ERROR  # wider with single annotations


@pytest.mark.parametrize("world", [WORLDS[1], WORLDS[9]], ids=lambda w: w.name)
def test_resampled_intervals_too(world: World) -> None:
    wanted = [COEFFICIENTS[k] for k in ("kappa", "alpha", "ac")]
    for found in coverage(world, wanted, n_datasets=N, n_resamples=400):
        for method in ("bootstrap", "bca"):
            assert found.share[method] == pytest.approx(0.95, abs=ERROR), (
                found.coefficient,
                method,
            )


def test_near_perfect_agreement_is_known_to_fail() -> None:
    """The page on coverage says so; should this change, it must be written again."""
    (world,) = (w for w in WORLDS if "near-perfect" in w.name)
    (found,) = coverage(world, [COEFFICIENTS["kappa"]], n_datasets=N)
    assert found.share["delta"] < 0.92
    assert found.too_sure > 0
