"""Which format a file has: by its content, not by its name."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from ...errors import InputError, RequestError
from ..options import Options
from ..sheet import unguarded
from ..table import Table
from .archives import WORKBOOK

_START = 1 << 13  # bytes by which a format is told
SIGNS = (b"$FL2", b"$FL3", b"<stata_dta>")  # SPSS; Stata from version 13 on
_MAGIC = {  # first bytes of files that are no tables
    b"%PDF": "a PDF; copy its table into a spreadsheet or a CSV file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"BZh": "compressed (bzip2); unpack it",
    b"\xfd7zXZ": "compressed (xz); unpack it",
    b"7z\xbc\xaf": "compressed (7z); unpack it",
    b"\x28\xb5\x2f\xfd": "compressed (zstd); unpack it",
    b"SQLite format 3": "a database; export its table as CSV",
    b"\x89HDF": "an HDF5 file; save its table as CSV or Parquet",
    b"\x93NUMPY": "a NumPy array; read it with numpy.load and give the array",
    b"RDX": "an R file; write it as CSV",
}
_TABLE = "a table with the columns item, coder and label"

# By the first lines of a text.
_TEXTS: tuple[tuple[str, str, Callable[[Sequence[str]], bool]], ...] = (
    (
        "a fastText file",
        f"It does not say who the coders are; write {_TABLE}",
        lambda lines: all(x.startswith("__label__") for x in lines),
    ),
    (
        "a web page",
        f"Save its table as CSV, or write {_TABLE}",
        lambda lines: lines[0].casefold().startswith(("<html", "<!doctype html")),
    ),
    (
        "XML, such as a type system of UIMA",
        f"Write {_TABLE}",
        lambda lines: lines[0].startswith("<"),
    ),
)
_OTHER = {".yaml": "a configuration", ".yml": "a configuration", ".md": "a Markdown text"}
_KNOWN = "CSV, TSV, XLSX, XLS, ODS, Parquet and JSON lines can be read"


def tables_of(path: Path, options: Options) -> Sequence[Table]:
    """The tables of a file: one, or one for each sheet."""
    start = _start(path)
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"this is {what} ({_KNOWN})", file=path.name)
    if options.sheet is not None and not start.startswith(WORKBOOK):
        raise RequestError(
            f"{path.name!r} is no workbook, so it has no sheet {options.sheet!r}", parameter="sheet"
        )
    if start.startswith(WORKBOOK):
        _refuse_archive(path)
        from .excel import read_excel

        return read_excel(path, options)
    if start.startswith(b"PAR1"):
        from .parquet import read_parquet

        return _own(read_parquet(path), path)
    if start.startswith(SIGNS) or path.suffix.lower() == ".dta":
        from .statistics import read_statistics

        return _own(read_statistics(path), path)
    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        from .json_records import read_json

        return _own(read_json(path), path)
    _refuse_disguised(path, start)
    _refuse_text(path, start, options)
    from .text import read_text

    return _own(unguarded(read_text(path, options)), path)


def _own(found: Table, path: Path) -> list[Table]:
    """A table that belongs to the coder after whom the file is named, if to one at all."""
    return [replace(found, coder=path.stem)]


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as f:
            return f.read(_START)
    except FileNotFoundError:
        raise InputError(f"there is no such file{_near(path)}", file=str(path)) from None
    except OSError as e:
        raise InputError(f"the file cannot be opened: {e.strerror}", file=str(path)) from None


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return f"; the folder {str(path.parent)!r} does not exist either"
    close = get_close_matches(path.name, [p.name for p in path.parent.iterdir()], 1)
    return f"; did you mean {close[0]!r}?" if close else f" in {str(path.parent.resolve())!r}"


def _refuse_archive(path: Path) -> None:
    """A zip archive that is no workbook: documents, packed exports."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            kind = archive.read("mimetype") if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        return  # no archive (.xls), or the reader of workbooks says what is wrong
    if any(n.startswith("xl/") for n in names) or b"spreadsheet" in kind:
        return
    if "word/document.xml" in names:
        raise InputError(
            f"this is a Word document; copy its table into a spreadsheet or CSV file ({_KNOWN})",
            file=path.name,
        )
    raise InputError(
        f"this is a zip archive of {len(names):,} files ({', '.join(map(repr, names[:3]))}"
        f"{', …' if len(names) > 3 else ''}), not a workbook. Unpack it and give the files that "
        f"hold the annotations ({_KNOWN})",
        file=path.name,
    )


def _refuse_disguised(path: Path, start: bytes) -> None:
    """A binary file under the name of a known format is broken, and should be called that."""
    suffix = path.suffix.lower()
    if start and suffix in (".xlsx", ".xlsm", ".parquet", ".pq"):
        raise InputError(
            f"the file is called {suffix} but is not one, or it is damaged ({_KNOWN})",
            file=path.name,
        )


def _refuse_text(path: Path, start: bytes, options: Options) -> None:
    """The error that names the tool whose text this is, unless the user says what is what."""
    if options.label or options.coder or options.layout:
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
            raise InputError(
                f"this looks like {what}, which cannot be read yet. {advice}", file=path.name
            )
