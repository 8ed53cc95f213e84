"""A blank is never a category by accident, and what it counts as is said."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import Status, read

WIDE = {"item": ["a", "b", "c"], "A": ["x", None, "y"], "B": ["x", "y", ""]}


@pytest.mark.parametrize(
    ("blank", "statuses"),
    [
        (None, {"answered": 4, "not assigned": 2}),
        ("missing", {"answered": 4, "not assigned": 2}),
        ("not_applicable", {"answered": 4, "not applicable": 2}),
        ("skipped", {"answered": 4, "skipped": 2}),
        ("empty", {"answered": 4, "answered empty": 2}),
    ],
)
def test_what_a_blank_counts_as(blank: str | None, statuses: dict[str, int]) -> None:
    data = read(WIDE, blank=blank)
    assert data.statuses() == statuses
    assert data.reading.blanks == 2
    assert data.values == ("x", "y")
    status = next(s for s in statuses if s != "answered")
    assert status in data.reading.blanks_as


def test_a_blank_is_a_category_only_if_the_user_says_which() -> None:
    data = read(WIDE, blank="nothing")
    assert data.values == ("nothing", "x", "y")
    assert len(data) == 6
    assert "2 blanks count as category 'nothing'" in str(data.reading)


@pytest.mark.parametrize(
    "token", ["NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>"]
)
def test_words_that_mean_missing(token: str) -> None:
    data = read({"item": [1, 2], "A": ["x", token], "B": ["x", "y"]})
    assert data.values == ("x", "y")
    assert any(f"{token!r} (1) count as blank" in n for n in data.reading.notes)
    kept = read({"item": [1, 2], "A": ["x", token], "B": ["x", "y"]}, categories=["x", "y", token])
    assert len(kept) == 4


@pytest.mark.parametrize("token", [".", "-", "?", "#", "None", "none"])
def test_placeholders_are_missing_among_numbers_only(token: str) -> None:
    numbers = read({"item": [1, 2], "A": ["1", token], "B": ["1", "2"]})
    assert numbers.values == (1, 2)
    words = read({"item": [1, 2], "A": ["x", token], "B": ["x", "y"]})
    assert token in words.values
    assert f"missing={token!r}" in str(words.reading)
    assert (
        token
        not in read({"item": [1, 2], "A": ["x", token], "B": ["x", "y"]}, missing=token).values
    )


def test_extra_words_that_mean_missing() -> None:
    assert read([[1, 2, -9], [1, 2, 2]], missing="-9").values == (1, 2)
    assert read(np.array([[1, 2, -9], [1, 2, 2]]), missing=[-9, 99]).values == (1, 2)


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, ""])
def test_everything_empty_is_the_same(nothing: object) -> None:
    data = read([["a", nothing], ["a", "b"]])
    assert data.fingerprint == read([["a", None], ["a", "b"]]).fingerprint


def test_a_status_column_is_honoured() -> None:
    rows = [
        {"item": 1, "coder": "A", "label": "x", "status": "answered"},
        {"item": 1, "coder": "B", "label": None, "status": "not applicable: no verb"},
        {"item": 2, "coder": "A", "label": None, "status": "skipped"},
        {"item": 2, "coder": "B", "label": "y", "status": "draft"},
        {"item": 3, "coder": "A", "label": "y", "status": ""},
        {"item": 3, "coder": "B", "label": None, "status": "answered_empty"},
    ]
    data = read(rows)
    assert data.statuses() == {
        "answered": 2,
        "answered empty": 1,
        "skipped": 1,
        "draft": 1,
        "not applicable": 1,
    }
    assert data.reading.left_out == (("labels marked draft", 1),)
    draft = data.columns.status == Status.DRAFT
    assert data.columns.value[draft].tolist() == [-1]


def test_a_column_called_status_that_holds_something_else_is_a_fact() -> None:
    data = read({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"], "status": ["agree", "differ"]})
    assert data.metadata["status"] == ("agree", "differ")


# ------------------------------------------------------------------ the same coder twice


TWICE = [("1", "A", "x"), ("1", "B", "x"), ("1", "A", "y"), ("2", "A", "x"), ("2", "B", "y")]


def test_policies_for_repeated_annotations() -> None:
    first = read(TWICE, duplicates="first")
    assert first.to_rows()[0]["label"] == "x"
    assert first.reading.left_out == (("duplicate annotations (kept the first)", 1),)
    assert len(first) == 4


def test_a_blank_beside_an_annotation_is_no_repetition() -> None:
    assert len(read([*TWICE[:2], ("1", "A", None), *TWICE[3:]])) == 4


def test_the_same_item_and_coder_in_two_questions_is_no_repetition() -> None:
    rows = [("1", q, c, "x") for q in ("p", "q") for c in "AB"]
    assert len(read(rows)) == 4


def test_blanks_count_as_what_a_status_column_says_of_them() -> None:
    table = {
        "item": ["1", "1", "2", "2", "3", "3"],
        "coder": ["A", "B"] * 3,
        "label": ["x", "y", "x", None, None, None],
        "status": ["", "", "", "not applicable", "not applicable", ""],
    }
    reading = read(table).reading
    assert reading.blanks == 3
    assert reading.blanks_as == "not applicable (2) or missing (not assigned) (1)"
    alone = read({k: v[:4] for k, v in table.items()}).reading
    assert (alone.blanks, alone.blanks_as) == (1, "not applicable")
