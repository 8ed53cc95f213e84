"""Toloka: the assignments of a pool (TSV), a row for each task that a person saw."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError
from ..annotations import Status
from ..options import Options
from .format import File, Format
from .records import Import, Label, Records
from .tabular import Export, answer, items_by, told

__all__ = ["FORMAT"]

_STATUS = {
    "REJECTED": Status.SKIPPED, "SKIPPED": Status.SKIPPED, "EXPIRED": Status.SKIPPED,
    "ACTIVE": Status.DRAFT,
}  # fmt: skip


def _takes(file: File) -> bool:
    names = file.header
    return any(n.startswith("OUTPUT:") for n in names) and any(
        n.startswith(("ASSIGNMENT:", "CONFIDENCE:")) for n in names
    )


def _read(files: Sequence[File], options: Options) -> Import:
    taken = [f for f in files if _takes(f)]
    for file in taken:
        if "ASSIGNMENT:worker_id" not in file.header:
            raise InputError(
                "this is a result of Toloka that was aggregated, or has no column "
                "ASSIGNMENT:worker_id: it does not say who answered what. Download the "
                "assignments of the pool with that column",
                file=file.source,
            )
    export = Export.of(taken, options)
    names = list(export.columns)
    inputs = [n for n in names if n.startswith("INPUT:")]
    to = Records(
        "Toloka (assignments)", taken[0].source if len(taken) == 1 else f"{len(taken)} files",
        {"item": ", ".join(inputs) or "ASSIGNMENT:task_id", "coder": "ASSIGNMENT:worker_id"},
    )  # fmt: skip
    task = export.get("ASSIGNMENT:task_id") or [""] * len(export)
    item = items_by(export, inputs) if inputs else task
    coder = export.get("ASSIGNMENT:worker_id") or []
    said = [s.upper() for s in export.get("ASSIGNMENT:status") or [""] * len(export)]
    status = [_STATUS.get(s, Status.ANSWERED) for s in said]
    asked = [n for n in names if n.startswith("OUTPUT:")]
    about = [*inputs, *(n for n in names if n.startswith("HINT:"))]
    several = sum(any(export.columns[n]) for n in asked) > 1
    told(
        export, to, item, coder, status, asked, about, read=_label,
        question=lambda n: n.removeprefix("OUTPUT:"),
    )  # fmt: skip
    for name in (n for n in names if n.startswith("GOLDEN:")):
        for of, cell in zip(item, export.columns[name], strict=True):
            if cell and of:
                to.gold(of, _label(name, cell), name.removeprefix("GOLDEN:") if several else "")
    to.columns = {**to.columns, "label": ", ".join(asked)}
    if "REJECTED" in said:
        to.notes.append("assignments that were rejected count as skipped")
    return to.done()


def _label(_: str, cell: str) -> Label:
    return answer(cell.replace("\\n", "\n"))


FORMAT = Format("Toloka", _takes, _read)
