"""Columns of single labels, one for each coder, of an array or a table: a grid of codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .annotations import NO_VALUE, Annotations, Reading
from .assemble import ONE_CODER, anonymous_name, doubted, told
from .layouts import item_facts, item_of
from .options import Options
from .plan import Plan
from .table import BLANK, BLANK_BYTE, Column, Table, cells_of, times_of
from .values import interpret

__all__ = ["At", "grid_of", "grid_of_table"]

At: TypeAlias = Callable[[int, int], dict[str, Any]]  # item, coder -> the place of the cell
_MOST = 127  # distinct cells, so that a code is a byte
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
        or plan.weight
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
        or options.ranked
        or options.separator
        or options.max_labels not in (None, 1)
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
