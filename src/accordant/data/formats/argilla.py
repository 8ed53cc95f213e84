"""Argilla: JSON and Parquet of its versions 2 and 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..annotations import Status
from ..options import Options
from .answers import Answer, Span, as_label, read_answers
from .format import File, Format
from .parquet import records_of_parquet
from .records import Records

__all__ = ["FORMAT"]

Record: TypeAlias = Mapping[str, Any]
Given: TypeAlias = tuple[str, object, Any, object]  # question, user, value, status
STATUSES = {
    "submitted": Status.ANSWERED,
    "draft": Status.DRAFT,
    "discarded": Status.SKIPPED,
    "pending": Status.DRAFT,
    None: Status.ANSWERED,
}
FLAT = re.compile(r'"[^"]+\.responses\.users"')
LOST = (
    "this JSON does not say which responses are drafts or were discarded: all are read as "
    "submitted. Export with to_datasets, as Parquet, to keep the status of each response"
)


def _takes(file: File) -> bool:
    if file.footer:
        return b".responses.users" in file.footer or all(
            word in file.footer for word in (b"user_id", b"value", b"status", b"-suggestion")
        )
    record = file.record
    if isinstance(record, dict):
        return _reader(record) is not None
    return file.head[:1] in "[{" and (
        FLAT.search(file.head) is not None
        or all(f'"{word}"' in file.head for word in ("fields", "responses", "suggestions"))
    )


def _answers(files: Sequence[File], options: Options, to: Records) -> Iterator[Answer]:
    """What each response says; where some answer to a question is of spans, all are."""
    given = list[tuple[Answer, Any]]()
    for file in files:
        for row, record in _records(file, options):
            reader = _reader(record) if isinstance(record, dict) else None
            if reader is None:
                if not isinstance(record, dict) or not _unanswered(record):
                    to.leave_out("entries that are no records")
                continue
            item = str(record.get("id", row))
            text = _about(record, item, to)
            for question, user, value, status in reader(record, to):
                if not isinstance(user, str | int):
                    to.leave_out("responses without a user")
                elif not isinstance(status, str | None) or status not in STATUSES:
                    to.leave_out("responses with a status that Argilla does not have")
                else:
                    whole = Answer(item, user, None, question, STATUSES[status], row, text=text)
                    given.append((whole, value))
    of_spans = {whole.question for whole, value in given if any(map(_span, _cells(value)))}
    for whole, value in given:
        yield from _answer(whole, value, whole.question in of_spans, to)


def _cells(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _records(file: File, options: Options) -> Iterator[tuple[int, Any]]:
    if file.footer:
        yield from enumerate(records_of_parquet(file), 1)
    else:
        yield from file.records(options)


def _reader(record: Record) -> Callable[[Record, Records], Iterator[Given]] | None:
    """How the responses of a record are kept."""
    responses = record.get("responses")
    if isinstance(responses, dict) and isinstance(record.get("fields"), dict):
        return _nested
    if isinstance(responses, list) and isinstance(record.get("fields"), dict):
        return _first
    if any(str(k).endswith(".responses") for k in record):
        return _flat
    if any(_structs(v) for v in record.values()) and "id" in record:
        return _hub
    return None


def _unanswered(record: Record) -> bool:
    """A row of the Hub that nobody answered: its lists are empty."""
    return any(str(k).endswith("-suggestion") for k in record)


def _structs(cell: Any) -> bool:
    return isinstance(cell, list) and any(
        isinstance(c, dict) and "user_id" in c and "value" in c and "status" in c for c in cell
    )


def _flat(record: Record, to: Records) -> Iterator[Given]:
    """Argilla 2, ``to_datasets``: lists that are parallel within a question."""
    for key, values in record.items():
        question = str(key).removesuffix(".responses")
        if question == key or values is None:
            if str(key).endswith(".suggestion") and values is not None:
                to.leave_out("suggestions of a model")
            continue
        users, statuses = record.get(f"{key}.users"), record.get(f"{key}.status")
        if isinstance(values, list) and statuses is None:
            statuses = [None] * len(values)
        lists = [values, users, statuses]
        if not all(isinstance(x, list) for x in lists) or len(set(map(len, lists))) > 1:
            to.leave_out("lists of responses that do not fit their lists of users")
            continue
        for value, user, status in zip(*lists, strict=True):
            yield question, user, value, status


def _nested(record: Record, to: Records) -> Iterator[Given]:
    """Argilla 2, ``to_json``: the status of the responses is lost."""
    suggestions = record.get("suggestions")
    to.leave_out("suggestions of a model", len(suggestions) if isinstance(suggestions, dict) else 0)
    for question, found in record["responses"].items():
        for one in found if isinstance(found, list) else ():
            if isinstance(one, dict) and "value" in one:
                if "status" not in one and LOST not in to.warnings:
                    to.warnings.append(LOST)
                yield question, one.get("user_id"), one["value"], one.get("status")
            else:
                to.leave_out("entries that are no responses")


def _first(record: Record, to: Records) -> Iterator[Given]:
    """Argilla 1: a response of a user holds the values of all questions."""
    suggestions = record.get("suggestions")
    to.leave_out(
        "suggestions of a model", len(suggestions) if isinstance(suggestions, list | dict) else 0
    )
    for one in record["responses"]:
        values = one.get("values") if isinstance(one, dict) else None
        if not isinstance(values, dict):
            to.leave_out("entries that are no responses")
            continue
        for question, cell in values.items():
            value = cell.get("value") if isinstance(cell, dict) else cell
            yield question, one.get("user_id"), value, one.get("status")


def _hub(record: Record, to: Records) -> Iterator[Given]:
    """Argilla 1 on the Hub: a column for each question."""
    for question, cell in record.items():
        if str(question).endswith("-suggestion") and cell is not None:
            to.leave_out("suggestions of a model")
        for one in cell if _structs(cell) else ():
            if isinstance(one, dict):
                yield question, one.get("user_id"), one.get("value"), one.get("status")
            else:
                to.leave_out("entries that are no responses")


def _answer(whole: Answer, value: Any, of_spans: bool, to: Records) -> Iterator[Answer]:
    """What a value says: a category, several, a number, or parts of the text."""
    cells = _cells(value)
    well, label = as_label(value)
    if of_spans and (value is not None or whole.status != Status.ANSWERED):
        spans = [s for c in cells if (s := _span(c)) is not None]
        to.leave_out("entries that are no spans", len(cells) - len(spans))
        yield whole._replace(spans=spans)
    elif any(isinstance(c, dict) and "rank" in c for c in cells):
        to.leave_out("rankings")
    elif value is None and whole.status == Status.ANSWERED:
        to.leave_out("responses without a value")
    elif well:
        yield whole._replace(label=label)
    else:
        to.leave_out("responses that are no labels")


def _span(cell: Any) -> Span | None:
    if not isinstance(cell, dict):
        return None
    start, end, label = cell.get("start"), cell.get("end"), cell.get("label")
    well = isinstance(start, int) and isinstance(end, int) and isinstance(label, str)
    return Span(start, end, label) if well else None  # type: ignore[arg-type]


def _about(record: Record, item: str, to: Records) -> str | None:
    """The longest field is the text; the rest, and the metadata, are facts."""
    fields = record.get("fields")
    known = (
        fields
        if isinstance(fields, dict)
        else {
            k: v
            for k, v in record.items()
            if not re.search(r"[.-](responses|suggestion)(\.|$)", str(k))
            and k not in ("id", "status", "_server_id")
        }
    )
    words = {k: v for k, v in known.items() if isinstance(v, str)}
    text = words.get("text") or max(words.values(), key=len, default=None)
    metadata = record.get("metadata")
    facts = {str(k): v for k, v in known.items() if v != text}
    to.about(item, text, facts | (metadata if isinstance(metadata, dict) else {}))
    return text


COLUMNS = {"item": "id", "coder": "user_id", "label": "responses"}
FORMAT = Format("Argilla", _takes, read_answers("Argilla", COLUMNS, _takes, _answers))
