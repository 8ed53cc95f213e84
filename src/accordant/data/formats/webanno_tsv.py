"""WebAnno TSV 3: a file of INCEpTION or WebAnno for each text and coder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...errors import InputError
from ..options import Options
from ..spans import Offsets, utf16_starts
from .documents import Document, Mark, read_documents
from .format import File, Format
from .records import Records

ROW = re.compile(r"(\d+)-(\d+)(\.\d+)*")
PLACE = re.compile(r"(\d{1,9})-(\d{1,9})")
ID = re.compile(r"\[(\d+)\]$")
PIECE = re.compile(r"(?:\\->|\\.|[^\\|])+", re.S)
ESCAPE = re.compile(r"\\(->|.)", re.S)
MEANT = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
OLD = re.compile(r"#\s*[\w.]+\s*\|")  # the header of versions 1 and 2
NO_OFFSETS = re.compile(r"\d+-\d+\t(?!\d+-\d+\t)")


@dataclass(frozen=True)
class _Layer:
    """A layer of the header and its columns, from ``at``."""

    kind: str
    name: str
    features: tuple[str, ...]
    at: int


def is_tsv(file: File) -> bool:
    """Whether a file is a WebAnno TSV, of whatever version."""
    lines = file.lines[:40]
    if not lines:
        return False
    rows = any(ROW.match(x) for x in lines)
    texts = any(x.casefold().startswith("#text=") for x in lines)
    return lines[0].startswith("#FORMAT=WebAnno") or (texts and rows)


def _documents(
    taken: Sequence[File], _: Sequence[File], options: Options, __: Records
) -> list[Document]:
    return [parsed(f.text(options), f.source) for f in taken]


def parsed(content: str, source: str) -> Document:
    """A WebAnno TSV with offsets in code points.

    Raises
    ------
    InputError
        If it is of an older version, without offsets, or broken.
    """
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if OLD.match(lines[0].strip()) or (
        any(map(NO_OFFSETS.match, lines[:40])) and not lines[0].startswith("#FORMAT=WebAnno TSV 3")
    ):
        raise InputError(
            "this is a WebAnno TSV of version 1 or 2, which does not say where spans begin and "
            "end. Export it again as WebAnno TSV 3",
            file=source,
        )
    layers, found = _header(lines), Document()
    text, texts = bytearray(), list[str]()
    tokens, marked = list[tuple[int, int]](), dict[tuple[str, object], Mark]()
    for number, line in enumerate(lines, 1):
        if line.startswith("#Text="):
            texts.append(_plain(line[6:]))
            continue
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        row, place = ROW.fullmatch(cells[0]), PLACE.fullmatch(cells[1]) if len(cells) > 2 else None
        if not row or not place:
            found.left_out["rows that are no tokens"] += 1
            continue
        start, end = int(place[1]), int(place[2])
        if texts:
            _write(text, start, "\n".join(texts), cells[2], source, number, len(content))
            texts = []
        if row[3] is None:
            tokens.append((start, end))
        for layer in layers:
            _mark(layer, cells, (number, start, end), marked, found.left_out)
    found.tokens, found.marks = tokens, list(marked.values())
    found.text = text.decode("utf-16-le", "surrogatepass")
    return found.converted(Offsets(utf16_starts(found.text)))


def _header(lines: Sequence[str]) -> list[_Layer]:
    layers, at = list[_Layer](), 3
    for line in lines:
        if line.startswith("#T_"):
            kind, _, rest = line[3:].partition("=")
            name, *features = rest.split("|")
            layers.append(_Layer(kind, name, tuple(features or [""]), at))
            at += len(layers[-1].features)
        elif line and not line.startswith("#"):
            break
    return layers


def _write(
    text: bytearray, start: int, sentence: str, token: str, source: str, row: int, most: int
) -> None:
    """A sentence at its place: that of its first token, less the white space before that."""
    solid = sentence.find(token) if token else 0
    start -= utf16_starts(sentence[: max(0, solid)])[-1] if solid > 0 else 0
    if start > len(text) // 2 + most + 1000:
        raise InputError(
            f"the token {token!r} is said to begin at {start:,}, far behind the text before it",
            file=source,
            row=row,
        )
    text.extend("\n".encode("utf-16-le") * max(0, start - len(text) // 2))
    del text[2 * max(0, start) :]
    text.extend(sentence.encode("utf-16-le", "surrogatepass"))


def _mark(
    layer: _Layer,
    cells: Sequence[str],
    place: tuple[int, int, int],
    marked: dict[tuple[str, object], Mark],
    left_out: Counter[str],
) -> None:
    row, start, end = place
    if layer.kind != "SP":
        first = cells[layer.at] if layer.at < len(cells) else "_"
        if first not in ("_", ""):
            what = {"RL": "relations", "CH": "links of chains"}.get(layer.kind, "other layers")
            left_out[what] += len(PIECE.findall(first))
        return
    slots = [f.startswith("ROLE_") for f in layer.features]
    if any(slots) and layer.at < len(cells) and any(_values(cells, layer.at + slots.index(True))):
        left_out["links of slots"] += 1
    for k, feature in enumerate(layer.features):
        if k > 0 and slots[k - 1]:  # the targets of the links
            continue
        for n, (key, value) in enumerate(_values(cells, layer.at + k)):
            mark = marked.setdefault(
                (layer.name, key or (row, n)), Mark(start, end, layer.name, {})
            )
            if start < mark.start or end > mark.end:
                mark = Mark(min(start, mark.start), max(end, mark.end), layer.name, mark.values)
                marked[layer.name, key or (row, n)] = mark
            if not slots[k]:
                mark.values.setdefault(feature, () if value is None else (value,))


def _values(cells: Sequence[str], at: int) -> Iterator[tuple[str, str | None]]:
    """The id and the value of each annotation stacked in a cell."""
    cell = cells[at] if at < len(cells) else "_"
    if cell in ("_", ""):
        return
    for piece in PIECE.findall(cell):
        value, _, name = piece, None, ID.search(piece)
        before = piece[: name.start()] if name else ""
        if (len(before) - len(before.rstrip("\\"))) % 2:
            name = None  # the bracket is escaped
        if name:
            value = before
        yield name[1] if name else "", None if value == "*" else _plain(value)


def _plain(text: str) -> str:
    return ESCAPE.sub(lambda m: MEANT.get(m[1], m[1]), text)


FORMAT = Format("WebAnno TSV", is_tsv, read_documents("WebAnno TSV", "layers", is_tsv, _documents))
