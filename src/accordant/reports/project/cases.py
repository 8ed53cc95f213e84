"""Every case and what became of it: a paragraph each, as it can stand in an appendix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...diagnosis.words import quoted
from ...measure.numbers import count_of, joined
from ...resolution.causes import CAUSES
from ...resolution.records import Answer, Evidence
from ...resolution.state import Assessment, Case, Proposal, Reason
from ...resolution.toolbox import elements
from ...resolution.views import CaseView, case_view
from ...resolution.words import CaseState, Outcome, Settled
from ..document import Block, Column, Entry, Prose, Section, Table
from ..names import cut
from .subject import Subject

__all__ = ["cases_section"]

MOST_CHARACTERS = 300  # of the text of an item
MOST = 500  # cases with a paragraph: of more a page would be too long to read
HOW = {
    Outcome.RESCORED_C: "the coder who was inconsistent corrected the answer",
    Outcome.RESCORED_E: "the coder who had made a mistake corrected it",
    Outcome.ARGUED_D: "settled by argument",
    Outcome.REANNOTATED_A: "annotated again after task or guidelines were made clear",
    Outcome.REANNOTATED_B: "annotated again after the coders had aligned on the concept",
    Outcome.DEFERENCE: "settled by deference to one coder, which departs from the procedure",
    Outcome.CLARIFIED: "settled under the new toolbox, re-annotation being waived",
    Outcome.IMPORTED: "as the imported data say",
}


def cases_section(subject: Subject) -> Section | None:
    """A table of all cases and a paragraph for each; None if there is none."""
    if not subject.epoch.cases:
        return None
    shown = _in_order(subject.cases)
    blocks: list[Block] = []
    if subject.n_withheld:
        blocks.append(Prose(
            f"{count_of(subject.n_withheld, 'case')} {_is(subject.n_withheld)} "
            f"{subject.sight.until}: annotated again."
        ))  # fmt: skip
    if shown:
        blocks.append(_table(subject, shown))
        blocks += _entries(subject, shown)
    return Section("cases", "Cases and resolutions", _lead(subject), tuple(blocks))


def _is(n: int) -> str:
    return "is" if n == 1 else "are"


def _in_order(cases: Sequence[Case]) -> list[Case]:
    """By number; the cases of a group together, where the first of them stands."""
    first: dict[str, int] = {}
    for case in cases:
        if case.group:
            first.setdefault(case.group, case.number)
    return sorted(cases, key=lambda c: (first.get(c.group, c.number), c.number))


def _lead(subject: Subject) -> str:
    cases = subject.cases
    items = {case.item for case in cases}
    n = [
        (sum(c.state is CaseState.AGREED for c in cases), "agreed"),
        (sum(c.settled is Settled.LEFT_DISAGREED for c in cases), "left disagreed"),
        (sum(c.settled in _BY_ADJUDICATOR for c in cases), "decided by the adjudicator"),
        (sum(c.state is CaseState.CLOSED for c in cases), "superseded"),
        (sum(c.live for c in cases), "still to be settled"),
    ]
    told = joined(f"{k:,} {what}" for k, what in n if k)
    return (
        f"{count_of(len(cases), 'case')} about {count_of(len(items), 'item')}, a case being one "
        f"question about one item: {told}."
        if cases
        else "All cases are being annotated again."
    )


_BY_ADJUDICATOR = (Settled.DICTATOR_DECISION, Settled.DICTATOR_AGGREGATION)


# ------------------------------------------------------------------ the table


def _table(subject: Subject, cases: Sequence[Case]) -> Table:
    rows = tuple(
        {
            "case": case.number,
            "item": subject.item(case),
            "question": case.question,
            "answers": " · ".join(f"{c}: {a}" for c, a in subject.first(case).items()),
            "cause": case.cause.value if case.cause else "",
            "state": str(case.settled or case.state),
            "answer": "" if case.answer is None else str(case.answer),
            "group": case.group,
        }
        for case in cases
    )
    columns = [
        Column("case", "case", "count"),
        Column("item", "item"),
        Column("question", "question"),
        Column("answers", "answers when compared"),
        Column("cause", "cause"),
        Column("state", "what became of it"),
        Column("answer", "answer"),
    ]
    columns += [Column("group", "group")] if any(row["group"] for row in rows) else []
    return Table("All cases", tuple(columns), rows, folded=len(rows) > 40)


# ------------------------------------------------------------------ paragraphs


def _entries(subject: Subject, cases: Sequence[Case]) -> Iterator[Block]:
    cited = {id: element.text for id, element in elements(subject.state).items()}
    group = ""
    for case in cases[:MOST]:
        if case.group and case.group != group:
            same = [c.number for c in cases if c.group == case.group]
            yield Prose(
                f"Group {quoted(case.group)}: cases {joined(map(str, same), most=40)} were handled "
                "together; each has a record of its own."
            )
        group = case.group
        view = case_view(subject.state, case.number, subject.person)
        yield Entry(
            f"case-{case.number}",
            f"Case {case.number}: {subject.item(case)}, question {case.question}",
            _label(case, view),
            tuple(_paragraphs(subject, case, view, cited)),
        )
    if len(cases) > MOST:
        yield Prose(
            f"{count_of(len(cases) - MOST, 'further case')} stand in the file cases.csv and in the "
            "project's own file, which come with this report."
        )


def _label(case: Case, view: CaseView) -> str:
    parts = [str(case.settled or case.state)]
    if case.cause:
        parts.append(f"cause {case.cause.value}")
    if case.group:
        parts.append(f"group {case.group}")
    if view.same_item:
        many = "cases" if len(view.same_item) > 1 else "case"
        parts.append(f"same item: {many} {joined(map(str, view.same_item))}")
    return " · ".join(parts)


def _paragraphs(
    subject: Subject, case: Case, view: CaseView, cited: Mapping[str, str]
) -> Iterator[str]:
    if view.text:
        yield f"Text: {quoted(cut(view.text, MOST_CHARACTERS))}"
    yield _said(subject.first(case), case)
    yield from (_reason(reason) for reason in view.reasons.values())
    yield from _causes(view.assessments)
    yield from _changes(subject, case)
    yield from (_refused(p) for p in view.proposals if p.refusals)
    yield _ending(case, view, cited)


def _said(first: Mapping[str, str], case: Case) -> str:
    by_answer: dict[str, list[str]] = {}
    for coder, answer in first.items():
        by_answer.setdefault(answer, []).append(coder)
    text = joined(f"{joined(coders)} answered {quoted(a)}" for a, coders in by_answer.items())
    why = "" if case.because == "comparison" else f" The case was opened by {case.because}."
    return f"{text or 'The answers are not there any more'} (round {case.round}).{why}"


def _reason(reason: Reason) -> str:
    cites = f" ({joined(reason.cites)})" if reason.cites else ""
    return _sentence(f"{reason.coder}: {quoted(reason.text)}{cites}")


def _sentence(text: str) -> str:
    """A text that ends with a full stop, if it does not end with one."""
    return text if text.rstrip("”)").endswith((".", "!", "?", "…")) else f"{text}."


def _causes(assessments: Sequence[Assessment]) -> Iterator[str]:
    for one in assessments:
        meaning = CAUSES[one.cause]
        found = _evidence(one.evidence)
        text = f"Cause {one.cause.value}, {meaning.label}; proposed by {one.by}"
        text += f", accepted by {joined(one.consents)}" if one.consents else ""
        if one.disputed:
            text += f"; disputed, and so the case went on ({one.disputed})"
        elif one.withdrawn:
            text += ", withdrawn"
        elif one.refusals:
            text += "; " + joined(f"{c} refused ({why})" for c, why in one.refusals.items())
        elif not one.accepted:
            text += ", not accepted by all yet"
        yield f"{text}.{f' {found}' if found else ''}"


def _evidence(e: Evidence) -> str:
    """What was recorded with a cause, in sentences."""
    told = [
        f"Concept: {e.concept}." if e.concept else "",
        *(f"{coder} understood: {quoted(text)}." for coder, text in e.construals.items()),
        f"Rule: {e.rule}." if e.rule else "",
        f"Proposed wording: {quoted(e.wording)}." if e.wording else "",
        f"Knowledge: {quoted(e.knowledge)}." if e.knowledge else "",
        f"Too narrow or too broad: {quoted(e.width)}." if e.width else "",
        f"Coder: {e.coder}." if e.coder else "",
        f"Other items: {joined(e.others)}." if e.others else "",
        f"The same in what matters: {quoted(e.same)}." if e.same else "",
        f"Meant: {quoted(e.meant)}." if e.meant else "",
    ]
    return " ".join(filter(None, told))


def _changes(subject: Subject, case: Case) -> Iterator[str]:
    """Who changed an answer in the course of the case."""
    changes = subject.history.changes.get(case.number, [])
    if not changes and case.rescored:
        who = dict.fromkeys(coder for coder, _, _ in case.rescored)
        yield f"{joined(who)} changed an answer."
    own = (subject.item(case), case.question)
    for c in changes:
        where = "" if (c.item, c.question) == own else f" about {c.item}, question {c.question},"
        yield f"{c.coder} changed the answer{where} to {quoted(str(c.answer))} ({c.because})."


def _refused(proposal: Proposal) -> str:
    why = joined(f"{coder} refused ({text})" for coder, text in proposal.refusals.items())
    return f"Proposed by {proposal.by}: {quoted(str(proposal.answer))}; {why}."


def _ending(case: Case, view: CaseView, cited: Mapping[str, str]) -> str:
    says = f": {_sentence(quoted(case.text))}" if case.text else "."
    if case.state is CaseState.AGREED:
        how = f", {HOW[case.outcome]}" if case.outcome else ""
        who = f" Accepted by {joined(case.consents)}." if case.consents else ""
        return f"Agreed on {_answer(case.answer)}{how}{says}{_cited(case.cites, cited)}{who}"
    if case.settled is Settled.LEFT_DISAGREED:
        return f"Left disagreed, with all answers kept{says}"
    if case.settled is Settled.DICTATOR_DECISION:
        return f"Decided by {case.decided_by} alone for {_answer(case.answer)}{says}"
    if case.settled is Settled.DICTATOR_AGGREGATION:
        return f"Settled by aggregation ({case.method}): {_answer(case.answer)}."
    if case.state is CaseState.CLOSED:
        why = case.history[-1][2] if case.history else ""
        return f"Superseded{f': {why}' if why else ''}."
    if case.state is CaseState.POSTPONED:
        why = case.history[-1][2] if case.history else ""
        return f"Postponed until {case.review_date}: {why}."
    waits = f"; awaited: {joined(view.summary.waits_for)}" if view.summary.waits_for else ""
    return f"Not settled yet: {case.state}{waits}."


def _answer(answer: Answer | None) -> str:
    return "no answer" if answer is None else quoted(str(answer))


def _cited(cites: Sequence[str], texts: Mapping[str, str]) -> str:
    """What a resolution rests on, with the words of the toolbox where they are still in force."""
    if not cites:
        return ""
    told = joined(f"{id} ({quoted(texts[id])})" if texts.get(id) else id for id in cites)
    return f" It rests on {told}."
