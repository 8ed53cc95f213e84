"""Encodings, decimal commas and words for missing of European spreadsheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant import read
from accordant.data.formats.encodings import encoding_of

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
    assert read(path, encoding=encoding).fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "très bien, à côté, où êtes-vous, c’était déjà ça"),
        ("cp1252", "Das ist ein längerer Satz über Öl und Fußball, „Zitat“"),
        ("cp1252", "el señor José está aquí"),
        ("cp1250", "Zażółć gęślą jaźń, proszę państwa"),
        ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, člověk řekl"),
        ("cp1251", "это очень хорошее предложение о погоде"),
        ("mac_roman", "Das ist ein längerer Satz über Öl und Fußball – été"),
    ],
)
def test_the_code_page_is_the_one_under_which_words_look_like_words(
    encoding: str, text: str
) -> None:
    found, _, _ = encoding_of(text.encode(encoding))
    assert text.encode(encoding).decode(found) == text


def test_doubt_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        "item;coder;label\n1;Ann;ναι\n1;Bob;όχι\n2;Ann;ναι\n2;Bob;ναι\n".encode("cp1253")
    )
    assert any("not UTF-8" in w for w in read(path).reading.warnings)
    assert read(path, encoding="cp1253").values == ("ναι", "όχι")
    assert not read(path, encoding="cp1253").reading.warnings


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_decimal_comma(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "item;Ann;Bob\n1;1,5;2\n2;2,5;2,5\n3;1,5;1,5\n4;2;k.A.\n")
    data = read(path)
    assert data.values == (1.5, 2.0, 2.5)
    assert any("'1,5' have a decimal comma (columns 'Ann', 'Bob')" in n for n in data.reading.notes)
    assert read(path, decimal=",").fingerprint == data.fingerprint
    assert 1.5 not in read(path, decimal=".", separator="").values


def test_codes_of_several_labels_are_no_decimals(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "item;Ann;Bob\na;1,5;2\nb;2;5\nc;1;1,2\nd;2;2,5\n")
    assert all(isinstance(v, tuple | str) for v in read(path).values)
    path = write(tmp_path / "b.csv", 'item,Ann,Bob\na,"1,5",2\nb,2,5\n')
    assert 1.5 not in read(path, separator="").values
    assert 1.5 in read(path, decimal=",").values


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
