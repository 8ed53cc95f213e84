"""Slips that would otherwise be read as something else, each answered in one sentence."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.errors import AccordantError, InputError

LONG = "item,coder,label\n1,A,x\n1,B,y\n2,A,x\n2,B,x\n"
WIDE = "item,Ann,Bob\n1,x,y\n2,x,x\n3,y,y\n"
COUNTS = {"layout": "counts"}

# content, options, what the message must say
SLIPS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a coder's column": (
        WIDE,
        {"coder": "Ann"},
        r"'Ann' was given .* holds labels such as 'x', as 'Bob' does.*coder=\['Ann', 'Bob'\]",
    ),
    "long, but wide": (
        WIDE,
        {"layout": "long"},
        "every item has one annotation: there is nothing to compare",
    ),
    "files, but one": (WIDE, {"layout": "files"}, "layout 'files' needs several files or sheets"),
    "array, but a file": (
        WIDE,
        {"layout": "array"},
        "layout 'array' needs an array or nested lists",
    ),
    "counts, but labels": (WIDE, COUNTS, "counts needs a column of whole numbers.*'Ann', 'Bob'"),
    "counts below zero": (
        "item,x,y\n1,-1,2\n2,1,0\n",
        COUNTS,
        "row 2, column 'x': '-1' is not a count",
    ),
    "counts in parts": (
        "item,x,y\n1,1,2\n2,0.5,0\n",
        COUNTS,
        "row 3, column 'x': '0.5' is not a count",
    ),
    "counts twice": (
        "item,x,y\n1,1,2\n2,1,0\n1,1,0\n",
        COUNTS,
        "row 4, column 'item': item '1' has a second row",
    ),
    "counts without an item": (
        "item,x,y\n1,1,2\n2,1,0\n,2,2\n",
        COUNTS,
        "row 4, column 'item': the row names no item",
    ),
    "a table of other labels": (
        ",x,y\na,1,2\nb,1,0\n",
        {"layout": "table"},
        r"rows \('a', 'b'\) and its columns \('x', 'y'\) have no label in common",
    ),
    "a wide row twice": (
        WIDE + "1,x,x\n",
        {},
        "row 5, column 'B.*': coder 'B.*' annotated item '1' twice",
    ),
    "almost a status": (
        LONG,
        {"blank": "misssing"},
        "blank: choose one of .*'misssing'.*did you mean 'missing'",
    ),
    "a sheet of a text": (LONG, {"sheet": "Ann"}, r"sheet: 'a\.csv' is no workbook"),
    "two delimiters": (LONG, {"delimiter": ";;"}, "delimiter: give the one character"),
    "a quote as delimiter": (LONG, {"delimiter": '"'}, "give the one character"),
    "another delimiter": (
        LONG,
        {"delimiter": ";"},
        "with the delimiter ';' a row is one cell, 'item,coder,label'",
    ),
    "a cell too few": (
        "item,A,B\n1,x,y\n2,x\n",
        {},
        "row 3: .* An empty cell needs its delimiter too",
    ),
    "categories in a text": (LONG, {"categories": "x, y"}, r"Try: categories=\['x', 'y'\]"),
    "categories of a question in a text": (LONG, {"categories": {"": "x,y"}}, "give a list"),
    "no label at all": (LONG, {"max_labels": 0}, "max_labels: 1 or more"),
    "all missing": (LONG, {"missing": ["x", "y"]}, "blank or means missing"),
}


@pytest.mark.parametrize("case", SLIPS)
def test_slips(case: str, tmp_path: Path) -> None:
    content, options, message = SLIPS[case]
    path = tmp_path / "a.csv"
    path.write_text(content)
    with pytest.raises(AccordantError, match=message) as caught:
        read(path, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"%PDF-1.4\n%\xe2\xe3", "this is a PDF; copy its table"),
        (b"\x89PNG\r\n\x1a\n\0\0", "this is a picture"),
        (b"\x1f\x8b\x08\0\0\0", "the compressed file is damaged"),
        (b"SQLite format 3\0", "a database; export its table as CSV"),
        (b"<!DOCTYPE html><html></html>", "a web page.*Save its table as CSV"),
        (b"$FL2@(#) SPSS", "file of SPSS or Stata cannot be read"),
    ],
)
def test_files_of_other_kinds(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read(path)


def test_a_document_is_no_workbook(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    with pytest.raises(InputError, match="a Word document; copy its table"):
        read(path)


def test_labels_that_are_objects_are_refused() -> None:
    rows = [{"item": 1, "coder": c, "label": [{"choice": c}]} for c in "AB"]
    with pytest.raises(
        InputError, match=r"column 'label': the cells are JSON, such as '\[\{\"choice"
    ):
        read(rows)


# ------------------------------------------------------------------ several files


def test_the_same_file_twice(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    path.write_text("item,label\n1,x\n2,y\n")
    with pytest.raises(InputError, match=r"ann\.csv: the file is given twice"):
        read([path, tmp_path / "." / "ann.csv"])


def test_files_of_one_name_belong_to_the_coders_of_their_folders(tmp_path: Path) -> None:
    paths = []
    for name, label in (("ann", "x"), ("bob", "y")):
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "round1.csv")
        paths[-1].write_text(f"item,label\n1,x\n2,{label}\n")
    assert read(paths).coders == ("ann", "bob")
    again = [p.rename(p.with_name(f"{p.stem}{k}.csv")) for k, p in enumerate(paths)]
    assert read(again).coders == ("round10", "round11")


# ------------------------------------------------------------------ read, but told


def test_coders_who_share_no_item_are_warned_of(tmp_path: Path) -> None:
    for name, first in (("ann", 1), ("bob", 7)):
        (tmp_path / f"{name}.csv").write_text(f"item,label\n{first},x\n{first + 1},y\n")
    data = read([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert "no item has annotations by two coders" in data.reading.warnings[0]
    assert not read({"item": [1, 2], "A": ["x", None], "B": ["y", "x"]}).reading.warnings


def test_rows_without_an_item_below_the_data_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(WIDE + ",2,1\n,checked,\n")
    data = read(path)
    assert len(data) == 6
    assert "left out: the last 2 rows name no item (a.csv, from row 5)" in data.reading.notes


# ------------------------------------------------------------------ JSON written by column


@pytest.mark.parametrize("by_number", [False, True])
@pytest.mark.parametrize("indent", [None, 1])
def test_json_written_by_column(by_number: bool, indent: int | None, tmp_path: Path) -> None:
    columns = {"item": [1, 2, 3], "Ann": ["x", "y", "x"], "Bob": ["x", "x", "y"]}
    content = {n: {str(k): x for k, x in enumerate(c)} for n, c in columns.items()}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content if by_number else columns, indent=indent))
    assert read(path).fingerprint == read(columns).fingerprint
