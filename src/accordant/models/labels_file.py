"""Rows about items to a file, in the formats that annotations are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..data.sheet import Field, save_sheet

__all__ = ["write_rows"]


def write_rows(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows with the same keys; the suffix says the format, NaN becomes an empty cell."""
    names = list(rows[0]) if rows else []
    sheet = tuple(Field(name, [_cell(row[name]) for row in rows]) for name in names)
    save_sheet(sheet, path)


def _cell(x: Any) -> Any:
    if isinstance(x, bool):
        return int(x)
    if isinstance(x, tuple):
        return " + ".join(map(str, x))
    return None if isinstance(x, float) and x != x else x
