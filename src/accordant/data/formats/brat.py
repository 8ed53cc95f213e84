"""brat: standoff files, a folder or a suffix for each coder, with the texts or without."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ..options import Options
from .documents import Document, Mark, read_documents
from .format import File, Format
from .records import Records

LINE = re.compile(r"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t.*)?|[RAENM]\d+\t\S.*|\*\t.*|#\d*\t.*")
MARK = re.compile(r"(T\S*)\t(\S+) (\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*)(?:\t.*)?", re.S)
OTHER = {
    "R": "relations",
    "*": "relations",
    "E": "events, whose triggers are read as spans",
    "A": "attributes of spans",
    "M": "attributes of spans",
    "N": "normalisations",
    "#": "notes",
}


def _takes(file: File) -> bool:
    lines = file.lines
    if file.suffix == ".ann":
        return not lines or LINE.fullmatch(lines[0].rstrip("\r")) is not None
    return bool(lines) and all(LINE.fullmatch(x.rstrip("\r")) for x in lines[:40])


def _documents(
    taken: Sequence[File], files: Sequence[File], options: Options, to: Records
) -> list[Document]:
    empty = sum(not f.lines for f in taken)
    if empty:
        to.warnings.append(
            f"{empty:,} {'file is' if empty == 1 else 'files are'} empty: read as texts in which "
            "the coder marked nothing, since brat does not say who has not opened them yet"
        )
    texts = _texts(taken, files, options)
    return [_document(f.text(options), text) for f, text in zip(taken, texts, strict=True)]


def _texts(taken: Sequence[File], files: Sequence[File], options: Options) -> list[str | None]:
    """The text of each file: beside it, or the only one of its name."""
    given = {f.path: f for f in files if f.suffix == ".txt" and f not in taken}
    named = defaultdict[str, list[File]](list)
    for file in given.values():
        named[file.path.stem].append(file)
    out = list[str | None]()
    for file in taken:
        alone = named[file.path.stem]
        found = given.get(file.path.with_suffix(".txt")) or (alone[0] if len(alone) == 1 else None)
        out.append(None if found is None else found.text(options))
    return out


def _document(content: str, text: str | None) -> Document:
    found = Document(text)
    for line in content.removeprefix("\ufeff").split("\n"):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        mark = MARK.fullmatch(line)
        if mark is None:
            found.left_out[OTHER.get(line[0], "lines that are no annotations")] += 1
            continue
        parts = [tuple(map(int, part.split(" "))) for part in mark[3].split(";")]
        if len(parts) > 1:
            found.left_out["gaps in discontinuous spans: their parts are read"] += len(parts) - 1
        found.marks += [Mark(start, end, "", {"": (mark[2],)}) for start, end in parts]
    return found


FORMAT = Format("brat", _takes, read_documents("brat", "T", _takes, _documents))
