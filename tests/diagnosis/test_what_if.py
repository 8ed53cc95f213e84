"""What α would be if one thing were resolved: the same figure on every page, and near the truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import accordant as ac
from claims.judge import Table
from claims.worlds import PLANTS, TOGETHER, null_world, planted_world
from diagnosis.annotated import guessing

STEPS = ("pair", "category", "coder")


def found_of(name: str, seed: int) -> Any:
    return ac.diagnose(planted_world(name, seed).data).pooled


def about(finding: Any) -> tuple[str, tuple[Any, ...]] | None:
    """What a finding and a step are both about: a coder, a pair or a label."""
    facts = finding.facts
    if "gain" not in facts or finding.code in ("item_group", "coder_division"):
        return None
    if facts["coder"] is not None and facts["other"] is None:
        return "coder", (facts["coder"],)
    if len(facts["labels"]) == 2:
        return "pair", tuple(sorted(map(str, facts["labels"])))
    return ("category", facts["labels"]) if len(facts["labels"]) == 1 else None


def rows(x: Any) -> Iterator[dict[str, Any]]:
    """Whatever a report holds."""
    if isinstance(x, dict):
        yield x
    for each in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
        yield from rows(each)


def key(step: Any) -> tuple[str, tuple[Any, ...]]:
    return step.kind, tuple(sorted(map(str, step.of)))


@pytest.mark.parametrize("name", [*PLANTS, *TOGETHER])
@pytest.mark.parametrize("seed", range(2))
def test_a_finding_and_a_step_about_one_thing_have_one_figure(name: str, seed: int) -> None:
    part = found_of(name, 7000 + seed)
    steps = {key(step): step for step in part.what_if}
    for finding in part.patterns:
        same = about(finding)
        if same is not None and finding.facts["gain"] > 0:
            assert steps[same].gain == pytest.approx(finding.facts["gain"], abs=1e-12)
            assert steps[same].before == part.alpha
            assert steps[same].n_items >= len(finding.seen.names)


@pytest.mark.parametrize("name", ["confused pair", "biased coder", "chain", "omitted label"])
def test_all_pages_of_a_report_have_the_figures_of_the_diagnosis(name: str) -> None:
    """Of everything that a report says α would become, whatever the page."""
    data = planted_world(name, 7100).data
    part = ac.diagnose(data).pooled
    known = [x.after for x in (*part.what_if, *part.what_if.plan)]
    known += [part.alpha + f.stake for f in part.patterns if f.stake > 0]
    told = [
        row[key]
        for row in rows(json.loads(ac.report(data).to_json()))
        for key in ("then", "alpha_after")
        if row.get(key) is not None
    ]
    assert len(told) > 2
    assert [min(abs(x - y) for y in known) for x in told] == pytest.approx([0] * len(told))


@pytest.mark.parametrize("name", ["confused pair", "pair in sets", "random coder", "omitted label"])
def test_a_step_is_near_what_the_plant_costs(name: str) -> None:
    shares = []
    for seed in range(4):
        world = planted_world(name, 7200 + seed)
        table, clean = Table.of(world), Table.of(world, clean=True)
        best = max(ac.diagnose(world.data).pooled.what_if, key=lambda step: step.gain)
        shares.append(best.gain / (clean.alpha() - table.alpha()))
    assert 0.8 <= np.median(shares) <= 1.2


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_takes_one_pair_after_the_other(seed: int) -> None:
    found = found_of("chain", 7300 + seed).what_if
    pairs = found.of_kind("pair")
    assert found.plan[0] == pairs[0]
    assert 1 < len(found.plan) <= 3
    assert [step.before for step in found.plan[1:]] == [step.after for step in found.plan[:-1]]
    assert all(step.gain > 0 for step in found.plan)
    together = found.plan[-1].after - found.value
    assert together >= max(step.gain for step in pairs)
    assert together <= 1.5 * sum(step.gain for step in found.plan)


def test_what_brings_most_comes_first_within_its_kind() -> None:
    found = found_of("chain", 7400).what_if
    for kind in STEPS:
        gains = [step.gain for step in found.of_kind(kind)]
        assert gains == sorted(gains, reverse=True)
    row = found.to_rows()[0]
    assert row["gain"] == pytest.approx(row["after"] - row["before"])
    assert row["gain_per_ten_items"] == pytest.approx(10 * row["gain"] / row["n_items"])


def test_random_errors_leave_little_to_resolve() -> None:
    """A step may be chance where findings may not, but not one that promises anything."""
    gains = [
        max((step.gain for step in ac.diagnose(world.data).pooled.what_if), default=0.0)
        for name in ("slips", "beta items", "abilities", "label flips")
        for world in (null_world(name, 7500 + seed) for seed in range(3))
    ]
    assert np.mean([gain > 0.02 for gain in gains]) <= 0.2
    assert np.median(gains) <= 0.005


def test_nothing_to_resolve_where_alpha_is_undefined() -> None:
    assert len(ac.diagnose([["a", "a"], ["a", "a"]]).pooled.what_if) == 0
    assert ac.diagnose(guessing(1, 40, 3, 0.9, 3).T.tolist()).pooled.what_if.plan == ()
