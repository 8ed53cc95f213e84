"""Measures of label sets compared on simulated data sets: section 5 of Marchal et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..errors import RequestError
from ..measure.measures import NAMED, Measure, measures, shown
from ..results import Result
from ..validation import checked
from .design import Categories, Further, design_of, entropy_of, share_of, whole
from .multilabel import seed_of
from .running import Progress, Task, run, tasks_of

__all__ = ["PAPER", "SAME", "MultilabelStudy", "StudyCell", "multilabel_study"]

Floats = NDArray[np.float64]
Chance = Literal["exact", "simulation"]

PAPER = (
    "soft_match", "augmented", "boot_match", "boot_f1", "boot_precision", "boot_recall",
)  # fmt: skip
"""The measures of Figure 1."""
DOUBLE = (0.0, 0.25, 0.5, 0.75, 1.0)
AGREEMENT = (0.6, 0.75, 0.9)
_SPOKEN = {"double": "a share of double labels", "agreement": "an intersection agreement"}
PARTS = ("observed", "expected", "value")
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
        (found,) = measures(name)
        wanted = _key(found)
        for cell in self.cells:
            near = abs(cell.agreement - agreement) < SAME and abs(cell.double - double) < SAME
            if cell.measure == wanted and near:
                return cell
        raise RequestError(
            f"the study has no {wanted} with agreement {agreement:g} and {double:g} double "
            f"labels: it has {', '.join(self.measures)}; agreement {_listed(self.agreement)}; "
            f"double {_listed(self.double)}"
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
        names = [f.name for f in fields(StudyCell)]
        return [{name: getattr(cell, name) for name in names} for cell in self.cells]

    @property
    def design(self) -> str:
        """What was simulated, in one line."""
        even = max(self.distribution) - min(self.distribution) < SAME
        labels = "equally likely" if even else f"entropy {self.entropy:.3f} bits"
        if not even and self.further == "distribution":
            labels += " (further labels too)"
        if self.method == "exact":
            chance = "exact chance"
        else:
            chance = f"chance by {self.n_simulations:,} simulations"
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
    if method not in get_args(Chance):
        raise RequestError(f"unknown method {method!r}: choose from {', '.join(get_args(Chance))}")
    doubles, levels = _axis("double", double), _axis("agreement", agreement)
    grid = [(a, d) for a in levels for d in doubles]
    designs = [
        design_of(
            a, double=d, categories=categories, distribution=distribution, entropy=entropy,
            further=further, n_coders=n_coders,
        )
        for a, d in grid
    ]  # fmt: skip
    simulations = whole("simulations", n_simulations, 2) if method == "simulation" else None
    n_items, n_datasets = whole("items", n_items, 1), whole("n_datasets", n_datasets, 1)
    seed = seed_of(rng)
    tasks = tasks_of(designs, tuple(wanted), n_items, n_datasets, simulations, seed)
    found = _joined(tasks, run(tasks, whole("cores", cores, 1), progress))
    cells = tuple(
        _cell(key, measure, grid[k], found[k][row])
        for row, (key, measure) in enumerate(wanted.items())
        for k in range(len(grid))
    )
    first = designs[0]
    return MultilabelStudy(
        cells, first.categories, first.distribution, first.further, doubles, levels, n_items,
        len(first.sizes), n_datasets, method, simulations, seed, entropy,
    )  # fmt: skip


def _key(measure: Measure) -> str:
    """What users type for it, weights included."""
    c, w = measure.coefficient.key, measure.weights
    named = [key for key, (of, weights, _) in NAMED.items() if (of, weights) == (c, w)]
    return named[0] if named else c if w is None else f"{c}_{w.replace('-', '_')}"


def _joined(tasks: Sequence[Task], found: Sequence[Floats]) -> list[Floats]:
    """(M, 3, D) of each design, from those of its tasks."""
    by_design: dict[int, list[Floats]] = {}
    for task, part in zip(tasks, found, strict=True):
        by_design.setdefault(task.cell, []).append(part)
    return [np.concatenate(parts, axis=-1) for parts in by_design.values()]


def _cell(key: str, measure: Measure, where: tuple[float, float], found: Floats) -> StudyCell:
    """Means, their errors and the spread of (3, D) results."""
    known = ~np.isnan(found[2])
    n = int(np.count_nonzero(known))
    mean = found[:, known].mean(1) if n else np.full(3, np.nan)
    spread = found[:, known].std(1, ddof=1) if n > 1 else np.full(3, np.nan)
    numbers = zip(PARTS, mean.tolist(), spread.tolist(), strict=True)
    ingredients: dict[str, float] = {}
    for name, m, sd in numbers:
        ingredients |= {name: m, f"{name}_se": sd / math.sqrt(max(n, 1)), f"{name}_sd": sd}
    return StudyCell(
        measure=key,
        name=NAMED[key][2] if key in NAMED else shown(measure.coefficient.key, measure.weights),
        coefficient=measure.coefficient.key,
        weights=measure.weights,
        agreement=where[0],
        double=where[1],
        n_datasets=found.shape[1],
        n_undefined=found.shape[1] - n,
        undefined=None if n else "agreement is certain by chance in every data set",
        **ingredients,
    )


def _axis(what: str, given: Sequence[float] | float) -> tuple[float, ...]:
    values = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    found = tuple(dict.fromkeys(share_of(_SPOKEN[what], x) for x in values))
    if not found:
        raise RequestError(f"{what} is empty: give one share or more, from 0 to 1")
    return tuple(sorted(found))


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{x:g}" for x in values)
