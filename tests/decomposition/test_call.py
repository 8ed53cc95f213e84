"""The public call: kinds of data, what is asked of it, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import RequestError, decompose, example, read

SAME = 1e-12  # two floats that were computed in different ways

NEAT = example("levi2022_neat")


# ------------------------------------------------------------------ partitions


def test_searched() -> None:
    found = decompose(NEAT, most=3)
    assert [row.rank for row in found] == [1, 2, 3]
    assert (len(found), found.exhaustive, found.n_scored) == (3, True, 127)
    beyond = [row.beyond.score for row in found]
    assert beyond == sorted(beyond, reverse=True)
    assert found.rank == "beyond"
    assert [row.rule for row in decompose(NEAT, most=3, rank="auto")] == [x.rule for x in found]
    found = decompose(NEAT, most=3, rank="second")
    assert found[0].rule == "000, 011, 101, 110"
    assert found["any label"].rank is None
    assert found["000, 011, 101, 110"] is found[0]
    assert found["001,010,100,111"] is found[0]
    assert found[0].rule in str(found)
    assert len(decompose(NEAT)) == 8


def test_neat_has_no_headline() -> None:
    """Slips in single labels would do the same: parity separates even less than they would."""
    found = decompose(NEAT)
    assert found.headline is None
    parity = found["000,011,101,110"]
    assert parity.beyond.score < 0
    assert parity.explained_by_slips > parity.explained.value
    assert parity.gain < 0


@pytest.mark.parametrize("rank, sign", [("beyond", 1), ("first", -1), ("second", 1)])
def test_rows_are_in_the_order_of_their_ranking(rank: Any, sign: int) -> None:
    rows = decompose(NEAT, rank=rank, most=10).to_rows()
    values = [sign * row[rank] for row in rows]
    assert values == sorted(values, reverse=True)


def test_named() -> None:
    by: list[Any] = ["any label", "001,010,100", len]
    found = decompose(NEAT, by, rank="second")
    assert [row.rank for row in found] == [74, 2, None]
    assert [row.partition.n_blocks for row in found] == [2, 2, 4]
    assert "3 partitions named; ranks are those among all 127 bipartitions, by second" in found.how
    assert not found.exhaustive
    assert [row.beyond.n_compared for row in found] == [3, 3, 3]


def test_a_named_partition_has_its_place() -> None:
    """Of the 127, as the search ranks them."""
    every = decompose(NEAT, most=127, minimum_share=0)
    for row in list(every)[::25]:
        again = decompose(NEAT, by=row.to_rows()[0]["side_0"])[0]
        assert again.rank == row.rank
        assert again.excess.value == pytest.approx(row.excess.value, abs=SAME)


# ------------------------------------------------------------------ kinds of data


def test_categories_of_several_questions() -> None:
    found = decompose(example("visitors"), most=4)
    assert found.questions == ("topic", "mood")
    assert found.n_scored == 31 + 4
    assert [row["question"] for row in found.to_rows()] == ["topic"] * 4 + ["mood"] * 4
    assert "topic: all 31" in found.how
    topic = found.of_question("topic")
    assert (len(topic), topic.n_scored) == (4, 31)
    assert topic.total.value == pytest.approx(0.6944, abs=1e-3)
    assert found["topic", "staff,exhibits"].rule == "staff, exhibits"
    first = topic[0]
    assert np.isnan(first.flip)
    assert not first.second.labels
    with pytest.raises(RequestError, match="choose among topic and mood"):
        _ = found.total
    with pytest.raises(RequestError, match="a rule belongs to one question"):
        found["staff"]
    with pytest.raises(RequestError, match="there is no question 'place'"):
        found.of_question("place")


def test_labels_of_several_questions_have_columns_in_one_place() -> None:
    rows = [
        {"item": i, "coder": c, "q1": a, "q2": b}
        for i, (a, b) in enumerate([("x", "u"), ("x;y", "u;v"), ("y", "v"), ("x", "v")] * 3)
        for c in ("Ada", "Bob")
    ]
    rows[1]["q1"], rows[3]["q2"] = "y", "u"
    found = decompose(rows, separator=";", most=2)
    table = found.to_rows()
    keys = list(table[0])
    assert all(list(row) == keys for row in table)
    assert keys[keys.index("first_high") + 1 : keys.index("second")] == ["x", "y", "u", "v"]
    assert np.isnan(table[0]["u"])


def test_many_sets_of_labels() -> None:
    found = decompose(example("marchal2022_case"), most=3)
    assert not found.exhaustive
    assert found.n_scored == 20
    assert len(found.to_rows()[0]) > 40


def test_counts_without_coders(tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text("item,a,b,c\n1,3,0,1\n2,2,2,0\n3,0,4,0\n4,1,1,2\n5,0,0,4\n6,4,0,0\n")
    found = decompose(file, layout="counts")
    assert found.n_scored == 3
    assert found[0].basis.form.key == "pi"
    assert "the coefficient is π, not κ" in found.notes[0]
    assert "is π, not κ" in " ".join(str(found).split())
    assert found[0].first.pairs == (("", ""),)
    assert [row["pair"] for row in found[0].by_pair()] == ["all coders", None]
    assert "coders are not known" in found.notes[0]
    assert found.total.given() == []


def test_a_scale_is_not_used_and_that_is_told() -> None:
    plain = decompose(example("visitors").of_scale("nominal"), most=1)
    found = decompose(example("visitors"), most=1)
    assert "The values of mood are numbers treated as nominal" in plain.notes[0]
    assert "The scale is ordinal, but values are compared unweighted (identity)" in found.notes[0]
    assert found.of_question("topic").to_json() == plain.of_question("topic").to_json()
    assert found.of_question("mood").parts[0].how.startswith("the 4 cut points of an ordered")


def test_two_values_have_one_bipartition() -> None:
    found = decompose([["y", "n", "y", "n", "y"], ["y", "n", "n", "n", "y"]])
    assert (len(found), found.n_scored, found.exhaustive) == (1, 1, True)
    assert found[0].first.mean.value == pytest.approx(found.total.value, abs=SAME)
    assert found[0].second.mean.undefined is not None
    assert json.loads(found.to_json())[0]["second"] is None


def test_perfect_agreement_is_no_crash() -> None:
    found = decompose([list("aabbcc"), list("aabbcc")])
    assert found.to_rows()[0]["first"] == 1
    assert found[0].explained.undefined == "no two coders differ on any item"


def test_a_question_with_nothing_to_divide_is_left_out() -> None:
    rows = [
        {"item": i, "coder": c, "same": "x", "tone": "+-"[(i + (c == "Bob" and i == 3)) % 2]}
        for i in range(6)
        for c in ("Ada", "Bob")
    ]
    found = decompose(rows, label=["same", "tone"])
    assert found.questions == ("tone",)
    assert "every annotation of an item with two is 'x'" in found.left_out["same"]
    assert "Left out: same" in str(found)


# ------------------------------------------------------------------ what it refuses

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"by": []}, "by: no partition is named"),
    ({"by": ()}, "a chain of levels is empty"),
    ({"by": 7}, "7 is none of them"),
    ({"by": ("number of labels", "any label")}, "each level of a chain has to divide"),
    ({"coefficient": "kapa"}, "unknown coefficient 'kapa'.*did you mean 'kappa'"),
    (
        {"coefficient": "alpha_masi"},
        "pairs of coders are compared by .*, not 'alpha_masi'",
    ),
    ({"coefficient": "kappa_linear"}, "not 'kappa_linear'"),
    ({"rank": "best"}, "unknown rank 'best'"),
    ({"rank": "excess"}, "unknown rank 'excess'.*auto, beyond, first, second"),
    ({"search": "local"}, "unknown search 'local'"),
    ({"rounding": "up"}, "unknown rounding 'up'"),
    ({"most": 0}, "most: 1 or more"),
    ({"level": 1.5}, "level: between 0 and 1"),
    ({"hierarchy": ".", "by": "any label"}, "the partition or the hierarchy, not both"),
    ({"minimum_share": 0.9}, "minimum_share: between 0 and 0.5"),
]


@pytest.mark.parametrize("options, said", WRONG, ids=[str(x) for x, _ in WRONG])
def test_wrong_requests(options: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        decompose(NEAT, **options)


@pytest.mark.parametrize(
    "data, said",
    [
        ([["a", "b", "a"]], "only one coder"),
        ([["a", None], [None, "b"]], "no item was annotated by two coders"),
        ([["a", "a"], ["a", "a"]], "at least two different values are needed"),
    ],
)
def test_nothing_to_take_apart(data: Any, said: str) -> None:
    with pytest.raises(RequestError, match=f"nothing to take apart: .*{said}"):
        decompose(read(data, layout="transposed"))


def test_a_rule_is_for_the_questions_that_it_fits() -> None:
    visitors = example("visitors")
    found = decompose(visitors, by="2,4")
    assert found.questions == ("mood",)
    assert found.left_out["topic"].startswith("partition '2,4': there is no category '2'")
    both = decompose(visitors, by=["staff", "2,4"])
    assert [(row.basis.question, row.rule) for row in both] == [
        ("topic", "staff"),
        ("mood", "2, 4"),
    ]
    with pytest.raises(RequestError, match="topic: .*'stafff'.*mean 'staff'.*mood: "):
        decompose(visitors, by=["staff", "stafff"])


def test_partitions_of_the_same_name_are_not_mixed_up() -> None:
    data = [["a", "b", "c", "c"], ["a", "c", "c", "b"]]
    by = [{"a": "x", "b": "y", "c": "y"}, {"a": "y", "b": "x", "c": "y"}]
    found = decompose(data, by=[lambda v: v == "a", lambda v: v == "b"])
    assert found[0].rule == found[1].rule
    with pytest.raises(RequestError, match="there is no category"):
        found[found[0].rule]
    assert decompose(data, by=[by[0], by[0]])[by[0]].rule == "x | y"
