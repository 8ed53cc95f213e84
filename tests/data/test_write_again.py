"""What is written is read again: without being told how, with what is printed, or not written."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from accordant.actions import Notice
from accordant.cli.parameters import listed
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.data.write import write
from accordant.errors import RequestError


def two_questions(first: str = "mood", second: str = "urgency") -> Annotations:
    rows = range(8)
    table = {
        "item": [k // 2 for k in rows],
        "coder": ["Ann", "Bob"] * 4,
        first: ["sad", "glad", "glad", "glad"] * 2,
        second: [3, 3, 2, 1, 2, 2, 1, 1],
    }
    return read(table, item="item", coder="coder", label=[first, second])


def test_a_question_that_was_left_out_is_in_no_layout(tmp_path: Path) -> None:
    data = two_questions().of_questions(["mood"])
    for layout in ("onehot", "counts", "table"):
        write(data, tmp_path / f"{layout}.csv", layout)
        head = (tmp_path / f"{layout}.csv").read_text().splitlines()[0]
        assert {"glad", "sad"} <= {*head.split(",")}
        assert not {"1", "2", "3"} & {*head.split(",")}


def test_columns_that_would_be_taken_for_others_are_not_written(tmp_path: Path) -> None:
    """Columns 'target__Ann' are recognised as no coder's."""
    data, path = two_questions("label", "target"), tmp_path / "wide.csv"
    with pytest.raises(RequestError, match="long layout"):
        write(data, path, "wide")
    assert not path.exists()
    write(data, path)
    assert read(path).fingerprint == data.fingerprint


def test_categories_with_commas_can_be_copied(tmp_path: Path) -> None:
    topics = ["Housing", "Health, care", "Schools"]
    data = read([topics, [*topics[:2], None]], scale="ordinal", categories=topics)
    (again,) = (x for x in write(data, tmp_path / "a.csv") if isinstance(x, Notice))
    words = shlex.split(again.do[0].shell())
    assert listed(words[words.index("--categories") + 1]) == topics


def test_an_empty_list_is_an_answer_without_a_label(tmp_path: Path) -> None:
    """It makes a question one of sets, even where no annotation holds two labels."""
    rows = [
        (k // 2, "ab"[k % 2], q, label)
        for k in range(6)
        for q, label in (("topics", ["x"] if k % 3 else []), ("mood", "glad" if k else "sad"))
    ]
    table = {n: [r[k] for r in rows] for k, n in enumerate(("item", "coder", "question", "label"))}
    data = read(table)
    assert [s.max_labels for s in data.schemes] == [None, 1]
    path = tmp_path / "long.csv"
    assert write(data, path) == ()
    assert read(path).fingerprint == data.fingerprint


def test_whole_ids_have_no_decimal_point(tmp_path: Path) -> None:
    """As programs for statistics keep them."""
    data = read({"id": np.array([1000.0, 1001.0]), "Ann": ["x", "y"], "Bob": ["x", "x"]})
    for layout in ("long", "wide"):
        path = tmp_path / f"{layout}.csv"
        write(data, path, layout)
        assert path.read_text().splitlines()[1].startswith("1000,")
