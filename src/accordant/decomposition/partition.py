"""Partitions of values into blocks, what a rule speaks about, and names as they stand in rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np

from ..arrays import Bools, Ints
from ..errors import RequestError
from ..scheme import Label, Value

__all__ = [
    "CONNECTORS", "NUMBERS", "RESERVED", "Ground", "Name", "Partition", "abridged",
    "abridged_apart", "ground_of", "is_abridged", "quoted", "written",
]  # fmt: skip


@dataclass(frozen=True)
class Partition:
    """Values in blocks: values of one block count as the same, of different blocks as different.

    Parameters
    ----------
    rule : str
        What it asks, in words: ``'any label'``, ``'exactly one label'``.
    blocks : tuple of tuple of Value
        (B,) the values of each block.
    names : tuple of str
        (B,) what each block is called.
    """

    rule: str
    blocks: tuple[tuple[Value, ...], ...]
    names: tuple[str, ...]

    def of(self, values: tuple[Value, ...]) -> Ints:
        """(C,) the block of each value.

        Examples
        --------
        >>> Partition("vowel", (("a", "e"), ("b",)), ("yes", "no")).of(("a", "b", "e")).tolist()
        [0, 1, 0]

        Raises
        ------
        RequestError
            If a value is in no block.
        """
        block = {value: b for b, inside in enumerate(self.blocks) for value in inside}
        lost = [v for v in values if v not in block]
        if lost:
            raise RequestError(f"the partition {self.rule!r} has no block for {lost[0]!r}")
        return np.array([block[v] for v in values], np.int64)

    @property
    def n_blocks(self) -> int:
        """B."""
        return len(self.blocks)

    def __str__(self) -> str:
        return self.rule


# ------------------------------------------------------------------ what a rule speaks about

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
CONNECTORS = frozenset({"and", "or", "not", "without", "with", "nor", "but", "&"})
"""Words that join two parts of a rule: a label that holds one of them needs quotes."""

RESERVED = CONNECTORS | {
    "all", "any", "at", "both", "cardinality", "contain", "contains", "either", "else", "even",
    "every", "everything", "exactly", "fewer", "has", "hierarchy", "holds", "how", "include",
    "includes", "label", "labels", "least", "less", "level", "many", "more", "most", "neither",
    "no", "none", "number", "odd", "of", "only", "otherwise", "parity", "rest", "than", "the",
    "under", *NUMBERS,
}  # fmt: skip
MARKS = frozenset('"“”(),|;')


@dataclass(frozen=True)
class Name:
    """A label or a group of labels by the name that a rule uses for it."""

    text: str
    held: Bools = field(compare=False)  # (C,) which values hold it
    label: int | None = None  # its place among the labels; of a group None

    @property
    def bare(self) -> bool:
        """Whether it can stand in a rule without quotes, as long as nothing else is meant."""
        words = self.text.split()
        return self.text == " ".join(words) != "" and not CONNECTORS & {w.lower() for w in words}


@dataclass(frozen=True, eq=False)
class Ground:
    """C values and the L labels that they hold; of categories each value is its only label.

    Parameters
    ----------
    values : tuple
        (C,) what is divided.
    labels : tuple
        (L,) the labels of sets, or the categories.
    of_sets : bool
        Whether values are sets of labels.
    members : ndarray of bool
        (C, L) which value holds which label.
    groups : mapping
        Name of a group of labels to these labels.
    """

    values: tuple[Value, ...]
    labels: tuple[Label, ...]
    of_sets: bool
    members: Bools
    groups: Mapping[str, tuple[Label, ...]]

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name, longest first; the name of a label goes before that of a group."""
        own = [Name(str(x), self.members[:, j], j) for j, x in enumerate(self.labels)]
        taken = {name.text for name in own}
        own += [Name(text, held) for text, held in self.inside.items() if text not in taken]
        return tuple(sorted(own, key=lambda name: -len(name.text)))

    @cached_property
    def inside(self) -> dict[str, Bools]:
        """(C,) which values hold a label of each group, by the name of the group."""
        place = {x: j for j, x in enumerate(self.labels)}
        return {
            text: np.asarray(self.members[:, [place[x] for x in inside]].any(1))
            for text, inside in self.groups.items()
        }

    @cached_property
    def written(self) -> tuple[str, ...]:
        """(L,) the labels as they stand in rules."""
        n_bits = len(self.labels) if self.of_sets else 0
        return tuple(written(str(label), n_bits) for label in self.labels)

    @cached_property
    def sizes(self) -> Ints:
        """(C,) how many labels each value holds."""
        return np.asarray(self.members.sum(1), np.int64)

    def bits(self, value: Value) -> str:
        """A set of labels as Levi & Shenhav (2022, Table 4) write it: a 1 for each label held."""
        held = set(value) if isinstance(value, tuple) else {value}
        return "".join("1" if label in held else "0" for label in self.labels)


def ground_of(
    values: Sequence[Value],
    labels: Sequence[Label] = (),
    groups: Mapping[str, tuple[Label, ...]] = MappingProxyType({}),
) -> Ground:
    """What rules about these values can speak of, and groups of labels that have a name.

    Examples
    --------
    >>> ground = ground_of([(), ("a",), ("a", "b")], ["a", "b"])
    >>> ground.members.tolist(), ground.bits(("a", "b"))
    ([[False, False], [True, False], [True, True]], '11')
    >>> ground_of(["yes", "no"]).members.tolist()
    [[True, False], [False, True]]
    """
    values = tuple(values)
    of_sets = bool(values) and isinstance(values[0], tuple)
    given: dict[Label, None] = dict.fromkeys(labels if of_sets else ())
    for value in values:
        if isinstance(value, tuple) != of_sets:
            raise RequestError(f"{value!r} is not a set of labels, but {values[0]!r} is")
        given.update(dict.fromkeys(_labels_of(value)))
    held = tuple(given)
    place = {label: j for j, label in enumerate(held)}
    members = np.zeros((len(values), len(held)), bool)
    for c, value in enumerate(values):
        members[c, [place[x] for x in _labels_of(value)]] = True
    there = {text: tuple(x for x in inside if x in place) for text, inside in groups.items()}
    there = {text: inside for text, inside in there.items() if inside}
    return Ground(values, held, of_sets, members, there)


def _labels_of(value: Value) -> tuple[Label, ...]:
    return value if isinstance(value, tuple) else (value,)


def written(text: str, length: int = 0) -> str:
    """A label as it stands in a rule: in quotes if it could be taken for something else.

    Parameters
    ----------
    text : str
        The label.
    length : int
        Number of labels of a set: a label that looks like that many bits is quoted.

    Examples
    --------
    >>> written("Resolution"), written("New York"), written("not sure"), written('a "b" c')
    ('Resolution', 'New York', '"not sure"', '"a ""b"" c"')
    >>> written("011", 3), written("011", 2)
    ('"011"', '011')
    """
    words = text.split()
    plain = (
        bool(words)
        and text == " ".join(words)
        and not RESERVED & {word.lower() for word in words}
        and not MARKS & set(text)
        and text.isprintable()
        and not (set(text) <= {"0", "1"} and len(text) == length)
    )
    return text if plain else quoted(text)


def quoted(text: str) -> str:
    """A label in quotes, those within it doubled."""
    return '"' + text.replace('"', '""') + '"'


# ------------------------------------------------------------------ long rules as they are shown

MOST_SHOWN = 12
"""Longer lists are cut where they are shown; the rule itself keeps everything."""

_JOINT = re.compile(r', or | or |, |"(?:[^"]|"")*"|[()]')
_CUT = re.compile(r"(?: or| and) [\d,]+ more\)?$")


def abridged(rule: str, most: int = MOST_SHOWN) -> str:
    """A rule whose list is cut after so many entries.

    Only for people: what it leaves out cannot be read back, and two rules may look alike.

    Examples
    --------
    >>> abridged("a, b, c or d", 2), abridged("none of a, b, c, d", 2), abridged("a or b", 2)
    ('a, b or 2 more', 'none of a, b and 2 more', 'a or b')
    >>> abridged('not (only a or only "b or c" or no label)', 2)
    'not (only a or only "b or c" or 1 more)'
    """
    whole = rule.startswith("not (") and rule.endswith(")")
    start = len("not (") if whole else 0
    ends, depth = [], 0
    for found in _JOINT.finditer(rule, start, len(rule) - whole):
        mark = found.group()
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 0 and mark[0] in ", ":
            ends.append(found.start())
    n = len(ends) + 1
    if n <= most:
        return rule
    joint = "and" if rule.startswith("none of ") else "or"
    return f"{rule[: ends[most - 1]]} {joint} {n - most:,} more{')' if whole else ''}"


def is_abridged(rule: str) -> bool:
    """Whether a text may be a rule that was cut.

    Examples
    --------
    >>> is_abridged("a, b or 2 more"), is_abridged("not (a or b or 1,002 more)"), is_abridged("a")
    (True, True, False)
    """
    return _CUT.search(rule) is not None


def abridged_apart(rules: Sequence[str], most: int = MOST_SHOWN) -> list[str]:
    """Rules as they are shown beside each other: cut, but no two different ones alike.

    Examples
    --------
    >>> abridged_apart(["a, b, c or d", "a, c, e or f", "a, c, e or g"], 2)
    ['a, b or 2 more', 'a, c, e or f', 'a, c, e or g']
    """
    shown = {rule: abridged(rule, most) for rule in rules}
    while True:
        times = Counter(shown.values())
        alike = [rule for rule, text in shown.items() if times[text] > 1]
        if not alike:
            break
        most *= 2
        shown |= {rule: abridged(rule, most) for rule in alike}
    return [shown[rule] for rule in rules]
