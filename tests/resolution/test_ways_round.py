"""Ways round the procedure that are closed: each was open once, or nearly."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from accordant.errors import InputError
from accordant.resolution import steps
from accordant.resolution.cells import cell_state
from accordant.resolution.records import (
    NOT_APPLICABLE,
    Answer,
    AskedIf,
    Concept,
    Guidelines,
    Items,
    Question,
    Task,
)
from accordant.resolution.release import status_now
from accordant.resolution.staleness import stale_counts
from accordant.resolution.words import (
    Answering,
    CaseState,
    Cause,
    CellState,
    Change,
    Outcome,
    Purpose,
    ReleaseStatus,
    Role,
    Step,
)
from resolution.build import (
    annotated,
    open_blindly,
    ready_to_annotate,
    refusal,
    resolving,
    submit,
)
from resolution.talk import (
    THREE,
    accepted,
    again,
    agreed,
    aligned,
    case,
    everybody,
    evidence_of,
    here_with,
    proposed,
    reasons,
    returned,
    with_concept,
    with_rule,
)

GIVEN = {"cases": 1, "answer": "1", "cites": ["rule R1"], "text": "so"}
CHAIN = (
    Question("Q", "Is it?"),
    Question("P", "How?", asked_if=AskedIf("Q", ("1",))),
    Question("R", "Why?", asked_if=AskedIf("P", ("x",))),
)
OPTIONS = {"Q": ("0", "1"), "P": ("x", "y"), "R": ("a", "b")}


# ---------------------------------------------------------------- consent


def test_who_has_not_annotated_again_has_not_consented():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    aligned(here).do(steps.open_round, "R", coders=["A1", "A2"])
    for coder in ("A1", "A2"):
        submit(here, coder, "Q", "0001")
    here.do(steps.close_round, "R")
    assert case(here).state == CaseState.RETURNED
    assert stale_counts(here.state.epoch) == {"Q": 4}
    here.do(steps.begin_resolution, "R")
    again(here, {"Q": dict.fromkeys(("A1", "A2", "A3"), "0001")}, resolve=False)
    assert case(here).state == CaseState.AGREED
    assert case(here).consents == ("A1", "A2", "A3")


def test_a_settled_case_is_open_while_only_some_have_annotated_it_otherwise():
    here = here_with()
    agreed(here, 1, "0")
    returned(here, Cause.B, 2)
    with_concept(here)
    aligned(here).do(steps.open_round, "R", coders=["A1", "A2"])
    for coder in ("A1", "A2"):
        submit(here, coder, "Q", "0001")
    here.do(steps.close_round, "R")
    assert case(here, 1).state == CaseState.AGREED, "the same answer as agreed"
    here.do(steps.begin_resolution, "R")
    here.do(steps.open_round, "R", coders=["A1", "A2"])
    for coder in ("A1", "A2"):
        submit(here, coder, "Q", "0101")
    here.do(steps.close_round, "R")
    assert case(here, 1).state == CaseState.REASONS


def test_a_coder_who_has_left_is_still_needed():
    here = accepted(here_with(), Cause.D)
    here.do(steps.propose_outcome, "R", **GIVEN)
    here.do(steps.add_person, "R", "A3", [Role.OBSERVER])
    here.do(steps.accept_outcome, "A1", cases=1)
    here.do(steps.accept_outcome, "A2", cases=1)
    assert case(here).state == CaseState.ARGUED
    assert refusal(here, steps.accept_outcome, "A3", cases=1) == {"role"}


def test_stale_annotations_of_a_coder_who_has_left_are_named():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    here.do(steps.add_person, "R", "A3", [Role.OBSERVER])
    again(aligned(here), {"Q": {"A1": "0101", "A2": "0101"}})
    todo = [u.todo for u in status_now(here.state).missing if u.guard == "no_stale"]
    assert "A3 is no coder any more" in todo[0]


def test_a_cause_awaits_nobody_who_is_no_longer_asked():
    values = {
        "Q": {"A1": "11", "A2": "11", "A3": "11", "A4": "10"},
        "P": {"A1": "xx", "A2": "yx", "A3": "yx", "A4": ["x", ""]},
    }
    here = resolving(values, questions=CHAIN[:2], options={"Q": ("0", "1"), "P": ("x", "y")})
    assert [(c.item, c.question) for c in here.state.epoch.cases.values()] == [(0, "P"), (1, "Q")]
    reasons(here, 1)
    proposed(here, Cause.D, 1)
    for coder in ("A1", "A2", "A3"):
        here.do(steps.accept_cause, coder, cases=1)
    accepted(here, Cause.C, 2, coder="A4", others=("i1",))
    here.do(steps.rescore, "A4", case=2, item="i1", answer="0")
    assert everybody(here, 1) == ("A1", "A2", "A3")
    assert case(here, 1).state == CaseState.REASONS


def test_a_coder_who_joined_later_is_flagged():
    here = returned(here_with(), Cause.B)
    here.do(steps.add_person, "R", "A4", [Role.CODER])
    here.do(steps.record_training, "R", "with examples")
    with_concept(here, items=["i2"], narrowed="only there")
    aligned(here)
    here.do(steps.open_round, "R")
    for coder in here.state.coders:
        submit(here, coder, "Q", "1", ["i2"])
    here.do(steps.close_round, "R")
    assert case(here).consents == ("A1", "A2", "A3", "A4")
    late = "A4 joined after round 1: what was not annotated again was agreed without them"
    assert late in status_now(here.state).flags


# ---------------------------------------------------------------- a toolbox that changes meanwhile


def test_an_outcome_that_cites_an_older_concept_cannot_be_accepted():
    here = accepted(here_with(), Cause.D)
    here.do(steps.propose_outcome, "A1", **{**GIVEN, "cites": ["concept claim v1"]})
    returned(here, Cause.B, 2)
    with_concept(here, items=["i3"], narrowed="only there")
    again(aligned(here), {"Q": {"A1": "0101", "A2": "0101", "A3": "0001"}})
    assert refusal(here, steps.accept_outcome, "A2", cases=1) == {"citation"}
    here.do(steps.refuse_outcome, "A2", case=1, reason="the concept has changed")
    here.do(steps.propose_outcome, "A1", **{**GIVEN, "cites": ["concept claim"]})
    here.do(steps.accept_outcome, "A2", cases=1)
    assert refusal(here, steps.accept_outcome, "A3", cases=1) == {"proposal_named"}
    here.do(steps.accept_outcome, "A3", cases=1, proposals=[case(here).proposals[-1].seq])
    assert case(here).cites == ("concept claim v2",)


def test_an_outcome_that_is_no_longer_an_option_cannot_be_accepted():
    here = accepted(here_with(), Cause.D)
    here.do(steps.propose_outcome, "A1", **GIVEN)
    returned(here, Cause.A2, 2)
    before = here.state.epoch.guidelines[-1]
    new = Guidelines("", {"Q": ("0", "2")}, before.ambiguity, before.rules)
    told = {"change": "local", "reason": "r", "questions": ["Q"], "options_keep": "1 is 2 now"}
    here.do(steps.write_guidelines, "R", new, **told)
    here.do(steps.waive_order, "R", order=1, reason="a new name")
    aligned(here).do(steps.go, "R", Step.RESOLUTION)
    assert refusal(here, steps.accept_outcome, "A2", cases=1) == {"scoring_options"}


def test_b_is_not_settled_by_other_words_in_the_guidelines():
    here = returned(here_with(), Cause.B)
    here.do(steps.go, "R", Step.TASK, reason="a clearer rule")
    with_rule(here, Change.EDITORIAL)
    here.do(steps.confirm_editorial, "A1")
    here.do(steps.go, "R", Step.RESOLUTION)
    assert refusal(here, steps.propose_outcome, "R", **GIVEN) == {"case_state"}
    here.do(steps.reopen, "R", cases=1, reason="it was another cause")


@pytest.mark.parametrize(("name", "possible"), [("claim", True), ("scope", False)])
def test_b_is_settled_under_a_new_version_of_its_concept(name, possible):
    here = returned(here_with(), Cause.B)
    here.do(steps.write_concept, "R", Concept(name, 0, "how far", ("Q",)), reason="r")
    here.do(steps.waive_order, "R", order=1, reason="no answer changes")
    for coder in here.state.coders:
        here.do(steps.sign_off, coder)
    here.do(steps.go, "R", Step.RESOLUTION)
    if not possible:
        assert refusal(here, steps.propose_outcome, "R", **GIVEN) == {"case_state"}
        return
    here.do(steps.propose_outcome, "R", **GIVEN)
    for coder in everybody(here):
        here.do(steps.accept_outcome, coder, cases=1)
    assert case(here).outcome == Outcome.CLARIFIED


def test_every_editorial_change_is_confirmed():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.EDITORIAL)
    with_rule(here, Change.EDITORIAL)
    here.do(steps.confirm_editorial, "A1")
    assert refusal(here, steps.go, "R", Step.RESOLUTION) == {"confirmed_no_score_change"}
    here.do(steps.confirm_editorial, "A1", version="1.0.1")
    here.do(steps.go, "R", Step.RESOLUTION)


def test_an_editorial_change_after_a_local_one_is_confirmed():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.LOCAL)
    with_rule(here, Change.EDITORIAL)
    aligned(here)
    assert refusal(here, steps.open_round, "R") == {"confirmed_no_score_change"}
    here.do(steps.waive_order, "R", order=1, reason="no answer changes")
    assert refusal(here, steps.go, "R", Step.RESOLUTION) == {"confirmed_no_score_change"}
    here.do(steps.confirm_editorial, "A2")
    here.do(steps.go, "R", Step.RESOLUTION)


def test_an_annotation_that_is_owed_again_is_not_corrected_in_the_open():
    here = returned(here_with(), Cause.B, 2)
    with_concept(here, items=["i3", "i4"], narrowed="only there")
    aligned(here).move(14, Step.RESOLUTION)
    accepted(here, Cause.C, 1)
    given = {"case": 1, "item": "i4", "answer": "0"}
    assert refusal(here, steps.rescore, "A3", **given) == {"suspended"}
    here.do(steps.rescore, "A3", case=1, answer="1")


def test_only_a_researcher_narrows_what_is_annotated_again():
    here = returned(here_with(), Cause.B)
    new, more = Concept("claim", 0, "refined", ("Q",)), {"items": ["i2"], "narrowed": "less work"}
    assert refusal(here, steps.write_concept, "A1", new, reason="r", **more) == {"role"}
    here.do(steps.write_concept, "A1", new, reason="r")
    assert stale_counts(here.state.epoch) == {"Q": 12}


# ---------------------------------------------------------------- steps


def test_a_task_is_abandoned_only_after_trying_to_agree_on_it():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    again(aligned(here), THREE)
    accepted(here, Cause.A1_TASK)
    assert refusal(here, steps.abandon, "R", reason="r") == {"a1_task_not_agreed"}
    here.do(steps.return_cases, "R", cases=1)
    with_rule(here, Change.LOCAL)
    again(aligned(here), THREE)
    here.do(steps.abandon, "R", reason="r")


def test_variation_that_is_elicited_is_not_resolved_by_a_detour():
    here = returned(here_with(), Cause.A2)
    here.do(steps.go, "R", Step.SETUP, reason="the purpose was wrong")
    here.do(steps.state_purpose, "R", Purpose.ELICIT_VARIATION)
    here.do(steps.go, "R", Step.TASK)
    with_rule(here, Change.EDITORIAL)
    here.do(steps.confirm_editorial, "A1")
    assert refusal(here, steps.go, "R", Step.RESOLUTION) == {"purpose_ground_truth"}


def test_step_2_is_skipped_in_the_imported_epoch_only():
    from accordant.resolution.concepts import STEP_2_SKIPPED
    from accordant.resolution.statement import DeviationRecorded

    here = ready_to_annotate(2, 2, imported=True, concepts=())
    here.tell(DeviationRecorded(STEP_2_SKIPPED, "no concepts"))
    here.do(steps.open_round, "R")
    here.do(steps.change_task, "R", Task((Question("N", "New?"),)), reason="r")
    here.move(3, Step.ALIGNMENT)
    assert "all_concepts_defined" in refusal(here, steps.open_round, "R")


def test_unresolved_cases_can_be_taken_up_again_from_the_comparison():
    here = here_with()
    agreed(here, 1, "1")
    agreed(here, 2, "0")
    here.do(steps.reopen, "R", cases=2, reason="a doubt")
    here.do(steps.leave_disagreed, "R", cases=2, reason="no time")
    here.do(steps.add_items, "R", items=Items(("i5",)))
    here.do(steps.freeze_items, "R")
    here.do(steps.open_round, "R")
    for coder in ("A1", "A2", "A3"):
        submit(here, coder, "Q", "0", ["i5"])
    here.do(steps.close_round, "R")
    here.do(steps.begin_resolution, "R")
    here.do(steps.reopen, "R", cases=2, reason="time")
    agreed(here, 2, "0")
    here.do(steps.finish, "R")
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH


# ---------------------------------------------------------------- answers


def test_not_applicable_may_be_the_consensus():
    here = resolving({"Q": {"A1": ["0", NOT_APPLICABLE], "A2": ["0", "1"]}})
    accepted(here, Cause.D)
    text = "there is no claim to speak of"
    here.do(steps.propose_outcome, "A1", **{**GIVEN, "answer": "not applicable", "text": text})
    here.do(steps.accept_outcome, "A2", cases=1)
    assert cell_state(here.state.epoch, 1, "Q") == CellState.NOT_APPLICABLE
    assert here.state.epoch.notes["Q"]["A2"][1].reason == text
    here.do(steps.finish, "R")
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH


def test_a_full_stop_is_no_other_task() -> None:
    here = here_with()
    old = here.state.epoch.task
    same = replace(old, questions=(replace(old.questions[0], text="What about Q ?!"),))
    assert refusal(here, steps.change_task, "R", same, reason="anew") == {"task_changed"}


def test_another_task_does_not_make_disagreement_forgotten() -> None:
    here = here_with()
    task = Task((Question("Q", "What else about it?"),), "Read and answer", "one text")
    guidelines, [claim] = here.state.epoch.guidelines[-1], here.state.epoch.concepts["claim"]
    here.do(steps.change_task, "R", task, reason="another question")
    here.do(steps.write_guidelines, "R", guidelines)
    aligned(here).do(steps.go, "R", to=Step.ALIGNMENT)
    here.do(steps.write_concept, "R", claim)
    aligned(here)
    for coder in here.state.coders:
        here.do(steps.sign_off, coder)
    again(here, {"Q": dict.fromkeys(THREE["Q"], "0001")}, resolve=False)
    now = status_now(here.state)
    assert now.status is ReleaseStatus.GROUND_TRUTH
    [flag] = [flag for flag in now.flags if flag.startswith("task 1 was given up")]
    assert "differed on 2 items and questions" in flag


def test_the_other_item_of_c_may_be_newer_than_the_annotations():
    here = reasons(here_with())
    here.do(steps.add_items, "R", items=Items(("i5",)))
    evidence = evidence_of(here, Cause.C, others=("i5",))
    given = {"cases": 1, "cause": "c", "evidence": evidence}
    assert refusal(here, steps.propose_cause, "R", **given) == {"other_items"}


def test_stretches_lie_within_the_text_in_step_5_too():
    question = (Question("Q", "Where?", answering=Answering.SPANS),)
    spans = {"A1": [Answer(("0-2:0",))], "A2": [Answer(("0-3:0",))]}
    here = accepted(
        resolving({"Q": spans}, questions=question, texts=["abc"]),
        Cause.E,
        coder="A2",
        meant="two characters",
    )
    with pytest.raises(InputError, match="0-9 lies outside its text, which has 3 characters"):
        here.do(steps.rescore, "A2", case=1, answer=["0-9:0"])
    here.do(steps.rescore, "A2", case=1, answer=["0-2:0"])
    assert case(here).state == CaseState.AGREED


def test_questions_that_depend_on_a_question_that_depends_are_answered():
    values = {
        "Q": {"A1": "1", "A2": "0"},
        "P": {"A1": "x", "A2": [""]},
        "R": {"A1": "a", "A2": [""]},
    }
    here = resolving(values, questions=CHAIN, options=OPTIONS)
    agreed(here, 1, "1")
    here.do(steps.annotate_dependent, "A2", item="i1", question="P", answer="x")
    here.do(steps.annotate_dependent, "A2", item="i1", question="R", answer="a")
    here.do(steps.finish, "R")
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH


# ---------------------------------------------------------------- rounds


def test_a_researcher_who_declines_for_a_coder_changes_no_answer():
    here = annotated({"Q": {"A1": "01", "A2": "01"}})
    here.do(steps.decline, "R", "Q", ["i1"], "gone", coder="A1")
    some = here.state.epoch.round
    assert len(some.sheet["Q"]["A1"]) == 2
    assert not some.declined["Q"]["A1"]
    here.do(steps.decline, "A1", "Q", ["i1"], "I know the author")
    assert len(some.sheet["Q"]["A1"]) == 1


def test_a_researcher_who_declines_for_a_coder_is_told_nothing():
    here = open_blindly(ready_to_annotate(2, 2, CHAIN[:2], {"Q": ("0", "1"), "P": ("x", "y")}))
    submit(here, "A1", "Q", "01")
    events = here.do(steps.decline, "R", "P", ["i1", "i2"], "gone", coder="A1")
    assert events[0].items == ("i1", "i2"), "whatever A1 answered"
    assert here.state.epoch.round.declined["P"]["A1"] == {1: "gone"}


def test_whoever_has_annotated_an_item_annotates_it_again():
    """Otherwise their annotation would stay stale for ever."""
    here = returned(here_with({"Q": {"A1": "0101", "A2": "0101", "A3": "0001"}}), Cause.B)
    here.do(steps.assign, "R", coder="A3", items=["i1"])
    with_concept(here)
    again(aligned(here), {"Q": dict.fromkeys(("A1", "A2", "A3"), "0101")}, resolve=False)
    assert stale_counts(here.state.epoch) == {}
    here.do(steps.finish, "R")
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH


def test_items_that_are_not_frozen_are_asked_of_nobody():
    here = ready_to_annotate(2, 3)
    here.do(steps.add_items, "R", items=Items(("i3",)))
    here.do(steps.assign, "R", coder="A1", items=["i1", "i2", "i3"])
    here.do(steps.open_round, "R")
    assert refusal(here, steps.annotate, "A1", "Q", {"i3": "0"}) == {"assigned"}
    for coder in ("A1", "A2", "A3"):
        submit(here, coder, "Q", "00", ["i1", "i2"])
    here.do(steps.close_round, "R")
    assert here.state.epoch.rounds[0].comparison == {"Q": {"agreed": 2}}


def test_a_group_that_is_named_anew_leaves_its_old_members():
    here = resolving({"Q": {"A1": "111", "A2": "000"}})
    here.do(steps.group_cases, "R", name="g", cases=[1, 2])
    here.do(steps.group_cases, "R", name="g", cases=[2, 3])
    assert [c.group for c in here.state.epoch.cases.values()] == ["", "g", "g"]
