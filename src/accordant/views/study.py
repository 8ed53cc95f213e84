"""Everything a report tells, in one place: each question, and the whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations
from ..diagnosis import diagnose as diagnosis
from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Agreement
from ..numbers import count_of
from ..public import AgreementTable
from .document import Block, Choice
from .evidence import Collector
from .names import (
    POOLED,
    coefficient_name,
    compares_sets,
    key_of_row,
    short_weights,
    weights_text,
)

__all__ = ["Part", "Study", "name_for_all", "study"]

MOST_TOLD = 3  # questions in a sentence above a section
MOST_STEPS = 20  # of a scale with more numbers single values are not looked at
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Part:
    """One question, or all of them pooled: its coefficients and its diagnosis."""

    title: str
    found: diagnosis.Part
    agreements: tuple[Agreement, ...]
    of_sets: bool = False

    @property
    def question(self) -> str | None:
        """None for pooled questions, or a single one without a name."""
        return self.found.question

    @property
    def level(self) -> float:
        """Confidence level of all intervals."""
        return self.found.level

    @property
    def continuous(self) -> bool:
        """Whether values are measurements rather than categories."""
        scales = ("interval", "ratio", "circular")
        return self.found.scheme.scale in scales and self.found.counts.n_values > MOST_STEPS

    @property
    def measurements(self) -> str:
        """What to say instead of a table of categories."""
        return (
            f"{self.found.counts.n_values:,} different numbers on the "
            f"{self.found.scheme.scale} scale are measurements, not categories."
        )

    @property
    def in_part(self) -> str:
        """How far agreement counts in part on items, coders and pairs."""
        what = (
            "What counts as agreement of two sets" if self.of_sets else "Near misses count in part"
        )
        return f"{what}: {weights_text(self.found.w.name)}."

    def measured_by(self, what: str) -> str:
        """``what``, with the measure where there are several ways to compare two sets."""
        return f"{what} ({short_weights(self.found.w.name)})" if self.of_sets else what

    @property
    def sharing(self) -> str:
        """What two annotations do that have something in common, where they are sets."""
        return "share a label or both give none" if self.both_empty else "share a label"

    @property
    def both_empty(self) -> float:
        """How often two annotations of an item both say that no label applies."""
        found = self.found.structure
        return 0.0 if found is None or math.isnan(found.share_empty) else found.share_empty

    @property
    def main(self) -> Agreement:
        """The coefficient that is quoted first: the recommended one, if it was computed."""
        wanted = (self.found.recommendation.primary, "alpha", "pi", "kappa")
        return next((self[key] for key in wanted if key in self), self.agreements[-1])

    def name(self, row: Agreement) -> str:
        """The name of a coefficient of these data."""
        return coefficient_name(row, of_sets=self.of_sets)

    def get(self, key: str | None) -> Agreement | None:
        """A measure, if it was computed: by its own key, else by that of its coefficient."""
        each = {row.coefficient: row for row in reversed(self.agreements)}
        return (each | {key_of_row(row): row for row in reversed(self.agreements)}).get(str(key))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __getitem__(self, key: str | None) -> Agreement:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    @cached_property
    def _places(self) -> tuple[Ints, Ints]:
        """The items in the order of their patterns, and where each pattern starts."""
        counts = self.found.counts
        order = np.argsort(counts.pattern_of, kind="stable")
        start = np.searchsorted(counts.pattern_of[order], np.arange(counts.n_patterns + 1))
        return order, start

    def showing(self, patterns: Ints, most: int) -> Ints:
        """Up to ``most`` items that show one of the patterns, in the order of the data."""
        order, start = self._places
        times = self.found.counts.times[patterns]
        enough = int(np.searchsorted(np.cumsum(times), most)) + 1
        found = [order[start[p] : min(start[p] + most, start[p + 1])] for p in patterns[:enough]]
        return np.sort(np.concatenate([order[:0], *found])[:most])


@dataclass(frozen=True, eq=False)
class Study:
    """What a report is about. Parts: each question, and the whole last if there are several."""

    table: AgreementTable
    diagnosis: diagnosis.Diagnosis
    parts: tuple[Part, ...]
    collector: Collector

    @property
    def data(self) -> Annotations:
        """The annotations."""
        return self.table.data

    @property
    def whole(self) -> Part:
        """All annotations: pooled, or the only question."""
        return self.parts[-1]

    @property
    def questions(self) -> tuple[Part, ...]:
        """Each question; empty if there is only one."""
        return self.parts[:-1]

    @property
    def each(self) -> tuple[Part, ...]:
        """What stands for itself: each question, or the whole if there is only one."""
        return self.questions or (self.whole,)

    @property
    def first(self) -> tuple[Part, ...]:
        """What is told first: the whole, unless it pools what cannot be compared."""
        return (self.whole,) if self.diagnosis.same_scheme else self.questions

    @property
    def pooled_first(self) -> bool:
        """Whether the whole is told first, be it pooled or the only question."""
        return self.diagnosis.same_scheme

    @property
    def of_sets(self) -> bool:
        """Whether sets of labels are compared."""
        return self.whole.of_sets

    @property
    def comparable(self) -> bool:
        """Whether any item has two annotations."""
        return self.whole.found.coverage.n_pairable > 0

    def told(self, sentence: Callable[[Part], str]) -> str:
        """A sentence about what is told first; about several questions, each with its name."""
        return sentence(self.whole) if self.pooled_first else self.told_of(self.questions, sentence)

    def told_of(self, parts: Sequence[Part], sentence: Callable[[Part], str]) -> str:
        """A sentence about each of some questions."""
        if not self.questions:
            return sentence(parts[0])
        told = [f"{part.title}: {sentence(part)}" for part in parts[:MOST_TOLD]]
        hidden = len(parts) - len(told)
        return " ".join(
            [*told, *([f"{count_of(hidden, 'other question')} below."] if hidden else [])]
        )

    def per_question(
        self, parts: Sequence[Part], blocks: Callable[[Part], Iterator[Block]]
    ) -> tuple[Block, ...]:
        """The same blocks for each of some questions, but not for all together."""
        if not self.questions:
            return tuple(blocks(self.whole))
        return (Choice("Show", tuple((p.title, tuple(blocks(p))) for p in parts)),)

    def per_part(self, blocks: Callable[[Part], Iterator[Block]]) -> tuple[Block, ...]:
        """The same blocks for every part: a choice if there are several questions."""
        if not self.questions:
            return tuple(blocks(self.whole))
        order = self.parts if not self.pooled_first else (self.whole, *self.questions)
        return (Choice("Show", tuple((p.title, tuple(blocks(p))) for p in order)),)


def study(table: AgreementTable, *, order: str | None = None, gold: str | None = None) -> Study:
    """What there is to tell about annotations whose agreement was measured."""
    found = table.diagnosis
    if order is not None or gold is not None:
        found = diagnosis.diagnose(
            table.data, weights=table.weights, level=found.pooled.level, order=order, gold=gold,
            measured=table.rows,
        )  # fmt: skip
    parts = tuple(
        Part(
            POOLED if part.question is None else f"Question {part.question}",
            part,
            table.of_question(part.question),
            compares_sets(table.data),
        )
        for part in found.parts
    )
    return Study(table, found, parts, Collector())


def name_for_all(parts: tuple[Part, ...], key: str) -> str:
    """The name of a coefficient in all parts; the general one where they differ."""
    names = {part.name(part[key]) for part in parts}
    return names.pop() if len(names) == 1 else COEFFICIENTS[parts[0][key].coefficient].name
