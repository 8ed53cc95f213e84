"""Potato: the state of each user, and the exports as JSON lines and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..options import Options
from .answers import Answer, Span, owners, put, sort_out, source_of
from .format import File, Format
from .import_report import Import
from .records import Label, Records
from .tabular import header_of, rows_of

__all__ = ["FORMAT"]

Record: TypeAlias = Mapping[str, Any]
OF_ROW = ("instance_id", "user_id", "user", "displayed_text")
VALUED = {"", "text_box", "textbox", "slider", "number", "select", "select-one", "value"}
NO, YES = (False, None, "false", "False", ""), (True, "true", "True")
LABELS, SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"


class Box(NamedTuple):
    """A box of a form: of which question, what it is called, what is in it."""

    whole: Answer
    schema: str
    name: str
    value: Any


def _takes(file: File) -> bool:
    record = file.record
    if isinstance(record, dict):
        return LABELS in record or _instance(record)
    return _tabular(file) or (
        file.head[:1] == "{"
        and '"user_id"' in file.head
        and (f'"{LABELS}"' in file.head or '"instance_id_ordering"' in file.head)
    )


def _tabular(file: File) -> bool:
    """Whether a file is a table with a column for each box."""
    names = header_of(file)
    boxes = any(":::" in n for n in names) or (
        names[:2] == ("instance_id", "user_id") and any("." in n for n in names[2:])
    )
    return "instance_id" in names and boxes


def _instance(record: Record) -> bool:
    """A line of the export as JSON lines."""
    new = isinstance(record.get("labels"), dict) and isinstance(record.get("spans", {}), dict)
    return "instance_id" in record and "user_id" in record and new


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    to = Records("Potato", source_of(taken), COLUMNS, options.spans)
    texts = _texts(beside, options, to)
    boxes, marks = list[Box](), list[Answer]()
    for file, owner in zip(taken, owners(taken), strict=True):
        for row, record in _records(file, options, to):
            if isinstance(record, dict) and {LABELS, SPANS} & set(record):
                found = _of_user(record, owner, row, texts, to)
            elif isinstance(record, dict) and _instance(record):
                found = _of_instance(record, row, texts, to)
            else:
                to.leave_out("entries that are no records of Potato")
                continue
            for whole, labels, spans in found:
                boxes += _boxes(labels, whole, to)
                marks += _marks(spans, whole, to)
    put(_complete(list(_labels(boxes, to)), to) + list(_spans(marks)), to, options)
    return to.done()


def _records(file: File, options: Options, to: Records) -> Iterator[tuple[int, Any]]:
    """The records of a file; of a table the boxes of a row, as the JSON lines have them."""
    if not _tabular(file):
        yield from file.records(options)
        return
    for row in rows_of([file], options, to):
        labels = dict[str, dict[str, Any]]()
        for column, cell in row.cells.items():
            schema, _, name = column.partition(":::" if ":::" in column else ".")
            if column not in OF_ROW and cell and not name.startswith("_"):
                labels.setdefault(schema, {})[name] = cell
        said = {k: row.cells[k] for k in OF_ROW if row.cells.get(k)}
        user = said.get("user_id", said.get("user"))
        yield row.line, {"instance_id": None, **said, "user_id": user, "labels": labels}


def _texts(files: Sequence[File], options: Options, to: Records) -> dict[str, str]:
    """The texts of items from the files beside: JSON lines with an id and a text."""
    texts = dict[str, str]()
    for file in files:
        record = file.record
        if not (
            isinstance(record, dict) and "id" in record and isinstance(record.get("text"), str)
        ):
            to.leave_out("files beside the export")
            continue
        for _, one in file.records(options):
            if isinstance(one, dict) and isinstance(one.get("text"), str) and "id" in one:
                texts[str(one["id"])] = one["text"]
                facts = {str(k): v for k, v in one.items() if k not in ("id", "text")}
                to.about(one["id"], one["text"], facts)
    return texts


def _of_user(
    state: Record, owner: str, row: int, texts: Mapping[str, str], to: Records
) -> Iterator[tuple[Answer, Any, Any]]:
    """What user_state.json holds: lists of pairs, since the keys were objects."""
    who = state.get("user_id")
    coder = str(who) if isinstance(who, str | int) else owner
    training = state.get("training_state")
    trained = training.get("training_instances") if isinstance(training, dict) else None
    practice = {str(t) for t in trained} if isinstance(trained, list) else set()
    labels, spans = (
        found if isinstance(found := state.get(k), dict) else {} for k in (LABELS, SPANS)
    )
    for item in dict.fromkeys((*labels, *spans)):
        if item in practice:
            to.leave_out("instances of the training")
            continue
        whole = Answer(item, coder, row=row, sets=False, text=texts.get(item))
        yield whole, labels.get(item), spans.get(item)


def _of_instance(
    record: Record, row: int, texts: Mapping[str, str], to: Records
) -> Iterator[tuple[Answer, Any, Any]]:
    """A line of the export: the answers of a user to an instance."""
    item, who = str(record["instance_id"]), record["user_id"]
    text = shown if isinstance(shown := record.get("displayed_text"), str) else texts.get(item)
    to.about(item, text)
    spans = [
        {"schema": schema} | cell
        for schema, cells in record.get("spans", {}).items()
        for cell in (cells if isinstance(cells, list) else ())
        if isinstance(cell, dict)
    ]
    if isinstance(who, str | int):
        yield Answer(item, who, row=row, sets=False, text=text), record["labels"], spans
    else:
        to.leave_out("records that name no user")


def _boxes(found: Any, whole: Answer, to: Records) -> Iterator[Box]:
    """The boxes of an instance, from pairs or from objects in objects."""
    if isinstance(found, dict):
        for schema, cells in found.items():
            if isinstance(cells, dict):
                yield from (Box(whole, str(schema), str(name), v) for name, v in cells.items())
            elif isinstance(cells, list):
                yield from (Box(whole, str(schema), str(c), True) for c in cells)
            else:
                yield Box(whole, str(schema), str(cells), cells)
        return
    for pair in found if isinstance(found, list) else ():
        key = pair[0] if isinstance(pair, list) and len(pair) == 2 else None
        if isinstance(key, dict) and "schema" in key:
            yield Box(whole, str(key["schema"]), str(key.get("name", "")), pair[1])
        else:
            to.leave_out("entries that are no answers")


def _labels(boxes: Sequence[Box], to: Records) -> Iterator[Answer]:
    """An answer to each question: the names of the boxes that are ticked, or what they hold.

    Releases write different things into a box that is ticked, but always the same; a box that
    holds different things, such as that of a slider, is one for values.
    """
    held = dict[tuple[str, str], set[str]]()
    for box in boxes:
        held.setdefault((box.schema, box.name), set()).add(str(box.value))
    given = dict[tuple[object, object, str], tuple[Answer, list[Any]]]()
    for box in boxes:
        key = (box.whole.item, box.whole.coder, box.schema)
        said = given.setdefault(key, (box.whole, []))[1]
        values = held[box.schema, box.name] - {str(x) for x in (*NO, *YES)}
        if not isinstance(box.value, bool | str | int | float | None):
            to.leave_out("answers that are no labels")
        elif box.value in YES or (len(values) == 1 and box.name not in VALUED):
            said += [box.name] if box.value not in NO else []
        elif box.value not in NO:
            said.append(box.value)
    for (_, _, schema), (whole, said) in given.items():
        number = len(said) == 1 and isinstance(said[0], int | float)
        label: Label = said[0] if number else tuple(map(str, said))
        yield whole._replace(label=label, question=schema)


def _marks(found: Any, whole: Answer, to: Records) -> Iterator[Answer]:
    """The spans of each question in an instance, after the instance itself, which was seen."""
    by_schema = dict[str, list[Span]]()
    for pair in found if isinstance(found, list) else ():
        cell = pair[0] if isinstance(pair, list) and pair else pair
        start, end = (cell.get("start"), cell.get("end")) if isinstance(cell, dict) else (None, 0)
        if isinstance(cell, dict) and isinstance(start, int) and isinstance(end, int):
            name = cell.get("name", cell.get("label", cell.get("annotation")))
            schema = str(cell.get("schema", "spans"))
            by_schema.setdefault(schema, []).append(Span(start, end, str(name)))
        else:
            to.leave_out("entries that are no spans")
    yield whole._replace(spans=[])
    for schema, spans in by_schema.items():
        yield whole._replace(question=schema, spans=spans)


def _spans(marks: Sequence[Answer]) -> Iterator[Answer]:
    """Of each who saw a text, and of each question with spans: none is an answer too."""
    given = {(m.item, m.coder, m.question): m for m in marks}
    uses = {(m.coder, m.question) for m in marks if m.question}
    schemas = dict.fromkeys(m.question for m in marks if m.question)
    for mark in (m for m in marks if not m.question):
        for schema in (s for s in schemas if (mark.coder, s) in uses):
            yield given.get((mark.item, mark.coder, schema), mark._replace(question=schema))


def _complete(answers: list[Answer], to: Records) -> list[Answer]:
    """With an empty answer where a coder worked on an item and ticked nothing of a check list."""
    lists = [a for a in answers if isinstance(a.label, tuple)]
    several = dict.fromkeys(a.question for a in lists if len(a.label or ()) != 1)  # type: ignore[arg-type]
    uses = {(a.coder, a.question) for a in answers}
    given = {(a.item, a.coder, a.question) for a in answers}
    empty = [
        a._replace(label=(), question=question)
        for a in {(a.item, a.coder): a for a in answers}.values()
        for question in several
        if (a.coder, question) in uses and (a.item, a.coder, question) not in given
    ]
    if empty:
        to.notes.append(
            "where a coder answered an item and ticked no box of a question with several, that is "
            "read as the answer that none applies"
        )
    return answers + empty


COLUMNS = {"item": "instance_id", "coder": "user_id", "label": "schema"}
FORMAT = Format("Potato", _takes, _read)
