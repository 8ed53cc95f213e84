"""A short readable rule for one side of a partition, and the conditions that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Bools, Ints
from ..scheme import Label, Value
from .partition import NUMBERS, Ground, Groups, Partition, ground_of, written

__all__ = [
    "MOST_LABELS", "MOST_TERMS", "Term", "Vocabulary", "bits_of", "holds", "name_of_other", "named",
    "phrase", "short_rule", "shortest_rule", "vocabulary",
]  # fmt: skip

MOST_LABELS = 6
"""With more labels a side that is no single condition is a list of its values."""

MOST_VALUES = 64  # of a number with a bit for each
OTHERWISE = "otherwise"
NOT = 2  # what a negation adds to the length: 'not', and brackets to read first
PARITY = ("odd number of labels", "even number of labels")
BRIEF = 3  # length of a rule by which to call the side that the rule of a partition is not about


def shortest_rule(
    values: Sequence[Value],
    labels: Sequence[Label],
    side: ArrayLike,
    hierarchy: Groups | None = None,
) -> str:
    """A short readable rule that holds for one side, and for no other of these values.

    The length is the number of literals and operators (`Term`), and
    brackets after 'not' are one more; equally long rules go in a fixed order. Sets of labels: a
    single condition, else several with 'or', else 'not (…)' of what the other side is, if that is
    shorter. Values that do not occur do not matter, as in the method of Quine and McCluskey. With
    more than six labels a side that is no single condition is a list of sets. Categories: groups of
    the hierarchy and the categories that are left. However long it is, nothing is left out: to show
    it, see `accordant.decomposition.partition.abridged`.

    Parameters
    ----------
    values : sequence
        (C,) the values that occur.
    labels : sequence
        (L,) the labels of sets.
    side : array_like of bool
        (C,) which values the rule is to hold for; not all, not none.
    hierarchy : Hierarchy, optional
        Groups of categories.

    Notes
    -----
    `accordant.decomposition.rules.partition_of` reads it back to the same side.

    Examples
    --------
    >>> sets = [(), ("a",), ("b",), ("a", "b")]
    >>> [shortest_rule(sets, "ab", side) for side in ([0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 0, 1])]
    ['exactly one label', 'only a', 'a or no label']
    >>> shortest_rule("abcdef", (), [1, 1, 1, 1, 0, 1])
    'not e'
    """
    return short_rule(np.asarray(side, bool), ground_of(values, labels, hierarchy))


def named(
    values: Sequence[Value],
    labels: Sequence[Label],
    side: ArrayLike,
    hierarchy: Groups | None = None,
) -> Partition:
    """A bipartition with the shorter of the rules for its two sides.

    As in the appendix of Levi & Shenhav (2022) the smaller side is the first block; of two equal
    sides the one with the first value.

    Examples
    --------
    >>> sets = [(), ("a",), ("b",), ("a", "b")]
    >>> plot = named(sets, "ab", [0, 1, 1, 1])
    >>> plot.rule, plot.names, plot.blocks[0]
    ('any label', ('no label', 'any label'), ((),))
    >>> named(sets, "ab", [0, 1, 1, 0]).names
    ('otherwise', 'exactly one label')
    """
    return named_on(np.asarray(side, bool), ground_of(values, labels, hierarchy))


def named_on(side: Bools, ground: Ground) -> Partition:
    """`named` on known ground."""
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


def short_rule(side: Bools, ground: Ground) -> str:
    """The shortest readable rule for a side of known ground; see `shortest_rule`."""
    return _rule_of(side, ground).text


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


# ------------------------------------------------------------------ conditions on sets of labels

MOST_TERMS = 20_000
"""More conditions are not listed: then those on three labels are left out, or those on two."""
WHOLE = frozenset({"or", "odd", "even"})
"""Kinds that are no part of a longer rule: 'a or b' has two, and parity takes counting."""


class Term(NamedTuple):
    """A condition on a set of labels.

    Parameters
    ----------
    length : int
        Literals and operators: 'a' has 1, 'only a', 'not a' and 'exactly one label' have 2,
        'a or b', 'a without b' and 'exactly one of a, b' have 3.
    kind : str
        What it asks.
    of : tuple of int
        Labels that are held, or that are counted.
    without : tuple of int
        Labels that are not held.
    number : int
        How many.
    """

    length: int
    kind: str
    of: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    number: int = 0

    @property
    def rank(self) -> float:
        """Below 1; of equally long conditions the lower is the plainer one."""
        return _KINDS.index(self.kind) / len(_KINDS)

    @property
    def simple(self) -> bool:
        """Whether it can stand beside 'or' without a comma."""
        return self.length < 3 or self.kind == "or"

    @property
    def lists(self) -> bool:
        """Whether it ends in a list, to which a following 'or' would seem to belong."""
        return self.kind.endswith("of")


def phrase(term: Term, names: Sequence[str]) -> str:
    """A condition in words; ``names`` are the (L,) labels as they stand in rules.

    Examples
    --------
    >>> phrase(Term(5, "cube", (0,), (1, 2)), ("a", "b", "c"))
    'a with neither b nor c'
    >>> phrase(Term(4, "exactly", (0,), (), 2), ("a", "b", "c"))
    'a and exactly two labels'
    """
    of = [names[j] for j in term.of]
    without = [names[j] for j in term.without]
    if term.kind in ("has", "or", "cube", "lacks"):
        return _literals(of, without, " or " if term.kind == "or" else " and ")
    if term.kind == "only":
        return f"only {' and '.join(of)}"
    if term.kind.endswith("of"):  # what is not held goes first, or it would seem part of the list
        listed = f"{_LISTS[term.kind].format(_number(term.number))} {', '.join(of)}"
        return " and ".join([*(f"not {x}" for x in without), listed])
    said = _COUNTED[term.kind].format(
        _number(term.number), "label" if term.number == 1 else "labels"
    )
    return " and ".join([*of, said]) + _lacking(without)


_COUNTED = {
    "any": "any label", "none": "no label", "all": "all labels", "odd": "odd number of labels",
    "even": "even number of labels", "exactly": "exactly {} {}", "least": "at least {} {}",
    "most": "at most {} {}",
}  # fmt: skip
_LISTS = {
    "one of": "exactly {} of", "least of": "at least {} of", "most of": "at most {} of",
    "same of": "both or neither of",
}  # fmt: skip


def _number(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def _literals(of: list[str], without: list[str], joint: str) -> str:
    if joint == " or ":
        return joint.join([*of, *(f"not {x}" for x in without)])
    if of:
        return joint.join(of) + _lacking(without)
    return f"not {without[0]}" if len(without) == 1 else f"neither {' nor '.join(without)}"


def _lacking(without: list[str]) -> str:
    if not without:
        return ""
    several = len(without) > 1
    return f" with neither {' nor '.join(without)}" if several else f" without {without[0]}"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The conditions on C values, the shortest of those that hold for the same values.

    Bit c of a number stands for value c.

    Parameters
    ----------
    terms : dict of int to Term
        Where each holds, and the condition; the shortest first. Conditions that hold for all values
        or none are left out.
    n_values : int
        C.
    """

    terms: dict[int, Term]
    n_values: int

    @cached_property
    def parts(self) -> tuple[Term, ...]:
        """(N,) the conditions that a longer rule is made of."""
        return tuple(term for term in self.terms.values() if term.kind not in WHOLE)

    @cached_property
    def where(self) -> NDArray[np.uint64]:
        """(N,) where the parts hold; for 64 values at most."""
        return np.array([x for x, term in self.terms.items() if term.kind not in WHOLE], np.uint64)

    @cached_property
    def length(self) -> Ints:
        """(N,) the lengths of the parts, rising."""
        return np.array([term.length for term in self.parts], np.int64)

    @cached_property
    def tells_all(self) -> bool:
        """Whether every value has a condition of its own."""
        return all(1 << c in self.terms for c in range(self.n_values))


def vocabulary(ground: Ground) -> Vocabulary:
    """The conditions on these sets of labels.

    Examples
    --------
    >>> from accordant.decomposition.partition import ground_of
    >>> words = vocabulary(ground_of([(), ("a",), ("b",), ("a", "b")], ["a", "b"]))
    >>> phrase(words.terms[0b0110], "ab"), phrase(words.terms[0b0010], "ab")
    ('exactly one label', 'only a')
    """
    return _vocabulary(tuple(bits_of(row) for row in ground.members.T), len(ground.values))


def bits_of(flags: Bools) -> int:
    """(C,) flags as a number: bit c for value c."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


@lru_cache(maxsize=8)
def _vocabulary(has: tuple[int, ...], n_values: int) -> Vocabulary:
    everything = (1 << n_values) - 1
    found: dict[int, Term] = {}
    for term in sorted(_terms(len(has)), key=_order):
        where = holds(term, has, everything)
        if 0 < where < everything:
            found.setdefault(where, term)
    return Vocabulary(found, n_values)


_KINDS = ("has", "any", "none", "all", "lacks", "only", "exactly", "least", "most", "odd", "even",
          "or", "one of", "cube", "least of", "most of", "same of")  # fmt: skip


def _order(term: Term) -> tuple[int, int, int, tuple[int, ...], tuple[int, ...], int]:
    """Shorter first; of the same length in a fixed order."""
    return (
        term.length,
        _KINDS.index(term.kind),
        len(term.without),
        term.of,
        term.without,
        term.number,
    )


def _terms(n: int) -> Iterator[Term]:
    """Every condition on n labels, as far as they are not too many."""
    labels = range(n)
    yield from (Term(1, kind) for kind in ("any", "none", "all"))
    yield from (Term(1, "has", (j,)) for j in labels)
    yield from (Term(2, "lacks", (), (j,)) for j in labels)
    counted = list(_of_number(n))
    yield from counted
    for size in range(1, n + 1 if n <= 6 else 2):
        yield from (Term(2 * size, "only", held) for held in combinations(labels, size))
    deepest = n if n <= 6 else 3
    budget = MOST_TERMS - 8 * n
    for size in range(2, min(deepest, n) + 1):
        some = list(_on(size, n, size == 2)) if _how_many(size, n) <= budget else []
        budget -= len(some)
        yield from some
    if n <= 6:
        for term in [*counted, *(t for t in _on(2, n, True) if t.kind == "one of")]:
            if term.kind not in WHOLE:
                yield from _with_literal(term, n)


def _of_number(n: int) -> Iterator[Term]:
    """So many labels."""
    for t in range(1, n):
        yield Term(2, "exactly", number=t)
    for t in range(2, n):
        yield Term(2, "least", number=t)
        yield Term(2, "most", number=t - 1)
    if n > 1:
        yield Term(2, "odd")
        yield Term(2, "even")


def _how_many(size: int, n: int) -> int:
    """Upper bound of the number of conditions on so many of n labels."""
    return comb(n, size) * ((1 << size) + (5 if size <= 3 else 0))


def _on(size: int, n: int, pairs: bool) -> Iterator[Term]:
    """Conditions on so many of the labels: held or not in all combinations, and how many."""
    length = 2 * size - 1
    for chosen in combinations(range(n), size):
        for flags in range(2**size):
            of = tuple(j for i, j in enumerate(chosen) if not flags >> i & 1)
            without = tuple(j for i, j in enumerate(chosen) if flags >> i & 1)
            yield Term(length, "cube", of, without)
            if size < 4 and (size == 2 or not without):  # the others follow as unions
                yield Term(length + len(without), "or", of, without)
        if pairs:
            yield Term(3, "one of", chosen, number=1)
            yield Term(4, "same of", chosen)  # harder to read than "exactly one of"
        elif size == 3 and n > 3:
            yield Term(4, "one of", chosen, number=1)
            yield Term(4, "one of", chosen, number=2)
            yield Term(4, "least of", chosen, number=2)
            yield Term(4, "most of", chosen, number=1)


def _with_literal(term: Term, n: int) -> Iterator[Term]:
    """A condition on a number, and a label that is held or not."""
    for j in range(n):
        if j not in term.of:
            if not term.lists:
                yield term._replace(length=term.length + 2, of=(j,))
            yield term._replace(length=term.length + 2, without=(j,))


def holds(term: Term, has: Sequence[int], everything: int) -> int:
    """For which values a condition holds, as bits; ``has`` says so for each label."""
    if term.lists:
        return _COUNTS[term.kind](_at_least([has[j] for j in term.of], everything), term) & _none(
            term.without, has, everything
        )
    if term.kind in ("has", "lacks", "cube"):
        found = _none(term.without, has, everything)
        for j in term.of:
            found &= has[j]
        return found
    if term.kind == "or":
        found = 0
        for j in term.of:
            found |= has[j]
        for j in term.without:
            found |= everything & ~has[j]
        return found
    if term.kind == "only":
        others = [j for j in range(len(has)) if j not in term.of]
        return holds(Term(0, "cube", term.of, tuple(others)), has, everything)
    found = _COUNTS[term.kind](_at_least(has, everything), term)
    return found & holds(Term(0, "cube", term.of, term.without), has, everything)


def _none(labels: Sequence[int], has: Sequence[int], everything: int) -> int:
    for j in labels:
        everything &= ~has[j]
    return everything


def _at_least(has: Sequence[int], everything: int) -> list[int]:
    """(n + 2,) which values hold at least 0, 1, …, n, n + 1 of the labels."""
    found = [everything] + [0] * (len(has) + 1)
    for one in has:
        for t in range(len(has), 0, -1):
            found[t] |= found[t - 1] & one
    return found


def _exactly(at_least: list[int], t: int) -> int:
    return at_least[t] & ~at_least[t + 1]


def _parity(at_least: list[int], first: int) -> int:
    found = 0
    for t in range(first, len(at_least) - 1, 2):
        found |= _exactly(at_least, t)
    return found


_COUNTS: dict[str, Callable[[list[int], Term], int]] = {
    "any": lambda some, term: some[1],
    "none": lambda some, term: _exactly(some, 0),
    "all": lambda some, term: some[-2],
    "exactly": lambda some, term: _exactly(some, term.number),
    "least": lambda some, term: some[term.number],
    "most": lambda some, term: some[0] & ~some[term.number + 1],
    "odd": lambda some, term: _parity(some, 1),
    "even": lambda some, term: _parity(some, 0),
    "one of": lambda some, term: _exactly(some, term.number),
    "least of": lambda some, term: some[term.number],
    "most of": lambda some, term: some[0] & ~some[term.number + 1],
    "same of": lambda some, term: some[-2] | _exactly(some, 0),
}
