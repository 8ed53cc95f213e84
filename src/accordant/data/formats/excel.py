"""Excel workbooks: one sheet, or a sheet for each coder; coloured cells are kept as a fact."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..options import Options
from ..table import Table
from .text import table_of_records

__all__ = ["read_excel"]

_DATE = (datetime.datetime, datetime.date)


def read_excel(path: Path, options: Options) -> Sequence[Table]:
    """The sheets of a workbook that hold anything, as tables."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, data_only=True)
    except Exception as e:  # openpyxl raises whatever zipfile, XML and its own parts raise
        raise InputError(
            f"the workbook cannot be opened, it may be damaged or protected ({e})", file=path.name
        ) from None
    sheets = [s for s in book.worksheets if any(c is not None for r in s.values for c in r)]
    if options.sheet is not None:
        sheets = [_chosen(book, options.sheet, path.name)]
    if not sheets:
        raise InputError("the workbook is empty: nothing to read", file=path.name)
    return [_table(s, path, options, alone=len(sheets) == 1) for s in sheets]


def _chosen(book: Any, name: str, file: str) -> Any:
    if name in book.sheetnames:
        return book[name]
    close = get_close_matches(name, book.sheetnames, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise InputError(
        f"there is no sheet {name!r}; the sheets are {', '.join(map(repr, book.sheetnames))}{hint}",
        file=file,
    )


def _table(sheet: Any, path: Path, options: Options, *, alone: bool) -> Table:
    source = path.name if alone else f"{path.name}, sheet {sheet.title!r}"
    rows = list(sheet.iter_rows())
    width = max((k + 1 for r in rows for k, c in enumerate(r) if c.value is not None), default=0)
    records = [[_text(c.value) for c in r[:width]] for r in rows]
    table = table_of_records(records, [r[0].row for r in rows if r], source, options.header)
    notes = [*table.notes, *_damage(sheet, rows)]
    coloured = _fills(rows, table)
    return replace(
        table, coder=path.stem if alone else sheet.title, notes=tuple(notes), fills=coloured
    )


def _text(value: Any) -> str:
    """A cell as text: 1.0 is '1', a date is ISO."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return str(value.date())
    return str(value)


def _damage(sheet: Any, rows: Sequence[Sequence[Any]]) -> list[str]:
    """What a spreadsheet does to data without a word."""
    notes = []
    if sheet.merged_cells.ranges:
        where = ", ".join(str(r) for r in islice(sheet.merged_cells.ranges, 3))
        notes.append(
            f"sheet {sheet.title!r} has merged cells ({where}): only their first cell holds a value"
        )
    hidden = sum(d.hidden for d in sheet.row_dimensions.values())
    if hidden:
        notes.append(f"sheet {sheet.title!r} has {hidden} hidden rows; they are read")
    dates = [c.coordinate for r in rows[1:] for c in r if isinstance(c.value, _DATE)]
    if dates:
        notes.append(
            f"sheet {sheet.title!r} has dates in {len(dates)} cells ({', '.join(dates[:3])}): "
            "Excel makes them of labels such as 3-4"
        )
    return notes


def _fills(rows: Sequence[Sequence[Any]], table: Table) -> tuple[tuple[int, str], ...]:
    """Cells whose colour differs from the others of their column, by record."""
    if not table.headed:
        return ()
    position = {table.row(k): k for k in range(len(table))}
    header = next(r for r in rows if any(c.value is not None for c in r))
    names = [" ".join(_text(c.value).split()) for c in header]
    found = []
    for k, name in enumerate(names):
        cells = [(r[k].row, _colour(r[k])) for r in rows if k < len(r) and r[k].row in position]
        usual = Counter(c for _, c in cells).most_common(1)
        found += [
            (position[row], f"{name}: {colour}")
            for row, colour in cells
            if colour and name and colour != usual[0][0]
        ]
    return tuple(sorted(found, key=lambda f: f[0]))


def _colour(cell: Any) -> str | None:
    if not cell.fill.fill_type:
        return None
    colour = cell.fill.fgColor
    return str(colour.rgb) if colour.type == "rgb" else f"{colour.type} {colour.value}"
