"""CSV, TSV and every other delimited text file."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from ...actions import Action, Notice
from ...errors import InputError
from ..options import Options
from ..surveys import IMPORT_ID
from ..table import BLANK, Table, encode, plain
from .encodings import decode, encoding_of
from .header import (
    Extent,
    counts_up,
    extent_of,
    filled_down,
    join_header,
    unique_names,
    without_empty,
)

DELIMITERS = ",\t;|"
LARGE = 8 << 20  # bytes from which the engine splits the cells
_START = 1 << 18  # bytes that show how it has to
_COMMA = re.compile(r"[-+]?\d+,\d+")


def read_text(path: Path, options: Options, content: bytes | None = None) -> Table:
    """A delimited text file as a table, or one `InputError` that says where it is broken."""
    large = content is None and path.stat().st_size > LARGE
    if large and options.header_row is None:
        found = _by_engine(path, options)
        if found is not None:
            return found
    content = path.read_bytes() if content is None else content
    text = decode(content, path.name)
    if not text.strip():
        raise InputError("the file is empty: nothing to read", file=path.name)
    delimiter = sniff(text)
    records, lines = records_of(text, delimiter, path.name)
    table = table_of_records(records, lines, path.name, options)
    if len(table.columns) < 2:
        why = "annotations need at least an item, a coder and a label, or a column for each coder"
        raise InputError(
            f"only one column was found, separated by {delimiter!r}: {records[0][0][:60]!r}; {why}",
            file=path.name,
            row=lines[0],
        )
    _, told, doubt = encoding_of(content)
    notes = (*table.notes, told) if told and not doubt else table.notes
    return replace(table, notes=notes, warnings=(told,) if doubt else ())


def _by_engine(path: Path, options: Options) -> Table | None:
    """A large file whose cells DuckDB splits; None where a row is broken or text stands around."""
    import duckdb

    with path.open("rb") as f:
        start = f.read(_START)
    try:
        text = start[: start.rfind(b"\n") + 1].decode("utf-8-sig")
        delimiter = sniff(text)
        records, lines = records_of(text, delimiter, path.name)
    except (UnicodeDecodeError, InputError):
        return None
    if len(records) < 4 or len(records[0]) < 2 or "\0" in text:
        return None
    at = extent_of(records[:-1], lines)
    if at.top or at.depth > 1:
        return None
    width = len(records[0])
    try:
        with duckdb.connect() as con:
            con.execute(
                "create temp table cells as select * from read_csv(?, delim=?, quote='\"', "
                "escape='\"', header=false, skip=?, columns=?, auto_detect=false, "
                "null_padding=false, ignore_errors=false, strict_mode=true, nullstr='')",
                [
                    str(path),
                    delimiter,
                    at.depth and lines[1] - 1,
                    {f"c{k}": "varchar" for k in range(width)},
                ],
            )
            from .parquet import coded_columns

            columns = list(coded_columns(con, "cells", []).values())
    except duckdb.Error:
        return None
    names, notes = unique_names(records[0] if at.depth else [""] * width, at.depth > 0)
    named = [replace(c, name=n) for c, n in zip(columns, names, strict=True)]
    filled = np.any([c.codes != BLANK for c in named], axis=0)
    if not filled.all():
        named = [c.at(np.flatnonzero(filled)) for c in named]
    kept, dropped = without_empty(named)
    rows = cache(lambda: read_text(path, options, path.read_bytes()))
    table = Table(path.name, kept, lambda k: rows().row(k), notes=(*notes, *dropped))
    return replace(table, headed=at.depth > 0)


def sniff(text: str) -> str:
    r"""The delimiter, whatever the file is called: the one that gives rows of equal length.

    Examples
    --------
    >>> sniff("item;A;B\n1;0,5;1\n2;1,5;2")
    ';'
    """
    sample = text[: 1 << 16]
    cut = len(sample) < len(text)
    best, score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
            rows = [r for r in reader if r]
        except csv.Error:
            continue
        if delimiter in "\t;" and _decimal_commas(rows):
            return delimiter
        widths = [len(r) for r in (rows[:-1] if cut and len(rows) > 2 else rows)[:200]]
        usual, times = Counter(widths).most_common(1)[0] if widths else (0, 0)
        if usual > 1 and (times / len(widths), usual) > score and widths[0] > 1:
            best, score = delimiter, (times / len(widths), usual)
    return best


def _decimal_commas(rows: list[list[str]]) -> bool:
    """Whether rows of one width hold numbers with a decimal comma in half of their cells."""
    cells = [c for r in rows[1:200] for c in r if c]
    joined = sum(_COMMA.fullmatch(c.strip()) is not None for c in cells)
    same = len({len(r) for r in rows[:200]}) == 1 < len(rows[0]) if rows else False
    return same and 2 * joined > len(cells)


def records_of(text: str, delimiter: str, name: str) -> tuple[list[list[str]], list[int]]:
    """The records that hold anything, with the line each starts on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    records: list[list[str]] = []
    lines: list[int] = []
    line = 1
    try:
        for record in reader:
            if record:
                records.append(record)
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as e:
        raise InputError(
            f"the line cannot be read ({e}). Often a quotation mark is opened here and never "
            "closed",
            file=name,
            row=line,
        ) from None
    return records, lines


def table_of_records(
    records: list[list[str]], lines: list[int], name: str, options: Options
) -> Table:
    """A table from rows of cells, with one header row, two, or none."""
    keep = [k for k, r in enumerate(records) if any(c and c.strip() for c in r)]
    if len(keep) < len(records):
        records, lines = [records[k] for k in keep], [lines[k] for k in keep]
    if not records:
        raise InputError("the file is empty: nothing to read", file=name)
    described = list[str]()
    if len(records) > 3 and any(c.startswith(IMPORT_ID) for c in records[2]):  # of Qualtrics
        described = records[1]
        records, lines = [records[0], *records[3:]], [lines[0], *lines[3:]]
    at = extent_of(records, lines, _row_said(records, lines, name, options))
    left = tuple(_left_out(records, lines, at))
    headed = at.depth > 0
    records, lines = records[at.top : at.end], lines[at.top : at.end]
    head = join_header(*records[:2]) if at.depth == 2 else records[0]
    width = _width([head, *records[at.depth :]], headed)
    body, where = records[at.depth :], lines[at.depth :]
    if not body:
        raise InputError(
            f"only a header was found ({_shown(records[0])}): there are no annotations below it",
            file=name,
            row=lines[0],
        )
    if len(set(map(len, body))) > 1 or len(body[0]) != width:
        body = [_fit(r, width, name, line) for r, line in zip(body, where, strict=True)]
    body, n_filled = filled_down(body)
    if n_filled:
        why = "blank cells of the first column repeat the one above, as merged cells do"
        left += (f"{n_filled:,} {why}",)
    names, notes = unique_names(head[:width] if headed else [""] * width, headed)
    columns = [encode(n, c) for n, c in zip(names, zip(*body, strict=True), strict=True)]
    kept, dropped = without_empty(columns)
    doubts = tuple[Notice, ...]()
    if at.depth == 1 and options.header_row is None and counts_up(head):
        doubt = f"the first row ({', '.join(head[:6])}) is read as the names of the columns"
        doubts = (Notice(doubt, Action("", {"header_row": 0}, "if it holds labels")),)
    return Table(
        name,
        kept,
        where.__getitem__,
        notes=(*left, *notes, *dropped),
        headed=headed,
        warnings=doubts,
        described=dict(zip(names, described, strict=False)),
    )


def _row_said(
    records: list[list[str]], lines: list[int], name: str, options: Options
) -> int | None:
    """Which of the records is the header, -1 if none is; None if the user does not say so."""
    if options.header_row is None:
        said = options.columns_said
        rows = ({" ".join(c.split()) for c in r} for r in records[:12])
        return next((k for k, row in enumerate(rows) if said <= row), None) if said else None
    if options.header_row == 0:
        return -1
    if options.header_row not in lines:
        raise InputError(
            f"row {options.header_row} is said to name the columns, but it holds nothing",
            file=name,
            do=[Action("", {"header_row": lines[0]}, "the first row that holds anything")],
        )
    return lines.index(options.header_row)


def _left_out(records: list[list[str]], lines: list[int], at: Extent) -> Iterator[str]:
    """What stands above and below the table."""
    for rows, where in (((0, at.top), "above"), ((at.end, len(records)), "below")):
        if rows[0] < rows[1]:
            shown = next(c.strip() for c in records[rows[0]] if c.strip())
            n = rows[1] - rows[0]
            yield (
                f"left out: {n} row{'s' * (n > 1)} {where} the table, from row {lines[rows[0]]}: "
                f"{shown[:60]!r}"
            )
    if at.depth == 2:
        yield f"rows {lines[at.top]} and {lines[at.top + 1]} are the header"


def _width(records: list[list[str]], headed: bool) -> int:
    if headed:
        return len(records[0])
    return Counter(map(len, records)).most_common(1)[0][0]


def _fit(record: list[str], width: int, name: str, line: int) -> list[str]:
    if len(record) == width or (not any(c.strip() for c in record[width:]) and len(record) > width):
        return record[:width]
    if width == 1:
        raise InputError(
            f"this is no table: the rows above hold one cell, this one {len(record)}, "
            f"{_shown(record)}",
            file=name,
            row=line,
        )
    more = "more" if len(record) > width else "fewer"
    quote = any("\n" in c for c in record)
    why = (
        "A quotation mark seems to be opened and never closed"
        if quote
        else "A cell that contains the delimiter must be quoted"
        if len(record) > width
        else "An empty cell needs its delimiter too"
    )
    raise InputError(
        f"the row has {len(record)} cells, {more} than the {width} columns of the table: "
        f"{_shown(record)}. {why}",
        file=name,
        row=line,
    )


def _shown(record: list[str]) -> str:
    cells = [repr(plain(c)[:30]) for c in islice(record, 8)]
    return ", ".join(cells) + (", …" if len(record) > 8 else "")
