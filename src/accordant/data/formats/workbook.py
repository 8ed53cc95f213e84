"""The cells of a workbook (.xlsx, .xls, .ods), as python-calamine reads them."""

from __future__ import annotations

from io import BytesIO
from typing import Any, TypeAlias

import python_calamine as calamine

__all__ = ["Sheet", "sheets_of"]

Sheet: TypeAlias = tuple[str, list[list[Any]], tuple[tuple[int, int, int, int], ...]]


def sheets_of(content: bytes) -> list[Sheet]:
    """Name, rows, and merged ranges (top, left, bottom, right, from 0) of each worksheet."""
    book = calamine.CalamineWorkbook.from_filelike(BytesIO(content))
    names = [m.name for m in book.sheets_metadata if str(m.typ).endswith("WorkSheet")]
    return [
        (
            s.name, s.to_python(skip_empty_area=False),
            tuple((*a, *b) for a, b in s.merged_cell_ranges or ()),
        )
        for s in map(book.get_sheet_by_name, names)
    ]  # fmt: skip
