"""Rows about items to a file, in the formats that annotations are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..data.sheet import Field, save_sheet

__all__ = ["write_rows"]


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
