"""Soft labels to a file and back: for training code, spreadsheets and other people."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...data.formats.text import read_text
from ...data.options import Options
from ...data.sheet import FORMATS, Field, Sheet, save_sheet
from ...data.table import BLANK, Table, as_words
from ...errors import InputError, unknown
from ...scheme import Label, Scheme
from ...validation import checked
from .soft_labels import KINDS, SoftLabels

__all__ = ["columns_of_file", "labels_of", "read_soft", "records_of_file", "save_soft"]

DISTRIBUTION = "soft"
"""Name of the distribution in JSON lines."""
_LISTS = (".jsonl", ".ndjson", ".json")


def save_soft(soft: SoftLabels, path: str | Path) -> None:
    """Write soft labels, whole or not at all; the suffix says the format.

    CSV, TSV, XLSX and Parquet have a column for each figure and ``p_<category>`` for each
    category. JSON lines have what training code takes:
    ``{"item": …, "kind": …, "n": …, "soft": {category: p}}``.

    Parameters
    ----------
    soft : SoftLabels
    path : str or Path
        Ends in .csv, .tsv, .xlsx, .parquet or .jsonl.

    Raises
    ------
    RequestError
        If the suffix is unknown, or the file cannot be written.

    Examples
    --------
    >>> import tempfile, accordant as ac
    >>> soft = ac.soft_labels([["a", "b"], ["a", "a"]], smoothing="none")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     soft.save(f"{folder}/soft.jsonl")
    ...     print(Path(f"{folder}/soft.jsonl").read_text().splitlines()[1])
    {"item": 2, "kind": "opinion", "n": 2.0, "soft": {"a": 0.5, "b": 0.5}}
    """
    path = Path(path)
    sheet = _lines(soft) if path.suffix.lower() == ".jsonl" else _wide(soft)
    save_sheet(sheet, path)


def _lines(soft: SoftLabels) -> Sheet:
    names = [str(c) for c in soft.categories]
    rows = [dict(zip(names, p, strict=True)) for p in soft.probabilities.tolist()]
    about = [] if soft.question is None else [Field("question", [soft.question] * len(soft))]
    if soft.several:
        about.append(Field("several_labels", [True] * len(soft)))
    return (
        Field("item", soft.names),
        *about,
        Field("kind", [soft.kind] * len(soft)),
        Field("n", soft.n.tolist()),
        Field(DISTRIBUTION, rows),
    )


def _wide(soft: SoftLabels) -> Sheet:
    rows = soft.to_rows()
    names = list(rows[0]) if rows else []
    if soft.question is None:
        names.remove("question")
    return tuple(Field(name, [_cell(row[name]) for row in rows]) for name in names)


def _cell(x: Any) -> Any:
    if isinstance(x, float) and not math.isfinite(x):
        return None
    return " + ".join(map(str, x)) if isinstance(x, tuple) else x


@checked
def read_soft(path: str | Path) -> SoftLabels:
    """Soft labels from a file that `SoftLabels.save` wrote, or one of the same shape."""
    path = Path(path)
    if path.suffix.lower() in _LISTS:
        records = records_of_file(path)
        found = _of_records(records, path.name)
    else:
        found = _of_columns(columns_of_file(path), path.name)
    items, categories, p, kinds, n, questions, several = found
    if len(set(questions)) > 1:
        raise InputError("the file holds several questions: write a file for each", file=path.name)
    kind = _kind(kinds, path.name)
    scheme = Scheme(categories, declared=True, max_labels=None if several else 1)
    return SoftLabels(
        questions[0] if questions else None, items, scheme, kind, p, n, f"read from {path.name}",
        signature=f"read from {path.name}",
    )  # fmt: skip


def _kind(kinds: Sequence[Any], file: str) -> Any:
    found = sorted({str(k) for k in kinds})
    if len(found) != 1 or found[0] not in KINDS:
        shown = ", ".join(map(repr, found[:3])) or "nothing"
        raise InputError(
            f"the column kind must say 'opinion' (what coders say) or 'belief' (what is probably "
            f"true), the same in every row; found {shown}",
            file=file,
        )
    return found[0]


_Found = tuple[list[Any], tuple[Label, ...], Any, Sequence[Any], Any, Sequence[Any], bool]


def _of_records(records: Sequence[Mapping[str, Any]], file: str) -> _Found:
    for row, record in enumerate(records):
        if "item" not in record or not isinstance(record.get(DISTRIBUTION), Mapping):
            raise InputError(
                f"each line needs 'item' and {DISTRIBUTION!r} (category: probability)",
                file=file, row=row + 1,
            )  # fmt: skip
    names = list(dict.fromkeys(str(c) for r in records for c in r[DISTRIBUTION]))
    p = np.array([[_number(r[DISTRIBUTION].get(c, 0.0)) for c in names] for r in records])
    n = np.array([_number(r.get("n")) for r in records])
    several = bool(records[0].get("several_labels", False)) or _several(p)
    asked = [r.get("question") for r in records]
    questions = [q for q in asked if q is not None]
    kinds = [r.get("kind") for r in records]
    return [r["item"] for r in records], labels_of(names), p, kinds, n, questions, several


def _of_columns(columns: Mapping[str, list[Any]], file: str) -> _Found:
    names = [name for name in columns if name.startswith("p_")]
    if "item" not in columns or not names:
        raise InputError(
            "a column 'item' and a column 'p_<category>' for each category are needed; the columns "
            f"are {', '.join(map(repr, list(columns)[:8]))}",
            file=file,
        )
    p = np.array([[_number(x) for x in columns[name]] for name in names]).T
    several = _several(p)
    n = np.array([_number(x) for x in columns.get("n", [None] * len(p))])
    questions = [q for q in columns.get("question", []) if q is not None]
    categories = labels_of([name[2:] for name in names])
    kinds = columns.get("kind", [])
    return columns["item"], categories, p, kinds, n, questions, several


def _several(p: Any) -> bool:
    return bool((np.abs(p.sum(1) - 1) > 1e-6).any())


def _number(x: Any) -> float:
    try:
        return math.nan if x is None or x == "" else float(x)
    except (TypeError, ValueError):
        raise InputError(f"{x!r} is no probability") from None


def labels_of(names: Sequence[str]) -> tuple[Label, ...]:
    """Categories by their names in a file: whole numbers if all are, as `read` takes them.

    Examples
    --------
    >>> labels_of(["0", "1"]), labels_of(["01", "1"])
    ((0, 1), ('01', '1'))
    """
    try:
        whole = [int(name) for name in names]
    except ValueError:
        return tuple(names)
    return tuple(whole) if [str(x) for x in whole] == list(names) else tuple(names)


def records_of_file(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON lines, or of one JSON list."""
    text = _content(path)
    try:
        if text.lstrip().startswith("["):
            found = json.loads(text)
        else:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError as error:
        raise InputError(f"this is no JSON: {error}", file=path.name) from None
    if not found or not all(isinstance(record, dict) for record in found):
        raise InputError("the file holds no records", file=path.name)
    return list(found)


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("there is no such file", file=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the file cannot be read: {error}", file=str(path)) from None


def columns_of_file(path: Path) -> dict[str, list[Any]]:
    """The columns of a table: CSV, TSV, XLSX or Parquet; an empty cell is None."""
    suffix = path.suffix.lower()
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    if suffix == ".parquet":
        return _parquet(path)
    if suffix in (".xlsx", ".xlsm"):
        from ...data.formats.excel import read_excel

        return _columns(read_excel(path, Options())[0])
    if suffix in (".csv", ".tsv", ".txt"):
        return _columns(read_text(path, Options(header_row=1)))
    raise unknown("format", suffix, (*FORMATS, *_LISTS), "known are")


def _columns(table: Table) -> dict[str, list[Any]]:
    found = {}
    for column in table.columns:
        words = as_words(column.words)
        found[column.name] = [None if k == BLANK else words[k] for k in column.codes.tolist()]
    return found


def _parquet(path: Path) -> dict[str, list[Any]]:
    import duckdb

    try:
        with duckdb.connect() as con:
            query = con.execute("select * from read_parquet(?)", [str(path)])
            names = [d[0] for d in query.description or ()]
            cells = query.fetchall()
    except duckdb.Error as error:
        raise InputError(f"this is no Parquet file: {error}", file=path.name) from None
    return {name: [row[k] for row in cells] for k, name in enumerate(names)}
