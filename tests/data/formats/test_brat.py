"""brat: folders and names of coders, texts or none, and everything that is no span."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from accordant import InputError, read
from data.formats.test_webanno_tsv import write


def marks_of(path: Path) -> set[tuple[int, int, str]]:
    found = re.findall(r"^T\d+\t(\S+) (\d+) (\d+)\t", path.read_text(encoding="utf-8"), re.M)
    return {(int(a), int(b), label) for label, a, b in found}


def test_two_annotators_as_an_independent_reader_sees_them(real_data: Any) -> None:
    folders = [real_data(f"samples/brat/annotator_{x}") for x in "AB"]
    data = read(folders)
    assert (data.coders, data.items) == (
        ("annotator_A", "annotator_B"),
        ("data-sample-1", "data-sample-2"),
    )
    assert data.reading.left_out == (("notes", 3),)
    matched = n = 0
    for document in data.items:
        marks = [marks_of(folder / f"{document}.ann") for folder in folders]
        for folder, expected in zip(folders, marks):
            rows = [
                r
                for r in data.spans.to_rows()
                if (r["coder"], r["item"]) == (folder.name, document)
            ]
            assert {(r["start"], r["end"], r["label"]) for r in rows} == expected
            given = next(
                r["label"]
                for r in data.to_rows()
                if (r["coder"], r["item"]) == (folder.name, document)
            )
            assert set(given) == {label for _, _, label in expected}
        matched += len(marks[0] & marks[1])
        n += len(marks[0]) + len(marks[1])
    assert n == 587
    assert ac.span_f1(data).mean() == pytest.approx(2 * matched / n, abs=1e-12)
    files = [f / "data-sample-1.ann" for f in folders]
    assert read(files).coders == ("annotator_A", "annotator_B")


def test_tokens_need_the_texts(real_data: Any) -> None:
    folders = [real_data(f"samples/brat/annotator_{x}") for x in "AB"]
    with pytest.raises(InputError, match=r"text of item 'data-sample-1' is not given"):
        read(folders, layout="tokens")


def test_single_samples_are_of_one_coder(real_data: Any) -> None:
    for name in ("single", "edge_cases"):
        with pytest.raises(InputError, match=r"files seem to be of one coder \('coder'\)"):
            read(real_data(f"samples/brat/{name}"))
        for path in real_data(f"samples/brat/{name}").glob("*.ann"):
            with pytest.raises(InputError, match=r"only one coder was found|no coder's answer"):
                read(path)


ANN = (
    "T1\tName 0 3;8 11\tBob Lee\nT2\tPlace 15 21\tLondon\nT3\tPlace 15 21\tLondon\n"
    "R1\tIn Arg1:T1 Arg2:T2\nE1\tGo:T2 Who:T1\nA1\tSure T1 No\nM1\tNeg T2\nN1\tRef T2 G:1\tLondon\n"
    "*\tEquiv T2 T3\n#1\tAnnotatorNotes T1\tunsure\nwhat"
)
TEXT = "Bob of Lee is in London 😊 now."


def test_everything_that_is_no_span_is_counted(tmp_path: Path) -> None:
    folder = write(tmp_path, {"anna/talk.ann": ANN, "bob/talk.ann": "T1\tPlace 15 21\tLondon"})
    data = read(folder)
    assert dict(data.reading.left_out) == {
        "relations": 2,
        "events, whose triggers are read as spans": 1,
        "attributes of spans": 2,
        "normalisations": 1,
        "notes": 1,
        "lines that are no annotations": 1,
        "gaps in discontinuous spans: their parts are read": 1,
        "spans that a coder marked twice with one label": 1,
    }
    assert [(r["coder"], r["start"], r["end"]) for r in data.spans.to_rows()] == [
        ("anna", 0, 3),
        ("anna", 8, 11),
        ("anna", 15, 21),
        ("bob", 15, 21),
    ]


def test_offsets_are_code_points_of_the_text_as_it_is(tmp_path: Path) -> None:
    text = TEXT.replace(" is", "\r\nis")
    at = text.index("now")
    ann = f"T1\tTime {at} {at + 3}\tnow\n"
    folder = tmp_path / "x"
    write(folder, {"anna/talk.ann": ann, "bob/talk.ann": ""})
    for coder in ("anna", "bob"):
        (folder / coder / "talk.txt").write_bytes(text.encode())
    data = read(folder, layout="tokens")
    tokens = dict(zip(data.items, data.metadata["token"]))
    assert {tokens[r["item"]]: r["label"] for r in data.to_rows() if r["label"] != "O"} == {
        "now": "Time"
    }
    assert (
        "1 file is empty: read as texts in which the coder marked nothing"
        in data.reading.warnings[0]
    )
    outside = write(folder, {"anna/talk.ann": "T1\tTime 900 903\tnow\nT2\tTime 0 3\tBob\n"})
    assert ("spans that end before they begin, or outside of their text", 1) in read(
        outside
    ).reading.left_out


@pytest.mark.parametrize(
    ("files", "coders", "items"),
    [
        (["a_anna.ann", "a_bob.ann", "b_anna.ann", "b_bob.ann"], ("anna", "bob"), ["a", "b"]),
        (["talk_anna.ann", "talk_bob.ann"], ("anna", "bob"), ["talk"]),
        (["user1.ann", "user2.ann"], ("user1", "user2"), ["text"]),
        (["x/anna/a.ann", "x/bob/a.ann", "x/bob/b.ann"], ("anna", "bob"), ["a", "b"]),
        (["a/user1.ann", "a/user2.ann", "b/user1.ann"], ("user1", "user2"), ["a", "b"]),
    ],
)
def test_who_the_coder_is(
    files: list[str], coders: tuple[str, ...], items: list[str], tmp_path: Path
) -> None:
    data = read(write(tmp_path, dict.fromkeys(files, "T1\tPlace 15 21\tLondon\n")))
    assert (data.coders, sorted(data.items)) == (coders, items)


def test_a_curated_folder_is_gold(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {f"{c}/talk.ann": f"T1\t{c} 0 3\tBob\n" for c in ("anna", "bob", "gold")}
    )
    data = read(folder)
    assert (data.coders, data.metadata["gold"]) == (("anna", "bob"), ("gold",))


def test_overlapping_spans_make_sets_of_tokens(tmp_path: Path) -> None:
    ann = {"anna/t.ann": "T1\tA 0 10\tx\nT2\tB 7 10\tx\n", "bob/t.ann": "T1\tA 0 10\tx\n"}
    data = read(write(tmp_path, ann | {"anna/t.txt": TEXT, "bob/t.txt": TEXT}), layout="tokens")
    labels = {(r["coder"], r["item"]): r["label"] for r in data.to_rows()}
    assert labels["anna", "t:3"] == ("A", "B")
    assert labels["bob", "t:3"] == ("A",)
    assert labels["bob", "t:4"] == ()


def test_a_word_in_the_names_of_all_makes_none_of_them_gold(tmp_path: Path) -> None:
    folder = write(tmp_path, {f"final_{c}/talk.ann": "T1\tX 0 3\tBob\n" for c in ("anna", "bob")})
    assert read(folder).coders == ("final_anna", "final_bob")
