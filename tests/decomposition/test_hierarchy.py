"""Groups of categories: given in any form, found in names, wrong in many ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.decomposition.partition import find_hierarchy, hierarchy_of
from accordant.errors import RequestError

SENSES = (
    "Comparison.Contrast",
    "Comparison.Similarity",
    "Contingency.Cause.Reason",
    "Contingency.Cause.Result",
    "Contingency.Condition",
    "Temporal.Synchronous",
)


def test_found_in_names() -> None:
    found = find_hierarchy(SENSES)
    assert found is not None
    assert found.origin == "found in the names of the categories, split at '.'"
    assert found.nodes == {
        "Comparison": SENSES[:2],
        "Contingency": SENSES[2:5],
        "Temporal": SENSES[5:],
        "Contingency.Cause": SENSES[2:4],
    }
    assert found.depth == 2
    assert [str(level) for level in found.levels] == [
        "top of the hierarchy",
        "level 2 of the hierarchy",
    ]
    assert found.levels[0].names == ("Comparison", "Contingency", "Temporal")
    assert found.levels[1].names == (
        *SENSES[:2],
        "Contingency.Cause",
        "Contingency.Condition",
        "Temporal.Synchronous",
    )


def test_a_group_of_one_below_the_first_level_is_no_group() -> None:
    """'Contingency.Neg.-cond' of DiscoGeM has its separator in an abbreviation."""
    found = hierarchy_of([*SENSES, "Contingency.Neg.-cond"])
    assert "Contingency.Neg" not in found.nodes
    assert found.nodes["Contingency"][-1] == "Contingency.Neg.-cond"
    assert found.nodes["Temporal"] == ("Temporal.Synchronous",)


def test_each_level_refines_the_one_before() -> None:
    found = hierarchy_of(SENSES)
    coarse, fine = (level.of(found.categories) for level in found.levels)
    assert {(a, b) for a, b in zip(fine, coarse)} == {(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)}


@pytest.mark.parametrize("separator", ["::", " > ", ">", "/", ":", ".", "-"])
def test_every_separator(separator: str) -> None:
    names = [separator.join(x) for x in ("ab", "ac", "bd")]
    found = find_hierarchy(names)
    assert found is not None
    assert list(found.nodes) == ["a", "b"]
    assert repr(separator) in found.origin


@pytest.mark.parametrize(
    "names",
    [
        ["a.b", "a.c"],  # too few
        ["a.b", "a.c", "d"],  # not all
        ["a.b", "c.d", "e.f"],  # none share their first part
        ["a.b", "a.c", "a.d"],  # all do
        ["1.5", "1.7", "2.0"],  # numbers
        [-1, -2, -3],
        ["a.", "a.b", "c.d"],  # nothing behind the separator
        ["yes", "no", "unsure"],
    ],
)
def test_not_found(names: list[Any]) -> None:
    assert find_hierarchy(names) is None
    with pytest.raises(RequestError, match="no hierarchy is given, and the names"):
        hierarchy_of(names)


NESTED = {"living": {"animal": ["cat", "dog"], "plant": ["oak"]}, "stone": ["flint", "chalk"]}
PARENTS = {
    "cat": "animal",
    "dog": "animal",
    "oak": "plant",
    "flint": "stone",
    "chalk": "stone",
    "animal": "living",
    "plant": "living",
}
THINGS = ("cat", "dog", "oak", "flint", "chalk")


def test_nested_groups_and_parents_say_the_same() -> None:
    nested, parents = hierarchy_of(THINGS, NESTED), hierarchy_of(THINGS, PARENTS)
    assert nested.paths == parents.paths
    assert nested.nodes == {
        "living": THINGS[:3],
        "stone": THINGS[3:],
        "animal": THINGS[:2],
        "plant": ("oak",),
    }
    assert [level.names for level in nested.levels] == [
        ("living", "stone"),
        ("animal", "plant", "flint", "chalk"),
    ]
    assert (nested.origin, parents.origin) == (
        "given as groups of categories",
        "given as the group of each category",
    )
    assert nested.group("cat", 2) == "animal"
    assert nested.group("flint", 2) == "flint"


def test_a_category_may_stand_for_itself_and_unused_ones_do_no_harm() -> None:
    found = hierarchy_of(
        ["cat", "dog", "rock"], {"g": {"rock": None, "pets": ["cat", "dog", "cow"]}}
    )
    assert found.nodes == {"pets": ("cat", "dog")}
    assert hierarchy_of(["cat", "dog", "rock"], {"cat": "p", "dog": "p", "rock": None}).nodes == {
        "p": ("cat", "dog")
    }
    assert hierarchy_of([1, 2, 3], {"low": [1, 2], "high": [3]}).nodes["low"] == (1, 2)
    assert hierarchy_of([1, 2, 3], {"1": "low", 2: "low", "3": "high"}).nodes["low"] == (1, 2)


@pytest.mark.parametrize(
    "categories, spec, message",
    [
        (["a", "b"], {"a": "x"}, "has no place for 'b'; give each category a group, or None"),
        (["cuase", "b"], {"cause": "x", "b": "y"}, r"no place for 'cuase' \(it has 'cause'\)"),
        (["a", "b"], {"a": "x", "x": "a", "b": None}, "has 'a' inside itself"),
        (["a", "b"], {"a": "a", "b": "x"}, "has 'a' inside itself"),
        (["a", "b"], {"x": {"x": ["a"]}, "y": ["b"]}, "has 'x' inside itself"),
        (["a", "b"], {"g": ["a", "b"]}, "puts all 2 categories in 'g', so it divides nothing"),
        (["a", "b"], {"g": ["a"], "h": ["a", "b"]}, "has 'a' twice: in g and in h"),
        (["a", "b", "c"], {"g": {"x": ["a"]}, "h": {"x": ["b", "c"]}}, "has the group 'x' twice"),
        (["a.b", "a.c"], "/", "no category has '/' in its name"),
        (["a.b", "a.c"], "", "the separator of a hierarchy is empty"),
        (["a"], {}, "is a mapping from category to group, or a separator"),
        (["a"], 3, "3 is neither"),
        (["a", "b"], {"a": None, "b": None}, "the hierarchy has no group"),
    ],
)
def test_wrong_hierarchies(categories: list[str], spec: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        hierarchy_of(categories, spec)


def test_senses_of_discourse_relations(real_data: Callable[[str], Path]) -> None:
    """PDTB's own names of relations, as DiscoGeM publishes them."""
    data = read(real_data("crowd/discogem_qa_l2.csv"))
    found = find_hierarchy([c for c in data.scheme.categories if c != ""])
    assert found is not None
    sizes = {node: len(inside) for node, inside in found.nodes.items()}
    assert sizes == {"Comparison": 3, "Contingency": 4, "Expansion": 8, "Temporal": 2}
    assert len(found.levels) == 1
