"""How the procedure was carried out: steps, ways back, departures, people, hashes."""

from __future__ import annotations

from collections.abc import Iterator

from ..numbers import count_of, how_often, joined
from ..resolution.standing import standing
from ..resolution.state import Person
from ..resolution.transitions import TRANSITIONS
from ..resolution.words import Role, Step
from .document import Block, Column, Finding, Pairs, Section, Table
from .project_notice import flags
from .project_picture import STEP_NUMBER, not_performed, procedure_picture
from .project_subject import Subject

__all__ = ["procedure_section"]

_STATES = {"here": "here now"}


def procedure_section(subject: Subject) -> Section:
    """The procedure statement."""
    return Section("procedure", "Procedure statement", _lead(subject), tuple(_blocks(subject)))


def _lead(subject: Subject) -> str:
    steps = standing(subject.state).steps
    left_out = not_performed(subject.state)
    skipped = [str(s.number) for s in steps if s.step in left_out]
    done = [str(s.number) for s in steps
            if s.state in ("done", "here") and s.step not in left_out]  # fmt: skip
    text = f"Steps carried out: {joined(done)}." if done else "No step has been carried out."
    if skipped:
        text += f" Not performed: {joined(skipped)}."
    back = _back(subject)
    if back:
        text += f" Went back {how_often(len(back))}."
    n = len(subject.state.deviations)
    text += f" {count_of(n, 'departure')} from the procedure." if n else \
        " No departure from the procedure was recorded."  # fmt: skip
    return text


def _back(subject: Subject) -> list[tuple[str, int, str, str]]:
    """Moves to an earlier step, and reopenings."""
    found, at = [], Step.SETUP
    for when, number, target, reason in subject.state.moves:
        step = Step(target)
        if STEP_NUMBER.get(step, 9) < STEP_NUMBER.get(at, 9):
            found.append((when, number, target, reason))
        at = step
    return found


def _blocks(subject: Subject) -> Iterator[Block]:
    yield procedure_picture(subject.state, _where(subject))
    yield _steps(subject)
    yield from _deviations(subject)
    yield _people(subject)
    if subject.state.findings and not subject.sight.round:
        told = tuple((when[:10], text) for when, text in subject.state.findings)
        yield Finding("What research found, while the project was halted", told)
    if subject.state.moves:
        yield _moves(subject)
    yield Pairs(tuple(_facts(subject)))


def _where(subject: Subject) -> str:
    step = subject.state.step
    number = STEP_NUMBER.get(step)
    place = f"step {number}, {step.value}" if number is not None else step.value
    return f"The way of this project through the procedure: it stands at {place}"


def _state(state: str, left_out: bool) -> str:
    if left_out and state == "here":
        return "here now; skipped before"
    return "not performed" if left_out else _STATES.get(state, state)


def _steps(subject: Subject) -> Table:
    left_out = not_performed(subject.state)
    rows = tuple(
        {
            "step": f"{s.number} {s.step.value}",
            "state": _state(s.state, s.step in left_out),
            "says": "" if subject.sight.round and s.step is Step.COMPARISON else s.says,
            "times": sum(
                target == s.step.value for _, _, target, _ in subject.state.moves
            ) + (s.step is Step.SETUP),
        }
        for s in standing(subject.state).steps
    )  # fmt: skip
    columns = (
        Column("step", "step"), Column("state", "state"), Column("says", "what there is"),
        Column("times", "entered", "count", "how often"),
    )  # fmt: skip
    return Table("Steps", columns, rows)


def _deviations(subject: Subject) -> Iterator[Block]:
    found = subject.state.deviations
    if found:
        about = tuple(
            (d.code if d.case is None else f"{d.code} (case {d.case})", d.text or d.code)
            for d in found
        )
        yield Finding(
            f"{count_of(len(found), 'departure')} from the procedure",
            about if len(about) > 1 else (("", f"{about[0][0]}: {about[0][1]}"),),
            severity="warning",
        )
    said = [flag for flag in flags(subject) if not flag.startswith("deviation:")]
    if said:
        numbered = tuple((f"{k + 1}", f"{f[:1].upper()}{f[1:]}.") for k, f in enumerate(said))
        about = numbered if len(numbered) > 1 else (("", numbered[0][1]),)
        yield Finding("To be said wherever the annotations are given out", about)


# ------------------------------------------------------------------ people


def _people(subject: Subject) -> Table:
    rows = tuple(
        {
            "name": p.name,
            "roles": joined(role.value for role in p.roles),
            "training": p.training,
            "note": "; ".join(_notes(subject, p)),
        }
        for p in subject.state.people.values()
    )
    columns = [
        Column("name", "person"), Column("roles", "roles"), Column("training", "training"),
        Column("note", "to be noted"),
    ]  # fmt: skip
    shown = [c for c in columns if c.key in ("name", "roles") or any(r[c.key] for r in rows)]
    n = {role: sum(role in p.roles for p in subject.state.people.values()) for role in Role}
    title = joined(count_of(k, role.value) for role, k in n.items() if k) or "Nobody yet"
    return Table(f"People: {title}", tuple(shown), rows)


def _notes(subject: Subject, person: Person) -> Iterator[str]:
    roles = set(person.roles)
    if {Role.RESEARCHER, Role.CODER} <= roles:
        yield "researcher and coder"
    if person.name == subject.state.adjudicator:
        if Role.CODER in roles:
            yield "adjudicator and coder"
        yield "appointed after step 5 had begun" if subject.state.late_adjudicator else \
            "appointed before step 5"  # fmt: skip


# ------------------------------------------------------------------ the way, and the hashes


def _moves(subject: Subject) -> Table:
    rows = tuple(
        {
            "at": when[:16].replace("T", " "),
            "to": target,
            "does": TRANSITIONS[number].does if number in TRANSITIONS else "",
            "reason": reason,
        }
        for when, number, target, reason in subject.state.moves
    )
    columns = (
        Column("at", "when (UTC)"), Column("to", "to"), Column("does", "what happened"),
        Column("reason", "reason"),
    )  # fmt: skip
    return Table("The way", columns, rows, depth="detail")


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
            (
                "Each event holds the hash of the one before it. Whoever has this hash can show "
                "that nothing in the log was changed since."
            ),
        )
    else:
        yield "Hash of the last event", subject.sight.until or "not written to a store"
