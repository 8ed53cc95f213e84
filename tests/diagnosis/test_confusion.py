"""Contingency tables, and the items behind each cell."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.counts.tables import filled, n_groups, value_table
from accordant.errors import RequestError
from accordant.measure.confusion import (
    coincidences,
    contingencies,
    contingency,
    pooled_confusion,
)
from accordant.measure.label_use import label_use
from diagnosis.made import (
    FLEISS_1971,
    KRIPPENDORFF_2011,
    at_random,
    from_counts,
    from_table,
    of_grid,
)

EXACT = 1e-12  # sums of small integers

RANDOM = [
    at_random(seed, coders=c, values=k) for seed, (c, k) in enumerate([(2, 2), (3, 4), (5, 3)])
]


def test_the_table_that_was_given_comes_back() -> None:
    table = [[20, 10], [20, 50]]  # Artstein & Poesio (2008), table 1
    found = contingency(count(from_table(table, ("STAT", "IReq"))))
    assert found.table.tolist() == table
    assert found.observed == pytest.approx(0.7, abs=EXACT)
    assert found.mix_ups() == [("STAT", "IReq", 10, 20)]


@pytest.mark.parametrize("data", RANDOM)
def test_every_pair_of_coders_counted_by_hand(data) -> None:
    grid, k = data.grid, len(data.values)
    tables = {(t.first, t.second): t.table for t in contingencies(count(data))}
    for a, b in combinations(range(grid.shape[1]), 2):
        expected = np.zeros((k, k))
        for x, y in grid[:, [a, b]]:
            if x >= 0 and y >= 0:
                expected[x, y] += 1
        assert np.array_equal(tables[data.coders[a], data.coders[b]], expected)


@pytest.mark.parametrize("data", RANDOM)
def test_pooled_table_holds_every_pair_in_both_directions(data) -> None:
    expected = np.zeros((len(data.values), len(data.values)))
    for row in data.grid:
        for x, y in permutations(row[row >= 0], 2):
            expected[x, y] += 1
    assert np.array_equal(pooled_confusion(count(data)).table, expected)
    assert np.array_equal(pooled_confusion(count(data).anonymous).table, expected)


def test_coincidences_of_krippendorff_2011() -> None:
    """Computing Krippendorff's alpha-reliability (2011), data C: the matrix of coincidences."""
    third = 1 / 3
    expected = [
        [7, 4 * third, third, third, 0],
        [4 * third, 10, 4 * third, third, 0],
        [third, 4 * third, 8, third, 0],
        [third, third, third, 4, 0],
        [0, 0, 0, 0, 3],
    ]
    assert coincidences(count(KRIPPENDORFF_2011)) == pytest.approx(np.array(expected), abs=EXACT)


@pytest.mark.parametrize("data", RANDOM)
def test_items_behind_the_cells_of_two_coders(data) -> None:
    found = contingency(count(data), *data.coders[:2])
    for k, row in enumerate(data.values):
        for other, column in enumerate(data.values):
            expected = np.flatnonzero((data.grid[:, 0] == k) & (data.grid[:, 1] == other))
            assert found.items(row, column).tolist() == expected.tolist()


@pytest.mark.parametrize("data", RANDOM)
def test_items_behind_the_cells_of_the_pooled_table(data) -> None:
    for counts in (count(data), count(data).anonymous):
        found = pooled_confusion(counts)
        for k, row in enumerate(data.values):
            for other, column in enumerate(data.values):
                n, m = (data.grid == k).sum(1), (data.grid == other).sum(1)
                expected = np.flatnonzero(n >= 2 if k == other else (n > 0) & (m > 0))
                assert found.items(row, column).tolist() == expected.tolist()


def test_items_of_a_million_without_a_loop() -> None:
    """A loop over a million items takes seconds; the whole test takes tenths of one."""
    rng = np.random.default_rng(1)
    grid = rng.integers(-1, 5, size=(1_000_000, 2))
    data = of_grid(grid, "abcde")
    found = contingency(count(data)).items("a", "b")
    assert np.array_equal(found, np.flatnonzero((grid[:, 0] == 0) & (grid[:, 1] == 1)))


def test_sparse_and_dense_tables_are_the_same(monkeypatch) -> None:
    apart = of_grid(np.array([[0, 1, -1, -1], [1, 1, -1, -1], [-1, -1, 0, 0]]), "ab")
    for data in (FLEISS_1971, KRIPPENDORFF_2011, apart):
        counts = count(data)
        dense = _from_tables(counts)
        with monkeypatch.context() as patch:
            patch.setattr("accordant.counts.tables.DENSE_CELLS", 0)
            sparse = _from_tables(counts)
        for a, b in zip(dense, sparse, strict=True):
            assert a == pytest.approx(b, nan_ok=True)


def _from_tables(counts: Counts) -> tuple:
    return (
        filled(value_table(counts)),
        pooled_confusion(counts).table,
        label_use(counts).others,
        n_groups(counts),
    )


def test_never_agreed_is_the_empty_target_cell() -> None:
    """Hoek & Scholman (2017), table 4: both coders use 1, never on the same item."""
    assert contingency(count(from_table([[0, 12], [8, 100]]))).never_agreed == (1,)
    assert contingency(count(from_table([[20, 12], [8, 80]]))).never_agreed == ()
    assert contingency(count(from_table([[0, 0], [0, 5]]))).never_agreed == ()  # nobody used 1


def test_requests_that_make_no_sense() -> None:
    counts = count(from_table([[2, 1], [0, 3]], ("yes", "no")))
    with pytest.raises(RequestError, match="no coder 'Ann'"):
        contingency(counts, "Ann", "coder 1")
    with pytest.raises(RequestError, match="no value 'maybe'"):
        contingency(counts).items("maybe", "yes")
    with pytest.raises(RequestError, match="only counts"):
        contingency(count(from_counts([[2, 1], [3, 0]])))
    many = of_grid(np.arange(5000).reshape(2500, 2), tuple(range(5000)))
    with pytest.raises(RequestError, match="5,000 values cannot be read"):
        pooled_confusion(count(many))


def test_rows_are_the_cells_that_are_not_empty() -> None:
    rows = contingency(count(from_table([[2, 0], [1, 1]], ("y", "n")))).to_rows()
    assert [(r["row"], r["column"], r["n"], r["share"]) for r in rows] == [
        ("y", "y", 2, 0.5),
        ("n", "y", 1, 0.25),
        ("n", "n", 1, 0.25),
    ]
