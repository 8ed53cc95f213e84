"""States and their tables: against plain Python, of few coders and of crowds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from accordant import agreement, read
from accordant.counts.count import count
from accordant.decomposition import tables as module
from accordant.decomposition.tables import States, cells_of
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.by_hand import states


def wanted_tables(rows: list[Any], found: States) -> Any:
    """(G, C, C) by counting rows."""
    place = {frozenset(v) if isinstance(v, tuple) else v: k for k, v in enumerate(found.values)}
    tables = np.zeros((len(by_hand.pairs_of(rows)), found.n_states, found.n_states))
    for table, pair in zip(tables, by_hand.pairs_of(rows)):
        for two, n in Counter(pair).items():
            a, b = (frozenset(x) if isinstance(x, tuple) else x for x in two)
            table[place[a], place[b]] += n
    return tables


@pytest.mark.parametrize("seed", range(6))
def test_tables_of_pairs(seed: int) -> None:
    for rows in (by_hand.rows_of_sets(seed, coders=4), by_hand.rows_of_categories(seed, coders=4)):
        found = states(by_hand.counted(rows))
        np.testing.assert_array_equal(found.tables, wanted_tables(rows, found))
        assert len(found.pairs) == 6
        assert not found.is_pooled


@pytest.mark.parametrize("seed", range(6))
def test_pooled(seed: int) -> None:
    """Half of all ordered pairs of annotations of an item, an item with m of them of 1 / (m − 1)."""
    for rows in (by_hand.rows_of_sets(seed, coders=4), by_hand.rows_of_categories(seed, coders=4)):
        counts = by_hand.counted(rows)
        found, by_pair = states(counts.anonymous), states(counts)
        place = {v: k for k, v in enumerate(by_pair.values)}
        total = np.zeros((by_pair.n_states, by_pair.n_states))
        for row in rows:
            given = [place[x] for x in row if x is not None]
            for a, b in combinations(given, 2):
                total[a, b] += 1 / (len(given) - 1)
        assert found.pairs == (("", ""),)
        assert found.is_pooled
        assert found.values == by_pair.values
        np.testing.assert_allclose(found.tables[0], (total + total.T) / 2)


@pytest.mark.parametrize("seed", range(4))
def test_pooled_tables_are_coincidences(seed: int) -> None:
    """What they give is Krippendorff's alpha, whatever the number of annotations of each item."""
    rng = np.random.default_rng(seed)
    rows = [
        [str(x) if rng.random() < 0.6 else None for x in rng.choice(3, 5, p=[0.6, 0.3, 0.1])]
        for _ in range(80)
    ]
    data = read([list(coder) for coder in zip(*rows)])
    counts = count(data).anonymous
    found = states(counts)
    table, n = found.tables[0], found.n[0]
    differ, share = 1 - np.trace(table) / n, table.sum(0) / n
    own = 1 - differ / ((1 - share @ share) * 2 * n / (2 * n - 1))
    assert 2 * n == pytest.approx(counts.pairable.n_annotations)
    assert own == pytest.approx(agreement(data, coefficients=["alpha"])["alpha"].value)
    cells = cells_of(counts)
    np.testing.assert_allclose(cells.drawn(counts.pairable.times).tables, found.tables)


def test_many_coders_are_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = by_hand.counted(by_hand.rows_of_categories(1, coders=4))
    monkeypatch.setattr(module, "MOST_PAIRS", 5)
    assert states(counts).is_pooled


def test_large_tables_are_pooled_and_too_large_ones_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = by_hand.counted(by_hand.rows_of_categories(1, n=5, coders=4))
    monkeypatch.setattr(module, "DENSE_CELLS", 6 * 25 - 1)
    assert states(counts).is_pooled
    monkeypatch.setattr(module, "DENSE_CELLS", 24)
    with pytest.raises(RequestError, match=r"5 different values are too many .* \(at most 4\)"):
        states(counts)


def test_values_without_a_pair_are_left_out() -> None:
    """z has a single annotation, and c3 shares no item with anybody."""
    data = read([["a", "b", "z", None], ["b", "b", None, None], [None, None, None, "y"]])
    found = states(count(data))
    assert found.values == ("a", "b")
    assert found.pairs == ((data.coders[0], data.coders[1]),)
    assert found.tables.tolist() == [[[0, 1], [0, 1]]]


def test_no_pairs() -> None:
    for rows in ([["a", None], [None, "b"]], [[("a",), None], [None, ("a", "b")]]):
        found = states(by_hand.counted(rows))
        assert found.tables.shape == (0, 0, 0)
        assert (found.values, found.pairs, found.n_states) == ((), (), 0)
        assert states(by_hand.counted(rows).anonymous).tables.shape == (0, 0, 0)


def test_sets_stand_in_the_order_of_their_bits() -> None:
    rows = [
        [tuple("abc"[j] for j in range(3) if k >> (2 - j) & 1)] * 2
        for k in (5, 0, 7, 3, 1, 6, 2, 4)
    ]
    found = states(by_hand.counted(rows), ("a", "b", "c"))
    assert [found.name(v) for v in found.values] == [f"{k:03b}" for k in range(8)]
    assert found.members.astype(int).tolist() == [[int(x) for x in f"{k:03b}"] for k in range(8)]
    turned = states(by_hand.counted(rows), ("c", "x", "a", "c"))
    assert turned.labels == ("c", "a", "b")


def test_the_order_of_labels_in_a_set_does_not_matter() -> None:
    data = read([[("a", "b"), ("b",), ("b", "a")], [("b", "a"), ("b",), ("b",)]], layout="ranked")
    found = states(count(data))
    assert found.n_states == 2
    assert found.tables.sum() == 3
    assert found.tables[0].trace() == 2


def test_categories_stand_in_the_order_of_the_scheme() -> None:
    data = read([["c", "a", "b"], ["a", "a", "b"]], categories=["c", "b", "unused", "a"])
    assert states(count(data)).values == ("c", "b", "a")


def test_a_crowd() -> None:
    """More patterns and values than a dense table of patterns by values should hold."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(400):
        row: list[Any] = [None] * 40
        for coder in rng.choice(40, 3, replace=False):
            row[coder] = f"v{rng.integers(60)}"
        rows.append(row)
    found = states(by_hand.counted(rows))
    assert found.is_pooled
    assert found.n.tolist() == pytest.approx([600])  # three annotations of 400 items, halved
    place = {v: k for k, v in enumerate(found.values)}
    wanted = np.zeros((found.n_states, found.n_states))
    for row in rows:
        for a, b in combinations([place[x] for x in row if x is not None], 2):
            wanted[a, b] += 0.25
            wanted[b, a] += 0.25
    np.testing.assert_allclose(found.tables[0], wanted)
