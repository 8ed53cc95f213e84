"""What is written is read again as the same annotations, and nothing is half-written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accordant import Annotations, RequestError, read
from accordant.actions import Notice
from accordant.data import sheet
from accordant.data import write as writing
from accordant.data.write import FORMATS, write

SUFFIXES = [*FORMATS]


SCHEMES = st.sampled_from(
    [
        ("yes", "no"),
        ("no", "unsure", "yes"),
        ("über", "a,b", 'say "a"', "two words"),
        (1, 2, 3),
        (0, 1),
        (0, 1, 2, 3, 4, 5),
        ("x", "y"),
        ("A", "B", "C"),
        ("item", "label"),
        ("coder", "text", "sum"),
        ("007", "7", "n/a?"),
        (0.5, 1, 1.5),
    ]
)
CODERS = st.sampled_from(
    [
        ("Ann", "Bob", "Cem"),
        ("A", "B"),
        ("coder 1", "coder 2", "coder 3"),
        ("yes", "no"),
        ("item", "gold"),
        ("1", "2", "3", "4"),
    ]
)


@st.composite
def some_annotations(draw: st.DrawFn) -> Annotations:
    categories, coders = draw(SCHEMES), draw(CODERS)
    questions = draw(st.sampled_from([None, None, ("tone", "size"), ("q1", "q2", "q3")]))
    n = draw(st.integers(2, 12))
    ids = draw(st.sampled_from([range(1, n + 1), [f"t{k}" for k in range(n)]]))
    cell = st.sampled_from([*categories, *categories, *categories, None])
    rows = [
        {"i": i, "c": c, "l": draw(cell)} | ({"q": q} if questions else {})
        for i in ids
        for q in questions or ("",)
        for c in coders
    ]
    told = draw(st.booleans())
    scale = draw(st.sampled_from([None, "ordinal"])) if told else None
    assume(any(r["l"] is not None for r in rows))
    return read(
        rows,
        layout="long",
        item="i",
        coder="c",
        label="l",
        question="q" if questions else None,
        categories=categories if told else None,
        scale=scale,
    )


@given(
    data=some_annotations(),
    suffix=st.sampled_from([".csv", ".tsv", ".jsonl", ".parquet"]),
    layout=st.sampled_from(["long", "wide"]),
)
@settings(max_examples=150)
def test_every_study_survives_or_the_writer_says_how(
    data: Annotations, suffix: str, layout: Any, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("study") / f"data{suffix}"
    lost = write(data, path, layout)
    assert layout == "wide" or not any("cannot hold these" in x for x in lost)
    told = [step.options for x in lost if isinstance(x, Notice) for step in x.do]
    if any("cannot hold these" in x for x in lost):
        return
    again = read(path, **(told[0] if told else {}))
    expected = data if layout == "long" else replace(data, layout=data.answered)
    assert again.fingerprint == expected.fingerprint


def test_what_cannot_be_written(tmp_path: Path) -> None:
    data = read([["a", "b"], ["a", "b"], ["a", "a"]])
    with pytest.raises(RequestError, match=r"the suffix says the format; choose one of \.csv"):
        write(data, tmp_path / "data.doc")
    with pytest.raises(RequestError, match="there is no layout 'tall'"):
        write(data, tmp_path / "data.csv", "tall")
    with pytest.raises(RequestError, match="'table' is not written any more"):
        write(data, tmp_path / "data.csv", "table")
    with pytest.raises(RequestError, match="there is no folder"):
        write(data, tmp_path / "nowhere" / "data.csv")
    assert not list(tmp_path.iterdir())


def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.csv"
    path.write_text("what was there before")

    def fail(cells: Any, to: Path) -> None:
        to.write_text("half")
        raise OSError("disk full")

    monkeypatch.setitem(writing.FORMATS, ".csv", fail)
    with pytest.raises(RequestError, match="disk full"):
        write(read([["a", "b"], ["a", "b"]]), path)
    assert path.read_text() == "what was there before"
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


# ------------------------------------------------------------------ cells that a format may spoil

ODD = [
    "=1+1",
    "+2",
    "'=a",
    "''-b",
    "@c",
    "-x",
    "a\rb",
    "a\nb",
    "a\r\nb",
    '"',
    "a\tb",
    "a;b",
    "a|b",
    "'q",
    "{",
    "[1]",
    "ünï",
    "日本",
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_odd_labels_survive(layout: Any, suffix: str, tmp_path: Path) -> None:
    labels = [x for x in ODD if suffix != ".xlsx" or "\r" not in x]  # XML turns them into \n
    data = read({"item": list(range(len(labels))), "Ann": labels, "Bob": labels[::-1]})
    path = tmp_path / f"data{suffix}"
    assert write(data, path, layout) == ()
    assert read(path).fingerprint == data.fingerprint


@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_no_cell_of_a_delimited_file_is_a_formula(layout: Any, suffix: str, tmp_path: Path) -> None:
    labels = ["=1+1", "@SUM(A1)", "-x", "+x", "-5", "it's", "'q'"]
    data = read([(k, c, x) for k, x in enumerate(labels) for c in ("=Ann", "-Bob")])
    path = tmp_path / f"data{suffix}"
    write(data, path, layout)
    rows = path.read_text().splitlines()
    cells = [c for row in rows for c in row.split("," if suffix == ".csv" else "\t")]
    assert [c for c in cells if c[:1] in tuple("=+-@") and c != "-5"] == []
    assert read(path).fingerprint == data.fingerprint


def test_a_sheet_that_excel_cannot_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.xlsx"
    with pytest.raises(RequestError, match=r"control characters.*write \.csv or \.parquet"):
        write(read({"item": [1, 2], "A": ["a\x01b", "b"], "B": ["b", "b"]}), path)
    monkeypatch.setattr(sheet, "_EXCEL_ROWS", 3)
    with pytest.raises(RequestError, match="an Excel sheet holds 3 rows, these are 5"):
        write(read({"item": [1, 2], "A": ["a", "b"], "B": ["b", "b"]}), path)
    assert not list(tmp_path.iterdir())


def test_what_most_coders_said_goes_back_as_suggestions(tmp_path: Path) -> None:
    said = [{"value": "x", "user_id": u} for u in ("u", "v")]
    records = [{"id": "a", "fields": {"text": "t"}, "suggestions": {}, "responses": {"w": said}}]
    lost = write(read(records), tmp_path / "back.json", "argilla")
    assert any("dataset.records.from_json" in told for told in lost)
    assert json.loads((tmp_path / "back.json").read_text()) == [
        {
            "id": "a",
            "fields": {},
            "suggestions": {"w": {"value": "x", "score": 1.0, "agent": "most coders"}},
        }
    ]
    rows = [
        {"item": i, "coder": c, "text": f"Text {i}", "grade": g, "topics": t}
        for i, c, g, t in [
            ("x", "u", 1, ["a"]),
            ("x", "v", 1, ["a", "b"]),
            ("x", "w", 3, ["a"]),
            ("y", "u", 2, []),
            ("y", "v", 3, ["b"]),
        ]
    ]
    write(read(rows, label=["grade", "topics"]), tmp_path / "new.json", "argilla")
    x, y = json.loads((tmp_path / "new.json").read_text())
    assert x["fields"] == {"text": "Text x"}
    assert x["suggestions"]["grade"] == {"value": 1, "score": 0.6667, "agent": "most coders"}
    assert x["suggestions"]["topics"] == {"value": ["a"], "agent": "most coders"}
    assert y["suggestions"] == {}
