"""Sets of labels survive every format and layout, or the writer says what to say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant import read
from accordant.actions import Notice
from accordant.data import write as writing
from accordant.data.annotations import Annotations
from accordant.data.write import FORMATS, write
from accordant.errors import RequestError

SUFFIXES = [s for s in FORMATS if s != ".txt"]
SETS = [[("a",), ("b", "a"), (), ("c",)], [("a",), ("b",), None, ("a", "b")]]


def studies() -> dict[str, Annotations]:
    rows = [
        (i, q, c, x)
        for i in "pqr"
        for c in "AB"
        for q, x in (("topic", ["x", "y"] if c == "A" else []), ("mood", 3 if i == "p" else 2))
    ]
    return {
        "plain": read(SETS),
        "ranked": read(SETS, ranked=True),
        "limited": read(SETS, max_labels=2),
        "declared": read(SETS, categories=["c", "b", "a", "z"]),
        "numbers": read([[(1,), (2, 3), (), (3,)], [(1,), (2,), None, (1, 2)]]),
        "marks": read(
            [[("a;b",), ("c", "a;b"), (), ('"x"',)], [("a;b",), ("c",), None, ('"x"', "c")]]
        ),
        "one label each": read([["a", "b", "a"], ["a", "b", "b"]], max_labels=2),
        "questions": read(rows),
        "skipped": read(
            [(1, "A", ["x", "y"]), (1, "B", ["x"]), (2, "A", None), (2, "B", ["y"])],
            blank="skipped",
        ),
    }


def again(path: Path, lost: tuple[str, ...]) -> Annotations:
    told = [step.options for x in lost if isinstance(x, Notice) for step in x.do]
    return read(path, **(told[0] if told else {}))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("name", studies())
def test_round_trip(name: str, layout: Any, suffix: str, tmp_path: Path) -> None:
    data = studies()[name]
    path = tmp_path / f"data{suffix}"
    lost = write(data, path, layout)
    assert not any("cannot hold" in x for x in lost)
    kept = data if layout == "long" else replace(data, layout=data.answered)
    assert again(path, lost).fingerprint == kept.fingerprint


def test_what_the_files_look_like(tmp_path: Path) -> None:
    data = read(SETS, coders_in="rows", coder=["Ann", "Bob"])
    assert write(data, tmp_path / "d.csv", "wide") == ()
    assert (tmp_path / "d.csv").read_text() == "item,Ann,Bob\n1,a,a\n2,a;b,b\n3,[],\n4,c,a;b\n"
    write(data, tmp_path / "d.jsonl", "wide")
    assert '"Ann": ["a", "b"]' in (tmp_path / "d.jsonl").read_text()
    assert '"Ann": [], "Bob": null' in (tmp_path / "d.jsonl").read_text()
    import duckdb

    write(data, tmp_path / "d.parquet", "wide")
    found = duckdb.sql(f"select Ann, Bob from '{tmp_path / 'd.parquet'}'")
    assert list(map(str, found.types)) == ["VARCHAR[]", "VARCHAR[]"]
    assert found.fetchall()[1:3] == [(["a", "b"], ["b"]), ([], None)]
    write(data, tmp_path / "c.csv", "counts")
    assert (tmp_path / "c.csv").read_text().startswith("item,[],a,b,c,a;b\n1,0,2,0,0,0\n")


def test_many_annotations_are_judged_by_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_SAMPLE", 100)
    cells = [("a",), ("b",), ("a", "b")]
    rows = [[cells[k % 3] for k in range(1000)], [cells[k % 2] for k in range(1000)]]
    rows[0][1] = ("a", "c")  # is not among those that are read again
    data = read(rows)
    assert write(data, tmp_path / "d.csv") == ()
    assert read(tmp_path / "d.csv").fingerprint == data.fingerprint


LABELS = st.sampled_from(
    [("a", "b", "c"), (1, 2, 3), ("a;b", "a", "b"), ("x y", "z", "w,v"), ("a|b", ";", "#")]
)


@st.composite
def some_sets(draw: st.DrawFn) -> Annotations:
    categories = draw(LABELS)
    cell = st.one_of(st.none(), st.lists(st.sampled_from(categories), unique=True, max_size=3))
    n = draw(st.integers(2, 8))
    rows = [[draw(cell) for _ in range(n)] for _ in range(draw(st.integers(2, 3)))]
    rows[0][0] = list(categories[:2])
    return read(
        rows,
        coders_in="rows",
        ranked=draw(st.booleans()),
        max_labels=draw(st.sampled_from([None, 3])),
    )


@given(
    data=some_sets(),
    suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]),
    layout=st.sampled_from(["long", "wide"]),
)
@settings(max_examples=100)
def test_every_study_survives(
    data: Annotations, suffix: str, layout: Any, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("study") / f"data{suffix}"
    try:
        lost = write(data, path, layout)
    except RequestError:
        assert layout == "wide"  # an item or coder without any label
        assert not path.exists()
        return
    if any("cannot hold" in x for x in lost):
        assert layout == "wide"
        return
    assert again(path, lost).fingerprint == data.fingerprint


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["plain", "declared", "numbers", "skipped"])
def test_columns_of_0_and_1_there_and_back(name: str, suffix: str, tmp_path: Path) -> None:
    data = studies()[name]
    path = tmp_path / f"data{suffix}"
    lost = write(data, path, "onehot")
    assert not any("cannot hold" in x for x in lost)
    back = again(path, lost)
    assert back.schemes[0].categories == data.schemes[0].categories
    found, expected = (
        {(str(r["item"]), r["coder"]): r["label"] for r in d.to_rows()}
        for d in (back, replace(data, layout=data.answered))
    )
    assert found == expected


def test_what_columns_of_0_and_1_cannot_hold(tmp_path: Path) -> None:
    lost = write(studies()["ranked"], tmp_path / "ranked.csv", "onehot")
    assert "the order of ranked labels is not kept" in lost
    with pytest.raises(RequestError, match="hold one question; the data have 2"):
        write(studies()["questions"], tmp_path / "questions.csv", "onehot")
    with pytest.raises(RequestError, match="called 'item' or 'coder'"):
        write(read([[("item",)], [("a",)]]), tmp_path / "item.csv", "onehot")
    path = tmp_path / "plain.csv"
    write(read([[("a",), ("b", "a")], [(), None]], coder=["Ann", "Bob"]), path, "onehot")
    assert path.read_text().splitlines() == [
        "item,coder,a,b",
        "1,Ann,1,0",
        "1,Bob,0,0",
        "2,Ann,1,1",
    ]
