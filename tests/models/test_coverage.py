"""Fewer labels but better ones: which are kept, and what the curve promises and delivers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import mixed, shuffled, unbalanced


def truth_of(crowd: Any, data: Any = None) -> dict[Any, Any]:
    return dict(zip(list(crowd.data.items), crowd.labels, strict=True))


def test_what_is_kept() -> None:
    found = ac.fit(mixed().data, "pooled", restarts=0)
    kept = found.keep(confidence=0.9)
    assert (found.confidence[kept.chosen] >= 0.9).all()
    assert (found.confidence[~kept.chosen] < 0.9).all()
    assert len(kept.items) == len(kept.labels) == len(kept) == len(kept.to_rows())
    assert kept.share == pytest.approx(len(kept) / len(found.items))
    low = found.keep(entropy=0.1)
    assert (found.entropy[low.chosen] <= 0.1 + 1e-9).all()
    assert set(found.keep(confidence=1.0).items) <= set(kept.items)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.333, 0.5, 1.0])
def test_the_share_of_least_entropy(share: float) -> None:
    found = ac.fit(mixed().data, "pooled", restarts=0).recalibrated(0.3)
    kept = found.keep(share=share)
    n = math.ceil(share * len(found.items) - 1e-9)
    tied = np.count_nonzero(found.entropy <= np.sort(found.entropy)[n - 1] + 1e-12) if n else 0
    assert len(kept) + kept.n_tied == tied >= n
    if 0 < len(kept) < len(found.items):
        assert found.entropy[kept.chosen].max() <= found.entropy[~kept.chosen].min() + 1e-9


def test_equal_entropies_stay_together_and_ties_are_left_out() -> None:
    found = ac.fit([["a", "b", "a", "a"], ["a", "b", "b", "a"]], "majority")
    kept = found.keep(share=0.25)
    assert kept.items == [1, 2, 4]
    assert "same entropy" in str(kept)
    everything = found.keep(share=1)
    assert everything.n_tied == 1
    assert len(everything) == 3
    assert "tied item" in str(everything)


def test_the_curve_by_definition() -> None:
    crowd = mixed()
    found = ac.fit(crowd.data, "pooled", restarts=0).recalibrated()
    curve = found.coverage(truth_of(crowd))
    right = np.array([a == b for a, b in zip(found.labels, crowd.labels, strict=True)])
    assert len(curve.to_rows()) <= 100
    for row in curve.to_rows():
        kept = found.confidence >= row["threshold"] - 1e-12
        assert row["n_kept"] == row["n_scored"] == kept.sum()
        assert row["accuracy"] == pytest.approx(right[kept].mean())
        assert row["expected"] == pytest.approx(found.confidence[kept].mean())
        assert row["low"] <= row["accuracy"] <= row["high"]
    assert (np.diff(curve.n_kept) > 0).all()
    assert (np.diff(curve.threshold) < 0).all()
    assert curve.share[-1] == 1


def test_accuracy_falls_as_more_is_kept() -> None:
    crowd = mixed()
    curve = ac.fit(crowd.data, "pooled", restarts=0).coverage(truth_of(crowd))
    assert curve.accuracy[0] >= curve.accuracy[-1]


def test_without_truth_there_is_what_beliefs_promise() -> None:
    found = ac.fit(mixed().data, "pooled", restarts=0)
    curve = found.coverage()
    assert np.isnan(curve.accuracy).all()
    assert not curve.n_scored.any()
    assert (np.diff(curve.expected) < 1e-9).all()
    recalibrated = found.recalibrated()
    assert curve.expected[-1] == pytest.approx(recalibrated.confidence.mean())
    assert "recalibrated" in curve.promise


def test_votes_promise_nothing() -> None:
    curve = ac.fit([["a", "b"], ["a", "a"], ["a", "b"]], "majority").coverage({1: "a", 2: "b"})
    assert np.isnan(curve.expected).all()
    assert np.isnan(curve.expected).all()
    assert curve.accuracy.tolist() == [1, 1]


def test_control_items_are_neither_kept_nor_scored() -> None:
    crowd = unbalanced()
    found = ac.fit(crowd.data, "dawid_skene", gold=crowd.gold)
    curve = found.coverage(truth_of(crowd))
    assert curve.n_items == (found.votes.known < 0).sum() == curve.n_kept[-1] == curve.n_scored[-1]


def test_no_order_matters() -> None:
    crowd = mixed()
    one, other = (
        ac.fit(d, "pooled", restarts=0).coverage(truth_of(crowd))
        for d in (crowd.data, shuffled(crowd.data))
    )
    assert other.n_kept[-1] == one.n_kept[-1]
    assert other.accuracy[-1] == pytest.approx(one.accuracy[-1])
    assert other.expected[-1] == pytest.approx(one.expected[-1])
    assert "xpected" in str(one)


def test_gold_for_all_items_leaves_nothing_to_keep() -> None:
    crowd = mixed()
    curve = ac.fit(crowd.data, "pooled", gold=truth_of(crowd), restarts=0).coverage()
    assert "Nothing can be kept" in str(curve)
    assert curve.to_rows() == []
