"""Prodigy: JSON lines of one or several datasets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..annotations import Status
from ..options import Options
from .answers import Answer, Span, as_label, owners, read_answers
from .format import File, Format, objects
from .records import Records

MANUAL = ("ner_manual", "spans_manual", "image_manual", "audio_manual", "relations", "spans")
MOST_LINK = 2_000  # characters; a longer one is the picture itself
FREE = ("text_input",)
ANSWERS = {"accept": Status.ANSWERED, "reject": Status.SKIPPED, "ignore": Status.SKIPPED}


def _takes(file: File) -> bool:
    task = file.record
    if isinstance(task, dict):
        return "_input_hash" in task and ("_task_hash" in task or "answer" in task)
    return file.head[:1] in "[{" and '"_input_hash"' in file.head and '"_task_hash"' in file.head


def _answers(files: Sequence[File], options: Options, to: Records) -> Iterator[Answer]:
    tasks = [
        (k, row, task) for k, file in enumerate(files) for row, task in _tasks(file, options, to)
    ]
    prefix, by_file = _prefix(tasks, files, to), owners(files)
    for k, row, task in tasks:
        whole = Answer(_item(task), None, row=row, sets=False)
        _about(task, _item(task), to)
        session = (_session(task) or by_file[k]).removeprefix(prefix or "")
        coder = by_file[k] if prefix is None else session
        yield from _answer(task, whole._replace(coder=coder), to)


def _tasks(file: File, options: Options, to: Records) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, task in file.records(options):
        if not isinstance(task, dict) or task.get("_input_hash") is None:
            to.leave_out("entries that are no tasks")
        elif isinstance(task.get("versions"), list):
            to.leave_out("tasks that were reviewed: what the coders answered is in their datasets")
        elif str(task.get("answer")) in ANSWERS:
            yield row, task
        else:
            to.leave_out("tasks without an answer")


def _prefix(
    tasks: Sequence[tuple[int, int, dict[str, Any]]], files: Sequence[File], to: Records
) -> str | None:
    """The dataset that the names of all sessions begin with; None if each file is one coder's."""
    found = [
        dict.fromkeys(filter(None, (_session(t) for at, _, t in tasks if at == k)))
        for k in range(len(files))
    ]
    sessions = list(dict.fromkeys(s for f in found for s in f))
    alone = len(files) > 1 and all(len(f) <= 1 for f in found) and len(sessions) < len(files)
    if alone:
        to.notes.append("each file is read as one coder, called after the file")
        return None
    if any(s.endswith("-default") or s == "default" for s in sessions):
        to.warnings.append(
            "a session is called 'default': whoever opened Prodigy without a name is in it, "
            "possibly several persons"
        )
    dataset = f"{sessions[0].split('-')[0]}-" if sessions else ""
    clear = len(sessions) > 1 and all(s.count("-") == 1 and s.startswith(dataset) for s in sessions)
    if clear:
        to.notes.append(f"names of coders are shown without the dataset: {dataset[:-1]!r}")
    return dataset if clear else ""


def _session(task: Mapping[str, Any]) -> str:
    who = task.get("_annotator_id")
    who = task.get("_session_id") if who is None else who
    return str(who) if isinstance(who, str | int) else ""


def _item(task: Mapping[str, Any]) -> str:
    """What was shown; in a yes or no interface what was asked about it."""
    asked = task.get("_task_hash") if _kind(task) == "binary" else None
    return str(task["_input_hash"] if asked is None else asked)


def _kind(task: Mapping[str, Any]) -> str:
    """'choice', 'spans', 'free' or 'binary'."""
    view = task.get("_view_id")
    if view in FREE:
        return "free"
    if task.get("_is_binary") is True:
        return "binary"
    if "accept" in task or isinstance(task.get("options"), list) or view == "choice":
        return "choice"
    if (
        view in MANUAL
        or (view is None and "tokens" in task)
        or (view == "blocks" and "spans" in task)
    ):
        return "spans"
    return "binary"


def _answer(task: Mapping[str, Any], whole: Answer, to: Records) -> Iterator[Answer]:
    kind, said = _kind(task), str(task.get("answer"))
    if said not in ANSWERS:
        to.leave_out("tasks without an answer")
        return
    time = task.get("_timestamp")
    whole = whole._replace(
        status=ANSWERS[said], time=float(time) if isinstance(time, int | float) else 0.0
    )
    relations = task.get("relations")
    to.leave_out("relations", len(relations) if isinstance(relations, list) else 0)
    if kind == "binary":
        label = task.get("label")
        yield whole._replace(
            label=None if said == "ignore" else said,
            status=Status.SKIPPED if said == "ignore" else Status.ANSWERED,
            question=label if isinstance(label, str) else "",
        )
    elif kind == "free":
        to.leave_out("answers in the coders' own words")
    elif kind == "choice":
        accepted = task.get("accept")
        well, label = as_label(accepted if accepted is not None else [])
        if not well:
            to.leave_out("answers that are no list of options")
            return
        config = task.get("config")
        many = isinstance(config, dict) and config.get("choice_style") == "multiple"
        listed = label if isinstance(label, tuple) else (str(label),)
        yield whole._replace(label=listed, sets=many)
    else:
        yield whole._replace(spans=_spans(task, to), text=_text(task), tokens=_tokens(task))


def _spans(task: Mapping[str, Any], to: Records) -> list[Span]:
    found = task.get("spans")
    spans = list[Span]()
    for span in found if isinstance(found, list) else ():
        if isinstance(span, dict) and isinstance(span.get("label"), str):
            start, end = span.get("start"), span.get("end")
            placed = isinstance(start, int) and isinstance(end, int)
            spans.append(Span(*((start, end) if placed else (None, None)), span["label"]))
        else:
            to.leave_out("spans without a label")
    return spans


def _text(task: Mapping[str, Any]) -> str | None:
    text = task.get("text")
    return text if isinstance(text, str) else None


def _tokens(task: Mapping[str, Any]) -> list[tuple[int, int]] | None:
    pairs = [
        (t["start"], t["end"])
        for t in objects(task.get("tokens"))
        if isinstance(t.get("start"), int) and isinstance(t.get("end"), int)
    ]
    return pairs or None


def _about(task: Mapping[str, Any], item: str, to: Records) -> None:
    media = [task.get(k) for k in ("html", "image", "audio", "video")]
    links = [m for m in media if isinstance(m, str) and len(m) < MOST_LINK]
    shown = _text(task) or next(iter(links), None)
    meta = task.get("meta")
    to.about(item, shown, meta if isinstance(meta, dict) else None)


COLUMNS = {"item": "_input_hash", "coder": "_annotator_id", "label": "accept"}
FORMAT = Format("Prodigy", _takes, read_answers("Prodigy", COLUMNS, _takes, _answers))
