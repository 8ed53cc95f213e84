"""Everything that belongs to a report in one folder or ZIP file, with the hash of every file."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..data.saving import save
from ..errors import RequestError
from ..resolution.exporting import bundle, final_rows, status_lines
from ..resolution.refusal import Refused
from ..resolution.views import cases, round_sheet
from ..results import plain
from .blocks import Table
from .document import Document
from .project_rounds import rounds_of
from .project_subject import Subject

__all__ = ["bundle_files", "write_bundle"]

MOMENT = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # the same in every ZIP file, so that equal content gives equal bytes
MANIFEST, SUMS, STATUS = "manifest.json", "SHA256SUMS", "STATUS.txt"
Progress = Callable[[int, int], None]


def bundle_files(
    subject: Subject, report: Document, drawn: Mapping[str, Callable[[], bytes]],
    progress: Progress | None = None,
) -> dict[str, bytes]:  # fmt: skip
    """The files of a bundle by their name, the manifest and the sums last.

    Parameters
    ----------
    subject : Subject
    report : Document
        The report of the project.
    drawn : mapping of str to callable
        Ending → the report in this format.
    progress : callable, optional

    Returns
    -------
    dict of str to bytes
        STATUS.txt, data (``round-1.csv`` …, ``final.csv``, ``cases.csv``, ``agreement.csv``,
        ``project.json`` with the log), the report in each format, ``manifest.json`` (name, bytes,
        SHA-256, rows) and ``SHA256SUMS``, which ``sha256sum -c`` checks.
    """
    makers = [*_makers(subject, report)]
    makers += [(f"report{end}", partial(_rendered, draw)) for end, draw in drawn.items()]
    files: dict[str, bytes] = {}
    rows: dict[str, int] = {}
    for done, (name, make) in enumerate(makers):
        if progress is not None:
            progress(done, len(makers))
        made = make()
        if made is None:
            continue
        content, n = made
        files[name] = content
        if n is not None:
            rows[name] = n
    if progress is not None:
        progress(len(makers), len(makers))
    files[MANIFEST] = _manifest(subject, files, rows)
    files[SUMS] = "".join(f"{_sha(content)}  {name}\n" for name, content in files.items()).encode()
    return files


Made = tuple[bytes, int | None] | None


def _makers(subject: Subject, report: Document) -> Iterator[tuple[str, Callable[[], Made]]]:
    state, person = subject.state, subject.person
    status = status_lines(state)[1].removeprefix("status: ")
    yield (
        STATUS,
        lambda: (("\n".join([*status_lines(state), report.signature]) + "\n").encode(), None),
    )
    yield "final.csv", lambda: _final(subject)
    for some in subject.epoch.rounds:
        if some.closed:
            yield f"round-{some.number}.csv", partial(_round, subject, some.number, status)
    yield (
        "cases.csv",
        lambda: _csv((row.row() for row in cases(state, person, earlier=True)), status),
    )
    yield "agreement.csv", lambda: _csv(_agreement(subject), status)
    yield "tables.json", lambda: (_json(plain(_tables(report))), None)
    yield "project.json", lambda: (_json(bundle(state, subject.records, person)), None)


def _rendered(draw: Callable[[], bytes]) -> Made:
    return draw(), None


# ------------------------------------------------------------------ the files


def _json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def _csv(rows: Iterable[Mapping[str, Any]], status: str) -> Made:
    """Rows with the release status in the last column; nothing if there are none."""
    found = list(rows)
    if not found:
        return None
    buffer = io.StringIO()
    names = list(dict.fromkeys(name for row in found for name in row))
    named = names if "status" in names else [*names, "status"]
    writer = csv.DictWriter(buffer, named, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows({"status": status, **{k: _cell(x) for k, x in row.items()}} for row in found)
    return buffer.getvalue().encode(), len(found)


def _cell(x: Any) -> Any:
    return "" if x is None or x != x else x  # NaN is not equal to itself


def _final(subject: Subject) -> Made:
    try:
        return _csv(final_rows(subject.state, subject.person), subject.status)
    except Refused:
        return None  # while a round is open, or abandoned: STATUS.txt says so


def _round(subject: Subject, number: int, status: str) -> Made:
    """The annotations of a round, as `accordant.read` takes them."""
    return _csv(_lines(subject, number), status)


def _lines(subject: Subject, number: int) -> Iterator[dict[str, Any]]:
    for line in round_sheet(subject.state, number, subject.person):
        row = line.row()
        yield {"item": row.pop("item"), "question": row.pop("question"), "coder": row.pop("coder"),
               "label": row.pop("answer"), "declined": line.declined, **row}  # fmt: skip


def _agreement(subject: Subject) -> Iterator[dict[str, Any]]:
    for figures in rounds_of(subject):
        if figures.study is None:
            continue
        tables = [("", figures.study.table.rows)]
        tables += [(g, t.of_question(None)) for g, t in figures.groups.items()]
        for group, rows in tables:
            for row in rows:
                yield {"round": figures.round.number, "group": group, **row.to_rows()[0]}


def _tables(report: Document) -> list[dict[str, Any]]:
    """Every table of the report, unrounded."""
    return [
        {
            "section": section.key,
            "title": block.title,
            "columns": [{"key": c.key, "heading": c.heading} for c in block.columns],
            "rows": block.to_rows(),
        }
        for section in report.sections
        for block in section.every_block()
        if isinstance(block, Table)
    ]


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(subject: Subject, files: Mapping[str, bytes], rows: Mapping[str, int]) -> bytes:
    listed = [
        {"file": name, "bytes": len(content), "sha256": _sha(content)}
        | ({"rows": rows[name]} if name in rows else {})
        for name, content in files.items()
    ]
    content = {
        "project": subject.state.title,
        "id": subject.state.project,
        "status": subject.status,
        "flags": list(subject.now.flags),
        "withheld": subject.sight.until,
        "toolbox": subject.toolbox,
        "head": subject.head,
        "files": listed,
    }
    return _json(content)


# ------------------------------------------------------------------ writing


def write_bundle(files: Mapping[str, bytes], path: str | os.PathLike[str]) -> Path:
    """Write files into a ZIP file, or into a new folder.

    Parameters
    ----------
    files : mapping of str to bytes
    path : path
        Ends in ``.zip``, or is a folder that does not exist yet or is empty.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    RequestError
        If the folder holds something already, or cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() == ".zip":
        content = _zipped(list(files.items()), target.stem)
        save(target, lambda new: new.write_bytes(content))
        return target
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RequestError(f"{str(target)!r} holds something already: name a new folder, or a .zip")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (target / name).write_bytes(content)
    except OSError as error:
        raise RequestError(f"cannot write the bundle to {str(target)!r}: {error}") from error
    return target


def _zipped(files: Sequence[tuple[str, bytes]], folder: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(f"{folder}/{name}", MOMENT)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()
