"""More than two levels: a chain of partitions, each of which divides the one before.

Observed and expected disagreement both add up over levels, so that each level has a share of them
and a coefficient of its own, and these make up the coefficient of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..errors import RequestError
from ..numbers import decimal, joined
from ..results import Result
from .figures import ClosedForm, Figure, graded
from .levels import Level
from .partition import Partition
from .scores import crossed, mean_of_pairs
from .tables import Cells, States

__all__ = ["WHICH", "Step", "Steps", "steps"]


LEAST = 1e-12  # a smaller share of expected disagreement is rounding
WHICH = "which value"


@dataclass(frozen=True, eq=False)
class Step:
    """One level of several.

    Parameters
    ----------
    level : int
        Counted from 1.
    rule : str
        What it asks, in words.
    n_blocks : int
        How many blocks there are from this level on.
    given : Level
        Agreement on the blocks of this level, among the items on whose block of the level before
        two coders agree, with the margins of these items: what Levi & Shenhav (2022, section 3.1)
        do on the second level.
    coefficient : float
        1 − (observed disagreement that the level adds) / (expected disagreement that it adds), over
        all items; weighted by ``chance`` these make up the coefficient of the whole.
    explained, chance, explained_by_slips : float
        Its share of all observed, and of all expected disagreement, and of that which random
        errors alone would give.
    """

    level: int
    rule: str
    n_blocks: int
    given: Level
    coefficient: float
    explained: float
    chance: float
    explained_by_slips: float

    @property
    def mean(self) -> Figure:
        """The mean of `given` over the pairs of coders."""
        return self.given.mean


@dataclass(frozen=True, eq=False)
class Steps(Result):
    """The levels of a chain, the last of which asks for the value itself.

    Parameters
    ----------
    each : tuple of Step
    total : float
        The coefficient over all values, the mean over the pairs of coders.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> found = ac.decompose(examples.load("levi2022_neat"), by=("any label", "number of labels"))
    >>> for step in found[0].steps:
    ...     print(step.rule, step.mean, round(step.explained, 3), round(step.chance, 3))
    any label 0.696 [0.664, 0.728] 0.515 0.6
    number of labels 0.800 [0.776, 0.823] 0.412 0.235
    which value 0.965 [0.954, 0.975] 0.072 0.165
    """

    each: tuple[Step, ...]
    total: float

    def __iter__(self) -> Iterator[Step]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, k: int) -> Step:
        return self.each[k]

    @cached_property
    def weighted(self) -> float:
        """The coefficients of the levels, each with its share of expected disagreement."""
        return float(sum(s.chance * s.coefficient for s in self.each if s.chance > 0))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each level."""
        names = "coefficient explained chance explained_by_slips"
        return [
            {"level": step.level, "rule": step.rule, "n_blocks": step.n_blocks}
            | {"agreement": step.mean.value, "low": step.mean.low, "high": step.mean.high}
            | {name: getattr(step, name) for name in names.split()}
            | {"n_items": step.mean.n, "undefined": step.mean.undefined}
            for step in self.each
        ]

    def __str__(self) -> str:
        return "\n".join(
            f"{s.rule}: agreement {decimal(s.mean.value)}, {decimal(s.explained)} of the "
            f"disagreement (by chance {decimal(s.chance)}, random errors "
            f"{decimal(s.explained_by_slips)})"
            for s in self.each
        )

    __repr__ = __str__


def steps(
    cells: Cells,
    form: ClosedForm,
    partitions: Sequence[Partition],
    slips: Floats,
    confidence: float,
) -> Steps:
    """A chain of partitions, each of which refines the one before.

    With D and E the observed and expected disagreement on the blocks of a level, and d its number,

        κ_total = Σ_d w_d κ_d,   κ_d = 1 − ΔD_d / ΔE_d,   w_d = ΔE_d / E_total,

    exactly, since both sums telescope. A last level that asks for the value itself is added if the
    last partition does not tell all values apart.

    Parameters
    ----------
    partitions : sequence of Partition
        The coarsest first.
    slips : ndarray
        (C, C) disagreement as random errors alone would spread it.

    Raises
    ------
    RequestError
        If a partition does not refine the one before.
    """
    states = cells.states
    rules = [partition.rule for partition in partitions]
    blocks = [_numbered(partition.of(states.values)) for partition in partitions]
    for k in range(1, len(blocks)):
        _refines(states, blocks[k - 1], blocks[k], rules[k - 1], rules[k])
    if blocks[-1].max(initial=-1) + 1 < states.n_states:
        blocks.append(np.arange(states.n_states))
        rules.append(WHICH)
    parts = [graded(cells, form, block) for block in blocks]
    whole = np.zeros((1, len(states.pairs)))
    observed = np.concatenate([whole, [part.differ for part in parts]])  # (D + 1, G)
    expected = np.concatenate([whole, [1 - part.expected for part in parts]])
    by_slips = np.append(0.0, crossed(slips, np.array(blocks)))
    explained = _ratio(np.diff(observed, axis=0), observed[-1])
    chance = _ratio(np.diff(expected, axis=0), expected[-1])
    coefficient = 1 - _ratio(np.diff(observed, axis=0), np.diff(expected, axis=0))
    of_slips = _ratio(np.diff(by_slips), by_slips[-1])
    before: Ints = np.zeros(states.n_states, np.int64)
    found = []
    for d, block in enumerate(blocks):
        kept = np.asarray(before[cells.first] == before[cells.second])
        part = graded(cells, form, block, kept)
        given = Level(f"level {d + 1}", (), states.pairs, (part,), confidence)
        found.append(
            Step(
                d + 1,
                rules[d],
                int(block.max(initial=-1)) + 1,
                given,
                mean_of_pairs(coefficient[d]),
                mean_of_pairs(explained[d]),
                mean_of_pairs(chance[d]),
                float(of_slips[d]),
            )
        )
        before = block
    total = mean_of_pairs(1 - _ratio(observed[-1], expected[-1]))
    return Steps(tuple(found), total)


def _refines(states: States, earlier: Ints, later: Ints, before: str, rule: str) -> None:
    """Raise an error that names two values which a later level puts together again."""
    for block in range(int(later.max(initial=-1)) + 1):
        inside = np.flatnonzero(later == block)
        apart = inside[earlier[inside] != earlier[inside[0]]]
        if len(apart):
            two = joined(repr(states.name(states.values[c])) for c in (inside[0], apart[0]))
            raise RequestError(
                f"level {rule!r} puts {two} together, which the level before, {before!r}, keeps "
                "apart: each level of a chain has to divide the blocks of the level before it"
            )


def _numbered(block: Ints) -> Ints:
    """Blocks numbered from 0 on, by their first state."""
    _, first, inverse = np.unique(block, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], np.int64)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Shares; NaN of nothing."""
    return np.asarray(part / np.where(whole > LEAST, whole, np.nan))
