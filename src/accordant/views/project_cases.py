"""Cases: the disagreements listed, each with its course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec

from ..kinds import Typed
from ..numbers import count_of, joined
from ..resolution.case_state import Case
from ..resolution.causes import CAUSES, FIELDS
from ..resolution.command import step
from ..resolution.ending import Ending, awaiting_judgement, ending, trail_of
from ..resolution.requests import asked_about, step_about
from ..resolution.terms import CaseState, Cause, Evidence, Outcome, Settled
from ..resolution.toolbox import texts_about, texts_at
from ..resolution.views import CaseView, case_view
from ..resolution.views import cases as case_rows
from .blocks import Block, Prose, Table, entry
from .coefficient_names import cut
from .project_subject import Subject, Told, chapter, table
from .view import view

MOST_CHARACTERS = 300  # of the text of an item
MOST = 500  # cases with a paragraph: of more a page would be too long to read
COLUMNS = "case item question answers state cause outcome waits_for"
KEEP = ("case", "item", "answers", "state", "cause", "question")
HOW = {
    Outcome.RESCORED_C: "the inconsistent coder corrected the answer",
    Outcome.RESCORED_E: "the coder corrected a mistake",
    Outcome.ARGUED_D: "settled by argument",
    Outcome.REANNOTATED_A: "annotated again after task or guidelines were made clear",
    Outcome.REANNOTATED_B: "annotated again after alignment on the concept",
    Outcome.CLARIFIED: "settled under the new toolbox, re-annotation being waived",
    Outcome.IMPORTED: "as the imported data say",
}
SETTLED = {
    Settled.LEFT_DISAGREED: "Left disagreed, with all answers kept",
    Settled.DICTATOR_DECISION: "Decided by {0.decided_by} alone for “{0.answer}”",
    Settled.DICTATOR_AGGREGATION: "Settled by majority: “{0.answer}”",
}
TOLD = {
    "said": "{0.by}: “{0.text}”",
    "case reopened": "Opened again by {0.by}: {0.text}",
    "case waits": "The case is {0.state}: {0.why}",
    "refused": "{0.by} did not accept it: {0.text}",
    "rescored": "{0.by} changed an answer",
}


@view("cases", of="project", title="Cases", place=20)
def cases(
    subject: Subject,
    *,
    states: Annotated[Sequence[CaseState], Typed("STATE")] = (),
    question: str = "",
    cause: Cause | None = None,
    waiting_for: str = "",
    live: bool = False,
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
    waiting_for : str
        Only those in which somebody must act.
    live : bool
        Only those in which something is still to be done.

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
        waits_for=waiting_for,
        live=live,
    )
    if not found:
        known = bool(subject.epoch.cases)
        yield Prose("No case is like that." if known else "No cases yet.")
        if not known:
            yield Prose(
                title="Next",
                do=(step("go", "a case opens for each disagreement", to="resolution"),),
            )
        return
    shown = COLUMNS if len(subject.epoch.questions) > 1 else COLUMNS.replace(" question", "")
    told = f"{count_of(len(found), 'case')}: {_counted(row.state for row in found)}."
    yield table("", shown, (row.row() for row in found), told, keep=KEEP)


def _counted(states: Iterable[str]) -> str:
    return joined(f"{n:,} {state}" for state, n in Counter(states).items())


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
        Numbers of cases.

    Examples
    --------
    The item, the answers, what was said and what is next:
    $ accordant project case 3
    Everything as data:
    $ accordant project case show 3 -f json
    """
    found = [case_view(subject.state, int(n), subject.person) for n in cases]
    yield Table("Cases", (), tuple(_data(subject, one) for one in found), depth="evidence")
    for seen in found:
        yield from _one(subject, seen)


def _data(subject: Subject, view: CaseView) -> dict[str, Any]:
    """Everything about a case as data, with what its answer rests on."""
    inside: dict[str, Any] = msgspec.to_builtins(view, enc_hook=str)
    row = view.summary
    inside.pop("summary")
    rests: list[int] = []
    if row.epoch == subject.epoch.number and subject.sight.round is None:
        item = subject.state.items.positions[row.item]
        found = ending(trail_of(subject.state), item, row.question)
        rests = list(found.events) if isinstance(found, Ending) else []
    return row.row() | inside | {"rests_on": rests}


def _one(subject: Subject, view: CaseView) -> Iterator[Block]:
    row = view.summary
    case = next(e.cases[row.number] for e in subject.state.epochs if row.number in e.cases)
    yield _entry(subject, case, view, f"{row.question}: {view.question_text}", view.text)
    if case.settled is Settled.LEFT_DISAGREED:
        yield Prose(title="Next", do=(step("case decide", cases=row.number),))
    elif asks := asked_about(subject.state, case, subject.sight):
        mine = [what for what, names in asks if subject.person in ("", *names)]
        if mine:
            yield Prose(title="Next", do=tuple(step_about(what, row.number) for what in mine))


def _entry(subject: Subject, case: Case, view: CaseView, *about: str) -> Prose:
    """A case with its heading, its course, and what is told besides."""
    row = view.summary
    title = f"Case {row.number}: item {row.item}, question {row.question}"
    if row.withheld:
        return entry(f"case-{row.number}", title, "", (row.withheld,))
    cause = f" · cause {row.cause}" if row.cause else ""
    answers = joined(f"{coder} “{answer}”" for coder, answer in row.answers.items())
    first = joined(f"{coder} “{answer}”" for coder, answer in view.first.items())
    said = f"Answers: {answers}." + (f" First: {first}." if first else "")
    told = (*about, said, *_course(subject, case, view), *_to_judge(subject, case))
    label = f"{case.settled or case.state}{cause}"
    return entry(f"case-{row.number}", title, label, tuple(filter(None, told)))


# ------------------------------------------------------------------ the course of a case


def _course(subject: Subject, case: Case, view: CaseView) -> Iterator[str]:
    """What was said and done in a case, in its order, and what it came to."""
    for coder, note in view.notes.items():
        if told := "; ".join(filter(None, (note.comment, note.source, note.reason))):
            yield _sentence(f"{coder}, when annotating: “{told}”")
    causes = {one.seq: one for one in view.assessments}
    outcomes = {one.seq: one for one in view.proposals}
    for one in view.thread:
        if one.seq in causes:
            cause = causes[one.seq]
            who = "so the imported data say" if cause.told else f"proposed by {cause.by}"
            who += f", accepted by {joined(cause.consents)}" if cause.consents else ""
            text = f"Cause {cause.cause}, {CAUSES[cause.cause].label}; {who}."
            yield " ".join([text, *_evidence(cause.evidence)])
        elif one.seq in outcomes:
            new = outcomes[one.seq]
            who = f"“{new.answer}”{_by(new.cites)}, proposed by {new.by}"
            who += f", accepted by {joined(new.consents)}" if new.consents else ""
            yield _sentence(f"{who}: {new.text}")
        elif one.kind in TOLD and (one.text or one.kind in ("rescored", "case waits")):
            yield _sentence(TOLD[one.kind].format(one).removesuffix(": ") + _by(one.cites))
    if view.unread:
        yield f"Reasons of {joined(view.unread)}: shown after yours."
    if {*view.withheld} - ({"said"} if view.unread else set()):
        yield "What was proposed and argued is shown after your reason."
    yield _ending(subject, case, view)


def _by(cites: Sequence[str]) -> str:
    return f" ({joined(cites)})" if cites else ""


def _evidence(e: Evidence) -> Iterator[str]:
    """What was recorded with a cause, in sentences."""
    for field in FIELDS.values():
        value = getattr(e, field.key)
        if field.each:
            yield from (field.told.format(coder, text) for coder, text in value.items())
        elif value:
            yield field.told.format(value if isinstance(value, str) else joined(value))


def _to_judge(subject: Subject, case: Case) -> Iterator[str]:
    """The change that may settle a case, as those who disagreed are asked to judge it."""
    state, question = subject.state, case.question
    if case.epoch != subject.epoch.number or subject.sight.round is not None:
        return
    of = awaiting_judgement(trail_of(state), case.item, question)
    if of is None or of.change is None:
        return
    box = of.change
    before, now = (texts_about(state, question, box.ordinal - k) for k in (1, 0))
    gone = joined(f"“{text}”" for text in before if text not in now)
    new = joined(f"“{text}”" for text in now if text not in before)
    told = [f"{what}: {each}" for what, each in (("Gone", gone), ("New", new)) if each]
    yield f"Changed with event {box.seq}. {'. '.join(told)}."
    yield "With the new text, would you all have answered alike?"


def _sentence(text: str) -> str:
    return text if text.rstrip("”)").endswith((".", "!", "?", "…")) else f"{text}."


def _ending(subject: Subject, case: Case, view: CaseView) -> str:
    says = f": “{case.text}”" if case.text else ""
    if case.state is CaseState.AGREED:
        how = f", {HOW[case.outcome]}" if case.outcome else ""
        who = f" Agreed by {joined(case.consents)}." if case.consents else ""
        lacks = f" No proof of ground truth: {view.lacks}." if view.lacks else ""
        lacks += f" Proof: {view.ends}." if view.ends else ""
        agreed = _sentence(f"Agreed on “{case.answer}”{how}{says}")
        return f"{agreed}{_cited(subject, case)}{who}{lacks}"
    if case.settled is not None:
        return _sentence(SETTLED[case.settled].format(case) + says)
    if case.state is CaseState.POSTPONED:
        return f"Postponed until {case.review_date}."
    waits = f"; awaited: {joined(view.summary.waits_for)}" if view.summary.waits_for else ""
    return f"Not settled: {case.state}{waits}."


def _cited(subject: Subject, case: Case) -> str:
    """What a resolution rests on, in the words of the toolbox in force when it was reached."""
    if not case.cites:
        return ""
    texts = texts_at(subject.state, case.epoch, case.toolbox)
    told = joined(f"{id} (“{texts[id]}”)" if texts.get(id) else id for id in case.cites)
    return f" It rests on {told}."


# ------------------------------------------------------------------ the chapter of the report


@chapter("cases", "Cases and resolutions")
def cases_section(subject: Subject) -> Told:
    """A table of all cases, and a paragraph for each."""
    cases = subject.cases
    if cases:
        n, items = count_of(len(cases), "case"), count_of(len({c.item for c in cases}), "item")
        states = _counted(str(case.settled or case.state) for case in cases)
        yield f"{n} about {items}, each one question about one item: {states}."
    if withheld := subject.n_withheld:
        n = count_of(withheld, "case is", "cases are")
        told = f"{n} {subject.sight.until}: annotated again."
        yield Prose(told) if cases else told
    if cases:
        yield _table(subject, cases)
    for case in cases[:MOST]:
        view = case_view(subject.state, case.number, subject.person)
        text = f"Text: “{cut(view.text, MOST_CHARACTERS)}”" if view.text else ""
        yield _entry(subject, case, view, text)
    if len(cases) > MOST:
        left = count_of(len(cases) - MOST, "further case")
        yield Prose(f"{left} stand in cases.csv, beside this report.")


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
        }
        for case in cases
    )
    keys = "case item question first_answers cause became outcome"
    return table("All cases", keys, rows, depth="detail" if len(cases) > 40 else "main")
