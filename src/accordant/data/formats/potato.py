"""Potato: the states of users, what `python -m potato.export` makes, and what older versions write.

Older versions have a folder for each user with their annotated instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..annotations import Status
from ..options import Options
from .answers import Answer, Span, owners, put, sort_out, source_of
from .format import File, Format, objects
from .import_report import Import
from .records import Label, Records
from .tabular import as_json, header_of, rows_of

Record: TypeAlias = Mapping[str, Any]
OF_ROW = ("instance_id", "user_id")
OLD, OLD_ROW = "label_annotations", ("user", "instance_id", "displayed_text")
NO, TICKS = ("False", "false"), ("True", "true", "on", "yes", "1")
FREE, RANKED = ("text_box", "free_response", "justification"), "rank_order"
LABELS, SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"


class Box(NamedTuple):
    """A box of a form: of which question, what it is called, what is in it; '' if nothing."""

    whole: Answer
    schema: str
    name: str
    held: str


def _takes(file: File) -> bool:
    record = file.record
    if isinstance(record, dict):
        return LABELS in record or _instance(record) or _old(record)
    return _of_user_state(file) or _tabular(file)


def _old(record: Record) -> bool:
    """A line of annotated_instances.jsonl of older versions."""
    return isinstance(record.get(OLD), dict) and {"id", "displayed_text"} <= record.keys()


def _of_user_state(file: File) -> bool:
    """Whether a file is user_state.json, which may be larger than its start."""
    keys = (f'"{LABELS}"', '"instance_id_ordering"')
    return file.head[:1] == "{" and '"user_id"' in file.head and any(k in file.head for k in keys)


def _tabular(file: File) -> bool:
    """Whether a file is a table with a column for each box."""
    names = header_of(file)
    old = {*OLD_ROW} <= {*names} and any(":::" in n for n in names)
    return old or (names[:2] == OF_ROW and any("." in n for n in names[2:]))


def _instance(record: Record) -> bool:
    """A line of the export as JSON lines."""
    new = isinstance(record.get("labels"), dict) and isinstance(record.get("spans", {}), dict)
    return "instance_id" in record and "user_id" in record and new


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    states = [f for f in taken if _of_user_state(f)]
    to = Records("Potato", source_of(taken), COLUMNS, options.spans, blank=options.blank)
    if states:  # what was exported from them is a copy, of today or of an earlier day
        to.leave_out("exports beside the states of the users", len(taken) - len(states))
        taken = states
    elif lines := [f for f in taken if isinstance(f.record, dict)]:
        to.leave_out("tables beside JSON lines of the same", len(taken) - len(lines))
        taken = lines
    texts = _texts(beside, options, to)
    boxes, marks = list[Box](), list[Answer]()
    for file, owner in zip(taken, owners(taken), strict=True):
        for row, record in _records(file, owner, options, to):
            if isinstance(record, dict) and {LABELS, SPANS} & set(record):
                found = _of_user(record, owner, row, texts, to)
            elif isinstance(record, dict) and _instance(record):
                found = _of_instance(record, row, texts, to)
            else:
                to.leave_out("entries that are no records of Potato")
                continue
            for whole, labels, spans in found:
                if labels:
                    to.every(whole.item, whole.coder, Status.ANSWERED, whole.row)
                boxes += _boxes(labels, whole, to)
                marks += _marks(spans, whole, to)
    put([*_labels(boxes, to), *_spans(marks)], to, options)
    return to.done()


def _records(file: File, owner: str, options: Options, to: Records) -> Iterator[tuple[int, Any]]:
    """The records of a file as JSON lines have them, of tables and older versions too."""
    if not _tabular(file):
        found = [*file.records(options)]
        lines = [(k, {"user": owner, **r}) for k, r in found if isinstance(r, dict) and _old(r)]
        to.leave_out(
            "entries that are no records of Potato", bool(lines) * (len(found) - len(lines))
        )
        yield from _of_older(lines) if lines else found
        return
    rows = rows_of([file], options, to)
    old = bool(rows) and OLD_ROW[0] in rows[0].cells
    records = [(row.line, _record(row.cells, ":::" if old else ".")) for row in rows]
    yield from _of_older(records) if old else records


def _record(cells: Mapping[str, str], mark: str) -> dict[str, Any]:
    """A row of a table, with a column for each box, as the line of JSON that holds the same."""
    labels = defaultdict[str, dict[str, Any]](dict)
    spans = dict[str, Any]()
    for column, cell in cells.items():
        schema, _, name = column.partition(mark)
        if name == "_spans":
            spans[schema] = as_json(cell)
        elif column not in OF_ROW and cell and name and not name.startswith("_"):
            labels[schema][name] = cell
    said = {k: cells.get(k) or None for k in (*OF_ROW, *OLD_ROW)}
    return {**said, "id": said["instance_id"], "labels": labels, OLD: labels, "spans": spans}


def _of_older(found: Sequence[tuple[int, Record]]) -> Iterator[tuple[int, Any]]:
    """Lines of older versions as of later ones: what was chosen is the name, or the only value."""
    boxes = defaultdict[str, set[str]](set)
    for _, record in found:
        for schema, own in record[OLD].items():
            boxes[schema].update(own if isinstance(own, dict) else ())
    for row, record in found:
        labels = defaultdict[str, dict[str, Any]](dict)
        for schema, own in record[OLD].items():
            for name, value in own.items() if isinstance(own, dict) else ():
                only = len(boxes[schema]) == 1 or name == f"scale_{value}"
                said = str(value) if only and name not in FREE else name
                if value not in ("", None, False):
                    labels[schema][said] = value if name in FREE else said
        marks = objects(record.get("span_annotations"))
        spans = {"spans": marks} if marks else {}
        text = {"displayed_text": record.get("displayed_text")}
        who = {"instance_id": record["id"], "user_id": record["user"]}
        yield row, {**who, **text, "labels": labels, "spans": spans}


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
        whole = Answer(item, coder, row=row, text=texts.get(item))
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
        for cell in objects(cells)
    ]
    if isinstance(who, str | int):
        yield Answer(item, who, row=row, text=text), record["labels"], spans
    else:
        to.leave_out("records that name no user")


def _boxes(found: Any, whole: Answer, to: Records) -> Iterator[Box]:
    """The boxes of an instance, from pairs or from objects in objects."""
    cells = list[tuple[Any, Any, Any]]()
    for schema, own in found.items() if isinstance(found, dict) else ():
        named = own if isinstance(own, dict) else {"": own}
        cells += [(schema, name, v) for name, v in named.items()]
    for pair in found if isinstance(found, list) else ():
        key = pair[0] if isinstance(pair, list) and len(pair) == 2 else None
        if isinstance(key, dict) and "schema" in key:
            cells.append((key["schema"], key.get("name", ""), pair[1]))
        else:
            to.leave_out("entries that are no answers")
    for schema, name, value in cells:
        if isinstance(value, str | int | float | None):
            held = "" if value is None or str(value) in NO else str(value)
            yield Box(whole, str(schema), str(name), held)
        else:
            to.leave_out("answers that are no labels")


def _labels(boxes: Sequence[Box], to: Records) -> Iterator[Answer]:
    """An answer to each question: the boxes that are ticked, or what is in them.

    A box that is ticked holds its own name or a mark, any other is one for values: where a
    form has several of these, each is a question.
    """
    names, valued = defaultdict[str, set[str]](set), set[str]()
    for box in boxes:
        if box.held and box.name not in (*FREE, RANKED):
            names[box.schema].add(box.name)
            if box.held not in (*TICKS, box.name):
                valued.add(box.schema)
    given = dict[tuple[object, object, str], tuple[Answer, list[str]]]()
    for box in boxes:
        if box.name in FREE or box.name == RANKED:
            what = "rankings" if box.name == RANKED else "answers in free text"
            to.leave_out(what, bool(box.held))
        elif box.held:
            value = box.schema in valued
            each = f": {box.name}" if value and len(names[box.schema]) > 1 else ""
            key = (box.whole.item, box.whole.coder, f"{box.schema}{each}")
            given.setdefault(key, (box.whole, []))[1].append(box.held if value else box.name)
    for (_, _, question), (whole, said) in given.items():
        label: Label = said[0] if len(said) == 1 else tuple(said)
        yield whole._replace(label=label, question=question)


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
    schemas = dict.fromkeys(m.question for m in marks if m.question)
    coders = {(m.coder, m.question) for m in marks}
    items = {(m.item, m.question) for m in marks}
    for mark in (m for m in marks if not m.question):
        for schema in schemas:
            if (mark.coder, schema) in coders or (mark.item, schema) in items:
                yield given.get((mark.item, mark.coder, schema), mark._replace(question=schema))


COLUMNS = {"item": "instance_id", "coder": "user_id", "label": "schema"}
FORMAT = Format("Potato", _takes, _read)
