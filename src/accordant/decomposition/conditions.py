"""Short conditions on sets of labels, by which partitions are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import combinations, compress, product
from math import comb
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Ints
from .partition import NUMBERS, Ground

__all__ = [
    "COUNTS",
    "MOST_TERMS",
    "Count",
    "Term",
    "Vocabulary",
    "bits_of",
    "holds",
    "labels_text",
    "most_at_once",
    "phrase",
    "terms",
    "vocabulary",
]

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


_KINDS = (
    "has",
    "any",
    "none",
    "all",
    "lacks",
    "only",
    "exactly",
    "least",
    "most",
    "odd",
    "even",
    "or",
    "exactly of",
    "cube",
    "least of",
    "most of",
    "same of",
)


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
