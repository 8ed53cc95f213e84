"""Rows of cells from the content of a file: delimited text, or the first sheet of a workbook."""

from __future__ import annotations

import csv
import io

from ...errors import InputError
from ..options import Options
from .encodings import decode, encoding_of
from .text import records_of, sniff

__all__ = ["WORKBOOK", "cells_of", "first_cells"]

WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods; .xls


def cells_of(content: bytes, source: str, options: Options) -> tuple[list[list[str]], list[int]]:
    """All rows that hold anything, with the line or row each starts on."""
    if content.startswith(WORKBOOK):
        from .excel import first_sheet

        return first_sheet(content, source)
    text = decode(content, source, None)
    return records_of(text.removeprefix("\ufeff"), sniff(text), source)


def first_cells(start: bytes) -> tuple[str, ...]:
    """The cells of the first row of a delimited text, of which this is the start; () if none."""
    encoding = encoding_of(start[: start.rfind(b"\n") + 1] or start)[0]  # not of a cut letter
    text = start.decode(encoding, "replace").lstrip("\ufeff \t\r\n")
    if not text or text[0] in "[{<" or "\0" in text[:2000]:
        return ()
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=sniff(text))
        return tuple(" ".join(c.split()) for c in next((r for r in rows if any(r)), []))
    except (csv.Error, InputError):
        return ()
