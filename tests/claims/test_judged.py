"""Every fact of a finding, held against the table and what was planted, by a judge of its own."""

from __future__ import annotations

import numpy as np
import pytest

import accordant as ac
from claims.judge import judged_facts, same_told
from claims.worlds import (
    NULLS,
    PLANTS,
    TOGETHER,
    Draft,
    drafted,
    judged,
    null_world,
    planted_world,
)

UNSURE = ("gain", "items show the plant")
"""What is estimated, and so judged over many findings."""
SETS = [name for name, plant in PLANTS.items() if plant.base.get("sets")]
SINGLE = [name for name in PLANTS if name not in SETS]


def told(data: ac.Annotations) -> list[object]:
    return list(ac.diagnose(data).pooled.patterns)


@pytest.mark.parametrize("name", [*PLANTS, *TOGETHER])
def test_counts_direction_and_items_are_those_of_the_table(name: str) -> None:
    facts = [
        fact
        for seed in range(2)
        for world in [planted_world(name, 3000 + seed)]
        for fact in judged_facts(world, told(world.data))
    ]
    assert facts
    assert not [fact for fact in facts if fact.what not in UNSURE and not fact.ok]


def test_gains_and_items_show_what_was_planted() -> None:
    """Gains as 85 %, and items as 93 %, in the long run; less two standard errors."""
    facts = [
        fact
        for name in SINGLE
        for seed in range(4)
        for world in [planted_world(name, 4000 + seed)]
        for fact in judged_facts(world, told(world.data))
    ]
    gains = [fact.told / fact.true for fact in facts if fact.what == "gain"]
    assert 0.9 <= np.median(gains) <= 1.1
    assert np.mean([0.8 <= x <= 1.2 for x in gains]) >= 0.74
    assert np.mean([fact.told for fact in facts if fact.what == "items show the plant"]) >= 0.9


def test_a_label_that_is_left_out_added_or_exchanged_is_found_first() -> None:
    """As 96 of 100; its gain and its items as those of single labels."""
    worlds = [planted_world(name, 4500 + seed) for name in SETS for seed in range(2)]
    facts = [fact for world in worlds for fact in judged_facts(world, told(world.data))]
    assert sum(judged(world).first for world in worlds) > 0.8 * len(worlds)
    gains = [fact.told / fact.true for fact in facts if fact.what == "gain"]
    assert 0.85 <= np.median(gains) <= 1.15
    assert np.mean([fact.told for fact in facts if fact.what == "items show the plant"]) >= 0.88


@pytest.mark.parametrize("name", [name for name in NULLS if "labels" in name])
def test_labels_may_be_unequally_hard(name: str) -> None:
    """At most 1 of 50 is warned of."""
    assert sum(judged(null_world(name, 6500 + seed)).page for seed in range(4)) <= 1


@pytest.mark.parametrize("name", [*PLANTS, *TOGETHER])
def test_rows_have_no_order(name: str) -> None:
    draft = planted_world(name, 5000).draft
    assert same_told(told(draft.read(1)), told(draft.read(2)))


def read_apart(seed: int, coders: int, mine: int, each: int = 0) -> tuple[Draft, set[str]]:
    """Some coders read a third of the items otherwise than the rest."""
    draft = drafted(np.random.default_rng([seed, 29]), 300, coders, 4, law="beta", error=0.08)
    other = np.where(draft.rng.random(300) < 0.33, draft.rng.permutation(draft.truth), draft.truth)
    group = draft.rng.permutation(coders)[:mine]
    wrong = draft.x != draft.truth[:, None]
    draft.give(draft.only(*group) & ~wrong, other[:, None])
    if each:
        draft.present = np.argsort(draft.rng.random(draft.x.shape)) < each
    return draft, {f"c{c}" for c in group}


@pytest.mark.parametrize(("coders", "mine", "each"), [(6, 3, 0), (6, 2, 0), (20, 4, 8)])
def test_groups_that_no_pair_of_labels_divides(coders: int, mine: int, each: int) -> None:
    for seed in range(3):
        draft, group = read_apart(seed, coders, mine, each)
        found = [f for f in told(draft.read()) if f.code == "coder_division"]
        assert len(found) == 1
        facts = found[0].facts
        assert group in (set(facts["coders"]), set(facts["others"]))
        assert facts["within"] > facts["between"]


@pytest.mark.parametrize("name", ["abilities", "spammers", "thresholds"])
def test_coders_who_differ_in_ability_are_no_groups(name: str) -> None:
    found = {f.code for seed in range(6) for f in told(null_world(name, 6000 + seed).data)}
    assert not found & {"coder_groups", "coder_division"}
