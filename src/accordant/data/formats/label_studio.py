"""Label Studio: JSON exports of one or several projects, and lists of tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ..annotations import Annotations, Status
from ..labels import is_number
from ..options import Options
from ..spans import Offsets, utf16_starts
from ..table import plain
from .answers import Majority, facts_of, majorities, not_written, owners, source_of
from .format import File, Format, objects
from .import_report import Import
from .records import Label, Records

Object: TypeAlias = dict[str, Any]
Given: TypeAlias = tuple[str | None, Object, int]  # who, the annotation, its row
UPLOAD = re.compile(r"^(.*/)?([0-9a-f]{8}-)?")  # /data/upload/29/d06c405d-cat.png is cat.png
LISTED = re.compile(r'"(annotations|completions)"\s*:\s*\[\s*\{')  # a task larger than the start
MAILS = re.compile(r'"completed_by"\s*:\s*\{')
TEXTUAL = {"labels", "hypertextlabels", "paragraphlabels"}  # controls whose regions are spans
LISTS = ("choices", "taxonomy")
SCALARS = ("rating", "number", "datetime", "selected")  # of pairwise: the side
PLACES = {"start", "end", "startOffset", "x", "y", "points", "rle", "ranges", "sequence"}


def _takes(file: File) -> bool:
    task = file.record
    if isinstance(task, dict) and isinstance(task.get("data"), dict) and "inner_id" in task:
        return True  # perhaps the first that nobody annotated
    if isinstance(task, dict):
        return any(isinstance(a.get("result"), list) for a in _annotations(task))
    return (
        file.head[:1] in "[{" and LISTED.search(file.head) is not None and '"result"' in file.head
    )


def _read(files: Sequence[File], options: Options) -> Import:
    taken = [f for f in files if _takes(f)]
    columns = {
        "item": "id" if len(taken) == 1 else "data",
        "coder": "completed_by",
        "label": "result",
    }
    source = source_of(taken)
    to = Records("Label Studio (JSON)", source, columns, options.spans, blank=options.blank)
    changed = 0
    for file, owner in zip(taken, _owners(taken, options), strict=True):
        mails = MAILS.search(file.head) is not None
        for row, task in file.records(options):
            if not isinstance(task, dict):
                to.leave_out("entries that are no tasks")
                continue
            data = task.get("data")
            data = data if isinstance(data, dict) else {}
            predicted = task.get("predictions")
            to.leave_out("predictions", len(predicted) if isinstance(predicted, list) else 0)
            to.leave_out("tasks without annotations", not _annotations(task))
            found = [(owner or _coder(a), a, row) for a in _annotations(task)]
            changed += sum(_changed(a) for _, a, _ in found)
            begun = objects(task.get("drafts"))
            drafts = [(owner or _drafter(d, mails), d | {"draft": True}, row) for d in begun]
            enter(_item(task, data, shared=len(taken) > 1), data, found, drafts, to)
    if changed:
        to.warnings.append(
            f"annotations that somebody else than their coder changed last ({changed:,}): "
            "what the coder had answered is not in the file; they count as the coder's"
        )
    return to.done()


def enter(
    item: str,
    data: Mapping[str, Any],
    annotations: Sequence[Given],
    drafts: Sequence[Given],
    to: Records,
) -> None:
    """A task: what is known of it, and what each coder answered last; unfinished if no more."""
    text = _text_of(data, [a for _, a, _ in annotations])
    shown = text or _shown(data)
    facts = {k: v for k, v in data.items() if v != shown and k not in ("text", "item")}
    to.about(item, shown, facts)
    kept = dict[str | None, tuple[Object, int]]()
    nameless = 0
    for who, one, row in sorted(annotations, key=lambda a: _time(a[1])):
        unsigned = who is None and not _starred(one)
        nameless += unsigned
        kept[f"slot {nameless}" if unsigned else who] = one, row
    to.leave_out("earlier annotations of a task by the same coder", len(annotations) - len(kept))
    own = {who: (d, row) for who, d, row in drafts if who is not None and who not in kept}
    to.leave_out("drafts of who answered too", len(drafts) - len(own))
    stars = [who for who, (one, _) in kept.items() if _starred(one)]
    to.leave_out("ground truth of a task beside the newest", len(stars[1:]))
    units = Offsets(utf16_starts(text)) if text is not None else None
    for who, (annotation, row) in (kept | own).items():
        results = objects(annotation.get("result"))
        answers, regions = _answers(results, to)
        marks = [(name, *_span(place, units), label) for name, place, label in regions]
        skipped, draft = _skipped(annotation), annotation.get("draft") is True
        status = Status.SKIPPED if skipped else Status.DRAFT if draft else Status.ANSWERED
        for coder in [who] * (who is not None) + [None] * (who in stars[-1:]):
            to.looked(item, coder, text=text, status=status, row=row)
            for name, start, end, label in marks:
                to.span(item, coder, start, end, label, name)
        for name, answer in answers.items():
            if who is not None:
                to.add(item, who, answer, question=name, status=status, row=row)
            if who in stars[-1:]:
                to.gold(item, answer, name)
        if who is not None:
            to.every(item, who, status if results or status else Status.ANSWERED_EMPTY, row)


def _span(place: tuple[int, int] | None, units: Offsets | None) -> tuple[int | None, int | None]:
    """In code points; what ends inside of a character has no place in the text."""
    if place is None or units is None:
        return place or (None, None)
    start, end = map(units, place)
    return (1, 0) if start is None or end is None else (start, end)


def _answers(
    results: Sequence[Object], to: Records
) -> tuple[dict[str, Label], list[tuple[str, Any, str]]]:
    """The answers to each control, and the regions: control, offsets in UTF-16, label."""
    answers, regions = dict[str, list[Any]](), list[tuple[str, Any, str]]()
    kinds = [kind_of(v) if isinstance(v := r.get("value"), dict) else None for r in results]
    pairs = list(zip(results, kinds, strict=True))
    marked = {r["id"] for r, k in pairs if k and k.endswith("labels") and type(r.get("id")) is str}
    for result, kind in pairs:
        name, value = str(result.get("from_name") or ""), result.get("value", {})
        if kind is None:
            to.leave_out("relations" if result.get("type") == "relation" else "empty results")
        elif kind.endswith("labels"):
            place = _place(value) if str(result.get("type") or kind) in TEXTUAL else None
            regions.extend((name, place, str(label)) for label in value[kind])
        elif kind == "textarea":
            to.leave_out("answers in free text")
        elif not kind:
            to.leave_out(f"answers to {name!r} that hold no label")
        elif PLACES & value.keys() or "item_index" in result or str(result.get("id")) in marked:
            to.leave_out(f"answers to {name!r} about a part of an item")
        else:
            each = value[kind] if kind in LISTS else [value[kind]]
            paths = (" / ".join(map(str, p)) if isinstance(p, list) else p for p in each)
            answers.setdefault(name, []).extend(paths)
            if name not in to.controls and "to_name" in result:
                to.controls[name] = _control(result)
    one = {n: a[0] if len(a) == 1 else [str(x) for x in a] for n, a in answers.items()}
    return one, regions


def kind_of(value: Mapping[str, Any]) -> str:
    """What a value answers: its key with a list of labels or one value; '' if nothing known."""
    lists = [k for k, v in value.items() if isinstance(v, list)]
    found = [k for k in lists if k.endswith("labels")] + [k for k in LISTS if k in lists]
    found += [k for k in SCALARS if isinstance(value.get(k), str | int | float)]
    return found[0] if found else "textarea" if "text" in lists else ""


def _place(value: Mapping[str, Any]) -> tuple[int, int] | None:
    """Offsets in a text; those of sound and films are numbers of seconds, or have a channel."""
    found = value.get("globalOffsets", value)
    if not isinstance(found, dict) or {"channel", "original_length"} & set(value):
        return None
    start, end = found.get("start"), found.get("end")
    whole = type(start) is int and type(end) is int and max(abs(start), abs(end)) < 2**31
    return (start, end) if whole else None  # type: ignore[return-value]


def _text_of(data: Mapping[str, Any], annotations: Sequence[Object]) -> str | None:
    """What the spans count in: the text in which they hold what they quote."""
    quoted = [
        (place, value["text"])
        for annotation in annotations
        for result in objects(annotation.get("result"))
        if isinstance(value := result.get("value"), dict)
        and (place := _place(value))
        and isinstance(value.get("text"), str)
    ]
    if not quoted:
        return _shown(data)
    fits = dict[str, int]()
    for text in (v for v in data.values() if isinstance(v, str)):
        to = Offsets(utf16_starts(text))
        at = [(to(start), to(end), words) for (start, end), words in quoted]
        fits[text] = sum(a is not None and text[a:b] == words for a, b, words in at)
    best = max(fits, key=lambda text: fits[text], default=None)
    return best if best is not None and fits[best] else None


def _owners(files: Sequence[File], options: Options) -> list[str]:
    """A coder for each file where each had a project of their own; '' where files name them."""
    if len(files) == 1:
        return [""]
    who = [{_coder(a) for _, task in f.records(options) for a in _annotations(task)} for f in files]
    alone = all(len(w) == 1 for w in who) and len(set.union(*who)) < len(files)
    return owners(files) if alone else [""] * len(files)


def _annotations(task: Any) -> list[Object]:
    found = task.get("annotations", task.get("completions")) if isinstance(task, dict) else None
    return objects(found)


def _control(result: Object) -> tuple[str, str]:
    """The kind of a control, and what it is about; of a pair the first, as an import wants it."""
    of = result["to_name"]
    of = of[0] if isinstance(of, list) and of else of
    return str(result.get("type")), str(of).partition(",")[0]


def _time(annotation: Object) -> str:
    return str(annotation.get("updated_at") or annotation.get("created_at") or "")


def _coder(annotation: Object) -> str | None:
    """Who annotated; None if an export without the names of its users does not say."""
    who = annotation.get("completed_by", annotation.get("created_username"))
    if isinstance(who, dict):
        return str(who.get("email") or who.get("username") or who.get("id"))
    return None if who is None else str(who).split(", ")[0]


def _starred(annotation: Object) -> bool:
    """Whether it is ground truth."""
    return annotation.get("ground_truth") is True and not _skipped(annotation)


def _skipped(annotation: Object) -> bool:
    return annotation.get("was_cancelled", annotation.get("skipped")) is True


def _changed(annotation: Object) -> bool:
    """Whether somebody else than the coder changed it last."""
    by, last = annotation.get("completed_by"), annotation.get("updated_by")
    by = by.get("id") if isinstance(by, dict) else by
    return type(by) is int and type(last) is int and by != last


def _drafter(draft: Object, mails: bool) -> str | None:
    """Who began: of 'ann@x.org, 3' the part by which the annotations of the file name coders."""
    name, _, number = str(draft.get("created_username") or "").strip().rpartition(", ")
    return (name if mails else number) or None


def _item(task: Object, data: Mapping[str, Any], *, shared: bool) -> str:
    """The id of a task; over several projects what was shown, since ids start anew in each."""
    if not shared:
        return str(task.get("id", task.get("inner_id", "")))
    shown = {k: UPLOAD.sub("", v) if isinstance(v, str) else v for k, v in data.items()}
    values = list(shown.values())
    return str(values[0]) if len(values) == 1 else json.dumps(shown, sort_keys=True)


def _shown(data: Mapping[str, Any]) -> str | None:
    """The text of a task: what is called so, else the longest that is no single word."""
    words = [v for v in data.values() if isinstance(v, str) and " " in v]
    text = data.get("text") or max(words, key=len, default=None)
    return text if isinstance(text, str) else None


# ------------------------------------------------------------------ writing


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """Predictions: what most coders said, for the tasks of the export, else for new tasks."""
    made, tied, there = list[Object](), 0, data.reading.controls
    back = bool(there) and data.reading.columns.get("item") == "id"
    for i, found in majorities(data):
        found = [m for m in found if not there or m.question in there]  # not of regions
        result = [_result(m, there) for m in found if m.labels]
        tied += sum(m.labels is None for m in found)
        score = round(sum(m.share for m in found) / max(len(found), 1), 4)
        one = {"model_version": "most coders", "score": score, "result": result}
        item = plain(data.items[i])
        if back and item.isdecimal():
            made.append({"task": int(item)} | one)
        else:
            made.append({"data": facts_of(data, i), "predictions": [one]})
    path.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    where = (
        "predictions for the tasks of the project: POST them to /api/projects/ID/import/predictions"
        if back
        else "new tasks: the labelling interface needs a Choices tag for each question, called as "
        "the question ('label' if it has no name), with toName=\"text\""
    )
    return (where, *not_written(data, tied))


def _result(found: Majority, there: Mapping[str, tuple[str, str]]) -> Object:
    """What a control holds, of the kind that it has in the export."""
    name = found.question or "label"
    kind, of = there.get(name, ("choices", "text"))
    labels = list[Any](found.labels or ())
    if kind == "taxonomy":
        labels = [label.split(" / ") for label in labels]
    key = "selected" if kind == "pairwise" else kind
    value = labels if kind in LISTS else labels[0]
    if kind in ("rating", "number") and is_number(labels[0]):
        number = float(labels[0])
        value = int(number) if number.is_integer() else number
    whole = {"from_name": name, "to_name": of, "type": kind, "value": {key: value}}
    return whole | {"score": round(found.share, 4)}


FORMAT = Format("Label Studio", _takes, _read, _write, ".json")
