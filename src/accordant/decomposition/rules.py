"""What a user means by a partition: a rule in words, sets, blocks with names, a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from ..arrays import Bools, Ints
from ..errors import RequestError
from ..numbers import count_of, joined
from ..scheme import Label, Value
from .conditions import labels_text
from .grammar import blocks_of, read_rule
from .partition import (
    Ground,
    Hierarchy,
    HierarchySpec,
    Partition,
    ground_of,
    hierarchy_of,
    level_text,
)
from .rule_names import name_of_other, short_rule

__all__ = ["REST", "PartitionSpec", "partition_of"]

PartitionSpec: TypeAlias = Partition | str | Mapping[Any, Any] | Callable[[Value], Hashable]

REST = ("rest", "otherwise", "the rest", "everything else", "else")
_CARDINALITY = ("number of labels", "the number of labels", "cardinality", "how many labels")
_LEVEL = re.compile(
    r"(the )?hierarchy|(?P<top>top)( level)? of the hierarchy"
    r"|level (?P<level>\d+)( of the hierarchy)?"
)


def partition_of(
    spec: PartitionSpec,
    values: Sequence[Value],
    labels: Sequence[Label] = (),
    hierarchy: Hierarchy | HierarchySpec | None = None,
) -> Partition:
    """The partition of these values that is meant.

    Parameters
    ----------
    spec : Partition, str, mapping or callable
        A rule in words (``'any label'``, ``'Resolution without Complication'``; for the grammar see
        `accordant.decomposition.grammar.read_rule`); several with ``|`` between them, the last of
        which may be ``'rest'`` (``'no label | exactly one label | rest'``); sets as bits or
        categories with commas (``'000,011,101,110'``, ``'a,b|c,d'``; the others are the rest);
        ``'number of labels'``; ``'top of the hierarchy'`` or ``'level 2 of the hierarchy'``; a
        mapping from the name of a block to its values or to a rule; a function that gives the block
        of a value.
    values : sequence
        (C,) the values to divide: categories, or sets of labels as tuples. Values that do not
        occur can be named, but the result does not hold them.
    labels : sequence
        (L,) the labels of sets in the order of their bits.
    hierarchy : Hierarchy, mapping or str, optional
        Groups of categories, whose names a rule may use; see
        `accordant.decomposition.partition.hierarchy_of`.

    Examples
    --------
    >>> sets = [(), ("a",), ("b",), ("a", "b")]
    >>> partition_of("exactly one label", sets, ["a", "b"]).blocks
    ((('a',), ('b',)), ((), ('a', 'b')))
    >>> partition_of("number of labels", sets, ["a", "b"]).names
    ('no label', 'one label', 'two labels')
    >>> partition_of({"yes": ["y", "probably"], "no": "n"}, ["y", "n", "probably"]).of(("y", "n"))
    array([0, 1])
    >>> partition_of("00,11", sets, ["a", "b"]).rule
    'even number of labels'

    Raises
    ------
    RequestError
        If the rule cannot be read, a value is in no block or in two, or all values are in one.
    """
    if isinstance(spec, Partition):
        spec.of(tuple(values))
        return _divided(spec, tuple(values))
    if hierarchy is not None and not isinstance(hierarchy, Hierarchy):
        hierarchy = hierarchy_of(ground_of(values, labels).labels, hierarchy)
    ground = ground_of(values, labels, hierarchy)
    if isinstance(spec, str):
        return _of_text(
            " ".join(spec.split()) if '"' not in spec else spec.strip(), ground, hierarchy
        )
    if isinstance(spec, Mapping):
        return _of_mapping(spec, ground)
    if callable(spec):
        return _of_function(spec, ground)
    raise RequestError(
        "a partition is a rule in words, sets such as 'a,b|c', a mapping from block to values or "
        f"a function; {spec!r} is none of them"
    )


def _of_text(text: str, ground: Ground, groups: Hierarchy | None) -> Partition:
    small = text.lower()
    if small in _CARDINALITY and ground.of_sets:
        sizes = sorted(set(ground.sizes.tolist()))
        held = [ground.sizes == n for n in sizes]
        names = [labels_text(n) if n else "no label" for n in sizes]
        return _partition("number of labels", held, names, ground)
    if level := _LEVEL.fullmatch(small):
        try:
            return _of_level(small, 1 if level["top"] else int(level["level"] or 0), ground, groups)
        except RequestError:
            if all(name.text.lower() != small for name in ground.names):
                raise  # else there is no such level, but such a label
    parts = blocks_of(text)
    if "" in parts and len(parts) > 1:
        raise RequestError(
            f"rule {text!r}: there is nothing between two '|', or before or after one"
        )
    sides: list[Bools] = []
    for i, part in enumerate(parts):
        if part.lower() in REST and len(parts) > 1:
            if i < len(parts) - 1:
                raise RequestError(f"rule {text!r}: {part!r} has to be the last block")
            sides.append(~np.logical_or.reduce(sides))
        else:
            sides.append(read_rule(part, ground))
    names = [_in_words(part, side, ground) for part, side in zip(parts, sides, strict=True)]
    rule = " | ".join(names)
    if len(parts) == 1:
        sides.append(~sides[0])
        names.append(name_of_other(rule, sides[0], ground))
    return _partition(rule, sides, names, ground)


def _in_words(text: str, side: Bools, ground: Ground) -> str:
    """A rule as it is shown: sets in bits by their short rule."""
    bits = ground.of_sets and not set(text) - set("01, ")
    return short_rule(side, ground) if bits and side.any() else text


def _of_level(text: str, number: int, ground: Ground, groups: Hierarchy | None) -> Partition:
    """Of the hierarchy a level; 0 is its first that divides anything."""
    found = groups or hierarchy_of(ground.labels)
    levels = {partition.rule: partition for partition in found.levels}
    wanted = level_text(number) if number else next(iter(levels), "")
    if wanted not in levels:
        raise RequestError(
            f"the hierarchy has no {text!r} that divides the categories: it has "
            f"{joined(map(repr, levels)) or 'none'}"
        )
    level = levels[wanted]
    if not ground.of_sets:
        return _divided(level, ground.values)
    block = level.of(ground.labels)
    blocks: dict[tuple[int, ...], list[Value]] = {}
    for value, held in zip(ground.values, ground.members, strict=True):
        blocks.setdefault(tuple(np.unique(block[held]).tolist()), []).append(value)
    names = tuple(" + ".join(level.names[b] for b in key) or "no label" for key in blocks)
    return Partition(level.rule, tuple(map(tuple, blocks.values())), names)


def _of_mapping(spec: Mapping[Any, Any], ground: Ground) -> Partition:
    """Blocks with names."""
    sides: list[Bools] = []
    names = [str(name) for name in spec]
    for i, (name, inside) in enumerate(spec.items()):
        if inside is None or inside is ... or (isinstance(inside, str) and inside.lower() in REST):
            if i < len(spec) - 1:
                raise RequestError(f"the block {name!r} is the rest, so it has to be the last")
            sides.append(~np.logical_or.reduce([np.zeros(len(ground.values), bool), *sides]))
        elif isinstance(inside, str) and (ground.of_sets or inside not in map(str, ground.labels)):
            sides.append(read_rule(inside, ground))
        elif isinstance(inside, Iterable) and not isinstance(inside, str):
            lone = ground.of_sets and isinstance(inside, tuple) and _is_set(inside, ground)
            sides.append(_among([inside] if lone else inside, name, ground))
        else:
            sides.append(_among([inside], name, ground))
    return _partition(" | ".join(names), sides, tuple(names), ground)


def _is_set(inside: tuple[Any, ...], ground: Ground) -> bool:
    """Whether a tuple is one set of labels, not several sets."""
    known = set(map(str, ground.labels))
    return all(isinstance(x, (str, int, float)) and str(x) in known for x in inside)


def _among(inside: Iterable[Any], name: Any, ground: Ground) -> Bools:
    """Which values are listed."""
    found = np.zeros(len(ground.values), bool)
    place = {str(label): j for j, label in enumerate(ground.labels)}
    for value in inside:  # a set that nobody gave is no value
        held = np.zeros(len(place), bool)
        held[[place[str(x)] for x in _labels_of(value, name, ground, place)]] = True
        found |= (ground.members == held).all(1)
    return found


def _labels_of(value: Any, name: Any, ground: Ground, place: Mapping[str, int]) -> Iterable[Any]:
    """The labels of a value that is listed in a block, each checked."""
    if ground.of_sets and isinstance(value, str):
        if len(value) != len(ground.labels) or set(value) - {"0", "1"} or value in place:
            raise RequestError(
                f"block {name!r}: {value!r} is not a set of labels; write ({value!r},) for the set "
                f"that holds it alone, bits such as {ground.bits(ground.values[-1])!r}, or instead "
                f"of the list the rule {value!r} for all sets that hold it"
            )
        return [label for label, bit in zip(ground.labels, value, strict=True) if bit == "1"]
    several = ground.of_sets and isinstance(value, Iterable)
    labels = list(value) if several else [value]
    for label in labels:
        if str(label) not in place:
            close = get_close_matches(str(label), place, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            what = "label" if ground.of_sets else "category"
            raise RequestError(
                f"block {name!r}: there is no {what} {label!r}; there are "
                f"{joined(map(repr, place))}{hint}"
            )
    return labels


def _of_function(spec: Callable[[Value], Hashable], ground: Ground) -> Partition:
    """Blocks by what a function says of each value."""
    name = getattr(spec, "__name__", "")
    rule = name.replace("_", " ") if name and name != "<lambda>" else "a function of the value"
    found: list[Hashable] = []
    for value in ground.values:
        try:
            block = spec(value)
            hash(block)
        except Exception as error:
            raise RequestError(
                f"the function that gives the block of a value fails for {value!r}: "
                f"{type(error).__name__}: {error}"
            ) from error
        if block is None:
            raise RequestError(
                f"the function that gives the block of a value has none for {value!r}"
            )
        found.append(block)
    blocks = list(dict.fromkeys(found))
    if all(isinstance(block, (bool, np.bool_)) for block in blocks):
        blocks.sort(key=lambda block: not block)
        names = [rule if block else "otherwise" for block in blocks]
    else:
        if all(isinstance(block, (int, float)) for block in blocks):
            blocks.sort(key=lambda block: float(str(block)))
        names = [str(block) for block in blocks]
    sides = [np.array([x == block for x in found]) for block in blocks]
    return _partition(rule, sides, tuple(names), ground)


def _partition(
    rule: str, sides: Sequence[Bools], names: Sequence[str], ground: Ground
) -> Partition:
    """Blocks that hold every value once; blocks without a value are left out."""
    times = np.sum(sides, 0) if len(sides) else np.zeros(len(ground.values), np.int64)
    twice, lost = np.flatnonzero(times > 1), np.flatnonzero(times == 0)
    if len(twice):
        both = joined([repr(n) for n, side in zip(names, sides, strict=True) if side[twice[0]]])
        raise RequestError(
            f"partition {rule!r}: {_shown(ground, twice)} in more than one block ({both}); a value "
            "has one block"
        )
    if len(lost):
        raise RequestError(
            f"partition {rule!r}: {_shown(ground, lost)} in no block; add 'rest' as the last "
            "block, or name them"
        )
    blocks = [tuple(compress(ground.values, side)) for side in sides]
    return _divided(Partition(rule, tuple(blocks), tuple(names)), ground.values)


def _divided(partition: Partition, values: tuple[Value, ...]) -> Partition:
    """The partition of the values that there are, if it divides them."""
    there = set(values)
    blocks = [tuple(v for v in block if v in there) for block in partition.blocks]
    names = tuple(compress(partition.names, blocks))
    if len(names) < 2:
        where = f"in {names[0]!r}" if names else "in no block"
        raise RequestError(
            f"partition {partition.rule!r}: all {count_of(len(there), 'value')} that coders gave "
            f"are {where}, so it divides nothing"
        )
    return Partition(partition.rule, tuple(filter(None, blocks)), names)


def _shown(ground: Ground, places: Ints) -> str:
    """Values in a message, with a verb: sets as bits with their labels."""
    values = [ground.values[c] for c in places]
    texts = [f"{ground.bits(v)} {list(v)!r}" if isinstance(v, tuple) else repr(v) for v in values]
    return f"{joined(texts, most=4)} {'is' if len(texts) == 1 else 'are'}"
