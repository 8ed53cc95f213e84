"""Models beside humans: the tests, and how far humans and models agree with each other.

A group of coders is one coder drawn anew for each item: every item counts once, whoever
annotated it (Schouten 1982, in the version for an isolated coder and a group). For two coders
this is their contingency table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..._version import __version__
from ...arrays import Bools, Floats, Ints
from ...counts.counts import Counts
from ...data.annotations import Annotations
from ...errors import unknown
from ...inference.influence import linearise
from ...inference.intervals import p_value, uncertainty
from ...inference.settings import Settings
from ...measure.measures import shown
from ...measure.undefined import why_undefined
from ...numbers import decimal, interval
from ...results import Record, Result
from .humans_and_models import NOT_SAID, Sides
from .noninferiority import Epsilon
from .winning_rate import Few, HumanTest, ModelDifference, ModelTest, Signs, rivals, spread

__all__ = ["KINDS", "Beside", "GroupAgreement", "ModelComparison", "PairAgreement"]

KINDS = ("human–human", "human–model", "model–model")
MOST_SHOWN = 30  # humans in the table of pairs: those with the most annotations
NOTHING_SHARED = "no item was annotated by both"


@dataclass(frozen=True)
class PairAgreement(Record):
    """Two coders on the items that both annotated; ``kind`` is one of `KINDS`."""

    kind: str
    first: str
    second: str
    n_items: int
    value: float
    low: float = math.nan
    high: float = math.nan
    undefined: str | None = None


@dataclass(frozen=True)
class GroupAgreement(Record):
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

    def __str__(self) -> str:
        who = " and ".join(name or "a human" for name in (self.first, self.second))
        return f"{who}: {decimal(self.value)} {interval(self.low, self.high)}"


@dataclass(frozen=True)
class Beside(Record):
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


class _Met(NamedTuple):
    """(P,) pairs of labels of an item, each pair as one number, with their weights."""

    key: Ints
    weight: Floats
    item: Ints

    def where(self, chosen: Bools | slice) -> _Met:
        return _Met(self.key[chosen], self.weight[chosen], self.item[chosen])


def _of_humans(s: Sides) -> _Met:
    """Two humans, drawn anew for each item."""
    _, row, cell, weight = s.met
    item = s.item[row]
    return _Met(s.value[row] * s.n_values + s.cells.value[cell], weight / s.n_humans[item], item)


def _with_model(s: Sides, m: int) -> _Met:
    """A model and a human drawn anew for each item."""
    c = s.cells
    said = s.said[c.item, m]
    every = _Met(said * s.n_values + c.value, c.n / s.n_humans[c.item], c.item)
    return every.where(said != NOT_SAID)


def _of_two(s: Sides, gave: Ints) -> _Met:
    """Two coders who gave these values (I, 2)."""
    there = np.flatnonzero((gave != NOT_SAID).all(1))
    one, other = gave[there].T
    return _Met(one * s.n_values + other, np.ones(len(there)), there)


def _counts(s: Sides, met: _Met) -> tuple[Counts, Ints]:
    """Two coders who gave these pairs of labels so often, and which pair each is (P,)."""
    cells, of = np.unique(met.key, return_inverse=True)
    of, n = of.reshape(-1), len(cells)
    times = np.bincount(of, met.weight).astype(float)
    labels = np.stack(np.divmod(cells, s.n_values), 1).ravel()
    counts = Counts(
        2 * np.arange(n + 1),
        np.tile([0, 1], n),
        labels,
        np.ones(2 * n, np.int64),
        times,
        ("one", "other"),
        s.counts.values,
        np.arange(n),
        s.counts.declared,
    )
    return counts, of


def _value(s: Sides, counts: Counts) -> tuple[float, float, float, str | None]:
    """Observed and expected agreement, the coefficient, and why it is undefined."""
    coefficient = s.measure.coefficient
    parts = coefficient.parts(counts, s.w)
    observed, expected = float(parts.observed), float(parts.expected)
    why = why_undefined(coefficient, counts, observed, expected)
    return observed, expected, math.nan if why else float(parts.value), str(why) if why else None


def _agreement(
    s: Sides, kind: str, first: str | None, second: str | None, met: _Met
) -> tuple[GroupAgreement, Floats]:
    """The agreement of weighted pairs of labels, and the pull (I,) of each item on it."""
    pull, who = np.zeros(s.n_items), (kind, first, second)
    if not len(met.key):
        return GroupAgreement(*who, 0, *(math.nan,) * 3, undefined=NOTHING_SHARED), pull
    counts, of = _counts(s, met)
    observed, expected, value, why = _value(s, counts)
    if why is None:
        deviation = linearise(s.measure.coefficient, counts, s.w).of_items()
        pull = np.bincount(met.item, met.weight * deviation[of], s.n_items) / met.weight.sum()
    n = len(np.unique(met.item))
    return GroupAgreement(*who, n, observed, expected, value, undefined=why), pull


def group_agreements(s: Sides, level: float) -> Iterator[GroupAgreement]:
    """Two humans; a human and each model; each pair of models."""
    every: list[tuple[str, str | None, str | None, _Met]] = [(KINDS[0], None, None, _of_humans(s))]
    every += [(KINDS[1], None, name, _with_model(s, m)) for m, name in enumerate(s.models)]
    for a, b in combinations(range(len(s.models)), 2):
        every.append((KINDS[2], s.models[a], s.models[b], _of_two(s, s.said[:, [a, b]])))
    for group in every:
        found, pull = _agreement(s, *group)
        se, low, high = spread(found.value, pull, found.n_items, level)
        yield replace(found, se=se, low=low, high=min(high, 1.0))


def _beside(
    s: Sides, level: float, model: str, human: str | None, of_human: _Met, of_model: _Met
) -> Beside:
    one, own = _agreement(s, KINDS[0], human, None, of_human)
    two, other = _agreement(s, KINDS[1], None, model, of_model)
    value, n, why = two.value - one.value, one.n_items, one.undefined or two.undefined
    se, low, high = spread(value, other - own, n, level)
    p = p_value(value, 0.0, se, n - 1, "two-sided")
    return Beside(model, human, n, one.value, two.value, value, se, low, high, p, why)


def beside_group(s: Sides, level: float) -> Iterator[Beside]:
    """Each model beside a human drawn anew: human–model and human–human agreement, paired."""
    humans = _of_humans(s)
    for m, name in enumerate(s.models):
        own = _with_model(s, m)
        there = s.said[humans.item, m] != NOT_SAID
        shared = s.n_humans[own.item] > 1
        yield _beside(s, level, name, None, humans.where(there), own.where(shared))


def beside_each(s: Sides, level: float) -> Iterator[Beside]:
    """Each model beside each human, both with the same other humans (M x H)."""
    start, row, cell, weight = s.met
    item, value = s.item[row], s.cells.value[cell]
    of_human = _Met(s.value[row] * s.n_values + value, weight, item)
    for m, name in enumerate(s.models):
        said = s.said[item, m]
        of_model = of_human._replace(key=said * s.n_values + value)
        for j, human in enumerate(s.humans):
            own = slice(start[j], start[j + 1])
            there = said[own] != NOT_SAID
            one, two = (met.where(own).where(there) for met in (of_human, of_model))
            yield _beside(s, level, name, human, one, two)


def pair_agreements(s: Sides, level: float) -> Iterator[PairAgreement]:
    """Every pair of coders, of the humans those with the most annotations."""
    n = np.bincount(s.human, minlength=len(s.humans))
    shown = np.sort(np.argsort(-n, kind="stable")[:MOST_SHOWN])
    column = np.full(len(s.humans), NOT_SAID)
    column[shown] = np.arange(len(shown))
    known = column[s.human] >= 0
    gave = np.full((s.n_items, len(shown)), NOT_SAID)
    gave[s.item[known], column[s.human[known]]] = s.value[known]
    gave = np.concatenate([gave, s.said], axis=1)
    names = [*(s.humans[j] for j in shown), *s.models]
    pairs = [
        ((a >= len(shown)) + (b >= len(shown)), a, b) for a, b in combinations(range(len(names)), 2)
    ]
    for kind, a, b in sorted(pairs):
        met = _of_two(s, gave[:, [a, b]])
        who = KINDS[kind], names[a], names[b], len(met.key)
        if not len(met.key):
            yield PairAgreement(*who, math.nan, undefined=NOTHING_SHARED)
            continue
        counts, _ = _counts(s, met)
        *_, value, why = _value(s, counts)
        sure = uncertainty(s.measure.coefficient, counts, s.w, value, Settings(level=level))
        yield PairAgreement(*who, value, sure.low, sure.high, why)


# ------------------------------------------------------------------ the comparison


@dataclass(frozen=True, eq=False, repr=False)
class ModelComparison(Result):
    """Models beside humans: the tests and all tables. M models, H humans; see `ModelAsCoder`."""

    told_as: ClassVar[str] = "compare-models"

    question: str | None
    sides: Sides
    tests: tuple[ModelTest, ...]
    unmoved: tuple[ModelTest, ...]
    alignment: str
    epsilon: Epsilon
    q: float
    min_items: int
    few: Few
    level: float
    signs: Signs = field(repr=False)

    @property
    def data(self) -> Annotations:
        """Everything that was compared."""
        return self.sides.data

    @property
    def humans(self) -> tuple[str, ...]:
        """(H,) names."""
        return self.sides.humans

    @property
    def models(self) -> tuple[str, ...]:
        """(M,) names."""
        return self.sides.models

    @property
    def left_out(self) -> Mapping[str, int]:
        """What did not enter, and how often."""
        return self.sides.left_out

    @property
    def n_shared(self) -> int:
        """Items that two humans or more annotated."""
        return int((self.sides.n_humans > 1).sum())

    @property
    def measure(self) -> str:
        """The coefficient of the tables: ``'alpha'``."""
        return self.sides.measure.key

    @property
    def measure_name(self) -> str:
        """The same as readers see it, with its weights."""
        return shown(self.sides.measure.coefficient.key, self.sides.w.name)

    def __getitem__(self, model: str) -> ModelTest:
        """The test of one model."""
        for test in self.tests:
            if test.model == model:
                return test
        raise unknown("model", model, self.models, have="there are")

    def __iter__(self) -> Iterator[ModelTest]:
        return iter(self.tests)

    # ------------------------------------------------------------------ tables

    @property
    def human_tests(self) -> tuple[HumanTest, ...]:
        """(M x H) each model beside each human."""
        return tuple(t for model in self.tests for t in model.tests)

    @cached_property
    def groups(self) -> tuple[GroupAgreement, ...]:
        """Agreement of two humans, of a human with each model, and of models."""
        return tuple(group_agreements(self.sides, self.level))

    @cached_property
    def pairs(self) -> tuple[PairAgreement, ...]:
        """Agreement of every pair of coders."""
        return tuple(pair_agreements(self.sides, self.level))

    @property
    def n_humans_left_out(self) -> int:
        """Humans that are not in the table of pairs, those with the fewest annotations."""
        return max(0, len(self.humans) - MOST_SHOWN)

    @cached_property
    def beside(self) -> tuple[Beside, ...]:
        """(M,) human–model beside human–human agreement on the same items, with a paired test."""
        return tuple(beside_group(self.sides, self.level))

    @cached_property
    def beside_each(self) -> tuple[Beside, ...]:
        """(M x H) each model and each human, each with the same other humans."""
        return tuple(beside_each(self.sides, self.level))

    @cached_property
    def rivals(self) -> tuple[ModelDifference, ...]:
        """Every pair of models by advantage probability, on the items of both."""
        return rivals(self.sides, self.tests, self.signs, self.level)

    @cached_property
    def best(self) -> str | None:
        """The model with the highest advantage probability; None for a tie, or without any."""
        known = [t for t in self.tests if t.passed is not None]
        top = max((t.advantage for t in known), default=math.nan) - 1e-12
        best = [t.model for t in known if t.advantage >= top]
        return best[0] if len(best) == 1 else None

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the numbers."""
        epsilon = self.epsilon
        if isinstance(epsilon, Mapping):
            epsilon = ", ".join(f"{name} {x}" for name, x in sorted(epsilon.items()))
        return (
            f"accordant {__version__} | model_as_coder: models {', '.join(self.models)}; "
            f"{len(self.humans)} humans; alignment {self.alignment}; epsilon {epsilon}; "
            f"q {self.q:g}; min_items {self.min_items}, few {self.few}; "
            f"{self.measure} ({self.sides.w.name}) | data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model: the test, and how far it agrees with the humans."""
        return [
            {"question": self.question}
            | test.to_rows()[0]
            | {
                "measure": self.measure,
                "human_agreement": beside.of_human,
                "model_agreement": beside.of_model,
                "difference": beside.difference,
                "difference_low": beside.low,
                "difference_high": beside.high,
                "difference_p_value": beside.p_value,
            }
            for test, beside in zip(self.tests, self.beside, strict=True)
        ]
