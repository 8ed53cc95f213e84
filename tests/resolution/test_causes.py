"""Each cause: what it requires, whose consent it needs, where it leads, what happens if it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordant.errors import RequestError
from accordant.resolution.assessment import (
    accept_cause,
    dispute_cause,
    propose_cause,
    refuse_cause,
    withdraw_cause,
)
from accordant.resolution.cases import give_reason
from accordant.resolution.causes import CAUSES, missing_evidence
from accordant.resolution.records import Evidence
from accordant.resolution.words import CaseState, Cause, Step
from resolution.build import refusal
from resolution.talk import accepted, case, everybody, evidence_of, here_with, proposed, reasons

ALL = ("A1", "A2", "A3")
NAMED = (Cause.C, Cause.E)
NEXT = {Cause.C: CaseState.RESCORING, Cause.E: CaseState.RESCORING, Cause.D: CaseState.ARGUED}


def test_the_table_is_that_of_the_specification():
    path = Path(__file__).with_name("specification.json")
    steps = {"S2_alignment": Step.ALIGNMENT, "S1_task_guidelines": Step.TASK, None: None}
    for name, row in json.loads(path.read_text(encoding="utf-8"))["causes"].items():
        ours = CAUSES[Cause(name.replace("_", "-"))]
        assert ours.everybody == (row["consent"] == "all")
        assert ours.returns_to == steps[row.get("returns_to")]
    assert set(CAUSES) == set(Cause)


@pytest.mark.parametrize("cause", list(Cause))
def test_the_way_of_each_cause(cause):
    here = proposed(reasons(here_with()), cause)
    assert case(here).state == CaseState.CAUSE_PROPOSED
    asked = ("A3",) if cause in NAMED else ALL
    for coder in ALL:
        if coder not in asked:
            assert refusal(here, accept_cause, coder, cases=1) == {"consent"}
    for coder in asked:
        assert case(here).state == CaseState.CAUSE_PROPOSED
        here.do(accept_cause, coder, cases=1)
    assert case(here).state == NEXT.get(cause, CaseState.CAUSE_ACCEPTED)
    assert case(here).cause == cause
    assert case(here).assessments[-1].consents == list(asked)
    assert refusal(here, accept_cause, asked[0], cases=1) == {"case_state"}


@pytest.mark.parametrize(
    "cause, lacks",
    [
        (Cause.A1_CONCEPT, {"concept": ""}),
        (Cause.A1_CONCEPT, {"construals": {"A1": "so", "A2": "so"}}),
        (Cause.A1_TASK, {"construals": {}}),
        (Cause.A2, {"rule": ""}),
        (Cause.A2, {"wording": " "}),
        (Cause.B, {"concept": ""}),
        (Cause.B, {"width": ""}),
        (Cause.B, {"width": "", "concept": ""}),
        (Cause.C, {"coder": ""}),
        (Cause.C, {"coder": "M"}),
        (Cause.C, {"others": ()}),
        (Cause.C, {"same": ""}),
        (Cause.E, {"coder": ""}),
        (Cause.E, {"meant": ""}),
    ],
)
def test_the_evidence_must_be_complete(cause, lacks):
    here = reasons(here_with())
    evidence = evidence_of(here, cause, **lacks)
    given = {"cases": 1, "cause": cause, "evidence": evidence}
    assert "evidence" in refusal(here, propose_cause, "R", **given)
    assert missing_evidence(cause, evidence, ALL)
    assert not missing_evidence(cause, evidence_of(here, cause), ALL)


def test_b_may_name_the_knowledge_instead_of_the_width():
    here = reasons(here_with())
    proposed(here, Cause.B, concept="", width="", knowledge="that the term is older")
    assert case(here).state == CaseState.CAUSE_PROPOSED


@pytest.mark.parametrize(
    "evidence, wrong",
    [
        (Evidence(rule="R9", wording="x"), "rule"),
        (Evidence(coder="nobody", meant="x"), "person"),
        (Evidence(coder="A3", others=("i99",), same="x"), "item"),
    ],
)
def test_what_the_evidence_names_must_exist(evidence, wrong):
    here = reasons(here_with())
    with pytest.raises(RequestError, match=f"there is no {wrong}"):
        here.do(propose_cause, "R", cases=1, cause="a2", evidence=evidence)
    with pytest.raises(RequestError, match="there is no cause 'f'"):
        here.do(propose_cause, "R", cases=1, cause="f")


def test_whoever_proposes_and_is_asked_consents_with_that():
    here = proposed(reasons(here_with()), Cause.E, by="A3")
    assert case(here).state == CaseState.RESCORING
    here = proposed(reasons(here_with()), Cause.A2, by="A1")
    assert case(here).assessments[-1].consents == ["A1"]
    assert refusal(here, accept_cause, "A1", cases=1) == {"consent"}


def test_a_coder_says_why_before_proposing_a_cause():
    here = here_with()
    given = {"cases": 1, "cause": "e", "evidence": Evidence(coder="A3", meant="1")}
    assert refusal(here, propose_cause, "A1", **given) == {"own_reason"}
    here.do(give_reason, "A1", case=1, text="plainly so")
    here.do(propose_cause, "A1", **given)


def test_d_needs_a_reason_of_every_coder_that_cites():
    here = here_with()
    assert refusal(here, propose_cause, "R", cases=1, cause="d") == {"reason_per_annotator"}
    reasons(here, cites=())
    assert refusal(here, propose_cause, "R", cases=1, cause="d") == {"reason_per_annotator"}
    reasons(here, cites=("question Q", "concept claim"))
    here.do(propose_cause, "R", cases=1, cause="d")
    assert case(here).reasons["A1"].cites == ("question Q", "concept claim v1")


def test_c_is_about_items_that_were_answered_differently():
    here = reasons(here_with())
    for others in (("i1",), ("i2",), ("i4", "i1")):  # i1 as i2: consistent; i2 is the case's own
        evidence = evidence_of(here, Cause.C, others=others)
        given = {"cases": 1, "cause": "c", "evidence": evidence}
        assert refusal(here, propose_cause, "R", **given) == {"other_items"}


def test_refused_the_case_is_open_again_and_keeps_the_proposal():
    here = proposed(reasons(here_with()), Cause.A2)
    here.do(accept_cause, "A1", cases=1)
    assert refusal(here, refuse_cause, "A2", case=1, reason=" ") == {"reason"}
    here.do(refuse_cause, "A2", case=1, reason="R1 is clear")
    assert case(here).state == CaseState.REASONS
    assert case(here).assessments[-1].refusals == {"A2": "R1 is clear"}
    assert case(here).cause is None
    assert refusal(here, refuse_cause, "A2", case=1, reason="no") == {"case_state"}
    accepted(here, Cause.D)
    assert [a.cause for a in case(here).assessments] == [Cause.A2, Cause.D]


def test_only_those_asked_may_refuse():
    here = proposed(reasons(here_with()), Cause.E)
    assert refusal(here, refuse_cause, "A1", case=1, reason="no") == {"consent"}
    here.do(refuse_cause, "A3", case=1, reason="no mistake of mine")


def test_withdrawn_by_who_proposed():
    here = proposed(reasons(here_with()), Cause.A2, by="A1")
    assert refusal(here, withdraw_cause, "A2", case=1) == {"proposer"}
    here.do(withdraw_cause, "A1", case=1)
    assert case(here).assessments[-1].withdrawn
    assert case(here).state == CaseState.REASONS
    assert refusal(here, withdraw_cause, "A1", case=1) == {"case_state"}


def test_disputed_it_goes_on_as_d_or_as_a2_where_a_gap_is_cited():
    for gap, cause, state in (
        ("", Cause.D, CaseState.ARGUED),
        ("say what to do with titles", Cause.A2, CaseState.CAUSE_ACCEPTED),
    ):
        here = reasons(here_with())
        given = {"case": 1, "reason": "no cause finds consent", "gap": gap}
        assert refusal(here, dispute_cause, "M", **given) == {"refusal"}
        proposed(here, Cause.E).do(refuse_cause, "A3", case=1, reason="no")
        assert refusal(here, dispute_cause, "A1", **given) == {"role"}
        here.do(dispute_cause, "M", **given)
        assert (case(here).cause, case(here).state) == (cause, state)
        assert case(here).assessments[-1].disputed == "no cause finds consent"
        assert case(here).assessments[-1].evidence.wording == gap


def test_a_group_is_accepted_at_once():
    from accordant.resolution.cases import group_cases

    here = here_with()
    for number in (1, 2):
        reasons(here, number)
    here.do(group_cases, "M", name="titles", cases=[1, 2], reason="both are titles")
    here.do(propose_cause, "R", cases="titles", cause="a2", evidence=evidence_of(here, Cause.A2))
    for coder in everybody(here):
        here.do(accept_cause, coder, cases="titles")
    assert {case(here, n).state for n in (1, 2)} == {CaseState.CAUSE_ACCEPTED}
    assert {case(here, n).group for n in (1, 2)} == {"titles"}


def test_who_did_not_annotate_the_item_has_no_say():
    here = here_with({"Q": {"A1": "01", "A2": "00", "A3": [None, None]}})
    assert everybody(here) == ("A1", "A2")
    assert refusal(here, give_reason, "A3", case=1, text="I think") == {"participant"}
    reasons(here)
    assert "participant" in refusal(here, propose_cause, "A3", cases=1, cause="d")
    proposed(here, Cause.A2)
    assert refusal(here, accept_cause, "A3", cases=1) == {"consent"}
    for coder in ("A1", "A2"):
        here.do(accept_cause, coder, cases=1)
    assert case(here).state == CaseState.CAUSE_ACCEPTED
