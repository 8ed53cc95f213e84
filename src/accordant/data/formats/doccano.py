"""doccano: the files of its users, as JSON lines or JSON; the coder is the file's name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...actions import Action, Notice
from ...errors import InputError, RequestError
from ..annotations import Annotations, Status
from ..names import consensus_like, role_of
from ..options import Options
from .answers import Answer, Span, facts_of, majorities, not_written, owners, read_answers
from .format import File, Format
from .records import Records

LISTS = ("label", "cats", "entities", "bbox", "segmentation")
PARTS = LISTS[2:]  # of a text or a picture
SHOWN = ("text", "filename")
CONFIRMED = ("is_confirmed", "confirmed", "is_approved", "approved")
LONGEST = 200  # characters of the text that an example without an id is called by


def _takes(file: File) -> bool:
    record = file.record
    return (
        isinstance(record, dict)
        and any(isinstance(record.get(k), str) for k in SHOWN)
        and any(isinstance(record.get(k), list) for k in LISTS)
        and all(role_of(k) != "coder" for k in record)
    )


def _answers(files: Sequence[File], options: Options, to: Records) -> Iterator[Answer]:
    owned, empty = set[str](), 0
    for file, owner in zip(files, owners(files), strict=True):
        merged, known = file.path.stem == "all", consensus_like(owner)
        seen = Counter[str]()
        for row, record in file.records(options):
            if not isinstance(record, dict):
                to.leave_out("entries that are no examples")
                continue
            item = _item(record, seen)
            _about(record, item, to)
            if merged:
                to.leave_out("examples of all.jsonl, where the labels of all users are merged")
                continue
            if known:
                to.leave_out("labels of a consensus, kept as known labels")
            else:
                owned.add(owner)
            whole = Answer(item, None if known else owner, None, row=row, sets=False)
            for answer in _of_example(record, whole, options, to):
                if answer.status != Status.NOT_ASSIGNED:
                    yield answer
                elif not known:
                    empty += 1
    _check_owners(owned, files)
    if empty:
        to.leave_out("examples with an empty list, which were perhaps never opened", empty)
        to.warnings.append(
            Notice(
                "doccano writes an empty list for an example that a user never opened and for one "
                "that the user left without a label; they are read as not annotated",
                Action("", {"blank": "empty"}, "if only confirmed examples were exported"),
            )
        )


def _check_owners(owned: set[str], files: Sequence[File]) -> None:
    """An export without its users holds nothing to compare."""
    if len(owned) > 1:
        return
    if not owned:
        raise InputError(
            "this is doccano's export of a project whose users share their annotations: the labels "
            "of all are merged into one list, and nobody can tell whose they are. Agreement needs "
            "a project in which each user annotates alone",
            file=files[0].source,
        )
    raise InputError(
        "this is an export of doccano, which does not say in the file who annotated: the coder is "
        "the name of the file. Give the files of all users, or the zip archive that doccano made",
        file=files[0].source,
    )


def _item(record: Mapping[str, Any], seen: Counter[str]) -> str:
    """Its id; without one its text, counted where it comes again."""
    name = record.get("id")
    name = str(name) if isinstance(name, str | int) else str(record.get("text", ""))
    if len(name) > LONGEST:  # each token is called after it
        name = f"{name[:LONGEST]}… ({sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]})"
    seen[name] += 1
    return name if seen[name] == 1 or "id" in record else f"{name} ({seen[name]})"


def _about(record: Mapping[str, Any], item: str, to: Records) -> None:
    shown = next((x for k in SHOWN if isinstance(x := record.get(k), str)), None)
    known = {"id", *SHOWN, "Comments", "relations", *LISTS}
    to.about(item, shown, {str(k): v for k, v in record.items() if k not in known})


def _of_example(
    record: Mapping[str, Any], whole: Answer, options: Options, to: Records
) -> Iterator[Answer]:
    """The labels of an example and those of its parts, each a question where both are."""
    relations = record.get("relations")
    to.leave_out("relations", len(relations) if isinstance(relations, list) else 0)
    said = next((record[k] for k in CONFIRMED if isinstance(record.get(k), bool)), None)
    sure = said is True or options.blank == "empty"
    lists = {k: v for k in LISTS if isinstance(v := record.get(k), list)}
    text = record.get("text")
    to.leave_out("examples without a list of labels", not lists)
    for name, cells in lists.items():
        status = Status.ANSWERED if cells or sure else Status.NOT_ASSIGNED
        status = Status.DRAFT if said is False else status
        own = whole._replace(status=status, question=name if len(lists) > 1 else "")
        spans = [s for c in cells if (s := _span(c)) is not None]
        labels = tuple(str(c) for c in cells if isinstance(c, str | int | float))
        if own.status == Status.NOT_ASSIGNED:
            yield own
        elif spans or name in PARTS or (not cells and options.spans == "tokens"):
            to.leave_out("entries that are no spans", len(cells) - len(spans))
            yield own._replace(spans=spans, text=text if isinstance(text, str) else None)
        else:
            to.leave_out("entries that are no labels", len(cells) - len(labels))
            if labels or not cells:
                yield own._replace(label=labels)


def _span(cell: Any) -> Span | None:
    """[start, end, label], or an object with offsets, of a picture without."""
    if isinstance(cell, dict):
        cell = [cell.get("start_offset"), cell.get("end_offset"), cell.get("label")]
    if not (isinstance(cell, list) and len(cell) == 3 and isinstance(cell[2], str | int)):
        return None
    start, end, label = cell
    placed = isinstance(start, int) and isinstance(end, int)
    return Span(start, end, str(label)) if placed or start is end is None else None


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """A line for each example, with the labels that most coders gave, as an import takes it."""
    found = list(majorities(data))
    if any(len(each) > 1 for _, each in found):
        choose = Action("", {"label": data.questions[0]})
        raise RequestError("doccano has one question of labels: choose one", do=[choose])
    with path.open("w", encoding="utf-8") as out:
        for i, (one,) in found:
            own = {"label": list(one.labels or ()), "score": round(one.share, 4)}
            out.write(json.dumps(facts_of(data, i) | own, ensure_ascii=False) + "\n")
    tied = sum(one.labels is None for _, (one,) in found)
    return tuple(not_written(data, tied))


COLUMNS = {"item": "id", "coder": "the name of the file", "label": "label"}
FORMAT = Format(
    "doccano", _takes, read_answers("doccano", COLUMNS, _takes, _answers), _write, ".jsonl"
)
