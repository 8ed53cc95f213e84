"""The world in which models of coders are judged is what it says."""

from __future__ import annotations

import numpy as np
import pytest

from claims.simulated_crowd import KINDS, simulate_crowd


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_every_kind_of_coder_labels_by_its_confusion_matrix(scale: str) -> None:
    kinds = dict.fromkeys(KINDS, 2)
    crowd = simulate_crowd(8000, kinds, 4, per_item=8, scale=scale, disputed=0.0, seed=2)
    n = crowd.counted.sum(-1, keepdims=True)
    share, expected = crowd.counted / n, crowd.confusion
    error = np.sqrt(np.maximum(expected * (1 - expected), 1e-3) / n)
    assert (np.abs(share - expected) < 4.5 * error).all()


def test_special_items_are_seen_as_planted() -> None:
    crowd = simulate_crowd(
        4000, 6, 3, per_item=6, accuracy=0.9999, ambiguous=0.3, misleading=0.2, seed=5
    )
    assert abs((crowd.clear == 1).mean() - 0.5) < 0.03
    right = np.zeros(4000)
    for row in crowd.data.to_rows():
        right[row["item"] - 1] += (row["label"] == crowd.labels[row["item"] - 1]) / 6
    assert abs(right[crowd.clear < 0.5].mean() - 0.35) < 0.03
    assert np.abs(right - crowd.clear).mean() < 0.1


def test_a_school_agrees_with_itself_about_disputed_items() -> None:
    crowd = simulate_crowd(
        1000, {"good": 2, "school": 2}, 3, per_item=4, accuracy=0.9999, disputed=0.4, seed=6
    )
    said = {(r["item"], r["coder"]): r["label"] for r in crowd.data.to_rows()}
    apart = [said[i, "school 1"] != crowd.labels[i - 1] for i in range(1, 1001)]
    assert np.mean(np.array(apart) == crowd.disputed) > 0.99
