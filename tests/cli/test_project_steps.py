"""`accordant project` step by step: what is typed, what is shown, what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from cli.projects import CODERS, TOOLBOX, Walk, aligned, annotated, resolving

CITED = "--cites 'rule R1'"


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A person in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


def flat(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- status


def test_the_status_says_what_is_asked_of_whom(say: Walk) -> None:
    say("new Letters")
    assert "no research question is stated" in flat(say("status"))
    assert "Not yet: " not in say("status")
    assert "Not yet: " in say("status --all")
    Path("letters.accordant").unlink()
    aligned(say)
    say("round open")
    say("annotate --item p1 -q claim --label no", "bob")
    told = flat(say("status"))
    assert "ana and cleo: annotate: round 1, 4 left" in told
    assert "bob: annotate: round 1, 3 left" in told
    assert "accordant project annotate" in say("status", "bob")
    here = json.loads(say("status -f json", "bob"))
    assert here["step"] == "individual annotation"
    assert here["awaited"]["bob"][0]["n"] == 3


# ---------------------------------------------------------------- annotate


def test_one_annotation_in_every_form(say: Walk) -> None:
    assert "Which project" in say.run("annotate --help").stdout
    aligned(say)
    assert "no round is open" in say.refused("annotate --item p1 --label yes", "bob")
    say("round open")
    assert "which question" in say.refused("annotate --item p1 --label yes", "bob")
    assert "no label 'maybe'" in say.refused("annotate --item p1 -q claim --label maybe", "bob")
    assert "does not ask dora" in say.refused("annotate --item p1 -q claim --label yes", "dora")
    say("annotate --item p1 -q claim --label yes --comment plain", "bob")
    say("annotate --item p1 -q scope --ambiguous 'missing context'", "bob")
    say("annotate --item p2 -q claim --label no", "bob")
    say("annotate --item p3 -q claim --not-applicable 'a title'", "bob")
    say("decline p4 'I wrote it' -q claim", "bob")
    assert "has submitted" in say("submit", "bob")
    for wrong in ("", "x.csv --item p1", "--item p1 --label a --ambiguous b"):
        say.refused(f"annotate {wrong}", "bob")


@pytest.mark.parametrize("name", ["bob.csv", "bob.xlsx"])
def test_a_sheet_there_and_back(say: Walk, name: str) -> None:
    aligned(say)
    say("round open")
    told = say.run(f"annotate --sheet {name}", "bob").stderr
    assert f"annotate {name}" in told
    assert "--force" in say.refused(f"annotate --sheet {name}", "bob")
    Path("full.csv").write_text(
        "item,question,label\n" + "".join(f"p{k},claim,no\n" for k in range(1, 4))
    )
    assert "1 annotation of 4 left" in say("annotate full.csv", "bob")
    shown = say("annotate full.csv --preview", "bob")
    assert "Preview, nothing is written" in shown
    Path("rest.csv").write_text("item,question,label\np4,claim,nein\n")
    assert "no label 'nein'" in say.refused("annotate rest.csv", "bob")
    Path("rest.csv").write_text("item,question,label\np4,claim,no\n")
    assert "bob has submitted round 1" in say("annotate rest.csv --submit", "bob")


def test_nobody_sees_answers_of_an_open_round(say: Walk) -> None:
    aligned(say)
    say("round open")
    say("annotate --item p1 -q claim --label yes", "bob")
    for typed in ("status", "log", "cases", "export r.csv --round 1", "export", "compare"):
        done = say.run(typed, "ana")
        assert "yes" not in done.output.split("Error")[0].replace("anyes", ""), typed
    assert "annotation" in say("log", "bob")


# ---------------------------------------------------------------- cases


def test_lists_of_cases(say: Walk) -> None:
    resolving(say)
    say("case 1 reason 'it is one'", "bob")
    rows = json.loads(say("cases -f json"))
    assert [(row["case"], row["item"], row["state"]) for row in rows] == [
        (1, "p2", "reasons"),
        (2, "p4", "open"),
    ]
    assert [r["case"] for r in json.loads(say("cases --state open -f json"))] == [2]
    assert [r["case"] for r in json.loads(say("cases --waiting-for bob -f json"))] == [2]
    assert "No case is like that" in say("cases --cause c")
    assert "'x'" in say.refused("cases --question x")
    assert say("cases --live -f csv").startswith("case,item,question")


def test_a_case_is_shown_and_acted_on_by_its_number(say: Walk) -> None:
    resolving(say)
    shown = flat(say("case 1", "bob"))
    assert "ana “no”, bob “yes” and cleo “no”" in shown
    assert "accordant project case reason 1 TEXT" in shown
    say(f"case 1-2 reason 'as I read it' {CITED}", "ana")
    assert "no case 9" in say.refused("case 9 reason so", "ana")
    assert "Did you mean 'reason'" in say.refused("case 1 reson", "ana")
    done = say.run("case 1 reason -", "bob", input="a longer text\n")
    assert done.exit_code == 0
    assert json.loads(say("case 1 -f json", "bob"))[0]["reasons"]["bob"]["text"] == (
        "a longer text"
    )


def test_what_is_refused_says_what_helps(say: Walk) -> None:
    resolving(say)
    told = say.refused("case 1 cause d", "ana", code=1)
    assert "Blocked: propose why coders disagree" in told
    assert "no reason in case 1 (p2, claim) → accordant project case reason 1 TEXT" in told
    assert "dora is not a coder or a moderator or a researcher" in say.refused(
        "case 1 cause e", "dora"
    )


def test_suggestions(say: Walk) -> None:
    texts = "item,text\np1,A red fox\np2,A red fox!\np3,Something else\np4,Another text\n"
    aligned(say, TOOLBOX, texts)
    say("round open")
    for coder, labels in {
        "ana": "no yes no no",
        "bob": "no no no no",
        "cleo": "no no no no",
    }.items():
        rows = [f"p{k},claim,{label}" for k, label in enumerate(labels.split(), 1)]
        rows += ["p2,scope,wide"] if coder == "ana" else []
        Path("s.csv").write_text("item,question,label\n" + "\n".join(rows) + "\n")
        say("annotate s.csv --submit", coder)
    say("round close")
    say("go resolution")
    [row] = json.loads(say("suggest -f json"))
    assert (row["coder"], row["label"], row["other"], row["other_label"]) == (
        "ana",
        "yes",
        "p1",
        "no",
    )


# ---------------------------------------------------------------- the toolbox, again, and release


def test_a_change_is_weighed_before_it_is_written(say: Walk) -> None:
    resolving(say)
    for coder in CODERS:
        say(f"case 1 reason 'it is one' {CITED}", coder)
    say("case 1 cause a2 --rule R1 --wording 'a question is never a claim'", "ana")
    say.all(CODERS, "case 1 accept", but="ana")
    say("case 1 return")
    Path("new.toml").write_text(TOOLBOX.replace("is no claim", "is never a claim"))
    change = "guidelines new.toml --change local --reason clearer --case 1 --bears-on claim"
    shown = flat(say(f"{change} --preview"))
    assert "18 annotations asked for again (claim: 12 and scope: 6)" in shown
    assert "1.0.0" in say("guidelines")
    say(change)
    assert "1.1.0" in say("guidelines")
    order = json.loads(say("reannotate -f json"))[0]
    assert (order["order"], order["state"]) == (1, "open")
    assert "no re-annotation 7" in say.refused("reannotate 7")
    say("reannotate 1 --waive 'no other item is one'")
    say.all(CODERS, "sign-off guidelines")
    say("go resolution")
    assert "waived" in say("release --check")


def test_release_and_what_is_given_out(say: Walk) -> None:
    resolving(say)
    assert "no reason is given" in say.refused("release", code=1)
    assert "deprecated" in say("release --check")
    say("case 1-2 leave 'no time'")
    told = say("release --reason 'no time'")
    assert "release 1: deprecated" in told
    assert "left disagreed" in flat(told)
    say("export labels.csv")
    with Path("labels.csv").open(newline="") as file:
        rows = {(row["item"], row["question"]): row for row in csv.DictReader(file)}
    assert rows["p2", "claim"]["provenance"] == "left disagreed"
    assert rows["p2", "claim"]["answers"] == "ana: no; bob: yes; cleo: no"
    assert "--force" in say.refused("export labels.csv")
    say("export now.csv --annotations")
    say("export round.csv --round 1")
    assert "choose one of" in say.refused("export x.csv --round 1 --bundle", code=2)
    assert "Release 1: deprecated" in say("status")
    assert json.loads(say("release --list -f json"))[0]["reason"] == "no time"
    say("report -o r.md")
    assert Path("r.md").read_text().startswith("# ")
    say("go comparison 'once more'")
    assert "accordant project go resolution" in say("status")


def test_previews_of_everything_write_nothing(say: Walk) -> None:
    annotated(say)
    say("round close")
    say("go resolution")
    head = say("verify")
    for typed in (
        "case 1-2 reason 'it is one' --preview",
        "case 1 postpone 'r' --review 2027-03-01 --preview",
        "case 1 leave 'r' --preview",
    ):
        assert say(typed).count("Preview, nothing is written") == 1
    assert say("verify") == head


def test_the_toolbox_is_shown_edited_and_begun_anew(say: Walk) -> None:
    annotated(say)
    assert "claim is yes" in say("task")
    assert "R1 A question is no claim." in flat(say("guidelines"))
    for part in ("task", "guidelines", "concepts"):
        Path(f"{part}.toml").write_text(say(f"{part} --toml"))
    say("round close")
    say("go resolution")
    assert "the project is at “resolution”" in say.refused("guidelines toolbox.toml")
    Path("other.toml").write_text(TOOLBOX.replace("Is there a claim?", "What is claimed?"))
    assert "no reason is given" in say.refused("task other.toml")
    assert "the task is written" in say("task other.toml --reason 'claims are not the point'")
    assert "task 2" in say("status")
    say("guidelines guidelines.toml")
    assert "version 1" in say("concepts concepts.toml") or "in force" in say("concepts")


def test_items_are_dealt(say: Walk) -> None:
    aligned(say)
    say("assign --overlap 2 --seed 5")
    dealt = {row["coder"]: row["n_items"] for row in json.loads(say("assign -f json"))}
    assert sum(dealt.values()) == 8
    say("assign bob --item p1 --item p2")
    assert {r["coder"]: r["n_items"] for r in json.loads(say("assign -f json"))}["bob"] == 2
    assert "cannot go to 4" in say.refused("assign --overlap 4")
    assert "no item is named" in say.refused("assign bob")
