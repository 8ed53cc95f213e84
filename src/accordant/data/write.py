"""Annotations to a file, in any layout and format that `read` takes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from ..errors import RequestError
from .annotations import NO_VALUE, Annotations, Status
from .saving import save

__all__ = ["FORMATS", "write"]

Cells: TypeAlias = dict[str, list[Any]]  # header -> cells


def write(
    data: Annotations,
    path: str | Path,
    layout: Literal["long", "wide", "table", "counts"] = "long",
) -> tuple[str, ...]:
    """Write annotations; the suffix says the format. Nothing half-written is left behind.

    Parameters
    ----------
    data : Annotations
    path : str or Path
        Ends in .csv, .tsv, .xlsx, .parquet or .jsonl.
    layout : {'long', 'wide', 'table', 'counts'}
        One row for each annotation, with its status; a column for each coder (and question);
        the contingency table of two coders; how many coders chose each category.

    Returns
    -------
    tuple of str
        What the layout could not hold, one sentence each. The long layout holds all.

    Examples
    --------
    >>> import tempfile
    >>> from accordant.data.read import read
    >>> data = read({"item": ["t1", "t2"], "Ann": ["pro", "con"], "Bob": ["pro", "pro"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lost = write(data, f"{folder}/long.csv")
    ...     read(f"{folder}/long.csv").fingerprint == data.fingerprint
    True
    """
    path = Path(path)
    writer = FORMATS.get(path.suffix.lower())
    if writer is None:
        raise RequestError(
            f"{path.name!r}: the suffix says the format; choose one of {', '.join(FORMATS)}"
        )
    if layout not in _LAYOUTS:
        raise RequestError(f"layout={layout!r}: choose one of {', '.join(map(repr, _LAYOUTS))}")
    cells, lost = _LAYOUTS[layout](data)
    save(path, lambda to: writer(cells, to))
    return lost


# ---------------------------------------------------------------------- layouts


def _long(data: Annotations) -> tuple[Cells, tuple[str, ...]]:
    c = data.columns
    asked = data.questions != ("",)
    item, question, coder, value, status = (
        x.tolist() for x in (c.item, c.question, c.coder, c.value, c.status)
    )
    for i, j in _silent(data):  # items and coders without any annotation keep their place
        for column, cell in zip(
            (item, question, coder, value, status),
            (i, 0, j, NO_VALUE, int(Status.NOT_ASSIGNED)),
            strict=True,
        ):
            column.append(cell)
    ids = _plain(data.items)
    values = [*data.values, None]
    cells: Cells = {"item": [ids[k] for k in item]}
    if asked:
        cells["question"] = [data.questions[k] for k in question]
    cells["coder"] = [data.coders[k] for k in coder]
    cells["label"] = [values[k] for k in value]
    if any(status):
        names = {int(s): s.name.lower() for s in Status}
        cells["status"] = [names[s] for s in status]
    for name, column in _about_items(data, cells).items():
        cells[name] = [column[k] for k in item]
    return cells, ()


def _silent(data: Annotations) -> list[tuple[int, int]]:
    """Pairs of item and coder that name every item and coder without an annotation."""
    c = data.columns
    items = np.setdiff1d(np.arange(len(data.items)), c.item).tolist()
    coders = np.setdiff1d(np.arange(len(data.coders)), c.coder).tolist()
    return [(i, 0) for i in items] + [(0, j) for j in coders]


def _wide(data: Annotations) -> tuple[Cells, tuple[str, ...]]:
    c = data.columns
    several = data.questions != ("",)
    n_items, n_coders = len(data.items), len(data.coders)
    cells: Cells = {"item": _plain(data.items)}
    values = [*data.values, None]
    for q, question in enumerate(data.questions):
        here = c.question == q
        grid = np.full((n_items, n_coders), NO_VALUE, np.int64)
        grid[c.item[here], c.coder[here]] = c.value[here]
        for j, coder in enumerate(data.coders):
            name = f"{question}__{coder}" if several else coder
            cells[name] = [values[k] for k in grid[:, j].tolist()]
    for name, column in _about_items(data, cells).items():
        cells[name] = column
    n = int(np.count_nonzero(c.status))
    lost = (f"{n:,} annotations without a value are blank cells: the wide layout has no statuses",)
    return cells, lost if n else ()


def _table(data: Annotations) -> tuple[Cells, tuple[str, ...]]:
    if len(data.coders) != 2 or len(data.questions) != 1:
        raise RequestError(
            f"a contingency table needs two coders and one question; the data have "
            f"{len(data.coders)} coders and {len(data.questions)} questions"
        )
    c, n_values = data.answered, len(data.values)
    pair = np.full((len(data.items), 2), NO_VALUE, np.int64)
    pair[c.item, c.coder] = c.value
    both = (pair != NO_VALUE).all(1)
    flat = pair[both] @ np.array([n_values, 1])
    counts = np.bincount(flat, minlength=n_values**2).reshape(n_values, n_values)
    names = [str(v) for v in data.values]
    cells: Cells = {f"{data.coders[0]} \\ {data.coders[1]}": list(names)}
    cells |= {name: counts[:, k].tolist() for k, name in enumerate(names)}
    lost = ["item ids, texts and facts are not in a contingency table"]
    if not both.all():
        lost.append(f"{int((~both).sum()):,} items without a label of both coders are left out")
    return cells, tuple(lost)


def _counts(data: Annotations) -> tuple[Cells, tuple[str, ...]]:
    if len(data.questions) != 1:
        raise RequestError(
            f"a table of counts holds one question; the data have {len(data.questions)}"
        )
    c, n_values = data.answered, len(data.values)
    flat = c.item.astype(np.int64) * n_values + c.value
    counts = np.bincount(flat, minlength=len(data.items) * n_values).reshape(-1, n_values)
    cells: Cells = {"item": _plain(data.items)}
    cells |= {str(v): counts[:, k].tolist() for k, v in enumerate(data.values)}
    return cells, ("who gave which label, texts and facts are not in a table of counts",)


_LAYOUTS: dict[str, Callable[[Annotations], tuple[Cells, tuple[str, ...]]]] = {
    "long": _long,
    "wide": _wide,
    "table": _table,
    "counts": _counts,
}


def _about_items(data: Annotations, taken: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Texts and metadata, (I,) each, under names that are free."""
    found: dict[str, list[Any]] = {}
    if data.texts is not None:
        found["text"] = list(data.texts)
    for name, column in data.metadata.items():
        free = name if name not in taken and name not in found else f"{name} (about the item)"
        found[free] = list(column)
    return found


def _plain(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


# ---------------------------------------------------------------------- formats


def _rows(cells: Cells) -> Any:
    return zip(*cells.values(), strict=True)


def _text(delimiter: str) -> Callable[[Cells, Path], None]:
    def save(cells: Cells, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as f:
            writer = csv.writer(f, delimiter=delimiter, lineterminator="\n")
            writer.writerow(cells)
            writer.writerows(_rows(cells))

    return save


def _json_lines(cells: Cells, path: Path) -> None:
    names = list(cells)
    with path.open("w", encoding="utf-8", newline="") as f:
        for row in _rows(cells):
            f.write(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n")


def _excel(cells: Cells, path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("annotations")
    sheet.freeze_panes = "A2"
    sheet.append(list(cells))
    for row in _rows(cells):
        sheet.append(list(row))
    book.save(path)


def _parquet(cells: Cells, path: Path) -> None:
    import duckdb

    columns = ", ".join(f"c{k} {_sql_type(column)}" for k, column in enumerate(cells.values()))
    names = ", ".join(
        'c{} as "{}"'.format(k, name.replace('"', '""')) for k, name in enumerate(cells)
    )
    with duckdb.connect() as con:
        con.execute(f"create temp table cells ({columns})")
        kept = {f"c{k}": _array(column) for k, column in enumerate(cells.values())}
        con.register("given", kept)
        try:
            con.execute("insert into cells select * from given")
        finally:
            con.unregister("given")
        con.execute(f"copy (select {names} from cells) to '{_quoted(path)}' (format parquet)")


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _sql_type(column: list[Any]) -> str:
    kinds = {type(x) for x in column if x is not None}
    if kinds == {int} and all(x is None or abs(x) < 2**63 for x in column):
        return "bigint"
    return "double" if kinds and kinds <= {int, float} else "varchar"


def _array(column: list[Any]) -> Any:
    """(N,) of text or numbers; None stays None."""
    kind = _sql_type(column)
    if kind == "varchar":
        return np.array([None if x is None else str(x) for x in column], object)
    blank = np.array([x is None for x in column])
    dtype = np.int64 if kind == "bigint" else np.float64
    whole = np.array([0 if x is None else x for x in column], dtype)
    return np.ma.MaskedArray(whole, blank) if blank.any() else whole


FORMATS: dict[str, Callable[[Cells, Path], None]] = {
    ".csv": _text(","),
    ".tsv": _text("\t"),
    ".txt": _text("\t"),
    ".xlsx": _excel,
    ".parquet": _parquet,
    ".jsonl": _json_lines,
}
