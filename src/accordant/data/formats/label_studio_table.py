"""Label Studio: CSV, TSV and JSON-MIN, a row for each annotation."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from ...actions import Action, Notice
from ...errors import InputError
from .. import evidence
from ..names import label_like, personal
from ..options import Options
from ..table import Column, encode
from .answers import owners, sort_out, source_of
from .format import File, Format
from .import_report import Import
from .label_studio import FREE, UPLOAD, results
from .records import Label, Records
from .tabular import Row, header_of, rows_of

__all__ = ["FORMAT"]

NAME = "Label Studio (table)"
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
    names = file.record if isinstance(file.record, dict) else header_of(file)
    return set(names) >= _SIGNS


def _read(files: Sequence[File], options: Options) -> Import:
    taken, _ = sort_out(files, _takes)
    to = Records(NAME, source_of(taken), {}, options.spans)
    rows = rows_of(taken, options, to)
    whose = defaultdict[PurePosixPath, set[str]](set)
    for row in rows:
        whose[row.file.path].add(row.cells.get("annotator", ""))
    alone = len(whose) > 1 and all(len(found) == 1 for found in whose.values())
    of_file = dict(zip((f.path for f in taken), owners(taken), strict=True))
    by_file = alone and len(set.union(*whose.values())) < len(whose)  # "1" in every file
    who = [of_file[r.file.path] if by_file else r.cells.get("annotator", "") for r in rows]
    item, by = _items(rows, shared=not alone)
    to.columns = {"item": by, "coder": "file" if by_file else "annotator"}
    kept = _newest(rows, item, who, to)
    rows = [rows[k] for k in kept]
    item, who = [item[k] for k in kept], [who[k] for k in kept]
    _tell(rows, item, who, by, to)
    to.notes.append(
        "tables of Label Studio hold no annotations that were skipped; its JSON export does"
    )
    return to.done()


def _items(rows: Sequence[Row], *, shared: bool) -> tuple[list[str], str]:
    """The ids of the tasks; over several projects what was shown, since ids start anew."""
    ids = [r.cells.get("id") or r.cells.get("inner_id") or str(r.line) for r in rows]
    if shared:
        return ids, "id"
    n, best = len({r.file.path for r in rows}), (0, "id", ids)
    for name in _names(rows):
        shown = [UPLOAD.sub("", r.cells.get(name, "")) for r in rows]
        times = Counter(shown)
        again = sum(t > 1 for t in times.values())
        if name not in _OWN and max(times.values()) <= n and all(shown) and again > best[0]:
            best = again, name, shown
    return best[2], best[1]


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(n for r in rows for n in r.cells))


def _newest(rows: Sequence[Row], item: list[str], who: list[str], to: Records) -> list[int]:
    """The newest annotation of a task by each coder."""
    times = [r.cells.get("updated_at") or r.cells.get("created_at") or "" for r in rows]
    last = {(item[k], who[k]): k for k in sorted(range(len(rows)), key=times.__getitem__)}
    to.leave_out("earlier annotations of a task by the same coder", len(rows) - len(last))
    return sorted(last.values())


def _tell(
    rows: Sequence[Row], item: Sequence[str], who: Sequence[str], by: str, to: Records
) -> None:
    """Answers, and what is known of the items."""
    names = [n for n in _names(rows) if n not in {*_OWN, by} and not n.startswith("_data_")]
    columns = {n: encode(n, [r.cells.get(n, "") for r in rows]) for n in names}
    kinds = {n: {_answer(w)[1] for w in map(str, c.words)} - {""} for n, c in columns.items()}
    said = [n for n in names if kinds[n]]
    for name in [n for n in said if kinds[n] <= FREE]:
        to.leave_out("answers in free text", sum(bool(r.cells.get(name)) for r in rows))
        said.remove(name)
        names.remove(name)
    plain = [c for n, c in columns.items() if n in names and n not in said and not c.blank]
    asked = [n for n in names if n in {*said, *_varying(plain, encode("item", list(item)), to)}]
    if not asked and len({*who}) == 1:
        asked = names[-1:]  # what is wrong is that there is one coder
    if not asked:
        raise InputError(
            "this is a table of Label Studio, but which of its columns are answers cannot be told: "
            "export as JSON",
            file=to.source,
            do=[Action("", {"label": ...}, "the column of the answers")],
        )
    to.columns = {**to.columns, "label": ", ".join(asked)}
    for row, of, coder in zip(rows, item, who, strict=True):
        if not of or not coder:
            to.leave_out("rows that name no item or no coder")
            continue
        for name in asked:
            label, _ = _answer(row.cells.get(name, ""))
            label = () if label is None and "labels" in kinds[name] else label
            to.add(of, coder, label, question=name if len(asked) > 1 else "", row=row.line)
    about = [n for n in _names(rows) if n.startswith("_data_") or (n in names and n not in asked)]
    _about(rows, item, [n for n in about if not personal(n)], columns, to)


def _varying(columns: Sequence[Column], item: Column, to: Records) -> list[str]:
    """Columns that differ within items: the answers. Where coders always agree, a label by name.

    A warning names what may be an answer too.
    """
    may = [
        c
        for c in columns
        if not (evidence.looks_like_time(c) or evidence.identifies_rows(c) or personal(c.name))
    ]
    found = [c for c in may if not evidence.constant(c.codes, item.codes, len(item.words))]
    asked = [c for c in found if not evidence.prose(c)] or [c for c in may if label_like(c.name)]
    asked = asked or [c for c in may[-1:] if not evidence.prose(c) and 2 * len(c.words) <= len(c)]
    names, known = [c.name for c in asked], {w for c in asked for w in c.text}
    for c in found:
        if c.name not in names:
            to.leave_out(f"cells of free text in {c.name!r}", int((c.codes >= 0).sum()))
    for c in may:
        if c.name not in names and asked and known.issuperset(c.text):
            doubt = f"column {c.name!r} says the same in all rows of an item: it is kept as item "
            way = Action("", {"label": [*names, c.name]}, "if all coders answered it alike")
            to.warnings.append(Notice(f"{doubt}metadata", way))
    return names


def _about(
    rows: Sequence[Row],
    item: Sequence[str],
    names: Sequence[str],
    columns: dict[str, Column],
    to: Records,
) -> None:
    words = [n for n in names if n in columns and evidence.wordy(columns[n])]
    text = max(words, key=lambda n: sum(w.count(" ") for w in columns[n].text), default="")
    for row, of in zip(rows, item, strict=True):
        facts = {n: row.cells.get(n) or None for n in names if n != text}
        to.about(of, row.cells.get(text), facts)


def _answer(cell: str) -> tuple[Label, str]:
    """What a cell says, and of which kind its results are: of spans and regions 'labels'."""
    if not cell or cell[0] not in "[{":
        return cell or None, ""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return (None if _RESULT.match(cell) else cell), ""
    if not _RESULT.match(cell):
        plain = isinstance(found, list) and all(isinstance(x, str | int | float) for x in found)
        return ([str(x) for x in found] if plain else None if cell == "{}" else cell), ""
    values = [v for v in (found if isinstance(found, list) else [found]) if isinstance(v, dict)]
    free = "textarea" if any("text" in v for v in values) else ""
    return results(values) or (None, free)


FORMAT = Format(NAME, _takes, _read)
