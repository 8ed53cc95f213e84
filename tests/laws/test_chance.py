"""Expected agreement is what coders reach who do what the definition says they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from accordant import agreement
from golden.dialects import weights_as_matrix
from laws.drawing import KEYS, SCORES, annotations, values

N = 400_000
CLOSE = 4e-3  # five standard errors of a mean of N numbers in [0, 1], of the least certain case
ROWS = np.array(
    [[0, 0, 1], [0, 1, 1], [1, 1, 2], [0, 0, 0], [2, 0, 1], [0, 0, 2], [2, 2, 2], [1, 0, 0]]
)
SHARE = np.bincount(ROWS.ravel()) / ROWS.size

Drawn = tuple[Any, Any]
Rng = np.random.Generator


def uniform(rng: Rng) -> Drawn:
    a, b = rng.integers(3, size=(2, N))
    return a, b


def shared(rng: Rng) -> Drawn:
    a, b = rng.choice(3, p=SHARE, size=(2, N))
    return a, b


def two_different(rng: Rng, n: int) -> Drawn:
    first = rng.integers(n, size=N)
    return first, (first + rng.integers(1, n, size=N)) % n


def own(rng: Rng) -> Drawn:
    """Two different coders, each from a distribution of their own."""
    labels = np.array([rng.choice(column, size=N) for column in ROWS.T])
    first, second = two_different(rng, 3)
    return labels[first, np.arange(N)], labels[second, np.arange(N)]


def without_replacement(rng: Rng) -> Drawn:
    first, second = two_different(rng, ROWS.size)
    return ROWS.ravel()[first], ROWS.ravel()[second]


CODERS: dict[str, Callable[[Rng], Drawn]] = {
    "s": uniform,
    "pi": shared,
    "kappa": own,
    "alpha": without_replacement,
}


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic", "circular"])
def test_simulated(weights: str) -> None:
    found = agreement(annotations(ROWS), weights=weights, interval="none")
    w = weights_as_matrix(weights, SCORES[:3])
    for key, drawn in CODERS.items():
        reached = w[drawn(np.random.default_rng(7))].mean()
        assert reached == pytest.approx(found[key].expected, abs=CLOSE), key
    # Gwet (2008): with the probability that an item is hard both guess, and agree by chance
    rng = np.random.default_rng(7)
    hard = rng.random(N) < (SHARE * (1 - SHARE)).sum() / (1 - 1 / 3)
    reached = np.where(hard, w[uniform(rng)], 0).mean()
    assert reached == pytest.approx(found["ac"].expected, abs=CLOSE)


def test_coders_who_guess_get_a_coefficient_of_zero() -> None:
    """Independent uniform labels: every coefficient is near 0, with missing annotations too."""
    rng = np.random.default_rng(3)
    codes = np.where(rng.random((20_000, 3)) < 0.3, -1, rng.integers(3, size=(20_000, 3)))
    codes = codes[(codes >= 0).any(1)]
    keys = [key for key in KEYS if key != "percent"]
    assert values(codes, keys=keys) == pytest.approx([0] * len(keys), abs=0.02)
