"""Tables whose cells are numbers of annotations: contingency tables, and counts for each item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .evidence import numbers
from .labels import MISSING, is_number
from .names import coder_like, fact_like, role_of, tidy
from .options import Options
from .plan import Cell, Plan
from .table import BLANK, Column, Rows, Table, as_words, numbered, plain

SUMS = ("total", "sum", "n", "gesamt", "summe")  # columns beside counts that add them up
TOTALS = (*SUMS[:2], *SUMS[3:], "all", "totals", "σ", "")
MOST = 10**6  # coders that an item may have
SURE = 6  # rows of equal sum that are no accident


def tallied(table: Table, options: Options) -> Plan | None:
    """A contingency table or a table of counts, if the user or the cells say so."""
    free = options.layout is None and not (options.coder or options.label)
    if options.layout == "table" or (free and not options.item and _is_contingency(table)):
        return Plan("table", ())
    if options.layout == "counts" or (free and _is_counts(table, options)):
        return _counts(table, options)
    return None


def _names(table: Table) -> tuple[list[str], list[str]] | None:
    """Labels of the rows and of the columns of a contingency table, totals apart."""
    first, rest = table.columns[0], table.columns[1:]
    if len(first.words) != len(table) or (first.codes == BLANK).any():
        return None
    rows = [first.text[k] for k in first.codes.tolist() if tidy(first.text[k]) not in TOTALS]
    return rows, [c.name for c in rest if tidy(c.name) not in TOTALS]


def _is_contingency(table: Table) -> bool:
    """Whether rows and columns carry the same labels and the cells are counts."""
    found = _names(table) if len(table.columns) > 2 else None
    if found is None:
        return False
    rows, columns = found
    same = len(rows) > 1 and set(rows) == set(columns)
    return same and all(_counting(table[c]) for c in columns)


def _counting(column: Column) -> bool:
    """Whether a column holds whole numbers from 0 up."""
    if column.numeric:
        words = np.asarray(column.words)
        return words.dtype.kind in "iu" and bool((words >= 0).all())
    return not column.blank and all(w.isdigit() and is_number(w) for w in column.text)


def _item_of(table: Table, options: Options) -> str | None:
    """The column that names the items of a table of counts."""
    if options.item:
        return options.item
    declared = {*map(str, options.categories_of("") or ())}
    ids = [c for c in table.columns if role_of(c.name) == "item" and c.name not in declared]
    ids = [c for c in ids if len(c.words) == len(table)]
    first = table.columns[0]
    unique = len(first.words) == len(table) >= SURE
    if not ids and table.headed and (not numbers(first) or unique):
        return first.name
    return ids[0].name if ids else None


def _counted(table: Table, options: Options) -> tuple[NDArray[np.int64], list[str]]:
    """(K, N) the whole numbers beside the item ids, and the names of their columns."""
    nothing: tuple[NDArray[np.int64], list[str]] = np.zeros((0, 0), np.int64), []
    item = _item_of(table, options)
    if item is None or len(table[item].words) != len(table):
        return nothing
    cells = [
        c
        for c in table.columns
        if c.name != item
        and tidy(c.name) not in SUMS
        and (_counting(c) or not (fact_like(c.name) or len(c.words) == len(table)))
    ]
    if len(cells) < 2 or not all(map(_counting, cells)):
        return nothing
    if any(int(plain(w)) > MOST for c in cells for w in c.words):
        return nothing
    if any((c.codes == BLANK).any() for c in cells):
        return nothing
    return np.stack([_integers(c) for c in cells]), [c.name for c in cells]


def _integers(column: Column) -> NDArray[np.int64]:
    return np.array([*(int(plain(w)) for w in column.words), 0], np.int64)[column.codes]


def _is_counts(table: Table, options: Options) -> bool:
    """Whether each row says how many coders chose each category.

    The alternative is a column of numeric labels for each coder. Three things tell them apart.
    Every item has about the same number of annotations, so that most rows have the same sum; no
    row has a larger one. Some category was chosen by nobody for some item. And where all coders
    of an item chose one category, its count is the sum of the row: labels of coders would sum to
    more as soon as two of them give the highest one.
    """
    counts, names = _counted(table, options)
    given = set(map(plain, options.categories_of("") or ()))
    if given and len(names) > 1 and set(names) <= given:
        return not all({*table[n].text} <= given for n in names)
    if len(counts) < 2 or len(table) < 3:
        return False
    sums = counts.sum(0)
    most = int(sums.max())
    if counts.max() < 2:
        return False  # marks
    same = int(np.count_nonzero(sums == most))
    unanimous = int(counts.max()) == most
    if most < 2 or sums.min() < 1 or 2 * same < len(table):
        return False
    if all(map(coder_like, names)):
        return unanimous and same == len(table) and all(len(n) == 1 for n in names)
    sure = same == len(table) >= SURE and len(np.unique(counts, axis=1).T) > 2
    return sure or (unanimous and bool((counts == 0).any()))


def may_be_counts(table: Table, options: Options) -> bool:
    """Whether a table that is read as wide has something of a table of counts: equal sums."""
    counts, names = _counted(table, options)
    if len(counts) < 2 or not (counts == 0).any() or any(map(coder_like, names)):
        return False
    sums = counts.sum(0)
    usual = np.unique(sums, return_counts=True)[1].max()
    return bool(sums.min() >= 1 and sums.max() >= 2 and 2 * usual >= len(table) > 2)


def _counts(table: Table, options: Options) -> Plan:
    item = _item_of(table, options)
    cells = options.label or [
        c.name for c in table.columns if c.name != item and numbers(c) and tidy(c.name) not in SUMS
    ]
    if not cells:
        raise InputError(
            "a table of counts needs a column of whole numbers for each category; the columns are "
            f"{', '.join(map(repr, table.names[:12]))}",
            file=table.source,
        )
    told = Notice(
        "each row counts the coders who chose each category",
        Action("", {"layout": "wide"}, "if the columns are coders"),
    )
    notes = () if options.layout else (told,)
    return Plan("counts", tuple(map(Cell, cells)), item, notes=notes)


def of_contingency(table: Table, plan: Plan) -> Rows:
    """N items of two coders from the table of how often each pair of labels occurs."""
    found = _names(table)
    if found is None or not set(found[0]) & set(found[1]):
        raise InputError(
            "this is no contingency table: the first column must hold each label of the first "
            "coder once, and the header those of the second",
            file=table.source,
        )
    rows, columns = found
    labels = list(dict.fromkeys([*rows, *columns]))
    counts = _matrix(table, columns)[: len(rows)]
    times = counts.ravel()
    first = np.repeat([labels.index(r) for r in rows], len(columns))
    second = np.tile([labels.index(c) for c in columns], len(rows))
    n = int(times.sum())
    label = np.repeat([first, second], times, axis=1).ravel().astype(np.int32)
    items = Column("item", np.tile(np.arange(n, dtype=np.int32), 2), np.arange(1, n + 1))
    names = _corner(table.columns[0].name)
    coder = Column("coder", np.repeat(np.arange(2, dtype=np.int32), n), names)
    nothing = Column("question", np.zeros(2 * n, np.int32), ("",))
    return Rows(
        items,
        nothing,
        coder,
        Column("label", label, tuple(labels)),
        lambda _: {"file": table.source},
    )


def _corner(name: str) -> tuple[str, str]:
    r"""The coders named in the corner of a table as 'Anna \ Bob', rows first."""
    for mark in ("\\", "/", "|", "×", " x ", " by "):
        left, found, right = name.partition(mark)
        if found and left.strip() and right.strip() and left.strip() != right.strip():
            return left.strip(), right.strip()
    return "coder 1", "coder 2"


def _matrix(table: Table, columns: Sequence[str]) -> NDArray[np.int64]:
    """(N, M) the counts in some columns; a cell that is no count is an error."""
    out = np.zeros((len(table), len(columns)), np.int64)
    for m, name in enumerate(columns):
        column = table[name]
        numbers = []
        for k, word in enumerate(as_words(column.words)):
            text = plain(word)
            good = is_number(text) and float(text).is_integer() and float(text) >= 0
            if not good and text not in MISSING:
                at = int(np.flatnonzero(column.codes == k)[0])
                raise InputError(
                    f"{text!r} is not a count: a whole number from 0 up is needed",
                    file=table.source,
                    row=table.row(at),
                    column=name,
                )
            numbers.append(int(float(text)) if good else 0)
        out[:, m] = np.array([*numbers, 0], np.int64)[column.codes]
    return out


def of_counts(table: Table, plan: Plan) -> Rows:
    """Anonymous annotations from how many coders chose each category for each item."""
    names = [c.column for c in plan.cells]
    counts = _matrix(table, names)
    item = numbered(table) if plan.item is None else table[plan.item]
    n, k = counts.shape
    again = np.setdiff1d(np.arange(n), np.unique(item.codes, return_index=True)[1])
    odd = [*np.flatnonzero(item.codes == BLANK), *again]
    if odd:
        raise InputError(
            "a table of counts has one row for each item; this row names none, or one that has a "
            "row already. Delete it if it is a total or a remark",
            file=table.source,
            row=table.row(int(odd[0])),
            column=plan.item,
        )
    times = counts.ravel()
    items = np.repeat(np.repeat(item.codes, k), times).astype(np.int32)
    label = np.repeat(np.tile(np.arange(k, dtype=np.int32), n), times)
    rows = np.repeat(np.repeat(np.arange(n), k), times)

    def place(at: int) -> dict[str, Any]:
        return {"file": table.source, "row": table.row(int(rows[at])), "column": names[label[at]]}

    return Rows(
        Column("item", items, item.words),
        Column("question", np.zeros(len(items), np.int32), ("",)),
        None,
        Column("label", label, tuple(names)),
        place,
    )
