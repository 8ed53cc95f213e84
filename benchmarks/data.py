"""Data for the benchmarks: coders who know the truth and are sometimes distracted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.label_set_worlds import design_of, drawn

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


@dataclass(frozen=True, eq=False)
class Crowd:
    """A pandas frame of task, worker and label, and the true label of each task 0 … I - 1."""

    frame: Any
    truth: NDArray[np.int64]

    def __getitem__(self, some: slice) -> Crowd:
        return Crowd(self.frame[some], self.truth)

    def accuracy(self, tasks: Any, labels: Any) -> float:
        """Share of tasks that have their true label."""
        return float((self.truth[np.asarray(tasks, np.int64)] == np.asarray(labels)).mean())


def crowd(
    n_items: int, n_coders: int, per_item: int, n_categories: int, batch: int = 1, seed: int = 7
) -> Crowd:
    """Coders of different skill, one of ten of whom labels at random; rows by item.

    Errors fall on the next category half of the time. Items come in batches, each of which is
    given to ``per_item`` coders: a few coders have many batches, many have few.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    skill = np.where(rng.random(n_coders) < 0.1, 1 / n_categories, rng.beta(6, 3, n_coders))
    eager = np.log(rng.pareto(1.0, n_coders) + 1)
    n_batches = -(-n_items // batch)
    drawn = eager - np.log(rng.exponential(size=(min(n_batches, 10_000), n_coders)))
    teams = np.argpartition(-drawn, per_item, axis=1)[:, :per_item]
    team = rng.permutation(np.arange(n_batches) % len(teams))
    truth = rng.integers(n_categories, size=n_items)
    task = np.repeat(np.arange(n_items), per_item)
    worker = teams[team[np.arange(n_items) // batch]].ravel()
    right = rng.random(len(task)) < skill[worker]
    away = np.where(rng.random(len(task)) < 0.5, 1, rng.integers(1, n_categories, size=len(task)))
    label = np.where(right, truth[task], (truth[task] + away) % n_categories)
    return Crowd(pd.DataFrame({"task": task, "worker": worker, "label": label}), truth)


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
