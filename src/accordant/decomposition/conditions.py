"""Short conditions on sets of labels: each with its words, its length and where it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Ints
from .partition import NUMBERS, Ground

__all__ = ["MOST_TERMS", "Term", "Vocabulary", "bits_of", "holds", "phrase", "vocabulary"]

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
