"""Label Studio: CSV, TSV and JSON-MIN, a row for each annotation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

from ...actions import Action, Notice
from ...errors import InputError
from .. import evidence
from ..names import label_like, personal
from ..options import Options
from ..table import Column, encode
from .answers import owners, sort_out, source_of
from .format import File, Format
from .import_report import Import
from .label_studio import PLACES, UPLOAD, enter, kind_of
from .records import Records
from .tabular import Row, as_json, header_of, rows_of

__all__ = ["FORMAT"]

NAME = "Label Studio (table)"
FEW = 10  # items on which coders may agree by chance, so that an answer looks like a field
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


def _takes(file: File) -> bool:
    names = file.record if isinstance(file.record, dict) else header_of(file)
    return set(names) >= _SIGNS


def _read(files: Sequence[File], options: Options) -> Import:
    taken, _ = sort_out(files, _takes)
    to = Records(NAME, source_of(taken), {}, options.spans, blank=options.blank)
    found = rows_of(taken, options, to)
    rows = [r for r in found if r.cells.get("annotation_id")]
    to.leave_out("tasks without annotations", len(found) - len(rows))
    whose = defaultdict[PurePosixPath, set[str]](set)
    for row in rows:
        whose[row.file.path].add(row.cells.get("annotator", ""))
    alone = len(whose) > 1 and all(len(found) == 1 for found in whose.values())
    of_file = dict(zip((f.path for f in taken), owners(taken), strict=True))
    by_file = alone and len(set.union(*whose.values())) < len(whose)  # "1" in every file
    item, by = _items(rows, shared=not alone)
    own_names = {*_OWN, by}
    kinds = _kinds(rows, item, own_names, options, to)
    to.columns = {"item": by, "coder": "file" if by_file else "annotator"}
    to.columns |= {"label": ", ".join(n for n, kind in kinds.items() if kind == "label")}
    tasks = defaultdict[str, list[Row]](list)
    for row, name in zip(rows, item, strict=True):
        tasks[name].append(row)
    for name, own in tasks.items():
        data = dict[str, str]()
        for row in own:
            known = {n for n in row.cells if n not in {*own_names, *kinds} and not personal(n)}
            data |= {n: cell for n, cell in row.cells.items() if cell and n in known}
        who = [of_file[r.file.path] if by_file else r.cells.get("annotator") or None for r in own]
        said = [
            {k: r.cells.get(k) for k in ("created_at", "updated_at")}
            | {"result": [x for n, kind in kinds.items() for x in _results(r, n, kind)]}
            for r in own
        ]
        enter(name, data, list(zip(who, said, [r.line for r in own], strict=True)), [], to)
    to.notes.append(
        "tables of Label Studio hold no annotations that were skipped, and do not say which "
        "answers are about a part of an item or in free text; its JSON export does"
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


def _kinds(
    rows: Sequence[Row], item: Sequence[str], own: Container[str], options: Options, to: Records
) -> dict[str, str]:
    """The columns of answers: 'label', 'free' text, or about a 'part' of an item.

    A field of the task never differs within it. JSON-MIN writes fields before the id, answers
    after it. In CSV a column of plain cells that never differ is a field.
    """
    items = encode("item", list(item))
    columns = [
        encode(n, [r.cells.get(n, "") for r in rows])
        for n in _names(rows)
        if n not in own and not n.startswith("_data_")
    ]
    after = {n for r in rows if r.file.head[:1] in "[{" for n in _after_id(r.cells)}
    kinds, fields = dict[str, str](), list[Column]()
    for c in columns:
        kind = _kind(c.text)
        same = evidence.constant(c.codes, items.codes, len(items.words))
        answers = not same or (c.name in after and not evidence.numbers(c))
        if not kind and (answers or c.name in options.label):
            kind = "free" if evidence.prose(c) else "plain"
        if kind and not (kind == "part" and same):
            kinds[c.name] = kind
        elif not c.blank:
            fields.append(c)
    if not {"label", "plain"} & {*kinds.values()} and not after:
        asked = [c.name for c in fields if label_like(c.name)]
        alone = len({r.cells["annotator"] for r in rows}) < 2
        kinds |= dict.fromkeys(asked or [c.name for c in fields[-1:] if alone], "plain")
    asked = [n for n, kind in kinds.items() if kind in ("label", "plain")]
    if not asked:
        raise InputError(
            "this is a table of Label Studio, but which of its columns are answers cannot be told: "
            "export as JSON",
            file=to.source,
            do=[Action("", {"label": ...}, "the column of the answers")],
        )
    few = len(items.words) < FEW and not after
    alike = [c for c in fields if few and not evidence.wordy(c) and not evidence.numbers(c)]
    names = [c.name for c in alike if c.name not in asked and 1 < len(c.words) < len(items.words)]
    if names:
        told = "same in all rows of an item, so read as field of the task"
        _doubt(names, told, [*asked, *names], "if all coders answered alike", to)
    placed = [c for c in columns if _placed(c.text)]
    plain = [c for c in columns if kinds.get(c.name) == "plain" and c.name not in options.label]
    rare = [c.name for c in plain if _few(c, placed)]
    if rare:
        told = "filled in few rows or where parts are marked: perhaps free text or about a part"
        rest = [n for n in asked if n not in rare]
        _doubt(rare, told, rest, "without", to)
    return {n: "label" if n in asked else kind for n, kind in kinds.items()}


def _placed(words: Sequence[str]) -> bool:
    """Whether cells hold regions."""
    values = (v for word in words for v in _values(word)[1])
    return any(isinstance(v, dict) and PLACES & v.keys() for v in values)


def _few(column: Column, placed: Sequence[Column]) -> bool:
    """Whether few rows are filled, or only such as hold the regions of a column too."""
    filled, partly = column.codes >= 0, [c.codes >= 0 for c in placed if (c.codes < 0).any()]
    inside = any(not (filled & ~region).any() for region in partly)
    return bool(filled.sum() * 2 < len(filled) or inside)


def _doubt(names: Sequence[str], told: str, label: Sequence[str], why: str, to: Records) -> None:
    """A warning on columns of which a table does not say what they are."""
    what = f"column {', '.join(map(repr, names))}: {told}. The JSON export says what it is"
    to.warnings.append(Notice(what, Action("", {"label": [*label]}, why)))


def _after_id(cells: Mapping[str, str]) -> list[str]:
    """What JSON-MIN writes between the id and the annotator: the answers."""
    names = list(cells)
    at = names.index("id") if "id" in names else 0
    return [*takewhile(lambda n: n not in _SIGNS, names[at + 1 :])] if at else []


def _kind(words: Sequence[str]) -> str:
    """What cells of JSON are: as `_kinds` says; '' of plain cells and of other JSON."""
    kinds = {kind for word in words for kind in _kinds_in(word)}
    if "part" in kinds:
        return "part"
    return "free" if kinds == {"textarea"} else "label" if kinds else ""


def _kinds_in(cell: str) -> set[str]:
    """The kinds of the results in a cell. Several of one control are each about a part."""
    whole, values = _values(cell)
    if whole and values and all(isinstance(v, str) for v in values):
        return {"part"}
    kinds = {kind_of(v) for v in values if isinstance(v, dict)} - {""}
    return {"part"} if whole and "choices" in kinds else kinds


def _values(cell: str) -> tuple[bool, list[Any]]:
    """Whether a cell is a list, and its members, or the one object that it holds."""
    found = as_json(cell)
    if isinstance(found, list):
        return True, found
    return False, [found] if found else []


def _results(row: Row, name: str, kind: str) -> list[dict[str, Any]]:
    """The results of a cell, as the JSON export has them."""
    cell = row.cells.get(name, "")
    values = _values(cell)[1] or [cell] * bool(cell)
    plain = "text" if kind == "free" else "choices"
    part = {"item_index": 0} if kind == "part" else {}
    return [
        {"from_name": name, "value": v if isinstance(v, dict) else {plain: [v]}} | part
        for v in values
    ]


FORMAT = Format(NAME, _takes, _read)
