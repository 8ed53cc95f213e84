"""What every user of the annotations must be told: the notice, the procedure, the data statement.

Sections of the data statement and their letters follow Bender & Friedman (2018); J (ethical
approval) was added by Oortwijn et al. in the statements of their own data.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..fields import FIELDS
from ..messages import Severity
from ..numbers import count_of, decimal, joined
from ..resolution.proof import proved
from ..resolution.standing import standing
from ..resolution.statement import SECTIONS
from ..resolution.transitions import TRANSITIONS
from ..resolution.words import ReleaseStatus, Role, Settled
from .blocks import Finding, Prose, Table
from .names import begun
from .project_causes import causes_in_short
from .project_rounds import rounds_of
from .project_subject import Subject, Told, chapter, minute, table

__all__ = ["MEANING", "notice_section", "procedure_section", "statement_section"]

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
    found = proved(subject.state)
    n = sum(found.kinds.values())
    rows = ({"proof": kind.value, "n": k, "share": k / n} for kind, k in found.kinds.items())
    yield table("Why answers are ground truth", "proof n share", rows)
    if found.lacking:
        lacking = (
            {"item": p.item, "question": p.question, "lacks": p.missing.says if p.missing else ""}
            for p in found.lacking
        )
        title = f"{count_of(len(found.lacking), 'answer')} without a proof"
        depth = "main" if len(found.lacking) < FEW_VALUES else "detail"
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
