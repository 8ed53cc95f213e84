"""Agreement in the order of annotation."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.counts.tables import evenly, one_by_one, positions_of
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.drift import Drift, beside_the_others, drift, order_of, places
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
    assert found.n.tolist() == [[60] * 5] * 4
    for c in range(4):
        for s in range(5):
            rows = range(60 * s, 60 * (s + 1))
            entry = [counts.start[counts.pattern_of[i]] + c for i in rows]
            assert found.own[c, s] == pytest.approx(1 - own[entry].mean())
            assert found.among[c, s] == pytest.approx(1 - among[entry].mean())
    assert found.to_rows()[2]["first"] == found.own[2, 0]


def test_the_change_is_that_of_the_last_part() -> None:
    found = of(tired())
    assert found.change.argmax() == 2
    assert found.change[2] == pytest.approx(0.55, abs=0.2)
    behind = found.among - found.own
    assert found.change == pytest.approx(behind[:, 4] - behind[:, 0])


def test_the_order_of_a_column_is_followed() -> None:
    data, rng = tired(), np.random.default_rng(4)
    shuffled = rng.permutation(300)
    mixed = replace(
        data,
        items=tuple(range(300)),
        layout=data.grid[shuffled],
        metadata={"time": tuple(shuffled.tolist())},
    )
    found = of(mixed, "time")
    assert found.order.known
    assert found.own == pytest.approx(of(data).own)
    assert found.change == pytest.approx(of(data).change)
    assert of(mixed).own != pytest.approx(of(data).own)


def test_batches_are_parts() -> None:
    batch = tuple(f"batch {1 + (i >= 60) + (i >= 240)}" for i in range(300))
    found = of(replace(tired(), metadata={"batch": batch}), "batch")
    assert found.parts == ("batch 1", "batch 2", "batch 3")
    assert found.n.tolist() == [[60, 180, 60]] * 4


def test_equal_places_are_in_the_same_fifth() -> None:
    time = tuple(min(i, 150) for i in range(300))
    assert of(replace(tired(), metadata={"time": time}), "time").n[0].tolist() == [
        60,
        60,
        30,
        150,
        0,
    ]


def test_blank_places_are_left_out() -> None:
    time = tuple(None if i % 2 else i for i in range(300))
    found = of(replace(tired(), metadata={"time": time}), "time")
    assert found.n_items.tolist() == [150] * 4


def test_what_is_not_looked_at() -> None:
    assert of(from_counts([[2, 1], [3, 0]] * 30)) is None
    assert of(at_random(1, items=20)) is None
    assert of(of_questions({"q1": np.zeros((60, 2), int), "q2": np.zeros((60, 2), int)})) is None
    assert of(tired().of_coders(["coder 1", "coder 2"])) is None
    few = of(tired(items=40).of_items(np.arange(40) < 29))
    assert few is None
    some = tired(items=100)
    some.grid[20:, 2] = -1
    assert np.isnan(of(some).change).tolist() == [False, False, True, False]


def test_of_many_items_some_are_looked_at() -> None:
    grid = np.random.default_rng(1).integers(3, size=(120_000, 3))
    assert of(of_grid(grid, "abc")).n_items.tolist() == [40_000] * 3
