"""Who is asked for what in a case, from where it stands; which cases to settle before others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from ..actions import Action
from .case_state import Assessment, Case
from .causes import CAUSES
from .cells import asked_at, dependents
from .command import Unmet, step
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    consenters,
    held,
    of_each_case,
    participants,
)
from .sentences import counted, ranges
from .sight import Sight
from .staleness import orders_over
from .state import NONE, Epoch, State
from .toolbox import change_for, using
from .words import CaseState, Cause, Role

__all__ = [
    "OF_CASES",
    "Asking",
    "Asks",
    "Rework",
    "What",
    "asked_about",
    "asking",
    "awaited",
    "dependent_cells",
    "rework",
    "step_about",
]


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
    What.DEPENDENT: "rescore",
    What.CORRECT: "rescore",
    What.CAUSE: "accept",
    What.OUTCOME: "accept",
    What.REASON: "reason",
    What.PROPOSE_CAUSE: "cause",
    What.PROPOSE_OUTCOME: "outcome",
    What.RETURN: "return",
    What.REVIEW: "reopen",
    What.CHANGE: "return",
}
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
    hidden = sight is not None and sight.hides_cause(case)
    if not case.live:
        return ()
    if orders_over(epoch, case.item, case.question):
        # What is owed again because of another case need not be what this one asks for.
        return () if hidden else _unmended(state, case)
    if hidden:
        silent = tuple(c for c in participants(epoch, case) if c not in case.reasons)
        return ((What.REASON, silent),)
    return tuple((what, names) for what, names in _asks(state, epoch, case) if names)


def _asks(state: State, epoch: Epoch, case: Case) -> Asks:
    coders = participants(epoch, case)
    silent = tuple(coder for coder in coders if coder not in case.reasons)
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
        return ((What.RETURN, state.with_role(Role.RESEARCHER, Role.MODERATOR)),)
    if case.state == S.POSTPONED:
        return ((What.REVIEW, state.with_role(Role.RESEARCHER)),)
    if unmended := _unmended(state, case):
        return unmended
    bare = tuple(c for c in coders if c in silent or not case.reasons[c].cites)
    if case.cause == Cause.D and bare:
        return ((What.REASON, bare),)
    return ((What.PROPOSE_OUTCOME, coders),)


def _unmended(state: State, case: Case) -> Asks:
    """The change that a returned case still asks for."""
    if case.state != S.RETURNED:
        return ()
    lacks = isinstance(change_for(state, case, case.assessments[-1]), Unmet)
    return ((What.CHANGE, state.with_role(Role.RESEARCHER)),) if lacks else ()


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


BACK = (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2, Cause.B)
WAITS = (CaseState.CAUSE_PROPOSED, CaseState.CAUSE_ACCEPTED)


def _reopened(state: State, cause: Assessment) -> tuple[str, ...]:
    """Questions that would be annotated again, agreed items included, for an accepted cause."""
    epoch, evidence = state.epoch, cause.evidence
    if cause.cause in (Cause.B, Cause.A1_CONCEPT):
        versions = epoch.concepts.get(evidence.concept)
        return using(epoch, versions[-1]) if versions else ()
    rules = {rule.id: rule for g in epoch.guidelines[-1:] for rule in g.rules}
    if evidence.rule in rules:
        return tuple(dependents(epoch, rules[evidence.rule].questions or epoch.questions))
    return ()


class Asking(NamedTuple):
    """What is asked about a case, of whoever may read its cause and of whoever may not.

    ``unseen`` are those who may not, the public among them under an empty name, and ``hidden`` what
    is asked as far as they may know; ``again`` questions that would be annotated again for its
    cause a or b, which is proposed or accepted.
    """

    question: str
    asks: Asks
    hidden: Asks
    unseen: tuple[str, ...]
    again: tuple[str, ...]

    def to(self, person: str) -> Asks:
        """What is asked, as somebody may know it."""
        return self.hidden if person in self.unseen else self.asks


def asking(sight: Sight) -> dict[Asking, set[int]]:
    """What is asked about the cases of the epoch, and in which of them."""
    state = sight.state
    readers = [replace(sight, person=name) for name in ("", *state.people)]

    def of_case(case: Case) -> Asking:
        proposed = case.state is S.CAUSE_PROPOSED
        blind = [one for one in readers if one.hides_cause(case)] if proposed else []
        hidden = asked_about(state, case, blind[0]) if blind else ()
        last, again = case.assessments[-1] if case.assessments else None, tuple[str, ...]()
        if last is not None and last.cause in BACK and case.state in WAITS:
            again = (*dependents(state.epoch, [case.question]), *_reopened(state, last))
        names = tuple(one.person for one in blind)
        return Asking(case.question, asked_about(state, case), hidden, names, again)

    return of_each_case(state, "asked", of_case).same


class Rework(NamedTuple):
    """What would be annotated again because of cases with cause a or b."""

    questions: frozenset[str] = frozenset()
    cases: tuple[int, ...] = ()
    why: str = ""


def rework(sight: Sight) -> Rework:
    """What would be annotated again if the causes a and b that are proposed or accepted hold.

    All items on the questions of the cases, with those of the rule or concept that is named.

    Parameters
    ----------
    sight : Sight
        Of who reads it: causes that they may not read yet do not count.

    Examples
    --------
    >>> from accordant.resolution.sight import seeing
    >>> rework(seeing(State(), ""))
    Rework(questions=frozenset(), cases=(), why='')
    """
    epoch, cases, questions = sight.state.epoch, list[int](), set[str]()
    for one, numbers in asking(sight).items():
        if numbers and one.again and sight.person not in one.unseen:
            cases += numbers
            questions.update(one.again)
    if not cases:
        return Rework()
    columns = (c for q in questions for c in epoch.current.get(q, {}).values())
    n = sum(len(column) - column.count(NONE) for column in columns)
    settle = f"settle case{'s' * (len(cases) > 1)} {ranges(cases)} (a, b) first"
    why = f"{settle}: {counted(n, 'annotation')} would be made again because of them"
    return Rework(frozenset(questions), tuple(sorted(cases)), why)
