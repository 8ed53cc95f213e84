"""Chance-corrected agreement of every two coders, fast enough to be simulated hundreds of times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Grid", "kappas"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FEW = 5.0  # so many common items of pure chance shrink the kappa of a pair


@dataclass(frozen=True, eq=False)
class Grid:
    """Which cells of a table of coders and items hold an annotation. C coders, I items.

    Parameters
    ----------
    cell : ndarray of int
        (N,) coder * I + item, one annotation each.
    n_coders, n_items : int
    """

    cell: Ints
    n_coders: int
    n_items: int

    def of(self, chosen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """(C, I) 1 where an annotation is among the chosen (N,)."""
        x = np.zeros(self.n_coders * self.n_items, np.float32)
        x[self.cell[chosen]] = 1
        return x.reshape(self.n_coders, self.n_items)


def kappas(grid: Grid, label: Ints, n_answers: int) -> tuple[Floats, Floats, Floats]:
    """Cohen's kappa of every two coders on the items that both annotated.

    Parameters
    ----------
    grid : Grid
    label : ndarray of int
        (N,) answers.
    n_answers : int
        O.

    Returns
    -------
    kappa : ndarray
        (C, C); NaN where two coders share no item, or both always gave the same one label.
    shrunk : ndarray
        (C, C) kappa drawn towards 0 where few items are shared; 0 where it is undefined.
    n : ndarray
        (C, C) items in common.

    Notes
    -----
    Chance is what the labels of both coders on their common items make it (Cohen 1960), so that a
    strict and a lenient coder are as close as their reading of the items, and no closer or farther.

    Examples
    --------
    >>> grid = Grid(np.arange(8), 2, 4)
    >>> kappas(grid, np.array([0, 1, 1, 0, 0, 1, 0, 0]), 2)[0][0, 1].item()
    0.5
    """
    there = grid.of(np.ones(len(grid.cell), bool))
    n = (there @ there.T).astype(float)
    agreed, chance = np.zeros_like(n), np.zeros_like(n)
    for o in range(n_answers):
        x = grid.of(label == o)
        agreed += x @ x.T
        given = (x @ there.T).astype(float)  # (C, C) how often one gave it on items of both
        chance += given * given.T
    with np.errstate(divide="ignore", invalid="ignore"):
        chance /= n * n
        kappa = np.where((n > 0) & (chance < 1), (agreed / n - chance) / (1 - chance), np.nan)
        shrunk = np.where(np.isnan(kappa), 0.0, kappa * n / (n + FEW))
    return kappa, shrunk, n
