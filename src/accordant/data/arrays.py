"""Arrays and nested lists: a label for each coder and item."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError, RequestError
from .annotations import Annotations, Reading
from .assemble import assemble
from .options import Options
from .rows import Rows
from .table import Column, encode, encode_bytes
from .wide_grid import grid_of

__all__ = ["matrix", "read_array"]


def matrix(source: Any) -> NDArray[Any]:
    """Nested sequences as an array of two axes, with one error if the lengths differ."""
    if isinstance(source, np.ma.MaskedArray):
        mask, source = np.ma.getmaskarray(source), source.data
        source = source.astype(float if source.dtype.kind in "iuf" else object)
        source[mask] = np.nan if source.dtype.kind == "f" else None
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise InputError(
                f"the array has {source.ndim} axes; (coders, items) is needed. Several questions "
                "go into a frame with a question column"
            )
        return source
    rows = [list(r) for r in source]
    lengths = sorted({len(r) for r in rows})
    if len(lengths) > 1:
        k = next(k for k, r in enumerate(rows) if len(r) != len(rows[0]))
        raise InputError(
            f"the rows differ in length: the first has {len(rows[0])} cells, row {k + 1} has "
            f"{len(rows[k])}. Write None where a coder gave no label"
        )
    numeric = all(type(c) in (int, float) for r in rows for c in r)
    if numeric:
        return np.array(rows)
    array = np.empty((len(rows), lengths[0] if lengths else 0), object)
    for k, row in enumerate(rows):
        for j, cell in enumerate(row):  # one by one, for a cell may be a list
            array[k, j] = cell
    return array


def read_array(source: Any, options: Options, *, kind: str = "array") -> Annotations:
    """Annotations from a (coders, items) array, or (items, coders) with coders_in='columns'."""
    array = matrix(source)
    in_columns = options.coders_in == "columns"
    by_coder = array.T if in_columns else array
    n_coders, n_items = by_coder.shape
    if not n_coders or not n_items:
        raise InputError(f"the {kind} is empty: it has shape {array.shape}")
    names = _names(options, n_coders)
    shape = "items x coders" if in_columns else "coders x items"
    doubts = _orientation(by_coder.shape, options)
    reading = Reading(kind, f"array, {shape}", warnings=doubts, generated_ids=True)
    coded = encode_bytes(by_coder)
    if coded is not None:
        codes, words = coded
        cells = zip(names, np.ascontiguousarray(codes), strict=True)
        columns = [Column(name, column, words) for name, column in cells]
        found = grid_of(columns, names, options, reading, lambda i, c: _place(i, c, in_columns))
        if found is not None:
            return found
    label = encode("label", np.ascontiguousarray(by_coder.T).reshape(-1))  # item by item
    rows = Rows(
        Column(
            "item",
            np.repeat(np.arange(n_items, dtype=np.int32), n_coders),
            np.arange(1, n_items + 1),
        ),
        Column("question", np.zeros(len(label), np.uint8), ("",)),
        Column("coder", np.tile(np.arange(n_coders, dtype=np.int32), n_items), names),
        label,
        lambda k: _place(k // n_coders, k % n_coders, in_columns),
    )
    return assemble(rows, options, reading)


def _names(options: Options, n_coders: int) -> tuple[str, ...]:
    """The coders as the user names them, else by number."""
    for role in ("item", "label", "question", "text"):
        if getattr(options, role):
            raise RequestError("an array has no named columns; give a frame", parameter=role)
    if not options.coder:
        return tuple(f"coder {k + 1}" for k in range(n_coders))
    if len(set(options.coder)) != n_coders:
        raise RequestError(
            f"{len(set(options.coder))} names were given, but the array has {n_coders} coders",
            parameter="coder",
        )
    return options.coder


def _place(item: int, coder: int, in_columns: bool) -> dict[str, Any]:
    row, column = (item, coder) if in_columns else (coder, item)
    return {"row": row + 1, "column": f"{column + 1}"}


def _orientation(shape: tuple[int, ...], options: Options) -> tuple[str, ...]:
    """A doubt where rows, which are read as coders, are more than columns; or the error."""
    coders, items = shape
    if options.coders_in is not None or options.coder or coders <= items:
        return ()
    ways = (
        Action("", {"coders_in": "columns"}, "if each row is an item"),
        Action("", {"coders_in": "rows"}, "if each row really is a coder"),
    )
    if coders > 3 * items and coders > 10:
        raise InputError(
            f"the array has {coders:,} rows and {items:,} columns, and rows are coders unless "
            "you say otherwise",
            do=ways,
        )
    doubt = f"the rows of the array are read as coders: {coders:,} coders and {items:,} items"
    return (Notice(doubt, *ways),)
