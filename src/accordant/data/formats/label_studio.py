"""Label Studio: JSON exports of one or several projects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..annotations import Status
from ..options import Options
from .format import File, Format
from .records import Import, Label, Records

__all__ = ["FORMAT", "FREE", "UPLOAD", "results"]

UPLOAD = re.compile(r"^(.*/)?([0-9a-f]{8}-)?")  # /data/upload/29/d06c405d-cat.png is cat.png
LISTED = re.compile(r'"(annotations|completions)"\s*:\s*\[\s*\{')  # a task larger than the start
FREE = {"textarea"}  # answers in the coder's own words
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


def _read(files: Sequence[File], options: Options) -> Import:
    taken = [f for f in files if _takes(f)]
    to = Records(
        "Label Studio (JSON)", taken[0].source if len(taken) == 1 else f"{len(taken)} files",
        {"item": "id" if len(taken) == 1 else "data", "coder": "completed_by",
         "label": "result"},
    )  # fmt: skip
    owners = _owners(taken, options)
    controls = dict[str, str]()  # name to the kind of its values
    given = list[tuple[str, str, frozenset[str], bool, int]]()
    for file, owner in zip(taken, owners, strict=True):
        for row, task in file.records(options):
            if not isinstance(task, dict):
                to.leave_out("entries that are no tasks")
                continue
            item = _item(task, shared=len(taken) > 1)
            _about(task, item, to)
            for annotation in _newest(task, to):
                coder = owner or _coder(annotation)
                answers = dict(_answers(_first_result(annotation, to), to))
                for name, (kind, _) in answers.items():
                    controls.setdefault(name, kind)
                if annotation.get("ground_truth"):
                    for name, (_, label) in answers.items():
                        to.gold(item, label, name)
                    to.leave_out("ground truth annotations, kept as known labels")
                    continue
                skipped = bool(annotation.get("was_cancelled", annotation.get("skipped", False)))
                for name, (_, label) in answers.items():
                    status = Status.SKIPPED if skipped else Status.ANSWERED
                    to.add(item, coder, label, question=name, status=status, row=row)
                given.append((item, coder, frozenset(answers), skipped, row))
    for item, coder, names, skipped, row in given:
        for name, kind in controls.items():
            if name not in names and (skipped or not names or kind == "labels"):
                status = Status.SKIPPED if skipped else Status.ANSWERED_EMPTY
                to.add(item, coder, None, question=name, status=status, row=row)
    return to.done()


def _owners(files: Sequence[File], options: Options) -> list[str]:
    """A coder for each file where each had a project of their own; '' where files name them."""
    if len(files) == 1:
        return [""]
    who = [{_coder(a) for _, task in f.records(options) for a in _annotations(task)} for f in files]
    alone = all(len(w) == 1 for w in who) and len(set.union(*who)) < len(files)
    return [f.path.stem if alone else "" for f in files]


def _annotations(task: Any) -> list[dict[str, Any]]:
    found = task.get("annotations", task.get("completions")) if isinstance(task, dict) else None
    return [a for a in found or () if isinstance(a, dict)] if isinstance(found, list) else []


def _newest(task: Mapping[str, Any], to: Records) -> list[dict[str, Any]]:
    """The newest annotation of each coder."""
    to.leave_out("drafts", len(task.get("drafts") or ()))
    kept = dict[tuple[str, bool], dict[str, Any]]()
    found = _annotations(task)
    for one in sorted(found, key=lambda a: str(a.get("updated_at") or a.get("created_at") or "")):
        kept[_coder(one), bool(one.get("ground_truth"))] = one
    to.leave_out("earlier annotations of a task by the same coder", len(found) - len(kept))
    return list(kept.values())


def _first_result(annotation: Mapping[str, Any], to: Records) -> list[dict[str, Any]]:
    """What the coder submitted, before a reviewer changed it."""
    history = annotation.get("history") or ()
    changed = any(str(h.get("action", "")).startswith("fixed") for h in history)
    first = next((h for h in history if h.get("action") == "submitted" and h.get("result")), None)
    if changed and first is not None:
        to.leave_out("corrections by a reviewer: what the coder submitted is read")
        return [r for r in first["result"] if isinstance(r, dict)]
    return [r for r in annotation.get("result") or () if isinstance(r, dict)]


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
    data = task.get("data") or {}
    shown = {k: UPLOAD.sub("", v) if isinstance(v, str) else v for k, v in data.items()}
    values = list(shown.values())
    return str(values[0]) if len(values) == 1 else json.dumps(shown, sort_keys=True)


def _about(task: Mapping[str, Any], item: str, to: Records) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        return
    words = {k: v for k, v in data.items() if isinstance(v, str) and " " in v}
    text = data.get("text") or max(words.values(), key=len, default=None)
    facts = {k: v for k, v in data.items() if v != text and k not in ("text", "item")}
    to.about(item, text if isinstance(text, str) else None, facts)


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
        elif kind == "taxonomy":
            paths = [
                " / ".join(map(str, p)) if isinstance(p, list) else str(p)
                for p in value.get(kind) or ()
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
