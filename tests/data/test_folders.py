"""Folders, zip archives and gzip files of plain tables."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from accordant import InputError, read

ANN = "item,label\n1,x\n2,y\n3,x\n"
BOB = "item,label\n1,x\n2,x\n3,x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "study"
    home.mkdir()
    for name, text in (("ann.csv", ANN), ("bob.csv", BOB), ("README.md", "# Study"), (".x", "")):
        (home / name).write_text(text)
    return home


def test_a_folder_and_an_archive_are_their_files(folder: Path, tmp_path: Path) -> None:
    data = read([folder / "ann.csv", folder / "bob.csv"])
    inside = read(folder)
    assert (inside.coders, inside.fingerprint) == (("ann", "bob"), data.fingerprint)
    assert inside.reading.left_out == (("files that are no tables", 1),)
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"study/{file.name}")
    assert read(path).fingerprint == data.fingerprint


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ann/labels.csv", ANN)
        archive.writestr("bob/labels.csv", BOB)
        archive.writestr("../out.csv", BOB)  # not read
    assert read(path).coders == ("ann", "bob")
    assert not (tmp_path.parent / "out.csv").exists()


def test_a_compressed_file_is_its_content(tmp_path: Path) -> None:
    text = "item,coder,label\n1,A,x\n1,B,x\n2,A,x\n2,B,y\n"
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert read(tmp_path / "a.csv.gz").fingerprint == read(tmp_path / "a.csv").fingerprint
    packed = (tmp_path / "a.csv.gz").read_bytes()
    (tmp_path / "b.csv.gz").write_bytes(packed[:-9])
    with pytest.raises(InputError, match=r"b\.csv\.gz: the compressed file is damaged"):
        read(tmp_path / "b.csv.gz")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a" * (64 << 20)))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"a" * (64 << 20))
    for name, message in (("a.csv.gz", "unpacks to more"), ("a.zip", "unpacks to 67 MB in 1 file")):
        with pytest.raises(InputError, match=message):
            read(tmp_path / name)


def test_without_a_table_it_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.md").write_text("x")
    with pytest.raises(InputError, match=r"no table was found among its 1 files \('notes.md'\)"):
        read(tmp_path / "a")
