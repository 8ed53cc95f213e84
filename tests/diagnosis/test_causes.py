"""Causes that were planted: their kind, whom and what they name, their facts and their items."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import accordant as ac
from accordant.data.annotations import Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.explanation import KINDS
from accordant.diagnosis.finding import Finding
from accordant.literature import LITERATURE
from claims.simulated_cause import GENRES, simulate_cause
from diagnosis.made import (
    at_random,
    from_counts,
    from_table,
    of_grid,
    of_sets,
    sets_at_random,
)

Grid = np.ndarray
NAMES = "abcdefghijkl"


def found(data: Annotations, **more) -> tuple[Finding, ...]:
    return diagnose(data, **more).pooled.patterns


def told(grid: Grid, k: int = 4, **scheme) -> tuple[Finding, ...]:
    values = tuple(range(1, k + 1)) if scheme else tuple(NAMES[:k])
    return found(of_grid(grid, values, **scheme))


def made(seed: int, items: int = 300, k: int = 4, right=0.95, coders: int = 4) -> Grid:
    """Coders who are right so often, and guess otherwise."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=(items, 1))
    guesses = rng.integers(k, size=(items, coders))
    return np.where(rng.random((items, coders)) < right, truth, guesses)


def slipped(seed: int, shares, items: int, coders: int, share) -> Grid:
    """Coders who slip to any other category."""
    rng, k = np.random.default_rng(seed), len(shares)
    grid = rng.choice(k, size=(items, 1), p=shares).repeat(coders, 1)
    wrong = rng.random(grid.shape) < share
    return np.where(wrong, (grid + rng.integers(1, k, size=grid.shape)) % k, grid)


def first_named(found: tuple[Finding, ...], code: str, **facts) -> bool:
    """Whether the first finding is of a kind and holds some facts."""
    return bool(found) and found[0].code == code and facts.items() <= dict(found[0].facts).items()


def about(one: Finding) -> set:
    return set(one.facts["labels"])


# ------------------------------------------------------------------ of one coder


@pytest.mark.parametrize("seed", range(6))
def test_a_coder_who_gives_one_category_for_another(seed: int) -> None:
    grid, rng = made(seed), np.random.default_rng(seed)
    grid[(grid[:, 2] == 0) & (rng.random(300) < 0.5), 2] = 1
    (first, *_) = told(grid)
    assert first.code in ("coder_cell", "coder_gives", "coder_omits")
    assert first.facts["coder"] == "coder 3"
    assert about(first) <= {"a", "b"}
    assert (first.severity, first.remedy) == ("warning", "coder")
    assert all(grid[i, 2] != np.bincount(np.delete(grid[i], 2)).argmax() for i in first.seen.items)


def test_a_coder_who_swaps_two_categories() -> None:
    grid = made(8)
    grid[:, 1] = np.choose(grid[:, 1], [1, 0, 2, 3])
    first, *rest = told(grid)
    assert (first.code, first.facts["coder"], about(first)) == ("swapped", "coder 2", {"a", "b"})
    assert "coder 2" not in {f.facts["coder"] for f in rest}


def test_a_coder_who_avoids_the_ends_of_the_scale() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(7, size=(300, 1))
    grid = np.clip(truth + rng.choice([-1, 0, 0, 0, 0, 1], (300, 4)), 0, 6)
    grid[:, 2] = np.clip(grid[:, 2], 2, 4)
    assert first_named(told(grid, 7, scale="ordinal"), "narrow", coder="coder 3", place=("in",))


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
@pytest.mark.parametrize("up", [True, False])
def test_a_coder_whose_values_are_shifted(scale: str, up: bool) -> None:
    grid = made(4, k=5, right=0.99)
    grid[::2, 1] = np.clip(grid[::2, 1] + (1 if up else -1), 0, 4)
    every = told(grid, 5, scale=scale)
    assert first_named(every, "shifted", coder="coder 2", place=("up" if up else "down",))
    assert len([f for f in every if f.facts.get("coder") == "coder 2"]) == 1


def test_a_coder_who_gives_more_labels() -> None:
    rng = np.random.default_rng(1)
    held = rng.random((250, 5)) < 0.25
    rows = []
    for c in range(3):
        own = held ^ (rng.random(held.shape) < 0.03)
        if c == 2:
            own[np.arange(250), rng.integers(5, size=250)] |= rng.random(250) < 0.5
        rows.append(["".join(np.array(list("abcde"))[x]) for x in own])
    first, *_ = found(of_sets(rows, "abcde"))
    assert (first.facts["coder"], first.severity) == ("coder 3", "warning")


def test_a_coder_who_leaves_a_label_out() -> None:
    rng = np.random.default_rng(2)
    held = rng.random((250, 5)) < 0.3
    rows = []
    for c in range(4):
        own = held ^ (rng.random(held.shape) < 0.03)
        if c == 1:
            own[:, 3] &= rng.random(250) < 0.2
        rows.append(["".join(np.array(list("abcde"))[x]) for x in own])
    first, *_ = found(of_sets(rows, "abcde"))
    assert first.facts["coder"] == "coder 2"
    assert "d" in first.facts["labels"]


@pytest.mark.parametrize("seed", range(5))
def test_a_coder_who_guesses_and_one_who_says_always_the_same(seed: int) -> None:
    grid = made(seed, coders=6)
    grid[:, 0] = np.random.default_rng(seed + 100).integers(4, size=300)
    grid[:, 5] = 2
    every = {f.facts["coder"]: (f.code, *f.facts["labels"]) for f in told(grid)}
    assert every == {"coder 1": ("coder",), "coder 6": ("coder_gives", "c")}


def test_many_coders_who_guess_are_all_named_and_nobody_else() -> None:
    right = np.array([0.95] * 12 + [0.2] * 5)
    named = {f.facts["coder"] for f in told(made(5, right=right, coders=17))}
    assert named == {f"coder {i}" for i in range(13, 18)}


def test_a_careless_coder_does_not_make_others_careless() -> None:
    """Coder 5 guesses always, coder 4 in two of five annotations."""
    grid = made(7, items=400, right=np.array([0.97, 0.97, 0.97, 0.5, 0.1]), coders=5)
    assert {f.facts["coder"] for f in told(grid) if f.severity == "warning"} <= {
        "coder 4",
        "coder 5",
    }
    assert first_named(told(grid), "coder", coder="coder 5")


def test_what_alpha_would_be_without_the_coder() -> None:
    grid = made(3)
    grid[:, 1] = np.random.default_rng(1).integers(4, size=300)
    data = of_grid(grid, "abcd")
    first, *_ = found(data)
    rest = diagnose(data.of_coders(["coder 1", "coder 3", "coder 4"])).pooled.alpha
    assert first.facts["alpha_without"] == pytest.approx(rest)
    assert math.isnan(
        told(slipped(1, [0.25] * 4, 200, 4, 0.05))[0].facts.get("alpha_without", math.nan)
    )


# ------------------------------------------------------------------ of a coder in time


def tired(seed: int) -> Annotations:
    """Coder 2 guesses more and more often."""
    flat = np.full(300, 0.95)
    right = np.column_stack([flat, np.linspace(0.95, 0.4, 300), flat, flat])
    return replace(of_grid(made(seed, right=right), "abcd"), metadata={"minute": tuple(range(300))})


def test_a_coder_who_tires() -> None:
    hits = 0
    for seed in range(20, 40):
        first, *_ = found(tired(seed), order="minute")
        hits += first.code in ("coder_trend", "coder_stretch") and first.facts["coder"] == "coder 2"
        assert not first.do
    assert hits >= 18


def test_a_coder_who_learns() -> None:
    data = tired(2)
    first, *_ = found(replace(data, layout=data.grid[::-1]), order="minute")
    assert first.facts["coder"] == "coder 2"
    assert np.mean(first.seen.items) < 150


def test_the_order_is_followed_and_asked_for_where_it_is_not_known() -> None:
    data, mixed = tired(2), np.random.default_rng(1).permutation(300)
    other = replace(data, layout=data.grid[mixed], metadata={"minute": tuple(mixed.tolist())})
    assert not [f for f in found(other) if f.code in ("coder_trend", "coder_stretch")]
    first, *_ = found(other, order="minute")
    assert np.mean([other.metadata["minute"][i] for i in first.seen.items]) > 150
    first, *_ = found(data)  # as it stands
    assert [x.call for x in first.do] == ["diagnose"]


def test_one_bad_batch() -> None:
    grid = made(6)
    grid[120:180, 3] = np.random.default_rng(2).integers(4, size=60)
    batch = tuple("batch " + str(i // 60 + 1) for i in range(300))
    data = replace(of_grid(grid, "abcd"), metadata={"batch": batch})
    first, *rest = found(data, order="batch")
    assert (first.code, first.facts["coder"]) == ("coder_stretch", "coder 4")
    assert first.facts["place"] == (2, 3)
    assert all(120 <= i < 180 for i in first.seen.items)
    assert "coder 4" not in {f.facts["coder"] for f in rest}


def test_many_coders_who_change_along_unordered_data_are_one_note() -> None:
    flat, line = np.full(300, 0.95), np.linspace(0.98, 0.4, 300)
    middle = np.where(np.arange(300) < 90, 0.3, 0.97)
    right = np.column_stack([flat, line, line[::-1], middle, flat, flat, flat])
    data = replace(
        of_grid(made(1, right=right, coders=7), "abcd"), metadata={"minute": tuple(range(300))}
    )
    (one,) = found(data)
    assert (one.code, one.severity, one.facts["coder"]) == ("coder_trend", "note", None)
    assert set(one.facts["coders"]) == {"coder 2", "coder 3", "coder 4"}
    assert {f.facts["coder"] for f in found(data, order="minute")} == set(one.facts["coders"])


def test_who_changes_among_three_is_not_taken_for_another() -> None:
    """Beside one who comes to err, the others seem to come to agree."""
    blamed = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        truth = rng.integers(4, size=400)
        grid = np.where(rng.random((400, 3)) < 0.95, truth[:, None], rng.integers(4, size=(400, 3)))
        late = (rng.random(400) < np.arange(400) / 400 * 0.5) & (grid[:, 1] == 0)
        grid[late, 1] = 1
        blamed += [f.facts["coder"] for f in told(grid) if f.facts.get("coder")]
    assert len(blamed) >= 8
    assert blamed.count("coder 2") >= len(blamed) - 1


# ------------------------------------------------------------------ of groups of coders


def two_groups(seed: int) -> Grid:
    grid, rng = made(seed, coders=5), np.random.default_rng(seed)
    grid[:, 3:][(grid[:, 3:] == 0) & (rng.random((300, 2)) < 0.8)] = 1
    return grid


def test_groups_are_named_and_their_members_are_not_blamed() -> None:
    grid = two_groups(1)
    first, *rest = told(grid)
    assert first.code == "coder_groups"
    members = {"coder 1", "coder 2", "coder 3"}, {"coder 4", "coder 5"}
    assert set(first.facts["coders"]) in members
    assert about(first) == {"a", "b"}
    assert not [f for f in rest if f.facts.get("coder") or about(f) == {"a", "b"}]
    for i in first.seen.items[:5]:
        assert set(grid[i, :3]) != set(grid[i, 3:])


def test_a_careless_coder_beside_groups() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=200)
    other = np.where(truth == 0, 1, truth)
    rows = [truth] * 4 + [other] * 2 + [rng.integers(3, size=200)]
    noisy = [np.where(rng.random(200) < 0.95, r, rng.integers(3, size=200)) for r in rows]
    every = told(np.stack(noisy, axis=1), 3)
    assert {f.facts["coder"] for f in every} == {None, "coder 7"}
    assert "coder_groups" in {f.code for f in every}


# ------------------------------------------------------------------ of categories


def a_pair(rng: np.random.Generator, coders: int = 4, k: int = 5, share: float = 0.05) -> Grid:
    """a and b are taken for each other in a quarter of the cases."""
    grid = slipped(int(rng.integers(1 << 30)), np.full(k, 1 / k), 200, coders, share)
    swap = rng.random(grid.shape) < 0.25
    return np.where(swap & (grid < 2), 1 - grid, grid)


def ambiguous_items(rng: np.random.Generator) -> Grid:
    """An eighth of the items could be a or b: all coders choose at random."""
    grid = slipped(int(rng.integers(1 << 30)), [0.2] * 5, 200, 4, 0.05)
    odd = rng.random(len(grid)) < 0.125
    grid[odd] = rng.integers(0, 2, size=(odd.sum(), grid.shape[1]))
    return grid


def a_direction(rng: np.random.Generator) -> Grid:
    """All give b for a in a quarter of the cases."""
    grid = slipped(int(rng.integers(1 << 30)), [0.25] * 4, 300, 4, 0.05)
    return np.where((rng.random(grid.shape) < 0.25) & (grid == 0), 1, grid)


def doubt(rng: np.random.Generator) -> Grid:
    """a is given for doubt."""
    shares = [0.4, 0.15, 0.15, 0.15, 0.15]
    grid = slipped(int(rng.integers(1 << 30)), shares, 200, 4, 0.03)
    return np.where(rng.random(grid.shape) < 0.3, 0, grid)


PLANTED = {
    "a pair, two coders": (lambda r: a_pair(r, 2), 5, {"pair"}, {"a", "b"}),
    "a pair, four coders": (a_pair, 5, {"pair"}, {"a", "b"}),
    "a pair of three": (lambda r: a_pair(r, 4, 3), 3, {"pair"}, {"a", "b"}),
    "a pair in noise": (lambda r: a_pair(r, 4, 8, 0.15), 8, {"pair"}, {"a", "b"}),
    "ambiguous items": (ambiguous_items, 5, {"pair", "one_way"}, {"a", "b"}),
    "a direction": (a_direction, 4, {"pair", "one_way"}, {"a", "b"}),
    "a label for doubt": (doubt, 5, {"default"}, {"a"}),
}
RUNS = 20


@pytest.mark.parametrize("cause", PLANTED)
def test_the_planted_cause_is_told_first(cause: str) -> None:
    make, k, kinds, labels = PLANTED[cause]
    rng, hits = np.random.default_rng(4), 0
    for _ in range(RUNS):
        every = told(make(rng), k)
        hits += bool(every) and every[0].code in kinds and about(every[0]) == labels
    assert hits >= 0.9 * RUNS


def test_noise_within_a_family_is_one_finding() -> None:
    rng = np.random.default_rng(1)
    grid = slipped(1, [1 / 8] * 8, 600, 3, 0.03)
    within = rng.random(grid.shape) < 0.3
    grid = np.where(within & (grid < 3), rng.integers(0, 3, size=grid.shape), grid)
    (one,) = told(grid, 8)
    assert (one.code, about(one)) == ("family", {"a", "b", "c"})


def test_numbers_that_were_read_as_names_are_a_chain() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(size=(300, 1)) + rng.normal(scale=0.4, size=(300, 3))
    grid = np.searchsorted(np.linspace(-1.8, 1.8, 6), seen)
    every = told(grid, 7, scale="nominal")
    assert every[0].code == "chain"
    labels = every[0].facts["labels"]
    assert len(labels) >= 3
    assert labels[0] < labels[-1]
    assert every[0].do[0].options == {"scale": "ordinal"}
    assert {abs(a - b) for a, b in pairwise(labels)} == {1}
    assert not [f for f in told(grid, 7, scale="ordinal") if f.severity == "warning"]


def test_the_evidence_begins_with_what_the_finding_is_about() -> None:
    grid, rng = made(2), np.random.default_rng(2)
    for one, other, often in ((0, 1, 0.5), (2, 3, 0.3)):
        at = (grid == one) & (rng.random(grid.shape) < often)
        grid[at] = other
    pairs = [f for f in told(grid) if f.code in ("pair", "one_way")]
    assert len(pairs) == 2
    for found in pairs:
        assert found.seen is not None
        assert all(str(label) in found.seen.lines[0].name for label in about(found))


def test_numbers_out_of_order_are_no_ordinal_scale() -> None:
    rng = np.random.default_rng(5)
    scale = np.array([2, 0, 3, 1])
    truth = rng.integers(4, size=(400, 1))
    slips = rng.choice([-1, 0, 0, 0, 0, 0, 0, 1], (400, 4))
    every = told(scale[np.clip(truth + slips, 0, 3)], 4, scale="nominal")
    (found,) = every
    assert found.code == "pair"
    links = {frozenset(int(x) for x in pair) for pair in found.facts["pairs"]}
    assert links == {frozenset(pair) for pair in pairwise((scale + 1).tolist())}
    assert not found.do


@pytest.mark.parametrize("seed", range(4))
def test_confusions_that_share_a_label_are_one_finding(seed: int) -> None:
    """Codes for three answers of yes or no are confused along every edge of a cube."""
    rng = np.random.default_rng(seed)
    bits = rng.random((1500, 1, 3)) < 0.5
    flips = rng.random((1500, 3, 3)) < (0.04, 0.08, 0.08)
    grid = ((bits ^ flips) @ np.array([4, 2, 1])).astype(int)
    every = [f for f in told(grid, 8) if f.code in ("pair", "chain")]
    labels = [label for f in every for label in about(f)]
    assert every
    assert len(set(labels)) == len(labels)
    links = [{NAMES.index(x) for x in pair} for f in every for pair in f.facts["pairs"]]
    assert all((max(x) ^ min(x)).bit_count() == 1 for x in links)


def test_groups_of_coders_say_which_part_of_disagreement_they_explain() -> None:
    rng = np.random.default_rng(0)
    right = rng.integers(0, 4, (400, 1))
    grid = np.where(rng.random((400, 6)) < 0.1, rng.integers(0, 4, (400, 6)), right)
    grid[:, :3] = np.where((right < 2) & (grid[:, :3] == 1), 0, grid[:, :3])
    (found,) = (f for f in told(grid) if f.code == "coder_groups")
    assert 0.2 < found.facts["share"] < 0.3
    assert f"{100 * found.facts['share']:.0f}" in found.sentence


def test_one_confused_pair_of_numbers_is_no_scale() -> None:
    grid, rng = slipped(1, [0.2] * 5, 300, 3, 0.05), np.random.default_rng(1)
    swap = (rng.random(grid.shape) < 0.3) & (grid < 2)
    every = told(np.where(swap, 1 - grid, grid), 5, scale="nominal")
    assert [f.code for f in every] == ["pair"]


def test_two_coders_who_differ_always_in_the_same_way() -> None:
    table = np.diag([30, 30, 30]) + 14 * np.outer([0, 1, 0], [1, 0, 0])
    first, *_ = found(from_table(table, "abc"))
    facts = {"first": "b", "second": "a", "coder": "coder 1", "other": "coder 2", "n": 14, "of": 14}
    assert first_named((first,), "one_sided", **facts)
    assert first.remedy == "guideline"


def test_two_coders_of_whom_one_gives_higher_values() -> None:
    grid = made(4, k=5, right=0.97, coders=2)
    grid[::2, 0] = np.minimum(grid[::2, 0] + 1, 4)
    facts = {"coder": "coder 1", "other": "coder 2", "place": ("up",)}
    assert first_named(told(grid, 5, scale="ordinal"), "higher", **facts)


@pytest.mark.parametrize("label", ["a", "c"])
def test_a_label_of_sets_that_is_often_left_out(label: str) -> None:
    rng = np.random.default_rng(1)
    held = rng.random((250, 4)) < 0.3
    k = "abcd".index(label)
    rows = []
    for _ in range(3):
        own = held ^ (rng.random(held.shape) < 0.02)
        own[:, k] &= rng.random(250) < 0.6
        rows.append(["".join(np.array(list("abcd"))[x]) for x in own])
    first, *_ = found(of_sets(rows, "abcd"))
    assert label in first.facts["labels"]
    assert first.remedy in ("guideline", "categories")


# ------------------------------------------------------------------ of places


def harder(seed: int = 1, wrong: float = 0.6, coders: int = 4) -> Annotations:
    """On the verses coders guess in most cases."""
    rng = np.random.default_rng(seed)
    truth, genre = rng.integers(3, size=(240, 1)), rng.integers(4, size=240)
    guess = rng.random((240, coders)) < np.where(genre == 1, wrong, 0.05)[:, None]
    grid = np.where(guess, rng.integers(3, size=(240, coders)), truth)
    return replace(
        of_grid(grid, "abc"),
        texts=tuple("x" * int(n) for n in rng.integers(5, 300, size=240)),
        metadata={"genre": tuple(("prose", "verse", "news", "talk")[g] for g in genre)},
    )


@pytest.mark.parametrize("coders", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_a_group_of_hard_items_is_named_first(seed: int, coders: int) -> None:
    data = harder(seed, coders=coders)
    first, *rest = found(data)
    assert (first.code, first.facts["place"][0], first.remedy) == ("item_group", "genre", "items")
    genre = np.array(data.metadata["genre"])
    assert (genre[list(first.seen.items)] == "verse").all()
    assert first.seen.lines[0].name == "“verse”"
    assert not [f for f in rest if f.severity == "warning"]


def test_long_texts_that_are_hard() -> None:
    data, rng = harder(wrong=0.05), np.random.default_rng(2)
    long = np.array([len(t) for t in data.texts]) > 230
    grid = data.grid.copy()
    grid[long] = rng.integers(3, size=(long.sum(), 4))
    first, *_ = found(replace(data, layout=grid))
    assert (first.code, first.facts["place"][0]) == ("item_group", "length of the text")


def test_columns_that_say_the_same_are_told_once() -> None:
    data = harder()
    genre = data.metadata["genre"]
    twice = replace(data, metadata={"genre": genre, "source": tuple(g.upper() for g in genre)})
    assert [f.code for f in found(twice)].count("item_group") == 1


def test_a_careless_coder_is_not_the_fault_of_the_items_annotated() -> None:
    rng = np.random.default_rng(3)
    truth, genre = rng.integers(3, size=(300, 1)), rng.integers(3, size=300)
    grid = np.where(rng.random((300, 4)) < 0.95, truth, rng.integers(3, size=(300, 4)))
    grid[:, 3] = np.where(genre == 0, rng.integers(3, size=300), -1)
    data = replace(of_grid(grid, "abc"), metadata={"genre": tuple("xyz"[g] for g in genre)})
    first, *rest = found(data)
    assert first.facts["coder"] == "coder 4"
    assert "item_group" not in {f.code for f in rest}


@pytest.mark.parametrize(("coders", "known"), [(2, True), (4, True), (4, False)])
def test_all_coders_tire(coders: int, known: bool) -> None:
    """A warning where the order is known; else a note, with the question for it.

    Two annotations do not tell the category: a file sorted by it would look the same.
    """
    right = np.linspace(0.98, 0.6, 300)[:, None]
    data = of_grid(made(1, k=3, right=right, coders=coders), "abc")
    data = replace(data, metadata={"minute": tuple(range(300))})
    first, *rest = found(data, order="minute" if known else None)
    assert (first.code, first.remedy) == ("trend", "task")
    assert first.severity == ("warning" if known else "note")
    assert bool(first.do) == (not known)
    assert not [f for f in rest if f.facts.get("coder")]


# ------------------------------------------------------------------ what was promised for causes


NAMED = {
    "confused_pair": ("pair", {"first": "A", "second": "B"}),
    "biased_coder": ("coder_gives", {"coder": "coder 4", "first": "A"}),
    "ambiguous_group": ("item_group", {"place": ("genre", 0)}),
    "drift": (None, {"coder": "coder 4"}),
}
"""Cause to the kind of the finding, None for one of several, and what it must name."""


@pytest.mark.parametrize("cause", NAMED)
def test_the_first_finding_names_a_simulated_cause(cause: str) -> None:
    code, names = NAMED[cause]
    right = []
    for seed in range(30):
        data = simulate_cause(cause, seed=seed)
        first = ac.diagnose(data).findings[0]
        facts = dict(first.facts)
        if cause == "ambiguous_group":
            place = facts.pop("place", ())
            own = first.seen is not None and first.seen.lines[0].name == f"“{GENRES[0]}”"
            right.append(first.code == code and place[:1] == ("genre",) and own)
        else:
            right.append(code in (None, first.code) and names.items() <= facts.items())
    assert sum(right) >= 0.93 * len(right)


def test_slips_alarm_nobody() -> None:
    loud = 0
    for seed in range(30):
        first = ac.diagnose(simulate_cause("none", seed=seed)).findings[0]
        loud += first.severity != "note"
    assert loud <= 1


# ------------------------------------------------------------------ whatever the data


def test_every_kind_has_a_title_and_sources_that_exist() -> None:
    for kind in KINDS.values():
        assert kind.find.__doc__.splitlines()[0].endswith(".")
        assert set(kind.sources) <= set(LITERATURE)
        assert kind.text.endswith((".", "{order}"))
        assert kind.advice.endswith(".")


def whole(one: Finding, n_items: int) -> None:
    """A finding has all that a reader and a program need."""
    assert one.severity in ("warning", "note")
    assert one.sentence.endswith(".")
    assert one.advice.endswith(".")
    assert "nan" not in one.sentence
    assert "{" not in f"{one.title}{one}"
    assert one.title
    assert type(one.stake) is float
    assert math.isnan(one.stake) or 0 <= one.stake <= 1
    if one.seen is not None:
        assert len(one.seen.lines) <= 8
        assert len(one.seen.items) <= 25
        assert all(0 <= i < n_items for i in one.seen.items)
        assert all(line.share >= 0 and line.n >= 0 for line in one.seen.lines)
    if one.code in KINDS:
        facts = one.facts
        assert 0 < facts["share"] <= 1
        assert 0 <= facts["p_value"] <= 1
        assert facts["n"] >= math.floor(facts["expected"])
        assert facts["gain"] >= 0


@pytest.mark.parametrize("seed", range(10))
def test_findings_are_whole_whatever_the_data(seed: int) -> None:
    n, coders = 5 + 14 * seed, 2 + seed % 5
    plain = at_random(seed, items=n, coders=coders, values=2 + seed % 5, missing=0.1 * (seed % 8))
    numbered = tuple(range(len(plain.values)))
    scales = [
        replace(
            plain, values=numbered, schemes=(replace(plain.scheme, categories=numbered, scale=s),)
        )
        for s in ("ordinal", "interval")
    ]
    sets = sets_at_random(seed, items=n, coders=coders, anonymous=seed % 5 == 4)
    for data in (plain, replace(plain, anonymous=True), *scales, sets):
        data = replace(
            data,
            items=tuple(range(n)),
            texts=tuple(f"text {i % 7}" for i in range(n)),
            metadata={"genre": tuple(i % 3 for i in range(n)), "time": tuple(range(n, 0, -1))},
        )
        for order in (None, "time"):
            for one in found(data, order=order):
                whole(one, n)


def test_two_coders_and_unknown_ones_have_no_cause_in_one_coder() -> None:
    for data in (at_random(1, coders=2, items=80), from_counts([[3, 1], [2, 2]] * 40)):
        assert not {f.code for f in found(data)} & {k for k in KINDS if k.startswith("coder")}


def test_thousands_of_values_are_measurements() -> None:
    grid = np.random.default_rng(1).integers(0, 3000, size=(200, 3))
    assert not found(of_grid(grid, tuple(range(3000)), scale="interval"))
