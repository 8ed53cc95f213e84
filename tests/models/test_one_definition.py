"""A model is one file and its registration: what the library knows of it is said there."""

from __future__ import annotations

import ast
from collections import defaultdict
from importlib.resources import files
from inspect import getfile
from pathlib import Path

import pytest

import accordant as ac
from accordant.models.model_list import MODELS

ROOM = Path(str(files("accordant"))) / "models"
ELSEWHERE = {
    # the default, and the model that is advised where another one fails
    "blend": {"model.py", "fitted_model.py"},
    "pooled": {
        "solutions.py",
        "leave_one_out.py",
        "vote.py",
        "hierarchical.py",
        "variational.py",
        "ordinal.py",
        "verdicts.py",
        "votes.py",
        "label_distributions.py",
        "set_posterior.py",
        "estimate.py",
        "model.py",
    },
    "dawid_skene": {"schools.py", "checks.py", "votes.py"},
    "majority": {"fitted_model.py"},
}
OTHER_THINGS = {"hierarchical", "ordinal"}
"""Names that are also those of a smoothing and of a scale."""


def texts_of(path: Path) -> set[str]:
    """Every text of a module that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    constants = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in told)
    return {n.value for n in constants if isinstance(n.value, str)} - all_of(tree)


def all_of(tree: ast.Module) -> set[str]:
    """What a module says that it offers."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


@pytest.fixture(scope="module")
def places() -> dict[str, set[str]]:
    found = defaultdict(set)
    for path in ROOM.rglob("*.py"):
        for key in texts_of(path) & {*MODELS}:
            found[key].add(path.name)
    return found


@pytest.mark.parametrize("key", [key for key in MODELS if key not in OTHER_THINGS])
def test_a_models_name_stands_where_it_is_defined(key: str, places: dict[str, set[str]]) -> None:
    own = Path(getfile(MODELS[key].fitting)).name
    assert places[key] - {own} == ELSEWHERE.get(key, set()) - {own}


def test_every_model_is_compared_or_says_why_not() -> None:
    ranks = [one.rank for one in MODELS.values() if one.rank]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))
    for one in MODELS.values():
        assert bool(one.rank) is not bool(one.only_named), one.key
        assert bool(one.rank) is bool(one.why), one.key


def test_another_name_is_that_of_one_model() -> None:
    names = [name for one in MODELS.values() for name in (one.key, *one.aliases)]
    assert len(names) == len(set(names))


def test_who_is_told_to_pool_can_pool() -> None:
    """`converged` advises the prior to models that have it: not to one coin, nor to variational."""
    told = [one.key for one in MODELS.values() if one.unpooled]
    assert told == ["dawid_skene", "map"]
    for key in told:
        ac.fit([list("abab"), list("abaa"), list("abba")], key, prior="pooled")
