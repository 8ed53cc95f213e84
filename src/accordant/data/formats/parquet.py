"""Parquet files and arrow tables, by way of DuckDB."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..annotations import Annotations
from ..options import Options
from ..table import BLANK, Column, Table, encode
from .format import File
from .header import unique_names
from .nested_records import ONE_EACH, signed
from .panel import WHOLE, Relation, quoted, read_panel

__all__ = ["coded_columns", "columns_of", "read_parquet", "records_of_parquet"]

_WHOLE = (*WHOLE, "UBIGINT")
_REAL = ("FLOAT", "DOUBLE", "DECIMAL")
_PANDAS_COUNTER = re.compile(r"__index_level_\d+__")  # what pandas leaves of a counter of rows
_FEW = 1 << 12  # distinct texts that are coded by the engine; more are fetched and coded here


def read_parquet(path: Path, options: Options) -> Table | Annotations:
    """A Parquet file as a table, or at once as annotations if it is a plain panel."""
    import duckdb

    try:
        with duckdb.connect() as con:
            described = _described(con, "read_parquet(?)", [str(path)])
            names, kinds = [d[0] for d in described], [d[1] for d in described]
            relation = Relation(
                "read_parquet(?, file_row_number = true)",
                [str(path)],
                names,
                kinds,
                names,
                "file_row_number",
            )
            found = read_panel(con, relation, options, path.name)
            if found is not None:
                return found
            if any(kind.startswith("STRUCT") and kind.endswith("[]") for kind in kinds):
                chosen = ", ".join(map(quoted, names))
                query = f"select {chosen} from read_parquet(?)"
                rows = con.execute(query, [str(path)]).fetchall()
                members = signed([dict(zip(names, row, strict=True)) for row in rows])
                if members is not None:
                    return _of_members(path.name, *members)
            columns = coded_columns(con, "read_parquet(?)", [str(path)])
    except duckdb.Error as e:
        raise InputError(
            f"the Parquet file cannot be read, it may be damaged: {str(e).splitlines()[0]}",
            file=path.name,
        ) from None
    if not columns or not len(columns[0]):
        raise InputError("the file holds no rows: nothing to read", file=path.name)
    return Table(path.name, tuple(columns), lambda k: k + 1)


def _of_members(
    source: str, field: str, of: Sequence[int], records: Sequence[Mapping[str, Any]]
) -> Table:
    """A table with a row for each record of a list, as `signed` finds them."""
    names = dict.fromkeys(name for record in records for name in record)
    columns = tuple(encode(name, [record.get(name) for record in records]) for name in names)
    return Table(source, columns, lambda k: of[k] + 1, notes=(ONE_EACH.format(field),))


def records_of_parquet(file: File) -> list[dict[str, Any]]:
    """The rows of a Parquet file of a platform, lists and structs as Python has them."""
    import duckdb

    try:
        with duckdb.connect() as con, NamedTemporaryFile(suffix=".parquet") as kept:
            if file.local is None:
                kept.write(file.load())
                kept.flush()
            found = con.execute("select * from read_parquet(?)", [str(file.local or kept.name)])
            names = [d[0] for d in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    except (duckdb.Error, ValueError, OverflowError) as e:
        raise InputError(
            f"the Parquet file cannot be read, it may be damaged: {str(e).splitlines()[0]}",
            file=file.source,
        ) from None


def _described(con: Any, relation: str, values: list[str]) -> list[tuple[str, str]]:
    found = con.execute(f"describe select * from {relation}", values).fetchall()
    return [
        (str(name), str(kind))
        for name, kind, *_ in found
        if not (_PANDAS_COUNTER.fullmatch(str(name)) and str(kind) in WHOLE)
    ]


def columns_of(stream: Any) -> dict[str, Any]:
    """The columns of an arrow stream as arrays or lists of cells."""
    import duckdb

    with duckdb.connect() as con:
        con.register("cells", stream)
        try:
            con.execute("create temp table kept as select * from cells")
        finally:
            con.unregister("cells")
        return {c.name: c for c in coded_columns(con, "kept", [])}


def coded_columns(con: Any, relation: str, values: list[str]) -> list[Column]:
    """Every column of a relation, coded. ``values`` are the parameters of the relation."""
    described = _described(con, relation, values)
    names, _ = unique_names([source for source, _ in described], True)
    return [
        _column(con, relation, values, source, name, kind)
        for (source, kind), name in zip(described, names, strict=True)
    ]


def _column(
    con: Any, relation: str, values: list[str], source: str, name: str, kind: str
) -> Column:
    column = quoted(source)
    if kind in _WHOLE or kind.startswith(_REAL):
        cast = "::double" if kind.startswith("DECIMAL") else ""
        got = con.execute(f"select {column}{cast} as x from {relation}", values).fetchnumpy()["x"]
        return _masked(name, got)
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        return encode(
            name, [r[0] for r in con.execute(f"select {column} from {relation}", values).fetchall()]
        )
    text = "x::varchar"
    if kind == "BOOLEAN":
        text = "case when x then 'True' when not x then 'False' end"
    cells = f"(select {text} as x from (select {column} as x from {relation}))"
    few = con.execute(f"select approx_count_distinct(x) from {cells}", values).fetchone()[0]
    if few > _FEW:
        got = con.execute(f"select x from {cells}", values).fetchnumpy()["x"]
        return encode(name, got.filled(None) if isinstance(got, np.ma.MaskedArray) else got)
    return _enum(con, name, cells, values)


def _enum(con: Any, name: str, cells: str, values: list[str]) -> Column:
    """Few distinct texts: the engine sends their codes."""
    con.execute("drop table if exists words")
    con.execute(
        f"create temp table words as select distinct x from {cells} where x is not null", values
    )
    words = [w[0] for w in con.execute("select x from words order by x").fetchall()]
    if not words:
        n = con.execute(f"select count(*) from {cells}", values).fetchone()[0]
        return Column(name, np.full(n, BLANK, np.int32), ())
    con.execute("drop type if exists word")
    con.execute("create temp type word as enum (select x from words order by x)")
    got = con.execute(f"select enum_code(x::word) as x from {cells}", values).fetchnumpy()["x"]
    codes = np.asarray(got).astype(np.int32)
    if isinstance(got, np.ma.MaskedArray):
        codes[np.ma.getmaskarray(got)] = BLANK
    return in_order(name, codes, words)


def in_order(name: str, codes: NDArray[Any], words: list[str]) -> Column:
    """Words without outer white space, in the order in which they first occur."""
    first = np.full(len(words) + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.argsort(first[:-1], kind="stable").tolist()
    found: dict[str, int] = {}
    new = np.full(len(words) + 1, BLANK, np.int32)
    for k in order:
        word = words[k].strip()
        if word:
            new[k] = found.setdefault(word, len(found))
    return Column(name, new[codes], tuple(found))


def _masked(name: str, got: Any) -> Column:
    if not isinstance(got, np.ma.MaskedArray) or not np.ma.getmaskarray(got).any():
        return encode(name, np.asarray(got))
    blank = np.ma.getmaskarray(got)
    part = encode(name, np.asarray(got.data)[~blank])
    codes = np.full(len(got), BLANK, np.int32)
    codes[~blank] = part.codes
    return Column(name, codes, part.words)
