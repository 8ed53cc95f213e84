"""Simulated data sets measured, on one core or several.

A data set is only another multiplicity of the same patterns: many are counted together and
measured in one call, by the functions that measure real data. Every task has a seed of its own,
so results do not depend on how many cores share the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from ..counts.count import count
from ..counts.counts import Counts
from ..counts.grouping import sums
from ..inference.measured import weights_of
from ..measure.measures import measures
from ..measure.registry import Coefficient, chance_corrected
from ..measure.weights import Weights
from .design import Design
from .multilabel import annotations_of, drawn
from .worker import prepare

__all__ = ["Progress", "Task", "run", "tasks_of"]

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

MOST_SETS = 50  # data sets of a task: small enough to show progress
CELLS = 4_000_000  # labels that a task draws, and multiplicities that it holds
DRAWN = "boot"  # coefficients whose chance the paper simulates: label draw


@dataclass(frozen=True)
class Task:
    """Some data sets of one design.

    Parameters
    ----------
    cell : int
        Which design of the study.
    design : Design
    measures : tuple of str
    n_items, n_datasets : int
    n_simulations : int or None
        How often chance is simulated for each data set; None: it is computed.
    seed : SeedSequence
    """

    cell: int
    design: Design
    measures: tuple[str, ...]
    n_items: int
    n_datasets: int
    n_simulations: int | None
    seed: np.random.SeedSequence

    def measured(self) -> Floats:
        """(M, 3, D) observed, expected and adjusted agreement by every measure; NaN: undefined."""
        of_data, of_chance = self.seed.spawn(2)
        n_items, rng = self.n_items * self.n_datasets, np.random.default_rng(of_data)
        data = annotations_of(self.design, drawn(self.design, n_items, rng)[0])
        counts = count(data)
        counts = counts.drawn(_times(counts, self.n_datasets))
        found = np.empty((len(self.measures), 3, self.n_datasets))
        for row, measure in zip(found, measures(self.measures), strict=True):
            c = measure.coefficient
            w = weights_of(c, counts, data.scheme, measure.weights)
            parts = c.parts(counts, w)
            row[:] = parts.observed, parts.expected, parts.value
            if self.n_simulations is not None and c.key == DRAWN:
                row[1] = _simulated(c, counts, w, self.n_simulations, of_chance)
                row[2] = chance_corrected(row[0], row[1])
        return found


def _times(counts: Counts, n_datasets: int) -> Floats:
    """(D, P) how many items of each data set show each pattern."""
    place = np.repeat(np.arange(n_datasets), len(counts.pattern_of) // n_datasets)
    cell = place * counts.n_patterns + counts.pattern_of
    n = sums(cell, np.ones(len(cell)), n_datasets * counts.n_patterns)
    return n.reshape(n_datasets, counts.n_patterns)


def _simulated(
    coefficient: Coefficient, counts: Counts, w: Weights, n: int, seed: np.random.SeedSequence
) -> Floats:
    """(D,) mean agreement of data sets drawn by label draw: the same ones for every measure."""
    if (simulated := coefficient.simulated_by) is None:
        raise ValueError(f"{coefficient.key} has no simulation")
    rng = np.random.default_rng(seed)
    counts, w = coefficient.view(counts, w)
    draws = [simulated(counts.drawn(times), w, n, rng, None) for times in counts.times]
    return np.asarray(np.mean(draws, axis=1))


def tasks_of(
    designs: Sequence[Design], names: tuple[str, ...], n_items: int, n_datasets: int,
    n_simulations: int | None, seed: int,
) -> list[Task]:  # fmt: skip
    """The work of a study, cut into pieces in a way that does not depend on who does them."""
    tasks = []
    for cell, design in enumerate(designs):
        width = n_items * len(design.sizes) * len(design.categories)
        step = int(max(1, min(MOST_SETS, CELLS // width, (CELLS // n_items) ** 0.5)))
        for part, start in enumerate(range(0, n_datasets, step)):
            own = np.random.SeedSequence(seed, spawn_key=(cell, part))
            n = min(step, n_datasets - start)
            tasks.append(Task(cell, design, names, n_items, n, n_simulations, own))
    return tasks


# ------------------------------------------------------------------ cores


def run(tasks: Sequence[Task], cores: int, progress: Progress | None = None) -> list[Floats]:
    """What every task found, in their order."""
    total, done = sum(t.n_datasets for t in tasks), 0
    found: dict[int, Floats] = {}
    for k, result in _results(tasks, min(cores, len(tasks))):
        found[k] = result
        done += tasks[k].n_datasets
        if progress:
            progress(done, total)
    return [found[k] for k in range(len(tasks))]


def _results(tasks: Sequence[Task], cores: int) -> Iterator[tuple[int, Floats]]:
    if cores == 1:
        yield from ((k, task.measured()) for k, task in enumerate(tasks))
        return
    pool = ProcessPoolExecutor(cores, get_context("spawn"), prepare)
    try:
        futures = {pool.submit(task.measured): k for k, task in enumerate(tasks)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:  # an interrupted or failed study starts nothing more
        pool.shutdown(wait=True, cancel_futures=True)
