"""What is written is read again as the same annotations, and nothing is half-written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.data import write as writing
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.data.write import FORMATS, write
from accordant.errors import RequestError

SUFFIXES = [s for s in FORMATS if s != ".txt"]


def studies() -> dict[str, Annotations]:
    return {
        "words": read({"item": ["p", "q", "r"], "A": ["x", "y", None], "B": ["x", "x", "y"]}),
        "numbers": read([[1, 2, 3, None], [1, 2, 2, 5]]),
        "real": read([[0.25, 2, None], [1e-05, 2, 3]]),
        "texts": read({
            "id": ["1", "2", "3"],
            "text": ["One, two", 'She said "no"', "Über zwei\nZeilen und mehr"],
            "A": ["pro", "con", "pro"], "B": ["pro", "pro", None], "genre": ["n", "m", "n"],
        }),
        "questions": read([
            (i, q, c, x)
            for i in ("a", "b", "c")
            for q, labels in (("tone", ("warm", "cold")), ("size", (1, 2)))
            for c, x in zip(("Ann", "Bob"), labels)
        ]),
        "silent": read({"item": [1, 2, 3], "A": ["x", None, "x"], "B": ["y", None, "x"], "C": [None] * 3}),
    }  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("name", studies())
def test_round_trip(name: str, layout: Any, suffix: str, tmp_path: Path) -> None:
    data = studies()[name]
    path = tmp_path / f"data{suffix}"
    lost = write(data, path, layout)
    again = read(path)
    assert lost == ()
    assert again.fingerprint == data.fingerprint
    assert again.texts == data.texts
    assert dict(again.metadata) == dict(data.metadata)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_long_layout_keeps_statuses_and_the_wide_says_what_it_loses(
    suffix: str, tmp_path: Path
) -> None:
    data = read({"item": [1, 2], "A": ["x", None], "B": ["y", "x"]}, blank="not_applicable")
    path = tmp_path / f"data{suffix}"
    write(data, path)
    assert read(path).fingerprint == data.fingerprint
    lost = write(data, path, "wide")
    assert "1 annotation is without a value" in lost[0]
    assert read(path).statuses() == {"answered": 3, "not assigned": 1}


LABEL = st.none() | st.sampled_from(["yes", "no", "über", "a,b", 'say "a"', "two words"])


@given(
    grid=st.lists(st.tuples(LABEL, LABEL, LABEL), min_size=2, max_size=8).filter(
        lambda g: len({x for row in g for x in row} - {None}) > 1
    ),
    suffix=st.sampled_from([".csv", ".tsv", ".jsonl"]),
    layout=st.sampled_from(["long", "wide"]),
)
def test_every_study_survives(
    grid: list[Any], suffix: str, layout: Any, tmp_path_factory: Any
) -> None:
    data = read(grid, coders_in="columns") if isinstance(grid[0], list) else read(
        {"item": list(range(len(grid)))}
        | {c: [row[k] for row in grid] for k, c in enumerate(("Ann", "Bob", "Cem"))},
        coder=["Ann", "Bob", "Cem"],
    )  # fmt: skip
    path = tmp_path_factory.mktemp("study") / f"data{suffix}"
    write(data, path, layout)
    options: dict[str, Any] = {} if layout == "long" else {"coder": ["Ann", "Bob", "Cem"]}
    assert read(path, **options).fingerprint == data.fingerprint


def test_tables_of_counts(tmp_path: Path) -> None:
    data = read({"item": [1, 2, 3, 4], "A": ["x", "y", "x", None], "B": ["x", "x", "x", "y"]})
    lost = write(data, tmp_path / "table.csv", "table")
    assert (tmp_path / "table.csv").read_text() == "A \\ B,x,y\nx,2,0\ny,1,0\n"
    assert "1 item without a label of both coders" in lost[-1]
    write(data, tmp_path / "counts.csv", "counts")
    assert (tmp_path / "counts.csv").read_text() == "item,x,y\n1,2,0\n2,1,1\n3,2,0\n4,0,1\n"
    assert read(tmp_path / "counts.csv", layout="counts").anonymous


def test_what_cannot_be_written(tmp_path: Path) -> None:
    data = read([["a", "b"], ["a", "b"], ["a", "a"]])
    with pytest.raises(RequestError, match=r"the suffix says the format; choose one of \.csv"):
        write(data, tmp_path / "data.doc")
    with pytest.raises(RequestError, match="layout='tall': choose one of 'long'"):
        write(data, tmp_path / "data.csv", "tall")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="needs two coders and one question"):
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
