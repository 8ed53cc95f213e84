"""Back to earlier steps, or to research: cases are returned or postponed, the project halted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated

from ..kinds import Typed
from .case_state import Case
from .case_table import DISCUSSED, given, in_state, not_owed, unmet_in
from .cases import CaseEvent, drop_proposals, in_case, turn
from .command import (
    GUARDS,
    Asked,
    Events,
    Lack,
    Review,
    Unmet,
    command,
    guard,
    require,
    step,
    unmet_of,
)
from .disagreement import Cases, cases_named, label_of_case, labels_of_cases, live_cases
from .event import Event, Stamp, on
from .state import State
from .terms import RESOLVING, SPEAKERS, CaseState, Cause, Role, Step
from .transitions import Moved


class CaseWaits(CaseEvent, frozen=True, tag="case waits"):
    """The case waits: for a change of the toolbox and re-annotation, or for research."""

    reason: str = ""
    concept: str = ""  # that must be looked at again, under a1-concept and b
    review_date: str = ""  # of research

    def sentence(self) -> str:
        """For what it waits."""
        until = f"research, until {self.review_date}" if self.review_date else "the toolbox"
        return f"case {self.case} waits for {until}"


class FindingRecorded(Event, frozen=True, tag="finding recorded"):
    """What the research found for which the project was halted."""

    says = "what the research found is recorded"
    beside = True

    text: str


@in_case(CaseWaits)
def _waits(state: State, case: Case, event: CaseWaits, stamp: Stamp) -> None:
    drop_proposals(case)
    if event.review_date:
        case.review_date = event.review_date
        turn(case, CaseState.POSTPONED, event.reason)
        return
    case.toolbox, case.returned_for = state.ordinal, event.concept
    turn(case, CaseState.RETURNED, event.concept)


@on(FindingRecorded)
def _finding_recorded(state: State, event: FindingRecorded, stamp: Stamp) -> None:
    state.findings.append((stamp[0], event.text))
    state.found = state.seq


TO_TASK = (Cause.A2, Cause.A1_TASK)
TO_CONCEPT = (Cause.B, Cause.A1_CONCEPT)


@guard("accepted_cause")
def _accepted_cause(state: State, asked: Asked) -> Iterator[Lack]:
    causes = [Cause[name.upper()] for name in asked["accepted_cause"].split("|")]
    if not _with_cause(state, asked, causes):
        yield f"no case has the accepted cause {' or '.join(causes)}"


def _with_cause(state: State, asked: Asked, causes: Sequence[Cause]) -> list[Case]:
    cases: Sequence[Case] = asked.get("cases") or live_cases(state.epoch)
    asking = (CaseState.CAUSE_ACCEPTED, CaseState.RETURNED)
    waiting = (case for case in cases if case.state in asking)
    return [case for case in waiting if case.cause in causes]


@guard("concept_named")
def _concept_named(state: State, asked: Asked) -> Iterator[Lack]:
    cases = _with_cause(state, asked, TO_CONCEPT)
    without = [case for case in cases if not case.assessments[-1].evidence.concept.strip()]
    if without and not str(asked.get("concept") or "").strip():
        says = f"{labels_of_cases(state, without)} names no concept"
        yield Unmet("concept_named", says, argument=True)


@guard("research_needed")
def _research_needed(state: State, asked: Asked) -> Iterator[Lack]:
    postponed = any(c.state == CaseState.POSTPONED for c in state.epoch.cases.values())
    if not asked.get("cases") and not postponed:
        yield Unmet("research_needed", "no case waits for research", argument=True)


@guard("review_date")
def _review_date(state: State, asked: Asked) -> Iterator[Lack]:
    text = str(asked.get("review_date") or "").strip()
    try:
        date.fromisoformat(text)
    except ValueError:
        yield Unmet("review_date", f"{text!r} is no review date, like 2027-03-01", argument=True)


@guard("finding_recorded", step("finding"))
def _finding_awaited(state: State, asked: Asked) -> Iterator[Lack]:
    if not (state.halted and state.found > state.halted):
        says, awaited = "no finding is recorded", state.with_role(Role.RESEARCHER)
        yield Unmet("finding_recorded", says, awaited)


@guard("toolbox_unchanged")
def _toolbox_unchanged(state: State, asked: Asked) -> Iterator[Lack]:
    if state.halted and state.toolbox is not None and state.toolbox.seq > state.halted:
        yield "the toolbox has changed since the project was halted"


S = CaseState
RETURN_A, RETURN_B, HALT = 11, 12, 18  # transitions


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
    require(unmet)
    waiting = [CaseWaits(case.number, concept=_concept(case, concept)) for case in named]
    return [*waiting, Moved(number, state.step, to, reason.strip())]


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
    require(unmet + unmet_in("case postpone", state, by, named))
    when, why = review_date.strip(), reason.strip()
    return [CaseWaits(case.number, why, review_date=when) for case in named]


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
    require(unmet)
    when, why = review_date.strip(), reason.strip()
    waiting = [c for c in named if c.state != S.POSTPONED]
    return [
        *(CaseWaits(case.number, why, review_date=when) for case in waiting),
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
    require(given(text, "finding", "finding"))
    return [FindingRecorded(text.strip())]
