"""What models promise of labels and coders, on simulated crowds whose truth is known.

`benchmarks.crowds` judges them on real crowds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from benchmarks.crowds.gold import Crowd, plain
from benchmarks.crowds.methods import believed
from benchmarks.crowds.scores import Beliefs, scored

import accordant as ac
from claims.crowd_worlds import CROWDS, CrowdWorld, crowd_world

N = 10
FRESH = 400  # seeds from here on were never used to choose anything


def judged(made: CrowdWorld, model: str) -> dict[str, float]:
    """Every measure of a model on a simulated crowd, as somebody gets it who gives no option."""
    found: Any = ac.fit(made.crowd.data, model)
    said = believed(found, None)
    row = scored(made.crowd, said)
    true = dict(zip(made.coders, made.right.tolist(), strict=True))
    ends = found.interval("competence")
    each = zip(found.coders, ends.low.tolist(), ends.high.tolist(), strict=True)
    held = [low <= true[c] <= high for c, low, high in each if not math.isnan(low)]
    row["coders_held"] = float(np.mean(held)) if held else math.nan
    if said.prevalence is not None:
        at = [ord(str(c)) - ord("a") for c in said.categories]
        pairs = zip(at, said.prevalence, strict=True)
        held = [lo <= made.prevalence[k] <= hi for k, (lo, hi) in pairs if not math.isnan(lo)]
        row["prevalence_held"] = float(np.mean(held)) if held else math.nan
    row["harm"] = row["log_loss"] - row.get("own_log_loss", math.nan)
    return row


def means(world: str, model: str = "blend", n: int = N, first: int = 0) -> dict[str, float]:
    """Means over some crowds of one kind."""
    rows = [judged(crowd_world(world, seed), model) for seed in range(first, first + n)]
    found = {key: [row[key] for row in rows] for key in rows[0]}
    return {key: float(np.nanmean(x)) for key, x in found.items() if not np.isnan(x).all()}


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
    none = scored(by_hand(), Beliefs("1234", "ab", np.full((4, 2), np.nan)))
    assert none["accuracy"] == pytest.approx((0.5 + 0.5 + 1 + 0) / 4)
    assert plain("Expansion.Conjunction") == plain(" conjunction")


@pytest.mark.parametrize("name", CROWDS)
def test_crowds_are_the_same_whenever_they_are_asked_for(name: str) -> None:
    one, two = crowd_world(name, 3), crowd_world(name, 3)
    assert one.crowd.frame.equals(two.crowd.frame)
    assert not one.crowd.frame.equals(crowd_world(name, 4).crowd.frame)
    assert one.prevalence.sum() == pytest.approx(1)
    assert len(one.roles) == len(one.right)


# ------------------------------------------------------------------ the models


def test_allowing_for_shared_errors_costs_independent_coders_little() -> None:
    """Few annotations for a cell of a confusion matrix; beside the same if errors are independent."""
    worlds = "four_categories", "ten_categories", "ten_coders", "three_of_sixty"
    harm = [means(world, "blend", 4, FRESH)["harm"] for world in worlds]
    assert np.mean(harm) <= 0.01
    assert max(harm) <= 0.03


@pytest.mark.parametrize("model", ["dawid_skene", "map", "one_coin", "mace", "glad"])
def test_intervals_of_coders_who_are_hardly_known(model: str) -> None:
    """Published models are too sure of labels that follow a coder, and so of the coder.

    By their own probabilities these intervals held the accuracy of 83 to 87 % of the coders.
    """
    assert means("three_of_sixty", model, 5, FRESH)["coders_held"] >= 0.93


def test_one_coin_knows_the_prevalence_where_it_is_the_right_model() -> None:
    told = means("ten_coins", "one_coin", 16, FRESH)
    assert told["prevalence_held"] >= 0.92
    assert 0.92 <= told["coders_held"] <= 0.98


@pytest.mark.parametrize("model", ["blend", "one_coin"])
def test_prevalence_is_as_unsure_as_hardly_known_coders_make_it(model: str) -> None:
    """Sixty coders with twenty annotations each, two categories: coders' errors may be the share.

    With errors of coders taken as known, intervals held it in two of three crowds.
    """
    assert means("three_of_sixty", model, 16, FRESH)["prevalence_held"] >= 0.8


def test_shared_difficulty_is_found() -> None:
    told = means("shared_difficulty", n=5)
    assert told["worth"] < 0.6
    assert told["log_loss"] < told["own_log_loss"] - 0.1


def test_bad_coders_are_found() -> None:
    found = {"adversarial": 0, "constant": 0}
    right = {"adversarial": "below chance", "constant": "constant"}
    blamed = []
    for seed in range(4):
        made = crowd_world("bad_coders", seed)
        verdicts = {c.coder: c.verdict for c in ac.coders(made.crowd.data)}
        for role in found:
            (name,) = made.of_role(role)
            found[role] += verdicts[name] == right[role]
        (name,) = made.of_role("random")
        assert verdicts[name] is None
        blamed += [verdicts[name] is not None for name in made.of_role("good")]
    assert found == {"adversarial": 4, "constant": 4}
    assert np.mean(blamed) <= 0.02


def test_intervals_of_coders_who_are_well_known() -> None:
    assert 0.9 <= means("well_known", n=8)["coders_held"] <= 0.99


def test_where_nothing_can_be_learned_nothing_is_promised() -> None:
    for seed in range(3):
        alone: Any = ac.fit(crowd_world("one_label_each", seed).crowd.data, "pooled")
        assert np.isnan(alone.confidence).all()
        assert "nothing_to_learn" in {f.code for f in alone.findings}
        apart: Any = ac.fit(crowd_world("disjoint_coders", seed).crowd.data, "pooled")
        assert "disjoint_coders" in {f.code for f in apart.findings}
