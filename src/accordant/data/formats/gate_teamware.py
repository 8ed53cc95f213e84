"""GATE Teamware: JSON, JSON lines and CSV, also as an archive of parts of 500 documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..annotations import Status
from ..options import Options
from .answers import Answer, as_label, read_answers, shown
from .format import File, Format
from .records import Records

__all__ = ["FORMAT"]

Record: TypeAlias = Mapping[str, Any]
SETS, STATUS, GOLD = "annotation_sets", "teamware_status", "gold"
FREE = ("timed_out", "aborted")  # documents that a coder gave back without an answer


def _takes(file: File) -> bool:
    record = file.record
    if isinstance(record, dict):
        return isinstance(record.get(SETS), dict)
    if file.head[:1] in "[{":
        return f'"{SETS}"' in file.head
    return any(n.startswith("annotations.") and n.count(".") > 1 for n in file.names) and (
        any(n.startswith(f"{STATUS}.") for n in file.names) or "id" in file.names
    )


def _answers(files: Sequence[File], options: Options, to: Records) -> Iterator[Answer]:
    for file in files:
        for row, record in file.rows(options):
            if isinstance(record, dict) and file.head[:1] not in "[{":
                record = _nested(record)
            if not isinstance(record, dict) or not isinstance(record.get(SETS), dict):
                to.leave_out("entries that are no documents")
                continue
            item = str(record.get("id", record.get("name", f"{file.path.stem}:{row}")))
            _about(record, item, to)
            for coder, found in record[SETS].items():
                yield from _of_coder(found, Answer(item, coder, row=row), to)
            yield from _rejected(record, Answer(item, "", None, None, Status.SKIPPED, row), to)


def _nested(record: Record) -> dict[str, Any]:
    """``annotations.<user>.<label>``: names of users may hold dots, as addresses do."""
    out: dict[str, Any] = {SETS: {}, STATUS: {}, GOLD: {}}
    for column, cell in record.items():
        start, _, rest = str(column).partition(".")
        if not isinstance(cell, str) or not cell.strip():
            continue
        if start == "annotations" and "." in rest:
            coder, _, label = rest.rpartition(".")
            features = out[SETS].setdefault(coder, {"annotations": [{"features": {}}]})
            features["annotations"][0]["features"][label] = _listed(cell)
        elif start == STATUS:
            cells = _listed(cell)
            out[STATUS][rest] = cells if isinstance(cells, list) else cell.split(",")
        elif start == GOLD and rest.endswith(".value"):
            out[GOLD][rest.removesuffix(".value")] = {"value": _listed(cell)}
        else:
            out[str(column)] = cell
    return out


def _listed(cell: str) -> Any:
    try:
        found = json.loads(cell) if cell.startswith("[") else cell
    except (ValueError, RecursionError):
        return cell
    return found


def _of_coder(found: Any, whole: Answer, to: Records) -> Iterator[Answer]:
    """An answer to each widget of the form."""
    listed = found.get("annotations") if isinstance(found, dict) else None
    for one in listed if isinstance(listed, list) else ():
        features = one.get("features") if isinstance(one, dict) else None
        if not isinstance(features, dict):
            to.leave_out("entries that are no annotations")
        elif one.get("type", "Document") != "Document":
            to.leave_out("annotations of parts of a document")
        else:
            for question, value in features.items():
                well, label = as_label(value)
                if not well or label is None:
                    to.leave_out("answers that are no labels")
                else:
                    yield whole._replace(question=str(question), label=label)
    if not isinstance(listed, list):
        to.leave_out("entries that are no annotations")


def _rejected(record: Record, whole: Answer, to: Records) -> Iterator[Answer]:
    """Documents that a coder chose not to annotate; those out of time are counted."""
    features = record.get("features")
    told = record.get(STATUS, features.get(STATUS) if isinstance(features, dict) else None)
    told = told if isinstance(told, dict) else {}
    for reason in FREE:
        gone = told.get(reason)
        to.leave_out(
            f"documents {reason.replace('_', ' ')}", len(gone) if isinstance(gone, list) else 0
        )
    refused = told.get("rejected_by")
    for coder in refused if isinstance(refused, list) else ():
        if isinstance(coder, str | int):
            yield whole._replace(coder=str(coder).strip())


def _about(record: Record, item: str, to: Records) -> None:
    known = {SETS, STATUS, GOLD, "id", "name", "text", "features", "offset_type"}
    features = record.get("features")
    facts = {str(k): v for k, v in record.items() if k not in known}
    to.about(
        item, shown(record.get("text")), facts | (features if isinstance(features, dict) else {})
    )
    gold = record.get(GOLD)
    for question, cell in gold.items() if isinstance(gold, dict) else ():
        well, label = as_label(cell.get("value") if isinstance(cell, dict) else cell)
        if well and label is not None:
            to.gold(item, label, str(question))


COLUMNS = {"item": "id", "coder": "annotation_sets", "label": "features"}
FORMAT = Format("GATE Teamware", _takes, read_answers("GATE Teamware", COLUMNS, _takes, _answers))
