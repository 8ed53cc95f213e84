"""Data frames of pandas, polars and arrow; dicts and lists of records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InputError
from ..names import role_of
from ..options import Options
from ..table import Column, Table, encode
from .header import unique_names
from .nested import columns_by_key, flat

__all__ = ["as_table"]


def as_table(source: Any, options: Options) -> Table:
    """A table from an object that holds columns or records."""
    module = type(source).__module__.split(".")[0]
    if isinstance(source, Mapping):
        columns = columns_by_key(source) or {str(n): column for n, column in source.items()}
        kind = "dict"
    elif module == "pandas" and hasattr(source, "columns"):
        kind, columns = "pandas frame", _pandas(source)
    elif hasattr(source, "__arrow_c_stream__"):
        kind, columns = f"{module} table", _arrow(source)
    elif isinstance(source, np.ndarray) and source.dtype.names:
        kind, columns = "array", {n: source[n] for n in source.dtype.names}
    elif isinstance(source, list | tuple | Iterator):
        kind, columns = "list", _records(list(source))
    else:
        raise InputError(
            f"an object of type {type(source).__name__!r} cannot be read as annotations: "
            "give a file, a pandas, polars or arrow table, a dict of columns, a list of (item, "
            "coder, label), or an array (coders, items)"
        )
    return _table(kind, columns)


def _table(kind: str, columns: Mapping[str, Any]) -> Table:
    lengths = {n: len(c) for n, c in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the columns differ in length: {lengths}")
    if not columns or not next(iter(lengths.values())):
        raise InputError(f"the {kind} is empty: there are no annotations in it")
    names, notes = unique_names(list(columns), True)
    encoded = [
        replace(c, name=n) if isinstance(c, Column) else encode(n, c)
        for n, c in zip(names, columns.values(), strict=True)
    ]
    return Table(kind, tuple(encoded), lambda k: k + 1, notes=notes)


def _pandas(frame: Any) -> dict[str, Any]:
    """Columns of a pandas frame; an index that says something becomes columns."""
    if _index_counts(frame):
        if frame.index.nlevels == 1 and frame.index.name is None:
            frame = frame.rename_axis("item" if "item" not in frame.columns else "index")
        frame = frame.reset_index()
    if type(frame.columns).__name__ == "MultiIndex":
        frame = frame.set_axis(["_".join(map(str, c)).strip("_") for c in frame.columns], axis=1)
    return {str(n): _ordered(frame.iloc[:, k]) for k, n in enumerate(frame.columns)}


def _index_counts(frame: Any) -> bool:
    """Whether the index names items, and is not what is left of a counter of rows."""
    if any(n is not None for n in frame.index.names):
        return True
    if type(frame.index).__name__ == "RangeIndex":
        return False
    integers = frame.index.nlevels == 1 and frame.index.dtype.kind in "iu"
    return not (integers and any(role_of(str(c)) == "item" for c in frame.columns))


def _ordered(series: Any) -> Any:
    """The cells of a column, with the order of an ordered Categorical."""
    cells = _pandas_column(series)
    if not getattr(series.dtype, "ordered", False):
        return cells
    return replace(encode(str(series.name), cells), order=tuple(series.dtype.categories))


def _pandas_column(series: Any) -> Any:
    if isinstance(series.dtype, np.dtype):
        return series.to_numpy()
    if series.dtype.kind in "iuf" and hasattr(series, "isna"):
        if series.isna().any():
            return series.astype(object).where(series.notna(), None).tolist()
        return (
            series.to_numpy(dtype=series.dtype.numpy_dtype)
            if hasattr(series.dtype, "numpy_dtype")
            else series.to_numpy()
        )
    return series.astype(object).where(series.notna(), None).tolist()


class _Stream:
    """Shows DuckDB nothing but the arrow stream of a table."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def _arrow(table: Any) -> dict[str, Any]:
    from .parquet import columns_of

    return columns_of(_Stream(table))


def _records(records: list[Any]) -> dict[str, Any]:
    if not records:
        raise InputError("the list is empty: there are no annotations in it")
    if all(isinstance(r, Mapping) for r in records):
        records = flat(records)
        names = dict.fromkeys(n for r in records for n in r)
        return {str(n): [r.get(n) for r in records] for n in names}
    if all(isinstance(r, list | tuple) for r in records):
        width = len(records[0])
        for k, record in enumerate(records):
            if len(record) != width or width not in (3, 4):
                raise InputError(
                    f"record {k + 1} has {len(record)} parts; (item, coder, label) or (item, "
                    f"question, coder, label) is needed: {record!r}",
                    row=k + 1,
                )
        names3 = ("item", "coder", "label") if width == 3 else (
            "item", "question", "coder", "label",
        )  # fmt: skip
        return dict(zip(names3, map(list, zip(*records, strict=True)), strict=True))
    raise InputError(
        "the list holds neither dicts nor (item, coder, label) tuples nor a list of labels for "
        "each coder"
    )
