"""Folders, zip archives and gzip files of plain tables."""

from __future__ import annotations

import gzip
import json
import random
import warnings
import zipfile
from pathlib import Path

import pytest

from accordant import InputError, read
from accordant.errors import ReadingWarning

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


# ------------------------------------------------------------------ several files


def batch(
    path: Path, seed: int, first: int = 0, names: str = "anna,ben", noise: float = 0.2
) -> Path:
    """Thirty items with two columns, of which the second mostly says what the first does."""
    d = random.Random(seed)
    true = [d.choice("xyz") for _ in range(30)]
    cells = [[x if d.random() > p else d.choice("xyz") for p in (0.1, noise)] for x in true]
    rows = [f"{first + k},{a},{b}" for k, (a, b) in enumerate(cells)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([f"item,{names}", *rows]))
    return path


def doubts_of(source: object, **options: object) -> tuple[object, list[dict[str, object]]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadingWarning)
        data = read(source, **options)
    return data, [a.options for w in data.reading.warnings for a in getattr(w, "do", ())]


@pytest.mark.parametrize("first", [100, 0])
def test_files_of_more_items_are_one_wide_table(first: int, tmp_path: Path) -> None:
    """Ids go on, or begin anew: then other items have them."""
    paths = [batch(tmp_path / f"batch{k}.csv", k, first * k) for k in (1, 2)]
    data, said = doubts_of(paths)
    assert (data.coders, data.questions, len(data.items), said) == (("anna", "ben"), ("",), 60, [])
    assert read(paths, layout="wide").fingerprint == data.fingerprint
    assert read(paths, layout="files").coders == ("batch1", "batch2")


def test_files_of_a_coder_each_with_two_questions(tmp_path: Path) -> None:
    for name in (
        "anna",
        "ben",
    ):  # who say nearly the same, and one thing has no bearing on the other
        batch(tmp_path / "a" / f"{name}.csv", 5, names="hate,fun", noise=1)
    data, _ = doubts_of(tmp_path / "a")
    assert (data.coders, data.questions) == (("anna", "ben"), ("hate", "fun"))


def test_files_of_the_same_items_whose_columns_agree_too(tmp_path: Path) -> None:
    for k in (1, 2):
        batch(tmp_path / "a" / f"part{k}.csv", 6)
    _, said = doubts_of(tmp_path / "a")
    assert said == [{"layout": "files"}, {"layout": "wide"}]
    again = read(tmp_path / "a", layout="wide", duplicates="keep")
    assert set(again.persons or again.coders) == {"anna", "ben"}


def test_files_that_are_not_alike_are_named_with_their_columns(tmp_path: Path) -> None:
    batch(tmp_path / "a" / "a.csv", 7)
    (tmp_path / "a" / "b.csv").write_text("item,coder,label\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n")
    with pytest.raises(InputError, match=r"a\.csv: 'item', 'anna', 'ben'; b\.csv: 'item', 'coder'"):
        read(tmp_path / "a")


def test_a_table_beside_an_export_is_counted(tmp_path: Path) -> None:
    batch(tmp_path / "a" / "more.csv", 8)
    tasks = [
        {
            "id": i,
            "data": {"text": f"text {i}"},
            "annotations": [
                {
                    "completed_by": k,
                    "result": [
                        {
                            "from_name": "tone",
                            "to_name": "text",
                            "type": "choices",
                            "value": {"choices": ["xy"[(i + k) % 2]]},
                        }
                    ],
                }
                for k in (1, 2)
            ],
        }
        for i in range(4)
    ]
    (tmp_path / "a" / "project.json").write_text(json.dumps(tasks))
    data = read(tmp_path / "a")
    assert (len(data), data.reading.left_out) == (
        8,
        (("tables beside the export ('more.csv')", 1),),
    )
    for source in (tmp_path / "a", [[1, 2], [1, 1]]):
        with pytest.raises(InputError, match="without spans there are no tokens"):
            read(source, layout="tokens")
