"""Cases: the disagreements listed, each with its course, and what the data suggest about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Annotated, Any

import msgspec

from ..numbers import count_of, joined
from ..resolution.asked import asked_about, step_about
from ..resolution.causes import CAUSES
from ..resolution.commands.parameters import Typed
from ..resolution.disagreement import cases_named
from ..resolution.records import Evidence
from ..resolution.refusal import step
from ..resolution.state import Assessment, Case, Proposal
from ..resolution.toolbox import texts_at
from ..resolution.views import CaseView, case_view
from ..resolution.views import cases as case_rows
from ..resolution.words import CaseState, Cause, Outcome, Settled
from .blocks import Actions, Block, Entry, Pairs, Prose, Table
from .names import cut
from .project_subject import Subject, Told, chapter, table
from .view import view

__all__ = ["cases_section"]

MOST_CHARACTERS = 300  # of the text of an item
MOST = 500  # cases with a paragraph: of more a page would be too long to read
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
        subject.state, subject.person, in_state=states, question=question, cause=cause, group=group,
        waits_for=waiting_for, live=live, earlier=earlier,
    )  # fmt: skip
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
    yield table("", "group cases", (
        {"group": name, "cases": ", ".join(map(str, members))}
        for name, members in subject.state.groups.items()
    ))  # fmt: skip


# ------------------------------------------------------------------ one case


@view("case", of="project", title="Cases as you may see them", place=22)
def case(subject: Subject, *, cases: Sequence[int | str] = ()) -> Iterator[Block]:
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
    $ accordant project case 3 show -f json
    """
    state = subject.state
    numbers = [n for n in cases if isinstance(n, int)]
    if len(numbers) < len(cases) or not cases:  # earlier cases are shown by their numbers too
        numbers = [one.number for one in cases_named(state, cases)]
    found = [case_view(state, n, subject.person) for n in numbers]
    yield Table("Cases", (), tuple(map(_data, found)), depth="evidence")
    for seen in found:
        yield from _one(subject, seen)


def _data(view: CaseView) -> dict[str, Any]:
    """Everything about a case as data."""
    inside: dict[str, Any] = msgspec.to_builtins(view, enc_hook=str)
    inside.pop("summary")
    return view.summary.row() | inside


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
    yield Prose("\n".join(_course(subject, case, view)))
    if case.settled is Settled.LEFT_DISAGREED:
        yield Actions("Next", (step("case decide", cases=row.number),))
    elif asks := asked_about(subject.state, case):
        own = [what for what, names in asks if subject.person in names]
        wanted = own or [what for what, _ in asks]
        yield Actions("Next", tuple(step_about(what, row.number) for what in wanted))


def _entry(case: Case, view: CaseView, *told: str) -> Entry:
    """A case with its heading, and what is told of it."""
    row, same = view.summary, view.same_item
    label = "" if row.withheld else " · ".join(filter(None, (
        str(case.settled or case.state),
        f"cause {case.cause}" if case.cause else "",
        f"group {case.group}" if case.group else "",
        f"same item: case{'s' * (len(same) > 1)} {joined(map(str, same))}" if same else "",
    )))  # fmt: skip
    title = f"Case {row.number}: item {row.item}, question {row.question}"
    return Entry(f"case-{row.number}", title, label, tuple(filter(None, told)))


# ------------------------------------------------------------------ the course of a case

HOW = {
    Outcome.RESCORED_C: "the coder who was inconsistent corrected the answer",
    Outcome.RESCORED_E: "the coder who had made a mistake corrected it",
    Outcome.ARGUED_D: "settled by argument",
    Outcome.REANNOTATED_A: "annotated again after task or guidelines were made clear",
    Outcome.REANNOTATED_B: "annotated again after the coders had aligned on the concept",
    Outcome.DEFERENCE: "settled by deference to one coder, a deviation from the procedure",
    Outcome.CLARIFIED: "settled under the new toolbox, re-annotation being waived",
    Outcome.IMPORTED: "as the imported data say",
}
_GIVEN = (Outcome.RESCORED_C, Outcome.RESCORED_E, Outcome.REANNOTATED_A, Outcome.REANNOTATED_B)
"""Outcomes that are no proposal: every coder's own annotation says so."""
_SETTLED = (CaseState.AGREED.value, CaseState.UNRESOLVED.value)
_DISCUSSED = (CaseState.OPEN.value, CaseState.REASONS.value)
_Moment = tuple[int, str]  # number of the event, and a sentence
EVIDENCE = {
    "concept": "Concept: {}.", "rule": "Rule: {}.", "wording": "Proposed wording: “{}”.",
    "knowledge": "Knowledge: “{}”.", "width": "Too narrow or too broad: “{}”.",
    "coder": "Coder: {}.", "others": "Other items: {}.",
    "same": "The same in what matters: “{}”.", "meant": "Meant: “{}”.",
}  # fmt: skip


def _course(subject: Subject, case: Case, view: CaseView) -> list[str]:
    """Why coders answered as they did, what happened in its order, and what it came to."""
    moments = [
        *_turns(case),
        *_causes(view.assessments, max((one.seq for one in subject.state.imports), default=0)),
        *_changes(subject, case, view),
        *_proposals(view.proposals),
    ]
    unread = f"Reasons of {joined(view.unread)}: shown after you have given yours."
    return [
        *(_sentence(f"{r.coder}: “{r.text}”{_by(r.cites)}") for r in view.reasons.values()),
        *([unread] if view.unread else []),
        *(text for _, text in sorted(moments, key=lambda moment: moment[0])),
        _ending(subject, case, view),
    ]


def _by(cites: Sequence[str]) -> str:
    """What somebody cites, in brackets."""
    return f" ({joined(cites)})" if cites else ""


def _refused(refusals: Mapping[str, str]) -> str:
    return "".join(f"; {coder} refused ({why})" for coder, why in refusals.items())


def _accepted(consents: Sequence[str]) -> str:
    return f", accepted by {joined(consents)}" if consents else ""


def _proposals(proposals: Sequence[Proposal]) -> Iterator[_Moment]:
    """The outcomes that were refused, and the one that waits for acceptance."""
    for one in proposals:
        if one.refusals or not one.ended:
            which = "proposed" if one.ended else f"proposal {one.seq}"
            who = f"{which} by {one.by}{_accepted(one.consents)}{_refused(one.refusals)}"
            yield one.seq, _sentence(f"“{one.answer}”{_by(one.cites)}, {who}: {one.text}")


def _causes(assessments: Sequence[Assessment], imported: int) -> Iterator[_Moment]:
    """Each cause with who proposed and who accepted it; of an import nobody here has said so."""
    for one in assessments:
        who = f"proposed by {one.by}{_accepted(one.consents)}"
        if one.told or one.seq < imported:
            who = "so the imported data say"
        elif one.disputed:
            who += f"; disputed, and so the case went on ({one.disputed})"
        elif one.withdrawn:
            who += ", withdrawn"
        elif one.refusals:
            who += _refused(one.refusals)
        elif not one.accepted:
            who += f", not accepted by all yet (proposal {one.seq})"
        text = f"Cause {one.cause}, {CAUSES[one.cause].label}; {who}."
        yield one.seq, " ".join([text, *_evidence(one.evidence)])


def _evidence(e: Evidence) -> Iterator[str]:
    """What was recorded with a cause, in sentences."""
    yield from (f"{coder} understood: “{text}”." for coder, text in e.construals.items())
    for key, template in EVIDENCE.items():
        if value := getattr(e, key):
            yield template.format(value if isinstance(value, str) else joined(value))


def _changes(subject: Subject, case: Case, view: CaseView) -> Iterator[_Moment]:
    """Who changed an answer in the course of the case; without the log only that."""
    changes = subject.history.changes.get(case.number, []) if view.rescored else []
    if not changes:
        yield from (
            (event, f"{coder} changed an answer ({why}).") for coder, why, _, event in view.rescored
        )
    own = (subject.item(case), case.question)
    for c, event in changes:
        where = "" if (c.item, c.question) == own else f" about {c.item}, question {c.question},"
        if c.because == "dependency":
            asked = f"{c.coder} was now asked question {c.question} about {c.item}"
            yield event, f"{asked}, and answered “{c.answer}”."
        else:
            yield event, f"{c.coder} changed the answer{where} to “{c.answer}” ({c.because})."


def _turns(case: Case) -> Iterator[_Moment]:
    """Where the case waited, was settled for a while, and was opened again."""
    for (_, before, reached, _), (when, now, why, event) in pairwise(case.history):
        if before in _SETTLED and now not in _SETTLED:
            taken = [p for p in case.proposals if p.seq <= event and p.consents and not p.refusals]
            on = f" on “{taken[-1].answer}”" if taken else ""
            yield event, f"It had been settled{on} ({reached})."
        if now == CaseState.RETURNED:
            of = f": concept {why}" if why else ""
            yield event, f"Taken back to the toolbox on {when[:10]}{of}."
        elif now == CaseState.POSTPONED:
            yield event, _sentence(f"Postponed on {when[:10]}: {why}")
        elif now in _DISCUSSED and before not in (*_DISCUSSED, CaseState.CAUSE_PROPOSED.value):
            yield event, _sentence(f"Opened again on {when[:10]}: {why}")


def _said(subject: Subject, case: Case) -> str:
    by_answer: dict[str, list[str]] = {}
    for coder, answer in subject.first(case).items():
        by_answer.setdefault(answer, []).append(coder)
    text = joined(f"{joined(coders)} answered “{a}”" for a, coders in by_answer.items())
    why = "" if case.because == "comparison" else f" The case was opened by {case.because}."
    later = "".join(f" {coder} was asked later and answered “{answer}”."
                    for coder, answer in subject.later(case).items())  # fmt: skip
    return f"{text or 'The answers are not there any more'} (round {case.round}).{later}{why}"


def _sentence(text: str) -> str:
    """A text that ends with a full stop, if it does not end with one."""
    return text if text.rstrip("”)").endswith((".", "!", "?", "…")) else f"{text}."


def _ending(subject: Subject, case: Case, view: CaseView) -> str:
    says = f": {_sentence(f'“{case.text}”')}" if case.text else "."
    answer = "no answer" if case.answer is None else f"“{case.answer}”"
    why = case.history[-1][2] if case.history else ""
    if case.state is CaseState.AGREED:
        how = f", {HOW[case.outcome]}" if case.outcome else ""
        if view.lacks and case.outcome in (Outcome.REANNOTATED_A, Outcome.REANNOTATED_B):
            how = ", annotated again"  # perhaps nothing was mended
        lacks = f" No proof of ground truth: {view.lacks}." if view.lacks else ""
        return f"Agreed on {answer}{how}{says}{_cited(subject, case)}{_who(case)}{lacks}"
    if case.settled is Settled.LEFT_DISAGREED:
        return f"Left disagreed, with all answers kept{says}"
    if case.settled is Settled.DICTATOR_DECISION:
        return f"Decided by {case.decided_by} alone for {answer}{says}"
    if case.settled is Settled.DICTATOR_AGGREGATION:
        return f"Settled by aggregation ({case.method}): {answer}."
    if case.state is CaseState.CLOSED:
        return f"Superseded{f': {why}' if why else ''}."
    if case.state is CaseState.POSTPONED:
        return f"Postponed until {case.review_date}: {why}."
    waits = f"; awaited: {joined(view.summary.waits_for)}" if view.summary.waits_for else ""
    return f"Not settled yet: {case.state}{waits}."


def _who(case: Case) -> str:
    """Who agreed: by accepting an answer that was proposed, or by giving it themselves."""
    if not case.consents or case.outcome is Outcome.IMPORTED:
        return ""  # nobody has said so here
    given = "Given now by" if case.outcome in _GIVEN else "Accepted by"
    return f" {given} {joined(case.consents)}."


def _cited(subject: Subject, case: Case) -> str:
    """What a resolution rests on, in the words of the toolbox in force when it was reached."""
    if not case.cites:
        return ""
    texts = texts_at(subject.state, case.epoch, case.toolbox)
    told = joined(f"{id} (“{texts[id]}”)" if texts.get(id) else id for id in case.cites)
    since = texts_at(subject.state, case.epoch, 0)
    old = [id for id in case.cites if id in texts and texts[id] != since.get(id, texts[id])]
    return f" It rests on {told}{f' ({joined(old)}: as worded then)' if old else ''}."


# ------------------------------------------------------------------ the chapter of the report


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
            yield Prose(f"Group “{group}”: cases {same} were handled together; each has a record "
                        "of its own.")  # fmt: skip
        for case in members:
            view = case_view(subject.state, case.number, subject.person)
            text = f"Text: “{cut(view.text, MOST_CHARACTERS)}”" if view.text else ""
            course = _course(subject, case, view)
            yield _entry(case, view, text, _said(subject, case), *course)
    if len(cases) > MOST:
        yield Prose(f"{count_of(len(cases) - MOST, 'further case')} stand in the file cases.csv "
                    "and in the project's own file, which come with this report.")  # fmt: skip


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
            "case": case.number, "item": subject.item(case), "question": case.question,
            "first_answers": " · ".join(f"{c}: {a}" for c, a in subject.first(case).items()),
            "cause": case.cause.value if case.cause else "",
            "became": str(case.settled or case.state),
            "outcome": "" if case.answer is None else str(case.answer), "group": case.group,
        }
        for case in cases
    )  # fmt: skip
    keys = "case item question first_answers cause became outcome group"
    return table("All cases", keys, rows, depth="detail" if len(cases) > 40 else "main")
