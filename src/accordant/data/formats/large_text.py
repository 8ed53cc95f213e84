"""Large delimited text files, read by DuckDB; the same result as `text`, sooner."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

from ...errors import InputError
from ..annotations import Annotations
from ..options import Options
from ..table import Table
from .header import has_header, unique_names, without_empty
from .panel import Relation, filled, read_panel
from .parquet import coded_columns
from .text import read_text, sniff

__all__ = ["read_large_text"]

_START = 1 << 20


def read_large_text(path: Path, options: Options) -> Table | Annotations:
    """A delimited text file as a table.

    Whatever DuckDB refuses (ragged rows, broken encoding) goes to the slower reader, which says
    where the file is broken.
    """
    import duckdb

    if options.header_row is not None:
        return read_text(path, options)
    try:
        return _read(path, options)
    except (duckdb.Error, UnicodeDecodeError, _UnlikeError):
        return read_text(path, options)


class _UnlikeError(Exception):
    """The file is not what DuckDB reads as we do."""


def _read(path: Path, options: Options) -> Table | Annotations:
    import duckdb

    with path.open("rb") as f:
        start = f.read(_START)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in start:
        raise _UnlikeError
    text = start[: start.rfind(b"\n") + 1].decode("utf-8-sig")
    delimiter = sniff(text)
    quote = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    records = [r for r in quote if any(c.strip() for c in r)]
    if len(records) < 3 or len(records[0]) < 2:
        raise _UnlikeError
    headed = has_header(records[:-1])
    width = len(records[0])
    names, notes = unique_names(records[0] if headed else [""] * width, headed)
    types = {f"c{k}": "varchar" for k in range(width)}
    some = " or ".join(map(filled, types))  # no blank lines
    with duckdb.connect() as con:
        con.execute(
            "create temp table cells as select * from read_csv(?, delim=?, quote='\"', "
            "escape='\"', header=false, skip=?, columns=?, auto_detect=false, "
            "null_padding=false, ignore_errors=false, strict_mode=true, nullstr='') "
            f"where {some}",
            [str(path), delimiter, int(headed and _lines_of_header(text, delimiter)), types],
        )
        quotes = " or ".join(f"starts_with({name}, '''')" for name in types)
        guarded = con.execute(f"select 1 from cells where {quotes} limit 1").fetchone()
        if headed and not guarded:
            relation = Relation("cells", [], list(types), ["VARCHAR"] * width, names, "rowid")
            found = read_panel(con, relation, options, path.name)
            if found is not None:
                return found
        columns = coded_columns(con, "cells", [])
    named = [replace(c, name=n) for c, n in zip(columns, names, strict=True)]
    if not named or not len(named[0]):
        raise InputError("only a header was found: nothing to read", file=path.name)
    kept, dropped = without_empty(named)
    return Table(
        path.name, kept, _Rows(path, options, headed), notes=notes + dropped, headed=headed
    )


def _lines_of_header(text: str, delimiter: str) -> int:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for record in reader:
        if any(c.strip() for c in record):
            return reader.line_num
    return 0


class _Rows:
    """The line of a record, found by reading the file again: only errors need it."""

    def __init__(self, path: Path, options: Options, headed: bool) -> None:
        self.path, self.options, self.headed = path, options, headed
        self.lines: list[int] | None = None

    def __call__(self, k: int) -> int | None:
        if self.lines is None:
            table = read_text(self.path, self.options)
            self.lines = [table.row(j) or 0 for j in range(len(table))]
        return self.lines[k]
