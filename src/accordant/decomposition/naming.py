"""Short conditions on sets of labels, and a short readable rule for one side of a partition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import combinations, compress, product
from math import comb
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Bools, Ints
from ..scheme import Label, Value
from .partition import NUMBERS, Ground, Groups, Partition, ground_of, written

__all__ = [
    "COUNTS", "MOST_LABELS", "MOST_TERMS", "Count", "Term", "Vocabulary", "bits_of", "holds",
    "labels_text", "most_at_once", "name_of_other", "named", "phrase", "short_rule",
    "shortest_rule", "terms", "vocabulary",
]  # fmt: skip

MOST_TERMS = 20_000
"""More conditions are not listed: then those on three labels are left out, or those on two."""
LIST = " of"  # ends the kinds that count the labels of a list
MOST_CROSSED = 6  # labels all of whose combinations are listed
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
        return self.kind.endswith(LIST)

    @property
    def counted(self) -> Count | None:
        """What it says about a number of labels, if it does."""
        return COUNTS.get(self.kind.removesuffix(LIST))


class Count(NamedTuple):
    """A condition on how many labels are held: what it allows, and what it is called.

    Parameters
    ----------
    allows : callable
        The numbers that it allows, by the number that it names and the number of labels.
    numbered : tuple of str
        What stands before the number that it names; the first is written, all are read.
    of_all : tuple of str
        What it is called without a number, of all labels of a set.
    of_list : tuple of str
        What it is called without a number, of a list.
    """

    allows: Callable[[int, int], range]
    numbered: tuple[str, ...] = ()
    of_all: tuple[str, ...] = ()
    of_list: tuple[str, ...] = ()


COUNTS = {
    "any": Count(
        lambda t, n: range(1, n + 1),
        of_all=("any label", "any labels", "some label", "some labels"),
        of_list=("any of", "either of"),
    ),
    "none": Count(
        lambda t, n: range(1), of_all=("no label", "no labels"), of_list=("none of", "neither of")
    ),
    "all": Count(
        lambda t, n: range(n, n + 1),
        of_all=("all labels", "every label"),
        of_list=("all of", "both of"),
    ),
    "odd": Count(lambda t, n: range(1, n + 1, 2), of_all=("odd number of labels", "parity")),
    "even": Count(lambda t, n: range(0, n + 1, 2), of_all=("even number of labels",)),
    "same": Count(lambda t, n: range(0, n + 1, n), of_list=("both or neither of",)),
    "exactly": Count(lambda t, n: range(t, t + 1), ("exactly", "just")),
    "least": Count(lambda t, n: range(t, n + 1), ("at least",)),
    "most": Count(lambda t, n: range(t + 1), ("at most",)),
    "more": Count(lambda t, n: range(t + 1, n + 1), ("more than",)),
    "fewer": Count(lambda t, n: range(t), ("fewer than", "less than")),
}
"""Every condition on a number of labels, for those who write rules and for those who read them."""


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
    nots = [f"not {x}" for x in without]
    if term.kind == "only":
        return f"only {' and '.join(of)}"
    if term.kind == "or":
        return " or ".join([*of, *nots])
    if term.lists:  # what is not held goes first, or it would seem part of the list
        return " and ".join([*nots, f"{_how_many(term)} {', '.join(of)}"])
    if term.counted is not None:
        of.append(_how_many(term))
    if not of:
        return nots[0] if len(nots) == 1 else f"neither {' nor '.join(without)}"
    lacking = f" without {without[0]}" if len(without) == 1 else ""
    if len(without) > 1:
        lacking = f" with neither {' nor '.join(without)}"
    return " and ".join(of) + lacking


def _how_many(term: Term) -> str:
    """'exactly two labels', 'exactly two of', 'any label'."""
    count = COUNTS[term.kind.removesuffix(LIST)]
    if not count.numbered:
        return (count.of_list if term.lists else count.of_all)[0]
    what = f"{number_word(term.number)} of" if term.lists else labels_text(term.number)
    return f"{count.numbered[0]} {what}"


def labels_text(n: int) -> str:
    """A number of labels in words: 'one label', 'two labels'."""
    return f"{number_word(n)} {'label' if n == 1 else 'labels'}"


def number_word(n: int) -> str:
    """A number as it stands in a rule: 'two', '13'."""
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


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
          "or", "exactly of", "cube", "least of", "most of", "same of")  # fmt: skip


def _order(term: Term) -> tuple[Any, ...]:
    """Shorter first; of the same length in a fixed order."""
    kind = _KINDS.index(term.kind)
    return term.length, kind, len(term.without), term.of, term.without, term.number


def _terms(n: int) -> Iterator[Term]:
    """Every condition on n labels, as far as they are not too many."""
    few = n <= MOST_CROSSED
    deepest = n if few else most_at_once(n, MOST_TERMS - 8 * n, lambda size: 2**size + 5)
    found = list(terms(n, deepest))
    yield from found
    for size in range(1, n + 1 if few else 2):
        yield from (Term(2 * size, "only", held) for held in combinations(range(n), size))
    if few:  # with a label that is held or not
        for term in found:
            if term.number and len(term.of) in (0, 2):
                yield from _with_literal(term, n)


def most_at_once(n: int, most: int, n_each: Callable[[int], int]) -> int:
    """On how many labels at once, up to three, conditions are listed if they are at most so many.

    ``n_each`` says how many there are on so many labels.
    """
    deepest, total = 1, 0
    for size in (2, 3):
        total += comb(n, size) * n_each(size)
        if total > most:
            break
        deepest = size
    return deepest


def terms(n: int, deepest: int) -> Iterator[Term]:
    """Conditions on n labels: on their number, and on up to ``deepest`` of them at once."""
    labels = range(n)
    yield from (Term(1, kind) for kind in ("any", "none", "all"))
    yield from (Term(1, "has", (j,)) for j in labels)
    yield from (Term(2, "lacks", (), (j,)) for j in labels)
    yield from (Term(2, "exactly", number=t) for t in range(1, n))
    yield from (Term(2, "least", number=t) for t in range(2, n))
    yield from (Term(2, "most", number=t - 1) for t in range(2, n))
    if n > 1:
        yield from (Term(2, kind) for kind in ("odd", "even"))
    for size in range(2, min(deepest, n) + 1):
        for chosen in combinations(labels, size):
            yield from _on(chosen, n)


def _on(chosen: tuple[int, ...], n: int) -> Iterator[Term]:
    """Conditions on some of the labels: held or not in all combinations, and how many."""
    size = len(chosen)
    for held in product((True, False), repeat=size):
        of = tuple(compress(chosen, held))
        without = tuple(j for j in chosen if j not in of)
        yield Term(2 * size - 1, "cube", of, without)
        if size == 2 or (size == 3 and not without):  # the others follow as unions
            yield Term(2 * size - 1 + len(without), "or", of, without)
    if size == 2:
        yield Term(3, "exactly of", chosen, number=1)
        yield Term(4, "same of", chosen)  # harder to read than "exactly one of"
    elif size == 3 and n > 3:
        counted = (("exactly of", 1), ("exactly of", 2), ("least of", 2), ("most of", 1))
        yield from (Term(4, kind, chosen, number=t) for kind, t in counted)


def _with_literal(term: Term, n: int) -> Iterator[Term]:
    """A condition on a number, and a label that is held or not."""
    for j in range(n):
        if j not in term.of:
            if not term.lists:
                yield term._replace(length=term.length + 2, of=(j,))
            yield term._replace(length=term.length + 2, without=(j,))


def holds(term: Term, has: Sequence[int], everything: int) -> int:
    """For which values a condition holds, as bits; ``has`` says so for each label."""
    if term.kind == "or":
        return everything & ~_cube(term.without, term.of, has, everything)
    without = term.without
    if term.kind == "only":
        without = tuple(j for j in range(len(has)) if j not in term.of)
    found = _cube(() if term.lists else term.of, without, has, everything)
    if term.counted is not None:
        sizes = _sizes([has[j] for j in term.of] if term.lists else has, everything)
        allowed = term.counted.allows(term.number, len(sizes) - 1)
        found &= reduce(or_, (sizes[t] for t in allowed), 0)
    return found


def _cube(of: Sequence[int], without: Sequence[int], has: Sequence[int], everything: int) -> int:
    """Where all of some labels are held, and none of others."""
    for j in of:
        everything &= has[j]
    for j in without:
        everything &= ~has[j]
    return everything


def _sizes(has: Sequence[int], everything: int) -> list[int]:
    """(n + 1,) which values hold 0, 1, …, n of the labels."""
    found = [everything] + [0] * len(has)
    for one in has:
        for t in range(len(has), 0, -1):
            found[t] = found[t] & ~one | found[t - 1] & one
        found[0] &= ~one
    return found


# ------------------------------------------------------------------ the rule of a side


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

    The length is the number of literals and operators (see
    `accordant.decomposition.naming.Term`), and brackets after 'not' are one more; equally
    long rules go in a fixed order. Sets of labels: a single condition, else several with 'or',
    else 'not (…)' of what the other side is, if that is shorter. Values that do not occur do not
    matter, as in the method of Quine and McCluskey. With more than six labels a side that is no
    single condition is a list of sets. Categories: groups of the hierarchy and the categories that
    are left. However long it is, nothing is left out: to show it, see
    `accordant.decomposition.partition.abridged`.

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
    side, ground = np.asarray(side, bool), ground_of(values, labels, hierarchy)
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
