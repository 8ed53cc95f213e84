"""Cases from opening to agreement: states, rescoring, outcomes, and what follows from them."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution.assessment import accept_cause, dispute_cause, propose_cause, refuse_cause
from accordant.resolution.case_table import NOTHING_WAITS
from accordant.resolution.cases import (
    CaseAgreed,
    CaseClosed,
    CaseOpened,
    CaseReopened,
    give_reason,
    group_cases,
    reopen,
    take_back_consent,
)
from accordant.resolution.cells import asked_at
from accordant.resolution.command import Refused
from accordant.resolution.corrections import annotate_dependent, rescore
from accordant.resolution.disagreement import said, unanimous
from accordant.resolution.outcomes import (
    accept_outcome,
    aggregate,
    decide,
    defer,
    leave_disagreed,
    propose_outcome,
    refuse_outcome,
)
from accordant.resolution.records import AMBIGUOUS, Answer, AskedIf, Highlight, Note, Question
from accordant.resolution.returns import postpone, return_cases
from accordant.resolution.setup import AdjudicatorAppointed
from accordant.resolution.words import CaseState, Cause, Outcome, Settled, Step
from resolution.build import refusal
from resolution.talk import accepted, agreed, case, everybody, here_with, proposed, reasons

ONE, ZERO = Answer(("1",)), Answer(("0",))
CHILD = (Question("Q", "Is it?"), Question("P", "How?", asked_if=AskedIf("Q", ("1",))))
OPTIONS = {"Q": ("0", "1"), "P": ("x", "y")}
ARGUE = {"cites": ["rule R1"], "text": "this reading"}


def kinds(events):
    return [type(event) for event in events]


# ---------------------------------------------------------------- open, reasons, groups


def rescored(here):
    """Who changed an answer in case 1, in order."""
    return [turn.by for turn in case(here).thread if turn.kind == "rescored"]


def test_a_case_is_one_item_and_one_question():
    here = here_with({"Q": {"A1": "01", "A2": "00"}, "P": {"A1": "10", "A2": "00"}})
    cells = [(c.number, c.item, c.question) for c in here.state.epoch.cases.values()]
    assert cells == [(1, 0, "P"), (2, 1, "Q")]
    assert {c.state for c in here.state.epoch.cases.values()} == {CaseState.OPEN}


def test_reasons():
    here = here_with()
    assert refusal(here, give_reason, "R", case=1, text="so") == {"role"}
    assert refusal(here, give_reason, "A1", case=1, text=" ") == {"reason"}
    here.do(give_reason, "A1", case=1, text="so", cites=["concept claim"])
    assert case(here).state == CaseState.REASONS
    here.do(give_reason, "A1", case=1, text="rather so")
    assert case(here).reasons["A1"].text == "rather so"
    with pytest.raises(RequestError, match="no case 9"):
        here.do(give_reason, "A1", case=9, text="so")
    with pytest.raises(RequestError, match="element of the toolbox"):
        here.do(give_reason, "A1", case=1, text="so", cites=["rule R9"])
    with pytest.raises(RequestError, match="not a stretch"):
        here.do(give_reason, "A1", case=1, text="so", highlight=Highlight(0, 3))


def test_groups():
    here = here_with()
    assert refusal(here, group_cases, "M", name="g", cases=[1]) == {"group"}
    assert refusal(here, group_cases, "O", name="g", cases=[1, 2]) == {"role"}
    with pytest.raises(RequestError, match="not a number"):
        here.do(group_cases, "M", name="7", cases=[1, 2])
    here.do(group_cases, "A1", name="g", cases=[2, 1])
    assert here.state.groups == {"g": (2, 1)}
    with pytest.raises(RequestError, match="no group of cases 'h'"):
        here.do(reopen, "R", cases="h", reason="r")


# ---------------------------------------------------------------- c and e


def test_e_corrected_and_agreed_by_a_citation_in_a_reason():
    here = accepted(here_with(), Cause.E)
    assert refusal(here, rescore, "A1", case=1, answer="0") == {"own_annotation"}
    assert refusal(here, rescore, "A3", case=1, answer="0") == {"changed"}
    assert refusal(here, rescore, "A3", case=1, answer="1", item="i1") == {"own_annotation"}
    with pytest.raises(RequestError, match="no label '7'"):
        here.do(rescore, "A3", case=1, answer="7")
    events = here.do(rescore, "A3", case=1, answer="1")
    assert kinds(events)[1:] == [CaseAgreed]
    assert (case(here).state, case(here).outcome) == (CaseState.AGREED, Outcome.RESCORED_E)
    assert case(here).consents == ("A1", "A2", "A3")
    assert case(here).cites == ("rule R1",)
    assert rescored(here) == ["A3"]
    sheet = here.state.epoch.rounds[0].sheet["Q"]["A3"]
    assert here.state.epoch.answers[sheet[1]] == ZERO, "the old annotation is kept"


def test_without_a_citation_an_outcome_must_be_accepted():
    here = here_with()
    reasons(here, cites=())
    proposed(here, Cause.E, by="A3")
    here.do(rescore, "A3", case=1, answer="1")
    assert case(here).state == CaseState.ARGUED
    assert unanimous(here.state.epoch, 1, "Q") == ONE
    given = {"cases": 1, "answer": "1", "text": "as it says"}
    assert refusal(here, propose_outcome, "A1", **given) == {"citation"}
    here.do(propose_outcome, "A1", cites=["question Q"], **given)
    for coder in ("A2", "A3"):
        here.do(accept_outcome, coder, cases=1)
    assert (case(here).state, case(here).outcome) == (CaseState.AGREED, Outcome.RESCORED_E)


def test_the_citation_may_come_with_the_rescoring():
    here = here_with()
    reasons(here, cites=())
    proposed(here, Cause.E, by="A3").do(rescore, "A3", case=1, answer="1", cites=["rule R2"])
    assert case(here).cites == ("rule R2",)


def test_rescored_and_still_not_equal_it_is_open_again():
    here = here_with({"Q": {"A1": "1", "A2": "1", "A3": "0"}} | {})
    here = accepted(here, Cause.E)
    events = here.do(rescore, "A3", case=1, answer=AMBIGUOUS, note=Note(source="lexical ambiguity"))
    assert kinds(events)[1:] == [CaseReopened]
    assert case(here).state == CaseState.REASONS
    assert case(here).assessments[-1].cause == Cause.E, "the earlier cause stays in the history"


def test_c_this_item_corrected():
    here = accepted(here_with(), Cause.C)
    here.do(rescore, "A3", case=1, answer="1")
    assert case(here).outcome == Outcome.RESCORED_C


def test_c_the_other_item_corrected_the_disagreement_stays_and_a_new_case_opens_there():
    here = accepted(here_with(), Cause.C)  # A3: i2 = 0, i4 = 1; i4 was agreed
    events = here.do(rescore, "A3", case=1, item="i4", answer="0")
    assert kinds(events)[1:] == [CaseReopened, CaseOpened]
    assert case(here).state == CaseState.REASONS
    assert (case(here, 3).item, case(here, 3).because) == (3, "rescoring")
    assert refusal(
        here,
        propose_cause,
        "R",
        cases=1,
        cause="c",
        evidence=case(here).assessments[-1].evidence,
    ) == {"other_items"}, "the inconsistency is gone: it is a, b, d or e"


def test_c_rescoring_the_item_of_another_case_settles_that_one():
    here = here_with({"Q": {"A1": "101", "A2": "101", "A3": "010"}})  # cases 1, 2, 3
    reasons(here, 2)
    accepted(here, Cause.C, 1, others=("i2",))
    events = here.do(rescore, "A3", case=1, item="i2", answer="0")
    assert CaseAgreed in kinds(events)
    assert (case(here, 2).state, case(here, 2).outcome) == (CaseState.AGREED, Outcome.RESCORED_C)
    assert case(here, 1).state == CaseState.REASONS


def test_nobody_rescores_without_an_accepted_cause():
    here = here_with()
    assert refusal(here, rescore, "A3", case=1, answer="1") == {"case_state"}
    accepted(here, Cause.D)
    assert refusal(here, rescore, "A3", case=1, answer="1") == {"case_state"}


def test_c_with_several_other_items_waits_until_all_are_corrected():
    here = here_with({"Q": {"A1": "1111", "A2": "1111", "A3": "0111"}})
    accepted(here, Cause.C, others=("i2", "i3"))
    here.do(rescore, "A3", case=1, item="i2", answer="0")
    assert case(here).state == CaseState.RESCORING
    here.do(rescore, "A3", case=1, item="i3", answer="0")
    assert case(here).state == CaseState.REASONS
    assert len(here.state.epoch.cases) == 3


# ---------------------------------------------------------------- d


def test_disputed_it_still_needs_a_reason_of_every_coder():
    here = here_with()
    here.do(give_reason, "A1", case=1, text="so", cites=["rule R1"])
    proposed(here, Cause.E).do(refuse_cause, "A3", case=1, reason="no")
    here.do(dispute_cause, "M", case=1, reason="no cause finds consent")
    given = {"cases": 1, "answer": "1", **ARGUE}
    assert refusal(here, propose_outcome, "R", **given) == {"reason_per_annotator"}


@pytest.mark.parametrize("way", ["reopened", "postponed"])
def test_a_proposal_is_over_when_the_discussion_goes_on(way):
    here = accepted(here_with(), Cause.D)
    here.do(propose_outcome, "A1", cases=1, answer="1", **ARGUE)
    if way == "postponed":
        here.do(postpone, "A1", cases=1, reason="r", review_date="2027-03-01")
    here.do(reopen, "R", cases=1, reason="a new thought")
    here.do(propose_cause, "R", cases=1, cause="d")
    for coder in everybody(here):
        here.do(accept_cause, coder, cases=1, proposals=[case(here).assessments[-1].seq])
    assert case(here).state == CaseState.ARGUED
    assert refusal(here, accept_outcome, "A2", cases=1) == {"proposal"}


def test_d_argued_and_agreed_by_all():
    here = accepted(here_with(), Cause.D)
    given = {"cases": 1, "answer": "1"}
    assert refusal(here, propose_outcome, "A1", **given, cites=["rule R1"]) == {"reading"}
    assert refusal(here, accept_outcome, "A1", cases=1) == {"proposal"}
    here.do(propose_outcome, "A1", **given, **ARGUE)
    assert refusal(here, propose_outcome, "A2", **given, **ARGUE) == {"proposal"}
    assert refusal(here, accept_outcome, "A1", cases=1) == {"consent"}
    here.do(accept_outcome, "A2", cases=1)
    assert case(here).state == CaseState.ARGUED
    here.do(accept_outcome, "A3", cases=1)
    assert (case(here).state, case(here).outcome) == (CaseState.AGREED, Outcome.ARGUED_D)
    assert rescored(here) == ["A3"], "who changed their mind"
    assert set(said(here.state.epoch, case(here)).values()) == {ONE}


def test_the_outcome_need_not_be_anybodys_and_may_be_ambiguous():
    here = accepted(here_with(), Cause.D)
    given = {"cases": 1, "answer": AMBIGUOUS, **ARGUE}
    assert refusal(here, propose_outcome, "R", **given) == {"ambiguity_source"}
    here.do(propose_outcome, "R", **given, source="lexical ambiguity")
    for coder in everybody(here):
        here.do(accept_outcome, coder, cases=1)
    assert case(here).answer == AMBIGUOUS
    assert len(rescored(here)) == 3
    assert here.state.epoch.notes["Q"]["A1"][1].source == "lexical ambiguity"


def test_a_refused_outcome_leaves_the_case_argued():
    here = accepted(here_with(), Cause.D)
    assert refusal(here, refuse_outcome, "A1", case=1, reason="no") == {"proposal"}
    here.do(propose_outcome, "R", cases=1, answer="1", **ARGUE)
    assert refusal(here, refuse_outcome, "A1", case=1, reason="") == {"reason"}
    here.do(refuse_outcome, "A3", case=1, reason="I read it otherwise")
    assert refusal(here, accept_outcome, "A1", cases=1) == {"proposal"}
    here.do(propose_outcome, "R", cases=1, answer="0", **ARGUE)
    assert case(here).proposals[0].refusals == {"A3": "I read it otherwise"}
    assert case(here).proposals[1].consents == []


def test_outcomes_of_groups():
    here = accepted(accepted(here_with(), Cause.D), Cause.D, 2)
    here.do(group_cases, "M", name="g", cases=[1, 2])
    here.do(propose_outcome, "R", cases="g", answer="0", **ARGUE)
    for coder in everybody(here):
        here.do(accept_outcome, coder, cases="g")
    assert {case(here, n).state for n in (1, 2)} == {CaseState.AGREED}


def test_where_nothing_can_be_cited_the_case_does_not_close():
    here = accepted(here_with(), Cause.D)
    with pytest.raises(Exception, match="the toolbox is incomplete: go on under a2 or b"):
        here.do(propose_outcome, "R", cases=1, answer="1", text="so", cites=())


# ---------------------------------------------------------------- b by deference


def test_deference_is_a_deviation():
    here = accepted(here_with(), Cause.B)
    given = {"case": 1, "to": "A1", "cites": ["concept claim"], "text": "A1 knows the journal"}
    assert refusal(accepted(here_with(), Cause.A2), defer, "A2", **given) == {"case_state"}
    with pytest.raises(RequestError, match="no coder 'M'"):
        here.do(defer, "A2", **{**given, "to": "M"})
    here.do(defer, "A2", **given)
    here.do(accept_outcome, "A1", cases=1)
    assert not here.state.deviations
    here.do(accept_outcome, "A3", cases=1)
    assert (case(here).outcome, case(here).answer) == (Outcome.DEFERENCE, ONE)
    assert [d.code for d in here.state.deviations] == ["b settled by deference"]
    assert here.state.deviations[0].case == 1


def test_returned_the_deference_that_was_proposed_is_over():
    here = accepted(here_with(), Cause.B)
    here.do(defer, "A2", case=1, to="A1", cites=["question Q"], text="A1 knows")
    here.do(return_cases, "R", cases=1)
    here.move(14, Step.RESOLUTION)
    assert refusal(here, accept_outcome, "A1", cases=1) == {"proposal"}


# ---------------------------------------------------------------- reopened, postponed


def test_reopened_everything_is_kept():
    here = here_with()
    agreed(here, 1, "1")
    before = len(case(here).thread)
    assert refusal(here, reopen, "A1", cases=1, reason="") == {"reason"}
    here.do(reopen, "A1", cases=1, reason="a new thought")
    assert case(here).state == CaseState.REASONS
    assert case(here).answer is None
    assert len(case(here).thread) == before + 1
    assert len(case(here).reasons) == 3
    assert len(case(here).proposals) == 1
    assert refusal(here, reopen, "A1", cases=1, reason="again") == {"case_state"}
    agreed(here, 1, "0")


def test_postponed_until_a_day():
    here = accepted(here_with(), Cause.D)
    given = {"cases": 1, "reason": "nobody knows"}
    assert refusal(here, postpone, "A1", **given, review_date="soon") == {"review_date"}
    here.do(postpone, "A1", **given, review_date="2027-03-01")
    assert (case(here).state, case(here).review_date) == (CaseState.POSTPONED, "2027-03-01")
    assert refusal(here, postpone, "A1", **given, review_date="2027-03-01") == {"case_state"}
    with pytest.raises(Refused) as refused:
        here.do(take_back_consent, "A1", cases=1)
    assert [one.todo for one in refused.value.unmet] == [NOTHING_WAITS[CaseState.POSTPONED]]
    here.do(reopen, "R", cases=1, reason="we know now")
    assert case(here).state == CaseState.REASONS


# ---------------------------------------------------------------- unresolved


def appointed(person="M"):
    here = here_with()
    here.tell(AdjudicatorAppointed(person))
    return here


def test_left_disagreed_all_answers_are_kept():
    here = here_with()
    assert refusal(here, leave_disagreed, "R", cases=1, reason="") == {"reason"}
    assert refusal(here, leave_disagreed, "M", cases=1, reason="r") == {"role"}
    before = said(here.state.epoch, case(here))
    here.do(leave_disagreed, "R", cases=1, reason="no end in sight")
    assert (case(here).state, case(here).settled) == (
        CaseState.UNRESOLVED,
        Settled.LEFT_DISAGREED,
    )
    assert said(here.state.epoch, case(here)) == before
    assert refusal(here, leave_disagreed, "R", cases=1, reason="r") == {"case_state"}
    here.do(leave_disagreed, "R", reason="all the others")
    assert refusal(here, leave_disagreed, "R", reason="r") == {"case_state"}


def test_the_adjudicator_decides_only_what_was_declared_unresolved():
    given = {"case": 1, "answer": "1", "reason": "it must end"}
    assert refusal(here_with(), decide, "M", **given) == {"role"}
    here = appointed()
    assert refusal(here, decide, "M", **given) == {"declared_unresolved"}
    here.do(leave_disagreed, "R", cases=1, reason="no end in sight")
    assert refusal(here, decide, "R", **given) == {"role"}
    here.do(decide, "M", **given)
    assert (case(here).settled, case(here).answer) == (Settled.DICTATOR_DECISION, ONE)
    assert said(here.state.epoch, case(here))["A3"] == ZERO, "annotations are not overwritten"
    assert refusal(here, decide, "M", **given) == {"declared_unresolved"}


@pytest.mark.parametrize(
    "votes, method, ties, expected",
    [
        ("110", "majority", "left disagreed", "1"),
        ("1102", "majority", "left disagreed", None),
        ("1102", "plurality", "left disagreed", "1"),
        ("1100", "majority", "left disagreed", None),
        ("1100", "plurality", "left disagreed", None),
        ("1100", "plurality", "first option", "0"),
        ("2211034", "majority", "left disagreed", None),
        ("2221034", "plurality", "left disagreed", "2"),
        ("4433", "majority", "first option", "3"),
    ],
)
def test_aggregation(votes, method, ties, expected):
    values = {"Q": {f"A{k + 1}": vote for k, vote in enumerate(votes)}}
    from resolution.build import resolving

    here = resolving(values, options=("0", "1", "2", "3", "4"))
    here.tell(AdjudicatorAppointed("M"))
    here.do(leave_disagreed, "R", reason="r")
    here.do(aggregate, "M", cases=1, method=method, ties=ties)
    answer = None if expected is None else Answer((expected,))
    assert case(here).answer == answer
    settled = Settled.LEFT_DISAGREED if answer is None else Settled.DICTATOR_AGGREGATION
    assert case(here).settled == settled
    assert case(here).method == f"{method} (ties {ties})"


def test_aggregation_by_what_there_is_not():
    here = appointed()
    with pytest.raises(RequestError, match="no method of aggregation 'median'"):
        here.do(aggregate, "M", cases=1, method="median")
    with pytest.raises(RequestError, match="no rule for ties 'coin'"):
        here.do(aggregate, "M", cases=1, ties="coin")


# ---------------------------------------------------------------- dependent questions


def dependent(q, p):
    return here_with_child({"Q": q, "P": p})


def here_with_child(values):
    from resolution.build import resolving

    return resolving(values, questions=CHILD, options=OPTIONS)


def test_a_parent_rescored_asks_its_child():
    here = dependent({"A1": "1", "A2": "0", "A3": "1"}, {"A1": "x", "A2": [""], "A3": "x"})
    assert len(here.state.epoch.cases) == 1
    agreed(here, 1, "1")
    epoch = here.state.epoch
    assert asked_at(epoch, 0, "P") == ("A1", "A2", "A3")
    given = {"item": "i1", "question": "P", "answer": "y"}
    assert refusal(here, annotate_dependent, "A1", **given) == {"asked"}
    with pytest.raises(RequestError, match="no label '1'"):
        here.do(annotate_dependent, "A2", **{**given, "answer": "1"})
    events = here.do(annotate_dependent, "A2", **given)
    assert kinds(events)[1:] == [CaseOpened]
    assert (case(here, 2).question, case(here, 2).because) == ("P", "dependency")
    agreed(here, 2, "x")
    assert unanimous(epoch, 0, "P") == Answer(("x",))


def test_a_child_answered_as_the_others_needs_no_case():
    here = dependent({"A1": "1", "A2": "0", "A3": "1"}, {"A1": "x", "A2": [""], "A3": "x"})
    agreed(here, 1, "1")
    here.do(rescore, "A2", case=1, question="P", answer="x")
    assert len(here.state.epoch.cases) == 1


def test_a_parent_rescored_withdraws_its_child_and_closes_its_case():
    here = dependent({"A1": "1", "A2": "1", "A3": "0"}, {"A1": "x", "A2": "y", "A3": [""]})
    child, parent = case(here, 1), case(here, 2)
    if child.question == "Q":
        child, parent = parent, child
    events = agreed(here, parent.number, "0")
    assert CaseClosed in kinds(events)
    child = case(here, child.number)
    assert child.state == CaseState.CLOSED
    assert not asked_at(here.state.epoch, 0, "P")
    sheet = here.state.epoch.rounds[0].sheet["P"]["A1"]
    assert here.state.epoch.answers[sheet[0]] == Answer(("x",)), "the round keeps what was said"
    assert refusal(here, reopen, "R", cases=child.number, reason="r") == {"case_state"}
    # asked again, the same case lives again
    here.do(reopen, "R", cases=parent.number, reason="after all")
    agreed(here, parent.number, "1")
    here.do(annotate_dependent, "A1", item="i1", question="P", answer="x")
    here.do(annotate_dependent, "A2", item="i1", question="P", answer="y")
    assert case(here, child.number).state in (CaseState.OPEN, CaseState.REASONS)


def test_only_what_is_asked_can_be_answered():
    here = dependent({"A1": "1", "A2": "0", "A3": "1"}, {"A1": "x", "A2": [""], "A3": "x"})
    given = {"item": "i1", "question": "P", "answer": "x"}
    assert refusal(here, annotate_dependent, "A2", **given) == {"asked"}
    assert refusal(here, annotate_dependent, "A2", **{**given, "question": "Q", "answer": "0"}) == {
        "asked"
    }
    with pytest.raises(RequestError, match="no question 'Z'"):
        here.do(annotate_dependent, "A2", **{**given, "question": "Z"})


@pytest.mark.parametrize("answer", ["x", "y"])
def test_who_is_asked_later_consents_by_the_same_answer_or_opens_the_case_again(answer):
    here = dependent({"A1": "1", "A2": "0", "A3": "1"}, {"A1": "x", "A2": [""], "A3": "y"})
    numbers = {c.question: c.number for c in here.state.epoch.cases.values()}
    agreed(here, numbers["P"], "x")
    assert case(here, numbers["P"]).consents == ("A1", "A3")
    agreed(here, numbers["Q"], "1")
    here.do(annotate_dependent, "A2", item="i1", question="P", answer=answer)
    child = case(here, numbers["P"])
    if answer == "x":
        assert (child.state, child.consents) == (CaseState.AGREED, ("A1", "A2", "A3"))
        assert child.outcome == Outcome.ARGUED_D
    else:
        assert child.state == CaseState.REASONS
