"""Disputes by pairs of categories and coders, against the same counted item by item."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from accordant.diagnosis.crossings import crossings, met
from accordant.diagnosis.disputes import at_least
from accordant.diagnosis.patterns.confusions import distinguishability, kappa_within
from accordant.diagnosis.patterns.one_way import one_way
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.diagnosis.view import View
from accordant.measure.confusion import pooled_confusion
from diagnosis.made import at_random, from_table


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 5))
@settings(max_examples=60)
def test_votes_by_hand(seed: int, coders: int, k: int) -> None:
    """An item's vote is divided among its pairs of annotations that differ."""
    data = View(None, at_random(seed, items=25, coders=coders, values=k))
    if data.disputes is None:
        return
    wanted = np.zeros((k, k))
    for row in data.data.grid:
        given = [v for v in row if v >= 0]
        pairs = [(a, b) for i, a in enumerate(given) for b in given[:i] if a != b]
        for a, b in pairs:
            wanted[a, b] += 1 / len(pairs)
            wanted[b, a] += 1 / len(pairs)
    at = [data.data.values.index(v) for v in data.disputes.values]
    assert np.allclose(data.disputes.votes, wanted[np.ix_(at, at)])
    nulls = data.disputes.nulls(data.disputes.every)
    assert np.allclose(np.triu(nulls, 1).sum((1, 2)), 1)


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 4))
@settings(max_examples=60)
def test_crossings_by_hand(seed: int, coders: int, k: int) -> None:
    data = View(None, at_random(seed, items=30, coders=coders, values=k))
    found = crossings(data.counts, met(data.counts))
    names = data.data.values
    for i in range(len(found.coder)):
        c = data.data.coders.index(data.counts.coders[found.coder[i]])
        a = names.index(data.counts.values[found.a[i]])
        b = names.index(data.counts.values[found.b[i]])
        n = back = hits = of = 0
        chances = []
        for row in data.data.grid:
            others = [v for j, v in enumerate(row) if j != c]
            own_a, own_b = (row == a).sum(), (row == b).sum()
            if row[c] not in (a, b) or not own_a or not own_b:
                continue
            n += (row[c] == a) * others.count(b)
            back += (row[c] == b) * others.count(a)
            hits, of = hits + (row[c] == a), of + 1
            chances.append(own_a / (own_a + own_b))
        assert (found.n[i], found.back[i], found.hits[i], found.of[i]) == (n, back, hits, of)
        assert found.expected[i] == pytest.approx(sum(chances))
        exact = np.array([1.0])  # distribution of a sum of unequal chances
        for p in chances:
            exact = np.convolve(exact, [1 - p, p])
        tail = exact[hits:].sum()
        if hits >= sum(chances) + 1:  # where Hoeffding (1956) bounds it
            assert found.p_value[i] >= min(1, 2 * tail) - 1e-12
        if coders == 2:
            assert found.p_value[i] == pytest.approx(min(1, 2 * tail))


def test_crossings_are_too_many_to_go_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accordant.diagnosis.crossings.MOST_MEETINGS", 3)
    data = View(None, at_random(1))
    assert data.met is None
    assert not list(one_way(data))


def test_the_tail_is_exact_and_rounds_against_a_finding() -> None:
    assert float(at_least(3, 5, 0.2)) == pytest.approx(
        sum(comb(5, i) * 0.2**i * 0.8 ** (5 - i) for i in range(3, 6))
    )
    assert float(at_least(2.9, 5, 0.2)) == float(at_least(2, 5, 0.2))
    assert float(at_least(0.5, 5, 0.2)) == 1.0


def test_disagreements_on_a_scale_weigh_by_their_distance() -> None:
    """Two pairs with as many disagreements, one step and three steps apart."""
    table = np.diag([40, 40, 40, 40]) + 12 * np.outer([1, 0, 0, 0], [0, 1, 0, 0])
    far = np.diag([40, 40, 40, 40]) + 12 * np.outer([1, 0, 0, 0], [0, 0, 0, 1])
    both = View(None, from_table(table + far, (1, 2, 3, 4), scale="interval")).disputes
    excess = np.zeros((4, 4))
    excess[0, 1] = excess[1, 0] = 12
    assert both.at_stake(excess) == pytest.approx(1 / (1 + 9))
    excess = np.zeros((4, 4))
    excess[0, 3] = excess[3, 0] = 12
    assert both.at_stake(excess) == pytest.approx(9 / (1 + 9))


def test_distinguishability() -> None:
    """Darroch & McCloud (1986): 0 for two coders who guess, 1 if one is never taken for the other."""
    assert distinguishability(np.outer([3.0, 7.0], [4.0, 6.0])) == pytest.approx(0)
    assert distinguishability(np.array([[9.0, 0], [5, 9]])) == 1
    assert np.isnan(distinguishability(np.array([[0.0, 4], [4, 9]])))
    assert kappa_within(np.array([[20.0, 5], [10, 15]])) == pytest.approx(0.4)  # Cohen's by hand
    assert np.isnan(kappa_within(np.zeros((2, 2))))


def test_pooled_confusion_is_the_table_of_the_disputes() -> None:
    data = View(None, at_random(3))
    every = pooled_confusion(data.counts)
    at = [every.values.index(v) for v in data.disputes.values]
    assert np.array_equal(data.disputes.table, every.table[np.ix_(at, at)])
