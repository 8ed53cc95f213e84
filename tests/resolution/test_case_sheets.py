"""Case sheets: what they show to whom, and what each filled cell does when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accordant.data.worksheet import SheetColumn, read_filled, write_blank
from accordant.errors import AccordantError, InputError
from accordant.resolution import steps
from accordant.resolution.acts import ActsRefused, Wrong
from accordant.resolution.case_sheets import EVIDENCE, HELP, OF_ANSWERS, case_columns
from accordant.resolution.command import Refused
from accordant.resolution.project import Project
from accordant.resolution.records import AskedIf, Evidence, Question
from accordant.resolution.sheet_acts import sheet_acts
from accordant.resolution.views import cases
from accordant.resolution.words import CaseState
from resolution.build import MODERATOR, is_its_log, resolving, written_to

THREE = {"Q": {"A1": "010101", "A2": "011100", "A3": "000100"}}
"""Cases 1 (i2: 1, 1, 0), 2 (i3: 0, 1, 0) and 3 (i6: 1, 0, 0)."""
CODERS = ("A1", "A2", "A3")
Cells = dict[str, str]


class Team:
    """A project, and people who fill in sheets of it."""

    def __init__(self, project: Project, folder: Path, suffix: str) -> None:
        self.project, self.folder, self.suffix = project, folder, suffix
        self.n = 0

    def sheet(self, by: str, *present: str) -> tuple[Path, list[Cells]]:
        """Write a sheet; its file and rows."""
        self.n += 1
        path = self.folder / f"{by}{self.n}{self.suffix}"
        state = self.project.state
        write_blank(case_columns(state, by, cases(state, by), present=present), path)
        return path, [line.cells for line in read_filled(path).lines]

    def read(self, path: Path, by: str, *present: str) -> list[Any]:
        """Read a sheet."""
        return self.project.together(sheet_acts(read_filled(path), by, present))

    def fill(self, by: str, *present: str, **rows: Cells) -> Path:
        """A sheet with cells filled in, by the number of the case: c1, c2 …"""
        path, _ = self.sheet(by, *present)
        return fill(path, {name[1:]: cells for name, cells in rows.items()})

    def state(self, case: int) -> CaseState:
        return self.project.state.epoch.cases[case].state


def fill(path: Path, rows: dict[str, Cells]) -> Path:
    """Type into a sheet that was written."""
    if path.suffix == ".csv":
        import csv

        with path.open(newline="", encoding="utf-8") as file:
            listed = list(csv.DictReader(file))
        for row in listed:
            typed = rows.get(row["case"], {})
            row |= {name: f"'{text}" if text[:1] == "=" else text for name, text in typed.items()}
        names = list(dict.fromkeys(name for row in listed for name in row))
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names, delimiter=";")  # as some programs save it
            writer.writeheader()
            writer.writerows(listed)
        return path
    import openpyxl

    book = openpyxl.load_workbook(path)
    page = book.active
    heads = {cell.value: cell.column for cell in page[1]}
    for line in page.iter_rows(min_row=2):
        for name, text in rows.get(str(line[0].value), {}).items():
            heads.setdefault(name, len(heads) + 1)
            page.cell(1, heads[name]).value = name
            cell = page.cell(line[0].row, heads[name])
            cell.value, cell.data_type = text, "s"
    book.save(path)
    return path


@pytest.fixture(params=[".csv", ".xlsx"])
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Team]:
    """Step 5 with three cases, and sheets in each format."""
    here = resolving(THREE, texts=[f"Text {k}, “quoted”;\nover two lines" for k in range(1, 7)])
    with Project.open(written_to(tmp_path / "p.accordant", here)) as project:
        yield Team(project, tmp_path, request.param)
        is_its_log(project)
        assert project.verify() == []


def wrong(call: Callable[[], object]) -> list[Wrong]:
    """What a sheet is refused for; nothing happens."""
    with pytest.raises(ActsRefused) as told:
        call()
    return [*told.value.each]


REASON = {"reason": "so it says", "reason cites": "rule R1"}


def told(text: str) -> Cells:
    return {"reason": text, "reason cites": "R1"}


# ------------------------------------------------------------------ what is shown


def test_a_row_for_each_case(team: Team) -> None:
    _, rows = team.sheet("A1")
    assert [row["case"] for row in rows] == ["1", "2", "3"]
    first = rows[0]
    assert (first["item"], first["question"], first["state"]) == ("i2", "Q", "open")
    assert first["text"] == "Text 2, “quoted”;\nover two lines"
    assert [first[f"answer: {coder}"] for coder in CODERS] == ["1", "1", "0"]
    assert "R1" in first["guidance"]
    assert "concept claim v1" in first["guidance"]
    assert "ambiguous" in first["asked"]
    assert not {*first} & {*OF_ANSWERS, *EVIDENCE, "reason", "consent"}, "empty columns"


def test_only_coders_give_reasons_and_consents(team: Team) -> None:
    names = {one: read_filled(team.sheet(one)[0]).names for one in ("A1", MODERATOR)}
    assert {*names["A1"]} - {*names[MODERATOR]} == {
        "reason",
        "reason cites",
        "remark",
        "consent",
    }
    meeting = read_filled(team.sheet(MODERATOR, MODERATOR, "A1", "A2")[0]).names
    assert [name for name in meeting if ": " in name and not name.startswith("answer")] == [
        "reason: A1",
        "reason cites: A1",
        "remark: A1",
        "reason: A2",
        "reason cites: A2",
        "remark: A2",
        "consent: A1",
        "consent: A2",
    ]


def test_a_remark_is_said_once_and_read_after_ones_own_reason(team: Team) -> None:
    team.read(team.fill("A1", c1=told("irony in line 4")), "A1")
    file = team.fill("A1", c1={"remark": "see the last line"})
    team.read(file, "A1")
    team.read(file, "A1")
    said = [turn.text for turn in team.project.state.epoch.cases[1].thread]
    assert said.count("see the last line") == 1
    assert "see the last line" not in str(team.sheet("A2")[1][0])
    assert "see the last line" in str(team.sheet(MODERATOR)[1][0])


def test_every_column_to_fill_in_is_explained() -> None:
    assert all(HELP[name].strip() for name in (*EVIDENCE, *OF_ANSWERS))
    assert all(len(HELP[name]) > len("Evidence of the cause. ") + 5 for name in EVIDENCE)


def test_others_reasons_and_causes_are_behind_ones_own(team: Team) -> None:
    team.read(team.fill("A1", c1=told("irony in line 4")), "A1")
    cause = {"cause": "a2", "rule": "missing", "wording": "irony is no claim"}
    team.read(team.fill("A1", c1=cause), "A1")
    shown = {person: str(team.sheet(person)[1][0]) for person in ("A1", "A2", MODERATOR)}
    assert "irony" in shown["A1"]
    assert "irony" in shown[MODERATOR]
    assert "irony" not in shown["A2"]
    assert "a2" not in shown["A2"]
    assert "proposal" not in team.sheet("A2")[1][0]
    assert "irony" not in str(team.sheet(MODERATOR, "A1", "A2")[1]), "A2 looks at it, too"
    team.read(team.fill("A2", c1=told("it is meant")), "A2")
    assert "irony is no claim" in str(team.sheet("A2")[1])
    assert "irony is no claim" in str(team.sheet(MODERATOR, "A1", "A2")[1])


# ------------------------------------------------------------------ what cells do


def test_each_in_a_sheet_of_their_own(team: Team) -> None:
    """All write theirs at the same time; reasons and consents do not get into each other's way."""
    sheets = {coder: team.fill(coder, c1=told(f"={coder} says"), c2=REASON) for coder in CODERS}
    for coder, path in sheets.items():
        assert len(team.read(path, coder)) == 2
    assert team.project.state.epoch.cases[1].reasons["A2"].text == "=A2 says"
    assert team.read(sheets["A1"], "A1") == [], "a repeated read does nothing"
    team.read(team.fill("A1", c1={"cause": "d"}, c2={"cause": "D"}), "A1")
    sheets = {
        coder: team.fill(coder, c1={"consent": "yes"}, c2={"consent": "Yes"})
        for coder in ("A2", "A3")
    }
    for coder, path in sheets.items():
        team.read(path, coder)
    assert team.state(1) is team.state(2) is CaseState.ARGUED
    outcome = {"answer": "1", "answer cites": "rule R1; concept claim", "reading": "it is meant"}
    proposing = team.fill("A1", c1=outcome)
    team.read(proposing, "A1")
    refusing = team.fill("A2", c1={"consent": "no: I mean it"})
    team.read(refusing, "A2")
    assert team.project.state.epoch.cases[1].proposals[-1].refusals == {"A2": "I mean it"}
    assert team.read(refusing, "A2") == []
    assert team.read(proposing, "A1") == []
    team.read(team.fill("A1", c1=outcome), "A1")
    for coder in ("A2", "A3"):
        team.read(team.fill(coder, c1={"consent": "yes"}), coder)
    assert team.state(1) is CaseState.AGREED
    assert team.read(proposing, "A1") == []


def test_a_consent_is_to_what_the_sheet_showed(team: Team) -> None:
    for coder in CODERS:
        team.read(team.fill(coder, c1=REASON), coder)
    team.read(team.fill("A1", c1={"cause": "d"}), "A1")
    late = team.fill("A3", c1={"consent": "yes"})
    team.read(team.fill("A2", c1={"consent": "no: the rule is silent"}), "A2")
    silent = {"cause": "a2", "rule": "missing", "wording": "irony is no claim"}
    team.read(team.fill("A2", c1=silent), "A2")
    [one] = wrong(lambda: team.read(late, "A3"))
    assert isinstance(one.error, Refused)
    assert {unmet.guard for unmet in one.error.unmet} == {"proposal_named"}
    assert one.place.endswith("row 2, column 'consent'")


def test_a_refusal_and_what_is_proposed_instead_in_one_row(team: Team) -> None:
    for coder in CODERS:
        team.read(team.fill(coder, c1=REASON), coder)
    team.read(team.fill("A1", c1={"cause": "d"}), "A1")
    new = {"cause": "a2", "rule": "R1", "wording": "irony is no claim"}
    team.read(team.fill("A2", c1=new | {"consent": "no: R1 is silent"}), "A2")
    first, second = team.project.state.epoch.cases[1].assessments
    assert first.refusals == {"A2": "R1 is silent"}
    assert second.evidence == Evidence(rule="R1", wording="irony is no claim")
    assert second.consents == ["A2"]


def test_a_meeting_settles_cases_of_every_kind(team: Team) -> None:
    def said(who: str, **more: str) -> Cells:
        own = {f"reason: {c}": "so" for c in CODERS} | {f"reason cites: {c}": "R1" for c in CODERS}
        return own | {f"consent: {c}": "yes" for c in who.split()} | more

    path = team.fill(
        MODERATOR,
        *CODERS,
        c1=said(
            "A3",
            cause="c",
            coder="A3",
            others="i4",
            same="both ask",
            answer="0",
            **{"corrected item": "i4", "answer cites": "R1"},
        ),
        c2=said("A1 A2 A3", cause="d", answer="0", reading="as A1 says", **{"answer cites": "R1"}),
        c3=said("A1", cause="e", coder="A1", meant="0", answer="0", **{"answer cites": "R1"}),
    )
    events = team.read(path, MODERATOR, *CODERS)
    assert [events[0].kind, events[-1].kind] == ["meeting begun", "meeting ended"]
    assert team.state(2) is team.state(3) is CaseState.AGREED
    assert team.state(1) is not CaseState.AGREED, "the other item was corrected"
    assert team.read(path, MODERATOR, *CODERS) == [], "not even a meeting"
    kinds = {"reason given", "cause accepted", "outcome accepted", "rescored"}
    for record in team.project.records():
        if record.seq > 25 and record.kind in kinds:
            assert record.actor in CODERS
    with pytest.raises(ActsRefused):
        team.read(path, MODERATOR)  # it belongs to people who are not said to be there


def test_nobody_gets_round_a_guard(team: Team) -> None:
    path = team.fill("A1", c1={"cause": "d"}, c2={"consent": "yes"}, c3={"answer": "1"})
    found = {
        one.place.rpartition("row ")[2]: one.error for one in wrong(lambda: team.read(path, "A1"))
    }
    assert list(found) == ["2, column 'cause'", "3, column 'consent'", "4, column 'answer'"]
    guards = {u.guard for e in found.values() if isinstance(e, Refused) for u in e.unmet}
    assert {"own_reason", "reason_per_annotator", "citation", "reading", "case_state"} <= guards


@pytest.mark.parametrize(
    "cells, column, says",
    [
        ({"consent": "maybe"}, "consent", "neither"),
        ({"rule": "R1"}, "rule", "no cause"),
        ({"reading": "so"}, "reading", "no answer"),
        ({"reason cites": "R1"}, "reason cites", "no reason"),
        ({"reason": "x", "reason cites": "rule R9"}, "reason cites", "R9"),
        ({"answer": "7"}, "answer", "no label '7'"),
        ({"cause": "z"}, "cause", "no cause 'z'"),
        ({"cause": "a1-task", "construals": "I meant it"}, "construals", "A1, A2, A3"),
        ({"consnet": "yes"}, "consnet", "did you mean 'consent'"),
        ({"consent: A2": "yes"}, "consent: A2", "read as A1"),
        ({"item": "i5", "reason": "x"}, "item", "another project"),
        ({"version": "", "reason": "x"}, "version", "no version"),
    ],
)
def test_a_cell_that_says_nothing(team: Team, cells: Cells, column: str, says: str) -> None:
    """Every cell that is wrong is told with its place; nothing of the sheet is done."""
    path = team.fill("A1", c2=REASON, c3=cells)
    [one] = wrong(lambda: team.read(path, "A1"))
    assert f"row 4, column {column!r}" in str(one)
    assert says in str(one)
    assert not team.project.state.epoch.cases[2].reasons


def test_a_row_that_is_stale_is_refused_by_name(team: Team) -> None:
    for coder in CODERS:
        team.read(team.fill(coder, c1=REASON, c2=REASON), coder)
    path = team.fill("A1", c1={"cause": "d"}, c2={"cause": "d"})
    team.project.do(steps.give_reason, "A3", case=2, text="I have thought again", cites=["R1"])
    [one] = wrong(lambda: team.read(path, "A1"))
    assert "moved on" in str(one)
    assert "i3" in str(one)
    assert team.state(1) is CaseState.REASONS
    assert len(team.read(team.fill("A1", c1={"cause": "d"}), "A1")) == 2


def test_others_first_reasons_make_no_row_stale(team: Team) -> None:
    """Sheets that were written at the same time: only what could have been read matters."""
    cause = REASON | {"cause": "a2", "rule": "R1", "wording": "so"}
    first, second, third = (
        team.fill(coder, c1=cause, c2=cause if coder != "A1" else REASON) for coder in CODERS
    )
    fewer = team.fill("A2", c1=REASON, c2=cause)
    team.read(first, "A1")
    assert ["moved on" in str(one) for one in wrong(lambda: team.read(second, "A2"))] == [True]
    assert [event.kind for event in team.read(fewer, "A2")] == [
        "reason given",
        "reason given",
        "cause proposed",
        "cause accepted",
    ]
    assert team.read(first, "A1") == []
    assert len(wrong(lambda: team.read(third, "A3"))) == 2  # both have a cause by now


@pytest.mark.parametrize("change", ["capital letters", "another column"])
def test_what_spreadsheets_and_people_do_to_headings(team: Team, change: str) -> None:
    path = team.fill("A1", c1=REASON, c2=REASON, c3=REASON).with_suffix(".csv")
    rows = [[*line.cells.items()] for line in read_filled(team.fill("A1", c1=REASON)).lines]
    names = list(dict.fromkeys(name for row in rows for name, _ in row))
    columns = {n: [dict(row).get(n, "") for row in rows] for n in names}
    if change == "another column":
        columns["mine"] = ["?"] * len(rows)
    write_blank([SheetColumn(n.upper(), cells) for n, cells in columns.items()], path)
    if change == "another column":
        [one] = wrong(lambda: team.read(path, "A1"))
        assert "row 2, column 'MINE'" in str(one)
    else:
        assert [event.kind for event in team.read(path, "A1")] == ["reason given"]


def test_a_sheet_that_is_none(team: Team, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,label\ni1,1\n")
    with pytest.raises(InputError, match="'case'"):
        team.read(path, "A1")
    path.write_text("case,version,item,question,reason\n9,1,i1,Q,so\n1,1,i2,Q,a\n1,1,i2,Q,b\n")
    places = [one.place for one in wrong(lambda: team.read(path, "A1"))]
    assert places == ["x.csv, row 2", "x.csv, row 4"]
    path.write_text("case,version,reason\n1,1,a,b\n")
    with pytest.raises(InputError, match="without a name"):
        team.read(path, "A1")


def test_a_correction_asks_what_depends_on_it(tmp_path: Path) -> None:
    """A later row of the same sheet may answer to what an earlier one has done."""
    questions = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("1",))))
    here = resolving(
        {"P": {"A1": "10", "A2": "00"}, "C": {"A1": ["0", ""], "A2": ["", ""]}},
        questions=questions,
    )
    with Project.open(written_to(tmp_path / "p.accordant", here)) as project:
        team = Team(project, tmp_path, ".csv")
        row = told("a slip") | {"cause": "e", "coder": "A1", "meant": "0", "answer": "0"}
        events = team.read(team.fill("A1", c1=row | {"answer cites": "R1"}), "A1")
        assert "case agreed" in [event.kind for event in events]
        is_its_log(project)


def test_the_sheet_of_somebody_unknown(team: Team) -> None:
    with pytest.raises(AccordantError):
        team.sheet("nobody")
