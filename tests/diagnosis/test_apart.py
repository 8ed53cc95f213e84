"""Coders beside the others: numbers by hand, bounds against exact distributions."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.apart import (
    all_disagreement,
    beside_the_others,
    others_say,
)
from accordant.diagnosis.exact_tests import dealt, exact_interval, tail_bound
from accordant.measure.distances import weights_for
from diagnosis.made import at_random, of_grid

EXACT = 1e-12
RANDOM = [at_random(seed, items=30, coders=4 + seed % 2, missing=0.2) for seed in range(4)]


def with_weights(data: Annotations, name: str = "identity"):
    counts = count(data)
    return counts, weights_for(name, counts)


# ------------------------------------------------------------------ bounds and exact tests


@given(st.integers(1, 60), st.floats(0.02, 0.9), st.floats(0, 1))
def test_the_bound_is_never_below_the_binomial_tail(n: int, p: float, at: float) -> None:
    k = round(at * n)
    x, share, kind = np.array([0.0, 1.0]), np.array([1 - p, p]), np.zeros(2, int)
    bound = tail_bound(x, share, kind, np.array([float(n)]), float(k))
    exact = stats.binom.sf(k - 1, n, p)
    assert bound >= exact * (1 - 1e-9)
    if k > n * p:  # Chernoff's bound loses no more than a factor of order sqrt(n)
        assert bound <= exact * 4 * np.sqrt(n + 1)


@given(st.data())
def test_the_bound_holds_for_draws_of_several_kinds(data: st.DataObject) -> None:
    """All outcomes counted, of up to three kinds with up to three values each."""
    kinds = data.draw(
        st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=3), min_size=1, max_size=3)
    )
    times = [data.draw(st.integers(1, 2)) for _ in kinds]
    each = [kind for kind, n in zip(kinds, times, strict=True) for _ in range(n)]
    sums = [sum(draw) for draw in product(*each)]
    x = np.array([v for kind in kinds for v in kind], float)
    share = np.array([1 / len(kind) for kind in kinds for _ in kind])
    number = np.array([i for i, kind in enumerate(kinds) for _ in kind])
    for total in set(sums):
        exact = np.mean([s >= total for s in sums])
        assert tail_bound(x, share, number, np.array(times, float), total) >= exact - 1e-9


def test_the_bound_of_nothing() -> None:
    zero = np.zeros(1)
    assert tail_bound(zero, np.ones(1), np.zeros(1, int), np.array([5.0]), 0.0) == 1
    assert tail_bound(zero, np.ones(1), np.zeros(1, int), np.array([5.0]), 1.0) == 0


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 30), st.integers(0, 30))
def test_dealt_is_the_hypergeometric_tail(n: int, marked: int, more: int, k: int) -> None:
    total = max(n, marked) + more
    k = min(k, n, marked)
    assert dealt(k, n, marked, total) == pytest.approx(stats.hypergeom.sf(k - 1, total, marked, n))


def test_exact_interval_is_that_of_scipy() -> None:
    k = np.array([0, 3, 7, 10])
    low, high = exact_interval(k, np.full(4, 10), 0.95)
    each = [stats.binomtest(int(x), 10).proportion_ci(0.95) for x in k]
    assert low == pytest.approx([x.low for x in each])
    assert high == pytest.approx([x.high for x in each])
    assert np.isnan(exact_interval(0, 0, 0.95)).all()


# ------------------------------------------------------------------ coders beside the others


def pairwise(row: np.ndarray, w: np.ndarray, c: int) -> tuple[float, float]:
    """Mean disagreement of coder c with the others of an item, and of these others."""
    rest = [x for i, x in enumerate(row) if i != c and x >= 0]
    own = [1 - w[row[c], x] for x in rest]
    among = [1 - w[x, y] for x, y in permutations(rest, 2)]
    return float(np.mean(own)) if own else np.nan, float(np.mean(among)) if among else np.nan


@pytest.mark.parametrize("weights", ["identity", "linear-by-rank"])
@pytest.mark.parametrize("data", RANDOM)
def test_each_annotation_by_hand(data: Annotations, weights: str) -> None:
    counts, w = with_weights(data, weights)
    own, among = beside_the_others(counts, w)
    found = {
        (int(c), int(p)): x for c, p, *x in zip(counts.coder, counts.row, own, among, strict=True)
    }
    whole = 0.0
    for row, p in zip(data.grid, counts.pattern_of, strict=True):
        x = row[row >= 0]
        if len(x) > 1:
            whole += len(x) * np.mean([1 - w.matrix[a, b] for a, b in permutations(x, 2)])
        for c in np.flatnonzero(row >= 0):
            wanted = pairwise(row, w.matrix, int(c))
            assert found[int(c), int(p)] == pytest.approx(wanted, nan_ok=True)
    assert all_disagreement(counts, w) == pytest.approx(whole)


@pytest.mark.parametrize("data", RANDOM)
def test_what_the_others_say(data: Annotations) -> None:
    counts, _ = with_weights(data)
    found = others_say(counts)
    for e in range(len(counts.value)):
        p = counts.row[e]
        rest = [v for i, v in enumerate(counts.value) if counts.row[i] == p and i != e]
        if rest:
            n = np.bincount(rest)
            assert n[found[e]] == n.max()
        else:
            assert found[e] == counts.value[e]


def test_entries_without_others() -> None:
    counts, w = with_weights(of_grid(np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1]]), "ab"))
    own, among = beside_the_others(counts, w)
    size = counts.size[counts.row]
    assert (np.isnan(own) == (size < 2)).all()
    assert (np.isnan(among) == (size < 3)).all()
