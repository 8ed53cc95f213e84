"""Formats of files, from columns of cells: delimited text, JSON lines, Excel, Parquet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..errors import RequestError
from .guard import guarded
from .sheet import Field, Sheet

__all__ = ["FORMATS"]

_EXCEL_ROWS = 1 << 20
_ROWS = 1 << 16  # rows that are put together at a time


def _spelt(sheet: Sheet, spell: Callable[[Field, Any], str]) -> Iterator[tuple[str, ...]]:
    """The rows as text; each distinct cell is spelt once."""
    texts = [[*(spell(f, w) for w in _plain(f)), spell(f, None)] for f in sheet]
    for start in range(0, len(sheet[0]), _ROWS):
        parts = []
        for field, text in zip(sheet, texts, strict=True):
            if field.codes is None:
                parts.append(text[:-1][start : start + _ROWS])
            else:
                codes = field.codes[start : start + _ROWS].tolist()
                parts.append([text[k] for k in codes])
        yield from zip(*parts, strict=True)


def _plain(field: Field) -> list[Any]:
    words = field.words
    return words if isinstance(words, list) else words.tolist() if hasattr(words, "tolist") else [
        *words
    ]  # fmt: skip


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
    ".txt": _text("\t"),
    ".xlsx": _excel,
    ".parquet": _parquet,
    ".jsonl": _json_lines,
}
