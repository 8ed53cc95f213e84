"""Annotations in which some items can be read in two ways."""

from __future__ import annotations

import numpy as np

import accordant as ac

Rows = list[tuple[int, str, str]]


def crowd(
    n_items: int, n_coders: int, k: int, *, ambiguous: float = 0.0, least: int = 0, seed: int = 0
) -> Rows:
    """(item, coder, label): on the first items a third of the coders see another category.

    With ``least`` each item has so many annotations or more, else one by every coder.
    """
    rng = np.random.default_rng(seed)
    rows = ac.simulate(n_items, n_coders, k, seed=seed).to_rows()
    other = rng.integers(k, size=n_items + 1)
    n = rng.integers(least or n_coders, n_coders + 1, size=n_items + 1)
    place = rng.permuted(np.tile(np.arange(n_coders), (n_items + 1, 1)), axis=1)
    names = [f"coder {c + 1:0{len(str(n_coders))}}" for c in range(n_coders)]
    found = []
    for row in rows:
        item = int(row["item"])
        second = item <= ambiguous * n_items and rng.random() < 0.35
        if place[item, names.index(row["coder"])] < n[item]:
            label = chr(65 + int(other[item])) if second else row["label"]
            found.append((item, str(row["coder"]), label))
    return found
