"""Labels: numbers, schemes, scales, and what a user is told about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas
import pytest

from accordant import InputError, RequestError, read


def wide(*labels: object) -> dict[str, list[object]]:
    return {"item": list(range(len(labels))), "A": list(labels), "B": list(labels[::-1])}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("1", "2", "10"), (1, 2, 10)),
        (("1.0", "1", "2"), (1, 2)),
        (("0.5", "1"), (0.5, 1.0)),
        (("1e-05", "2"), (1e-05, 2.0)),
        (("-1", "0", "1"), (-1, 0, 1)),
        (("007", "7"), ("007", "7")),
        (("1e5", "2"), ("1e5", "2")),
        (("00", "01", "10"), ("00", "01", "10")),
        (("1", "two"), ("1", "two")),
        (("12345678901234567890", "1"), (1, 12345678901234567890)),
        ((1, 2.0, "3"), (1, 2, 3)),
        ((1, 2.5), (1.0, 2.5)),
        ((1, "a"), ("1", "a")),
        (("2024-03-04", "x"), ("2024-03-04", "x")),
    ],
)
def test_numbers_and_words(given: tuple[object, ...], expected: tuple[object, ...]) -> None:
    values = read(wide(*given)).values
    assert values == expected
    assert [type(v) for v in values] == [type(v) for v in expected]


def test_ids_stay_as_they_are_written() -> None:
    data = read({"item": ["007", "1e5", "2017-1-10"], "A": [1, 2, 1], "B": [1, 2, 2]})
    assert list(data.items) == ["007", "1e5", "2017-1-10"]


def test_numbers_are_nominal_until_a_scale_is_given() -> None:
    data = read(wide(1, 2, 3))
    assert data.scheme.scale == "nominal"
    assert any("nominal" in n for n in data.reading.notes)
    ordinal = read(wide(1, 2, 3), scale="ordinal")
    assert ordinal.scheme.scale == "ordinal"
    assert not ordinal.reading.notes
    assert not read(wide(0, 1)).reading.notes  # two categories: every scale is the same


def test_a_scheme_fixes_categories_and_order() -> None:
    data = read(wide("low", "high"), categories=["low", "mid", "high"], scale="ordinal")
    assert data.scheme.categories == ("low", "mid", "high")
    assert data.scheme.declared
    assert data.values == ("low", "mid", "high")


def test_schemes_of_several_questions() -> None:
    rows = [(i, q, c, x) for i in "ab" for q, x in (("tone", "warm"), ("size", 2)) for c in "AB"]
    data = read(rows, categories={"tone": ["warm", "cold"]}, scale={"size": "interval"})
    assert data.questions == ("tone", "size")
    assert [s.scale for s in data.schemes] == ["nominal", "interval"]
    assert [s.declared for s in data.schemes] == [True, False]
    with pytest.raises(RequestError, match=r"question 'tune'.*did you mean 'tone'"):
        read(rows, scale={"tune": "ordinal"})


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (("Stat", "IReq"), {"categories": ["STAT", "IReq"]}, r"'Stat' is not in.*mean 'STAT'"),
        (
            (1, 2, 9),
            {"categories": [1, 2, 3]},
            r"row 3, column 'A': label '9' is not in the scheme",
        ),
        ((1, 2, "high"), {"scale": "interval"}, r"row 3, column 'A': label 'high' is not a number"),
        (("a", "b"), {"scale": "ratio"}, r"'a' is not a number, which the ratio scale needs"),
        ((["a", "b"], ["a"]), {"separator": ""}, "holds 2 labels, 'a', 'b'"),
    ],
)
def test_labels_that_do_not_fit(labels, options, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(wide(*labels), **options)


@pytest.mark.parametrize(
    ("labels", "note"),
    [
        (
            ("Yes", "yes", "no"),
            r"differ only in case or spaces are read as 'yes': 'Yes' (2), 'yes' (2)",
        ),
        (
            (1, 2, 3, "x"),
            "row 4, column 'A': label 'x' (twice) counts as a category".replace("twice", "2 times"),
        ),
    ],
)
def test_what_a_user_is_told_about_odd_labels(labels, note: str) -> None:
    assert note in "\n".join(read(wide(*labels)).reading.notes)


@pytest.mark.parametrize(
    ("labels", "mark"),
    [
        (("yes", "yes, partly", "no", "no, hardly"), ","),
        (("joy, fear", "joy, anger", "anger, fear"), ","),  # none stands alone
        (("and", "or", "and/or"), "/"),
        (("B-PER", "I-PER", "B-LOC", "I-LOC", "O"), ""),
        (("comparison/contrast", "cause/result", "list"), ""),
    ],
)
def test_cells_that_may_hold_several_labels_are_asked_about(labels, mark: str) -> None:
    doubts = read(wide(*labels)).reading.warnings
    assert [a.options for x in doubts for a in x.do] == (
        [{"separator": ""}, {"separator": mark}] if mark else []
    )
    assert not read(wide(*labels), separator="").reading.warnings


def test_the_order_of_words_is_asked_for_if_it_is_not_known() -> None:
    with pytest.raises(InputError, match="order of the labels .* is not known"):
        read(wide("low", "high", "3"), scale="ordinal")


def test_free_text_is_refused() -> None:
    answers = [f"because of reason {k}" for k in range(100_000)]
    with pytest.raises(InputError, match=r"column 'label': 100,000 different labels.*free text"):
        read(
            {
                "item": [k // 2 for k in range(100_000)],
                "coder": [k % 2 for k in range(100_000)],
                "label": answers,
            }
        )


# ------------------------------------------------------------------ the scheme given anew


def test_annotations_pass_unchanged_but_for_the_scheme() -> None:
    data = read(wide(1, 2, 3))
    assert read(data) is data
    assert read(data, scale="ordinal").scheme.scale == "ordinal"
    with pytest.raises(RequestError, match="only categories, scale, questions"):
        read(data, item="x")


@pytest.mark.parametrize("categories", [[5, 4, 3, 2, 1], ["5", "4", "3", "2", "1"]])
@pytest.mark.parametrize("scale", [None, "ordinal"])
@pytest.mark.parametrize("columns", [False, True])
def test_the_scheme_can_be_given_anew(categories: Any, scale: Any, columns: bool) -> None:
    source = wide(1, 2, None, 3)
    data = read(source)
    if columns:
        data = replace(data, layout=data.columns)
    again = read(data, categories=categories, scale=scale)
    assert again.fingerprint == read(source, categories=categories, scale=scale).fingerprint
    assert again.scheme.categories == (5, 4, 3, 2, 1)
    assert again.scheme.declared
    assert [r["label"] for r in again.to_rows()] == [r["label"] for r in data.to_rows()]


def test_the_scheme_of_one_question_can_be_given_anew() -> None:
    rows = [
        (i, q, c, x) for i in (1, 2) for c in "AB" for q, x in (("tone", "warm"), ("size", "big"))
    ]
    data = read(rows)
    again = read(data, categories={"size": ["small", "big"]}, scale={"size": "ordinal"})
    assert [s.categories for s in again.schemes] == [("warm",), ("small", "big")]
    assert [s.scale for s in again.schemes] == ["nominal", "ordinal"]
    assert again.to_rows() == data.to_rows()
    with pytest.raises(InputError, match="column 'tone': label 'warm' is not in the scheme 'cold'"):
        read(data, categories={"tone": ["cold"]})
    with pytest.raises(
        RequestError, match="categories: there is no question 'tune'.*did you mean 'tone'"
    ):
        read(data, categories={"tune": ["cold"]})


def test_a_label_outside_the_scheme_given_anew_is_an_error() -> None:
    data = read(wide("yes", "no", "Maybe"))
    with pytest.raises(
        InputError, match=r"label 'Maybe' is not in .*\(2 annotations\); did you mean 'maybe'"
    ):
        read(data, categories=["yes", "no", "maybe"])
    with pytest.raises(RequestError, match="lists categories twice"):
        read(data, categories=["yes", "yes"])


def test_a_number_may_mean_missing() -> None:
    grid = [[0, 1, -1, 1], [0, 1, 1, 1]]
    assert len(read(grid, missing=-1)) == len(read(grid, missing=[-1])) == 7
    assert len(read(grid, missing=-1.0)) == len(read(grid, missing="-1")) == 7


def asked(labels) -> list[str]:
    """The labels that may say that nothing was given, by the option that leaves them out."""
    do = [a.options for x in read(wide(*labels)).reading.warnings for a in x.do]  # type: ignore[attr-defined]
    return next((o["missing"] for o in do if "missing" in o), [])


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        ((0, 1, 99, 1), ["99"]),
        ((1, 2, 3, 4, 5, 8, 9), ["8", "9"]),
        ((1, 2, 3, 4, 7, 8, 9), ["7", "8", "9"]),
        ((2, 3, 4, 5, 7, 8, 9), []),  # a scale of which 1 and 6 were not used
        ((1, 2, 3, 4, 5, 6, 8, 9), []),
        ((1, 2, 3, 77, 88), ["77", "88"]),
        (("low", "medium", "high", "99"), ["99"]),
        (("agree", "disagree", "7"), []),
        ((-1, 0, 1), []),
        ((-1, *[0, 1] * 6), ["-1"]),  # hardly anybody is negative
        ((-1, 0, 1, 2, 3), ["-1"]),
        ((-2, -1, 0, 1, 2, 99), ["99"]),
    ],
)
def test_numbers_that_may_say_that_nothing_was_given(labels, codes: list[str]) -> None:
    assert asked(labels) == codes


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (("1,5", "2", "2,0", "3,5"), (1.5, 2.0, 3.5)),
        (("1,5", "2,5", "3,5", "1", "2", "3", "5"), (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 5.0)),
        (("85 %", "12,5 %", "100%"), (12.5, 85.0, 100.0)),
        (("85 %", "70 %", "60"), ("60", "70 %", "85 %")),  # which may be something else
    ],
)
def test_numbers_as_people_write_them(labels, values, tmp_path) -> None:
    frame = pandas.DataFrame(wide(*labels))
    frame.to_csv(tmp_path / "wide.csv", index=False)
    frame.to_excel(tmp_path / "wide.xlsx", index=False)
    for source in (wide(*labels), frame, tmp_path / "wide.csv", tmp_path / "wide.xlsx"):
        data = read(source)
        assert data.values == values
        assert any(n.startswith("numbers such as") for n in data.reading.notes) == (
            "60" not in labels
        )


@pytest.mark.parametrize(
    "scale",
    [
        "low medium high",
        "never / almost never / sometimes / often / always",
        "Strongly_disagree / Disagree / Neutral / Agree / Strongly_agree",
        "trifft gar nicht zu / trifft nicht zu / trifft eher nicht zu / teils-teils / trifft eher zu",
        "pas du tout d’accord / plutôt pas d’accord / neutre / plutôt d’accord / d’accord",
        "nunca / casi nunca / a veces / siempre",
        "negativ / neutral / positiv",
    ],
)
def test_the_order_of_a_scale_known_by_its_words_is_offered(scale: str) -> None:
    words = [x.strip() for x in scale.split("/")] if "/" in scale else scale.split()
    data = read(wide(*words[::-1]))
    assert data.scheme.scale == "nominal"
    offered = [a.options for n in data.reading.notes for a in getattr(n, "do", ())]
    assert offered == [{"scale": "ordinal"}]
    ordered = read(wide(*words[::-1]), **offered[0]).scheme
    assert (ordered.categories, ordered.scale) == (tuple(words), "ordinal")


@pytest.mark.parametrize("words", ["yes no maybe", "low medium blue", "agree disagree"])
def test_no_order_is_offered_of_other_words(words: str) -> None:
    assert not read(wide(*words.split())).reading.notes


def test_words_that_hardly_come_again_may_be_texts() -> None:
    texts = [f"answer {k % 11}" for k in range(16)]
    table = {"item": range(16), "A": texts, "B": [f"own {k}" for k in range(16)]}
    (doubt,) = read(table).reading.warnings
    assert "27 different labels in 32 answers" in doubt
    assert not read(table | {"B": texts}).reading.warnings
