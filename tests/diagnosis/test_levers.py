"""What can be settled, and what to settle first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import accordant as ac
from accordant.counts.count import count
from accordant.diagnosis.levers import CEILING, MOST, levers
from accordant.diagnosis.projection import KINDS, Lever, settled
from accordant.errors import RequestError
from accordant.numbers import decimal
from diagnosis.made import at_random, from_counts, from_table, of_grid, sets_at_random

SAME = 1e-12  # two floats that were computed in different ways


def confused(n: int = 200, seed: int = 1, **more) -> ac.Annotations:
    """Three coders who take the first two of four categories for each other."""
    rng = np.random.default_rng(seed)
    truth = np.tile(rng.integers(4, size=n), (3, 1)).T
    slip = (rng.random(truth.shape) < 0.35) & (truth < 2)
    grid = np.where(slip, 1 - truth, truth)
    wild = rng.random(truth.shape) < 0.03
    return of_grid(np.where(wild, rng.integers(4, size=truth.shape), grid), "abcd", **more)


def test_the_confused_pair_comes_first() -> None:
    data = confused()
    found = levers(data, count(data))
    pairs = found.of_kind("pair")
    assert set(pairs[0].lever.of) == {"a", "b"}
    assert pairs[0].gain > 5 * pairs[1].gain
    assert found.plan(1) == pairs[:1]
    told = (
        f"Settle this first: “a” and “b” ({pairs[0].n_items} items). "
        f"α: {pairs[0].before:.3f} → {pairs[0].after:.3f}."
    )
    assert found.in_words(found.plan(1)) == told
    assert found.sentence(found.plan(1)) == f"{told} That is {CEILING}."


def test_a_figure_is_not_told_without_what_it_is() -> None:
    sentence = levers(confused(), count(confused())).sentence()
    assert "→" in sentence
    assert CEILING in sentence


def test_what_is_broad_does_not_lead_the_list() -> None:
    """All of a category brings more than a pair of it, since it settles more at once."""
    data = confused()
    found = levers(data, count(data))
    order = [KINDS.index(s.kind) for s in found]
    assert order == sorted(order)
    for kind in found.kinds:
        gains = [s.gain for s in found.of_kind(kind)]
        assert gains == sorted(gains, reverse=True)
    assert found.of_kind("category")[0].gain > found.steps[0].gain


def test_two_categories_leave_nothing_to_choose() -> None:
    data = at_random(3, values=2)
    found = levers(data, count(data))
    assert [s.after for s in found.of_kind("pair")] == [1]
    assert not found.chooses(found.plan())
    assert found.sentence() == ""


def test_all_pairs_there_are_is_no_choice() -> None:
    data = at_random(3, values=3)
    found = levers(data, count(data))
    assert found.n_pairs == 3
    first = found.of_kind("pair")[0]
    told = found.sentence()
    assert told.startswith(f"All pairs there are, what brings most first: {first.name} (")
    assert f"The first by itself: α {decimal(first.before)} → {decimal(first.after)}." in told
    assert "1.000" not in told
    assert found.chooses(found.plan(1))


def test_one_disputed_pair_is_told_as_such() -> None:
    data = of_grid(np.array([[0, 0], [1, 1], [2, 1], [2, 2], [1, 2]]), "abc")
    told = levers(data, count(data)).sentence()
    assert told == "Only one pair of categories is disputed: “b” and “c” (2 items)."


def test_ties_are_broken_as_is_said() -> None:
    """With two coders each dispute is a tie: what is frequent on all items wins."""
    two = of_grid(np.array([[0, 0], [0, 0], [1, 1], [0, 1], [1, 0], [2, 2]]), "abc")
    found = levers(two, count(two))
    assert found.of_two
    assert "no majority" in found.rule
    after = settled(two, found.of_kind("pair")[0].lever)
    assert [row["label"] for row in after.to_rows()][6:10] == ["a"] * 4
    for_category = settled(two, Lever("category", ("b",)))
    assert [row["label"] for row in for_category.to_rows()][6:10] == ["b"] * 4
    three = at_random(1, coders=3)
    assert "majority category" in levers(three, count(three)).rule


@pytest.mark.parametrize("seed", range(4))
def test_a_plan_takes_what_brings_most(seed: int) -> None:
    """Beside a plain search that settles the annotations and measures all pairs anew."""
    data = at_random(seed, items=60, values=5)
    plan = levers(data, count(data)).plan(3)
    for step in plan:
        found = levers(data, count(data)).of_kind("pair")
        assert step.after == pytest.approx(found[0].after, abs=1e-12)
        data = settled(data, step.lever)


def test_every_kind_of_lever_is_offered() -> None:
    data = confused()
    genre = tuple("xyz"[i % 3] if i % 5 else "" for i in range(len(data.items)))
    data = replace(data, metadata={"genre": genre, "number": tuple(range(len(data.items)))})
    found = levers(data, count(data))
    assert set(found.kinds) == set(KINDS)
    of = [s.lever.of for s in found.of_kind("group")]
    assert {value for column, value in of if column == "genre"} == set("xyz")
    assert len([value for column, value in of if column == "number"]) == 4  # quarters
    assert [s.n_items for s in found.of_kind("items")] == [50, 25, 10]
    assert {s.lever.of[0] for s in found.of_kind("coder")} == set(data.coders)
    assert found.note == ""


def test_of_two_coders_none_can_be_settled_alone() -> None:
    data = at_random(1, coders=2)
    assert not levers(data, count(data)).of_kind("coder")
    anonymous = replace(at_random(1), anonymous=True)
    assert not levers(anonymous, count(anonymous)).of_kind("coder")


def test_each_step_of_a_plan_begins_where_the_last_one_ended() -> None:
    data = confused()
    found = levers(data, count(data))
    for kinds in (("pair",), ("category",), ("pair", "coder", "items")):
        plan = found.plan(4, kinds)
        assert plan[0].before == found.value
        assert [s.before for s in plan[1:]] == [s.after for s in plan[:-1]]
        assert all(s.gain > 0 and s.kind in kinds for s in plan)
    assert len(found.plan(100)) <= 6
    assert found.plan(100)[-1].after == pytest.approx(1)
    assert found.plan(0) == ()
    with pytest.raises(RequestError, match="unknown kind 'label'"):
        found.plan(kinds=("label",))


def test_without_a_coefficient_there_are_no_levers() -> None:
    same = of_grid(np.zeros((5, 3), int), "ab")
    found = levers(same, count(same))
    assert math.isnan(found.value)
    assert found.undefined.reason == "no_variation"
    assert (len(found), found.plan(), found.sentence(), found.to_rows()) == (0, (), "", [])


def test_what_would_leave_no_variation_stands_last_with_a_reason() -> None:
    data = from_table([[0, 2], [1, 50]], ("yes", "no"))
    found = levers(data, count(data))
    pair = found.of_kind("pair")[0]
    assert math.isnan(pair.after)
    assert pair.undefined.reason == "no_variation"
    assert found.plan() == ()
    assert pair.to_rows()[0]["undefined"]


def test_agreement_leaves_nothing_to_settle() -> None:
    data = of_grid(np.array([[0, 0], [1, 1], [2, 2]]), "abc")
    found = levers(data, count(data))
    assert (found.value, len(found)) == (1, 0)


def test_many_categories_and_coders_are_bounded_and_told() -> None:
    rng = np.random.default_rng(3)
    grid = rng.integers(0, 70, size=(800, 4))
    data = of_grid(grid, range(70))
    found = levers(data, count(data))
    assert len(found.of_kind("pair")) == MOST["pair"]
    assert len(found.of_kind("category")) == MOST["category"]
    assert found.left_out["category"] == 10
    assert "10 categories" in found.note
    assert "pairs of categories" in found.note


def test_there_is_a_limit_to_the_work(monkeypatch) -> None:
    data = confused()
    monkeypatch.setattr("accordant.diagnosis.levers.MOST_WORK", 500)
    found = levers(data, count(data))
    assert len(found) < 12
    assert found.note


def test_counts_alone_have_levers() -> None:
    data = from_counts([[3, 1, 0], [0, 4, 0], [0, 1, 3], [2, 2, 0]])
    found = levers(data, count(data))
    assert found.of_kind("pair")[0].lever.of == (1, 2)


def test_a_step_says_what_ten_items_bring() -> None:
    step = levers(confused(), count(confused())).plan(1)[0]
    assert step.gain_per_ten == pytest.approx(10 * step.gain / step.n_items)
    assert step.to_rows()[0]["gain_per_ten_items"] == step.gain_per_ten


def test_labels_of_sets_are_levers() -> None:
    data = sets_at_random(2, items=100, coders=3, labels=4)
    found = ac.diagnose(data).pooled.levers
    assert {s.lever.of[0] for s in found.of_kind("category")} <= set("abcd")
    assert found.value == pytest.approx(ac.diagnose(data).pooled.alpha, abs=SAME)
    assert found.plan(3)
