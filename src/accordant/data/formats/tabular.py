"""Rows of cells of tables that platforms export: delimited text, workbooks, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import InputError
from ..options import Options
from .archives import WORKBOOK
from .encodings import decode, encoding_of
from .excel import first_sheet
from .format import File
from .header import unique_names
from .records import Records
from .text import records_of, sniff

MOST_WORKBOOK = 16 << 20  # bytes of a workbook that is opened to see whose export it is


@dataclass(frozen=True)
class Row:
    """A row: its file, its line there, and its cells by the names of the columns."""

    file: File
    line: int
    cells: dict[str, str]


def header_of(file: File) -> tuple[str, ...]:
    """The cells of the first row of a delimited text or of the first sheet; () if it is none.

    A workbook is opened for it, unless it is large.
    """
    try:
        if file.start.startswith(WORKBOOK):
            content = file.load()
            rows = [] if len(content) > MOST_WORKBOOK else first_sheet(content, "")[0]
            return tuple(rows[0]) if rows else ()
        start = file.start[: file.start.rfind(b"\n") + 1] or file.start  # not of a cut letter
        text = file.start.decode(encoding_of(start)[0], "replace").lstrip("\ufeff \t\r\n")
        if not text or text[0] in "[{<" or "\0" in text[:2000]:
            return ()
        found = csv.reader(io.StringIO(text, newline=""), delimiter=sniff(text))
        return tuple(" ".join(c.split()) for c in next((r for r in found if any(r)), []))
    except (csv.Error, InputError):
        return ()


def rows_of(files: Sequence[File], options: Options, to: Records) -> list[Row]:
    """The rows of all files that hold anything; those that do not fit their header are counted."""
    found = list[Row]()
    for file in files:
        if file.head[:1] in "[{":
            for n, record in file.records(options):
                if isinstance(record, dict):
                    found.append(Row(file, n, {str(k): _text(v) for k, v in record.items()}))
            continue
        content = file.load()
        if content.startswith(WORKBOOK):
            records, lines = first_sheet(content, file.source)
        else:
            text = decode(content, file.source).removeprefix("\ufeff")
            records, lines = records_of(text, sniff(text), file.source)
        filled = [(n, r) for n, r in zip(lines, records, strict=True) if any(c.strip() for c in r)]
        names = unique_names(filled[0][1], True)[0] if filled else []
        for n, record in filled[1:]:
            if any(c.strip() for c in record[len(names) :]) or len(record) < min(2, len(names)):
                to.leave_out("rows with more or fewer cells than the header")
            else:
                cells = dict(zip(names, (c.strip() for c in record), strict=False))
                found.append(Row(file, n, cells))
    return found


def as_json(cell: str) -> Any:
    """The list or the object that a cell holds; None if none."""
    try:
        return json.loads(cell) if cell[:1] in ("[", "{") else None
    except (ValueError, RecursionError):
        return None


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
