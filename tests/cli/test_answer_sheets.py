"""Answer sheets: a row for each item and question, out and in again, in each format."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import accordant as ac
from cli.projects import TOOLBOX, Walk, aligned


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder, with a round that is open."""
    walk = Walk.into(tmp_path, monkeypatch)
    aligned(walk, TOOLBOX, "item,text\np1,One.\np2,=2+2\np3,Three.\np4,Four.\n")
    walk("round open")
    return walk


def fill(path: str, cells: dict[tuple[str, str], dict[str, str]]) -> None:
    """Write into a workbook, by item and question."""
    book = openpyxl.load_workbook(path)
    heads = {cell.value: cell.column for cell in book.active[1]}
    for row in book.active.iter_rows(min_row=2):
        for name, text in cells.get((row[0].value, row[1].value), {}).items():
            book.active.cell(row[0].row, heads[name]).value = text
    book.save(path)


def test_there_and_back(say: Walk) -> None:
    say("annotate --sheet bob.xlsx", "bob")
    filled = {
        ("p1", "claim"): {"label": "yes"},
        ("p1", "scope"): {"label": "wide"},
        ("p2", "claim"): {"label": "ambiguous", "source": "missing context"},
        ("p3", "claim"): {"label": "N/A", "reason": "a table"},
        ("p4", "claim"): {"label": "No", "comment": "as before"},
    }
    fill("bob.xlsx", filled)
    assert "0 annotations of 5 left" in say("annotate bob.xlsx --submit", "bob")
    with ac.Project.open("claims.accordant", read_only=True) as project:
        said = [str(one.answers["claim"]) for one in project.work("bob").items]
        assert said == ["yes", "ambiguous", "not applicable", "no"]
    say("annotate --sheet again.csv", "bob")
    again = Path("again.csv").read_text()
    assert "Only where claim is yes." in again
    assert "missing context" in again
    assert "as before" in again
    say("annotate again.csv", "bob")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,question,label\np1,claim,yess\n", "row 2, column 'label': there is no label 'yess'"),
        ("item,question,label\np1,claim,yes\np1,claim,no\n", "row 3, column 'label'"),
        ("item,question,label\np1,scope,wide\np1,claim,no\n", "asked only after claim"),
        ("item,question,label\np9,claim,yes\n", "no item 'p9'"),
        ("item,question,label\np1,tone,yes\n", "no question 'tone'"),
        ("item,question,label\np1,claim,\n", "no row has a label yet"),
        ("item,label\np1,yes\n", "no column is called 'question'"),
        ("text,label\nOne.,yes\n", "no column is called 'item'"),
        ("item,question,label,confidence\np1,claim,yes,much\n", "row 2"),
    ],
)
def test_a_sheet_that_is_wrong(say: Walk, text: str, says: str) -> None:
    Path("bob.csv").write_text(text)
    assert says in say.refused("annotate bob.csv", "bob")


def test_all_that_is_wrong_is_told_at_once(say: Walk) -> None:
    Path("bob.csv").write_text("item,question,label\np1,claim,yes\np9,claim,yes\np2,claim,maybe\n")
    told = say.refused("annotate bob.csv", "bob")
    assert "2 of 3 cannot be done" in told
    assert "row 3" in told
    assert "row 4" in told


def test_a_workbook_reads_well(say: Walk) -> None:
    say("annotate --sheet bob.xlsx", "bob")
    page = openpyxl.load_workbook("bob.xlsx").active
    assert page.freeze_panes == "C2"
    heads = {cell.value: cell for cell in page[1]}
    assert heads["label"].font.bold
    assert page["C4"].data_type == "s", "no formula"
