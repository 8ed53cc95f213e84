"""Where a project stands: what is asked of whom, what is possible now, who takes part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any

import msgspec

from ..actions import Action
from ..errors import unknown
from ..kinds import Typed
from ..numbers import count_of, joined, percent
from ..resolution.command import COMMANDS, Unmet, step
from ..resolution.corrections import Rescored
from ..resolution.event import Event
from ..resolution.exports import final_rows, status_lines
from ..resolution.logbook import LogEntry
from ..resolution.logbook import log as entries_of
from ..resolution.preview import Preview
from ..resolution.procedure import KINDS, read_event
from ..resolution.requests import dependent_cells
from ..resolution.sentences import deviation_text
from ..resolution.standing import Possible, standing
from ..resolution.state import Release, State
from ..resolution.statement import SECTIONS
from ..resolution.step_change import GOALS
from ..resolution.views import comparison_view
from .blocks import Block, Prose, entry
from .project_subject import Subject, called, minute, table
from .view import view

BACK = (2, 4, 5, 22, 23)  # transitions that lead back or away
AWAY = ("task", "abandon", "halt")


@view("status", of="project", title="Where the project stands", place=10)
def status(subject: Subject, *, all: bool = False) -> Iterator[Block]:
    """Where it stands, who is asked for what, what is possible; ``all``: what is not yet, too."""
    here = standing(subject.state, subject.person or None)
    n = count_of(here.n_items, "item")
    coders = count_of(sum("coder" in roles for roles in here.people.values()), "coder")
    task = f" · task {here.epoch}" if here.epoch > 1 else ""
    purpose = f" · {here.purpose}" if here.purpose else ""
    yield Prose(f"{here.title} ({subject.name}): at “{here.step}” · {n} · {coders}{task}{purpose}")
    rows = ({"step": f"{s.number} {s.step}", "state": s.state, "says": s.says} for s in here.steps)
    yield table("", "step state says", rows)
    if (some := here.round) is not None:
        done = (f"{p.coder}: {p.submitted + p.declined:,} of {p.expected:,}" for p in some.coders)
        yield entry("round", f"Round {some.number}, open and blind", "", tuple(done))
    if here.orders:
        yield entry("orders", "To be annotated again", "", here.orders)
    asked: dict[str, list[str]] = {}
    for who, each in here.awaited.items():
        for one in each:
            asked.setdefault(one.says, []).append(who)
    if asked:
        told = tuple(f"{joined(people)}: {says}" for says, people in asked.items())
        yield entry("awaited", "Asked", "", told)
    if mine := here.awaited.get(subject.person, ()):
        yield Prose(title="Next", do=tuple({str(one.do): one.do for one in mine}.values()))
    shown = [a for a in here.arrows if all or not (a.command in AWAY or a.number in BACK)]
    if now := [arrow for arrow in shown or here.arrows if arrow.allowed]:
        yield Prose(title="Possible now", do=tuple(map(_action, now)))
    for arrow in here.arrows if all else ():
        if missing := [one for one in arrow.unmet if not one.argument]:
            goals = " or ".join(f"“{step}”" for step in arrow.targets)
            yield from _missing(f"Not yet: {arrow.does}, to {goals}", missing)
    yield from _release(subject)


def _missing(title: str, unmet: Sequence[Unmet]) -> Iterator[Block]:
    """Guards that do not hold, and the commands that help, each once."""
    yield entry("missing", title, "", tuple(map(str, unmet)))
    if helps := {str(do): do for one in unmet for do in one.do}:
        yield Prose(title="What helps", do=tuple(helps.values()))


def _action(arrow: Possible) -> Action:
    """What takes an arrow, with what is still to be given."""
    asked = {"reason": ...} if any(one.guard == "reason" for one in arrow.unmet) else {}
    if arrow.command != "go":
        name = arrow.command if arrow.command in COMMANDS else f"case {arrow.command}"
        return step(COMMANDS[name].words, arrow.does, **asked)
    goals = [name for step in arrow.targets if (name := step.name.lower()) in GOALS]
    return step("go", arrow.does, to="|".join(goals), **asked)


def _release(subject: Subject) -> Iterator[Block]:
    """What was released, or would be, and why it is no better."""
    now, releases = subject.now, subject.state.releases
    title = f"A release now would be: {now.status}"
    if releases:
        title = f"Release {releases[-1].version}: {releases[-1].status}"
    yield entry("release", title, "", tuple(one.says for one in now.missing))
    if found := subject.state.deviations:
        title = "Deviations from the procedure, printed on every export"
        each = tuple(deviation_text(one.code, one.text) for one in found)
        yield entry("deviations", title, "", each)


# ------------------------------------------------------------------ people and set-up


@view("person", of="project", title="People", place=110)
def people(subject: Subject) -> Iterator[Block]:
    """Show who takes part."""
    yield table(
        "",
        "name roles about training",
        (
            {"name": p.name, "roles": joined(p.roles), "about": p.about, "training": p.training}
            for p in subject.state.people.values()
        ),
    )


@view("question", of="project", title="Research question", place=113)
def question(subject: Subject) -> Iterator[Block]:
    """Show the research question, the hypotheses and the purpose."""
    yield Prose(subject.state.research_question or "No research question is stated.")
    if subject.state.hypotheses:
        yield Prose(f"Hypotheses: {subject.state.hypotheses}")
    if subject.state.purpose is not None:
        yield Prose(f"Purpose: {subject.state.purpose}")


@view("finding", of="project", title="What the research found", place=115)
def findings(subject: Subject) -> Iterator[Block]:
    """Show what the research found."""
    yield table("", "at text", ({"at": at[:10], "text": x} for at, x in subject.state.findings))


@view("deviation", of="project", title="Deviations from the procedure", place=116)
def deviations(subject: Subject) -> Iterator[Block]:
    """Show where the project departed from the procedure."""
    yield table(
        "",
        "at text",
        (
            {"at": one.at[:10], "text": deviation_text(one.code, one.text)}
            for one in subject.state.deviations
        ),
    )


@view("statement", of="project", title="Data statement", place=117)
def statement(subject: Subject) -> Iterator[Block]:
    """Show what the data statement says so far."""
    said = subject.state.statement
    yield table(
        "",
        "section title text",
        (
            {"section": letter, "title": name, "text": said.get(letter, "not written")}
            for letter, name in SECTIONS.items()
        ),
    )


# ------------------------------------------------------------------ items, comparison, releases


@view("items", of="project", title="Items", place=120)
def items(subject: Subject) -> Iterator[Block]:
    """Show the items."""
    found = subject.state.items
    parts = {
        "text": found.texts,
        "context": found.contexts,
        "batch": found.batches,
        **found.metadata,
    }
    rows = tuple(
        {"item": name} | {key: cells[k] if cells else "" for key, cells in parts.items()}
        for k, name in enumerate(found.ids)
    )
    note = f"{count_of(len(rows), 'item')}, {'settled' if found.frozen else 'not settled yet'}."
    yield table("", ("item", *(called(key, key) for key in parts)), rows, note, keep=("item",))


@view("assign", of="project", title="Who annotates what", place=121)
def assigned(subject: Subject) -> Iterator[Block]:
    """Show who annotates what."""
    state = subject.state
    yield table(
        "",
        "coder n_items",
        (
            {"coder": name, "n_items": len(state.assigned.get(name, state.items.ids))}
            for name in state.coders
        ),
    )


@view("compare", of="project", title="Comparison", place=122)
def comparison(subject: Subject, *, round: int | None = None) -> Iterator[Block]:
    """Show how the annotations of a round compared.

    Question by question: agreed, conflicting, incomplete. The report has coefficients and
    intervals.

    Parameters
    ----------
    round : int, optional
        Which round; the last that closed by default.

    Examples
    --------
    How the last round compared, question by question:
    $ accordant project compare
    An earlier round, for a spreadsheet:
    $ accordant project compare --round 1 -f csv
    Then: open a case for each conflict:
    $ accordant project go resolution
    """
    found = comparison_view(subject.state, subject.person, round)
    states = list(dict.fromkeys(name for counts in found.counts.values() for name in counts))
    rows = [
        {"question": q, **{s: counts.get(s, 0) for s in states}, "share": _share([counts])[0]}
        for q, counts in found.counts.items()
    ]
    counts = (called(state, state, "count") for state in states)
    notes = [f"Round {found.round}. Share: agreed cells of those with two coders or more."]
    share, n = _share(found.counts.values())
    if len(rows) > 1 and n:
        notes.append(f"All questions together: {percent(share)} of {count_of(n, 'cell')}.")
    notes += [f"Question {q}: {why}." for q, why in found.withheld.items()]
    yield table("", ("question", *counts, "share"), rows, *notes)


def _share(counts: Collection[Mapping[str, int]]) -> tuple[float, int]:
    """How many of the cells that were compared agreed, and how many these are."""
    agreed, torn = (sum(c.get(s, 0) for c in counts) for s in ("agreed", "conflicting"))
    return (agreed / (agreed + torn) if agreed + torn else float("nan")), agreed + torn


@view("final", of="project", title="Final answers", place=132)
def final(subject: Subject) -> Iterator[Block]:
    """Show the final answers, each with how it came about."""
    several = "question " if len(subject.epoch.questions) > 1 else ""
    keys = f"item {several}answer provenance answers case cause decided_by cites proof"
    yield table(
        "",
        keys,
        final_rows(subject.state, subject.person),
        *status_lines(subject.state),
        keep=("item", "answer", "provenance", "question", "case"),
    )


@view("releases", of="project", title="Releases", place=130)
def releases(subject: Subject) -> Iterator[Block]:
    """Show the releases."""
    yield table(
        "", "release when status reason flags", (_row(subject, r) for r in subject.state.releases)
    )


def _row(subject: Subject, one: Release) -> dict[str, object]:
    return {
        "release": one.version,
        "when": minute(one.at),
        "status": one.status.value,
        "reason": one.reason,
        "flags": subject.sight.until or "; ".join(one.flags),
        "head": one.head,
    }


@view("release", of="project", title="A release now", place=131)
def release_now(subject: Subject) -> Iterator[Block]:
    """Show what a release would be now, and what is missing for a ground truth."""
    now = subject.now
    yield entry("release", f"A release would be: {now.status}", "", now.flags)
    if now.missing:
        yield from _missing("For a ground truth is missing", now.missing)


# ------------------------------------------------------------------ the log


MOST = 3  # events of a kind that are told one by one


@view("log", of="project", title="Log", place=30)
def log(
    subject: Subject,
    *,
    last: int = 0,
    by: Annotated[str, Typed("NAME")] = "",
    kind: str = "",
    case: Annotated[int, Typed("N", "--case")] = 0,
) -> Iterator[Block]:
    """Show everything that happened, as you may see it.

    While a round is open, nothing of what others answer is shown. Nothing is ever deleted. Each
    event holds the hash of the one before, which can be verified.

    Parameters
    ----------
    last : int
        Only so many events from the end.
    by : str
        Only what one person did.
    kind : str
        Only events of a kind, such as "case agreed".
    case : int
        Only events of a case.

    Examples
    --------
    Everything that happened:
    $ accordant project log
    The end of it:
    $ accordant project log --last 20
    One case, with every detail:
    $ accordant project log --case 3 -f json
    What somebody did:
    $ accordant project log --by bob --kind annotated
    """
    if kind and kind not in KINDS:
        raise unknown("kind of event", kind, sorted(KINDS), "there are")
    rows = [
        {
            "number": one.seq or None,
            "when": one.at,
            "minute": minute(one.at),
            "who": one.actor,
            "what": one.kind,
            "about": _about(one),
            "withheld": one.withheld,
            "hash": one.hash,
            "body": one.body,
        }
        for one in entries_of(subject.records, subject.state, subject.person)
        if by in ("", one.actor)
        and kind in ("", one.kind)
        and (not case or one.stream == f"case {case}" or case in _opened(one))
    ]
    yield table("", "number minute who about", rows[-last:], keep=("minute", "about"))


def _opened(entry: LogEntry) -> Sequence[int]:
    """Numbers of the cases that an event opens."""
    if entry.kind != "cases opened":
        return ()
    return range(entry.body["first"], entry.body["first"] + len(entry.body["items"]))


def _about(entry: LogEntry) -> str:
    """An event in a sentence; what is withheld, as far as it may be told."""
    if not entry.withheld:
        return read_event(entry.kind, msgspec.json.encode(entry.body).decode()).sentence()
    told = (f"{k} {x}" for k, x in entry.body.items() if isinstance(x, str | int) and x != "")
    return f"{entry.kind}: {'; '.join(told)}; {entry.withheld}"


def sentences(events: Iterable[Event]) -> Iterator[str]:
    """What happened, in the order in which it happened; many events of a kind are counted."""
    for kind, group in groupby(events, key=lambda event: event.kind):
        each: list[Any] = list(group)
        many = _many(kind, each) if len(each) > MOST else ""
        yield from ([many] if many else filter(None, (e.sentence() for e in each[:MOST])))
        if len(each) > MOST and not many:
            yield f"and {len(each) - MOST:,} more of this kind: {kind}"


def _many(kind: str, each: list[Any]) -> str:
    """Many events of a kind in one sentence, where it says more than their number."""
    if kind == "case agreed":
        return f"{count_of(len(each), 'case')} are agreed: {joined(str(e.case) for e in each)}"
    if kind == "assigned":
        return f"items are assigned to {joined(e.coder for e in each)}"
    if kind == "annotated":
        n = count_of(sum(len(e.items) for e in each), "annotation")
        of = count_of(len({e.question for e in each}), "question")
        return f"{each[0].coder}: {n} of {of} kept"
    return ""


def asked_now(events: Sequence[Event], state: State) -> Iterator[Action]:
    """Which dependent questions somebody is asked since an answer changed."""
    changed = {(e.coder, e.item, e.question) for e in events if isinstance(e, Rescored)}
    for coder, case, where, question in dependent_cells(state) if changed else ():
        name, asked_if = state.items.ids[where], state.epoch.questions[question].asked_if
        if asked_if is not None and (coder, name, asked_if.question) in changed:
            item = {} if case.item == where else {"item": name}
            why = f"{coder} is now asked question {question} about {name}"
            yield step("case rescore", why, case=case.number, question=question, **item)


def preview_lines(found: Preview) -> Iterator[str]:
    """One line for each thing that would differ, what would happen first.

    Examples
    --------
    >>> print(*preview_lines(Preview(again={"5a": 108, "5c": 63}, agreed={"5a": 59})), sep="; ")
    171 annotations asked for again (5a: 108 and 5c: 63); 59 agreed answers among them (5a: 59)
    """
    yield from sentences(found.events)
    if found.again:
        n, where = _counted(found.again, "annotation")
        yield f"{n} asked for again{where}"
    if found.agreed:
        n, where = _counted(found.agreed, "agreed answer")
        yield f"{n} among them{where}"
    for (before, after), k in Counter(found.cases.values()).items():
        yield f"{count_of(k, 'case')}: {f'{before} → {after}' if before else f'new, {after}'}"
    if found.to_read:
        yield f"to read or sign: {joined(found.to_read)}"
    now, then = found.release
    if now is not then:
        yield f"a release, now {now}, would be: {then}"
    if found.withheld:
        yield f"what follows from it is {found.withheld}"


def _counted(by_question: dict[str, int], noun: str) -> tuple[str, str]:
    """How many there are in all, and of each question."""
    each = joined(f"{question}: {n:,}" for question, n in by_question.items())
    return count_of(sum(by_question.values()), noun), f" ({each})"
