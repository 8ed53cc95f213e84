"""Parquet files and arrow tables by way of DuckDB, which codes their columns."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from ...errors import InputError
from ..table import BLANK, Column, Table, encode
from .format import File
from .header import unique_names
from .json_records import of_records, signed

__all__ = ["coded_columns", "columns_of", "read_parquet", "records_of_parquet"]

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_NUMBERS = (*_WHOLE, *(f"U{kind}" for kind in _WHOLE), "FLOAT", "DOUBLE", "DECIMAL")
_PANDAS_COUNTER = re.compile(r"__index_level_\d+__")  # what pandas leaves of a counter of rows


def read_parquet(path: Path) -> Table:
    """A Parquet file as a table."""
    import duckdb

    try:
        with duckdb.connect() as con:
            relation = "read_parquet(?, file_row_number = true)"
            kinds = [kind for _, kind in _described(con, relation, [str(path)])]
            if any(kind.startswith("STRUCT") and kind.endswith("[]") for kind in kinds):
                records = _rows(con, path)
                if signed(records) is not None:
                    return of_records(path.name, records)
            columns = coded_columns(con, relation, [str(path)], "file_row_number")
    except duckdb.Error as error:
        raise _damaged(error, path.name) from None
    if not columns or not len(columns[0]):
        raise InputError("the file holds no rows: nothing to read", file=path.name)
    return Table(path.name, tuple(columns), lambda k: k + 1)


def records_of_parquet(file: File) -> list[dict[str, Any]]:
    """The rows of a Parquet file of a platform, lists and structs as Python has them."""
    import duckdb

    try:
        with duckdb.connect() as con, NamedTemporaryFile(suffix=".parquet") as kept:
            if file.local is None:
                kept.write(file.load())
                kept.flush()
            return _rows(con, file.local or Path(kept.name))
    except (duckdb.Error, ValueError, OverflowError) as error:
        raise _damaged(error, file.source) from None


def _damaged(error: Exception, source: str) -> InputError:
    why = str(error).splitlines()[0]
    return InputError(f"the Parquet file cannot be read, it may be damaged: {why}", file=source)


def _rows(con: Any, path: Path) -> list[dict[str, Any]]:
    found = con.execute("select * from read_parquet(?)", [str(path)])
    names = [d[0] for d in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _described(con: Any, relation: str, values: list[str], row: str = "") -> list[tuple[str, str]]:
    found = con.execute(f"describe select * from {relation}", values).fetchall()
    named = [(str(name), str(kind)) for name, kind, *_ in found if name != row]
    return [(n, k) for n, k in named if not (_PANDAS_COUNTER.fullmatch(n) and k in _WHOLE)]


def columns_of(stream: Any) -> dict[str, Any]:
    """The columns of an arrow stream."""
    import duckdb

    with duckdb.connect() as con:
        con.register("cells", stream)
        try:
            con.execute("create temp table kept as select * from cells")
        finally:
            con.unregister("cells")
        return {c.name: c for c in coded_columns(con, "kept", [])}


def coded_columns(con: Any, relation: str, values: list[str], row: str = "rowid") -> list[Column]:
    """Every column of a relation, coded.

    ``values`` are the parameters of the relation, ``row`` is its column that counts the rows.
    """
    described = _described(con, relation, values, row)
    names, _ = unique_names([name for name, _ in described], True)
    return [
        _column(con, relation, values, row, source, kind, name)
        for (source, kind), name in zip(described, names, strict=True)
    ]


def _column(
    con: Any, relation: str, values: list[str], row: str, source: str, kind: str, name: str
) -> Column:
    cell = '"' + source.replace('"', '""') + '"'
    if kind.startswith(_NUMBERS) and not kind.endswith("]"):
        cell += "::double" * kind.startswith("DECIMAL")
        got = con.execute(f"select {cell} as x from {relation}", values).fetchnumpy()["x"]
        return _masked(name, got)
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        found = con.execute(f"select {cell} from {relation}", values).fetchall()
        return encode(name, [r[0] for r in found])
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


def _masked(name: str, got: Any) -> Column:
    if not isinstance(got, np.ma.MaskedArray) or not np.ma.getmaskarray(got).any():
        return encode(name, np.asarray(got))
    blank = np.ma.getmaskarray(got)
    part = encode(name, np.asarray(got.data)[~blank])
    codes = np.full(len(got), BLANK, np.int32)
    codes[~blank] = part.codes
    return Column(name, codes, part.words)
