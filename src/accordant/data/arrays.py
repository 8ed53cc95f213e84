"""Arrays and nested lists: a label for each coder and item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .annotations import Annotations, Reading
from .assemble import Rows, assemble
from .options import Options
from .table import Column, encode

__all__ = ["matrix", "read_array"]


def matrix(source: Any) -> NDArray[Any]:
    """Nested sequences as an array of two axes, with one error if the lengths differ."""
    if isinstance(source, np.ma.MaskedArray):
        source = source.astype(object).filled(None)
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
        for j, cell in enumerate(row):
            array[k, j] = cell
    return array


def read_array(
    source: Any,
    options: Options,
    *,
    coders: Sequence[str] | None = None,
    kind: str = "array",
) -> Annotations:
    """Annotations from a (coders, items) array, or (items, coders) with coders_in='columns'."""
    array = matrix(source)
    in_columns = options.coders_in == "columns"
    by_coder = array.T if in_columns else array
    n_coders, n_items = by_coder.shape
    if not n_coders or not n_items:
        raise InputError(f"the {kind} is empty: it has shape {array.shape}")
    label = encode("label", np.ascontiguousarray(by_coder.T).reshape(-1))  # item by item
    names = tuple(coders or (f"coder {k + 1}" for k in range(n_coders)))
    rows = Rows(
        Column("item", np.repeat(np.arange(n_items, dtype=np.int32), n_coders),
               np.arange(1, n_items + 1)),
        Column("question", np.zeros(len(label), np.uint8), ("",)),
        Column("coder", np.tile(np.arange(n_coders, dtype=np.int32), n_items), names),
        label,
        lambda k: _place(k, n_coders, in_columns),
    )  # fmt: skip
    shape = "items x coders" if in_columns else "coders x items"
    return assemble(rows, options, Reading(kind, f"array, {shape}", {}, notes=_asked(
        by_coder.shape, options, coders is not None
    )))  # fmt: skip


def _place(k: int, n_coders: int, in_columns: bool) -> dict[str, Any]:
    item, coder = k // n_coders + 1, k % n_coders + 1
    row, column = (item, coder) if in_columns else (coder, item)
    return {"row": row, "column": f"{column}"}


def _asked(shape: tuple[int, ...], options: Options, named: bool) -> tuple[str, ...]:
    coders, items = shape
    if options.coders_in is None and not named and coders > 3 * items and coders > 10:
        return (
            f"{coders:,} rows count as coders and {items:,} columns as items; this looks "
            "transposed. If a row is an item, say coders_in='columns'",
        )
    return ()
