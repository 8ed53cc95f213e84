"""Intervals of coders who never erred, and points that lie in their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta

import accordant as ac
from accordant.models.coders.drawing import Expected
from accordant.models.coders.ends import opened
from accordant.models.estimate import Interval
from accordant.models.intervals import unseen_error


@pytest.mark.parametrize("n", [3, 20, 200])
def test_no_error_leaves_room_for_one(n: int) -> None:
    """The bound against Jeffreys' interval by SciPy, and against the rule of three."""
    bound = float(unseen_error(np.array(float(n))))
    assert bound == pytest.approx(beta.ppf(0.025, n + 2.5, 0.5))
    assert 1 - 3 / n <= bound <= 1 - 1.5 / (n + 3)


@pytest.mark.parametrize("model", ["pooled", "map", "dawid_skene"])
def test_coders_who_never_disagree_are_not_known_exactly(model: str) -> None:
    rows = [["a", "b", "c", "a", "b"] * 4] * 4
    found = ac.coders(ac.fit(rows, model))
    for c in found:
        assert c.competence > 0.99
        assert c.low <= 0.9 + 1e-9
        assert c.skill_low <= 0.85
        assert c.low <= c.competence <= c.high
    confusion = found.confusion_of("coder 1")
    diagonal = [row for row in confusion if row["true"] == row["answer"]]
    assert all(row["low"] < 0.9 for row in diagonal)
    assert all(row["high"] > 0.05 for row in confusion if row not in diagonal)


def test_more_annotations_without_an_error_tell_more() -> None:
    few, many = (ac.coders([["a", "b"] * n] * 4).each[0] for n in (10, 200))
    assert few.low < many.low < 1
    assert few.skill_low < many.skill_low < 1


def test_the_interval_of_who_erred_is_that_of_the_draws() -> None:
    counts = np.array([[[9.0, 1.0], [2.0, 8.0]]])
    x = np.array([0.85])
    ends = (np.array([0.84]), np.array([0.86]))
    made = opened(
        Expected(counts, np.ones((1, 2))), (x, ends), (x, ends), np.array([0.5]), None, 0.95
    )
    assert [float(e[0]) for pair in made for e in pair] == [0.84, 0.86, 0.84, 0.86]


def test_a_point_beside_its_draws_gets_the_interval_of_the_model() -> None:
    counts = np.array([[[9.0, 1.0], [2.0, 8.0]]])
    x = np.array([0.9])
    ends = (np.array([0.8]), np.array([0.88]))
    own = Interval(np.array([0.7]), np.array([0.95]), 0.95, "as found")
    (low, high), (skill_low, skill_high) = opened(
        Expected(counts, np.ones((1, 2))),
        (x, ends), (np.array([0.8]), (np.array([0.6]), np.array([0.78]))), np.array([0.5]), own,
        0.95,
    )  # fmt: skip
    assert (low[0], high[0]) == (0.8, pytest.approx(0.95))
    assert (skill_low[0], skill_high[0]) == (0.6, pytest.approx(0.9))


def test_points_of_sets_lie_within_their_intervals() -> None:
    """What coders do with all labels is a prior that the draws do not know."""
    rng = np.random.default_rng(1)
    labels = [f"l{k}" for k in range(12)]
    rows = []
    for i in range(30):
        true = set(rng.choice(labels, 2, replace=False).tolist())
        for c in range(6):
            said = [x for x in labels if (x in true) == (rng.random() < 0.95)]
            rows.append((f"i{i}", f"c{c}", "|".join(said) or "none"))
    found = ac.coders(ac.fit(ac.read(rows, separator="|")), leave_out=0)
    for one in found:
        for c in one:
            assert c.low <= c.competence <= c.high
            assert c.low < c.competence or c.competence in (0, c.low)
            assert c.high > c.competence or c.competence > 1 - 1e-6
            assert math.isnan(c.skill) or c.skill_low <= c.skill <= c.skill_high
