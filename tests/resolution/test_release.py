"""What a release is: its status computed, its flags, and where each answer comes from."""

from __future__ import annotations

import pytest

from accordant.resolution.assessment import CauseAccepted, CauseProposed
from accordant.resolution.cases import CaseAgreed, CaseOpened
from accordant.resolution.completion import finish
from accordant.resolution.corrections import Rescored
from accordant.resolution.exports import Provenance, final_answers
from accordant.resolution.outcomes import aggregate, decide, leave_disagreed
from accordant.resolution.records import Answer, Evidence
from accordant.resolution.release import counts_of, status_now
from accordant.resolution.setup import AdjudicatorAppointed, add_person, appoint_adjudicator
from accordant.resolution.statement import DeviationRecorded
from accordant.resolution.step_change import go
from accordant.resolution.words import Cause, Outcome, Purpose, ReleaseStatus, Role, Step
from resolution.build import annotated, begun, compared, refusal, resolving
from resolution.talk import THREE, agreed, here_with, returned, with_concept

AGREE = {"Q": {"A1": "01", "A2": "01"}}
ONE, ZERO = Answer(("1",)), Answer(("0",))


def test_before_anything_is_compared():
    for here in (begun(), annotated(THREE)):
        now = status_now(here.state)
        assert now.status == ReleaseStatus.UNRELEASED
        assert (now.counts, now.flags) == ({}, ()), "nothing is told while a round is open"
        assert now.missing


def test_as_it_would_be_now():
    assert status_now(compared(AGREE).state).status == ReleaseStatus.GROUND_TRUTH
    assert status_now(compared(THREE).state).status == ReleaseStatus.COMPARISON_ONLY
    now = status_now(here_with().state)
    assert now.status == ReleaseStatus.DEPRECATED
    assert {u.guard for u in now.missing} == {"no_conflict", "all_cases_agreed"}


def test_ground_truth_says_that_it_agrees_by_construction():
    here = here_with()
    agreed(here, 1, "1")
    agreed(here, 2, "0")
    here.do(finish, "R")
    release = here.state.releases[-1]
    assert release.status == ReleaseStatus.GROUND_TRUTH
    assert release.flags == (
        "all annotations agree by construction: every disagreement was resolved",
    )
    assert release.counts == {
        "items": 4,
        "questions": 1,
        "cells agreed": 4,
        "cases": 2,
        "cases agreed": 2,
    }
    assert release.toolbox == here.state.toolbox.hash


def test_all_agreed_at_once_says_that_nobody_looked():
    here = compared(AGREE)
    here.do(finish, "R")
    flags = here.state.releases[-1].flags
    assert flags == (
        "all annotations agreed when compared; inconsistent scoring was not looked for",
    )


def test_comparison_only():
    here = compared(THREE)
    here.do(finish, "R", reason="no time")
    assert here.state.releases[-1].flags == (
        "no attempt at resolution; no check of inconsistent scoring",
    )
    assert status_now(here.state).status == ReleaseStatus.COMPARISON_ONLY


def test_variation_that_is_elicited_is_no_ground_truth():
    here = compared(AGREE, purpose=Purpose.ELICIT_VARIATION)
    assert refusal(here, finish, "R") == {"reason"}
    here.do(finish, "R", reason="it was to elicit variation")
    assert here.state.releases[-1].status == ReleaseStatus.COMPARISON_ONLY


def deprecated():
    values = {"Q": {"A1": "01010", "A2": "01110", "A3": "00011"}}
    here = resolving(values)  # cases i2, i3, i4?, i5
    here.do(appoint_adjudicator, "R", "A1")
    numbers = list(here.state.epoch.cases)
    agreed(here, numbers[0], "1")
    here.do(leave_disagreed, "R", reason="no end in sight")
    here.do(decide, "A1", case=numbers[1], answer="1", reason="it must end")
    return here, numbers


def test_deprecated_with_all_that_must_be_printed():
    here, numbers = deprecated()
    here.do(aggregate, "A1", cases=numbers[2])
    here.do(finish, "R", reason="time is up")
    release = here.state.releases[-1]
    assert release.status == ReleaseStatus.DEPRECATED
    assert release.flags == (
        "1 case is decided by A1 alone (dictator): a single-annotator portion (i3 Q)",
        "1 case is settled by aggregation: majority (ties left disagreed) (i5 Q)",
        "1 case is interpretive (cause d): i2 Q",
        "A1, the adjudicator, is a coder too",
        "A1 was appointed adjudicator after step 5 had begun",
    )
    assert release.counts["cases dictator decision"] == 1
    assert release.counts["cases dictator aggregation"] == 1


def test_deprecated_with_cases_left():
    here = here_with()
    here.do(leave_disagreed, "R", reason="no end in sight")
    here.do(finish, "R", reason="time is up")
    assert here.state.releases[-1].flags == (
        "2 cases are left disagreed, with all values kept (i2 Q and i3 Q)",
    )


def test_people_and_deviations_are_flagged():
    here = compared(AGREE)
    here.do(add_person, "R", "A1", [Role.CODER, Role.RESEARCHER])
    here.tell(
        DeviationRecorded("step 2 not performed", "no concepts were aligned"),
        DeviationRecorded("b settled by deference", "case 1"),
        DeviationRecorded("b settled by deference", "case 2"),
        AdjudicatorAppointed("R"),
    )
    flags = status_now(here.state).flags
    assert "3 departures" in flags[0]
    assert flags[2:] == (
        "deviation: step 2 not performed",
        "deviation: b settled by deference (2 times)",
        "A1 is both researcher and coder",
    )


def test_stale_annotations_are_no_ground_truth():
    here = here_with()
    agreed(here, 1, "1")
    returned(here, Cause.B, 2)
    with_concept(here)
    now = status_now(here.state)
    assert now.status == ReleaseStatus.DEPRECATED
    assert now.counts["stale annotations"] == 12
    assert "12 annotations were made under an earlier toolbox and not made again" in now.flags
    assert {"no_stale", "no_open_order"} <= {u.guard for u in now.missing}


def imported(cause):
    here = compared({"Q": {"A1": "01", "A2": "00"}}, imported=True)
    here.tell(CaseOpened(1, "i2", "Q", 1, "imported"))
    if cause:
        here.tell(CauseProposed(1, Cause.E, Evidence(coder="A2"), "R"), CauseAccepted(1, "A2"))
    return here.tell(
        Rescored(1, "A2", "i2", "Q", ONE, "imported"),
        CaseAgreed(1, ONE, Outcome.IMPORTED, ("question Q",), ("A1", "A2")),
    )


def test_imported():
    now = status_now(imported(cause=False).state)
    assert now.status == ReleaseStatus.IMPORTED
    assert now.flags == ("1 agreed answer came with the data; the procedure is unknown",)
    assert status_now(imported(cause=True).state).status == ReleaseStatus.DOCUMENTED


def test_imported_is_what_older_logs_call_imported_gold():
    assert ReleaseStatus("imported gold") is ReleaseStatus.IMPORTED


def test_a_reopened_project_is_released_again():
    here = compared(AGREE)
    here.do(finish, "R")
    here.do(go, "R", to=Step.TASK, reason="more questions")
    assert status_now(here.state).status == ReleaseStatus.GROUND_TRUTH
    assert len(here.state.releases) == 1, "the release stays"


# ---------------------------------------------------------------- where answers come from


def test_final_answers():
    here, numbers = deprecated()
    cells = {c.number: c.item for c in here.state.epoch.cases.values()}
    final = final_answers(here.state)["Q"]
    assert final.provenance[0] == Provenance.ANNOTATION
    assert (final.answers[1], final.provenance[1]) == (ONE, Provenance.RESOLUTION)
    decided = cells[numbers[1]]
    assert (final.answers[decided], final.provenance[decided]) == (ONE, Provenance.DECIDED)
    left = cells[numbers[2]]
    assert (final.answers[left], final.provenance[left]) == (None, Provenance.LEFT)


def test_final_answers_of_a_comparison():
    here = compared({"Q": {"A1": "01", "A2": "00", "A3": ["0", None]}})
    final = final_answers(here.state)["Q"]
    assert final.answers == [ZERO, None]
    assert final.provenance == [Provenance.ANNOTATION, Provenance.UNSETTLED]
    here = compared({"Q": {"A1": "01", "A2": ["0", None]}})
    assert final_answers(here.state)["Q"].provenance[1] == Provenance.INCOMPLETE


def test_every_cell_has_one_provenance():
    here = here_with()
    final = final_answers(here.state)["Q"]
    assert len(final.answers) == len(final.provenance) == 4
    assert (
        sum(p == Provenance.UNSETTLED for p in final.provenance)
        == counts_of(here.state)["cells conflicting"]
    )


@pytest.mark.parametrize("n", [2000])
def test_large_projects_are_counted_without_a_loop_over_cells_and_cases(n):
    """A case list must not be searched for each cell: quadratic time would take minutes here."""
    here = resolving({"Q": {"A1": "0" * n, "A2": "1" * n}})
    assert len(here.state.epoch.cases) == n
    assert status_now(here.state).counts["cases open"] == n
