"""Causes that were planted: their kind, whom and what they name, their facts and their items."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import NAMES, guessing, of_grid, of_table, slipped


def found(data: Any, **more: Any) -> tuple[Any, ...]:
    return ac.diagnose(data, **more).pooled.patterns


def told(grid: np.ndarray, k: int = 4, **scheme: Any) -> tuple[Any, ...]:
    return found(of_grid(grid, tuple(range(1, k + 1)) if scheme else NAMES, **scheme))


def first_named(every: tuple[Any, ...], code: str, **facts: Any) -> bool:
    """Whether the first finding is of a kind and holds some facts."""
    return bool(every) and every[0].code == code and facts.items() <= dict(every[0].facts).items()


def about(one: Any) -> set[Any]:
    return set(one.facts["labels"])


def blamed(every: tuple[Any, ...]) -> set[str]:
    return {f.facts["coder"] for f in every if f.facts.get("coder") and not f.facts["other"]}


# ------------------------------------------------------------------ of one coder


@pytest.mark.parametrize("seed", range(4))
def test_a_coder_who_gives_one_category_for_another(seed: int) -> None:
    grid, rng = guessing(seed), np.random.default_rng(seed)
    grid[(grid[:, 2] == 0) & (rng.random(300) < 0.5), 2] = 1
    first, *_ = told(grid)
    assert (first.code, first.facts["coder"], about(first)) == ("coder_gives", "coder 3", {"b"})
    assert (first.severity, first.remedy) == ("warning", "coder")
    assert all(grid[i, 2] != np.bincount(np.delete(grid[i], 2)).argmax() for i in first.seen.items)


def test_a_coder_who_swaps_two_categories() -> None:
    grid = guessing(8)
    grid[:, 1] = np.choose(grid[:, 1], [1, 0, 2, 3])
    first, *rest = told(grid)
    assert (first.code, first.facts["coder"], about(first)) == ("swapped", "coder 2", {"a", "b"})
    assert "coder 2" not in blamed(rest)


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
@pytest.mark.parametrize("up", [True, False])
def test_a_coder_whose_values_are_shifted(scale: str, up: bool) -> None:
    grid = guessing(4, k=5, right=0.99)
    grid[::2, 1] = np.clip(grid[::2, 1] + (1 if up else -1), 0, 4)
    every = told(grid, 5, scale=scale)
    assert first_named(every, "shifted", coder="coder 2", place=("up" if up else "down",))
    assert len([f for f in every if f.facts.get("coder") == "coder 2"]) == 1


def test_a_coder_who_gives_more_labels() -> None:
    rng = np.random.default_rng(1)
    held = rng.random((250, 5)) < 0.25
    held[:, 0] |= ~held.any(1)
    rows = []
    for c in range(3):
        own = held ^ (rng.random(held.shape) < 0.02)
        own[:, 0] |= ~own.any(1)
        if c == 2:
            own[np.arange(250), rng.integers(5, size=250)] |= rng.random(250) < 0.5
        rows.append([",".join(np.array(list("abcde"))[x]) for x in own])
    first, *_ = found(ac.read(rows, separator=","))
    assert first_named((first,), "set_size", coder="coder 3", place=("up",))
    assert first.severity == "warning"


@pytest.mark.parametrize("seed", range(3))
def test_a_coder_who_guesses_and_one_who_says_always_the_same(seed: int) -> None:
    grid = guessing(seed, coders=6)
    grid[:, 0] = np.random.default_rng(seed + 100).integers(4, size=300)
    grid[:, 5] = 2
    every = {f.facts["coder"]: (f.code, *f.facts["labels"]) for f in told(grid)}
    assert every == {"coder 1": ("coder",), "coder 6": ("coder_gives", "c")}


def test_many_coders_who_guess_are_all_named_and_nobody_else() -> None:
    right = np.array([0.95] * 12 + [0.2] * 5)
    every = told(guessing(5, right=right, coders=17))
    assert blamed(every) == {f"coder {i}" for i in range(13, 18)}


def test_a_careless_coder_does_not_make_others_careless() -> None:
    """Coder 5 guesses always, coder 4 in two of five annotations."""
    grid = guessing(7, items=400, right=np.array([0.97, 0.97, 0.97, 0.5, 0.1]), coders=5)
    every = told(grid)
    assert blamed([f for f in every if f.severity == "warning"]) <= {"coder 4", "coder 5"}
    assert first_named(every, "coder", coder="coder 5")


# ------------------------------------------------------------------ of two coders, of groups


def test_two_coders_who_differ_always_in_the_same_way() -> None:
    table = np.diag([30, 30, 30]) + 14 * np.outer([0, 1, 0], [1, 0, 0])
    first, *_ = found(of_table(table.tolist()))
    facts = {"first": "b", "second": "a", "coder": "coder 1", "other": "coder 2", "n": 14, "of": 14}
    assert first_named((first,), "one_sided", **facts)
    assert first.remedy == "guideline"


def test_two_coders_of_whom_one_gives_higher_values() -> None:
    grid = guessing(4, k=5, right=0.97, coders=2)
    grid[::2, 0] = np.minimum(grid[::2, 0] + 1, 4)
    facts = {"coder": "coder 1", "other": "coder 2", "place": ("up",)}
    assert first_named(told(grid, 5, scale="ordinal"), "shifted", **facts)


def test_groups_are_named_and_their_members_are_not_blamed() -> None:
    grid, rng = guessing(1, coders=5), np.random.default_rng(1)
    grid[:, 3:][(grid[:, 3:] == 0) & (rng.random((300, 2)) < 0.8)] = 1
    data = of_grid(grid)
    first, *rest = found(data)
    members = {"coder 1", "coder 2", "coder 3"}, {"coder 4", "coder 5"}
    assert first.code == "coder_groups"
    assert set(first.facts["coders"]) in members
    assert about(first) == {"a", "b"}
    assert not [f for f in rest if f.facts.get("coder") or about(f) == {"a", "b"}]
    assert all(set(grid[i, :3]) != set(grid[i, 3:]) for i in first.seen.items[:5])
    both = ac.diagnose(data).pooled.coder_groups
    assert [set(x.coders) for x in both] in (list(members), list(members[::-1]))
    assert {(x.label, x.instead) for x in both} == {("a", "b"), ("b", "a")}
    assert all(x.low < x.within < x.high and x.between < x.within for x in both)


def test_a_careless_coder_beside_groups() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=200)
    other = np.where(truth == 0, 1, truth)
    rows = [truth] * 4 + [other] * 2 + [rng.integers(3, size=200)]
    noisy = [np.where(rng.random(200) < 0.95, r, rng.integers(3, size=200)) for r in rows]
    every = told(np.stack(noisy, axis=1))
    assert {f.facts["coder"] for f in every} == {None, "coder 7"}
    assert "coder_groups" in {f.code for f in every}


# ------------------------------------------------------------------ of categories


def a_pair(rng: np.random.Generator, coders: int, k: int, share: float = 0.05) -> np.ndarray:
    """a and b are taken for each other in a quarter of the cases."""
    grid = slipped(int(rng.integers(1 << 30)), np.full(k, 1 / k), 200, coders, share)
    swap = rng.random(grid.shape) < 0.25
    return np.where(swap & (grid < 2), 1 - grid, grid)


def ambiguous_items(rng: np.random.Generator) -> np.ndarray:
    """An eighth of the items could be a or b: all coders choose at random."""
    grid = slipped(int(rng.integers(1 << 30)), [0.2] * 5, 200, 4, 0.05)
    odd = rng.random(len(grid)) < 0.125
    grid[odd] = rng.integers(0, 2, size=(odd.sum(), grid.shape[1]))
    return grid


PLANTED = {
    "two coders": lambda r: a_pair(r, 2, 5),
    "four coders": lambda r: a_pair(r, 4, 5),
    "a pair of three": lambda r: a_pair(r, 4, 3),
    "in noise": lambda r: a_pair(r, 4, 8, 0.15),
    "ambiguous items": ambiguous_items,
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_confused_pair_is_told_first(kind: str) -> None:
    rng, hits, runs = np.random.default_rng(4), 0, 10
    for _ in range(runs):
        every = told(PLANTED[kind](rng))
        hits += bool(every) and every[0].code == "pair" and about(every[0]) == {"a", "b"}
    assert hits >= 0.9 * runs


def test_numbers_that_were_read_as_names_are_a_chain() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(size=(300, 1)) + rng.normal(scale=0.4, size=(300, 3))
    grid = np.searchsorted(np.linspace(-1.8, 1.8, 6), seen)
    first, *_ = told(grid, 7, scale="nominal")
    labels = first.facts["labels"]
    assert (first.code, len(labels) >= 3) == ("chain", True)
    assert {abs(a - b) for a, b in pairwise(labels)} == {1}
    assert first.do[0].options == {"scale": "ordinal"}
    assert not [f for f in told(grid, 7, scale="ordinal") if f.severity == "warning"]


def test_numbers_out_of_order_are_no_ordinal_scale() -> None:
    rng = np.random.default_rng(5)
    scale = np.array([2, 0, 3, 1])
    truth = rng.integers(4, size=(400, 1))
    slips = rng.choice([-1, 0, 0, 0, 0, 0, 0, 1], (400, 4))
    (one,) = told(scale[np.clip(truth + slips, 0, 3)], 4, scale="nominal")
    links = {frozenset(int(x) for x in pair) for pair in one.facts["pairs"]}
    assert one.code == "pair"
    assert links == {frozenset(pair) for pair in pairwise((scale + 1).tolist())}
    assert not one.do


@pytest.mark.parametrize("seed", range(2))
def test_confusions_that_share_a_label_are_one_finding(seed: int) -> None:
    """Codes for three answers of yes or no are confused along every edge of a cube."""
    rng = np.random.default_rng(seed)
    bits = rng.random((1500, 1, 3)) < 0.5
    flips = rng.random((1500, 3, 3)) < (0.04, 0.08, 0.08)
    every = told(((bits ^ flips) @ np.array([4, 2, 1])).astype(int))
    every = [f for f in every if f.code in ("pair", "chain")]
    labels = [label for f in every for label in about(f)]
    links = [{NAMES.index(x) for x in pair} for f in every for pair in f.facts["pairs"]]
    assert every
    assert len(set(labels)) == len(labels)
    assert all((max(x) ^ min(x)).bit_count() == 1 for x in links)


# ------------------------------------------------------------------ of items


def harder(wrong: float = 0.6, coders: int = 4, seed: int = 1) -> tuple[np.ndarray, list[str]]:
    """On the verses coders guess in most cases."""
    rng = np.random.default_rng(seed)
    truth, genre = rng.integers(3, size=(240, 1)), rng.integers(4, size=240)
    guess = rng.random((240, coders)) < np.where(genre == 1, wrong, 0.05)[:, None]
    grid = np.where(guess, rng.integers(3, size=(240, coders)), truth)
    return grid, [("prose", "verse", "news", "talk")[g] for g in genre]


@pytest.mark.parametrize("coders", [2, 3, 5])
@pytest.mark.parametrize("seed", range(2))
def test_a_group_of_hard_items_is_named_first(seed: int, coders: int) -> None:
    grid, genre = harder(coders=coders, seed=seed)
    first, *rest = found(of_grid(grid, columns={"genre": genre}))
    assert first_named((first,), "item_group", place=("genre", "verse"))
    assert first.remedy == "items"
    assert {genre[i] for i in first.seen.items} == {"verse"}
    assert not [f for f in rest if f.severity == "warning"]


def test_columns_that_say_the_same_are_told_once() -> None:
    grid, genre = harder()
    columns = {"genre": genre, "source": [g.upper() for g in genre]}
    assert [f.code for f in found(of_grid(grid, columns=columns))].count("item_group") == 1


def test_a_batch_in_which_all_agree_less_is_a_group_of_items() -> None:
    right = np.where(np.arange(300) // 60 == 2, 0.5, 0.95)[:, None]
    batch = [f"batch {i // 60 + 1}" for i in range(300)]
    every = found(of_grid(guessing(6, right=right), columns={"batch": batch}))
    assert first_named(every, "item_group", place=("batch", "batch 3"))


def test_a_careless_coder_is_not_the_fault_of_the_items_annotated() -> None:
    rng = np.random.default_rng(3)
    truth, genre = rng.integers(3, size=(300, 1)), rng.integers(3, size=300)
    grid = np.where(rng.random((300, 4)) < 0.95, truth, rng.integers(3, size=(300, 4)))
    grid[:, 3] = np.where(genre == 0, rng.integers(3, size=300), -1)
    first, *rest = found(of_grid(grid, columns={"genre": ["xyz"[g] for g in genre]}))
    assert first.facts["coder"] == "coder 4"
    assert "item_group" not in {f.code for f in rest}


# ------------------------------------------------------------------ no cause


@pytest.mark.parametrize("kind", ["slips", "guesses", "abilities"])
def test_random_errors_alarm_nobody(kind: str) -> None:
    loud = 0
    for seed in range(12):
        right = np.random.default_rng(seed).normal(0.85, 0.04, 4).clip(0.7, 0.99)
        grid = {
            "slips": slipped(seed, [0.5, 0.3, 0.2], 200, 4, 0.15),
            "guesses": guessing(seed, 200, right=0.8),
            "abilities": guessing(seed, 200, right=right),
        }[kind]
        loud += any(f.severity == "warning" and f.code != "no_pattern" for f in told(grid))
    assert loud <= 1


def test_no_pattern_is_told_where_enough_is_disputed() -> None:
    (only,) = told(slipped(1, [0.25] * 4, 200, 4, 0.35))
    assert (only.code, only.severity, only.remedy) == ("no_pattern", "warning", "task")
    assert only.facts["n_items"] > 100
    (mild,) = told(slipped(1, [0.25] * 4, 200, 4, 0.05))
    assert (mild.code, mild.severity, mild.remedy) == ("no_pattern", "note", None)
    assert told(guessing(1, 30, right=0.99)) == ()


def test_thousands_of_values_are_measurements() -> None:
    grid = np.random.default_rng(1).integers(0, 3000, size=(100, 3))
    assert found(of_grid(grid, list(range(3000)), scale="interval")) == ()


# ------------------------------------------------------------------ whatever the data


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "sets"])
def test_findings_are_whole_whatever_the_data(seed: int, scale: str) -> None:
    n, rng = 10 + 20 * seed, np.random.default_rng(seed)
    grid = guessing(seed, n, 2 + seed % 4, 0.6, 2 + seed % 5)
    grid[rng.random(grid.shape) < 0.1 * (seed % 5)] = -1
    columns = {"genre": [i % 3 for i in range(n)], "text": [f"text {i % 7}" for i in range(n)]}
    if scale == "sets":
        names = ["a", "b", "a,b", "c", "b,c", "a,c"]
        data = of_grid(grid, names, columns, separator=",")
    else:
        data = of_grid(grid, (1, 2, 3, 4, 5, 6), columns, scale=scale)
    for one in found(data):
        assert one.severity in ("warning", "note")
        assert one.sentence.endswith(".")
        assert one.advice.endswith(".")
        assert "nan" not in one.sentence
        assert "{" not in f"{one.title}{one}"
        assert math.isnan(one.stake) or 0 <= one.stake <= 1
        assert one.seen is None or len(one.seen.items) == len(one.seen.names) <= 25
        if "gain" in one.facts:
            assert 0 < one.facts["share"] <= 1
            assert 0 <= one.facts["p_value"] <= 1
            assert one.facts["n"] >= math.floor(one.facts["expected"])


def test_a_gain_is_that_of_the_disagreement_beyond_random_errors() -> None:
    """Half of what coder 3 does is undone by hand: α rises by more than the gain."""
    grid, rng = guessing(1), np.random.default_rng(1)
    moved = (grid[:, 2] == 0) & (rng.random(300) < 0.6)
    spoilt = grid.copy()
    spoilt[moved, 2] = 1
    first, *_ = found(of_grid(spoilt))
    before, after = (ac.agreement(of_grid(x), "alpha")["alpha"].value for x in (spoilt, grid))
    assert first.stake == first.facts["gain"]
    assert 0.4 * (after - before) < first.stake < 1.1 * (after - before)
