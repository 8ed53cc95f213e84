"""Patterns are the annotations, counted once: against counting by hand, whatever the way taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import Annotations
from accordant.counts import count as counting
from accordant.counts import counts as counted
from accordant.counts import row_keys
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.data.annotations import NO_VALUE, Columns
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from laws.drawing import Rows, annotations, missing_out, same, tables
from laws.kernels import OF_VALUES, counts_of, every, value

ITEMS, CODERS, VALUES = 300, 4, 3


def codes(
    seed: int = 0,
    *,
    items: int = ITEMS,
    coders: int = CODERS,
    values: int = VALUES,
    missing: float = 0.3,
) -> Any:
    rng = np.random.default_rng(seed)
    return missing_out(rng, rng.integers(values, size=(items, coders)), missing)


def as_columns(data: Annotations) -> Annotations:
    """The same annotations, one row each, in another order."""
    c = data.columns
    order = np.random.default_rng(1).permutation(len(c))
    return replace(
        data,
        layout=Columns(
            *(getattr(c, n)[order] for n in ("item", "question", "coder", "value", "status"))
        ),
    )


def check(counts: Counts, rows: Any) -> None:
    """Every derived sum equals the one counted item by item."""
    rows = np.asarray(rows)
    filled = rows != NO_VALUE
    k, coders = counts.n_values, rows.shape[1]
    table = np.array([[np.count_nonzero(row == v) for v in range(k)] for row in rows])
    size = table.sum(1)
    assert float(counts.n_items) == np.count_nonzero(size)
    assert float(counts.n_pairable) == np.count_nonzero(size >= 2)
    assert float(counts.n_annotations) == size.sum()
    assert counts.pool == same(table[size >= 2].sum(0).astype(float))
    share = (table[size > 0] / size[size > 0, None]).mean(0)
    assert counts.share == same(share)
    assert np.bincount(
        counts.pattern_of[counts.pattern_of >= 0], minlength=counts.n_patterns
    ) == same(counts.times)
    found = np.zeros((counts.n_patterns, k))
    np.add.at(found, (counts.row, counts.value), counts.n)
    known = counts.pattern_of >= 0
    assert np.array_equal(known, size > 0)
    assert np.array_equal(found[counts.pattern_of[known]], table[known])
    if counts.coder is not None:
        by_coder = np.array([[(rows[:, c] == v).sum() for v in range(k)] for c in range(coders)])
        used = filled.any(0)
        assert np.array_equal(counts.by_coder, by_coder[used])
        names = [n for n, u in zip(range(1, coders + 1), used, strict=True) if u]
        assert counts.coders == tuple(f"coder {n}" for n in names)


WAYS: dict[str, dict[str, Any]] = {
    "few patterns": {},
    "sorted keys": {"MOST_KEYS": 1},
    "hashes": {"EXACT": 1, "MOST_KEYS": 1},
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each way in which equal rows are found, forced on small data."""
    with pytest.MonkeyPatch.context() as patch:
        for name, number in WAYS[request.param].items():
            patch.setattr(row_keys, name, number)
            if hasattr(counting, name):
                patch.setattr(counting, name, number)
        yield request.param


SHAPES = [
    {},
    {"missing": 0.0},
    {"missing": 0.8},
    {"coders": 2, "values": 2},
    {"coders": 12, "values": 9, "items": 80},
    {"coders": 30, "values": 40, "items": 60, "missing": 0.7},
    {"coders": 2, "values": 200, "items": 150},
    {"coders": 3, "values": 1, "items": 5},
    {"coders": 40, "values": 3, "items": 50, "missing": 0.95},
]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: " ".join(f"{k}={v}" for k, v in s.items()))
def test_patterns_are_the_annotations(shape: dict[str, Any]) -> None:
    rows = codes(**shape)
    names = range(1, shape.get("values", VALUES) + 1)
    data = annotations(rows, names)
    for layout in (data, as_columns(data)):
        counts = count(layout)
        check(counts, rows)
        check(counts.anonymous, rows)


def test_sparse_columns_are_counted_without_a_grid() -> None:
    """Many coders with a few items each: the way that never makes an items x coders table."""
    rng = np.random.default_rng(0)
    rows = np.full((400, 500), NO_VALUE)
    for row in rows:
        row[rng.choice(500, 3, replace=False)] = rng.integers(4, size=3)
    data = as_columns(annotations(rows, range(4)))
    assert 4 * len(data) + 10_000 < 400 * 500  # no grid is made of so few cells
    check(count(data), rows)
    check(count(data).anonymous, rows)


@pytest.mark.parametrize("hash_", ["all equal", "two values"])
def test_colliding_hashes_do_not_merge_different_rows(
    hash_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 64-bit hash of equal rows is equal; the reverse is checked, never assumed."""
    rows = codes(coders=30, values=40, items=80, missing=0.7)
    rows = np.concatenate([rows, rows[:20]])
    monkeypatch.setattr(
        row_keys,
        "_scramble",
        lambda code: (
            np.full(len(code), 1, np.uint64)
            if hash_ == "all equal"
            else (np.asarray(code) % 2).astype(np.uint64)
        ),
    )
    data = annotations(rows, range(40))
    for layout in (data, as_columns(data)):
        check(count(layout), rows)
        check(count(layout).anonymous, rows)


@every
@given(rows=tables())
def test_grid_and_columns_give_the_same_coefficient(coefficient: Coefficient, rows: Rows) -> None:
    data = annotations(rows)
    grid, columns = count(data), count(as_columns(data))
    w = weights_for("identity", grid)
    for part in ("observed", "expected", "value"):
        assert float(getattr(coefficient.parts(grid, w), part)) == same(
            float(getattr(coefficient.parts(columns, w), part))
        )


@every
@given(rows=tables(), chosen=st.permutations(range(4)))
def test_some_coders_are_the_data_of_some_coders(
    coefficient: Coefficient, rows: Rows, chosen: list[int]
) -> None:
    coders = [c for c in chosen if c < len(rows[0])][: max(2, len(rows[0]) - 1)]
    counts = counts_of(rows).of_coders(np.array(coders))
    w = weights_for("linear", counts)
    by_hand = [[row[c] for c in coders] for row in rows]
    assert float(coefficient.parts(counts, w).value) == same(value(coefficient, by_hand, "linear"))


@every
@given(rows=tables())
def test_merged_categories_are_the_data_with_fewer(coefficient: Coefficient, rows: Rows) -> None:
    counts = counts_of(rows).merged(np.array([0, 1, 1]), (1, 2))
    by_hand = [[min(v, 1) for v in row] for row in rows]
    w = weights_for("identity", counts)
    assert float(coefficient.parts(counts, w).value) == same(
        value(coefficient, by_hand, categories=(1, 2))
    )


@given(rows=tables())
def test_without_names_only_kappa_is_lost(rows: Rows) -> None:
    counts = counts_of(rows)
    w = weights_for("quadratic", counts)
    for c in OF_VALUES.values():
        named, bare = (float(c.parts(k, w).value) for k in (counts, counts.anonymous))
        if c.needs_coders:
            assert np.isnan(bare)
        else:
            assert bare == same(named)


@pytest.mark.parametrize("cells", [20_000_000, 1])
def test_resamples_are_summed_the_same_dense_and_sparse(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted, "DENSE_CELLS", cells)
    rows = codes(2)
    counts = counts_of(rows)
    times = np.random.default_rng(0).integers(0, 3, size=(4, counts.n_patterns))
    many = counts.drawn(times)
    for j, t in enumerate(times):
        repeated = np.repeat(np.arange(len(rows)), t[counts.pattern_of])
        one = counts.drawn(t)
        assert many.pool[j] == same(one.pool)
        assert many.share[j] == same(one.share)
        assert many.by_coder[j] == same(one.by_coder)
        assert len(repeated) >= one.n_items > 0
