"""Exports of annotation tools that are not read yet: told by name, with the way that works."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import InputError
from ...messages import Action
from ..options import Options

__all__ = ["refuse_columns", "refuse_records", "refuse_text"]

Record: TypeAlias = Mapping[str, Any]
_TABLE = "a table with the columns item, coder and label"
_SPANS = (
    "Where spans begin and end is not compared yet; to compare their labels, write "
    f"{_TABLE}, a span an item"
)


@dataclass(frozen=True)
class _Kind:
    """What records look like, what a user can do, and what tells them."""

    what: str
    advice: str
    sign: Callable[[Record], bool]
    do: tuple[Action, ...] = ()


def _has(*keys: str) -> Callable[[Record], bool]:
    return lambda record: all(k in record for k in keys)


def _label_studio(record: Record) -> bool:
    tasks = record.get("annotations", record.get("completions"))
    return isinstance(tasks, list) and any(isinstance(t, dict) and "result" in t for t in tasks)


def _spans(record: Record) -> bool:
    """Doccano's labels of parts of a text: [start, end, label], or objects with offsets."""
    for cell in (record.get("label"), record.get("labels"), record.get("entities")):
        if isinstance(cell, list) and any(isinstance(c, list | dict) for c in cell):
            return True
    return False


def _by_id(record: Record) -> bool:
    cells = list(record.values())
    return len(cells) > 1 and all(isinstance(c, dict) for c in cells)


_PRODIGY = Action(
    "", {"item": "_input_hash", "coder": "_annotator_id", "label": "accept"}, "for single choices"
)
_RECORDS = (
    _Kind("an export of Label Studio (JSON)", "Export as CSV in Label Studio, which gives a row "
          "for each annotation with its annotator", _label_studio),
    _Kind("an export of Argilla", f"Write its responses as {_TABLE}", _has("fields", "responses")),
    _Kind("an export of Prodigy", f"Say which columns hold what, or write {_TABLE}",
          _has("_input_hash", "_task_hash"), (_PRODIGY,)),
    _Kind("an export of GATE Teamware (JSON)", "Export as CSV in Teamware",
          _has("annotation_sets")),
    _Kind("what Potato keeps of one coder", f"Write {_TABLE}",
          _has("instance_id_to_label_to_value")),
    _Kind("an export of doccano with spans or relations", _SPANS, _spans),
    _Kind("one JSON object with an entry for each item", "Write a JSON object for each annotation, "
          "one a line, with item, coder and label", _by_id),
)  # fmt: skip

# By the first lines of a text.
_TEXTS: tuple[tuple[str, str, Callable[[Sequence[str]], bool]], ...] = (
    ("a fastText file", f"It does not say who the coders are; write {_TABLE}",
     lambda lines: all(x.startswith("__label__") for x in lines)),
    ("a web page", f"Save its table as CSV, or write {_TABLE}",
     lambda lines: lines[0].casefold().startswith(("<html", "<!doctype html"))),
    ("XML, such as a type system of UIMA", f"Write {_TABLE}",
     lambda lines: lines[0].startswith("<")),
)  # fmt: skip
_OTHER = {".yaml": "a configuration", ".yml": "a configuration", ".md": "a Markdown text"}


def refuse_records(records: Sequence[Any], name: str, options: Options) -> None:
    """The error that names the tool whose JSON this is, unless the user says what is what."""
    if _told(options):
        return
    some = [r for r in records[:50] if isinstance(r, dict)]
    for kind in _RECORDS:
        if any(map(kind.sign, some)):
            raise _unread(kind.what, kind.advice, name, kind.do)


def refuse_columns(names: Sequence[str], name: str, options: Options) -> None:
    """The same by the columns of a table: Argilla flattens its questions into them."""
    if not _told(options) and any(n.endswith(".responses") for n in names):
        raise _unread("an export of Argilla", f"Write its responses as {_TABLE}", name)


def refuse_text(path: Path, start: bytes, options: Options) -> None:
    """The same by the first lines of a text, or its suffix."""
    if _told(options):
        return
    suffix = path.suffix.lower()
    if suffix in _OTHER:
        raise InputError(
            f"this is {_OTHER[suffix]}, not a table of annotations. Give a CSV, TSV, XLSX, "
            "Parquet or JSON-lines file",
            file=path.name,
        )
    lines = [x for x in start.decode("utf-8", "replace").splitlines()[:40] if x.strip()]
    if len(start) >= 512 and len(lines) > 1:
        lines.pop()  # may be cut
    for what, advice, sign in _TEXTS:
        if lines and sign(lines):
            raise _unread(what, advice, path.name)


def _told(options: Options) -> bool:
    return bool(options.label or options.coder or options.layout or options.delimiter)


def _unread(what: str, advice: str, name: str, do: tuple[Action, ...] = ()) -> InputError:
    message = f"this looks like {what}, which cannot be read yet. {advice}"
    return InputError(message, file=name, do=do)
