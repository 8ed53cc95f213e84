"""What is said about causes of disagreement, on data whose causes are known.

`python -m benchmarks.findings` has the whole grid, with as many data sets as one likes.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import accordant as ac
from claims.worlds import (
    NULLS,
    PLANTS,
    TOGETHER,
    Draft,
    Verdict,
    drafted,
    drafted_sets,
    judged,
    null_world,
    planted_world,
)


@cache
def held(name: str, n: int, strength: float = 1) -> list[Verdict]:
    if name in NULLS:
        return [judged(null_world(name, 1000 + seed)) for seed in range(n)]
    return [judged(planted_world(name, 1000 + seed, strength)) for seed in range(n)]


def test_nothing_is_found_where_nothing_is_to_be_found() -> None:
    """At most 3 %: of 66 data sets more than 5 in one of a hundred; warnings hardly ever."""
    found = {name: held(name, 6) for name in NULLS}
    assert sum(v.warned for each in found.values() for v in each) <= 5, found
    assert sum(v.page for each in found.values() for v in each) <= 2, found


def test_the_planted_cause_is_the_first_finding() -> None:
    """95 % at full strength, less two standard errors of a share."""
    found = {name: sum(v.first for v in held(name, 5)) for name in PLANTS}
    assert sum(found.values()) >= 0.9 * 5 * len(PLANTS), found
    assert all(found.values()), found


def test_half_as_strong_it_still_is() -> None:
    found = {name: sum(v.first for v in held(name, 3, 0.5)) for name in PLANTS}
    assert sum(found.values()) >= 0.7 * 3 * len(PLANTS), found


def test_what_is_explained_is_not_told_again() -> None:
    found = {name: sum(v.spurious for v in held(name, 5)) for name in PLANTS}
    assert sum(found.values()) <= 0.12 * 5 * len(PLANTS), found


def test_two_causes_are_both_found() -> None:
    found = {name: sum(v.found for v in held(name, 4)) for name in TOGETHER}
    assert sum(found.values()) >= 0.75 * 4 * len(TOGETHER), found


def test_of_two_coders_neither_is_blamed() -> None:
    """Which of them gives a value too often cannot be seen."""
    for seed in range(4):
        world = planted_world("biased coder", seed, coders=2)
        found = ac.diagnose(world.data).pooled.patterns
        assert not [f for f in found if f.facts.get("coder") and not f.facts["other"]]


# ------------------------------------------------------------------ reports and levels


def ordinary(seed: int, n: int = 500, c: int = 3, k: int = 6, **more: object) -> Draft:
    return drafted(np.random.default_rng([7, seed]), n, c, k, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("slip", "zipf"), [("slips", 1), ("slips", 0), ("guesses", 1)])
def test_decompose_does_not_headline_noise(slip: str, zipf: float) -> None:
    made = [ordinary(s, slip=slip, zipf=zipf).world().data for s in range(6)]
    assert [ac.decompose(data).headline for data in made].count(None) >= 5


def test_decompose_does_not_headline_noise_in_sets() -> None:
    rng = np.random.default_rng(8)
    made = [drafted_sets(rng, 300, 3, 4, law="beta").world().data for _ in range(6)]
    assert [ac.decompose(data).headline for data in made].count(None) >= 5


def test_a_report_on_noise_sends_nobody_to_a_category() -> None:
    """The chapters agree: no finding, no headline of the levels, no pair to separate first."""
    data = ordinary(1, zipf=1).world().data
    opening = json.dumps(json.loads(ac.report(data).to_json())["opening"])
    assert '"cell"' not in opening


@pytest.mark.parametrize("seed", range(3))
def test_spammers_are_no_group(seed: int) -> None:
    world = null_world("spammers", seed)
    found = [f for f in ac.diagnose(world.data).findings if "gain" in f.facts]
    assert "coder_groups" not in {f.code for f in found}
    assert {f.facts["coder"] for f in found} <= {f"c{c}" for c in world.odd}


def test_one_coder_of_many_is_told_once_and_no_category_is_blamed() -> None:
    """One of 52 gives one value to everything."""
    draft = ordinary(3, 400, 52, 4)
    draft.x[:, 17] = 1
    draft.present = np.argsort(draft.rng.random(draft.x.shape)) < 6
    draft.present[:, 17] |= draft.rng.random(400) < 0.4
    found = [f for f in ac.diagnose(draft.world().data).findings if "gain" in f.facts]
    assert [f.facts["coder"] for f in found] == ["c17"]


@pytest.mark.parametrize("seed", range(3))
def test_a_shifted_coder_is_not_told_as_pairs(seed: int) -> None:
    """Also where nobody said that the names form a scale."""
    draft = ordinary(seed, 300, 4, 5)
    draft.give(draft.some(draft.only(2), 0.5), np.clip(draft.x + 1, 0, 4))
    found = ac.diagnose(draft.world().data).pooled.patterns
    assert {f.facts["coder"] for f in found if f.severity == "warning"} == {"c2"}
