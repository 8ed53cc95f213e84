"""Probabilities that claim too much are recalibrated: by how much coders err together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import crowd, kinds, mixed


def correlated(seed: int = 0, share: float = 0.3) -> tuple[Any, dict[int, str]]:
    """Coders who are independent but for some items, on which most of them err together."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    right = np.where(rng.random(400) < share, rng.beta(2, 2, 400), 0.9)
    given = np.where(rng.random((9, 400)) < right, truth, 1 - truth)
    names = np.array(["no", "yes"])
    rows = [[str(x) for x in names[row]] for row in given]
    return ac.read(rows), {k + 1: str(names[t]) for k, t in enumerate(truth)}


def test_independent_coders_are_left_alone() -> None:
    found = ac.fit(mixed().rows, "dawid_skene", restarts=0)
    assert abs(found.dependence.correlation) < 0.02
    assert not found.dependence.seen
    assert found.worth > 0.9
    assert "no evidence" in found.recalibration


def test_shared_errors_are_seen_and_recalibration_pays() -> None:
    data, truth = correlated()
    found = ac.fit(data, "dawid_skene", restarts=0)
    raw = found.not_recalibrated
    assert found.dependence.seen
    assert found.dependence.correlation > 0.02
    assert found.labels == raw.labels
    before, after = raw.calibration(truth), found.calibration(truth)
    assert after.log_loss < 0.7 * before.log_loss
    assert after.error < before.error
    assert after.accuracy == pytest.approx(before.accuracy, abs=0.01)
    one = found.to_rows()[0]
    assert one["not_recalibrated"] == pytest.approx(raw.confidence[0])
    assert "not_recalibrated" not in raw.to_rows()[0]
    assert f"worth {found.worth:.4g}" in found.signature
    assert found.recalibrated().confidence == pytest.approx(found.confidence)
    assert found.coverage().expected[-1] == pytest.approx(found.confidence.mean())


def test_known_labels_decide_as_far_as_there_are_any() -> None:
    data, truth = correlated(1)
    found = ac.fit(data, "dawid_skene", restarts=0)
    full = found.recalibrated(gold=truth)
    few = found.recalibrated(gold=dict(list(truth.items())[:3]))
    assert abs(math.log(few.worth / found.worth)) < 0.7
    assert "400 gold items" in full.recalibration
    assert full.calibration(truth).log_loss <= found.calibration(truth).log_loss + 1e-9


def test_control_items_are_judged_by_fits_that_were_not_told_them() -> None:
    data, truth = correlated(2)
    told = dict(list(truth.items())[:80])
    found = ac.fit(data, "dawid_skene", gold=told, restarts=0)
    assert "80 control items, judged by fits that were not told them" in found.recalibration
    control = np.isin(found.votes.names, list(told))
    assert (found.probabilities[control].max(1) == 1).all()
    assert (found.probabilities[~control].max(1) < 1).all()


def test_control_items_do_not_flatter() -> None:
    """The model knows the labels of its control items: by them, beliefs looked too modest."""
    gains, worths = [], []
    for seed in range(4):
        made = crowd(kinds(5, good=60), 160, 3, seed=seed)
        told = ac.fit(made.rows, gold=made.gold(80), restarts=0)
        worths.append(told.worth)
        raw = told.not_recalibrated.calibration(made.truth).log_loss
        gains.append(raw - told.calibration(made.truth).log_loss)
    assert np.mean(worths) < 1
    assert np.mean(gains) > -0.005


def test_that_nothing_can_be_seen_is_said() -> None:
    """Three annotations per item: one item in ten misleads, and nothing shows it."""
    made = crowd(kinds(3, good=60), 400, 3, seed=100, hard=0.1)
    found = ac.fit(made.rows, "pooled", restarts=0)
    (told,) = (f for f in found.findings if f.code == "dependence_unseen")
    assert told.facts["independent"] > 0.5
    assert told.facts["n"] == (found.confidence > 0.999).sum()
    assert "if coders err independently" in str(found).lower()


def test_shares_of_votes_are_no_beliefs() -> None:
    found = ac.fit([["a", "b"], ["a", "b"], ["a", "a"]], "majority")
    with pytest.raises(ac.RequestError, match="shares of votes"):
        found.recalibrated()
    assert found.recalibration == ""
    assert np.isnan(found.coverage().expected).all()


def test_no_order_matters() -> None:
    made = mixed()
    order = np.random.default_rng(3).permutation(len(made.rows))
    data = ac.read([made.rows[k] for k in order], categories=["c", "b", "a"])
    one, other = (ac.fit(d, "pooled", restarts=0) for d in (made.rows, data))
    assert other.worth == pytest.approx(one.worth, rel=1e-6)


def test_sets_are_recalibrated_too() -> None:
    made = crowd(kinds(3, good=9), 120, 5, seed=4, hard=0.2)
    rows = [(i, c, f"{x};z" if i < "i0060" else x) for i, c, x in made.rows]
    found = ac.fit(ac.read(rows, separator=";"))
    assert found.recalibration
    assert found.not_recalibrated.confidence.mean() > found.confidence.mean()
