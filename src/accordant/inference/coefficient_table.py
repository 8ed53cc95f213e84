"""Coefficients of several questions as a table, and the table of how two data sets differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.coefficient_value import Agreement
from ..measure.measures import key_of, measures
from ..messages import Message
from ..results import Result

if TYPE_CHECKING:
    from .comparison import Comparison


_Row = TypeVar("_Row", Agreement, "Comparison")


class CoefficientTable(Result, Generic[_Row]):
    """Rows of questions and coefficients: each question, then all pooled if there are several."""

    rows: tuple[_Row, ...]

    def __iter__(self) -> Iterator[_Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def questions(self) -> tuple[str | None, ...]:
        """The questions of the rows; None for all pooled."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    def of_question(self, question: str | None) -> tuple[_Row, ...]:
        """The rows of one question; None for the pooled ones."""
        return tuple(r for r in self.rows if r.question == question)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per question and coefficient."""
        return [row for r in self.rows for row in r.to_rows()]


@dataclass(frozen=True, eq=False)
class ComparisonPart:
    """The differences of one question, or of all pooled, with the two sets of annotations."""

    question: str | None
    rows: tuple[Comparison, ...]
    table: ComparisonTable

    @property
    def of_sets(self) -> bool:
        """Whether sets of labels are compared."""
        return any(data.scheme.max_labels != 1 for data in self.table.data)


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonTable(CoefficientTable["Comparison"]):
    """Coefficients before and after, per question and pooled; made by `compare`."""

    told_as: ClassVar[str] = "compare"

    rows: tuple[Comparison, ...]
    data: tuple[Annotations, Annotations]

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """How the test was done, and what makes the two data sets hard to compare."""
        from .comparison import remarks

        return tuple(remarks(*self.data, self.rows))

    @property
    def told_parts(self) -> tuple[ComparisonPart, ...]:
        """Each question, then all pooled if there are several."""
        return tuple(ComparisonPart(name, self.of_question(name), self) for name in self.questions)

    def __getitem__(self, key: str | tuple[str | None, str]) -> Comparison:
        """``table["alpha"]`` or ``table["q1", "alpha"]``."""
        return row_of(self.rows, key)


def row_of(rows: Sequence[_Row], key: int | str | tuple[str | None, str]) -> _Row:
    """The row of a position, or of a coefficient, pooled or of a question."""
    if isinstance(key, Integral):
        if not -len(rows) <= key < len(rows):
            raise IndexError(f"the table has {len(rows)} rows, there is no row {key}")
        return rows[int(key)]
    question, name = key if isinstance(key, tuple) and len(key) == 2 else (None, key)
    wanted = measures(str(name))[0]
    named = {row.question for row in rows}
    if question is None and len(named) == 1:
        question = named.pop()
    own = [r for r in rows if r.question == question and r.coefficient == wanted.coefficient.key]
    if wanted.weights is None:  # "kappa" is augmented κ only where there is no other
        own.sort(key=lambda r: key_of(r.coefficient, r.weights) != r.coefficient)
    for row in own:
        base = row.weights.partition("-by-")[0]
        if wanted.weights in (None, base, base.partition(":")[0]):
            return row
    have = ", ".join(dict.fromkeys(key_of(r.coefficient, r.weights) for r in rows))
    asked = f" of question {question!r}" if question else ""
    raise RequestError(f"the table has no {wanted.key!r}{asked}: it has {have}")
