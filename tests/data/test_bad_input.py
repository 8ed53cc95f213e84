"""Each kind of bad input ends in one message: file, row, column, and what to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import AccordantError, InputError, RequestError, read

LONG = "item,coder,label\n1,A,x\n1,B,y\n2,A,x\n2,B,x\n"

# name of the file, content, options, what the message must say
BAD_FILES: dict[str, tuple[str, str | bytes, dict[str, Any], str]] = {
    "empty": ("a.csv", "", {}, r"a\.csv: the file is empty"),
    "blank lines": ("a.csv", "\n \n\n", {}, r"a\.csv: the file is empty"),
    "header only": ("a.csv", "item,coder,label\n", {}, r"a\.csv, row 1: only a header.*'item'"),
    "one coder": (
        "a.csv",
        "item,coder,label\n1,A,x\n2,A,y\n",
        {},
        r"column 'coder': only one coder",
    ),
    "one column": ("a.csv", "label\nx\ny\n", {}, "only one column"),
    "nothing given": ("a.csv", "item,A,B\n1,,\n2,,\n", {}, "no cell holds a label"),
    "unknown column": ("a.csv", LONG, {"coder": "codr"}, "no column 'codr'.*did you mean 'coder'"),
    "too many cells": (
        "a.csv",
        "item,A,B\n1,x,y\n2,x,y,z\n",
        {},
        r"row 3: the row has 4 cells, more",
    ),
    "too few cells": ("a.csv", "item,A,B\n1,x,y\n2,x\n", {}, r"row 3: the row has 2 cells, fewer"),
    "open quote": ("a.csv", 'item,A,B\n1,"x,y\n2,x,y\n', {}, r"row 2: .*quotation mark"),
    "zero bytes": ("a.csv", "item,A,B\n1,x,\0\n", {}, r"row 2: .*zero bytes"),
    "binary": ("a.csv", bytes(range(256)) * 20, {}, "not text"),
    "not a workbook": ("a.xlsx", b"PK\x03\x04 no workbook", {}, r"a\.xlsx: the workbook cannot be"),
    "called xlsx": ("a.xlsx", LONG, {}, r"called \.xlsx but is not one"),
    "damaged parquet": (
        "a.parquet",
        b"PAR1 no more",
        {},
        r"a\.parquet: the Parquet file cannot be",
    ),
    "called parquet": ("a.parquet", LONG, {}, r"called \.parquet but is not one"),
    "old excel": ("a.xls", b"\xd0\xcf\x11\xe0" * 20, {}, r"a\.xls: the workbook cannot be"),
    "broken json line": ("a.jsonl", '{"item": 1}\n{"item": \n', {}, r"row 2: the file is not JSON"),
    "json number": (
        "a.jsonl",
        '{"item": 1}\n7\n',
        {},
        r"row 2: a JSON object .* is needed, this is 7",
    ),
    "broken json": ("a.json", '[{"item": 1},\n{"item"}]', {}, r"row 2: the file is not JSON"),
    "empty json": ("a.json", "[]", {}, "holds no records"),
    "twice": (
        "a.csv",
        LONG + "2,B,y\n",
        {},
        r"row 6.*coder 'B' annotated item '2' twice: 'x' \(row 5\)",
    ),
    "item twice": (
        "a.csv",
        "item,A,B\n1,x,y\n2,x,x\n1,x,x\n",
        {"layout": "wide"},
        r"row 4.*item '1' twice.*row 2",
    ),
    "no item": ("a.csv", LONG + ",A,x\n3,A,x\n", {}, r"row 6, column 'item': .*label but no item"),
    "no coder": ("a.csv", LONG + "3,,x\n", {}, r"row 6, column 'coder': .*label but no coder"),
    "not in scheme": (
        "a.csv",
        LONG,
        {"categories": ["X", "y"]},
        r"row 2, column 'label': label 'x'.*'X'",
    ),
    "no count": (
        "a.csv",
        ",a,b\na,3,x\nb,1,2\n",
        {"layout": "table"},
        r"row 2, column 'b': 'x' is not a",
    ),
    "no sheet": ("a.xlsx", b"", {"sheet": "Ann"}, "there is no sheet 'Ann'.*did you mean 'Anna'"),
    "empty workbook": ("a.xlsx", b"", {}, "the workbook is empty"),
}


def written(folder: Path, name: str, content: str | bytes, options: dict[str, Any]) -> Path:
    path = folder / name
    if name == "a.xlsx" and content == b"":
        import openpyxl

        book = openpyxl.Workbook()
        if options:
            book.active.title = "Anna"
            book.active.append(["item", "A", "B"])
        book.save(path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(case: str, tmp_path: Path) -> None:
    name, content, options, message = BAD_FILES[case]
    path = written(tmp_path, name, content, options)
    with pytest.raises(InputError, match=f"(?s){message}") as caught:
        read(path, **options)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value).replace("\\n", "")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(LONG)
    with pytest.raises(InputError, match=r"no such file; did you mean 'ratings\.csv'"):
        read(tmp_path / "rating.csv")
    with pytest.raises(InputError, match="the folder .* does not exist"):
        read(tmp_path / "nowhere" / "rating.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: no table was found among its 0 files"):
        read(tmp_path / "empty")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(LONG)
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        read(path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: [[1, 2], [1]], "rows differ in length: the first has 2 cells, row 2 has 1"),
        (list, "the list is empty"),
        (dict, "the dict is empty"),
        (lambda: {"a": [1], "b": [1, 2]}, "columns differ in length"),
        (lambda: np.zeros((0, 3)), r"empty: it has shape \(0, 3\)"),
        (lambda: np.zeros((2, 2, 2)), "3 axes"),
        (lambda: 7, "object of type 'int' cannot be read"),
        (lambda: None, "object of type 'NoneType'"),
        (lambda: [("a", "b"), ("a", "b", "c")], "rows differ in length|record 1 has 2 parts"),
        (lambda: [1, 2, 3], "neither dicts nor"),
    ],
)
def test_bad_objects(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(AccordantError, match=message):
        read(make())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "lng"}, "layout: .*not 'lng'; did you mean 'long'"),
        ({"scale": "ordnal"}, "not 'ordnal'; did you mean 'ordinal'"),
        ({"duplicates": "all"}, "duplicates: choose one of 'error', 'first', 'keep'.*not 'all'"),
        ({"scale": {"q": "ordinal"}}, "one question without a name"),
        ({"categories": ["a", "a"]}, "lists categories twice"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        read([["a", "a"], ["a", "a"]], **options)


def test_one_coder_in_memory_is_read_with_a_note() -> None:
    assert any("only one coder" in n for n in read([["a", "b"]]).reading.notes)
    assert any("only one coder" in n for n in read([[1, 2]]).reading.notes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_that_say_what_they_are(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("item,A,B\n1,café,thé\n2,thé,thé\n".encode(encoding))
    assert read(path).values == ("café", "thé")
    assert read(path).coders == ("A", "B")
