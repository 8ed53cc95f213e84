"""What alpha would be if the deviations behind an explanation were resolved."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..inference.item_patterns import Patterns
from ..inference.null import Null

__all__ = ["gain_of"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def gain_of(
    null: Null, cells: Bools, part: float, agreement: Floats, items: Bools | None = None
) -> float:
    """By how much Krippendorff's alpha would rise if a part of some deviations were resolved.

    Each annotation that may be one of the deviations becomes what the null holds for likely,
    with the probability that it is one, and alpha is computed again.

    Parameters
    ----------
    null : Null
        Before anything was explained.
    cells : ndarray of bool
        (C, K, K) deviations by coder, latent and given value.
    part : float
        The share of these that is resolved: those beyond what is expected.
    agreement : ndarray
        (K, K) what counts as agreement.
    items : ndarray of bool, optional
        (I,) only on these items.

    Examples
    --------
    >>> from accordant.inference.null import fit_null
    >>> grid = np.array([[0, 0, 0], [1, 1, 1]] * 20 + [[0, 0, 1]] * 10)
    >>> null = fit_null(Patterns.of_grid(grid, 2), np.eye(2, dtype=bool))
    >>> last = np.zeros((3, 2, 2), bool)
    >>> last[2, 0, 1] = True
    >>> gain_of(null, last, 1.0, np.eye(2)) > 0.2
    True
    """
    rows, latent, k = null.patterns, null.latent, null.n_values
    there = np.ones(len(latent), bool)
    if items is not None:
        rows, there = rows.parted(items)
        latent = np.tile(latent, (2, 1))
    given = np.zeros((len(rows.row), k))
    given[np.arange(len(given)), rows.value] = 1
    moved = part * latent[rows.row] * cells[rows.coder, :, rows.value] * there[rows.row, None]
    resolved = given + moved
    resolved[np.arange(len(given)), rows.value] -= moved.sum(1)
    return max(0.0, _alpha(rows, resolved, agreement) - _alpha(rows, given, agreement))


def _alpha(rows: Patterns, values: Floats, agree: Floats) -> float:
    """Krippendorff's alpha of annotations (E, K) that are shared among values."""
    total = rows.sums(values)
    alike = np.einsum("pk,kl,pl->p", total, agree, total, optimize=True)
    alike -= rows.sums(np.einsum("ek,kl,el->e", values, agree, values, optimize=True)[:, None])[
        :, 0
    ]
    m = rows.size
    paired = np.where(m >= 2, rows.weight / np.maximum(m - 1, 1), 0)
    shares = (np.where(m >= 2, rows.weight, 0)) @ total
    n = float(shares.sum())
    if n < 2:
        return math.nan
    observed = float(paired @ alike) / n
    expected = float(shares @ agree @ shares - shares @ np.diag(agree)) / (n * (n - 1))
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan
