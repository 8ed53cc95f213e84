"""Back to earlier steps, or to research: cases are returned or postponed, the project halted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from ..kinds import Typed
from .case_state import Case
from .case_table import DISCUSSED, given, in_state, not_owed, unmet_in
from .cases import CaseEvent, CaseReopened, drop_proposals, in_case, turn
from .command import GUARDS, Asked, Events, Review, Unmet, command, guard, require, step, unmet_of
from .disagreement import Cases, cases_named, label_of_case, labels_of_cases, live_cases, the_case
from .event import Event, Stamp, on
from .state import State
from .terms import RESOLVING, SPEAKERS, CaseState, Cause, Role, Step
from .transitions import Moved


class CaseReturned(CaseEvent, frozen=True, tag="case returned"):
    """The case waits for a change of the toolbox and for re-annotation."""

    says = "case {case} waits for the toolbox"

    concept: str = ""  # that must be looked at again, under a1-concept and b


class CasePostponed(CaseEvent, frozen=True, tag="case postponed"):
    """The case waits for research."""

    says = "case {case} waits for research, until {review_date}"

    reason: str
    review_date: str


class FindingRecorded(Event, frozen=True, tag="finding recorded"):
    """What the research found for which the project was halted."""

    says = "what the research found is recorded"
    beside = True

    text: str


@in_case(CaseReturned)
def _returned(state: State, case: Case, event: CaseReturned, stamp: Stamp) -> None:
    drop_proposals(case)
    case.toolbox = state.ordinal
    case.returned_for = event.concept
    turn(case, CaseState.RETURNED, event.concept)


@in_case(CasePostponed)
def _postponed(state: State, case: Case, event: CasePostponed, stamp: Stamp) -> None:
    case.review_date = event.review_date
    drop_proposals(case)
    turn(case, CaseState.POSTPONED, event.reason)


@on(FindingRecorded)
def _finding_recorded(state: State, event: FindingRecorded, stamp: Stamp) -> None:
    state.findings.append((stamp[0], event.text))
    state.found = state.seq


TO_TASK = (Cause.A2, Cause.A1_TASK)
TO_CONCEPT = (Cause.B, Cause.A1_CONCEPT)


@guard("accepted_cause:a2|a1_task")
def _accepted_a(state: State, asked: Asked) -> list[Unmet]:
    return _lacks_cause(state, asked, "accepted_cause:a2|a1_task", TO_TASK)


def _with_cause(state: State, asked: Asked, causes: Sequence[Cause]) -> list[Case]:
    cases: Sequence[Case] = asked.get("cases") or live_cases(state.epoch)
    asking = (CaseState.CAUSE_ACCEPTED, CaseState.RETURNED)
    waiting = (case for case in cases if case.state in asking)
    return [case for case in waiting if case.cause in causes]


def _lacks_cause(state: State, asked: Asked, name: str, causes: Sequence[Cause]) -> list[Unmet]:
    if _with_cause(state, asked, causes):
        return []
    says = f"no case has the accepted cause {' or '.join(causes)}"
    return [Unmet(name, says, "let the coders accept it first")]


@guard("accepted_cause:b|a1_concept")
def _accepted_b(state: State, asked: Asked) -> list[Unmet]:
    return _lacks_cause(state, asked, "accepted_cause:b|a1_concept", TO_CONCEPT)


@guard("concept_named")
def _concept_named(state: State, asked: Asked) -> list[Unmet]:
    if str(asked.get("concept") or "").strip():
        return []
    cases = _with_cause(state, asked, TO_CONCEPT)
    without = [case for case in cases if not case.assessments[-1].evidence.concept.strip()]
    if not without:
        return []
    says = f"{labels_of_cases(state, without)} names no concept"
    todo = "say which concept must be looked at again"
    return [Unmet("concept_named", says, todo, argument=True)]


@guard("research_needed")
def _research_needed(state: State, asked: Asked) -> list[Unmet]:
    postponed = any(c.state == CaseState.POSTPONED for c in state.epoch.cases.values())
    if asked.get("cases") or postponed:
        return []
    says = "no case waits for research"
    return [Unmet("research_needed", says, "name the cases that need it", argument=True)]


@guard("review_date")
def _review_date(state: State, asked: Asked) -> list[Unmet]:
    text = str(asked.get("review_date") or "").strip()
    try:
        date.fromisoformat(text)
    except ValueError:
        says = f"{text!r} is no date" if text else "no review date is given"
        todo = "give the day on which to look again, like 2027-03-01"
        return [Unmet("review_date", says, todo, argument=True)]
    return []


@guard("finding_recorded", step("finding"))
def _finding_awaited(state: State, asked: Asked) -> list[Unmet]:
    if state.halted and state.found > state.halted:
        return []
    says = "it is not recorded what the research found"
    awaited = state.with_role(Role.RESEARCHER)
    return [Unmet("finding_recorded", says, "record the finding", awaited)]


@guard("toolbox_unchanged")
def _toolbox_unchanged(state: State, asked: Asked) -> list[Unmet]:
    if not state.halted or state.toolbox is None or state.toolbox.seq <= state.halted:
        return []
    says = "the toolbox has changed since the project was halted"
    return [Unmet("toolbox_unchanged", says, "go on from step 0, 1 or 2 instead")]


S = CaseState
RETURN_A, RETURN_B, HALT, RESUME = 11, 12, 18, 24  # transitions


@command(
    "case return",
    "return cases to step 1 or 2",
    roles=(Role.RESEARCHER, Role.MODERATOR),
    steps=RESOLVING,
)
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
    cases : numbers of cases, optional
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
    $ accordant project case return 3-5 'R2 must cover reports'
    Then: what is needed there:
    $ accordant project status
    """
    if cases is None:
        named = [c for c in live_cases(state.epoch) if c.state in (S.CAUSE_ACCEPTED, S.RETURNED)]
    else:
        named = cases_named(state, cases)
    unmet = unmet_in("case return", state, by, named)
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


@command("case postpone", "let a case wait for research", roles=SPEAKERS, steps=RESOLVING)
def postpone(state: State, by: str, *, cases: Cases, reason: str, review_date: Review) -> Events:
    """Let cases wait for research; the others go on.

    While one waits there is no ground truth.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers of cases
    reason : str
        What is not known.
    review_date : str
        The day on which to look again: 2027-03-01.

    Examples
    --------
    Until research has progressed:
    $ accordant project case postpone 6 'check the edition' --review 2027-03-01
    Then:
    $ accordant project case reopen 6 'the edition was checked'
    """
    named = cases_named(state, cases)
    unmet = given(reason) + GUARDS["review_date"](state, {"review_date": review_date})
    require("postponing", unmet + unmet_in("case postpone", state, by, named))
    return [CasePostponed(case.number, reason.strip(), review_date.strip()) for case in named]


@command("halt", "halt the project for research", roles=(Role.RESEARCHER,), steps=RESOLVING)
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
    cases : numbers of cases, optional
        Cases to postpone now, besides those that wait already.

    Examples
    --------
    Cases wait for research:
    $ accordant project halt 'check the edition' --review 2027-03-01 6
    Then: what was found:
    $ accordant project finding 'the edition is right'
    """
    named = cases_named(state, cases) if cases is not None else []
    asked = {"cases": named, "review_date": review_date, "reason": reason, "by": by}
    unmet = unmet_of(state, HALT, asked) + given(reason)
    for case in named:
        unmet += in_state(state, case, (*DISCUSSED, S.POSTPONED)) + not_owed(
            state, case.item, case.question, label_of_case(state, case)
        )
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
