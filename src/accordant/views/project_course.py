"""What happened to a case from its first answers to its end, in the order in which it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..diagnosis.words import quoted
from ..numbers import joined
from ..resolution.causes import CAUSES
from ..resolution.records import Evidence
from ..resolution.state import Assessment, Case, Proposal
from ..resolution.views import CaseView
from ..resolution.words import CaseState
from .project_subject import Subject

__all__ = ["course"]

_Moment = tuple[str, str]
"""When, and a sentence."""


def course(subject: Subject, case: Case, view: CaseView) -> Iterator[str]:
    """Sentences: causes, changed answers, refused proposals, postponements, reopenings."""
    moments = [
        *_turns(case),
        *_causes(view.assessments, {one.at for one in subject.state.imports}),
        *_changes(subject, case),
        *_refusals(view.proposals),
    ]
    yield from (text for _, text in sorted(moments, key=lambda moment: moment[0]))


def _causes(assessments: Sequence[Assessment], imported: set[str]) -> Iterator[_Moment]:
    """Each cause with who proposed and who accepted it; of an import nobody here has said so."""
    for one in assessments:
        meaning = CAUSES[one.cause]
        found = _evidence(one.evidence)
        text = f"Cause {one.cause.value}, {meaning.label}; "
        if one.at in imported:
            yield one.at, f"{text}so the imported data say.{f' {found}' if found else ''}"
            continue
        text += f"proposed by {one.by}"
        text += f", accepted by {joined(one.consents)}" if one.consents else ""
        if one.disputed:
            text += f"; disputed, and so the case went on ({one.disputed})"
        elif one.withdrawn:
            text += ", withdrawn"
        elif one.refusals:
            text += "; " + joined(f"{c} refused ({why})" for c, why in one.refusals.items())
        elif not one.accepted:
            text += ", not accepted by all yet"
        yield one.at, f"{text}.{f' {found}' if found else ''}"


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


def _changes(subject: Subject, case: Case) -> Iterator[_Moment]:
    """Who changed an answer in the course of the case."""
    changes = subject.history.changes.get(case.number, [])
    if not changes and case.rescored:
        who = dict.fromkeys(coder for coder, _, _ in case.rescored)
        yield case.rescored[0][2], f"{joined(who)} changed an answer."
    own = (subject.item(case), case.question)
    for c in changes:
        where = "" if (c.item, c.question) == own else f" about {c.item}, question {c.question},"
        answer = quoted(str(c.answer))
        if c.because == "dependency":
            asked = f"{c.coder} was now asked question {c.question} about {c.item}"
            yield c.at, f"{asked}, and answered {answer}."
        else:
            yield c.at, f"{c.coder} changed the answer{where} to {answer} ({c.because})."


_SETTLED = (CaseState.AGREED.value, CaseState.UNRESOLVED.value)
_DISCUSSED = (CaseState.OPEN.value, CaseState.REASONS.value)


def _turns(case: Case) -> Iterator[_Moment]:
    """Where the case waited, was settled for a while, and was opened again."""
    for (_, before, reached), (when, now, why) in pairwise(case.history):
        if before in _SETTLED and now not in _SETTLED:
            yield when, f"It had been settled{_as(case, when)} ({reached})."
        on = f" on {when[:10]}"
        if now == CaseState.RETURNED:
            yield when, f"Taken back to the toolbox{on}{f': concept {why}' if why else ''}."
        elif now == CaseState.POSTPONED:
            yield when, f"Postponed{on}: {_ended(why)}"
        elif now in _DISCUSSED and before not in (*_DISCUSSED, CaseState.CAUSE_PROPOSED.value):
            yield when, f"Opened again{on}: {_ended(why)}"


def _as(case: Case, when: str) -> str:
    """The answer that had been accepted by then, if it was proposed."""
    taken = [p for p in case.proposals if p.at <= when and p.consents and not p.refusals]
    return f" on {quoted(str(taken[-1].answer))}" if taken else ""


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _refusals(proposals: Sequence[Proposal]) -> Iterator[_Moment]:
    yield from ((one.at, _refused(one)) for one in proposals if one.refusals)


def _refused(proposal: Proposal) -> str:
    why = joined(f"{coder} refused ({text})" for coder, text in proposal.refusals.items())
    return f"Proposed by {proposal.by}: {quoted(str(proposal.answer))}; {why}."
