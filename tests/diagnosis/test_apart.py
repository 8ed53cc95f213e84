"""Coders beside the others by hand; exact tests against other programs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.drift import beside_the_others
from accordant.inference.exact_tests import dealt, exact_interval
from accordant.measure.distances import weights_for
from diagnosis.made import at_random, of_grid

EXACT = 1e-12
RANDOM = [at_random(seed, items=30, coders=4 + seed % 2, missing=0.2) for seed in range(4)]


def with_weights(data: Annotations, name: str = "identity"):
    counts = count(data)
    return counts, weights_for(name, counts)


# ------------------------------------------------------------------ bounds and exact tests


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
    for row, p in zip(data.grid, counts.pattern_of, strict=True):
        for c in np.flatnonzero(row >= 0):
            wanted = pairwise(row, w.matrix, int(c))
            assert found[int(c), int(p)] == pytest.approx(wanted, nan_ok=True)


def test_entries_without_others() -> None:
    counts, w = with_weights(of_grid(np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1]]), "ab"))
    own, among = beside_the_others(counts, w)
    size = counts.size[counts.row]
    assert (np.isnan(own) == (size < 2)).all()
    assert (np.isnan(among) == (size < 3)).all()
