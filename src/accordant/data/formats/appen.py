"""Appen, Figure Eight, CrowdFlower: the full report, a row for each judgment."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError
from ..annotations import Status
from ..options import Options
from .format import File, Format
from .records import Import, Records
from .tabular import Export, answer, told, varying

__all__ = ["FORMAT"]

_GOLD = ("_gold", "_gold_reason")


def _takes(file: File) -> bool:
    names = {n.casefold() for n in file.header}
    return "_unit_id" in names and (
        "_worker_id" in names or any(n.endswith(":confidence") for n in names)
    )


def _read(files: Sequence[File], options: Options) -> Import:
    taken = [f for f in files if _takes(f)]
    for file in taken:
        if "_worker_id" not in map(str.casefold, file.header):
            raise InputError(
                "this is the aggregated report of Appen, which does not say who answered what. "
                "Download the full report of the job and give that",
                file=file.source,
            )
    export = Export.of(taken, options)
    to = Records(
        "Appen (full report)", taken[0].source if len(taken) == 1 else f"{len(taken)} files",
        {"item": "_unit_id", "coder": "_worker_id"},
    )  # fmt: skip
    item, coder = export.get("_unit_id") or [], export.get("_worker_id") or []
    tainted = export.get("_tainted") or [""] * len(export)
    status = [Status.SKIPPED if t.casefold() == "true" else Status.ANSWERED for t in tainted]
    own = [n for n in export.columns if not n.startswith(("_", "orig_"))]
    named = [n for n in own if any(n + end in own for end in _GOLD)]
    rest = [n for n in own if not n.endswith(_GOLD)]
    asked, about = (named, [n for n in rest if n not in named]) if named else varying(
        export, rest, item, to
    )  # fmt: skip
    several = len(asked) > 1
    told(export, to, item, coder, status, asked, about, question=_question)
    for name in asked:
        for of, cell in zip(item, export.columns.get(f"{name}_gold", []), strict=False):
            if cell:
                to.gold(of, answer(cell), _question(name) if several else "")
    to.columns = {**to.columns, "label": ", ".join(asked)}
    if Status.SKIPPED in status:
        to.notes.append("judgments that Appen calls tainted count as skipped")
    return to.done()


def _question(name: str) -> str:
    return name.removeprefix("Answer.")


FORMAT = Format("Appen", _takes, _read)
