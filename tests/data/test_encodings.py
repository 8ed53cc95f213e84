"""Encodings, decimal commas and words for missing of European spreadsheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant import read

GERMAN = "item;coder;label\n1;Ann;schön\n1;Bob;häßlich\n2;Ann;schön\n2;Bob;schön\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "mac_roman"]
)
def test_encodings_of_spreadsheets(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(GERMAN.encode(encoding))
    data = read(path)
    assert data.values == ("häßlich", "schön")
    told = [n for n in data.reading.notes if "not UTF-8" in n]
    assert bool(told) == (encoding in ("cp1252", "mac_roman"))
    assert not data.reading.warnings


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_decimal_comma(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "item;Ann;Bob\n1;1,5;2\n2;2,5;2,5\n3;1,5;1,5\n4;2;k.A.\n")
    data = read(path)
    assert data.values == (1.5, 2.0, 2.5)
    assert any("'1,5' have a decimal comma (columns 'Ann', 'Bob')" in n for n in data.reading.notes)


def test_ids_are_no_numbers(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv", "item;coder;score\n1,1;A;0,5\n1,2;A;1,5\n1,1;B;0,5\n1,2;B;0,5\n"
    )
    data = read(path)
    assert (data.items, data.values) == (("1,1", "1,2"), (0.5, 1.5))


@pytest.mark.parametrize("word", ["k.A.", "keine Angabe", "n.a.", "sans objet", "#NV", "#WERT!"])
def test_words_for_missing(word: str) -> None:
    data = read({"item": [1, 2, 3], "A": ["ja", "nein", word], "B": ["ja", "ja", "nein"]})
    assert data.values == ("ja", "nein")
