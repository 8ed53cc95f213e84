"""After a round of re-annotation: which cases are agreed now, which are open again."""

from __future__ import annotations

from itertools import pairwise

from .cells import cell_state
from .disagreement import participants, unanimous
from .events.cases import CaseAgreed, CaseClosed, CaseReopened
from .events.event import Event
from .staleness import orders_over
from .state import Case, Epoch, Round, State
from .words import CaseState, Cause, CellState, Outcome

__all__ = ["matched"]

TALKED = (CaseState.OPEN, CaseState.REASONS)
DONE = (CaseState.AGREED, CaseState.UNRESOLVED, CaseState.CLOSED)
CONCEPTS = (Cause.B, Cause.A1_CONCEPT)


def matched(state: State, number: int) -> list[Event]:
    """What the comparison of a round means for the cases that there were before.

    Equal annotations: agreed by re-annotation, the new annotations being the consents. Unequal:
    open again, with its history. Conflicts without a case get one when resolution begins.

    Parameters
    ----------
    state : State
        After the round has closed.
    number : int
        Of the round.
    """
    some = next((r for r in state.epoch.rounds if r.number == number), None)
    if some is None:
        return []
    items = None if some.items is None else set(some.items)
    found: list[Event] = []
    for case in state.epoch.cases.values():
        if case.round >= number:  # opened by this very round, which is imported with its cases
            continue
        if case.question in some.questions and (items is None or case.item in items):
            found += _one(state, case, some)
    return found


def _one(state: State, case: Case, some: Round) -> list[Event]:
    answer = unanimous(state.epoch, case.item, case.question)
    now = cell_state(state.epoch, case.item, case.question)
    if answer is not None:
        return _equal(state, case, some)
    if now not in (CellState.CONFLICTING, CellState.INCOMPLETE):
        closed = case.state == CaseState.CLOSED
        reason = f"after round {some.number} the question is asked of fewer than two coders"
        return [] if closed else [CaseClosed(case.number, reason)]
    if case.state in TALKED or (case.state == CaseState.CLOSED and now != CellState.CONFLICTING):
        return []
    if now == CellState.CONFLICTING:
        why = f"annotated again in round {some.number}, and the answers differ"
    else:
        why = _not_by_all(some)
    return [CaseReopened(case.number, why)]


def _not_by_all(some: Round) -> str:
    return f"not annotated by all coders again in round {some.number}"


def _equal(state: State, case: Case, some: Round) -> list[Event]:
    answer = unanimous(state.epoch, case.item, case.question)
    coders = participants(state.epoch, case)
    if answer is None or case.state == CaseState.CLOSED:
        return []
    again = case.state == CaseState.AGREED and answer == case.answer
    spoken = again and set(coders) <= {*case.consents, *some.coders}
    if orders_over(state.epoch, case.item, case.question) and not spoken:  # others owe theirs
        return [CaseReopened(case.number, _not_by_all(some))] if case.state in DONE else []
    if again and case.outcome is not None:
        if set(coders) <= set(case.consents):
            return []
        return [CaseAgreed(case.number, answer, case.outcome, case.cites, coders, case.text)]
    text = f"annotated again in round {some.number}"
    agreed = CaseAgreed(
        case.number, answer, _outcome(state, case, some), _cites(state, case), coders, text
    )
    return [CaseReopened(case.number, text), agreed] if case.state in DONE else [agreed]


def _outcome(state: State, case: Case, some: Round) -> Outcome:
    """By the cause; where none was accepted, by what made the re-annotation necessary."""
    cause = case.cause
    if cause == Cause.B:
        return Outcome.REANNOTATED_B
    if cause in (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2):
        return Outcome.REANNOTATED_A
    behind = [n for o in state.epoch.orders if o.number in some.orders for n in o.cases]
    causes = {state.epoch.cases[n].cause for n in behind if n in state.epoch.cases}
    return Outcome.REANNOTATED_B if causes == {Cause.B} else Outcome.REANNOTATED_A


def _cites(state: State, case: Case) -> tuple[str, ...]:
    """The element of the toolbox that was mended; without one, the question itself."""
    epoch = state.epoch
    evidence = case.assessments[-1].evidence if case.cause is not None else None
    if evidence is not None and case.cause in CONCEPTS and epoch.concepts.get(evidence.concept):
        return (f"concept {evidence.concept} v{epoch.concepts[evidence.concept][-1].version}",)
    rules = {rule.id for rule in epoch.guidelines[-1].rules} if epoch.guidelines else set()
    if evidence is not None and evidence.rule in rules:
        return (f"rule {evidence.rule}",)
    new = tuple(f"rule {id}" for id in _written_for(epoch, case) if id in rules)
    return new or (f"question {case.question}",)


def _written_for(epoch: Epoch, case: Case) -> list[str]:
    """Ids of the rules that came with guidelines which were changed because of a case."""
    found: list[str] = []
    for before, after in pairwise(epoch.guidelines):
        if case.number in after.cases:
            known = {rule.id for rule in before.rules}
            found += [rule.id for rule in after.rules if rule.id not in known]
    return found
