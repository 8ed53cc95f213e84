"""`--preview` of whatever changes a project, and the question before a change of the toolbox."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from accordant.cli.project.definitions import definitions
from accordant.cli.project.steps import command
from accordant.resolution.command import COMMANDS
from accordant.resolution.preview import preview_of_cause
from accordant.resolution.project import Project
from cli.projects import CODERS, TOOLBOX, Walk, aligned, annotated

CHANGED = TOOLBOX.replace("is no claim", "is never a claim")
LOCAL = "guidelines new.toml --change local --reason clearer --case 1 --bears-on claim"


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


def returned(say: Walk) -> None:
    """Case 1 waits for the guidelines."""
    annotated(say)
    say("round close")
    say("resolve")
    for coder in CODERS:
        say("case 1 reason 'it is one' --cites 'rule R1'", coder)
    say("case 1 cause a2 --rule R1 --wording 'a question is never a claim'", "ana")
    say.all(CODERS, "case 1 accept", but="ana")
    say("case 1 return")
    Path("new.toml").write_text(CHANGED)


def events() -> int:
    """How many the project of this folder has."""
    [path] = Path().glob("*.accordant")
    with Project.open(path, read_only=True) as project:
        return project.state.seq


def test_every_command_that_changes_something_has_it() -> None:
    for what in COMMANDS.values():
        words = what.words.partition(" --")[0]
        known = command(words).params if words in definitions() else []
        assert words in ("new", "import") or "acting_looks" in {p.name for p in known}, words
    assert "acting_looks" in {p.name for p in command("cases").params}
    assert "acting_looks" not in {p.name for p in command("status").params}


def test_a_sheet_that_is_read_and_several_cases(say: Walk) -> None:
    """What all rows would do, one after another, under one heading; nothing is written."""
    annotated(say)
    say("round close")
    say("resolve")
    several = say("case 1-2 reason 'it is one' --cites 'rule R1' --preview", "ana")
    assert several.count("Preview, nothing is written:") == 1
    assert "2 cases: open → reasons" in several
    say("cases --sheet cases.csv", "ana")
    lines = Path("cases.csv").read_text(encoding="utf-8-sig").splitlines()
    assert "--preview is of a FILE" in say.refused("cases --preview")
    sheet = list(csv.DictReader(lines))
    for row in sheet:
        row |= {"reason": "it is one"}
    with Path("cases.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, sheet[0])
        out.writeheader()
        out.writerows(sheet)
    before = events()
    shown = say("cases cases.csv --preview", "ana")
    assert shown.count("Preview, nothing is written:") == 1
    assert events() == before
    said = say("cases cases.csv", "ana").replace("✓", "·").split()
    assert {*said} <= {*shown.split()}
    assert events() > before
    assert "nothing new" in say("cases cases.csv --preview", "ana")


def test_it_says_the_counts_and_writes_nothing(say: Walk) -> None:
    returned(say)
    before = events()
    with Project.open(next(Path().glob("*.accordant")), read_only=True) as project:
        assert preview_of_cause(project.state, 1, "a2").again == {"claim": 12, "scope": 6}
    shown = say(f"{LOCAL} --preview")
    assert "18 annotations asked for again (claim: 12 and scope: 6)" in shown
    assert events() == before
    assert "no reason is given" in say.refused(
        f"{LOCAL.replace(' --reason clearer', '')} --preview"
    )
    say(LOCAL)
    assert events() > before


@pytest.mark.parametrize("answer", ["y", "n"])
def test_at_a_terminal_a_change_of_the_toolbox_is_asked_for(
    say: Walk, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    returned(say)
    before = events()
    monkeypatch.setattr("accordant.cli.project.actor.at_terminal", lambda: True)
    done = say.run(LOCAL, input=f"{answer}\n")
    assert "18 annotations asked for again" in done.stdout
    assert (done.exit_code == 0) is (answer == "y")
    assert (events() > before) is (answer == "y")


def test_whoever_says_so_is_not_asked(say: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    returned(say)
    monkeypatch.setattr("accordant.cli.project.actor.at_terminal", lambda: True)
    assert "Write it?" not in say(f"{LOCAL} --yes")


def test_a_preview_is_of_one_annotation_or_a_file(say: Walk) -> None:
    annotated(say)
    assert "is of a FILE" in say.refused("annotate --preview", "bob")
    shown = say("annotate --item p1 --question claim --label no --preview", "bob")
    assert "1 annotation of question claim" in " ".join(shown.split())
    assert "nothing is left" not in shown  # of what is kept now
    assert "without --submit" in say.refused("annotate bob.csv --submit --preview", "bob")


def test_a_preview_says_nothing_of_what_did_not_happen(say: Walk) -> None:
    aligned(say)
    say("person eve")
    assert say("acknowledge --sign-off --preview", "eve").count("nothing is written") == 1
    annotated(say)
    assert "not of both" in say.refused("items items.csv --freeze --preview")
    say("round close")
    before = events()
    shown = say("release --reason 'as it is' --preview")
    assert "release 1: comparison only" in shown
    assert "Next:" not in shown
    assert events() == before
