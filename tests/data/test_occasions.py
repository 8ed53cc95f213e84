"""Coders who annotate an item again: every annotation is kept, as an occasion of its coder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant import InputError
from accordant.data import examples
from accordant.data.write import write

ROWS = [
    ("1", "A", "x"),
    ("1", "B", "x"),
    ("1", "A", "y"),
    ("2", "A", "x"),
    ("2", "B", "y"),
    ("1", "A", "x"),
    ("2", "B", "y"),
]
REPEATED = {"anesthesia": 90, "zencrowd_us": 1035, "relevance": 1570, "adult": 2922}


def test_each_time_is_a_coder_of_its_own() -> None:
    data = ac.read(ROWS, duplicates="keep")
    assert data.coders == ("A", "A (2nd time)", "A (3rd time)", "B", "B (2nd time)")
    assert data.persons == ("A", "A", "A", "B", "B")
    assert len(data) == 7
    said = {(r["item"], r["coder"]): r["label"] for r in data.to_rows()}
    assert [said["1", c] for c in data.coders[:3]] == ["x", "y", "x"]
    assert data.reading.left_out == ()
    (note,) = data.reading.notes
    assert "'A (2nd time)'" in note


def test_without_repetitions_nothing_changes() -> None:
    data = ac.read(ROWS[:2], duplicates="keep")
    assert data.persons is None
    assert data.reading.notes == ()
    assert data.fingerprint == ac.read(ROWS[:2]).fingerprint


def test_the_error_says_that_they_can_be_kept() -> None:
    with pytest.raises(InputError, match="duplicates='keep'"):
        ac.read(ROWS)


def test_a_coder_who_is_called_like_an_occasion() -> None:
    with pytest.raises(InputError, match="'A \\(2nd time\\)', but a coder has this name"):
        ac.read([*ROWS, ("2", "A (2nd time)", "x")], duplicates="keep")


def test_persons_follow_their_coders() -> None:
    data = ac.read(ROWS, duplicates="keep")
    some = data.of_coders(["B", "A (3rd time)"])
    assert some.persons == ("B", "A")
    assert data.of_items(np.array([True, False])).persons == data.persons
    assert data.of_scale("ordinal").persons == data.persons
    grid = ac.read(examples.path("dawid_skene1979"), duplicates="keep")
    assert grid.grid is not None
    assert grid.of_coders(grid.coders[1:3]).persons == ("observer 1", "observer 1")


def test_who_the_coders_are_is_part_of_the_fingerprint() -> None:
    data = ac.read(ROWS, duplicates="keep")
    as_others = ac.read([(r["item"], r["coder"], r["label"]) for r in data.to_rows()])
    assert as_others.coders == data.coders
    assert as_others.fingerprint != data.fingerprint
    assert data.of_coders(data.coders[::-1]).fingerprint == data.fingerprint


def test_two_questions_and_skipped_items() -> None:
    rows = [("1", q, "A", x) for q, x in (("p", "x"), ("q", "x"), ("p", "y"))]
    data = ac.read([*rows, ("1", "p", "B", "x")], duplicates="keep")
    assert len(data.of_question("p").answered) == 3
    assert data.of_question("q").persons == ("A", "A", "B")
    table = {
        "item": [1, 1, 1],
        "coder": ["A", "A", "B"],
        "label": ["x", None, "x"],
        "status": ["answered", "skipped", "answered"],
    }
    assert ac.read(table, duplicates="keep").statuses()["skipped"] == 1


def test_dawid_skene_1979() -> None:
    data = examples.load("dawid_skene1979")
    assert (len(data.items), len(data), len(set(data.persons or ()))) == (45, 315, 5)
    assert data.scheme.categories == (1, 2, 3, 4)
    # Table 1: the first observer put patient 3 into 1, 1 and 2, the others into 2, 1, 2, 2
    third = [r["label"] for r in data.to_rows() if str(r["item"]) == "3"]
    assert third == [1, 1, 2, 2, 1, 2, 2]


@pytest.mark.parametrize("name", REPEATED)
def test_crowds_with_repetitions(name: str, real_data) -> None:
    path: Path = real_data(f"crowd/{name}.csv")
    first, kept = (ac.read(path, duplicates=d) for d in ("first", "keep"))
    assert len(kept) == len(first) + REPEATED[name]
    assert set(kept.persons or ()) == set(first.coders)


# ---------------------------------------------------------------------- written and read again


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "xlsx", "parquet"])
def test_persons_survive_a_file(tmp_path: Path, suffix: str) -> None:
    rows = [
        ("i1", "Ann", "a"),
        ("i1", "Bob", "a"),
        ("i1", "Ann", "b"),
        ("i2", "Bob", "b"),
        ("i2", "Ann", "b"),
        ("i1", "Ann", "c"),
    ]
    data = ac.read(rows, duplicates="keep")
    path = tmp_path / f"again.{suffix}"
    told = write(data, path)
    assert any(step.options.get("duplicates") == "keep" for x in told for step in x.do)  # type: ignore[attr-defined]
    again = ac.read(path, duplicates="keep")
    assert again.persons == data.persons == ("Ann", "Ann", "Ann", "Bob")
    assert again.coders == data.coders
    assert again.fingerprint == data.fingerprint
