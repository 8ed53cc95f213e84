"""Contingency tables of one coder against all others, and shares of rows."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.errors import RequestError
from accordant.measure.confusion import NO_FURTHER, against_rest, contingency, pooled_confusion
from diagnosis.made import at_random, from_counts, sets_at_random

SINGLE = [
    at_random(seed, coders=c, values=k) for seed, (c, k) in enumerate([(2, 2), (3, 4), (6, 3)])
]
SETS = [sets_at_random(seed, coders=c) for seed, c in enumerate([2, 3, 5])]


@pytest.mark.parametrize("data", SINGLE)
def test_every_pair_counted_by_hand(data) -> None:
    k = len(data.values)
    for c, coder in enumerate(data.coders):
        expected, items = np.zeros((k, k)), {}
        for i, row in enumerate(data.grid):
            for other, v in enumerate(row):
                if other != c and v >= 0 and row[c] >= 0:
                    expected[row[c], v] += 1
                    items.setdefault((row[c], v), []).append(i)
        found = against_rest(count(data), coder)
        assert np.array_equal(found.table, expected)
        assert found.n == expected.sum()
        assert (found.first, found.second) == (coder, None)
        for a, row in enumerate(data.values):
            for b, column in enumerate(data.values):
                assert found.items(row, column).tolist() == sorted(set(items.get((a, b), [])))


@pytest.mark.parametrize("data", SETS)
def test_every_cell_of_sets_by_hand(data) -> None:
    labels = data.scheme.categories
    for c, coder in enumerate(data.coders):
        found = against_rest(count(data), coder, labels=labels)
        assert found.values == (*labels, NO_FURTHER)
        expected, items, n = np.zeros_like(found.table), {}, 0
        for i, row in enumerate(data.grid):
            for other, v in enumerate(row):
                if other == c or v < 0 or row[c] < 0:
                    continue
                n += 1
                for a, b in _cells(data.values[row[c]], data.values[v], labels):
                    expected[a, b] += 1
                    items.setdefault((a, b), set()).add(i)
        assert np.array_equal(found.table, expected)
        assert found.n == n
        for a, row in enumerate(found.values):
            for b, column in enumerate(found.values):
                assert found.items(row, column).tolist() == sorted(items.get((a, b), []))


def _cells(one, other, labels):
    last = len(labels)
    if set(one) == set(other):
        return [(labels.index(x),) * 2 for x in one] or [(last, last)]
    alone = [labels.index(x) for x in one if x not in other] or [last]
    others = [labels.index(x) for x in other if x not in one] or [last]
    both = [(labels.index(x),) * 2 for x in one if x in other]
    return both + [(a, b) for a in alone for b in others]


@pytest.mark.parametrize("data", SINGLE + SETS)
def test_all_coders_together_are_the_pooled_table(data) -> None:
    counts, labels = count(data), data.scheme.categories
    each = sum(against_rest(counts, c, labels=labels).table for c in data.coders)
    assert np.array_equal(each, pooled_confusion(counts, labels=labels).table)


@pytest.mark.parametrize("data", [SINGLE[0], SETS[0]])
def test_of_two_coders_it_is_their_table(data) -> None:
    counts = count(data)
    assert np.array_equal(against_rest(counts, "coder 1").table, contingency(counts).table)


def test_rows_sum_to_one() -> None:
    found = against_rest(count(SINGLE[1]), "coder 2")
    assert found.row_share.sum(1) == pytest.approx(np.ones(4))
    empty = against_rest(
        count(at_random(1, values=2)).merged(np.zeros(2, int), ("a", "b")), "coder 1"
    )
    assert np.isnan(empty.row_share[1]).all()
    assert found.to_rows()[0]["row_share"] == found.row_share[0, 0]


def test_requests_that_make_no_sense() -> None:
    with pytest.raises(RequestError, match="no coder 'Ann'"):
        against_rest(count(SINGLE[0]), "Ann")
    with pytest.raises(RequestError, match="do not say which coder"):
        against_rest(count(from_counts([[2, 1], [3, 0]])), "coder 1")
