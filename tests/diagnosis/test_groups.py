"""Disagreement by what is known about items."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.groups import TEXT_LENGTH, Groups, groups
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from diagnosis.made import at_random, of_grid, of_questions


def of(data: Annotations, weights: str = "identity") -> Groups | None:
    counts = count(data)
    return groups(data, counts, weights_for(weights, counts))


def with_genre(data: Annotations, seed: int = 1, names: str = "wxyz", **more) -> Annotations:
    rng = np.random.default_rng(seed)
    genre = tuple(names[k] for k in rng.integers(len(names), size=len(data.items)))
    return replace(data, metadata={"genre": genre, **more})


@pytest.mark.parametrize("weights", ["identity", "linear-by-rank"])
def test_each_group_by_hand(weights: str) -> None:
    data = with_genre(at_random(1, items=120, missing=0.4))
    w = weights_for(weights, count(data)).matrix
    y, size = np.full(120, np.nan), np.zeros(120)
    for i, row in enumerate(data.grid):
        x = row[row >= 0]
        size[i] = len(x)
        if len(x) > 1:
            y[i] = np.mean([1 - w[a, b] for a, b in permutations(x, 2)])
    known = ~np.isnan(y)
    genre = np.array(data.metadata["genre"])
    for g in of(data, weights):
        own = known & (genre == g.value)
        rest = known & (genre != g.value)
        assert g.n_items == own.sum()
        assert g.items.tolist() == np.flatnonzero(own).tolist()
        assert g.agreement == pytest.approx(1 - y[own].mean())
        assert g.elsewhere == pytest.approx(1 - y[rest].mean())
        mass = size * np.nan_to_num(y)
        assert g.share == pytest.approx(mass[own].sum() / mass.sum())
        rate = mass[rest].sum() / size[rest].sum()
        excess = max(0.0, mass[own].sum() - rate * size[own].sum()) / mass.sum()
        assert g.excess == pytest.approx(excess)
        part = count(data.of_items(own))
        alpha = COEFFICIENTS["alpha"].parts(part, weights_for(weights, part)).value
        assert g.alpha == pytest.approx(float(alpha))


def test_an_ambiguous_group_is_seen() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(3, size=(200, 1))
    data = with_genre(of_grid(np.repeat(truth, 3, axis=1), "abc"))
    hard = np.array(data.metadata["genre"]) == "x"
    grid = data.grid.copy()
    grid[hard] = rng.integers(3, size=(hard.sum(), 3))
    found = {g.value: g for g in of(replace(data, layout=grid))}
    assert found["x"].share == found["x"].excess == pytest.approx(1)
    assert all(found[v].excess == 0 for v in "wyz")


def test_which_columns_form_groups() -> None:
    n = 100
    data = replace(
        at_random(2, items=n, missing=0),
        texts=tuple("x" * (i + 1) for i in range(n)),
        metadata={
            "genre": tuple("ab"[i % 2] for i in range(n)),
            "year": tuple(range(n)),
            "few": tuple(i % 3 for i in range(n)),
            "same": ("x",) * n,
            "id": tuple(f"text {i}" for i in range(n)),
            "gaps": tuple(None if i % 2 else "ab"[i // 2 % 2] for i in range(n)),
            "rare": tuple("a" if i < 3 else "b" for i in range(n)),
            "coder 1: time": tuple(range(n)),
            "zeros": tuple(0 if i < 90 else i for i in range(n)),
        },
    )
    found = of(data)
    columns = {}
    for g in found:
        columns.setdefault(g.column, []).append((g.value, g.n_items))
    assert columns == {
        "genre": [("a", 50), ("b", 50)],
        "year": [
            ("0 to below 25", 25),
            ("25 to below 50", 25),
            ("50 to below 75", 25),
            ("75 up to 99", 25),
        ],
        "few": [("0", 34), ("1", 33), ("2", 33)],
        "gaps": [("a", 25), ("b", 25)],
        "zeros": [("0", 90)],
        TEXT_LENGTH: [
            ("1 to below 26", 25),
            ("26 to below 51", 25),
            ("51 to below 76", 25),
            ("76 up to 100", 25),
        ],
    }
    assert found.to_rows()[0]["column"] == "genre"


def test_nothing_is_known() -> None:
    assert of(at_random(1)) is None
    assert of(replace(at_random(1), metadata={"same": ("x",) * 40})) is None
    two = of_questions({"q1": np.zeros((40, 2), int), "q2": np.zeros((40, 2), int)})
    meta = {"genre": tuple("ab" * 20)}
    assert of(replace(two, metadata=meta)) is None
    each = of(replace(two, metadata=meta).of_question("q2"))
    assert [g.n_items for g in each] == [20, 20]
    assert all(g.share == 0 for g in each)


def test_metadata_that_was_read() -> None:
    rows = [
        {"item": i, "coder": c, "label": "ab"[(i * k) % 2], "genre": "pq"[i % 2]}
        for i in range(40)
        for k, c in enumerate(("x", "y"))
    ]
    found = of(read(rows))
    assert [(g.column, g.value) for g in found] == [("genre", "p"), ("genre", "q")]
    assert next(g for g in found if g.value == "q").agreement == 0


def test_combined_groups_do_not_share_items() -> None:
    for a, b in combinations(of(with_genre(at_random(3, items=100, missing=0))), 2):
        assert not set(a.items) & set(b.items)
