"""What α would be if one thing were resolved, against annotations that are edited by hand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import guessing

Rows = list[list[Any]]  # a row for each coder; of sets frozensets of letters


def labels(seed: int, coders: int = 4, k: int = 4, missing: float = 0.2) -> Rows:
    grid, rng = guessing(seed, 40, k, 0.7, coders), np.random.default_rng(seed)
    gone = rng.random(grid.shape) < missing
    return [
        [None if gone[i, c] else "abcdef"[grid[i, c]] for i in range(40)] for c in range(coders)
    ]


def sets(seed: int, coders: int = 4) -> Rows:
    rng = np.random.default_rng(seed)
    held = rng.random((40, 1, 4)) < 0.4
    own = held ^ (rng.random((40, coders, 4)) < 0.15)
    return [
        [frozenset(["e", *np.array(list("abcd"))[own[i, c]].tolist()]) for i in range(40)]
        for c in range(coders)
    ]


def read(rows: Rows) -> ac.Annotations:
    if isinstance(rows[0][0], frozenset):
        return ac.read([[",".join(sorted(x)) for x in row] for row in rows], separator=",")
    return ac.read(rows, categories=list("abcdef"))


def alpha(rows: Rows) -> float:
    of_sets = isinstance(rows[0][0], frozenset)
    return float(ac.agreement(read(rows), "alpha_masi" if of_sets else "alpha")[0].value)


def by_hand(rows: Rows, kind: str, of: tuple[Any, ...]) -> Rows:
    """The rules of resolving once more, annotation by annotation."""
    often = Counter(x for row in rows for x in row if x is not None)
    columns = [list(column) for column in zip(*rows, strict=True)]

    def best(values: list[Any]) -> Any:
        n = Counter(values)
        return min(n, key=lambda x: (-n[x], -often[x], sorted(x)))

    for column in columns:
        given = [x for x in column if x is not None]
        if kind == "coder":
            own, others = int(of[0].split()[1]) - 1, given.copy()
            if column[own] is None or len(given) < 2:
                continue
            others.remove(column[own])
            if others.count(column[own]) < max(Counter(others).values()):
                column[own] = best(others)
        elif isinstance(given[0] if given else "", frozenset):
            pairs = [of, of[::-1]] if kind == "pair" else []
            if not all(any(a in x and b not in x for x in given) for a, b in pairs):
                continue
            for label in of:
                n = sum(label in x for x in column)
                keep = n and 2 * n >= len(column)
                column[:] = [x | {label} if keep else x - {label} for x in column]
        elif kind == "pair" and set(of) <= set(given):
            winner = best([x for x in given if x in of])
            column[:] = [winner if x in of else x for x in column]
        elif kind == "category" and 0 < given.count(of[0]) < len(given):
            rest = [x for x in given if x != of[0]]
            if 2 * given.count(of[0]) >= len(given):
                column[:] = [None if x is None else of[0] for x in column]
            else:
                column[:] = [best(rest) if x == of[0] else x for x in column]
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("make", [labels, sets])
@pytest.mark.parametrize("seed", range(3))
def test_every_figure_is_that_of_annotations_edited_by_hand(make: Any, seed: int) -> None:
    rows = make(seed, coders=2 + seed)
    found = ac.diagnose(read(rows)).pooled.what_if
    assert {step.kind for step in found} == {"pair", "category"} | ({"coder"} if seed else set())
    for step in found:
        edited = by_hand(rows, step.kind, step.of)
        assert step.before == pytest.approx(alpha(rows), abs=1e-12)
        assert step.after == pytest.approx(alpha(edited), abs=1e-12), step
        changed = [a != b for a, b in zip(zip(*rows), zip(*edited), strict=True)]
        assert step.n_items == sum(changed)


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_takes_one_pair_after_the_other(seed: int) -> None:
    rows = labels(seed)
    found = ac.diagnose(read(rows)).pooled.what_if
    assert found.plan[0] == found.of_kind("pair")[0]
    assert 1 < len(found.plan) <= 3
    for step in found.plan:
        assert step.before == pytest.approx(alpha(rows), abs=1e-12)
        rows = by_hand(rows, "pair", step.of)
        assert step.after == pytest.approx(alpha(rows), abs=1e-12)
        assert step.gain > 0


def test_what_brings_most_comes_first_within_its_kind() -> None:
    found = ac.diagnose(read(labels(1))).pooled.what_if
    for kind in ("pair", "category", "coder"):
        gains = [step.gain for step in found.of_kind(kind)]
        assert gains == sorted(gains, reverse=True)
    row = found.to_rows()[0]
    assert row["gain"] == pytest.approx(row["after"] - row["before"])
    assert row["gain_per_ten_items"] == pytest.approx(10 * row["gain"] / row["n_items"])


def test_a_single_disputed_pair_is_no_plan() -> None:
    found = ac.diagnose([list("abcac"), list("acbac")]).pooled.what_if
    assert [step.of for step in found.of_kind("pair")] == [("b", "c")]
    assert found.plan == ()


def test_what_leaves_no_variation_stands_last() -> None:
    found = ac.diagnose([list("aaaab"), list("aaabb")]).pooled.what_if
    (pair,) = found.of_kind("pair")
    assert not math.isnan(pair.before)
    one = ac.diagnose([list("aaaab"), list("aaaaa")]).pooled.what_if
    assert all(math.isnan(step.after) == (step.undefined is not None) for step in one)


def test_nothing_to_resolve_where_alpha_is_undefined() -> None:
    assert len(ac.diagnose([["a", "a"], ["a", "a"]]).pooled.what_if) == 0
