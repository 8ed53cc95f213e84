"""Partitions of values into blocks, names as they stand in rules, and groups of categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from ..arrays import Bools, Ints
from ..errors import RequestError
from ..numbers import count_of, joined
from ..scheme import Label, Value, number

__all__ = [
    "CONNECTORS",
    "NUMBERS",
    "RESERVED",
    "SEPARATORS",
    "Ground",
    "Hierarchy",
    "HierarchySpec",
    "Name",
    "Partition",
    "find_hierarchy",
    "ground_of",
    "hierarchy_of",
    "level_text",
    "quoted",
    "written",
]


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
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
CONNECTORS = frozenset({"and", "or", "not", "without", "with", "nor", "but", "&"})
"""Words that join two parts of a rule: a label that holds one of them needs quotes."""

RESERVED = CONNECTORS | {
    "all",
    "any",
    "at",
    "both",
    "cardinality",
    "contain",
    "contains",
    "either",
    "else",
    "even",
    "every",
    "everything",
    "exactly",
    "fewer",
    "has",
    "hierarchy",
    "holds",
    "how",
    "include",
    "includes",
    "label",
    "labels",
    "least",
    "less",
    "level",
    "many",
    "more",
    "most",
    "neither",
    "no",
    "none",
    "number",
    "odd",
    "of",
    "only",
    "otherwise",
    "parity",
    "rest",
    "than",
    "the",
    "under",
    *NUMBERS,
}
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
    values: Sequence[Value], labels: Sequence[Label] = (), hierarchy: Hierarchy | None = None
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
    nodes = {} if hierarchy is None else hierarchy.nodes
    groups = {text: tuple(x for x in inside if x in place) for text, inside in nodes.items()}
    groups = {text: inside for text, inside in groups.items() if inside}
    return Ground(values, held, of_sets, members, groups)


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


# ------------------------------------------------------------------ groups of categories

SEPARATORS = ("::", " > ", ">", "/", ":", ".", "-")
"""What may stand between the parts of a name, the surest first."""

HierarchySpec: TypeAlias = Mapping[Any, Any] | str


LEAST_CATEGORIES = 3  # of fewer a common beginning of names says nothing


@dataclass(frozen=True)
class Hierarchy:
    """Groups of categories, on one or more levels.

    Parameters
    ----------
    categories : tuple
        (K,) the categories.
    paths : tuple of tuple of str
        (K,) the groups of each category, from the coarsest to the finest; empty for a category
        that stands for itself.
    origin : str
        Where it comes from, in words.

    Examples
    --------
    >>> senses = hierarchy_of(["Cause.Reason", "Cause.Result", "Contrast"], ".")
    >>> senses.nodes, [str(level) for level in senses.levels]
    ({'Cause': ('Cause.Reason', 'Cause.Result')}, ['top of the hierarchy'])
    """

    categories: tuple[Label, ...]
    paths: tuple[tuple[str, ...], ...]
    origin: str

    @property
    def depth(self) -> int:
        """The number of levels above the categories."""
        return max(map(len, self.paths), default=0)

    @cached_property
    def nodes(self) -> dict[str, tuple[Label, ...]]:
        """The categories below each group, coarse groups first; a group of all is left out."""
        found: dict[str, list[Label]] = {}
        for d in range(self.depth):
            for category, path in zip(self.categories, self.paths, strict=True):
                if d < len(path):
                    found.setdefault(path[d], []).append(category)
        n = len(self.categories)
        return {node: tuple(inside) for node, inside in found.items() if len(inside) < n}

    def path(self, category: Label) -> tuple[str, ...]:
        """The groups of a category, from the coarsest to the finest."""
        return self.paths[self.categories.index(category)]

    def group(self, category: Label, level: int) -> str:
        """The group of a category on a level, counted from 1; the category itself if it has none.

        Examples
        --------
        >>> hierarchy_of(["a.b.c", "a.b.d", "a.e"], ".").group("a.b.c", 2)
        'a.b'
        """
        path = self.path(category)
        return path[level - 1] if level <= len(path) else str(category)

    @cached_property
    def levels(self) -> tuple[Partition, ...]:
        """The categories by their groups, level by level, the coarsest first.

        A level that divides nothing, or no more than the level before it, is left out, and so is
        the last one, where every category stands for itself.
        """
        found: list[Partition] = []
        before: set[tuple[Value, ...]] = {self.categories}
        for level in range(1, self.depth + 1):
            blocks: dict[tuple[bool, str], list[Value]] = {}
            for category, path in zip(self.categories, self.paths, strict=True):
                # A group and a category may have the same name.
                key = (level <= len(path), self.group(category, level))
                blocks.setdefault(key, []).append(category)
            inside = tuple(tuple(block) for block in blocks.values())
            if set(inside) != before and len(inside) < len(self.categories):
                names = tuple(name for _, name in blocks)
                found.append(Partition(level_text(level), inside, names))
            before = set(inside)
        return tuple(found)


def level_text(level: int) -> str:
    """What a level of the hierarchy is called: not 'level 1', which is that of a decomposition.

    Examples
    --------
    >>> level_text(1), level_text(2)
    ('top of the hierarchy', 'level 2 of the hierarchy')
    """
    return "top of the hierarchy" if level == 1 else f"level {level} of the hierarchy"


def hierarchy_of(categories: Sequence[Label], spec: HierarchySpec | None = None) -> Hierarchy:
    """The hierarchy that is given, or found in the names.

    Parameters
    ----------
    categories : sequence
        (K,) the categories.
    spec : mapping or str, optional
        Category → group, where a group may have a group of its own and None means that there is
        none; or group → categories or a mapping of the same kind, nested; or what separates the
        parts of the names (``'.'``). By default the separator is found.

    Examples
    --------
    >>> parent = {"cat": "animal", "dog": "animal", "oak": None}
    >>> hierarchy_of(["cat", "dog", "oak"], parent).nodes
    {'animal': ('cat', 'dog')}
    >>> nested = {"living": {"animal": ["cat", "dog"], "plant": ["oak"]}, "stone": ["flint"]}
    >>> hierarchy_of(["cat", "dog", "oak", "flint"], nested).paths
    (('living', 'animal'), ('living', 'animal'), ('living', 'plant'), ('stone',))
    >>> hierarchy_of(["Cause.Reason", "Cause.Result", "Contrast.None"]).origin
    "found in the names of the categories, split at '.'"

    Raises
    ------
    RequestError
        If a category has no place, a group is its own group, or the names have no common separator.
    """
    categories = tuple(dict.fromkeys(categories))
    if spec is None:
        found = find_hierarchy(categories)
        if found is None:
            raise RequestError(
                "no hierarchy is given, and the names of the categories show none: not all of them "
                f"have the same separator ({joined(map(repr, SEPARATORS), 'or')}), or none share "
                "their first part; give a mapping from category to group"
            )
        return found
    if isinstance(spec, str):
        return _by_separator(categories, spec)
    if not isinstance(spec, Mapping) or not spec:
        raise RequestError(
            f"a hierarchy is a mapping from category to group, or a separator; {spec!r} is neither"
        )
    if any(isinstance(x, (Mapping, list, tuple, set, frozenset)) for x in spec.values()):
        given, origin = _nested(spec), "given as groups of categories"
    else:
        given, origin = _by_parent(spec), "given as the group of each category"
    place = _placed(given, "")
    lost = [c for c in categories if str(c) not in place]
    if lost:
        close = get_close_matches(str(lost[0]), place, 1)
        hint = f" (it has {close[0]!r})" if close else ""
        raise RequestError(
            f"the hierarchy has no place for {joined(map(repr, lost))}{hint}; give each category "
            "a group, or None if it has none"
        )
    return _checked(Hierarchy(categories, tuple(place[str(c)] for c in categories), origin))


def find_hierarchy(categories: Sequence[Label]) -> Hierarchy | None:
    """The hierarchy that the names show, or None.

    Every name must have the same separator with something on both sides of it, there must be at
    least three, and some must share their first part, but not all.

    Examples
    --------
    >>> find_hierarchy(["1.5", "1.7", "2.0"]) is None, find_hierarchy(["a-b", "a-c", "d"]) is None
    (True, True)
    """
    texts = [str(c) for c in categories]
    if len(texts) < LEAST_CATEGORIES or any(number(c) is not None for c in categories):
        return None
    for separator in SEPARATORS:
        parts = [text.split(separator) for text in texts]
        first = {part[0] for part in parts}
        whole = all(len(part) > 1 and all(p.strip() for p in part) for part in parts)
        if whole and 1 < len(first) < len(texts):
            return _by_separator(tuple(categories), separator)
    return None


def _by_separator(categories: tuple[Label, ...], separator: str) -> Hierarchy:
    """Names split: 'a.b.c' is in 'a.b', which is in 'a'."""
    if not separator:
        raise RequestError("the separator of a hierarchy is empty; give one such as '.' or '/'")
    paths = []
    for category in categories:
        parts = str(category).split(separator)
        paths.append([separator.join(parts[:d]) for d in range(1, len(parts))])
    if not any(paths):
        raise RequestError(f"no category has {separator!r} in its name, so it gives no hierarchy")
    size = Counter(node for path in paths for node in path)
    kept = [tuple(x for x in path if x == path[0] or size[x] > 1) for path in paths]
    origin = f"found in the names of the categories, split at {separator!r}"
    return _checked(Hierarchy(categories, tuple(kept), origin))


def _nested(spec: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every category in groups within groups, with its groups."""
    if isinstance(spec, Mapping):
        for node, inside in spec.items():
            if str(node) in above and inside is not None:
                raise RequestError(f"the hierarchy has {node!r} inside itself")
            if inside is None:
                yield str(node), above
            else:
                yield from _nested(inside, (*above, str(node)))
    elif isinstance(spec, Iterable) and not isinstance(spec, (str, bytes)):
        for category in spec:
            yield from _nested(category if isinstance(category, Mapping) else str(category), above)
    else:
        yield str(spec), above


def _by_parent(spec: Mapping[Any, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every category with its groups, from the group of each category and of each group."""
    parents = {str(key): None if up in (None, "") else str(up) for key, up in spec.items()}
    for key in parents:
        found: list[str] = []
        up = parents[key]
        while up is not None:
            if up in found or up == key:
                raise RequestError(f"the hierarchy has {up!r} inside itself")
            found.insert(0, up)
            up = parents.get(up)
        yield key, tuple(found)


def _placed(
    pairs: Iterable[tuple[str, tuple[str, ...]]], what: str, advice: str = ""
) -> dict[str, tuple[str, ...]]:
    """Each name with the groups above it, if they are the same wherever it stands."""
    place: dict[str, tuple[str, ...]] = {}
    for name, above in pairs:
        if place.setdefault(name, above) != above:
            first, second = (" > ".join(p) or "no group" for p in (place[name], above))
            raise RequestError(
                f"the hierarchy has {what}{name!r} twice: in {first} and in {second}{advice}"
            )
    return place


def _checked(found: Hierarchy) -> Hierarchy:
    """The hierarchy, if every group has one place."""
    groups = ((node, path[:d]) for path in found.paths for d, node in enumerate(path))
    if not _placed(groups, "the group ", "; give the two groups names of their own"):
        raise RequestError("the hierarchy has no group: give each category the group it belongs to")
    if not found.nodes:
        n = count_of(len(found.categories), "category", "categories")
        raise RequestError(
            f"the hierarchy puts all {n} in {found.paths[0][0]!r}, so it divides nothing"
        )
    return found
