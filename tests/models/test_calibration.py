"""Expected beside observed: bins, scores and their intervals, by hand and by simulation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.errors import InputError
from accordant.models.uncertainty import wilson
from models.planted import binary


def believing(p: np.ndarray, names: str = "ab") -> Any:
    """A posterior with these beliefs."""
    rows = [[names[int(np.argmax(x))] for x in p]] * 2
    data = ac.read(rows, categories=list(names))
    found = ac.fit(data, "one_coin")
    return replace(found, estimate=replace(found.estimate, probabilities=p)).not_recalibrated


def test_by_hand() -> None:
    p = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.5, 0.5]])
    found = believing(p).calibration({1: "a", 2: "b", 3: "b", 4: "a"})
    losses = -np.log([0.9, 0.2, 0.7, 0.5])
    assert found.log_loss == pytest.approx(losses.mean())
    half = 1.959964 * losses.std(ddof=1) / 2
    assert (found.log_loss_low, found.log_loss_high) == pytest.approx(
        (losses.mean() - half, losses.mean() + half)
    )
    assert found.brier == pytest.approx(np.mean([0.02, 1.28, 0.18, 0.5]))
    assert found.accuracy == pytest.approx((1 + 0 + 1 + 0.5) / 4)
    rows = {row["low_edge"]: row for row in found.to_rows() if row["n"]}
    assert {k: row["n"] for k, row in rows.items()} == {0.5: 1, 0.7: 1, 0.8: 1, 0.9: 1}
    assert found.error == pytest.approx((0 + 0.3 + 0.8 + 0.1) / 4)


def test_an_excluded_truth_is_counted_and_bounded() -> None:
    found = believing(np.array([[1.0, 0.0], [1.0, 0.0]])).calibration({1: "b", 2: "a"})
    assert found.n_excluded == 1
    assert found.log_loss == pytest.approx(-math.log(1e-12) / 2)


def test_empty_bins_are_undefined_and_the_sure_bin_holds_1() -> None:
    found = believing(np.array([[1.0, 0.0]])).calibration({1: "a"})
    assert found.n[-1] == 1
    assert found.observed[-1] == 1
    assert math.isnan(found.observed[0])
    assert math.isnan(found.low[0])
    assert math.isnan(found.log_loss_high)  # one item has no spread


def test_beliefs_that_hold_are_called_calibrated() -> None:
    rng = np.random.default_rng(0)
    p = rng.beta(2, 1, 4000)
    truth = {k + 1: "a" if u < x else "b" for k, (x, u) in enumerate(zip(p, rng.random(4000)))}
    found = believing(np.stack([p, 1 - p], 1)).calibration(truth)
    assert found.error < 0.03
    assert all(
        low - 0.02 <= e <= high + 0.02
        for low, e, high, n in zip(found.low, found.expected, found.high, found.n, strict=True)
        if n > 50
    )


def test_votes_are_said_to_be_opinions() -> None:
    found = ac.fit([["a", "b"], ["a", "b"], ["b", "b"]], "majority")
    told = found.calibration({1: "a", 2: "b"})
    assert not told.beliefs
    assert str(told)


def test_no_truth_no_calibration() -> None:
    with pytest.raises(InputError):
        ac.fit(binary().data, "pooled").calibration({"nowhere": "a"})


@settings(max_examples=50)
@given(st.integers(1, 400), st.floats(0, 1))
def test_wilson_solves_its_equation(n: int, share: float) -> None:
    for end in wilson(share, n):
        assert 0 <= end <= 1
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(
                1.959964 * math.sqrt(end * (1 - end) / n), abs=1e-6
            )


def test_wilson_covers() -> None:
    rng = np.random.default_rng(1)
    for p in (0.5, 0.9, 0.98):
        drawn = rng.binomial(60, p, 2000) / 60
        inside = [low <= p <= high for low, high in (wilson(float(x), 60) for x in drawn)]
        assert 0.92 < np.mean(inside) < 0.99
