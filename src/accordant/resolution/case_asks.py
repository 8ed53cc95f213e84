"""Who is asked for what in a case, from where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from ..actions import Action
from .causes import CAUSES
from .cells import asked_at
from .command import Unmet, step
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    consenters,
    held,
    participants,
)
from .sight import Sight
from .staleness import orders_over
from .state import Case, Epoch, State
from .toolbox import change_for
from .words import CaseState, Cause, Role

__all__ = [
    "OF_CASES", "Asks", "What", "asked_about", "awaited", "dependent_cells", "of_role",
    "step_about",
]  # fmt: skip


class What(StrEnum):
    """What a person may be asked for; in this order, but for cases that others make undone."""

    ACKNOWLEDGE = "read and acknowledge the guidelines"
    SIGN = "sign or object to a concept"
    CONFIRM = "confirm an editorial change"
    OBJECTION = "withdraw an objection, once it is answered"
    ANNOTATE = "annotate"
    SUBMIT = "submit the round"
    DEPENDENT = "answer a dependent question"
    CORRECT = "correct an annotation"
    CAUSE = "answer a proposed cause"
    OUTCOME = "answer a proposed outcome"
    REASON = "give a reason"
    PROPOSE_CAUSE = "propose a cause"
    PROPOSE_OUTCOME = "propose an outcome"
    RETURN = "return cases for a change of the toolbox"
    CHANGE = "write the change that cases ask for"
    REVIEW = "review a postponed case"
    ACCEPT = "accept what was imported"
    PREPARE = "see to what is missing"
    GO = "go on to the next step"
    OPEN = "open a round"
    CLOSE = "close the round"
    RESOLVE = "begin to resolve disagreement"
    RESUME = "go on after the research"
    RELEASE = "release"


OF_CASES = {
    What.DEPENDENT: "rescore", What.CORRECT: "rescore", What.CAUSE: "accept",
    What.OUTCOME: "accept", What.REASON: "reason", What.PROPOSE_CAUSE: "cause",
    What.PROPOSE_OUTCOME: "outcome", What.RETURN: "return", What.REVIEW: "reopen",
    What.CHANGE: "return",
}  # fmt: skip
"""What is asked about cases, and the action that does it."""


Asks = tuple[tuple[What, tuple[str, ...]], ...]
"""What is asked, and whom."""


def step_about(what: What, case: int) -> Action:
    """The step that does something about a case."""
    return step(f"case {OF_CASES[what]}", cases=case)


S = CaseState


def asked_about(state: State, case: Case, sight: Sight | None = None) -> Asks:
    """Who is asked for what before a case can go on; nobody if it is settled, or has to wait.

    Parameters
    ----------
    state : State
    case : Case
    sight : Sight, optional
        Of who reads it: who may not read a cause is not told whom it asks.

    Returns
    -------
    tuple of (What, names)
        For a case that is open, the coders of the item whose reason is missing, and all of them
        once every reason is there; for a proposed cause or outcome, who has not consented, after
        their own reason; for one that was returned or postponed, the researchers.

    Examples
    --------
    >>> case = Case(1, 0, "q", 1, 1, "comparison", "", state=CaseState.AGREED)
    >>> asked_about(State(epochs=[Epoch(1)]), case)
    ()
    """
    epoch = state.epochs[case.epoch - 1]
    if not case.live or orders_over(epoch, case.item, case.question):
        return ()
    if sight is not None and sight.hides_cause(case):
        return ((What.REASON, _silent(epoch, case)),)
    return tuple((what, names) for what, names in _asks(state, epoch, case) if names)


def _silent(epoch: Epoch, case: Case) -> tuple[str, ...]:
    return tuple(c for c in participants(epoch, case) if c not in case.reasons)


def _asks(state: State, epoch: Epoch, case: Case) -> Asks:
    coders = participants(epoch, case)
    silent = _silent(epoch, case)
    if (proposal := awaited_proposal(case)) is not None:
        return ((What.OUTCOME, tuple(c for c in coders if c not in proposal.consents)),)
    if (assessment := awaited_assessment(case)) is not None:
        needed = consenters(epoch, case, assessment)
        left = [c for c in needed if c not in assessment.consents]
        if not CAUSES[assessment.cause].everybody:  # a slip is asked of its coder alone
            return ((What.CAUSE, tuple(left)),)
        ready = tuple(c for c in left if c not in silent)
        return (What.CAUSE, ready), (What.REASON, tuple(c for c in left if c in silent))
    if case.state in (S.OPEN, S.REASONS):
        return ((What.REASON, silent),) if silent else ((What.PROPOSE_CAUSE, coders),)
    if case.state == S.RESCORING and case.assessments and case.cause in (Cause.C, Cause.E):
        return ((What.CORRECT, (case.assessments[-1].evidence.coder,)),)
    if case.state == S.CAUSE_ACCEPTED:
        return ((What.RETURN, of_role(state, Role.RESEARCHER, Role.MODERATOR)),)
    if case.state == S.POSTPONED:
        return ((What.REVIEW, of_role(state, Role.RESEARCHER)),)
    if case.state == S.RETURNED:
        mended = change_for(state, case, case.assessments[-1])
        if isinstance(mended, Unmet):
            return ((What.CHANGE, of_role(state, Role.RESEARCHER)),)
    bare = tuple(c for c in coders if c in silent or not case.reasons[c].cites)
    if case.cause == Cause.D and bare:
        return ((What.REASON, bare),)
    return ((What.PROPOSE_OUTCOME, coders),)


def of_role(state: State, *roles: Role) -> tuple[str, ...]:
    """Who has one of some roles."""
    return tuple(name for name in state.people if state.has_role(name, *roles))


def awaited(sight: Sight, case: Case) -> tuple[str, ...]:
    """Who must act for a case to go on, as somebody may know it."""
    asks = asked_about(sight.state, case, sight)
    names = dict.fromkeys(name for _, each in asks for name in each)
    return tuple(names)


def dependent_cells(state: State) -> Iterator[tuple[str, Case, int, str]]:
    """Questions that are asked since the answer to their parent changed, and are not answered.

    Yields
    ------
    tuple of (coder, case, item, question)
        The case in which the parent was changed; the position of the item.
    """
    epoch = state.epoch
    children: dict[str, list[str]] = {}
    for question in epoch.questions.values():
        if question.asked_if is not None:
            children.setdefault(question.asked_if.question, []).append(question.id)
    told = set()
    for one in epoch.rescorings if children else ():
        for child in children.get(one.question, ()):
            cell = one.coder, one.item, child
            if (
                cell not in told
                and one.coder in asked_at(epoch, one.item, child)
                and one.coder not in held(epoch, one.item, child)
            ):
                told.add(cell)
                yield one.coder, epoch.cases[one.case], one.item, child
