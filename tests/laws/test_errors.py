"""What standard errors are made of: slopes, items left out, resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import COEFFICIENTS
from accordant.counts.counts import Counts
from accordant.inference import intervals
from accordant.inference.influence import left_out, linearise
from accordant.inference.intervals import bootstrap
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from accordant.measure.weights import Weights
from laws.drawing import Rows, same, tables, weights
from laws.kernels import OF_VALUES, counts_of, every

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


@pytest.mark.parametrize("coefficient", SLOPED, ids=lambda c: c.key)
@given(rows=tables(), name=weights)
def test_deviations_add_up_to_nothing(coefficient: Coefficient, rows: Rows, name: str) -> None:
    counts = counts_of(rows)
    w = weights_for(name, counts, ordered=True)
    if np.isfinite(coefficient.parts(counts, w).value):
        found = linearise(coefficient, counts, w)
        total = found.counts.times @ found.deviation
        assert total == same(0.0, abs=1e-9)


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


@pytest.mark.parametrize("few_repeats", [0, 100], ids=["patterns drawn", "items drawn"])
def test_a_resample_has_as_many_items_as_the_data(
    few_repeats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Percent agreement of 5 items of which 3 agree: its variance in resamples is .6 x .4 / 5."""
    counts = counts_of([[0, 0], [1, 1], [0, 0], [0, 1], [1, 2]])
    w = weights_for("identity", counts)
    monkeypatch.setattr(intervals, "FEW_REPEATS", few_repeats)
    drawn = bootstrap(COEFFICIENTS["percent"], counts, w, n_resamples=40_000, rng=1)
    assert drawn.var() == pytest.approx(0.6 * 0.4 / 5, rel=0.03)  # noise 0.7 %; 4 items: 25 % more
    monkeypatch.setattr(intervals, "BATCH_CELLS", 500)
    parts = bootstrap(COEFFICIENTS["percent"], counts, w, n_resamples=40_000, rng=1)
    assert parts == pytest.approx(drawn, abs=1e-13)  # sums of other shapes round differently
