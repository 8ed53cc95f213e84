"""CSV, TSV and every other delimited text file."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ...errors import InputError
from ...messages import Action
from ..options import Options
from ..table import Table, encode, plain
from .header import Extent, extent_of, filled_down, join_header, unique_names, without_empty

__all__ = ["DELIMITERS", "decode", "read_text", "sniff", "table_of_records"]

DELIMITERS = ",\t;|"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_OTHERWISE = Action(
    "", {"delimiter": ...}, "if cells are separated by other than a comma, tab, semicolon or |"
)


def read_text(path: Path, options: Options, content: bytes | None = None) -> Table:
    """A delimited text file as a table, or one `InputError` that says where it is broken."""
    name = path.name
    text = decode(path.read_bytes() if content is None else content, name, options.encoding)
    if not text.strip():
        raise InputError("the file is empty: nothing to read", file=name)
    delimiter = options.delimiter or sniff(text)
    records, lines = _records(text, delimiter, name)
    table = table_of_records(records, lines, name, options.header)
    if len(table.columns) < 2 and options.delimiter:
        raise InputError(
            f"with the delimiter {delimiter!r} a row is one cell, {records[0][0][:60]!r}. Give "
            "another, or none so that it is recognised",
            file=name,
            row=lines[0],
        )
    if len(table.columns) < 2:
        raise InputError(
            "only one column was found; annotations need at least an item, a coder and a label, "
            "or a column for each coder",
            file=name,
            row=lines[0],
            do=[_OTHERWISE],
        )
    return table


def decode(content: bytes, name: str, encoding: str | None) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, or the encoding the user named."""
    found = encoding or next((e for bom, e in _BOMS if content.startswith(bom)), "utf-8")
    try:
        text = content.decode(found)
    except UnicodeDecodeError as e:
        _refuse_binary(content, name)
        line = content[: e.start].count(b"\n") + 1
        around = content[max(0, e.start - 12) : e.start + 6]
        raise InputError(
            f"byte {e.start + 1:,} ({content[e.start : e.start + 1]!r} in {around!r}) is not "
            f"{found.upper()} text. Save the file as UTF-8",
            file=name,
            row=line,
            do=[Action("", {"encoding": "cp1252"}, "if it was written by Excel on Windows")],
        ) from None
    except LookupError:
        raise InputError(
            f"unknown encoding {encoding!r}: try 'utf-8', 'cp1252' or 'utf-16'", file=name
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(
            "the file is not text: it holds zero bytes. Known formats are CSV, TSV, XLSX, "
            "Parquet and JSON lines",
            file=name,
            row=line,
        )
    return text


def _refuse_binary(content: bytes, name: str) -> None:
    start = content[:2000]
    odd = sum(b < 32 and b not in b"\t\n\r\f" for b in start)
    if odd * 20 > len(start):
        raise InputError(
            "the file is not text, and no format that can be read (CSV, TSV, XLSX, Parquet, JSON "
            "lines)",
            file=name,
        )


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
        widths = [len(r) for r in (rows[:-1] if cut and len(rows) > 2 else rows)[:200]]
        usual, times = Counter(widths).most_common(1)[0] if widths else (0, 0)
        if usual > 1 and (times / len(widths), usual) > score and widths[0] > 1:
            best, score = delimiter, (times / len(widths), usual)
    return best


def _records(text: str, delimiter: str, name: str) -> tuple[list[list[str]], list[int]]:
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
    records: list[list[str]], lines: list[int], name: str, header: bool | None
) -> Table:
    """A table from rows of cells, with or without a header row."""
    keep = [k for k, r in enumerate(records) if any(c and c.strip() for c in r)]
    if len(keep) < len(records):
        records, lines = [records[k] for k in keep], [lines[k] for k in keep]
    if not records:
        raise InputError("the file is empty: nothing to read", file=name)
    at = extent_of(records, lines) if header is None else Extent(0, int(header), len(records))
    left = tuple(_left_out(records, lines, at))
    headed = at.depth > 0
    records, lines = records[at.top : at.end], lines[at.top : at.end]
    head = join_header(*records[:2]) if at.depth == 2 else records[0]
    width = _width([head, *records[at.depth :]], headed)
    body, where = records[at.depth :], lines[at.depth :]
    if not body:
        raise InputError(
            f"only a header was found ({', '.join(map(repr, records[0]))}): there are no "
            "annotations below it",
            file=name,
            row=lines[0],
        )
    if len(set(map(len, body))) > 1 or len(body[0]) != width:
        body = [_fit(r, width, name, line) for r, line in zip(body, where, strict=True)]
    body, n_filled = filled_down(body)
    if n_filled:
        left += (f"{n_filled:,} blank cells of the first column repeat the one above, as merged "
                 "cells do",)  # fmt: skip
    names, notes = unique_names(head[:width] if headed else [""] * width, headed)
    columns = [encode(n, c) for n, c in zip(names, zip(*body, strict=True), strict=True)]
    kept, dropped = without_empty(columns)
    return Table(name, kept, where.__getitem__, notes=(*left, *notes, *dropped), headed=headed)


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
            do=[_OTHERWISE],
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
