"""Folders, zip archives and compressed files: members that are whole, no more than can be meant."""

from __future__ import annotations

import gzip
import lzma
import re
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath

from ...errors import InputError
from .format import START, File

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
WORKBOOK = (ZIP, b"\xd0\xcf\x11\xe0")  # .xlsx and .ods; .xls
MOST_BYTES = 2 << 30  # of all members, unpacked
MOST_MEMBERS = 200_000
MOST_RATIO = 200  # unpacked to packed: text packs 10 : 1, a bomb 1,000 : 1
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    KeyError,
)
"""What `zipfile` raises on archives that are damaged, protected or packed in an unknown way."""
_TABLES = re.compile(r"\.(csv|tsv|tab|xls[xm]?|ods|parquet|pq|jsonl|ndjson|json|z?sav|dta)")
_MAYBE = frozenset((".txt", ".dat", ""))  # tables only where nothing else is


def opened(content: bytes, source: str, what: str = "zip archive") -> zipfile.ZipFile:
    """An archive whose members have a size that can be meant; ``what`` is what messages call it.

    Raises
    ------
    InputError
        If it is damaged, or unpacks to more than is read.
    """
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        infos = archive.infolist()
    except DAMAGE as error:
        raise InputError(
            f"the {what} cannot be opened, it may be damaged ({error})", file=source
        ) from None
    size = sum(i.file_size for i in infos)
    most = min(MOST_BYTES, MOST_RATIO * len(content) + (1 << 20))
    if size > most or len(infos) > MOST_MEMBERS:
        raise InputError(
            f"the {what} unpacks to {size / 1e6:,.0f} MB in {len(infos):,} files, "
            "more than is read. Give what is needed of it, unpacked",
            file=source,
        )
    return archive


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: str, most: int = -1) -> bytes:
    """A member, or its first bytes; never more than the archive says that it holds."""
    try:
        with archive.open(info) as f:
            return f.read(info.file_size if most < 0 else most)
    except DAMAGE as error:
        raise InputError(f"cannot be unpacked ({error})", file=source) from None


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
        file = _decompressed(path)
    if file.start.startswith(ZIP):
        yield from _members(path.read_bytes(), path.name, file)
    else:
        yield file


def _hidden(path: PurePosixPath) -> bool:
    hidden = (part.startswith((".", "__MACOSX")) for part in path.parts if part != ".argilla")
    return any(hidden)


def _file(path: Path, source: str, inside: PurePosixPath) -> File:
    with path.open("rb") as f:
        return File(source, inside, path.read_bytes, f.read(START), path)


def _decompressed(path: Path) -> File:
    """The one file that gzip packed."""
    name = path.stem if path.suffix.lower() in (".gz", ".gzip") else path.name
    most = min(MOST_BYTES, MOST_RATIO * path.stat().st_size + (1 << 20))

    def load(size: int = most + 1) -> bytes:
        try:
            with gzip.open(path) as packed:
                content = packed.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"the compressed file is damaged ({error})", file=path.name) from None
        if len(content) > most:
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
    if {"[Content_Types].xml", "mimetype"} & {i.filename for i in infos}:  # of office programs
        yield whole
        return
    for info in infos:
        inside = PurePosixPath("".join(c if c.isprintable() else "�" for c in info.filename))
        if _hidden(inside):
            continue
        name = f"{source}: {inside}"
        load = partial(unpacked, archive, info, name)
        if info.filename.lower().endswith(".zip") and depth == 0:
            for inner in _members(load(), name, File(name, inside, load, b""), depth + 1):
                yield replace(inner, path=inside.parent / inner.path)
        else:
            yield File(name, inside, load, load(START))


# ------------------------------------------------------------------ plain tables


@contextmanager
def tables_in(paths: Sequence[Path]) -> Iterator[tuple[list[Path], tuple[tuple[str, int], ...]]]:
    """The files given, in place of folders and archives the tables in them; and what is left out.

    Raises
    ------
    InputError
        If a folder or archive holds no table.
    """
    packed = {p: files_of([p]) for p in paths if p.exists() and _packed(p)}
    if not packed:
        yield list(paths), ()
        return
    with tempfile.TemporaryDirectory(prefix="accordant.") as folder:
        found, left = list[Path](), 0
        for k, path in enumerate(paths):
            if path not in packed:
                found.append(path)
                continue
            files = packed[path]
            kept = _tables(files) if len(files) > 1 or path.is_dir() else files
            if not kept:
                names = ", ".join(repr(str(f.path)) for f in files[:3])
                shown = f" ({names}{', …' if len(files) > 3 else ''})" if files else ""
                raise InputError(
                    f"no table was found among its {len(files):,} files{shown}", file=path.name
                )
            left += len(files) - len(kept)
            found += [path / f.path if path.is_dir() else _written(f, folder, k) for f in kept]
        yield found, ((("files that are no tables", left),) if left else ())


def _packed(path: Path) -> bool:
    """Whether a path is a folder, a compressed file or an archive that is no document."""
    if path.is_dir():
        return True
    with path.open("rb") as f:
        start = f.read(4)
    if start != ZIP:
        return start.startswith(GZIP)
    if [f.source for f in files_of([path])] == [path.name]:
        return False
    with zipfile.ZipFile(path) as archive:
        return not any(n.startswith(("word/", "xl/", "ppt/")) for n in archive.namelist())


def _tables(files: Sequence[File]) -> list[File]:
    known = [f for f in files if _TABLES.fullmatch(f.suffix)]
    return known or [f for f in files if f.suffix in _MAYBE and f.path.stem.lower() != "readme"]


def _written(file: File, folder: str, k: int) -> Path:
    """A member of an archive as a file of its own, in a folder that is called as in the archive."""
    inside = [part for part in re.split(r"[/\\:]", str(file.path)) if part.strip(". ")]
    path = Path(folder, str(k), *inside)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.load())
    except OSError as error:  # a name that is too long here, or both a file and a folder
        raise InputError(f"cannot be unpacked ({error.strerror})", file=file.source) from None
    return path
