"""The pages about the resolution procedure say everything that the code knows."""

from __future__ import annotations

import csv
import re
import sys
import tomllib

import pytest

from accordant.data import examples
from accordant.resolution import steps
from accordant.resolution.causes import CAUSES
from accordant.resolution.chains import Kind
from accordant.resolution.command import COMMANDS
from accordant.resolution.procedure import KINDS
from accordant.resolution.transitions import TRANSITIONS
from accordant.resolution.words import CaseState, CellState, ReleaseStatus, Role, Step
from docs.blocks import ROOT

DOCS = ROOT / "docs"
REMARKS = examples.path("visitors").parent / "remarks"
sys.path.insert(0, str(DOCS / "_ext"))
generated = pytest.importorskip("generated", reason="needs Sphinx (the group docs)")
procedure_page = pytest.importorskip("procedure_page")


def page(name: str) -> str:
    return str(generated.filled((DOCS / name).read_text(encoding="utf-8")))


def test_every_transition_stands_there_with_all_its_guards() -> None:
    text = page("reference/procedure.md")
    for number, row in TRANSITIONS.items():
        (line,) = re.findall(rf"^\| {number} \| .*$", text, re.MULTILINE)
        assert all(procedure_page.GUARDS[guard] in line for guard in row.guards)
        assert all(step.value in line for step in row.targets)
        assert row.release is None or f"*{row.release.value}*" in line


def test_every_guard_in_words_is_one_of_the_table() -> None:
    assert set(procedure_page.GUARDS) == {g for row in TRANSITIONS.values() for g in row.guards}


def test_every_state_cause_role_and_status_is_explained() -> None:
    text = page("reference/procedure.md")
    for words in (CaseState, CellState, Kind, ReleaseStatus, Role, CAUSES):
        for word in words:
            assert f"| **{word}** | " in text
    for step in Step:
        assert step.value in text.partition("## Transitions")[0]


def test_every_event_and_every_step_stands_there() -> None:
    text = page("reference/procedure.md")
    for kind in KINDS:
        assert text.count(f"| `{kind}` | ") == 1
    for name in steps.__all__:
        assert text.count(f"| `{name}` | ") == 1
    assert {getattr(steps, name) for name in steps.__all__} == {c.run for c in COMMANDS.values()}


def test_nothing_of_the_code_is_left_in_what_readers_see() -> None:
    for name in procedure_page.PARTS:
        said = procedure_page.PARTS[name]()
        assert "``" not in said, name
        assert not re.search(r"`\w+\.[a-zA-Z_.]+`", said), name


def test_the_glossary_explains_each_word_once() -> None:
    words = re.findall(r"^\| ([^|]+) \| ", page("reference/glossary.md"), re.MULTILINE)
    explained = [word for word in words if word not in ("here", "---")]
    assert len(explained) >= 60
    assert len(explained) == len(set(explained))


def test_the_study_of_the_tutorial_is_of_one_piece() -> None:
    with (REMARKS / "remarks.csv").open(encoding="utf-8", newline="") as f:
        texts = {row["item"]: row["text"] for row in csv.DictReader(f)}
    sheets = [*REMARKS.glob("*/*.csv"), *(p for p in REMARKS.glob("*.csv") if p.stem != "remarks")]
    assert len(sheets) == 6
    for path in sheets:
        with path.open(encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        assert [row["item"] for row in rows] == list(texts)
        assert all(row.get("text", texts[row["item"]]) == texts[row["item"]] for row in rows)
    before, after = (
        tomllib.loads((REMARKS / name).read_text(encoding="utf-8"))
        for name in ("toolbox.toml", "amended.toml")
    )
    assert after["guidelines"]["options"] == before["guidelines"]["options"]
    assert after["guidelines"]["rule"][:-1] == before["guidelines"]["rule"]
