"""Who annotates what: coders drawn for each item, evenly or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .design import whole

__all__ = ["assigned"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FEW = 4_000_000  # cells that are drawn at once


def assigned(
    n_items: int, n_coders: int, per_item: Any, uneven: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Coders drawn for each item, nobody for the same item twice.

    Parameters
    ----------
    n_items, n_coders : int
    per_item : int or (int, int)
        Coders of each item, or the least and the most.
    uneven : float
        Standard deviation of the logarithm of a coder's share of the work.
    rng : Generator

    Returns
    -------
    item, coder : ndarray of int
        (N,) in the order of items, then coders.

    Raises
    ------
    RequestError
        If an item is to have more coders than there are, or none.
    """
    low, high = per_item if isinstance(per_item, tuple) else (per_item, per_item)
    low, high = whole("per_item", low, 1), whole("per_item", high, 1)
    if high < low or high > n_coders:
        raise RequestError(
            f"an item has from 1 to {n_coders} coders, as many as there are, not {per_item!r}",
            parameter="per_item",
        )
    weight = np.exp(uneven * rng.standard_normal(n_coders))
    weight /= weight.sum()
    if high == n_coders:
        chosen: Ints = np.tile(np.arange(n_coders, dtype=np.int32), (n_items, 1))
    elif n_coders <= 8 * high or uneven > 1:
        chosen = _raced(n_items, high, weight, rng)
    else:
        chosen = _redrawn(n_items, high, weight, rng)
    item = np.repeat(np.arange(n_items, dtype=np.int32), high).reshape(n_items, high)
    if low == high:
        return item.ravel(), np.sort(chosen, axis=1).ravel()
    if high == n_coders:
        chosen = rng.permuted(chosen, axis=1)
    kept = np.arange(high) < rng.integers(low, high + 1, n_items)[:, None]
    chosen = np.sort(np.where(kept, chosen, n_coders), axis=1)
    kept = chosen < n_coders
    return item[kept], chosen[kept]


def _raced(n_items: int, n: int, weight: Floats, rng: np.random.Generator) -> Ints:
    """(I, n) the first to arrive, the heavier the earlier: a draw without replacement."""
    step = max(1, FEW // len(weight))
    parts = []
    for start in range(0, n_items, step):
        time = rng.standard_exponential((min(step, n_items - start), len(weight))) / weight
        parts.append(np.argpartition(time, n - 1, axis=1)[:, :n].astype(np.int32))
    return np.concatenate(parts)


def _redrawn(n_items: int, n: int, weight: Floats, rng: np.random.Generator) -> Ints:
    """(I, n) one after the other, drawn again where one is there already: the same for many."""
    up_to = np.cumsum(weight)
    chosen = np.empty((n_items, n), np.int32)
    for place in range(n):
        left = np.arange(n_items)
        while len(left):
            drawn = np.searchsorted(up_to, rng.random(len(left)) * up_to[-1], side="right")
            chosen[left, place] = np.minimum(drawn, len(weight) - 1)
            again = (chosen[left, :place] == chosen[left, place][:, None]).any(1)
            left = left[again]
    return chosen
