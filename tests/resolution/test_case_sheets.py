"""Cases settled in a spreadsheet: one act a row, all of them or none."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import openpyxl
import pytest

from cli.projects import Walk
from resolution.team import Team, resolving

Cells = dict[str, dict[str, str]]
"""Case → column → what is typed."""


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    Walk.into(tmp_path, monkeypatch)
    return resolving(tmp_path)


def fill(path: str, cells: Cells) -> None:
    """Type into a sheet that was written."""
    if path.endswith(".xlsx"):
        book = openpyxl.load_workbook(path)
        page = book.active
        heads = {cell.value: cell.column for cell in page[1]}
        for row in page.iter_rows(min_row=2):
            for name, text in cells.get(str(row[0].value), {}).items():
                page.cell(row[0].row, heads[name], text)
        book.save(path)
        return
    with Path(path).open(newline="") as file:
        rows = [row | cells.get(row["case"], {}) for row in csv.DictReader(file)]
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def written(by: str, path: str = "c.csv") -> str:
    Walk()(f"cases --live --sheet {path} --force", by)
    return path


def done(by: str, cells: Cells, path: str = "c.csv") -> str:
    """A new sheet, filled in and read back."""
    fill(written(by, path), cells)
    return Walk()(f"cases {path}", by)


@pytest.mark.parametrize("path", ["c.csv", "c.xlsx"])
def test_from_reasons_to_agreement(team: Team, path: str) -> None:
    for coder in team.coders:
        cells = {n: {"reason": f"so says {coder}", "cites": "rule R1"} for n in "12"}
        done(coder, cells, path)
    cause = {"cause": "e", "coder": "A2", "meant": "0"}
    done("A1", {"1": {"cause": "d"}, "2": cause}, path)
    sheet = written("A2", path)
    fill(sheet, {"1": {"consent: A2": "yes", "consent: A3": "no: R1 is clear"}})
    Walk()(f"cases {sheet}", "A2")
    assert "refuses" in Walk()(f"cases {sheet}", "A3"), "each reads their own column"
    assert (team.state(1), team.state(2)) == ("reasons", "cause proposed")
    team.cause("d")
    for coder in team.coders:
        done(coder, {"1": {f"consent: {coder}": "yes"}}, path)
    done("A1", {"1": {"answer": "1", "reading": "as it says", "cites": "rule R1"}}, path)
    for coder in ("A2", "A3"):
        done(coder, {"1": {f"consent: {coder}": "yes"}}, path)
    assert team.state(1) == "agreed"


def test_all_rows_or_none(team: Team) -> None:
    fill(written("A1"), {"1": {"reason": "so"}, "2": {"reason": "so", "cites": "rule R9"}})
    assert "c.csv, row 3" in Walk().refused("cases c.csv", "A1")
    assert not team.case(1, "A1").reasons
    fill("c.csv", {"2": {"cites": ""}})
    assert "gave a reason" in Walk()("cases c.csv --preview", "A1")
    assert not team.case(1, "A1").reasons
    Walk()("cases c.csv", "A1")
    assert "nothing" not in Walk()("cases c.csv", "A1"), "a reason may be given again"


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"reason": "so", "cause": "d"}, "one act a row"),
        ({"meant": "1"}, "one act a row"),
        ({"consent: A1": "perhaps"}, "neither “yes” nor “no: REASON”"),
        ({"consent: A1": "yes"}, "nothing was proposed"),
        ({"item": "i9", "reason": "so"}, "is not about i9"),
        ({"version": "", "reason": "so"}, "leave the version"),
    ],
)
def test_what_cannot_be_done_has_a_place(team: Team, cells: dict[str, str], says: str) -> None:
    fill(written("A1"), {"1": cells})
    told = Walk().refused("cases c.csv", "A1")
    assert "row 2" in told
    assert says in told


def test_a_case_that_has_moved_on(team: Team) -> None:
    team.reasons()
    written("A1")
    team.cause("d", by="A2")
    fill("c.csv", {"1": {"cause": "a2", "rule": "missing", "wording": "w"}})
    assert "row 2" in Walk().refused("cases c.csv", "A1")


def test_a_sheet_shows_no_reason_before_ones_own(team: Team) -> None:
    team.do("case reason", "A1", cases=1, text="a secret")
    assert "a secret" not in Path(written("A2")).read_text()
    assert "a secret" in Path(written("A1")).read_text()


def test_a_sheet_of_a_copy_consents_to_nothing_here(team: Team) -> None:
    """Consents name what was shown: the same number with another content is none."""
    team.accepted("d").project.close()
    shutil.copy("p.accordant", "copy.accordant")
    say = Walk()
    say("case outcome 1 0 --cites 'rule R1' --text t -p copy.accordant", "A1")
    say("cases --live --sheet c.csv -p copy.accordant", "A2")
    fill("c.csv", {"1": {"consent: A2": "yes"}})
    say("case outcome 1 1 --cites 'rule R1' --text t -p p.accordant", "A1")
    assert "is not what was shown: “1”, by A1" in say.refused("cases c.csv -p p.accordant", "A2")
    assert "A2 accepts" in say("cases c.csv -p copy.accordant", "A2")
