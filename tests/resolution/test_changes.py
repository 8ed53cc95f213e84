"""What a change of the toolbox in step 5 does to annotations, cases and releases."""

from __future__ import annotations

from typing import Any

import pytest

from resolution.team import Team, at_resolution, concept, rules

THREE = {"Q": {"A1": "0101", "A2": "0111", "A3": "0001"}}
"""Case 1: i2 (1, 1, 0); case 2: i3 (0, 1, 0)."""
EQUAL = {"A1": "0101", "A2": "0101", "A3": "0101"}
EVIDENCE = {
    "a2": {"rule": "missing", "wording": "Read the title too"},
    "a1-concept": {"concept": "title", "construals": {"A1": "any", "A2": "none", "A3": "one"}},
    "b": {"knowledge": "what a claim is", "concept": "claim", "width": "too wide"},
    "d": {},
}


def accepted(team: Team, cause: str, case: int = 1) -> Team:
    for name in team.coders:
        team.do("case reason", by=name, cases=[case], text="so it is", cites=["rule R1"])
    team.do("case cause", by="A1", cases=[case], cause=cause, evidence=EVIDENCE[cause])
    for name in team.coders[1:]:
        team.do("case accept", by=name, cases=[case])
    return team


def returned(cause: str, case: int = 1, team: Team | None = None) -> Team:
    team = accepted(team or at_resolution(THREE), cause, case)
    team.do("case return", cases=[case])
    return team


def argued(team: Team, case: int, answer: str) -> None:
    accepted(team, "d", case)
    said = {"cases": [case], "answer": answer, "cites": ["rule R1"], "text": "as R1 says"}
    team.do("case outcome", by="A1", **said)
    for name in team.coders[1:]:
        team.do("case accept", by=name, cases=[case])


def mended(team: Team) -> Team:
    team.do("concept", concept=concept("what a text argues for"), reason="too wide")
    return team


def again(team: Team, values: dict[str, Any]) -> list[str]:
    """A second round; what its comparison brings about."""
    team.do("round open") if team.step != "annotation" else None
    for name, labels in values.items():
        team.answer(name, labels)
    happened = team.do("round close")
    return happened + (team.do("go", to="resolution") if team.arrows[10] == set() else [])


def aligned(team: Team) -> Team:
    """Everybody reads and signs what is new to them, and says that it settles their cases."""
    return team.aligned()


def states(team: Team) -> list[str]:
    return [str(one.state) for one in team.project.cases("R")]


def test_a_new_task_closes_the_epoch() -> None:
    team = at_resolution(THREE)
    argued(team, 1, "1")
    assert states(team) == ["agreed", "open"]
    team.do("task", task={"questions": [{"id": "N", "text": "New?"}]}, reason="another")
    old = team.project.cases("R", earlier=True)
    assert [str(one.state) for one in old] == ["agreed", "closed"]
    assert str(old[0].answer) == "1"
    assert team.project.release().status == "not released"


@pytest.mark.parametrize("change", ["local", "drastic"])
def test_guidelines_ask_again_agreed_answers_too(change: str) -> None:
    team = returned("a2")
    scope = {"questions": ["Q"]} if change == "local" else {}
    team.do("guidelines", guidelines=rules("R2"), reason="a gap", change=change, **scope)
    assert states(team)[0] == "returned"
    assert team.arrows[13 if change == "drastic" else 14] >= {"all_acknowledged"}
    happened = again(aligned(team), EQUAL)
    assert happened.count("case agreed") == (1 if change == "local" else 2)
    one = team.project.cases("R")[0]
    assert (one.state, one.outcome) == ("agreed", "reannotated a")
    if change == "local":  # case 2 became equal without a cause: that is no ending
        assert states(team) == ["agreed", "open"]
        assert "reason" in team.refused("finish")
        return
    assert team.do("finish") == ["moved", "released"]
    assert team.project.release().status == "ground truth"


def test_a_change_for_a_few_items() -> None:
    team = returned("a2")
    new = {"guidelines": rules("R2"), "reason": "a gap", "questions": ["Q"], "items": ["i2", "i4"]}
    team.do("guidelines", **new, narrowed="only these have titles")
    aligned(team).do("round open")
    assert [one.id for one in team.project.work("A1").items] == ["i2", "i4"]
    again(team, dict.fromkeys(team.coders, "11"))
    assert states(team) == ["agreed", "open"]
    assert any("only these have titles" in flag for flag in team.project.release().flags)


def test_clarified_where_the_re_annotation_is_waived() -> None:
    team = returned("a2")
    team.do("guidelines", guidelines=rules("R2"), reason="a gap", questions=["Q"])
    team.do("order waive", order=1, reason="the rule says what was meant all along")
    aligned(team).do("go", to="resolution")
    said = {"cases": [1], "answer": "1", "cites": ["rule R2"], "text": "as R2 says"}
    team.do("case outcome", by="A1", **said)
    for name in ("A2", "A3"):
        team.do("case accept", by=name, cases=[1])
    assert team.project.case(1).summary.outcome == "clarified"
    assert any("waived" in flag for flag in team.project.release().flags)


def test_a_refined_concept_voids_its_signatures() -> None:
    team = mended(returned("b"))
    assert team.refused("round open") == {"all_signed_off", "settle"}
    again(aligned(team), EQUAL)
    view = team.project.case(1, "R")
    assert (view.summary.outcome, view.cites) == ("reannotated b", ("concept claim v2",))
    assert view.consents == ("A1", "A2", "A3")
    assert not team.status().orders


def test_a_concept_that_was_missing() -> None:
    team = returned("a1-concept")
    team.do("concept", concept=concept("a heading", "title"), reason="missing")
    assert team.status().orders == ("1: concept title, version 1",)


def test_unequal_again_the_case_is_open_again_with_its_history() -> None:
    team = mended(returned("b"))
    before = len(team.project.case(1, "R").thread)
    assert "case reopened" in again(aligned(team), THREE["Q"])
    view = team.project.case(1, "R")
    assert (view.summary.state, len(view.thread)) == ("reasons", before + 1)
    assert view.assessments[0].accepted


def test_agreed_annotations_may_differ_now() -> None:
    team = mended(returned("b"))
    again(aligned(team), {**EQUAL, "A1": "1101"})
    assert [(one.item, str(one.state)) for one in team.project.cases("R")] == [
        ("i2", "agreed"),
        ("i3", "open"),  # equal, and nobody said why they differed
        ("i1", "open"),
    ]


@pytest.mark.parametrize(
    ("values", "state", "answer"),
    [
        (EQUAL, "agreed", "1"),
        (THREE["Q"], "reasons", "None"),
        (dict.fromkeys(EQUAL, "0001"), "reasons", "None"),
    ],
)
def test_a_settled_case_is_touched_only_if_annotated_differently(
    values: dict[str, str], state: str, answer: str
) -> None:
    team = at_resolution(THREE)
    argued(team, 1, "1")
    mended(returned("b", 2, team))
    again(aligned(team), values)
    view = team.project.case(1, "R").summary
    assert (view.state, str(view.answer)) == (state, answer)


def test_two_orders_over_the_same_items_are_one_round() -> None:
    team = mended(returned("b"))
    team.do("concept", concept=concept("what a text argues"), reason="still too wide")
    assert len(team.status().orders) == 2
    again(aligned(team), EQUAL)
    assert not team.status().orders


def test_who_declines_again_has_no_answer_that_counts() -> None:
    team = mended(returned("b"))
    again(aligned(team), {**EQUAL, "A3": [None, "1", "0", "1"]})
    assert team.project.comparison().counts == {"Q": {"agreed": 3, "incomplete": 1}}
    assert "no_incomplete" in {one.guard for one in team.project.release().missing}


def test_a_new_coder_is_named_where_no_annotation_of_theirs_counts() -> None:
    team = at_resolution(THREE)
    team.do("person", name="A4")
    argued(team, 1, "1")
    argued(team, 2, "0")
    team.do("finish")
    release = team.project.release()
    assert release.status == "ground truth"
    assert any("A4" in flag for flag in release.flags)
    team.do("go", to="alignment", reason="A4 joins")
    lacks = {"all_signed_off", "all_acknowledged"}
    assert lacks <= team.refused("round open", questions=["Q"])
