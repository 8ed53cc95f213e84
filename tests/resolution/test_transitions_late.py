"""The transitions of step 5 and of the end: each taken, and refused with each guard named."""

from __future__ import annotations

import pytest

from accordant.resolution.cases import reopen
from accordant.resolution.completion import abandon, finish
from accordant.resolution.guidelines import GuidelinesWritten, confirm_editorial
from accordant.resolution.orders import ReannotationOrdered
from accordant.resolution.outcomes import leave_disagreed
from accordant.resolution.records import Guidelines, Question, Task
from accordant.resolution.returns import halt, postpone, record_finding, resume, return_cases
from accordant.resolution.rounds import open_round
from accordant.resolution.step_change import go
from accordant.resolution.task import change_task
from accordant.resolution.transitions import TRANSITIONS
from accordant.resolution.words import CaseState, Cause, Change, ReleaseStatus, Step
from resolution.build import compared, refusal
from resolution.talk import (
    THREE,
    accepted,
    again,
    agreed,
    aligned,
    case,
    here_with,
    returned,
    with_concept,
    with_rule,
)

AGREE = {"Q": {"A1": "01", "A2": "01"}}
DAY = "2027-03-01"


def last(here):
    _, number, target, _ = here.state.moves[-1]
    return number, target


@pytest.mark.parametrize("cause", [Cause.A2, Cause.A1_TASK])
def test_11(cause):
    here = here_with()
    assert refusal(here, return_cases, "R") == {"accepted_cause:a2|a1_task"}
    assert refusal(here, return_cases, "A1") == {"role"}
    assert "case_state" in refusal(here, return_cases, "R", cases=1)
    accepted(here, cause).do(return_cases, "R")
    assert last(here) == (11, Step.TASK)
    assert case(here).state == CaseState.RETURNED


@pytest.mark.parametrize("cause", [Cause.B, Cause.A1_CONCEPT])
def test_12(cause):
    here = accepted(here_with(), cause).do and accepted(here_with(), cause)
    here.do(return_cases, "R", cases=1)
    assert last(here) == (12, Step.ALIGNMENT)


def test_12_needs_a_cause_and_a_concept():
    here = accepted(here_with(), Cause.E)
    assert "accepted_cause:a2|a1_task" in refusal(here, return_cases, "R", cases=1)
    here = accepted(here_with(), Cause.B, concept="", width="", knowledge="the term is older")
    assert refusal(here, return_cases, "R") == {"concept_named"}
    here.do(return_cases, "R", concept="claim")
    assert last(here) == (12, Step.ALIGNMENT)
    assert case(here).thread[-1].why == "claim"


def test_12_asks_for_the_accepted_cause():
    from accordant.resolution.command import unmet_of

    guards = {u.guard for u in unmet_of(here_with().state, 12, {})}
    assert guards == {"accepted_cause:b|a1_concept"}


def test_cases_for_both_steps_go_to_step_1():
    here = accepted(accepted(here_with(), Cause.A2), Cause.B, 2)
    here.do(return_cases, "R")
    assert last(here) == (11, Step.TASK)
    assert {case(here, n).state for n in (1, 2)} == {CaseState.RETURNED}


def tried_once():
    """A case with cause a1-task that has come back from step 1, unequal."""
    here = returned(here_with(), Cause.A1_TASK)
    with_rule(here, Change.LOCAL)
    again(aligned(here), THREE)
    return here


def test_17():
    here = accepted(here_with(), Cause.A1_TASK)
    given = {"reason": "two tasks in one"}
    assert refusal(here, abandon, "R", **given) == {"a1_task_not_agreed"}
    here = tried_once()
    assert case(here).state == CaseState.REASONS
    assert refusal(here, abandon, "R", reason="") == {"reason"}
    assert refusal(here, abandon, "A1", **given) == {"role"}
    here.do(abandon, "R", **given)
    assert last(here) == (17, Step.ABANDONED)
    assert here.state.epoch.abandoned
    assert here.state.releases[-1].status == ReleaseStatus.ABANDONED
    assert refusal(here, go, "R", to=Step.TASK, reason="r")  # only a new task leads on
    here.do(change_task, "R", task=Task((Question("N", "New?"),)), reason="one task")
    assert last(here) == (16, Step.TASK)


def test_17_is_over_once_it_is_agreed():
    here = tried_once()
    agreed(here, 1, "1")
    assert refusal(here, abandon, "R", reason="r") == {"a1_task_not_agreed"}


def test_18():
    here = here_with()
    given = {"review_date": DAY, "reason": "nobody knows"}
    assert refusal(here, halt, "R", **given) == {"research_needed"}
    assert refusal(here, halt, "R", cases=1, reason="r", review_date="") == {"review_date"}
    assert refusal(here, halt, "R", cases=1, reason=" ", review_date=DAY) == {"reason"}
    assert refusal(here, halt, "M", cases=1, **given) == {"role"}
    here.do(halt, "R", cases=1, **given)
    assert last(here) == (18, Step.HALTED)
    assert here.state.review_date == DAY
    assert case(here).state == CaseState.POSTPONED
    here = here_with()
    here.do(postpone, "A1", cases=2, reason="nobody knows", review_date=DAY)
    here.do(halt, "R", **given)
    assert case(here, 1).state == CaseState.OPEN


def halted():
    here = here_with()
    here.do(halt, "R", cases=1, review_date=DAY, reason="nobody knows")
    return here


@pytest.mark.parametrize("target", [Step.SETUP, Step.TASK, Step.ALIGNMENT])
def test_23(target):
    here = halted()
    assert refusal(here, go, "R", to=target, reason="it changes") == {"finding_recorded"}
    here.do(record_finding, "R", text="the term is older")
    assert refusal(here, go, "R", to=target) == {"reason"}
    here.do(go, "R", to=target, reason="it changes")
    assert last(here) == (23, target)
    assert case(here).state == CaseState.POSTPONED, "postponed cases stay as they are"


def test_24():
    here = halted()
    assert refusal(here, resume, "R") == {"finding_recorded"}
    assert refusal(here, record_finding, "R", text="") == {"finding"}
    assert refusal(here, record_finding, "A1", text="x") == {"role"}
    here.do(record_finding, "R", text="the term is older")
    here.do(resume, "R")
    assert last(here) == (24, Step.RESOLUTION)
    assert case(here).state == CaseState.OPEN


def test_24_only_with_the_toolbox_as_it_was():
    here = halted()
    here.do(record_finding, "R", text="the term is older")
    before = here.state.epoch.guidelines[-1]
    changed = Guidelines("1.1.0", before.options, before.ambiguity, before.rules, "new")
    here.tell(GuidelinesWritten(changed))
    assert refusal(here, resume, "R") == {"toolbox_unchanged"}


def test_a_finding_of_an_earlier_halt_does_not_count():
    here = halted()
    here.do(record_finding, "R", text="the term is older")
    here.do(resume, "R")
    here.do(halt, "R", cases=1, review_date=DAY, reason="again")
    assert refusal(here, resume, "R") == {"finding_recorded"}


def test_20():
    here = here_with()
    agreed(here, 1, "1")
    assert refusal(here, finish, "R") == {"reason", "each_open_case_left_or_dictator"}
    agreed(here, 2, "0")
    assert refusal(here, finish, "A1") == {"role"}
    here.do(finish, "R")
    assert last(here) == (20, Step.FINISHED)
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH


def test_20_asks_its_guards():
    from accordant.resolution.command import unmet_of

    here = here_with()
    assert {u.guard for u in unmet_of(here.state, 20, {})} == {"no_conflict", "all_cases_agreed"}
    here = returned(here, Cause.B)
    with_concept(here)
    assert {u.guard for u in unmet_of(here.state, 20, {})} == {
        "no_conflict",
        "all_cases_agreed",
        "no_stale",
        "no_open_order",
    }


def test_21():
    here = here_with()
    agreed(here, 1, "1")
    assert refusal(here, finish, "R", reason="time is up") == {"each_open_case_left_or_dictator"}
    here.do(leave_disagreed, "R", cases=2, reason="no end in sight")
    assert refusal(here, finish, "R") == {"reason"}
    assert refusal(here, finish, "M", reason="time is up") == {"role"}
    here.do(finish, "R", reason="time is up")
    assert last(here) == (21, Step.FINISHED)
    assert here.state.releases[-1].status == ReleaseStatus.DEPRECATED


def test_21_with_everything_else_as_for_a_ground_truth():
    values = {**THREE, "P": dict.fromkeys(("A1", "A2", "A3"), "0000")}
    here = here_with(values)
    here.do(leave_disagreed, "R", reason="no end in sight")
    here.tell(ReannotationOrdered(1, "guidelines 1.1.0", here.state.toolbox.ordinal + 1, ("P",)))
    assert refusal(here, finish, "R", reason="time is up") == {"no_stale", "no_open_order"}


def test_back_in_step_5_after_a_release_conflicts_have_cases():
    """From a release without resolution, through an editorial change, into step 5."""
    here = compared(THREE)
    here.do(finish, "R", reason="no time")
    here.do(go, "R", to=Step.TASK, reason="there is time now")
    with_rule(here, Change.EDITORIAL)
    here.do(confirm_editorial, "A1")
    here.do(go, "R", to=Step.RESOLUTION)
    assert last(here) == (15, Step.RESOLUTION)
    assert len(here.state.epoch.cases) == 2


def test_21_must_be_signed_by_a_researcher():
    from accordant.resolution.command import unmet_of

    here = here_with()
    here.do(leave_disagreed, "R", reason="r")
    asked = {"by": "M", "reason": "r"}
    assert {u.guard for u in unmet_of(here.state, 21, asked)} == {"researcher_signs"}


def test_8_and_9():
    here = compared(AGREE)
    here.do(finish, "R")
    assert last(here) == (8, Step.FINISHED)
    here = compared(THREE)
    assert refusal(here, finish, "R") == {"reason"}
    here.do(finish, "R", reason="no time")
    assert last(here) == (9, Step.FINISHED)
    assert here.state.releases[-1].status == ReleaseStatus.COMPARISON_ONLY


def test_after_resolution_step_4_ends_as_what_it_is():
    """Stopping after a re-annotation is not "comparison only": resolution was attempted."""
    here = returned(here_with(), Cause.B)
    with_concept(here)
    again(aligned(here), THREE, resolve=False)
    assert here.state.step == Step.COMPARISON
    here.do(finish, "R", reason="no time")
    assert here.state.releases[-1].status == ReleaseStatus.DEPRECATED
    assert {c.state for c in here.state.epoch.cases.values()} == {CaseState.UNRESOLVED}


def test_the_commands_of_step_5_belong_there():
    from accordant.resolution.command import COMMANDS

    here = compared(THREE)
    given = {"cases": 1, "reason": "r"}
    assert "step" in refusal(here, reopen, "R", **given)
    for name, command in COMMANDS.items():
        if name.startswith(("case ", "cause ", "outcome ")):
            assert command.steps == (Step.RESOLUTION,)


def test_a_round_opens_from_step_5_where_an_order_is_open():
    here = here_with()
    assert "open_order" in refusal(here, open_round, "R")
    assert TRANSITIONS[19].guards[0] == "open_order"
