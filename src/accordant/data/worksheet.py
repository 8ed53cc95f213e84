"""Sheets that people fill in: a workbook that reads well, or a text file; and what they typed.

Nothing is recognised here: the first row that holds anything has the names of the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError
from .atomic_file import check_target, save
from .formats.archives import WORKBOOK
from .formats.encodings import decode
from .formats.excel import first_sheet
from .formats.text import records_of, sniff
from .sheet import FORMATS, Field, save_sheet, unguarded_text

WIDEST, LEAST, TO_WRITE = 60, 7, 26  # characters in a line of a cell
MOST_CHOICES = 255  # characters of a list to choose from, in a workbook
HEAD, TO_FILL = "DDE5EC", "FFF8E1"  # colours of headings, and of those of columns to fill in
MOST_HELP = 900  # characters of a note
_LINE_END = re.compile(r"\r\n|\r|\n")
LINE_HEIGHT, MOST_HEIGHT = 15, 405  # points: of a line, and of the highest row that there may be


@dataclass(frozen=True)
class SheetColumn:
    """A column of a sheet that people fill in.

    Parameters
    ----------
    name : str
        The heading.
    cells : sequence of str
        One for each row.
    fill : bool
        Whether it is to be filled in.
    choices : tuple of str
        What is offered in its cells; other texts may be typed.
    help : str
        A note on the heading; text files have none.
    """

    name: str
    cells: Sequence[str]
    fill: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""

    @property
    def width(self) -> int:
        """Characters in a line, so that usual texts need few lines and rows are not too wide."""
        texts = [self.name, *self.choices, *self.cells]
        longest = max(len(line) for text in texts for line in text.split("\n"))
        least = TO_WRITE if self.fill and not self.choices else LEAST
        return min(max(longest + 3, least), WIDEST)


def write_blank(columns: Sequence[SheetColumn], path: Path, *, frozen: int = 1) -> None:
    r"""Write a sheet to fill in; the suffix says the format, as of `save_sheet`.

    Parameters
    ----------
    columns : sequence of SheetColumn
    path : Path
    frozen : int
        How many columns stay where they are when a workbook is scrolled.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "cases.csv"
    ...     write_blank([SheetColumn("case", ["1"]), SheetColumn("why", ["=x"], fill=True)], path)
    ...     path.read_text(), [line.cells for line in read_filled(path).lines]
    ("case,why\n1,'=x\n", [{'case': '1', 'why': '=x'}])
    """
    check_target(path, tuple(FORMATS))
    if path.suffix.lower() == ".xlsx":
        save(path, lambda to: _workbook(columns, to, frozen))
    else:
        save_sheet(tuple(Field(one.name, one.cells) for one in columns), path)


def _workbook(columns: Sequence[SheetColumn], path: Path, frozen: int) -> None:
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.comments import Comment
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation
    from openpyxl.worksheet.dimensions import RowDimension

    class Growing(RowDimension):  # type: ignore[misc]
        """A row that still grows with what is typed."""

        customHeight = False  # noqa: N815 (openpyxl's name)

    book = openpyxl.Workbook(write_only=True)
    page: Any = book.create_sheet("to fill in")
    page.freeze_panes = f"{get_column_letter(frozen + 1)}2"
    top = Alignment(wrap_text=True, vertical="top")
    n_rows = len(columns[0].cells) if columns else 0

    def cell(text: str) -> Any:
        made = WriteOnlyCell(page, ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text))
        made.data_type, made.alignment = "s", top  # text: what begins with = is no formula
        return made

    heads = []
    for k, column in enumerate(columns, 1):
        letter = get_column_letter(k)
        page.column_dimensions[letter].width = column.width
        head = cell(column.name)
        head.font = Font(name="Calibri", size=11, bold=True)
        head.fill = PatternFill("solid", start_color=TO_FILL if column.fill else HEAD)
        if column.help:
            head.comment = Comment(column.help[:MOST_HELP], "Accordant", height=220, width=360)
        heads.append(head)
        listed = f'"{",".join(column.choices)}"'
        inside = all(not {",", '"'} & {*choice} for choice in column.choices)
        if column.choices and inside and len(listed) <= MOST_CHOICES and n_rows:
            offered = DataValidation("list", listed, allow_blank=True, showErrorMessage=False)
            offered.add(f"{letter}2:{letter}{n_rows + 1}")
            page.data_validations.append(offered)
    page.append(heads)
    widths = [column.width for column in columns]
    for k, row in enumerate(zip(*(column.cells for column in columns), strict=True), 2):
        lines = max(map(_n_lines, row, widths))
        page.row_dimensions[k] = Growing(page, k, ht=min(lines * LINE_HEIGHT, MOST_HEIGHT))
        page.append([cell(text) if text else None for text in row])
    book.save(path)


def _n_lines(text: str, width: int) -> int:
    """How many lines a text takes in a cell: not every program finds that out when it opens."""
    return sum(1 + len(line) // width for line in text.split("\n"))


# ------------------------------------------------------------------ what was typed


@dataclass(frozen=True)
class Line:
    """A row of a sheet that was filled in: the texts of its cells by column, without empty ones."""

    file: str
    number: int
    cells: dict[str, str] = field(default_factory=dict)

    def place(self, column: str = "") -> str:
        """Where it is, for people."""
        where = f"{self.file}, row {self.number}"
        return f"{where}, column {column!r}" if column else where

    def wrong(self, message: str, column: str | None = None) -> InputError:
        """An error in this row."""
        return InputError(message, file=self.file, row=self.number, column=column)


@dataclass(frozen=True)
class Filled:
    """A sheet that was filled in: the names of its columns, and its rows."""

    file: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]

    def called(self, known: Iterable[str]) -> Filled:
        """The same with the headings that are known, however their capital letters are typed."""
        names = {name.casefold(): name for name in known}
        new = {name: names.get(name.casefold(), name) for name in self.names}
        each = [{new[name]: text for name, text in line.cells.items()} for line in self.lines]
        lines = (replace(line, cells=cells) for line, cells in zip(self.lines, each, strict=True))
        return Filled(self.file, tuple(new.values()), tuple(lines))

    def missing(self, name: str, what: str) -> InputError:
        """The error for a column that is not there."""
        near = get_close_matches(name, self.names, 1)
        hint = f"; is it {near[0]!r}?" if near else ""
        have = ", ".join(filter(None, self.names))
        told = f"no column is called {name!r} ({what}): the columns are {have}{hint}"
        return InputError(told, file=self.file)


def read_filled(path: Path, sheet: str | None = None) -> Filled:
    """The rows of a text file or of a workbook as they stand there.

    Parameters
    ----------
    path : Path
    sheet : str, optional
        Of a workbook; the first one that holds anything by default.

    Raises
    ------
    InputError
        If it cannot be read, is empty, or two columns have one name.
    """
    records, numbers = _records(path, sheet)
    if not records:
        raise InputError("the file is empty: nothing to read", file=path.name)
    names = tuple(name.strip() for name in records[0])
    heads = [name.casefold() for name in names]
    if twice := {name for name in names if name and heads.count(name.casefold()) > 1}:
        raise InputError(f"two columns are called {min(twice)!r}", file=path.name)
    lines = [*_lines(path.name, names, records[1:], numbers[1:])]
    return Filled(path.name, names, tuple(lines))


def _lines(
    file: str, names: Sequence[str], records: Sequence[Sequence[str]], numbers: Sequence[int]
) -> Iterator[Line]:
    for record, number in zip(records, numbers, strict=True):
        texts = {k: text.strip() for k, text in enumerate(record) if text.strip()}
        stray = [k for k in texts if k >= len(names) or not names[k]]
        line = Line(file, number, {names[k]: text for k, text in texts.items() if k not in stray})
        if stray:
            told = f"the cell {texts[stray[0]]!r} stands in a column without a name"
            raise line.wrong(told)
        if texts:
            yield line


def _records(path: Path, sheet: str | None) -> tuple[list[list[str]], list[int]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=str(path)) from None
    if content.startswith(WORKBOOK):
        return first_sheet(content, path.name, sheet)
    if sheet is not None:
        raise InputError(f"this is no workbook, so it has no sheet {sheet!r}", file=path.name)
    text = decode(content, path.name)
    records, lines = records_of(text, sniff(text), path.name)
    rows = [[unguarded_text(cell) for cell in record] for record in records]
    return rows, [*_as_shown(records, lines)]


def _as_shown(records: Sequence[Sequence[str]], lines: Sequence[int]) -> Iterator[int]:
    """The rows as spreadsheets number them: a cell may have many lines, and a row be blank."""
    within = 0  # lines that are no row of their own
    for record, line in zip(records, lines, strict=True):
        yield line - within
        within += sum(len(_LINE_END.findall(cell)) for cell in record)
