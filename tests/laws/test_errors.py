"""Standard errors are what the definitions imply: slopes, jackknife, resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import COEFFICIENTS, agreement
from accordant.counts.counts import Counts
from accordant.inference import resampling
from accordant.inference.influence import coder_variance, jackknife, left_out, linearise
from accordant.inference.resampling import bootstrap
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from accordant.measure.weights import Weights
from laws.drawing import OF_VALUES, Rows, counts_of, every, missing_out, same, tables, weights

SLOPED = [c for c in OF_VALUES.values() if c.slope_of is not None]
STEP = 1e-5
SLOPE_ROOM = 1e-7  # a central difference of step 1e-5 errs by about 1e-10 times the curvature


def chance_with_replacement(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """A_e as it is linearised: alpha with replacement, as Gwet (2014, ch. 6) does."""
    if coefficient.per_value:
        p = counts.pool / counts.pool.sum()
        return float(w.expected(p, p))
    return float(coefficient.expected(counts, w))


@pytest.mark.parametrize("coefficient", SLOPED, ids=lambda c: c.key)
@given(rows=tables(), name=weights)
def test_a_slope_is_the_derivative_of_expected_agreement(
    coefficient: Coefficient, rows: Rows, name: str
) -> None:
    counts = counts_of(rows)
    counts, w = coefficient.view(counts, weights_for(name, counts, ordered=True))
    assert coefficient.slope_of is not None
    slope = coefficient.slope_of(counts, w)
    n = float(counts.n_pairable if coefficient.per_value else counts.n_items)
    for p in range(counts.n_patterns):
        step = STEP * np.eye(counts.n_patterns)[p]
        up, down = (
            chance_with_replacement(coefficient, counts.drawn(counts.times + s), w)
            for s in (step, -step)
        )
        assert slope[p] == same(n * (up - down) / (2 * STEP), abs=SLOPE_ROOM)


@pytest.mark.parametrize("coefficient", SLOPED, ids=lambda c: c.key)
@given(rows=tables(complete=True, coders=2), seed=st.integers(0, 20))
def test_a_slope_knows_directed_weights(coefficient: Coefficient, rows: Rows, seed: int) -> None:
    table = np.random.default_rng(seed).random((3, 3))
    np.fill_diagonal(table, 1)
    counts = counts_of(rows)
    counts, w = coefficient.view(counts, weights_for(table, counts))
    assert coefficient.slope_of is not None
    slope = coefficient.slope_of(counts, w)
    p = seed % counts.n_patterns
    step = STEP * np.eye(counts.n_patterns)[p]
    up, down = (
        chance_with_replacement(coefficient, counts.drawn(counts.times + s), w)
        for s in (step, -step)
    )
    assert slope[p] == same(float(counts.n_items) * (up - down) / (2 * STEP), abs=SLOPE_ROOM)


@every
@given(rows=tables(), name=weights)
def test_deviations_add_up_to_nothing(coefficient: Coefficient, rows: Rows, name: str) -> None:
    counts = counts_of(rows)
    w = weights_for(name, counts, ordered=True)
    if np.isfinite(coefficient.parts(counts, w).value):
        found = linearise(coefficient, counts, w)
        total = found.counts.times @ found.deviation
        assert total == same(0.0, abs=1e-9)


def many(seed: int, *, missing: float, coders: int = 3, items: int = 400) -> Counts:
    """Coders who know the truth in half of the cases."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, p=[0.5, 0.3, 0.2], size=items)
    guess = rng.choice(3, p=[0.4, 0.4, 0.2], size=(items, coders))
    codes = np.where(rng.random((items, coders)) < 0.55, truth[:, None], guess)
    return counts_of(missing_out(rng, codes, missing))


# The two estimate the same variance with terms that differ by 1 / n; five in a hundred is far
# beyond that at 400 items, and a forgotten factor 2 in a slope shows as ten and more.
CLOSE = 0.05


@every
@pytest.mark.parametrize("name", ["identity", "linear", "quadratic", "ordinal"])
@pytest.mark.parametrize("coders", [2, 3])
def test_linearised_and_jackknife_agree_on_larger_data(
    coefficient: Coefficient, name: str, coders: int
) -> None:
    counts = many(1, missing=0.0, coders=coders)
    w = weights_for(name, counts, ordered=True)
    by_slope = linearise(coefficient, counts, w).variance()
    by_leaving_out = jackknife(coefficient, counts, w)
    assert np.sqrt(by_slope) == pytest.approx(np.sqrt(by_leaving_out), rel=CLOSE)


@every
@pytest.mark.parametrize("name", ["identity", "quadratic"])
def test_with_missing_annotations_the_ratio_form_is_the_jackknife(
    coefficient: Coefficient, name: str
) -> None:
    counts = many(2, missing=0.3)
    w = weights_for(name, counts, ordered=True)
    by_slope = linearise(coefficient, counts, w, ratio=True).variance()
    by_leaving_out = jackknife(coefficient, counts, w)
    assert np.sqrt(by_slope) == pytest.approx(np.sqrt(by_leaving_out), rel=CLOSE)


@every
def test_bootstrap_and_linearised_errors_agree(coefficient: Coefficient) -> None:
    counts = many(3, missing=0.0)
    w = weights_for("identity", counts)
    spread = bootstrap(coefficient, counts, w, n_resamples=4000, rng=1).std(ddof=1)
    by_slope = np.sqrt(linearise(coefficient, counts, w).variance())
    assert spread == pytest.approx(by_slope, rel=CLOSE)  # 4,000 resamples leave 1.1 % of noise


@every
@given(rows=tables(), seed=st.integers(0, 99), name=weights)
def test_resamples_in_one_batch_are_resamples_one_by_one(
    coefficient: Coefficient, rows: Rows, seed: int, name: str
) -> None:
    counts = counts_of(rows)
    w = weights_for(name, counts, ordered=True)
    times = np.random.default_rng(seed).integers(0, 4, size=(5, counts.n_patterns))
    times[:, -1] += 1
    batch = coefficient.parts(counts.drawn(times), w)
    singly = [coefficient.parts(counts.drawn(t), w) for t in times]
    for part in ("observed", "expected", "value"):
        whole = np.broadcast_to(getattr(batch, part), 5)
        assert whole == same([float(getattr(p, part)) for p in singly])


@every
@given(rows=tables(), name=weights)
def test_left_out_is_the_coefficient_without_the_item(
    coefficient: Coefficient, rows: Rows, name: str
) -> None:
    counts = counts_of(rows)
    w = weights_for(name, counts, ordered=True)  # of all items, in every sample
    view = coefficient.view(counts, w)[0]
    without = left_out(coefficient, counts, w)[view.pattern_of]
    for i in range(len(rows)):
        times = counts.times.copy()
        times[counts.pattern_of[i]] -= 1
        assert without[i] == same(float(coefficient.parts(counts.drawn(times), w).value))


@every
def test_bootstrap_repeats_with_its_seed(coefficient: Coefficient) -> None:
    counts = many(4, missing=0.2, items=40)
    w = weights_for("identity", counts)
    first, second, third = (
        bootstrap(coefficient, counts, w, n_resamples=50, rng=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second, equal_nan=True)
    assert not np.array_equal(first, third, equal_nan=True)


@every
@pytest.mark.parametrize("method", ["analytic", "large-sample", "jackknife", "bootstrap", "bca"])
def test_intervals_hold_the_value_and_narrow_with_more_items(
    coefficient: Coefficient, method: str
) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=800)
    labels = np.where(rng.random((3, 800)) < 0.6, truth, rng.integers(3, size=(3, 800)))
    few, all_ = (
        agreement(labels[:, :n], coefficient.key, interval=method, resamples=400, seed=1)
        for n in (100, 800)
    )
    small, large = few[coefficient.key], all_[coefficient.key]
    for row in (small, large):
        assert row.low < row.value < row.high <= 1
    # sqrt(100 / 800) = .354, give or take the luck of the first hundred items
    assert 0.25 < large.se / small.se < 0.5


@pytest.mark.parametrize("few_repeats", [0, 100], ids=["patterns drawn", "items drawn"])
def test_a_resample_has_as_many_items_as_the_data(
    few_repeats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Percent agreement of 5 items of which 3 agree: its variance in resamples is .6 x .4 / 5."""
    counts = counts_of([[0, 0], [1, 1], [0, 0], [0, 1], [1, 2]])
    w = weights_for("identity", counts)
    monkeypatch.setattr(resampling, "FEW_REPEATS", few_repeats)
    drawn = bootstrap(COEFFICIENTS["percent"], counts, w, n_resamples=40_000, rng=1)
    assert drawn.var() == pytest.approx(0.6 * 0.4 / 5, rel=0.03)  # noise 0.7 %; 4 items: 25 % more


@every
def test_a_finite_population_shrinks_the_error(coefficient: Coefficient) -> None:
    rows = [[0, 0, 1, 1, 2, 0, 1, 2, 2, 0], [0, 1, 1, 1, 2, 0, 0, 2, 2, 0]]
    for method in ("analytic", "large-sample", "jackknife"):
        free, bound = (
            agreement(rows, coefficient.key, population=n, interval=method)[coefficient.key]
            for n in (None, 40)
        )
        assert bound.se == same(free.se * np.sqrt(1 - 10 / 40))


@every
def test_the_variance_between_coders_is_the_jackknife_over_coders(
    coefficient: Coefficient,
) -> None:
    counts = many(6, missing=0.1, coders=4, items=60)
    w = weights_for("identity", counts)
    without = [
        float(coefficient.parts(counts.of_coders(np.delete(np.arange(4), c)), w).value)
        for c in range(4)
    ]
    wanted = 3 / 4 * ((np.array(without) - np.mean(without)) ** 2).sum()
    assert coder_variance(coefficient, counts, w) == same(wanted)
    assert coder_variance(coefficient, counts, w, coder_population=10) == same(0.6 * wanted)
