"""What the columns of a table are: the likeliest reading, and how sure it is.

The readings of `readings` are compared: the margin is what the cheapest other reading, or the
cheapest decision the other way, would cost. Below `STOPS` reading stops and offers both; below
`WARNS` it goes on with a warning that does. What the user said is no guess and raises no doubt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from statistics import fmean
from typing import Any

import numpy as np

from ..actions import Action, Notice
from ..errors import InputError
from .annotation_rows import alike_in, of_annotations
from .assemble import status_of
from .coder_columns import ALIKE, ASKS, of_coders, split_names
from .evidence import Facts, Grid, agreeing, numbers, overlap, pairs_of
from .names import MARKS, REMARKS, coder_like, label_like, role_of, round_like, tidy
from .options import Options
from .plan import STOPS, WARNS, Cell, Flip, Hypothesis, Plan
from .surveys import GRID, asked_of
from .table import Column, Table, as_words, encode, merge, numbered, plain
from .tallies import may_be_counts, tallied

_LAYOUTS = {
    "wide": "a column for each coder",
    "long": "a row for each annotation",
    "onehot": "a column for each label",
    "files": "a file for each coder",
}
LONGEST = 200  # letters of options that a user may copy
COUNTS = 2.0  # bits
MOST_RIVALS = 4
MOST_COLUMNS = 20  # that are compared over files
SHARES = (
    *("label_count", "label_counts", "label_dist", "label_counter", "label_distribution"),
    *("soft_label", "soft_labels"),
)
FLOOR = 1.0  # bits that a reading needs of its own


def recognise(table: Table, options: Options) -> Plan:
    """How to read a table."""
    _check(table, options)
    if options.layout == "files":
        raise InputError(
            "the layout 'files' needs several files or sheets; this is one table",
            file=table.source,
        )
    if options.layout == "transposed":
        return _transposed(Grid(table), options)
    if (known := tallied(table, options)) is not None:
        return known
    grid = Grid(table)
    asked = options.item or options.layout or len(options.coder) > 1
    if not asked and _of_respondents(grid, options.coder):
        plan = _transposed(grid, options)
        told = Notice(
            "each row is a person who answered about all items, as forms and surveys are written",
            Action("", {"layout": "wide"}, "if each row is an item"),
        )
        return replace(plan, notes=(told, *plan.notes))
    _refuse_transposed(grid, options)
    found = readings(grid, options)
    if not found:
        raise _nothing(grid, options)
    best = found[0]
    _check_reading(grid, best, options)
    plan = _plan(grid, best, options)
    doubts = _doubts(grid, best, found[1:], options, table)
    says = best.options if best.layout == "onehot" else {}
    says = {
        k: (v,) if k in ("coder", "label") and isinstance(v, str) else v for k, v in says.items()
    }
    return replace(plan, warnings=(*plan.warnings, *doubts), says=says)


def recognise_files(tables: Sequence[Table], options: Options) -> list[Plan]:
    """How to read tables of which each belongs to one coder: together, as one long table."""
    for table in tables:
        _check(table, options)
    known = [tallied(table, replace(options, layout=None)) for table in tables]
    if all(plan is not None and plan.layout == "table" for plan in known):
        raise InputError(
            "each of the files is a contingency table, which holds two coders: they are no files "
            "of one coder each. Give one of them",
            file=tables[0].source,
        )
    whole, coder = _stacked(tables)
    grid = Grid(whole)
    found = readings(grid, replace(options, layout=None, coder=(coder,)))
    several = {
        any(role_of(c.name) == "coder" and len(c.words) > 1 for c in t.columns) for t in tables
    }
    if (
        not found
        or len(several) > 1
        or any(found[0].item not in t or not any(n in t for n in found[0].columns) for t in tables)
    ):
        raise _unlike(tables, options)
    best = found[0]
    plan = _plan(grid, best, options)
    hot = {"layout": "onehot", "label": best.columns} if best.layout == "onehot" else {}
    says = hot if options.layout is None and not options.label else {}
    found = [  # as a user would say it: whose each row is, the file says
        replace(h, layout="onehot" if h.layout == "onehot" else "files", coder=None) for h in found
    ]
    doubts = _doubts(grid, found[0], found[1:], replace(options, coder=(coder,)), tables[0])
    return [
        replace(
            plan,
            layout="files",
            coder=None,
            says=says,
            notes=() if k else plan.notes,
            cells=tuple(replace(c, coder=table.coder) for c in plan.cells if c.column in table),
            text=plan.text if plan.text in table else None,
            status=plan.status if plan.status in table else None,
            warnings=(*plan.warnings, *doubts),
        )
        for k, table in enumerate(tables)
    ]


def _stacked(tables: Sequence[Table]) -> tuple[Table, str]:
    """All tables below one another, with a column that says whose each row is."""
    names = list(dict.fromkeys(n for t in tables for n in t.names))
    coder = next(n for n in ("coder", "whose", "name of the file") if n not in names)
    columns = [merge([_part(n, t) for t in tables]) for n in names]
    owners = np.repeat(np.arange(len(tables)), [len(t) for t in tables]).astype(np.int32)
    who = Column(coder, owners, tuple(t.coder for t in tables))
    return Table(tables[0].source, (*columns, who), headed=tables[0].headed), coder


def _part(name: str, table: Table) -> Column:
    """A column of a table, blank if it does not have it."""
    return table[name] if name in table else encode(name, [None] * len(table))


def _refuse_transposed(grid: Grid, options: Options) -> None:
    """The error for twice as many columns of labels as rows, unless they are called as coders are.

    An item with so many coders is rarer than a coder with so many items.
    """
    labels = [c for c in grid.columns if c.answers and not c.header.role and not c.header.fact]
    alone = any(c.unique and c.header.role == "coder" for c in grid.columns)
    few = len(labels) < max(8, grid.n + 1 if alone else 2 * grid.n) or any(
        c.header.coder for c in labels
    )
    if options.says_columns or few or split_names([c.name for c in labels]):
        return
    first = grid.table.row(0)
    names = {} if grid.table.headed or first is None else {"header_row": first}
    why = "if each row is a coder" + (", below the names of the items" if names else "")
    raise InputError(
        f"there are {len(labels)} columns of labels and {grid.n} rows: each row may be a coder",
        file=grid.table.source,
        do=[
            Action("", {"layout": "transposed", **names}, why),
            *([Action("", {"layout": "transposed"}, "without such names")] if names else []),
            Action("", {"layout": "wide"}, "if each column is a coder"),
        ],
    )


def _of_respondents(grid: Grid, said: Sequence[str]) -> bool:
    """Whether a table is a survey's: a row for each response of Qualtrics, or of a form.

    The rows of a form begin with their time. Each is of another person, whose address or name comes
    once, who answered a grid, or questions with the same answers. Items, or coders that have
    several rows or a column each, say that it is not so.
    """
    people = [
        c
        for c in grid.columns
        if c.kind == "mail"
        or c.header.role == "coder"
        or ("name" in c.header.words and c.unique)
        or c.name in said
    ]
    if not all(c.unique for c in people) or any(c.header.role == "item" for c in grid.columns):
        return False
    if any(tidy(c.name) == "responseid" for c in grid.columns):
        return True
    rest = [c for c in grid.columns[1:] if c not in people]
    grids = sum(GRID.fullmatch(c.name) is not None for c in rest)
    if not rest or grid.columns[0].kind != "time" or any(c.header.coder for c in rest):
        return False
    if any(c.kind == "mail" for c in people):
        return grids > 1 or (len(rest) > 2 and _answers_alike(rest) == {c.name for c in rest})
    stamped = tidy(grid.columns[0].name) in _STAMPS
    return stamped and grids > 1 and (bool(people) or grids == len(rest))


def _answers_alike(columns: Sequence[Facts]) -> set[str]:
    """The columns of grids, and those that share their answers with most, however called."""
    return {
        c.name
        for c in columns
        if GRID.fullmatch(c.name)
        or sum(overlap(c, x) > 0.4 for x in columns) > max(2, len(columns) / 2)
    }


def _transposed(grid: Grid, options: Options) -> Plan:
    """A row for each coder and a column for each item, as the user says."""
    unique = [
        c for c in grid.columns if c.unique and ("name" in c.header.words or not c.header.fact)
    ]
    named = [c for c in unique if c.header.role == "coder" and c.kind != "mail"]
    named += [c for c in unique if "name" in c.header.words or tidy(c.name) in _RESPONDENTS]
    named += [c for c in unique if c.kind == "mail" or c.header.role == "coder"]
    named += [c for c in unique if c is grid.columns[0] and c.kind == "word"]
    who = options.coder[0] if options.coder else next((c.name for c in named), None)
    pool = [
        c
        for c in grid.columns
        if c.kind in ("word", "number") and not c.header.role and c not in named and c.name != who
    ]
    shared = _answers_alike(pool)
    cells = options.label or [
        c.name for c in pool if c.name in shared or not (c.header.fact or c.header.remark)
    ]
    if not cells:
        raise _nothing(grid, options)
    notes, asked = tuple[Notice, ...](), asked_of(cells, grid.table.described)
    shapes = Counter(re.sub(r"\d+", "#", n) for n in cells)
    shape, times = shapes.most_common(1)[0]
    alike = [n for n in cells if n in shared or re.sub(r"\d+", "#", n) == shape]
    numbered = "#" in shape and 2 * times > len(cells)
    items = [*asked] if len(asked) > 1 else alike if numbered else cells
    if not options.label and len(items) < len(cells):
        other = [n for n in cells if n not in items]
        told = ", ".join(map(repr, other[:6])) + (", …" if len(other) > 6 else "")
        n_items = len({asked.get(n, ("", n))[1] for n in items})
        said = f"left out: columns called otherwise than those of the {n_items} items ({told})"
        notes = (Notice(said, Action("", {"label": ...}, "the columns of all items")),)
        cells = items
    status = next(
        (c.name for c in grid.columns if c.header.role == "status" and _statuses(c)), None
    )
    whole = len(asked) == len(cells)
    made = (Cell(n, asked[n][0], item=asked[n][1]) if whole else Cell(n) for n in cells)
    return Plan("transposed", tuple(made), coder=who, status=status, notes=notes)


# What Google Forms calls when somebody answered.
_STAMPS = (
    *("timestamp", "zeitstempel", "horodateur", "marcatemporal", "carimbodedatahora"),
    *("informazionicronologiche", "tijdstempel", "tidsstämpel", "sygnaturaczasowa"),
)
_RESPONDENTS = ("responseid", "responsesid", "submissionid")  # as surveys number them


def facts(table: Table, options: Options) -> Plan | None:
    """A table that says something about items but holds no coder's labels."""
    item = options.item or next((c.name for c in table.columns if role_of(c.name) == "item"), None)
    first = table.columns[0] if table.columns else None
    if item is None and first is not None and len(first.words) == len(table) > 1:
        item = first.name
    return Plan("facts", (), item) if item else None


def readings(grid: Grid, options: Options) -> list[Hypothesis]:
    """All readings that what the user said allows, the likeliest first."""
    found = [*of_coders(grid, options), *of_annotations(grid, options)]
    said = options.says_columns
    found = [r for r in found if (said or r.bits >= FLOOR) and _allowed(r, options)]
    return sorted(found, key=lambda r: -r.bits)


def _allowed(reading: Hypothesis, options: Options) -> bool:
    layout = options.layout
    if layout is not None and layout != reading.layout:
        return False
    if options.item and reading.item != options.item:
        return False
    if len(options.coder) == 1 and reading.coder != options.coder[0]:
        return False
    return not (options.label and set(reading.columns) != set(options.label))


# ------------------------------------------------------------------ how sure


def _doubts(
    grid: Grid, best: Hypothesis, others: Sequence[Hypothesis], options: Options, table: Table
) -> tuple[Notice, ...]:
    """The warning that the table may be read otherwise, if that is nearly as likely."""
    rivals = _rivals(grid, best, others, options)
    if not rivals or rivals[0].bits >= WARNS:
        return ()
    doubt = _doubt(best, [r for r in rivals if r.bits < WARNS])
    if rivals[0].bits < STOPS:
        raise InputError(str(doubt), file=table.source, do=list(doubt.do))
    return (doubt,)


def _rivals(
    grid: Grid, best: Hypothesis, others: Sequence[Hypothesis], options: Options
) -> list[Flip]:
    """The ways to read otherwise, the cheapest first: one of each layout, each decision."""
    mine = _meaning(grid, best)
    found = dict[str, Flip]()
    for other in others:
        if _meaning(grid, other) != mine and other.layout not in found:
            cost = best.bits - other.bits
            found[other.layout] = Flip(cost, _told(other), other.options, other.layout)
            for flip in other.flips:
                if flip.options.get("layout") == "onehot":
                    found["onehot"] = replace(flip, bits=cost + flip.bits)
    free = not (options.layout or options.coder or options.label)
    said = {n for n in ("coder", "label", "layout", "item") if getattr(options, n)}
    rivals = [*found.values(), *(f for f in best.flips if not said & f.options.keys())]
    if free and best.layout == "wide" and may_be_counts(grid.table, options):
        says = "the columns say how many coders chose each category"
        rivals.append(Flip(COUNTS, says, {"layout": "counts"}))
    return sorted(rivals, key=lambda f: f.bits)


def _meaning(grid: Grid, reading: Hypothesis) -> tuple[Any, ...]:
    """What a reading means, whatever its columns are called: an id and its text are one item."""

    def rows(name: str | None) -> bytes | None:
        return None if name is None else grid[name].partition

    item = None if reading.item is None or grid[reading.item].unique else rows(reading.item)
    return reading.layout, item, rows(reading.coder), reading.question, frozenset(reading.cells)


def _told(reading: Hypothesis) -> str:
    asked = reading.layout == "wide" and any(c.question for c in reading.cells)
    names = dict.fromkeys(c.coder or "" for c in reading.cells) if asked else reading.columns
    who = reading.coder or ", ".join(n[:40] for n in [*names][:4])
    what = "a column for each question and coder" if asked else _LAYOUTS[reading.layout]
    return f"{what} (item {reading.item!r}, coders {who!r})"


def _short(options: Mapping[str, Any], layout: str) -> dict[str, Any]:
    """Options that can be typed: the layout alone where they would name many columns."""
    said = dict(options)
    typed = sum(len(str(x)) for x in said.values())
    return {"layout": layout} if typed > LONGEST and layout in ("wide", "long") else said


def _doubt(best: Hypothesis, rivals: Sequence[Flip]) -> Notice:
    return Notice(
        f"the table may be read in two ways: {_told(best)}, or otherwise: {rivals[0].says}",
        Action("", _short(best.options, best.layout), "as it is read"),
        Action("", _short(rivals[0].options, rivals[0].layout), "the other way"),
        *(Action("", _short(r.options, r.layout), r.says) for r in rivals[1:MOST_RIVALS]),
    )


# ------------------------------------------------------------------ the plan of a reading


def _plan(grid: Grid, reading: Hypothesis, options: Options) -> Plan:
    used = {reading.item, reading.coder, reading.question, *reading.columns}
    item = grid[reading.item] if reading.item else None
    rest = [c for c in grid.columns if c.name not in used]
    text = next((c.name for c in rest if c.header.role == "text" and not _remarks(c, item)), None)
    status = next((c.name for c in rest if c.header.role == "status" and _statuses(c)), None)
    cells = reading.cells
    if reading.layout == "wide" and grid.headed and not any(c.question for c in cells):
        cells = _one_question(cells)
    if reading.layout == "wide" and not grid.headed:
        cells = tuple(Cell(c.column, "", c.column.replace("column", "coder")) for c in cells)
    again = reading.question is not None and not options.question and round_like(reading.question)
    return Plan(
        reading.layout,
        cells,
        reading.item,
        reading.coder,
        None if again else reading.question,
        text,
        status,
        reading.question if again else None,
        tuple(_notes(grid, reading, options)),
    )


def _remarks(column: Facts, item: Facts | None) -> bool:
    """Whether a column such as 'comment' is not of the items: it varies within them."""
    if item is None or {*REMARKS}.isdisjoint(column.header.words):
        return False
    return not (np.diff(pairs_of(item.keys, column.keys)[0]) > 0).all()


def _statuses(column: Facts) -> bool:
    return all(status_of(w) is not None for w in column.column.text)


def _one_question(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells whose columns are named by one question and each coder: 'tone_Ann', 'tone_Bob'."""
    for mark in MARKS:
        if mark in (".", " ", "-"):  # they stand in names: 'Dr Ben'
            continue
        parts = [c.column.partition(mark) for c in cells]
        left = {p[0].strip() for p in parts}
        if len(left) == 1 and all(p[2].strip() for p in parts) and not coder_like(parts[0][0]):
            question = left.pop()
            asked = "" if label_like(question) else question
            return tuple(
                Cell(c.column, asked, p[2].strip()) for c, p in zip(cells, parts, strict=True)
            )
    return tuple(cells)


def _notes(grid: Grid, reading: Hypothesis, options: Options) -> Iterator[str]:
    if reading.layout != "long":
        return
    if reading.coder is None:
        yield Notice(
            "no column says who the coders are: the annotations of an item count as given by "
            "anonymous coders, and nothing is said about single coders",
            Action("", {"coder": ...}, "if a column names the coders"),
        )
    elif grid[reading.coder].header.role != "coder" and not options.coder:
        yield Notice(
            f"column {reading.coder!r} names the coders: each of its values stands once per item",
            Action("", {"coder": ...}, "if another column does"),
        )
    if len(reading.cells) > 1:
        yield Notice(
            f"{len(reading.cells)} columns of labels count as one question each: "
            f"{', '.join(map(repr, reading.columns))}",
            Action("", {"label": ...}),
        )


# ------------------------------------------------------------------ what cannot be read


def _check(table: Table, options: Options) -> None:
    roles = {"item": options.item, "question": options.question}
    asked = [(r, n) for r, n in roles.items() if n]
    asked += [("coder", n) for n in options.coder if not _said_in_part(n, table, options)]
    asked += [("label", n) for n in options.label]
    for role, name in asked:
        if name not in table.names:
            raise _unknown(role, name, table)


def _said_in_part(name: str, table: Table, options: Options) -> bool:
    """Whether a coder is said by a part of the headers: 'Anna' of 'Anna_tone' and 'Anna_size'."""
    if len(options.coder) < 2 or name in table.names:
        return False
    return any(name in p for _, parts in split_names(table.names) for p in parts.values())


def _unknown(role: str, name: str, table: Table) -> InputError:
    alike = [n for n in table.names if tidy(n) == tidy(name)]
    close = alike or get_close_matches(name, table.names, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    if role == "coder" and not hint:
        who = next((c for c in table.columns if role_of(c.name) == "coder" and not c.blank), None)
        hint = f"; {who.name!r} names {', '.join(map(repr, who.text[:12]))}" if who else ""
    shown = ", ".join(map(repr, table.names[:12])) + (", …" if len(table.names) > 12 else "")
    return InputError(
        f"there is no column {name!r} to be the {role}; the columns are {shown}{hint}",
        file=table.source,
    )


def _nothing(grid: Grid, options: Options) -> InputError:
    """Why a table cannot be read: labels that are objects, one column of labels, or none."""
    table = grid.table
    if all(c.blank for c in table.columns if role_of(c.name) != "item"):
        return InputError(
            "no cell holds a label: every cell beside the items is blank", file=table.source
        )
    for column in grid.columns:
        if column.kind == "nested" and (column.header.label or column.name in options.label):
            return InputError(
                f"the cells are JSON, such as {column.column.text[0][:60]!r}, not labels. Write "
                "one label a cell",
                file=table.source,
                column=column.name,
                do=[Action("", {"label": ...}, "another column")],
            )
    chosen = [c.name for c in grid.columns if c.answers and c.header.role != "item"]
    found = (
        f"only one column of labels was found ({chosen[0]!r})"
        if len(chosen) == 1
        else ("neither a column for each coder nor a row for each annotation was recognised")
    )
    people = (c.name for c in grid.columns if c.kind == "mail" or c.header.role == "coder")
    likely: Any = next(people, ...)
    return InputError(
        f"{found} among {', '.join(repr(n[:40]) for n in table.names[:10])}; agreement needs two "
        "coders. If each coder has a file of their own, give all the files",
        file=table.source,
        do=[
            Action("", {"coder": likely}, "if a column names the coders"),
            Action("", {"coder": [...]}, "if each coder has a column"),
        ],
    )


def _unlike(tables: Sequence[Table], options: Options) -> InputError:
    """Why files that belong to one coder each cannot be read together."""
    first = tables[0]
    other = next((t for t in tables if {*t.names} != {*first.names}), None)
    if other is None:
        return _nothing(Grid(first), options)
    shown = "; ".join(f"{t.source}: {', '.join(map(repr, t.names[:8]))}" for t in (first, other))
    return InputError(
        f"the files are not alike ({shown}), so that nothing says which columns of one are those "
        "of another. Read each alone, or call their columns alike",
        file=first.source,
    )


def _check_reading(grid: Grid, reading: Hypothesis, options: Options) -> None:
    """Refuse rows that hold several annotations, and labels given as the coders' names."""
    if reading.coder and grid[reading.coder].lists:
        raise InputError(
            f"the cells of {reading.coder!r} are lists: each row holds the annotations of several "
            "coders. Make it a row for each coder (pandas: DataFrame.explode)",
            file=grid.table.source,
            column=reading.coder,
        )
    ids = [c.column for c in reading.cells if role_of(c.question) in ("item", "coder")]
    if len(ids) > 1 and len({c.question for c in reading.cells}) > 1:
        raise InputError(
            f"columns {', '.join(map(repr, ids[:4]))} name an item or a coder each: a row holds "
            "several annotations. Make it a row for each item and coder",
            file=grid.table.source,
            do=[Action("", {"coder": [...]}, "the columns of the coders")],
        )


def without_shares(table: Table, options: Options) -> Table:
    """Without the columns that say how often a label was given.

    Raises
    ------
    InputError
        If nothing says by whom.
    """
    shares = [c for c in table.columns if _of_shares(c)]
    if not shares or {c.name for c in shares} & {*options.label, *options.coder}:
        return table
    rest = replace(table, columns=tuple(c for c in table.columns if c not in shares))
    names = ", ".join(repr(c.name) for c in shares[:12])
    try:
        recognise(rest, options)
    except InputError:
        raise InputError(
            f"the columns {names} say how often each label was given, not by whom. Agreement needs "
            "the labels of each coder; look for a version of the data set before aggregation",
            file=table.source,
        ) from None
    return replace(rest, notes=(*rest.notes, f"not kept: {names}, which count labels"))


def _of_shares(column: Column) -> bool:
    """Whether a column is called so and its cells are lists, or it is a part of such."""
    name, part, _ = column.name.partition(".")
    if name.casefold() not in SHARES or column.blank:
        return False
    return bool(part) or not numbers(column) or any("." in w for w in column.text)


def of_splits(tables: Mapping[str, Table], options: Options) -> Table:
    """One table of the splits of a data set, whose items may have ids of their own in each."""
    if len(tables) == 1:
        return next(iter(tables.values()))
    largest = max(tables.values(), key=len)
    item = options.item or recognise(largest, options).item
    parts = [replace(t, coder=split) for split, t in tables.items()]
    if item is None:
        item = "item"
        parts = [replace(t, columns=(numbered(t), *t.columns)) for t in parts]
    parts = _apart(parts, item)
    names = dict.fromkeys(n for t in parts for n in t.names)
    columns = tuple(merge([_part(n, t) for t in parts], n) for n in names)
    return replace(largest, columns=columns, row=lambda _: None, notes=parts[0].notes)


def _apart(tables: Sequence[Table], item: str) -> list[Table]:
    """The tables with ids of items that are called by their table as well."""
    told = "items of the files have ids of their own: they are called by their file"
    found = list[Table]()
    for table in tables:
        words = tuple(f"{table.coder}:{plain(w)}" for w in as_words(table[item].words))
        columns = (replace(c, words=words) if c.name == item else c for c in table.columns)
        found.append(replace(table, columns=tuple(columns), notes=(*table.notes, told)))
    return found


def batches(tables: Sequence[Table], options: Options) -> tuple[list[Table], dict[str, Any]]:
    """Tables with the same coders as columns, each of more items, and the options that say so.

    No options if each table is a coder's: then the columns are questions, whose answers agree over
    the tables of an item and not in its row. With a doubt where both do, or neither.
    """
    largest = Grid(max(tables, key=len))
    found = readings(largest, replace(options, layout=None))
    same = all({*found[0].columns} <= {*t.names} for t in tables) if found else False
    if not same or found[0].layout != "wide" or found[0].item is None or found[0].question:
        return list(tables), {}
    best, item = found[0], found[0].item
    if any(item not in t for t in tables):
        return list(tables), {}
    whole = Grid(_stacked(tables)[0])
    columns = [whole[n] for n in best.columns]
    within = agreeing(columns[:MOST_COLUMNS])
    across = fmean(alike_in(c, whole[item]) for c in columns[:MOST_COLUMNS])
    again = 1 - whole[item].n_values / len(whole[item].filled)
    of_coders = within > ALIKE and (across < ASKS or 2 * len(tables) * again < len(tables) - 1)
    if not (again == 0 or of_coders):
        close = within > max(ALIKE, 0.75 * across)
        return _unsure(tables, "a coder's") if close and options.layout is None else list(
            tables
        ), {}
    said = {"layout": "wide", "coder": best.columns, "item": item}
    if again and across < ASKS:
        return _apart(tables, item), said
    sure = within > ASKS or options.layout is not None
    return list(tables) if sure else _unsure(tables, "of more items"), said


def _unsure(tables: Sequence[Table], read_as: str) -> list[Table]:
    """The tables with a doubt whose each is."""
    doubt = Notice(
        f"each file is read as {read_as}, but files of one coder each and files of more items of "
        "the same coders look alike here",
        Action("", {"layout": "files"}, "if each file is a coder's"),
        Action("", {"layout": "wide"}, "if each column is a coder's"),
    )
    return [replace(t, warnings=(*t.warnings, doubt)) for t in tables]
