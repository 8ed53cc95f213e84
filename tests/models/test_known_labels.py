"""Known labels: as control items, as a truth, from a coder, a column, a file, a mapping."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accordant as ac
from models.planted import crowd, kinds

ROWS = {
    "item": [1, 2, 3, 4],
    "Ann": ["yes", "no", "yes", "no"],
    "Bob": ["yes", "no", "no", "no"],
    "Cem": ["no", "no", "yes", "yes"],
}
GOLD = {1: "yes", 2: "no"}


@pytest.fixture
def data() -> Any:
    return ac.read(ROWS)


def known(found: Any) -> dict[Any, Any]:
    """The control items of a model, and their labels."""
    at = found.votes.known.tolist()
    return {x: found.categories[k] for x, k in zip(found.votes.names, at, strict=True) if k >= 0}


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "xlsx", "parquet"])
def test_a_file(data: Any, tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame({"item": [1, 2], "gold": ["yes", "no"]})
    path = tmp_path / f"gold.{suffix}"
    writers: dict[str, Any] = {
        "csv": lambda: frame.to_csv(path, index=False),
        "tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "xlsx": lambda: frame.to_excel(path, index=False),
        "parquet": lambda: frame.to_parquet(path),
    }
    writers[suffix]()
    assert known(ac.fit(data, gold=path)) == GOLD
    assert known(ac.fit(data, gold=str(path))) == GOLD


@pytest.mark.parametrize(
    "gold",
    [
        GOLD,
        {"1": "yes", 2: "no", 99: "no"},
        pd.Series(GOLD),
        pd.DataFrame({"id": [1, 2], "truth": ["yes", "no"]}),
        {"item": [1, 2], "label": ["yes", "no"]},
        pd.DataFrame({"item": [1, 2, 3], "gold": ["yes", "no", None], "text": list("xyz")}),
        {1: "yes", 2: "no", 3: None, 4: float("nan")},
        ac.read([(1, "Eve", "yes"), (2, "Eve", "no")]),
    ],
)
def test_other_doors(data: Any, gold: Any) -> None:
    assert known(ac.fit(data, gold=gold)) == GOLD
    assert ac.fit(data, "majority").scores(gold).n_items == 2


def test_a_coder_or_a_column_may_hold_the_gold(data: Any, tmp_path: Path) -> None:
    found = ac.fit(data, "dawid_skene", gold="Cem")
    assert found.coders == ("Ann", "Bob")
    assert known(found) == dict(zip(ROWS["item"], ROWS["Cem"], strict=True))
    file = tmp_path / "ratings.csv"
    file.write_text("item,Ann,Bob,gold\n1,a,b,a\n2,b,b,\n3,a,a,b\n", encoding="utf-8")
    wide = ac.read(file)
    assert wide.coders == ("Ann", "Bob")
    assert known(ac.fit(wide, gold="gold")) == {"1": "a", "3": "b"}
    assert ac.fit(wide, "majority").scores("gold").accuracy == 0.25  # half a tie, a wrong label


def test_control_items_teach(data: Any) -> None:
    """With all labels known a confusion matrix is a table of counts."""
    gold = {1: "yes", 2: "no", 3: "yes", 4: "no"}
    found = ac.fit(data, "dawid_skene", gold=gold)
    assert found.labels == ["yes", "no", "yes", "no"]
    rows = dict(zip(found.coders, found.confusion.tolist(), strict=True))
    no, yes = found.categories.index("no"), found.categories.index("yes")
    assert (rows["Bob"][no][no], rows["Bob"][yes][yes]) == (1, 0.5)
    kept = ac.fit([["a", "b"], ["a", "b"]], "majority", gold={1: "b"})
    assert kept.labels == ["b", "b"]
    assert kept.competence.tolist() == [0.5, 0.5]


def test_control_items_are_not_scored() -> None:
    made = crowd(kinds(3, good=6), 100, 4)
    gold = made.gold(30)
    found = ac.fit(made.rows, gold=gold)
    scores = found.scores(made.truth)
    assert (scores.n_told, scores.n_items) == (30, 70)
    with pytest.raises(ac.InputError, match="no item with a known label was annotated"):
        found.scores(gold)
    table = ac.coders(found)
    right = {(i, c): x == made.truth[i] for i, c, x in made.rows if i in gold}
    for c in table:
        mine = [ok for (_, who), ok in right.items() if who == c.coder]
        assert c.n_control == len(mine)
        assert c.accuracy == pytest.approx(sum(mine) / len(mine))
        assert c.accuracy_low <= c.accuracy <= c.accuracy_high


@pytest.mark.parametrize(
    ("gold", "error", "what"),
    [
        ({1: "nay"}, ac.InputError, "the gold label 'nay' of item '1' is not in the scheme"),
        ({1: "yess"}, ac.InputError, "did you mean 'yes'"),
        ({99: "yes"}, ac.InputError, "none of the items with a gold label"),
        ({}, ac.InputError, "no item has a gold label"),
        ({1: None, 2: float("nan")}, ac.InputError, "no item has a gold label"),
        ("An", ac.RequestError, "no coder, no column .* no file; did you mean 'Ann'"),
        (pd.DataFrame({"item": [1, 1], "gold": ["yes", "no"]}), ac.InputError, "two gold labels"),
        (ac.read(ROWS), ac.InputError, "labels of 3 coders"),
    ],
)
def test_what_cannot_be_meant(data: Any, gold: Any, error: Any, what: str) -> None:
    with pytest.raises(error, match=what):
        ac.fit(data, gold=gold)


def test_a_coder_that_was_learned_from_is_no_truth(data: Any) -> None:
    with pytest.raises(ac.RequestError, match="has learned from 'Cem'"):
        ac.fit(data, "majority").scores("Cem")


def test_items_that_the_data_do_not_have_are_told(data: Any) -> None:
    found = ac.fit(data, gold={**GOLD, "x1": "yes"})
    (told,) = [f for f in found.findings if f.code == "gold_not_in_data"]
    assert told.facts == {"n": 1, "n_told": 3, "items": ("x1",)}
    assert "x1" in str(found.scores({3: "yes", "x1": "no"}))


def test_numbers_and_their_text_are_the_same_label() -> None:
    data = ac.read([[1, 2, 1], [1, 2, 2], [1, 2, 1]])
    assert known(ac.fit(data, gold={"1": "2", 2: 2.0})) == {1: 2, 2: 2}


TWO = [(k, c, t, m) for k, (t, m) in enumerate(["xp", "yq", "xq", "yp"]) for c in "ABC"]


def test_gold_labels_of_several_questions(tmp_path: Path) -> None:
    frame = pd.DataFrame(TWO, columns=["item", "coder", "topic", "mood"])
    two = ac.read(frame, label=["topic", "mood"])

    def controlled(gold: Any, data: Any = two) -> list[int]:
        return [len(known(one)) for one in ac.fit(data, "pooled", gold=gold)]

    table = pd.DataFrame({"item": [0, 1], "topic": ["x", "y"], "mood": ["p", "q"]})
    table.to_csv(tmp_path / "gold.csv", index=False)
    by_question = {"topic": {0: "x", 1: "y"}, "mood": {0: "p", 1: "q"}}
    columns = {name: table[name].tolist() for name in table}
    for gold in (by_question, table, columns, tmp_path / "gold.csv"):
        assert controlled(gold) == [2, 2]
    assert controlled({"mood": {0: "p"}}) == [0, 1]
    assert controlled("A") == [4, 4]
    rows = [(k, c, t, None if c == "A" else m) for k, c, t, m in TWO]
    partly = ac.read(pd.DataFrame(rows, columns=frame.columns), label=["topic", "mood"])
    assert controlled("A", partly) == [4, 0]
    for gold in ({0: "x"}, table[["item"]].assign(gold=["x", "y"])):
        with pytest.raises(ac.RequestError, match="give a mapping from question"):
            ac.fit(two, "pooled", gold=gold)
