"""From tables and what their columns mean to one row for each annotation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..errors import InputError
from . import evidence
from .annotations import Annotations
from .derived_columns import SURE, follows, orders
from .labels import listed
from .names import CONSENSUS, TIMES, personal, tidy, words_of
from .plan import Plan
from .table import (
    BLANK,
    Codes,
    Column,
    Rows,
    Table,
    Words,
    as_words,
    encode,
    merge,
    numbered,
    plain,
)
from .tallies import of_contingency, of_counts

MOST_TIMED = 50  # coders with a column of their own for when they annotated


def rows_of(
    tables: Sequence[Table], plans: Sequence[Plan], facts: Sequence[tuple[Table, Plan]] = ()
) -> tuple[Rows, tuple[str, ...]]:
    """All tables below one another, and notes about columns that are not used.

    ``facts`` are tables that say something about the items but hold no annotations.
    """
    melted = [_MELT.get(p.layout, _melt)(t, p) for t, p in zip(tables, plans, strict=True)]
    rows = melted[0] if len(melted) == 1 else _stack(melted)
    known: dict[str, Column] = {}
    if plans[0].layout in ("long", "transposed"):
        rows, known = _without_consensus(rows)
    texts, metadata, notes = item_facts(rows.item.words, [*zip(tables, plans, strict=True), *facts])
    if known:
        names = ", ".join(map(repr, known))
        said = f"{names} is no coder, by its name: kept as known labels of the items"
        notes = (said, *notes)
    rows = replace(rows, texts=texts, metadata=_cells(known) | metadata)
    return rows, (*(n for t, p in zip(tables, plans, strict=True) for n in _tallies(t, p)), *notes)


def _without_consensus(rows: Rows) -> tuple[Rows, dict[str, Column]]:
    """The rows of coders, and what a consensus or known labels among them say of each item."""
    if rows.coder is None:
        return rows, {}
    names = [plain(w) for w in as_words(rows.coder.words)]
    gone = [k for k, name in enumerate(names) if tidy(name) in CONSENSUS]
    if not gone or len(names) - len(gone) < 2 or len(rows.question.words) > 1:
        return rows, {}
    known, n_items = {}, len(rows.item.words)
    for k in gone:
        own = np.where(rows.coder.codes == k, rows.label.codes, BLANK)
        known[names[k]] = _first(replace(rows.label, codes=own), rows.item.codes, n_items)
    codes = np.cumsum(~np.isin(np.arange(len(names)), gone)) - 1
    words = tuple(w for k, w in enumerate(as_words(rows.coder.words)) if k not in gone)
    coder = Column("coder", codes[rows.coder.codes].astype(np.int32), words)
    keep = np.flatnonzero(~np.isin(rows.coder.codes, gone))
    return replace(rows, coder=coder).cut(keep), known


def _tallies(table: Table, plan: Plan) -> tuple[str, ...]:
    """The note about rows below the data that are left out since they name no item."""
    if plan.layout not in ("long", "wide", "files") or not _is_tally(table, plan):
        return ()
    blank = np.flatnonzero(table[plan.item or ""].codes == BLANK)
    rows = "the last row names" if len(blank) == 1 else f"the last {len(blank):,} rows name"
    return (f"left out: {rows} no item ({table.source}, from row {table.row(int(blank[0]))})",)


def _stack(parts: Sequence[Rows]) -> Rows:
    starts = np.cumsum([0, *(len(p.item) for p in parts)]).tolist()

    def place(k: int) -> dict[str, Any]:
        part = bisect_right(starts, k) - 1
        return parts[part].place(k - starts[part])

    roles = dict.fromkeys(role for p in parts for role in p.columns())
    merged: dict[str, Any] = {
        role: merge([p.columns().get(role) or _nothing(len(p.item)) for p in parts])
        for role in roles
    }
    if any(p.coder is None for p in parts):  # nobody knows who answered some
        merged["coder"] = None
    return replace(parts[0], **merged, place=place)


def _nothing(n: int) -> Column:
    return Column("", np.full(n, BLANK, np.int32), ())


def _melt(table: Table, plan: Plan) -> Rows:
    """A row for each cell of labels: (cells x N) rows, one column of labels after the other."""
    n, m, turned = len(table), len(plan.cells), plan.layout == "transposed"
    names = [table.shown.get(c.column, c.column) for c in plan.cells]
    if turned:
        items = [
            name if c.item is None else c.item for c, name in zip(plan.cells, names, strict=True)
        ]
        words = tuple(dict.fromkeys(items))
        codes = np.repeat([words.index(x) for x in items], n).astype(np.int32)
        item = Column("item", codes, words)
    else:
        item = _below(item_of(table, plan), m)
    questions, asked = _questions(table, plan)

    def place(k: int) -> dict[str, Any]:
        return {"file": table.source, "row": table.row(k % n), "column": names[k // n]}

    rows = Rows(
        item,
        Column("question", asked, questions),
        _coders(table, plan),
        merge([table[c.column] for c in plan.cells]),
        place,
        status=_below(table[plan.status], m) if plan.status else None,
        occasion=_below(table[plan.occasion], m) if plan.occasion else None,
    )
    keep = _rows_with_ids(table, plan, rows)
    return rows if keep.all() else rows.cut(np.flatnonzero(keep))


def _below(column: Column, times: int) -> Column:
    """A column several times below itself."""
    return replace(column, codes=np.tile(column.codes, times)) if times > 1 else column


def item_of(table: Table, plan: Plan) -> Column:
    """(N,) the items of a table; the rows themselves if no column names them."""
    return numbered(table) if plan.item is None else table[plan.item]


def _questions(table: Table, plan: Plan) -> tuple[tuple[str, ...], Codes]:
    """Names of the questions and, for each row, which of them is asked."""
    n, m = len(table), len(plan.cells)
    of_cell = list(dict.fromkeys(c.question for c in plan.cells))
    cell = np.repeat([of_cell.index(c.question) for c in plan.cells], n)
    if plan.question is None:
        return tuple(of_cell), cell.astype(np.int32)
    column = table[plan.question]
    names = [plain(w) for w in as_words(column.words)]
    if (column.codes == BLANK).any():
        names.append("")
    codes = np.where(column.codes == BLANK, len(names) - 1, column.codes)
    if len(of_cell) == 1:
        return tuple(names), np.tile(codes, m).astype(np.int32)
    both = tuple(f"{q} {c}" for q in names for c in of_cell)
    return both, (np.tile(codes, m) * len(of_cell) + cell).astype(np.int32)


def _coders(table: Table, plan: Plan) -> Column | None:
    n, m = len(table), len(plan.cells)
    if plan.coder is not None:
        return _below(table[plan.coder], m)
    if plan.layout == "transposed":
        names = tuple(f"coder {k + 1}" for k in range(n))
        return _below(Column("coder", np.arange(n, dtype=np.int32), names), m)
    if any(c.coder is None for c in plan.cells):
        return None
    names = tuple(dict.fromkeys(str(c.coder) for c in plan.cells))
    codes = np.repeat([names.index(str(c.coder)) for c in plan.cells], n).astype(np.int32)
    return Column("coder", codes, names)


def _rows_with_ids(table: Table, plan: Plan, rows: Rows) -> NDArray[np.bool_]:
    """Which rows say what item and coder they are about; a label without them is an error."""
    keep: NDArray[np.bool_] = rows.item.codes != BLANK
    if rows.coder is not None:
        keep &= rows.coder.codes != BLANK
    lost = ~keep & (rows.label.codes != BLANK)
    if lost.any() and not _is_tally(table, plan):
        at = int(np.flatnonzero(lost)[0])
        no_item = rows.item.codes[at] == BLANK
        role, name = ("item", plan.item) if no_item else ("coder", plan.coder)
        place = rows.place(at) | {"column": name}
        raise InputError(
            f"the row has a label but no {role}. Fill the cell, or delete the row if it is a "
            "total or a remark",
            **place,
            do=[Action("", {"header_row": place["row"]}, "if it names the columns")],
        )
    return keep


def _is_tally(table: Table, plan: Plan) -> bool:
    """Whether all rows without an item stand below the data: sums and remarks."""
    if plan.item is None:
        return False
    item = table[plan.item]
    blank = np.flatnonzero(item.codes == BLANK)
    return 0 < len(blank) < len(table) and bool((item.codes[blank[0] :] == BLANK).all())


_MELT = {"table": of_contingency, "counts": of_counts}  # all others hold labels in their cells


# ---------------------------------------------------------------------- what belongs to items


def item_facts(
    words: Words, sources: Sequence[tuple[Table, Plan]]
) -> tuple[tuple[str, ...] | None, dict[str, tuple[Any, ...]], tuple[str, ...]]:
    """The texts and the metadata (I,) of the items that are called so, and notes."""
    notes: list[str] = []
    differ: dict[str, list[str]] = {}
    metadata: dict[str, Column] = {}
    texts: Column | None = None
    n_items = len(words)
    sources = [
        (t, p)
        for t, p in sources
        if p.layout not in ("table", "transposed")
        and (p.text or any(c.name not in p.used and not c.blank for c in t.columns))
    ]
    position = {plain(w): k for k, w in enumerate(as_words(words))} if sources else {}
    for table, plan in sources:
        item = item_of(table, plan)
        into = [position.get(plain(w), n_items) for w in as_words(item.words)]
        codes = np.array([*into, n_items], np.int64)[item.codes]
        for column in table.columns:
            found = _first(column, codes, n_items)
            same = evidence.constant(column.codes, codes, n_items)
            if column.name == plan.text:
                texts = found if texts is None else _filled(texts, found)
                if not same:
                    notes.append(f"an item has several texts in {plan.text!r}: the first is kept")
            elif personal(column.name) and column.name not in plan.used:
                notes.append(f"{column.name!r} is not kept: it is about persons")
            elif column.name not in plan.used and not column.blank:
                name = f"{table.coder}: {column.name}" if plan.layout == "facts" else column.name
                of_coders = {} if same else _times(table, plan, column, codes, n_items)
                for key, mine in ({name: found} if same else of_coders).items():
                    old = metadata.get(key)
                    metadata[key] = mine if old is None else _filled(old, mine)
                if not same and not of_coders:
                    who = [c for c in table.columns if c.name == plan.coder]
                    of = [evidence.constant(column.codes, c.codes, len(c.words)) for c in who]
                    why = "the same in all rows of a coder" if any(of) else "varies within items"
                    differ.setdefault(why, []).append(name)
    notes += [f"not used, {why}: {_short(names)}" for why, names in differ.items()]
    told = None if texts is None else tuple("" if x is None else x for x in texts.cells())
    return told, _cells(metadata), tuple(dict.fromkeys(notes))


MOST_LOOKED_AT = 2_000  # items that tell which columns may follow from labels
MOST_COUNTS = 5_000_000  # items times labels that are counted
MOST_COPIED = 50  # coders of whom a column may be a copy


def told_of_metadata(data: Annotations) -> Annotations:
    """The annotations with notes on their metadata, and which of them follows from the labels."""
    if not data.metadata or data.reading.derived:
        return data
    found = dict[str, str]()
    for q in range(len(data.questions)):
        rest = [n for n in data.metadata if n not in found]
        found |= _derived(data, q, rest)
    kept = [n for n in data.metadata if n not in found]
    notes = [f"kept as item metadata: {_short(kept)}"] if kept else []
    if found:
        said = "; ".join(f"{name!r} ({what})" for name, what in [*found.items()][:12])
        notes.append(f"kept apart, because they follow from the labels: {said}")
    reading = replace(data.reading, derived=found, notes=(*data.reading.notes, *notes))
    return replace(data, reading=reading)


def _derived(data: Annotations, question: int, names: Sequence[str]) -> dict[str, str]:
    """The columns of metadata that follow from the labels of a question, and what they say.

    Some items tell which columns may; all then do, if they can be counted.
    """
    c, n_items = data.answered, len(data.items)
    mine = c.question == question
    item, coder, value = c.item[mine], c.coder[mine], c.value[mine]
    used, value = np.unique(value, return_inverse=True)
    words = [evidence.folded(plain(data.values[k])) for k in used.tolist()]
    several = np.flatnonzero(np.bincount(item, minlength=n_items) > 1)
    most = MOST_COUNTS // max(1, len(words))
    every = max(1, -(-len(several) // min(most, MOST_LOOKED_AT)))
    found = dict[str, str]()
    for items in (several[::every], several[:most]) if every > 1 else (several,):
        place = np.full(n_items, -1)
        place[items] = np.arange(len(items))
        at = place[item]
        some = at >= 0
        counts = np.bincount(at[some] * len(words) + value[some], minlength=len(items) * len(words))
        counts = counts.reshape(len(items), len(words))
        names, found = [n for n in names if not found or n in found], {}
        for name in names:
            column = data.metadata[name]
            cells = encode(name, [column[i] for i in items.tolist()])
            text = [evidence.folded(w) for w in cells.text]
            says, bits = follows(cells.codes, text, counts, words)
            if bits < SURE and len(data.coders) <= MOST_COPIED:
                own = np.array([words.index(w) if w in words else -2 for w in text] + [-2])
                for k, who in enumerate(data.coders):
                    rows = some & (coder == k)
                    same = own[cells.codes[at[rows]]] == value[rows]
                    if same.all() and (n := orders(cells.codes[at[rows]])) > SURE:
                        says, bits = f"a copy of the labels of {who!r}", n
            if bits >= SURE:
                found[name] = says
        if not found:
            break
    return found


def _cells(columns: Mapping[str, Column]) -> dict[str, tuple[Any, ...]]:
    return {name: tuple(column.cells()) for name, column in columns.items()}


def _times(
    table: Table, plan: Plan, column: Column, item: Codes, n_items: int
) -> dict[str, Column]:
    """When each coder annotated the items, a column (I,) for each: ``'anna: created_at'``.

    Empty if the column says something else, or there are too many coders for columns of their own.
    """
    if plan.layout != "long" or plan.coder is None or not _tells_time(column):
        return {}
    coder = table[plan.coder]
    if len(coder.words) > MOST_TIMED:
        return {}
    found = {}
    for k, name in enumerate(as_words(coder.words)):
        own = replace(column, codes=np.where(coder.codes == k, column.codes, BLANK))
        found[f"{plain(name)}: {column.name}"] = _first(own, item, n_items)
    return found


def _tells_time(column: Column) -> bool:
    """Whether a column says when something was done: by its name or by its cells."""
    named = any(word in TIMES for word in words_of(column.name))
    kind = evidence.Facts.of(column).kind
    return kind == "time" or (named and kind == "number")


def _short(names: Iterable[str]) -> str:
    return listed((n if len(n) <= 50 else n[:49] + "…" for n in dict.fromkeys(names)), 12)


def _first(column: Column, item: Codes, n_items: int) -> Column:
    """(I,) the first cell of each item that is not blank; ``item`` (N,) is I where it is none."""
    return replace(column, codes=evidence.first_per(column.codes, item, n_items))


def _filled(old: Column, new: Column) -> Column:
    """Cells of the first, blanks filled from the second."""
    both = merge([old, new])
    first, second = np.split(both.codes, 2)
    return replace(both, name=old.name, codes=np.where(first == BLANK, second, first))
