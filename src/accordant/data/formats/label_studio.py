"""Label Studio: JSON exports of one or several projects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..annotations import NO_VALUE, Annotations, Status
from ..options import Options
from ..sheet import persons_lost
from ..spans import Offsets, utf16_starts
from ..table import plain
from .answers import owners, source_of
from .format import File, Format
from .import_report import Import
from .records import Label, Records

__all__ = ["FORMAT", "FREE", "UPLOAD", "results"]

UPLOAD = re.compile(r"^(.*/)?([0-9a-f]{8}-)?")  # /data/upload/29/d06c405d-cat.png is cat.png
LISTED = re.compile(r'"(annotations|completions)"\s*:\s*\[\s*\{')  # a task larger than the start
FREE = {"textarea"}  # answers in the coder's own words
TEXTUAL = {"labels", "hypertextlabels", "paragraphlabels"}  # controls whose regions are spans
Region: TypeAlias = tuple[tuple[int, int] | None, str]  # offsets in UTF-16 and label
_Control: TypeAlias = tuple[str, Label, Sequence[Region]]  # kind, what was answered, regions
_Given: TypeAlias = tuple[str, Status, tuple[str, ...]]  # question, status, labels
_GOLD = re.compile(r"gold(?:: (.+))?", re.S)
SCALARS = ("rating", "number", "datetime", "selected")


def _takes(file: File) -> bool:
    task = file.record
    if isinstance(task, dict):
        found = task.get("annotations", task.get("completions"))
        return isinstance(found, list) and any(
            isinstance(a, dict) and isinstance(a.get("result"), list) for a in found
        )
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
    to = Records("Label Studio (JSON)", source_of(taken), columns, options.spans)
    texts = dict[str, str | None]()
    for file, owner in zip(taken, _owners(taken, options), strict=True):
        for row, task in file.records(options):
            if not isinstance(task, dict):
                to.leave_out("entries that are no tasks")
                continue
            item = _item(task, shared=len(taken) > 1)
            _about(task, item, to)
            text = texts[item] = texts.get(item) or _text_of(task)
            for who, annotation in _newest(task, to):
                gold = bool(annotation.get("ground_truth"))
                to.leave_out("ground truth annotations, kept as known labels", gold)
                coder = None if gold else owner or who
                if coder is not None and options.blank is not None:
                    to.every(item, coder, Status.ANSWERED, row)
                _enter(annotation, item, coder, row, text, to)
    return to.done()


def _enter(
    annotation: Mapping[str, Any],
    item: str,
    coder: str | None,
    row: int,
    text: str | None,
    to: Records,
) -> None:
    """What was answered to each control; regions as spans, which a picture gives no place."""
    skipped = bool(annotation.get("was_cancelled", annotation.get("skipped", False)))
    status = Status.SKIPPED if skipped and coder is not None else Status.ANSWERED
    found = _answers(_first_result(annotation, to), to)
    to.looked(item, coder, text=text, status=status, row=row)
    if coder is not None and (skipped or not found):
        to.every(item, coder, status if skipped else Status.ANSWERED_EMPTY, row)
    for name, (kind, answer, regions) in found.items():
        if kind == "labels":
            units = Offsets(utf16_starts(text)) if text is not None else None
            for place, label in regions:
                start, end = map(units, place) if place and units else place or (None, None)
                if place and (start is None or end is None):
                    start, end = 1, 0  # inside a character: no place in the text
                to.span(item, coder, start, end, label, name)
        elif coder is None:
            to.gold(item, answer, name)
        else:
            to.add(item, coder, answer, question=name, status=status, row=row)


def _place(value: Mapping[str, Any]) -> tuple[int, int] | None:
    """Offsets in a text; those of sound and films are numbers of seconds, or have a channel."""
    found = value.get("globalOffsets", value)
    if not isinstance(found, dict) or {"channel", "original_length"} & set(value):
        return None
    start, end = found.get("start"), found.get("end")
    whole = type(start) is int and type(end) is int and max(abs(start), abs(end)) < 2**31
    return (start, end) if whole else None  # type: ignore[return-value]


def _text_of(task: Mapping[str, Any]) -> str | None:
    """What the spans count in: the text in which they hold what they quote."""
    data = task.get("data")
    texts = [v for v in data.values() if isinstance(v, str)] if isinstance(data, dict) else []
    quoted = [
        (place, value["text"])
        for annotation in _annotations(task)
        for result in _objects(annotation.get("result"))
        if isinstance(value := result.get("value"), dict)
        and (place := _place(value))
        and isinstance(value.get("text"), str)
    ]
    if not quoted:
        return _shown(data) if isinstance(data, dict) else None
    fits = dict[str, int]()
    for text in texts:
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


def _annotations(task: Any) -> list[dict[str, Any]]:
    found = task.get("annotations", task.get("completions")) if isinstance(task, dict) else None
    return _objects(found)


def _newest(task: Mapping[str, Any], to: Records) -> list[tuple[str, dict[str, Any]]]:
    """Each coder with the newest annotation; where nobody is named, each is of another coder."""
    drafts = task.get("drafts")
    to.leave_out("drafts", len(drafts) if isinstance(drafts, list) else 0)
    kept = dict[tuple[str, bool], dict[str, Any]]()
    nameless = 0
    found = _annotations(task)
    for one in sorted(found, key=lambda a: str(a.get("updated_at") or a.get("created_at") or "")):
        who = _coder(one)
        if who is None:
            nameless += not one.get("ground_truth")
            who = f"slot {nameless}"
        kept[who, bool(one.get("ground_truth"))] = one
    to.leave_out("earlier annotations of a task by the same coder", len(found) - len(kept))
    return [(who, one) for (who, _), one in kept.items()]


def _first_result(annotation: Mapping[str, Any], to: Records) -> list[dict[str, Any]]:
    """What the coder submitted, before a reviewer changed it."""
    history = _objects(annotation.get("history"))
    changed = any(str(h.get("action", "")).startswith("fixed") for h in history)
    first = next((h for h in history if h.get("action") == "submitted" and h.get("result")), None)
    if changed and first is not None:
        to.leave_out("corrections by a reviewer: what the coder submitted is read")
        return _objects(first["result"])
    return _objects(annotation.get("result"))


def _objects(found: Any) -> list[dict[str, Any]]:
    return [x for x in found if isinstance(x, dict)] if isinstance(found, list) else []


def _coder(annotation: Mapping[str, Any]) -> str | None:
    """Who annotated; None if an export without the names of its users does not say."""
    who = annotation.get("completed_by", annotation.get("created_username"))
    if isinstance(who, dict):
        return str(who.get("email") or who.get("username") or who.get("id"))
    return None if who is None else str(who).split(", ")[0]


def _item(task: Mapping[str, Any], *, shared: bool) -> str:
    """The id of a task; over several projects what was shown, since ids start anew in each."""
    if not shared:
        return str(task.get("id", task.get("inner_id", "")))
    data = task.get("data")
    data = data if isinstance(data, dict) else {}
    shown = {k: UPLOAD.sub("", v) if isinstance(v, str) else v for k, v in data.items()}
    values = list(shown.values())
    return str(values[0]) if len(values) == 1 else json.dumps(shown, sort_keys=True)


def _about(task: Mapping[str, Any], item: str, to: Records) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        return
    text = _shown(data)
    facts = {k: v for k, v in data.items() if v != text and k not in ("text", "item")}
    to.about(item, text, facts)


def _shown(data: Mapping[str, Any]) -> str | None:
    """The text of a task: what is called so, else the longest that is no single word."""
    words = [v for v in data.values() if isinstance(v, str) and " " in v]
    text = data.get("text") or max(words, key=len, default=None)
    return text if isinstance(text, str) else None


def _answers(results: Sequence[Mapping[str, Any]], to: Records) -> dict[str, _Control]:
    """What was answered to each control."""
    found = dict[str, tuple[str, list[Any], list[Region]]]()
    for result in results:
        value = result.get("value")
        if not isinstance(value, dict):
            to.leave_out("relations")
            continue
        kind = str(result.get("type") or _kind(value))
        name = str(result.get("from_name") or "")
        inside = value.get(kind)
        if kind in FREE:
            to.leave_out("answers in free text")
        elif kind in SCALARS or kind == "pairwise":
            one = value.get(kind, value.get("selected"))
            found.setdefault(name, ("one", [], []))[1].append(one)
        elif kind in ("choices", "taxonomy") and isinstance(inside, list):
            paths = (" / ".join(map(str, p)) if isinstance(p, list) else p for p in inside)
            found.setdefault(name, ("choices", [], []))[1].extend(paths)
        elif isinstance(inside, list):
            place = _place(value) if kind in TEXTUAL else None
            regions = found.setdefault(name, ("labels", [], []))
            regions[1].extend(inside)
            regions[2].extend((place, str(label)) for label in inside)
        else:
            to.leave_out(f"answers of kind {kind!r}")
    return {
        name: (kind, _label(kind, labels), places) for name, (kind, labels, places) in found.items()
    }


def _label(kind: str, labels: Sequence[Any]) -> Label:
    if kind != "labels" and len(labels) == 1:
        return labels[0] if kind == "one" else str(labels[0])
    return [str(x) for x in labels]


def results(values: Sequence[Mapping[str, Any]]) -> tuple[Label, str] | None:
    """What was answered to one control, from values without their frame, and the kind of it."""
    found = _answers([{"from_name": "", "value": v} for v in values], Records("", ""))
    return (found[""][1], found[""][0]) if found else None


def _kind(value: Mapping[str, Any]) -> str:
    """Of a result without a type: the key of the list it holds, or of its one value."""
    if any(isinstance(v, list) for k, v in value.items() if k != "text"):
        return next(k for k, v in value.items() if isinstance(v, list) and k != "text")
    return next((k for k in SCALARS if k in value), "textarea" if "text" in value else "unknown")


# ------------------------------------------------------------------ writing

HELD = (Status.ANSWERED, Status.ANSWERED_EMPTY, Status.SKIPPED)


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """Tasks with the annotations of each coder; known labels as ground truth."""
    lost, mixed = _unheld(data), 0
    with path.open("w", encoding="utf-8") as f:
        for k, (i, answers) in enumerate(_answered(data)):
            statuses = ({s for _, s, _ in given} for given in answers.values())
            mixed += sum(Status.SKIPPED in found and len(found) > 1 for found in statuses)
            f.write("[\n" if k == 0 else ",\n")
            f.write(json.dumps(_task(data, i, answers), ensure_ascii=False))
        f.write("\n]\n")
    if mixed:
        lost.append(
            f"left out: that some questions were skipped, in {mixed:,} annotations that answer "
            "others; Label Studio skips whole tasks"
        )
    if not all("@" in coder for coder in data.coders):
        lost.append(
            "Label Studio knows coders by the e-mail addresses of its users; an import of "
            "others is refused"
        )
    return tuple(lost)


def _answered(data: Annotations) -> Iterator[tuple[int, dict[str, list[_Given]]]]:
    """Each item with what each coder said: question, status and labels."""
    c = data.columns
    order = np.argsort(c.item, kind="stable")
    order = order[np.isin(c.status[order], HELD)]
    rows = zip(
        *(x[order].tolist() for x in (c.item, c.coder, c.question, c.status, c.value)), strict=True
    )
    for i, own in groupby(rows, itemgetter(0)):
        answers = dict[str, list[_Given]]()
        for _, coder, question, status, v in own:
            value = () if v == NO_VALUE else data.values[v]
            labels = tuple(map(plain, value if isinstance(value, tuple) else (value,)))
            given = data.questions[question], Status(status), labels
            answers.setdefault(data.coders[coder], []).append(given)
        yield i, answers


def _task(data: Annotations, i: int, answers: Mapping[str, Sequence[_Given]]) -> dict[str, Any]:
    cells = {name: column[i] for name, column in data.metadata.items()}
    facts = {n: _cell(x) for n, x in cells.items() if x is not None and not _GOLD.fullmatch(n)}
    found = list[dict[str, Any]]()
    for coder, given in answers.items():
        result = [_result(q, labels) for q, status, labels in given if status != Status.SKIPPED]
        whole = {"was_cancelled": not result, "ground_truth": False, "result": result}
        found.append({"completed_by": {"email": coder}} | whole)
    several = {q for q, s in zip(data.questions, data.schemes, strict=True) if s.max_labels != 1}
    known = [(m[1] or "", str(x)) for n, x in cells.items() if x and (m := _GOLD.fullmatch(n))]
    if known:
        result = [_result(q, x.split("; ") if q in several else [x]) for q, x in known]
        found.append({"was_cancelled": False, "ground_truth": True, "result": result})
    item = plain(data.items[i])
    number = item.isascii() and item.isdigit() and str(int(item)) == item
    text = None if data.texts is None else data.texts[i] or None
    shown = {"item": item} if text is None else {"text": text}
    return {"id": int(item) if number else item, "data": shown | facts, "annotations": found}


def _cell(cell: Any) -> Any:
    return cell if isinstance(cell, str | int | float | bool) else json.dumps(cell, default=str)


def _result(question: str, labels: Sequence[str]) -> dict[str, Any]:
    return {
        "from_name": question or "label",
        "to_name": "text",
        "type": "choices",
        "value": {"choices": list(labels)},
    }


def _unheld(data: Annotations) -> list[str]:
    """What of annotations the platform has no place for, a sentence each."""
    n = Counter(data.columns.status.tolist())
    lost = [
        f"left out: annotations that are {s.name.lower().replace('_', ' ')} ({n[s]:,}), which "
        "Label Studio cannot say"
        for s in Status
        if n[s] and s not in (*HELD, Status.NOT_ASSIGNED)
    ]
    kept = np.isin(data.columns.status, HELD)
    for what, names, codes in (
        ("items", data.items, data.columns.item),
        ("coders", data.coders, data.columns.coder),
    ):
        if gone := len(names) - len(np.unique(codes[kept])):
            lost.append(f"left out: {what} without any annotation ({gone:,})")
    if data.spans is not None:
        lost.append("where spans begin and end is not written, only what labels each item got")
    return [*lost, *persons_lost(data)]


FORMAT = Format("Label Studio", _takes, _read, _write, ".json")
