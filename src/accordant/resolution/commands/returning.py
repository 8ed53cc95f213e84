"""Back to earlier steps, or to research: cases are returned or postponed, the project halted."""

from __future__ import annotations

from typing import Annotated

from ..disagreement import Cases, cases_named, live_cases, the_case
from ..events.cases import CasePostponed, CaseReopened, CaseReturned
from ..events.project import FindingRecorded, Moved
from ..guards.cases import given, in_state, not_suspended
from ..guards.guard import GUARDS, require, unmet_of
from ..refusal import Unmet
from ..state import Case, State
from ..words import CaseState, Cause, Role, Step
from .cases import SPEAKERS, may_speak
from .command import Events, command
from .parameters import Review, Typed

__all__ = ["halt", "postpone", "record_finding", "resume", "return_cases"]

S = CaseState
TO_TASK = (Cause.A2, Cause.A1_TASK)
TO_CONCEPT = (Cause.B, Cause.A1_CONCEPT)
RETURN_A, RETURN_B, HALT, RESUME = 11, 12, 18, 24  # transitions
WAITING = (S.OPEN, S.REASONS, S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED, S.RESCORING, S.ARGUED)


@command(
    "case return", "return cases to step 1 or 2", roles=(Role.RESEARCHER, Role.MODERATOR),
    steps=(Step.RESOLUTION,),
)  # fmt: skip
def return_cases(
    state: State,
    by: str,
    *,
    cases: Cases | None = None,
    concept: Annotated[str, Typed("NAME")] = "",
    reason: Annotated[str, Typed(argument=True)] = "",
) -> Events:
    """Take cases back to the step where the toolbox can be mended.

    To task and guidelines (a1-task, a2), or to the concepts (a1-concept, b).

    Parameters
    ----------
    state : State
    by : str
        A researcher or moderator.
    cases : numbers or names of groups, optional
        With an accepted cause a or b; all such cases by default.
    concept : str
        The concept to look at again, where a case does not name it.
    reason : str
        What has to be mended.

    Notes
    -----
    If cases for both steps are named, the project goes to step 1, from which step 2 follows.

    Examples
    --------
    To step 1 or 2:
    $ accordant project case 3-5 return 'R2 must cover reports'
    Then: what is needed there:
    $ accordant project status
    """
    if cases is None:
        named = [c for c in live_cases(state.epoch) if c.state in (S.CAUSE_ACCEPTED, S.RETURNED)]
    else:
        named = cases_named(state, cases)
    unmet = list[Unmet]()
    for case in named:
        waiting = (S.CAUSE_ACCEPTED, S.RETURNED)  # perhaps nothing was changed for it
        unmet += in_state(state, case, waiting, "let cause a or b be accepted first")
        unmet += not_suspended(state, case)
    causes = {case.cause for case in named}
    for_task = not causes & {*TO_CONCEPT} or bool(causes & {*TO_TASK})
    number, to = (RETURN_A, Step.TASK) if for_task else (RETURN_B, Step.ALIGNMENT)
    asked = {"cases": named, "concept": concept, "by": by, "reason": reason}
    unmet += unmet_of(state, number, asked)
    if for_task:
        unmet += GUARDS["concept_named"](state, asked)
    require("returning cases", unmet)
    returned = [CaseReturned(case.number, _concept(case, concept)) for case in named]
    return [*returned, Moved(number, state.step, to, reason.strip())]


def _concept(case: Case, named: str) -> str:
    """The concept that must be looked at again; the case's own before the one given for all."""
    if case.cause not in TO_CONCEPT:
        return ""
    return case.assessments[-1].evidence.concept or named.strip()


@command("case postpone", "let a case wait for research", roles=SPEAKERS, steps=(Step.RESOLUTION,))
def postpone(state: State, by: str, *, cases: Cases, reason: str, review_date: Review) -> Events:
    """Let cases wait for research; the others go on.

    While one waits there is no ground truth.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers or names of groups
    reason : str
        What is not known.
    review_date : str
        The day on which to look again: 2027-03-01.

    Examples
    --------
    Until research has progressed:
    $ accordant project case 6 postpone 'check the edition' --review 2027-03-01
    Then:
    $ accordant project case 6 reopen 'the edition was checked'
    """
    named = cases_named(state, cases)
    unmet = given(reason) + GUARDS["review_date"](state, {"review_date": review_date})
    for case in named:
        unmet += may_speak(state, case, by) + not_suspended(state, case)
        unmet += in_state(state, case, WAITING)
    require("postponing", unmet)
    return [CasePostponed(case.number, reason.strip(), review_date.strip()) for case in named]


@command(
    "halt", "halt the project for research", roles=(Role.RESEARCHER,), steps=(Step.RESOLUTION,)
)
def halt(
    state: State, by: str, *, review_date: Review, reason: str, cases: Cases | None = None
) -> Events:
    """Stop until research has found what cases need.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    review_date : str
        The day on which to look again: 2027-03-01.
    reason : str
        What is not known.
    cases : numbers or names of groups, optional
        Cases to postpone now, besides those that wait already.

    Examples
    --------
    Cases wait for research:
    $ accordant project halt 'check the edition' --review 2027-03-01 --case 6
    Then: what was found:
    $ accordant project finding 'the edition is right'
    """
    named = cases_named(state, cases) if cases is not None else []
    asked = {"cases": named, "review_date": review_date, "reason": reason, "by": by}
    unmet = unmet_of(state, HALT, asked) + given(reason)
    for case in named:
        unmet += in_state(state, case, (*WAITING, S.POSTPONED)) + not_suspended(state, case)
    require("halting the project", unmet)
    when, why = review_date.strip(), reason.strip()
    waiting = [c for c in named if c.state != S.POSTPONED]
    return [
        *(CasePostponed(case.number, why, when) for case in waiting),
        Moved(HALT, state.step, Step.HALTED, why, when),
    ]


@command(
    "finding", "record what the research found", roles=(Role.RESEARCHER,), steps=(Step.HALTED,)
)
def record_finding(state: State, by: str, *, text: str) -> Events:
    """Record what the research found, or show it.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    text : str
        What was found.

    Examples
    --------
    What the research found:
    $ accordant project finding 'the edition is right'
    What was found so far:
    $ accordant project finding
    """
    require("recording a finding", given(text, "finding", "finding"))
    return [FindingRecorded(text.strip())]


@command(
    "resume", "go on with step 5 after research", roles=(Role.RESEARCHER,), steps=(Step.HALTED,)
)
def resume(state: State, by: str, *, reason: Annotated[str, Typed(argument=True)] = "") -> Events:
    """Go on after research that changes nothing in the toolbox.

    Postponed cases are open again.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    reason : str
        What to say about it.

    Examples
    --------
    The toolbox stays: back to the cases:
    $ accordant project resume
    The toolbox changes:
    $ accordant project go task 'the finding changes rule R2'
    """
    require("resuming", unmet_of(state, RESUME, {"by": by, "reason": reason}))
    found = state.findings[-1][1]
    waiting = [c.number for c in state.epoch.cases.values() if c.state == S.POSTPONED]
    return [
        Moved(RESUME, state.step, Step.RESOLUTION, reason.strip()),
        *(CaseReopened(the_case(state, number).number, f"research: {found}") for number in waiting),
    ]
