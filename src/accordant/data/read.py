"""The door: whatever holds annotations in, `Annotations` out."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..actions import Action, Notice
from ..errors import InputError, ReadingWarning, RequestError
from ..messages import member
from .annotations import Annotations, Reading, Status, losses
from .assemble import assemble, with_persons, without_addresses
from .grid import grid_of_table, read_array
from .labels import MISSING, as_declared, check_names, with_numbers
from .layouts import rows_of, told_of_metadata
from .names import apart, consensus_like, personal, role_of
from .options import Options, make
from .plan import Plan
from .surveys import of_survey
from .table import BLANK, Column, Rows, Table
from .values import check_sets, told_of_sets

if TYPE_CHECKING:
    from .formats.format import File, Format
    from .formats.import_report import Import


_LAYOUTS = {
    "long": "long",
    "wide": "wide",
    "files": "a file per coder",
    "table": "contingency table",
    "counts": "counts per item",
    "transposed": "a row per coder",
}


def read(source: Any, *, least: Literal[1, 2] = 2, **given: Any) -> Annotations:
    """Annotations from whatever holds them; the options are those of `accordant.read`.

    A file needs two coders, or ``least``: a single one that it does not name is called as it is.
    """
    options = replace(make(given), least=least)
    if isinstance(source, Annotations):
        data = _read_again(source, options)
    elif isinstance(source, str | Path) or _paths(source):
        data = _read_files(source, options)
    else:
        data = _read_object(source, options)
    if data is not source:
        data = told_of_sets(_checked(told_of_metadata(data), options.separator), options)
        data = without_addresses(with_persons(data, options))
        for doubt in data.reading.warnings:
            warnings.warn(ReadingWarning(Notice.spelled(doubt)), stacklevel=_of_the_user())
    if options.items != "annotated":
        data = data.of_shared(complete=options.items == "complete")
    reading = _with_source(data.reading, source, given)
    return data if reading is data.reading else replace(data, reading=reading)


def _with_source(reading: Reading, source: Any, given: Mapping[str, Any]) -> Reading:
    """The reading with the files as they were named, and all that was said of them."""
    said = {
        name: x
        for name, x in given.items()
        if x is not None and not (isinstance(x, str) and x == getattr(Options(), name, None))
    }
    if isinstance(source, Annotations):  # the names of questions and coders are there already
        said = {name: x for name, x in said.items() if name not in ("label", "coder")}
        return reading.saying(**said) if said else reading
    files = [source] if isinstance(source, str | Path) else source if _paths(source) else ()
    return replace(reading, files=tuple(map(str, files)), options=said)


def _of_the_user() -> int:
    """The level of the stack at which the line of the user called this package."""
    package, level = __name__.partition(".")[0], 1
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith(package):
        frame, level = frame.f_back, level + 1
    return level - 1


def _checked(data: Annotations, separator: str | None) -> Annotations:
    """The annotations, with a warning if a separator that was given stands nowhere."""
    if not separator or any(isinstance(v, tuple) and len(v) > 1 for v in data.values):
        return data
    doubt = f"the separator {separator!r} stands between no two labels"
    reading = replace(data.reading, warnings=(*data.reading.warnings, doubt))
    return replace(data, reading=reading)


def _paths(source: Any) -> bool:
    return (
        isinstance(source, list | tuple)
        and len(source) > 0
        and all(isinstance(s, Path) or (isinstance(s, str) and _file_like(s)) for s in source)
    )


def _file_like(name: str) -> bool:
    return "." in name[-9:] or "/" in name or "\\" in name


def _read_again(data: Annotations, options: Options) -> Annotations:
    """Annotations that were read already, with another scheme, or some questions and coders."""
    asked = replace(
        options, scale=None, categories=None, label=(), coder=(), items="annotated", least=2
    )
    if asked.given:
        raise RequestError(
            "these data were read already: only categories, scale, questions (label) and coders "
            "can be chosen now; read the source again for the rest"
        )
    data = data.of_questions(options.label) if options.label else data
    data = data.of_coders(options.coder) if options.coder else data
    if options.categories is None and options.scale is None:
        return data
    check_names(options, data.questions)
    known = dict(zip(data.questions, data.schemes, strict=True))
    given = {q: options.categories_of(q) for q in known}
    schemes = tuple(
        replace(
            s,
            categories=s.categories if given[q] is None else as_declared(given[q] or ()),
            declared=s.declared or given[q] is not None,
            scale=options.scale_of(q) or s.scale,
        )
        for q, s in known.items()
    )
    for question, scheme in zip(data.questions, schemes, strict=True):
        if scheme.max_labels != 1:
            check_sets(question, scheme)
    numbers = all(isinstance(c, int | float) for s in schemes for c in s.categories)
    if options.categories is None and (numbers or all(s.declared for s in schemes)):
        return replace(data, schemes=schemes)
    c, names = data.columns, [s.name.lower() for s in Status]
    rows = Rows(
        Column("item", c.item, data.items),
        Column("question", c.question, data.questions),
        Column("coder", c.coder, data.coders),
        Column("label", c.value, data.values),
        lambda k: {"column": data.questions[int(c.question[k])] or None},
        status=Column("status", c.status, names),
    )
    told = Options(
        categories={q: s.categories for q, s in zip(known, schemes, strict=True) if s.declared},
        scale={q: s.scale for q, s in zip(known, schemes, strict=True)},
        sets=frozenset(q for q, s in known.items() if s.max_labels != 1),
        ranked=any(s.ranked for s in schemes),
        least=1,
    )
    found = assemble(rows, told, data.reading)
    again = tuple(
        replace(s, max_labels=old.max_labels) for s, old in zip(found.schemes, schemes, strict=True)
    )
    return replace(data, schemes=again, values=found.values, layout=found.layout)


# ---------------------------------------------------------------------- files


def _read_files(source: Any, options: Options) -> Annotations:
    from .formats.archives import files_of, tables_in

    paths = [Path(s) for s in ([source] if isinstance(source, str | Path) else source)]
    name = paths[0].name if len(paths) == 1 else f"{len(paths)} files"
    there = all(path.exists() for path in paths)
    found = _of_platform(files_of(paths), paths[0].suffix, name, options) if there else None
    if found is not None:
        return found
    with tables_in(paths) as (files, left_out):
        try:
            data = _read_tables(files, options, name)
        except InputError as error:
            if files == paths or name in error.message:
                raise
            raise InputError(f"{name}: {error.message}", do=error.do) from None
    reading = replace(data.reading, left_out=(*left_out, *data.reading.left_out))
    return _comparable(replace(data, reading=reading), name, options.least)


def _read_tables(paths: Sequence[Path], options: Options, name: str) -> Annotations:
    from .formats.files import tables_of
    from .recognition import of_splits

    owners = _owners(paths)
    options = options if len(paths) == 1 else replace(options, alone=False)
    tables: list[Table] = []
    for path, owner in zip(paths, owners, strict=True):
        found = tables_of(path, options)
        tables += [replace(t, coder=owner) if t.coder == path.stem else t for t in found]
    splits = {t.coder.casefold(): t for t in tables}
    if len(splits) == len(tables) > 1 and splits.keys() <= _SPLITS:
        tables = [of_splits(splits, options)]
    return _from_tables(tables, options, name)


_SPLITS = {"train", "test", "validation", "valid", "val", "dev"}  # parts of a data set


def _comparable(data: Annotations, name: str, least: int, *, columns: bool = True) -> Annotations:
    """The annotations, or the error that says why nothing in a file can be compared.

    ``columns`` says whether it is a table, in which another column could be meant.
    """
    choose = Action("", {"coder": [...]}, "the columns of the coders")
    if not len(data) and columns:
        raise InputError(
            "no cell holds a label: every cell that was read as one is blank or means missing",
            file=name,
            do=[Action("", {"label": ...}, "another column"), choose],
        )
    if not len(data):
        found = ", ".join(f"{n:,} {s}" for s, n in data.statuses().items() if n)
        raise InputError(
            f"this is {data.reading.layout}, but no answer in it is finished: {found}", file=name
        )
    if len(data.coders) >= least and (least > 1 or not data.anonymous):
        return data
    if data.anonymous:
        raise InputError(
            "no column says who the coders are, and every item has one annotation: there is "
            "nothing to compare",
            file=name,
            do=[Action("", {"coder": ...}, "the column that names the coders"), choose],
        )
    what = "; ".join(losses(data.reading.left_out))
    left = f". Left out: {what}" if what and not columns else ""
    raise InputError(
        f"only one coder was found ({data.coders[0]!r}); agreement needs two. If each coder "
        f"has a file, give all the files{left}",
        file=name,
        column=data.reading.columns.get("coder") if columns else None,
        do=[Action("", {"coder": ...}, "if another column names the coders")] * columns,
    )


def _plans(tables: Sequence[Table], options: Options, per_coder: bool) -> list[Plan]:
    """How to read each table."""
    from .recognition import recognise, recognise_files

    if per_coder:
        return recognise_files(tables, options)
    try:
        return [recognise(t, options) for t in tables]
    except InputError:
        if options.least > 1 or len(tables) > 1 or not tables[0].coder or options.coder:
            raise
        return recognise_files(tables, options)


def _of_platform(
    files: Sequence[File], suffix: str, name: str, options: Options
) -> Annotations | None:
    """What files of an annotation platform hold; None if they are of none, or told to be tables.

    Who names all columns that a table needs reads one, unless the platform's data are tables.
    """
    from .formats.format import format_of

    found = format_of(files)
    nested = options.layout in ("wide", "transposed") and suffix == ".json"
    whole = options.item and options.coder and options.label
    if found is None or (not found.of_columns and (whole or (options.layout and not nested))):
        return None
    native = _beside(found, files, found.read(files, options))
    if not native.plans:
        return _of_columns(native, options, name)
    chosen = native.questions_said(options, name)
    data = _of_import(native, replace(options, label=(), literal=True), name)
    data = data.of_questions(chosen) if chosen else data
    return _comparable(data, name, options.least, columns=False)


def _beside(format: Format, files: Sequence[File], found: Import) -> Import:
    """What was found, with the tables beside it that the reader of the platform did not count."""
    beside = [f.path.name for f in files if f.suffix in _TABLES and not format.takes(f)]
    more = len(beside) - sum(n for why, n in found.left_out if why.startswith("files "))
    if more <= 0:
        return found
    shown = ", ".join(map(repr, beside[:3])) + ", …" * (len(beside) > 3)
    return replace(found, left_out=(*found.left_out, (f"tables beside the export ({shown})", more)))


_TABLES = {".csv", ".tsv", ".tab", ".xls", ".xlsx", ".ods", ".parquet", ".sav", ".dta"}


def _of_columns(found: Import, options: Options, name: str) -> Annotations:
    """What a platform's data hold that are tables of columns of any name."""
    data = _from_tables(found.tables, options, name)
    left_out = (*found.left_out, *data.reading.left_out)
    reading = replace(data.reading, layout=f"{found.layout}, {data.reading.layout}")
    data = replace(data, reading=replace(reading, left_out=left_out))
    return _comparable(data, name, options.least)


def _of_import(found: Import, options: Options, source: str) -> Annotations:
    if options.spans == "tokens" and found.spans is None:
        raise _no_spans(source)
    rows, notes = rows_of(found.tables, found.plans, found.about)
    reading = Reading(
        source,
        found.layout,
        found.columns,
        left_out=found.left_out,
        notes=(*found.notes, *notes),
        warnings=found.warnings,
        controls=found.controls,
    )
    data = assemble(rows, replace(options, sets=found.sets), reading)
    return data if found.spans is None else replace(data, spans=found.spans)


def _no_spans(source: str) -> InputError:
    told = "nothing in these data is marked in a text: without spans there are no tokens to compare"
    return InputError(f"{told}. Leave out the layout 'tokens'", file=source)


def _owners(paths: Sequence[Path]) -> list[str]:
    """A name for the coder of each file: the file's, or that of its folder where all are alike."""
    whole = [p.resolve() for p in paths]
    for k, path in enumerate(whole):
        if path in whole[:k]:
            raise InputError("the file is given twice", file=str(paths[k]))
    return apart([p.stem for p in paths], [p.parent.name for p in whole])


def _from_tables(tables: Sequence[Table], options: Options, source: str) -> Annotations:
    from .recognition import batches, facts, without_shares

    if not tables:
        raise InputError("there is nothing to read", file=source)
    if options.spans == "tokens" and not any(True in t.known.values() for t in tables):
        raise _no_spans(source)
    tables, left = _same_columns(tables)
    tables = [without_shares(with_numbers(of_survey(t, options)), options) for t in tables]
    for role, parts in (("label", Annotations.of_questions), ("coder", Annotations.of_coders)):
        if chosen := _no_columns(tables, options, role):
            fewer: dict[str, Any] = {
                role: tuple(n for n in getattr(options, role) if n not in chosen)
            }
            return parts(_from_tables(tables, replace(options, **fewer), source), chosen)
    if options.layout == "onehot" or options.ranked:
        from .set_columns import folded

        tables, options = folded(tables, options)
    per_coder = len(tables) > 1 and _own_coders(tables, options)
    others: list[Table] = []
    if len(tables) > 1 and options.layout in (None, "wide") and (per_coder or options.layout):
        tables, says = batches(tables, options)
        if says and not options.coder:
            return _from_tables(tables, replace(options, **says), source)
    if per_coder:
        tables, others, gone = _coders_only(tables)
        left += gone
    plans = _plans(tables, options, per_coder)
    again = plans[0].says
    if again:
        told = [
            replace(t, warnings=(*t.warnings, *p.warnings))
            for t, p in zip(tables, plans, strict=True)
        ]
        return _from_tables(told, replace(options, **again), source)
    options = _ordered(tables, plans, options)
    about = [(t, p) for t in others if (p := facts(t, options)) is not None]
    doubts = [*(w for t in tables for w in t.warnings), *(w for p in plans for w in p.warnings)]
    reading = Reading(
        source,
        _layout_name(plans[0], tables),
        _roles(plans, tables),
        notes=(
            *dict.fromkeys([n for t in tables for n in t.notes]),
            *left,
            *dict.fromkeys([n for p in plans for n in p.notes]),
        ),
        warnings=tuple(dict.fromkeys(doubts)),
        preview=preview(tables[0], plans[0]),
        generated_ids=any(p.item is None for p in plans)
        and not (plans[0].layout == "transposed" and tables[0].headed),
    )
    if len(tables) == 1 and not about:
        found = grid_of_table(tables[0], plans[0], options, reading)
        if found is not None:
            return found
    rows, notes = rows_of(tables, plans, about)
    return assemble(rows, options, replace(reading, notes=(*reading.notes, *notes)))


def _no_columns(tables: Sequence[Table], options: Options, role: str) -> tuple[str, ...]:
    """The questions or coders among the names given, which stand in cells or parts of headers."""
    given = getattr(options, role)
    names = tuple(n for n in given if all(n not in t.names for t in tables))
    inside = any({*names} <= {*c.text} for c in tables[0].columns)
    parts = {p for t in tables for n in t.names for p in re.split(_BESIDE, n)}
    if role == "label" and names == given:
        inside = inside or {*names} <= parts
    elif options.layout == "wide" and {*names} <= parts:
        return ()
    return names if inside and options.layout != "onehot" else ()


_BESIDE = r"__| - |::|[-:|/_. ]|(?<=[^\W\d])(?=\d+$)"  # between a question and a coder


def _ordered(tables: Sequence[Table], plans: Sequence[Plan], options: Options) -> Options:
    """With the categories and the scale of questions whose columns bring an order."""
    if options.categories is not None or options.scale is not None:
        return options
    found: dict[str, set[tuple[Any, ...]]] = {}
    for table, plan in zip(tables, plans, strict=True):
        for cell in plan.cells if plan.question is None and plan.layout in _CELLS else ():
            order = tuple(w for w in table[cell.column].order if w not in MISSING)
            found.setdefault(cell.question, set()).add(order)
    orders = {q: next(iter(o)) for q, o in found.items() if len(o) == 1 and () not in o}
    if not orders:
        return options
    return replace(options, categories=orders, scale=dict.fromkeys(orders, "ordinal"))


_CELLS = ("long", "wide", "files")  # layouts whose cells are labels


def _same_columns(tables: Sequence[Table]) -> tuple[list[Table], tuple[str, ...]]:
    """Without sheets of a workbook that have other columns than most: a codebook, remarks."""
    if len(tables) < 2 or not all("sheet" in t.source for t in tables):
        return list(tables), ()
    alike = [
        [t for t in tables if 2 * len(set(t.names) & set(s.names)) > len(set(t.names + s.names))]
        for s in tables
    ]
    kept = max(alike, key=lambda g: (len(g), sum(len(t) * len(t.columns) for t in g)))
    names = [t.coder for t in tables if all(t is not k for k in kept)]
    notes = tuple(
        Notice(
            f"sheet {name!r} has other columns and is not read",
            Action("", {"sheet": name}, "to read it alone"),
        )
        for name in names
    )
    return kept, notes


def _own_coders(tables: Sequence[Table], options: Options) -> bool:
    """Whether each of several tables belongs to one coder."""
    if options.layout is not None:
        return options.layout == "files"
    if options.coder:
        return False
    return not all(t.headed and "coder" in map(role_of, t.names) for t in tables)


def _coders_only(tables: Sequence[Table]) -> tuple[list[Table], list[Table], tuple[str, ...]]:
    """The tables of coders, and those that hold what the coders agreed on."""
    kept = [t for t in tables if not consensus_like(t.coder)]
    if len(kept) < 2:
        return list(tables), [], ()
    gone = [t for t in tables if consensus_like(t.coder)]
    notes = tuple(f"{t.coder!r} looks like a consensus and is not read as a coder" for t in gone)
    return kept, gone, notes


def _layout_name(plan: Plan, tables: Sequence[Table]) -> str:
    if plan.layout == "files" and "sheet" in tables[0].source:
        return "a sheet per coder"
    return _LAYOUTS[plan.layout]


def _roles(plans: Sequence[Plan], tables: Sequence[Table]) -> dict[str, str]:
    plan, shown = plans[0], tables[0].shown
    columns = _several([c.column for c in plan.cells])
    as_shown = _several([shown.get(c.column, c.column) for c in plan.cells])
    roles = {"item": plan.item, "question": plan.question}
    if plan.layout == "files":
        roles["coder"] = _several([t.coder for t in tables], len(tables))
        roles["label" if len(plan.cells) == 1 else "questions"] = as_shown
    elif plan.layout == "counts":
        roles["categories"] = columns
    elif plan.layout == "transposed":
        roles |= {"coder": plan.coder, "items": columns}
    elif plan.coder or plan.layout == "long":
        roles |= {"coder": plan.coder, "label": as_shown}
    elif plan.layout == "wide" and any(c.question for c in plan.cells):
        roles["coders"] = _several([*dict.fromkeys(str(c.coder) for c in plan.cells)])
        roles["questions"] = _several([*dict.fromkeys(c.question for c in plan.cells)])
    elif plan.layout == "wide":
        roles["coders"] = columns
    roles |= {"text": plan.text, "status": plan.status}
    return {role: name for role, name in roles.items() if name}


def _several(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(member(n if len(n) <= 40 else n[:39] + "…") for n in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


# ---------------------------------------------------------------------- objects


def _read_object(source: Any, options: Options) -> Annotations:
    from .formats.frames import as_files, columns_in, is_series, of_columns, of_series
    from .formats.json_records import table_of

    parts = source if isinstance(source, list | tuple) else ()
    if any(is_series(x) for part in parts if isinstance(part, list | tuple) for x in part):
        raise InputError(
            "several data sets are given at once, and one is needed",
            do=[Action("compare", {}, "to compare two data sets")],
        )
    if any(map(is_series, parts)):
        table, options = of_series(source, options)
        return _from_tables([table], options, "Series")
    array = isinstance(source, np.ndarray) and source.dtype.names is None
    if options.layout in (None, "wide", "transposed") and (
        array or (isinstance(source, list | tuple) and _nested(source))
    ):
        if options.spans == "tokens":
            raise _no_spans("array" if array else "lists")
        return read_array(source, options, kind="array" if array else "lists")
    held = as_files(source)
    if held and (found := _of_platform(held, ".json", held[0].source, options)) is not None:
        return found
    kind, columns = columns_in(source)
    for file in () if held else of_columns(kind, columns):
        if (found := _of_platform([file], file.suffix, kind, options)) is not None:
            return found
    return _from_tables([table_of(kind, columns)], options, kind)


def _nested(source: Sequence[Any]) -> bool:
    """Whether a list holds a sequence of labels for each coder, rather than records."""
    if not source or not all(isinstance(r, list | tuple | np.ndarray) for r in source):
        return False
    records = isinstance(source, list) and all(
        isinstance(r, tuple) and len(r) in (3, 4) for r in source
    )
    return not records


ROWS, LONGEST, MOST = 5, 24, 40  # rows, letters of a cell, columns

Shown = tuple[str, str, tuple[str, ...]]  # a column, its role, the first of its cells


def preview(table: Table, plan: Plan) -> tuple[Shown, ...]:
    """The first columns of a table, the role of each, and its first cells."""
    return tuple(
        (table.shown.get(c.name, c.name), role := _role(c, plan, table), _cells(c, role))
        for c in table.columns[:MOST]
    )


def _role(column: Column, plan: Plan, table: Table) -> str:
    name = column.name
    roles = {getattr(plan, r): r for r in ("item", "coder", "question", "text", "status")}
    if name in roles:
        return roles[name]
    cell = next((c for c in plan.cells if c.column == name), None)
    if cell is not None and plan.layout in ("wide", "files") and not plan.coder:
        who = f"coder {cell.coder}" if cell.question or cell.coder != name else "coder"
        return f"question {cell.question} of {who}" if cell.question else who
    if cell is not None:
        return {"transposed": "item", "counts": "category"}.get(
            plan.layout, f"question {cell.question}" if cell.question else "label"
        )
    if plan.layout == "table":
        return "labels of the first coder" if column is table.columns[0] else "counts"
    if column.blank:
        return "left out, blank"
    if personal(name):
        return "left out, about persons"
    if plan.layout == "transposed":
        return "about the coders"
    return "known labels" if consensus_like(name) else "about the items"


def _cells(column: Column, role: str) -> tuple[str, ...]:
    """The first cells, cut; addresses are not shown."""
    if role == "left out, about persons":
        return ()
    found = []
    for code in column.codes[:ROWS].tolist():
        text = "" if code == BLANK else " ".join(str(column.text[code]).split())
        text = text.partition("@")[0] if role == "coder" else text
        found.append(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
    return tuple(found)
