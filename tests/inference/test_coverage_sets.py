"""Intervals of label sets hold what they promise; benchmarks/coverage runs all."""

from __future__ import annotations

import pytest
from benchmarks.coverage.label_sets import MEASURES, WORLDS, measures_of, spread
from benchmarks.coverage.worlds import studied

import accordant as ac
from accordant.data.examples import load

N = 400
ERROR = 4.5 * (0.95 * 0.05 / N) ** 0.5  # so many standard errors of a share: about .05
NAMED = {w.name: w for w in WORLDS}


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
def test_95_of_100_intervals_hold_the_true_value(name: str, measure: str) -> None:
    world = NAMED[name]
    endless = world.counts()
    (found,) = studied(
        world,
        endless,
        {measure: measures_of(endless)[measure]},
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
def test_standard_errors_are_the_spread_of_studies(name: str) -> None:
    """The mean of 60 studies leaves about 1 %, the spread of 5,000 studies 1 %.

    With very skewed labels chance varies much from study to study.
    """
    world = NAMED[name]
    endless = world.counts()
    named = measures_of(endless)
    found = studied(
        world,
        endless,
        named,
        ["analytic"],
        n_datasets=60,
        n_resamples=0,
        n_items=300,
        seed=1,
    )
    spreads = spread(endless, list(named.values()), 300)
    for row, true in zip(found, spreads, strict=True):
        assert row.errors["analytic"] == pytest.approx(true, rel=0.05), row.coefficient


def test_both_standard_errors_of_the_case_study_agree() -> None:
    """Within 5 %: 3,000 resamples leave about 1.3 %."""
    data = load("marchal2022_case")
    formula = ac.agreement(data, MEASURES)
    resampled = ac.agreement(data, MEASURES, interval="bootstrap", resamples=3000, seed=1)
    for one, other in zip(formula, resampled, strict=True):
        assert one.se == pytest.approx(other.se, rel=0.05), one.key
