"""Expected agreement is what coders reach who do what the definition says they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from accordant import COEFFICIENTS
from accordant.counts.counts import Counts
from accordant.measure.distances import weights_for
from laws.drawing import counts_of

N = 400_000
CLOSE = 4e-3  # five standard errors of a mean of N numbers in [0, 1], of the least certain case
ROWS = [[0, 0, 1], [0, 1, 1], [1, 1, 2], [0, 0, 0], [2, 0, 1], [0, 0, 2], [2, 2, 2], [1, 0, 0]]

Drawn = tuple[Any, Any]
Rng = np.random.Generator


def uniform(rng: Rng, c: Counts) -> Drawn:
    a, b = rng.integers(c.n_values, size=(2, N))
    return a, b


def shared(rng: Rng, c: Counts) -> Drawn:
    a, b = rng.choice(c.n_values, p=c.share, size=(2, N))
    return a, b


def own(rng: Rng, c: Counts) -> Drawn:
    """Two different coders, each from a distribution of their own."""
    p = c.by_coder / c.by_coder.sum(1, keepdims=True)
    labels = np.array([rng.choice(c.n_values, p=q, size=N) for q in p])
    first = rng.integers(len(p), size=N)
    second = (first + rng.integers(1, len(p), size=N)) % len(p)
    return labels[first, np.arange(N)], labels[second, np.arange(N)]


def without_replacement(rng: Rng, c: Counts) -> Drawn:
    pool = np.repeat(np.arange(c.n_values), c.pool.astype(int))
    first = rng.integers(len(pool), size=N)
    second = (first + rng.integers(1, len(pool), size=N)) % len(pool)
    return pool[first], pool[second]


CODERS: dict[str, Callable[[Rng, Counts], Drawn]] = {
    "s": uniform,
    "pi": shared,
    "kappa": own,
    "alpha": without_replacement,
}


@pytest.mark.parametrize("key", CODERS)
@pytest.mark.parametrize(
    "wanted", ["identity", "linear", "quadratic", "circular", "ordinal-metric"]
)
def test_simulated(key: str, wanted: str) -> None:
    counts = counts_of(ROWS)
    w = weights_for(wanted, counts, ordered=True)
    a, b = CODERS[key](np.random.default_rng(7), counts)
    reached = w.matrix[a, b].mean()
    assert reached == pytest.approx(float(COEFFICIENTS[key].parts(counts, w).expected), abs=CLOSE)


@pytest.mark.parametrize("wanted", ["identity", "linear", "quadratic"])
def test_ac_coders_guess_only_where_it_is_hard(wanted: str) -> None:
    """Gwet (2008): with the probability that an item is hard both guess, and agree by chance."""
    counts = counts_of(ROWS)
    w = weights_for(wanted, counts, ordered=True)
    rng = np.random.default_rng(7)
    k = counts.n_values
    hard = rng.random(N) < (counts.share * (1 - counts.share)).sum() / (1 - 1 / k)
    a, b = uniform(rng, counts)
    reached = np.where(hard, w.matrix[a, b], 0).mean()
    assert reached == pytest.approx(float(COEFFICIENTS["ac"].parts(counts, w).expected), abs=CLOSE)


@pytest.mark.parametrize("key", ["s", "pi", "kappa", "alpha", "ac"])
def test_coders_who_guess_get_a_coefficient_of_zero(key: str) -> None:
    """Independent uniform labels: every coefficient is near 0, with missing annotations too."""
    rng = np.random.default_rng(3)
    codes = np.where(rng.random((20_000, 3)) < 0.3, -1, rng.integers(3, size=(20_000, 3)))
    found = COEFFICIENTS[key].parts(counts_of(codes), weights_for("identity", counts_of(codes)))
    assert float(found.value) == pytest.approx(0, abs=0.02)
