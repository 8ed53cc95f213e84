"""Toloka: the assignments of a pool (TSV), a row for each task that a person saw."""

from __future__ import annotations

from ..annotations import Status
from .format import File, Format
from .records import Label, Records
from .tabular import Export, answer, items_by, read_table, told

__all__ = ["FORMAT"]

_STATUS = {
    "rejected": Status.SKIPPED,
    "skipped": Status.SKIPPED,
    "expired": Status.SKIPPED,
    "active": Status.DRAFT,
}


def _takes(file: File) -> bool:
    names = file.header
    return any(n.startswith("OUTPUT:") for n in names) and any(
        n.startswith(("ASSIGNMENT:", "CONFIDENCE:")) for n in names
    )


def _nobody(file: File) -> str | None:
    if "ASSIGNMENT:worker_id" in file.header:
        return None
    return (
        "this is a result of Toloka that was aggregated, or has no column ASSIGNMENT:worker_id: "
        "it does not say who answered what. Download the assignments of the pool with that column"
    )


def _told(export: Export, to: Records) -> None:
    inputs, hints, asked, golden = (
        [n for n in export.columns if n.startswith(start)]
        for start in ("INPUT:", "HINT:", "OUTPUT:", "GOLDEN:")
    )
    to.columns = {
        "item": ", ".join(inputs) or "ASSIGNMENT:task_id",
        "coder": "ASSIGNMENT:worker_id",
    }
    item = items_by(export, inputs) if inputs else export.cells("ASSIGNMENT:task_id")
    gold = {n.replace("GOLDEN:", "OUTPUT:", 1): n for n in golden}
    told(
        export,
        to,
        item,
        export.cells("ASSIGNMENT:worker_id"),
        export.statuses("ASSIGNMENT:status", _STATUS),
        asked,
        [*inputs, *hints],
        read=_label,
        prefix="OUTPUT:",
        gold=gold,
    )
    if "rejected" in map(str.casefold, export.cells("ASSIGNMENT:status")):
        to.notes.append("assignments that were rejected count as skipped")


def _label(_: str, cell: str) -> Label:
    return answer(cell.replace("\\n", "\n"))


FORMAT = Format("Toloka", _takes, read_table("Toloka (assignments)", _takes, _told, _nobody))
