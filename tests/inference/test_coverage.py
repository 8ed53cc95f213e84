"""Intervals hold what they promise, in a small simulation; benchmarks/coverage runs all."""

from __future__ import annotations

import pytest
from benchmarks.coverage import label_sets
from benchmarks.coverage.worlds import (
    PANELS,
    WORLDS,
    World,
    coverage,
    coverage_of_coders,
    studied,
)

from accordant import COEFFICIENTS

OF_VALUES = [c for c in COEFFICIENTS.values() if not (c.only_sets or c.is_mean)]
N = 400
ERROR = 5 * (0.95 * 0.05 / N) ** 0.5  # five standard errors of a share: about .05
CHOSEN = [WORLDS[i] for i in (0, 4, 5, 7, 9, 10)]


@pytest.mark.parametrize("world", CHOSEN, ids=lambda w: w.name)
def test_95_of_100_intervals_hold_the_true_value(world: World) -> None:
    for found in coverage(world, OF_VALUES, n_datasets=N):
        assert found.share["auto"] == pytest.approx(0.95, abs=ERROR), found.coefficient
        assert found.share["analytic"] > 0.95 - ERROR  # wider with single annotations


def test_resampled_intervals_too() -> None:
    wanted = [COEFFICIENTS[k] for k in ("kappa", "alpha", "ac", "light")]
    for found in coverage(WORLDS[9], wanted, n_datasets=N, n_resamples=400):
        assert found.share["bootstrap"] == pytest.approx(0.95, abs=ERROR), found.coefficient


def test_gwets_formulas_are_wide_with_single_annotations() -> None:
    """What the page on coverage says; should this change, it must be written again."""
    (found,) = coverage(WORLDS[5], [COEFFICIENTS["percent"]], n_datasets=N)
    assert found.share["analytic"] > 0.98
    assert found.share["auto"] == pytest.approx(0.95, abs=ERROR)


def test_perfect_agreement_is_not_called_certain() -> None:
    """Near-perfect coders often show no disagreement in 100 items; the exact bound holds."""
    (world,) = (w for w in WORLDS if "near-perfect" in w.name)
    (found,) = coverage(world, [COEFFICIENTS["kappa"]], n_datasets=N)
    assert found.perfect > 0.1 * N
    assert found.share["auto"] > 0.95 - ERROR


def test_sampled_coders_are_covered() -> None:
    """What the page says; should this change, it must be written again."""
    for panel in PANELS:
        found = coverage_of_coders(panel, [COEFFICIENTS["kappa"], COEFFICIENTS["ac"]], n_datasets=N)
        for row in found:
            if panel.alike:
                assert row.share["given"] == pytest.approx(0.95, abs=ERROR)
                assert row.share["sampled"] > 0.97
            else:
                assert row.share["given"] < 0.6
                assert row.share["sampled"] > (0.72 if panel.n_coders == 3 else 0.92 - ERROR)


SETS = {w.name: w for w in label_sets.WORLDS}


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("50 % doubles", "boot_match"),
        ("all double, 60 % share a label", "boot_match"),
        ("25 % doubles, 10 % without a label", "boot_f1"),
        ("10 labels, up to three at once", "augmented"),
        ("3 coders, 10 labels, 25 % doubles", "alpha_masi"),
        ("25 % doubles, 60 % share a label", "soft_match"),
    ],
)
def test_intervals_of_label_sets(name: str, measure: str) -> None:
    world = SETS[name]
    endless = world.counts()
    (found,) = studied(
        world,
        endless,
        {measure: label_sets.measures_of(endless)[measure]},
        ["analytic"],
        n_datasets=N,
        n_resamples=0,
        n_items=world.n_items,
        seed=1,
    )
    assert found.share["analytic"] == pytest.approx(0.95, abs=ERROR)


@pytest.mark.parametrize(
    "name",
    [
        "all double",
        "very skewed labels, 10 and 60 % doubles, 60 % share a label",
        "25 % doubles, 20 % missing",
    ],
)
def test_standard_errors_of_label_sets_are_the_spread_of_studies(name: str) -> None:
    """The mean of 60 studies leaves about 1 %, the spread of 5,000 studies 1 %.

    With very skewed labels chance varies much from study to study.
    """
    world = SETS[name]
    endless = world.counts()
    of = label_sets.measures_of(endless)
    drawn = {"n_datasets": 60, "n_resamples": 0, "n_items": 300, "seed": 1}
    found = studied(world, endless, of, ["analytic"], **drawn)  # type: ignore[arg-type]
    spreads = label_sets.spread(endless, list(of.values()), 300)
    for row, true in zip(found, spreads, strict=True):
        assert row.errors["analytic"] == pytest.approx(true, rel=0.05), row.coefficient
