"""More than two levels: the derived figures of NEAT, exact sums, every tree tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.decomposition.chains import chain
from accordant.decomposition.closed_forms import CLOSED_FORMS
from accordant.decomposition.cuts import score
from accordant.decomposition.hierarchy import hierarchy_of
from accordant.decomposition.multiway import score_partition
from accordant.decomposition.partition import Partition
from accordant.decomposition.rules import partition_of
from accordant.decomposition.states import States, states
from accordant.decomposition.trees import ADDITIVE, best_tree, tree, tree_of_hierarchy
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.neat import LABELS, neat

NEAT = neat()
CLOSE = 1e-9


def rule(text: str) -> Partition:
    return partition_of(text, NEAT.values, LABELS)


PLOT_HOW_MANY = chain(NEAT, [rule("any label"), rule("number of labels")])


def test_plot_then_how_many_then_which() -> None:
    """Where A1 and A2 disagree: above all on how many elements there are."""
    levels = PLOT_HOW_MANY.levels
    assert [level.rule for level in levels] == ["any label", "number of labels", "which value"]
    assert [level.n_blocks for level in levels] == [2, 4, 8]
    figures = {
        "explained_by_pair": (0.52, 0.42, 0.05),
        "chance_by_pair": (0.64, 0.21, 0.15),
        "coefficient_by_pair": (0.71, 0.28, 0.87),
    }
    for name, wanted in figures.items():
        found = [getattr(level, name)[0] for level in levels]
        assert found == pytest.approx(wanted, abs=0.0051), name


def test_the_first_level_and_what_is_kept_are_those_of_two_levels() -> None:
    two = score(NEAT, rule("any label").of(NEAT.values)[None] == 0)
    first, second, third = PLOT_HOW_MANY.levels
    np.testing.assert_allclose(first.conditional_by_pair, two.first_by_pair[:, 0])
    np.testing.assert_allclose(first.coefficient_by_pair, two.first_by_pair[:, 0])
    assert first.explained == pytest.approx(two.explained[0])
    assert first.chance == pytest.approx(two.chance[0])
    assert first.lift == pytest.approx(two.lift[0])
    assert first.excess == pytest.approx(two.excess[0])
    assert second.n_by_pair.tolist() == two.n_kept[:, 0].tolist()
    how_many = score_partition(NEAT, rule("number of labels").of(NEAT.values))
    assert third.n_by_pair.tolist() == how_many.n_kept[:, 0].tolist()
    assert first.explained + second.explained == pytest.approx(how_many.explained[0])


def test_conditional_levels_by_hand() -> None:
    rows = by_hand.rows_of_sets(3, coders=3, items=80)
    s = states(by_hand.counted(rows))
    levels = chain(
        s, [partition_of(r, s.values, s.labels) for r in ("any label", "number of labels")]
    ).levels
    before: Any = lambda v: bool(v)  # noqa: E731
    for g, two in enumerate(by_hand.pairs_of(rows)):
        kept = [(a, b) for a, b in two if before(a) == before(b)]
        on = by_hand.coefficient([(len(a), len(b)) for a, b in kept], list(range(4)), "kappa")
        assert levels[1].conditional_by_pair[g] == pytest.approx(on)
        assert levels[1].n_by_pair[g] == len(kept)


def sums_up(total: Any, levels: Any) -> None:
    """κ_total = Σ w_d κ_d, and shares that sum to 1, of each pair of coders."""
    known = ~np.isnan(total)
    for name in ("explained_by_pair", "chance_by_pair"):
        np.testing.assert_allclose(sum(getattr(level, name) for level in levels)[known], 1)
    each = [level.chance_by_pair * level.coefficient_by_pair for level in levels]
    np.testing.assert_allclose(np.nansum(each, 0)[known], total[known], atol=CLOSE)


@pytest.mark.parametrize("name", [x for x in CLOSED_FORMS if x != "percent"])
def test_the_levels_make_up_the_whole(name: str) -> None:
    found = chain(NEAT, [rule("any label"), rule("number of labels")], name)
    sums_up(found.total_by_pair, found.levels)
    whole = score_partition(NEAT, range(8), name)
    np.testing.assert_allclose(found.total_by_pair, whole.first_by_pair[:, 0])
    assert found.total == pytest.approx(whole.first[0])


@given(st.lists(st.lists(st.integers(0, 2), min_size=8, max_size=8), min_size=1, max_size=4))
def test_any_chain_makes_up_the_whole(keys: list[list[int]]) -> None:
    partitions = []
    for d in range(1, len(keys) + 1):
        names = ["".join(str(key[c]) for key in keys[:d]) for c in range(8)]
        blocks = {n: tuple(v for v, m in zip(NEAT.values, names) if m == n) for n in names}
        partitions.append(Partition(f"{d}", tuple(blocks.values()), tuple(blocks)))
    found = chain(NEAT, partitions)
    sums_up(found.total_by_pair, found.levels)


def test_percent_has_no_chance_to_share() -> None:
    found = chain(NEAT, [rule("any label")], "percent")
    assert found.levels[0].chance == 1
    assert np.isnan(found.levels[1].coefficient)
    assert np.isnan(found.levels[1].lift)


def test_a_level_has_to_refine_the_one_before() -> None:
    with pytest.raises(RequestError, match="'Complication' puts '000' and '001' together, which"):
        chain(NEAT, [rule("number of labels"), rule("Complication")])
    with pytest.raises(RequestError, match="no level"):
        chain(NEAT, [])


def test_the_finest_level_is_added_once() -> None:
    every = Partition("all", tuple((v,) for v in NEAT.values), tuple(map(str, range(8))))
    assert [level.rule for level in chain(NEAT, [rule("any label"), every]).levels] == [
        "any label", "all",
    ]  # fmt: skip


# ------------------------------------------------------------------ trees


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_splits_make_up_the_whole(name: str) -> None:
    found = tree(NEAT, [0, [[1, 2, 4], [[3, 5], 6, 7]]], name)
    sums_up(found.total_by_pair, found.splits)
    np.testing.assert_allclose(
        found.total_by_pair, score_partition(NEAT, range(8), name).first_by_pair[:, 0]
    )
    assert [(depth, node.name) for depth, node in found.root.walk() if node.split] == [
        (0, "all values"),
        (1, "any label"),
        (2, "exactly one label"),
        (2, "at least two labels"),
        (3, "exactly one of Complication, Resolution"),
    ]


def test_a_split_is_a_cut_of_what_is_left() -> None:
    """The top is a cut of all; a split further down that of the items both of whose values are in it."""
    found = tree(NEAT, [0, [[1, 2, 4], [3, 5, 6, 7]]])
    top, inside = found.splits[:2]
    cut = score(NEAT, rule("any label").of(NEAT.values)[None] == 0)
    np.testing.assert_allclose(top.coefficient_by_pair, cut.first_by_pair[:, 0])
    np.testing.assert_allclose(top.conditional_by_pair, cut.first_by_pair[:, 0])
    part = States(NEAT.values[1:], LABELS, NEAT.members[1:], NEAT.pairs, NEAT.tables[:, 1:, 1:])
    left = score(part, [[len(v) == 1 for v in part.values]])
    np.testing.assert_allclose(inside.conditional_by_pair, left.first_by_pair[:, 0])
    np.testing.assert_allclose(inside.n_by_pair, part.n)


def test_names_are_rules_within_the_node() -> None:
    found = tree(NEAT, [0, [[1, 2, 4], [3, 5, 6, 7]]])
    assert [split.rule for split in found.splits] == [
        "any label",
        "exactly one label",
        "Success | Resolution | Complication",
        "not Complication | not Resolution | not Success | all labels",
    ]


def test_a_tree_of_a_hierarchy() -> None:
    rows = by_hand.rows_of_categories(5, coders=3, n=6, items=90)
    names = {"v0": "x.a.p", "v1": "x.a.q", "v2": "x.b", "v3": "y.c", "v4": "y.d", "v5": "z.e"}
    s = states(by_hand.counted([[names.get(v) for v in row] for row in rows]))
    found = tree_of_hierarchy(s, hierarchy_of(s.values, "."))
    sums_up(found.total_by_pair, found.splits)
    assert {node.name for _, node in found.root.walk()} == {
        "all values", "x", "x.a", "x.a.p", "x.a.q", "x.b", "y", "y.c", "y.d", "z.e",
    }  # fmt: skip
    level = chain(s, [hierarchy_of(s.values, ".").levels[0]]).levels[0]
    np.testing.assert_allclose(found.splits[0].explained_by_pair, level.explained_by_pair)
    np.testing.assert_allclose(found.splits[0].coefficient_by_pair, level.coefficient_by_pair)
    with pytest.raises(RequestError, match="values are sets of labels"):
        tree_of_hierarchy(NEAT, hierarchy_of(LABELS, {x: x[0] for x in LABELS}))


def trees_of(places: tuple[int, ...]) -> list[Any]:
    """All binary trees over some states."""
    if len(places) == 1:
        return [places[0]]
    found = []
    for code in range(2 ** (len(places) - 1) - 1):
        one = (places[0], *(p for i, p in enumerate(places[1:]) if code >> i & 1))
        other = tuple(p for p in places if p not in one)
        found += [[a, b] for a in trees_of(one) for b in trees_of(other)]
    return found


@pytest.mark.parametrize("criterion", ["excess", "explained"])
@pytest.mark.parametrize("discount", [0.3, 0.7])
def test_the_best_tree_of_all(criterion: str, discount: float) -> None:
    s = states(by_hand.counted(by_hand.rows_of_categories(2, coders=3, n=5, items=70)))
    every = trees_of(tuple(range(5)))
    assert len(every) == 105  # (2n - 3)!!

    def worth(found: Any) -> float:
        return sum(
            discount**depth * getattr(node.split, criterion)
            for depth, node in found.root.walk()
            if node.split is not None
        )

    best = best_tree(s, criterion, discount)
    assert worth(best) == pytest.approx(max(worth(tree(s, nested)) for nested in every))


def test_the_best_tree_of_neat_asks_for_parity_first() -> None:
    found = best_tree(NEAT)
    assert found.splits[0].rule == "odd number of labels"
    assert found.splits[0].explained == pytest.approx(0.866, abs=5e-4)
    assert found.splits[0].chance == pytest.approx(0.676, abs=5e-4)
    sums_up(found.total_by_pair, found.splits)


def test_wrong_trees() -> None:
    with pytest.raises(RequestError, match="each of the 8 values once"):
        tree(NEAT, [0, [1, 2]])
    with pytest.raises(RequestError, match="no sum over the splits of a tree"):
        tree(NEAT, list(range(8)), "ac")
    with pytest.raises(RequestError, match="unknown criterion 'first' of a tree"):
        best_tree(NEAT, "first")
    with pytest.raises(RequestError, match="discount=1"):
        best_tree(NEAT, discount=1)
    s = States(tuple(range(13)), (), np.zeros((13, 0), bool), (("a", "b"),), np.ones((1, 13, 13)))
    with pytest.raises(RequestError, match=r"the best tree of 13 values .*at most 12 values"):
        best_tree(s)


def test_without_disagreement_there_is_nothing_to_share() -> None:
    s = States(
        ("a", "b", "c"), (), np.zeros((3, 0), bool), (("x", "y"),), np.diag([5.0, 3, 2])[None]
    )
    found = chain(s, [partition_of("a", s.values)])
    assert np.isnan(found.levels[0].explained)
    assert found.levels[0].coefficient == 1
    assert found.total == 1
    assert best_tree(s).total == 1
