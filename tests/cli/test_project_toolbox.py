"""The toolbox on the command line: shown, edited, written anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant.resolution.importing.toolbox_file import read_concepts, read_guidelines, read_task
from cli.projects import CODERS, TOOLBOX, Walk, aligned, annotated


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


# ---------------------------------------------------------------- on the command line


def test_templates_are_what_can_be_read(say: Walk) -> None:
    text = "".join(say(f"{part} --template", "") for part in ("task", "guidelines", "concepts"))
    Path("all.toml").write_text(text)
    assert len(read_task(Path("all.toml")).questions) == 2
    assert say.refused("task all.toml").startswith("Error: there is no project in this folder")


def test_what_is_in_force_is_shown_and_can_be_edited(say: Walk) -> None:
    aligned(say)
    assert "claim is yes" in say("task")
    shown = say("guidelines")
    assert "R1 A question is no claim." in " ".join(shown.split())
    assert "Read by ana, bob and cleo" in shown
    assert "Signed by ana, bob and cleo" in say("concepts")
    for part in ("task", "guidelines", "concepts"):
        Path(f"{part}.toml").write_text(say(f"{part} --toml"))
    assert read_task(Path("task.toml")) == read_task(Path("toolbox.toml"))
    assert read_guidelines(Path("guidelines.toml")) == read_guidelines(Path("toolbox.toml"))
    assert read_concepts(Path("concepts.toml")) == read_concepts(Path("toolbox.toml"))
    assert "in force as it is" in say("concepts concepts.toml")
    Path("one.toml").write_text(TOOLBOX.replace("could be false", "may be false"))
    assert "version 2" in say("concepts one.toml --reason better")
    assert "awaited: ana, bob and cleo" in say("concepts")
    assert "there is no concept 'clam'" in say.refused("concepts one.toml --only clam")


def test_new_versions_once_annotations_exist(say: Walk) -> None:
    annotated(say)
    say("round close")
    say("resolve")
    assert "the project is at “resolution”" in say.refused("guidelines toolbox.toml")
    other = TOOLBOX.replace("Is there a claim?", "What is claimed?")
    Path("other.toml").write_text(other)
    assert "no reason is given" in say.refused("task other.toml")
    told = say("task other.toml --reason 'claims are not the point'")
    assert "the task is written" in told
    assert "epoch 2" in say("status")
    assert say("cases --earlier").count("closed") >= 2


def test_an_editorial_change_is_confirmed_by_a_coder(say: Walk) -> None:
    annotated(say)
    say("round close")
    say("resolve")
    for coder in CODERS:
        say("case 1 reason 'it is one' --cites 'rule R1'", coder)
    say("case 1 cause a2 --rule R1 --wording 'a question is never a claim'", "ana")
    say.all(CODERS, "case 1 accept", but="ana")
    say("case 1 return")
    Path("new.toml").write_text(TOOLBOX.replace("is no claim", "is never a claim"))
    assert "1.0.1" in say("guidelines new.toml --change editorial --reason clearer --case 1")
    say.all(CODERS, "acknowledge")
    assert "accordant project confirm" in say.refused("go resolution")
    assert "confirms that guidelines 1.0.1" in say("confirm", "bob")
    assert "“no” and “never”" in say.refused("go resolution")  # each confirms that
    say.all(("ana", "cleo"), "confirm")
    say("go resolution")
    outcome = "case 1 outcome yes --cites 'rule R1' --text 'the wording is clear now'"
    assert "called editorial" in " ".join(say.refused(outcome, "ana").split())
    say("case 1 return 'the rule says something else now'")


def test_items_are_dealt(say: Walk) -> None:
    aligned(say)
    told = say("assign --overlap 2 --quota ana=2 --seed 5")
    assert "ana 2, bob 3 and cleo 3" in " ".join(told.split())
    assert "share the fewest" in told
    assert "is no number" in say.refused("assign --quota ana=x")
    assert "cannot go to 4" in say.refused("assign --overlap 4")
    assert "not both" in say.refused("assign bob --overlap 2")
