"""Tables of labels where annotations are sets, and the items behind each cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import NO_VALUE, Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.errors import RequestError
from accordant.inference.margins import indices
from accordant.measure.confusion import (
    NO_FURTHER,
    contingencies,
    contingency,
    pooled_confusion,
    tabular,
)
from diagnosis.made import at_random, of_grid, of_sets, sets_at_random

RANDOM = [
    sets_at_random(seed, coders=c, labels=k, anonymous=a)
    for seed, (c, k, a) in enumerate([(2, 4, False), (3, 5, False), (5, 3, False), (4, 5, True)])
]
SMALL = ["ab", "a", "ab", "b", "", "", "c"], ["a", "a", "bc", "ac", "", "a", None]


def given(data: Annotations) -> list[list[tuple[str, set[Any]]]]:
    """For each item coder and set: the slow and plain version."""
    return [
        [(data.coders[c], set(data.values[v])) for c, v in enumerate(row) if v != NO_VALUE]
        for row in data.grid
    ]


KNOWN = [d for d in RANDOM if not d.anonymous]


def cells(a: set[str], b: set[str]) -> set[tuple[object, object]]:
    """The cells that two sets stand in, by the definition."""
    if not a and not b:
        return {(NO_FURTHER, NO_FURTHER)}
    one, other = (a - b) or {NO_FURTHER}, (b - a) or {NO_FURTHER}
    apart = {(k, j) for k in one for j in other} - {(NO_FURTHER, NO_FURTHER)}
    return {(x, x) for x in a & b} | apart


def expected_table(data: Annotations, pairs: list[tuple[set[str], set[str]]]) -> np.ndarray:
    names = [*data.scheme.categories, NO_FURTHER]
    table = np.zeros((len(names), len(names)))
    for a, b in pairs:
        for k, j in cells(a, b):
            table[names.index(k), names.index(j)] += 1
    return table


def test_by_hand() -> None:
    found = contingency(count(of_sets(SMALL, "abcd")), labels="abcd")
    assert found.values == ("a", "b", "c", "d", ())
    assert found.table.tolist() == [
        [2, 0, 1, 0, 0],  # a | a twice; {a, b} against {b, c}: a for c
        [1, 1, 1, 0, 1],  # {b} against {a, c}: b for a, b for c; {a, b} against {a}: b too much
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 1],  # {} against {a}; {} against {}
    ]
    assert found.n == 6
    assert np.isnan(found.observed)
    assert found.items("b", "c").tolist() == [3]
    assert found.items("b", ()).tolist() == [0]
    assert found.items((), ()).tolist() == [4]
    assert found.mix_ups() == [("a", "b", 0, 1), ("a", "c", 1, 0), ("b", "c", 1, 0)]
    assert found.never_agreed == ()


@pytest.mark.parametrize("data", KNOWN)
def test_two_coders_pair_by_pair(data: Annotations) -> None:
    each, counts = [dict(sets) for sets in given(data)], count(data)
    tables = {(t.first, t.second): t for t in contingencies(counts, labels=data.scheme.categories)}
    for one, other in combinations(data.coders, 2):
        both = [(s[one], s[other]) for s in each if {one, other} <= set(s)]
        found = tables[one, other]
        assert np.array_equal(found.table, expected_table(data, both))
        assert found.n == len(both)


@pytest.mark.parametrize("data", KNOWN[:3])
def test_items_behind_the_cells_of_two_coders(data: Annotations) -> None:
    each = [dict(sets) for sets in given(data)]
    one, other = data.coders[:2]
    found = contingency(count(data), one, other)
    for k in found.values:
        for j in found.values:
            here = [
                i
                for i, s in enumerate(each)
                if {one, other} <= set(s) and (k, j) in cells(s[one], s[other])
            ]
            assert found.items(k, j).tolist() == here


@pytest.mark.parametrize("data", RANDOM)
def test_all_pairs_together(data: Annotations) -> None:
    each = [[s for _, s in sets] for sets in given(data)]
    both = [pair for sets in each for pair in permutations(sets, 2)]
    for counts in (count(data), count(data).anonymous):
        found = pooled_confusion(counts, labels=data.scheme.categories)
        assert np.array_equal(found.table, expected_table(data, both))
        assert np.array_equal(found.table, found.table.T)
        assert found.n == len(both)
        for k in found.values:
            for j in found.values:
                here = [
                    i
                    for i, sets in enumerate(each)
                    if any((k, j) in cells(a, b) for a, b in permutations(sets, 2))
                ]
                assert found.items(k, j).tolist() == here


def test_sparse_and_dense_tables_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = count(RANDOM[3])
    dense = pooled_confusion(counts).table
    monkeypatch.setattr("accordant.counts.tables.DENSE_CELLS", 0)
    monkeypatch.setattr("accordant.measure.confusion.CELLS", 1)  # one pair at a time
    assert np.array_equal(pooled_confusion(counts).table, dense)


@pytest.mark.parametrize("seed", range(3))
def test_sets_of_one_are_the_table_of_single_labels(seed: int) -> None:
    single = at_random(seed, coders=3)
    rows = [[None if v < 0 else single.values[v] for v in column] for column in single.grid.T]
    sets = of_sets(rows, single.values)
    one, other = (
        pooled_confusion(count(single)),
        pooled_confusion(count(sets), labels=single.values),
    )
    assert np.array_equal(other.table[:-1, :-1], one.table)
    assert not other.table[-1].any()
    assert not other.table[:, -1].any()
    assert other.mix_ups() == one.mix_ups()
    assert other.never_agreed == one.never_agreed


def test_never_agreed_is_about_labels_not_sets() -> None:
    """Both gave c, never together; a is shared by sets that are never the same."""
    found = pooled_confusion(count(of_sets((["ab", "c", "ac"], ["a", "b", "ab"]))))
    assert found.never_agreed == ("b", "c")
    assert np.isnan(found.observed)


def test_labels_nobody_gave_stand_in_the_table_too() -> None:
    part = diagnose(of_sets(SMALL, "dcba")).pooled
    assert part.confusion is not None
    assert part.confusion.values == ("d", "c", "b", "a", ())
    assert part.contingency().values == part.confusions[0].values == part.confusion.values


def test_margins_of_label_tables_are_not_read_as_those_of_kappa() -> None:
    part = diagnose(of_sets(SMALL, "abcd")).pooled
    assert part.indices == ()
    found = indices(part.contingency())
    assert np.isnan(found.kappa)
    assert found.prevalence.undefined is not None
    assert found.n_items == 6


def test_thousands_of_sets_are_no_obstacle_but_thousands_of_labels() -> None:
    rng = np.random.default_rng(0)
    data = sets_at_random(1, items=10)
    assert tabular(count(data))
    values = tuple(
        {tuple(sorted(rng.choice(30, size=6, replace=False).tolist())) for _ in range(3000)}
    )
    grid = np.arange(len(values) // 2 * 2).reshape(-1, 2)
    many = of_grid(grid, tuple(range(30)), max_labels=None)
    counts = count(replace(many, values=values))
    assert counts.n_values > 2000
    assert tabular(counts)
    assert pooled_confusion(counts).table.shape == (31, 31)
    wide = of_grid(np.arange(2100)[:, None].repeat(2, 1), tuple(range(2100)), max_labels=None)
    counts = count(replace(wide, values=tuple((k,) for k in range(2100))))
    assert not tabular(counts)
    with pytest.raises(RequestError, match="2,100 values cannot be read"):
        pooled_confusion(counts)
