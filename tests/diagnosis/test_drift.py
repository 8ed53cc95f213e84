"""Agreement in the order of annotation."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.counts.tables import evenly, one_by_one, positions_of
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.apart import beside_the_others
from accordant.diagnosis.drift import Drift, drift
from accordant.diagnosis.order import order_of, places
from accordant.diagnosis.trend import rank_within, trend
from accordant.measure.distances import weights_for
from diagnosis.made import at_random, from_counts, of_grid, of_questions


def of(data: Annotations, order: str | None = None) -> Drift | None:
    counts = count(data)
    return drift(data, counts, weights_for("identity", counts), order)


# ------------------------------------------------------------------ orders


@pytest.mark.parametrize(
    "cells, expected",
    [
        ([3, 1, 2], [2, 0, 1]),
        (["10", "9", "9.5"], [2, 0, 1]),
        (["0.3", "0.25", "-1"], [2, 1, 0]),
        (["2024-01-02", "2023-05-01", "2024-01-02"], [1, 0, 1]),
        (["2024-01-02T10:00:00+02:00", "2024-01-02T09:00:00Z"], [0, 1]),
        (["batch 10", "batch 2", "Batch 2"], [1, 0, 0]),
        ([None, "b", "a", " ", float("nan")], [np.nan, 1, 0, np.nan, np.nan]),
        ([datetime(2024, 5, 1), datetime(2023, 5, 1)], [1, 0]),
        ([], []),
    ],
)
def test_numbers_dates_and_text_are_ordered_as_such(cells: list, expected: list) -> None:
    assert places(cells)[0] == pytest.approx(expected, nan_ok=True)


def test_each_coder_may_have_an_order_of_its_own() -> None:
    rows = [
        {"item": i, "coder": c, "label": "ab"[i % 2], "created_at": f"2024-01-{day:02d}"}
        for i in range(9)
        for c, day in (("ann", i + 1), ("bob", 20 - i))
    ]
    data = read(rows)
    for order in ("created_at", None):  # the only dates of each coder are taken without being told
        found = order_of(data, order, np.arange(9))
        assert (found.name, found.known) == ("created_at", True)
        assert found.at(np.array([0, 0, 8]), np.array([0, 1, 1])).tolist() == [0, 8, 0]


def test_without_a_column_the_order_is_that_of_the_data() -> None:
    found = order_of(at_random(1, items=5), None, np.array([0, 2, 4]))
    assert (found.known, found.place.tolist()) == (False, [0, 2, 4])


def test_few_items_of_many() -> None:
    assert evenly(10, 3).tolist() == [0, 4, 8]
    assert evenly(0).tolist() == []
    counts = count(at_random(3))
    item, entry = one_by_one(counts, np.arange(40))
    assert (counts.row[entry] == counts.pattern_of[item]).all()
    assert np.bincount(item, minlength=40).tolist() == [
        counts.size[p] if p >= 0 else 0 for p in counts.pattern_of
    ]
    assert (
        positions_of(counts, np.arange(counts.n_patterns), 7).tolist()
        == [i for p in range(counts.n_patterns) for i in np.flatnonzero(counts.pattern_of == p)][:7]
    )


# ------------------------------------------------------------------ trends


def test_ranks_within_groups() -> None:
    rng = np.random.default_rng(1)
    place, group = rng.integers(6, size=60).astype(float), rng.integers(4, size=60)
    found = rank_within(place, group)
    for g in range(4):
        own = place[group == g]
        rank = np.array([((own < x).sum() + (own <= x).sum() - 1) / 2 for x in own])
        assert found[group == g] == pytest.approx(rank / (len(own) - 1))


def test_the_variance_is_that_of_all_orders() -> None:
    x, rank = np.array([0.0, 1, 1, 0, 3, 2]), np.linspace(0, 1, 6)
    stratum = np.array([0, 0, 0, 1, 1, 1])
    zero = np.zeros(6, int)
    found = trend(x, rank, zero, stratum, 1)
    sums = [
        rank[:3] @ np.array(p) + rank[3:] @ np.array(q)
        for p in permutations(x[:3])
        for q in permutations(x[3:])
    ]
    assert found.z[0] == pytest.approx((rank @ x - np.mean(sums)) / np.std(sums))


def test_the_slope_is_that_of_least_squares_with_a_level_for_each_stratum() -> None:
    rng = np.random.default_rng(2)
    x, rank, stratum = rng.random(50), rng.random(50), rng.integers(3, size=50)
    design = np.column_stack([rank, np.eye(3)[stratum]])
    expected = np.linalg.lstsq(design, x, rcond=None)[0][0]
    found = trend(x, rank, np.zeros(50, int), stratum, 1)
    assert found.slope[0] == pytest.approx(expected)


def test_nothing_varies() -> None:
    found = trend(np.ones(5), np.linspace(0, 1, 5), np.zeros(5, int), np.zeros(5, int), 2)
    assert found.z.tolist() == found.slope.tolist() == [0, 0]


# ------------------------------------------------------------------ drift


def tired(seed: int = 1, items: int = 300, worst: float = 0.6, coders: int = 4) -> Annotations:
    """The third coder errs more and more often."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(items, 1))
    wrong = np.full((items, coders), 0.05)
    wrong[:, 2] = np.linspace(0.05, worst, items)
    slip = (truth + rng.integers(1, 3, size=(items, coders))) % 3
    return of_grid(np.where(rng.random((items, coders)) < wrong, slip, truth), "abc")


def test_fifths_by_hand() -> None:
    data = tired()
    counts = count(data)
    own, among = beside_the_others(counts, weights_for("identity", counts))
    found = of(data)
    assert found.stretches.n.tolist() == [[60] * 5] * 4
    for c in range(4):
        for s in range(5):
            rows = range(60 * s, 60 * (s + 1))
            entry = [counts.start[counts.pattern_of[i]] + c for i in rows]
            assert found.stretches.own[c, s] == pytest.approx(1 - own[entry].mean())
            assert found.stretches.among[c, s] == pytest.approx(1 - among[entry].mean())
    assert found.to_rows()[2]["first"] == found.stretches.own[2, 0]


def test_the_coder_who_tires_is_seen() -> None:
    found = of(tired())
    assert found.p_value.argmin() == 2
    assert found.p_value[2] < 1e-4
    assert found.change[2] == pytest.approx(0.55, abs=0.2)
    assert found.common_change > 0


def test_the_order_of_a_column_is_followed() -> None:
    data, rng = tired(), np.random.default_rng(4)
    shuffled = rng.permutation(300)
    mixed = replace(
        data,
        items=tuple(range(300)),
        layout=data.grid[shuffled],
        metadata={"time": tuple(shuffled.tolist())},
    )
    assert of(mixed).p_value[2] > 0.001
    found = of(mixed, "time")
    assert found.order.known
    assert found.change == pytest.approx(of(data).change)
    assert found.p_value == pytest.approx(of(data).p_value)


def test_batches_are_parts() -> None:
    data = tired()
    grid = data.grid.copy()
    rng = np.random.default_rng(5)
    grid[:, 2] = grid[:, 0]
    grid[120:180, 2] = rng.integers(3, size=60)
    batch = tuple(f"batch {i // 60 + 1}" for i in range(300))
    found = of(replace(data, layout=grid, metadata={"batch": batch}), "batch")
    assert found.stretches.names == tuple(f"batch {k}" for k in range(1, 6))
    assert found.odd[2][0] == 2
    assert found.odd[2][1] < 1e-4
    assert all(p > 0.01 for c, (_, p) in enumerate(found.odd) if c != 2)


def test_the_use_of_a_value_is_followed() -> None:
    rng = np.random.default_rng(6)
    grid = np.repeat(rng.integers(3, size=(300, 1)), 4, axis=1)
    late = np.arange(300) >= 150
    grid[late & (grid[:, 0] == 0), 1] = 2
    found = of(of_grid(grid, "abc")).use[1]
    assert found.value in ("a", "c")
    assert found.first == 0
    share = (grid[240:, 0] == 0).mean()
    assert abs(found.last) == pytest.approx(share)
    assert found.p_value < 1e-6


def test_blank_places_are_left_out() -> None:
    time = tuple(None if i % 2 else i for i in range(300))
    found = of(replace(tired(), metadata={"time": time}), "time")
    assert found.n_items.tolist() == [150] * 4


def test_sorted_items_are_no_drift() -> None:
    """A coder who misses one category looks tired in items that are sorted by category."""
    truth = np.repeat([0, 1, 2], 100)
    grid = np.repeat(truth[:, None], 4, axis=1)
    rng = np.random.default_rng(7)
    grid[(truth == 2) & (rng.random(300) < 0.5), 3] = 1
    assert of(of_grid(grid, "abc")).p_value[3] > 0.01


def test_trends_by_accident() -> None:
    rng, hits, common = np.random.default_rng(8), 0, 0
    for _ in range(200):
        truth = rng.choice(3, size=(60, 1), p=[0.7, 0.2, 0.1])
        grid = np.where(rng.random((60, 3)) < 0.8, truth, rng.integers(3, size=(60, 3)))
        found = of(of_grid(grid, "abc"))
        hits += found.p_value[0] < 0.05
        common += found.common_p < 0.05
    assert hits <= 20  # 10 expected
    assert common <= 20


def test_what_is_not_looked_at() -> None:
    assert of(from_counts([[2, 1], [3, 0]] * 30)) is None
    assert of(at_random(1, items=20)) is None
    assert of(of_questions({"q1": np.zeros((60, 2), int), "q2": np.zeros((60, 2), int)})) is None
    two = of(tired(coders=4).of_coders(["coder 1", "coder 2"]))
    assert np.isnan(two.p_value).all()
    assert not np.isnan(two.common_p)


def test_of_many_items_some_are_looked_at() -> None:
    grid = np.random.default_rng(1).integers(3, size=(120_000, 3))
    found = of(of_grid(grid, "abc"))
    assert (found.n_used, found.n_all) == (40_000, 120_000)
