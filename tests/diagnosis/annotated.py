"""Annotations for the tests of this folder, read as a user would read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import accordant as ac

NAMES = "abcdefghijkl"


def of_grid(
    grid: Any,
    names: Sequence[Any] = NAMES,
    columns: Mapping[str, Sequence[Any]] | None = None,
    **options: Any,
) -> ac.Annotations:
    """An (I, C) array of codes, -1 for missing, with columns about the items."""
    grid = np.asarray(grid)
    rows = [
        {"item": f"i{i}", "coder": f"coder {c + 1}", "label": names[grid[i, c]]}
        | {name: column[i] for name, column in (columns or {}).items()}
        for c, i in zip(*np.nonzero(grid.T >= 0), strict=True)
    ]
    return ac.read(rows, **options)


def of_table(table: Sequence[Sequence[int]], names: Sequence[Any] = NAMES, **options: Any) -> Any:
    """A contingency table of two coders: rows are the first coder's labels."""
    t = np.array(table)
    a, b = np.nonzero(t)
    return of_grid(np.repeat(np.stack([a, b], axis=1), t[a, b], axis=0), names, **options)


def of_pairs(*each: tuple[str, str, int]) -> ac.Annotations:
    """Two coders who give sets of labels: pairs of sets and how often they occur."""
    first, second = ([",".join(pair[k]) for pair in each for _ in range(pair[2])] for k in range(2))
    return ac.read([first, second], separator=",", categories=list("abcde"))


def guessing(
    seed: int, items: int = 300, k: int = 4, right: Any = 0.95, coders: int = 4
) -> np.ndarray:
    """(I, C) coders who are right so often, and guess otherwise."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=(items, 1))
    guesses = rng.integers(k, size=(items, coders))
    return np.where(rng.random((items, coders)) < right, truth, guesses)


def slipped(seed: int, shares: Sequence[float], items: int, coders: int, share: float) -> Any:
    """(I, C) coders who slip to any other category."""
    rng, k = np.random.default_rng(seed), len(shares)
    grid = rng.choice(k, size=(items, 1), p=shares).repeat(coders, 1)
    wrong = rng.random(grid.shape) < share
    return np.where(wrong, (grid + rng.integers(1, k, size=grid.shape)) % k, grid)


FLEISS_1971 = [
    [4, 2, 2, 5, 2, 1, 3, 1, 1, 5, 1, 1, 2, 1, 2, 3, 1, 1, 2, 1, 5, 2, 2, 1, 1, 2, 1, 2, 1, 5],
    [4, 2, 3, 5, 2, 1, 3, 1, 1, 5, 4, 2, 2, 4, 2, 3, 1, 1, 2, 3, 5, 4, 2, 1, 4, 2, 1, 2, 3, 5],
    [4, 2, 3, 5, 2, 3, 3, 3, 4, 5, 4, 4, 2, 4, 4, 3, 1, 1, 4, 3, 5, 4, 4, 4, 4, 2, 1, 4, 3, 5],
    [4, 5, 3, 5, 4, 3, 3, 3, 4, 5, 4, 4, 3, 4, 4, 3, 4, 1, 4, 5, 5, 4, 5, 4, 4, 2, 1, 4, 3, 5],
    [4, 5, 3, 5, 4, 3, 5, 3, 4, 5, 4, 4, 3, 4, 4, 3, 5, 1, 4, 5, 5, 4, 5, 4, 4, 2, 5, 4, 3, 5],
    [4, 5, 5, 5, 4, 3, 5, 4, 4, 5, 4, 4, 3, 4, 5, 5, 5, 2, 4, 5, 5, 4, 5, 4, 5, 4, 5, 4, 3, 5],
]
"""Fleiss (1971): diagnoses of 30 patients by 6 psychiatrists."""
