"""Ground truth is proved: each kind of ending, and what lacks one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from cli.projects import Walk
from resolution.team import CONCEPT, POLICY, Sheets, Team, begun, compared, kept, resolving

ONE_CASE = {"Q": {"A1": "010", "A2": "010", "A3": "000"}}
"""Case 1: i2 (1, 1, 0)."""
EQUAL = {"Q": dict.fromkeys(("A1", "A2", "A3"), "010")}


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    Walk.into(tmp_path, monkeypatch)
    return resolving(tmp_path, ONE_CASE)


def holds(team: Team, kind: str, item: str = "i2") -> None:
    """The answer has a proof of a kind, and all others have one."""
    rows = {row["item"]: row["proof"] for row in team.project.answers()}
    assert rows[item] == kind
    assert str(team.project.release().status) == "ground truth"


def lacks(team: Team, *guards: str) -> None:
    """A proof is missing for a reason, and the project is no ground truth."""
    now = team.project.release()
    assert str(now.status) != "ground truth"
    assert {unmet.guard for unmet in now.missing} >= set(guards)


# ---------------------------------------------------------------- each kind of proof


def test_blind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Walk.into(tmp_path, monkeypatch)
    holds(compared(tmp_path, EQUAL), "blind agreement")


def test_consented(team: Team) -> None:
    holds(team.agreed(1, "1"), "consent")


def test_rescored(team: Team) -> None:
    team.accepted("e").do("case rescore", "A3", case=1, answer="1", cites=["rule R1"])
    holds(team, "corrected slip")


def returned(team: Team, cause: str) -> Team:
    team.accepted(cause).do("case return", cases=1)
    return team


def again(team: Team, to: str = "alignment", sheets: Sheets = EQUAL) -> None:
    """Read, signed, confirmed, annotated again by all, with equal answers."""
    team.aligned()
    if team.project.status().step.name == "TASK":
        team.do("go", to=to)
    team.round(sheets)


def proofs(team: Team) -> list[str]:
    """How the answers came about, in the order of the items."""
    return [row["proof"] for row in team.project.answers()]


@pytest.mark.parametrize("cause", ["a2", "a1-task"])
def test_reannotated_under_mended_guidelines(team: Team, cause: str) -> None:
    returned(team, cause).mended([1])
    again(team)
    holds(team, "re-annotated")


@pytest.mark.parametrize("cause", ["b", "a1-concept"])
def test_reannotated_under_a_mended_concept(team: Team, cause: str) -> None:
    returned(team, cause).refined([1])
    again(team)
    holds(team, "re-annotated")


def test_anew_after_a_drastic_change(tmp_path: Path) -> None:
    """One case asks for the change, which is drastic; the other has no cause and is done anew."""
    team = resolving(tmp_path)
    returned(team, "a2").mended([], change="drastic")
    again(team, "alignment", {"Q": dict.fromkeys(team.coders, "0101")})
    assert proofs(team) == ["blind agreement", "re-annotated", "anew", "blind agreement"]
    assert str(team.project.release().status) == "ground truth"


def test_consented_where_the_re_annotation_was_waived(team: Team) -> None:
    returned(team, "a2").mended([1])
    team.do("order waive", order=1, reason="no other item is like that")
    team.aligned().do("go", to="resolution")
    team.outcome("1")
    team.all("case accept", cases=1)
    holds(team, "re-annotation waived")
    assert any("was waived" in flag for flag in team.project.release().flags)


# ---------------------------------------------------------------- what proves nothing


def test_voted_equal_is_no_proof(team: Team) -> None:
    """Equal answers of a further round settle no conflict without a cause that asks for it."""
    team.do("items add", items={"ids": ["i4"]})
    team.do("items freeze")
    team.n_items = 4
    team.do("round open")
    for coder in team.coders:
        team.do("annotate", coder, answers={"Q": {"i4": "0"}})
        team.do("submit", coder)
    team.do("round close")
    lacks(team, "all_cases_agreed")


@pytest.mark.parametrize("cause", ["a2", "a1-task"])
def test_a_concept_changed_where_the_guidelines_had_to(team: Team, cause: str) -> None:
    returned(team, cause)
    team.do("go", to="alignment")
    team.refined([1])
    assert team.aligned().refused("round open") == {"change"}
    lacks(team, "change")


def test_another_concept_changed(team: Team) -> None:
    returned(team, "b").do("concept", concept={**CONCEPT, "name": "scope"}, reason="new")
    assert team.aligned().refused("round open") == {"change"}
    lacks(team, "change")


def test_a_change_lists_every_case_whose_cause_it_mends(team: Team) -> None:
    returned(team, "b").refined([])
    again(team)
    holds(team, "re-annotated")


def test_reopened_by_a_person_a_case_needs_a_new_proof(team: Team) -> None:
    team.agreed(1, "1").do("case reopen", "A1", cases=1, reason="read wrongly")
    lacks(team, "all_cases_agreed")
    assert "reason_per_annotator" in team.refused("case cause", "A1", cases=1, cause="d")
    team.reasons().accepted("d").outcome("1")
    team.all("case accept", cases=1, proposals=[team.case().proposals[-1].seq])
    holds(team, "consent")


def test_a_reason_that_cited_is_replaced_by_one_that_does_not(team: Team) -> None:
    team.accepted("d")
    team.do("case reason", "A2", cases=1, text="no idea")
    assert team.refused("case outcome", cases=1, answer="1", cites=["rule R1"], text="t") == {
        "reason_per_annotator"
    }


def test_compared_only_then_reopened(team: Team) -> None:
    team.do("case leave", reason="r")
    team.do("finish", reason="two readings stand")
    team.do("go", to="comparison", reason="once more")
    lacks(team, "no_conflict")


def test_while_a_round_is_open_nothing_is_told(team: Team) -> None:
    returned(team, "b").refined([1])
    team.aligned().do("round open")
    with pytest.raises(ac.Refused):
        team.project.answers()
    assert not team.project.status().proofs
    assert team.project.release().counts == {}
    assert team.case(1, "A1").summary.withheld


# ---------------------------------------------------------------- edits that mend nothing

TWO_QUESTIONS = {
    "Q": {"A1": "010", "A2": "010", "A3": "000"},
    "K": {"A1": "000", "A2": "000", "A3": "000"},
}
"""Case 1: i2 on Q."""
FIRST = [
    {"id": "R1", "text": "Yes if a claim is made.", "questions": ["Q"]},
    {"id": "R2", "text": "One if it is old.", "questions": ["K"]},
    {"id": "R3", "text": "Read it all.", "questions": []},
]
R1, R2, R3 = FIRST
ABOUT_K = {"id": "R9", "text": "Not on Sundays.", "questions": ["K"]}
GUIDELINES = {
    "a character that nobody sees": [R1 | {"text": "Yes\u200b if a claim is made."}, R2, R3],
    "a hyphen between blanks": [R1 | {"text": "Yes - if a claim is made."}, R2, R3],
    "asterisks": [R1 | {"text": "*Yes* if a claim is made."}, R2, R3],
    "a letter that looks the same": [R1 | {"text": "Y\u0435s if a claim is made."}, R2, R3],
    "another number": [R1 | {"id": "R7"}, R2, R3],
    "a rule stands twice": [R1, R2, R3, R1 | {"id": "R9"}],
    "for all, now for each": [R1, R2, R3 | {"questions": ["Q", "K"]}],
    "capitals and a mark of order": [R1 | {"text": "YES, if a claim is made!\u200e"}, R2, R3],
    "a selector of variants": [R1 | {"text": "Yes if a claim is made\ufe0f."}, R2, R3],
    "wide letters": [R1 | {"text": "\uff39es if a claim is made."}, R2, R3],
    "a letter without shape": [R1 | {"text": "Yes\u3164if a claim is made."}, R2, R3],
}
ELSEWHERE = {
    "another order of rules": [R3, R2, R1],
    "about another question": [R1, R2, R3, ABOUT_K],
}
WRITTEN = {"version": "", "options": {"Q": ["0", "1"], "K": ["0", "1"]}, "ambiguity": POLICY}
CLAIM = {"name": "claim", "version": 0, "definition": "what a text asserts", "questions": ["Q"]}
CONCEPTS = {
    "only the rules that mention it": CLAIM | {"rules": ["R1"]},
    "a character that nobody sees": CLAIM | {"definition": "what a text\u2060 asserts"},
}


@pytest.fixture
def two(tmp_path: Path) -> Team:
    """Step 4 of a project with two questions, before anything is said of the conflict."""

    def make() -> Team:
        team = begun(tmp_path)
        team.n_items = 3
        questions = [{"id": q, "text": f"Is it {q}?"} for q in TWO_QUESTIONS]
        team.do("task", task={"questions": questions})
        team.do("guidelines", guidelines=WRITTEN | {"rules": FIRST})
        team.all("sign-off", concept="guidelines")
        team.do("go", to="alignment")
        team.do("concept", concept=CLAIM)
        team.trained()
        team.all("sign-off")
        team.do("items add", items={"ids": team.items})
        team.do("items freeze")
        team.round(TWO_QUESTIONS)
        return team

    return kept(tmp_path, ("two questions",), make)


def written(team: Team, rules: list[dict[str, Any]], change: str = "local") -> None:
    """New guidelines, for whatever reason."""
    scope = {"questions": ["Q", "K"]} if change == "local" else {}
    given = {"change": change, "reason": "because", "cases": [], **scope}
    team.do("guidelines", guidelines=WRITTEN | {"rules": rules}, **given)


def nothing_is_mended(team: Team, code: str, asked: tuple[str, ...], *words: str) -> None:
    """No ground truth: it is told what is missing, and of whom it is asked."""
    now = team.project.release()
    assert str(now.status) != "ground truth"
    [unmet] = [one for one in now.missing if one.guard == code]
    assert "i2, Q: " in unmet.says
    assert all(word in unmet.says for word in words)
    assert unmet.awaited == asked


def voted(team: Team) -> None:
    """Everybody who is asked says the same of everything."""
    team.aligned()
    if team.step == "task":
        team.do("go", to="alignment")
    team.do("round open")
    for coder in team.coders:
        for question in team.project.work(coder).questions:
            asked = {one.id: "0" for one in team.project.work(coder).items}
            team.do("annotate", coder, answers={question.id: asked})
        with suppress(ac.Refused):
            team.do("submit", coder)
    team.do("round close")


@pytest.mark.parametrize("edit", GUIDELINES)
def test_a_change_that_a_reader_does_not_see(two: Team, edit: str) -> None:
    """Guidelines: nobody can say that it settles the case, and no round is opened over it."""
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    written(two, GUIDELINES[edit])
    assert "change" in two.aligned().refused("round open")
    assert two.refused("sign-off", "A1", settles=[1]) == {"settle"}
    nothing_is_mended(two, "change", ("R",), "guidelines", "shows a reader nothing new about Q")


@pytest.mark.parametrize("edit", ELSEWHERE)
def test_a_change_elsewhere(two: Team, edit: str) -> None:
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    new = {"guidelines": WRITTEN | {"rules": ELSEWHERE[edit]}, "reason": "because"}
    scope = {"change": "local", "questions": ["Q", "K"]}
    assert two.refused("guidelines", **new, **scope) == {"scope_covers_cases"}
    nothing_is_mended(two, "change", ("R",), "cause a2 asks that the guidelines change")


def test_a_text_of_a_dash(two: Team) -> None:
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    new = WRITTEN | {"rules": FIRST, "text": "\u2014"}
    two.do("guidelines", guidelines=new, change="drastic", reason="because")
    nothing_is_mended(two, "change", ("R",), "shows a reader nothing new about Q")


@pytest.mark.parametrize("edit", CONCEPTS)
def test_a_concept_that_says_the_same(two: Team, edit: str) -> None:
    two.do("go", to="resolution")
    two.accepted("b").do("case return", cases=1)
    two.do("concept", concept=CONCEPTS[edit], reason="because")
    assert "change" in two.aligned().refused("round open")
    nothing_is_mended(two, "change", ("R",), "concept claim", "shows a reader nothing new about Q")


def test_drastic_about_another_question(two: Team) -> None:
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    written(two, [*FIRST, ABOUT_K], "drastic")
    assert "change" in two.aligned().refused("round open")
    nothing_is_mended(two, "change", ("R",), "shows a reader nothing new about Q")


@pytest.mark.parametrize("edit", ["about another question", "a character that nobody sees"])
def test_sent_back_and_asked_again(two: Team, edit: str) -> None:
    """No cause and nothing new to read: equal answers of another vote are no ending."""
    two.do("go", to="task", reason="read in two ways", questions=["Q"])
    written(two, (GUIDELINES | ELSEWHERE)[edit])
    voted(two)
    nothing_is_mended(two, "cause.none", two.coders, "asked again and are equal")
    assert proofs(two)[1] == "asked again without a cause"


def test_a_change_that_is_taken_back(two: Team) -> None:
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    written(two, [R1, R2, R3, {"id": "R4", "text": "Titles count.", "questions": ["Q"]}])
    written(two, FIRST)
    assert "change" in two.aligned().refused("round open")
    nothing_is_mended(two, "change", ("R",), "in force")


def test_who_disagreed_confirm_that_it_is_settled(two: Team) -> None:
    """A change that reads otherwise counts once everybody who held an answer has said so."""
    two.do("go", to="resolution")
    two.accepted("a2").do("case return", cases=1)
    written(two, [R1, R2, R3, {"id": "R4", "text": "Titles count.", "questions": ["Q"]}])
    assert two.refused("round open") == {"all_acknowledged", "settle"}
    two.all("sign-off")
    nothing_is_mended(two, "settle", two.coders, "must still say whether the change of guidelines")
    assert two.refused("sign-off", "A1", unsettled=[1]) == {"reason"}
    assert two.refused("sign-off", "A1", settles=[1], shown=["another hash"]) == {"shown"}
    two.do("sign-off", "A1", settles=[1])
    two.do("sign-off", "A2", unsettled=[1], because="a title is no claim")
    nothing_is_mended(two, "change", ("R",), "A2", "a title is no claim")
    assert two.refused("round open") == {"change"}
    written(two, [R1, R2, R3, {"id": "R4", "text": "A title is no claim.", "questions": ["Q"]}])
    voted(two)
    assert proofs(two) == ["blind agreement", "re-annotated", *["blind agreement"] * 4]
    assert str(two.project.release().status) == "ground truth"
