"""What the columns of a table are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

__all__ = ["Cell", "Plan"]


@dataclass(frozen=True)
class Cell:
    """A column of labels: which question it answers, and whose it is (None: unsaid)."""

    column: str
    question: str = ""
    coder: str | None = None


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
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)  # column that is left out -> why
    says: Mapping[str, Any] = field(default_factory=dict)  # options of `read` that lead to it

    @cached_property
    def used(self) -> set[str]:
        """The columns that play a role."""
        roles = {self.item, self.coder, self.question, self.text, self.status}
        return {c for c in roles if c} | {c.column for c in self.cells}
