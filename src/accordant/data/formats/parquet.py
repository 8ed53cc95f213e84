"""Parquet and arrow as columns, by way of DuckDB, which codes them, and pyarrow."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from ...errors import InputError
from ..table import BLANK, Column, Table, encode, with_blanks
from .format import ARROW, File
from .header import unique_names
from .json_records import table_of

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_NUMBERS = (*_WHOLE, *(f"U{kind}" for kind in _WHOLE), "FLOAT", "DOUBLE", "DECIMAL")
_PANDAS_COUNTER = re.compile(r"__index_level_\d+__")  # what pandas leaves of a counter of rows


def read_parquet(path: Path) -> Table:
    """A Parquet file as a table."""
    import duckdb

    try:
        with duckdb.connect() as con:
            relation = "read_parquet(?, file_row_number = true)"
            columns = coded_columns(con, relation, [str(path)], "file_row_number")
    except (duckdb.Error, ValueError, RuntimeError) as error:
        raise _damaged(error, path.name) from None
    if not columns or not len(next(iter(columns.values()))):
        raise InputError("the file holds no rows: nothing to read", file=path.name)
    return table_of(path.name, columns)


def columns_of_file(file: File) -> dict[str, list[Any]]:
    """The columns of a Parquet or arrow file of a platform, cells as Python has them."""
    if file.start.startswith(ARROW):
        return _of_arrow(file)
    import duckdb

    try:
        with duckdb.connect() as con, NamedTemporaryFile(suffix=".parquet") as kept:
            if file.local is None:
                kept.write(file.load())
                kept.flush()
            path = str(file.local or kept.name)
            found = con.execute("select * from read_parquet(?)", [path])
            names = [str(d[0]) for d in found.description or ()]
            rows = found.fetchall()
            return {n: [row[k] for row in rows] for k, n in enumerate(names)}
    except (duckdb.Error, ValueError, OverflowError, RuntimeError) as error:
        raise _damaged(error, file.source) from None


def _damaged(error: Exception, source: str) -> InputError:
    why = str(error).splitlines()[0]
    return InputError(f"the Parquet file cannot be read, it may be damaged: {why}", file=source)


def _of_arrow(file: File) -> dict[str, list[Any]]:
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            "this is an arrow file; to read it install pyarrow, or save the data set with "
            "to_parquet",
            file=file.source,
        ) from None
    try:
        content = pa.BufferReader(file.load())
        is_file = file.start.startswith(ARROW[0])
        opened = pa.ipc.open_file(content) if is_file else pa.ipc.open_stream(content)
        table = opened.read_all()
        table.validate(full=True)  # a damaged file would crash what reads its cells
        return {str(n): c.to_pylist() for n, c in zip(table.column_names, table, strict=True)}
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        raise InputError(
            f"the arrow file cannot be read, it may be damaged: {str(error)[:200]!r}",
            file=file.source,
        ) from None


def _described(con: Any, relation: str, values: list[str], row: str = "") -> list[tuple[str, str]]:
    found = con.execute(f"describe select * from {relation}", values).fetchall()
    named = [(str(name), str(kind)) for name, kind, *_ in found if name != row]
    return [(n, k) for n, k in named if not (_PANDAS_COUNTER.fullmatch(n) and k in _WHOLE)]


def coded_columns(con: Any, relation: str, values: list[str], row: str = "rowid") -> dict[str, Any]:
    """Every column of a relation, coded; those of lists, structs and bytes as lists of cells.

    ``values`` are the parameters of the relation, ``row`` is its column that counts the rows.
    """
    described = _described(con, relation, values, row)
    names, _ = unique_names([name for name, _ in described], True)
    return {
        name: _column(con, relation, values, row, source, kind, name)
        for (source, kind), name in zip(described, names, strict=True)
    }


def _column(
    con: Any, relation: str, values: list[str], row: str, source: str, kind: str, name: str
) -> Any:
    cell = '"' + source.replace('"', '""') + '"'
    if kind.startswith(_NUMBERS) and not kind.endswith("]"):
        cell += "::double" * kind.startswith("DECIMAL")
        got = con.execute(f"select {cell} as x from {relation}", values).fetchnumpy()["x"]
        blank = np.ma.getmaskarray(got)
        cells = np.asarray(got.data if blank.any() else got)
        return with_blanks(name, cells, blank) if blank.any() else encode(name, cells)
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION", "BLOB")):
        found = con.execute(f"select {cell} from {relation}", values).fetchall()
        return [r[0] for r in found]
    text = f"{cell}::varchar"
    if kind == "BOOLEAN":
        text = f"case when {cell} then 'True' when not {cell} then 'False' end"
    return _texts(con, f"(select {row} as r, {text} as x from {relation})", values, name)


def _texts(con: Any, cells: str, values: list[str], name: str) -> Column:
    """Distinct texts in the order in which they first occur, without outer white space."""
    con.execute(
        "create or replace temp table words as "
        f"select x, min(r) as first, list(r) as rows from {cells} group by x",
        values,
    )
    got = con.execute("select x, first, len(rows) as n from words").fetchnumpy()
    rows = con.execute("select unnest(rows) as r from words").fetchnumpy()["r"]
    blank = np.ma.getmaskarray(got["x"])
    order = np.argsort(got["first"])
    order = order[~blank[order]]
    said = np.asarray(got["x"])[order].tolist()
    code = np.full(len(blank), BLANK, np.int32)
    code[order] = np.arange(len(order))
    codes = np.empty(len(rows), np.int32)
    codes[rows] = np.repeat(code, got["n"])
    if list(map(str.strip, said)) == said and "" not in said:
        return Column(name, codes, tuple(said))
    words = dict[str, int]()
    new = [words.setdefault(w, len(words)) if (w := x.strip()) else BLANK for x in said]
    return Column(name, np.array([*new, BLANK], np.int32)[codes], tuple(words))
