"""How the procedure was carried out, and what a reader must know first about what it came to."""

from __future__ import annotations

from collections.abc import Iterator

from ..fields import FIELDS
from ..numbers import count_of, how_often, joined
from ..resolution.deviations import flags_of
from ..resolution.standing import standing
from ..resolution.state import Person
from ..resolution.transitions import TRANSITIONS
from ..resolution.words import CaseState, Cause, ReleaseStatus, Role, Settled, Step
from .blocks import Block, Finding, Pairs, Table
from .document import Section
from .project_picture import STEP_NUMBER, not_performed, procedure_picture
from .project_subject import Subject, minute, table

__all__ = ["MEANING", "flags", "notice_section", "procedure_section"]

MEANING = {
    ReleaseStatus.GROUND_TRUTH: "Every disagreement was resolved by consensus, nothing is stale.",
    ReleaseStatus.DEPRECATED: (
        "Not a ground truth: not every disagreement was resolved by the coders' consensus, or "
        "something that must be annotated again has not been."
    ),
    ReleaseStatus.COMPARISON_ONLY: (
        "Compared, not resolved: no attempt at resolution, and no check of inconsistent scoring."
    ),
    ReleaseStatus.IMPORTED_GOLD: (
        "The agreed answers came with the data. How they were reached is unknown until somebody "
        "writes it down."
    ),
    ReleaseStatus.ABANDONED: (
        "The coders could not agree on what the task is. Not to be used as labels."
    ),
    ReleaseStatus.UNRELEASED: "Work in progress.",
}


def flags(subject: Subject) -> tuple[str, ...]:
    """Sentences that every export states: those of the last release, or as it is now."""
    if subject.released:
        last = subject.state.releases[-1]
        return last.flags or flags_of(subject.state, last.status, last.counts, True)
    return subject.now.flags


# ------------------------------------------------------------------ the notice


def notice_section(subject: Subject) -> Section | None:
    """What is unresolved, decided, aggregated, missing; None if nothing of it must be said."""
    found = tuple(_notices(subject))
    if not found:
        return None
    lead = subject.status if subject.released else "What a user of these annotations must know."
    return Section("notice", "Notice", lead, found)


def _notices(subject: Subject) -> Iterator[Finding]:
    yield from _of_status(subject)
    yield from _unresolved(subject)
    missing = [] if subject.released else [one.says for one in subject.now.missing]
    if missing:
        note = subject.now.status is ReleaseStatus.UNRELEASED
        yield _listed("What is missing for a ground truth", missing, "note" if note else "warning")


def _listed(title: str, texts: list[str], severity: str) -> Finding:
    """A finding with several sentences, numbered if there are two or more."""
    told = [f"{text[:1].upper()}{text[1:]}." for text in texts]
    about = tuple((f"{k}" if len(told) > 1 else "", text) for k, text in enumerate(told, 1))
    return Finding(title, about, severity="warning" if severity == "warning" else "note")


def _of_status(subject: Subject) -> Iterator[Finding]:
    status, said = subject.now.status, subject.now.status.value.capitalize()
    if status is ReleaseStatus.DEPRECATED and subject.released:
        reason = subject.state.releases[-1].reason
        why = f" Their reason: {reason}." if reason else ""
        about = f"The researchers finished with unresolved cases.{why}"
        yield Finding(said, (("", about),), severity="problem",
                      sources=("Oortwijn et al. (2021), section 4.2",))  # fmt: skip
    if status in (ReleaseStatus.COMPARISON_ONLY, ReleaseStatus.ABANDONED):
        yield Finding(said, (("", MEANING[status]),), severity="problem")
    if status is ReleaseStatus.IMPORTED_GOLD:
        yield Finding(said, (("", MEANING[status]),), severity="warning")
    if subject.state.releases and not subject.released:
        last = subject.state.releases[-1]
        about = (
            f"Release {last.version} of {last.at[:10]} ({last.status}) stands until another one "
            "replaces it. What follows is the project as it is now, which nobody has released."
        )
        yield Finding("Opened again after a release", (("", about),), severity="warning")


def _unresolved(subject: Subject) -> Iterator[Finding]:
    """Cases left, decided or aggregated; and where any is, readings that differ."""
    cases = subject.cases
    left = [c.number for c in cases if c.settled is Settled.LEFT_DISAGREED]
    if left:
        yield Finding(
            f"{count_of(len(left), 'case')} left disagreed",
            (("", f"All answers are kept, none is dropped: {_names(subject, left)}."),),
            "Take every answer of these, or leave these items out and say so: leaving them out is "
            "a loss of data.",
            "problem",
        )
    groups = {
        Settled.DICTATOR_DECISION: ("decided_by", "decided by {} alone",
            "This is the single-annotator portion of the data (dictator): {names}."),
        Settled.DICTATOR_AGGREGATION: ("method", "settled by aggregation",
            "Method: {}. Cases: {names}."),
    }  # fmt: skip
    for settled, (by, title, says) in groups.items():
        found = [c for c in cases if c.settled is settled]
        for who in dict.fromkeys(getattr(c, by) for c in found):
            own = [c.number for c in found if getattr(c, by) == who]
            about = says.format(who, names=_names(subject, own))
            head = f"{count_of(len(own), 'case')} {title.format(who)}"
            yield Finding(head, (("", about),), severity="problem")
    read = [c.number for c in cases if c.cause is Cause.D and c.state is not CaseState.CLOSED]
    if read and any(c.state is CaseState.UNRESOLVED for c in cases):
        about = f"The item can be read in two ways: {_names(subject, read)}."
        head = f"{count_of(len(read), 'case')} of interpretation (cause d)"
        yield Finding(head, (("", about),), severity="warning")


def _names(subject: Subject, cases: list[int]) -> str:
    of = subject.epoch.cases
    return joined((f"{n} ({subject.item(of[n])}, {of[n].question})" for n in cases), most=12)


# ------------------------------------------------------------------ the procedure statement


def procedure_section(subject: Subject) -> Section:
    """Steps, ways back, departures, people, hashes."""
    return Section("procedure", "Procedure statement", _lead(subject), tuple(_blocks(subject)))


def _lead(subject: Subject) -> str:
    left_out = not_performed(subject.state)
    done = [str(s.number) for s in standing(subject.state).steps
            if s.state in ("done", "here") and s.step not in left_out]  # fmt: skip
    text = f"Steps carried out: {joined(done)}." if done else "No step has been carried out."
    if left_out:
        text += f" Not performed: {joined(str(STEP_NUMBER[step]) for step in left_out)}."
    if back := _times_back(subject):
        text += f" Went back {how_often(back)}."
    n = len(subject.state.deviations)
    departures = count_of(n, "departure") if n else "No departure"
    return f"{text} {departures} from the procedure{'' if n else ' was recorded'}."


def _times_back(subject: Subject) -> int:
    """Moves to an earlier step, and reopenings."""
    path = [STEP_NUMBER.get(Step(target), 9) for _, _, target, _ in subject.state.moves]
    return sum(now < before for before, now in zip([0, *path], path, strict=False))


def _blocks(subject: Subject) -> Iterator[Block]:
    step = subject.state.step
    number = STEP_NUMBER.get(step)
    place = f"step {number}, {step.value}" if number is not None else step.value
    title = f"The way of this project through the procedure: it stands at {place}"
    yield procedure_picture(subject.state, title)
    yield _steps(subject)
    yield from _deviations(subject)
    yield _people(subject)
    if subject.state.findings and not subject.sight.round:
        told = tuple((when[:10], text) for when, text in subject.state.findings)
        yield Finding("What research found, while the project was halted", told)
    if subject.state.moves:
        yield _moves(subject)
    yield Pairs(tuple(_facts(subject)))


def _steps(subject: Subject) -> Table:
    left_out = not_performed(subject.state)

    def state(of: str, skipped: bool) -> str:
        if of == "here":
            return "here now; skipped before" if skipped else "here now"
        return "not performed" if skipped else of

    moved = [target for _, _, target, _ in subject.state.moves]
    return table("Steps", "step state says times", (
        {
            "step": f"{s.number} {s.step.value}",
            "state": state(s.state, s.step in left_out),
            "says": "" if subject.sight.round and s.step is Step.COMPARISON else s.says,
            "times": moved.count(s.step.value) + (s.step is Step.SETUP),
        }
        for s in standing(subject.state).steps
    ))  # fmt: skip


def _deviations(subject: Subject) -> Iterator[Block]:
    if found := subject.state.deviations:
        about = tuple(
            (d.code if d.case is None else f"{d.code} (case {d.case})", d.text or d.code)
            for d in found
        )
        yield Finding(
            f"{count_of(len(found), 'departure')} from the procedure",
            about if len(about) > 1 else (("", f"{about[0][0]}: {about[0][1]}"),),
            severity="warning",
        )
    if said := [flag for flag in flags(subject) if not flag.startswith("deviation:")]:
        yield _listed("To be said wherever the annotations are given out", said, "note")


def _people(subject: Subject) -> Table:
    people = subject.state.people.values()
    rows = [
        {"name": p.name, "roles": joined(p.roles), "training": p.training,
         "note": "; ".join(_notes(subject, p))}
        for p in people
    ]  # fmt: skip
    n = {role: sum(role in p.roles for p in people) for role in Role}
    title = joined(count_of(k, role.value) for role, k in n.items() if k) or "Nobody yet"
    found = table(f"People: {title}", "name roles training", rows)
    noted = (FIELDS["note"].called("to be noted"),) if any(row["note"] for row in rows) else ()
    return Table(found.title, (*found.columns, *noted), found.rows)


def _notes(subject: Subject, person: Person) -> Iterator[str]:
    roles = set(person.roles)
    if {Role.RESEARCHER, Role.CODER} <= roles:
        yield "researcher and coder"
    if person.name == subject.state.adjudicator:
        if Role.CODER in roles:
            yield "adjudicator and coder"
        late = subject.state.late_adjudicator
        yield "appointed after step 5 had begun" if late else "appointed before step 5"


def _moves(subject: Subject) -> Table:
    return table("The way", "at to does reason", (
        {"at": minute(when), "to": target, "reason": reason,
         "does": TRANSITIONS[number].does if number in TRANSITIONS else ""}
        for when, number, target, reason in subject.state.moves
    ), depth="detail")  # fmt: skip


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
