"""A column of coders under any name is known by its cells: each value once per item."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant import read

LABELS = ["pro", "con", "pro", "pro", "con", "con", "pro", "con"]


def write(folder: Path, header: str) -> Path:
    rows = [
        f"t{i},Remark number {i} about the town.,{coder},{label if coder != 'Bob' else 'pro'}"
        for i, label in enumerate(LABELS)
        for coder in ("Ann", "Bob", "Cleo")
    ]
    path = folder / "remarks.csv"
    path.write_text("\n".join([header, *rows]))
    return path


@pytest.mark.parametrize("header", ["doc,text,wer,was", "ID,text,Kodiert,Etiquette"])
def test_the_coders_are_found(tmp_path: Path, header: str) -> None:
    data = read(write(tmp_path, header))
    assert data.coders == ("Ann", "Bob", "Cleo")
    assert data.questions == ("",)
    assert any("names the coders" in note for note in data.reading.notes)


def test_labels_that_repeat_in_an_item_are_no_coders(tmp_path: Path) -> None:
    path = write(tmp_path, "doc,text,first,second")
    text = path.read_text().replace(",Bob,", ",Ann,")
    path.write_text(text)
    assert read(path).anonymous
