"""Sets of labels that are spread over rows or columns: repeated rows, weights, one-hot, ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accordant import Annotations, read
from accordant.errors import AccordantError, InputError, ReadingWarning


def sets(data: Annotations) -> dict[tuple[str, str], Any]:
    return {(str(r["item"]), r["coder"]): r["label"] for r in data.to_rows()}


EXPECTED = {
    ("1", "A"): ("joy", "awe"),
    ("1", "B"): ("awe",),
    ("2", "A"): ("joy",),
    ("2", "B"): (),
}

# ------------------------------------------------------------------ several rows

LONG = [
    (str(i), c, x)
    for i in range(8)
    for c in "AB"
    for x in (("p", "q") if (i + (c == "A")) % 2 else ("p",))
]


def test_several_rows_are_one_annotation_if_the_user_says_so() -> None:
    union = read(LONG)
    assert (len(union), union.values) == (16, (("p",), ("p", "q")))
    assert not union.reading.warnings
    most = read(LONG, max_labels=2)
    assert most.scheme.max_labels == 2
    assert sets(most) == sets(union)
    assert set(sets(read(LONG, duplicates="first")).values()) == {"p"}


def test_several_rows_are_recognised_where_they_are_the_rule_and_warned_of() -> None:
    data = read(LONG)
    assert sets(data) == sets(read(LONG))
    (warning,) = data.reading.warnings
    assert "8 annotations have several rows, each with another label" in warning


NO_SETS = {
    "the same row twice": [*LONG, LONG[0]],
    "numbers": [(i, c, {"p": 1, "q": 2}[x]) for i, c, x in LONG],
    "a few slips": [(str(i), c, "p") for i in range(40) for c in "AB"]
    + [("0", "A", "q"), ("1", "B", "q")],
    "one coder": [(i, c, x) for i, c, x in LONG if c == "A" or x == "p"],
}


@pytest.mark.parametrize("case", NO_SETS)
def test_what_may_be_a_slip_is_an_error_that_names_the_way(case: str) -> None:
    with pytest.raises(InputError, match=r"twice: .*duplicates='union'"):
        read(NO_SETS[case])
    with pytest.raises(InputError, match="twice"):
        read(LONG, separator="")


def test_a_label_in_two_rows_counts_once_and_is_counted() -> None:
    data = read([*LONG, LONG[0]])
    assert sets(data) == sets(read(LONG))
    assert data.reading.left_out == (("rows that repeat a label of their annotation", 1),)


def test_rows_that_hold_sets_are_repeated_annotations() -> None:
    rows = [(1, "A", ["x", "y"]), (1, "A", ["z"]), (1, "B", ["x"])]
    with pytest.raises(InputError, match="twice"):
        read(rows, max_labels=3)


def test_too_many_rows() -> None:
    rows = [(1, "A", x) for x in "xyz"] + [(1, "B", "x")]
    with pytest.raises(
        InputError, match=r"holds 3 labels, 'x', 'y', 'z'; at most 2 are allowed.*max_labels=3"
    ):
        read(rows, max_labels=2)


def test_explanations_of_varierr_are_the_sets_of_its_first_round(real_data) -> None:
    rows = read(real_data("crowd/varierr_explanations.csv"))
    cells = read(real_data("crowd/varierr_round1.csv"))
    known = {k: v for k, v in sets(cells).items() if v != ("IDK",)}
    assert sets(rows) == known


# ------------------------------------------------------------------ weights


def weighted(*weights: object) -> dict[str, list[Any]]:
    return {
        "item": [1, 1, 1, 2, 2],
        "coder": list("AABAB"),
        "label": list("xyxyx"),
        "share": list(weights),
    }


def test_weights_rank_labels() -> None:
    data = read(weighted(0.2, 0.8, 1, 0, 1), label_weight="share")
    assert data.scheme.ranked
    assert sets(data) == {
        ("1", "A"): ("y", "x"),
        ("1", "B"): ("x",),
        ("2", "A"): (),
        ("2", "B"): ("x",),
    }
    ties = read(weighted(0.5, 0.5, 1, 1, 1), label_weight="share")
    assert sets(ties)["1", "A"] == ("x", "y")
    assert "share" not in ties.metadata


def test_what_weights_do_is_told() -> None:
    data = read(weighted(0.2, 0.8, 1, 0, 1), label_weight="share")
    assert any("their sizes are not used" in n for n in data.reading.notes)
    unsaid = read(weighted(0.2, 0.8, 1, 0, 1))
    assert "label_weight='share'" in str(unsaid.reading)
    once = read({k: v[2:] for k, v in weighted(0.2, 0.8, 1, 0.5, 1).items()})
    assert not any("label_weight" in n for n in once.reading.notes)


@pytest.mark.parametrize("weight", ["much", None, -0.1])
def test_a_weight_must_be_a_number(weight: object) -> None:
    with pytest.raises(InputError, match=r"row 2: the weight of the label is missing, negative"):
        read(weighted(0.2, weight, 1, 0, 1), label_weight="share")
    with pytest.raises(InputError, match=r"no column 'shares' to be the weight of a label"):
        read(weighted(1, 1, 1, 1, 1), label_weight="shares")


# ------------------------------------------------------------------ one-hot columns

HOT = {
    "item": [1, 1, 2, 2, 3],
    "coder": list("ABABA"),
    "joy": [1, 0, 1, 0, None],
    "awe": [1, 1, 0, 0, None],
    "rage": [0, 0, 0, 0, None],
}


def hot(**columns: list[Any]) -> dict[str, list[Any]]:
    return {**HOT, **columns}


def test_one_hot_columns() -> None:
    data = read(HOT, layout="onehot")
    assert sets(data) == EXPECTED  # item 3 is blank: missing
    assert data.scheme.categories == ("joy", "awe", "rage")
    assert data.scheme.declared
    named = read(HOT, layout="onehot", label=["joy", "awe"])
    assert named.scheme.categories == ("joy", "awe")
    assert list(named.metadata) == ["rage"]


@pytest.mark.parametrize(
    "words",
    [("yes", "no"), ("TRUE", "FALSE"), (True, False), ("x", None), (1.0, 0.0), ("1", "0")],
)
def test_one_hot_words(words: tuple[Any, Any]) -> None:
    columns = {n: [words[0] if c else words[1] for c in HOT[n]] for n in ("joy", "awe", "rage")}
    found = sets(read(hot(**columns), layout="onehot", label=["joy", "awe", "rage"]))
    assert found["1", "A"] == ("joy", "awe")
    assert found.get(("2", "B"), "missing") == ("missing" if words[1] is None else ())


def test_one_hot_columns_are_recognised_by_their_names_only() -> None:
    prefixed = {k if k in ("item", "coder") else f"label_{k}": v for k, v in HOT.items()}
    assert sets(read(prefixed)) == EXPECTED
    assert sets(read(HOT, categories=["joy", "awe", "rage"])) == EXPECTED
    with pytest.raises(InputError, match=r"row 3, column 'label_joy': the cell holds '2'"):
        read(prefixed | {"label_joy": [1, 0, 2, 0, 1]})
    asked = {
        "item": [1, 1, 2, 2],
        "coder": list("ABAB"),
        "is_hate": [1, 0, 1, 1],
        "is_irony": [0, 0, 1, 0],
        "is_news": [0, 1, 1, 1],
    }
    data = read(asked)
    assert data.questions == ("is_hate", "is_irony", "is_news")
    assert "layout='onehot'" in str(data.reading)


WIDE = {
    "item": [1, 2, 3],
    "Ann_joy": [1, 1, 1],
    "Ann_awe": [1, 0, 0],
    "Bob_joy": [0, 0, None],
    "Bob_awe": [1, 0, None],
}


def test_one_hot_columns_of_each_coder() -> None:
    data = read(WIDE, layout="onehot", coder=["Ann", "Bob"])
    assert data.coders == ("Ann", "Bob")
    renamed = {
        ("1", "Ann"): ("joy", "awe"),
        ("1", "Bob"): ("awe",),
        ("2", "Ann"): ("joy",),
        ("2", "Bob"): (),
        ("3", "Ann"): ("joy",),
    }
    assert sets(data) == renamed
    assert sets(read(WIDE, layout="onehot", categories=["joy", "awe"])) == renamed
    turned = {"_".join(reversed(k.split("_"))): v for k, v in WIDE.items()}
    assert sets(read(turned, layout="onehot", coder=["Ann", "Bob"])) == renamed
    numbered = {k.replace("Ann", "coder1").replace("Bob", "coder2"): v for k, v in WIDE.items()}
    assert read(numbered, layout="onehot").coders == ("coder1", "coder2")


def test_a_label_that_a_coder_never_gave_is_a_blank_column() -> None:
    marks = {
        "item": [1, 2, 3],
        "Ann: joy": ["x", None, "x"],
        "Ann: awe": [None, "x", None],
        "Ann: note": [None] * 3,
        "Bob: joy": ["x"] * 3,
        "Bob: awe": [None] * 3,
    }
    data = read(marks, layout="onehot", coder=["Ann", "Bob"])
    assert data.scheme.categories == ("joy", "awe")
    assert (data.values, len(data)) == (("joy", "awe"), 6)


def test_blanks_beside_0_and_1_are_told() -> None:
    data = read(hot(awe=[1, None, 0, 0, None]), layout="onehot")
    assert sets(data)["1", "B"] == ()
    (note,) = [n for n in data.reading.notes if "beside 0 and 1" in n]
    assert note.startswith("a blank cell beside 0 and 1 in an annotation (row 2, column 'awe')")
    marks = hot(
        joy=["x", None, "x", None, None], awe=["x", "x", None, None, None], rage=[None] * 4 + ["x"]
    )
    assert not any("beside 0" in n for n in read(marks, layout="onehot").reading.notes)


def test_names_in_brackets() -> None:
    source = {k if k in ("item", "coder") else f"mood[{k}]": v for k, v in HOT.items()}
    assert sets(read(source, layout="onehot")) == EXPECTED


def test_one_hot_columns_that_are_not_asked_for_are_pointed_at(tmp_path: Path) -> None:
    beside = hot(label=["joy;awe", "awe", "joy", "[]", None])
    assert any("'joy', 'awe', 'rage' hold 0 and 1" in n for n in read(beside).reading.notes)
    of_each = read(WIDE | {"Bob_joy": [0, 0, 1], "Bob_awe": [1, 0, 1]})
    (advice,) = of_each.reading.warnings
    assert {"layout": "onehot", "coder": ["Ann", "Bob"], "item": "item"} in [
        step.options for step in advice.do
    ]  # type: ignore[attr-defined]
    for name, cells in (("ann", "1,1,0\n2,1,0,0\n"), ("bob", "0,1,1\n2,0,0,1\n")):
        (tmp_path / f"{name}.csv").write_text(f"item,joy,awe,rage\n1,{cells}")
    files = read([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert "layout='onehot'" in str(files.reading)


def test_one_hot_files(tmp_path: Path) -> None:
    for name, cells in (("ann", "1,1\n2,1,0\n"), ("bob", "0,1\n2,0,0\n")):
        (tmp_path / f"{name}.csv").write_text(f"item,joy,awe\n1,{cells}")
    data = read([tmp_path / "ann.csv", tmp_path / "bob.csv"], layout="onehot")
    assert list(sets(data).values()) == [("joy", "awe"), ("joy",), ("awe",), ()]


def test_a_label_column_that_agrees_is_dropped() -> None:
    data = read(hot(label=["joy;awe", "awe", "joy", "[]", None]), layout="onehot")
    assert sets(data) == EXPECTED
    assert "label" not in data.metadata


BAD_HOT: dict[str, tuple[dict[str, list[Any]], dict[str, Any], str]] = {
    "disagrees": (
        hot(label=["joy;awe", "awe", "joy;rage", "", ""]),
        {},
        r"row 3, column 'label': the one-hot columns say 'joy', but this column says 'joy;rage'",
    ),
    "share": (
        hot(joy=[1, 0, 0.5, 0, 1]),
        {"label": ["joy", "awe"]},
        r"row 3, column 'joy': the cell holds '0.5'; expected 0/1, .*label_weight=",
    ),
    "word": (
        hot(joy=[1, 0, "maybe", 0, 1]),
        {"label": ["joy", "awe"]},
        r"the cell holds 'maybe'; expected 0/1, true/false",
    ),
    "stray": (
        hot(joy=[1, 0, 2, 0, 1]),
        {},
        r"row 3, column 'joy': the cell holds '2'; expected 0/1",
    ),
    "many": (
        hot(rage=[1, 0, 0, 0, None]),
        {"max_labels": 2},
        r"row 1, column 'joy … rage': the annotation holds 3",
    ),
    "no column": (HOT, {"label": ["joy", "wonder"]}, r"no column 'wonder' to hold a label"),
    "no coder": (
        {k: v for k, v in HOT.items() if k != "coder"},
        {},
        "no column says who the coders",
    ),
    "which": (
        WIDE,
        {},
        r"which are the coders\? .*coder=\['Ann', 'Bob'\].* coder=\['joy', 'awe'\]",
    ),
    "unknown coder": (
        WIDE,
        {"coder": ["Ann", "Eve"]},
        "no column is named by coder 'Eve' and a label",
    ),
    "a gap": (
        {k: v for k, v in WIDE.items() if k != "Bob_awe"},
        {"coder": ["Ann", "Bob"]},
        "coder 'Bob' has no column for label 'awe'",
    ),
    "nothing": (
        {"item": [1, 1], "coder": ["A", "B"], "label": ["x", "y"]},
        {},
        "needs a column of 0 and 1",
    ),
}


@pytest.mark.parametrize("case", BAD_HOT)
def test_bad_one_hot_columns(case: str) -> None:
    source, options, message = BAD_HOT[case]
    with pytest.raises(AccordantError, match=message) as caught:
        read(source, layout="onehot", **options)
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ ranked columns


def ranks(**columns: list[Any]) -> dict[str, list[Any]]:
    return {"item": [1, 1, 2, 2, 3, 3], "coder": list("ABABAB"), **columns}


FIRST, SECOND = list("xyxyxz"), ["y", None, "z", None, None, "x"]
RANKED = [("x", "y"), ("y",), ("x", "z"), ("y",), ("x",), ("z", "x")]


@pytest.mark.parametrize(
    "names",
    [
        ("label1", "label2"),
        ("primary", "secondary"),
        ("Sense 1", "Sense 2"),
        ("first label", "second label"),
    ],
)
def test_ranked_columns_are_recognised(names: tuple[str, str]) -> None:
    data = read(ranks(**{names[0]: FIRST, names[1]: SECOND}))
    assert list(sets(data).values()) == RANKED
    assert data.scheme.ranked
    assert any("in this order of importance" in n for n in data.reading.notes)


def test_ranked_columns_of_any_name_can_be_given() -> None:
    source = ranks(main=FIRST, other=SECOND)
    data = read(source, label=["main", "other"], layout="ranked")
    assert list(sets(data).values()) == RANKED
    assert read(source, label=["main", "other"]).questions == ("main", "other")


UNRANKED = {
    "always both": (FIRST, list("yxzxyx")),
    "other labels": (FIRST, ["p", None, "q", None, None, "p"]),
}


@pytest.mark.parametrize("case", UNRANKED)
def test_columns_that_are_rather_questions(case: str) -> None:
    one, two = UNRANKED[case]
    assert read(ranks(label1=one, label2=two)).questions == ("label1", "label2")
    assert read(ranks(label1=FIRST, label2=SECOND), separator="").questions == ("label1", "label2")


LATER = ["x", None, "x", "y", "x", "z"], ["y", "x", "z", None, None, "x"]


@pytest.mark.parametrize("names", [("label1", "label2"), ("primary", "secondary")])
def test_one_bad_row_is_refused_where_columns_are_called_ranks(
    names: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "d.csv"
    rows = zip(*ranks(**dict(zip(names, LATER, strict=True))).values(), strict=True)
    lines = [",".join("" if x is None else str(x) for x in row) for row in rows]
    path.write_text("\n".join([f"item,coder,{names[0]},{names[1]}", *lines]))
    said = rf"d\.csv, row 3, column '{names[1]}': 'x' is given here, but '{names[0]}' is blank"
    with pytest.raises(InputError, match=said):
        read(path)
    assert read(path, separator="").questions == names


def test_a_label_in_both_ranks_counts_once() -> None:
    data = read(ranks(label1=FIRST, label2=["x", None, "z", None, None, "x"]))
    assert sets(data)["1", "A"] == ("x",)
    assert any("a label twice, such as 'x', 'x': it counts once" in n for n in data.reading.notes)


def test_a_gap_between_ranks_is_closed() -> None:
    source = {
        "item": [1, 1, 2, 2, 3, 3],
        "coder": list("ABABAB"),
        "label1": list("xyxyxz"),
        "label2": ["y", "x", None, "x", None, "x"],
        "label3": ["z", "z", "y", None, None, None],
    }
    data = read(source)
    assert sets(data)["2", "A"] == ("x", "y")
    assert sets(data)["1", "A"] == ("x", "y", "z")
    (note,) = [n for n in data.reading.notes if "later labels move up" in n]
    assert note.startswith("'label2' is blank between other labels once (row 3)")


def test_a_word_for_none_in_place_of_a_second_label() -> None:
    second = [x or "none" for x in SECOND]
    data = read(
        ranks(label1=FIRST, label2=second), label=["label1", "label2"], layout="ranked", empty="none"
    )
    assert list(sets(data).values()) == RANKED


OF_EACH = {
    "1": ("Ann_1", "Ann_2", "Bob_1", "Bob_2"),
    "words": ("Ann_primary", "Ann_secondary", "Bob_primary", "Bob_secondary"),
    "first": ("first Ann", "second Ann", "first Bob", "second Bob"),
    "label": ("Ann label 1", "Ann label 2", "Bob label 1", "Bob label 2"),
}


@pytest.mark.parametrize("case", OF_EACH)
def test_ranked_columns_of_each_coder(case: str) -> None:
    names = OF_EACH[case]
    cells = [["x", "y", "x"], ["y", None, "z"], ["y", "z", "x"], [None, "x", None]]
    source = {"item": [1, 2, 3], **dict(zip(names, cells, strict=True))}
    expected = {
        ("1", "Ann"): ("x", "y"),
        ("2", "Ann"): ("y",),
        ("3", "Ann"): ("x", "z"),
        ("1", "Bob"): ("y",),
        ("2", "Bob"): ("z", "x"),
        ("3", "Bob"): ("x",),
    }
    for options in (
        {"ranked": True},
        {"ranked": True, "coder": ["Ann", "Bob"]},
        {"coder": ["Ann", "Bob"]},
    ):
        data = read(source, **options)
        assert sets(data) == expected
        assert data.scheme.ranked
        assert data.coders == ("Ann", "Bob")
    if case in ("words", "first"):
        assert sets(read(source)) == expected
    else:
        assert "layout="ranked"" in str(read(source).reading)


def test_a_second_label_without_a_first_of_one_coder() -> None:
    source = {
        "item": [1, 2],
        "Ann_1": ["x", None],
        "Ann_2": ["y", "x"],
        "Bob_1": ["x", "y"],
        "Bob_2": ["y", None],
    }
    with pytest.raises(
        InputError, match=r"column 'Ann_2': 'x' is given here, but 'Ann_1' is blank"
    ):
        read(source, layout="ranked")


def test_numbered_columns_without_a_coder_are_coders() -> None:
    source = {"item": list(range(6)), "label1": FIRST, "label2": SECOND}
    assert read(source).coders == ("label1", "label2")


def test_rows_without_a_mark_are_asked_about_where_only_marks_are_written(tmp_path: Path) -> None:
    marks = ["x,,", ",,", ",x,", "x,x,", ",,x", ",,", "x,,", ",x,"]
    for coder in ("Ann", "Bob"):
        rows = "\n".join(f"{k},{row},{'?' * (k == 2)}" for k, row in enumerate(marks, 1))
        (tmp_path / f"{coder}.csv").write_text(f"Nr,Kosten,Umwelt,Recht,Notiz\n{rows}\n")
    files = [tmp_path / "Ann.csv", tmp_path / "Bob.csv"]
    with pytest.warns(ReadingWarning) as told:
        data = read(files)
    assert (len(data), data.coders) == (12, ("Ann", "Bob"))
    assert any("blank='empty'" in str(w.message) for w in told)
    assert len(read(files, blank="empty")) == 16
    assert len(read(files, blank="missing")) == 12
