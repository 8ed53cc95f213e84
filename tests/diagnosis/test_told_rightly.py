"""What findings claim is so in the data, and the same disagreement is told once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from accordant.diagnosis.patterns.all import patterns
from accordant.diagnosis.patterns.more_labels import more_labels
from accordant.diagnosis.patterns.none import no_pattern
from accordant.diagnosis.patterns.of_categories import category_patterns
from accordant.diagnosis.patterns.once import told_once
from accordant.diagnosis.patterns.pattern import stake_of
from accordant.diagnosis.patterns.weak import by_slips

import accordant as ac
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.finding import Finding
from accordant.diagnosis.view import View
from diagnosis.made import from_table, of_grid, of_sets

NAMES = "abcdefghijkl"


def slipped(rng, shares, items, coders, share):
    k = len(shares)
    grid = rng.choice(k, size=(items, 1), p=shares).repeat(coders, 1)
    wrong = rng.random(grid.shape) < share
    return np.where(wrong, (grid + rng.integers(1, k, size=grid.shape)) % k, grid)


def told(grid, k, **scheme) -> list[Finding]:
    values = tuple(range(1, k + 1)) if scheme else tuple(NAMES[:k])
    return list(category_patterns(View(None, of_grid(grid, values, **scheme))))


# ------------------------------------------------------------------ what is at stake


@pytest.mark.parametrize("scale", ["nominal", "interval"])
def test_stakes_of_some_coders_are_in_the_alpha_of_the_whole(scale: str) -> None:
    """All disagreement of two coders is so many pairs of all that differ, by hand."""
    grid = slipped(np.random.default_rng(1), [0.25] * 4, 100, 4, 0.2)
    whole = View(None, of_grid(grid, (1, 2, 3, 4), scale=scale))
    part = whole.of_coders(["coder 1", "coder 2"])

    def apart(i: int, j: int) -> float:
        d = np.abs(grid[:, i] - grid[:, j])
        return float((d > 0).sum() if scale == "nominal" else np.square(d).sum())

    every = sum(apart(i, j) for i in range(4) for j in range(i))
    wanted = (1 - whole.alpha) * 0.5 * apart(0, 1) / every
    assert stake_of(part, 0.5) == pytest.approx(wanted)
    assert stake_of(part.of_coders(["coder 1", "coder 2"]), 0.5) == pytest.approx(wanted)
    some = np.arange(100) < 50
    both = stake_of(whole.of_items(some), 1.0) + stake_of(whole.of_items(~some), 1.0)
    assert both == pytest.approx(stake_of(whole, 1.0))


# ------------------------------------------------------------------ one way, both ways


def habit(most: int) -> Finding:
    """The coder gives b to 40 items; to ``most`` of them four of the five others give a, else two."""
    grid = np.zeros((80, 6), int)
    grid[:40, 0] = 1
    for i in range(40):
        grid[i, [1 + (i + k) % 5 for k in range(1 if i < most else 3)]] = 1
    (found,) = [
        f for f in told(grid, 2) if f.code == "one_way" and f.evidence["coder"] == "coder 1"
    ]
    return found


def test_a_category_is_anothers_only_if_most_of_the_others_say_so() -> None:
    """On all 40 items some of the others give a."""
    assert habit(10).evidence["always"] == 10 / 40
    assert "Of the 40 items" not in habit(10).sentence
    assert "on 40 of 40 items" in habit(10).sentence
    told_so = "Of the 40 items that are “b” for “coder 1”, 90.0\xa0% are “a” for most of the others"
    assert told_so in habit(36).sentence


@pytest.mark.parametrize("back, both", [(0, False), (1, False), (4, False), (5, True), (10, True)])
def test_both_ways_are_at_least_one_to_two(back: int, both: bool) -> None:
    table = np.diag([30] * 8) + 0
    table[0, 1], table[1, 0] = 10, back
    table[2, 3] = table[4, 5] = 1
    every = category_patterns(View(None, from_table(table, NAMES[:8])))
    (found,) = [
        f for f in every if {f.evidence.get("first"), f.evidence.get("second")} == {"a", "b"}
    ]
    assert ("both ways" in found.sentence) == both
    assert found.remedy == ("categories" if both else "guideline")
    assert f"10 times, and {back} " in found.sentence


def test_what_cannot_be_told_apart_is_said_so() -> None:
    table = [[10, 15, 0], [15, 10, 0], [0, 0, 60]]
    (found,) = category_patterns(View(None, from_table(table, "abc")))
    assert found.evidence["distinguishability"] < 0
    assert "distinguishability is 0" in found.sentence
    assert "−" not in found.sentence
    assert found.title == "“a” and “b” confused"


def test_figures_of_a_second_pair_are_of_all_disagreements() -> None:
    table = np.diag([40] * 6)
    table[0, 1] = table[1, 0] = 20
    table[2, 3] = table[3, 2] = 10
    table[4, 5] = table[5, 0] = 2
    found = category_patterns(View(None, from_table(table, NAMES[:6])))
    assert [(f.code, f.evidence["n"], f.evidence["of"]) for f in found[:2]] == [
        ("confused_pair", 40, 64), ("confused_pair", 20, 64)]  # fmt: skip
    assert "20 of 64 disagreements (31.2\xa0%)" in found[1].sentence
    assert found[1].seen.lines[0].share == 20 / 64


# ------------------------------------------------------------------ rare categories


def test_what_slips_imply_by_simulation() -> None:
    rng = np.random.default_rng(1)
    grid = slipped(rng, [0.85, 0.07, 0.05, 0.03], 400_000, 2, 0.1)
    a, b = grid.T
    for k in (1, 2, 3):  # of the frequent one others are too few to tell
        share = (grid == k).mean()
        own = 2 * ((a == k) & (b == k)).sum() / (grid == k).sum()
        rest = (a != k) & (b != k)
        assert by_slips(share, (a == b)[rest].mean(), 4) == pytest.approx(own, abs=0.01)


@pytest.mark.parametrize("coders, share", [(3, 0.05), (2, 0.1), (4, 0.05)])
def test_slips_among_rare_categories_raise_no_alarm(coders: int, share: float) -> None:
    rng, alarms, noted = np.random.default_rng(3), 0, 0
    for _ in range(60):
        found = told(slipped(rng, [0.85, 0.07, 0.05, 0.03], 400, coders, share), 4)
        alarms += any(f.severity != "note" for f in found)
        noted += any(f.code == "weak_category" for f in found)
    assert alarms <= 3
    assert noted >= 30


def test_a_rare_category_does_not_hide_that_there_is_no_pattern() -> None:
    rng, n, without = np.random.default_rng(5), 0, 0
    for _ in range(40):
        view = View(None, of_grid(slipped(rng, [0.8, 0.1, 0.07, 0.03], 300, 4, 0.15), "abcd"))
        found = category_patterns(view)
        if {f.code for f in found} == {"weak_category"}:
            n += 1
            without += not list(no_pattern(view, found))
    assert n >= 20
    assert without <= 0.4 * n


# ------------------------------------------------------------------ sets of labels


def test_more_labels_are_one_fact() -> None:
    rng = np.random.default_rng(1)
    one = [rng.choice(list("abcde")) for _ in range(200)]
    more = [
        "".join(sorted({x, rng.choice(list("abcde"))})) if rng.random() < 0.6 else x for x in one
    ]
    found = category_patterns(View(None, of_sets([one, more], "abcde")))
    assert [f.code for f in found] == ["more_labels"]
    longer = sum(len(x) > 1 for x in more)
    assert f"more on {longer}, and fewer on 0" in found[0].sentence
    mean = np.mean([len(x) for x in more])
    assert f"gives {mean:.1f} labels per item, “coder 1” 1.0" in found[0].sentence
    assert (found[0].evidence["coder"], found[0].remedy) == ("coder 2", "guideline")
    view = View(None, of_sets([one, [*one[:-1], "ab"], more], "abcde"))
    (third,) = more_labels(view)
    assert third.evidence["coder"] == "coder 3"


def test_equally_many_labels_are_no_finding() -> None:
    rng, alarms = np.random.default_rng(2), 0
    for _ in range(100):
        size = rng.integers(1, 4, size=(80, 3))
        rows = [["abc"[:n] for n in size[:, c]] for c in range(3)]
        alarms += bool(list(more_labels(View(None, of_sets(rows, "abc")))))
    assert alarms <= 3


def test_the_case_study_is_one_fact() -> None:
    from accordant.data.examples import load

    found = diagnose(load("marchal2022_case")).pooled.patterns
    assert [f.code for f in found if f.severity == "warning"] == ["more_labels"]


# ------------------------------------------------------------------ too few, numbers, families


def test_too_few_items_are_not_called_no_pattern() -> None:
    table = np.diag([30] * 4)
    table[0, 1], table[1, 0] = 4, 2
    table[0, 2] = table[2, 3] = table[1, 3] = table[3, 0] = table[2, 1] = 1
    table[3, 1] = table[1, 2] = table[2, 0] = 1
    view = View(None, from_table(table, "abcd"))
    (found,) = no_pattern(view)
    assert found.title == "Too few disputed items"
    assert "6 of 14 disagreements (42.9\xa0%) are between “a” and “b”" in found.sentence
    assert "Revising single categories" not in found.advice


def steps(rng, k: int, items: int = 300) -> np.ndarray:
    seen = rng.normal(size=(items, 1)) + rng.normal(scale=0.4, size=(items, 3))
    return np.searchsorted(np.linspace(-1.8, 1.8, k - 1), seen)


def test_numbers_that_were_read_as_names_are_one_finding() -> None:
    grid = steps(np.random.default_rng(1), 7)
    found = told(grid, 7, scale="nominal")
    assert [f.code for f in found] == ["neighbours"]
    off = np.abs(grid[:, :, None] - grid[:, None])[:, *np.triu_indices(3, 1)]
    assert found[0].evidence["n"] == (off == 1).sum()
    assert found[0].do[0].options == {"scale": "ordinal"}
    assert "neighbours" not in {f.code for f in told(grid, 7)}  # letters
    assert "neighbours" not in {f.code for f in told(grid, 7, scale="ordinal")}


def test_one_confused_pair_of_numbers_is_no_scale() -> None:
    rng = np.random.default_rng(1)
    grid = slipped(rng, [0.2] * 5, 300, 3, 0.05)
    swap = (rng.random(grid.shape) < 0.3) & (grid < 2)
    found = told(np.where(swap, 1 - grid, grid), 5, scale="nominal")
    assert [f.code for f in found] == ["confused_pair"]


def test_nobody_gives_every_number_of_a_long_scale() -> None:
    grid = np.clip(steps(np.random.default_rng(1), 30, 900), 0, 29)
    grid[:, 0] = np.where(grid[:, 0] == 15, 16, grid[:, 0])
    grid[:, 0] = np.where(grid[:, 0] == 14, 12, grid[:, 0])
    for scale in ("nominal", "ordinal"):
        assert "unused_by_coder" not in {f.code for f in told(grid, 30, scale=scale)}


def families(rng, share: float = 0.25) -> np.ndarray:
    grid = slipped(rng, [1 / 12] * 12, 600, 3, 0.03)
    within = rng.random(grid.shape) < share
    return np.where(within, grid // 4 * 4 + rng.integers(0, 4, size=grid.shape), grid)


def test_noise_within_families_is_one_finding() -> None:
    rng, hits = np.random.default_rng(1), 0
    for _ in range(20):
        found = told(families(rng), 12)
        hits += [f.code for f in found if f.severity == "warning"] == ["confused_block"]
        assert "confused_pair" not in {f.code for f in found}
    assert hits >= 19
    assert set(found[0].evidence["partition"].split("|")) == {"a,b,c,d", "e,f,g,h", "i,j,k,l"}
    assert ac.decompose(of_grid(families(rng), NAMES), found[0].evidence["partition"])


def test_pairs_that_only_meet_are_no_family() -> None:
    """a with b and b with c, but never a with c."""
    table = np.diag([40] * 6)
    table[0, 1] = table[1, 0] = table[1, 2] = table[2, 1] = 15
    found = category_patterns(View(None, from_table(table, NAMES[:6])))
    assert "confused_block" not in {f.code for f in found}


# ------------------------------------------------------------------ once


def test_the_pair_that_tells_camps_apart_is_theirs() -> None:
    rng = np.random.default_rng(1)
    grid = slipped(rng, [0.25] * 4, 200, 6, 0.05)
    side = (grid[:, :1] == 0) & (np.arange(200) % 2 == 0)[:, None]
    grid[:, 3:] = np.where(side, 1, grid[:, 3:])
    found = patterns(View(None, of_grid(grid, "abcd")))
    assert "camps" in {f.code for f in found}
    pairs = [{f.evidence["first"], f.evidence["second"]} for f in found
             if f.code in ("one_way", "confused_pair")]  # fmt: skip
    assert {"a", "b"} not in pairs


def test_a_shifted_coder_is_told_once() -> None:
    shifted = Finding("shifted", "warning", "", "", {"coder": "x"}, stake=0.05)
    apart = Finding("coder_apart", "note", "", "", {"coder": "x", "how": "shifted"}, stake=0.01)
    other = Finding("coder_apart", "note", "", "", {"coder": "y", "how": "shifted"}, stake=0.01)
    assert told_once([apart, other, shifted]) == [other, shifted]
    of_none = Finding("repeats", "warning", "", "", {}, stake=0.02)  # about no coder
    assert told_once([of_none, apart, shifted]) == [of_none, shifted]


def test_where_most_of_a_pair_is_found() -> None:
    """In chats a and b are taken for each other."""
    rng = np.random.default_rng(2)
    grid = slipped(rng, [0.2] * 5, 400, 4, 0.03)
    genre = np.where(rng.random(400) < 0.25, "chat", "news")
    unclear = (genre == "chat")[:, None] & (grid < 2)
    grid = np.where(unclear, rng.integers(0, 2, size=grid.shape), grid)
    data = replace(of_grid(grid, "abcde"), metadata={"genre": tuple(genre)})
    found = patterns(View(None, data))
    assert "item_group" in {f.code for f in found}
    (pair,) = [f for f in found if f.code == "confused_pair"]
    both = (grid == 0).any(1) & (grid == 1).any(1)
    share, of_all = 100 * (genre[both] == "chat").mean(), 100 * (genre == "chat").mean()
    assert (
        f"{share:.1f}\xa0% of these items have genre = “chat”; of all items {of_all:.1f}\xa0% do"
        in pair.sentence
    )
