"""REFI-QDA: projects of ATLAS.ti, MAXQDA, NVivo, QualCoder and others, with coded passages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...errors import InputError
from ..options import Options
from ..spans import Offsets, utf16_starts
from .documents import chosen
from .format import File, Format
from .import_report import Import
from .records import Records

PROJECT = re.compile(r"<(\w+:)?Project\b[^>]*urn:QDA-XML:project", re.S)
INSIDE = re.compile(r"^(internal|relative)://+", re.I)


def _takes(file: File) -> bool:
    return PROJECT.search(file.head) is not None or (file.suffix == ".qde" and file.head[:1] == "<")


def _read(files: Sequence[File], options: Options) -> Import:
    to = Records(
        "REFI-QDA", "", {"item": "source", "coder": "creatingUser", "label": "code"}, options.spans
    )
    taken = chosen(files, _takes, to)
    for file in taken:
        root = _parsed(file)
        users = {u.get("guid"): u.get("name") or u.get("guid") for u in _each(root, "User")}
        codes = _codes(root)
        names = Counter(s.get("name") or s.get("guid") for s in _each(root, "TextSource"))
        for source in _each(root, "TextSource"):
            name = source.get("name") or source.get("guid") or "text"
            item = name if names[name] == 1 else f"{name} ({source.get('guid')})"
            _source(source, item, users, codes, _text(source, files, options), to)
        others = sum(
            len(list(_each(root, kind)))
            for kind in (
                "PDFSelection",
                "PictureSelection",
                "AudioSelection",
                "VideoSelection",
                "TranscriptSelection",
            )
        )
        to.leave_out("codings of pictures, PDF pages, sound and films", others)
    to.notes.append("a coder who coded nothing in a source counts as one who has not seen it")
    return to.done()


def _parsed(file: File) -> Any:
    """The XML, without entities and without anything outside of the file."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        return fromstring(file.load(), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(
            "XML that declares a document type is not read", file=file.source
        ) from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise InputError(f"the project is no XML ({error})", file=file.source) from None


def _each(root: Any, kind: str) -> Iterator[Any]:
    return (e for e in root.iter() if isinstance(e.tag, str) and e.tag.rpartition("}")[2] == kind)


def _codes(root: Any) -> dict[str, str]:
    """Names of codes by id; where a name comes twice, with the codes it stands below."""
    paths = dict[str, tuple[str, ...]]()
    open_ = list[tuple[Any, tuple[str, ...]]]()
    open_ += [(code, ()) for book in _each(root, "Codes") for code in book]
    while open_:
        code, above = open_.pop()
        path = (*above, code.get("name") or code.get("guid") or "code")
        if code.get("guid"):
            paths[code.get("guid")] = path
        open_ += [(inner, path) for inner in code if inner.tag.rpartition("}")[2] == "Code"]
    times = Counter(path[-1] for path in paths.values())
    return {k: p[-1] if times[p[-1]] == 1 else " / ".join(p) for k, p in paths.items()}


def _text(source: Any, files: Sequence[File], options: Options) -> str | None:
    for inner in _each(source, "PlainTextContent"):
        return str(inner.text or "")
    name = INSIDE.sub("", source.get("plainTextPath") or "").rpartition("/")[2]
    found = next((f for f in files if name and f.path.name == name), None)
    return None if found is None else found.text(options).removeprefix("\ufeff")


def _source(
    source: Any,
    item: str,
    users: dict[str, str],
    codes: dict[str, str],
    text: str | None,
    to: Records,
) -> None:
    """The coded passages of one source."""
    marks = defaultdict[str, list[tuple[int | None, int | None, str]]](list)
    passages = list(_each(source, "PlainTextSelection"))
    text, convert = _counted(text, passages)
    inside = {coding for passage in passages for coding in _each(passage, "Coding")}
    for passage in [*passages, source]:
        place = None
        if passage is not source:
            place = _place(passage, convert)
            if place is None:
                to.leave_out("passages without a place in their text")
                continue
        for coding in _each(passage, "Coding"):
            if passage is source and coding in inside:
                continue
            user = coding.get("creatingUser") or passage.get("creatingUser")
            refs = [r.get("targetGUID") for r in _each(coding, "CodeRef")]
            for label in (codes.get(r) for r in refs):
                if user is None or label is None:
                    to.leave_out("codings that name no user or no code")
                else:
                    marks[users.get(user) or user].append((*(place or (None, None)), label))
    for coder, found in marks.items():
        to.looked(item, coder, text=text)
        for start, end, label in found:
            to.span(item, coder, start, end, label)


def _place(passage: Any, convert: Callable[[int], int | None]) -> tuple[int, int] | None:
    """Where a passage begins and ends, if it says so and its text is that long."""
    try:
        start, end = (convert(int(passage.get(k))) for k in ("startPosition", "endPosition"))
    except (TypeError, ValueError):
        return None
    return None if start is None or end is None else (start, end)


def _counted(
    text: str | None, passages: Sequence[Any]
) -> tuple[str | None, Callable[[int], int | None]]:
    """The text and its offsets as the program counts: the way that fits the quoted passages."""
    if text is None:
        return None, lambda at: at
    ways = []
    for form in dict.fromkeys((text, text.replace("\r\n", "\n"))):
        for starts in (list(range(len(form) + 1)), utf16_starts(form)):
            to, fits = Offsets(starts), 0
            for passage in passages[:200]:
                place = _place(passage, to)
                quoted = (passage.get("name") or "").strip(" .…")
                fits += bool(quoted and place) and form[slice(*place or ())].startswith(quoted)
            ways.append((fits, form, to))
    best = max(ways, key=lambda way: way[0])
    return best[1], best[2]


FORMAT = Format("REFI-QDA", _takes, _read)
