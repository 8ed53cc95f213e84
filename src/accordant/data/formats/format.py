"""What a format of a platform is, and which one files have: by their content, not their names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ..annotations import Annotations
from ..options import Options
from .encodings import decode

if TYPE_CHECKING:
    from .import_report import Import


START = 1 << 16  # bytes by which a format is recognised
ARROW = (b"ARROW1\0\0", b"\xff\xff\xff\xff")  # which a file and a stream of arrow begin with
SIGNS = {
    "inception": r'\A[^\n]*exportedproject|"annotation_documents"|"doc"\s*:|n"?,"?Document',
    "webanno_tsv": r"(?i)\n#FORMAT=WebAnno|\n#Text=",
    "uima_cas": r'<xmi:XMI|"%TYPES"',
    "brat": r"\A[^\n]*\.ann\n|\A[^\n]*\n\s*[TRAENM#*]\d*\t",
    "refi_qda": r"\A[^\n]*\.qde\n|qda-xml|<Project[\s>]",
    "conll": r"(?i)\A[^\n]*\.(conll\w*|io(b|b2)|bio|bioes)\n|(?-i:[\t ][BIESLUM]-\w)|\n1\t\S+\t",
    "label_studio": r'"(annotations|completions|inner_id)"',
    "label_studio_table": r"annotation_id|\nPK",
    "prodigy": r'"_input_hash"',
    "argilla": r"responses",
    "potato": r"instance_id|displayed_text|label_annotations|instance_id_ordering|\"schema\"",
    "hugging_face": r"ClassLabel|_data_files|splits|features|ARROW1|\.arrow\n|annotators?|label_",
    "alt_test": r'\A[^\n]*\n\s*\{\s*"[^"]*"\s*:\s*\{',
    "doccano": r'"(label|cats|entities|bbox|segmentation)"\s*:\s*\[',
    "qda_tables": r"(?i)segment|kappa|\nPK",
}
"""The modules of this folder with a `FORMAT`, in the order in which they are tried: each is
imported only for files whose name and first bytes (a line between them) show its sign."""


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
        """Of a Parquet or arrow file the part that names its columns; nothing of another."""
        if self.start.startswith(ARROW):
            return self.start
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
    def signs(self) -> str:
        """The name and the first bytes, of Parquet the names of the columns."""
        return f"{self.path.name}\n{self.head}{self.footer.decode('latin-1')}"

    def text(self, options: Options) -> str:
        """All of it, decoded."""
        return decode(self.load(), self.source)

    def records(self, options: Options) -> Iterator[tuple[int, Any]]:
        """The members of a JSON list, the one JSON object, or JSON lines, numbered from 1.

        Raises
        ------
        InputError
            With the number of the value from which on the file is no JSON.
        """
        from .json_records import values_of

        with self.local.open("rb") if self.local is not None else BytesIO(self.load()) as stream:
            yield from values_of(stream, self.source)


def objects(found: Any) -> list[dict[str, Any]]:
    """The members of a JSON list that are objects; none of anything else."""
    return [x for x in found if isinstance(x, dict)] if isinstance(found, list) else []


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
def _added() -> Mapping[str, Format]:
    """The formats of installed packages, under the entry point ``accordant.formats``."""
    return {e.name: _loaded(e) for e in entry_points(group="accordant.formats")}


def _loaded(entry: EntryPoint) -> Format:
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


def _built_in(key: str) -> Format:
    found: Format = import_module(f"{__name__.rpartition('.')[0]}.{key}").FORMAT
    return found


def formats() -> Mapping[str, Format]:
    """All formats by their key: those of installed packages, then those built in.

    Raises
    ------
    InputError
        If a package is installed whose format cannot be loaded.
    """
    return {**_added(), **{key: _built_in(key) for key in SIGNS}}


def format_of(files: Sequence[File]) -> Format | None:
    """The first format that takes one of the files."""
    for found in _added().values():
        if any(map(found.takes, files)):
            return found
    for key, sign in SIGNS.items():
        called = [f for f in files if re.search(sign, f.signs)]
        if called and any(map((found := _built_in(key)).takes, called)):
            return found
    return None
