"""What is taken for what: each planted cause is told first, and clean data raise no alarm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from accordant.diagnosis.patterns.blocks import confused_block
from accordant.diagnosis.patterns.confusions import confused_pair
from accordant.diagnosis.patterns.dominating import dominating_category
from accordant.diagnosis.patterns.more_labels import more_labels
from accordant.diagnosis.patterns.neighbours import neighbours
from accordant.diagnosis.patterns.none import detectable, no_pattern
from accordant.diagnosis.patterns.of_categories import OF_CATEGORIES, category_patterns
from accordant.diagnosis.patterns.one_way import one_way
from accordant.diagnosis.patterns.pattern import PATTERNS, WORTH
from accordant.diagnosis.patterns.shifted import shifted
from accordant.diagnosis.patterns.use import unused_by_coder
from accordant.diagnosis.patterns.weak import weak_category

from accordant.data.annotations import Annotations
from accordant.diagnosis.finding import Finding
from accordant.diagnosis.view import View
from accordant.literature import LITERATURE
from accordant.measure.confusion import NO_FURTHER
from diagnosis.made import at_random, from_table, of_grid, of_sets, sets_at_random

Grid = np.ndarray
NAMES = "abcdefgh"


def view(grid: Grid, k: int = 5, **scheme) -> View:
    values = tuple(range(1, k + 1)) if scheme else tuple(NAMES[:k])
    return View(None, of_grid(grid, values, **scheme))


def told(data: View) -> list[Finding]:
    """Warnings first, then what has most at stake."""
    return sorted(category_patterns(data), key=lambda f: (f.severity != "warning", -f.stake))


def truth(rng: np.random.Generator, items: int, coders: int, shares: np.ndarray) -> Grid:
    return np.repeat(rng.choice(len(shares), size=(items, 1), p=shares), coders, axis=1)


def slips(rng: np.random.Generator, grid: Grid, k: int, share) -> Grid:
    """Every annotation slips to any other category with some probability."""
    slipped = rng.random(grid.shape) < share
    return np.where(slipped, (grid + rng.integers(1, k, size=grid.shape)) % k, grid)


def clean(rng: np.random.Generator, items=200, coders=4, k=5, share=0.05, skew=1.0) -> Grid:
    shares = skew ** np.arange(k)
    return slips(rng, truth(rng, items, coders, shares / shares.sum()), k, share)


# ------------------------------------------------------------------ planted causes


def a_pair(rng: np.random.Generator, coders: int = 4, k: int = 5, share: float = 0.05) -> Grid:
    """a and b are taken for each other in a quarter of the cases."""
    grid = clean(rng, coders=coders, k=k, share=share)
    swap = rng.random(grid.shape) < 0.25
    return np.where(swap & (grid < 2), 1 - grid, grid)


def ambiguous_items(rng: np.random.Generator) -> Grid:
    """An eighth of the items could be a or b: all coders choose at random."""
    grid = clean(rng)
    odd = rng.random(len(grid)) < 0.125
    grid[odd] = rng.integers(0, 2, size=(odd.sum(), grid.shape[1]))
    return grid


def a_habit(rng: np.random.Generator, coders: int = 2) -> Grid:
    """The first coder gives b to most of what the others call c."""
    grid = clean(rng, coders=coders)
    grid[(grid[:, 0] == 2) & (rng.random(len(grid)) < 0.7), 0] = 1
    return grid


def never_given(rng: np.random.Generator, coders: int = 2) -> Grid:
    """The first coder never gives c, and scatters its items."""
    grid = clean(rng, coders=coders)
    mine = grid[:, 0] == 2
    grid[mine, 0] = rng.choice([0, 1, 3, 4], size=mine.sum())
    return grid


def catch_all(rng: np.random.Generator) -> Grid:
    """Coders give a, the most frequent category, whenever they are in doubt."""
    grid = slips(rng, truth(rng, 200, 4, np.array([0.4, 0.15, 0.15, 0.15, 0.15])), 5, 0.03)
    return np.where(rng.random(grid.shape) < 0.3, 0, grid)


def rare(rng: np.random.Generator, share: float = 0.035) -> Grid:
    """d is right for 3.5 % of the items; slips on the others bury it."""
    rest = (1 - share) / 3
    return slips(rng, truth(rng, 300, 4, np.array([rest, rest, rest, share])), 4, 0.1)


def shift(rng: np.random.Generator, coders: int = 2) -> Grid:
    grid = clean(rng, coders=coders)
    up = rng.random(len(grid)) < 0.4
    grid[up, 0] = np.minimum(grid[up, 0] + 1, 4)
    return grid


def about(*values: str) -> Callable[[Finding], bool]:
    return lambda f: {f.evidence.get("first"), f.evidence.get("second")} == set(values)


CAUSES = {
    "a pair, two coders": (lambda r: a_pair(r, 2), 5, "confused_pair", about("a", "b")),
    "a pair, four coders": (a_pair, 5, "confused_pair", about("a", "b")),
    "a pair of three": (lambda r: a_pair(r, 4, 3), 3, "confused_pair", about("a", "b")),
    "a pair in noise": (lambda r: a_pair(r, 4, 8, 0.15), 8, "confused_pair", about("a", "b")),
    "ambiguous items": (ambiguous_items, 5, "confused_pair", about("a", "b")),
    "a habit, two coders": (a_habit, 5, "one_way", about("b", "c")),
    "a habit, four coders": (lambda r: a_habit(r, 4), 5, "one_way", about("b", "c")),
    "never given, two coders": (
        never_given, 5, "unused_by_coder", lambda f: f.evidence["category"] == "c"),
    "never given, four coders": (
        lambda r: never_given(r, 4), 5, "unused_by_coder",
        lambda f: (f.evidence["coder"], f.evidence["category"]) == ("coder 1", "c")),
    "a place for everything": (
        catch_all, 5, "dominating_category", lambda f: f.evidence["category"] == "a"),
    "a rare category": (rare, 4, "weak_category", lambda f: f.evidence["category"] == "d"),
}  # fmt: skip


@pytest.mark.parametrize("cause", CAUSES)
def test_the_planted_cause_is_told_first(cause: str) -> None:
    make, k, code, right = CAUSES[cause]
    rng, runs, hits = np.random.default_rng(4), 100, 0
    for _ in range(runs):
        found = told(view(make(rng), k))
        hits += bool(found) and found[0].code == code and right(found[0])
    assert hits >= 0.95 * runs


@pytest.mark.parametrize("coders", [2, 4])
def test_a_shifted_scale_is_told_first_and_its_steps_are_not_told_again(coders: int) -> None:
    rng, hits = np.random.default_rng(4), 0
    for _ in range(100):
        found = told(view(shift(rng, coders), scale="ordinal"))
        hits += bool(found) and found[0].code == "shifted"
        assert all(f.code != "one_way" or f.evidence["coder"] != "coder 1" for f in found)
    assert hits >= 95


CLEAN = [
    (2, 50, 3, 0.25, 1.0), (2, 200, 5, 0.05, 1.0), (2, 500, 8, 0.25, 1.0), (2, 200, 2, 0.1, 1.0),
    (2, 500, 3, 0.25, 0.6), (3, 200, 4, 0.1, 0.75), (4, 200, 5, 0.05, 1.0), (4, 200, 5, 0.25, 0.75),
    (6, 50, 3, 0.05, 0.6), (6, 500, 8, 0.1, 1.0), (6, 100, 2, 0.2, 0.5),
]  # fmt: skip


@pytest.mark.parametrize("coders, items, k, share, skew", CLEAN)
def test_slips_raise_no_alarm(coders: int, items: int, k: int, share: float, skew: float) -> None:
    rng, runs, alarms = np.random.default_rng(11), 80, Counter()
    for _ in range(runs):
        found = category_patterns(view(clean(rng, items, coders, k, share, skew), k))
        alarms["any"] += any(f.severity != "note" for f in found)
    assert alarms["any"] <= 3


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
@pytest.mark.parametrize("k", [3, 5, 7])
def test_neighbours_on_a_scale_are_no_pattern(k: int, scale: str) -> None:
    """Coders who see the same latent value with noise, and cut it at the same places."""
    rng, alarms = np.random.default_rng(2), 0
    cuts = np.linspace(-1.8, 1.8, k - 1)
    for _ in range(100):
        seen = rng.normal(size=(200, 1)) + rng.normal(scale=0.4, size=(200, 3))
        found = category_patterns(view(np.searchsorted(cuts, seen), k, scale=scale))
        alarms += any(f.severity != "note" for f in found)
    assert alarms <= 4


@pytest.mark.parametrize("coders", [2, 4, 8])
def test_hard_items_are_no_pattern_of_categories(coders: int) -> None:
    """Each hard item has a second label of its own, which all coders choose with one chance."""
    rng, alarms = np.random.default_rng(2), 0
    for _ in range(100):
        grid = truth(rng, 200, coders, np.full(5, 0.2))
        other = (grid + rng.integers(1, 5, size=(200, 1))) % 5
        hard = rng.beta(0.4, 1.6, size=(200, 1))
        grid = np.where(rng.random(grid.shape) < hard, other, grid)
        alarms += any(f.severity != "note" for f in category_patterns(view(grid)))
    assert alarms <= 4


# ------------------------------------------------------------------ told once, with its numbers


TABLE = [[60, 15, 1], [15, 60, 1], [1, 1, 60]]


def only(data: Annotations, code: str) -> Finding:
    (found,) = [f for f in category_patterns(View(None, data)) if f.code == code]
    return found


def test_a_confused_pair_by_hand() -> None:
    """30 of 34 disagreements; by margins it would be 76 * 76 / (76 * 76 + 2 * 76 * 62)."""
    found = only(from_table(TABLE, "abc"), "confused_pair")
    assert "30 of 34 disagreements (88.2\xa0%) are between “a” and “b”" in found.sentence
    margins = 76 * 76 / (76 * 76 + 2 * 76 * 62)
    assert margins > (76 + 76) / (2 * (76 + 76 + 62)) * 1  # more than by slips
    assert found.evidence["expected"] == pytest.approx(margins)
    tail = sum(comb(34, i) * margins**i * (1 - margins) ** (34 - i) for i in range(30, 35))
    assert found.evidence["p_value"] == pytest.approx(3 * tail)
    assert found.evidence["distinguishability"] == pytest.approx(1 - 15 * 15 / 60**2)
    assert found.evidence["kappa_within"] == pytest.approx(120 / 150 * 2 - 1)
    alpha = View(None, from_table(TABLE, "abc")).alpha
    assert found.stake == pytest.approx((1 - alpha) * (30 - margins * 34) / 34)
    assert (found.remedy, found.severity) == ("categories", "warning")
    assert [(c.n, c.share) for c in found.seen.lines] == [(30, 30 / 34), (2, 2 / 34), (2, 2 / 34)]
    assert len(found.seen.items) == 25


def test_the_items_behind_a_finding_show_it() -> None:
    data = from_table(TABLE, "abc")
    items = View(None, data).items.named(np.array(only(data, "confused_pair").seen.items))
    assert all({label for _, label in item.labels} == {"a", "b"} for item in items)


def test_only_the_larger_idea_of_chance_convinces() -> None:
    """Two frequent categories are confused as guesses would: by slips it would be too much."""
    p = np.array([0.45, 0.45, 0.05, 0.05])
    off = 200 * np.outer(p, p) * (1 - np.eye(4))
    table = (off + np.diag([300, 300, 40, 40])).round().astype(int)
    assert not list(confused_pair(View(None, from_table(table, "abcd"))))


def test_one_way_by_hand() -> None:
    table = np.diag([30, 30, 30]) + 12 * np.outer([1, 0, 0], [0, 1, 0])
    found = only(from_table(table, "abc"), "one_way")
    assert found.evidence["p_value"] == pytest.approx(2 / 2**12)  # one pair of categories
    assert "“coder 1” gave “a” where “coder 2” gave “b” 12 times, and 0 times" in found.sentence
    assert "calls" not in found.sentence  # 12 of 42: not always
    assert (found.remedy, found.seen.lines[0].other) == ("guideline", 0.5)


def test_a_pair_that_goes_one_way_is_not_told_as_confused() -> None:
    table = np.diag([30, 30, 30]) + 20 * np.outer([1, 0, 0], [0, 1, 0])
    assert [f.code for f in category_patterns(View(None, from_table(table, "abc")))] == ["one_way"]
    both = np.diag([30, 30, 30]) + 10 * np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert [f.code for f in category_patterns(View(None, from_table(both, "abc")))] == [
        "confused_pair"
    ]


def test_seven_of_seven_is_a_hint_and_eight_of_eight_a_warning() -> None:
    """At the level .01: 2 / 2 ** 7 = .016, 2 / 2 ** 8 = .008; .05 only for a single test."""
    found = [
        list(category_patterns(View(None, from_table([[40, n], [0, 40]], "ab")))) for n in (5, 7, 8)
    ]
    severities = [[(f.code, f.severity) for f in x] for x in found]
    assert severities == [[], [("one_way", "note")], [("one_way", "warning")]]
    three = np.diag([40, 40, 40]) + 7 * np.outer([1, 0, 0], [0, 1, 0])
    assert not list(one_way(View(None, from_table(three, "abc"))))


def test_a_category_that_one_of_two_never_gives() -> None:
    rng = np.random.default_rng(1)
    found = told(view(never_given(rng)))[0]
    assert "“coder 1” never gave “c”, though “coder 2” gave it to" in found.sentence
    n = found.evidence["n"]
    assert found.evidence["p_value"] == pytest.approx(10 / 2**n)  # two coders, five categories
    line = found.seen.lines[0]
    assert (line.name, line.share, round(line.other * line.n)) == ("“c”", 0.0, n)
    assert found.remedy == "guideline"


def test_a_category_that_is_always_another_is_told_as_that() -> None:
    table = np.diag([0, 30, 30]) + 12 * np.outer([0, 1, 0], [1, 0, 0])
    found = category_patterns(View(None, from_table(table, "abc")))
    assert [f.code for f in found] == ["one_way"]
    assert found[0].evidence["always"] == 1
    assert found[0].sentence.endswith("“coder 1” never gives “a”.")


def test_a_place_for_everything_explains_its_pairs() -> None:
    found = told(view(catch_all(np.random.default_rng(3))))
    assert [f.code for f in found] == ["dominating_category"]
    assert "It is the most frequent category" in found[0].sentence


def test_two_categories_have_no_pair_and_no_place_for_everything() -> None:
    data = View(None, from_table([[50, 15], [14, 40]], "ab"))
    assert not list(category_patterns(data))
    assert not list(no_pattern(data, ()))


def test_a_rare_category_is_told_with_both_rates() -> None:
    data = view(rare(np.random.default_rng(5)), 4)
    found = told(data)[0]
    row = next(r for r in data.categories.rows if r.category == "d")
    assert found.evidence["specific"] == pytest.approx(row.specific.value)
    others = [r for r in data.categories.rows if r.category != "d"]
    n = np.array([r.n_annotations for r in others])
    assert found.evidence["others"] == pytest.approx(
        n @ [r.specific.value for r in others] / n.sum()
    )
    assert (found.remedy, found.evidence["rare"]) == ("items", True)
    assert (found.severity, found.evidence["below"]) == ("note", False)  # slips are all of it


def test_a_category_that_is_hard_with_all_others() -> None:
    rng, hits = np.random.default_rng(6), 0
    for _ in range(50):
        grid = truth(rng, 600, 4, np.full(5, 0.2))
        grid = slips(rng, grid, 5, np.where(grid == 2, 0.45, 0.05))
        found = told(view(grid))
        hits += bool(found) and found[0].code == "weak_category" and not found[0].evidence["rare"]
    assert hits >= 48


@pytest.mark.parametrize("k", [2, 3])
def test_many_coders_are_compared_with_who_stands_beside_them(k: int) -> None:
    """Who is the odd one of {a, a, a, b} is no habit, though a stands thrice where b stands once."""
    rng, alarms = np.random.default_rng(8), 0
    for _ in range(100):
        grid = np.zeros((300, 4), int)
        odd = rng.random(300) < 0.5
        grid[odd, rng.integers(0, 4, size=odd.sum())] = 1
        alarms += bool(list(one_way(view(grid, k))))
    assert alarms <= 3


def test_certain_but_small_differences_are_not_told() -> None:
    """300 one way and 180 the other is no accident, but no rule that one coder follows either."""
    many = np.diag([900, 900]) + np.array([[0, 300], [180, 0]])
    assert not list(one_way(View(None, from_table(many, "ab"))))
    # agreement on c is .85, on the others .99: certain, and nothing that a reader would see
    near = [[600, 0, 5], [0, 600, 4], [4, 5, 51]]
    assert not list(weak_category(View(None, from_table(near, "abc"))))


# ------------------------------------------------------------------ no pattern


def test_noise_is_told_with_the_power_to_see_more() -> None:
    data = view(clean(np.random.default_rng(1), share=0.25))
    (found,) = no_pattern(data, ())
    assert (found.severity, found.remedy, found.stake) == ("warning", "task", 0.0)
    assert "show no pattern" in found.sentence
    high = view(clean(np.random.default_rng(1), share=0.05))
    assert [f.severity for f in no_pattern(high, ())] == ["note"]


def test_no_pattern_only_if_nothing_was_found() -> None:
    data = View(None, from_table(TABLE, "abc"))
    assert not list(no_pattern(data))
    assert not list(no_pattern(data, category_patterns(data)))


def test_no_pattern_only_with_disagreements_enough_to_see_one() -> None:
    few = View(None, from_table([[30, 1, 0], [0, 30, 1], [1, 0, 30]], "abc"))
    assert np.isnan(detectable(few.disputes))
    assert not list(no_pattern(few, ()))


def test_the_power_is_what_it_says() -> None:
    """A pair behind that share of the disputes is found about four times in five.

    A little less often, because its disagreements make the two categories more frequent.
    """
    table = np.diag([60, 60, 60, 60]) + 5 * (1 - np.eye(4, dtype=int))
    strength = detectable(View(None, from_table(table, "abcd")).disputes)
    rng, hits = np.random.default_rng(1), 0
    rest = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    for _ in range(200):
        made = np.diag([60, 60, 60, 60])
        for n, (a, b) in zip(
            rng.multinomial(60, [strength, *[(1 - strength) / 5] * 5]), [(0, 1), *rest], strict=True
        ):
            back = rng.binomial(n, 0.5)
            made[a, b] += n - back
            made[b, a] += back
        hits += any(about("a", "b")(f) for f in confused_pair(View(None, from_table(made, "abcd"))))
    assert 0.6 <= hits / 200 <= 0.9


# ------------------------------------------------------------------ sets of labels


def test_a_confused_pair_of_labels() -> None:
    rows = [["ac"] * 40 + ["bc"] * 40 + ["d"] * 40 + ["ac"] * 12 + ["bc"] * 12 + ["d", "ac"],
            ["ac"] * 40 + ["bc"] * 40 + ["d"] * 40 + ["bc"] * 12 + ["ac"] * 12 + ["ac", "d"]]  # fmt: skip
    found = only(of_sets(rows, "abcd"), "confused_pair")
    assert about("a", "b")(found)


def test_a_label_that_is_often_left_out() -> None:
    rows = [["ac", "ad"] * 30 + ["bc", "bd"] * 30 + ["bd"] * 8 + ["ac", "c"] * 20,
            ["ac", "ad"] * 30 + ["bc", "bd"] * 30 + ["d"] * 4 + ["b"] * 4 + ["c", "ac"] * 20]  # fmt: skip
    found = only(of_sets(rows, "abcd"), "confused_pair")
    assert about("a", NO_FURTHER)(found)
    assert found.evidence["n"] == 40


def test_a_label_that_one_coder_adds() -> None:
    rows = [["a", "b", "c"] * 30 + ["ac"] * 20, ["a", "b", "c"] * 30 + ["a"] * 20]
    found = only(of_sets(rows, "abc"), "one_way")
    assert "“coder 1” gave “c” 20 times" in found.sentence


def test_votes_of_sets_add_up_to_the_disputed_items() -> None:
    for seed in range(10):
        data = View(None, sets_at_random(seed))
        assert data.disputes.n_items == pytest.approx(data.items.n_disputed)


# ------------------------------------------------------------------ whatever the data


EVERY = (
    confused_block, confused_pair, dominating_category, more_labels, neighbours, one_way, shifted,
    unused_by_coder, weak_category, no_pattern,
)  # fmt: skip
RARELY = {"shifted", "more_labels", "neighbours", "confused_block"}  # in what is made here


def test_all_are_registered_with_a_title() -> None:
    names = {f.__name__ for f in EVERY}
    assert names == OF_CATEGORIES | {"no_pattern"}
    assert names <= set(PATTERNS)
    for name in names:
        assert PATTERNS[name].__doc__.splitlines()[0].endswith(".")


def whatever() -> list[Annotations]:
    made = []
    for seed in range(12):
        data = at_random(seed, items=5 + 12 * seed, coders=2 + seed % 4, values=2 + seed % 5)
        numbered = tuple(range(len(data.values)))
        for scale in ("nominal", "ordinal", "interval", "circular"):
            scheme = replace(data.scheme, categories=numbered, scale=scale)
            made.append(replace(data, values=numbered, schemes=(scheme,)))
        made.append(replace(data, anonymous=True))
        made.append(sets_at_random(seed))
        made.append(sets_at_random(seed, anonymous=True))
    return made


def test_findings_are_whole_whatever_the_data() -> None:
    seen = set()
    rng = np.random.default_rng(9)
    planted = [view(make(rng), k).data for make, k, *_ in CAUSES.values()]
    for data in [*whatever(), *planted]:
        part = View(None, data)
        if np.isnan(part.alpha):
            continue
        for find in EVERY:
            for f in find(part):
                seen.add(f.code)
                assert f.code == find.__name__
                assert f.sentence.endswith(".")
                assert f.advice.endswith(".")
                assert "nan" not in f"{f}"
                assert set(f.sources) <= set(LITERATURE)
                assert f.stake >= 0
                assert f.severity == "note" or f.stake >= WORTH or f.code == "no_pattern"
                assert type(f.stake) is float
                assert f.title or f.code == "no_pattern"
                assert 1 <= len(f.seen.lines) <= 8
                assert len(f.seen.items) <= 25
                assert part.items.named(np.array(f.seen.items[:2], int)) is not None
                assert all(
                    0 <= line.share <= 1 for line in f.seen.lines if line.share == line.share
                )
    assert seen == {f.__name__ for f in EVERY} - RARELY | (seen & RARELY)


def test_thousands_of_values_are_measurements() -> None:
    rng = np.random.default_rng(1)
    grid = rng.integers(0, 3000, size=(200, 3))
    data = View(None, of_grid(grid, tuple(range(3000)), scale="interval"))
    assert data.disputes is None
    assert [f.code for f in category_patterns(data)] in ([], ["shifted"])
