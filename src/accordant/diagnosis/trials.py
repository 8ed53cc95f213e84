"""One thing settled on trial: what a coefficient would be, and how many items it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..inference.measured import compared
from ..measure.distances import WeightsLike
from ..measure.registry import Coefficient, Parts
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..results import Result
from ..scheme import Scheme
from .projection import KINDS, Edit, Kind, Lever, Settling

__all__ = ["Step", "Trial", "Yardstick"]

Bools = NDArray[np.bool_]

MOST_WORK = 40_000_000  # entries that are gone through: one to two seconds
PAIRS_PER_ENTRY = 10  # so many pairs of sets are compared while one entry is gone through


@dataclass(frozen=True)
class Step(Result):
    """One thing settled, and what that does.

    Parameters
    ----------
    lever : Lever
        What is settled.
    n_items : int
        Items on which an annotation changes: as many have to be discussed.
    n_settled : int
        Pairs of annotations that differed and are now the same.
    before, after : float
        The coefficient; NaN where undefined.
    undefined : Undefined or None
        Why there is no value after.
    """

    lever: Lever
    n_items: int
    n_settled: int
    before: float
    after: float
    undefined: Undefined | None = None

    @property
    def kind(self) -> Kind:
        """Of the lever."""
        return self.lever.kind

    @property
    def name(self) -> str:
        """Of the lever, in words."""
        return self.lever.name

    @property
    def gain(self) -> float:
        """How much the coefficient rises."""
        return self.after - self.before

    @property
    def gain_per_ten(self) -> float:
        """How much it rises for every ten items that have to be discussed."""
        return 10 * self.gain / self.n_items if self.n_items else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "kind": self.kind,
                "settled": self.name,
                "n_items": self.n_items,
                "n_settled": self.n_settled,
                "before": self.before,
                "after": self.after,
                "gain": self.gain,
                "gain_per_ten_items": self.gain_per_ten,
                "undefined": str(self.undefined) if self.undefined else None,
            }
        ]


@dataclass(frozen=True, eq=False)
class Yardstick:
    """One coefficient of counts that change.

    Parameters
    ----------
    coefficient : Coefficient
    scheme : Scheme
    weights : WeightsLike or None
        None for those that fit the scale.
    """

    coefficient: Coefficient
    scheme: Scheme
    weights: WeightsLike | None = None
    _kept: dict[str, tuple[Any, Weights]] = field(default_factory=dict, repr=False)

    def parts(self, counts: Counts) -> Parts:
        """A_o, A_e and the value."""
        known = self._kept.get("w")
        if known is not None and known[0] is counts.values:
            return self.coefficient.parts(counts, known[1])
        values = counts.values
        counts, w = compared(self.coefficient, counts, self.scheme, self.weights)
        if counts.values is values and w.name != "ordinal-metric":  # whose distances are the pool's
            self._kept["w"] = values, w
        return self.coefficient.parts(counts, w)

    def view(self, counts: Counts) -> Counts:
        """Counts that know no more than the coefficient needs: fewer patterns."""
        counts, w = compared(self.coefficient, counts, self.scheme, self.weights)
        return self.coefficient.view(counts, w)[0]

    def undefined(self, counts: Counts, parts: Parts) -> Undefined | None:
        """Why there is no value."""
        return why_undefined(
            self.coefficient, counts, float(parts.observed), float(parts.expected)
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Trial:
    """Counts on which levers are tried, each by itself."""

    yardstick: Yardstick
    counts: Counts
    ranked: bool

    @cached_property
    def _settling(self) -> Settling:
        return Settling(self.counts, self.yardstick.scheme.categories, self.ranked)

    @cached_property
    def _before(self) -> tuple[float, float]:
        """The coefficient, and the number of pairs of annotations that differ."""
        return float(self.yardstick.parts(self.counts).value), _n_different(self.counts)

    @property
    def room(self) -> int:
        """How many levers of each kind there is time for."""
        n_sets = self.counts.n_values if self.counts.of_sets else 0
        work = len(self.counts.value) + n_sets**2 // PAIRS_PER_ENTRY
        return max(1, MOST_WORK // (len(KINDS) * max(1, work)))

    def of(self, lever: Lever, chosen: Bools | None) -> tuple[Step, Edit]:
        """What a lever does."""
        edit = self._settling.edit(lever, chosen)
        value, different = self._before
        parts = self.yardstick.parts(edit.after)
        n_settled = round(different - _n_different(edit.after))
        why = self.yardstick.undefined(edit.after, parts)
        return Step(lever, edit.n_items, n_settled, value, float(parts.value), why), edit


def _n_different(counts: Counts) -> float:
    """Pairs of annotations of an item that are not the same."""
    bare = counts.anonymous
    return float(bare.times @ (bare.size**2 - bare.sum_entries(bare.n**2))) / 2
