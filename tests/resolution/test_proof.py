"""Ground truth is proved: each kind of proof, what it lacks otherwise, and a checker of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from cli.projects import Walk
from resolution.team import CONCEPT, Team, compared, resolving

CHECKER = Path(__file__).parents[2] / "docs" / "check_proofs.py"
ONE_CASE = {"Q": {"A1": "010", "A2": "010", "A3": "000"}}
"""Case 1: i2 (1, 1, 0)."""
EQUAL = {"Q": dict.fromkeys(("A1", "A2", "A3"), "010")}


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    Walk.into(tmp_path, monkeypatch)
    return resolving(tmp_path, ONE_CASE)


def checked(team: Team, change: Callable[[Any], object] = lambda bundle: None) -> tuple[int, str]:
    """What the checker says of the bundle, perhaps after somebody changed it."""
    Walk()("export b.json --bundle -p p.accordant", by="")
    bundle = json.loads(Path("b.json").read_text())
    Path("b.json").unlink()
    change(bundle)
    Path("c.json").write_text(json.dumps(bundle))
    done = subprocess.run(
        [sys.executable, str(CHECKER), "c.json"], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def holds(team: Team, kind: str, item: str = "i2") -> None:
    """The answer has a proof of a kind, all others have one, and the checker finds nothing."""
    rows = {row["item"]: row["proof"] for row in team.project.answers()}
    assert rows[item] == kind
    assert str(team.project.release().status) == "ground truth"
    code, told = checked(team)
    assert (code, told.splitlines()[1]) == (0, "3 of 3 answers have a proof; 0 do not hold")


def lacks(team: Team, *guards: str) -> None:
    """A proof is missing for a reason, and the project is no ground truth."""
    now = team.project.release()
    assert str(now.status) != "ground truth"
    assert {unmet.guard for unmet in now.missing} >= set(guards)


# ---------------------------------------------------------------- each kind of proof


def test_blind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Walk.into(tmp_path, monkeypatch)
    holds(compared(tmp_path, EQUAL), "blind")


def test_consented(team: Team) -> None:
    holds(team.agreed(1, "1"), "consented")


def test_rescored(team: Team) -> None:
    team.accepted("e").do("case rescore", "A3", case=1, answer="1")
    holds(team, "rescored")


def returned(team: Team, cause: str) -> Team:
    team.accepted(cause).do("case return", cases=1)
    return team


def again(team: Team, to: str = "alignment") -> None:
    """Read, signed, annotated again by all, with equal answers."""
    team.aligned()
    if team.project.status().step.name == "TASK":
        team.do("go", to=to)
    team.round(EQUAL)


@pytest.mark.parametrize("cause", ["a2", "a1-task"])
def test_reannotated_under_mended_guidelines(team: Team, cause: str) -> None:
    returned(team, cause).mended([1])
    again(team)
    holds(team, "reannotated")


@pytest.mark.parametrize("cause", ["b", "a1-concept"])
def test_reannotated_under_a_mended_concept(team: Team, cause: str) -> None:
    returned(team, cause).refined([1])
    again(team)
    holds(team, "reannotated")


def test_anew_after_a_drastic_change(team: Team) -> None:
    returned(team, "a2").mended([], change="drastic")
    again(team)
    holds(team, "anew")


def test_consented_where_the_re_annotation_was_waived(team: Team) -> None:
    returned(team, "a2").mended([1])
    team.do("order waive", order=1, reason="no other item is like that")
    team.aligned().do("go", to="resolution")
    team.outcome("1")
    team.all("case accept", cases=1)
    holds(team, "consented")
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
    again(team)
    assert team.state() != "agreed"
    lacks(team, "all_cases_agreed")


def test_another_concept_changed(team: Team) -> None:
    returned(team, "b").do("concept", concept={**CONCEPT, "name": "scope"}, reason="new")
    again(team)
    lacks(team, "all_cases_agreed")


def test_a_change_lists_every_case_whose_cause_it_mends(team: Team) -> None:
    returned(team, "b").refined([])
    again(team)
    holds(team, "reannotated")


def test_reopened_by_a_person_a_case_needs_a_new_proof(team: Team) -> None:
    team.agreed(1, "1").do("case reopen", "A1", cases=1, reason="read wrongly")
    lacks(team, "all_cases_agreed")
    team.accepted("d").outcome("1")
    team.do("case accept", "A1", cases=1, proposals=[team.case().proposals[-1].seq])


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


# ---------------------------------------------------------------- the checker notices


def forget(kind: str) -> Callable[[dict[str, Any]], None]:
    """Links of a chain without the events of a kind."""

    def change(bundle: dict[str, Any]) -> None:
        gone = {e["seq"] for e in bundle["log"] if e["kind"] == kind}
        for row in bundle["proofs"]:
            for link in row["chain"]:
                link["events"] = [n for n in link["events"] if n not in gone]

    return change


@pytest.mark.parametrize("kind", ["annotated", "cause proposed", "accepted"])
def test_the_checker_notices_what_is_left_out(team: Team, kind: str) -> None:
    code, told = checked(team.agreed(1, "1"), forget(kind))
    assert code == 1
    assert "0 do not hold" not in told


def another_answer(bundle: dict[str, Any]) -> None:
    bundle["final"][1]["answer"] = "0"


def altered_reason(bundle: dict[str, Any]) -> None:
    event = next(e for e in bundle["log"] if e["kind"] == "said")
    event["written"] = event["written"].replace("so says", "so said")


def cut_off(bundle: dict[str, Any]) -> None:
    bundle["log"] = bundle["log"][:-1]


def called_blind(bundle: dict[str, Any]) -> None:
    bundle["proofs"][1]["kind"] = bundle["final"][1]["proof"] = "blind"


@pytest.mark.parametrize("forge", [another_answer, altered_reason, cut_off, called_blind])
def test_the_checker_notices_what_is_altered(
    team: Team, forge: Callable[[dict[str, Any]], object]
) -> None:
    assert checked(team.agreed(1, "1"), forge)[0] == 1
