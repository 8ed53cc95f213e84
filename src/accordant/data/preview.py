"""What a table looks like and what each of its columns is taken for: for a reader to check."""

from __future__ import annotations

from collections.abc import Mapping

from .names import consensus_like, personal
from .plan import Plan
from .table import BLANK, Column, Table

__all__ = ["ROWS", "Shown", "preview"]

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
    roles: Mapping[str | None, str] = {
        plan.item: "item", plan.coder: "coder", plan.question: "question", plan.text: "text",
        plan.status: "status", plan.weight: "weight of the label",
    }  # fmt: skip
    if name in roles:
        return roles[name]
    cell = next((c for c in plan.cells if c.column == name), None)
    if cell is not None and plan.layout in ("wide", "files") and not plan.coder:
        who = f"coder {cell.coder}" if cell.question or cell.coder != name else "coder"
        return f"question {cell.question} of {who}" if cell.question else who
    if cell is not None:
        return {"turned": "item", "counts": "category"}.get(
            plan.layout, f"question {cell.question}" if cell.question else "label"
        )
    if plan.layout == "table":
        return "labels of the first coder" if column is table.columns[0] else "counts"
    if column.blank:
        return "left out, blank"
    if name in plan.reasons:
        return plan.reasons[name]
    if personal(name):
        return "left out, about persons"
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
