"""Data for the benchmarks: coders who know the truth and are sometimes distracted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accordant.simulate.design import design_of
from accordant.simulate.multilabel import drawn

MISSING = 0  # code of a missing annotation; categories are 1 … K


def ratings(
    n_items: int, n_coders: int, n_categories: int, missing: float = 0.0, seed: int = 7
) -> NDArray[np.int16]:
    """(items, coders) categories 1 … K; 35 % of the labels are drawn at random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, n_categories + 1, size=n_items)
    table = np.repeat(truth[:, None], n_coders, axis=1).astype(np.int16)
    guessed = rng.random(table.shape) < 0.35
    table[guessed] = rng.integers(1, n_categories + 1, size=int(guessed.sum()))
    if missing:
        table[rng.random(table.shape) < missing] = MISSING
    return table


def measurements(n_items: int, n_coders: int, seed: int = 3) -> NDArray[np.float64]:
    """(items, coders) real numbers, nearly all distinct."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, n_items)
    return np.round(truth[:, None] + rng.normal(0, 4, (n_items, n_coders)), 6)


def label_sets(
    n_items: int, n_categories: int, sizes: Sequence[dict[int, float]], seed: int = 5
) -> NDArray[np.object_]:
    """(items, coders) tuples of labels: coders share one of them in 70 % of the items.

    ``sizes``: for each coder the share of the annotations with so many labels.
    """
    share = 0.8 ** np.arange(n_categories)  # each label less likely than the one before
    distribution = (share / share.sum()).tolist()
    design = design_of(0.7, sizes=sizes, distribution=distribution, n_coders=len(sizes))
    members, _ = drawn(design, n_items, np.random.default_rng(seed))
    table = np.empty(members.shape[:2], object)
    for cell in np.ndindex(table.shape):
        table[cell] = tuple(design.categories[k] for k in np.flatnonzero(members[cell]))
    return table


def as_float(table: NDArray[Any]) -> NDArray[np.float64]:
    """The same table with NaN for missing."""
    floats = table.astype(float)
    floats[table == MISSING] = np.nan
    return floats


def as_counts(table: NDArray[Any], n_categories: int) -> NDArray[np.int64]:
    """(items, K) how many coders gave each category."""
    return np.stack([(table == k).sum(1) for k in range(1, n_categories + 1)], axis=1)


def write_long(path: Path, n_items: int, n_coders: int, n_categories: int) -> None:
    """A long Parquet file (item, coder, label), rows shuffled, names as text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = ratings(n_items, n_coders, n_categories)
    order = np.random.default_rng(1).permutation(table.size)
    item, coder = np.divmod(order, n_coders)
    names = pa.array([f"coder {c + 1}" for c in range(n_coders)])
    labels = pa.array([f"label {k + 1}" for k in range(n_categories)])
    pq.write_table(
        pa.table(
            {
                "item": pa.array(item),
                "coder": names.take(pa.array(coder)),
                "label": labels.take(pa.array(table.ravel()[order] - 1)),
            }
        ),
        path,
    )
