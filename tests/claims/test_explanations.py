"""What is said about causes of disagreement, on data whose causes are known.

`python -m claims.run` has the whole grid, with as many data sets as one likes.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.diagnosis.explain import Explanations, explain
from accordant.diagnosis.power import power
from accordant.inference.item_patterns import Patterns
from claims.explainer import annotations, causes
from claims.judging import Verdict, said_of
from claims.nulls import NULLS, null_world
from claims.plants import PLANTS, mixed, planted_draft, planted_world
from claims.run import EXPLAINER, Job, loaded, verdicts
from claims.worlds import GRIDS, Draft, drafted, drafted_sets, seeded, wrong

TOGETHER = [" + ".join(pair) for pair in GRIDS["held"].together]
IN_A_STRETCH = frozenset({"stretch", "trend"})
OF_GROUPS = frozenset({"coder_groups", "camps"})


# ------------------------------------------------------------------ the bounds, on the held grid


@cache
def held(name: str, n: int, strength: float = 1) -> list[Verdict]:
    """Of so many data sets of the grid on which nothing was tuned."""
    return verdicts(Job("held", name, n, 300, EXPLAINER), strength)


def test_nothing_is_found_where_nothing_is_to_be_found() -> None:
    """At most 2 %: of 84 data sets more than 5 in one of a hundred."""
    found = {name: sum(v.warned for v in held(name, 6)) for name in NULLS}
    assert sum(found.values()) <= 5, found


def test_the_planted_cause_is_the_first_finding() -> None:
    """95 % at full strength, less two standard errors of a share."""
    found = {name: sum(v.first for v in held(name, 5)) for name in PLANTS}
    assert sum(found.values()) >= 0.91 * 5 * len(PLANTS), found


def test_half_as_strong_it_still_is() -> None:
    """80 % in the mean, less two standard errors."""
    found = {name: sum(v.first for v in held(name, 3, 0.5)) for name in PLANTS}
    assert sum(found.values()) >= 0.71 * 3 * len(PLANTS), found


def test_what_is_explained_is_not_told_again() -> None:
    found = {name: sum(v.spurious for v in held(name, 5)) for name in PLANTS}
    assert sum(found.values()) <= 0.11 * 5 * len(PLANTS), found


def test_two_causes_are_both_found() -> None:
    found = {name: sum(v.found for v in held(name, 5)) for name in TOGETHER}
    assert sum(found.values()) >= 0.87 * 5 * len(TOGETHER), found


@pytest.mark.parametrize("name", PLANTS)
def test_no_cause_goes_unseen(name: str) -> None:
    assert any(v.first for v in held(name, 5))


def test_of_two_coders_neither_is_blamed() -> None:
    """Which of them gives a value too often cannot be seen."""
    for seed in range(5):
        world = planted_world("held", "biased_coder", seed, coders=2)
        assert not any(len(x.coders) == 1 for x in said_of(world, loaded(EXPLAINER)))


# ------------------------------------------------------------------ through the public calls


def ordinary(seed: int, n: int = 500, c: int = 3, k: int = 6, **more: Any) -> Draft:
    return drafted(np.random.default_rng([7, seed]), n, c, k, **more)


def public(draft: Draft) -> ac.Annotations:
    return annotations(draft.world("", ()))


@pytest.mark.parametrize("slip, zipf", [("slips", 1), ("slips", 0), ("guesses", 1)])
def test_decompose_does_not_headline_noise(slip: str, zipf: float) -> None:
    found = [ac.decompose(public(ordinary(s, slip=slip, zipf=zipf))).headline for s in range(6)]
    assert found.count(None) >= 5


def test_decompose_does_not_headline_noise_in_sets() -> None:
    """Of three coders, and of items that are not equally hard."""
    rng = np.random.default_rng(8)
    made = [drafted_sets(rng, 300, 3, 4, law="beta") for _ in range(6)]
    assert [ac.decompose(public(draft)).headline for draft in made].count(None) >= 5


def test_a_report_on_noise_sends_nobody_to_a_category() -> None:
    """The chapters agree: no finding, no headline of the levels, no pair to separate first."""
    data = public(ordinary(1, zipf=1))
    assert not causes(data)
    opening = json.dumps(json.loads(ac.report(data).to_json())["opening"])
    assert '"cell"' not in opening


@pytest.mark.parametrize("seed", range(4))
def test_parity_is_no_pattern(seed: int) -> None:
    """Slips to neighbours cross a partition into even and odd most often, whatever the values."""
    best = ac.decompose(public(ordinary(seed, k=5, slip="neighbours", error=0.2))).headline
    sides = [] if best is None else [best.to_rows()[0][key] for key in ("side_0", "side_1")]
    assert "v1,v3" not in sides


@pytest.mark.parametrize("seed", range(4))
def test_spammers_are_no_group(seed: int) -> None:
    world = null_world("dev", "spammers", seed)
    found = causes(annotations(world))
    assert not OF_GROUPS & {f.code for f in found}
    assert {f.evidence.get("coder") for f in found} <= {f"c{c}" for c in world.odd}


def test_what_would_have_been_seen_is_seen() -> None:
    """A pair planted 2 points above the claim, in four of five data sets."""
    seen = []
    for seed in range(10):
        draft = ordinary(seed, 300, 4, 7, zipf=1, law="beta")
        claims = [f for f in ac.diagnose(public(draft)).findings if f.code == "no_pattern"]
        if not claims:
            continue
        (claim,) = claims
        pair = [int(str(claim.evidence[key])[1:]) for key in ("first", "second")]
        hit = draft.some(np.isin(draft.x, pair), claim.evidence["detectable"] + 0.02)
        draft.give(hit, sum(pair) - draft.x)
        found = ac.diagnose(public(draft)).findings
        told = (f.evidence for f in found if f.evidence.get("second") is not None)
        seen.append(any({e["first"], e["second"]} == {f"v{k}" for k in pair} for e in told))
    assert sum(seen) >= 0.6 * max(len(seen), 6)


def test_agreement_that_falls_along_the_file_is_seen() -> None:
    draft = ordinary(1, 300, 4)
    draft.give(draft.some(True, np.linspace(0, 0.9, 300)[:, None]), draft.anything())
    assert IN_A_STRETCH & {f.code for f in ac.diagnose(public(draft)).findings}


@pytest.mark.parametrize("seed", range(4))
def test_a_sorted_file_is_no_drift(seed: int) -> None:
    assert not causes(public(ordinary(seed, order="sorted", law="beta")))


@pytest.mark.parametrize("seed", range(4))
def test_who_leaves_a_label_out_is_named(seed: int) -> None:
    draft = drafted_sets(np.random.default_rng([9, seed]), 300, 4, 5, law="beta", error=0.04)
    PLANTS["coder_omits"].add(draft, 0.7)
    ((_, coder),) = (x for x in draft.taken if x[0] == "coder")
    assert causes(public(draft))[0].evidence["coder"] == f"c{coder}"


def test_one_coder_of_many_is_told_once_and_no_category_is_blamed() -> None:
    """One of 52 gives one value to everything."""
    draft = ordinary(3, 400, 52, 4)
    draft.x[:, 17] = 1
    draft.present = np.argsort(draft.rng.random(draft.x.shape)) < 6
    draft.present[:, 17] |= draft.rng.random(400) < 0.4
    assert [f.evidence["coder"] for f in causes(public(draft))] == ["c17"]


@pytest.mark.parametrize("seed", range(4))
def test_a_shifted_coder_is_not_told_as_pairs(seed: int) -> None:
    """Also where nobody said that the names form a scale."""
    draft = ordinary(seed, 300, 4, 5)
    draft.shift(draft.some(draft.only(2), 0.5), 1)
    found = causes(public(draft))
    assert found[0].evidence["coder"] == "c2"
    assert {f.evidence.get("coder") for f in found} == {"c2"}


def test_a_decomposition_answers_briefly() -> None:
    """Few rows, and none that differs from another by a rare value only."""
    draft = ordinary(1, k=7, zipf=1)
    draft.give(draft.some(draft.x < 4, 0.2), 3 - draft.x)
    rows = ac.decompose(public(draft)).rows
    assert len(rows) <= 8
    sides = [set(str(row.to_rows()[0]["side_0"]).split(",")) for row in rows]
    values = {f"v{k}" for k in range(7)}
    unlike = [min(one ^ two, values - (one ^ two), key=len) for one in sides for two in sides]
    assert all(x != {"v6"} for x in unlike)


# ------------------------------------------------------------------ what would have been found


def promised(what: str, seed: int, items: int) -> bool | None:
    """Whether a pair, or a coder, of the strength that is promised to be found is found.

    None where something is found before, or nothing is promised.
    """
    rng = seeded("fresh", f"power {what}", seed)
    draft = planted_draft(rng, GRIDS["fresh"], items)
    assert draft.present is not None
    before = explained(draft)
    least = power(before.last)
    if before.found:
        return None
    if what == "pair":
        one, other = np.argsort(-np.bincount(draft.x.ravel(), minlength=draft.k))[:2].tolist()
        share = float(least.pairs[one, other])
        if not np.isnan(share):
            mixed(draft, one, other, share)
        about = {one, other}
    else:
        coder = draft.coder()
        share = float(np.nanmedian(least.coders))
        about = {coder}
        right = (draft.x == draft.truth[:, None])[:, coder]
        known = float(right[draft.present[:, coder]].mean())
        even = np.full(draft.k, 1 / draft.k)
        other_values = wrong(rng, draft.truth, "slips", even, draft.x.shape)
        draft.give(
            draft.some(draft.only(coder) & right[:, None], 1 - (1 - share) / known), other_values
        )
    if np.isnan(share):
        return None
    told = explained(draft).found
    return any(about <= set(x.labels if what == "pair" else x.coders) for x in told)


def explained(draft: Draft) -> Explanations:
    grid = np.where(draft.present, draft.x, -1)
    return explain(Patterns.of_grid(grid, draft.k), np.eye(draft.k, dtype=bool))


@pytest.mark.parametrize("what", ["pair", "coder"])
@pytest.mark.parametrize("items", [100, 300])
def test_what_is_promised_to_be_found_is_found(what: str, items: int) -> None:
    """Four times in five, less two standard errors of 40 data sets."""
    found = [x for x in (promised(what, seed, items) for seed in range(40)) if x is not None]
    assert len(found) >= 15
    assert np.mean(found) >= 0.8 - 0.13
