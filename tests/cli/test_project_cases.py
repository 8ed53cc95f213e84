"""Cases on the command line: every action, and every way in which a project ends."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from cli.projects import CODERS, TOOLBOX, Walk, aligned, annotated, resolving

CITED = "--cites 'rule R1'"


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A project at step 5: case 1 is p2, case 2 is p4; bob differs from ana and cleo."""
    walk = Walk.into(tmp_path, monkeypatch)
    resolving(walk)
    return walk


def reasons(say: Walk, case: str = "1-2") -> None:
    """Every coder gives a reason."""
    say.all(CODERS, f"case {case} reason 'as I read it' {CITED}")


def final(say: Walk) -> dict[tuple[str, str], dict[str, str]]:
    """The final answers, as exported."""
    say("export labels.csv --force")
    with Path("labels.csv").open(newline="", encoding="utf-8-sig") as file:
        return {(row["item"], row["question"]): row for row in csv.DictReader(file)}


# ---------------------------------------------------------------- looking


def test_the_list(say: Walk) -> None:
    rows = json.loads(say("cases -f json"))
    assert [(r["case"], r["item"], r["question"]) for r in rows] == [
        (1, "p2", "claim"),
        (2, "p4", "claim"),
    ]
    assert "ana: no; bob: yes; cleo: no" in say("cases -f csv")


def test_a_long_list_is_cut_for_people_and_whole_for_programs(
    say: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accordant.cli.project.steps.MOST", 1)
    listed = say("cases")
    assert "p2" in listed
    assert "p4" not in listed
    assert "and 1 more rows" in listed
    assert "2 cases: 2 open" in listed
    assert len(json.loads(say("cases -f json"))) == 2
    assert "| p2" in say("cases -f md")
    assert "2 cases: 2 open" in say("cases")
    reasons(say, "1")
    assert [r["case"] for r in json.loads(say("cases -f json --state reasons"))] == [1]
    assert json.loads(say("cases -f json --waiting-for bob --question claim --live"))
    assert json.loads(say("cases -f json --cause c")) == []
    assert say("cases --cause c") == "\n  Cases\n\n  No case is like that.\n"
    assert "there is no group of cases 'x'" in say.refused("cases --group x")
    assert max(map(len, say("cases").splitlines())) <= 80


def test_one_case(say: Walk) -> None:
    shown = say("case 1")
    assert "ana: no" in shown
    assert "claim: Is there a claim?" in shown
    assert "Next accordant project case reason 1 TEXT" in " ".join(shown.split())
    both = say("case 1,2")
    assert both.count("Is there a claim?") == 2
    assert json.loads(say("case 1 show -f json"))[0]["item"] == "p2"
    assert "there is no case 9" in say.refused("case 9")
    assert "Did you mean 'accept'?" in say.refused("case 1 acept", code=2)
    assert "Which case?" in say.refused("case accept", code=2)
    assert "takes the number of one case" in say.refused("case 1-2 withdraw", code=2)


def test_groups(say: Walk) -> None:
    assert "Nothing to show." in say("group")
    say("group both 1,2 --reason 'the same'")
    assert "both 1, 2" in " ".join(say("group").split())
    assert "one case is no group" in say.refused("group alone 1")
    assert say("case both").count("Is there a claim?") == 2


def test_causes_are_explained(say: Walk) -> None:
    assert "guidelines unclear or silent" in say("causes", "")
    assert [row["cause"] for row in json.loads(say("causes -f json", ""))] == [
        "a1-concept",
        "a1-task",
        "a2",
        "b",
        "c",
        "d",
        "e",
    ]


def test_suggestions_write_nothing(say: Walk) -> None:
    before = say("log -f csv")
    say("suggest")
    say("suggest 1")
    assert "the items have no texts" in say.refused("suggest --show items")
    assert say("log -f csv") == before


# ---------------------------------------------------------------- discussing


def test_refused_withdrawn_disputed_reopened(say: Walk) -> None:
    reasons(say)
    assert "what was meant" in say.refused("case 1 cause e --coder bob", "ana")
    say("case 1 cause e --coder bob --meant no", "ana")
    assert "proposed by ana" in say("case 1", "dora")
    assert "bob does not accept" in say("case 1 refuse 'I meant yes'", "bob")
    say("case 1 cause a1-task --construal ana=x --construal bob=y --construal cleo=z", "ana")
    assert "ana withdraws the cause" in say("case 1 withdraw", "ana")
    say("case 1 cause e --coder bob --meant no", "ana")
    told = say.refused("case 1 refuse 'I still mean yes'", "bob")  # it might mean a1-task
    number = re.search(r"stands, (\d+)", told)
    assert number
    assert f"(proposal {number[1]})" in " ".join(say("case 1", "dora").split())
    say(f"case 1 refuse 'I still mean yes' --proposal {number[1]}", "bob")
    assert "goes on as d" in say("case 1 dispute 'no cause finds consent'", "ana")
    say(f"case 1 outcome yes {CITED} --text 'it could be false'", "bob")
    say("case 1 accept --yes", "ana")
    [shown] = json.loads(say("case 1 show -f json", "cleo"))  # who has not answered a1-task
    assert "name the proposal" in say.refused("case 1 accept --yes", "cleo")
    say(f"case 1 accept --yes --proposal {shown['proposals'][-1]['seq']}", "cleo")
    assert "is agreed" not in say("case 1 reopen 'the rule was not read'", "cleo")
    assert "Blocked" in say.refused("case 2 dispute 'no cause'", "ana")
    assert "is not NAME=TEXT" in say.refused("case 2 cause a1-task --construal x", "ana", code=2)
    assert "CAUSE is needed: one of a1-concept" in say.refused("case 2 cause", "ana", code=2)


def test_a_dispute_with_a_gap_goes_on_as_a2(say: Walk) -> None:
    reasons(say, "1")
    say("case 1 cause e --coder bob --meant no", "ana")
    say("case 1 refuse 'I meant yes'", "bob")
    told = say("case 1 dispute 'no consent' --gap 'nothing is said about lists' --rule R1", "ana")
    assert "goes on as a2" in told


def test_cause_and_outcome_are_not_accepted_at_once(say: Walk) -> None:
    reasons(say)
    say("case 1-2 cause d", "ana")
    say("case 1 accept", "bob")
    say("case 1 accept", "cleo")
    say(f"case 1 outcome yes {CITED} --text 'it is one'", "ana")
    assert "accept them one after the other" in say.refused("case 1-2 accept", "bob")
    assert "does not accept the outcome" in say("case 1 refuse 'not yet'", "bob")


# ---------------------------------------------------------------- settling


def test_a_dependent_question_is_asked_of_who_rescored(say: Walk) -> None:
    reasons(say)
    say("case 1-2 cause d", "ana")
    say.all(CODERS, "case 1-2 accept", but="ana")
    say(f"case 1 outcome no {CITED} --text 'a list'", "ana")
    say.all(CODERS, "case 1 accept", but="ana")
    say(f"case 2 outcome yes {CITED} --text 'it is one'", "ana")
    told = say("case 2 accept", "bob") + say("case 2 accept", "cleo")
    assert "bob now says “yes”" in told
    assert "Blocked" in say.refused("release")
    assert "there is no question 'tone'" in say.refused("case 2 rescore wide -q tone", "bob")
    assert "bob now says “wide”" in say("case 2 rescore wide -q scope", "bob")
    assert "release 1: ground truth" in say("release")
    rows = final(say)
    assert {key: row["answer"] for key, row in rows.items() if row["answer"]} == {
        ("p1", "claim"): "yes",
        ("p2", "claim"): "no",
        ("p3", "claim"): "no",
        ("p4", "claim"): "yes",
        ("p1", "scope"): "wide",
        ("p4", "scope"): "wide",
    } | {k: "not applicable" for k, r in rows.items() if r["answer"] == "not applicable"}


def test_a_correction_of_another_item_leaves_the_disagreement(say: Walk) -> None:
    reasons(say, "1")
    same = "--same 'the same words'"
    assert "that is consistent" in say.refused(f"case 1 cause c --coder bob --other p1 {same}")
    say(f"case 1 cause c --coder bob --other p3 {same}", "ana")
    assert "Blocked" in say.refused("case 1 cause d", "cleo")
    say("case 1 accept", "bob")
    assert "is not among the items" in say.refused("case 1 rescore yes --item p1", "bob")
    told = say("case 1 rescore yes --item p3", "bob")
    assert "case 1 is open again" in told
    assert "item p3, question claim" in told, (
        "an agreed item that is rescored has a case of its own"
    )


def test_deference_is_a_deviation(say: Walk) -> None:
    reasons(say, "1")
    say("case 1 cause b --concept claim --width 'lists are left out'", "ana")
    say.all(CODERS, "case 1 accept", but="ana")
    say(f"case 1 defer --to bob 'bob is the expert' {CITED}", "ana")
    say("case 1 accept", "bob")
    told = say("case 1 accept", "cleo")
    assert "deviation, printed on every export" in told
    assert "deference" in " ".join(say("deviation").split())
    say("deviation 'two coders shared a desk'")
    assert "shared a desk" in say("status")


def test_research(say: Walk) -> None:
    reasons(say)
    say("case 1 postpone 'the source is lost' --review 2030-01-01", "ana")
    assert "Blocked" in say.refused("case 2 postpone 'also lost' --review soon", "ana")
    say("halt 'the source is lost' --review 2030-01-01 2")
    assert "Blocked" in say.refused("resume")
    say("finding 'the source was found'")
    assert "the source was found" in say("finding")
    assert "open again" in say("resume")
    assert "Blocked" in say.refused("finding 'too late'")


def test_abandoned(say: Walk) -> None:
    assert "Blocked" in say.refused("abandon 'no agreement'")
    construals = "--construal ana=x --construal bob=y --construal cleo=z"
    for _ in range(2):
        reasons(say, "1")
        say(f"case 1 cause a1-task {construals}", "ana")
        say.all(CODERS, "case 1 accept", but="ana")
        if "returned" in say("case 1") or say.run("abandon 'no agreement'").exit_code == 0:
            break
        say("case 1 return")
        say.run("guidelines toolbox.toml")
        Path("new.toml").write_text(TOOLBOX.replace("Read it all.", "Please read it all."))
        say("guidelines new.toml --change editorial --reason clearer")
        say.all(CODERS, "acknowledge")
        say("confirm", "bob")
        say("go resolution")
        say("case 1 reopen 'still not'")
    assert "abandoned" in say("status")
    assert "must not be used as labels" in say.refused("export labels.csv")


# ---------------------------------------------------------------- no agreement


def test_left_decided_aggregated(say: Walk) -> None:
    reasons(say)
    say("person dora --role observer --about 'the editor'")
    assert "only an adjudicator" in say.refused("case 1 decide no 'I say so'", "dora")
    assert "nobody is appointed" in say("adjudicator")
    told = say("adjudicator dora")
    assert "appointed late" in told
    assert "dora (appointed late)" in say("adjudicator")
    assert "was not declared unresolved" in say.refused("case 1 decide no 'I say so'", "dora")
    say("case 1-2 leave 'two readings stand'")
    say("case 1 decide no 'the rule says so'", "dora")
    say("case 2 aggregate --method plurality", "dora")
    assert "no reason" in say.refused("release")
    shown = say("release --reason 'no time'")
    assert "release 1: deprecated" in shown
    rows = final(say)
    assert rows["p2", "claim"]["decided_by"] == "dora"
    assert rows["p4", "claim"]["decided_by"].startswith("plurality")
    assert {row["status"].split(" (")[0] for row in rows.values()} == {"deprecated"}
    assert "deprecated" in say("release --list")


def test_comparison_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say = Walk.into(tmp_path, monkeypatch)
    annotated(say)
    say("round close")
    shown = say("compare")
    assert "All questions together: 60.0" in shown
    say("release --reason 'variation is what is studied'")
    assert "comparison only" in say("export")
    say("go setup 'another look'")
    assert "setup" in say("status")


# ---------------------------------------------------------------- what is given out


def test_everything_is_given_out_with_its_status(say: Walk) -> None:
    say("export bundle.json --bundle")
    bundle = json.loads(Path("bundle.json").read_text())
    assert bundle["status"] == "not released; as it is: deprecated"
    assert bundle["log"]
    assert "exists" in say.refused("export bundle.json --bundle")
    say("export round.csv --round 1")
    say("export now.csv --annotations")
    assert Path("round.csv").read_text() == Path("now.csv").read_text()
    assert "choose one of" in say.refused("export --bundle --round 1", code=2)
    assert "status: not released; as it is: deprecated" in say("export")
    say("statement A 'four pages of a diary'")
    assert "four pages of a diary" in say("statement")
    assert "there is no section of the data statement 'Z'" in say.refused("statement Z 'x'")
    say("report -o report.md -o report.html --bundle all.zip")
    assert "four pages of a diary" in Path("report.md").read_text("utf-8")
    assert Path("all.zip").stat().st_size
    say("hypothesis") and say("purpose")


def test_an_import_becomes_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say = Walk.into(tmp_path, monkeypatch)
    rows = [
        f"{k},{c},{'yes' if k % 3 or c == 'Ann' else 'no'}"
        for k in range(9)
        for c in ("Ann", "Bob")
    ]
    Path("made.csv").write_text("item,coder,label\n" + "\n".join(rows) + "\n")
    Path("cases.csv").write_text("item,question,cause,coder\n3,question,e,Bob\n")
    told = say("import made.csv --title Made --cases cases.csv --deviation 'step 2 not performed'")
    assert "step 2 not performed" in told
    assert json.loads(say("cases -f json --cause e"))[0]["item"] == "3"
    again = say.refused("import made.csv --title Made")
    assert "made.accordant" in again
    assert "no file of the cases" in say.refused("import made.csv --title X --case-column cause=c")
    Path("one.csv").write_text("item,coder,label\n1,Ann,yes\n2,Ann,no\n")
    assert "only one coder was found" in say.refused("import one.csv --title One")
    assert not Path("one.accordant").exists(), "what could not be imported leaves no file"


def test_a_one_sided_pattern_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third case that is put down to inconsistency, all in one direction."""
    say = Walk.into(tmp_path, monkeypatch)
    aligned(say)
    say("round open")
    for coder, labels in (
        ("ana", "no no no no"),
        ("bob", "no yes yes yes"),
        ("cleo", "no no no no"),
    ):
        rows = [f"p{k},claim,{label}" for k, label in enumerate(labels.split(), 1)]
        rows += [f"p{k},scope,wide" for k, label in enumerate(labels.split(), 1) if label == "yes"]
        Path("sheet.csv").write_text("item,question,label\n" + "\n".join(rows) + "\n")
        say("annotate sheet.csv --submit", coder)
    say("round close")
    say("resolve")
    reasons(say, "1-3")
    for case in (1, 2, 3):
        say(f"case {case} cause c --coder bob --other p1 --same 'alike'", "ana")
        asked = " ".join(say.run(f"case {case} accept", "bob").stderr.split())
        assert ("are these really inconsistencies" in asked) is (case == 3)


def test_of_very_many_cases_the_first_are_looked_at(
    say: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(say)
    monkeypatch.setattr("accordant.views.project_causes.MOST", 1)
    told = say.run("suggest")
    assert "the first 1 of 2 cases" in told.stdout
    assert "case 2, " not in told.stdout
    assert "the first" not in say("suggest 2")


def test_at_a_terminal_a_proposal_is_shown_to_who_may_read_it(
    say: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(say)
    say("case 1 reason 'so it is' --cites 'rule R1'", "bob")
    say("case 1 cause a2 --rule R1 --wording 'what R1 lacks'", "bob")
    monkeypatch.setattr("accordant.cli.project.cases.at_terminal", lambda: True)
    told = say.run("case 1 accept", "ana", "y\n")
    assert told.exit_code == 1
    assert "own reason" in told.output
    assert "a2" not in told.output
    say("case 1 reason 'it is not' --cites 'rule R1'", "ana")
    assert "cause a2, proposed by bob" in say("case 1 accept", "ana", "y\n")


def test_why_a_case_waits_is_read_after_ones_own_reason(say: Walk) -> None:
    resolving(say)
    say("case 1 reason 'so it is' --cites 'rule R1'", "bob")
    say("case 1 postpone 'nobody knows the source' --review 2030-01-01", "bob")
    for who in ("ana", ""):
        for typed in ("case 1", "case 1 -f json", "log", "cases -f json"):
            assert "the source" not in say(typed, who), typed
        say("report -o report.html --force", who)
        assert "the source" not in Path("report.html").read_text()
    assert "the source" in say("case 1", "bob")
