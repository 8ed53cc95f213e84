"""Partitions of values into blocks: as users write them, and with short names where found."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, compress
from typing import Any

import numpy as np

from ..arrays import Bools, Ints
from ..errors import RequestError
from ..numbers import count_of, joined
from ..scheme import Value
from .contingency import States

ANY, NUMBER, OTHERWISE = "any label", "number of labels", "otherwise"
MOST_CONDITIONS = 3  # of a name; longer ones are lists of values
MOST_SHOWN = 12  # values of a name that are shown
_ENTRY = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^",|]*))\s*([,|]|\Z)')


@dataclass(frozen=True)
class Partition:
    """Values in blocks: values of one block count as the same, of different blocks as different.

    Parameters
    ----------
    rule : str
        What it asks: ``'any label'``, ``'exactly 1 label'``.
    blocks : tuple of tuple of Value
        (B,) the values of each block.
    names : tuple of str
        (B,) what each block is called.
    """

    rule: str
    blocks: tuple[tuple[Value, ...], ...]
    names: tuple[str, ...]

    def of(self, values: tuple[Value, ...]) -> Ints:
        """(C,) the block of each value."""
        block = {value: b for b, inside in enumerate(self.blocks) for value in inside}
        return np.array([block[v] for v in values], np.int64)

    @property
    def n_blocks(self) -> int:
        """B."""
        return len(self.blocks)


def partition_of(spec: Any, states: States) -> Partition:
    """The partition of the values that is meant.

    Parameters
    ----------
    spec : str, mapping or callable
        Values with commas between them and blocks with bars (``'a,b|c'``, ``'000,011'``), where
        what is not named is a block of its own; of sets also a label, ``'any label'`` or
        ``'number of labels'``. A mapping from value to block, or a function of the value.

    Raises
    ------
    RequestError
        If a name is unknown, a value is in no block or in two, or all values are in one.
    """
    if isinstance(spec, str):
        return _of_text(spec, states)
    if isinstance(spec, Mapping):
        block_of = {_key(value): block for value, block in spec.items()}
        blocks = [block_of.get(_key(value)) for value in states.values]
        return _by_block(" | ".join(dict.fromkeys(map(str, spec.values()))), blocks, states)
    if callable(spec):
        name = getattr(spec, "__name__", "<lambda>").replace("_", " ")
        rule = "a function of the value" if name == "<lambda>" else name
        return _by_block(rule, [_called(spec, value) for value in states.values], states)
    raise RequestError(
        "a partition is values such as 'a,b|c', a mapping from value to block or a function; "
        f"{spec!r} is none of them"
    )


def _key(value: Any) -> Hashable:
    return frozenset(map(str, value)) if isinstance(value, tuple | frozenset) else str(value)


def _called(function: Callable[[Value], Hashable], value: Value) -> Hashable:
    try:
        block = function(value)
        hash(block)
    except Exception as error:
        raise RequestError(
            f"the function that gives the block of a value fails for {value!r}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return block


def _by_block(rule: str, found: Sequence[Hashable], states: States) -> Partition:
    """Values by the block that is said of each; numbers in their order."""
    if None in found:
        raise RequestError(f"there is no block for {states.values[found.index(None)]!r}")
    blocks = list(dict.fromkeys(found))
    if all(isinstance(block, int | float) for block in blocks):
        blocks.sort(key=float)  # type: ignore[arg-type]
    sides = [np.array([x == block for x in found]) for block in blocks]
    return _divided(rule, sides, list(map(str, blocks)), states)


def _divided(rule: str, sides: Sequence[Bools], names: Sequence[str], states: States) -> Partition:
    """The blocks that hold a value, if there are two."""
    kept = [bool(side.any()) for side in sides]
    names = tuple(compress(names, kept))
    if len(names) < 2:
        n = count_of(states.n_states, "value")
        raise RequestError(
            f"partition {rule!r}: all {n} that coders gave are in {names[0]!r}, so it divides "
            "nothing"
        )
    blocks = (tuple(compress(states.values, side)) for side in compress(sides, kept))
    return Partition(rule, tuple(blocks), names)


# ------------------------------------------------------------------ as text


def _of_text(text: str, states: States) -> Partition:
    small, sizes = " ".join(text.lower().split()), states.members.sum(1)
    if states.of_sets and small == ANY:
        return _divided(ANY, [sizes > 0, sizes == 0], [ANY, "no label"], states)
    if states.of_sets and small == NUMBER:
        each = np.unique(sizes)
        names = [count_of(int(n), "label") for n in each]
        return _divided(NUMBER, [sizes == n for n in each], names, states)
    parts = _entries(text)
    sides = [_block(part, text, states) for part in parts]
    names = [", ".join(shown for shown, _ in side) for side in sides]
    held = [np.logical_or.reduce([inside for _, inside in side]) for side in sides]
    times = np.sum(held, 0)
    if (times > 1).any():
        twice = states.name(states.values[int(times.argmax())])
        raise RequestError(f"partition {text!r}: {twice!r} is in more than one block")
    if states.of_sets and len(parts) == 1:
        rule, both = naming(states, held[0])
        return _divided(rule, [held[0], ~held[0]], both, states)
    rule = " | ".join(names)
    if (times == 0).any():
        held.append(times == 0)
        names.append(f"not {rule}" if len(parts) == len(parts[0]) == 1 else OTHERWISE)
    return _divided(rule, held, names, states)


def _entries(text: str) -> list[list[tuple[str, bool]]]:
    """The names of each block, and whether they stand in quotes."""
    blocks: list[list[tuple[str, bool]]] = [[]]
    at, mark = 0, ","
    while mark:
        found = _ENTRY.match(text, at)
        name = "" if found is None else (found[2] or "").strip()
        if found is None or (found[1] is None and not name):
            raise RequestError(
                f"partition {text!r}: a name is missing or not understood at {text[at:]!r}; names "
                "with a comma, a bar or a quote stand in quotes, those within doubled"
            )
        blocks[-1].append(
            (name, False) if found[1] is None else (found[1].replace('""', '"'), True)
        )
        at, mark = found.end(), found[3]
        if mark == "|":
            blocks.append([])
    return blocks


def _block(part: Sequence[tuple[str, bool]], text: str, states: States) -> list[tuple[str, Bools]]:
    """What each name of a block is written as, and (C,) which values it means."""
    found = []
    for name, in_quotes in part:
        if states.of_sets and not in_quotes and _is_bits(name, states):
            same = (states.members == np.array([bit == "1" for bit in name])).all(1)
            found.append((name, same))
            continue
        names = [str(x) for x in _names(states)]
        place = [k for k, x in enumerate(names) if x == name]
        place = place or [k for k, x in enumerate(names) if x.lower() == name.lower()]
        if len(place) != 1:
            raise RequestError(f"partition {text!r}: {_unknown(name, text, states)}")
        if states.of_sets and len(part) > 1:
            raise RequestError(
                f"partition {text!r}: a comma between labels may mean 'and' or 'or'; name sets by "
                f"their bits, such as {states.name(states.values[-1])!r}"
            )
        inside = (states.members if states.of_sets else np.eye(states.n_states, dtype=bool))[
            :, place[0]
        ]
        found.append((written(names[place[0]], states), inside))
    return found


def _names(states: States) -> tuple[Any, ...]:
    return states.labels if states.of_sets else states.values


def _is_bits(name: str, states: States) -> bool:
    return len(name) == len(states.labels) and not set(name) - {"0", "1"}


def _unknown(name: str, text: str, states: States) -> str:
    """What is possible, and what is near."""
    names = [str(x) for x in _names(states)]
    close = [text.strip()] if text.strip() in names else get_close_matches(name, names, 1)
    hint = f"; did you mean {written(close[0], states)!r}?" if close else ""
    what, such = "category", ""
    if states.of_sets:
        what = "label"
        such = f"; possible are also {ANY!r}, {NUMBER!r} and sets as {len(names)} bits"
    return f"there is no {what} {name!r}: there is {joined(map(repr, names))}{such}{hint}"


def written(name: str, states: States) -> str:
    """A label or category as it is typed: in quotes if it could be taken for something else."""
    plain = name and name == name.strip() and not set(name) & set('",|')
    if states.of_sets:
        plain = plain and name.lower() not in (ANY, NUMBER) and not _is_bits(name, states)
    return name if plain else '"' + name.replace('"', '""') + '"'


def listed(values: Sequence[Value], states: States, joint: str = ",") -> str:
    """Values as they are typed: sets as bits."""
    each = (states.name(value) for value in values)
    return joint.join(each if states.of_sets else (written(name, states) for name in each))


def typed(partition: Partition, states: States) -> str:
    """What to type for a partition: its rule if that can be read, else its values."""
    try:
        if {*partition_of(partition.rule, states).blocks} == {*partition.blocks}:
            return partition.rule
    except RequestError:
        pass
    return "|".join(listed(block, states) for block in partition.blocks[:-1])


# ------------------------------------------------------------------ names


def named(states: States, side: Bools) -> Partition:
    """A bipartition with a short name, (C,) which values are on one side.

    As in the appendix of Levi & Shenhav (2022) the smaller side is the first block; of two equal
    sides the one with the first value.
    """
    size = int(side.sum())
    if 2 * size > len(side) or (2 * size == len(side) and not side[0]):
        side = ~side
    rule, names = naming(states, side)
    return _divided(rule, [side, ~side], names, states)


def naming(states: States, side: Bools) -> tuple[str, tuple[str, ...]]:
    """What is asked by a bipartition, and what its two sides are called.

    Of sets the shortest conjunction of simple conditions that holds for one side; values that do
    not occur do not matter. Else the values of the smaller side.
    """
    conditions = _conditions(states) if states.of_sets else []
    for k in range(1, MOST_CONDITIONS + 1):
        found = [_conjunction(one, conditions, k) for one in (side, ~side)]
        if known := [x for x in found if x is not None]:
            rule = min(known)[1]
            return rule, tuple(
                x[1] if x is not None and (k == 1 or x[1] == rule) else OTHERWISE for x in found
            )
    first = 2 * int(side.sum()) <= len(side)
    rule = listed([*compress(states.values, side if first else ~side)], states, ", ")
    return rule, (rule, OTHERWISE) if first else (OTHERWISE, rule)


def _conditions(states: States) -> list[tuple[str, Bools]]:
    """Simple conditions on sets, the plainest first."""
    sizes, n = states.members.sum(1), len(states.labels)
    labels = [written(str(label), states) for label in states.labels]
    numbers = [
        *((f"exactly {count_of(k, 'label')}", sizes == k) for k in range(1, n + 1)),
        *((f"at least {count_of(k, 'label')}", sizes >= k) for k in range(2, n)),
        *((f"at most {count_of(k, 'label')}", sizes <= k) for k in range(1, n - 1)),
    ]
    held = list(zip(labels, states.members.T, strict=True))
    lacking = [(f"not {label}", ~inside) for label, inside in held]
    return [(ANY, sizes > 0), *held, *numbers, ("no label", sizes == 0), *lacking]


def _conjunction(
    side: Bools, conditions: Sequence[tuple[str, Bools]], k: int
) -> tuple[int, str] | None:
    """The plainest k conditions that together hold for a side alone."""
    usable = [(i, *one) for i, one in enumerate(conditions) if (one[1] | ~side).all()]
    found = [
        (sum(i for i, _, _ in chosen), " and ".join(name for _, name, _ in chosen))
        for chosen in combinations(usable, k)
        if (np.logical_and.reduce([inside for _, _, inside in chosen]) == side).all()
    ]
    return min(found, default=None)


def abridged(rule: str) -> str:
    """A name as it is shown: the first values of a long list."""
    each = rule.split(", ")
    left = len(each) - MOST_SHOWN
    return rule if left < 1 else f"{', '.join(each[:MOST_SHOWN])} and {left:,} more"


# ------------------------------------------------------------------ groups of categories


def hierarchy_levels(spec: Any, states: States) -> list[Partition]:
    """The values by the groups of their categories or labels, the coarsest level first.

    Parameters
    ----------
    spec : mapping or str
        Category → group, where a group may have a group of its own and None means that there is
        none; or what separates the parts of the names (``'.'``).
    """
    paths = dict(_paths(spec, [str(name) for name in _names(states)]))
    found: list[Partition] = []
    for d in range(max(map(len, paths.values()), default=0)):
        group = {name: path[d] if d < len(path) else name for name, path in paths.items()}
        each = [
            " + ".join(sorted({group[str(x)] for x in value})) or "no label"
            if isinstance(value, tuple)
            else group[str(value)]
            for value in states.values
        ]
        if 1 < len(set(each)) < states.n_states:
            level = f"level {d + 1} of the hierarchy" if d else "top of the hierarchy"
            made = _by_block(level, each, states)
            if not found or made.blocks != found[-1].blocks:
                found.append(made)
    if not found:
        raise RequestError(
            "the hierarchy has no level that divides the values", parameter="hierarchy"
        )
    return found


def _paths(spec: Any, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The groups of each name, from the coarsest to the finest."""
    if isinstance(spec, str) and spec:
        for name in names:
            parts = name.split(spec)
            yield name, [spec.join(parts[:d]) for d in range(1, len(parts))]
        return
    if not isinstance(spec, Mapping):
        raise RequestError(
            f"a hierarchy is a mapping from category to group, or a separator; {spec!r} is neither"
        )
    above = {str(name): None if up is None else str(up) for name, up in spec.items()}
    for name in names:
        if name not in above:
            raise RequestError(f"the hierarchy has no group for {name!r}; give None if it has none")
        path, up = list[str](), above[name]
        while up is not None:
            if up in path or up == name:
                raise RequestError(f"the hierarchy has {up!r} inside itself")
            path.insert(0, up)
            up = above.get(up)
        yield name, path
