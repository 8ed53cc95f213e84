"""Cases: the disagreements listed, each with its course, and what the data suggest about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any

import msgspec

from ..fields import FIELDS
from ..kinds import Typed
from ..numbers import count_of, joined
from ..resolution.case_asks import asked_about, step_about
from ..resolution.case_state import Case
from ..resolution.chains import Link
from ..resolution.command import step
from ..resolution.disagreement import cases_named
from ..resolution.provenance import provenance
from ..resolution.views import CaseView, case_view
from ..resolution.views import cases as case_rows
from ..resolution.words import CaseState, Cause, Settled
from .blocks import Actions, Block, Entry, Pairs, Prose, Table
from .case_course import course
from .names import cut
from .project_subject import Subject, Told, called, chapter, table
from .view import view

__all__ = ["cases_section"]

MOST_CHARACTERS = 300  # of the text of an item
MOST = 500  # cases with a paragraph: of more a page would be too long to read
EVENTS = called("events", "events")
COLUMNS = "case item question answers state cause group outcome waits_for"
KEEP = ("case", "item", "answers", "state", "cause", "question")


@view("cases", of="project", title="Cases", place=20)
def cases(
    subject: Subject,
    *,
    states: Annotated[Sequence[CaseState], Typed("STATE")] = (),
    question: str = "",
    cause: Cause | None = None,
    group: str = "",
    waiting_for: str = "",
    live: bool = False,
    earlier: bool = False,
) -> Iterator[Block]:
    """List the cases: one for each disagreement.

    Parameters
    ----------
    states : sequence of CaseState
        Only cases that stand there: open, reasons, cause proposed, cause accepted, rescoring,
        argued, returned, postponed, agreed, unresolved or closed.
    question : str
        Only of this question.
    cause : Cause, optional
        Only with this cause, accepted or proposed.
    group : str
        Only of this group.
    waiting_for : str
        Only those in which somebody must act.
    live : bool
        Only those in which something is still to be done.
    earlier : bool
        Cases of earlier tasks too.

    Examples
    --------
    Every case of the task:
    $ accordant project cases
    Those in which bob must act:
    $ accordant project cases --waiting-for bob
    What is not settled, for a spreadsheet:
    $ accordant project cases --live -f csv
    By cause and question:
    $ accordant project cases --cause c --question scope
    """
    found = case_rows(
        subject.state,
        subject.person,
        in_state=states,
        question=question,
        cause=cause,
        group=group,
        waits_for=waiting_for,
        live=live,
        earlier=earlier,
    )
    if not found:
        known = bool(subject.epoch.cases)
        yield Prose("No case is like that." if known else "No cases yet: step 5 opens them.")
        if not known:
            yield Actions("Next", (step("resolve", "a case opens for each disagreement"),))
        return
    shown = COLUMNS if len(subject.epoch.questions) > 1 else COLUMNS.replace(" question", "")
    told = f"{count_of(len(found), 'case')}: {_counted(row.state for row in found)}."
    yield table("", shown, (row.row() for row in found), told, keep=KEEP)


def _counted(states: Iterable[str]) -> str:
    """How many cases there are of each state."""
    return joined(f"{n:,} {state}" for state, n in Counter(states).items())


@view("group", of="project", title="Groups of cases", place=140)
def groups(subject: Subject) -> Iterator[Block]:
    """Show the groups of cases."""
    yield table(
        "",
        "group cases",
        (
            {"group": name, "cases": ", ".join(map(str, members))}
            for name, members in subject.state.groups.items()
        ),
    )


# ------------------------------------------------------------------ one case


@view("case", of="project", title="Cases as you may see them", place=22)
def case(
    subject: Subject,
    *,
    cases: Annotated[Sequence[int | str], Typed("CASE", argument=True)] = (),
) -> Iterator[Block]:
    """Show a case as you may see it.

    Others' reasons are shown after you have given your own.

    Parameters
    ----------
    cases : sequence
        Numbers, or names of groups.

    Examples
    --------
    The item, the answers, what was said and what is next:
    $ accordant project case 3
    Everything as data:
    $ accordant project case show 3 -f json
    """
    state = subject.state
    numbers = [n for n in cases if isinstance(n, int)]
    if len(numbers) < len(cases) or not cases:  # earlier cases are shown by their numbers too
        numbers = [one.number for one in cases_named(state, cases)]
    found = [case_view(state, n, subject.person) for n in numbers]
    each = tuple(_data(one, _rests_on(subject, one)) for one in found)
    yield Table("Cases", (), each, depth="evidence")
    for seen in found:
        yield from _one(subject, seen)


def _data(view: CaseView, rests_on: Sequence[Link]) -> dict[str, Any]:
    """Everything about a case as data."""
    inside: dict[str, Any] = msgspec.to_builtins(view, enc_hook=str)
    inside.pop("summary")
    links = [{"what": x.what, "events": list(x.events), "note": x.note} for x in rests_on]
    return view.summary.row() | inside | {"rests_on": links}


def _rests_on(subject: Subject, view: CaseView) -> tuple[Link, ...]:
    """The events behind the answer of a case of the current task."""
    row = view.summary
    if row.epoch != subject.epoch.number:
        return ()
    return provenance(subject.state, row.item, row.question, subject.person).steps


def _one(subject: Subject, view: CaseView) -> Iterator[Block]:
    row = view.summary
    case = next(e.cases[row.number] for e in subject.state.epochs if row.number in e.cases)
    asked = f"{row.question}: {view.question_text}"
    yield _entry(case, view, asked, view.context, view.text, row.withheld)
    if row.withheld:
        return
    first = {coder: f" (first: {answer})" for coder, answer in view.first.items()}
    each = ((coder, f"{answer}{first.get(coder, '')}") for coder, answer in row.answers.items())
    yield Pairs(tuple(each))
    yield Prose("\n".join(course(subject, case, view)))
    if not case.live and (links := _rests_on(subject, view)):
        yield table(
            "What the answer rests on",
            (FIELDS["what"], EVENTS, FIELDS["reason"]),
            (
                {"what": x.what, "events": joined(map(str, x.events)), "reason": x.note}
                for x in links
            ),
            depth="detail",
        )
    if case.settled is Settled.LEFT_DISAGREED:
        yield Actions("Next", (step("case decide", cases=row.number),))
    elif asks := asked_about(subject.state, case, subject.sight):
        mine = [what for what, names in asks if subject.person in ("", *names)]
        if mine:
            yield Actions("Next", tuple(step_about(what, row.number) for what in mine))


def _entry(case: Case, view: CaseView, *told: str) -> Entry:
    """A case with its heading, and what is told of it."""
    row, same = view.summary, view.same_item
    label = (
        ""
        if row.withheld
        else " · ".join(
            filter(
                None,
                (
                    str(case.settled or case.state),
                    f"cause {case.cause}" if case.cause else "",
                    f"group {case.group}" if case.group else "",
                    f"same item: case{'s' * (len(same) > 1)} {joined(map(str, same))}"
                    if same
                    else "",
                ),
            )
        )
    )
    title = f"Case {row.number}: item {row.item}, question {row.question}"
    return Entry(f"case-{row.number}", title, label, tuple(filter(None, told)))


# ------------------------------------------------------------------ the chapter of the report


def _said(subject: Subject, case: Case) -> str:
    by_answer: dict[str, list[str]] = {}
    for coder, answer in subject.first(case).items():
        by_answer.setdefault(answer, []).append(coder)
    text = joined(f"{joined(coders)} answered “{a}”" for a, coders in by_answer.items())
    why = "" if case.because == "comparison" else f" The case was opened by {case.because}."
    later = "".join(
        f" {coder} was asked later and answered “{answer}”."
        for coder, answer in subject.later(case).items()
    )
    return f"{text or 'The answers are not there any more'} (round {case.round}).{later}{why}"


@chapter("cases", "Cases and resolutions")
def cases_section(subject: Subject) -> Told:
    """A table of all cases, and a paragraph for each."""
    cases = _in_order(subject.cases)
    told = []
    if cases:
        n, items = count_of(len(cases), "case"), count_of(len({c.item for c in cases}), "item")
        states = _counted(str(case.settled or case.state) for case in cases)
        told.append(f"{n} about {items}, a case being one question about one item: {states}.")
    if withheld := subject.n_withheld:
        n = count_of(withheld, "case is", "cases are")
        told.append(f"{n} {subject.sight.until}: annotated again.")
    if told:
        yield " ".join(told)
    if cases:
        yield _table(subject, cases)
    for group, of_group in groupby(cases[:MOST], key=lambda case: case.group):
        members = [*of_group]
        if group:
            same = joined((str(case.number) for case in members), most=40)
            yield Prose(
                f"Group “{group}”: cases {same} were handled together; each has a record "
                "of its own."
            )
        for case in members:
            view = case_view(subject.state, case.number, subject.person)
            text = f"Text: “{cut(view.text, MOST_CHARACTERS)}”" if view.text else ""
            told = course(subject, case, view)
            yield _entry(case, view, text, _said(subject, case), *told)
    if len(cases) > MOST:
        yield Prose(
            f"{count_of(len(cases) - MOST, 'further case')} stand in the file cases.csv "
            "and in the project's own file, which come with this report."
        )


def _in_order(cases: Sequence[Case]) -> list[Case]:
    """By number; the cases of a group together, where the first of them stands."""
    first: dict[str, int] = {}
    for case in cases:
        if case.group:
            first.setdefault(case.group, case.number)
    return sorted(cases, key=lambda c: (first.get(c.group, c.number), c.number))


def _table(subject: Subject, cases: Sequence[Case]) -> Table:
    rows = (
        {
            "case": case.number,
            "item": subject.item(case),
            "question": case.question,
            "first_answers": " · ".join(f"{c}: {a}" for c, a in subject.first(case).items()),
            "cause": case.cause.value if case.cause else "",
            "became": str(case.settled or case.state),
            "outcome": "" if case.answer is None else str(case.answer),
            "group": case.group,
        }
        for case in cases
    )
    keys = "case item question first_answers cause became outcome group"
    return table("All cases", keys, rows, depth="detail" if len(cases) > 40 else "main")
