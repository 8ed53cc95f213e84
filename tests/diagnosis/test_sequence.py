"""Labels that are carried over from one item to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.sequence import FAR, Sequence, sequence
from diagnosis.made import at_random, from_counts, of_grid, of_sets


def of(data: Annotations, order: str | None = None) -> Sequence | None:
    return sequence(data, count(data), order)


def numbered(grid: np.ndarray) -> Annotations:
    return replace(of_grid(grid, "abc"), items=tuple(range(1, len(grid) + 1)))


def coders(seed: int, items: int = 300, carried: float = 0.0, right: float = 0.9) -> np.ndarray:
    """The second of four coders keeps its last label in a share of the cases."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(items, 1))
    grid = np.where(rng.random((items, 4)) < right, truth, rng.integers(3, size=(items, 4)))
    for i in range(1, items):
        if rng.random() < carried:
            grid[i, 1] = grid[i - 1, 1]
    return grid


def test_the_effect_by_hand() -> None:
    data = numbered(coders(1, items=80, carried=0.2))
    grid, found = data.grid, of(data)
    others = np.stack([[(np.delete(r, 1) == k).mean() for k in range(3)] for r in grid])
    own = np.eye(3)[grid[:, 1]]
    said = [np.bincount(np.delete(r, 1), minlength=3) for r in grid]
    kind = np.array([n.argmax() for n in said])
    more = own - others
    for k in set(kind.tolist()):
        more[kind == k] -= more[kind == k].mean(0)
    start = max(FAR)
    x = [
        more[t, grid[t - 1, 1]] - np.mean([more[t, grid[t - lag, 1]] for lag in FAR])
        for t in range(start, 80)
    ]
    assert found.n_steps[1] == 80 - start
    assert found.effect[1] == pytest.approx(np.mean(x))
    steps = range(start, 80)
    assert found.repeats[1] == np.mean([grid[t, 1] == grid[t - 1, 1] for t in steps])
    assert found.others[1] == pytest.approx(np.mean([others[t, grid[t - 1, 1]] for t in steps]))


def test_labels_that_are_carried_over() -> None:
    right = sum(
        found.p_value.argmin() == 1 and found.p_value[1] < 0.0025 and found.effect[1] > 0
        for seed in range(20)
        for found in [of(numbered(coders(seed, carried=0.25)))]
    )
    assert right >= 19


def test_labels_that_are_avoided() -> None:
    grid = coders(3)
    rng = np.random.default_rng(3)
    for i in range(1, 300):
        if grid[i, 1] == grid[i - 1, 1] and rng.random() < 0.6:
            grid[i, 1] = (grid[i, 1] + 1) % 3
    found = of(numbered(grid))
    assert found.p_value.argmin() == 1
    assert found.effect[1] < 0


def test_by_accident() -> None:
    hits = sum((of(numbered(coders(s, items=100))).p_value < 0.05).sum() for s in range(50))
    assert hits <= 20  # 10 expected of 200


def test_a_liking_for_a_label_and_drift_are_no_effect() -> None:
    hits = 0
    for seed in range(30):
        grid, rng = coders(seed), np.random.default_rng(seed)
        grid[rng.random(300) < 0.3, 1] = 2
        grid[rng.random(300) < np.linspace(0, 0.6, 300), 2] = 0
        hits += (of(numbered(grid)).p_value[1:3] < 0.01).sum()
    assert hits <= 3


def test_neighbours_that_are_alike_forbid_a_statement() -> None:
    rng = np.random.default_rng(1)
    truth = np.repeat(rng.integers(3, size=100), 3)
    grid = np.where(rng.random((300, 4)) < 0.9, truth[:, None], rng.integers(3, size=(300, 4)))
    assert not of(numbered(grid)).mixed
    assert sum(of(numbered(coders(s))).mixed for s in range(20)) >= 17


def test_the_order_must_be_known() -> None:
    grid = coders(1)
    assert of(of_grid(grid, "abc")) is None  # ids are no numbers
    time = np.random.default_rng(1).permutation(300)
    mixed = replace(
        of_grid(grid[np.argsort(np.argsort(time))], "abc"), metadata={"time": tuple(range(300))}
    )
    assert of(mixed, "time").order.known
    back = numbered(grid)
    assert of(replace(back, items=back.items[::-1])) is None
    assert of(replace(back, items=np.arange(300))) is not None
    batches = replace(back, metadata={"batch": tuple(i // 50 for i in range(300))})
    assert of(batches, "batch") is None


def test_what_is_not_looked_at() -> None:
    assert of(from_counts([[2, 1], [3, 0]])) is None
    sets = of_sets((["a", "ab"], ["a", "b"]), "ab")
    assert of(replace(sets, items=(1, 2))) is None
    few = replace(at_random(1, items=20), items=tuple(range(20)))
    assert np.isnan(of(few).p_value).all()
    assert [row["coder"] for row in of(few).to_rows()] == [f"coder {i}" for i in range(1, 5)]
