"""Folds of the events of `events.cases`: each case goes its way, and keeps all it has been."""

from __future__ import annotations

from typing import TypeVar

from ..cells import cell_state, dependents
from ..disagreement import consenters, participants
from ..events.cases import (
    Aggregated,
    CaseAgreed,
    CaseClosed,
    CaseLeft,
    CaseOpened,
    CasePostponed,
    CaseReopened,
    CaseReturned,
    CasesGrouped,
    CauseAccepted,
    CauseDisputed,
    CauseProposed,
    CauseRefused,
    CauseTold,
    CauseWithdrawn,
    Decided,
    OutcomeAccepted,
    OutcomeProposed,
    OutcomeRefused,
    ReasonGiven,
    Rescored,
)
from ..state import (
    NONE,
    Agreement,
    Assessment,
    Case,
    Conflict,
    Ending,
    Epoch,
    Proposal,
    Reason,
    Rescoring,
    State,
)
from ..words import CaseState, Cause, CellState, Settled
from .fold import Stamp, on

__all__: list[str] = []

ACCEPTED = {
    Cause.C: CaseState.RESCORING,
    Cause.E: CaseState.RESCORING,
    Cause.D: CaseState.ARGUED,
}
"""Where a case goes when its cause is accepted; under a and b it waits to be returned."""
OWN = ("c", "e", "dependency")  # a coder's own act, not the consequence of an outcome


def _of(state: State, number: int) -> Case:
    """The case an event is about; of an earlier epoch too, which closes its cases as it ends."""
    for epoch in reversed(state.epochs):
        if number in epoch.cases:
            return epoch.cases[number]
    raise KeyError(f"the log names case {number} before it was opened")


def _turn(state: State, case: Case, to: CaseState, stamp: Stamp, why: str = "") -> None:
    case.state = to
    case.history.append((stamp[0], to.value, why, state.seq))


P = TypeVar("P", Assessment, Proposal)


def _named(proposals: list[P], number: int) -> P:
    """The proposal that a consent names; in older logs it names none, and means the last one."""
    return next(one for one in reversed(proposals) if not number or one.seq == number)


def _drop_proposals(case: Case) -> None:
    """Whatever was proposed and is undecided has come to nothing."""
    for proposal in case.proposals:
        proposal.ended = True


def _discussed(state: State, case: Case, stamp: Stamp, why: str) -> None:
    """Back to discussion."""
    _drop_proposals(case)
    _turn(state, case, CaseState.REASONS if case.reasons else CaseState.OPEN, stamp, why)


@on(CaseOpened)
def _opened(state: State, event: CaseOpened, stamp: Stamp) -> None:
    epoch = state.epoch
    case = Case(
        number=event.case,
        item=state.items.positions[event.item],
        question=event.question,
        round=event.round,
        epoch=epoch.number,
        because=event.because,
        opened=stamp[0],
    )
    case.history.append((stamp[0], case.state.value, event.because, state.seq))
    case.version = 1
    epoch.cases[event.case] = case


@on(CasesGrouped)
def _grouped(state: State, event: CasesGrouped, stamp: Stamp) -> None:
    for number in state.groups.get(event.group, ()):  # the name may have stood for others
        if _of(state, number).group == event.group:
            _of(state, number).group = ""
    state.groups[event.group] = event.cases
    for number in event.cases:
        _of(state, number).group = event.group


@on(ReasonGiven)
def _reason_given(state: State, event: ReasonGiven, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    case.reasons[event.coder] = Reason(
        event.coder, event.text, event.cites, event.highlight, stamp[0], state.seq
    )
    if case.state == CaseState.OPEN:
        _turn(state, case, CaseState.REASONS, stamp)


def _consent(state: State, to: list[P], number: int, person: str) -> P:
    """A consent to what was proposed in a case, as its number says.

    In older logs it names no proposal: it may be meant for any other that stood since the person
    last acted.
    """
    wanted, last = _named(to, number), state.last.get(person, 0)
    wanted.consents.append(person)
    wanted.events[person] = state.seq
    for other in to[:-1] if not number else ():
        if other.seq > last and other.content != wanted.content:
            wanted.rivals[person] = other.seq
    return wanted


def _accept(state: State, case: Case, assessment: Assessment, stamp: Stamp) -> None:
    assessment.accepted, assessment.accepted_seq = True, state.seq
    to = ACCEPTED.get(assessment.cause, CaseState.CAUSE_ACCEPTED)
    _turn(state, case, to, stamp, assessment.disputed or f"cause {assessment.cause.value}")


@on(CauseProposed)
def _cause_proposed(state: State, event: CauseProposed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    case.assessments.append(
        Assessment(event.cause, event.evidence, event.by, stamp[0], seq=state.seq)
    )
    _turn(state, case, CaseState.CAUSE_PROPOSED, stamp, event.cause.value)


@on(CauseTold)
def _cause_told(state: State, event: CauseTold, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    assessment = Assessment(
        event.cause, event.evidence, stamp[1], stamp[0], told=True, seq=state.seq
    )
    case.assessments.append(assessment)
    epoch = state.epochs[case.epoch - 1]
    named = tuple(filter(None, consenters(epoch, case, assessment)))
    assessment.asked = named or participants(epoch, case)
    _accept(state, case, assessment, stamp)


@on(CauseAccepted)
def _cause_accepted(state: State, event: CauseAccepted, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    assessment = _consent(state, case.assessments, event.proposal, event.by)
    asked = consenters(state.epochs[case.epoch - 1], case, assessment)
    if assessment is case.assessments[-1] and set(asked) <= set(assessment.consents):
        assessment.asked = asked
        _accept(state, case, assessment, stamp)


@on(CauseRefused)
def _cause_refused(state: State, event: CauseRefused, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _named(case.assessments, event.proposal).refusals[event.by] = event.reason
    _discussed(state, case, stamp, f"{event.by} refused: {event.reason}")


@on(CauseWithdrawn)
def _cause_withdrawn(state: State, event: CauseWithdrawn, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    case.assessments[-1].withdrawn = True
    _discussed(state, case, stamp, f"{event.by} withdrew")


@on(CauseDisputed)
def _cause_disputed(state: State, event: CauseDisputed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    assessment = Assessment(
        event.cause, event.evidence, stamp[1], stamp[0], disputed=event.reason, seq=state.seq
    )
    case.assessments.append(assessment)
    _accept(state, case, assessment, stamp)


def _write(state: State, epoch: Epoch, coder: str, event: Rescored) -> int:
    """Put an answer into the columns, and return the position of its item."""
    item = state.items.positions[event.item]
    ordinal = state.toolboxes[-1].ordinal if state.toolboxes else 0
    for columns, number in ((epoch.current, epoch.code(event.answer)), (epoch.made, ordinal)):
        column = columns.setdefault(event.question, {}).setdefault(coder, [])
        column += [NONE] * (len(state.items.ids) - len(column))
        column[item] = number
    if event.note is not None:
        epoch.notes.setdefault(event.question, {}).setdefault(coder, {})[item] = event.note
    return item


@on(Rescored)
def _rescored(state: State, event: Rescored, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    epoch = state.epochs[case.epoch - 1]
    item = _write(state, epoch, event.coder, event)
    withdraw_unasked(epoch, item, event.question, event.coder)
    case.rescored.append((event.coder, event.because, stamp[0], state.seq))
    ordinal = state.toolboxes[-1].ordinal if state.toolboxes else 0
    epoch.rescorings.append(
        Rescoring(
            state.seq, case.number, event.coder, item, event.question, event.because, event.cites,
            ordinal,
        )
    )  # fmt: skip
    ending = Ending(state.seq, event.because, case.number, event.cites)
    if event.because in ("c", "e", "imported"):
        epoch.ending = ending
    for question in dependents(epoch, (event.question,)):
        _compare(epoch, item, question, ending)
    own = item == case.item and event.question == case.question
    if own and case.state == CaseState.RESCORING:
        _turn(state, case, CaseState.ARGUED, stamp, f"{event.coder} rescored")


def _compare(epoch: Epoch, item: int, question: str, by: Ending) -> None:
    """Note whether the answers of a cell have come to differ with a rescoring, or no longer do."""
    torn = cell_state(epoch, item, question) == CellState.CONFLICTING
    known = epoch.conflicts.setdefault(question, {})
    before = known.get(item)
    if not torn and before is not None and before.ended is None:
        before.ended = by
    elif torn and (before is None or before.ended is not None):
        own = by.how in OWN  # others follow an outcome that all accepted: they differ for a moment
        since = by.seq if own else before.since if before is not None else 0
        known[item] = Conflict(since)


def withdraw_unasked(epoch: Epoch, item: int, question: str, coder: str) -> None:
    """Answers to questions that are no longer asked count no more; rounds and log keep them."""
    code = epoch.current[question][coder][item]
    labels = set(epoch.answers[code].labels) if code != NONE else set()
    for child in epoch.task.questions if epoch.task else ():
        condition = child.asked_if
        if condition is None or condition.question != question or labels & set(condition.labels):
            continue
        column = epoch.current.get(child.id, {}).get(coder, [])
        if item < len(column) and column[item] != NONE:
            column[item] = NONE
            withdraw_unasked(epoch, item, child.id, coder)


@on(OutcomeProposed)
def _outcome_proposed(state: State, event: OutcomeProposed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _drop_proposals(case)
    case.proposals.append(
        Proposal(
            event.answer,
            event.outcome,
            event.cites,
            event.text,
            event.by,
            source=event.source,
            at=stamp[0],
            seq=state.seq,
        )
    )


@on(OutcomeAccepted)
def _outcome_accepted(state: State, event: OutcomeAccepted, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _consent(state, case.proposals, event.proposal, event.by)
    state.epoch.ending = Ending(state.seq, "outcome", case.number)


@on(OutcomeRefused)
def _outcome_refused(state: State, event: OutcomeRefused, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    proposal = _named(case.proposals, event.proposal)
    proposal.refusals[event.by] = event.reason
    proposal.ended = True


@on(CaseAgreed)
def _agreed(state: State, event: CaseAgreed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _drop_proposals(case)
    if case.reopened == state.seq - 1:  # annotated again: not by a person
        case.reopenings.pop()
    old, content = case.agreement, (event.answer, event.outcome, event.cites)
    same = old is not None and content == (old.answer, old.outcome, old.cites)
    if old is None or not same or case.reopened > old.seq:
        case.agreement = Agreement(
            state.seq, *content, event.consents, event.text, state.epoch.ending
        )  # otherwise somebody has joined those who agreed
    case.answer, case.outcome, case.settled = event.answer, event.outcome, None
    case.cites, case.consents, case.text = event.cites, event.consents, event.text
    case.decided_by, case.method = "", ""
    case.toolbox = state.toolboxes[-1].ordinal if state.toolboxes else 0
    _turn(state, case, CaseState.AGREED, stamp, event.outcome.value)


@on(CaseReturned)
def _returned(state: State, event: CaseReturned, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _drop_proposals(case)
    case.toolbox = state.toolboxes[-1].ordinal if state.toolboxes else 0
    case.returned_for = event.concept
    _turn(state, case, CaseState.RETURNED, stamp, event.concept)


@on(CasePostponed)
def _postponed(state: State, event: CasePostponed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    case.review_date = event.review_date
    _drop_proposals(case)
    _turn(state, case, CaseState.POSTPONED, stamp, event.reason)


@on(CaseReopened)
def _reopened(state: State, event: CaseReopened, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    case.reopenings.append(state.seq)
    case.answer = case.outcome = case.settled = None
    case.cites, case.consents, case.text = (), (), ""
    case.decided_by, case.method, case.review_date = "", "", ""
    _discussed(state, case, stamp, event.reason)


@on(CaseClosed)
def _closed(state: State, event: CaseClosed, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.version += 1
    _drop_proposals(case)
    _turn(state, case, CaseState.CLOSED, stamp, event.reason)


def _settled(state: State, case: Case, settled: Settled, stamp: Stamp, why: str) -> None:
    case.version += 1
    case.settled, case.text = settled, why
    case.toolbox = state.toolboxes[-1].ordinal if state.toolboxes else 0
    _drop_proposals(case)
    _turn(state, case, CaseState.UNRESOLVED, stamp, f"{settled.value}: {why}")


@on(CaseLeft)
def _left(state: State, event: CaseLeft, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.answer, case.decided_by, case.method = None, "", ""
    _settled(state, case, Settled.LEFT_DISAGREED, stamp, event.reason)


@on(Decided)
def _decided(state: State, event: Decided, stamp: Stamp) -> None:
    case = _of(state, event.case)
    case.answer, case.decided_by, case.method = event.answer, event.by, ""
    _settled(state, case, Settled.DICTATOR_DECISION, stamp, event.reason)


@on(Aggregated)
def _aggregated(state: State, event: Aggregated, stamp: Stamp) -> None:
    case = _of(state, event.case)
    parameters = ", ".join(f"{name} {value}" for name, value in sorted(event.parameters.items()))
    case.answer, case.decided_by = event.answer, event.by
    case.method = f"{event.method} ({parameters})" if parameters else event.method
    tie = event.answer is None
    settled = Settled.LEFT_DISAGREED if tie else Settled.DICTATOR_AGGREGATION
    _settled(state, case, settled, stamp, f"{case.method}: tie" if tie else case.method)
