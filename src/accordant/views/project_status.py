"""Where a project stands: what is asked of whom, what is possible now, who takes part."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..actions import Action
from ..numbers import count_of, joined, percent
from ..resolution.command import COMMANDS, Unmet, step
from ..resolution.exports import final_rows, status_lines
from ..resolution.sentences import deviation_text
from ..resolution.standing import Possible, standing
from ..resolution.state import Release
from ..resolution.statement import SECTIONS
from ..resolution.step_change import GOALS
from ..resolution.views import comparison_view
from .blocks import Block, Prose, entry
from .project_subject import Subject, called, minute, table
from .view import view

__all__ = ["status"]

BACK = (2, 4, 5, 22, 23)  # transitions that lead back or away
AWAY = ("task change", "abandon", "halt")


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
    """Show the research question and the hypotheses."""
    yield Prose(subject.state.research_question or "No research question is stated.")
    if subject.state.hypotheses:
        yield Prose(f"Hypotheses: {subject.state.hypotheses}")


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
    $ accordant project resolve
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
        notes.append(f"All questions together: {percent(share)} of {n:,} cells.")
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
