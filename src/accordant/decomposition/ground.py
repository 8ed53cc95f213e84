"""What a rule speaks about: values, the labels they hold, and every name to call them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..scheme import Label, Value

__all__ = [
    "CONNECTORS", "NUMBERS", "RESERVED", "Ground", "Groups", "Name", "ground_of", "quoted",
    "written",
]  # fmt: skip

Flags = NDArray[np.bool_]

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


class Groups(Protocol):
    """Names for groups of categories; `accordant.decomposition.hierarchy.Hierarchy` is one."""

    @property
    def nodes(self) -> Mapping[str, tuple[Label, ...]]:
        """The categories of each group."""


@dataclass(frozen=True)
class Name:
    """A label or a group of labels by the name that a rule uses for it."""

    text: str
    held: Flags = field(compare=False)  # (C,) which values hold it
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
    members: Flags
    groups: Mapping[str, tuple[Label, ...]]

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name, longest first; the name of a label goes before that of a group."""
        own = [Name(str(x), self.members[:, j], j) for j, x in enumerate(self.labels)]
        taken = {name.text for name in own}
        own += [Name(text, held) for text, held in self.inside.items() if text not in taken]
        return tuple(sorted(own, key=lambda name: -len(name.text)))

    @cached_property
    def inside(self) -> dict[str, Flags]:
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
    def sizes(self) -> NDArray[np.int64]:
        """(C,) how many labels each value holds."""
        return np.asarray(self.members.sum(1), np.int64)

    def bits(self, value: Value) -> str:
        """A set of labels as Levi & Shenhav (2022, Table 4) write it: a 1 for each label held."""
        held = set(value) if isinstance(value, tuple) else {value}
        return "".join("1" if label in held else "0" for label in self.labels)


def ground_of(
    values: Sequence[Value], labels: Sequence[Label] = (), hierarchy: Groups | None = None
) -> Ground:
    """What rules about these values can speak of.

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
    if not of_sets:
        single = tuple(v for v in values if not isinstance(v, tuple))
        return Ground(
            values, single, False, np.eye(len(values), dtype=bool), _known(single, hierarchy)
        )
    given: dict[Any, None] = dict.fromkeys(labels)
    for value in values:
        given.update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
    held = tuple(given)
    place = {label: j for j, label in enumerate(held)}
    members = np.zeros((len(values), len(held)), bool)
    for c, value in enumerate(values):
        if not isinstance(value, tuple):
            raise RequestError(f"{value!r} is not a set of labels, but {values[0]!r} is")
        members[c, [place[x] for x in value]] = True
    return Ground(values, held, True, members, _known(held, hierarchy))


def _known(labels: tuple[Label, ...], hierarchy: Groups | None) -> Mapping[str, tuple[Label, ...]]:
    """The groups with at least one of the labels, without labels that are not there."""
    if hierarchy is None:
        return {}
    there = set(labels)
    found = {
        text: tuple(x for x in inside if x in there) for text, inside in hierarchy.nodes.items()
    }
    return {text: inside for text, inside in found.items() if inside}


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
