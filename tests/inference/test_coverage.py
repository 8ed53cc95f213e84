"""Intervals hold what they promise, in a small simulation; benchmarks/coverage.py runs all."""

from __future__ import annotations

import pytest
from benchmarks.coverage import WORLDS, World, coverage

from accordant import COEFFICIENTS

N = 400
ERROR = 5 * (0.95 * 0.05 / N) ** 0.5  # five standard errors of a share: about .05
CHOSEN = [WORLDS[i] for i in (0, 4, 5, 7, 9, 10)]


@pytest.mark.parametrize("world", CHOSEN, ids=lambda w: w.name)
def test_95_of_100_intervals_hold_the_true_value(world: World) -> None:
    for found in coverage(world, COEFFICIENTS.values(), n_datasets=N):
        for method in ("delta", "jackknife"):
            assert found.share[method] == pytest.approx(0.95, abs=ERROR), (
                found.coefficient,
                method,
            )
        assert found.share["analytic"] > 0.95 - ERROR  # wider with single annotations


def test_resampled_intervals_too() -> None:
    wanted = [COEFFICIENTS[k] for k in ("kappa", "alpha", "ac")]
    for found in coverage(WORLDS[9], wanted, n_datasets=N, n_resamples=400):
        for method in ("bootstrap", "bca"):
            assert found.share[method] == pytest.approx(0.95, abs=ERROR), (
                found.coefficient,
                method,
            )


def test_gwets_formulas_are_wide_with_single_annotations() -> None:
    """What the page on coverage says; should this change, it must be written again."""
    (found,) = coverage(WORLDS[5], [COEFFICIENTS["percent"]], n_datasets=N)
    assert found.share["analytic"] > 0.98
    assert found.share["delta"] == pytest.approx(0.95, abs=ERROR)


def test_perfect_agreement_is_not_called_certain() -> None:
    """Near-perfect coders often show no disagreement in 100 items; the exact bound holds."""
    (world,) = (w for w in WORLDS if "near-perfect" in w.name)
    (found,) = coverage(world, [COEFFICIENTS["kappa"]], n_datasets=N)
    assert found.perfect > 0.1 * N
    assert found.share["delta"] > 0.95
