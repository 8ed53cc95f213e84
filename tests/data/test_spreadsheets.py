"""Workbooks (.xlsx, .xls, .ods) and data files of SPSS and Stata."""

from __future__ import annotations

import contextlib
import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from accordant import InputError, read

ROWS = [["item", "A", "B"], ["t1", "x", "y"], ["t2", "y", "y"], ["t3", 1.0, "x"]]


def workbook(path: Path, rows: list[list[Any]], change: Any = None) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change:
        change(book.active)
    book.save(path)
    return path


def test_a_workbook_is_the_same_in_all_formats(tmp_path: Path) -> None:
    import xlwt  # writes .xls

    frame = pd.DataFrame(ROWS[1:], columns=ROWS[0])
    frame.to_excel(str(tmp_path / "a.ods"), index=False)  # of a Path pandas makes .xlsx
    old = xlwt.Workbook()
    sheet = old.add_sheet("S")
    for i, row in enumerate(ROWS):
        for k, cell in enumerate(row):
            sheet.write(i, k, cell)
    old.save(str(tmp_path / "a.xls"))
    new = read(workbook(tmp_path / "a.xlsx", ROWS))
    assert new.values == ("1", "x", "y")
    for name in ("a.ods", "a.xls"):
        assert read(tmp_path / name).fingerprint == new.fingerprint


def test_merged_cells_are_filled_but_not_a_title(tmp_path: Path) -> None:
    rows = [
        ["A title", None, None],
        ["item", "coder", "label"],
        ["t1", "A", "x"],
        [None, "B", "y"],
        ["t2", "A", "x"],
        [None, "B", "x"],
    ]

    def merge(sheet: Any) -> None:
        for area in ("A1:C1", "A3:A4", "A5:A6"):
            sheet.merge_cells(area)

    path = workbook(tmp_path / "a.xlsx", rows, merge)
    data = read(path)
    found = [(r["item"], r["coder"], r["label"]) for r in data.to_rows()]
    assert found == [("t1", "A", "x"), ("t1", "B", "y"), ("t2", "A", "x"), ("t2", "B", "x")]
    assert any(
        "titles over the whole width of sheet 'Sheet' ('A title')" in n for n in data.reading.notes
    )
    assert any(
        "merged cells (A3:A4, A5:A6): each counts as filled" in n for n in data.reading.notes
    )


def test_a_formula_without_its_value_is_an_error_that_names_the_cell(tmp_path: Path) -> None:
    rows = [*ROWS[:3], ["t3", '=IF(1,"x","y")', "x"]]
    with pytest.raises(InputError, match=r"cell B4 of sheet 'Sheet' hold.*formulas without"):
        read(workbook(tmp_path / "a.xlsx", rows))


def test_hidden_rows_dates_and_errors_are_told(tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        sheet.row_dimensions[3].hidden = True
        sheet["B4"] = datetime.date(2024, 3, 4)
        sheet["C4"] = "#N/A"
        sheet["C4"].data_type = "e"

    data = read(workbook(tmp_path / "a.xlsx", ROWS, change))
    notes = " ".join(data.reading.notes)
    assert "has 1 hidden row, read as the others" in notes
    assert "dates in 1 cell (B4)" in notes
    assert "2024-03-04" in data.values
    assert [r for r in data.to_rows() if (r["item"], r["coder"]) == ("t3", "B")] == []


def test_a_broken_workbook_is_one_error(tmp_path: Path) -> None:
    content = workbook(tmp_path / "a.xlsx", ROWS).read_bytes()
    for k in range(20, len(content), 97):
        for damage in (content[:k], content[:k] + b"\xff" * 40 + content[k + 40 :]):
            (tmp_path / "b.xlsx").write_bytes(damage)
            with contextlib.suppress(InputError):
                read(tmp_path / "b.xlsx")


# ------------------------------------------------------------------ SPSS and Stata


@pytest.mark.parametrize("suffix", ["sav", "zsav", "dta"])
def test_value_labels_are_the_labels_and_ordinal_brings_the_order(
    suffix: str, tmp_path: Path
) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"item": [1, 2, 3], "Ann": [1, 3, 1], "Bob": [1, 3, 3]})
    labels = {n: {1: "low", 2: "middle", 3: "high"} for n in ("Ann", "Bob")}
    path = tmp_path / f"a.{suffix}"
    if suffix == "dta":
        pyreadstat.write_dta(frame, str(path), variable_value_labels=labels)
    else:
        pyreadstat.write_sav(
            frame,
            str(path),
            compress=suffix == "zsav",
            variable_value_labels=labels,
            variable_measure={"Ann": "ordinal", "Bob": "ordinal"},
        )
    data = read(path)
    assert [r["label"] for r in data.to_rows()] == ["low", "low", "high", "high", "low", "high"]
    if suffix != "dta":
        assert (data.schemes[0].categories, data.schemes[0].scale) == (
            ("low", "middle", "high"),
            "ordinal",
        )


def test_partly_labelled_values_stay_numbers(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"item": [1, 2, 3], "Ann": [1, 3, 2], "Bob": [1, 3, 3]})
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), variable_value_labels={"Ann": {1: "low"}})
    assert read(tmp_path / "a.sav").values == (1, 2, 3)


@pytest.mark.parametrize("start", [b"$FL2@(#) SPSS", b"$FL3", b"<stata_dta><header>"])
def test_a_damaged_file_of_a_statistics_program(start: bytes, tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    path = tmp_path / "a.sav"
    path.write_bytes(start)
    with pytest.raises(InputError, match=r"a\.sav: the file of SPSS or Stata cannot be read"):
        read(path)


def test_a_cell_far_from_the_table_is_refused_before_it_takes_all_memory(tmp_path: Path) -> None:
    def far(sheet: Any) -> None:
        sheet["XFD1048576"] = "x"

    with pytest.raises(InputError, match="row 1,048,576 and column XFD.*Delete what lies far"):
        read(workbook(tmp_path / "a.xlsx", ROWS, far))


def test_a_sheet_of_remarks_beside_sheets_of_numbers(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for name in ("Ann", "Bob"):
        sheet = book.create_sheet(name)
        for row in (["item", "tone", "role"], ["t1", 1, 2], ["t2", 2, 2], ["t3", 1, 1]):
            sheet.append(row)
    remarks = book.create_sheet("Remarks")
    for row in (["who", "what", "when"], ["Ann", "easy", 1], ["Bob", "hard", 2]):
        remarks.append(row)
    del book["Sheet"]
    book.save(tmp_path / "a.xlsx")
    data = read(tmp_path / "a.xlsx")
    assert (data.coders, data.questions, len(data)) == (("Ann", "Bob"), ("tone", "role"), 12)
    assert any("sheet 'Remarks' has other columns" in str(n) for n in data.reading.notes)


def test_a_byte_that_ends_the_process_of_the_reader(real_data: Any, tmp_path: Path) -> None:
    content = bytearray((real_data("platform_exports/spss_wide_labels") / "data.sav").read_bytes())
    content[741] = 0x1A
    (tmp_path / "data.sav").write_bytes(content)
    with pytest.raises(InputError, match=r"data\.sav: the file of SPSS or Stata cannot be read"):
        read(tmp_path / "data.sav")
