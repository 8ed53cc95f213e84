"""What the columns of a table are for, and one way to read it with its evidence in bits.

The weights were set on generated tables of other seeds than those of the tests; `recognition`
compares the readings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .evidence import Facts


@dataclass(frozen=True)
class Cell:
    """A column of labels: its question, its coder or its item (None: unsaid)."""

    column: str
    question: str = ""
    coder: str | None = None
    item: str | None = None


@dataclass(frozen=True)
class Plan:
    """What each column is for."""

    layout: str
    cells: tuple[Cell, ...]
    item: str | None = None
    coder: str | None = None
    question: str | None = None
    text: str | None = None
    status: str | None = None
    occasion: str | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    says: Mapping[str, Any] = field(default_factory=dict)  # options of `read` that lead to it

    @cached_property
    def used(self) -> set[str]:
        """The columns that play a role."""
        roles = {self.item, self.coder, self.question, self.text, self.status, self.occasion}
        return {c for c in roles if c} | {c.column for c in self.cells}


NAME, SERIES, GOLD, FACT = 3.0, 2.0, 10.0, 5.0
OVERLAP, AGREE, ORIENT, PAIR = 6.0, 4.0, 4.0, 3.0

ASKED = 1.0  # bits of a decision that values cannot make
STOPS, WARNS = 1.0, 3.0  # bits below which reading stops, or warns


@dataclass(frozen=True)
class Flip:
    """A decision the other way: what it costs in bits, what it says, the options that say so."""

    bits: float
    says: str
    options: Mapping[str, Any]
    layout: str = ""  # if it is another


@dataclass(frozen=True)
class Hypothesis:
    """One way to read a table."""

    layout: str
    cells: tuple[Cell, ...]
    item: str | None = None
    coder: str | None = None
    question: str | None = None
    bits: float = 0.0
    flips: tuple[Flip, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of labels."""
        return tuple(c.column for c in self.cells)

    @property
    def options(self) -> dict[str, Any]:
        """What a user would type to have this reading."""
        if self.layout == "wide":
            said: dict[str, Any] = {"coder": list(self.columns)}
            if any(c.question for c in self.cells):
                said = {"coder": list(dict.fromkeys(c.coder for c in self.cells)), "layout": "wide"}
        else:
            said = {"coder": self.coder, "label": list(self.columns)}
            if len(self.columns) == 1:
                said["label"] = self.columns[0]
        if self.layout == "onehot" or (self.coder is None and self.layout == "long"):
            said["layout"] = self.layout
        said |= {"item": self.item, "question": self.question}
        return {name: value for name, value in said.items() if value}


def name_of(column: Facts | None) -> str | None:
    """The name of a column, if there is one."""
    return None if column is None else column.name
