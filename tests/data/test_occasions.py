"""Coders who annotate an item again: every annotation is kept, as an occasion of its coder."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

import accordant as ac
from accordant import InputError
from accordant.errors import ReadingWarning

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


# ------------------------------------------------------------------ rounds


def ratings(d: random.Random, n: int = 40) -> list[list[str]]:
    """What two coders say twice: mostly the same, and mostly the same again."""
    true = [d.choice("xyz") for _ in range(n)]
    return [[x if d.random() < 0.8 else d.choice("xyz") for _ in range(4)] for x in true]


@pytest.mark.parametrize(
    "form",
    ["{}_r{}", "{} ({})", "{} (round {})", "{} Runde {}", "{} (Runde {})", "{}_t{}", "{}-r{}"],
)
def test_a_second_round_is_an_occasion_of_the_same_coder(form: str) -> None:
    rows = ratings(random.Random(7))
    names = [form.format(c, r) for c in ("Ana", "Ben") for r in (1, 2)]
    wide = pd.DataFrame(rows, columns=names)
    wide.insert(0, "item", range(len(rows)))
    data = ac.read(wide)
    assert (data.coders, data.persons) == (tuple(names), ("Ana", "Ana", "Ben", "Ben"))
    told = ac.agreement(data, "percent")
    first = ac.agreement([[r[0] for r in rows], [r[2] for r in rows]], "percent")
    assert told["percent"].value == first["percent"].value
    again = sum((r[0] == r[1]) + (r[2] == r[3]) for r in rows) / (2 * len(rows))
    assert told.intra is not None
    assert told.intra["percent"].value == pytest.approx(again)
    assert ac.agreement(wide[["item", names[0], names[2]]], "percent").intra is None


@pytest.mark.parametrize("name", ["round", "Durchgang", "wave"])
def test_a_column_of_rounds_tells_the_occasions_apart(name: str) -> None:
    rows = ratings(random.Random(8))
    long = [
        (k, c, r + 1, row[2 * j + r])
        for k, row in enumerate(rows)
        for j, c in enumerate(("Ana", "Ben"))
        for r in (0, 1)
    ]
    frame = pd.DataFrame(long[::-1], columns=["item", "coder", name, "label"])
    data = ac.read(frame)
    assert data.persons == ("Ben", "Ben", "Ana", "Ana")
    assert name not in data.metadata
    value = ac.agreement(data, "percent")["percent"].value
    assert value == sum(r[0] == r[2] for r in rows) / len(rows)


@pytest.mark.parametrize("names", [("Ana_1", "Ana_2"), ("Ana", "Ana.1"), ("Ana", "Ana_2")])
@pytest.mark.parametrize("long", [True, False])
def test_numbers_behind_a_name_are_asked_about(names: tuple[str, str], long: bool) -> None:
    wide = pd.DataFrame(
        [r[:3] for r in ratings(random.Random(7))], columns=[*names, "Ben"]
    ).rename_axis("item")
    frame = wide.reset_index()
    frame = frame.melt("item", var_name="coder", value_name="label") if long else frame
    with pytest.warns(ReadingWarning, match="occasions of the same coders"):
        data = ac.read(frame)
    apart, again = (a.options for a in data.reading.warnings[0].do)
    assert (data.persons, ac.read(frame, **apart).persons) == (None, None)
    assert set(ac.read(frame, **again).persons or ()) == {"Ana", "Ben"}


@pytest.mark.parametrize(
    ("labels", "questions", "coders"),
    [("ssoo", ("A", "B"), ("1", "2")), ("soso", ("1", "2"), ("A", "B")), ("ssss", (), ())],
)
def test_letters_and_numbers_are_told_apart_by_labels(
    labels: str, questions: tuple[str, ...], coders: tuple[str, ...]
) -> None:
    """Columns A1, A2, B1, B2: which hold the same labels; where all do, each reading is offered."""
    d = random.Random(3)
    true = [{"s": d.choice("xyz"), "o": d.choice(("yes", "no"))} for _ in range(40)]
    cells = [
        [t[q] if d.random() < 0.85 else ("x" if q == "s" else "no") for q in labels] for t in true
    ]
    frame = pd.DataFrame(cells, columns=["A1", "A2", "B1", "B2"])
    frame.insert(0, "item", range(40))
    if questions:
        data = ac.read(frame)
        assert (data.questions, data.coders, data.reading.warnings) == (questions, coders, ())
        return
    with pytest.raises(InputError) as caught:
        ac.read(frame)
    read = [ac.read(frame, **a.options) for a in caught.value.do]
    found = {(d.coders, d.questions, d.persons) for d in read}
    columns = ("A1", "A2", "B1", "B2")
    assert found >= {
        (columns, ("",), None),
        (columns, ("",), ("A", "A", "B", "B")),
        (("A", "B"), ("1", "2"), None),
    }


def test_questions_of_raters_are_no_rounds() -> None:
    d = random.Random(9)
    cells = [[d.choice("xy") for _ in range(2)] for _ in range(60)]
    table = {"item": [*range(60)]}
    for q, k in (("tone", 0), ("size", 1)):
        for r in ("r1", "r2"):
            table[f"{q}_{r}"] = [x[k] if d.random() < 0.9 else d.choice("xy") for x in cells]
    data = ac.read(table)
    assert (data.questions, data.coders, data.persons) == (("tone", "size"), ("r1", "r2"), None)
