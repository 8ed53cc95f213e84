"""A field: how a fact is called, how its number is written, what it means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from .numbers import NOTHING, decimal, interval, joined, p_value, percent

__all__ = ["Field", "Kind", "cell", "telling"]

Kind: TypeAlias = Literal[
    "text", "list", "count", "value", "share", "bar", "percent", "ratio", "bits", "p", "interval"
]
"""How a value is written: estimates, shares and probabilities with three decimals, ``bar`` with a
bar beside it where there is room, ``percent`` for shares of the data at hand in sentences."""

DIGITS: Mapping[str, int] = {"value": 3, "share": 3, "bar": 3, "bits": 2}


@dataclass(frozen=True)
class Field:
    """One fact about something: a column of a table, a value in a sentence.

    Parameters
    ----------
    key : str
        What programs call it.
    heading : str
        What people call it.
    kind : Kind
    help : str
        What it means, where the heading cannot say it.
    ends : tuple of str
        Keys of the lower and the upper end: one cell for people, two keys for programs.
    of : str
        Key of the column without which this one is not shown, such as that of an estimate.
    names : mapping
        What people call the values of the field, by what programs call them.
    """

    key: str
    heading: str
    kind: Kind = "text"
    help: str = ""
    ends: tuple[str, ...] = ()
    of: str = ""
    names: Mapping[Any, str] = field(default_factory=dict, hash=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a row that it shows."""
        return self.ends or (self.key,)

    def called(self, heading: str, *, key: str | None = None, help: str | None = None) -> Field:
        """The field under a heading that comes from the data, such as the name of a coder."""
        return replace(
            self,
            heading=heading,
            key=self.key if key is None else key,
            help=self.help if help is None else help,
        )

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has something under it: no empty text, undefined number or count of 0."""
        values = [row.get(key) for key in self.keys]
        return any(
            x is not None and x != "" and x == x and (x != 0 or self.kind != "count")
            for x in values
        )

    def shown(self, x: Any) -> str:
        """A value as people read it; of a field with ends, x holds both."""
        if self.kind == "interval":
            return interval(*(x if x is not None else (None, None)))
        if self.kind == "list" and not isinstance(x, str):
            return joined(map(str, x))
        if self.kind in ("text", "list") or isinstance(x, str):
            return "" if x is None else self.names.get(x, str(x))
        if x is None or (isinstance(x, float) and math.isnan(x)):
            return NOTHING
        return _number(self.kind, x)


def _number(kind: Kind, x: float) -> str:
    if kind == "count":
        return f"{x:,.0f}"
    if kind == "percent":
        return percent(x)
    if kind == "p":
        return p_value(x)
    if kind == "ratio":
        return f"{decimal(x, 1)} ×"
    return decimal(x, DIGITS[kind])


def cell(what: Field, row: Mapping[str, Any]) -> str:
    """The cell of a row; empty where the row has nothing of the kind, such as a row of means."""
    if not any(key in row for key in what.keys):
        return ""
    values = tuple(row.get(key) for key in what.keys)
    return what.shown(values if what.ends else values[0])


def telling(shown: Iterable[Field], rows: Sequence[Mapping[str, Any]]) -> tuple[Field, ...]:
    """The columns without texts that are empty in every row, and without what belongs to those.

    The first says what the rows are about and stays.

    Examples
    --------
    >>> shown = [Field(key, key) for key in ("coder", "note")]
    >>> [field.key for field in telling(shown, [{"coder": "A", "note": ""}])]
    ['coder']
    """
    found: list[Field] = []
    silent: set[str] = set()
    for one in shown:
        empty = one.kind in ("text", "list") and not any(cell(one, row) for row in rows)
        if found and rows and (empty or one.of in silent):
            silent.add(one.key)
        else:
            found.append(one)
    return tuple(found)
