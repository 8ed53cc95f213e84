"""``items=``: which items enter, and what is left out is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import InputError, RequestError, agreement, read

GRID = [["a", "b", None, "a"], ["a", "a", "b", None], ["b", "a", None, None]]
LONG = [
    ("1", "x", "a"),
    ("1", "y", "a"),
    ("1", "z", "b"),
    ("2", "x", "b"),
    ("2", "y", "a"),
    ("2", "z", "a"),
    ("3", "y", "b"),
    ("4", "x", "a"),
]


@pytest.mark.parametrize("source", [GRID, LONG], ids=["grid", "columns"])
@pytest.mark.parametrize("items, left", [("annotated", 8), ("shared", 6), ("complete", 6)])
def test_what_enters(source: Any, items: Any, left: int) -> None:
    data = read(source, items=items)
    assert len(data) == left
    told = [n for what, n in data.reading.left_out if "too few coders" in what]
    assert told == ([8 - left] if left < 8 else [])


def test_complete_needs_every_coder() -> None:
    two = [["a", "b", "a"], ["a", "b", "b"], ["a", None, "a"]]
    assert len(read(two, items="shared")) == 8
    assert len(read(two, items="complete")) == 6


def test_kappa_of_two_coders_is_that_of_their_table() -> None:
    rng = np.random.default_rng(3)
    ratings = rng.integers(1, 4, (2, 60)).astype(float)
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    both = ratings[:, ~np.isnan(ratings).any(0)]
    found = agreement(ratings, items="shared", categories=[1, 2, 3])
    expected = agreement(both, categories=[1, 2, 3])
    for row, other in zip(found, expected, strict=True):
        assert (row.value, row.se) == pytest.approx((other.value, other.se))


def test_several_questions() -> None:
    rows = {
        "item": [1, 1, 2, 2],
        "coder": ["x", "y", "x", "y"],
        "q": [1, 2, 1, 1],
        "r": ["u", None, "u", "v"],
    }
    data = read(rows, item="item", coder="coder", label=["q", "r"], items="shared")
    assert len(data.of_question("r")) == 2
    assert data.of_questions(["r", "q"]).questions == ("r", "q")
    assert data.of_questions(["q", "r"]) is data


def test_an_unknown_choice() -> None:
    with pytest.raises(RequestError, match="'annotated', 'shared', 'complete'"):
        read(GRID, items="some")  # type: ignore[arg-type]


# ------------------------------------------------------------------ some questions, some coders

FORMS: dict[str, Any] = {
    "two columns": {
        "item": [1, 1, 1, 2, 2, 2],
        "coder": ["Ann", "Bob", "Cy"] * 2,
        "tone": ["+", "-", "+", "-", "-", "+"],
        "size": [1, 2, 3, 2, 2, 3],
    },
    "a column of questions": {
        "item": [1, 1, 1, 2, 2, 2] * 2,
        "question": ["tone"] * 6 + ["size"] * 6,
        "coder": ["Ann", "Bob", "Cy"] * 4,
        "label": ["+", "-", "+", "-", "-", "+", 1, 2, 3, 2, 2, 3],
    },
    "a column of each coder": {
        "item": [1, 2],
        **{f"tone_{c}": x for c, x in (("Ann", "+-"), ("Bob", "--"), ("Cy", "++"))},
        **{f"size_{c}": [k, k] for k, c in enumerate(("Ann", "Bob", "Cy"), 1)},
    },
}


@pytest.mark.parametrize("form", FORMS)
def test_questions_and_coders_are_chosen_by_their_names(form: str) -> None:
    table = {name: list(cells) for name, cells in FORMS[form].items()}
    whole = read(table)
    assert whole.questions == ("tone", "size")
    expected = whole.of_question("tone").of_coders(["Ann", "Bob"])
    found = read(table, label="tone", coder=["Ann", "Bob"])
    assert (found.questions, found.coders) == (("tone",), ("Ann", "Bob"))
    given = {(str(r["item"]), r["coder"], r["label"]) for r in found.to_rows()}
    assert given == {(str(r["item"]), r["coder"], r["label"]) for r in expected.to_rows()}
    assert read(whole, label="tone", coder=["Ann", "Bob"]).fingerprint == expected.fingerprint


@pytest.mark.parametrize("wrong", [{"label": "tune"}, {"coder": "Dan"}, {"coder": ["Ann", "Dan"]}])
def test_a_name_that_is_nowhere_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no column"):
        read(FORMS["two columns"], **wrong)


def test_what_was_read_is_not_read_otherwise() -> None:
    with pytest.raises(RequestError, match="read already"):
        read(read(FORMS["two columns"]), item="item")
