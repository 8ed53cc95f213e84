"""A table of every question, as `accordant diagnose --show` shows it: rows, and what is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.finding import Finding
from ..diagnosis.words import label_text
from ..numbers import joined
from ..views.document import Column, Table
from ..views.names import POOLED
from .asked import Asked

__all__ = ["MOST", "Breakdown", "Broken", "Maker", "broken_down"]

Row: TypeAlias = Mapping[str, Any]

MOST = 20  # rows of a question that a reader sees
QUESTION = Column("question", "question")


@dataclass(frozen=True)
class Breakdown:
    """One table of one question.

    ``rows`` are unrounded and may hold more than ``columns`` show; ``notes`` stand below. Readers
    see ``fewer`` rows where all would be too many.
    """

    rows: Sequence[Row]
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    fewer: Sequence[Row] | None = None

    @property
    def shown(self) -> Sequence[Row]:
        """What readers see."""
        return self.rows if self.fewer is None else self.fewer


Maker: TypeAlias = Callable[[Part, Asked], Breakdown]


@dataclass(frozen=True)
class Broken:
    """The same table of several questions; ``findings`` are those that are the rows, if any."""

    title: str
    parts: tuple[tuple[str | None, Breakdown], ...]
    most: int | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, those of each question behind its name, with the same keys in each."""
        rows = [
            {"question": question} | dict(row)
            for question, each in self.parts
            for row in each.rows[: self.most]
        ]
        keys = dict.fromkeys(key for row in rows for key in row)
        return [{key: row.get(key) for key in keys} for row in rows]

    def rows_as(self, kind: str) -> list[dict[str, Any]]:
        """The rows in a format: in JSON findings have all that is behind them."""
        if kind == "json" and self.findings:
            return [finding.nested() for finding in self.findings[: self.most]]
        return self.rows

    def of(self, question: str | None) -> Broken | None:
        """The table of one question; None if there is none."""
        parts = tuple(part for part in self.parts if part[0] == question)
        return replace(self, parts=parts) if parts else None

    def table(self, most: int | None = None) -> Table:
        """What readers see: the first ``most`` rows of each question."""
        most = self.most or most
        several = len(self.parts) > 1
        columns = dict.fromkeys(c for _, each in self.parts for c in each.columns)
        rows = [
            {"question": question or POOLED} | _readable(row)
            for question, each in self.parts
            for row in each.shown[:most]
        ]
        notes = dict.fromkeys(note for _, each in self.parts for note in each.notes)
        return Table(
            self.title, (*((QUESTION,) if several else ()), *columns), tuple(rows),
            (*notes, *self._left(most)),
        )  # fmt: skip

    def _left(self, most: int | None) -> list[str]:
        """That there are more rows, and how to see them."""
        left = [len(each.shown) - most for _, each in self.parts if most and len(each.shown) > most]
        if not left:
            return []
        more = joined((f"{n:,}" for n in left), most=4)
        return [
            f"and {more} more: --most {(most or 0) + max(left)} shows all, as does --format csv"
        ]


def broken_down(found: Diagnosis, make: Maker, asked: Asked) -> Broken:
    """A table of each question; of all together too where they share a scheme.

    The first line of the docstring of ``make`` is the title.
    """
    parts = found.parts if found.same_scheme else found.each
    title = (make.__doc__ or "").split("\n")[0].rstrip(".")
    return Broken(title, tuple((p.question, make(p, asked)) for p in parts), asked.most)


def _readable(row: Row) -> dict[str, Any]:
    """The row with label sets as text."""
    return {key: label_text(x) if isinstance(x, tuple) and _of_labels(x) else x
            for key, x in row.items()}  # fmt: skip


def _of_labels(x: tuple[Any, ...]) -> bool:
    """Whether a tuple is a set of labels, not an interval."""
    return not all(isinstance(each, float) for each in x) or not x
