"""Step 5: what people say, propose and answer in a case, and where it leads (Oortwijn et al. 2021)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from resolution.team import TWO_CASES, Team, resolving

R1 = {"cites": ["rule R1"]}
CHILD = {"P": {"question": "Q", "labels": ["1"]}}
WITH_CHILD = {"Q": {"A1": "110", "A2": "100"}, "P": {"A1": "xx ", "A2": "x  "}}
"""Case 1: i2 on Q; A1 alone was asked P about it."""


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return resolving(tmp_path)


# ---------------------------------------------------------------- say


def test_a_case_is_one_item_and_one_question(tmp_path: Path) -> None:
    team = resolving(tmp_path, {"Q": {"A1": "01", "A2": "00"}, "P": {"A1": "10", "A2": "00"}})
    cells = [(one.number, one.item, one.question) for one in team.project.cases()]
    assert cells == [(1, "i1", "P"), (2, "i2", "Q")]


def test_reasons(team: Team) -> None:
    assert team.refused("case reason", "R", cases=1, text="so") == {"role"}
    assert team.refused("case reason", "A1", cases=1, text=" ") == {"reason"}
    assert team.do("case reason", "A1", cases="1-2", text="so", cites=["concept claim"]) == [
        "said",
        "said",
    ]
    assert team.state(1) == team.state(2) == "reasons"
    team.do("case reason", "A1", cases=1, text="rather so")
    assert team.case(1, "A1").reasons["A1"].text == "rather so"
    for given in ({"cases": 9}, {"cases": 1, "cites": ["rule R9"]}, {"cases": "one"}):
        with pytest.raises(ac.RequestError):
            team.do("case reason", "A1", text="so", **given)


def test_others_reasons_are_read_after_ones_own(team: Team) -> None:
    team.do("case reason", "A1", cases=1, text="it says so")
    assert not team.case(1, "A2").reasons
    assert team.case(1, "A2").unread == ("A1",)
    assert team.refused("case remark", "A2", cases=1, text="no") == {"own_reason"}
    team.do("case reason", "A2", cases=1, text="it does not")
    assert list(team.case(1, "A2").reasons) == ["A1", "A2"]
    team.do("case remark", "A2", cases=1, text="look at the title")
    assert team.case(1, "A1").thread[-1].text == "look at the title"


# ---------------------------------------------------------------- propose and answer


@pytest.mark.parametrize(
    ("cause", "evidence"),
    [
        ("a1-concept", {"concept": ""}),
        ("a1-concept", {"construals": {"A1": "so"}}),
        ("a1-task", {"construals": {}}),
        ("a2", {"wording": ""}),
        ("b", {"width": ""}),
        ("c", {"same": ""}),
        ("e", {"meant": ""}),
        ("e", {"coder": "M"}),
    ],
)
def test_a_cause_needs_its_evidence(team: Team, cause: str, evidence: dict[str, Any]) -> None:
    team.reasons()
    with pytest.raises(ac.Refused) as refused:
        team.cause(cause, **evidence)
    assert {unmet.guard for unmet in refused.value.unmet} == {"evidence"}


def test_evidence_names_what_there_is(team: Team) -> None:
    team.reasons()
    for cause, evidence in (
        ("a2", {"rule": "R9"}),
        ("b", {"concept": "claims"}),  # nearly one that exists
        ("c", {"others": ["i9"]}),
        ("e", {"coder": "zoe"}),
        ("f", {}),
    ):
        with pytest.raises((ac.RequestError, KeyError)):
            team.cause(cause, **evidence)
    given = {"cause": "c", "evidence": {"coder": "A3", "same": "s", "others": ["i1"]}}
    assert team.refused("case cause", cases=1, **given) == {"other_items"}  # answered alike


@pytest.mark.parametrize(
    ("cause", "to"),
    [
        *((cause, "cause accepted") for cause in ("a1-concept", "a1-task", "a2", "b")),
        ("c", "rescoring"),
        ("d", "argued"),
        ("e", "rescoring"),
    ],
)
def test_with_the_last_consent_a_case_goes_where_its_cause_leads(
    team: Team, cause: str, to: str
) -> None:
    team.reasons().cause(cause)
    asked = ["A3"] if cause in "ce" else list(team.coders)
    for coder in asked[:-1]:
        team.do("case accept", coder, cases=1)
        assert team.state() == "cause proposed"
    assert team.refused("case accept", "M", cases=1) == {"role"}
    team.do("case accept", asked[-1], cases=1)
    assert team.state() == to


def test_who_proposes_and_is_asked_consents(team: Team) -> None:
    team.reasons().cause("d", by="A1")
    assert team.case().assessments[-1].consents == ["A1"]
    assert team.refused("case accept", "A1", cases=1) == {"consent"}
    team.cause("e", 2, by="A3") if team.reasons(2) else None
    assert team.state(2) == "rescoring", "a slip of one's own needs nobody else"


def test_refused_the_case_is_open_again(team: Team) -> None:
    team.reasons().cause("a2", by="A1")
    assert team.refused("case refuse", "A2", cases=1, reason=" ") == {"reason"}
    team.do("case refuse", "A2", cases=1, reason="R1 is clear")
    assert team.state() == "reasons"
    assert team.case().assessments[-1].refusals == {"A2": "R1 is clear"}
    team.cause("d", by="M")
    team.do("case refuse", "M", cases=1, reason="I was wrong")  # who proposed it withdraws it
    assert team.state() == "reasons"
    team.cause("c", by="A1")
    assert "consent" in team.refused("case refuse", "A2", cases=1, reason="r"), "it asks A3"


def test_who_has_read_one_proposal_never_consents_to_another(team: Team) -> None:
    team.accepted("d").outcome("1")
    team.do("case refuse", "A1", cases=1, reason="no")
    team.outcome("0")
    first, second = (one.seq for one in team.case().proposals)
    assert team.refused("case accept", "A2", cases=1) == {"proposal_named"}
    assert team.refused("case accept", "A2", cases=1, proposals=[first]) == {"proposal_named"}
    with pytest.raises(ac.RequestError):
        team.do("case accept", "A2", cases=1, proposals=[999])
    team.do("case accept", "A2", cases=1, proposals=[second])
    team.do("case accept", "A1", cases=1)  # who has refused the first means the second


# ---------------------------------------------------------------- c and e: corrected


def test_e_corrected_with_a_citation_and_agreed(team: Team) -> None:
    team.accepted("e")
    assert team.refused("case rescore", "A1", case=1, answer="0") == {"own_annotation"}
    assert team.refused("case rescore", "A3", case=1, answer="0", **R1) == {"changed"}
    assert team.refused("case rescore", "A3", case=1, answer="1", item="i1") == {
        "citation",
        "own_annotation",
    }
    with pytest.raises(ac.RequestError):
        team.do("case rescore", "A3", case=1, answer="7")
    assert team.do("case rescore", "A3", case=1, answer="1", **R1) == ["rescored", "case agreed"]
    case = team.case()
    assert (case.summary.outcome, case.consents) == ("rescored e", ("A1", "A2", "A3"))
    assert case.first["A3"].labels == ("0",), "the old annotation is kept"


def test_rescored_and_still_not_equal_it_is_open_again(tmp_path: Path) -> None:
    sheets = {"Q": {"A1": "0", "A2": "1", "A3": "2"}}
    team = resolving(tmp_path, sheets, options={"Q": "012"}).reasons()
    team.cause("e", by="A3", meant="0")
    assert team.do("case rescore", "A3", case=1, answer="0", **R1)[-1] == "case reopened"


def test_c_the_other_item_corrected_the_disagreement_stays(team: Team) -> None:
    team.accepted("c")
    happened = team.do("case rescore", "A3", case=1, answer="0", item="i4", **R1)
    assert happened == ["rescored", "case reopened", "cases opened"]
    assert team.project.cases()[-1].item == "i4"


def test_nobody_rescores_without_an_accepted_cause(team: Team) -> None:
    team.reasons().cause("e")
    assert team.refused("case rescore", "A3", case=1, answer="1") == {"case_state"}


# ---------------------------------------------------------------- d: argued


def test_d_argued_and_agreed_by_all(team: Team) -> None:
    team.reasons(cites=())
    assert team.refused("case cause", cases=1, cause="d") == {"reason_per_annotator"}
    team.reasons().accepted("d")
    assert team.refused("case outcome", cases=1, answer="1", cites=["rule R1"], text="") == {
        "reading"
    }
    team.outcome("1")
    assert team.refused("case outcome", cases=1, answer="0", cites=["rule R1"], text="t") == {
        "proposal"
    }
    team.do("case accept", "A1", cases=1)
    team.do("case accept", "A2", cases=1)
    assert team.do("case accept", "A3", cases=1) == ["accepted", "rescored", "case agreed"]
    row = next(row for row in team.project.answers() if row["item"] == "i2")
    assert (row["answer"], row["provenance"]) == ("1", "agreed by resolution")


def test_the_outcome_need_not_be_anybodys_and_may_be_ambiguous(team: Team) -> None:
    team.accepted("d").outcome("ambiguous", source="lexical ambiguity")
    team.all("case accept", cases=1)
    assert team.project.cases()[0].row()["outcome"] == "ambiguous"


def test_a_refused_outcome_leaves_the_case_argued(team: Team) -> None:
    team.accepted("d").outcome("1")
    team.do("case refuse", "A3", cases=1, reason="no")
    assert team.state() == "argued"
    assert team.case().proposals[-1].ended


# ---------------------------------------------------------------- a and b: back to the toolbox


@pytest.mark.parametrize(
    ("cause", "step"), [("a2", 1), ("a1-task", 1), ("b", 2), ("a1-concept", 2)]
)
def test_returned_mended_annotated_again(team: Team, cause: str, step: int) -> None:
    team.accepted(cause)
    assert team.refused("case return", cases=2) >= {"case_state"}
    team.do("case return", cases=1, reason="mend it")
    here = team.project.status()
    assert [one.number for one in here.steps if one.state == "here"] == [step]
    team.mended([1]) if step == 1 else team.refined([1])
    team.aligned()
    if step == 1:
        team.do("go", to="alignment")
    happened = team.round({"Q": {"A1": "0101", "A2": "0111", "A3": "0101"}})
    assert "case agreed" in happened
    assert team.case().summary.outcome == ("reannotated a" if cause[0] == "a" else "reannotated b")


@pytest.mark.parametrize("cause", ["a2", "b"])
def test_an_outcome_waits_for_the_toolbox(team: Team, cause: str) -> None:
    """To trust one coder instead is no ending."""
    given = {"cases": 1, "answer": "1", "cites": ["rule R1"], "text": "A1 edited the letters"}
    assert team.accepted(cause).refused("case outcome", **given) == {"case_state"}


# ---------------------------------------------------------------- without agreement, and again


def test_reopened_everything_is_kept(team: Team) -> None:
    team.agreed(1, "1")
    assert team.refused("case reopen", "A1", cases=1, reason=" ") == {"reason"}
    team.do("case reopen", "A1", cases=1, reason="the rule was read wrongly")
    case = team.case()
    assert (str(case.summary.state), case.summary.answer) == ("reasons", None)
    assert len(case.reasons) == 3
    assert case.assessments[-1].accepted


def test_postponed_until_a_day(team: Team) -> None:
    given = {"cases": 1, "reason": "check the edition"}
    assert team.refused("case postpone", review_date="soon", **given) == {"review_date"}
    team.do("case postpone", review_date="2027-03-01", **given)
    assert team.state() == "postponed"
    team.do("halt", reason="wait", review_date="2027-03-01")
    assert team.refused("go", to="resolution") == {"finding_recorded"}
    team.do("finding", text="the edition is right")
    assert "case reopened" in team.do("go", to="resolution")


def test_left_then_decided_by_the_adjudicator(team: Team) -> None:
    team.do("person", name="D", roles=["observer"])
    assert team.refused("case decide", "D", cases=1, reason="r", answer="1") == {"role"}
    team.do("person", name="D", roles=["adjudicator"])
    assert team.refused("case decide", "D", cases=1, reason="r", answer="1") == {
        "declared_unresolved"
    }
    assert team.do("case leave", reason="two readings stand") == ["case unresolved"] * 2
    team.do("case decide", "D", cases=1, reason="the title says so", answer="0")
    assert team.refused("case decide", "D", cases=1, reason="r") == {"declared_unresolved"}
    team.do("case decide", "D", cases=2, reason="no time")
    rows = {row["item"]: row for row in team.project.answers()}
    assert (rows["i2"]["answer"], rows["i2"]["decided_by"]) == ("0", "D")
    assert (rows["i3"]["answer"], rows["i3"]["decided_by"]) == ("0", "majority")
    assert rows["i3"]["answers"] == "A1: 0; A2: 1; A3: 0", "the coders' answers stay beside it"
    assert str(team.project.release().status) == "deprecated"


def test_a_tie_stays_disagreed(tmp_path: Path) -> None:
    team = resolving(tmp_path, {"Q": {"A1": "0", "A2": "1"}})
    team.do("person", name="D", roles=["observer"])
    team.do("person", name="D", roles=["adjudicator"])
    team.do("case leave", reason="r")
    team.do("case decide", "D", cases=1, reason="r")
    assert team.project.cases()[0].row()["how"] == "left disagreed"


# ---------------------------------------------------------------- questions that depend on others


def test_a_parent_rescored_asks_its_child(tmp_path: Path) -> None:
    options = {"Q": "01", "P": "xy"}
    team = resolving(tmp_path, WITH_CHILD, asked_if=CHILD, options=options).reasons()
    team.cause("e", by="A2", coder="A2", meant="1")
    given = {"case": 1, "question": "P", "answer": "y"}
    assert team.refused("case rescore", "A2", **given) == {"asked"}
    team.do("case rescore", "A2", case=1, answer="1", **R1)
    [asked] = [one for one in team.project.status().awaited["A2"] if one.what.name == "DEPENDENT"]
    assert asked.cases == (1,)
    happened = team.do("case rescore", "A2", **given)
    assert happened == ["rescored", "cases opened"], "x and y differ"
    assert team.refused("case rescore", "A2", **given) == {"asked"}, "it is answered"


def test_a_parent_rescored_withdraws_its_child(tmp_path: Path) -> None:
    sheets = {"Q": {"A1": "11", "A2": "01"}, "P": {"A1": "xx", "A2": " x"}}
    options = {"Q": "01", "P": "xy"}
    team = resolving(tmp_path, sheets, asked_if=CHILD, options=options).reasons()
    team.cause("e", by="A1", coder="A1", meant="0")
    team.do("case rescore", "A1", case=1, answer="0", **R1)
    rows = {(row["item"], row["question"]): row for row in team.project.answers()}
    assert rows["i1", "P"]["provenance"] == "not applicable"


# ---------------------------------------------------------------- who is asked for what


def test_who_is_asked_for_what(team: Team) -> None:
    def asked() -> dict[str, list[str]]:
        each = team.project.status().awaited.items()
        return {who: [one.what.name for one in what if 1 in one.cases] for who, what in each}

    team.do("case leave", cases=2, reason="r")
    assert asked() == {who: ["REASON"] for who in team.coders}
    team.reasons()
    assert asked() == {who: ["PROPOSE_CAUSE"] for who in team.coders}
    team.cause("d", by="A1")
    assert asked() == {who: ["CAUSE"] for who in ("A2", "A3")}
    team.do("case accept", "A2", cases=1)
    team.do("case accept", "A3", cases=1)
    assert asked() == {who: ["PROPOSE_OUTCOME"] for who in team.coders}
    team.outcome("1", by="A2")
    assert asked() == {who: ["OUTCOME"] for who in ("A1", "A3")}
    assert team.case().summary.waits_for == ("A1", "A3")
    assert [one.number for one in team.project.cases(waits_for="A3", live=True)] == [1]


def test_what_differs_now_and_what_was_compared(tmp_path: Path) -> None:
    team = resolving(tmp_path, TWO_CASES)
    counts = team.project.comparison().counts["Q"]
    assert counts == {"agreed": 2, "conflicting": 2}
    team.agreed(1, "1").agreed(2, "0")
    assert str(team.project.release().status) == "ground truth"
    assert team.do("finish")[-1] == "released"
