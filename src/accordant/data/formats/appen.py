"""Appen, Figure Eight, CrowdFlower: the full report, a row for each judgment."""

from __future__ import annotations

from ..annotations import Status
from .format import File, Format
from .records import Records
from .tabular import Export, read_table, told, varying

__all__ = ["FORMAT"]

_GOLD = ("_gold", "_gold_reason")


def _takes(file: File) -> bool:
    names = {n.casefold() for n in file.header}
    return "_unit_id" in names and (
        "_worker_id" in names or any(n.endswith(":confidence") for n in names)
    )


def _aggregated(file: File) -> str | None:
    if "_worker_id" in map(str.casefold, file.header):
        return None
    return (
        "this is the aggregated report of Appen, which does not say who answered what. Download "
        "the full report of the job and give that"
    )


def _told(export: Export, to: Records) -> None:
    to.columns = {"item": "_unit_id", "coder": "_worker_id"}
    item, coder = export.cells("_unit_id"), export.cells("_worker_id")
    status = export.statuses("_tainted", {"true": Status.SKIPPED})
    own = [n for n in export.columns if not n.startswith(("_", "orig_"))]
    asked = [n for n in own if any(n + end in own for end in _GOLD)]
    about = [n for n in own if not n.endswith(_GOLD) and n not in asked]
    if not asked:
        asked, about = varying(export, about, item, to)
    gold = {n: f"{n}_gold" for n in asked if f"{n}_gold" in export.columns}
    told(export, to, item, coder, status, asked, about, prefix="Answer.", gold=gold)
    if Status.SKIPPED in status:
        to.notes.append("judgments that Appen calls tainted count as skipped")


FORMAT = Format("Appen", _takes, read_table("Appen (full report)", _takes, _told, _aggregated))
