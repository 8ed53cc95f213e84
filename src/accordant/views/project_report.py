"""The report of a project: from its state and log to one document, and to a bundle of files.

A bundle is one folder or ZIP file with everything that belongs to a report, and the hash of every
file.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import msgspec

from .._version import __version__
from ..data.atomic_file import save
from ..errors import RequestError
from ..numbers import count_of, decimal, interval
from ..resolution.command import Refused
from ..resolution.exports import bundle, final_rows, status_lines
from ..resolution.project import Project
from ..resolution.state import State
from ..resolution.store.record import Record
from ..resolution.views import cases
from ..resolution.words import CaseState
from ..resolution.work import round_sheet
from ..results import csv_of
from ..validation import checked
from .blocks import Figure
from .document import Document, Section
from .methods import literature
from .project_cases import cases_section
from .project_causes import causes_in_short, causes_section
from .project_rounds import agreement_in_short, agreement_section, resolved, rounds_of
from .project_statement import MEANING, notice_section, procedure_section, statement_section
from .project_subject import Subject
from .project_toolbox import again_section, toolbox_section

__all__ = ["ProjectReport", "project_report"]

HASH = 12  # characters of a hash in a signature
MOMENT = (1980, 1, 1, 0, 0, 0)
"""So that equal content gives equal bytes."""
MANIFEST, SUMS, STATUS = "manifest.json", "SHA256SUMS", "STATUS.txt"
Progress = Callable[[int, int], None]
_CHAPTERS: tuple[Callable[[Subject], Section | None], ...] = (
    notice_section,
    procedure_section,
    agreement_section,
    causes_section,
    cases_section,
    toolbox_section,
    again_section,
    statement_section,
)


@dataclass(frozen=True, eq=False, repr=False)
class ProjectReport(Document):
    """How disagreement was resolved, as a document; made by `project_report`."""

    table: Any  # the Subject
    contents: ClassVar[bool] = True
    endings: ClassVar[tuple[str, ...]] = (".html", ".pdf", ".md", ".json")

    @property
    def subject(self) -> Subject:
        """The project as the reader may see it."""
        found: Subject = self.table
        return found

    @property
    def status(self) -> str:
        """The release status in one sentence."""
        return self.subject.status

    @property
    def signature(self) -> str:
        """Program, project, log, toolbox and status: the last line of every page."""
        subject = self.subject
        parts = [f"accordant {self.version}", subject.status.rstrip(".")]
        parts += [f"log {subject.head[:HASH]}"] if subject.head else []
        parts += [f"toolbox {subject.toolbox[:HASH]}"] if subject.toolbox else []
        return " | ".join(parts)

    def to_rows(self) -> list[dict[str, Any]]:
        """The coefficients of every round."""
        return [
            {"round": one.round.number, **row}
            for one in rounds_of(self.subject)
            for row in one.table.to_rows()
        ]

    @property
    def facts(self) -> dict[str, Any]:
        """Status, what must be said with it, and the hashes."""
        of = self.subject
        hashes = {"head": of.head, "toolbox": of.toolbox}
        return {"status": self.status, "flags": of.now.flags, **hashes}

    def save_bundle(
        self,
        path: str | os.PathLike[str],
        *,
        formats: Sequence[str] = (".html", ".md", ".json"),
        progress: Progress | None = None,
    ) -> Path:
        """Write the report with all data, one folder or ZIP file with the hash of every file.

        STATUS.txt, data (``round-1.csv`` …, ``final.csv``, ``cases.csv``, ``agreement.csv``,
        ``project.json`` with the log), the report in each format,
        ``manifest.json`` (name, bytes, SHA-256, rows) and ``SHA256SUMS``, which ``sha256sum -c``
        checks.

        Parameters
        ----------
        path : path
            Ends in ``.zip``, or is a folder that does not exist yet.
        formats : sequence of str
            Of the report: endings as in `save`.
        progress : callable, optional
            Called with the number of files done, and of all.

        Returns
        -------
        Path
        """
        unknown = [end for end in formats if end not in self.endings]
        if unknown:
            have = ", ".join(self.endings)
            raise RequestError(f"a report has no format {unknown[0]!r}: it has {have}")
        return _write(_files(self, formats, progress or (lambda done, of: None)), Path(path))


@checked
def project_report(
    project: Project | State,
    *,
    person: str = "",
    title: str | None = None,
    records: Sequence[Record] | None = None,
    **options: Any,
) -> ProjectReport:
    """Document how disagreement was resolved: agreement, cases, causes, toolbox, procedure."""
    if isinstance(project, State):
        state, log = project, tuple(records or ())
    else:
        state = project.refresh()
        log = tuple(record for record in project.records() if record.seq <= state.seq)
    subject = Subject(state, log, person, dict(options))
    sections = tuple(found for make in _CHAPTERS if (found := make(subject)) is not None)
    cited = tuple(literature(("bender2018", "oortwijn2021")))
    lead = "The procedure and the form of the data statement."
    return ProjectReport(
        title=title or f"{state.title or 'A project'}: how disagreement was resolved",
        overline=f"Report of a project · {subject.status} · Accordant {__version__}",
        verdict=tuple(_verdict(subject)),
        figures=tuple(_figures(subject)),
        sections=(*sections, Section("references", "How to cite", lead, cited)),
        evidence=subject.collector.evidence(),
        table=subject,
    )


# ------------------------------------------------------------------ what stands at the top


def _verdict(subject: Subject) -> Iterator[str]:
    """The status first, then what it rests on."""
    state = subject.state
    yield f"{subject.status} {MEANING[subject.now.status]}"
    if subject.sight.round is not None:
        yield f"What is being annotated is {subject.sight.until}."
    if state.items.ids and subject.epoch.questions:
        items, coders = count_of(len(state.items.ids), "item"), count_of(len(state.coders), "coder")
        yield f"{items}, {count_of(len(subject.epoch.questions), 'question')}, {coders}."
    if rounds_of(subject):
        yield agreement_in_short(subject)
        yield from filter(None, (causes_in_short(subject),))
    if resolved(subject):
        yield "After resolution agreement is 1 by construction, which is no measurement."
    if state.deviations:
        codes = dict.fromkeys(deviation.code for deviation in state.deviations)
        n = count_of(len(state.deviations), "departure")
        yield f"{n} from the procedure: {'; '.join(codes)}."


def _figures(subject: Subject) -> Iterator[Figure]:
    for one in rounds_of(subject)[:1]:
        small = f"{interval(one.main.low, one.main.high)}, n = {one.main.n_pairable:,}"
        yield Figure(f"{one.names[one.key]} before resolution", decimal(one.main.value), small)
    if cases := subject.cases:
        agreed = sum(c.state is CaseState.AGREED for c in cases)
        live = sum(c.live for c in cases)
        yield Figure("cases", f"{len(cases):,}", f"{agreed:,} agreed, {live:,} to be resolved")
    if orders := subject.epoch.orders:
        waived = f"{sum(bool(order.waived) for order in orders):,} waived"
        yield Figure("orders to annotate again", f"{len(orders):,}", waived)


# ------------------------------------------------------------------ the files of a bundle


def _files(report: ProjectReport, formats: Sequence[str], progress: Progress) -> dict[str, bytes]:
    """The files of a bundle by their name, the manifest and the sums last."""
    status = status_lines(report.subject.state)[1].removeprefix("status: ")
    makers, files, rows = [*_makers(report, formats)], dict[str, bytes](), dict[str, int]()
    for done, (name, make) in enumerate(makers):
        progress(done, len(makers))
        made = make()
        if isinstance(made, bytes):
            files[name] = made
        elif name.endswith(".json"):
            files[name] = _json(made)
        elif listed := list(made):
            told = ({**row, "status": row.get("status", status)} for row in listed)
            files[name], rows[name] = csv_of([*told]).encode(), len(listed)
    progress(len(makers), len(makers))
    files[MANIFEST] = _json(_manifest(report.subject, files, rows))
    files[SUMS] = "".join(f"{_sha(content)}  {name}\n" for name, content in files.items()).encode()
    return files


def _makers(
    report: ProjectReport, formats: Sequence[str]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each file with what makes its bytes, its rows (.csv) or its content (.json)."""
    subject = report.subject
    state, person = subject.state, subject.person
    yield STATUS, ("\n".join([*status_lines(state), report.signature]) + "\n").encode
    yield "final.csv", partial(_final, subject)
    for some in subject.epoch.rounds:
        if some.closed:
            yield f"round-{some.number}.csv", partial(_round, subject, some.number)
    yield "cases.csv", lambda: (row.row() for row in cases(state, person, earlier=True))
    yield "agreement.csv", partial(_agreement, subject)
    yield "project.json", partial(bundle, state, subject.records, person)
    for end in formats:
        yield f"report{end}", partial(_drawn, report, end)


def _drawn(report: ProjectReport, ending: str) -> bytes:
    """The report in a format."""
    with TemporaryDirectory() as folder:
        return report.save(Path(folder) / f"report{ending}").read_bytes()


def _json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def _final(subject: Subject) -> Iterable[dict[str, str]]:
    try:
        return final_rows(subject.state, subject.person)
    except Refused:
        return ()  # while a round is open, or abandoned: STATUS.txt says so


def _round(subject: Subject, number: int) -> Iterator[dict[str, Any]]:
    """The annotations of a round, as `accordant.read` takes them."""
    for line in round_sheet(subject.state, number, subject.person):
        row = line.row()
        names = {"item": "item", "question": "question", "coder": "coder", "answer": "label"}
        first = {new: row.pop(name) for name, new in names.items()}
        yield {**first, "declined": line.declined, **row}


def _agreement(subject: Subject) -> Iterator[dict[str, Any]]:
    for one in rounds_of(subject):
        for row in one.table.rows:
            yield {"round": one.round.number, **row.to_rows()[0]}


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(
    subject: Subject, files: Mapping[str, bytes], rows: Mapping[str, int]
) -> dict[str, Any]:
    counted = {name: {"rows": n} for name, n in rows.items()}
    return {
        "project": subject.state.title,
        "id": subject.state.project,
        "status": subject.status,
        "flags": list(subject.now.flags),
        "withheld": subject.sight.until,
        "toolbox": subject.toolbox,
        "head": subject.head,
        "files": [
            {"file": name, "bytes": len(content), "sha256": _sha(content), **counted.get(name, {})}
            for name, content in files.items()
        ],
    }


def _write(files: Mapping[str, bytes], target: Path) -> Path:
    """Write files into a ZIP file, or into a folder that does not exist yet or is empty."""
    if target.suffix.lower() == ".zip":
        content = _zipped(files, target.stem)
        save(target, lambda new: new.write_bytes(content))
        return target
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RequestError(f"{str(target)!r} holds something: name a new folder, or a .zip")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (target / name).write_bytes(content)
    except OSError as error:
        raise RequestError(f"cannot write the bundle to {str(target)!r}: {error}") from error
    return target


def _zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(f"{folder}/{name}", MOMENT)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()
