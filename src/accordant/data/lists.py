"""Lists in the cells of a row that belong together: annotators beside their labels, or slots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ..actions import Action, Notice
from ..errors import InputError
from .label_sets import as_list
from .names import role_of
from .options import Options
from .separators import guess, parts
from .table import BLANK, Column, Table, as_words, encode

__all__ = ["unlisted"]

Lists = list[tuple[Any, ...]]  # (N,) the labels of each cell; () for a blank one


def unlisted(table: Table, options: Options) -> tuple[Table, Options]:
    """The table with a row, or a column, for each member of lists that several coders filled.

    Raises
    ------
    InputError
        If the only column of lists may hold sets of labels as well as a label of each coder.
    """
    told = options.label if options.layout == "wide" and len(options.label) == 1 else ()
    found = {c.name: x for c in table.columns if (x := _lists(c, told=c.name in told)) is not None}
    found = found or _together(table)
    if not found or options.max_labels or options.layout in ("onehot", "counts", "table"):
        return table, options
    names = _persons(table, found, options)
    if names is not None:
        beside = [n for n, x in found.items() if n != names and _alike(x, found[names])]
        beside = [n for n in beside if not options.label or n in options.label]
        if beside:
            return _exploded(table, found, [names, *beside]), options
    return _slots(table, found, options)


def _together(table: Table) -> dict[str, Lists]:
    """Columns whose cells are lists since each row has as many members in a column of coders."""
    texts = {c.name: list(map(str, c.text)) for c in table.columns if not c.blank and not c.numeric}
    for name, mark in product((n for n in texts if role_of(n) == "coder"), (";", "|", ",")):
        if not any(mark in t for t in texts[name]):
            continue
        split = {n: [*(tuple(parts(t, mark)) for t in x), ()] for n, x in texts.items()}
        sizes = {n: [len(split[n][k]) for k in table[n].codes.tolist()] for n in texts}
        alike = {n: split[n] for n in texts if sizes[n] == sizes[name]}
        if len(alike) > 1 and 2 * sum(n > 1 for n in sizes[name]) > len(table):
            return alike
    return {}


def _lists(column: Column, *, told: bool) -> Lists | None:
    """The cells as lists, if they were said to be, or most that are filled have several members."""
    if column.blank or column.numeric or (role_of(column.name) == "item" and not told):
        return None
    words = as_words(column.words)
    times = np.bincount(column.codes[column.codes != BLANK], minlength=len(words))
    if all(isinstance(w, tuple) for w in words):
        found = list(words)
    elif any(isinstance(w, tuple) for w in words):
        return None
    else:
        texts = [str(w) for w in words]
        read = [as_list(t) if t[:1] in "[{(" else None for t in texts]
        if all(x is not None for x in read):
            found = [x or () for x in read]
        elif (mark := _mark(texts, times.tolist())) is not None:
            found = [tuple(parts(t, mark)) for t in texts]
        else:
            return None
    several = sum(int(n) for n, x in zip(times, found, strict=True) if len(x) > 1)
    return [*found, ()] if told or 2 * several > times.sum() else None


def _mark(texts: Sequence[str], times: Sequence[int]) -> str | None:
    """What separates the members in every cell: ',', ';' or '|' without words of more members."""
    for mark in (";", "|", ","):
        if all(mark in t for t in texts) and not any(re.search(r"\w \w+ \w", t) for t in texts):
            each = [parts(t, mark) for t in texts]
            members = {p for x in each for p in x}
            n = sum(k * len(x) for k, x in zip(times, each, strict=True))
            if all(members) and 2 * len(members) <= n:
                return mark
    found = guess(texts)
    return found.mark if found is not None and found.clear else None


def _rows(column: Column, lists: Lists) -> Lists:
    return [lists[k] for k in column.codes.tolist()]


def _persons(table: Table, found: dict[str, Lists], options: Options) -> str | None:
    """The column of lists that names the coders of a row: nobody twice."""
    if len(options.coder) == 1:
        return options.coder[0] if options.coder[0] in found else None
    named = [n for n in found if role_of(n) == "coder" and role_of(n.rstrip("s")) == "coder"]
    named += [n for n in found if role_of(n) == "coder" and n not in named]
    once = [n for n in named if all(len(set(x)) == len(x) for x in found[n])]
    return once[0] if once else None


def _alike(one: Lists, other: Lists) -> bool:
    return sorted({len(x) for x in one}) == sorted({len(x) for x in other})


def _exploded(table: Table, found: dict[str, Lists], names: Sequence[str]) -> Table:
    """A row for each member of the lists, which are as long as one another in each row."""
    cells = {n: _rows(table[n], found[n]) for n in names}
    sizes = {n: [len(x) for x in rows] for n, rows in cells.items()}
    first = names[0]
    for name in names[1:]:
        unlike = [
            k for k, (a, b) in enumerate(zip(sizes[first], sizes[name], strict=True)) if a != b
        ]
        if unlike:
            k = unlike[0]
            raise InputError(
                f"the list in {first!r} has {sizes[first][k]} members, but the one in {name!r} "
                f"{sizes[name][k]}: it is not clear whose labels they are",
                file=table.source,
                row=table.row(k),
                column=name,
            )
    of = np.repeat(np.arange(len(table)), sizes[first])
    columns = [
        encode(c.name, [x for row in cells[c.name] for x in row])
        if c.name in cells
        else replace(c, codes=c.codes[of])
        for c in table.columns
    ]
    note = f"lists in {', '.join(map(repr, names))} are read together: a row for each member"
    return replace(
        table,
        columns=tuple(columns),
        row=lambda k: table.row(int(of[k])),
        notes=(*table.notes, note),
        fills=(),
    )


def _slots(table: Table, found: dict[str, Lists], options: Options) -> tuple[Table, Options]:
    """A column for each position of the one column of lists, if it is the only one of labels."""
    told = options.layout == "wide" and len(options.label) == 1 and options.label[0] in found
    if told:
        name = options.label[0]
    elif (
        len(found) > 1
        or options.coder
        or options.label
        or options.layout
        or any(role_of(c.name) == "coder" or _holds_lists(c, found) for c in table.columns)
    ):
        return table, options
    else:
        name = next(iter(found))
        if role_of(name) in ("item", "text"):
            return table, options
    rows = _rows(table[name], found[name])
    beside = [c for c in table.columns if c.name != name and role_of(c.name) != "item"]
    others = {x for c in beside for x in c.text}
    if not told and others & {str(x) for row in rows for x in row}:
        return table, options
    if not told and not any(len(set(x)) < len(x) for x in rows):
        raise InputError(
            f"the lists in column {name!r}, such as {_shown(rows)}, hold no label twice: each may "
            "be the set of labels of one coder, or hold a label of each coder",
            file=table.source,
            column=name,
            do=[
                Action("", {"layout": "wide", "label": name}, "if each member is of another coder"),
                Action("", {"coder": ...}, "if a column names the coder of the row"),
            ],
        )
    width = max(map(len, rows))
    slots = [
        encode(f"slot {k + 1}", [x[k] if k < len(x) else None for x in rows]) for k in range(width)
    ]
    note = Notice(
        f"the members of a list in {name!r} are read as labels of as many coders without names",
        Action("", {"max_labels": width}, "if a list is the labels of one coder"),
    )
    rest = tuple(c for c in table.columns if c.name != name)
    made = replace(table, columns=(*rest, *slots), notes=(*table.notes, note), headed=True)
    return made, replace(options, layout="wide", label=(), coder=tuple(c.name for c in slots))


def _holds_lists(column: Column, found: dict[str, Lists]) -> bool:
    """Whether another column has lists too, though of hardly more than one member."""
    return column.name not in found and any(
        isinstance(w, tuple) or as_list(str(w)) is not None for w in as_words(column.words)
    )


def _shown(rows: Lists) -> str:
    return repr(list(next(x for x in rows if len(x) > 1)))[:60]
