"""Label Studio: CSV, TSV and JSON-MIN, a row for each annotation."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from ...actions import Action
from ...errors import InputError
from ..annotations import Status
from .answers import owners
from .format import File, Format
from .label_studio import FREE, UPLOAD, results
from .records import Label, Records
from .tabular import Export, answer, read_table, told, varying

__all__ = ["FORMAT"]

_SIGNS = {"annotation_id", "annotator", "lead_time"}
_OWN = _SIGNS | {
    "id",
    "inner_id",
    "created_at",
    "updated_at",
    "agreement",
    "history",
    "annotators",
    "ground_truth",
}
_RESULT = re.compile(r'\{\s*"choices"|\[\s*\{\s*"')


def _takes(file: File) -> bool:
    names = file.record if isinstance(file.record, dict) else file.header
    return set(names) >= _SIGNS


def _told(export: Export, to: Records) -> None:
    if not len(export):
        return
    coder = export.cells("annotator")
    files = list({f.path: f for f in export.files}.values())
    whose = defaultdict[PurePosixPath, set[str]](set)
    for name, file in zip(coder, export.files, strict=True):
        whose[file.path].add(name)
    own = len(files) > 1 and all(len(found) == 1 for found in whose.values())
    who = "annotator"
    if own and len(set.union(*whose.values())) < len(files):
        of_file = dict(zip((f.path for f in files), owners(files), strict=True))
        who, coder = "file", [of_file[f.path] for f in export.files]  # "1" in every file
    item, by = _items(export, shared=not own)
    to.columns = {"item": by, "coder": who}
    export = _newest(export, item, coder, to)
    item, coder = export.columns.pop(" item"), export.columns.pop(" coder")
    names = [n for n in export.columns if n not in _OWN and not n.startswith("_data_")]
    said = [n for n in names if any(_kinds(export.columns[n]))]
    for name in [n for n in said if _kinds(export.columns[n]) <= FREE]:
        to.leave_out("answers in free text", sum(map(bool, export.columns[name])))
        names.remove(name)
        said.remove(name)
    asked, about = varying(export, [n for n in names if n not in said and n != by], item, to)
    asked = [n for n in names if n in {*said, *asked}]
    if not asked and len(set(coder)) == 1:
        asked = [n for n in names if n != by][-1:]  # what is wrong is that there is one coder
    if not asked:
        raise InputError(
            "this is a table of Label Studio, but which of its columns are answers cannot be told: "
            "export as JSON",
            file=to.source,
            do=[Action("", {"label": ...}, "the column of the answers")],
        )
    spans = {n for n in said if "labels" in _kinds(export.columns[n])}

    def label(name: str, cell: str) -> Label:
        found = _answer(cell)[0] if name in said else answer(cell)
        return () if found is None and name in spans else found

    told(
        export,
        to,
        item,
        coder,
        [Status.ANSWERED] * len(export),
        asked,
        [*about, *(n for n in export.columns if n.startswith("_data_"))],
        read=label,
        sure=said,
    )
    to.notes.append(
        "tables of Label Studio hold no annotations that were skipped; its JSON export does"
    )


def _items(export: Export, *, shared: bool) -> tuple[list[str], str]:
    """The ids of the tasks; over several projects what was shown, since ids start anew."""
    ids = export.get("id") or export.get("inner_id")
    if shared and ids is not None:
        return ids, "id"
    n = len({id(f) for f in export.files})
    found: list[tuple[int, int, str, list[str]]] = []
    for name, cells in export.columns.items():
        shown = [UPLOAD.sub("", c) for c in cells]
        times = Counter(shown)
        if name not in _OWN and max(times.values(), default=0) <= n and all(shown):
            found.append((-sum(t > 1 for t in times.values()), len(found), name, shown))
    if not found or min(found)[0] == 0:  # the files have nothing in common
        return (ids or [str(k) for k in export.lines]), "id"
    _, _, name, shown = min(found)
    return shown, name


def _newest(export: Export, item: list[str], coder: list[str], to: Records) -> Export:
    """The newest annotation of a task by each coder."""
    times = export.get("updated_at", "created_at") or [""] * len(export)
    last: dict[tuple[str, str], int] = {}
    for k in sorted(range(len(export)), key=lambda k: times[k]):
        last[item[k], coder[k]] = k
    kept = set(last.values())
    to.leave_out("earlier annotations of a task by the same coder", len(export) - len(kept))
    export.columns.update({" item": item, " coder": coder})
    return export.where(lambda k: k in kept)


def _kinds(cells: Sequence[str]) -> set[str]:
    """The kinds of the answers in a column: of spans and regions only 'labels'."""
    return {_answer(c)[1] for c in cells if _RESULT.match(c)}


def _answer(cell: str) -> tuple[Label, str]:
    """A cell with results of Label Studio, and of which kind they are."""
    if not _RESULT.match(cell):
        return answer(cell), ""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return None, ""
    values = [v for v in (found if isinstance(found, list) else [found]) if isinstance(v, dict)]
    said = results(values)
    if said is not None:
        return said
    return None, "textarea" if any("text" in v for v in values) else ""


FORMAT = Format("Label Studio (table)", _takes, read_table("Label Studio (table)", _takes, _told))
