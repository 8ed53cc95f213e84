"""Results as rows: one for each of several questions, and written to a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ..data.sheet import Field, save_sheet
from ..errors import unknown
from ..results import Result


class _Result(Protocol):
    told_as: ClassVar[str]

    @property
    def question(self) -> str | None: ...

    def to_rows(self) -> list[dict[str, Any]]: ...


T = TypeVar("T", bound=_Result)


@dataclass(frozen=True, eq=False, repr=False)
class Each(Result, Generic[T]):
    """The results of several questions, in the order of the data; ``results["stance"]`` is one."""

    each: tuple[T, ...]

    @property
    def told_as(self) -> str:  # type: ignore[override]
        """As each of them."""
        return self.each[0].told_as

    @property
    def told_parts(self) -> tuple[T, ...]:
        """Each of them."""
        return self.each

    def __iter__(self) -> Iterator[T]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, question: str) -> T:
        for one in self.each:
            if one.question == question:
                return one
        raise unknown("question", question, (one.question for one in self.each))

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of all; a column that one of them does not have is None."""
        rows = [row for one in self.each for row in one.to_rows()]
        names = list(dict.fromkeys(key for row in rows for key in row))
        return [{name: row.get(name) for name in names} for row in rows]


def write_rows(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows with the same keys; the suffix says the format, NaN becomes an empty cell.

    Marks are 0 or 1, and a label that is a boolean is a word, so that it is read as one again.
    """
    names = list(rows[0]) if rows else []
    sheet = tuple(Field(name, [_cell(name, row[name]) for row in rows]) for name in names)
    save_sheet(sheet, path)


def _cell(name: str, x: Any) -> Any:
    if isinstance(x, bool):
        return str(x) if name == "label" else int(x)
    if isinstance(x, tuple):
        return " + ".join(map(str, x))
    return None if isinstance(x, float) and x != x else x
