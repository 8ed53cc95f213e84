"""Intervals of coders who never erred, and points that lie in their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta

import accordant as ac
from accordant.models.uncertainty import beta_ends, widened


def test_ends_are_those_of_beta_distributions() -> None:
    a, b = np.array([3.5, 20.5]), np.array([1.5, 0.5])
    low, high = beta_ends(a, b, 0.9)
    assert low == pytest.approx(beta.ppf(0.05, a, b))
    assert high == pytest.approx(beta.ppf(0.95, a, b))


def test_ends_are_only_ever_widened_and_hold_the_point() -> None:
    x = np.array([0.9, 0.5, 1.0])
    ends = np.array([0.8, 0.4, 0.7]), np.array([0.95, 0.6, 0.9])
    for deviation in (0.0, 0.3, 1.0):
        low, high = widened(x, ends, deviation, 0.95)
        assert (low <= ends[0] + 1e-9).all()
        assert (high >= np.fmax(ends[1], x) - 1e-5).all()


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
