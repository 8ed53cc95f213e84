"""Exports of annotation tools that are not read yet: told by name, with the way that works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...errors import InputError
from ..options import Options

__all__ = ["refuse_text"]

_TABLE = "a table with the columns item, coder and label"

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


def refuse_text(path: Path, start: bytes, options: Options) -> None:
    """The error that names the tool whose text this is, unless the user says what is what."""
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


def _unread(what: str, advice: str, name: str) -> InputError:
    return InputError(f"this looks like {what}, which cannot be read yet. {advice}", file=name)
