"""Everything a report tells, in one place: each question, and the whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..data.annotations import Annotations
from ..diagnosis import diagnose as diagnosis
from ..diagnosis.agreement import AgreementTable
from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Agreement
from ..numbers import count_of
from .blocks import Block, Chart, Choice, Matrix, Prose, Table
from .document import Section
from .evidence import Collector
from .names import (
    coefficient_name,
    compares_sets,
    key_of_row,
    measured_by,
    measurements,
)  # fmt: skip
from .view import POOLED, View, named

__all__ = ["Part", "Study", "name_for_all", "study", "told_by"]

NO_OPTIONS: Mapping[str, Mapping[str, Any]] = {}
MOST_ROWS = 25  # of a table
MOST_TOLD = 3  # questions in a sentence above a section


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
        return self.found.continuous

    @property
    def measurements(self) -> str:
        """What to say instead of a table of categories."""
        return measurements(self.found)

    def measured_by(self, what: str) -> str:
        """``what``, with the measure where there are several ways to compare two sets."""
        return measured_by(self.found, what)

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


def told_by(
    study: Study, key: str, title: str, *names: str, of: str = "diagnose",
    options: Mapping[str, Mapping[str, Any]] = NO_OPTIONS,
) -> Section | None:  # fmt: skip
    """A section of the report made of views, question by question; None if they say nothing.

    ``options`` are those of views, by their names. The first view stands open, the others are
    details.
    """
    views = [named(of, name) for name in names]

    def blocks(part: Part, *, whole: bool = False) -> Iterator[Block]:
        for v in views:
            if v.whole == whole:
                made = _blocks(v, part, options.get(v.name, {}))
                yield from made if v is views[0] else map(_detail, made)

    once = tuple(blocks(study.whole, whole=True))
    parts = (*study.first, *study.questions) if study.pooled_first else study.questions
    told = [b for b in study.per_question(parts, blocks) if not isinstance(b, Choice) or _filled(b)]
    found = (*once, *told)
    return Section(key, title, _lead(found), found) if found else None


def _lead(blocks: Sequence[Block]) -> str:
    """What was found, in the words of the first chart or matrix; of some questions of each."""
    first = next((b for b in blocks if isinstance(b, Chart | Matrix | Choice)), None)
    if first is None or not isinstance(first, Choice):
        return f"{first.title}." if first is not None and first.title else ""
    each = [(name, _lead(inside)) for name, inside in first.options[:MOST_TOLD]]
    return " ".join(f"{name}: {told}" for name, told in each if told)


def _filled(choice: Choice) -> bool:
    return any(inside for _, inside in choice.options)


def _blocks(v: View, part: Part, options: Mapping[str, Any]) -> Iterator[Block]:
    """The blocks of a view that shows more than why there is nothing to show.

    A first table without a title bears that of the view.
    """
    made = tuple(v.make(part.found, **options))
    shows = not all(isinstance(block, Prose) for block in made)
    for n, block in enumerate(made if shows else ()):
        if isinstance(block, Chart):
            yield replace(block, table=_fewer(block.table))
        elif isinstance(block, Table):
            bare = n == 0 and not block.title
            yield _fewer(replace(block, title=v.title) if bare else block)
        else:
            yield block


def _detail(block: Block) -> Block:
    if isinstance(block, Chart):
        return replace(block, table=replace(block.table, depth="detail"))
    return replace(block, depth="detail") if isinstance(block, Table | Matrix | Prose) else block


def _fewer(table: Table) -> Table:
    """The table with as many rows as a page has room for."""
    most = table.most or MOST_ROWS
    if len(table.rows) <= most:
        return table
    note = f"The first {most} of {len(table.rows):,} rows are shown."
    return replace(table, rows=table.rows[:most], notes=(*table.notes, note))
