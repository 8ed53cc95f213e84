"""Amazon Mechanical Turk: the results of a batch (CSV), a row for each assignment."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ..annotations import Status
from ..table import encode
from .format import File, Format
from .records import Label, Records
from .tabular import Export, answer, items_by, read_table, told

__all__ = ["FORMAT"]

_ANSWER = re.compile(r"Answer\.")
_BOX = re.compile(r"(Answer\..+)\.([^.]+)")
_TASK = "Answer.taskAnswers"  # all answers of a form, as JSON
_BOOLEAN = {"true", "false", "on", "off", ""}
_BATCH = {
    "title",
    "description",
    "keywords",
    "reward",
    "hittypeid",
    "hitgroupid",
    "creationtime",
    "maxassignments",
    "expiration",
    "requesterannotation",
    "numberofsimilarhits",
}
_OF_ROW = (
    "assignment",
    "worker",
    "accept",
    "submit",
    "auto",
    "approv",
    "reject",
    "work",
    "lifetime",
    "last",
    "next",
    "requesterfeedback",
)


def _takes(file: File) -> bool:
    return any(map(_ANSWER.match, file.header)) and "_unit_id" not in map(str.casefold, file.header)


def _told(export: Export, to: Records) -> None:
    names = [n for n in export.columns if not _ANSWER.match(n)]
    about = [
        n
        for n in names
        if not n.casefold().startswith(_OF_ROW) and n.casefold() not in _BATCH | {"hitid"}
    ]
    inputs = [n for n in names if n.startswith("Input.")] or about
    hit = export.get("HITId")
    item = hit or (items_by(export, inputs) if inputs else [str(n) for n in export.lines])
    coder: Sequence[str | None] | None = export.get("WorkerId")
    roles = {"item": "HITId" if hit is not None else ", ".join(inputs[:6])}
    if coder is None:
        coder = [None] * len(export)
        to.notes.append(
            "the file has no column WorkerId: the annotations of an item count as given by "
            "anonymous coders, and nothing is said about single coders"
        )
    else:
        roles["coder"] = "WorkerId"
    to.columns = roles
    _boxes(_forms(export, to))
    asked = [n for n in export.columns if _ANSWER.match(n) and not _echo(export, n, item)]
    several = [n for n in asked if n in _boxed(export)]
    told(
        export,
        to,
        item,
        coder,
        _statuses(export, to),
        asked,
        about,
        read=lambda name, cell: _list(cell) if name in several else answer(cell),
        prefix="Answer.",
    )


def _statuses(export: Export, to: Records) -> list[Status]:
    """Rejected assignments are not used."""
    said = export.statuses("AssignmentStatus", {"rejected": Status.SKIPPED})
    why = export.cells("Reject")
    out = [s if w in ("", "-") else Status.SKIPPED for s, w in zip(said, why, strict=True)]
    if Status.SKIPPED in out:
        to.notes.append("assignments that were rejected count as skipped")
    return out


def _echo(export: Export, name: str, item: Sequence[str]) -> bool:
    """Whether an 'answer' is only the number of the item that the form sent back."""
    column, of = export.column(name), encode("item", list(item))
    return (
        len(column.words) == len(of.words) > 1
        and len(set(zip(column.codes.tolist(), of.codes.tolist(), strict=True))) == len(of.words)
        and len(of.words) < len(export)
    )


# ------------------------------------------------------------------ forms and check boxes


def _forms(export: Export, to: Records) -> Export:
    """`Answer.taskAnswers` taken apart: [{"q": {"a": true, "b": false}, "r": {"label": "x"}}]."""
    cells = export.columns.pop(_TASK, None)
    for k, cell in enumerate(cells or ()):
        try:
            form = json.loads(cell)
        except (ValueError, RecursionError):
            form = None
        form = form[0] if isinstance(form, list) and form else form
        if not isinstance(form, dict):
            to.leave_out(f"cells of {_TASK} that hold no answers", int(bool(cell)))
            continue
        for name, value in form.items():
            for path, said in _flat(f"Answer.{name}", value):
                export.columns.setdefault(path, [""] * len(export))[k] = said
    return export


def _flat(name: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, bool):
        return [(name, str(value).lower())]
    if isinstance(value, str | int | float):
        return [(name, str(value))]
    if isinstance(value, dict):
        inside = value.get("label", value.get("labels"))
        if isinstance(inside, str | list):
            return _flat(name, inside)
        marks = {k: v for k, v in value.items() if isinstance(v, bool)}
        return [(f"{name}.{k}", str(v).lower()) for k, v in marks.items()]
    if isinstance(value, list):
        return [(name, json.dumps([str(x) for x in value if isinstance(x, str | int | float)]))]
    return []


def _boxes(export: Export) -> None:
    """Columns `Answer.q.a` and `Answer.q.b` of true and false become the question q."""
    groups = defaultdict[str, list[str]](list)
    for name, cells in export.columns.items():
        found = _BOX.fullmatch(name)
        if found and {c.casefold() for c in cells} <= _BOOLEAN:
            groups[found[1]].append(name)
    for question, names in groups.items():
        if question in export.columns or len(names) < 2:
            continue
        columns = [export.columns.pop(n) for n in names]
        marks = [n.rpartition(".")[2] for n in names]
        rows: list[list[str] | None] = []
        for row in zip(*columns, strict=True):
            ticked = [m for m, c in zip(marks, row, strict=True) if c.casefold() in ("true", "on")]
            rows.append(ticked if any(row) else None)
        radio = all(r is None or len(r) == 1 for r in rows)
        export.columns[question] = [
            "" if r is None else r[0] if radio else json.dumps(r) for r in rows
        ]


def _boxed(export: Export) -> set[str]:
    """Questions of which some answer is a JSON list."""
    return {
        n
        for n, cells in export.columns.items()
        if _ANSWER.match(n) and any(c[:1] == "[" and isinstance(answer(c), list) for c in cells)
    }


def _list(cell: str) -> Label:
    found = answer(cell)
    return [found] if isinstance(found, str) else found


FORMAT = Format("MTurk", _takes, read_table("MTurk (batch results)", _takes, _told))
