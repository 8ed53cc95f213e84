"""Names of sides: readable, as short as can be, read back to the same side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accordant.decomposition.conditions import Term, bits_of, holds, vocabulary
from accordant.decomposition.partition import ground_of, hierarchy_of
from accordant.decomposition.rule_names import MOST_SHOWN, abridged, is_abridged, named, short_rule
from accordant.decomposition.rules import partition_of
from accordant.errors import RequestError
from decomposition.neat import BITS, LABELS, neat, side

NEAT = neat()


def shortest_rule(values: Any, labels: Any, side: Any, groups: Any = None) -> str:
    return short_rule(np.array(side, bool), ground_of(values, labels, groups))


def every_set(labels: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All sets, in the order of their bits."""
    return [
        tuple(x for x, held in zip(labels, bits) if held)
        for bits in product((0, 1), repeat=len(labels))
    ]


# The decompositions that Levi & Shenhav (2022, sections 3 and 4) describe in words, and those of
# which the published tables show the most.
IN_WORDS = {
    ("000",): ("any label", ("no label", "any label")),
    ("001", "010", "100"): ("exactly one label", ("exactly one label", "otherwise")),
    ("000", "011", "101", "110"): (
        "odd number of labels",
        ("even number of labels", "odd number of labels"),
    ),
    ("010",): ("only Resolution", ("only Resolution", "otherwise")),
    ("101",): ("only Complication and Success", ("only Complication and Success", "otherwise")),
    ("000", "001", "010", "011"): ("Complication", ("not Complication", "Complication")),
    ("000", "011", "100", "111"): (
        "exactly one of Resolution, Success",
        ("otherwise", "exactly one of Resolution, Success"),
    ),
    ("010", "110"): ("Resolution without Success", ("Resolution without Success", "otherwise")),
    ("001", "010"): (
        "exactly one label without Complication",
        ("exactly one label without Complication", "otherwise"),
    ),
    ("000", "001", "010", "100"): (
        "at least two labels",
        ("at most one label", "at least two labels"),
    ),
    ("101", "111"): ("Complication and Success", ("Complication and Success", "otherwise")),
    ("000", "010"): (
        "Complication or Success",
        ("neither Complication nor Success", "Complication or Success"),
    ),
    ("000", "110", "111"): (
        "no label, or Complication and Resolution",
        ("no label, or Complication and Resolution", "otherwise"),
    ),
}


@pytest.mark.parametrize("bits", IN_WORDS, ids=",".join)
def test_decompositions_in_words(bits: tuple[str, ...]) -> None:
    found = named(ground_of(NEAT.values, LABELS), np.array(side(*bits)))
    assert (found.rule, found.names) == IN_WORDS[bits]
    assert [NEAT.name(v) for v in found.blocks[0]] == list(bits)


@pytest.mark.parametrize(
    "held, wanted",
    [
        (lambda s: "R" in s, "R"),
        (lambda s: "R" not in s, "not R"),
        (lambda s: len(s) >= 2, "at least two labels"),
        (lambda s: len(s) == 5, "all labels"),
        (lambda s: len(s) % 2 == 1, "odd number of labels"),
        (lambda s: "R" in s or "S" in s, "R or S"),
        (lambda s: "R" in s or "S" not in s, "R or not S"),
        (lambda s: not {"R", "S"} & set(s), "neither R nor S"),
        (lambda s: len({"R", "S"} & set(s)) == 1, "exactly one of R, S"),
        (lambda s: len({"R", "S"} & set(s)) != 1, "both or neither of R, S"),
        (lambda s: len({"R", "S", "T"} & set(s)) >= 2, "at least two of R, S, T"),
        (lambda s: {"R", "S"} <= set(s) and "U" not in s, "R and S without U"),
        (lambda s: "R" in s and not {"S", "U"} & set(s), "R with neither S nor U"),
        (lambda s: "R" in s and len(s) == 2, "R and exactly two labels"),
        (lambda s: "R" in s or len(s) == 2, "R or exactly two labels"),
        (lambda s: s == ("R",) or ("S" in s and "T" not in s), "only R, or S without T"),
        (
            lambda s: not (len(s) == 1 or ("S" in s and "T" in s)),
            "not (exactly one label, or S and T)",
        ),
        (
            lambda s: "U" in s or len({"R", "S"} & set(s)) == 1,
            "U, or (exactly one of R, S)",
        ),
        (lambda s: "U" not in s and ("R" in s) != ("S" in s), "not U and exactly one of R, S"),
    ],
)
def test_five_labels(held: Any, wanted: str) -> None:
    sets = every_set("QRSTU")
    assert shortest_rule(sets, "QRSTU", [held(s) for s in sets]) == wanted


def test_sets_that_nobody_gave_do_not_matter() -> None:
    sets = [(), ("a",), ("a", "b"), ("a", "b", "c")]
    assert shortest_rule(sets, "abc", [0, 0, 1, 1]) == "b"
    assert shortest_rule(sets, "abc", [0, 1, 0, 0]) == "only a"


# ------------------------------------------------------------------ laws

WORDS = [
    "a",
    "B",
    "New York",
    "not sure",
    "a or b",
    "x,y",
    'say "no"',
    "one",
    "",
    " ",
    "011",
    "label",
    "only",
    "or",
    "ÄÖ",
    "under",
    "rest",
    "number of labels",
    "both",
    "(x)",
    "a|b",
    "Ab c",
]


@st.composite
def sides_of_sets(draw: st.DrawFn) -> tuple[list[Any], list[Any], list[bool]]:
    """Some sets over labels of all kinds, and a side that is not all and not none."""
    kinds = st.sampled_from(WORDS) | st.integers(0, 12) | st.sampled_from([0.5, 1.5])
    labels = draw(st.lists(kinds, min_size=1, max_size=5, unique_by=lambda x: str(x).lower()))
    every = every_set(labels)
    values = draw(st.lists(st.sampled_from(every), min_size=2, max_size=len(every), unique=True))
    flags = draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    assume(0 < sum(flags) < len(flags))
    return values, labels, flags


@given(sides_of_sets())
def test_a_rule_is_read_back_to_the_same_side(
    given: tuple[list[Any], list[Any], list[bool]],
) -> None:
    values, labels, flags = given
    rule = shortest_rule(values, labels, flags)
    assert (partition_of(rule, values, labels).of(tuple(values)) == 0).tolist() == flags
    found = named(ground_of(values, labels), np.array(flags))
    again = partition_of(found.rule, values, labels)
    assert {frozenset(b) for b in again.blocks} == {frozenset(b) for b in found.blocks}


@given(
    st.lists(st.sampled_from(WORDS) | st.integers(0, 99), min_size=2, max_size=12, unique_by=str),
    st.integers(1, 2**12 - 2),
)
def test_rules_of_categories_are_read_back(values: list[Any], code: int) -> None:
    assume(len({str(v).lower() for v in values}) == len(values))
    flags = [bool(code >> c & 1) for c in range(len(values))]
    assume(0 < sum(flags) < len(flags))
    rule = shortest_rule(values, (), flags)
    assert (partition_of(rule, values).of(tuple(values)) == 0).tolist() == flags


def test_all_sides_of_three_labels_are_read_back() -> None:
    for code in range(1, 255):
        flags = [bool(code >> c & 1) for c in range(8)]
        rule = shortest_rule(NEAT.values, LABELS, flags)
        assert (partition_of(rule, NEAT.values, LABELS).of(NEAT.values) == 0).tolist() == flags


def length_of_disjunction(flags: Sequence[bool], values: Sequence[Any], labels: str) -> int:
    """The shortest 'or' of conjunctions, by trying all of up to three, and the list of sets."""
    cubes = []
    for signs in product((None, True, False), repeat=len(labels)):
        n = sum(x is not None for x in signs)
        if n:
            where = frozenset(
                c
                for c, v in enumerate(values)
                if all(x is None or (label in v) == x for label, x in zip(labels, signs))
            )
            only_negative = n == 1 and False in signs
            cubes.append((2 * n - 1 + only_negative, where))
    wanted = frozenset(c for c, x in enumerate(flags) if x)
    usable = [(n, where) for n, where in cubes if where and where <= wanted]
    listed = sum(max(1, 2 * len(values[c])) for c in wanted) + len(wanted) - 1
    best = listed
    for size in (1, 2, 3):
        for chosen in combinations(usable, size):
            if frozenset().union(*(where for _, where in chosen)) == wanted:
                best = min(best, sum(n for n, _ in chosen) + size - 1)
    return best


def length_of(rule: str) -> int:
    """Literals and operators, counted in the words of a rule over labels of one letter."""
    words = rule.replace(",", "").split()
    text = " ".join(words)
    for said, length in (
        ("odd number of labels", 2),
        ("even number of labels", 2),
        ("any label", 1),
        ("no label", 1),
        ("all labels", 1),
        ("both or neither of", 2),
        ("labels", 0),
        ("label", 0),
        ("not (", 2),
        ("with neither", 1),
        ("neither", 0),
        ("exactly", 1),
        ("at least", 1),
        ("at most", 1),
        ("one of", 0),
        ("two of", 0),
    ):
        text = text.replace(said, " #" * length + " ")
    numbers = sum(text.split().count(n) for n in ("one", "two", "three", "four", "five"))
    marks = text.count("#")
    rest = [w.strip("()") for w in text.split() if w.strip("()") and "#" not in w]
    rest = [w for w in rest if w not in ("one", "two", "three", "four", "five")]
    return marks + numbers + len(rest)


def test_no_rule_is_longer_than_a_disjunction_or_the_list() -> None:
    for labels, seed in (("abc", 0), ("abcd", 1)):
        values = every_set(labels)
        rng = np.random.default_rng(seed)
        for _ in range(40 if len(labels) == 3 else 8):
            flags = rng.random(len(values)) < rng.choice([0.2, 0.4, 0.6])
            if flags.all() or not flags.any():
                continue
            rule = shortest_rule(values, labels, flags)
            assert length_of(rule) <= length_of_disjunction(flags.tolist(), values, labels), rule


def test_the_same_side_has_the_same_name_however_it_is_asked() -> None:
    values = every_set("abcd")
    rng = np.random.default_rng(2)
    for _ in range(20):
        flags = rng.random(16) < 0.4
        if not flags.any():
            continue
        first = shortest_rule(values, "abcd", flags)
        assert shortest_rule(tuple(values), tuple("abcd"), flags.tolist()) == first
        ground = ground_of(values, "abcd")
        assert named(ground, flags).rule == named(ground, ~flags).rule


def test_conditions_hold_where_they_say() -> None:
    """Every condition of four labels against its meaning, written out."""
    labels = "abcd"
    values = every_set(labels)
    meant: dict[str, Any] = {
        "has": lambda h, n, t: True,
        "lacks": lambda h, n, t: True,
        "cube": lambda h, n, t: True,
        "any": lambda h, n, t: n > 0,
        "none": lambda h, n, t: n == 0,
        "all": lambda h, n, t: n == 4,
        "exactly": lambda h, n, t: n == t,
        "least": lambda h, n, t: n >= t,
        "most": lambda h, n, t: n <= t,
        "odd": lambda h, n, t: n % 2 == 1,
        "even": lambda h, n, t: n % 2 == 0,
    }
    lists: dict[str, Any] = {
        "exactly of": lambda k, m, t: k == t,
        "least of": lambda k, m, t: k >= t,
        "most of": lambda k, m, t: k <= t,
        "same of": lambda k, m, t: k in (0, m),
    }
    words = vocabulary(ground_of(values, labels))
    assert len(words.terms) > 150
    for where, term in words.terms.items():
        for c, value in enumerate(values):
            of = [labels[j] in value for j in term.of]
            lacks = not any(labels[j] in value for j in term.without)
            if term.kind in lists:
                wanted = lists[term.kind](sum(of), len(of), term.number) and lacks
            elif term.kind == "or":
                wanted = any(of) or not all(labels[j] in value for j in term.without)
            elif term.kind == "only":
                wanted = set(value) == {labels[j] for j in term.of}
            else:
                wanted = all(of) and lacks and meant[term.kind](None, len(value), term.number)
            assert bool(where >> c & 1) == wanted, (term, value)


# ------------------------------------------------------------------ many labels, categories


def test_with_many_labels_a_side_is_one_condition_or_a_list() -> None:
    labels = [f"l{j}" for j in range(9)]
    values = [(x,) for x in labels] + [(), ("l0", "l1"), ("l2", "l3", "l4")]
    flags = [v in (("l0",), ("l2", "l3", "l4"), ("l7",), ()) for v in values]
    rule = shortest_rule(values, labels, flags)
    assert rule == "only l0 or only l7 or no label or only l2 and l3 and l4"
    assert (partition_of(rule, values, labels).of(tuple(values)) == 0).tolist() == flags
    assert shortest_rule(values, labels, ["l3" in v for v in values]) == "l3"


def test_long_lists_are_whole_and_cut_only_to_be_shown() -> None:
    labels = [f"l{j}" for j in range(30)]
    values = [(x,) for x in labels] + [(x, y) for x, y in zip(labels, labels[2:])]
    for flags in ([c % 2 == 0 for c in range(len(values))], [c > 20 for c in range(len(values))]):
        rule = shortest_rule(values, labels, flags)
        assert (partition_of(rule, values, labels).of(tuple(values)) == 0).tolist() == flags
        n = min(sum(flags), len(flags) - sum(flags))
        shown = abridged(rule)
        assert (f" or {n - MOST_SHOWN} more" in shown) == (n > MOST_SHOWN)
        assert is_abridged(shown) == (shown != rule)
    categories = [f"k{c:02}" for c in range(40)]
    for some in (flags[:40], [not x for x in flags[:40]], [c % 5 > 1 for c in range(40)]):
        rule = shortest_rule(categories, (), some)
        assert (partition_of(rule, categories).of(tuple(categories)) == 0).tolist() == some
    assert abridged(shortest_rule(categories, (), [c < 20 for c in range(40)])).endswith(
        ", k11 or 8 more"
    )
    with pytest.raises(RequestError, match="was cut to be shown"):
        partition_of(abridged(rule), categories)
    with pytest.raises(RequestError, match="was cut to be shown"):
        partition_of(shown, values, labels)


def test_categories_by_the_smaller_side() -> None:
    values = ["a", "b", "c", "d", "e"]
    rules = {
        "10000": "a",
        "01111": "not a",
        "11000": "a or b",
        "00111": "neither a nor b",
        "10101": "neither b nor d",
        "01010": "b or d",
    }
    for bits, rule in rules.items():
        assert shortest_rule(values, (), [x == "1" for x in bits]) == rule
    assert shortest_rule("abcdef", (), [1, 1, 1, 0, 0, 0]) == "a, b or c"
    assert shortest_rule("abcdefg", (), [0, 0, 0, 1, 1, 1, 1]) == "none of a, b, c"


def test_categories_by_their_groups() -> None:
    senses = ["Cause.Reason", "Cause.Result", "Contrast.A", "Contrast.B", "Purpose.Goal"]
    groups = hierarchy_of(senses, ".")
    rules = {
        "11000": "Cause",
        "00111": "not Cause",
        "11100": "Cause or Contrast.A",
        "11110": "not Purpose.Goal",
        "10000": "Cause.Reason",
        "11001": "not Contrast",
    }
    for bits, rule in rules.items():
        flags = [x == "1" for x in bits]
        assert shortest_rule(senses, (), flags, groups) == rule
        again = partition_of(rule, senses, (), groups)
        assert (again.of(tuple(senses)) == 0).tolist() == flags
    same = hierarchy_of(
        ["animal", "cat", "dog"], {"animal": None, "cat": "animal", "dog": "animal"}
    )
    assert shortest_rule(["animal", "cat", "dog"], (), [0, 1, 1], same) == "under animal"


def test_what_cannot_be_told_apart_has_a_name_anyway() -> None:
    ranked = [("a", "b"), ("b", "a"), ("a",)]
    assert shortest_rule(ranked, "ab", [1, 0, 0]) == "a then b"
    assert shortest_rule(["a", "b"], (), [1, 1]) == "every value"


def test_bits() -> None:
    assert bits_of(np.array([True, False, True])) == 0b101
    assert holds(Term(0, "only", (1,)), [0b0011, 0b0110], 0b1111) == 0b0100
    assert BITS[5] == "101"
