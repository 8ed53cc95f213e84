"""What a format of a platform is: how it is recognised, read and written, in one definition."""

from __future__ import annotations

import csv
import gzip
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from io import BytesIO, StringIO
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import InputError
from ..annotations import Annotations
from ..options import Options
from .archives import MOST_BYTES, MOST_RATIO, opened, unpacked
from .cells import WORKBOOK, cells_of, first_cells
from .encodings import decode
from .import_report import Import
from .json_stream import blocks_of, values_of

__all__ = ["GZIP", "File", "Format", "files_of", "format_of", "formats"]

BUILT_IN = (
    "inception",
    "webanno_tsv",
    "uima_cas",
    "brat",
    "pdtb",
    "refi_qda",
    "conll",
    "label_studio",
    "label_studio_table",
    "prodigy",
    "argilla",
    "gate_teamware",
    "potato",
    "hugging_face",
    "le_wi_di",
    "alt_test",
    "doccano",
    "appen",
    "toloka",
    "mturk",
    "qda_tables",
)
"""Modules of this folder with a `FORMAT`, in the order in which they are tried."""
GZIP = b"\x1f\x8b"
START = 1 << 16  # bytes by which a format is recognised
MOST_WORKBOOK = 16 << 20  # bytes of a workbook that is opened to see whose export it is


@dataclass(frozen=True)
class File:
    """A file, or a member of a folder or archive.

    Parameters
    ----------
    source : str
        As messages call it: ``project.zip: annotation/a.txt/anna.tsv``.
    path : PurePosixPath
        Inside the folder or archive; of a single file its name.
    load : callable
        Its bytes.
    start : bytes
        The first of them, enough to recognise it.
    local : Path, optional
        Where it lies, unless it is a member of an archive.
    """

    source: str
    path: PurePosixPath
    load: Callable[[], bytes] = field(repr=False)
    start: bytes = field(repr=False)
    local: Path | None = None

    @property
    def suffix(self) -> str:
        """The suffix in small letters: '.json'."""
        return self.path.suffix.lower()

    @cached_property
    def footer(self) -> bytes:
        """Of a Parquet file the part that names its columns; nothing of another."""
        if not self.start.startswith(b"PAR1"):
            return b""
        if self.local is None:
            return self.load()[-START:]
        with self.local.open("rb") as f:
            size = f.seek(0, os.SEEK_END)
            f.seek(max(0, size - 8))
            f.seek(max(0, size - 8 - int.from_bytes(f.read(4), "little")))
            return f.read()

    @cached_property
    def head(self) -> str:
        """The start as text, white space before it and a cut last line gone."""
        marks = (b"\xff\xfe", b"\xfe\xff")
        encoding = "utf-16" if self.start.startswith(marks) else "utf-8-sig"
        text = self.start.decode(encoding, "replace").lstrip()
        return text.rpartition("\n")[0] or text if len(self.start) >= START else text

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that hold anything."""
        return [line for line in self.head.split("\n") if line.strip()]

    @cached_property
    def names(self) -> list[str]:
        """The cells of the first line, as of a text whose cells are separated by commas."""
        try:
            return next(csv.reader(self.lines[:1]), [])
        except csv.Error:
            return []

    @cached_property
    def record(self) -> Any:
        """The first JSON value: of a list or of JSON lines the first member. None if it is none.

        Cut where the start of a file ends: then None, and `head` has to do.
        """
        text = self.head[1:].lstrip() if self.head[:1] == "[" else self.head
        try:
            return json.JSONDecoder().raw_decode(text)[0]
        except (ValueError, RecursionError):
            return None

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The cells of the first row of a delimited text or of the first sheet; () if it is none.

        A workbook is opened for it, unless it is large.
        """
        if not self.start.startswith(WORKBOOK):
            return first_cells(self.start)
        try:
            content = self.load()
            rows = [] if len(content) > MOST_WORKBOOK else cells_of(content, "", Options())[0]
        except InputError:
            return ()
        return tuple(rows[0]) if rows else ()

    def text(self, options: Options) -> str:
        """All of it, decoded."""
        return decode(self.load(), self.source, None)

    def records(self, options: Options) -> Iterator[tuple[int, Any]]:
        """The members of a JSON list, the one JSON object, or JSON lines, with their line.

        One at a time, so that a large export in UTF-8 is never held whole.

        Raises
        ------
        InputError
            With the line where the file is no JSON.
        """
        with self.local.open("rb") if self.local is not None else BytesIO(self.load()) as stream:
            blocks = blocks_of(stream)
            yield from values_of(blocks or iter((self.text(options),)), self.source)

    def rows(self, options: Options, delimiter: str = ",") -> Iterator[tuple[int, Any]]:
        """The `records` of JSON; of a delimited text with a header a dict for each row."""
        if self.head[:1] in "[{":
            yield from self.records(options)
            return
        reader = csv.DictReader(StringIO(self.text(options), newline=""), delimiter=delimiter)
        try:
            for record in reader:
                yield reader.line_num, record
        except csv.Error as error:
            raise InputError(
                f"the line cannot be read ({error})", file=self.source, row=reader.line_num
            ) from None


@dataclass(frozen=True)
class Format:
    """A format of a platform.

    Parameters
    ----------
    name : str
        'Label Studio'.
    takes : callable
        Whether a file is of this format, by its content: looks at `File.head`, `File.record`,
        `File.path`, never at the whole.
    read : callable
        What all the files given together hold, those it takes and those beside them (texts).
    write : callable, optional
        Annotations to a path; returns sentences on what the format cannot hold.
    suffix : str
        Of files that are written: '.jsonl'.
    of_columns : bool
        Whether its data have columns of any name, and ``read`` takes those that the user names.
    """

    name: str
    takes: Callable[[File], bool]
    read: Callable[[Sequence[File], Options], Import]
    write: Callable[[Annotations, Path], tuple[str, ...]] | None = None
    suffix: str = ""
    of_columns: bool = False


@cache
def formats() -> Mapping[str, Format]:
    """All formats by their key: those of installed packages, then those built in.

    A package adds one under the entry point ``accordant.formats``: its value is a `Format`.

    Raises
    ------
    InputError
        If a package is installed whose format cannot be loaded.
    """
    package = __name__.rpartition(".")[0]
    added = {e.name: _added(e) for e in entry_points(group="accordant.formats")}
    return added | {key: import_module(f"{package}.{key}").FORMAT for key in BUILT_IN}


def _added(entry: EntryPoint) -> Format:
    whose = f"the format {entry.name!r} of the installed package {entry.dist and entry.dist.name!r}"
    try:
        found = entry.load()
    except Exception as error:  # whatever the package raises
        raise InputError(
            f"{whose} cannot be loaded ({type(error).__name__}: {error}). Update or remove it"
        ) from error
    if not isinstance(found, Format):
        raise InputError(f"{whose} is no Format: {entry.value!r}. Update or remove it")
    return found


def format_of(files: Sequence[File]) -> Format | None:
    """The first format that takes one of the files."""
    return next((f for f in formats().values() if any(map(f.takes, files))), None)


# ------------------------------------------------------------------ files, folders, archives


def files_of(paths: Sequence[Path]) -> list[File]:
    """The files given; those in a folder or a zip archive, hidden ones left out.

    Raises
    ------
    InputError
        If an archive is damaged, protected, or unpacks to more than can be meant.
    """
    found = [(path, list(_of(path))) for path in paths]
    inside = Counter(file.path for _, files in found for file in files)
    return [
        file if inside[file.path] == 1 or len(paths) == 1 else _apart(file, path)
        for path, files in found
        for file in files
    ]


def _apart(file: File, path: Path) -> File:
    """A file of one name with another, called after the folder or archive it is in."""
    whole = path.resolve()
    folder = whole.parent.name if whole.is_file() and file.path.name == whole.name else whole.stem
    source = file.source if whole.name != file.source else f"{folder}/{file.source}"
    return replace(file, source=source, path=PurePosixPath(folder) / file.path)


def _of(path: Path) -> Iterator[File]:
    if path.is_dir():
        for inner in sorted(p for p in path.rglob("*") if p.is_file()):
            name = PurePosixPath(inner.relative_to(path).as_posix())
            if not _hidden(name):
                yield _file(inner, f"{path.name}/{name}", name)
        return
    file = _file(path, path.name, PurePosixPath(path.name))
    if file.start.startswith(GZIP):
        file = _unpacked(path)
    if file.start.startswith(b"PK\x03\x04"):
        yield from _members(path.read_bytes(), path.name, file)
    else:
        yield file


def _hidden(path: PurePosixPath) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)


def _file(path: Path, source: str, inside: PurePosixPath) -> File:
    with path.open("rb") as f:
        return File(source, inside, path.read_bytes, f.read(START), path)


def _unpacked(path: Path) -> File:
    """The one file that gzip packed."""
    name = path.stem if path.suffix.lower() in (".gz", ".gzip") else path.name
    name = f"{name[:-4]}.tar" if name.endswith(".tgz") else name

    def load(most: int = MOST_BYTES + 1) -> bytes:
        try:
            with gzip.open(path) as packed:
                content = packed.read(most)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"the compressed file is damaged ({error})", file=path.name) from None
        if len(content) > min(MOST_BYTES, MOST_RATIO * path.stat().st_size + (1 << 20)):
            raise InputError(
                "the compressed file unpacks to more than is read. Unpack it and give the result",
                file=path.name,
            )
        return content

    return File(path.name, PurePosixPath(name), load, load(START))


def _members(content: bytes, source: str, whole: File, depth: int = 0) -> Iterator[File]:
    """The members of an archive, those of archives in it too; a workbook is one file."""
    try:
        archive = opened(content, source)
    except InputError:
        if depth or whole.path.suffix.lower() == ".zip":
            raise
        yield whole  # the readers of single files say what is wrong
        return
    infos = [i for i in archive.infolist() if not i.is_dir()]
    names = {i.filename for i in infos}
    if "[Content_Types].xml" in names or "mimetype" in names:  # xlsx, docx; ods, odt
        yield whole
        return
    for info in infos:
        inside = PurePosixPath("".join(c if c.isprintable() else "�" for c in info.filename))
        if _hidden(inside):
            continue
        name = f"{source}: {inside}"
        load = partial(unpacked, archive, info, name)
        if info.filename.lower().endswith(".zip") and depth == 0:
            file = File(name, inside, load, b"")
            for inner in _members(load(), name, file, depth + 1):
                yield File(inner.source, inside.parent / inner.path, inner.load, inner.start)
        else:
            yield File(name, inside, load, load(START))
