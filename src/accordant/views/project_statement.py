"""What every user of the annotations must be told: the notice, the procedure, the data statement.

Sections of the data statement and their letters follow Bender & Friedman (2018); J (ethical
approval) was added by Oortwijn et al. in the statements of their own data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..fields import FIELDS
from ..messages import Severity
from ..numbers import count_of, decimal, how_often, interval, joined
from ..resolution.meeting import spoken_in_meetings
from ..resolution.proof import proved
from ..resolution.release import departures
from ..resolution.standing import standing
from ..resolution.state import Person
from ..resolution.statement import SECTIONS
from ..resolution.transitions import TRANSITIONS
from ..resolution.words import ReleaseStatus, Role, Settled, Step
from .blocks import Finding, Prose, Table, entry
from .names import begun
from .project_causes import causes_in_short
from .project_picture import HERE, STEP_NUMBER, not_performed, procedure_picture, states
from .project_rounds import rounds_of
from .project_subject import Subject, Told, called, chapter, minute, table

__all__ = ["MEANING", "notice_section", "procedure_section", "statement_section"]

MEANING = {
    ReleaseStatus.GROUND_TRUTH: (
        "Every answer has a proof: given blind by all, or its disagreement resolved by consensus."
    ),
    ReleaseStatus.DEPRECATED: (
        "Not a ground truth: not every disagreement was resolved by the coders' consensus, or "
        "something that must be annotated again has not been."
    ),
    ReleaseStatus.COMPARISON_ONLY: (
        "Compared, not resolved: no attempt at resolution, and no check of inconsistent scoring."
    ),
    ReleaseStatus.DOCUMENTED: (
        "The agreed answers came with the data, and their source documents how they were reached. "
        "The coders have not accepted them here."
    ),
    ReleaseStatus.IMPORTED: (
        "Agreed answers came with the data. How some were reached is unknown until somebody "
        "writes it down."
    ),
    ReleaseStatus.ABANDONED: (
        "The coders could not agree on what the task is. Not to be used as labels."
    ),
    ReleaseStatus.UNRELEASED: "Work in progress.",
}
OF_LEFT = (
    "Take every answer of the cases that were left disagreed, or leave these items out and say so: "
    "leaving them out is a loss of data."
)
FEWEST = 3  # people who must be alike before something is told about them
FEW_VALUES = 12  # of a column about the items that is told by its values
ASKED = {
    "A": "why these texts were chosen",
    "B": "which variety of the language, in words",
    "C": "who wrote or spoke the texts",
    "D": "age, gender, first language, background of the coders",
    "E": "time and place, written or spoken, edited or not, for whom",
    "F": "genre, topic, structure, known damage",
    "G": "for recordings: how they were made; otherwise that it does not apply",
    "H": "anything else that a user should know",
    "I": "links to the statements of the data these come from",
    "J": "who approved, or why no approval was needed",
}
"""What is asked of the researchers, by the letter of the section."""
OF_LANGUAGE = ("language", "lang", "bcp47", "bcp-47", "locale")
OF_TEXTS = ("domain", "genre", "topic", "register", "source", "year", "venue")
"""Names of columns about the items that belong to section B, and to section F."""


# ------------------------------------------------------------------ the notice


@chapter("notice", "Notice")
def notice_section(subject: Subject) -> Told:
    """What is unresolved, decided, aggregated, missing; nothing of a ground truth that stands."""
    now, releases, released = subject.now, subject.state.releases, subject.released
    if now.status is ReleaseStatus.GROUND_TRUTH and (released or not releases):
        return
    yield subject.status if released else "What a user of these annotations must know."
    if now.status not in (ReleaseStatus.UNRELEASED, ReleaseStatus.GROUND_TRUTH):
        reason = releases[-1].reason if released else ""
        why = [f"the researchers' reason: {reason}"] if reason else []
        left = any(case.settled is Settled.LEFT_DISAGREED for case in subject.cases)
        told = _listed(now.status.value.capitalize(), [MEANING[now.status], *why, *now.flags])
        serious = released or now.status in (ReleaseStatus.COMPARISON_ONLY, ReleaseStatus.ABANDONED)
        severity: Severity = "problem" if serious else "warning"
        source = "Oortwijn et al. (2021), section 4.2"
        advice = OF_LEFT if left else ""
        yield replace(told, severity=severity, advice=advice, sources=(source,))
    if releases and not released:
        last = releases[-1]
        about = (
            f"Release {last.version} of {last.at[:10]} ({last.status}) stands until another one "
            "replaces it. What follows is the project as it is now, which nobody has released."
        )
        yield Finding("Opened again after a release", (("", about),), severity="warning")
    if now.missing and not released:
        yield _listed("What is missing for a ground truth", [one.says for one in now.missing])


def _listed(title: str, texts: Sequence[str]) -> Finding:
    """A finding with several sentences, numbered if there are two or more."""
    told = [f"{begun(text).removesuffix('.')}." for text in texts]
    about = tuple((f"{k}" if len(told) > 1 else "", text) for k, text in enumerate(told, 1))
    return Finding(title, about)


# ------------------------------------------------------------------ the procedure statement


@chapter("procedure", "Procedure statement")
def procedure_section(subject: Subject) -> Told:
    """Steps, ways back, departures, people, hashes."""
    state = subject.state
    yield _lead(subject)
    number = STEP_NUMBER.get(state.step)
    place = f"step {number}, {state.step}" if number is not None else state.step
    title = f"The way of this project through the procedure: it stands at {place}"
    yield procedure_picture(state, title)
    yield _steps(subject)
    if found := departures(state):
        about = (
            (d.code if d.case is None else f"{d.code} (case {d.case})", d.text or d.code)
            for d in found
        )
        title = f"{count_of(len(found), 'departure')} from the procedure"
        yield Finding(title, tuple(about), severity="warning")
    if subject.sight.round is None and subject.epoch.rounds:
        yield from _proofs(subject)
    yield _people(subject)
    if state.meetings and not subject.sight.round:
        yield _meetings(subject)
    if state.findings and not subject.sight.round:
        told = tuple((when[:10], text) for when, text in state.findings)
        yield Finding("What research found, while the project was halted", told)
    if state.moves:
        yield _moves(subject)
    yield Prose(facts=tuple(_facts(subject)))


def _lead(subject: Subject) -> str:
    found = states(subject.state)
    done = [str(n) for step, n in STEP_NUMBER.items() if found[step] in ("done", HERE)]
    text = f"Steps carried out: {joined(done)}." if done else "No step has been carried out."
    if left_out := not_performed(subject.state):
        text += f" Not performed: {joined(str(STEP_NUMBER[step]) for step in left_out)}."
    if back := _times_back(subject):
        text += f" Went back {how_often(back)}."
    n = len(departures(subject.state))
    told = count_of(n, "departure") if n else "No departure"
    return f"{text} {told} from the procedure{'' if n else ' was recorded'}."


def _times_back(subject: Subject) -> int:
    """Moves to an earlier step, and reopenings."""
    path = [STEP_NUMBER.get(Step(target), 9) for _, _, target, _ in subject.state.moves]
    return sum(now < before for before, now in zip([0, *path], path, strict=False))


def _steps(subject: Subject) -> Table:
    found = states(subject.state)
    moved = [target for _, _, target, _ in subject.state.moves]
    return table(
        "Steps",
        "step state says times",
        (
            {
                "step": f"{s.number} {s.step}",
                "state": found[s.step],
                "says": s.says,
                "times": moved.count(s.step.value) + (s.step is Step.SETUP),
            }
            for s in standing(subject.state).steps
        ),
    )


def _proofs(subject: Subject) -> Iterator[Table]:
    """Why answers are ground truth, by kind; and those that lack something."""
    found = proved(subject.state)
    n = sum(found.kinds.values())
    yield table(
        "Why answers are ground truth",
        "proof n share",
        ({"proof": kind.value, "n": k, "share": k / n} for kind, k in found.kinds.items()),
    )
    if found.lacking:
        title = f"{count_of(len(found.lacking), 'answer')} without a proof"
        yield table(
            title,
            "item question lacks",
            (
                {
                    "item": p.item,
                    "question": p.question,
                    "lacks": p.missing.says if p.missing else "",
                }
                for p in found.lacking
            ),
            depth="main" if len(found.lacking) < FEW_VALUES else "detail",
        )


def _people(subject: Subject) -> Table:
    people = subject.state.people.values()
    n = {role: sum(role in p.roles for p in people) for role in Role}
    title = joined(count_of(k, role.value) for role, k in n.items() if k) or "Nobody yet"
    columns = ("name", "roles", "training", FIELDS["note"].called("to be noted"))
    return table(
        f"People: {title}",
        columns,
        (
            {
                "name": p.name,
                "roles": joined(p.roles),
                "training": p.training,
                "note": "; ".join(_notes(subject, p)),
            }
            for p in people
        ),
    )


def _notes(subject: Subject, person: Person) -> Iterator[str]:
    roles = set(person.roles)
    if {Role.RESEARCHER, Role.CODER} <= roles:
        yield "researcher and coder"
    if person.name == subject.state.adjudicator:
        if Role.CODER in roles:
            yield "adjudicator and coder"
        late = subject.state.late_adjudicator
        yield "appointed after step 5 had begun" if late else "appointed before step 5"


def _meetings(subject: Subject) -> Table:
    """Who was at one keyboard, and which consents were given there."""
    spoken = [*spoken_in_meetings(subject.state)]
    title = f"Meetings at one keyboard: {count_of(len(spoken), 'consent')} given there"
    columns = (
        "at",
        called("led by", "led_by"),
        called("present", "present"),
        called("consents", "n", "count"),
        called("in cases", "cases"),
    )
    rows = []
    for one in subject.state.meetings:
        there = [s.case for s in spoken if s.meeting is one]
        rows.append(
            {
                "at": minute(one.at),
                "led_by": one.led_by,
                "present": joined(one.present, most=20),
                "n": len(there),
                "cases": joined(map(str, dict.fromkeys(there)), most=20),
            }
        )
    return table(title, columns, rows)


def _moves(subject: Subject) -> Table:
    return table(
        "The way",
        "at to does reason",
        (
            {"at": minute(when), "to": target, "reason": reason, "does": TRANSITIONS[number].does}
            for when, number, target, reason in subject.state.moves
        ),
        depth="detail",
    )


def _facts(subject: Subject) -> Iterator[tuple[str, str]]:
    state = subject.state
    yield "Project", f"{state.title} ({state.project})"
    yield "Begun", state.created[:10]
    if state.purpose:
        yield "Purpose", state.purpose.value
    if subject.toolbox:
        yield "Hash of the toolbox", subject.toolbox
    if subject.head:
        yield "Events in the log", f"{state.seq:,}" if state.seq else "—"
        yield "Hash of the last event", subject.head
        yield (
            "What it is for",
            "Each event holds the hash of the one before it. Whoever has this hash can show that "
            "nothing in the log was changed since.",
        )
    else:
        yield "Hash of the last event", subject.sight.until or "not written to a store"


# ------------------------------------------------------------------ the data statement


@chapter("statement", "Data statement")
def statement_section(subject: Subject) -> Told:
    """Sections A to J, each with what is known and what was answered."""
    said = {letter: text.strip() for letter, text in subject.state.statement.items()}
    missing = [letter for letter in SECTIONS if not said.get(letter)]
    open_ = f"Not answered yet: {joined(missing, most=10)}."
    lead = open_ if missing else "Every section has been answered."
    yield f"After Bender & Friedman (2018). {lead}"
    for letter, title in SECTIONS.items():
        known = _KNOWN[letter](subject) if letter in _KNOWN else ()
        answer = said.get(letter) or f"Not answered: {ASKED[letter]}."
        yield entry(f"statement-{letter}", f"{letter}. {title}", "", (*known, answer))


# ------------------------------------------------------------------ what the project knows


def _curation(subject: Subject) -> Iterator[str]:
    state, task = subject.state, subject.epoch.task
    if questions := {v.id: v.text for v in state.research_questions}:
        yield f"Research question{'s' * (len(questions) > 1)}: {' '.join(questions.values())}"
    if state.purpose:
        yield f"Purpose: {state.purpose.value}."
    if task is not None:
        text = task.text.rstrip(".") or count_of(len(task.questions), "question")
        about = f" An item is: {task.item_definition}." if task.item_definition else ""
        context = f" Coders could use: {task.context}." if task.context else ""
        yield f"Task: {text}.{about}{context}"
        yield from (f"Question {question.id}: {question.text}" for question in task.questions)
    yield f"{count_of(len(state.items.ids), 'item')}, {count_of(len(state.coders), 'coder')}."
    if causes := causes_in_short(subject):
        yield f"Overview of the disagreements. {causes}"
    for one in rounds_of(subject):
        main = one.main
        value = f"{decimal(main.value)} {interval(main.low, main.high)}"
        yield (
            f"Agreement in round {one.round.number}, before resolution: {one.names[one.key]} "
            f"{f'undefined ({main.undefined})' if main.undefined else value}, from "
            f"{main.n_pairable:,} answers that two coders or more gave."
        )


def _metadata(subject: Subject, names: Sequence[str]) -> Iterator[str]:
    """Columns about the items that have one of some names."""
    for name, values in subject.state.items.metadata.items():
        if name.lower() in names:
            n = Counter(value or "(none)" for value in values)
            each = (f"{value} ({k:,})" for value, k in n.most_common())
            yield f"{name}: {joined(each, most=FEW_VALUES)}."


def _coders(subject: Subject) -> Iterator[str]:
    """Counts only: what few people have in common is not told."""
    people = [p for p in subject.state.people.values() if Role.CODER in p.roles]
    if not people:
        return
    trained = sum(bool(p.training) for p in people)
    both = sum(Role.RESEARCHER in p.roles for p in people)
    yield (
        f"{count_of(len(people), 'coder')}, of whom {both or 'none'} also researched and "
        f"{trained or 'none'} were trained by the researchers."
    )
    about = Counter(p.about.strip() for p in people if p.about.strip())
    told = [f"{text} ({n:,})" for text, n in about.items() if n >= FEWEST]
    hidden = sum(n for n in about.values() if n < FEWEST)
    if told:
        yield f"{joined(told, most=20)}."
    if hidden:
        yield (
            f"What {count_of(hidden, 'coder')} said about themselves is not shown, since fewer "
            f"than {FEWEST} said the same."
        )


def _texts(subject: Subject) -> Iterator[str]:
    table = subject.state.items
    if lengths := sorted(len(text) for text in table.texts if text):
        yield (
            f"{count_of(len(lengths), 'text')} of {lengths[0]:,} to {lengths[-1]:,} characters, "
            f"half of them of {lengths[(len(lengths) - 1) // 2]:,} or fewer."
        )
    if batches := Counter(batch for batch in table.batches if batch):
        yield f"Batches: {joined((f'{b} ({n:,})' for b, n in batches.items()), most=FEW_VALUES)}."
    yield from _metadata(subject, OF_TEXTS)


def _other(subject: Subject) -> Iterator[str]:
    yield f"Release status: {subject.status} {MEANING[subject.now.status]}"
    yield from (f"{begun(flag)}." for flag in subject.now.flags)
    if subject.toolbox:
        yield f"Hash of the toolbox: {subject.toolbox}."
    if subject.state.toolboxes:
        yield "The procedure statement is a chapter of this report."


def _provenance(subject: Subject) -> Iterator[str]:
    for one in subject.state.imports:
        files = joined((f"{name} (SHA-256 {x})" for name, x in one.digests.items()), most=20)
        told = f" Files: {files}." if files else ""
        licence = one.licence or "none stated"
        yield f"Imported {one.at[:10]} from {one.source}.{told} Licence: {licence}."
        if one.skipped:
            yield f"Left out: {joined(one.skipped, most=20)}."
        if one.warnings and subject.sight.round:
            yield f"What the import warned of is {subject.sight.until}."
        elif one.warnings:
            yield f"The import gave {count_of(len(one.warnings), 'warning')}:"
            yield from (f"{k + 1}. {text}." for k, text in enumerate(one.warnings))
    if not subject.state.imports:
        yield "Annotated in this project; nothing was imported."


_KNOWN: dict[str, Callable[[Subject], Iterator[str]]] = {
    "A": _curation,
    "B": partial(_metadata, names=OF_LANGUAGE),
    "D": _coders,
    "F": _texts,
    "H": _other,
    "I": _provenance,
}
