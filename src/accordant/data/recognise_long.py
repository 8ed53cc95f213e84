"""The columns of a long table: one row for each annotation."""

from __future__ import annotations

from ..errors import InputError
from . import shape
from .names import consensus_like, label_like, role_of, tidy
from .options import Options
from .plan import Cell, Plan
from .table import Column, Table

__all__ = ["long_plan"]


def long_plan(table: Table, options: Options, named: dict[str, str]) -> Plan:
    item, coder, question = named.get("item"), named.get("coder"), named.get("question")
    if item is None:
        item = _item_by_structure(table, named)
    if item == coder:
        coder = None
    labels = _labels_of_long(table, options, named, item, coder)
    notes: tuple[str, ...] = ()
    if coder is None:
        notes = (
            "no column says who the coders are: the annotations of an item count as given by "
            "anonymous coders, and nothing is said about single coders (say coder= if a column "
            "does)",
        )
    if len(labels) > 1:
        notes += (
            f"{len(labels)} columns of labels count as one question each: "
            f"{', '.join(map(repr, labels))} (say label= to choose)",
        )
    cells = tuple(Cell(c, c if len(labels) > 1 or len(options.label) > 1 else "") for c in labels)
    return Plan("long", cells, item, coder, question, named.get("text"), named.get("status"), notes)


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
            "no column says which item an annotation is about; say item=", file=table.source
        )
    return max(rest, key=lambda c: len(c.words)).name


def _labels_of_long(
    table: Table, options: Options, named: dict[str, str], item: str, coder: str | None
) -> list[str]:
    if options.label:
        return list(options.label)
    roles = {named.get(r) for r in ("question", "text", "status")} | {item, coder}
    rest = [c for c in table.columns if c.name not in roles and not c.blank]
    by_name = [c for c in rest if label_like(c.name) and not _free(c)]
    if by_name:
        exact = [c for c in by_name if tidy(c.name) == "label"]
        return [c.name for c in exact or by_name[: 1 if named.get("label") else None]]
    varying = [
        c.name
        for c in rest
        if not _free(c)
        and role_of(c.name) not in ("item", "coder", "text")
        and not consensus_like(c.name)
        and not shape.constant_per(table, c.name, item)
        and not shape.looks_like_time(c)
        and not (coder and shape.constant_per(table, c.name, coder))
    ]
    if not varying:
        varying = [c.name for c in rest if label_like(c.name)] or [
            c.name for c in rest if not consensus_like(c.name)
        ][-1:]
    if not varying:
        raise InputError(
            "no column holds labels; the columns are "
            f"{', '.join(map(repr, table.names))}. Say label=",
            file=table.source,
        )
    return varying


def _free(column: Column) -> bool:
    """Whether a column holds prose rather than labels."""
    return shape.prose(column)
