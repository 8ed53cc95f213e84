"""Columns of a file to be written: codes into cells, so that each cell is spelt once.

Formats: delimited text, JSON lines, Excel, Parquet; annotations in the long and the wide layout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..results import guarded
from .annotations import NO_VALUE, Annotations, Columns, Status
from .atomic_file import check_target, save
from .labels import as_whole
from .table import Codes, Column, Table, as_words

_EXCEL_ROWS = 1 << 20
_ROWS = 1 << 16  # rows that are put together at a time
_SEPARATORS = (";", "|", "#", "/", "+", "&", "~")


@dataclass(frozen=True)
class Field:
    """One column: N cells.

    Parameters
    ----------
    name : str
        The header.
    words : sequence
        (W,) text, numbers or None, not necessarily distinct.
    codes : ndarray, optional
        (N,) positions in ``words``, -1 for an empty cell; None if ``words`` are the cells.
    """

    name: str
    words: Sequence[Any] | NDArray[Any]
    codes: Codes | None = None

    def __len__(self) -> int:
        return len(self.words if self.codes is None else self.codes)

    def cells(self) -> list[Any]:
        """(N,) the cells."""
        words = list(as_words(self.words))
        if self.codes is None:
            return words
        words.append(None)
        return [words[k] for k in self.codes.tolist()]

    @property
    def lists(self) -> bool:
        """Whether some cells are sets of labels."""
        return not isinstance(self.words, np.ndarray) and any(
            isinstance(w, tuple) for w in self.words
        )

    def as_lists(self) -> Field:
        """The same column with every cell a JSON list; a single label is a list of one."""
        words = [
            None if w is None else json.dumps(w if isinstance(w, tuple) else [w])
            for w in self.words
        ]
        return Field(self.name, words, self.codes)

    def as_text(self, separator: str) -> Field:
        """The same column with its sets of labels as text."""
        words = [set_text(w, separator) if isinstance(w, tuple) else w for w in self.words]
        return Field(self.name, words, self.codes)

    def array(self) -> NDArray[Any]:
        """(N,) numbers, masked where empty, or objects: text and None."""
        words = list(as_words(self.words))
        blank = np.array([w is None for w in words] + [True])
        kinds = {type(w) for w in words if w is not None}
        codes = np.arange(len(words)) if self.codes is None else self.codes
        if kinds == {int} and all(w is None or abs(w) < 2**63 for w in words):
            cells = np.array([0 if w is None else w for w in words] + [0], np.int64)
        elif kinds and kinds <= {int, float}:
            cells = np.array([0 if w is None else w for w in words] + [0], np.float64)
        else:
            cells = np.array([None if w is None else str(w) for w in words] + [None], object)
            return np.asarray(cells[codes])
        empty = blank[codes]
        return np.ma.MaskedArray(cells[codes], empty) if empty.any() else cells[codes]


Sheet: TypeAlias = tuple[Field, ...]


def set_text(labels: Sequence[Any], separator: str) -> str:
    """A set of labels as `read` takes it from a cell of text.

    Examples
    --------
    >>> set_text(("a", "b"), ";"), set_text(("a",), ";"), set_text((), ";")
    ('a;b', 'a', '[]')
    """
    return separator.join(map(str, labels)) or "[]"


def separator_for(values: Iterable[Any]) -> str:
    """What can stand between the labels of sets since no label contains it."""
    text = "".join(str(x) for v in values if isinstance(v, tuple) for x in v)
    return next(
        (mark for mark in (*_SEPARATORS, *map(chr, range(0x2500, 0x2580))) if mark not in text), ";"
    )


# ---------------------------------------------------------------------- formats


def save_sheet(sheet: Sheet, path: Path) -> None:
    """Write columns whole or not at all; the suffix of the file says the format."""
    check_target(path, tuple(FORMATS))
    save(path, lambda to: FORMATS[path.suffix.lower()](sheet, to))


def _spelt(sheet: Sheet, spell: Callable[[Field, Any], str]) -> Iterator[tuple[str, ...]]:
    """The rows as text; each distinct cell is spelt once."""
    texts = [[*(spell(f, w) for w in as_words(f.words)), spell(f, None)] for f in sheet]
    for start in range(0, len(sheet[0]), _ROWS):
        parts = []
        for field, text in zip(sheet, texts, strict=True):
            if field.codes is None:
                parts.append(text[:-1][start : start + _ROWS])
            else:
                codes = field.codes[start : start + _ROWS].tolist()
                parts.append([text[k] for k in codes])
        yield from zip(*parts, strict=True)


def _text(delimiter: str) -> Callable[[Sheet, Path], None]:
    odd = frozenset((delimiter, '"', "\n", "\r"))

    def quoted(_: Field, cell: Any) -> str:
        text = guarded(cell) if isinstance(cell, str) else "" if cell is None else str(cell)
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if odd.intersection(text) else text

    def save(sheet: Sheet, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as f:
            f.write(delimiter.join(quoted(c, c.name) for c in sheet) + "\n")
            f.writelines(delimiter.join(row) + "\n" for row in _spelt(sheet, quoted))

    return save


def _json_lines(sheet: Sheet, path: Path) -> None:
    def spell(field: Field, cell: Any) -> str:
        return f"{heads[field.name]}: {json.dumps(cell, ensure_ascii=False)}"

    heads = {f.name: json.dumps(f.name, ensure_ascii=False) for f in sheet}
    with path.open("w", encoding="utf-8", newline="") as f:
        f.writelines("{" + ", ".join(row) + "}\n" for row in _spelt(sheet, spell))


def _excel(sheet: Sheet, path: Path) -> None:
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError

    if len(sheet[0]) >= _EXCEL_ROWS:
        raise RequestError(
            f"an Excel sheet holds {_EXCEL_ROWS:,} rows, these are {len(sheet[0]) + 1:,}; write "
            ".csv or .parquet"
        )
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("annotations")
    page.freeze_panes = "A2"

    def as_text(cell: Any) -> Any:
        if not (isinstance(cell, str) and cell.startswith("=")):
            return cell
        kept = WriteOnlyCell(page, cell)
        kept.data_type = "s"  # what begins with = is no formula
        return kept

    try:
        for row in ([f.name for f in sheet], *zip(*(f.cells() for f in sheet), strict=True)):
            page.append([as_text(c) for c in row])
    except IllegalCharacterError as error:
        raise RequestError(
            f"an Excel sheet cannot hold control characters, as in {str(error)[:40]!r}; write .csv "
            "or .parquet"
        ) from None
    book.save(path)


def _parquet(sheet: Sheet, path: Path) -> None:
    import duckdb

    arrays = {f"c{k}": (f.as_lists() if f.lists else f).array() for k, f in enumerate(sheet)}
    kinds = {"i": "bigint", "f": "double", "O": "varchar"}
    columns = ", ".join(
        'c{}::{} as "{}"'.format(
            k, _list_kind(f) if f.lists else kinds[a.dtype.kind], f.name.replace('"', '""')
        )
        for k, (f, a) in enumerate(zip(sheet, arrays.values(), strict=True))
    )
    target = str(path).replace("'", "''")
    with duckdb.connect() as con:
        con.register("given", arrays)
        try:
            con.execute(f"copy (select {columns} from given) to '{target}' (format parquet)")
        finally:
            con.unregister("given")


def _list_kind(field: Field) -> str:
    """The type of a column of lists that are given as JSON."""
    kinds = {
        type(x) for w in field.words if w is not None for x in (w if isinstance(w, tuple) else [w])
    }
    kind = (
        "bigint" if kinds == {int} else "double" if kinds and kinds <= {int, float} else "varchar"
    )
    return f"json::{kind}[]"


FORMATS: dict[str, Callable[[Sheet, Path], None]] = {
    ".csv": _text(","),
    ".tsv": _text("\t"),
    ".xlsx": _excel,
    ".parquet": _parquet,
    ".jsonl": _json_lines,
}


# ---------------------------------------------------------------------- layouts


def for_format(sheet: Sheet, suffix: str, data: Annotations) -> Sheet:
    """The columns with sets of labels as text, where the format has no lists."""
    if suffix in (".parquet", ".jsonl") or all(s.max_labels == 1 for s in data.schemes):
        return sheet
    mark = separator_for(data.values)
    return tuple(f.as_text(mark) if f.lists else f for f in sheet)


def _rows(data: Annotations) -> Columns:
    """All annotations, those of each person in the order of the occasions, as `read` numbers them.

    Items and coders without any annotation keep their place by a row that says so.
    """
    c = data.columns
    if data.persons is not None:
        c = c.where(np.argsort(c.coder, kind="stable"))
    items, coders = (
        np.flatnonzero(np.bincount(codes, minlength=len(names)) == 0)
        for codes, names in ((c.item, data.items), (c.coder, data.coders))
    )
    zeros = np.zeros(len(items) + len(coders), np.intp)
    return Columns(
        np.r_[c.item, items, 0 * coders],
        np.r_[c.question, zeros],
        np.r_[c.coder, 0 * items, coders],
        np.r_[c.value, zeros + NO_VALUE],
        np.r_[c.status, zeros + int(Status.NOT_ASSIGNED)],
    )


def _long(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    c = _rows(data)
    sheet = [Field("item", _list(data.items), c.item)]
    if data.questions != ("",):
        sheet.append(Field("question", data.questions, c.question))
    sheet.append(Field("coder", data.persons or data.coders, c.coder))
    sheet.append(Field("label", data.values, c.value))
    if c.status[c.value == NO_VALUE].any():
        sheet.append(Field("status", [s.name.lower() for s in Status], c.status))
    taken = {f.name for f in sheet}
    sheet += [Field(f.name, f.words, c.item) for f in _about_items(data, taken)]
    return tuple(sheet), ()


def _wide(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    c = data.columns
    several = data.questions != ("",)
    names = [f"{q}__{k}" if several else k for q in data.questions for k in data.coders]
    grids = np.full((len(names), len(data.items)), NO_VALUE, np.int32)
    grids[c.question.astype(np.intp) * len(data.coders) + c.coder, c.item] = c.value
    sheet = [_ids(data, names)]
    sheet += [Field(name, data.values, grid) for name, grid in zip(names, grids, strict=True)]
    sheet += _about_items(data, {f.name for f in sheet})
    n = int(np.count_nonzero(c.value == NO_VALUE))
    lost = (
        f"left blank, since the wide layout has no statuses: annotations without a value ({n:,})",
    )
    return tuple(sheet), lost * bool(n)


LAYOUTS: dict[str, Callable[[Annotations], tuple[Sheet, tuple[str, ...]]]] = {
    "long": _long,
    "wide": _wide,
}


def _ids(data: Annotations, taken: Collection[str]) -> Field:
    """The column of item ids, under a name that no coder or category has."""
    return Field(next(n for n in _ID_NAMES if n not in taken), _list(data.items))


_ID_NAMES = ("item", "item_id", "item id", "itemid", "document_id", "id of the item")


def _about_items(data: Annotations, taken: Collection[str]) -> list[Field]:
    """Texts and metadata, (I,) each, under names that are free."""
    found = [] if data.texts is None else [Field("text", list(data.texts))]
    names = {*taken, *(f.name for f in found)}
    for name, column in data.metadata.items():
        free = name if name not in names else f"{name} (about the item)"
        names.add(free)
        found.append(Field(free, list(column)))
    return found


def _list(values: Any) -> list[Any]:
    """Ids as cells; whole numbers without a decimal point, as they stand in messages."""
    return list(as_whole(values) if isinstance(values, np.ndarray) else values)


# ---------------------------------------------------------------------- formulas

# Text that a spreadsheet would take for a formula: guarded in delimited files by an apostrophe.
_GUARDED = re.compile(r"''*[=+\-@\t\r]")
_GUARDED_CELL = re.compile(rf"\0{_GUARDED.pattern}")  # among cells joined by \0


def unguarded(table: Table) -> Table:
    """A table of a delimited file with its cells as they were before they were guarded.

    Examples
    --------
    >>> from accordant.data.table import encode
    >>> unguarded(Table("a.csv", (encode("'=x", ["'=1", "it's", "'quoted'"]),))).columns[0].text
    ['=1', "it's", "'quoted'"]
    """
    cells = "\0".join(chain.from_iterable(("", c.name, *c.text) for c in table.columns))
    if not _GUARDED_CELL.search(cells):
        return table
    return replace(table, columns=tuple(map(_column, table.columns)))


def unguarded_text(cell: str) -> str:
    """A cell of a delimited file as it was before it was guarded.

    Examples
    --------
    >>> unguarded_text("'=1"), unguarded_text("it's")
    ('=1', "it's")
    """
    return cell[1:] if _GUARDED.match(cell) else cell


def _column(column: Column) -> Column:
    def plain(word: Any) -> Any:
        return unguarded_text(word) if isinstance(word, str) else word

    words = column.words if column.numeric else tuple(map(plain, column.words))
    return replace(column, name=unguarded_text(column.name), words=words)
