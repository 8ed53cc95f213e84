"""What necessarily follows from what people do, and is recorded as events of its own.

Acceptance by the last coder settles a case; rescoring settles, opens or closes cases wherever it
changes whether annotations conflict; a round of re-annotation settles what was returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cells import cell_state, dependents
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    case_at,
    consenters,
    held,
    participants,
    said,
    unanimous,
)
from .events.cases import (
    CaseAgreed,
    CaseClosed,
    CaseOpened,
    CaseReopened,
    OutcomeAccepted,
    Rescored,
)
from .events.event import Event
from .events.project import DeviationRecorded, Moved
from .events.rounds import Compared
from .opening import cases_to_open, next_case
from .reannotated import matched
from .records import AMBIGUOUS, NOT_APPLICABLE, Answer, Note
from .state import Case, Proposal, State
from .toolbox import elements
from .words import CaseState, Cause, CellState, Outcome, Step

__all__ = ["consequences"]

BECAUSE = {
    Outcome.RESCORED_C: "c",
    Outcome.RESCORED_E: "e",
    Outcome.ARGUED_D: "d",
    Outcome.DEFERENCE: "deference",
}
"""Why those who held another answer rescore when they accept an outcome; otherwise "clarified"."""
TALKED = (CaseState.OPEN, CaseState.REASONS, CaseState.CAUSE_PROPOSED)
NOT_ASKED = "the question is no longer asked of two coders of this item"
AGAIN = "annotations conflict again"


def consequences(state: State, events: Sequence[Event]) -> list[Event]:
    """Events that follow from events just folded into the state; none if nothing follows.

    Parameters
    ----------
    state : State
        As the events left it. Not changed.
    events : sequence of Event
    """
    found: list[Event] = []
    for event in events:
        new: list[Event] = []
        if isinstance(event, OutcomeAccepted):
            new = _accepted(state, event)
        elif isinstance(event, Rescored):
            new = _rescored(state, event, found)
        elif isinstance(event, Compared):
            new = matched(state, event.round)
        elif isinstance(event, Moved) and event.target == Step.RESOLUTION:
            new = list(cases_to_open(state))
        found += [event for event in new if event not in found]  # several may have one consequence
    return found


# ------------------------------------------------------------------ outcomes


def _accepted(state: State, event: OutcomeAccepted) -> list[Event]:
    case = state.epoch.cases[event.case]
    proposal = awaited_proposal(case)
    coders = participants(state.epoch, case)
    if proposal is None or not set(coders) <= set(proposal.consents):
        return []
    found: list[Event] = [*_changed_minds(state, case, proposal)]
    found.append(
        CaseAgreed(
            case.number, proposal.answer, proposal.outcome, proposal.cites, coders, proposal.text
        )
    )
    if proposal.outcome == Outcome.DEFERENCE:
        ids = state.items.ids
        text = f"case {case.number} ({ids[case.item]}, {case.question}): {proposal.text}"
        found.append(DeviationRecorded("b settled by deference", text, case.number))
    return found


def _changed_minds(state: State, case: Case, proposal: Proposal) -> list[Rescored]:
    """Coders who accept another answer than the one they hold rescore; the old one is kept."""
    note = None
    if proposal.answer == AMBIGUOUS and proposal.source:
        note = Note(source=proposal.source)
    elif proposal.answer == NOT_APPLICABLE:
        note = Note(reason=proposal.text)
    because = BECAUSE.get(proposal.outcome, "clarified")
    item = state.items.ids[case.item]
    return [
        Rescored(case.number, coder, item, case.question, proposal.answer, because, note)
        for coder, answer in said(state.epoch, case).items()
        if answer != proposal.answer
    ]


# ------------------------------------------------------------------ rescoring


def _rescored(state: State, event: Rescored, before: Sequence[Event]) -> list[Event]:
    epoch, item = state.epoch, state.items.positions[event.item]
    found: list[Event] = []
    own = epoch.cases[event.case]
    on_it = item == own.item and event.question == own.question
    if on_it and own.state == CaseState.ARGUED and event.because in ("c", "e"):
        found += _corrected(state, own, event)
    elif not on_it and event.because == "c":
        found += _consistent_now(state, own)
    handled = {own.number} if on_it and found else set()
    for question in dependents(epoch, (event.question,)):
        case = case_at(epoch, item, question)
        if case is None:
            found += _new(state, item, question, event, [*before, *found])
        elif case.number not in handled:
            found += _follows(state, case, event)
    return found


def _corrected(state: State, case: Case, event: Rescored) -> list[Event]:
    """After the coder named has rescored the item of the case: agreed, or open again."""
    answer = unanimous(state.epoch, case.item, case.question)
    if answer is None:
        return [CaseReopened(case.number, f"{event.coder} rescored, and the answers still differ")]
    agreed = _agreed(state, case, answer, event)
    return [agreed] if agreed else []  # without a citation an outcome must be proposed


def _agreed(state: State, case: Case, answer: Answer, event: Rescored) -> CaseAgreed | None:
    """Agreed by holding the same answer, if anything of the toolbox was cited for it."""
    coders = participants(state.epoch, case)
    reasons = [case.reasons[c] for c in coders if c in case.reasons]
    known = elements(state)  # a reason may cite what has changed since
    said_so = dict.fromkeys(e for reason in reasons for e in reason.cites if e in known)
    cites = event.cites or tuple(said_so)
    if not cites:
        return None
    outcome = Outcome.RESCORED_E if event.because == "e" else Outcome.RESCORED_C
    evidence = case.assessments[-1].evidence if case.assessments else None
    text = (evidence.same or evidence.meant) if evidence else ""
    return CaseAgreed(case.number, answer, outcome, cites, coders, text)


def _consistent_now(state: State, case: Case) -> list[Event]:
    """The other items were corrected instead: the inconsistency is gone, the disagreement not."""
    if case.state != CaseState.RESCORING or case.cause != Cause.C:
        return []
    evidence, where = case.assessments[-1].evidence, state.items.positions
    cells = [case.item, *(where[other] for other in evidence.others)]
    codes = {held(state.epoch, i, case.question).get(evidence.coder) for i in cells}
    if len(codes) > 1:
        return []
    reason = f"{evidence.coder} is consistent now, and the disagreement stays: it is a, b, d or e"
    return [CaseReopened(case.number, reason)]


def _new(
    state: State, item: int, question: str, event: Rescored, before: Sequence[Event]
) -> list[Event]:
    epoch = state.epoch
    if state.step != Step.RESOLUTION:
        return []
    if cell_state(epoch, item, question) != CellState.CONFLICTING:
        return []
    opened = [e for e in before if isinstance(e, CaseOpened)]
    if any(e.item == event.item and e.question == question for e in opened):
        return []
    child = question != event.question or event.because == "dependency"
    number = next_case(state) + len(opened)
    last = [r.number for r in epoch.rounds if r.closed]
    return [CaseOpened(number, event.item, question, last[-1] if last else 0,
                       "dependency" if child else "rescoring")]  # fmt: skip


def _follows(state: State, case: Case, event: Rescored) -> list[Event]:
    """What a rescoring elsewhere means for a case: of a child question, or of the other item."""
    epoch, number = state.epoch, case.number
    now = cell_state(epoch, case.item, case.question)
    answer = unanimous(epoch, case.item, case.question)
    if case.state == CaseState.CLOSED:
        return [CaseReopened(number, AGAIN)] if now == CellState.CONFLICTING else []
    if now == CellState.CONFLICTING:
        again = case.state == CaseState.AGREED or _nobody_awaited(state, case)
        return [CaseReopened(number, AGAIN)] if again else []
    if answer is None:
        return [] if now == CellState.INCOMPLETE else [CaseClosed(number, NOT_ASKED)]
    if case.state == CaseState.AGREED:
        return _still_agreed(state, case, answer)
    if case.state == CaseState.UNRESOLVED:
        return [CaseReopened(number, "annotations are the same now")]
    if event.because == "c" and event.case != number and case.state in TALKED:
        agreed = _agreed(state, case, answer, event)
        return [agreed] if agreed else []
    return []


def _nobody_awaited(state: State, case: Case) -> bool:
    """Whether the last one whose consent was awaited is no longer asked."""
    assessment, proposal = awaited_assessment(case), awaited_proposal(case)
    coders = set(participants(state.epoch, case))
    if assessment is not None:
        return set(consenters(state.epoch, case, assessment)) <= {*assessment.consents}
    return proposal is not None and coders <= {*proposal.consents}


def _still_agreed(state: State, case: Case, answer: Answer) -> list[Event]:
    if answer != case.answer or case.outcome is None:
        return [CaseReopened(case.number, "the coders hold another answer than they agreed on")]
    coders = participants(state.epoch, case)
    if set(coders) <= set(case.consents):
        return []
    return [CaseAgreed(case.number, answer, case.outcome, case.cites, coders, case.text)]
