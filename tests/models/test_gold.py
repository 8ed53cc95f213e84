"""Labels that are known: every shape in which people have them, and what is wrong with some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordant as ac
from accordant.data.read import read
from accordant.errors import InputError, RequestError
from accordant.models.gold import known_labels

ROWS = [["yes", "no", "yes", "no"], ["yes", "no", "no", "no"], ["no", "no", "yes", "yes"]]


@pytest.fixture
def data() -> Any:
    return read(ROWS, coder=["Ann", "Bob", "Cem"])


def written(folder: Path, text: str, name: str = "gold.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


WANTED = {1: "yes", 2: "no"}


def test_every_shape_gives_the_same_labels(data: Any, tmp_path: Path) -> None:
    frame = pd.DataFrame({"item": [1, 2], "gold": ["yes", "no"]})
    workbook = tmp_path / "gold.xlsx"
    frame.to_excel(workbook, index=False)
    shapes = [
        WANTED,
        {"1": "yes", "2": "no"},
        frame,
        frame.rename(columns={"gold": "label"}),
        frame.set_index("item")["gold"],
        {"item": [1, 2], "gold": ["yes", "no"]},
        written(tmp_path, "item,gold\n1,yes\n2,no\n"),
        str(written(tmp_path, "item;label\n1;yes\n2;no\n", "two.csv")),
        written(tmp_path, "id\ttruth\tremark\n1\tyes\tclear\n2\tno\t\n", "three.tsv"),
        written(tmp_path, "item,coder,label\n1,expert,yes\n2,expert,no\n", "coder.csv"),
        workbook,
    ]
    for gold in shapes:
        assert known_labels(gold, data) == (WANTED, ()), gold


def test_a_published_gold_file(real_data: Callable[[str], Path]) -> None:
    data = read(real_data("crowd/snow_rte.csv"))
    labels, coders = known_labels(real_data("crowd/snow_rte.gold.csv"), data)
    assert len(labels) == 800
    assert coders == ()
    found = ac.fit(data, "dawid_skene", gold=real_data("crowd/snow_rte.gold.csv"))
    assert found.labels == [labels[i] for i in list(found.items)]
    majority = ac.fit(data, "majority").accuracy(real_data("crowd/snow_rte.gold.csv"))
    assert majority == pytest.approx(0.896875)


def test_a_coder_may_hold_the_gold(data: Any) -> None:
    labels, coders = known_labels("Cem", data)
    assert labels == {1: "no", 2: "no", 3: "yes", 4: "yes"}
    assert coders == ("Cem",)
    assert ac.fit(data, "dawid_skene", gold="Cem").coders == ("Ann", "Bob")


def test_items_without_a_label_are_no_control_items(data: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "item,gold\n1,yes\n2,NA\n3,\n77,no\n")
    assert known_labels(path, data)[0] == {1: "yes"}
    assert known_labels({1: "yes", 2: None, 3: float("nan")}, data)[0] == {1: "yes"}


def test_a_label_outside_the_scheme_is_one_clear_error(data: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "item,gold\n1,yes\n2,nay\n")
    with pytest.raises(InputError) as error:
        ac.fit(data, gold=path)
    text = str(error.value)
    assert text.startswith("gold.csv, row 3, column 'gold': the gold label 'nay' of item '2'")
    assert "no and yes" in text
    with pytest.raises(InputError, match="did you mean 'yes'"):
        ac.fit(data, gold={1: "yess"})


@pytest.mark.parametrize(
    "gold, error, what",
    [
        ({99: "yes"}, InputError, "none of the items with a gold label"),
        ({}, InputError, "no item has a gold label"),
        ({1: None, 2: float("nan")}, InputError, "no item has a gold label"),
        ("An", RequestError, "neither a coder of the data nor a file .did you mean 'Ann'"),
        (pd.DataFrame({"item": [1, 1], "gold": ["yes", "no"]}), InputError, "two gold labels"),
        (read(ROWS), InputError, "labels of 3 coders"),
    ],
)
def test_what_cannot_be_meant(data: Any, gold: Any, error: Any, what: str) -> None:
    with pytest.raises(error, match=what):
        ac.fit(data, gold=gold)


def test_numbers_and_their_text_are_the_same_label() -> None:
    data = read([[1, 2, 1], [1, 2, 2]])
    assert known_labels({"1": "2", 2: 2.0}, data)[0] == {1: 2, 2: 2}


def test_sets_of_labels() -> None:
    data = read([["joy;awe", "joy", "awe"], ["joy", "joy", "joy;awe"]])
    whole = known_labels({1: "awe;joy", 2: ["joy"], 3: ("joy", "awe")}, data)[0]
    assert whole == {1: ("awe", "joy"), 2: ("joy",), 3: ("awe", "joy")}
    with pytest.raises(InputError, match="outside the scheme"):
        known_labels({1: "joy;rage"}, data)


def test_control_items_teach(data: Any) -> None:
    """With all labels known a confusion matrix is a table of counts."""
    gold = {1: "yes", 2: "no", 3: "yes", 4: "no"}
    found = ac.fit(data, "dawid_skene", gold=gold)
    assert found.labels == ["yes", "no", "yes", "no"]
    rows = dict(zip(found.coders, found.confusion.tolist(), strict=True))
    no, yes = found.categories.index("no"), found.categories.index("yes")
    assert rows["Bob"][no][no] == 1
    assert rows["Bob"][yes][yes] == 0.5
    assert np.isclose(found.log_likelihood, 10 * np.log(0.5))


def test_a_column_about_the_items_holds_the_labels(tmp_path: Path) -> None:
    """A column called gold beside the coders' columns is a fact about the items, and can be named."""
    file = tmp_path / "ratings.csv"
    file.write_text("item,Ann,Bob,gold\n1,a,b,a\n2,b,b,\n3,a,a,b\n", encoding="utf-8")
    data = read(file)
    assert data.coders == ("Ann", "Bob")
    assert known_labels("gold", data) == ({"1": "a", "3": "b"}, ())
    assert ac.fit(data, "majority").accuracy("gold") == 0.25  # half of a tie, and a wrong label
    file.write_text("item,Ann,Bob,gold\n1,a,b,c\n2,b,b,\n3,a,a,b\n", encoding="utf-8")
    with pytest.raises(InputError, match="'c' of item '1' is outside the scheme"):
        known_labels("gold", read(file))


TWO = [(k, c, t, m) for k, (t, m) in enumerate(["xp", "yq", "xq", "yp"]) for c in "ABC"]


@pytest.fixture
def two() -> Any:
    frame = pd.DataFrame(TWO, columns=["item", "coder", "topic", "mood"])
    return read(frame, label=["topic", "mood"])


def controlled(found: Any) -> list[int]:
    return [int((one.votes.known >= 0).sum()) for one in found]


def test_gold_labels_of_several_questions(two: Any, tmp_path: Path) -> None:
    assert two.questions == ("topic", "mood")
    frame = pd.DataFrame({"item": [0, 1], "topic": ["x", "y"], "mood": ["p", "q"]})
    frame.to_csv(tmp_path / "gold.csv", index=False)
    both: list[Any] = [
        {"topic": {0: "x", 1: "y"}, "mood": {0: "p", 1: "q"}},
        frame,
        {name: frame[name].tolist() for name in frame},
        tmp_path / "gold.csv",
    ]
    for gold in both:
        assert controlled(ac.fit(two, "pooled", gold=gold)) == [2, 2]
    for gold in ({"mood": {0: "p"}}, frame[["item", "mood"]].head(1)):
        assert controlled(ac.fit(two, "pooled", gold=gold)) == [0, 1]
    own = ac.fit(two, "pooled", gold="A")
    assert controlled(own) == [4, 4]
    assert [one.coders for one in own] == [("B", "C")] * 2


def test_a_gold_coder_may_have_answered_one_question_only() -> None:
    rows = [(k, c, t, None if c == "A" else m) for k, c, t, m in TWO]
    frame = pd.DataFrame(rows, columns=["item", "coder", "topic", "mood"])
    data = read(frame, label=["topic", "mood"])
    found = ac.fit(data, "pooled", gold="A")
    assert controlled(found) == [4, 0]
    assert [one.coders for one in found] == [("B", "C")] * 2


def test_gold_labels_that_fit_one_question_are_refused_for_several(
    two: Any, tmp_path: Path
) -> None:
    frame = pd.DataFrame({"item": [0, 1], "gold": ["x", "y"]})
    frame.to_csv(tmp_path / "gold.csv", index=False)
    for gold in ({0: "x"}, frame, tmp_path / "gold.csv", pd.Series({0: "x"})):
        with pytest.raises(RequestError, match="nothing says which of them") as error:
            ac.fit(two, "pooled", gold=gold)
        assert "2 questions (“topic” and “mood”)" in str(error.value)
        assert "of_question('topic')" in str(error.value)
    with pytest.raises(InputError, match="no item has a gold label"):
        ac.fit(two, "pooled", gold={})
    with pytest.raises(RequestError, match="neither a coder of the data nor a file"):
        ac.fit(two, "pooled", gold="nobody")
    alone = ac.fit(two.of_question("topic"), "pooled", gold=tmp_path / "gold.csv")
    assert int((alone.votes.known >= 0).sum()) == 2
    with pytest.raises(InputError, match="outside the scheme"):
        ac.fit(two, "pooled", gold={"mood": {0: "x"}})
