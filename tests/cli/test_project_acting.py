"""Which project, who acts, what is refused, and what happens when others act at the same time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordant import Project
from accordant.cli.project.foundation import file_name
from accordant.resolution.cases import give_reason
from cli.projects import CODERS, Walk, annotated, resolving


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


# ---------------------------------------------------------------- which project


def test_the_only_project_of_the_folder(say: Walk) -> None:
    assert "there is no project in this folder" in say.refused("status")
    say("new Letters")
    assert Path("letters.accordant").is_file()
    done = say.run("status")
    assert done.stderr == "project: letters.accordant\n"
    say("new Diaries")
    assert "2 projects, diaries.accordant and letters.accordant" in say.refused("status")
    assert "Diaries (diaries.accordant)" in say("status -p diaries.accordant")


def test_the_project_of_the_environment(say: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    say("new Letters -p here.accordant")
    say("new Diaries -p there.accordant")
    monkeypatch.setenv("ACCORDANT_PROJECT", "here.accordant")
    assert "Letters" in say("status")
    assert "Diaries" in say("status -p there.accordant")


def test_a_file_that_is_none(say: Walk) -> None:
    assert "there is no such file" in say.refused("status -p none.accordant")
    Path("text.accordant").write_text("nothing of the kind")
    assert "Error: text.accordant" in say.refused("status")
    say("new Letters -p letters.accordant")
    assert "letters.accordant" in say.refused("new Letters -p letters.accordant")


@pytest.mark.parametrize(
    "title, name", [("Épée!", "epee.accordant"), ("文", "project.accordant"), ("a" * 99, "a" * 60)]
)
def test_a_file_named_after_the_title(title: str, name: str) -> None:
    assert file_name(title).startswith(name)


# ---------------------------------------------------------------- who


def test_who_acts(say: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "who are you? say --as NAME" in say.refused("new Letters", by="")
    say("new Letters")
    say("question 'Who wrote them?'", by="")  # there is only one person
    say("person bob")
    assert "the people of this project are ana and bob" in say.refused("question Why?", by="")
    assert "there is no person 'bop'" in say.refused("status", by="bop")
    assert "'bop' does not take part" in say.refused("question Why?", by="bop")
    assert "bob is not a researcher" in say.refused("question Why?", by="bob")
    monkeypatch.setenv("ACCORDANT_AS", "ana")
    say("question Why?", by="")


def test_who_and_which_may_stand_before_the_step(say: Walk) -> None:
    say("new Letters -p here.accordant")
    say("new Diaries -p there.accordant")
    say("-p here.accordant --as ana question 'Who wrote them?'", by="")
    assert "does not take part" in say.refused("-p here.accordant --as bob question Why?", by="")
    looked = say("--preview -p here.accordant question --purpose 'ground truth'")
    assert looked == say("question --purpose 'ground truth' --preview -p here.accordant")
    assert "ground truth" not in say("log -p here.accordant")
    rows = say("log -p here.accordant -f json")
    assert rows == say("-f json -p here.accordant log") != say("log -p here.accordant")
    assert "no option '-f'" in say.refused("-f json -p here.accordant submit")
    assert json.loads(say("-f json -p here.accordant status"))["step"] == "setup"


def test_who_and_which_may_stand_before_the_case(say: Walk) -> None:
    resolving(say)
    reason = "reason 'only a report' --cites 'rule R1'"
    before = say(f"--as bob case 1 {reason} --preview", by="")
    assert before == say(f"case --as bob --preview 1 {reason}", by="")
    assert before == say(f"case --preview reason 1 {reason[7:]}", by="bob")


def test_anybody_may_look_without_a_name(say: Walk) -> None:
    resolving(say)
    for typed in (
        "status",
        "cases",
        "case 1",
        "log",
        "compare",
        "suggest",
        "export",
        "items",
        "person",
        "reannotate",
        "task",
        "verify",
    ):
        assert say(typed, by="")


# ---------------------------------------------------------------- what is refused


def test_a_refusal_lists_everything_and_writes_nothing(say: Walk) -> None:
    say("new Letters")
    before = say("log -f csv")
    told = say.refused("go task")
    assert told.startswith("project: letters.accordant Blocked: go to “task and guidelines”.")
    assert "accordant project question TEXT --purpose 'ground truth'" in told
    assert say("log -f csv") == before


def test_status_says_what_is_missing_and_who_is_awaited(say: Walk) -> None:
    annotated(say)
    shown = " ".join(say("status").split())
    assert "ana: 4 of 4" in shown
    assert "accordant project round close" in shown
    found = json.loads(say("status -f json"))
    assert found["step"] == "individual annotation"
    assert found["arrows"][0]["command"] == "round close"
    assert "3 individual annotation,here," in say("status -f csv")
    for columns in (80, 120):
        lines = say.run("status --all").stdout.splitlines()
        assert max(map(len, lines)) <= columns


def test_nothing_of_an_open_round_is_shown(say: Walk) -> None:
    annotated(say)
    for typed in ("status", "cases", "log", "log -f json", "export --bundle", "report -o r.md"):
        told = say(typed, "dora")
        assert "conflicting" not in told
    logged = json.loads(say("log -f json --kind annotated", "dora"))
    assert [sorted(entry["body"]) for entry in logged] == [["coder", "n", "question", "round"]] * 3
    assert "round 1 is open" in say.refused("export labels.csv", "dora")
    assert "every event, each" in say("verify", "dora")
    assert "no round has closed" in say.refused("compare", "dora")
    assert "round" in say.refused("export x.csv --round 1", "dora")


# ---------------------------------------------------------------- two at a time


def test_who_comes_second_is_told_and_keeps_the_text(
    say: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob opens the project, ana acts on the same case, bob acts."""
    resolving(say)
    whole = Project.do

    def slow(self: Project, function: Any, by: str, *args: Any, **given: Any) -> Any:
        if by == "bob":
            with Project.open("claims.accordant") as other:
                whole(other, give_reason, "ana", cases=1, text="first", cites=("rule R1",))
        return whole(self, function, by, *args, **given)

    monkeypatch.setattr(Project, "do", slow)
    waits = "case 1 postpone 'a long reason of mine' --review 2027-03-01"
    told = say.refused(waits, "bob")
    assert "somebody acted on the same case 1 before you" in told
    assert "what you wrote, to give it again: a long reason of mine" in told
    monkeypatch.setattr(Project, "do", whole)
    say(waits, "bob")
    assert "ana gave a reason" in say("log")


def test_an_altered_project_is_found_out(say: Walk) -> None:
    import sqlite3

    resolving(say)
    assert "each as it was written" in say("verify")
    head = next(line.split()[1] for line in say("verify").splitlines() if "head" in line)
    say("verify --head " + head)
    assert "0000" in say.refused("verify --head " + "0" * 64)
    file = sqlite3.connect("claims.accordant")
    for (name,) in file.execute("select name from sqlite_master where type = 'trigger'").fetchall():
        file.execute(f"drop trigger {name}")
    file.execute("update event set body = replace(body, 'claimed', 'meant')")
    file.commit()
    file.close()
    told = say.refused("verify")
    assert "event 3" in told


def test_a_text_from_standard_input(say: Walk) -> None:
    resolving(say)
    say("case 1 reason - --cites 'rule R1'", "bob", input="of several\nlines\n")
    assert "of several" in say("case 1", "bob")
    assert CODERS[1] == "bob"
