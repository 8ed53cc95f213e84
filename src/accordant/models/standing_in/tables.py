"""How far humans agree with humans, with models, and models with each other.

A group of coders is one coder drawn anew for each item: every item counts once, whoever
annotated it (Schouten 1982, in the version for an isolated coder and a group). For two coders
this is their contingency table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counts.counts import Counts
from ...errors import RequestError
from ...inference.influence import linearise
from ...inference.intervals import p_value, uncertainty
from ...inference.settings import Settings
from ...measure.registry import COEFFICIENTS
from ...measure.undefined import why_undefined
from ...numbers import decimal, interval
from ...results import Result
from .alternative import spread
from .sides import NOT_SAID, Sides

__all__ = ["KINDS", "Beside", "GroupAgreement", "PairAgreement", "Tables", "tables"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

KINDS = ("human–human", "human–model", "model–model")
MOST_SHOWN = 30  # humans in the table of pairs: those with the most annotations


@dataclass(frozen=True)
class PairAgreement(Result):
    """Two coders on the items that both annotated; ``kind`` is one of `KINDS`."""

    kind: str
    first: str
    second: str
    n_items: int
    value: float
    low: float = math.nan
    high: float = math.nan
    undefined: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]


@dataclass(frozen=True)
class GroupAgreement(Result):
    """A human, drawn anew for each item, and another human or a model; or two models.

    ``first`` and ``second`` are names of models, or None for a human. ``observed`` and
    ``expected`` are A_o and A_e.
    """

    kind: str
    first: str | None
    second: str | None
    n_items: int
    observed: float
    expected: float
    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    undefined: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]

    def __str__(self) -> str:
        who = " and ".join(name or "a human" for name in (self.first, self.second))
        return f"{who}: {decimal(self.value)} {interval(self.low, self.high)}"


@dataclass(frozen=True)
class Beside(Result):
    """A model and a human, each with the same other humans on the same items.

    Parameters
    ----------
    model : str
    human : str or None
        None for a human drawn anew for each item.
    n_items : int
    of_human, of_model : float
        How far the human, and the model, agree with the other humans.
    difference, se, low, high, p_value : float
        The model less the human; paired, over items. Below 0 the model agrees less.
    undefined : str or None
    """

    model: str
    human: str | None
    n_items: int
    of_human: float
    of_model: float
    difference: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    undefined: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]


@dataclass(frozen=True, eq=False)
class _Measured:
    """A coefficient of weighted pairs of labels, and the pull (I,) of each item on it."""

    observed: float
    expected: float
    value: float
    pull: Floats
    n_items: int
    undefined: str | None


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything that is said about agreement of humans and models; computed when used."""

    sides: Sides
    level: float

    @cached_property
    def groups(self) -> tuple[GroupAgreement, ...]:
        """Two humans; a human and each model; each pair of models."""
        s = self.sides
        _, _, row, key, weight = self._met
        found = [self._group(KINDS[0], None, None, key, weight / s.n_humans[s.item[row]],
                             s.item[row])]  # fmt: skip
        item, value, n, _ = s.cells
        for m, name in enumerate(s.models):
            said = s.said[item, m]
            there = said != NOT_SAID
            part = (said * s.n_values + value)[there], (n / s.n_humans[item])[there], item[there]
            found.append(self._group(KINDS[1], None, name, *part))
        for a, b in _pairs_of(len(s.models)):
            there = np.flatnonzero((s.said[:, a] != NOT_SAID) & (s.said[:, b] != NOT_SAID))
            key = s.said[there, a] * s.n_values + s.said[there, b]
            names = s.models[a], s.models[b]
            found.append(self._group(KINDS[2], *names, key, np.ones(len(key)), there))
        return tuple(found)

    @cached_property
    def beside(self) -> tuple[Beside, ...]:
        """Each model beside the mean human: the paired test of human–model and human–human."""
        s = self.sides
        _, _, row, key, weight = self._met
        item, value, n, _ = s.cells
        found = []
        for m, name in enumerate(s.models):
            there = s.said[s.item[row], m] != NOT_SAID
            human = self._measured(
                key[there], (weight / s.n_humans[s.item[row]])[there], s.item[row][there]
            )
            said = s.said[item, m]
            there = (said != NOT_SAID) & (s.n_humans[item] > 1)
            model = self._measured(
                (said * s.n_values + value)[there], (n / s.n_humans[item])[there], item[there]
            )
            found.append(self._compared(name, None, human, model))
        return tuple(found)

    @cached_property
    def beside_each(self) -> tuple[Beside, ...]:
        """Each model beside each human, both with the same other humans (M x H)."""
        s = self.sides
        start, cell, row, key, weight = self._met
        value = s.cells[1][cell]
        found = []
        for m, name in enumerate(s.models):
            said = s.said[s.item[row], m]
            of_model = said * s.n_values + value
            for j, human in enumerate(s.humans):
                own = slice(start[j], start[j + 1])
                there = said[own] != NOT_SAID
                w, item = weight[own][there], s.item[row[own]][there]
                one, two = (self._measured(k[own][there], w, item) for k in (key, of_model))
                found.append(self._compared(name, human, one, two))
        return tuple(found)

    @cached_property
    def pairs(self) -> tuple[PairAgreement, ...]:
        """Every pair of coders, of the humans those with the most annotations."""
        s = self.sides
        n = np.bincount(s.human, minlength=len(s.humans))
        shown = np.sort(np.argsort(-n, kind="stable")[:MOST_SHOWN])
        column = np.full(len(s.humans), -1)
        column[shown] = np.arange(len(shown))
        gave = np.full((s.n_items, len(shown)), NOT_SAID)
        known = column[s.human] >= 0
        gave[s.item[known], column[s.human[known]]] = s.value[known]
        gave = np.concatenate([gave, s.said], axis=1)
        names = [*(s.humans[j] for j in shown), *s.models]
        found = []
        for a, b in _pairs_of(len(names)):
            kind = KINDS[(a >= len(shown)) + (b >= len(shown))]
            there = (gave[:, a] != NOT_SAID) & (gave[:, b] != NOT_SAID)
            key = gave[there, a] * s.n_values + gave[there, b]
            found.append(self._pair(kind, names[a], names[b], key))
        return tuple(sorted(found, key=lambda p: KINDS.index(p.kind)))

    @property
    def n_humans_left_out(self) -> int:
        """Humans that are not in the table of pairs."""
        return max(0, len(self.sides.humans) - MOST_SHOWN)

    # ------------------------------------------------------------------ how

    @cached_property
    def _met(self) -> tuple[Ints, Ints, Ints, Ints, Floats]:
        """Every annotation beside the values that other humans gave, sorted by human.

        Where each human starts (H + 1,); the cell, the annotation, the pair of labels and the
        share of the other humans who gave the value (L,).
        """
        s = self.sides
        _, value, n, of = s.cells
        several = np.flatnonzero(s.n_humans[s.item] > 1)
        several = several[np.argsort(s.human[several], kind="stable")]
        start = s.cell_start
        width = np.diff(start)[s.item[several]]
        row = np.repeat(several, width)
        end = np.cumsum(width)
        at = np.arange(len(row)) - np.repeat(end - width, width)
        cell = start[s.item[row]] + at
        weight = (n[cell] - (cell == of[row])) / (s.n_humans[s.item[row]] - 1)
        used = weight > 0
        row, cell, weight = row[used], cell[used], weight[used]
        first = np.searchsorted(s.human[row], np.arange(len(s.humans) + 1))
        return first, cell, row, s.value[row] * s.n_values + value[cell], weight

    def _counts(self, cells: Ints, times: Floats) -> Counts:
        """Two coders who gave these pairs of labels so often."""
        n, k = len(cells), self.sides.n_values
        base = self.sides.counts
        return Counts(
            2 * np.arange(n + 1), np.tile([0, 1], n), np.stack([cells // k, cells % k], 1).ravel(),
            np.ones(2 * n, np.int64), times, ("one", "other"), base.values, np.arange(n),
            base.declared,
        )  # fmt: skip

    def _measured(self, key: Ints, weight: Floats, item: Ints) -> _Measured:
        s, coefficient = self.sides, self.sides.measure.coefficient
        nothing = np.zeros(s.n_items)
        if not len(key):
            why = "no item was annotated by both"
            return _Measured(math.nan, math.nan, math.nan, nothing, 0, why)
        cells, of = np.unique(key, return_inverse=True)
        counts = self._counts(cells, np.bincount(of, weight).astype(float))
        parts = coefficient.parts(counts, s.w)
        observed, expected, value = (
            float(x) for x in (parts.observed, parts.expected, parts.value)
        )
        n_items = len(np.unique(item))
        undefined = why_undefined(coefficient, counts, observed, expected)
        if undefined:
            return _Measured(observed, expected, math.nan, nothing, n_items, str(undefined))
        deviation = linearise(coefficient, counts, s.w).of_items()
        pull = np.bincount(item, weight * deviation[of.reshape(-1)], s.n_items)
        return _Measured(observed, expected, value, pull / weight.sum(), n_items, None)

    def _group(
        self, kind: str, first: str | None, second: str | None, key: Ints, weight: Floats,
        item: Ints,
    ) -> GroupAgreement:  # fmt: skip
        found = self._measured(key, weight, item)
        se = low = high = math.nan
        if found.undefined is None:
            se, low, high = spread(found.value, found.pull, found.n_items, self.level)
        return GroupAgreement(
            kind, first, second, found.n_items, found.observed, found.expected, found.value, se,
            low, min(high, 1.0), found.undefined,
        )  # fmt: skip

    def _compared(self, model: str, human: str | None, one: _Measured, two: _Measured) -> Beside:
        value = two.value - one.value
        why = one.undefined or two.undefined
        if why:
            return Beside(model, human, one.n_items, one.value, two.value, math.nan, undefined=why)
        n = one.n_items
        se, low, high = spread(value, two.pull - one.pull, n, self.level)
        p = p_value(value, 0.0, se, n - 1, "two-sided") if n > 1 else math.nan
        return Beside(model, human, n, one.value, two.value, value, se, low, high, p)

    def _pair(self, kind: str, first: str, second: str, key: Ints) -> PairAgreement:
        if not len(key):
            return PairAgreement(kind, first, second, 0, math.nan,
                                 undefined="no item was annotated by both")  # fmt: skip
        coefficient, w = self.sides.measure.coefficient, self.sides.w
        cells, times = np.unique(key, return_counts=True)
        counts = self._counts(cells, times.astype(float))
        parts = coefficient.parts(counts, w)
        why = why_undefined(coefficient, counts, float(parts.observed), float(parts.expected))
        value = math.nan if why else float(parts.value)
        sure = uncertainty(coefficient, counts, w, value, Settings(level=self.level))
        return PairAgreement(
            kind, first, second, len(key), value, sure.low, sure.high, str(why) if why else None
        )


def tables(sides: Sides, level: float) -> Tables:
    """Agreement of humans and models.

    Raises
    ------
    RequestError
        For a coefficient that is no ratio of sums over items, so that it has no group version.
    """
    coefficient = sides.measure.coefficient
    if coefficient.slope_of is None and coefficient.pull_of is None:
        known = [c.key for c in COEFFICIENTS.values() if c.slope_of or c.pull_of]
        raise RequestError(
            f"{sides.measure.key} cannot compare a model with a group of humans: choose one of "
            f"{', '.join(known)}"
        )
    return Tables(sides, level)


def _pairs_of(n: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(n) for b in range(a + 1, n))
