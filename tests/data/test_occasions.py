"""Coders who annotate an item again: every annotation is kept, as an occasion of its coder."""

from __future__ import annotations

import numpy as np
import pytest

import accordant as ac
from accordant import InputError

ROWS = [
    ("1", "A", "x"),
    ("1", "B", "x"),
    ("1", "A", "y"),
    ("2", "A", "x"),
    ("2", "B", "y"),
    ("1", "A", "x"),
    ("2", "B", "y"),
]


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


def test_who_the_coders_are_is_part_of_the_fingerprint() -> None:
    data = ac.read(ROWS, duplicates="keep")
    rows = [(r["item"], r["coder"], r["label"]) for r in data.to_rows()]
    again = ac.read(rows)
    assert (again.coders, again.persons) == (data.coders, data.persons)
    assert again.fingerprint == data.fingerprint
    others = ac.read([(item, coder.replace(" (", " ["), label) for item, coder, label in rows])
    assert others.persons is None
    assert others.fingerprint != data.fingerprint
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


# ---------------------------------------------------------------------- written and read again
