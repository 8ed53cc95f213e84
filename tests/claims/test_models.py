"""What models promise of labels and coders, on simulated crowds whose truth is known.

`claims.crowd_judging` has every kind of crowd and every model; `benchmarks.crowds` real crowds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.crowds.gold import Crowd, plain
from benchmarks.crowds.methods import believed
from benchmarks.crowds.scores import Beliefs, scored

import accordant as ac
from claims.crowd_judging import held, judged, summary
from claims.crowd_worlds import CROWDS, crowd_world

N = 10


FRESH = 400  # seeds from here on were never used to choose anything


def found(
    world: str, model: str = "pooled", n: int = N, first: int = 0, **more: bool
) -> dict[str, Any]:
    """Means over some crowds of one kind."""
    seeds = range(first, first + n)
    return summary([judged(crowd_world(world, seed), model, **more) for seed in seeds])


# ------------------------------------------------------------------ the judge


def by_hand() -> Crowd:
    """Four items and three coders, one gold label of which is no category."""
    import pandas as pd

    rows = [(i, c, "a") for i in "1234" for c in "xyz"]
    frame = pd.DataFrame(rows, columns=["item", "coder", "label"])
    return Crowd("", frame, {"1": ("a",), "2": ("b",), "3": ("a", "b"), "4": ("c",)}, 4)


def test_scores_by_hand() -> None:
    p = np.array([[0.96, 0.04], [0.5, 0.5], [0.7, 0.3], [0.99, 0.01]])
    said = scored(by_hand(), Beliefs("1234", "ab", p, coders={"x": (0.4, 0.6)}))
    assert said["accuracy"] == pytest.approx((1 + 0.5 + 1 + 0) / 4)
    expected = -(math.log(0.96) + math.log(0.5) + 0 + math.log(1e-6)) / 4
    assert said["log_loss"] == pytest.approx(expected)
    assert (said["n_sure"], said["sure_right"]) == (2, 0.5)
    # bins: .96 and .99 together (1.95 against 1), .5 (against .5), .7 (against 1)
    assert said["calibration_error"] == pytest.approx((0.95 + 0 + 0.3) / 4)
    assert said["coders"] == 0  # four gold labels are too few


def test_where_nothing_is_said_categories_are_as_probable() -> None:
    said = scored(by_hand(), Beliefs("1234", "ab", np.full((4, 2), np.nan)))
    assert said["accuracy"] == pytest.approx((0.5 + 0.5 + 1 + 0) / 4)
    assert said["n_sure"] == 0


def test_labels_of_several_levels_are_one() -> None:
    assert plain("Expansion.Conjunction") == plain(" conjunction")


@pytest.mark.parametrize("name", CROWDS)
def test_crowds_are_the_same_whenever_they_are_asked_for(name: str) -> None:
    one, two = crowd_world(name, 3), crowd_world(name, 3)
    assert one.crowd.frame.equals(two.crowd.frame)
    assert not one.crowd.frame.equals(crowd_world(name, 4).crowd.frame)
    assert one.prevalence.sum() == pytest.approx(1)
    assert len(one.roles) == len(one.right)


# ------------------------------------------------------------------ the models


@pytest.mark.parametrize(
    ("world", "model"),
    [("four_categories", "pooled"), ("ten_coders", "pooled"), ("equal_errors", "one_coin")],
)
def test_evidence_of_independent_coders_is_left_alone(world: str, model: str) -> None:
    assert found(world, model, coders=False)["recalibrated"] <= 0.1


HARDLY_KNOWN = ("four_categories", "ten_categories")
INDEPENDENT = [
    (world, model, 10)
    for model in ("blend", "pooled", "map", "dawid_skene", "variational", "one_coin", "mace")
    for world in HARDLY_KNOWN
]
SLOW = [
    ("four_categories", "glad", 6),
    ("four_categories", "subtypes", 6),
    ("ten_categories", "hierarchical", 1),
]


@pytest.mark.parametrize(("world", "model", "n"), INDEPENDENT + SLOW)
def test_recalibration_does_no_harm_to_independent_coders(world: str, model: str, n: int) -> None:
    """Few annotations for a cell of a confusion matrix; one crowd may be an accident."""
    told = found(world, model, n, FRESH, coders=False)
    assert told["costs"] * n <= 1
    assert told["log_loss"] <= told["own_log_loss"] + 0.005


def intervals(world: str, model: str, n: int) -> dict[str, Any]:
    """Whose intervals hold what was planted; coders by the fit itself, which is faster."""
    rows = []
    for seed in range(FRESH, FRESH + n):
        made = crowd_world(world, seed)
        fit = ac.fit(made.crowd.data, model)
        ends = fit.interval("competence")
        each = dict(zip(fit.coders, zip(ends.low.tolist(), ends.high.tolist())))
        rows.append(held(made, replace(believed(fit, None), coders=each)))
    return summary(rows)


@pytest.mark.parametrize("model", ["dawid_skene", "map", "one_coin", "mace", "glad"])
def test_intervals_of_coders_who_are_hardly_known(model: str) -> None:
    """Models without a prior are too sure of labels that follow a coder, and so of the coder.

    By their own probabilities these intervals held the accuracy of 83 to 87 % of the coders.
    """
    assert 0.91 <= intervals("three_of_sixty", model, 10)["coders_held"] <= 0.985


def test_one_coin_knows_the_prevalence_where_it_is_the_right_model() -> None:
    told = intervals("ten_coins", "one_coin", 16)
    assert told["prevalence_held"] >= 0.92
    assert 0.92 <= told["coders_held"] <= 0.98


@pytest.mark.parametrize("model", ["blend", "variational", "one_coin"])
def test_prevalence_is_as_unsure_as_hardly_known_coders_make_it(model: str) -> None:
    """Sixty coders with twenty annotations each, two categories: coders' errors may be the share.

    With errors of coders taken as known, intervals of this width held it in two of three crowds.
    """
    told = found("three_of_sixty", model, 16, FRESH, coders=False)
    assert told["prevalence_held"] >= 0.85


def test_shared_difficulty_is_found() -> None:
    told = found("shared_difficulty", n=5, coders=False)
    assert told["worth"] < 0.6
    assert told["log_loss"] < told["own_log_loss"] - 0.1


def test_bad_coders_are_found() -> None:
    told = found("bad_coders", n=4)
    for role in ("adversarial", "constant", "random"):
        assert told[f"verdict_{role}"] >= 0.9
    assert told["good_called_bad"] <= 0.02


@pytest.mark.parametrize(
    ("world", "least", "most"),
    [
        ("reading_30", 0.8, 1.0),
        ("reading_15", 0.5, 1.0),
        ("strict_half", 0.0, 0.2),
    ],
)
def test_readings_are_groups_and_strictness_is_none(world: str, least: float, most: float) -> None:
    told = found(world, "blend", 10, FRESH + 600)
    assert least <= told["group_right"] <= most
    assert told["groups"] <= most


def test_intervals_of_coders_who_are_well_known() -> None:
    told = found("well_known", n=8)
    assert 0.9 <= told["coders_held"] <= 0.99


def test_where_nothing_can_be_learned_nothing_is_promised() -> None:
    told = found("one_label_each", n=3)
    assert math.isnan(told["sure_right"])
    assert told["codes"]["nothing_to_learn"] == 1
    assert found("disjoint_coders", n=3)["codes"]["disjoint_coders"] == 1
