"""Labels that are called like a phrase: a phrase is a phrase, and such a label stands in quotes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.decomposition.grammar import read_rule
from accordant.decomposition.partition import ground_of, written
from accordant.decomposition.rule_names import named, short_rule
from accordant.decomposition.rules import partition_of
from accordant.errors import RequestError

NASTY = [
    "no label",
    "any label",
    "all labels",
    "exactly one label",
    "and",
    "or",
    "not",
    "without",
    "only a",
    "a only",
    "only",
    "a",
    "b",
    "A",
    "a b",
    "a, b",
    "a,",
    "b)",
    "(b)",
    "a without b",
    "both a",
    "both",
    "neither",
    "neither a",
    "either a",
    "one",
    "1",
    "one of a",
    "one label",
    "0",
    "011",
    "11",
    "number of labels",
    "odd number of labels",
    "parity",
    "rest",
    "else",
    "level 1",
    "exactly one of a, b",
    "the label a",
    "contains a",
    "some label",
    "the",
    "x|y",
    'say "x"',
    "",
    " sp",
    "or more",
    "1 or more",
    "é✓",
    "under a",
    "none of a",
    "label",
    "labels",
    "more",
]


def every_set(labels: Sequence[str]) -> list[tuple[str, ...]]:
    return [
        tuple(x for x, held in zip(labels, bits) if held)
        for bits in product((0, 1), repeat=len(labels))
    ]


def same(rule: str, values: Sequence[Any], labels: Sequence[str], flags: np.ndarray) -> bool:
    block = partition_of(rule, values, labels).of(tuple(values))
    return bool(((block == 0) == flags).all() or ((block == 1) == flags).all())


def all_come_back(labels: Sequence[str]) -> None:
    """Each of the 127 sides of three labels, by the rule that it is printed with."""
    values = every_set(labels)
    for code in range(1, 2 ** (len(values) - 1)):
        flags = np.array([bool(code >> c & 1) for c in range(len(values))])
        rule = short_rule(flags, ground_of(values, labels))
        block = partition_of(rule, values, labels).of(tuple(values))
        assert ((block == 0) == flags).all(), (labels, rule)
        assert same(named(ground_of(values, labels), flags).rule, values, labels, flags), (
            labels,
            rule,
        )


@pytest.mark.parametrize(
    "labels",
    [
        ("no label", "and", "or"),
        ("any label", "all labels", "not"),
        ("only a", "a", "without"),
        ("a only", "a", "b"),
        ("a", "b", "a, b"),
        ("a", "b", "both a"),
        ("a", "b", "neither a"),
        ("number of labels", "odd number of labels", "parity"),
        ("exactly one of a, b", "a", "b"),
        ("011", "1", "0"),
        ("a", "b", "a,"),
        ("a", "b", "b)"),
        ("one label", "one", "label"),
        ("a b", "b", "a"),
        ("the label a", "contains a", "a"),
        ("either a", "a", "rest"),
    ],
    ids=" / ".join,
)
def test_all_127_rules_are_read_back(labels: tuple[str, ...]) -> None:
    all_come_back(labels)


@settings(max_examples=15)  # of 127 sides each
@given(st.lists(st.sampled_from(NASTY), min_size=3, max_size=3, unique_by=str.lower))
def test_rules_of_nasty_labels_are_read_back(labels: list[str]) -> None:
    all_come_back(labels)


@given(st.lists(st.sampled_from(NASTY), min_size=2, max_size=9, unique_by=str.lower), st.data())
def test_rules_of_nasty_categories_are_read_back(names: list[str], data: st.DataObject) -> None:
    flags = np.array(data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names))))
    if flags.any() and not flags.all():
        assert same(short_rule(flags, ground_of(names)), names, (), flags)


def holds(rule: str, labels: Sequence[str]) -> list[tuple[str, ...]]:
    values = every_set(labels)
    flags = read_rule(rule, ground_of(values, labels))
    return [v for v, held in zip(values, flags) if held]


# What stands without quotes is the phrase, whatever the labels are called.
@pytest.mark.parametrize(
    "phrase, called",
    [
        ("no label", "no label"),
        ("any label", "any label"),
        ("all labels", "all labels"),
        ("only a", "only a"),
        ("a only", "a only"),
        ("exactly one label", "exactly one label"),
        ("odd number of labels", "odd number of labels"),
        ("parity", "parity"),
        ("both a and b", "both a"),
        ("neither a nor b", "neither a"),
        ("either a or b", "either a"),
        ("a, b or c", "a, b"),
        ("none of a, b", "none of a"),
        ("one or more labels", "one"),
        ("contains a", "contains a"),
        ("the label a", "the label a"),
        ("not a", "not a"),
        ("0110", "0110"),
        ("ONLY A", "only a"),
        ("a without b", "a without b"),
    ],
)
def test_a_phrase_is_a_phrase_whatever_labels_are_called(phrase: str, called: str) -> None:
    plain, named_so = ["a", "b", "c", "other"], ["a", "b", "c", called]
    wanted = [tuple(called if x == "other" else x for x in v) for v in holds(phrase, plain)]
    assert holds(phrase, named_so) == wanted
    assert holds(f'"{called}"', named_so) == [v for v in every_set(named_so) if called in v]
    assert written(called, 4) == f'"{called}"' or called == "one"


def test_phrases_for_whole_partitions_go_before_labels() -> None:
    labels = ["number of labels", "rest", "a"]
    values = every_set(labels)
    assert partition_of("number of labels", values, labels).n_blocks == 4
    assert partition_of('"number of labels"', values, labels).n_blocks == 2
    rest = partition_of("a | rest", values, labels)
    assert all("a" not in value for value in rest.blocks[1])
    quoted = partition_of('not (a or "rest") | "rest" or a', values, labels)
    assert quoted.n_blocks == 2


def test_what_can_only_be_a_label_needs_no_quotes() -> None:
    labels = ["neither", "both", "1", "one", "only child"]
    for label in labels:
        assert holds(label, labels) == [v for v in every_set(labels) if label in v]
    assert partition_of("no label", ["no label", "x"]).blocks[0] == ("no label",)
    levels = ["level 1", "level 2", "level 3"]
    assert partition_of("level 1", levels).blocks[0] == ("level 1",)


@pytest.mark.parametrize(
    "rule, labels",
    [
        ("not sure", ["not sure", "x"]),
        ("yes, partly", ["yes, partly", "no", "x"]),
        ("and", ["and", "x"]),
        ("x or not", ["not", "x"]),
    ],
)
def test_what_needs_quotes_is_said(rule: str, labels: list[str]) -> None:
    name = next(label for label in labels if label in rule and label != "x")
    with pytest.raises(RequestError) as told:
        partition_of(rule, labels)
    assert f"""did you mean '"{name}"'?""" in str(told.value)
