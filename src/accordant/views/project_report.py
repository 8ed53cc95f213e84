"""The report of a project: from its state and log to one document, and to a bundle of files.

A bundle is one folder or ZIP file with everything that belongs to a report, and the hash of every
file. Sections of the data statement and their letters follow Bender & Friedman (2018); J (ethical
approval) was added by Oortwijn et al. in the statements of their own data.
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
from ..api.agreement import agreement
from ..data.atomic_file import save
from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..errors import RequestError
from ..fields import FIELDS, Field
from ..measure.coefficient_value import Agreement
from ..messages import Severity
from ..numbers import count_of, decimal, interval, joined, level_text, percent
from ..resolution.as_annotations import to_annotations
from ..resolution.command import Refused
from ..resolution.ending import endings
from ..resolution.exports import bundle, final_rows, status_lines
from ..resolution.project import Project
from ..resolution.standing import standing
from ..resolution.state import Round, State
from ..resolution.statement import SECTIONS
from ..resolution.store.record import LogRecord
from ..resolution.terms import CaseState, CellState, Purpose, ReleaseStatus, Role, Settled
from ..resolution.transitions import TRANSITIONS
from ..resolution.views import cases
from ..resolution.work import round_sheet
from ..results import csv_of
from ..validation import checked
from .blocks import Figure, Finding, Prose, Table
from .coefficient_names import begun
from .coefficient_tables import methods_text, name_for_all
from .document import Document, Section
from .methods import literature
from .project_cases import cases_section
from .project_causes import causes_in_short, causes_section
from .project_subject import Subject, Told, called, chapter, minute, table
from .project_toolbox import again_section, toolbox_section

HASH = 12  # characters of a hash in a signature
MOMENT = (1980, 1, 1, 0, 0, 0)
"""So that equal content gives equal bytes."""
MANIFEST, SUMS, STATUS = "manifest.json", "SHA256SUMS", "STATUS.txt"
Progress = Callable[[int, int], None]


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
    records: Sequence[LogRecord] | None = None,
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


# ------------------------------------------------------------------ what every user must be told


MEANING = {
    ReleaseStatus.GROUND_TRUTH: (
        "Every answer has a proof: given blind by all, or its disagreement resolved by consensus."
    ),
    ReleaseStatus.DEPRECATED: (
        "Not a ground truth: a disagreement was not resolved by consensus, or something that "
        "must be annotated again was not."
    ),
    ReleaseStatus.COMPARISON_ONLY: (
        "Compared, not resolved: inconsistent scoring was not checked either."
    ),
    ReleaseStatus.DOCUMENTED: (
        "The agreed answers came with the data, whose source documents how they were reached."
    ),
    ReleaseStatus.IMPORTED: (
        "Agreed answers came with the data. How some were reached is unknown."
    ),
    ReleaseStatus.ABANDONED: (
        "The coders could not agree on what the task is. Not to be used as labels."
    ),
    ReleaseStatus.UNRELEASED: "Work in progress.",
}
OF_LEFT = "Take every answer of the cases left disagreed, or say that you leave these items out."
FEW_VALUES = 12  # lines of a table that stands on the first page
ASKED = {
    "A": "why these texts were chosen",
    "B": "the variety of the language, in words",
    "C": "who wrote or spoke the texts",
    "D": "age, gender, first language, background of the coders",
    "E": "time and place, written or spoken, edited or not, for whom",
    "F": "genre, topic, structure, known damage",
    "G": "how recordings were made, or that it does not apply",
    "H": "anything else",
    "I": "links to the statements of the data these come from",
    "J": "who approved, or why no approval was needed",
}


@chapter("notice", "Notice")
def notice_section(subject: Subject) -> Told:
    """What is unresolved, decided, missing; nothing of a ground truth that stands."""
    now, releases, released = subject.now, subject.state.releases, subject.released
    if now.status is ReleaseStatus.GROUND_TRUTH and (released or not releases):
        return
    yield subject.status if released else "For users of these annotations."
    if now.status not in (ReleaseStatus.UNRELEASED, ReleaseStatus.GROUND_TRUTH):
        why = [f"the researchers' reason: {releases[-1].reason}"] if released else []
        told = [MEANING[now.status], *why, *now.flags]
        severity: Severity = "problem" if released else "warning"
        left = any(case.settled is Settled.LEFT_DISAGREED for case in subject.cases)
        title = now.status.value.capitalize()
        yield Finding(title, _numbered(told), OF_LEFT if left else "", severity)
    if now.missing and not released:
        missing = [one.says for one in now.missing]
        yield Finding("What is missing for a ground truth", _numbered(missing))


def _numbered(texts: list[str]) -> tuple[tuple[str, str], ...]:
    told = [f"{begun(text).removesuffix('.')}." for text in texts]
    return tuple((f"{k}" if len(told) > 1 else "", text) for k, text in enumerate(told, 1))


# ------------------------------------------------------------------ the procedure statement


@chapter("procedure", "Procedure statement")
def procedure_section(subject: Subject) -> Told:
    """Steps, the way, departures, proofs, people, hashes."""
    state = subject.state
    steps = standing(state).steps
    yield " → ".join(f"{s.number} {s.step} ({s.state})" for s in steps) + "."
    yield table(
        "Steps",
        "step state says",
        ({"step": f"{s.number} {s.step}", "state": s.state, "says": s.says} for s in steps),
    )
    if found := state.deviations:
        about = tuple((d.code, d.text or d.code) for d in found)
        title = f"{count_of(len(found), 'departure')} from the procedure"
        yield Finding(title, about, severity="warning")
    if subject.sight.round is None and subject.epoch.rounds:
        yield from _proofs(subject)
    yield _people(subject)
    if state.findings and not subject.sight.round:
        told = tuple((when[:10], text) for when, text in state.findings)
        yield Finding("What research found", told)
    if state.moves:
        rows = (
            {"at": minute(when), "to": to, "does": TRANSITIONS[number].does, "reason": reason}
            for when, number, to, reason in state.moves
        )
        yield table("The way", "at to does reason", rows, depth="detail")
    yield Prose(" ".join(_facts(subject)))


def _proofs(subject: Subject) -> Iterator[Table]:
    """Why answers are ground truth, by kind; and those that lack something."""
    found, ids = endings(subject.state), subject.state.items.ids
    n = sum(found.kinds.values())
    rows = ({"proof": kind.value, "n": k, "share": k / n} for kind, k in found.kinds.items())
    yield table("How answers came about", "proof n share", rows)
    if found.missing:
        lacking = (
            {"item": ids[item], "question": question, "lacks": missing.says}
            for (question, item), missing in found.missing.items()
        )
        title = f"{count_of(len(found.missing), 'answer')} without a proof"
        depth = "main" if len(found.missing) < FEW_VALUES else "detail"
        yield table(title, "item question lacks", lacking, depth=depth)


def _people(subject: Subject) -> Table:
    state = subject.state
    columns = ("name", "roles", "training", FIELDS["note"].called("to be noted"))
    rows = (
        {
            "name": p.name,
            "roles": joined(p.roles),
            "training": p.training,
            "note": "decides what stays unresolved" if p.name == state.adjudicator else "",
        }
        for p in state.people.values()
    )
    return table("People", columns, rows)


def _facts(subject: Subject) -> Iterator[str]:
    state = subject.state
    yield f"Project {state.title} ({state.project}), begun {state.created[:10]}."
    if state.purpose:
        yield f"Purpose: {state.purpose.value}."
    if subject.toolbox:
        yield f"Hash of the toolbox: {subject.toolbox}."
    if subject.head:
        yield (
            f"Hash of the last of {state.seq:,} events: {subject.head}. Each event holds the "
            "hash of the one before, so this one shows that nothing was changed since."
        )
    elif subject.sight.until:
        yield f"The hash of the last event is {subject.sight.until}."


# ------------------------------------------------------------------ the data statement


@chapter("statement", "Data statement")
def statement_section(subject: Subject) -> Told:
    """Sections A to J, each with what was answered, and what the project itself knows."""
    said = {letter: text.strip() for letter, text in subject.state.statement.items()}
    missing = [letter for letter in SECTIONS if not said.get(letter)]
    lead = f"Not answered yet: {joined(missing, most=10)}." if missing else "All are answered."
    yield f"After Bender & Friedman (2018). {lead}"
    known = {"A": _curation, "D": _coders, "F": _texts, "H": _other, "I": _provenance}
    for letter, title in SECTIONS.items():
        answer = said.get(letter) or f"Not answered: {ASKED[letter]}."
        told = " ".join(known[letter](subject)) if letter in known else ""
        about = (("", answer), *((("known", told),) if told else ()))
        yield Finding(f"{letter}. {title}", about)


def _curation(subject: Subject) -> Iterator[str]:
    state, task = subject.state, subject.epoch.task
    yield state.research_question
    if task is not None:
        yield f"Task: {task.text.rstrip('.')}." if task.text else ""
        yield from (f"Question {question.id}: {question.text}" for question in task.questions)
    yield f"{count_of(len(state.items.ids), 'item')}, {count_of(len(state.coders), 'coder')}."
    yield causes_in_short(subject)
    for one in rounds_of(subject):
        yield (
            f"Agreement in round {one.round.number}, before resolution: {one.names[one.key]} "
            f"{decimal(one.main.value)}."
        )


def _coders(subject: Subject) -> Iterator[str]:
    """Counts only: what few people have in common is not told."""
    people = [p for p in subject.state.people.values() if Role.CODER in p.roles]
    trained = sum(bool(p.training) for p in people)
    both = sum(Role.RESEARCHER in p.roles for p in people)
    yield f"{count_of(len(people), 'coder')}; researchers too: {both}; trained: {trained}."


def _texts(subject: Subject) -> Iterator[str]:
    if lengths := sorted(len(text) for text in subject.state.items.texts if text):
        n = count_of(len(lengths), "text")
        yield f"{n} of {lengths[0]:,} to {lengths[-1]:,} characters."


def _other(subject: Subject) -> Iterator[str]:
    yield f"Release status: {subject.status} {MEANING[subject.now.status]}"
    yield from (f"{begun(flag)}." for flag in subject.now.flags)


def _provenance(subject: Subject) -> Iterator[str]:
    for one in subject.state.imports:
        files = joined((f"{name} (SHA-256 {x})" for name, x in one.digests.items()), most=20)
        yield f"Imported {one.at[:10]} from {one.source}{f': {files}' if files else ''}."
        if one.warnings and not subject.sight.round:
            yield f"To be looked at: {'; '.join(one.warnings)}."
    if not subject.state.imports:
        yield "Nothing was imported."


# ------------------------------------------------------------------ agreement in each round


_SINGLE = ("kappa", "alpha", "ac")
_SETS = ("boot_match", "alpha_masi", "kappa")
ALL = "all questions"
FURTHER = (
    "More: give the file of the round (round-1.csv …), which comes with this report in a "
    "bundle, to “accordant report”."
)
BY_CONSTRUCTION = (
    "After resolution all coders hold the same answer to every question about every item. Their "
    "agreement is 1 by construction, not measured: see the rounds."
)


@dataclass(frozen=True, eq=False)
class RoundFigures:
    """One round that has closed, measured.

    Parameters
    ----------
    round : Round
    table : AgreementTable
        Agreement on what two coders or more answered.
    """

    round: Round
    table: AgreementTable

    @property
    def title(self) -> str:
        """What the round is called."""
        return f"Round {self.round.number}{' (re-annotation)' if self.round.orders else ''}"

    @property
    def whole(self) -> AgreementPart:
        """All questions pooled, or the only one."""
        return self.table.told_parts[-1]

    @property
    def names(self) -> dict[str, str]:
        """Keys of the coefficients that are told, the main one first, with their names."""
        keys, parts = _SETS if self.whole.of_sets else _SINGLE, self.table.told_parts
        return {key: name_for_all(parts, key) for key in keys if self.whole.get(key)}

    @property
    def key(self) -> str:
        """Key of the coefficient that is told first: κ, or that of sets of labels."""
        return next(iter(self.names))

    @property
    def main(self) -> Agreement:
        """The coefficient that is told first."""
        return self.table[self.key]


def rounds_of(subject: Subject) -> tuple[RoundFigures, ...]:
    """The rounds of the current epoch that have closed and can be measured.

    None while another one is open: a figure that leaves out what is being annotated would be read
    as that of all.
    """
    if "rounds" not in subject.found:
        closed = [] if subject.sight.round else [r for r in subject.epoch.rounds if r.closed]
        figures = (_measured(subject, some) for some in closed)
        subject.found["rounds"] = tuple(one for one in figures if one is not None)
    found: tuple[RoundFigures, ...] = subject.found["rounds"]
    return found


def _measured(subject: Subject, some: Round) -> RoundFigures | None:
    """The figures of a round; None if no item has annotations of two coders."""
    data = to_annotations(subject.state, round=some.number, person=subject.person)
    shared = data.of_questions([q for q in some.questions if q in data.questions]).of_shared()
    if not len(shared):
        return None
    return RoundFigures(some, agreement(shared, **dict(subject.options)))  # type: ignore[arg-type]


@chapter("agreement", "Agreement in each round")
def agreement_section(subject: Subject) -> Told:
    """A table for each round; the last one first."""
    yield agreement_in_short(subject)
    for one in reversed(rounds_of(subject)):
        yield _table(one)
    if rounds_of(subject):
        yield Prose(FURTHER)
    if resolved(subject):
        yield Prose(BY_CONSTRUCTION)
    if rounds_of(subject) and subject.state.purpose is Purpose.ELICIT_VARIATION:
        yield Prose(
            "These annotations are to show how readings vary. Disagreement is a result here, "
            "and is not resolved."
        )


def resolved(subject: Subject) -> bool:
    """Whether the annotations are a ground truth, or would be one."""
    return subject.now.status is ReleaseStatus.GROUND_TRUTH and bool(subject.epoch.cases)


def agreement_in_short(subject: Subject) -> str:
    """How far coders agreed in the first round and in the last one."""
    if subject.sight.round:
        return f"Agreement is {subject.sight.until}."
    rounds = rounds_of(subject)
    told = [_in_short(one) for one in (*rounds[:1], *rounds[1:][-1:])]
    return " ".join(told) or "No round of annotation that two coders share has closed."


def _in_short(one: RoundFigures) -> str:
    main, name = one.main, one.names[one.key]
    same = one.whole.get("percent") or main
    share = f"{percent(same.observed)} of pairs (n = {main.n_pairable:,})"
    text = f"{one.title}: two coders gave the same answer in {share}."
    if main.undefined:
        return f"{text} {begun(name)} is undefined: {main.undefined}."
    return (
        f"{text} Corrected for chance, {name} is {decimal(main.value)} "
        f"{interval(main.low, main.high)}."
    )


def _table(one: RoundFigures) -> Table:
    """Each question, and all of them pooled."""
    parts = [(p.question or ALL, p.rows) for p in one.table.told_parts]
    if len(parts) == 1:
        parts = [(one.round.questions[0], parts[0][1])]
    rows = [_row(one, name, found) for name, found in parts]
    first, *others = (FIELDS["value"].called(name, key=key) for key, name in one.names.items())
    heads: tuple[str | Field, ...] = (
        "question",
        called("compared", "n", "count"),
        "same",
        first,
        "interval",
        *others,
        called("differ", "conflicting", "count"),
    )
    mains = [next(row for row in found if row.measure == one.key) for _, found in parts]
    how = methods_text(iter(mains))
    notes = [f"Intervals at {level_text(one.main.level)}: {how}."] if how else []
    return table(f"{one.title}: {first.heading}", heads, rows, *notes)


def _row(one: RoundFigures, name: str, agreements: Sequence[Agreement]) -> dict[str, Any]:
    by_key = {row.measure: row for row in agreements}
    main, counts = by_key[one.key], one.round.comparison
    asked = one.round.questions if name == ALL else (name,)
    return {
        "question": name,
        "n": main.n_pairable,
        "same": by_key.get("percent", main).observed,
        **{key: by_key[key].value for key in one.names},
        "low": main.low,
        "high": main.high,
        "level": main.level,
        "undefined": str(main.undefined) if main.undefined else None,
        "conflicting": sum(counts.get(q, {}).get(CellState.CONFLICTING.value, 0) for q in asked),
    }


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
