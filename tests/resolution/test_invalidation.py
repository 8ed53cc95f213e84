"""What invalidates what (section 6 of the specification): each row of the table is a test."""

from __future__ import annotations

import pytest

from accordant.resolution.cases import CaseAgreed, CaseOpened, CaseReopened, give_reason
from accordant.resolution.cells import comparisons
from accordant.resolution.completion import finish, leave_disagreed
from accordant.resolution.corrections import rescore
from accordant.resolution.guidelines import (
    acknowledgement_holds,
    confirm_editorial,
    write_guidelines,
)
from accordant.resolution.items import add_items, freeze_items
from accordant.resolution.orders import ReannotationOrdered, waive_order
from accordant.resolution.proposals import accept, propose_cause, propose_outcome
from accordant.resolution.records import Answer, Concept, Guidelines, Items, Question, Task
from accordant.resolution.release import status_now
from accordant.resolution.rounds import close_round, open_round
from accordant.resolution.setup import add_person
from accordant.resolution.staleness import open_orders, order_state, stale_counts, stale_items
from accordant.resolution.step_change import begin_resolution, go
from accordant.resolution.task import change_task
from accordant.resolution.words import (
    CaseState,
    Cause,
    Change,
    OrderState,
    Outcome,
    ReleaseStatus,
    Role,
    Step,
)
from resolution.build import refusal, resolving, submit
from resolution.talk import (
    THREE,
    accepted,
    again,
    agreed,
    aligned,
    case,
    evidence_of,
    here_with,
    returned,
    with_concept,
    with_rule,
)

EQUAL = {"Q": {"A1": "0101", "A2": "0101", "A3": "0101"}}
TWO = {
    "Q": {"A1": "0101", "A2": "0111", "A3": "0001"},
    "P": {"A1": "0000", "A2": "0000", "A3": "0001"},
}  # cases: i2 Q, i3 Q, i4 P
EQUAL_TWO = {q: dict.fromkeys(("A1", "A2", "A3"), "0101") for q in ("Q", "P")}


def states(here):
    return [c.state for c in here.state.epoch.cases.values()]


def test_a_new_task_closes_the_epoch():
    here = here_with()
    agreed(here, 1, "1")
    with_old = here.state.epoch
    here.do(change_task, "R", task=Task((Question("N", "New?"),)), reason="another question")
    assert here.state.epoch.number == 2
    assert with_old.ended
    assert not here.state.epoch.signed
    assert not here.state.epoch.acknowledged
    assert [c.state for c in with_old.cases.values()] == [CaseState.AGREED, CaseState.CLOSED]
    assert with_old.cases[1].answer == Answer(("1",)), "closed cases are kept"
    assert status_now(here.state).status == ReleaseStatus.UNRELEASED


@pytest.mark.parametrize("options", [False, True])
def test_drastic_guidelines_and_other_options_make_everything_stale(options):
    here = resolving(TWO)
    agreed(here, 1, "1")
    accepted(here, Cause.A2, 2)
    from accordant.resolution.returns import return_cases

    here.do(return_cases, "R")
    if options:
        before = here.state.epoch.guidelines[-1]
        three = dict.fromkeys(before.options, ("0", "1", "2"))
        new = Guidelines("", three, before.ambiguity, before.rules)
        given = {"change": "local", "reason": "r", "questions": ["Q", "P"]}
        assert "options_are_drastic" in refusal(here, write_guidelines, "R", new, **given)
        here.do(write_guidelines, "R", new, change="drastic", reason="a third is needed")
    else:
        with_rule(here, Change.DRASTIC)
    epoch = here.state.epoch
    assert stale_counts(epoch) == {"Q": 12, "P": 12}
    assert epoch.guidelines[-1].version == "2.0.0"
    assert not any(acknowledgement_holds(epoch, c) for c in here.state.coders)
    assert epoch.signed["claim"] == dict.fromkeys(here.state.coders, 1), "sign-offs stand"
    assert refusal(here, waive_order, "R", order=1, reason="r") == {"order_waivable"}
    assert "order_waived" in refusal(here, go, "R", to=Step.RESOLUTION)
    again(aligned(here), EQUAL_TWO, resolve=False)
    assert stale_counts(epoch) == {}
    assert case(here, 1).state == CaseState.AGREED
    assert case(here, 2).outcome == Outcome.REANNOTATED_A


def test_local_guidelines_make_their_questions_stale():
    here = resolving(TWO)
    accepted(here, Cause.A2, 1)
    from accordant.resolution.returns import return_cases

    here.do(return_cases, "R")
    with_rule(here, Change.LOCAL, questions=["Q"], narrowed="the rule is about Q")
    epoch = here.state.epoch
    assert stale_counts(epoch) == {"Q": 12}, "agreed annotations too"
    assert stale_items(epoch, "Q", "A1") == {0, 1, 2, 3}
    assert open_orders(here.state)[0].questions == ("Q",)
    again(aligned(here), {"Q": EQUAL["Q"]})
    assert [c.state for c in epoch.cases.values()] == [
        CaseState.AGREED,
        CaseState.AGREED,
        CaseState.OPEN,
    ]


def test_local_guidelines_for_a_few_items():
    here = returned(here_with(), Cause.A2)
    given = {"items": ["i2", "i4"]}
    before = here.state.epoch.guidelines[-1]
    new = Guidelines("", before.options, before.ambiguity, before.rules, "more")
    told = {"change": "local", "reason": "r", "questions": ["Q"], **given}
    assert refusal(here, write_guidelines, "R", new, **told) == {"reason_if_narrower"}
    here.do(write_guidelines, "R", new, **told, narrowed="only these have titles")
    assert stale_counts(here.state.epoch) == {"Q": 6}
    assert stale_items(here.state.epoch, "Q", "A2") == {1, 3}
    again(aligned(here), EQUAL)
    assert case(here, 1).state == CaseState.AGREED
    assert case(here, 2).state == CaseState.OPEN
    assert "waived" not in str(status_now(here.state).flags)
    assert any("was narrowed: only these" in flag for flag in status_now(here.state).flags)


def test_cases_in_the_scope_of_an_order_are_suspended():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.LOCAL)
    aligned(here)
    here.move(14, Step.RESOLUTION)  # as if somebody had gone back without a round
    assert refusal(here, give_reason, "A1", cases=2, text="so") == {"suspended"}
    assert refusal(here, leave_disagreed, "R", cases=2, reason="r") == {"suspended"}
    here.do(waive_order, "R", order=1, reason="no answer changes")
    here.do(give_reason, "A1", cases=2, text="so")


def test_editorial_guidelines_change_nothing():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.EDITORIAL)
    here.do(confirm_editorial, "A1")
    here.do(go, "R", to=Step.RESOLUTION)
    assert stale_counts(here.state.epoch) == {}
    assert not here.state.epoch.orders
    assert states(here) == [CaseState.RETURNED, CaseState.OPEN]
    given = {"cases": 1, "answer": "1", "cites": ["rule R1"], "text": "as R1 says"}
    assert refusal(here, propose_outcome, "R", **given) == {"case_state"}, "it changes no meaning"


def test_clarified_where_the_re_annotation_is_waived():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.LOCAL)
    here.do(waive_order, "R", order=1, reason="the rule says what was meant all along")
    here.move(14, Step.RESOLUTION)
    here.do(propose_outcome, "R", cases=1, answer="1", cites=["rule R3"], text="as R3 says")
    for coder in ("A1", "A2", "A3"):
        here.do(accept, coder, cases=1)
    assert case(here).outcome == Outcome.CLARIFIED
    assert [t.by for t in case(here).thread if t.kind == "rescored"] == ["A3"]


def test_returned_without_a_change_no_outcome_can_be_proposed():
    here = returned(here_with(), Cause.A2).move(15, Step.RESOLUTION)
    given = {"cases": 1, "answer": "1", "cites": ["rule R1"], "text": "so"}
    assert refusal(here, propose_outcome, "R", **given) == {"case_state"}


def test_a_refined_concept_voids_its_signatures_and_every_annotation_that_uses_it():
    here = returned(resolving(TWO), Cause.B)
    assert case(here).state == CaseState.RETURNED
    events = with_concept(here)
    epoch = here.state.epoch
    order = next(e for e in events if isinstance(e, ReannotationOrdered))
    assert (order.questions, order.items, order.cases) == (("Q",), (), (1,))
    assert stale_counts(epoch) == {"Q": 12}
    assert {"all_signed_off"} <= refusal(here, open_round, "R")
    aligned(here)
    events = again(here, {"Q": EQUAL["Q"]})
    assert (case(here).outcome, case(here).state) == (Outcome.REANNOTATED_B, CaseState.AGREED)
    assert case(here).cites == ("concept claim v2",)
    assert case(here).consents == ("A1", "A2", "A3")
    assert [e.case for e in events if isinstance(e, CaseAgreed)] == [1, 2]
    assert order_state(epoch, epoch.orders[0]) == OrderState.DONE


def test_a_concept_added_in_step_5():
    here = returned(here_with(), Cause.A1_CONCEPT)
    from accordant.resolution.concepts import write_concept

    here.do(write_concept, "R", Concept("title", 0, "a heading", ("Q",)), reason="missing")
    assert stale_counts(here.state.epoch) == {"Q": 12}


def test_unequal_again_the_case_is_open_again_with_its_history():
    here = returned(here_with(), Cause.B)
    before = len(case(here).thread)
    with_concept(here)
    events = again(aligned(here), THREE)
    assert [e.case for e in events if isinstance(e, CaseReopened)] == [1]
    assert case(here).state == CaseState.REASONS
    assert len(case(here).thread) == before + 1
    assert case(here).assessments[0].accepted


def test_agreed_annotations_may_differ_now():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    events = again(aligned(here), {"Q": {"A1": "1101", "A2": "0101", "A3": "0101"}})
    assert [(e.item, e.because) for e in events if isinstance(e, CaseOpened)] == [
        ("i1", "comparison")
    ]
    assert states(here)[:2] == [CaseState.AGREED, CaseState.AGREED]


def test_a_settled_case_is_open_again_only_if_annotated_differently():
    for values, state in ((EQUAL, CaseState.AGREED), (THREE, CaseState.REASONS)):
        here = here_with()
        agreed(here, 1, "1")
        returned(here, Cause.B, 2)
        with_concept(here)
        events = again(aligned(here), values)
        assert case(here, 1).state == state
        touched = [e for e in events if getattr(e, "case", 0) == 1]
        assert bool(touched) == (state != CaseState.AGREED)


def test_a_settled_case_with_another_answer_is_agreed_anew():
    here = here_with()
    agreed(here, 1, "1")
    returned(here, Cause.B, 2)
    with_concept(here)
    events = again(aligned(here), {"Q": {"A1": "0001", "A2": "0001", "A3": "0001"}})
    assert [type(e) for e in events if getattr(e, "case", 0) == 1] == [CaseReopened, CaseAgreed]
    assert (case(here).answer, case(here).outcome) == (Answer(("0",)), Outcome.REANNOTATED_B)
    assert [t.kind for t in case(here).thread].count("case agreed") == 2


def test_an_unresolved_case_that_is_annotated_alike_is_agreed():
    here = here_with()
    here.do(leave_disagreed, "R", cases=1, reason="r")
    returned(here, Cause.B, 2)
    with_concept(here)
    again(aligned(here), EQUAL)
    assert (case(here).state, case(here).settled) == (CaseState.AGREED, None)


def test_rescoring_under_c_and_e_makes_nothing_stale():
    here = accepted(here_with(), Cause.E)
    here.do(rescore, "A3", case=1, answer="1")
    assert stale_counts(here.state.epoch) == {}
    assert states(here) == [CaseState.AGREED, CaseState.OPEN]


def test_a_new_coder_needs_signatures_and_is_flagged():
    here = here_with()
    here.do(add_person, "R", "A4", [Role.CODER])
    agreed(here, 1, "1")
    agreed(here, 2, "0")
    here.do(finish, "R")
    assert here.state.releases[-1].status == ReleaseStatus.GROUND_TRUTH
    flags = here.state.releases[-1].flags
    assert "no annotation counts of A4: agreed without them" in flags
    here.do(go, "R", to=Step.ALIGNMENT, reason="A4 joins")
    assert {"all_signed_off", "all_acknowledged"} <= refusal(here, open_round, "R", questions=["Q"])


def test_new_items_are_flagged_until_a_round_asks():
    here = returned(here_with(), Cause.A2)
    with_rule(here, Change.LOCAL)
    here.do(waive_order, "R", order=1, reason="no answer changes")
    aligned(here)
    here.do(go, "R", to=Step.RESOLUTION)
    here.do(add_items, "R", items=Items(("i5",)))
    here.do(freeze_items, "R")
    flags = status_now(here.state).flags
    assert "no round asked about 1 item and question" in flags
    assert (
        "re-annotation 1 (guidelines 1.1.0 (local change)) was waived: no answer changes" in flags
    )
    here.do(open_round, "R")
    for coder in ("A1", "A2", "A3"):
        submit(here, coder, "Q", "0", ["i5"])
    here.do(close_round, "R")


def test_orders_are_waived_once_and_with_a_reason():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    assert refusal(here, waive_order, "R", order=1, reason="") == {"reason"}
    assert refusal(here, waive_order, "A1", order=1, reason="r") == {"role"}
    here.do(waive_order, "R", order=1, reason="the examples were clear")
    assert refusal(here, waive_order, "R", order=1, reason="r") == {"order_open"}
    with pytest.raises(Exception, match="no order 7"):
        here.do(waive_order, "R", order=7, reason="r")


def test_two_orders_over_the_same_items():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    with_concept(here)
    assert stale_counts(here.state.epoch) == {"Q": 12}
    again(aligned(here), EQUAL, resolve=False)
    assert not open_orders(here.state)
    assert [o.state for o in here.state.epoch.orders] == [OrderState.DONE, OrderState.DONE]


def test_declined_in_the_round_the_old_annotation_counts_no_more():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    again(
        aligned(here),
        {"Q": {"A1": "0101", "A2": "0101", "A3": [None, "1", "0", "1"]}},
        resolve=False,
    )
    assert stale_counts(here.state.epoch) == {}
    assert comparisons(here.state.epoch)["Q"].incomplete == [0]
    assert "no_incomplete" in {u.guard for u in status_now(here.state).missing}
    assert not any("A3" in flag and "annotat" in flag for flag in status_now(here.state).flags)
    here.do(begin_resolution, "R")
    assert "step" not in refusal(here, finish, "R")


def test_who_declined_all_of_the_last_round_has_annotated():
    here = returned(here_with(), Cause.B)
    with_concept(here)
    again(aligned(here), {"Q": {"A1": "0101", "A2": "0101", "A3": [None] * 4}}, resolve=False)
    flags = status_now(here.state).flags
    assert "no annotation counts of A3: agreed without them" in flags
    assert not any("annotated nothing" in flag for flag in flags)


def test_a_case_of_which_one_coder_is_left_is_open_and_cannot_be_agreed_alone():
    here = here_with({"Q": {"A1": "01", "A2": "00"}})
    returned(here, Cause.B)
    with_concept(here)
    again(aligned(here), {"Q": {"A1": "01", "A2": ["0", None]}})
    assert case(here).state == CaseState.REASONS
    here.do(propose_cause, "R", cases=1, cause="d", evidence=evidence_of(here, Cause.D))
    from accordant.resolution.proposals import accept

    here.do(accept, "A1", cases=1)
    given = {"cases": 1, "answer": "1", "cites": ["rule R1"], "text": "so"}
    assert refusal(here, propose_outcome, "A1", **given) == {"two_annotators"}
