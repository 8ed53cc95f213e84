"""What users write for a partition: every form, and every way to get it wrong."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from accordant.decomposition.grammar import blocks_of, read_rule
from accordant.decomposition.partition import Partition, ground_of, written
from accordant.decomposition.rules import partition_of
from accordant.errors import RequestError
from decomposition.neat import BITS, LABELS, neat

NEAT = neat()
GROUND = ground_of(NEAT.values, NEAT.labels)


def holds(rule: str) -> str:
    """The combinations for which a rule holds, as bits."""
    return ",".join(bits for bits, held in zip(BITS, read_rule(rule, GROUND)) if held)


def blocks(spec: Any, values: Any = NEAT.values, labels: Any = NEAT.labels, **other: Any) -> Any:
    found = partition_of(spec, values, labels, **other)
    place = ground_of(values, labels)
    shown = [
        ",".join(place.bits(v) if isinstance(v, tuple) else str(v) for v in b) for b in found.blocks
    ]
    return dict(zip(found.names, shown))


# Each rule with its values by a condition written out in Python.
MEANT = {
    "any label": lambda c, r, s: c or r or s,
    "no label": lambda c, r, s: not (c or r or s),
    "No Labels": lambda c, r, s: not (c or r or s),
    "all labels": lambda c, r, s: c and r and s,
    "exactly one label": lambda c, r, s: c + r + s == 1,
    "one label": lambda c, r, s: c + r + s == 1,
    "exactly 2 labels": lambda c, r, s: c + r + s == 2,
    "at least two labels": lambda c, r, s: c + r + s >= 2,
    "at least a label": lambda c, r, s: c + r + s >= 1,
    "two or more labels": lambda c, r, s: c + r + s >= 2,
    "1 or fewer labels": lambda c, r, s: c + r + s <= 1,
    "at most one label": lambda c, r, s: c + r + s <= 1,
    "more than one label": lambda c, r, s: c + r + s > 1,
    "fewer than 2 labels": lambda c, r, s: c + r + s < 2,
    "odd number of labels": lambda c, r, s: (c + r + s) % 2 == 1,
    "an even number of labels": lambda c, r, s: (c + r + s) % 2 == 0,
    "contains Complication": lambda c, r, s: c,
    "Complication": lambda c, r, s: c,
    "complication": lambda c, r, s: c,
    "the label Success": lambda c, r, s: s,
    "not Success": lambda c, r, s: not s,
    "without Success": lambda c, r, s: not s,
    "does not contain Success": lambda c, r, s: not s,
    "only Resolution": lambda c, r, s: r and not c and not s,
    "Resolution only": lambda c, r, s: r and not c and not s,
    "only Resolution and Success": lambda c, r, s: r and s and not c,
    "Resolution without Complication": lambda c, r, s: r and not c,
    "Resolution or Success": lambda c, r, s: r or s,
    "either Resolution or Success": lambda c, r, s: r or s,
    "Complication and Success": lambda c, r, s: c and s,
    "both Complication and Success": lambda c, r, s: c and s,
    "Complication & Success": lambda c, r, s: c and s,
    "neither Complication nor Success": lambda c, r, s: not c and not s,
    "exactly one of Resolution, Success": lambda c, r, s: r + s == 1,
    "exactly one of Resolution and Success": lambda c, r, s: r + s == 1,
    "at least two of Complication, Resolution, or Success": lambda c, r, s: c + r + s >= 2,
    "at most one of Complication, Resolution": lambda c, r, s: c + r <= 1,
    "both or neither of Resolution, Success": lambda c, r, s: r == s,
    "none of Complication, Resolution": lambda c, r, s: not c and not r,
    "any of Complication, Resolution": lambda c, r, s: c or r,
    "all of Complication, Resolution": lambda c, r, s: c and r,
    "not (Resolution and Success)": lambda c, r, s: not (r and s),
    "not Resolution, or Success": lambda c, r, s: not r or s,
    "Complication or Resolution and Success": lambda c, r, s: c or (r and s),
    "(Complication or Resolution) and Success": lambda c, r, s: (c or r) and s,
    "Complication, Resolution or Success": lambda c, r, s: c or r or s,
    "Resolution without Complication or no label": lambda c, r, s: (r and not c) or c + r + s == 0,
    "exactly one label with neither Resolution nor Success": lambda c, r, s: c and not r and not s,
    "only Resolution, or Complication and exactly two labels": lambda c, r, s: (
        (r and not c and not s) or (c and c + r + s == 2)
    ),
    "exactly one of Resolution, Success or no label": lambda c, r, s: r + s == 1 or c + r + s == 0,
    '"Complication" but not "Success"': lambda c, r, s: c and not s,
    "not not Complication": lambda c, r, s: c,
    "000,011,101,110": lambda c, r, s: (c + r + s) % 2 == 0,
    "001, 010 or Complication": lambda c, r, s: c or r + s == 1,
}


@pytest.mark.parametrize("rule", MEANT)
def test_rules_of_sets(rule: str) -> None:
    wanted = [bool(MEANT[rule](*bits)) for bits in product((0, 1), repeat=3)]
    assert read_rule(rule, GROUND).tolist() == wanted
    found = partition_of(rule, NEAT.values, NEAT.labels)
    assert (found.of(NEAT.values) == 0).tolist() == wanted


def test_the_side_of_a_rule_is_the_first_block_and_has_its_name() -> None:
    assert blocks("exactly one label") == {
        "exactly one label": "001,010,100",
        "otherwise": "000,011,101,110,111",
    }
    assert list(blocks("any label")) == ["any label", "no label"]
    assert list(blocks("not Resolution")) == ["not Resolution", "Resolution"]


def test_more_than_two_blocks() -> None:
    assert blocks("number of labels") == {
        "no label": "000",
        "one label": "001,010,100",
        "two labels": "011,101,110",
        "three labels": "111",
    }
    assert partition_of("cardinality", NEAT.values, NEAT.labels).rule == "number of labels"
    assert blocks("no label | exactly one label | rest") == {
        "no label": "000",
        "exactly one label": "001,010,100",
        "rest": "011,101,110,111",
    }
    assert blocks("000,110|001|rest") == {
        "no label, or only Complication and Resolution": "000,110",
        "only Success": "001",
        "rest": "010,011,100,101,111",
    }


def test_sets_in_bits_are_told_in_words() -> None:
    found = partition_of("000,011,101,110", NEAT.values, NEAT.labels)
    assert found.rule == "even number of labels"
    assert found.names == ("even number of labels", "odd number of labels")


def test_sets_that_nobody_gave_can_be_named() -> None:
    values = [v for v in NEAT.values if v != ("Complication", "Success")]
    found = partition_of("000,011,101,110", values, NEAT.labels)
    assert sum(map(len, found.blocks)) == 7


@pytest.mark.parametrize(
    "spec, wanted",
    [
        ({"plot": "any label", "none": "rest"}, {"plot": BITS[1:], "none": BITS[:1]}),
        ({"none": [()], "rest": None}, {"none": BITS[:1], "rest": BITS[1:]}),
        ({"none": (), "rest": ...}, {"none": BITS[:1], "rest": BITS[1:]}),
        (
            {"some": [("Resolution",), {"Success", "Complication"}, "111"], "other": "rest"},
            {"some": ("010", "101", "111"), "other": ("000", "001", "011", "100", "110")},
        ),
        (
            {"a pair": ("Resolution", "Success"), "other": "rest"},
            {"a pair": ("011",), "other": None},
        ),
        ({"few": "at most one label", "many": "at least two labels"}, {"few": None, "many": None}),
    ],
)
def test_mappings_of_sets(spec: Any, wanted: dict[str, Any]) -> None:
    found = blocks(spec)
    assert list(found) == list(wanted)
    for name, bits in wanted.items():
        assert bits is None or found[name] == ",".join(bits)
    assert partition_of(spec, NEAT.values, NEAT.labels).rule == " | ".join(wanted)


def test_functions() -> None:
    def first_letters(value: tuple[str, ...]) -> str:
        return "".join(label[0] for label in value)

    found = partition_of(first_letters, NEAT.values, NEAT.labels)
    assert found.rule == "first letters"
    assert found.names == ("", "S", "R", "RS", "C", "CS", "CR", "CRS")
    assert blocks(len) == {"0": "000", "1": "001,010,100", "2": "011,101,110", "3": "111"}
    assert blocks(lambda v: len(v) > 1) == {
        "a function of the value": "011,101,110,111",
        "otherwise": "000,001,010,100",
    }


def test_a_partition_is_cut_to_the_values_that_occur() -> None:
    given = Partition("sizes", (((), ("x",)), (("y",),), (("z",),)), ("a", "b", "c"))
    found = partition_of(given, [(), ("y",)])
    assert found == Partition("sizes", (((),), (("y",),)), ("a", "b"))


CATEGORIES = ["neither", "both", "not sure", "a", "New York", 2, "10"]


@pytest.mark.parametrize(
    "spec, wanted",
    [
        ("a", "a"),
        ("A", "a"),
        ("neither", "neither"),
        ("neither, both", "neither,both"),
        ("both or a", "both,a"),
        ("neither a nor both", "neither,not sure,New York,2,10"),
        ("not neither", "both,not sure,a,New York,2,10"),
        ('"not sure" or new york', "not sure,New York"),
        ("“not sure”", "not sure"),
        ("2", "2"),
        ("2, 10", "2,10"),
        ("none of a, 2, both", "neither,not sure,New York,10"),
        ("the category a", "a"),
    ],
)
def test_rules_of_categories(spec: str, wanted: str) -> None:
    assert ",".join(map(str, partition_of(spec, CATEGORIES).blocks[0])) == wanted


def test_blocks_of_categories() -> None:
    assert blocks("a,2|both|rest", CATEGORIES, ()) == {
        "a,2": "a,2",
        "both": "both",
        "rest": "neither,not sure,New York,10",
    }
    assert blocks({"x": ["a", 2], "y": "both", "z": "rest"}, CATEGORIES, ())["x"] == "a,2"
    assert blocks({"x": "a or both", "z": "rest"}, CATEGORIES, ())["x"] == "both,a"
    assert blocks({"x": ["2", 10], "z": "rest"}, CATEGORIES, ())["x"] == "2,10"  # by their text
    assert blocks([1, 2, 3].index, [1, 2, 3], ()) == {"0": "1", "1": "2", "2": "3"}
    assert blocks("true", [True, False], ()) == {"true": "True", "False": "False"}
    assert blocks("1.5 or 2", [1.5, 2, 3], ())["1.5 or 2"] == "1.5,2"


def test_a_hierarchy_by_its_levels_and_groups() -> None:
    senses = ["Cause.Reason", "Cause.Result", "Contrast.Direct", "Contrast.Other", "Purpose.Goal"]
    assert list(blocks("level 1", senses, ())) == ["Cause", "Contrast", "Purpose"]
    assert blocks("hierarchy", senses, ()) == blocks("level 1", senses, ())
    found = blocks("Cause", senses, (), hierarchy=".")
    assert found["Cause"] == "Cause.Reason,Cause.Result"
    tree = {"cat": "animal", "dog": "animal", "oak": "plant", "animal": None}
    values = ["cat", "dog", "oak", "animal"]
    assert blocks("under animal", values, (), hierarchy=tree)["under animal"] == "cat,dog"
    assert blocks("animal", values, (), hierarchy=tree)["animal"] == "animal"
    assert blocks("not under animal or cat", values, (), hierarchy=tree) == {
        "not under animal or cat": "cat,oak,animal",
        "dog": "dog",
    }


def test_a_hierarchy_of_labels_divides_sets() -> None:
    sets = [(), ("x.a",), ("x.b",), ("x.a", "x.b"), ("y.c",), ("x.a", "y.c")]
    labels = ["x.a", "x.b", "y.c"]
    assert blocks("level 1", sets, labels) == {
        "no label": "000",
        "x": "100,010,110",
        "y": "001",
        "x + y": "101",
    }
    assert blocks("x", sets, labels, hierarchy=".")["x"] == "100,010,110,101"


WRONG = {
    "exactly won label": "'won' after 'exactly' is not understood: expected a number",
    "Resolutoin": "did you mean 'Resolution'?",
    "Resolution Success": "'Success' after 'Resolution' is not understood: expected 'and', 'or'",
    "Resolution, Success": "a comma between labels may mean 'and' or 'or'",
    "0011,000": "it has 4 bits, but there are 3 labels: Complication, Resolution and Success",
    "": "something is missing at its beginning: possible are the 3 labels",
    "(Resolution": r"expected '\)'",
    "Resolution and": "something is missing after 'Resolution and'",
    "at least": "something is missing after 'at least'",
    "exactly two": "expected 'label', 'labels' or 'of'",
    "only": "expected a label",
    "contains Sucess": "did you mean 'Success'?",
    "no labls": "did you mean 'no label'?",
    '"Sucess"': "did you mean 'Success'?",
    "Resolution |": "nothing between",
    "no label | exactly one label": "are in no block; add 'rest'",
    "no label | at most one label | rest": "000 .* is in more than one block",
    "rest | no label": "has to be the last block",
    "exactly four labels": "'otherwise', so it divides nothing",
    "at most three labels": "so it divides nothing",
    "level 1": "no hierarchy is given",
    "only a | rest": "after 'only' is not understood",
}


@pytest.mark.parametrize("rule", WRONG)
def test_what_is_not_understood_is_said(rule: str) -> None:
    with pytest.raises(RequestError, match=WRONG[rule]):
        partition_of(rule, NEAT.values, NEAT.labels)


@pytest.mark.parametrize(
    "spec, message",
    [
        ("exactly one label", "an annotation holds one category here"),
        ("contains a", "an annotation holds one category here"),
        ("not sure", "did you mean '\"not sure\"'"),
        ("a and both", "'otherwise', so it divides nothing"),
        ({"x": ["b"]}, "there is no category 'b'; there are"),
        ({"x": ["boht"]}, "did you mean 'both'?"),
        ({"x": ["a"]}, "are in no block; add 'rest' as the last block"),
        ({"x": ["a"], "y": ["a"], "z": "rest"}, r"'a' is in more than one block \('x' and 'y'\)"),
        ({"x": "rest", "y": ["a"]}, "it has to be the last"),
        ({}, "in no block"),
        (3, "a partition is a rule in words"),
        (lambda v: 1 / 0, "fails for 'neither': ZeroDivisionError"),
        (lambda v: None, "has none for 'neither'"),
        (lambda v: [v], "fails for 'neither': TypeError"),
        (lambda v: 1, "all 7 values that coders gave are in '1'"),
    ],
)
def test_wrong_requests_about_categories(spec: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        partition_of(spec, CATEGORIES)


def test_wrong_requests_about_sets() -> None:
    with pytest.raises(
        RequestError, match=r"write \('Resolution',\) for the set that holds it alone"
    ):
        blocks({"x": ["Resolution"], "y": "rest"})
    with pytest.raises(RequestError, match="there is no label 'Sucess'.*did you mean 'Success'"):
        blocks({"x": [("Sucess",)], "y": "rest"})
    with pytest.raises(RequestError, match="is a group of labels; after 'only' name labels"):
        blocks("only x", [(), ("x.a",), ("x.b",), ("y.c",)], ["x.a", "x.b", "y.c"], hierarchy=".")
    with pytest.raises(RequestError, match="'AB': 'Ab' may be 'Ab' and 'aB'; write one of them"):
        partition_of("AB", ["Ab", "aB", "c"])
    with pytest.raises(RequestError, match="is not a set of labels"):
        ground_of([(), "a"], ["a"])


def test_labels_that_look_like_something_else() -> None:
    """Text of a rule is taken for a label wherever there is one and nothing follows."""
    labels = ["no", "one", "1", "all labels", "x,y", "011"]
    values = [(), *((label,) for label in labels)]
    for rule, wanted in {
        "no": "no",
        "one or no": "no,one",
        "1": "1",
        '"all labels"': "all labels",
        '"x,y"': "x,y",
        "only 1": "1",
        "exactly one of 1, one": "one,1",
        "011": "011",
        "not any label": "",
    }.items():
        held = partition_of(rule, values, labels).blocks[0]
        assert ",".join(x for value in held for x in value) == wanted, rule


def test_quotes() -> None:
    assert [written(x) for x in ("a", "a b", "a or b", "", " a", "one", "a|b", 'say "no"')] == [
        "a",
        "a b",
        '"a or b"',
        '""',
        '" a"',
        '"one"',
        '"a|b"',
        '"say ""no"""',
    ]
    assert blocks_of('a | "b|c" |d') == ["a", '"b|c"', "d"]


def test_labels_are_read_by_the_order_of_their_bits() -> None:
    assert NEAT.labels == LABELS
    assert holds("110") == "110"
    assert np.array_equal(
        read_rule("110", GROUND), read_rule("only Complication and Resolution", GROUND)
    )
