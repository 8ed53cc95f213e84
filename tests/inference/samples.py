"""Random annotations of one question, read as users do."""

from __future__ import annotations

from typing import Any

import numpy as np

import accordant as ac

KEYS = [key for key, c in ac.COEFFICIENTS.items() if not c.only_sets]


def codes(n: int, coders: int, missing: float, seed: int = 5) -> Any:
    """(items, coders) codes of three categories, -1 for missing; coders know 60 in 100."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(n, 1))
    table = np.where(rng.random((n, coders)) < 0.6, truth, rng.integers(3, size=(n, coders)))
    table[rng.random((n, coders)) < missing] = -1
    return table[(table >= 0).any(1)]


def annotations(table: Any, categories: Any = (1, 2, 4)) -> ac.Annotations:
    """Codes as annotations; the categories are declared."""
    rows = [[None if v < 0 else categories[v] for v in column] for column in np.asarray(table).T]
    return ac.read(rows, layout="transposed", categories=categories)


def values(table: Any, keys: list[str] = KEYS, **more: Any) -> Any:
    """(R,) coefficients of codes."""
    found = ac.agreement(annotations(table), keys, interval="none", **more)
    return np.array([row.value for row in found])
