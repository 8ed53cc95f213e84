"""Short conditions on sets of labels, and a short readable rule for one side of a partition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from ..arrays import Bools
from .conditions import Vocabulary, bits_of, phrase, vocabulary
from .partition import Ground, Partition, written

__all__ = [
    "MOST_LABELS",
    "MOST_SHOWN",
    "abridged",
    "abridged_apart",
    "is_abridged",
    "name_of_other",
    "named",
    "short_rule",
]

MOST_LABELS = 6
"""With more labels a side that is no single condition is a list of its values."""

MOST_VALUES = 64  # of a number with a bit for each
OTHERWISE = "otherwise"
NOT = 2  # what a negation adds to the length: 'not', and brackets to read first
PARITY = ("odd number of labels", "even number of labels")
BRIEF = 3  # length of a rule by which to call the side that the rule of a partition is not about


def short_rule(side: Bools, ground: Ground) -> str:
    """A short readable rule that holds for one side, and for no other of these values.

    The length is the number of literals and operators (see
    `accordant.decomposition.conditions.Term`), and brackets after 'not' are one more; equally
    long rules go in a fixed order. Sets of labels: a single condition, else several with 'or',
    else 'not (…)' of what the other side is, if that is shorter. Values that do not occur do not
    matter, as in the method of Quine and McCluskey. With more than six labels a side that is no
    single condition is a list of sets. Categories: groups of the hierarchy and the categories that
    are left. However long it is, nothing is left out: to show it, see
    `accordant.decomposition.rule_names.abridged`.

    Notes
    -----
    `accordant.decomposition.rules.partition_of` reads it back to the same side.

    Examples
    --------
    >>> from accordant.decomposition.partition import ground_of
    >>> ground = ground_of([(), ("a",), ("b",), ("a", "b")], "ab")
    >>> sides = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 0, 1]], bool)
    >>> [short_rule(side, ground) for side in sides]
    ['exactly one label', 'only a', 'a or no label']
    >>> short_rule(np.array([1, 1, 1, 1, 0, 1], bool), ground_of("abcdef"))
    'not e'
    """
    return _rule_of(side, ground).text


def named(ground: Ground, side: Bools) -> Partition:
    """A bipartition with the shorter of the rules for its two sides.

    As in the appendix of Levi & Shenhav (2022) the smaller side is the first block; of two equal
    sides the one with the first value.

    Examples
    --------
    >>> from accordant.decomposition.partition import ground_of
    >>> ground = ground_of([(), ("a",), ("b",), ("a", "b")], "ab")
    >>> plot = named(ground, np.array([False, True, True, True]))
    >>> plot.rule, plot.names, plot.blocks[0]
    ('any label', ('no label', 'any label'), ((),))
    >>> named(ground, np.array([False, True, True, False])).names
    ('otherwise', 'exactly one label')
    """
    size = int(side.sum())
    if 2 * size > len(side) or (2 * size == len(side) and not side[0]):
        side = ~side
    rules = [_rule_of(inside, ground) for inside in (side, ~side)]
    first = min((0, 1), key=lambda b: (rules[b].length, rules[b].rank, b))
    names = [rules[b].text if b == first else _briefly(rules[b], rules[first].text) for b in (0, 1)]
    blocks = tuple(
        tuple(v for v, inside in zip(ground.values, s, strict=True) if inside)
        for s in (side, ~side)
    )
    return Partition(rules[first].text, blocks, (names[0], names[1]))


def name_of_other(rule: str, side: Bools, ground: Ground) -> str:
    """What to call the values for which a rule does not hold: briefly, or 'otherwise'."""
    if side.all() or not side.any():
        return OTHERWISE
    return _briefly(_rule_of(~side, ground), rule)


def _briefly(rule: _Rule, beside: str) -> str:
    """A short rule, unless it takes counting where the one beside it does not."""
    counting = rule.text in PARITY and beside not in PARITY
    long = rule.length > BRIEF or rule.text.startswith("not (")
    return OTHERWISE if long or counting else rule.text


class _Rule(NamedTuple):
    length: int
    rank: float  # of equally long rules the first is taken: below 1 single conditions
    text: str


def _rule_of(side: Bools, ground: Ground) -> _Rule:
    if side.all() or not side.any():
        return _Rule(1, 0, "every value" if side.any() else "no value")
    if not ground.of_sets:
        return _of_categories(side, ground)
    if group := _group(side, ground):
        return group
    words = vocabulary(ground)
    names, wanted, everything = ground.written, bits_of(side), (1 << len(side)) - 1
    found = [
        _Rule(term.length, term.rank, phrase(term, names))
        if same
        else _negated(_Rule(term.length, term.rank, phrase(term, names)))
        for same, term in (
            (True, words.terms.get(wanted)),
            (False, words.terms.get(everything ^ wanted)),
        )
        if term is not None
    ]
    if found and min(found).length <= 3:
        return min(found)
    if len(names) <= MOST_LABELS and len(side) <= MOST_VALUES and words.tells_all:
        limit = min(found).length if found else 1 << 30
        if union := _union(wanted, words, names, limit):
            found.append(union)
            limit = union.length
        if union := _union(everything ^ wanted, words, names, limit - NOT):
            found.append(_negated(union))
    return min(found) if found else _listed(side, ground, names)


def _group(side: Bools, ground: Ground) -> _Rule | None:
    """The sets that hold a label of a group, or none of it; groups of one label are that label."""
    for text, inside in ground.inside.items():
        if len(ground.groups[text]) > 1 and not inside.all():
            if (inside == side).all():
                return _Rule(1, 0, _group_name(text, ground))
            if (inside != side).all():
                return _Rule(2, 0, f"not {_group_name(text, ground)}")
    return None


def _group_name(text: str, ground: Ground) -> str:
    """'animal', or 'under animal' where a category has the same name."""
    return f"under {written(text)}" if text in map(str, ground.labels) else written(text)


def _negated(rule: _Rule) -> _Rule:
    return _Rule(rule.length + NOT, rule.rank + 2, f"not ({rule.text})")


def _union(wanted: int, words: Vocabulary, names: Sequence[str], below: int) -> _Rule | None:
    """Conditions with 'or' between them, if they are shorter than a limit."""
    places = _cover(wanted, words)
    length = int((words.length[places] + 1).sum()) - 1  # with an operator between any two
    if not places or length >= below:
        return None
    terms = [words.parts[i] for i in places]
    if all(term.simple for term in terms):
        return _Rule(length, 1, " or ".join(phrase(term, names) for term in terms))
    # A list would go on after 'or': '(exactly one of a, b), or c'.
    texts = [f"({phrase(t, names)})" if t.lists else phrase(t, names) for t in terms]
    return _Rule(length, 1, ", or ".join(texts))


def _cover(wanted: int, words: Vocabulary) -> list[int]:
    """Places of short conditions that together hold for just the wanted values; none if there are.

    The shortest pair there is; else each condition on the value that fewest hold for begins a
    list, which goes on with the condition that holds for the most other values for its length, and
    the shortest list is taken. A value that nobody gave is neither wanted nor unwanted (Quine 1952;
    McCluskey 1956).
    """
    usable = np.flatnonzero((words.where & ~np.uint64(wanted)) == 0)
    where, length = words.where[usable], words.length[usable]
    one, other = np.nonzero((where[:, None] | where) == wanted)
    if len(one):
        shortest = np.argmin(length[one] + length[other])
        both = {int(one[shortest]), int(other[shortest])}
        return [int(usable[k]) for k in sorted(both)]
    sets, cost = [int(x) for x in where], [int(x) + 1 for x in length]
    values = [1 << c for c in range(wanted.bit_length()) if wanted >> c & 1]
    hardest = min(values, key=lambda value: sum(1 for x in sets if x & value))
    found = [_greedy(k, sets, cost, wanted) for k, x in enumerate(sets) if x & hardest]
    best = min(filter(None, found), key=lambda chosen: sum(cost[k] for k in chosen), default=[])
    return [int(usable[k]) for k in sorted(best)]


def _greedy(first: int, sets: Sequence[int], cost: Sequence[int], wanted: int) -> list[int]:
    """A list of conditions that begins with one of them; empty if no list holds everywhere."""
    chosen, rest = [first], wanted & ~sets[first]
    while rest:
        most = max(range(len(sets)), key=lambda k: ((sets[k] & rest).bit_count() / cost[k], -k))
        if not sets[most] & rest:
            return []
        chosen.append(most)
        rest &= ~sets[most]
    for k in sorted(chosen, key=lambda k: -cost[k]):
        if reduce(or_, (sets[j] for j in chosen if j != k), 0) == wanted:
            chosen.remove(k)
    return chosen


def _listed(side: Bools, ground: Ground, names: Sequence[str]) -> _Rule:
    """The sets of the smaller side, one by one; those that only differ in order by their order."""
    smaller = side if 2 * side.sum() <= len(side) else ~side
    rows, times = np.unique(ground.members, axis=0, return_counts=True)
    twice = {tuple(row) for row, n in zip(rows.tolist(), times, strict=True) if n > 1}
    texts = []
    for c in np.flatnonzero(smaller).tolist():
        row, value = ground.members[c], ground.values[c]
        if tuple(row.tolist()) in twice and isinstance(value, tuple):
            texts.append(" then ".join(written(str(x), len(names)) for x in value))
        else:
            held = [names[j] for j in np.flatnonzero(row).tolist()]
            texts.append(f"only {' and '.join(held)}" if held else "no label")
    length = int(np.maximum(2 * ground.sizes[smaller], 1).sum() + smaller.sum() - 1)
    found = _Rule(length, 1, " or ".join(texts))
    return found if smaller is side else _negated(found)


def _of_categories(side: Bools, ground: Ground) -> _Rule:
    """Groups and categories with 'or'; or what the other side is, with 'not'."""
    same, other = _members(side, ground), _members(~side, ground)
    if len(same) <= len(other) or not other:
        text = f"{', '.join(same[:-1])} or {same[-1]}" if len(same) > 1 else same[0]
        return _Rule(2 * len(same) - 1, 0, text)
    if len(other) == 1:
        return _Rule(2, 2, f"not {other[0]}")
    if len(other) == 2:
        return _Rule(3, 2, f"neither {other[0]} nor {other[1]}")
    return _Rule(2 * len(other) - 1, 2, f"none of {', '.join(other)}")


def _members(side: Bools, ground: Ground) -> list[str]:
    """The fewest groups and categories that make up a side, in the order of the categories."""
    left = side.copy()
    found: list[tuple[int, str]] = []
    texts = [str(label) for label in ground.labels]
    groups = sorted(ground.inside.items(), key=lambda item: -int(item[1].sum()))
    for text, inside in groups:
        if inside.sum() > 1 and not (inside & ~side).any() and (inside & left).any():
            found.append((int(np.flatnonzero(inside)[0]), _group_name(text, ground)))
            left &= ~inside
    found += [(int(c), written(texts[c])) for c in np.flatnonzero(left)]
    return [name for _, name in sorted(found)]


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
