"""Objects as columns: frames of pandas, polars and arrow, data sets, dicts and lists of records."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from ...errors import InputError, RequestError
from ..names import role_of
from ..options import Options
from ..table import BLANK, Column, Table, plain, with_blanks, word_of
from .format import START, File
from .json_records import Columns, cells_of, columns_by_key, columns_of_records, table_of

_FIRST = 20  # records by which a platform is known
_BATCH = 100_000  # rows of a data set at a time


def as_table(source: Any) -> Table:
    """A table from an object that holds columns or records."""
    return table_of(*columns_in(source))


def columns_in(source: Any) -> tuple[str, dict[str, Any]]:
    """What an object is called, and its columns: all of one length, which is not 0."""
    module = type(source).__module__.split(".")[0]
    if is_series(source):  # its index, which may name items and coders, becomes columns
        source = source.to_frame(source.name or "label")
    if module == "polars" and hasattr(source, "collect"):
        source = source.collect()
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
            "give a file, a pandas, polars or arrow table, a data set of Hugging Face, a dict of "
            "columns, a list of (item, coder, label), or an array (coders, items)"
        )
    return kind, _checked(kind, columns)


def as_files(source: Any) -> list[File]:
    """Data sets of Hugging Face, and lists and dicts of records, as files; none of others."""
    parts = source if isinstance(source, Mapping) else {"data": source}
    if parts and all(hasattr(p, "features") and hasattr(p, "with_format") for p in parts.values()):
        return [_of_data_set(str(name), part) for name, part in parts.items()]
    arrow = type(source).__module__.startswith("pyarrow.") and hasattr(source, "schema")
    if arrow and b"huggingface" in (source.schema.metadata or ()):
        return [_arrow_file("data", source)]
    listed = isinstance(source, list)
    records = source if listed else list(parts.values())
    if not records or not all(isinstance(r, Mapping) for r in records):
        return []
    if listed and not any(isinstance(x, list | dict) for r in records[:_FIRST] for x in r.values()):
        return []
    kind = "list" if listed else "dict"

    def load(most: int | None = None) -> bytes:
        held = cells_of(records, most)
        whole = held if listed else dict(zip(map(str, parts), held, strict=False))
        return json.dumps(whole, default=str).encode()

    return [File(kind, PurePosixPath(f"{kind}.json"), load, load(_FIRST)[:START])]


def of_columns(kind: str, columns: Columns) -> list[File]:
    """Columns as the file that they are written as: as JSON, and as CSV unless cells hold more."""
    nested = any(isinstance(c, list | dict) for x in columns.values() for c in cells_of(x, _FIRST))

    def rows(most: int | None) -> Iterator[tuple[Any, ...]]:
        return zip(*(cells_of(c, most) for c in columns.values()), strict=True)

    def as_json(most: int | None = None) -> bytes:
        records = [dict(zip(columns, row, strict=True)) for row in rows(most)]
        return json.dumps(records, default=str).encode()

    def as_csv(most: int | None = None) -> bytes:
        out = io.StringIO()
        lines = (["" if c is None else plain(c) for c in row] for row in rows(most))
        csv.writer(out).writerows([columns, *lines])
        return out.getvalue().encode("utf-8", "replace")

    return [
        File(kind, PurePosixPath(f"{kind}{suffix}"), load, load(_FIRST)[:START])
        for suffix, load in ((".json", as_json), (".csv", as_csv))[: 2 - nested]
    ]


def _of_data_set(name: str, source: Any) -> File:
    """A data set of Hugging Face, with what it knows of its labels, as an arrow file."""
    import pyarrow as pa

    table = pa.concat_tables(source.with_format("arrow").iter(_BATCH))
    features = None if source.features is None else source.features.to_dict()
    about = {"huggingface": json.dumps({"info": {"features": features}})}
    return _arrow_file(name, table.replace_schema_metadata(about))


def _arrow_file(name: str, table: Any) -> File:
    import pyarrow as pa

    def load(most: int | None = None) -> bytes:
        out = pa.BufferOutputStream()
        with pa.ipc.new_stream(out, table.schema) as stream:
            stream.write_table(table.slice(0, most))
        return bytes(out.getvalue())

    return File("data set", PurePosixPath(f"{name}.arrow"), load, load(_FIRST)[:START])


def is_series(source: Any) -> bool:
    """Whether an object is a Series of pandas or polars."""
    return hasattr(source, "to_list") and hasattr(source, "dtype") and hasattr(source, "name")


def of_series(source: Sequence[Any], options: Options) -> tuple[Table, Options]:
    """A column for each coder from Series, and the options that say so.

    Series of pandas are put side by side by their index, which names the items unless it only
    counts them; others by position.

    Raises
    ------
    InputError
        If an index names an item twice and is not that of the other Series.
    """
    own = [getattr(s, "name", None) for s in source]
    named = all(own) and len(set(map(str, own))) == len(own)
    names = list(
        options.coder
        or (map(str, own) if named else (f"coder {k + 1}" for k in range(len(source))))
    )
    if len(names) != len(source):
        raise RequestError(
            f"{len(names)} names were given for {len(source)} sequences of labels",
            parameter="coder",
        )
    item = None
    if all(hasattr(s, "index") and hasattr(s, "reindex") for s in source):
        columns = _pandas(_aligned(source, names))
        item = next((n for n in columns if n not in names), None)
    else:
        columns = {
            n: s.to_list() if is_series(s) else s for n, s in zip(names, source, strict=True)
        }
    asked = replace(options, layout="wide", item=item, coder=tuple(names))
    return table_of("list of Series", _checked("list of Series", columns)), asked


def _aligned(source: Sequence[Any], names: Sequence[str]) -> Any:
    """Series of pandas as the columns of a frame."""
    import pandas as pd

    alike = all(s.index.equals(source[0].index) for s in source)
    if not alike and not all(s.index.is_unique for s in source):
        raise InputError(
            "the index of a Series names an item twice, and the Series differ in their index, so "
            "it is not clear which labels belong together. Give a frame, or reset each index"
        )
    if alike and not source[0].index.is_unique:
        source = [s.reset_index(drop=True) for s in source]
    return pd.concat(source, axis=1, keys=names)


def _checked(kind: str, columns: dict[str, Any]) -> dict[str, Any]:
    for name, column in columns.items():
        if isinstance(column, str) or not hasattr(column, "__len__"):
            raise InputError(
                f"the {kind} has {column!r} under {name!r}, which is no column: give a sequence of "
                "cells, or a dict of item and label for each coder"
            )
    lengths = {n: len(c) for n, c in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the columns differ in length: {lengths}")
    if not columns or not next(iter(lengths.values())):
        raise InputError(f"the {kind} is empty: there are no annotations in it")
    return columns


def _pandas(frame: Any) -> dict[str, Any]:
    """Columns of a pandas frame; an index that says something becomes columns."""
    if _index_counts(frame):
        if frame.index.nlevels == 1 and frame.index.name is None:
            frame = frame.rename_axis("item" if "item" not in frame.columns else "index")
        frame = frame.reset_index()
    if type(frame.columns).__name__ == "MultiIndex":
        frame = frame.set_axis(["_".join(map(str, c)).strip("_") for c in frame.columns], axis=1)
    names = list(map(str, frame.columns))
    columns = [frame.iloc[:, k] for k in range(len(names))]
    with ThreadPoolExecutor(4) as threads:
        return dict(zip(names, threads.map(_pandas_column, names, columns), strict=True))


def _index_counts(frame: Any) -> bool:
    """Whether the index names items, and is not what is left of a counter of rows."""
    if any(n is not None for n in frame.index.names):
        return True
    if type(frame.index).__name__ == "RangeIndex":
        return False
    integers = frame.index.nlevels == 1 and frame.index.dtype.kind in "iu"
    return not (integers and any(role_of(str(c)) == "item" for c in frame.columns))


def _pandas_column(name: str, series: Any) -> Any:
    """A column of a pandas frame: numbers as an array, categories and texts as codes."""
    dtype = series.dtype
    if type(dtype).__name__ == "CategoricalDtype":
        order = [word_of(w) for w in dtype.categories] if dtype.ordered else []
        return _coded(name, series.cat.codes.to_numpy(), dtype.categories.tolist(), order)
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return series.to_numpy()
    cells = series.array
    if hasattr(cells, "__arrow_array__") and dtype.kind in "OU":
        return _dictionary(name, cells.__arrow_array__())
    if not isinstance(dtype, np.dtype):
        return series.astype(object).where(series.notna(), None).tolist()
    return _texts(name, series)


def _texts(name: str, series: Any) -> Any:
    """Python objects, by the hash table of pandas if all are texts or blank."""
    try:
        codes, words = series.factorize()
    except TypeError:  # lists in cells
        return series.to_numpy()
    if not all(isinstance(w, str) for w in words):
        return series.to_numpy()  # 1 and True are one to a hash table
    return _coded(name, codes, list(words), [])


def _coded(name: str, codes: Any, words: list[Any], order: list[Any]) -> Column:
    """A column from codes into words, -1 for blank; words that do not occur are left out."""
    found: dict[Any, int] = {}
    new = np.full(len(words) + 1, BLANK, np.int32)
    times = np.bincount(np.asarray(codes, np.intp) + 1, minlength=len(words) + 1)[1:]
    for k in np.flatnonzero(times).tolist():
        word = word_of(words[k])
        if word is not None:
            new[k] = found.setdefault(word, len(found))
    numbers = found and {type(w) for w in found} <= {int, float}
    same = np.array_equal(new[:-1], np.arange(len(words)))
    codes = np.asarray(codes) if same else new[codes]
    return Column(name, codes, np.array(list(found)) if numbers else tuple(found), tuple(order))


def _dictionary(name: str, array: Any) -> Any:
    """A column of arrow that holds texts or categories; other columns as a list of cells."""
    kind = str(array.type)
    ordered = kind.startswith("dictionary") and bool(array.type.ordered)
    if not kind.startswith("dictionary"):
        if kind not in ("string", "large_string", "string_view"):
            return array.to_pylist()
        try:
            array = array.dictionary_encode()
        except NotImplementedError:  # views, in an older pyarrow
            array = array.cast("large_string").dictionary_encode()
    if hasattr(array, "chunks"):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
    if hasattr(array, "chunks"):  # no rows
        return array.to_pylist()
    words = array.dictionary.to_pylist()
    codes = array.indices.cast("int64").fill_null(BLANK).to_numpy(zero_copy_only=False)
    return _coded(name, codes, words, [word_of(w) for w in words] if ordered else [])


def _arrow(table: Any) -> dict[str, Any]:
    """The columns of an arrow stream; those of polars also without pyarrow."""
    try:
        import pyarrow
    except ImportError:
        if hasattr(table, "get_columns"):
            return dict(table.to_dict(as_series=False))
        raise InputError("to read a table of arrow install pyarrow, or give a file") from None
    if hasattr(table, "get_columns"):  # polars: also what it has to convert goes by column
        names, found = list(table.columns), table.get_columns()
    else:
        whole = pyarrow.table(table)
        names, found = list(map(str, whole.column_names)), whole.columns

    def column(name: str, cells: Any) -> Any:
        try:
            return _arrow_column(name, pyarrow.chunked_array(cells))
        except pyarrow.ArrowInvalid:  # types that polars has alone
            return cells.to_list()

    with ThreadPoolExecutor(4) as threads:  # arrow codes texts without the lock of Python
        return dict(zip(names, threads.map(column, names, found), strict=True))


def _arrow_column(name: str, column: Any) -> Any:
    kind = str(column.type)
    if re.fullmatch(r"u?int\d+|float|double|halffloat", kind) and not column.null_count:
        return column.to_numpy()
    if kind.startswith("decimal"):
        return _arrow_column(name, column.cast("float64"))
    if kind.startswith(("string", "large_string", "dictionary")):
        return _dictionary(name, column)
    if re.fullmatch(r"u?int\d+|float|double|halffloat", kind):
        return with_blanks(name, column.fill_null(0).to_numpy(), column.is_null().to_numpy())
    found: list[Any] = column.to_pylist()
    return found


def _records(records: list[Any]) -> dict[str, Any]:
    if not records:
        raise InputError("the list is empty: there are no annotations in it")
    if all(isinstance(r, Mapping) for r in records):
        return columns_of_records(records)
    if all(isinstance(r, list | tuple) for r in records):
        width = len(records[0])
        for k, record in enumerate(records):
            if len(record) != width or width not in (3, 4):
                raise InputError(
                    f"record {k + 1} has {len(record)} parts; (item, coder, label) or (item, "
                    f"question, coder, label) is needed: {record!r}",
                    row=k + 1,
                )
        names = ("item", *("question",)[: width - 3], "coder", "label")
        return dict(zip(names, map(list, zip(*records, strict=True)), strict=True))
    raise InputError(
        "the list holds neither dicts nor (item, coder, label) tuples nor a list of labels for "
        "each coder"
    )
