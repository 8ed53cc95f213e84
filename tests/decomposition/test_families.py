"""Families of bipartitions: which, how many, each once, and bounded."""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from accordant.decomposition.families import MOST_FAMILIES, families, named_families
from accordant.decomposition.hierarchy import hierarchy_of
from accordant.decomposition.rules import partition_of
from decomposition.neat import LABELS, neat

NEAT = neat()


def every_set(labels: str) -> list[tuple[str, ...]]:
    return [
        tuple(x for x, held in zip(labels, bits) if held)
        for bits in product((0, 1), repeat=len(labels))
    ]


def by_brute_force(values: list[Any], labels: str) -> set[frozenset[frozenset[int]]]:
    """The families written out as functions of a set, without names and complements."""
    n = len(labels)
    conditions: list[Any] = []
    for size in (1, 2, 3):
        for chosen in combinations(labels, size):
            for signs in product((True, False), repeat=size):
                conditions.append(
                    lambda v, c=chosen, s=signs: all((x in v) == y for x, y in zip(c, s))
                )
    for t in range(n + 1):
        conditions.append(lambda v, t=t: len(v) == t)
        conditions.append(lambda v, t=t: len(v) >= t)
    for a, b in combinations(labels, 2):
        conditions.append(lambda v, a=a, b=b: (a in v) != (b in v))
    found = set()
    for holds in conditions:
        side = frozenset(c for c, v in enumerate(values) if holds(v))
        other = frozenset(range(len(values))) - side
        if side and other:
            found.add(frozenset((side, other)))
    return found


def sides(values: list[Any], labels: str) -> set[frozenset[frozenset[int]]]:
    found = named_families(values, labels)
    return {
        frozenset(
            (
                frozenset(c for c, x in enumerate(row) if x),
                frozenset(c for c, x in enumerate(row) if not x),
            )
        )
        for row in found.sides.tolist()
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_families_are_what_they_say(n: int) -> None:
    values = every_set("abcde"[:n])
    found = named_families(values, "abcde"[:n])
    assert sides(values, "abcde"[:n]) == by_brute_force(values, "abcde"[:n])
    assert len(found) == len(sides(values, "abcde"[:n]))  # none twice
    assert found.limited == ""


def test_sets_that_occur_decide_what_is_the_same() -> None:
    values = [(), ("a",), ("b",), ("a", "c"), ("a", "b", "c")]
    assert sides(values, "abc") == by_brute_force(values, "abc")


def test_29_of_127_for_three_labels() -> None:
    """Decompositions by literals, their conjunctions, cardinality and exactly one of two."""
    found = families(NEAT.values, LABELS)
    assert len(found) == 29
    rules = [partition.rule for partition in found]
    assert rules[:3] == list(LABELS)
    assert {"any label", "exactly one label", "exactly two labels", "only Resolution"} < set(rules)
    assert "exactly one of Resolution, Success" in rules
    assert not any("number of labels" in rule for rule in rules)  # parity takes counting


def test_every_one_is_read_back() -> None:
    for partition in families(NEAT.values, LABELS):
        again = partition_of(partition.rule, NEAT.values, LABELS)
        assert {frozenset(b) for b in again.blocks} == {frozenset(b) for b in partition.blocks}


def test_the_smaller_side_comes_first() -> None:
    for partition in families(NEAT.values, LABELS):
        one, other = map(len, partition.blocks)
        assert one < other or (one == other and partition.blocks[0][0] == NEAT.values[0])


def test_categories() -> None:
    rules = [partition.rule for partition in families("abcde")]
    assert rules[:5] == ["a", "b", "c", "d", "e"]
    assert len(rules) == 5 + comb(5, 2)
    assert [partition.rule for partition in families("abc")] == ["a", "b", "c"]
    assert [partition.rule for partition in families("ab")] == ["a"]
    assert families("a") == []
    assert families([]) == []


def test_groups_of_a_hierarchy_come_first() -> None:
    values = ["x.a", "x.b", "x.c", "y.d", "y.e"]
    found = families(values, (), hierarchy_of(values))
    assert [partition.rule for partition in found][:2] == ["y", "x.a"]
    assert len(found) == 15  # x against y is y against x; no pair beside (y.d, y.e) is lost
    sets = [(), ("x.a",), ("x.b", "y.d"), ("y.d",), ("x.b",)]
    labels = ["x.a", "x.b", "y.d"]
    assert "x" in [p.rule for p in families(sets, labels, hierarchy_of(labels))]
    assert "x" not in [p.rule for p in families(sets, labels)]


def test_too_many_are_bounded_and_it_is_said() -> None:
    labels = [f"l{j}" for j in range(40)]
    values = [(), *((a, b) for a, b in combinations(labels, 2))]
    found = named_families(values, labels)
    assert 0 < len(found) <= MOST_FAMILIES
    assert found.limited == (
        "rules on three of the 40 labels were left out, because there are too many"
    )
    assert found.partition(0).rule == "l0"
    many = [f"c{j}" for j in range(250)]
    assert named_families(many).limited.startswith("pairs of the 250 categories were left out")
    assert len(named_families(many)) == 250


def test_an_order_is_cut_low_from_high() -> None:
    found = named_families("12345", ordered=True)
    cuts = {frozenset(map(frozenset, ([v for v, s in zip("12345", side) if s is x]
            for x in (True, False)))) for side in found.sides.tolist()}  # fmt: skip
    wanted = {frozenset({frozenset("12345"[:k]), frozenset("12345"[k:])}) for k in range(1, 5)}
    assert cuts == wanted


def test_of_too_many_pairs_those_that_are_confused() -> None:
    many = tuple(f"v{k}" for k in range(250))
    found = named_families(many, confused=[(3, 7), (1, 2)])
    assert len(found) == 252
    assert np.flatnonzero(found.sides[250]).tolist() == [3, 7]
    assert found.limited == (
        "of the 31,125 pairs of categories only the 2 that are confused most were looked at"
    )
