"""A label for each coder and item: arrays and wide tables, held as a grid of codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError, RequestError
from ..numbers import count_of
from .annotations import NO_VALUE, Annotations, Reading
from .assemble import ONE_CODER, anonymous_name, assemble, doubted, told
from .layouts import item_facts, item_of
from .options import Options
from .plan import Plan
from .table import (
    BLANK,
    BLANK_BYTE,
    Column,
    Rows,
    Table,
    cells_of,
    encode,
    encode_bytes,
    merge,
    times_of,
)
from .values import interpret

At: TypeAlias = Callable[[int, int], dict[str, Any]]  # item, coder -> the place of the cell
_MOST = 127  # distinct cells, so that a code is a byte
FEW_CODERS, MORE = 10, 3  # rows, rows for each column: more are read as items
MOST_CODERS, MANY_MORE = 1_000, 20  # and still more are items without a doubt
_FULL = 4  # a grid with fewer labels than one in so many cells is held as columns


def grid_of_table(
    table: Table, plan: Plan, options: Options, reading: Reading
) -> Annotations | None:
    """Annotations of a wide table; None if it has to be melted into rows.

    It has to be if an item has several rows or an annotation several labels, if there are
    several questions or statuses, or if the coders are nobody.
    """
    names = tuple(str(c.coder) for c in plan.cells if c.coder is not None)
    item = item_of(table, plan)
    if (
        plan.layout != "wide"
        or len(set(names)) < len(plan.cells)
        or any(map(anonymous_name, names))
        or plan.question
        or plan.status
        or {c.question for c in plan.cells} != {""}
        or len(item.words) != len(table)
        or (item.codes == BLANK).any()
    ):
        return None

    order = np.argsort(item.codes) if (np.diff(item.codes) < 0).any() else None
    columns = [table[c.column] for c in plan.cells]
    if order is not None:
        columns = [replace(c, codes=c.codes[order]) for c in columns]

    def at(row: int, coder: int) -> dict[str, Any]:
        name = plan.cells[coder].column
        line = table.row(row if order is None else int(order[row]))
        return {"file": table.source, "row": line, "column": table.shown.get(name, name)}

    found = grid_of(columns, names, options, reading, at)
    if found is None:
        return None
    told_of = found.reading.notes[len(reading.notes) :]
    texts, metadata, notes = item_facts(item.words, [(table, plan)])
    return replace(
        found,
        items=item.words if isinstance(item.words, np.ndarray) else tuple(item.words),
        texts=texts,
        metadata=metadata,
        reading=replace(found.reading, notes=(*reading.notes, *notes, *told_of)),
    )


def grid_of(
    columns: Sequence[Column], coders: tuple[str, ...], options: Options, reading: Reading, at: At
) -> Annotations | None:
    """Annotations of items 1 to I from a column (I,) for each coder; the same as from rows.

    None if the labels do not fit bytes, or need more than a label and blanks for what is missing.
    """
    words: dict[Any, int] = {}
    distinct = cells_of(columns)
    for each in distinct:
        for word in each:
            words.setdefault(word, len(words))
    if (
        len(words) > _MOST
        or options.blank not in (None, "missing", "not_assigned")
        or options.asks_for_sets
        or options.sets
    ):
        return None
    codes = [_bytes(c) for c in columns]
    whole = [np.array([words[w] for w in each], np.intp) for each in distinct]
    times = np.zeros((1, len(words)), np.int64)
    for code, into in zip(codes, whole, strict=True):
        times[0, into] += times_of(code, len(into))

    def first(_: int, word: int) -> dict[str, Any]:
        found = [
            (coder, row)
            for coder, (code, into) in enumerate(zip(codes, whole, strict=True))
            for k in np.flatnonzero(into == word).tolist()
            for row in np.flatnonzero(code == k)[:1].tolist()
        ]
        coder, row = min(found)
        return at(row, coder)

    numbers = words and all(c.numeric or c.blank for c in columns)
    cells: Any = np.array(list(words)) if numbers else tuple(words)
    labels = interpret(cells, times, ("",), options, first)
    if len(labels.values) > _MOST or (labels.empty != NO_VALUE).any():
        return None
    value = labels.lookup[0, :-1]
    grid = np.empty((len(columns), len(columns[0])), np.int8)
    for row, code, into in zip(grid, codes, whole, strict=True):
        table = np.full(BLANK_BYTE + 1, NO_VALUE, np.int8)
        table[: len(into)] = value[into]
        row[:] = np.frombuffer(code.tobytes().translate(table.tobytes()), np.int8)
    given = int(times[0, value != NO_VALUE].sum())
    alone = (ONE_CODER.format(coders[0]),) if len(coders) < options.least else ()
    data = Annotations(
        items=np.arange(1, grid.shape[1] + 1),
        coders=coders,
        questions=("",),
        schemes=labels.schemes,
        values=labels.values,
        layout=np.ascontiguousarray(grid.T),
        reading=told(reading, grid.size - given, options, (), (*labels.notes, *alone)),
    )
    if given <= len(data.items):
        data = replace(
            data, reading=doubted(data.reading, data.columns, (grid.shape[1], 1, len(coders)))
        )
    return data if _FULL * given >= grid.size else replace(data, layout=data.columns)


def _bytes(column: Column) -> NDArray[np.uint8]:
    """(I,) the codes of a column of few words, `BLANK_BYTE` for a blank."""
    codes = column.codes
    return codes.view(np.uint8) if codes.dtype.itemsize == 1 else codes.astype(np.uint8)


# ------------------------------------------------------------------ arrays


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
    """Annotations from a (coders, items) array; of (items, coders) if it has many more rows."""
    array = matrix(source)
    in_columns, doubts = _orientation(array.shape, options)
    by_coder = array.T if in_columns else array
    n_coders, n_items = by_coder.shape
    if not n_coders or not n_items:
        raise InputError(f"the {kind} is empty: it has shape {array.shape}")
    names = _names(options, n_coders)
    shape = "items x coders" if in_columns else "coders x items"
    reading = Reading(kind, f"array, {shape}", warnings=doubts, generated_ids=True)
    coded = encode_bytes(by_coder)
    columns = (
        [encode(name, row) for name, row in zip(names, by_coder, strict=True)]
        if coded is None
        else [
            Column(n, c, coded[1])
            for n, c in zip(names, np.ascontiguousarray(coded[0]), strict=True)
        ]
    )
    found = grid_of(columns, names, options, reading, lambda i, c: _place(i, c, in_columns))
    if found is not None:
        return found
    coder = np.repeat(np.arange(n_coders, dtype=np.int32), n_items)
    rows = Rows(
        Column(
            "item", np.tile(np.arange(n_items, dtype=np.int32), n_coders), np.arange(n_items) + 1
        ),
        Column("question", np.zeros(len(coder), np.uint8), ("",)),
        Column("coder", coder, names),
        merge(columns),
        lambda k: _place(k % n_items, k // n_items, in_columns),
    )
    return assemble(rows, options, reading)


def _names(options: Options, n_coders: int) -> tuple[str, ...]:
    """The coders as the user names them, else by number."""
    for role in ("item", "label", "question"):
        if getattr(options, role):
            raise RequestError("an array has no named columns; give a frame", parameter=role)
    if not options.coder:
        return tuple(f"coder {k + 1}" for k in range(n_coders))
    if len(set(options.coder)) != n_coders:
        raise RequestError(
            f"the array has {count_of(n_coders, 'coder')}; names given: {len(set(options.coder))}",
            parameter="coder",
        )
    return options.coder


def _place(item: int, coder: int, in_columns: bool) -> dict[str, Any]:
    row, column = (item, coder) if in_columns else (coder, item)
    return {"row": row + 1, "column": f"{column + 1}"}


def _orientation(shape: tuple[int, ...], options: Options) -> tuple[bool, tuple[Notice, ...]]:
    """Whether rows are items, which they are not unless there are many more; a doubt about it.

    No doubt if there are so many more rows than columns that they cannot be coders.
    """
    rows, columns = shape
    if options.layout is not None or rows <= columns:
        return options.layout == "wide", ()
    if options.coder and len(set(options.coder)) in (rows, columns):
        return len(set(options.coder)) == columns, ()
    if rows > max(MOST_CODERS, MANY_MORE * columns):
        return True, ()
    items = rows > max(FEW_CODERS, MORE * columns)
    n_items, n_coders = (rows, columns) if items else (columns, rows)
    read_as = f"{'items' if items else 'coders'}: "
    read_as += f"{count_of(n_items, 'item')} and {count_of(n_coders, 'coder')}"
    ways = (
        Action("", {"layout": "wide"}, "if each row is an item"),
        Action("", {"layout": "transposed"}, "if each row is a coder"),
    )
    return items, (Notice(f"the rows of the array are read as {read_as}", *ways),)
