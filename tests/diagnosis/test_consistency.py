"""Contradictory answers to identical texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.coders import Consistency, consistency
from diagnosis.made import at_random, from_counts, of_grid, of_questions, of_sets


def of(data: Annotations) -> Consistency | None:
    return consistency(data, count(data))


@given(st.integers(0, 10_000))
def test_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = at_random(seed, items=25, coders=3)
    words = ["one two", "three", " one  two ", "four", ""]
    texts = [words[k] for k in rng.integers(5, size=25)]
    found = of(replace(data, texts=tuple(texts)))
    same = [" ".join(t.split()) for t in texts]
    n, wrong = np.zeros(3), np.zeros(3)
    shown = [set() for _ in range(3)]
    for c in range(3):
        for text in set(same) - {""}:
            rows = [i for i in range(25) if same[i] == text and data.grid[i, c] >= 0]
            if len(rows) > 1:
                n[c] += 1
                if len({data.grid[i, c] for i in rows}) > 1:
                    wrong[c] += 1
                    shown[c] |= set(rows)
    if found is None:
        assert not n.any()
        return
    assert found.n_texts.tolist() == n.tolist()
    assert found.n_contradicted.tolist() == wrong.tolist()
    assert [set(x.tolist()) for x in found.items] == shown
    for c in range(3):
        if 0 < n[c] < n.sum():
            p = stats.fisher_exact(
                [
                    [wrong[c], n[c] - wrong[c]],
                    [wrong.sum() - wrong[c], (n - wrong).sum() - n[c] + wrong[c]],
                ],
                alternative="greater",
            ).pvalue
            assert found.p_value[c] == pytest.approx(p)


def test_the_interval_is_exact() -> None:
    texts = tuple(f"text {i % 20}" for i in range(40))
    grid = np.zeros((40, 2), int)
    grid[:3, 1] = 1
    found = of(replace(of_grid(grid, "ab"), texts=texts))
    exact = stats.binomtest(3, 20).proportion_ci(0.95)
    assert (found.low[1], found.high[1]) == pytest.approx((exact.low, exact.high))
    assert found.share.tolist() == [0, 0.15]
    assert found.n_repeated == 20
    assert [row["coder"] for row in found.to_rows()] == ["coder 1", "coder 2"]
    assert found.items[1].tolist() == [0, 20, 1, 21, 2, 22]


def test_sets_of_labels_are_compared_as_a_whole() -> None:
    data = of_sets((["ab", "ba", "a"], ["a", "ab", "a"]), "ab")
    found = of(replace(data, texts=("x", "x", "y")))
    assert found.n_contradicted.tolist() == [0, 1]


def test_what_cannot_be_compared() -> None:
    assert of(at_random(1)) is None  # no texts
    assert of(replace(at_random(1, items=3), texts=("a", "b", "c"))) is None
    assert of(replace(from_counts([[2, 1], [3, 0]]), texts=("a", "a"))) is None
    alone = of_grid(np.array([[0, -1], [-1, 0]]), "ab")
    assert of(replace(alone, texts=("a", "a"))) is None
    two = of_questions({"q1": np.zeros((2, 2), int), "q2": np.ones((2, 2), int)})
    assert of(replace(two, texts=("a", "a"))) is None
    each = of(replace(two, texts=("a", "a")).of_question("q1"))
    assert each.n_texts.tolist() == [1, 1]
