"""Plain tables in folders, zip archives and compressed files, each as a file of its own."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...errors import InputError
from .format import GZIP, File, files_of

__all__ = ["tables_in"]

_TABLES = frozenset(
    (
        ".csv",
        ".tsv",
        ".tab",
        ".xlsx",
        ".xlsm",
        ".xls",
        ".ods",
        ".parquet",
        ".pq",
        ".jsonl",
        ".ndjson",
        ".json",
        ".sav",
        ".zsav",
        ".dta",
    )
)
_MAYBE = frozenset((".txt", ".dat", ""))  # tables only where nothing else is


@contextmanager
def tables_in(paths: Sequence[Path]) -> Iterator[tuple[list[Path], tuple[tuple[str, int], ...]]]:
    """The files given, in place of folders and archives the tables in them; and what is left out.

    Raises
    ------
    InputError
        If a folder or archive holds no table.
    """
    packed = [p for p in paths if p.exists() and _packed(p)]
    if not packed:
        yield list(paths), ()
        return
    with tempfile.TemporaryDirectory(prefix="accordant.") as folder:
        found: list[Path] = []
        left = 0
        for k, path in enumerate(paths):
            if path not in packed:
                found.append(path)
                continue
            files = files_of([path])
            kept = _tables(files) if len(files) > 1 or path.is_dir() else files
            if not kept:
                names = ", ".join(repr(str(f.path)) for f in files[:3])
                raise InputError(
                    f"no table was found among its {len(files):,} files"
                    + (f" ({names}{', …' if len(files) > 3 else ''})" if files else ""),
                    file=path.name,
                )
            left += len(files) - len(kept)
            found += [path / f.path if path.is_dir() else _written(f, folder, k) for f in kept]
        yield found, ((("files that are no tables", left),) if left else ())


def _packed(path: Path) -> bool:
    if path.is_dir():
        return True
    with path.open("rb") as f:
        start = f.read(4)
    if start != b"PK\x03\x04":
        return start.startswith(GZIP)
    return [f.source for f in files_of([path])] != [path.name] and not _document(path)


def _document(path: Path) -> bool:
    """Whether an archive is a document of an office program."""
    with zipfile.ZipFile(path) as archive:
        return any(n.startswith(("word/", "xl/", "ppt/")) for n in archive.namelist())


def _tables(files: Sequence[File]) -> list[File]:
    known = [f for f in files if f.suffix in _TABLES]
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
