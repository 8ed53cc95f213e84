"""What the report of a project tells of a round: each question, and the whole."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.annotations import Annotations
from ..diagnosis import diagnose as diagnosis
from ..diagnosis.agreement import AgreementPart, AgreementTable
from ..measure.results import Agreement
from .coefficients import name_for_all
from .evidence import Collector
from .names import coefficient_name
from .view import POOLED

__all__ = ["Part", "Study", "name_for_all", "study"]


class Part(AgreementPart):
    """One question, or all of them pooled: its coefficients and its diagnosis."""

    @property
    def title(self) -> str:
        """What stands above it."""
        return POOLED if self.question is None else f"Question {self.question}"

    @property
    def found(self) -> diagnosis.Part:
        """Where and why the coders disagree on it."""
        return self.diagnosed

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """Its coefficients."""
        return self.rows

    def name(self, row: Agreement) -> str:
        """The name of a coefficient of these data."""
        return coefficient_name(row, of_sets=self.of_sets)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __getitem__(self, key: str) -> Agreement:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found


@dataclass(frozen=True, eq=False)
class Study:
    """What a report is about. Parts: each question, and the whole last if there are several."""

    table: AgreementTable
    parts: tuple[Part, ...]
    collector: Collector

    @property
    def data(self) -> Annotations:
        """The annotations."""
        return self.table.data

    @property
    def diagnosis(self) -> diagnosis.Diagnosis:
        """Where and why the coders disagree."""
        return self.table.diagnosis

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
    def pooled_first(self) -> bool:
        """Whether the whole is told first, be it pooled or the only question."""
        return self.diagnosis.same_scheme


def study(table: AgreementTable) -> Study:
    """What there is to tell about annotations whose agreement was measured."""
    parts = (Part(p.question, p.rows, p.data, table) for p in table.told_parts)
    return Study(table, tuple(parts), Collector())
