"""Cells that hold several labels: lists, separated labels, the empty set, and what is doubtful."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import Annotations, InputError, RequestError, Scheme, read

A, B, AB = ("a",), ("b",), ("a", "b")
SETS = [[A, AB, (), B], [A, B, None, ("b", "a")]]  # coders x items


def labels(data: Annotations) -> list[Any]:
    """Of the first coder by item, then of the second."""
    rows = sorted(data.to_rows(), key=lambda r: (r["coder"], str(r["item"])))
    return [r["label"] for r in rows]


def wide(one: list[Any], other: list[Any]) -> dict[str, list[Any]]:
    return {"item": [f"t{k}" for k in range(len(one))], "Ann": one, "Bob": other}


# ------------------------------------------------------------------ lists


def test_sets_in_nested_lists() -> None:
    data = read(SETS)
    assert data.values == ((), A, B, AB)
    assert data.scheme == Scheme(("a", "b"), max_labels=None)
    assert labels(data) == [A, AB, (), B, A, B, AB]
    assert data.statuses() == {"answered": 6, "answered empty": 1, "not assigned": 1}


def test_the_empty_set_is_not_missing() -> None:
    empty, missing = read([[A, ()], [A, AB]]), read([[A, None], [A, AB]])
    assert len(empty) == len(missing) + 1
    assert empty.fingerprint != missing.fingerprint
    assert empty.of_items(np.array([False, True])).statuses()["answered empty"] == 1


def test_every_door_gives_the_same_sets(tmp_path: Path) -> None:
    import json

    import pandas as pd
    import polars as pl

    data = read(wide(*SETS))
    one = [["a"], ["a", "b"], [], ["b"]]
    other = [["a"], ["b"], None, ["b", "a"]]
    lists = wide(one, other)
    jsonl = tmp_path / "d.jsonl"
    records = [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    jsonl.write_text("\n".join(map(json.dumps, records)))
    parquet = tmp_path / "d.parquet"
    pl.DataFrame(lists).write_parquet(parquet)
    text = tmp_path / "d.csv"
    text.write_text("item,Ann,Bob\nt0,a,a\nt1,a; b,b\nt2,[],\nt3,b,b;a\n")
    written = tmp_path / "lists.csv"
    written.write_text(
        "item,Ann,Bob\nt0,['a'],\"[\"\"a\"\"]\"\nt1,\"['a', 'b']\",['b']\nt2,[],\nt3,['b'],\"['b', 'a']\"\n"
    )
    long = [
        (i, c, x)
        for c in ("Ann", "Bob")
        for i, x in zip(lists["item"], lists[c], strict=True)
        if x is not None
    ]
    hot = {
        "item": [*lists["item"]] * 2,
        "coder": ["Ann"] * 4 + ["Bob"] * 4,
        "a": [1, 1, 0, 0, 1, 0, None, 1],
        "b": [0, 1, 0, 1, 0, 1, None, 1],
    }
    doors: list[tuple[Any, dict[str, Any]]] = [
        (pd.DataFrame(lists), {}),
        (pl.DataFrame(lists), {}),
        (pl.DataFrame(lists).to_arrow(), {}),
        (records, {}),
        (long, {}),
        (jsonl, {}),
        (parquet, {}),
        (text, {}),
        (text, {"separator": ";"}),
        (written, {}),
        (
            wide(
                [{"a"}, {"a", "b"}, set(), "b"], [frozenset("a"), "b", None, np.array(["b", "a"])]
            ),
            {},
        ),
    ]
    for source, options in doors:
        assert read(source, **options).fingerprint == data.fingerprint, source
    one_hot = read(hot, layout="onehot")
    assert labels(one_hot) == labels(data)


def test_texts_that_are_lists_are_told() -> None:
    for cells in (
        ['["a", "b"]', '["a"]', '["b"]'],
        ["['a', 'b']", "['a']", "['b']"],
    ):
        data = read(wide(cells, cells[::-1]))
        assert data.values == (A, B, AB)
        (note,) = [n for n in data.reading.notes if "are read as lists of labels" in n]
        assert repr(cells[0]) in note
        assert [step.options for step in note.do] == [{"separator": ""}]  # type: ignore[attr-defined]
        assert read(wide(cells, cells[::-1]), separator="").values == tuple(sorted(cells))


def test_spans_are_no_lists() -> None:
    cells = ["(0, 3)", "(12, 20)", "(12, 18)"]
    assert read(wide(cells, cells[::-1])).values == tuple(sorted(cells))
    quoted = ["('a', 'b')", "('a',)", "('b',)"]
    assert read(wide(quoted, quoted[::-1])).values == (A, B, AB)


# ------------------------------------------------------------------ separators

FOUND = {
    "semicolon": (["joy", "joy;awe", "awe"], ["joy", "awe; joy", "joy"], ";"),
    "bar": (["joy|awe", "joy|rage", "rage|awe"], ["joy", "awe|joy", "rage"], "|"),
    "line": (["joy\nawe", "joy", "awe"], ["joy", "awe", "awe"], "\n"),
    "comma": (["joy", "joy, awe", "awe"], ["rage", "awe", "rage,awe"], ","),
    "ampersand": (["joy", "joy & awe", "awe"], ["rage", "awe", "rage & awe"], "&"),
    "hyphen": (["joy", "joy-awe", "awe"], ["rage", "awe", "rage-awe"], "-"),
    "codes": ([1, "1,2,3", 2], ["1", "3", "2"], ","),
    "slash": (["he", "she", "he/she"], ["they", "she", "he/they"], "/"),
}


@pytest.mark.parametrize("case", FOUND)
def test_a_separator_is_found_and_said(case: str) -> None:
    one, other, mark = FOUND[case]
    source = wide(one, other)
    data = read(source)
    assert data.scheme.max_labels is None
    assert all(mark not in str(c) for c in data.scheme.categories)
    assert any(f"separated by {mark!r}" in n for n in data.reading.notes)
    assert read(source, separator=mark).fingerprint == data.fingerprint
    single = read(source, separator="")
    assert single.scheme.max_labels == 1
    assert any(mark in str(c) for c in single.scheme.categories)


DOUBTFUL: dict[str, tuple[list[str], bool]] = {
    "a word of more": (["yes", "yes, partly", "no", "no, hardly"], True),
    "two names of one": (["comparison/contrast", "cause/result", "list", "list"], False),
    "not applicable": (["n/a", "n", "a", "n"], False),
    "codes or numbers": (["1,2", "1,3", "1", "2"], True),
    "fractions": (["1/2", "1/3", "1", "2"], True),
    "ranges": (["1-3", "3-4", "1", "3"], True),
    "one pair": (["and/or", "and", "or", "or"], True),
    "two names of one, each a label": (
        ["comparison/contrast", "comparison", "contrast", "cause"],
        True,
    ),
    "a label within a label": (["yes, partly", "yes", "partly", "no"], True),
    "senses": (["run#1", "run#2", "walk#1", "walk#2"], False),
    "a word between": (["joy and awe", "joy", "awe and rage", "awe", "rage"], True),
    "white space": (["joy awe", "joy", "awe rage", "awe", "rage"], True),
    "an adverb": (["very good", "good", "bad", "very bad"], False),
    "dates": (["1/2/2020", "3/4/2020", "1/2/2020", "3/4/2020"], False),
    "languages": (["C++", "C", "C++", "C"], False),
    "one slip": (["a;b", "c", "d", "c"], False),
    "shares": (["a:0.8; b:0.2", "a:0.5; b:0.5", "a:1; b:0", "a:1; b:0"], False),
    "bracket": (["[1]", "x", "y", "x"], False),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_doubtful_stays_one_label(case: str) -> None:
    cells, noted = DOUBTFUL[case]
    data = read(wide(cells, cells[::-1]))
    assert data.scheme.max_labels == 1
    assert ("separator=" in str(data.reading)) is noted


def test_a_separator_that_is_given_is_not_doubted() -> None:
    data = read(wide(["comparison/contrast", "list"], ["list", "contrast"]), separator="/")
    assert data.values == (("contrast",), ("list",), ("comparison", "contrast"))
    assert data.reading.notes[0] == "labels in a cell are separated by '/'"
    spaced = read(wide(["joy  awe", "joy"], ["awe", "joy"]), separator=" ")
    assert spaced.values == (("awe",), ("joy",), ("awe", "joy"))


def test_declared_categories_say_what_a_label_is() -> None:
    cells = wide(["yes, partly", "no", "yes"], ["yes, partly", "no", "no"])
    whole = read(cells, categories=["yes", "no", "yes, partly"])
    assert whole.scheme.max_labels == 1
    found = read(wide(["a/b", "a"], ["b", "a"]), categories=["a", "b"])
    assert found.values == (A, B, AB)


def test_words_that_mean_missing() -> None:
    data = read(wide(["a;b", "NA", "a;NA"], ["a", "b", "b"]))
    assert labels(data) == [AB, A, A, B, B]
    assert any("'NA' (2)" in n for n in data.reading.notes)


def test_several_questions() -> None:
    rows = [
        {"item": i, "coder": c, "topic": t, "mood": m}
        for i, c, t, m in [
            (1, "A", "x;y", 1),
            (1, "B", "x", 2),
            (2, "A", "y", 3),
            (2, "B", "x;y", 3),
        ]
    ]
    data = read(rows, label=["topic", "mood"], separator=";", scale={"mood": "ordinal"})
    assert [s.max_labels for s in data.schemes] == [None, 1]
    assert data.values == (1, 2, 3, ("x",), ("y",), ("x", "y"))
    assert data.of_question("mood").scheme.scale == "ordinal"


# ------------------------------------------------------------------ the empty set


def test_ways_to_say_that_no_label_applies() -> None:
    expected = read(wide([A, AB, ()], [A, B, ()])).fingerprint
    assert (
        read(wide(["a", "a;b", "none"], ["a", "b", "none"]), empty="none").fingerprint == expected
    )
    assert read(wide(["a", "a;b", "[]"], ["a", "b", "{}"])).fingerprint == expected
    assert read(wide(["a", "a;b", ""], ["a", "b", None]), blank="empty").fingerprint == expected
    rows = [
        {"item": f"t{k}", "coder": c, "label": x or None, "status": "answered" if x else "empty"}
        for c, cells in (("Ann", ["a", "a;b", ""]), ("Bob", ["a", "b", ""]))
        for k, x in enumerate(cells)
    ]
    assert read(rows).fingerprint == expected


def test_a_word_for_none_is_pointed_at() -> None:
    assert "empty='none'" in str(read(wide(["a", "a;b", "none"], ["a", "b", "none"])).reading)
    assert "blank='empty'" in str(read(wide(["a", "a;b", None], ["a", "b", "b"])).reading)


# ------------------------------------------------------------------ order


def test_ranked_labels_keep_their_order() -> None:
    plain, ranked = read(SETS), read(SETS, layout="ranked")
    assert not plain.scheme.ranked
    assert ranked.scheme.ranked
    assert ("b", "a") in ranked.values
    assert ("b", "a") not in plain.values
    assert ranked.fingerprint != plain.fingerprint


# ------------------------------------------------------------------ bad input

CELLS = "item,coder,label\n1,A,a;b\n1,B,a\n2,A,a;c;d\n2,B,b\n"
BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "outside": (
        CELLS,
        {"categories": ["a", "b", "d"]},
        r"row 4, column 'label': label 'c' is not in",
    ),
    "only marks": (
        CELLS + "3,A,;\n3,B,a\n",
        {},
        r"row 6, column 'label': the cell ';' holds a separator but no",
    ),
    "several outside": (
        CELLS,
        {"categories": ["a", "b"]},
        r".*'[cd]' is not in the scheme 'a', 'b', nor is '[cd]'",
    ),
    "a word for none": (
        CELLS + "3,A,none\n3,B,a\n",
        {"categories": list("abcd")},
        r".*label 'none' is not in .*empty='none'",
    ),
    "twice": (CELLS + '2,B,"b; a"\n', {}, r".*twice: 'b' \(row 5\) and 'b; a' here"),
    "none beside": (
        CELLS,
        {"empty": "c"},
        r"row 4, column 'label': the annotation says 'c', .* beside 'a', 'd'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_cells(case: str, tmp_path: Path) -> None:
    content, options, message = BAD[case]
    path = tmp_path / "d.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=r"d\.csv, " + message) as caught:
        read(path, **options)
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ the scheme given anew


def test_the_scheme_of_sets_can_be_given_anew() -> None:
    data = read(SETS)
    again = read(data, categories=["c", "b", "a"])
    assert again.fingerprint == read(SETS, categories=["c", "b", "a"]).fingerprint
    assert again.values == ((), B, A, ("b", "a"))
    ranked = read(SETS, layout="ranked")
    assert labels(read(ranked, categories=["c", "b", "a"])) == labels(ranked)
    with pytest.raises(InputError, match=r"label 'a' is not in the scheme 'b' \(4 annotations\)"):
        read(data, categories=["b"])
    with pytest.raises(RequestError, match="sets of labels"):
        read(data, scale="ordinal")


# ------------------------------------------------------------------ large files


# ------------------------------------------------------------------ real data
