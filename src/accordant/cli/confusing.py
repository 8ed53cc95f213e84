"""Contingency tables on the command line: as a matrix, as cells, and the items behind a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..diagnosis.confusion import Confusion, against_rest
from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.words import isolated, label_text, listed
from ..errors import RequestError, unknown
from ..fields import cell
from ..numbers import count_of
from ..views.document import Column, Table
from ..views.of_labels import labels_cell, labels_notes
from .asked import Asked
from .at_length import item_rows
from .breakdown import Breakdown, Broken

__all__ = ["ITEM_COLUMNS", "behind_cell", "cells", "matrix"]

NOTHING_MORE = "(nothing more)"
TOTALS = "all"

CELLS = (
    Column("first", "coder"),
    Column("second", "and"),
    Column("row", "one gave"),
    Column("column", "the other gave"),
    Column("n", "pairs", "count"),
    Column("row_share", "of the row", "share"),
)
POOLED_PAIRS = "all pairs of coders, each pair of annotations once in either direction"
SAME = Column("agreed", "the same", "share")
ITEM_COLUMNS = (
    Column("item", "item"),
    Column("agreement", "agreement", "share"),
    Column("labels", "who said what"),
    Column("text", "text"),
)


def tables(part: Part, asked: Asked) -> tuple[Confusion, ...]:
    """The tables that were asked for: a pair, a coder against the rest, or every pair."""
    if asked.of is not None and asked.against is not None:
        return (part.contingency(asked.of, asked.against),)
    if asked.of is not None:
        return (against_rest(part.counts, asked.of, labels=part.scheme.categories),)
    if part.confusions:
        return part.confusions
    return (_pooled(part),)


def table(part: Part, asked: Asked) -> Confusion:
    """The one table that is shown: of several pairs of coders all together."""
    found = tables(part, asked)
    return found[0] if len(found) == 1 else _pooled(part)


def _pooled(part: Part) -> Confusion:
    if part.confusion is None:
        raise RequestError(
            f"{part.counts.n_values:,} different values are too many for a table of confusions; "
            "accordant diagnose --show items lists the items"
        )
    return part.confusion


# ------------------------------------------------------------------ cells


def cells(part: Part, asked: Asked) -> Breakdown:
    """What one coder gives where another gives something else."""
    every = tables(part, asked)
    rows = _cells(every)
    if len(every) == 1:
        whole = every[0].first is None
        return Breakdown(rows, CELLS[2:] if whole else CELLS)
    return Breakdown(rows, CELLS[2:], (POOLED_PAIRS,), _cells([_pooled(part)]))


def _cells(tables: Iterable[Confusion]) -> list[dict[str, Any]]:
    """The cells that are not empty, disagreements first, the frequent ones in front."""
    rows = [row for found in tables for row in _rows(found)]
    return sorted(rows, key=lambda row: (row["row"] == row["column"], -row["n"]))


def _rows(found: Confusion) -> list[dict[str, Any]]:
    last = {found.values[-1]: NOTHING_MORE} if found.of_labels else {}
    return [
        row | {name: last.get(row[name], row[name]) for name in ("row", "column")}
        for row in found.to_rows()
    ]


def matrix(part: Part, asked: Asked, width: int) -> Table | None:
    """The table with a row and a column for each label; None if a line of ``width`` has no room."""
    found = table(part, asked)
    names = _names(found)
    head = f"{isolated(found.first or 'one')} ↓ {isolated(_other(found))} →"
    columns = [
        Column("name", head),
        *(Column(f"of {k}", name, "count") for k, name in enumerate(names)),
        *(() if found.of_labels else (Column("n", "all", "count"), SAME)),
    ]
    rows = tuple(_line(found, k, name) for k, name in enumerate(names))
    if _width(columns, rows) > width and columns[-1] is SAME:
        columns.pop()
    if _width(columns, rows) > width:
        return None
    return Table("", tuple(columns), rows, _notes(found))


def _width(columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> int:
    """The characters of a line, with the margin and the narrowest gaps."""
    cells = [[c.heading, *(cell(c, row) for row in rows)] for c in columns]
    return 2 + sum(max(map(len, column)) + 2 for column in cells)


def _line(found: Confusion, k: int, name: str) -> dict[str, Any]:
    line = found.table[k]
    n = float(line.sum())
    same = float(line[k]) / n if n else float("nan")
    each = {f"of {j}": float(x) for j, x in enumerate(line)}
    return {"name": name, **each, "n": n, "agreed": same}


def _other(found: Confusion) -> str:
    return found.second or ("others" if found.first else "other")


def _notes(found: Confusion) -> tuple[str, ...]:
    if found.of_labels:
        return labels_notes(found)
    if found.first and found.second:
        return (f"{count_of(found.n, 'item')} that both annotated",)
    if found.first:
        return (f"{count_of(found.n, 'pair')} of annotations, one by {isolated(found.first)}",)
    return (f"{count_of(found.n / 2, 'pair')} of annotations, each counted in both directions",)


def _name(found: Confusion, k: int) -> str:
    if found.of_labels and k == len(found.values) - 1:
        return NOTHING_MORE
    return label_text(found.values[k])


# ------------------------------------------------------------------ the items behind a cell


def behind_cell(diagnosis: Diagnosis, asked: Asked, row: str, column: str) -> Broken:
    """The items where one coder gave ``row`` and the other ``column``, with their texts.

    Raises
    ------
    RequestError
        If no question has both labels.
    """
    found = [(part, table(part, asked)) for part in diagnosis.each]
    known = [(part, t) for part, t in found if {row, column} <= set(_names(t))]
    if not known:
        raise _no_cell(found, row, column)
    parts = [(part.question, _behind(part, t, row, column, asked.most)) for part, t in known]
    name = labels_cell if known[0][1].of_labels else _cell
    t = known[0][1]
    return Broken(name(t, _names(t).index(row), _names(t).index(column)), tuple(parts), asked.most)


def _no_cell(found: Sequence[tuple[Part, Confusion]], row: str, column: str) -> RequestError:
    """That a label is not there, and which there are on the questions that have the other one."""
    names = [(part.question, _names(t)) for part, t in found]
    every = list(dict.fromkeys(x for _, own in names for x in own))
    lost = next((x for x in (row, column) if x not in every), None)
    if lost is None:
        each = "; ".join(
            f"{x!r} is a label of {listed(q for q, own in names if x in own)}"
            for x in (row, column)
        )
        return RequestError(f"no question has {row!r} and {column!r}: {each}")
    other = column if lost == row else row
    beside = [own for _, own in names if other in own and other != lost]
    have = f"the labels beside {other!r} are" if beside and len(names) > 1 else "the labels are"
    near = dict.fromkeys(x for own in beside for x in own if x != other or len(names) == 1)
    return unknown("label", lost, near or every, have)


def _behind(part: Part, found: Confusion, row: str, column: str, most: int | None) -> Breakdown:
    names = _names(found)
    values = [found.values[names.index(x)] for x in (row, column)]
    named = part.items.named(found.items(*values)[:most])
    rows = [{k: x for k, x in r.items() if k != "question"} for i in named for r in i.to_rows()]
    some = any(item.text for item in named)
    columns = ITEM_COLUMNS if some else ITEM_COLUMNS[:-1]
    return Breakdown(rows, columns, fewer=item_rows(named))


def _names(found: Confusion) -> Sequence[str]:
    return [_name(found, k) for k in range(len(found.values))]


def _cell(found: Confusion, k: int, other: int) -> str:
    """What stands in a cell of single labels, in words."""
    row, column = (isolated(label_text(found.values[j])) for j in (k, other))
    first, second = found.first or "one coder", found.second or "another"
    said = f"{first} said {row}, {second} {column}"
    return said[:1].upper() + said[1:] if found.first is None else said
