"""Answer sheets with a column for each question, out and in again, in each format."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from accordant import Project
from accordant.data.worksheet import read_filled
from cli.projects import TOOLBOX, Walk, aligned

MARK = "(what is asked)"


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder, with a round that is open."""
    walk = Walk.into(tmp_path, monkeypatch)
    aligned(walk, TOOLBOX, "item,text\np1,One.\np2,=2+2\np3,Three.\np4,Four.\n")
    walk("round open")
    return walk


def rows(path: str) -> dict[str, dict[str, str]]:
    return {line.cells["item"]: line.cells for line in read_filled(Path(path)).lines}


def typed(path: str, cells: dict[str, dict[str, str]]) -> None:
    """Fill in a sheet, by item."""
    if path.endswith(".xlsx"):
        book = openpyxl.load_workbook(path)
        page = book.active
        heads = {cell.value: cell.column for cell in page[1]}
        for row in page.iter_rows(min_row=2):
            for name, text in cells.get(str(row[0].value), {}).items():
                page.cell(row[0].row, heads[name], text)
        book.save(path)
        return
    text = Path(path).read_text()
    lines = text.splitlines()
    names = lines[0].split(",")
    for k, line in enumerate(lines):
        item = line.split(",")[0]
        if item in cells:
            have = dict(zip(names, line.split(","), strict=True)) | cells[item]
            lines[k] = ",".join(have[name] for name in names)
    Path(path).write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_there_and_back(say: Walk, suffix: str) -> None:
    name = f"bob{suffix}"
    say(f"annotate --sheet {name} --wide", "bob")
    found = rows(name)
    assert list(found) == [MARK, "p1", "p2", "p3", "p4"]
    assert found["p2"] == {"item": "p2", "text": "=2+2"}
    assert "claim is yes" in found[MARK]["scope"]
    assert "missing context" in found[MARK]["claim"]
    typed(
        name,
        {
            "p1": {"claim": "yes", "scope": "wide"},
            "p2": {"claim": "ambiguous: missing context"},
            "p3": {"claim": "N/A: a table"},
            "p4": {"claim": "No"},
        },
    )
    assert "0 annotations of 5 left" in say(f"annotate {name} --submit", "bob")
    with Project.open("claims.accordant", read_only=True) as project:
        epoch = project.state.epoch
        said = epoch.rounds[-1].sheet["claim"]["bob"]
        assert [str(epoch.answers[said[k]]) for k in range(4)] == [
            "yes",
            "ambiguous",
            "not applicable",
            "no",
        ]
        assert epoch.rounds[-1].sheet["scope"]["bob"].keys() == {0}
    say("annotate --item p4 -q claim --label no --comment 'as before'", "bob")
    say(f"annotate --sheet again{suffix} --wide", "bob")
    again = rows(f"again{suffix}")
    assert again["p2"]["claim"] == "ambiguous: missing context"
    assert again["p3"]["claim"] == "not applicable: a table"
    assert again["p4"]["comment: claim"] == "as before"
    say(f"annotate again{suffix}", "bob")
    say("annotate --sheet long.csv", "bob")
    long = {
        line.cells["item"] + line.cells["question"]: line.cells
        for line in read_filled(Path("long.csv")).lines
    }
    assert long["p2scope"]["asked"].endswith("Only where claim is yes.")
    assert long["p2claim"]["source"] == "missing context"
    assert long["p4claim"]["comment"] == "as before"


@pytest.mark.parametrize(
    "text, says",
    [
        ("item,claim\np1,yess\n", "row 2, column 'claim': there is no label 'yess'"),
        ("item,claim\np1,yes\np1,no\n", "row 3, column 'item'"),
        ('item,text,claim\n\np1,"two\nlines",yes\n,,\n\np2,x,yess\n', "row 6, column 'claim'"),
        ("item,claim,scope\np1,no,wide\n", "asked only where claim"),
        ("item,claim\np9,yes\n", "there is no item 'p9'"),
        ("item,claim\np1,\n", "no row has a label yet"),
        ("text,claim\nOne.,yes\n", "no column is called 'item'"),
        ("item,claim,source: claim\np1,yes,lexical ambiguity\n", "which only 'ambiguous' has"),
        ("item,claim,comment: tone\np1,yes,so\n", "column 'comment: tone'"),
    ],
)
def test_a_wide_sheet_that_is_wrong(say: Walk, text: str, says: str) -> None:
    Path("bob.csv").write_text(text)
    assert says in say.refused("annotate bob.csv", "bob")


def test_a_workbook_reads_well(say: Walk) -> None:
    say("annotate --sheet bob.xlsx --wide", "bob")
    page = openpyxl.load_workbook("bob.xlsx").active
    assert page.freeze_panes == "B2"
    heads = {cell.value: cell for cell in page[1]}
    assert "Only where claim is yes" in heads["scope"].comment.text
    assert heads["claim"].font.bold
    assert page.row_dimensions[2].height > page.row_dimensions[3].height >= 15
    assert page["B3"].alignment.wrap_text
    assert page["B4"].data_type == "s", "no formula"
    offered = {str(d.sqref): d.formula1 for d in page.data_validations.dataValidation}
    assert offered[f"{heads['claim'].column_letter}2:{heads['claim'].column_letter}6"].startswith(
        '"yes,no,ambiguous'
    )


@pytest.mark.parametrize("name", ["score", "label"])
@pytest.mark.parametrize("form", ["", " --wide"])
def test_a_question_may_have_the_name_of_a_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    walk = Walk.into(tmp_path, monkeypatch)
    toolbox = TOOLBOX.replace('"claim"', f'"{name}"').replace("\nclaim =", f"\n{name} =")
    aligned(walk, toolbox, "item,text\np1,One.\n")
    walk("round open")
    walk(f"annotate --sheet bob.xlsx{form}", "bob")
    book = openpyxl.load_workbook("bob.xlsx")
    heads = {cell.value: cell.column for cell in book.active[1]}
    column = heads[name if form else "label"]
    book.active.cell(3 if form else 2, column).value = "no"
    book.save("bob.xlsx")
    assert f"1 annotation of question {name} kept" in walk("annotate bob.xlsx", "bob")
