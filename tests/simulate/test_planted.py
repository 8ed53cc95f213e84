"""Annotations with one known cause of disagreement have what they promise, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.simulate.cause import CAUSES, GENRES, RARE, STRENGTH

MANY = 40_000
FAR = 4.5  # standard errors: about one chance in 150,000


def near(share: float, expected: float, n: float) -> bool:
    return abs(share - expected) < FAR * np.sqrt(max(expected * (1 - expected), 0.001) / n)


def agreement(grid: np.ndarray, items=slice(None)) -> float:
    """How often the first two coders agree."""
    return float((grid[items, 0] == grid[items, 1]).mean())


def test_without_a_cause_coders_err_alike() -> None:
    grid = ac.simulate_cause("none", MANY, coders=3, categories=4, correct=0.8, seed=1).grid
    expected = 0.8**2 + 0.2**2 / 3
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        assert near((grid[:, a] == grid[:, b]).mean(), expected, MANY)
    for k in range(4):
        assert near((grid == k).mean(), 0.25, 3 * MANY)


@pytest.mark.parametrize("cause", CAUSES)
def test_without_strength_every_cause_is_none(cause: str) -> None:
    grid = ac.simulate_cause(cause, MANY, correct=1.0, strength=0.0, seed=2).grid
    assert (grid == grid[:, :1]).all()


def test_two_categories_are_confused_both_ways_and_no_others() -> None:
    data = ac.simulate_cause("confused_pair", MANY, coders=2, correct=1.0, strength=0.4, seed=3)
    table = ac.diagnose(data).pooled.contingency().table
    assert np.count_nonzero(table - np.diag(np.diag(table))) == 2
    n = table[:2, :2].sum()
    assert near(table[0, 1] / n, 0.2 * 0.8, n)
    assert near(table[1, 0] / n, 0.2 * 0.8, n)


def test_one_coder_favours_the_first_category() -> None:
    grid = ac.simulate_cause("biased_coder", MANY, correct=1.0, strength=0.3, seed=4).grid
    assert (grid[:, :3] == grid[:, :1]).all()
    moved = grid[:, 3] != grid[:, 0]
    assert (grid[moved, 3] == 0).all()
    assert near(moved.mean(), 0.3 * 0.8, MANY)


def test_a_rare_category_is_missed_and_never_given_for_another() -> None:
    grid = ac.simulate_cause(
        "rare_category", MANY, coders=8, correct=1.0, strength=0.5, seed=5
    ).grid
    rare = (grid == 4).any(1)
    assert near(rare.mean(), RARE * (1 - 0.5**8), MANY)
    assert (grid[~rare] == grid[~rare, :1]).mean() > 0.99
    own = grid[rare]
    assert near((own == 4).mean(), 0.5, own.size)
    assert near((own == 0).mean(), 0.125, own.size)


def test_one_genre_is_ambiguous() -> None:
    data = ac.simulate_cause("ambiguous_group", MANY, coders=2, correct=1.0, strength=0.5, seed=6)
    genre = np.array(data.metadata["genre"])
    for name in GENRES[1:]:
        assert agreement(data.grid, genre == name) == 1
    hard = genre == GENRES[0]
    assert near(hard.mean(), 0.25, MANY)
    assert near(agreement(data.grid, hard), 0.5**2 + 0.75 / 5, hard.sum())


def test_one_coder_drifts() -> None:
    grid = ac.simulate_cause("drift", MANY, correct=1.0, strength=0.6, seed=7).grid
    assert (grid[:, :3] == grid[:, :1]).all()
    off = grid[:, 3] != grid[:, 0]
    for part, expected in [(slice(0, 4000), 0.03 * 0.8), (slice(36_000, None), 0.57 * 0.8)]:
        assert near(off[part].mean(), expected, 4000)


def test_what_is_asked_for_is_what_comes() -> None:
    data = ac.simulate_cause("none", 20, coders=3, categories=["x", "y"], seed=1)
    assert (len(data.items), data.coders[-1], data.values) == (20, "coder 3", ("x", "y"))
    assert len(set(data.texts)) == 20
    assert set(data.metadata) == {"genre"}
    assert data.scheme.declared


def test_the_same_seed_gives_the_same_annotations() -> None:
    one, two, other = (ac.simulate_cause("drift", seed=seed) for seed in (1, 1, 2))
    assert one.fingerprint == two.fingerprint != other.fingerprint


def test_strengths_are_those_of_the_table() -> None:
    assert set(STRENGTH) == set(CAUSES)
    one = ac.simulate_cause("confused_pair", seed=1)
    two = ac.simulate_cause("confused_pair", strength=STRENGTH["confused_pair"], seed=1)
    assert one.fingerprint == two.fingerprint


@pytest.mark.parametrize(
    "cause, asked, message",
    [
        ("tired", {}, "cause: choose from none, confused_pair"),
        ("none", {"items": 0}, "items: 1 or more"),
        ("none", {"coders": 1}, "coders: 2 or more"),
        ("none", {"categories": 1}, "categories must be from 2"),
        ("none", {"correct": 1.5}, "correct: between 0 and 1"),
        ("drift", {"strength": -1}, "strength: between 0 and 1"),
        ("drift", {"seed": "x"}, "seed must be a whole number"),
    ],
)
def test_requests_that_make_no_sense(cause: str, asked: dict, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        ac.simulate_cause(cause, **asked)
