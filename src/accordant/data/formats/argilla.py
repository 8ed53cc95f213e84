"""Argilla 2: its JSON, its data sets as Parquet and arrow, and folders with their settings."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...errors import InputError
from ..annotations import Annotations, Status
from ..options import Options
from ..table import plain
from .answers import (
    Answer,
    Span,
    as_label,
    facts_of,
    majorities,
    not_written,
    put,
    sort_out,
    source_of,
)
from .format import File, Format
from .import_report import Import
from .parquet import columns_of_file
from .records import Records

Record: TypeAlias = Mapping[str, Any]
STATUSES = {
    "submitted": Status.ANSWERED,
    "draft": Status.DRAFT,
    "discarded": Status.SKIPPED,
    None: Status.ANSWERED,
}
OWN = ("id", "status", "_server_id")
FLAT_KEY = re.compile(r"\.(responses|suggestion)(\.|$)")
FLAT = re.compile(r"\.responses\.users\b")
NESTED = re.compile(
    r'"responses"\s*:\s*(\[\s*)?\{\s*(\}|"[^"]*"\s*:\s*\[\s*\{\s*"(value|user_id)")'
)
SETTINGS, FOLDER = "settings.json", ".argilla"
LOST = (
    "this JSON does not say which responses are drafts or were discarded: all are read as "
    "submitted. Export with to_datasets, as Parquet, to keep the status of each response"
)
_FEW = 8  # answers to a question that may show that they are in own words


class Given(NamedTuple):
    """What a user responded to a question."""

    question: str
    user: object
    value: Any
    status: object
    whole: Answer


def _takes(file: File) -> bool:
    if file.footer:
        return b".responses.users" in file.footer
    return bool(FLAT.search(file.head)) or (
        file.head[:1] in "[{" and '"fields"' in file.head and bool(NESTED.search(file.head))
    )


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    source = source_of(taken)
    to = Records("Argilla", source, {"item": "id", "coder": "user_id", "label": "responses"})
    to.spans = options.spans
    types = dict[str, str]()
    for file in beside:
        if file.path.name == SETTINGS and file.path.parent.name == FOLDER:
            types |= _types(file)
        elif file.path.parent.name != FOLDER and file.suffix not in (".md", ".json"):
            to.leave_out("files beside the export")
    given = [g for file in taken for g in _given(file, options, to)]
    put(_answers(given, types, to), to, options)
    return to.done()


def _types(file: File) -> dict[str, str]:
    """The type of each question, as the settings of a data set say."""
    try:
        found = json.loads(file.load())["questions"]
        return {str(q["name"]): str(q["settings"]["type"]) for q in found}
    except (ValueError, RecursionError, KeyError, TypeError):
        raise InputError("these settings of Argilla are damaged", file=file.source) from None


def _given(file: File, options: Options, to: Records) -> Iterator[Given]:
    for row, record in _records(file, options):
        if not isinstance(record, dict):
            to.leave_out("entries that are no records")
            continue
        item = str(record.get("id", row))
        text = _about(record, item, to)
        nested = isinstance(record.get("fields"), dict)
        whole = Answer(item, "", None, "", row=row, text=text)
        for said in (_nested if nested else _flat)(record, whole, to):
            if not isinstance(said.user, str | int):
                to.leave_out("responses without a user")
            elif not isinstance(said.status, str | None) or said.status not in STATUSES:
                to.leave_out("responses with a status that Argilla does not have")
            else:
                yield said


def _records(file: File, options: Options) -> Iterator[tuple[int, Any]]:
    """The records of a file; of one JSON object also those under keys, or column by column."""
    if file.footer:
        yield from _rows(columns_of_file(file))
        return
    if file.head[:1] not in "[{":
        raise InputError(
            "this table of Argilla holds the lists of responses as text, in which they cannot be "
            "told apart. Save them as Parquet (to_datasets().to_parquet) or JSON",
            file=file.source,
        )
    for row, value in file.records(options):
        keyed = row == 1 and isinstance(value, dict)
        if keyed and isinstance(value.get("id"), list):
            yield from _rows({n: c for n, c in value.items() if isinstance(c, list)})
        elif keyed and "id" not in value:
            yield from enumerate(value.values(), 1)
        else:
            yield row, value


def _rows(columns: Mapping[str, Sequence[Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, cells in enumerate(zip(*columns.values(), strict=False), 1):
        yield row, dict(zip(columns, cells, strict=True))


def _flat(record: Record, whole: Answer, to: Records) -> Iterator[Given]:
    """Of ``to_datasets`` and ``flatten=True``: lists that are parallel within a question."""
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
            yield Given(question, user, value, status, whole)


def _nested(record: Record, whole: Answer, to: Records) -> Iterator[Given]:
    """Of ``to_json``, ``to_list``, ``to_dict``: the status of the responses is lost."""
    suggestions, responses = record.get("suggestions"), record.get("responses")
    if isinstance(suggestions, dict):
        to.leave_out("suggestions of a model", sum(x is not None for x in suggestions.values()))
    for question, found in responses.items() if isinstance(responses, dict) else ():
        for one in found if isinstance(found, list) else ():
            if isinstance(one, dict) and "value" in one:
                if "status" not in one and LOST not in to.warnings:
                    to.warnings.append(LOST)
                yield Given(question, one.get("user_id"), one["value"], one.get("status"), whole)
            else:
                to.leave_out("entries that are no responses")


def _answers(given: Sequence[Given], types: Mapping[str, str], to: Records) -> Iterator[Answer]:
    """What each response says, by the type of its question; which values show if nothing says."""
    said = defaultdict[str, list[Given]](list)
    for one in given:
        said[one.question].append(one)
    for question, answers in said.items():
        kind = types.get(question) or _kind(question, answers, to)
        for one in answers:
            status = STATUSES[one.status]  # type: ignore[index]
            whole = one.whole._replace(coder=one.user, question=question, status=status)
            if kind in ("text", "ranking"):
                to.leave_out("answers in the coders' own words" if kind == "text" else "rankings")
            elif one.value is None and status == Status.ANSWERED:
                to.leave_out("responses without a value")
            elif kind == "span":
                cells = one.value if isinstance(one.value, list) else []
                spans = [s for c in cells if (s := _span(c)) is not None]
                to.leave_out("entries that are no spans", len(cells) - len(spans))
                yield whole._replace(spans=spans)
            elif (label := as_label(one.value))[0]:
                yield whole._replace(label=label[1])
            else:
                to.leave_out("responses that are no labels")


def _kind(question: str, answers: Sequence[Given], to: Records) -> str:
    """The type of a question by what was answered."""
    members = [c for one in answers if isinstance(one.value, list) for c in one.value]
    if any(_span(c) is not None for c in members):
        return "span"
    if any(isinstance(c, dict) and "rank" in c for c in members):
        return "ranking"
    texts = [one.value.strip() for one in answers if isinstance(one.value, str)]
    n, own = len(texts), len({*texts})
    if n < _FEW or 4 * own < n:
        return ""
    free = 2 * own > n
    read = "own words and left out" if free else "labels"
    to.warnings.append(
        f"nothing says which type the question {question!r} has: its {n:,} answers ({own:,} "
        f"different ones) are read as {read}. Export with to_disk or to_hub, which keep types"
    )
    return "text" if free else ""


def _span(cell: Any) -> Span | None:
    if not isinstance(cell, dict):
        return None
    start, end, label = cell.get("start"), cell.get("end"), cell.get("label")
    well = isinstance(start, int) and isinstance(end, int) and isinstance(label, str)
    return Span(start, end, label) if well else None  # type: ignore[arg-type]


def _about(record: Record, item: str, to: Records) -> str | None:
    """The longest field is the text; the rest, and the metadata, are facts."""
    fields = record.get("fields")
    bare = {k: v for k, v in record.items() if k not in OWN and not FLAT_KEY.search(str(k))}
    known = fields if isinstance(fields, dict) else bare
    words = {k: v for k, v in known.items() if isinstance(v, str)}
    text = words.get("text") or max(words.values(), key=len, default=None)
    metadata = record.get("metadata")
    facts = {str(k): v for k, v in known.items() if v != text}
    to.about(item, text, facts | (metadata if isinstance(metadata, dict) else {}))
    return text


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """Suggestions: what most coders said, for the records of the export, else for new records."""
    there = data.reading.layout == "Argilla"
    values = [{plain(c): c for c in s.categories} for s in data.schemes]
    made, tied = list[dict[str, Any]](), 0
    for i, found in majorities(data):
        tied += sum(m.labels is None for m in found)
        told = dict[str, dict[str, Any]]()
        for m in found:
            k = data.questions.index(m.question)
            labels = [values[k].get(x, x) for x in m.labels or ()]
            single = data.schemes[k].max_labels == 1
            if labels:
                value = labels[0] if single else labels
                score = {"score": round(m.share, 4)} if single else {}
                told[m.question or "label"] = {"value": value, **score, "agent": "most coders"}
        facts = facts_of(data, i)
        fields = {} if there else {"text": facts["text"]}
        made.append({"id": facts["item"], "fields": fields, "suggestions": told})
    path.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    asked = ", ".join(repr(q or "label") for q in data.questions)
    how = "suggestions: give the file to dataset.records.from_json"
    new = f"; the data set needs a field 'text' and the questions {asked}"
    return (how if there else how + new, *not_written(data, tied))


FORMAT = Format("Argilla", _takes, _read, _write, ".json")
