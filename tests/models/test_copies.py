"""Coders who never differ: found where one copied, and not where both are good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import camps, difficult, mixed, permuted_coders, shuffled


def crowd(seed: int, *, copied: bool, good: float = 0.8) -> Any:
    """Eight coders of 150 items, half of them each; "b" is maybe a copy of "a"."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 150)
    right = np.array([good, good, *[0.75] * 6])[:, None]
    given = np.where(
        rng.random((8, 150)) < right, truth, (truth + rng.integers(1, 3, (8, 150))) % 3
    )
    if copied:
        given[1] = given[0]
    names = np.array(["x", "y", "z"])
    hidden = rng.random((8, 150)) < 0.4
    table = {"item": list(range(150))}
    for name, row, gap in zip("abcdefgh", given, hidden, strict=True):
        table[name] = [None if h else str(v) for v, h in zip(names[row], gap, strict=True)]
    return ac.read(table)


def told(data: Any, model: str = "pooled") -> list[Any]:
    return [f for f in ac.fit(data, model, restarts=0).findings if f.code == "copied_labels"]


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5])
def test_a_copier_is_found(seed: int) -> None:
    (found,) = told(crowd(seed, copied=True))
    assert found.evidence["pairs"] == [["a", "b"]]
    assert found.evidence["p_value"] < 0.01
    assert "agree on all" in found.sentence


def test_good_coders_are_not_suspected() -> None:
    for seed in range(6):
        assert not told(crowd(seed, copied=False))
        assert not told(crowd(seed, copied=True, good=1.0))


@pytest.mark.parametrize("planted", [mixed, difficult, camps])
def test_others_are_not_suspected(planted: Any) -> None:
    assert not told(planted().data)


def test_it_is_part_of_the_checks_and_free_of_order_and_names() -> None:
    data = crowd(1, copied=True)
    checks = ac.fit(data, restarts=0).checks(20, refits=10)
    assert "copied_labels" in {f.code for f in checks.findings}
    (one,), (other,) = told(data), told(shuffled(data))
    assert other.sentence == one.sentence
    renamed, _ = permuted_coders(data)
    (again,) = told(renamed)
    assert again.evidence["p_value"] == pytest.approx(one.evidence["p_value"])


def test_votes_and_constant_coders_are_left_alone() -> None:
    assert not told(crowd(1, copied=True), "majority")
    rows = [["x"] * 60, ["x"] * 60, ["x", "y"] * 30, ["x", "y"] * 30, ["y", "x"] * 30]
    assert not told(ac.read(rows))


def test_real_pairs(real_data: Any) -> None:
    """ZenCrowd: two workers with 95 items in common, and one and the same label for each."""
    data = ac.read(real_data("crowd/zencrowd_us.csv"), duplicates="keep")
    (found,) = told(data)
    assert found.evidence["pairs"] == [["w3", "w7"]]
