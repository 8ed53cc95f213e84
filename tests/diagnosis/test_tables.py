"""Tables of a diagnosis by hand: coverage, items, confusions, categories."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import FLEISS_1971, NAMES, guessing, of_grid, of_table

EXACT, PRINTED_3 = 1e-12, 6e-4
SETS = ("a", "b", "a,b", "b,c", "c")


def gappy(seed: int, coders: int = 3, k: int = 4) -> np.ndarray:
    grid, rng = guessing(seed, 40, k, 0.6, coders), np.random.default_rng(seed)
    grid[rng.random(grid.shape) < 0.3] = -1
    return grid[(grid >= 0).any(1)]


def part(data: Any, **more: Any) -> Any:
    return ac.diagnose(data, **more).pooled


# ------------------------------------------------------------------ coverage


def test_who_annotated_what() -> None:
    found = part(of_grid([[0, 1, -1], [0, 0, 1], [-1, 2, -1]])).coverage
    numbers = (found.n_items, found.n_annotated, found.n_pairable, found.n_single)
    assert numbers == (3, 3, 2, 1)
    assert (found.per_item, found.n_annotations) == ([(1, 1), (2, 1), (3, 1)], 6)
    assert found.missing_share == pytest.approx(1 - 6 / 9)
    a, b, c = found.coders
    assert (a.n_items, a.n_alone, a.n_values, a.top, a.top_share, a.entropy) == (2, 0, 1, "a", 1, 0)
    assert (b.n_items, b.n_alone, b.n_values) == (3, 1, 3)
    assert (b.entropy, c.share) == pytest.approx((np.log2(3), 1 / 3))


def test_groups_of_coders_that_never_meet() -> None:
    apart = [[0, 1, -1, -1], [-1, -1, 0, 0]]
    assert part(of_grid(apart)).coverage.n_groups == 2
    assert part(of_grid([*apart, [-1, 0, 0, -1]])).coverage.n_groups == 1


def test_categories_that_nobody_gave_are_named() -> None:
    found = part(ac.read([["a", "c"], ["a", "c"]], categories=["a", "b", "c"]))
    assert found.coverage.distribution.unused == ("b",)
    assert found.coverage.distribution.n.tolist() == [2, 0, 2]


# ------------------------------------------------------------------ items


def test_published_agreement_on_items() -> None:
    """Fleiss (1971), table 1, column P_i, of the first ten patients."""
    expected = [1, 0.4, 0.4, 1, 0.4, 0.467, 0.467, 0.267, 0.467, 1]
    found = part(FLEISS_1971).items.agreement[:10].tolist()
    assert found == pytest.approx(expected, abs=PRINTED_3)


@pytest.mark.parametrize("seed", range(3))
def test_each_item_by_hand(seed: int) -> None:
    grid = gappy(seed)
    found = part(of_grid(grid)).items
    names = list(found.data.items)
    for i, row in enumerate(grid):
        at, labels = names.index(f"i{i}"), row[row >= 0]
        pairs = [x == y for x, y in permutations(labels, 2)]
        p = np.bincount(labels) / len(labels)
        bits = -(p[p > 0] * np.log2(p[p > 0])).sum()
        agreed = np.mean(pairs) if pairs else np.nan
        assert found.agreement[at] == pytest.approx(agreed, abs=EXACT, nan_ok=True)
        assert found.entropy[at] == pytest.approx(bits, abs=EXACT)
        assert found.n_annotations[at] == len(labels)


def test_hardest_first() -> None:
    grid = [[0, 0, 0], [0, 1, 2], [0, 0, 1], [0, 1, -1], [-1, 1, -1], [0, 1, 2]]
    found = part(of_grid(grid)).items
    assert [h.item for h in found.named(found.hardest())] == ["i1", "i5", "i3", "i2"]
    (first,) = found.named(found.hardest(1))
    assert first.labels == (("coder 1", "a"), ("coder 2", "b"), ("coder 3", "c"))
    assert (first.agreement, first.entropy) == (0.0, pytest.approx(np.log2(3)))
    assert found.n_disputed == 4
    assert found.levels == [(0.0, 3), (pytest.approx(1 / 3), 1), (1.0, 1)]


def test_items_of_several_questions_are_found_again() -> None:
    rows = [
        {"item": i, "coder": c, "q1": q1[i], "q2": q2[i]}
        for c, q1, q2 in (("ann", "ab", "ab"), ("bob", "ab", "bb"))
        for i in range(2)
    ]
    both = part(rows, label=["q1", "q2"]).items
    assert [(h.item, h.question) for h in both.named(both.hardest())] == [(0, "q2")]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("ab", "coder 1: a; coder 2: b"),
        ("a" * 24 + "b", "24 gave a; coder 25 gave b"),
        ("b" * 3 + "a" * 9, "9 gave a; 3 gave b"),
    ],
)
def test_a_crowd_is_told_in_a_few_words(labels: str, said: str) -> None:
    (item,) = part(of_grid([["ab".index(x) for x in labels]])).items.named(np.array([0]))
    assert item.said() == said


# ------------------------------------------------------------------ confusions


def cells(a: set[str], b: set[str]) -> set[tuple[Any, Any]]:
    """The cells that two sets stand in: what both hold, and what one holds for the other."""
    one, other = (a - b) or {()}, (b - a) or {()}
    apart = {(x, y) for x in one for y in other} - {((), ())}
    return {(x, x) for x in a & b} | apart


@pytest.mark.parametrize("names", [NAMES, SETS])
@pytest.mark.parametrize(("seed", "coders"), [(0, 2), (1, 3), (2, 5)])
def test_confusions_by_hand(names: Any, seed: int, coders: int) -> None:
    grid = gappy(seed, coders, 5)
    more = {"separator": ","} if names is SETS else {}
    found = part(of_grid(grid, names, categories=list("abcde"), **more))
    position = {x: k for k, x in enumerate(found.confusion.values)}
    held = [[None if v < 0 else set(names[v].split(",")) for v in row] for row in grid]
    n = len(position)

    def table(pairs: Any) -> tuple[np.ndarray, dict[tuple[Any, Any], set[int]]]:
        counts, behind = np.zeros((n, n)), {}
        for i, a, b in pairs:
            for x, y in cells(a, b):
                counts[position[x], position[y]] += 1
                behind.setdefault((x, y), set()).add(i)
        return counts, behind

    every = [
        (i, a, b)
        for i, row in enumerate(held)
        for a, b in permutations([x for x in row if x is not None], 2)
    ]
    counts, behind = table(every)
    assert np.array_equal(found.confusion.table, counts)
    items = [str(x) for x in found.data.items]
    for x in position:
        for y in position:
            at = {items[k] for k in found.confusion.items(x, y)}
            assert at == {f"i{i}" for i in behind.get((x, y), ())}
    for a, b in combinations(range(coders), 2):
        both = [
            (i, r[a], r[b]) for i, r in enumerate(held) if r[a] is not None and r[b] is not None
        ]
        one = found.contingency(f"coder {a + 1}", f"coder {b + 1}")
        assert np.array_equal(one.table, table(both)[0])
        assert one.n == len(both)


def test_the_table_that_was_given_comes_back() -> None:
    """Artstein & Poesio (2008), table 1."""
    found = part(of_table([[20, 10], [20, 50]], ("STAT", "IReq"))).contingency()
    order = [found.values.index(x) for x in ("STAT", "IReq")]
    assert found.table[np.ix_(order, order)].tolist() == [[20, 10], [20, 50]]
    assert found.observed == pytest.approx(0.7, abs=EXACT)
    assert [sorted(x[2:]) for x in found.mix_ups()] == [[10, 20]]


def test_never_agreed_is_the_empty_target_cell() -> None:
    """Hoek & Scholman (2017), table 4: both coders use a, never on the same item."""
    assert part(of_table([[0, 12], [8, 100]])).contingency().never_agreed == ("a",)
    assert part(of_table([[20, 12], [8, 80]])).contingency().never_agreed == ()


def test_requests_that_make_no_sense() -> None:
    found = part(of_table([[2, 1], [0, 3]], ("yes", "no")))
    with pytest.raises(ac.RequestError, match="no coder 'Ann'"):
        found.contingency("Ann", "coder 1")
    with pytest.raises(ac.RequestError, match="no value 'maybe'"):
        found.contingency().items("maybe", "yes")


def test_rows_are_the_cells_that_are_not_empty() -> None:
    rows = part(of_table([[2, 0], [1, 1]], ("y", "n"))).contingency().to_rows()
    shown = {(r["row"], r["column"]): (r["n"], r["share"]) for r in rows}
    assert shown == {("y", "y"): (2, 0.5), ("n", "y"): (1, 0.25), ("n", "n"): (1, 0.25)}


# ------------------------------------------------------------------ categories


@pytest.mark.parametrize("coders", [2, 4])
@pytest.mark.parametrize("names", [NAMES, SETS])
def test_each_category_against_the_rest(names: Any, coders: int) -> None:
    """The coefficients of a category are those of the data in which all others are one."""
    grid = gappy(1, coders, 4)
    more = {"separator": ","} if names is SETS else {}
    rows = {row["category"]: row for row in part(of_grid(grid, names, **more)).categories.to_rows()}
    for label in "abc":
        two = [label in names[v].split(",") for v in range(5)]
        binary = np.where(grid < 0, -1, np.array(two, int)[grid])
        table = ac.agreement(of_grid(binary, "01"), ["kappa", "alpha", "ac"])
        for key in ("kappa", "alpha", "ac"):
            assert rows[label][key] == pytest.approx(table[key].value, abs=EXACT)
        pairs = [(x, y) for row in binary for x, y in permutations(row[row >= 0], 2)]
        both, given = sum(x and y for x, y in pairs), sum(x for x, _ in pairs)
        assert rows[label]["specific"] == pytest.approx(both / given, abs=EXACT)
