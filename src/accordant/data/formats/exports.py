"""Exports of annotation tools that are not read yet: told by name, with the way that works."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import InputError
from ...messages import Action
from ..options import Options

__all__ = ["refuse_records", "refuse_text"]

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


_RECORDS = (
    _Kind("an export of Label Studio (JSON)", "Export as CSV in Label Studio, which gives a row "
          "for each annotation with its annotator", _label_studio),
    _Kind("a UIMA CAS (JSON)", _SPANS, _has("%FEATURE_STRUCTURES")),
)  # fmt: skip

# By the first lines of a text.
_BRAT = re.compile(r"(T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t.*)?|[RAENM]\d+\t\S.*|\*\t.*|#\d*\t.*)")
_PDTB = re.compile(r"(Explicit|Implicit|AltLex|AltLexC|EntRel|NoRel|Hypophora)(\|[^|]*){20,}")
_CONLL = re.compile(r"\d+(-\d+)?\t\S+(\t\S+){6,}")
_TOKEN = re.compile(r"\d+-\d+\t.*")


def _all(pattern: re.Pattern[str]) -> Callable[[Sequence[str]], bool]:
    return lambda lines: all(map(pattern.fullmatch, lines))


def _webanno(lines: Sequence[str]) -> bool:
    return lines[0].startswith("#FORMAT=WebAnno") or (
        any(x.casefold().startswith("#text=") for x in lines) and any(map(_TOKEN.fullmatch, lines))
    )


_TEXTS: tuple[tuple[str, str, Callable[[Sequence[str]], bool]], ...] = (
    ("an annotation file of brat", _SPANS, _all(_BRAT)),
    ("an export of WebAnno or INCEpTION (TSV)", _SPANS, _webanno),
    ("a CoNLL file (a row for each token)", f"Write {_TABLE}, a token an item", _all(_CONLL)),
    ("a file of the PDTB annotator", f"Write {_TABLE}, a relation an item", _all(_PDTB)),
    ("a fastText file", f"It does not say who the coders are; write {_TABLE}",
     lambda lines: all(x.startswith("__label__") for x in lines)),
    ("a web page", f"Save its table as CSV, or write {_TABLE}",
     lambda lines: lines[0].casefold().startswith(("<html", "<!doctype html"))),
    ("XML, such as UIMA XMI", f"Write {_TABLE}", lambda lines: lines[0].startswith("<")),
)  # fmt: skip
_SUFFIXES = {
    ".ann": 0, ".conll": 2, ".conllu": 2, ".conllx": 2, ".iob": 2, ".bio": 2, ".xmi": 6,
    ".xml": 6,
}  # fmt: skip
_OTHER = {".yaml": "a configuration", ".yml": "a configuration", ".md": "a Markdown text"}


def refuse_records(records: Sequence[Any], name: str, options: Options) -> None:
    """The error that names the tool whose JSON this is, unless the user says what is what."""
    if _told(options):
        return
    some = [r for r in records[:50] if isinstance(r, dict)]
    for kind in _RECORDS:
        if any(map(kind.sign, some)):
            raise _unread(kind.what, kind.advice, name, kind.do)


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
    for k, (what, advice, sign) in enumerate(_TEXTS):
        if lines and (_SUFFIXES.get(suffix) == k or sign(lines)):
            raise _unread(what, advice, path.name)


def _told(options: Options) -> bool:
    return bool(options.label or options.coder or options.layout or options.delimiter)


def _unread(what: str, advice: str, name: str, do: tuple[Action, ...] = ()) -> InputError:
    message = f"this looks like {what}, which cannot be read yet. {advice}"
    return InputError(message, file=name, do=do)
