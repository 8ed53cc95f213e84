"""What users write for a partition, what it is called, and every way to get it wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import RequestError, decompose, example, read
from decomposition import by_hand

NEAT = example("levi2022_neat")
TOPIC = example("visitors").of_question("topic")


def blocks(by: Any, data: Any = NEAT, **options: Any) -> dict[str, str]:
    """The values of each block, by what it is called."""
    one = decompose(data, by, **options)[0]
    row = one.to_rows()[0]
    sides = [row["side_0"], *row["side_1"].split(" | ")]
    return dict(zip(one.partition.names, sides, strict=True))


# ------------------------------------------------------------------ what can be written

HELD = "100,101,110,111"


@pytest.mark.parametrize(
    "by, wanted",
    [
        ("any label", {"any label": "001,010,011," + HELD, "no label": "000"}),
        (" Any  Label ", {"any label": "001,010,011," + HELD, "no label": "000"}),
        ("Complication", {"Complication": HELD, "not Complication": "000,001,010,011"}),
        ("complication", {"Complication": HELD, "not Complication": "000,001,010,011"}),
        ("000", {"no label": "000", "any label": "001,010,011," + HELD}),
        (
            "number of labels",
            {"0 labels": "000", "1 label": "001,010,100", "2 labels": "011,101,110"}
            | {"3 labels": "111"},
        ),
        ("001|010, 100", {"001": "001", "010, 100": "010,100", "otherwise": "000,011,101,110,111"}),
        (len, {"0": "000", "1": "001,010,100", "2": "011,101,110", "3": "111"}),
        (lambda v: "Success" in v, {"False": "000,010,100,110", "True": "001,011,101,111"}),
    ],
)
def test_sets(by: Any, wanted: dict[str, str]) -> None:
    assert blocks(by) == wanted


def test_categories() -> None:
    rest = "building,staff,tickets,café,children"
    assert set(blocks("exhibits", TOPIC)) == {"exhibits", "not exhibits"}
    assert set(blocks("exhibits", TOPIC)["not exhibits"].split(",")) == set(rest.split(","))
    found = blocks("Staff, children | tickets,café", TOPIC)
    assert [set(x.split(",")) for x in found.values()] == [
        {"staff", "children"},
        {"tickets", "café"},
        {"exhibits", "building"},
    ]
    assert [*found] == ["staff, children", "tickets, café", "otherwise"]
    given = {"exhibits": "in", "building": "in", "staff": "in"}
    given |= dict.fromkeys(["children", "tickets", "café"], "out")
    assert set(blocks(given, TOPIC)) == {"in", "out"}


def test_a_mapping_of_sets_knows_no_order_of_labels() -> None:
    data = read([[("a", "b"), ("a",), ("b",)], [("a", "b"), ("b",), ("b",)]], layout="transposed")
    given = {("b", "a"): "two", ("a",): "one", ("b",): "one"}
    assert blocks(given, data) == {"one": "01,10", "two": "11"}


STRANGE = ["a, b", 'say "no"', "x|y", " edge", "any label", "01"]


def test_names_that_need_quotes() -> None:
    rows = [STRANGE * 2, STRANGE + STRANGE[::-1]]
    found = decompose(rows, most=31)
    for row in found:
        again = decompose(rows, by=row.to_rows()[0]["side_0"])[0]
        assert again.partition.blocks[0] == row.partition.blocks[0]
        assert again.rule == row.rule
    with pytest.raises(RequestError, match="did you mean '\"a, b\"'"):
        decompose(rows, by="a, b")


def test_labels_that_look_like_something_else() -> None:
    values: list[Any] = [(), ("any label",), ("01",), ("any label", "01")]
    data = read([values * 2, values + values[::-1]], layout="transposed")
    assert blocks("any label", data) == {"any label": "01,10,11", "no label": "00"}
    quoted = blocks('"any label"', data)
    assert [*quoted] == ['"any label"', 'not "any label"']
    assert sorted(quoted.values()) == ["00,01", "10,11"] or sorted(quoted.values()) == [
        "00,10",
        "01,11",
    ]
    assert [*blocks('"01"', data)] == ['"01"', 'not "01"']
    assert "01" in blocks("01", data).values()


# ------------------------------------------------------------------ what they are called

CALLED = {
    "101": "exactly 2 labels and not Resolution",
    "010,110": "Resolution and not Success",
    "001,010,100": "exactly 1 label",
    "000,001,010,100": "at least 2 labels",
    "000,001,010,011": "Complication",
    "000": "any label",
    "000,011,101,110": "000, 011, 101, 110",
}


def test_names_of_sets() -> None:
    found = {
        row.to_rows()[0]["side_0"]: row.rule for row in decompose(NEAT, rank="sides", most=127)
    }
    assert len(set(found.values())) == 127
    assert {bits: found[bits] for bits in CALLED} == CALLED


@given(st.integers(0, 10_000))
def test_names_mean_what_they_say(seed: int) -> None:
    """Each name is read here as English; values that do not occur do not matter."""
    rows = by_hand.rows_of_sets(seed, items=25)
    data = read([list(coder) for coder in zip(*rows, strict=True)])
    found = decompose(data, most=20, minimum_share=0)
    for row in found:
        for name, block in zip(row.partition.names, row.partition.blocks, strict=True):
            others = {v for b in row.partition.blocks for v in b} - set(block)
            assert name == "otherwise" or all(says(name, v) for v in block)
            assert name == "otherwise" or not any(says(name, v) for v in others)


def says(name: str, value: tuple[str, ...]) -> bool:
    if set(name) <= set("01, "):
        return "".join("01"[x in value] for x in "abc") in name.split(", ")
    return all(_holds(part, value) for part in name.split(" and "))


def _holds(part: str, value: tuple[str, ...]) -> bool:
    words, n = part.split(), len(value)
    if part in ("any label", "no label"):
        return (n > 0) == (part == "any label")
    if words[0] in ("exactly", "at"):
        wanted = int(words[-2])
        least = 0 if words[1] == "most" else wanted
        return least <= n <= (math.inf if words[1] == "least" else wanted)
    return (words[-1] in value) == (words[0] != "not")


# ------------------------------------------------------------------ hierarchies

SENSES = ["Cause.Reason.X", "Cause.Reason.Y", "Cause.Result", "Contrast", "Time.Before"]


def coded(names: list[str]) -> Any:
    rng = np.random.default_rng(0)
    return read([[names[k] for k in rng.integers(0, len(names), 90)] for _ in range(2)])


def test_a_hierarchy_by_a_separator() -> None:
    (found,) = decompose(coded(SENSES), hierarchy=".")
    assert found.partition.names == ("Cause", "Contrast", "Time")
    assert [step.n_blocks for step in found.steps] == [3, 4, 5]
    assert [step.rule for step in found.steps] == [
        "top of the hierarchy",
        "level 2 of the hierarchy",
        "which value",
    ]


def test_a_hierarchy_by_the_group_of_each_category() -> None:
    parents = {"cat": "animal", "dog": "animal", "oak": "plant", "flint": None}
    parents |= {"animal": "living", "plant": "living"}
    (found,) = decompose(coded(["cat", "dog", "oak", "flint"]), hierarchy=parents)
    assert set(found.partition.names) == {"living", "flint"}
    assert [step.n_blocks for step in found.steps] == [2, 3, 4]


def test_a_hierarchy_of_labels() -> None:
    groups = {"Complication": "action", "Resolution": "end", "Success": "end"}
    found = blocks(None, hierarchy=groups)
    assert found == {
        "no label": "000",
        "end": "001,010,011",
        "action": "100",
        "action + end": "101,110,111",
    }


def test_names_are_not_taken_for_a_hierarchy() -> None:
    data = coded(["Cause.A", "Cause.B", "Contrast.A", "Contrast.B"])
    with pytest.raises(RequestError, match="there is no category 'Cause'"):
        decompose(data, by="Cause")


@pytest.mark.parametrize(
    "spec, said",
    [
        ("/", "no level that divides"),
        ("", "is neither"),
        (3, "3 is neither"),
        ({"a": "x"}, "no group for 'b'"),
        ({"a": "x", "b": "x", "c": "x"}, "no level that divides"),
        ({"a": "x", "x": "a", "b": None, "c": None}, "inside itself"),
    ],
)
def test_wrong_hierarchies(spec: Any, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        decompose(coded(["a", "b", "c"]), hierarchy=spec)


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "by, said",
    [
        ("Suspense", "there is no label 'Suspense': there is 'Complication'"),
        ("Resolutoin", "did you mean 'Resolution'"),
        ("exactly 1 label", "there is no label 'exactly 1 label'.*possible are also 'any label'"),
        ("Resolution without Success", "there is no label"),
        ("Resolution, Success", "may mean 'and' or 'or'"),
        ("0000", "there is no label '0000'.*3 bits"),
        ("000,001|001", "'001' is in more than one block"),
        ("Success|Resolution", "in more than one block"),
        ("000||001", "a name is missing"),
        ("000,", "a name is missing"),
        ("", "a name is missing"),
        ('"Success', "a name is missing or not understood"),
        ("000,001,010,011,100,101,110,111", "so it divides nothing"),
        ({("Success",): "x"}, "there is no block for"),
        (lambda v: v[5], "the function that gives the block .* fails for"),
        (lambda v: [v], "fails for"),
        (lambda v: 1, "so it divides nothing"),
        (7, "7 is none of them"),
    ],
)
def test_wrong_partitions(by: Any, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        decompose(NEAT, by=by)


def test_sizes_divide_no_categories() -> None:
    with pytest.raises(RequestError, match="there is no category 'number of labels'"):
        decompose(TOPIC, by="number of labels")


# ------------------------------------------------------------------ what is searched


def test_more_values_are_searched_by_one_condition() -> None:
    names = [f"v{k:02}" for k in range(30)]
    found = decompose(coded(names * 3), minimum_share=0, most=40)
    assert (found.exhaustive, found.n_scored) == (False, 30)
    assert {row.rule for row in found} <= set(names)
    with pytest.raises(RequestError, match="too many to score each"):
        decompose(coded(names * 3), search="exhaustive")


def test_one_condition_of_sets() -> None:
    found = decompose(NEAT, search="families", minimum_share=0, most=40)
    numbers = {"at least 2 labels", *(f"exactly {n}" for n in ("1 label", "2 labels", "3 labels"))}
    wanted = {"any label", "Complication", "Resolution", "Success"} | numbers
    assert {row.rule for row in found} == wanted


def test_a_least_share_is_kept() -> None:
    found = decompose(NEAT, minimum_share=0.1, most=127, rank="first")
    assert 0 < len(found) < 127
    assert min(row.smaller for row in found) >= 0.1


def test_an_order_is_cut_between_low_and_high() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 5, 400)
    rows = [[str(np.clip(t + rng.integers(-1, 2), 0, 4)) for t in true] for _ in range(2)]
    found = decompose(rows, scale="ordinal", most=20, minimum_share=0)
    assert sorted(row.rule for row in found) == ["0", "0, 1", "3, 4", "4"]
    assert decompose(rows, scale="ordinal", search="exhaustive").n_scored == 15
