"""Coded segments of MAXQDA; NVivo's coding comparison. The shapes are those of their manuals."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from accordant import InputError, read

HEAD = ["Document group", "Document name", "Code", "Beginning", "End", "Segment", "Created by"]
ROWS = [
    ["Ann", "doc 1", "hope", "1", "2", "a text", "Ann"],
    ["Ann", "doc 1", "fear", "3", "3", "a text", "Ann"],
    ["Bob", "doc 1", "hope", "1", "1", "a text", "Ann"],
    ["Bob", "doc 2", "joy", "1", "1", "a text", "Bob"],
    ["Ann", "doc 2", "", "1", "1", "a text", "Ann"],
]


def text(rows: list[list[str]]) -> str:
    return "\n".join("\t".join(r) for r in [HEAD, *rows]) + "\n"


def test_copies_of_documents_in_groups_are_coders(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [HEAD, *ROWS]:
        book.active.append(row)
    book.save(tmp_path / "segments.xlsx")
    (tmp_path / "segments.txt").write_text(text(ROWS))
    for name in ("segments.xlsx", "segments.txt"):
        data = read(tmp_path / name)
        assert {(r["item"], r["coder"]): set(r["label"]) for r in data.to_rows()} == {
            ("doc 1", "Ann"): {"hope", "fear"},
            ("doc 1", "Bob"): {"hope"},
            ("doc 2", "Bob"): {"joy"},
        }
        assert data.reading.left_out == (("segments without a document, a coder or a code", 1),)


def test_persons_are_coders_where_documents_have_no_copies(tmp_path: Path) -> None:
    path = tmp_path / "segments.txt"
    path.write_text(text([["", *r[1:]] for r in ROWS]))
    assert read(path).coders == ("Ann", "Bob")
    path.write_text(text(ROWS[:2]))
    with pytest.raises(InputError, match="only one coder"):
        read(path)


def test_tokens_need_texts(tmp_path: Path) -> None:
    path = tmp_path / "segments.txt"
    path.write_text(text(ROWS))
    with pytest.raises(InputError, match="without the text of their documents"):
        read(path, layout="tokens")


def test_a_comparison_of_nvivo_is_a_result(tmp_path: Path) -> None:
    path = tmp_path / "comparison.csv"
    path.write_text(
        "Node,Source,Source Size,Kappa,Agreement (%),A and B (%),Not A and Not B (%),"
        "Disagreement (%),A and Not B (%),B and Not A (%)\nhope,doc 1,900 chars,0.5,90,10,80,10,5,5\n"
    )
    with pytest.raises(InputError, match="result of a coding comparison of NVivo"):
        read(path)
