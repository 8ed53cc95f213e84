"""Who annotated what."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.measure.coverage import coverage
from accordant.measure.shares import entropy
from diagnosis.made import at_random, from_counts, of_grid

GAPS = of_grid(np.array([[0, 1, -1], [0, 0, 1], [-1, 2, -1], [-1, -1, -1]]), "abc")


def test_numbers_of_items() -> None:
    found = coverage(GAPS)
    assert (found.n_items, found.n_annotated, found.n_pairable, found.n_single, found.n_empty) == (
        4,
        3,
        2,
        1,
        1,
    )
    assert found.per_item == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert found.n_annotations == 6
    assert found.missing_share == pytest.approx(1 - 6 / 9)
    assert found.statuses == {"answered": 6, "not assigned": 6}
    assert found.to_rows()[0]["statuses"] == "6 answered, 6 not assigned"


def test_what_each_coder_did() -> None:
    a, b, c = coverage(GAPS).coders
    assert (a.n_items, a.n_alone, a.n_values, a.top, a.top_share, a.entropy) == (
        2,
        0,
        1,
        "a",
        1.0,
        0.0,
    )
    assert (b.n_items, b.n_alone, b.n_values, b.entropy) == (3, 1, 3, pytest.approx(np.log2(3)))
    assert c.share == pytest.approx(1 / 3)


def test_the_label_given_most_often() -> None:
    coder = coverage(of_grid(np.array([[0], [1], [1], [2]]), "abc")).coders[0]
    assert (coder.top, coder.top_share) == ("b", 0.5)


@pytest.mark.parametrize("seed", range(3))
def test_labels_of_all_coders(seed: int) -> None:
    data = at_random(seed)
    found = coverage(data).distribution
    n = np.bincount(data.grid[data.grid >= 0], minlength=4)
    assert found.n.tolist() == n.tolist()
    assert found.share.tolist() == pytest.approx((n / n.sum()).tolist())
    assert found.entropy == pytest.approx(-(n / n.sum() * np.log2(n / n.sum())).sum())


def test_unused_values_are_named() -> None:
    assert coverage(of_grid(np.array([[0, 2]]), "abc")).distribution.unused == ("b",)


def test_groups_of_coders_that_never_meet() -> None:
    apart = of_grid(np.array([[0, 1, -1, -1], [-1, -1, 0, 0]]), "ab")
    assert coverage(apart).n_groups == 2
    bridge = of_grid(np.array([[0, 1, -1, -1], [-1, -1, 0, 0], [-1, 0, 0, -1]]), "ab")
    assert coverage(bridge).n_groups == 1
    assert coverage(from_counts([[2, 1]])).n_groups == 1


def test_entropy_limits() -> None:
    assert entropy([[4, 0], [2, 2]]).tolist() == [0.0, 1.0]
    assert np.isnan(entropy([0, 0]))
