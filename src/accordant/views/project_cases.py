"""Every case and what became of it: a paragraph each, as it can stand in an appendix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..diagnosis.words import quoted
from ..numbers import count_of, joined
from ..resolution.records import Answer
from ..resolution.state import Case, Reason
from ..resolution.toolbox import texts_at
from ..resolution.views import CaseView, case_view
from ..resolution.words import CaseState, Outcome, Settled
from .document import Block, Column, Entry, Prose, Section, Table
from .names import cut
from .project_course import course
from .project_subject import Subject

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


_GIVEN = (Outcome.RESCORED_C, Outcome.RESCORED_E, Outcome.REANNOTATED_A, Outcome.REANNOTATED_B)
"""Outcomes that are no proposal: every coder's own annotation says so."""

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
    return Table("All cases", tuple(columns), rows, depth="detail" if len(rows) > 40 else "main")


# ------------------------------------------------------------------ paragraphs


def _entries(subject: Subject, cases: Sequence[Case]) -> Iterator[Block]:
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
            tuple(_paragraphs(subject, case, view)),
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


def _paragraphs(subject: Subject, case: Case, view: CaseView) -> Iterator[str]:
    if view.text:
        yield f"Text: {quoted(cut(view.text, MOST_CHARACTERS))}"
    yield _said(subject, case)
    yield from (_reason(reason) for reason in view.reasons.values())
    yield from course(subject, case, view)
    yield _ending(subject, case, view)


def _said(subject: Subject, case: Case) -> str:
    by_answer: dict[str, list[str]] = {}
    for coder, answer in subject.first(case).items():
        by_answer.setdefault(answer, []).append(coder)
    text = joined(f"{joined(coders)} answered {quoted(a)}" for a, coders in by_answer.items())
    why = "" if case.because == "comparison" else f" The case was opened by {case.because}."
    later = "".join(
        f" {coder} was asked later and answered {quoted(answer)}."
        for coder, answer in subject.later(case).items()
    )
    return f"{text or 'The answers are not there any more'} (round {case.round}).{later}{why}"


def _reason(reason: Reason) -> str:
    cites = f" ({joined(reason.cites)})" if reason.cites else ""
    return _sentence(f"{reason.coder}: {quoted(reason.text)}{cites}")


def _sentence(text: str) -> str:
    """A text that ends with a full stop, if it does not end with one."""
    return text if text.rstrip("”)").endswith((".", "!", "?", "…")) else f"{text}."


def _ending(subject: Subject, case: Case, view: CaseView) -> str:
    says = f": {_sentence(quoted(case.text))}" if case.text else "."
    if case.state is CaseState.AGREED:
        how = f", {HOW[case.outcome]}" if case.outcome else ""
        return f"Agreed on {_answer(case.answer)}{how}{says}{_cited(subject, case)}{_who(case)}"
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
    told = joined(f"{id} ({quoted(texts[id])})" if texts.get(id) else id for id in case.cites)
    since = texts_at(subject.state, case.epoch, 0)
    old = [id for id in case.cites if id in texts and texts[id] != since.get(id, texts[id])]
    note = f" ({joined(old)}: as worded then)" if old else ""
    return f" It rests on {told}{note}."
