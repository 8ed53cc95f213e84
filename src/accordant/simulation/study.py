"""Measures of label sets compared on simulated data sets: section 5 of Marchal et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._version import __version__
from ..arrays import Bools, Floats
from ..counts.count import count
from ..counts.counts import Counts
from ..errors import RequestError
from ..inference.measurement import weights_of
from ..measure.measures import NAMED, Measure, measures, shown
from ..measure.registry import chance_corrected
from ..numbers import count_of, decimal
from ..results import Result
from ..scheme import Label
from .known_truth import named, sets_of, shares_of

PAPER = ("soft_match", "augmented", "boot_match", "boot_f1", "boot_precision", "boot_recall")
"""The measures of Figure 1."""
MOST_SETS = 50  # data sets at a time: small enough to show progress
CELLS = 4_000_000  # labels that are drawn at a time, and multiplicities that are held
DRAWN = "boot"  # coefficients whose chance the paper simulates: label draw
SAME = 1e-9  # shares that are one on an axis


@dataclass(frozen=True)
class StudyCell:
    """One measure of the data sets of one design.

    Parameters
    ----------
    measure, name : str
        What users type and what readers see: ``'boot_f1'``, ``'boot-F1'``.
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
    categories, shares : tuple
        (K,) the labels and how likely each is the first of an annotation.
    double, agreement : tuple of float
        The grid.
    n_items, n_datasets : int
    n_simulations : int or None
        How often the chance of label draw was simulated for each data set; None: computed.
    seed : int
        Repeats the study.
    """

    told_as: ClassVar[str] = "study"
    question: ClassVar[None] = None

    cells: tuple[StudyCell, ...]
    categories: tuple[Label, ...]
    shares: tuple[float, ...]
    double: tuple[float, ...]
    agreement: tuple[float, ...]
    n_items: int
    n_datasets: int
    n_simulations: int | None
    seed: int

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

    def of_measure(self, name: str) -> tuple[StudyCell, ...]:
        """The cells of one measure."""
        return tuple(cell for cell in self.cells if cell.measure == name)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each measure and design."""
        return [dict(vars(cell)) for cell in self.cells]

    @property
    def design(self) -> str:
        """What was simulated, in one line."""
        even = max(self.shares) - min(self.shares) < SAME
        labels = "equally likely" if even else f"shares {', '.join(map(decimal, self.shares))}"
        n = self.n_simulations
        return (
            f"{count_of(self.n_datasets, 'data set')}, {count_of(self.n_items, 'item')}, "
            f"{count_of(len(self.categories), 'category', 'categories')}, {labels}, "
            f"{f'chance by {n:,} simulations' if n else 'exact chance'}"
        )

    @property
    def signature(self) -> str:
        """The design, the seed and the version, for others to repeat the numbers."""
        return f"accordant {__version__} | multilabel_study: {self.design} | seed {self.seed}"


def studied(
    names: Any,
    double: Sequence[float],
    agreement: Sequence[float],
    categories: int | Sequence[Label],
    shares: Sequence[float] | None,
    n_items: int,
    n_datasets: int,
    n_simulations: int | None,
    seed: int | None,
    progress: Callable[[int, int], None] | None,
) -> MultilabelStudy:
    """What measures make of data sets whose truth is known; see `accordant.multilabel_study`."""
    wanted = {_key(m): m for m in measures(names)}
    labels = named(categories)
    p = shares_of(shares, len(labels))
    if len(labels) < 4:
        raise RequestError(
            "coders who share no label of an item and give up to two need 4 categories",
            parameter="categories",
        )
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    levels, doubles = sorted(set(map(float, agreement))), sorted(set(map(float, double)))
    grid, done = list(product(levels, doubles)), 0
    step = int(max(1, min(MOST_SETS, CELLS // (n_items * 2 * len(labels)))))
    found: list[Floats] = []
    for cell, (level, share) in enumerate(grid):
        parts = []
        for part, start in enumerate(range(0, n_datasets, step)):
            sequence = np.random.SeedSequence(seed, spawn_key=(cell, part))
            n = min(step, n_datasets - start)
            one = _Design(labels, p, share, level)
            parts.append(_measured(one, tuple(wanted), n_items, n, n_simulations, sequence))
            done += n
            if progress is not None:
                progress(done, n_datasets * len(grid))
        found.append(np.concatenate(parts, -1))
    cells = tuple(
        _cell(measure, where, results[row])
        for row, measure in enumerate(wanted.items())
        for where, results in zip(grid, found, strict=True)
    )
    axes = tuple(doubles), tuple(levels)
    return MultilabelStudy(cells, labels, p, *axes, n_items, n_datasets, n_simulations, seed)


def _key(measure: Measure) -> str:
    """What users type for it, weights included."""
    c, w = measure.coefficient.key, measure.weights
    plain = c if w is None else f"{c}_{w.replace('-', '_')}"
    return next((key for key, (*of, _) in NAMED.items() if of == [c, w]), plain)


def _cell(of: tuple[str, Measure], where: tuple[float, float], found: Floats) -> StudyCell:
    """Means, their errors and the spread of (3, D) results."""
    key, measure = of
    known = found[:, ~np.isnan(found[2])]
    n, n_datasets = known.shape[1], found.shape[1]
    mean = known.mean(1) if n else np.full(3, np.nan)
    spread = known.std(1, ddof=1) if n > 1 else np.full(3, np.nan)
    numbers = np.concatenate([mean, spread / math.sqrt(max(n, 1)), spread]).tolist()
    name = NAMED[key][2] if key in NAMED else shown(measure.coefficient.key, measure.weights)
    undefined = None if n else "agreement is certain by chance in every data set"
    last: tuple[int, int, str | None] = (n_datasets, n_datasets - n, undefined)
    return StudyCell(*(key, name, *where, *numbers, *last))


# ------------------------------------------------------------------ drawing and measuring


class _Design(NamedTuple):
    """Two coders who share a label of some items, and give one or two labels. K categories."""

    categories: tuple[Label, ...]
    shares: tuple[float, ...]
    double: float
    agreement: float


def _measured(
    design: _Design,
    names: tuple[str, ...],
    n_items: int,
    n_datasets: int,
    n_simulations: int | None,
    seed: np.random.SeedSequence,
) -> Floats:
    """(M, 3, D) observed, expected and adjusted agreement by every measure; NaN: undefined."""
    of_data, of_chance = seed.spawn(2)
    members = _drawn(design, n_items * n_datasets, np.random.default_rng(of_data))
    last = len(design.categories) - 1 - members[..., ::-1].argmax(-1)
    data = sets_of(design.categories, members.argmax(-1), last, 2, {})
    counts = count(data)
    counts = counts.drawn(_times(counts, n_datasets))
    found = np.empty((len(names), 3, n_datasets))
    for row, measure in zip(found, measures(names), strict=True):
        c = measure.coefficient
        w = weights_of(c, counts, data.scheme, measure.weights)
        parts = c.parts(counts, w)
        row[:] = parts.observed, parts.expected, parts.value
        if n_simulations is not None and c.simulated_by and c.key == DRAWN:
            rng = np.random.default_rng(of_chance)  # the same data sets for every measure
            counts_of, w = c.view(counts, w)
            each = (counts_of.drawn(times) for times in counts_of.times)
            draws = [c.simulated_by(one, w, n_simulations, rng, None) for one in each]
            row[1] = np.mean(draws, axis=1)
            row[2] = chance_corrected(row[0], row[1])
    return found


def _times(counts: Counts, n_datasets: int) -> Floats:
    """(D, P) how many items of each data set show each pattern."""
    place = np.repeat(np.arange(n_datasets), len(counts.pattern_of) // n_datasets)
    cell = place * counts.n_patterns + counts.pattern_of
    n = np.bincount(cell, minlength=n_datasets * counts.n_patterns)
    return n.reshape(n_datasets, counts.n_patterns).astype(float)


def _drawn(design: _Design, n: int, rng: np.random.Generator) -> Bools:
    """(I, 2, K) which labels each coder gives, drawn without replacement.

    That is a race: each label has a time with an exponential distribution, the more likely label
    the shorter one, and the first to arrive are drawn.
    """
    p = np.asarray(design.shares)
    shared = rng.random(n) < design.agreement
    total = np.cumsum(p)
    truth = np.minimum(np.searchsorted(total, rng.random(n) * total[-1], "right"), len(p) - 1)
    size = 1 + (rng.random((n, 2)) >= 1 - design.double)
    with np.errstate(divide="ignore"):  # a label without a share never arrives
        lead = rng.standard_exponential((n, 2, len(p))) / p
    rest = rng.standard_exponential(lead.shape)
    together = np.flatnonzero(shared)
    lead[together, :, truth[together]] = 0
    first = _given(lead[:, 0], rest[:, 0], size[:, 0])
    taken = first & ~shared[:, None]
    lead[:, 1][taken] = rest[:, 1][taken] = np.inf
    return np.stack([first, _given(lead[:, 1], rest[:, 1], size[:, 1])], axis=1)


def _given(lead: Floats, rest: Floats, size: Any) -> Bools:
    """(I, K) the label that leads, and as many of the rest as there are to be, by arrival."""
    np.put_along_axis(rest, lead.argmin(-1)[:, None], 0, axis=-1)
    last = np.take_along_axis(np.sort(rest, axis=-1), size[:, None] - 1, axis=-1)
    return np.asarray(rest <= last)
