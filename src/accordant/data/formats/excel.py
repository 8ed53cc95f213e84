"""Spreadsheets (.xlsx, .xls, .ods): one sheet, or a sheet for each coder."""

from __future__ import annotations

import datetime
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, reduce
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ...actions import Action
from ...errors import InputError
from ...numbers import count_of
from ..options import Options
from ..table import Table, plain
from .archives import DAMAGE, ZIP, opened, unpacked
from .text import table_of_records

Rows: TypeAlias = list[list[Any]]
_DATE = (datetime.datetime, datetime.date)
_CELL = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*?>((?:(?!</c>).)*?)</c>', re.DOTALL)
_HIDDEN = re.compile(rb'<row [^>]*hidden="(?:1|true)"')
_SAVE = "Open the file in a spreadsheet program and save it"
_VALUE = re.compile(rb"<v>[^<]|<is>")
_FAR_RIGHT = re.compile(rb'\br(?:ef)?="(?:[A-Z]+\d+:)?([A-Z]{2,3})\d')
_FAR_DOWN = re.compile(rb'\br(?:ef)?="(?:[A-Z]+\d+:)?[A-Z]*(\d{6,7})"')
MOST_CELLS = 20_000_000  # 800 MB
_OLD = b"\xd0\xcf\x11\xe0"  # the first bytes of an .xls
_OLD_CELLS = (0x6, 0xBD, 0xBE, 0xD6, 0xFD, 0x201, 0x203, 0x204, 0x205, 0x27E)  # row, column, …
_LAST = 0xFFFFFFFA  # from here on no numbers of sectors


@dataclass(frozen=True)
class _Sheet:
    """A sheet: rows of cells from its first on, and the ranges that were merged."""

    name: str
    rows: Rows
    merged: tuple[tuple[int, int, int, int], ...]  # top, left, bottom, right, from 0

    @cached_property
    def width(self) -> int:
        return max((k + 1 for r in self.rows for k, c in enumerate(r) if c != ""), default=0)


def read_excel(path: Path, options: Options) -> Sequence[Table]:
    """The sheets of a workbook that hold anything, as tables."""
    content = path.read_bytes()
    sheets = _sheets(content, path.name)
    if options.sheet is not None:
        sheets = [_chosen(sheets, options.sheet, path.name)]
    sheets = [s for s in sheets if s.width]
    if not sheets:
        raise InputError("the workbook is empty: nothing to read", file=path.name)
    inside = _Inside(content)
    alone = len(sheets) == 1
    return [_table(s, path, options, inside, alone=alone) for s in sheets]


def first_sheet(
    content: bytes, source: str, name: str | None = None
) -> tuple[list[list[str]], list[int]]:
    """The rows of a sheet, the first that holds anything by default, as text; their numbers."""
    sheets = _sheets(content, source)
    sheets = sheets if name is None else [_chosen(sheets, name, source)]
    sheet = next((s for s in sheets if s.width), None)
    if sheet is None:
        raise InputError("the workbook is empty: nothing to read", file=source)
    found = [([_text(c) for c in r], k + 1) for k, r in enumerate(sheet.rows)]
    kept = [(r, k) for r, k in found if any(r)]
    return [r for r, _ in kept], [k for _, k in kept]


def _sheets(content: bytes, source: str) -> list[_Sheet]:
    import python_calamine as calamine

    if content.startswith(ZIP):
        _check_sizes(content, source)
    elif content.startswith(_OLD):
        _check_old(content, source)
    try:
        return _read(content)
    except calamine.PasswordError:
        raise InputError(
            "the workbook is protected by a password; save it without one", file=source
        ) from None
    except Exception as e:  # errors of calamine, of its archives and of its XML
        raise _unopened(e, source) from None


def _read(content: bytes) -> list[_Sheet]:
    import python_calamine as calamine

    book = calamine.CalamineWorkbook.from_filelike(BytesIO(content))
    names = [m.name for m in book.sheets_metadata if str(m.typ).endswith("WorkSheet")]
    return [
        _Sheet(
            s.name,
            s.to_python(skip_empty_area=False),
            tuple((*a, *b) for a, b in s.merged_cell_ranges or ()),
        )
        for s in map(book.get_sheet_by_name, names)
    ]


def _unopened(why: object, source: str) -> InputError:
    said = " ".join(str(why).split())[:200]
    return InputError(
        f"the workbook cannot be opened, it may be damaged or protected ({said})", file=source
    )


def _check_sizes(content: bytes, source: str) -> None:
    """Refuse what would take all memory: bombs, and sheets of a few cells that lie far apart."""
    with opened(content, source, "workbook") as archive:
        try:
            bad = archive.testzip()  # reads all: what a member says of its size is then true
        except DAMAGE as error:
            raise _unopened(error, source) from None
        if bad is not None:
            raise _unopened(f"the part {bad!r} is damaged", source)
        for info in archive.infolist():
            if info.filename.startswith("xl/worksheets/"):
                xml = unpacked(archive, info, source)
                wide = max((_number(c) for c in set(_FAR_RIGHT.findall(xml))), default=26)
                long = max((int(m[1]) for m in _FAR_DOWN.finditer(xml)), default=99_999)
                if wide * long > MOST_CELLS:
                    raise InputError(
                        f"the part {info.filename!r} of the workbook has cells as far as row "
                        f"{long:,} and column {_letters(wide - 1)}: with the empty ones more than "
                        f"the {MOST_CELLS:,} that are read. Delete what lies far from the table, "
                        "or save the sheet as CSV",
                        file=source,
                    )


def _check_old(content: bytes, source: str) -> None:
    """Refuse an .xls whose damage would take all memory: rings of sectors, cells far outside."""
    try:
        stream = _old_stream(content)
    except (struct.error, ValueError, IndexError) as error:
        raise _unopened(error, source) from None
    at = 0
    while at + 12 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        columns = rows = 0
        if kind in _OLD_CELLS:
            (columns,) = struct.unpack_from("<H", stream, at + 6)
        elif kind == 0x200 and size == 14 and at + 16 <= len(stream):
            rows, columns = struct.unpack_from("<4xI2xH", stream, at + 4)
        if rows > 1 << 16 or columns > 256:
            raise _unopened("it names cells that no sheet of its kind has", source)
        at += 4 + size


def _old_stream(content: bytes) -> bytes:
    """The records of the workbook in an .xls, whose sectors lie in chains; nothing without one."""
    size = 1 << struct.unpack_from("<H", content, 30)[0]
    if size not in (512, 4096):
        raise ValueError("its sectors have no size")
    first, more = struct.unpack_from("<I16xI", content, 48)
    tables = [*struct.unpack_from("<109I", content, 76)]
    while more < _LAST and len(tables) <= len(content) // size + 109:
        *found, more = struct.unpack_from(f"<{size // 4}I", content, (more + 1) * size)
        tables += found
    chain = b"".join(content[(k + 1) * size : (k + 2) * size] for k in tables if k < _LAST)
    after = np.frombuffer(chain[: len(chain) // 4 * 4], "<u4")
    followed = after[after < _LAST]
    if more < _LAST or len(np.unique(followed)) < len(followed) or first in followed:
        raise ValueError("its sectors go in a ring")

    def read(k: int) -> bytes:
        parts = list[bytes]()
        while k < _LAST and len(parts) <= len(after):
            parts.append(content[(k + 1) * size : (k + 2) * size])
            k = int(after[k])
        return b"".join(parts)

    entries = read(first)
    for at in range(0, len(entries) - 127, 128):
        name = entries[at : at + 64].decode("utf-16-le", "replace").rstrip("\0")
        start, length = struct.unpack_from("<II", entries, at + 116)
        if name in ("Workbook", "Book") and length >= 4096:  # shorter ones lie elsewhere
            if start in followed:
                raise ValueError("its sectors go in a ring")
            return read(start)[:length]
    return b""


def _number(letters: bytes) -> int:
    """The number of a column: 1 for 'A', 27 for 'AA'."""
    return reduce(lambda n, letter: 26 * n + letter - 64, letters, 0)


def _chosen(sheets: Sequence[_Sheet], name: str, file: str) -> _Sheet:
    names = [s.name for s in sheets]
    if name in names:
        return sheets[names.index(name)]
    close = get_close_matches(name, names, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise InputError(
        f"there is no sheet {name!r}; the sheets are {', '.join(map(repr, names))}{hint}", file=file
    )


def _table(sheet: _Sheet, path: Path, options: Options, inside: _Inside, *, alone: bool) -> Table:
    source = path.name if alone else f"{path.name}, sheet {sheet.name!r}"
    rows, notes = _filled(sheet)
    doubts = inside.check(sheet, source)
    records = [[_text(c) for c in r[: sheet.width]] for r in rows]
    table = table_of_records(records, [*range(1, len(rows) + 1)], source, options)
    notes = [*table.notes, *notes, *_damage(sheet, rows, inside)]
    return replace(
        table, coder=path.stem if alone else sheet.name, notes=tuple(notes), warnings=doubts
    )


def _filled(sheet: _Sheet) -> tuple[Rows, list[str]]:
    """The rows with merged cells filled from their first one, and without titles."""
    rows = [list(r) for r in sheet.rows]
    width, filled, titles = sheet.width, list[str](), list[str]()
    for top, left, bottom, right in sorted(sheet.merged):
        if top >= len(rows) or left >= len(rows[top]):
            continue
        value = rows[top][left]
        title = left == 0 and right + 1 >= width > 1
        for row in rows[top : bottom + 1]:
            row[left : right + 1] = ["" if title else value] * (min(right + 1, len(row)) - left)
        if title:
            titles.append(_text(value)[:60])
        else:
            filled.append(f"{_letters(left)}{top + 1}:{_letters(right)}{bottom + 1}")
    notes = []
    if titles:
        shown = ", ".join(map(repr, titles[:3])) + (", …" if len(titles) > 3 else "")
        notes.append(f"left out: titles over the whole width of sheet {sheet.name!r} ({shown})")
    if filled:
        shown = ", ".join(filled[:3]) + (", …" if len(filled) > 3 else "")
        notes.append(
            f"sheet {sheet.name!r} has merged cells ({shown}): each counts as filled with what "
            "the first of them says"
        )
    return rows, notes


def _text(value: Any) -> str:
    """A cell as text: 1.0 is '1', a date is ISO."""
    return value if isinstance(value, str) else "" if value is None else plain(value)


def _damage(sheet: _Sheet, rows: Rows, inside: _Inside) -> list[str]:
    """What a spreadsheet does to data without a word."""
    notes = []
    hidden = inside.hidden(sheet.name)
    if hidden:
        notes.append(
            f"sheet {sheet.name!r} has {count_of(hidden, 'hidden row')}, read as the others"
        )
    dates = [
        f"{_letters(k)}{n + 1}"
        for n, row in enumerate(rows)
        for k, c in enumerate(row)
        if n and isinstance(c, _DATE)
    ]
    if dates:
        notes.append(
            f"sheet {sheet.name!r} has dates in {count_of(len(dates), 'cell')} "
            f"({', '.join(dates[:3])}): Excel makes them of labels such as 3-4"
        )
    return notes


def _letters(k: int) -> str:
    """The name of a column: 'A' for 0, 'AA' for 26."""
    return (_letters(k // 26 - 1) if k > 25 else "") + chr(65 + k % 26)


# ------------------------------------------------------------------ what only the XML says


class _Inside:
    """The parts of an .xlsx file that say what its values do not: hidden rows, formulas."""

    def __init__(self, content: bytes) -> None:
        self.parts: dict[str, bytes] = {}
        try:
            with zipfile.ZipFile(BytesIO(content)) as archive:
                if "xl/workbook.xml" in archive.namelist():
                    self.parts = dict(_parts(archive))
        except DAMAGE:
            pass  # .xls and .ods

    def hidden(self, name: str) -> int:
        """How many rows of a sheet are hidden."""
        return len(_HIDDEN.findall(self.parts.get(name, b"")))

    def check(self, sheet: _Sheet, source: str) -> tuple[str, ...]:
        """Refuse formulas whose values were never stored; a column of nothing else is left out."""
        xml = self.parts.get(sheet.name, b"")
        if b"<f" not in xml:
            return ()
        found = [
            cell.decode()
            for cell, body in _CELL.findall(xml)
            if b"<f" in body and not _VALUE.search(body)
        ]
        times = Counter(cell.rstrip("0123456789") for cell in found)
        n_rows = sum(any(c != "" for c in row) for row in sheet.rows)
        whole = [name for name, n in times.items() if n > 2 and 10 * n >= 8 * (n_rows - 1)]
        single = [cell for cell in found if cell.rstrip("0123456789") not in whole]
        if single:
            shown = ", ".join(single[:3]) + (", …" if len(single) > 3 else "")
            raise InputError(
                f"{'cell' if len(single) == 1 else f'{len(single):,} cells'} {shown} of sheet "
                f"{sheet.name!r} hold formulas without their values. {_SAVE}, or replace the "
                "formulas by their values",
                file=source,
                do=[Action("", {"sheet": ...}, "to read another sheet")],
            )
        return tuple(
            f"left out: column {name} of sheet {sheet.name!r} holds formulas without their values. "
            f"{_SAVE} if the column holds labels"
            for name in whole
        )


def _parts(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The XML of each sheet under its name."""
    from html import unescape

    book = archive.read("xl/workbook.xml").decode("utf-8", "replace")
    targets = archive.read("xl/_rels/workbook.xml.rels").decode("utf-8", "replace")
    where = {}
    for tag in re.findall(r"<(?:\w+:)?Relationship\b[^>]*>", targets):
        of = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        where[of.get("Id")] = of.get("Target", "").removeprefix("/xl/")
    for tag in re.findall(r"<(?:\w+:)?sheet\b[^>]*>", book):
        of = dict(re.findall(r'([\w:]+)="([^"]*)"', tag))
        part = where.get(next((v for k, v in of.items() if k.endswith(":id")), ""))
        if part and f"xl/{part}" in archive.namelist():
            yield unescape(of.get("name", "")), archive.read(f"xl/{part}")
