"""Label Studio: JSON exports of one or several projects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..annotations import Status
from ..options import Options
from ..spans import Offsets, utf16_starts
from .format import File, Format
from .records import Import, Label, Records

__all__ = ["FORMAT", "FREE", "UPLOAD", "results"]

UPLOAD = re.compile(r"^(.*/)?([0-9a-f]{8}-)?")  # /data/upload/29/d06c405d-cat.png is cat.png
LISTED = re.compile(r'"(annotations|completions)"\s*:\s*\[\s*\{')  # a task larger than the start
FREE = {"textarea"}  # answers in the coder's own words
TEXTUAL = {"labels", "hypertextlabels", "paragraphlabels"}  # controls whose regions are spans
SCALARS = ("rating", "number", "datetime", "selected")


def _takes(file: File) -> bool:
    task = file.record
    if isinstance(task, dict):
        found = task.get("annotations", task.get("completions"))
        return isinstance(found, list) and any(
            isinstance(a, dict) and isinstance(a.get("result"), list) for a in found
        )
    return (
        file.head[:1] in "[{"
        and re.search(r'"(annotations|completions)"\s*:\s*\[\s*\{', file.head) is not None
        and '"result"' in file.head
    )


@dataclass(frozen=True)
class _Answer:
    """An annotation: what was answered to each control, and where its spans are."""

    item: str
    coder: str | None  # None for ground truth
    skipped: bool
    controls: Mapping[str, tuple[str, Label]]
    spans: Sequence[tuple[str, tuple[int, int] | None, str]]  # control, place, label
    row: int

    @property
    def status(self) -> Status:
        """Answered, or cancelled."""
        return Status.SKIPPED if self.skipped else Status.ANSWERED


def _read(files: Sequence[File], options: Options) -> Import:
    taken = [f for f in files if _takes(f)]
    to = Records(
        "Label Studio (JSON)", taken[0].source if len(taken) == 1 else f"{len(taken)} files",
        {"item": "id" if len(taken) == 1 else "data", "coder": "completed_by",
         "label": "result"}, options.spans,
    )  # fmt: skip
    owners = _owners(taken, options)
    found, texts = list[_Answer](), dict[str, str | None]()
    for file, owner in zip(taken, owners, strict=True):
        for row, task in file.records(options):
            if not isinstance(task, dict):
                to.leave_out("entries that are no tasks")
                continue
            item = _item(task, shared=len(taken) > 1)
            _about(task, item, to)
            text = texts[item] = texts.get(item) or _text_of(task)
            for annotation in _newest(task, to):
                results = _first_result(annotation, to)
                gold = bool(annotation.get("ground_truth"))
                to.leave_out("ground truth annotations, kept as known labels", gold)
                skipped = bool(annotation.get("was_cancelled", annotation.get("skipped", False)))
                found.append(_Answer(
                    item, None if gold else owner or _coder(annotation), skipped and not gold,
                    dict(_answers(results, to)), list(_spans(results, text)), row,
                ))  # fmt: skip
    _enter(found, texts, to)
    return to.done()


def _enter(found: Sequence[_Answer], texts: Mapping[str, str | None], to: Records) -> None:
    """Every answer; spans as such where a control gives them a place in a text."""
    kinds = {name: kind for a in reversed(found) for name, (kind, _) in a.controls.items()}
    placed = {name for a in found for name, place, _ in a.spans if place}
    for a in found:
        if placed:
            to.looked(a.item, a.coder, text=texts[a.item], status=a.status, row=a.row)
        for name, place, label in a.spans:
            if name in placed:
                start, end = place or (None, None)
                to.span(a.item, a.coder, start, end, label, name)
        for name, (_, answer) in a.controls.items():
            if name in placed:
                continue
            if a.coder is None:
                to.gold(a.item, answer, name)
            else:
                to.add(a.item, a.coder, answer, question=name, status=a.status, row=a.row)
    for a in found:
        for name, kind in kinds.items():
            asked = a.skipped or not a.controls or kind == "labels"
            if a.coder is not None and asked and name not in placed and name not in a.controls:
                status = Status.SKIPPED if a.skipped else Status.ANSWERED_EMPTY
                to.add(a.item, a.coder, None, question=name, status=status, row=a.row)


def _spans(
    results: Sequence[Mapping[str, Any]], text: str | None
) -> Iterator[tuple[str, tuple[int, int] | None, str]]:
    """Each label of each span, with its place in code points: they are given in UTF-16."""
    to = Offsets(utf16_starts(text)) if text is not None else None
    for result in results:
        value = result.get("value")
        if not isinstance(value, dict):
            continue
        kind = str(result.get("type") or _kind(value))
        if kind not in TEXTUAL or not isinstance(value.get(kind), list):
            continue
        place = _place(value)
        if place is not None and to is not None:
            start, end = map(to, place)
            place = (start, end) if start is not None and end is not None else (1, 0)
        for label in value[kind]:
            yield str(result.get("from_name") or ""), place, str(label)


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
        and (place := _place(value)) and isinstance(value.get("text"), str)
    ]  # fmt: skip
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
    return [f.path.stem if alone else "" for f in files]


def _annotations(task: Any) -> list[dict[str, Any]]:
    found = task.get("annotations", task.get("completions")) if isinstance(task, dict) else None
    return _objects(found)


def _newest(task: Mapping[str, Any], to: Records) -> list[dict[str, Any]]:
    """The newest annotation of each coder."""
    drafts = task.get("drafts")
    to.leave_out("drafts", len(drafts) if isinstance(drafts, list) else 0)
    kept = dict[tuple[str, bool], dict[str, Any]]()
    found = _annotations(task)
    for one in sorted(found, key=lambda a: str(a.get("updated_at") or a.get("created_at") or "")):
        kept[_coder(one), bool(one.get("ground_truth"))] = one
    to.leave_out("earlier annotations of a task by the same coder", len(found) - len(kept))
    return list(kept.values())


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


def _coder(annotation: Mapping[str, Any]) -> str:
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        return str(who.get("email") or who.get("username") or who.get("id"))
    return str(who if who is not None else annotation.get("created_username", "unknown")).split(
        ", "
    )[0]


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


def _answers(
    results: Sequence[Mapping[str, Any]], to: Records
) -> Iterator[tuple[str, tuple[str, Label]]]:
    """Each control with the kind of its values and what was answered."""
    found = dict[str, tuple[str, list[Any]]]()
    for result in results:
        value = result.get("value")
        if not isinstance(value, dict):
            to.leave_out("relations")
            continue
        kind = str(result.get("type") or _kind(value))
        name = str(result.get("from_name") or "")
        if kind in FREE:
            to.leave_out("answers in free text")
        elif kind in SCALARS or kind == "pairwise":
            inside = value.get(kind, value.get("selected"))
            found.setdefault(name, ("one", []))[1].append(inside)
        elif kind == "taxonomy" and isinstance(value.get(kind), list):
            paths = [
                " / ".join(map(str, p)) if isinstance(p, list) else str(p) for p in value[kind]
            ]
            found.setdefault(name, ("choices", []))[1].extend(paths)
        elif isinstance(value.get(kind), list):
            many = "choices" if kind == "choices" else "labels"
            found.setdefault(name, (many, []))[1].extend(value[kind])
        else:
            to.leave_out(f"answers of kind {kind!r}")
    for name, (kind, labels) in found.items():
        if kind == "one" and len(labels) == 1:
            yield name, (kind, labels[0])
        elif kind == "choices" and len(labels) == 1:
            yield name, (kind, str(labels[0]))
        else:
            yield name, (kind, [str(x) for x in labels])


def results(values: Sequence[Mapping[str, Any]]) -> tuple[Label, str] | None:
    """What was answered to one control, from values without their frame, and the kind of it."""
    unread = Records("", "")
    found = dict(_answers([{"from_name": "", "value": v} for v in values], unread))
    return (found[""][1], found[""][0]) if found else None


def _kind(value: Mapping[str, Any]) -> str:
    """Of a result without a type: the key of the list it holds, or of its one value."""
    if any(isinstance(v, list) for k, v in value.items() if k != "text"):
        return next(k for k, v in value.items() if isinstance(v, list) and k != "text")
    return next((k for k in SCALARS if k in value), "textarea" if "text" in value else "unknown")


FORMAT = Format("Label Studio", _takes, _read)
