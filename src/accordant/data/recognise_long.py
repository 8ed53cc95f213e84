"""The columns of a long table: one row for each annotation."""

from __future__ import annotations

from collections.abc import Sequence

from ..actions import Action, Notice
from ..errors import InputError
from . import shape
from .names import (
    answer_like,
    consensus_like,
    fact_like,
    family,
    label_like,
    role_of,
    tidy,
    weight_like,
)
from .one_hot import binary, may_be_one_hot
from .options import Options
from .plan import Cell, Plan
from .table import Column, Table

__all__ = ["long_plan"]


def long_plan(table: Table, options: Options, named: dict[str, str]) -> Plan:
    """The roles of the columns, of which some are known."""
    item, coder, question = named.get("item"), named.get("coder"), named.get("question")
    if item is None:
        item = _item_by_structure(table, named)
    if item == coder:
        coder = None
    labels, warnings = _labels(table, options, named, item, coder)
    notes: tuple[str, ...] = ()
    if coder is None and not options.label:
        coder = _coder_by_structure(table, item, question, labels)
        if coder:
            labels = [name for name in labels if name != coder]
            notes = (
                Notice(
                    f"column {coder!r} names the coders: each of its values stands once per item",
                    Action("", {"coder": ...}, "if another column does"),
                ),
            )
    if coder and options.coder and shape.one_row_per_item(table, item, None):
        _check_coders(table, coder, labels)
    if coder is None:
        notes += (
            Notice(
                "no column says who the coders are: the annotations of an item count as given by "
                "anonymous coders, and nothing is said about single coders",
                Action("", {"coder": ...}, "if a column names the coders"),
            ),
        )
    if len(labels) > 1:
        notes += (
            Notice(
                f"{len(labels)} columns of labels count as one question each: "
                f"{', '.join(map(repr, labels))}",
                Action("", {"label": ...}),
            ),
        )
    if len(labels) > 2 and all(binary(table[name]) for name in labels):
        named_too = {"label": labels} if options.label else {}
        notes += (
            Notice(
                "these columns hold 0 and 1",
                Action(
                    "", {"layout": "onehot"} | named_too,
                    "if each says whether a label of one question was given",
                ),
            ),
        )  # fmt: skip
    if options.layout is None:
        notes += _hints(table, options, labels, (item, coder, question, *named.values()))
    cells = tuple(Cell(c, c if len(labels) > 1 or len(options.label) > 1 else "") for c in labels)
    text, status = named.get("text"), named.get("status")
    weight = options.label_weight
    return Plan("long", cells, item, coder, question, text, status, weight, notes, warnings)


def _hints(
    table: Table, options: Options, labels: Sequence[str], roles: Sequence[str | None]
) -> tuple[str, ...]:
    """What columns that are not used may say about several labels of an annotation."""
    if len(labels) != 1 or options.max_labels == 1:
        return ()
    used = {*labels, *roles, options.label_weight}
    rest = [c for c in table.columns if c.name not in used]
    marked = [c for c in rest if binary(c)]
    notes: tuple[str, ...] = ()
    if may_be_one_hot(marked, table[labels[0]]):
        names = ", ".join(repr(c.name) for c in marked[:6]) + ", …" * (len(marked) > 6)
        notes += (
            Notice(
                f"columns {names} hold 0 and 1 and are called as labels are: they are not read as "
                "such",
                Action(
                    "", {"layout": "onehot"}, f"to read them and compare them with {labels[0]!r}"
                ),
            ),
        )
    weights = [c.name for c in rest if weight_like(c.name) and shape.numbers(c)]
    if weights and options.label_weight is None and _in_several_rows(table, roles[:3]):
        notes += (
            Notice(
                f"column {weights[0]!r} may hold weights of the labels of an annotation",
                Action("", {"label_weight": weights[0]}, "if so"),
            ),
        )
    return notes


def _in_several_rows(table: Table, roles: Sequence[str | None]) -> bool:
    """Whether an annotation has several rows."""
    return roles[1] is not None and not shape.unique_pairs(table, *roles)


def _coder_by_structure(
    table: Table, item: str, question: str | None, labels: Sequence[str]
) -> str | None:
    """The one column among several whose few values occur at most once per item."""
    if len(labels) < 2 or shape.one_row_per_item(table, item, question):
        return None
    found = [
        name
        for name in labels
        if 2 * len(table[name].words) <= len(table)
        and shape.unique_pairs(table, item, name, question)
    ]
    return found[0] if len(found) == 1 else None


def _check_coders(table: Table, coder: str, labels: Sequence[str]) -> None:
    """Refuse the labels of a coder where the names of coders are meant."""
    found = set(table[coder].text)
    for label in labels:
        if found <= set(table[label].text):
            raise InputError(
                f"column {coder!r} was given as the one that names the coders, but holds labels "
                f"such as {table[coder].text[0]!r}, as {label!r} does",
                file=table.source,
                do=[Action("", {"coder": [coder, label]}, "if each coder has a column")],
            )


def _item_by_structure(table: Table, named: dict[str, str]) -> str:
    """The column with most different cells that is not known to be something else."""
    rest = [c for c in table.columns if c.name not in named.values() and not c.blank]
    text = named.get("text")
    if not rest and text:
        return text
    coder = named.get("coder")
    repeated = [
        c for c in rest if coder and shape.unique_pairs(table, c.name, coder, named.get("question"))
    ]
    rest = repeated or rest
    if not rest:
        raise InputError(
            "no column says which item an annotation is about",
            file=table.source,
            do=[Action("", {"item": ...})],
        )
    return max(rest, key=lambda c: len(c.words)).name


def _labels(
    table: Table, options: Options, named: dict[str, str], item: str, coder: str | None
) -> tuple[list[str], tuple[str, ...]]:
    """The columns of labels, and warnings about those that may be some."""
    if options.label:
        return list(options.label), ()
    roles = {named.get(r) for r in ("question", "text", "status")} | {item, coder}
    roles.add(options.label_weight)
    rest = [c for c in table.columns if c.name not in roles and not c.blank]
    likely = [c for c in rest if _may_be_label(c)]
    answers = [c.name for c in likely if answer_like(c.name)]
    if answers:
        return answers, ()
    by_name = [c for c in rest if label_like(c.name) and not shape.prose(c)]
    if by_name:
        exact = [c for c in by_name if tidy(c.name) == "label"]
        return [c.name for c in exact or by_name[: 1 if named.get("label") else None]], ()
    varying = [c for c in likely if not _constant(table, c, item, coder)]
    if not varying:
        varying = _without_variation(rest, likely)
    if not varying:
        raise InputError(
            f"no column holds labels; the columns are {', '.join(map(repr, table.names))}",
            file=table.source,
            do=[Action("", {"label": ...})],
        )
    return _with_constant(table, likely, varying, named.get("question"))


def _may_be_label(column: Column) -> bool:
    """Whether neither the name nor the cells say that a column holds something else."""
    return (
        not shape.prose(column)
        and role_of(column.name) not in ("item", "coder", "text")
        and not consensus_like(column.name)
        and not shape.looks_like_time(column)
        and not shape.identifies_rows(column)
        and not shape.nested(column)
    )


def _constant(table: Table, column: Column, item: str, coder: str | None) -> bool:
    """Whether a column says the same in every row of an item, or of a coder."""
    return shape.constant_per(table, column.name, item) or bool(
        coder and shape.constant_per(table, column.name, coder)
    )


def _without_variation(rest: Sequence[Column], likely: Sequence[Column]) -> list[Column]:
    """Where no column varies within items: what is called label, else the last column."""
    named = [c for c in rest if label_like(c.name)]
    open_ = [c for c in likely if not fact_like(c.name)] or [
        c for c in rest if not consensus_like(c.name)
    ]
    return named or open_[-1:]


def _with_constant(
    table: Table, likely: Sequence[Column], varying: Sequence[Column], question: str | None
) -> tuple[list[str], tuple[str, ...]]:
    """Columns in which all coders always agree may be questions too: κ is undefined there, or 1.

    A column is one if it is named like the others (q1, q2) or says in every row what the others
    say somewhere; it is not if its name says so (batch, language); in doubt it is a fact about
    the items and the user is warned.
    """
    asked = [c.name for c in varying]
    known = {w for c in varying if len(c.words) <= _FEW for w in c.text}
    warnings = []
    for column in likely:
        if column.name in asked or fact_like(column.name) or (question and len(asked) == 1):
            continue
        alike = any(family(column.name, c.name) for c in varying)
        shared = set(column.text) <= known
        single = len(column.words) == 1 and len(column) > 1
        if alike or (shared and single):
            asked.append(column.name)
        elif shared or single:
            warnings.append(_doubt(column, asked, single=single))
    return [n for n in table.names if n in asked], tuple(warnings)


_FEW = 20  # categories that a question may have to tell what labels look like


def _doubt(column: Column, asked: Sequence[str], *, single: bool) -> str:
    said = f"says {column.text[0]!r} in every row" if single else (
        "says the same in all rows of an item"
    )  # fmt: skip
    return Notice(
        f"column {column.name!r} {said}: it is kept as item metadata",
        Action(
            "", {"label": [*asked, column.name]},
            "if it is a question that all coders answered alike",
        ),
    )  # fmt: skip
