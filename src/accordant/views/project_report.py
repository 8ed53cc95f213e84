"""The report of a project: from its state and log to one document, and to a bundle of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from .._version import __version__
from ..errors import RequestError
from ..literature import reference
from ..numbers import count_of, decimal, interval
from ..resolution.project import Project
from ..resolution.state import State
from ..resolution.store.record import Record
from ..resolution.words import CaseState, Purpose
from ..validation import checked
from .blocks import Figure, References
from .document import Document, Section
from .project_bundle import Progress, bundle_files, write_bundle
from .project_cases import cases_section
from .project_causes import causes_section
from .project_procedure import MEANING, flags, notice_section, procedure_section
from .project_reannotation import again_section
from .project_rounds import agreement_section, main_measure, resolved, rounds_of
from .project_statement import statement_section
from .project_subject import Subject
from .project_toolbox import toolbox_section

__all__ = ["ProjectReport", "project_report"]

HASH = 12  # characters of a hash in a signature
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
            {"round": figures.round.number, **row}
            for figures in rounds_of(self.subject)
            if figures.study is not None
            for row in figures.study.table.to_rows()
        ]

    @property
    def facts(self) -> dict[str, Any]:
        """Status, what must be said with it, and the hashes."""
        of = self.subject
        return {"status": self.status, "flags": flags(of), "head": of.head, "toolbox": of.toolbox}

    def save_bundle(
        self, path: str | os.PathLike[str], *, formats: Sequence[str] = (".html", ".md", ".json"),
        progress: Progress | None = None,
    ) -> Path:  # fmt: skip
        """Write the report with all data, one folder or ZIP file with the hash of every file.

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
        drawn = {end: partial(_drawn, self, end) for end in formats}
        return write_bundle(bundle_files(self.subject, self, drawn, progress), path)

    def summary(self) -> str:
        """The essentials as text, for a terminal."""
        return "\n".join([self.title, "=" * len(self.title), *self.verdict])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<ProjectReport: {self.title} {len(self.sections)} sections>"

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.verdict)


def _drawn(report: ProjectReport, ending: str) -> bytes:
    """The report in a format."""
    with TemporaryDirectory() as folder:
        return report.save(Path(folder) / f"report{ending}").read_bytes()


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
    state, log = _opened(project, records)
    subject = Subject(state, log, person, dict(options))
    sections = tuple(found for make in _CHAPTERS if (found := make(subject)) is not None)
    return ProjectReport(
        title=title or f"{state.title or 'A project'}: how disagreement was resolved",
        overline=f"Report of a project · {subject.status} · Accordant {__version__}",
        verdict=tuple(_verdict(subject)),
        figures=tuple(_figures(subject)),
        sections=(*sections, _references()),
        evidence=subject.collector.evidence(),
        table=subject,
    )


def _opened(
    project: Project | State, records: Sequence[Record] | None
) -> tuple[State, Sequence[Record]]:
    if isinstance(project, State):
        return project, tuple(records or ())
    state = project.refresh()
    return state, [r for r in project.records() if r.seq <= state.seq]


# ------------------------------------------------------------------ what stands at the top


def _verdict(subject: Subject) -> Iterator[str]:
    """The status first, then what it rests on."""
    yield f"{subject.status} {MEANING[subject.now.status]}"
    if subject.sight.round is not None:
        yield (
            f"Round {subject.sight.round.number} of annotation is open. Answers, cases and figures "
            "of what is annotated in it are withheld until it closes."
        )
    n_items, n_coders = len(subject.state.items.ids), len(subject.state.coders)
    n_questions = len(subject.epoch.questions)
    if n_items and n_questions:
        yield (
            f"{count_of(n_items, 'item')}, {count_of(n_questions, 'question')}, "
            f"{count_of(n_coders, 'coder')}."
        )
    for lead in (_lead(agreement_section(subject)), _lead(causes_section(subject))):
        if lead and rounds_of(subject):
            yield lead
    if resolved(subject):
        yield "After resolution agreement is 1 by construction, which is no measurement."
    departures = len(subject.state.deviations)
    if departures:
        codes = dict.fromkeys(d.code for d in subject.state.deviations)
        yield f"{count_of(departures, 'departure')} from the procedure: {'; '.join(codes)}."


def _lead(section: Section | None) -> str:
    return section.lead if section is not None else ""


def _figures(subject: Subject) -> Iterator[Figure]:
    for figures in rounds_of(subject)[:1]:
        if figures.study is not None:
            row = figures.study.whole.get(main_measure(figures)) or figures.study.whole.main
            name = figures.study.whole.name(row)
            yield Figure(
                f"{name} before resolution", decimal(row.value),
                f"{interval(row.low, row.high)}, n = {row.n_pairable:,}",
            )  # fmt: skip
    cases = subject.cases
    if cases:
        agreed = sum(c.state is CaseState.AGREED for c in cases)
        yield Figure("cases", f"{len(cases):,}", f"{agreed:,} agreed")
        live = sum(c.live for c in cases)
        unresolved = sum(c.state is CaseState.UNRESOLVED for c in cases)
        yield Figure("unresolved", f"{unresolved:,}", f"{live:,} still to be resolved")
    if subject.state.purpose is not Purpose.ELICIT_VARIATION and subject.epoch.orders:
        waived = sum(bool(o.waived) for o in subject.epoch.orders)
        yield Figure("orders to annotate again", f"{len(subject.epoch.orders):,}",
                     f"{waived:,} waived")  # fmt: skip


def _references() -> Section:
    entries = []
    for key in ("bender2018", "oortwijn2021"):
        start, found, doi = reference(key).rpartition(" https://doi.org/")
        entries.append((key, start if found else reference(key),
                        f"https://doi.org/{doi}" if found else ""))  # fmt: skip
    return Section(
        "references", "How to cite", "The procedure and the form of the data statement.",
        (References(tuple(entries)),),
    )  # fmt: skip
