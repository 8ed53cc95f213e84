"""What the columns of a table are: from what the user says, then their names, then their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from ..errors import InputError
from ..messages import Action, Notice
from . import shape
from .assemble import status_of
from .names import answer_like, coder_like, consensus_like, label_like, role_of, tidy, words_of
from .one_hot import may_be_one_hot, one_hot_coders
from .options import Options
from .plan import Cell, Plan
from .recognise_long import long_plan
from .recognise_wide import looks_wide, one_coder, wide_plan
from .table import Column, Table, plain

__all__ = ["facts", "recognise"]


def facts(table: Table, options: Options) -> Plan | None:
    """A table that says something about items but holds no coder's labels."""
    item = _by_name(table, options).get("item") or shape.id_column(table)
    return Plan("facts", (), item) if item else None


def recognise(table: Table, options: Options, *, own_coder: bool = False) -> Plan:
    """How to read a table.

    Parameters
    ----------
    own_coder : bool
        True if the whole table belongs to one coder (a file or sheet per coder).
    """
    plan = _recognise(table, options, own_coder=own_coder)
    for cell in plan.cells:
        if shape.nested(table[cell.column]):
            raise InputError(
                f"the cells are JSON, such as {table[cell.column].text[0][:60]!r}, not labels. "
                "Write one label a cell",
                file=table.source,
                column=cell.column,
                do=[Action("", {"label": ...}, "another column")],
            )
    return plan


def _recognise(table: Table, options: Options, *, own_coder: bool) -> Plan:
    _check(table, options)
    named = _by_name(table, options)
    layout = options.layout
    if own_coder:
        return _single(table, options, named)
    if layout is None and not options.item and not options.coder and not options.label:
        if shape.is_contingency(table):
            return Plan("table", ())
        if _is_counts(table, named, options):
            return _counts(table, named, options)
    if layout in ("files", "array"):
        needed = "several files or sheets" if layout == "files" else "an array or nested lists"
        raise InputError(
            f"the layout {layout!r} needs {needed}; this is one table", file=table.source
        )
    if layout == "table":
        return Plan("table", ())
    if layout == "counts":
        return _counts(table, named, options)
    if layout == "wide" or len(options.coder) > 1:
        return wide_plan(table, options, named)
    answers = not options.label and any(map(answer_like, table.names))
    weighted = options.label_weight is not None
    if layout == "long" or options.coder or "coder" in named or answers or weighted:
        return long_plan(table, options, named)
    if not options.item and "item" not in named and layout is None:
        found = shape.long_by_structure(table)
        if found:
            known, coder, label = found
            note = (
                f"item, coder and label were recognised by their values: {known}, {coder}, {label}"
            )
            return Plan("long", (Cell(label),), known, coder, notes=(note,))
    item = named.get("item")
    if item and options.label and len(options.label) == 1:
        return long_plan(table, options, named)
    repeated = item and not shape.one_row_per_item(table, item, named.get("question"))
    if item and repeated and not looks_wide(table, item, named):
        found = shape.long_by_structure(table, item)
        if found and not named.get("question"):
            return long_plan(table, options, named | {"coder": found[1]})
        return long_plan(table, options, named)
    plan = wide_plan(table, options, named)
    coders, others = one_hot_coders(table, (plan.item, plan.text, *options.label))
    if layout is None and coders:
        hint = _one_hot_of_coders(coders, others)
        if any(all(map(coder_like, names)) for names in (coders, others)):
            return replace(plan, notes=(*plan.notes, hint))
        return replace(plan, warnings=(*plan.warnings, hint))
    if layout is None and not options.coder and shape.may_be_counts(table, plan.item):
        names = ", ".join(repr(c.column) for c in plan.cells[:4])
        doubt = Notice(
            f"columns {names} count as coders who gave numbers",
            Action("", {"layout": "counts"}, "if they say how many coders chose each category"),
        )
        return replace(plan, warnings=(*plan.warnings, doubt))
    return plan


def _one_hot_of_coders(coders: Sequence[str], others: Sequence[str]) -> str:
    return Notice(
        "the columns hold 0 and 1 and have names of two parts: each may say whether a coder gave "
        "a label",
        Action("", {"layout": "onehot", "coder": coders}),
        Action("", {"layout": "onehot", "coder": others}, "if those are the coders"),
    )


# ---------------------------------------------------------------------- by name


def _check(table: Table, options: Options) -> None:
    roles = {
        "item": options.item, "question": options.question, "text": options.text,
        "weight of a label": options.label_weight,
    }  # fmt: skip
    asked = [(r, n) for r, n in roles.items() if n]
    asked += [("coder", n) for n in options.coder] + [("label", n) for n in options.label]
    for role, name in asked:
        if name not in table.names:
            raise _unknown(role, name, table)


def _unknown(role: str, name: str, table: Table) -> InputError:
    alike = [n for n in table.names if tidy(n) == tidy(name)]
    close = alike or get_close_matches(name, table.names, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    shown = ", ".join(map(repr, table.names[:12])) + (", …" if len(table.names) > 12 else "")
    return InputError(
        f"there is no column {name!r} to be the {role}; the columns are {shown}{hint}",
        file=table.source,
    )


def _by_name(table: Table, options: Options) -> dict[str, str]:
    """Role to column, as far as the user or the names say."""
    given = {"item": options.item, "question": options.question, "text": options.text}
    named: dict[str, str] = {r: c for r, c in given.items() if c}
    if len(options.coder) == 1:
        named["coder"] = options.coder[0]
    if len(options.label) == 1:
        named["label"] = options.label[0]
    if not table.headed:
        return named
    taken = {*named.values(), *options.coder, *options.label, options.label_weight}
    for role in ("item", "coder", "question", "text", "status", "label"):
        if role in named or (role == "coder" and options.coder):
            continue
        found = [c for c in table.columns if role_of(c.name) == role and c.name not in taken]
        found = [c for c in found if _fits(role, c, table)]
        if found:
            best = _best(role, found)
            named[role] = best.name
            taken.add(best.name)
    return named


def _labels_too(column: Column, table: Table) -> bool:
    """Whether 'model' or 'expert' is a coder with a column of labels: others hold the same."""
    item = next((c.name for c in table.columns if role_of(c.name) == "item"), None)
    others = [c for c in table.columns if c is not column and c.name != item and not c.blank]
    found = set(column.text)
    return (
        item is not None
        and shape.one_row_per_item(table, item, None)
        and any(len(found & set(c.text)) * 2 >= len(found) for c in others)
    )


def _best(role: str, found: Sequence[Column]) -> Column:
    """The most telling of several columns: the exact word, else the first."""
    exact = [c for c in found if tidy(c.name) in (role, role + "id")]
    if role == "text" and not exact:
        return max(found, key=lambda c: len(c.words))
    if role == "item" and not exact:
        exact = [c for c in found if "id" in words_of(c.name)]
    return (exact or list(found))[0]


def _fits(role: str, column: Column, table: Table) -> bool:
    n = len(table)
    if role == "status":
        return not column.blank and all(status_of(w) is not None for w in column.text)
    if role == "question":
        return not column.blank and len(column.words) <= max(4, n / 4) and not shape.prose(column)
    if role == "text":
        return not column.blank and not shape.numbers(column) and shape.wordy(column)
    if role == "coder":
        return not column.blank and not _labels_too(column, table)
    return not column.blank


# ---------------------------------------------------------------------- one coder per table


def _single(table: Table, options: Options, named: dict[str, str]) -> Plan:
    """A table of one coder: an item column and a column for each question."""
    item = named.get("item") or shape.id_column(table)
    if item is None and table.headed and len(table.columns) > 1:
        first = table.columns[0]
        item = first.name if len(first.words) == len(table) else None
    text = named.get("text")
    chosen = list(options.label)
    if not chosen:
        rest = [c for c in table.columns if c.name not in {item, text} and not c.blank]
        question = named.get("question")
        if question and item and not shape.one_row_per_item(table, item, None):
            rest = [c for c in rest if c.name != question]
            labelled = [c.name for c in rest if label_like(c.name)][:1]
            chosen = labelled or [c.name for c in rest if not shape.prose(c)][:1]
            cells = tuple(Cell(c, "", table.coder) for c in chosen)
            return Plan("files", cells, item, None, question, text, named.get("status"))
        chosen = [c.name for c in rest if not shape.prose(c) and not consensus_like(c.name)]
        labelled = [n for n in chosen if label_like(n)]
        if len(labelled) == 1 and tidy(labelled[0]) != "id":
            chosen = labelled
    cells = tuple(Cell(c, c if len(chosen) > 1 else "", table.coder) for c in chosen)
    if not cells:
        raise one_coder(table, ())
    status = named.get("status") if named.get("status") not in chosen else None
    notes = () if options.label or not may_be_one_hot([table[c] for c in chosen]) else (
        Notice(
            "the columns hold 0 and 1",
            Action("", {"layout": "onehot"},
                   "if each says whether a label of one question was given"),
        ),
    )  # fmt: skip
    return Plan("files", cells, item, None, None, text, status, notes=notes)


def _counts(table: Table, named: dict[str, str], options: Options) -> Plan:
    item = named.get("item")
    if item and not options.item and _is_category(table, item, options):
        item = None  # a category called 'no' or 'case'
    if item is None and not shape.numbers(table.columns[0]):
        item = table.columns[0].name
    cells = tuple(
        Cell(c.name)
        for c in table.columns
        if c.name != item and shape.numbers(c) and tidy(c.name) not in shape.SUMS
    )
    if not cells:
        raise InputError(
            "a table of counts needs a column of whole numbers for each category; the columns are "
            f"{', '.join(map(repr, table.names[:12]))}",
            file=table.source,
        )
    notes = () if options.layout else (
        Notice(
            "each row counts the coders who chose each category",
            Action("", {"layout": "wide"}, "if the columns are coders"),
        ),
    )  # fmt: skip
    return Plan("counts", cells, item, notes=notes)


def _is_counts(table: Table, named: dict[str, str], options: Options) -> bool:
    """Whether the cells, or the categories that the user names, say that the table counts."""
    item = named.get("item")
    if one_hot_coders(table, (item,))[0]:
        return False
    if shape.is_counts(table, item):
        return True
    given = set(map(plain, options.categories_of("") or ()))
    rest = [c for c in table.columns if c.name != item and tidy(c.name) not in shape.SUMS]
    return bool(given) and len(rest) > 1 and all(
        c.name in given and shape.counting(c) for c in rest
    ) and not all(set(c.text) <= given for c in rest)  # fmt: skip


def _is_category(table: Table, name: str, options: Options) -> bool:
    """Whether a column of a table of counts is named like an item but counts coders."""
    if name in map(str, options.categories_of("") or ()):
        return True
    if tidy(name) in ("item", "itemid", "id"):
        return False
    return shape.counting(table[name]) and not shape.unique_pairs(table, name)
