"""A scheme taken apart in several steps: what each level adds, from coarse to fine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numbers import decimal
from ..results import Result
from .chains import Chain, chain
from .closed_forms import ClosedForm
from .intervals import Figure, graded
from .one_level import LevelOfPairs
from .partition import Partition
from .places import Cells

__all__ = ["Step", "Steps", "steps"]

Ints = NDArray[np.int64]


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
    given : LevelOfPairs
        Agreement on the blocks of this level, among the items on whose block of the level before
        two coders agree.
    coefficient : float
        1 − (observed disagreement that the level adds) / (expected disagreement that it adds), over
        all items; weighted by ``chance`` these make up the coefficient of the whole.
    explained, chance, explained_by_slips : float
        Its share of all observed, and of all expected disagreement, and of that which independent
        slips in the labels would give (NaN for categories).
    """

    level: int
    rule: str
    n_blocks: int
    given: LevelOfPairs
    coefficient: float
    explained: float
    chance: float
    explained_by_slips: float

    @property
    def mean(self) -> Figure:
        """The mean of `given` over the pairs of coders."""
        return self.given.mean

    @property
    def excess(self) -> float:
        """Explained less chance."""
        return self.explained - self.chance

    @property
    def beyond_slips(self) -> float:
        """Explained less explained by slips; NaN for categories."""
        return self.explained - self.explained_by_slips

    @property
    def lift(self) -> float:
        """Explained over chance."""
        return self.explained / self.chance if self.chance > 0 else math.nan


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
    >>> print(found[0].steps)
    any label: agreement 0.696, 0.515 of the disagreement (by chance 0.600, by slips 0.520)
    number of labels: agreement 0.800, 0.412 of the disagreement (by chance 0.235, by slips 0.433)
    which value: agreement 0.965, 0.072 of the disagreement (by chance 0.165, by slips 0.047)
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
        return [
            {
                "level": step.level,
                "rule": step.rule,
                "n_blocks": step.n_blocks,
                "agreement": step.mean.value,
                "low": step.mean.low,
                "high": step.mean.high,
                "coefficient": step.coefficient,
                "explained": step.explained,
                "chance": step.chance,
                "excess": step.excess,
                "lift": step.lift,
                "explained_by_slips": step.explained_by_slips,
                "beyond_slips": step.beyond_slips,
                "n_items": step.mean.n,
                "undefined": step.mean.undefined,
            }
            for step in self.each
        ]

    def __str__(self) -> str:
        return "\n".join(
            f"{s.rule}: agreement {decimal(s.mean.value)}, {decimal(s.explained)} of the "
            f"disagreement (by chance {decimal(s.chance)}{_by_slips(s.explained_by_slips)})"
            for s in self.each
        )

    __repr__ = __str__


def _by_slips(share: float) -> str:
    return "" if math.isnan(share) else f", by slips {decimal(share)}"


def steps(
    cells: Cells, form: ClosedForm, partitions: tuple[Partition, ...], confidence: float
) -> Steps:
    """What each of several levels adds, with an interval for agreement on it.

    Parameters
    ----------
    partitions : tuple of Partition
        From coarse to fine; each divides the blocks of the one before.

    Raises
    ------
    RequestError
        If one does not.
    """
    found: Chain = chain(cells.states, partitions, form.key)
    before: Ints = np.zeros(cells.states.n_states, np.int64)
    each = []
    for number, (block, level) in enumerate(zip(found.blocks, found.levels, strict=True), 1):
        kept = np.asarray(before[cells.first] == before[cells.second])
        part = graded(cells, form, block, kept)
        given = LevelOfPairs(
            f"level {number}", (), cells.states.pairs, (part,), confidence, (False,)
        )
        each.append(
            Step(
                number, level.rule, level.n_blocks, given, level.coefficient, level.explained,
                level.chance, level.explained_by_slips,
            )
        )  # fmt: skip
        before = block
    return Steps(tuple(each), found.total)
