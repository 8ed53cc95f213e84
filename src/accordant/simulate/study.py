"""Measures of label sets compared on simulated data sets: section 5 of Marchal et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from .._version import __version__
from ..counts.count import count
from ..counts.counts import Counts
from ..errors import RequestError
from ..inference.measurement import weights_of
from ..measure.measures import NAMED, Measure, measures, shown
from ..measure.registry import chance_corrected
from ..results import Result
from ..validation import checked
from .design import Categories, Design, Floats, Further, design_of, entropy_of, one_of, seed_of
from .worker import prepare

__all__ = ["PAPER", "SAME", "MultilabelStudy", "StudyCell", "multilabel_study"]

Progress = Callable[[int, int], None]
Chance = Literal["exact", "simulation"]

PAPER = ("soft_match", "augmented", "boot_match", "boot_f1", "boot_precision", "boot_recall")
"""The measures of Figure 1."""
DOUBLE = (0.0, 0.25, 0.5, 0.75, 1.0)
AGREEMENT = (0.6, 0.75, 0.9)
MOST_SETS = 50  # data sets of a task: small enough to show progress
CELLS = 4_000_000  # labels that a task draws, and multiplicities that it holds
DRAWN = "boot"  # coefficients whose chance the paper simulates: label draw
SAME = 1e-9  # shares that are one on an axis


@dataclass(frozen=True)
class StudyCell:
    """One measure of the data sets of one design.

    Parameters
    ----------
    measure, name : str
        What users type and what readers see: ``'boot_f1'``, ``'boot-F1'``.
    coefficient : str
    weights : str or None
        None for those that fit label sets.
    agreement, double : float
        Intersection agreement and share of double labels of the design.
    observed, expected, value : float
        Means over the data sets; ``value`` is the adjusted agreement.
    observed_se, expected_se, value_se : float
        Monte Carlo standard errors of these means.
    observed_sd, expected_sd, value_sd : float
        Standard deviations over the data sets: how much a single one varies.
    n_datasets : int
    n_undefined : int
        Data sets that have no value; the means are over the others.
    undefined : str or None
        Why there is no value at all.
    """

    measure: str
    name: str
    coefficient: str
    weights: str | None
    agreement: float
    double: float
    observed: float
    expected: float
    value: float
    observed_se: float
    expected_se: float
    value_se: float
    observed_sd: float
    expected_sd: float
    value_sd: float
    n_datasets: int
    n_undefined: int = 0
    undefined: str | None = None


@dataclass(frozen=True, repr=False)
class MultilabelStudy(Result):
    """Means of measures over simulated data sets; made by `multilabel_study`.

    Parameters
    ----------
    cells : tuple of StudyCell
        By measure, agreement and share of double labels, in this order.
    categories, distribution : tuple
        (K,) the labels and how likely each is the first of an annotation.
    further : {'uniform', 'distribution'}
        From what the other labels of an annotation were drawn.
    double, agreement : tuple of float
        The grid.
    n_items, n_coders, n_datasets : int
    method : {'exact', 'simulation'}
    n_simulations : int or None
        How often the chance of label draw was simulated for each data set.
    seed : int
        Repeats the study.
    asked_entropy : float or None
        The entropy, if it was asked for.
    """

    told_as: ClassVar[str] = "study"
    question: ClassVar[None] = None

    cells: tuple[StudyCell, ...]
    categories: tuple[Any, ...]
    distribution: tuple[float, ...]
    further: Further
    double: tuple[float, ...]
    agreement: tuple[float, ...]
    n_items: int
    n_coders: int
    n_datasets: int
    method: Chance
    n_simulations: int | None
    seed: int
    asked_entropy: float | None = None

    def __iter__(self) -> Iterator[StudyCell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, key: tuple[str, float, float]) -> StudyCell:
        """``study["boot_match", 0.75, 0.25]``: a measure, an agreement, a share of doubles."""
        name, agreement, double = key
        (wanted,) = map(_key, measures(name))
        for cell in self.of_measure(wanted):
            if abs(cell.agreement - agreement) < SAME and abs(cell.double - double) < SAME:
                return cell
        there, doubles = (", ".join(f"{x:g}" for x in xs) for xs in (self.agreement, self.double))
        raise RequestError(
            f"the study has no {wanted} with agreement {agreement:g} and {double:g} double labels: "
            f"it has {', '.join(self.measures)}; agreement {there}; double {doubles}"
        )

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, as users type them."""
        return tuple(dict.fromkeys(cell.measure for cell in self.cells))

    @property
    def entropy(self) -> float:
        """Entropy of the label distribution, in bits."""
        return entropy_of(self.distribution)

    def of_measure(self, name: str) -> tuple[StudyCell, ...]:
        """The cells of one measure."""
        return tuple(cell for cell in self.cells if cell.measure == name)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each measure and design."""
        return [dict(vars(cell)) for cell in self.cells]

    @property
    def design(self) -> str:
        """What was simulated, in one line."""
        even = max(self.distribution) - min(self.distribution) < SAME
        labels = "equally likely" if even else f"entropy {self.entropy:.3f} bits"
        if not even and self.further == "distribution":
            labels += " (further labels too)"
        simulated = f"chance by {self.n_simulations or 0:,} simulations"
        chance = "exact chance" if self.method == "exact" else simulated
        return (
            f"{self.n_datasets:,} data sets, {self.n_items:,} items, {self.n_coders} coders, "
            f"{len(self.categories)} categories, {labels}, {chance}"
        )

    @property
    def signature(self) -> str:
        """The design, the seed and the version, for others to repeat the numbers."""
        return f"accordant {__version__} | multilabel_study: {self.design} | seed {self.seed}"


@checked
def multilabel_study(
    names: str | Iterable[str] | None = None,
    *,
    double: float | Sequence[float] = DOUBLE,
    agreement: float | Sequence[float] = AGREEMENT,
    categories: Categories = None,
    distribution: Sequence[float] | None = None,
    entropy: float | None = None,
    further: Further = "uniform",
    n_items: int = 100,
    n_coders: int = 2,
    n_datasets: int = 100,
    method: Chance = "exact",
    n_simulations: int = 100,
    rng: Any = None,
    cores: int = 1,
    progress: Progress | None = None,
) -> MultilabelStudy:
    """What measures of label sets make of data sets whose truth is known."""
    wanted = {_key(m): m for m in measures(PAPER if names is None else names)}
    if not wanted:
        raise RequestError("there is no measure to study: name one or more")
    one_of("method", method, get_args(Chance))
    doubles, levels = _axis("double", double), _axis("agreement", agreement)
    grid = list(product(levels, doubles))
    of = partial(
        design_of,
        categories=categories,
        distribution=distribution,
        entropy=entropy,
        further=further,
        n_coders=n_coders,
    )
    designs = [of(a, double=d) for a, d in grid]
    simulations = int(n_simulations) if method == "simulation" else None
    n_items, n_datasets, seed = int(n_items), int(n_datasets), seed_of(rng)
    tasks = tasks_of(designs, tuple(wanted), n_items, n_datasets, simulations, seed)
    parts = list(zip(tasks, _run(tasks, cores, progress), strict=True))
    found = [np.concatenate([x for t, x in parts if t.cell == k], -1) for k in range(len(grid))]
    cells = tuple(
        _cell(of, where, parts_of[row])
        for row, of in enumerate(wanted.items())
        for where, parts_of in zip(grid, found, strict=True)
    )
    first = designs[0]
    return MultilabelStudy(
        cells,
        first.categories,
        first.distribution,
        first.further,
        doubles,
        levels,
        n_items,
        len(first.sizes),
        n_datasets,
        method,
        simulations,
        seed,
        entropy,
    )


def _key(measure: Measure) -> str:
    """What users type for it, weights included."""
    c, w = measure.coefficient.key, measure.weights
    plain = c if w is None else f"{c}_{w.replace('-', '_')}"
    return next((key for key, (*of, _) in NAMED.items() if of == [c, w]), plain)


def _cell(of: tuple[str, Measure], where: tuple[float, float], found: Floats) -> StudyCell:
    """Means, their errors and the spread of (3, D) results."""
    key, coefficient, weights = of[0], of[1].coefficient.key, of[1].weights
    known = found[:, ~np.isnan(found[2])]
    n, n_datasets = known.shape[1], found.shape[1]
    mean = known.mean(1) if n else np.full(3, np.nan)
    spread = known.std(1, ddof=1) if n > 1 else np.full(3, np.nan)
    numbers = np.concatenate([mean, spread / math.sqrt(max(n, 1)), spread]).tolist()
    name = NAMED[key][2] if key in NAMED else shown(coefficient, weights)
    undefined = None if n else "agreement is certain by chance in every data set"
    left = (n_datasets, n_datasets - n, undefined)
    return StudyCell(*(key, name, coefficient, weights, *where, *numbers, *left))


def _axis(what: str, given: Sequence[float] | float) -> tuple[float, ...]:
    found = {float(x) for x in (given if isinstance(given, Iterable) else [given])}
    if not found:
        raise RequestError(f"{what} is empty: give one share or more, from 0 to 1")
    return tuple(sorted(found))


# ------------------------------------------------------------------ tasks


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
        data = self.design.drawn(n_items, rng)
        counts = count(data)
        counts = counts.drawn(_times(counts, self.n_datasets))
        found = np.empty((len(self.measures), 3, self.n_datasets))
        for row, measure in zip(found, measures(self.measures), strict=True):
            c = measure.coefficient
            w = weights_of(c, counts, data.scheme, measure.weights)
            parts = c.parts(counts, w)
            row[:] = parts.observed, parts.expected, parts.value
            if self.n_simulations is not None and c.simulated_by and c.key == DRAWN:
                rng = np.random.default_rng(of_chance)  # the same data sets for every measure
                counts_of, w = c.view(counts, w)
                each = (counts_of.drawn(times) for times in counts_of.times)
                draws = [c.simulated_by(one, w, self.n_simulations, rng, None) for one in each]
                row[1] = np.mean(draws, axis=1)
                row[2] = chance_corrected(row[0], row[1])
        return found


def _times(counts: Counts, n_datasets: int) -> Floats:
    """(D, P) how many items of each data set show each pattern."""
    place = np.repeat(np.arange(n_datasets), len(counts.pattern_of) // n_datasets)
    cell = place * counts.n_patterns + counts.pattern_of
    n = np.bincount(cell, minlength=n_datasets * counts.n_patterns)
    return n.reshape(n_datasets, counts.n_patterns).astype(float)


def tasks_of(
    designs: Sequence[Design],
    names: tuple[str, ...],
    n_items: int,
    n_datasets: int,
    n_simulations: int | None,
    seed: int,
) -> list[Task]:
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


def _run(tasks: Sequence[Task], cores: int, progress: Progress | None = None) -> list[Floats]:
    """What every task found, in their order."""
    total, done = sum(t.n_datasets for t in tasks), 0
    found: dict[int, Floats] = {}
    for k, found[k] in _results(tasks, min(cores, len(tasks))):
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
