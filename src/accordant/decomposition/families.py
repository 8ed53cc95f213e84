"""The bipartitions a reader can act on: a label or not, two of them together, low against high."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..numbers import count_of
from ..scheme import Label, Value
from .ground import Ground, Groups, ground_of
from .naming import named_on
from .partition import Partition
from .terms import Term, bits_of, holds

__all__ = ["MOST_FAMILIES", "Families", "families", "named_families"]

MOST_FAMILIES = 20_000
"""More bipartitions are not listed: combinations of three labels go first, then those of two."""


@dataclass(frozen=True, eq=False)
class Families:
    """N bipartitions of C values with a short rule.

    Parameters
    ----------
    values : tuple
        (C,)
    sides : ndarray of bool
        (N, C) whether a value is on side 0: the smaller one, or the one with the first value.
    limited : str
        What was left out because there is too much of it; empty if nothing was.
    """

    values: tuple[Value, ...]
    sides: NDArray[np.bool_]
    limited: str
    ground: Ground

    def __len__(self) -> int:
        return len(self.sides)

    def partition(self, n: int) -> Partition:
        """The n-th, with its shortest rule."""
        return named_on(self.sides[n], self.ground)


def families(
    values: Sequence[Value], labels: Sequence[Label] = (), hierarchy: Groups | None = None
) -> list[Partition]:
    """The bipartitions of `named_families`, each with its shortest rule.

    Examples
    --------
    >>> sets = [(), ("a",), ("b",), ("a", "b")]
    >>> [partition.rule for partition in families(sets, ["a", "b"])][:4]
    ['a', 'b', 'any label', 'all labels']
    >>> [partition.rule for partition in families("abcd")]
    ['a', 'b', 'c', 'd', 'a or b', 'a or c', 'a or d']
    """
    found = named_families(values, labels, hierarchy)
    return [found.partition(n) for n in range(len(found))]


def named_families(
    values: Sequence[Value],
    labels: Sequence[Label] = (),
    hierarchy: Groups | None = None,
    *,
    ordered: bool = False,
    confused: Sequence[tuple[int, int]] = (),
) -> Families:
    """Bipartitions that have a short rule by their form.

    Sets of labels: a label; two or three labels that are held or not in every combination (and so
    what is held by none of them); exactly or at least so many labels; exactly one of two. For
    three labels all of whose combinations occur these are 29 of 127: 3 + (12 + 8) + (2 + 1) + 3.
    Parity is not among them, since it takes counting, nor are the labels of a set against each
    other. Categories: each group of the hierarchy, each category, and each pair of categories,
    against all others. Of an ordered scale: its cut points, low values against high ones.

    Bipartitions that are the same on the values that occur, or the same but for the names of the
    sides, are listed once.

    Parameters
    ----------
    values : sequence
        (C,) the values that occur.
    labels : sequence
        (L,) the labels of sets.
    hierarchy : Hierarchy, optional
        Groups of categories, or of labels.
    ordered : bool
        Whether the values go from low to high.
    confused : sequence of (int, int)
        The pairs of places to look at where there are too many categories for all pairs.

    Examples
    --------
    >>> named_families("1234", ordered=True).sides.astype(int).tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
    >>> from itertools import product
    >>> every = product((0, 1), repeat=3)
    >>> sets = [tuple(x for x, held in zip("abc", bits) if held) for bits in every]
    >>> len(named_families(sets, "abc"))
    29
    """
    ground = ground_of(values, labels, hierarchy)
    if ground.of_sets:
        found, limited = _of_sets(ground)
    elif ordered:
        found, limited = ((1 << c) - 1 for c in range(1, len(ground.values))), ""
    else:
        found, limited = _of_categories(ground, confused)
    everything = (1 << len(ground.values)) - 1
    kept = dict.fromkeys(min(side, everything ^ side) for side in found if 0 < side < everything)
    n_bytes = (len(ground.values) + 7) // 8
    packed = b"".join(side.to_bytes(n_bytes, "little") for side in kept)
    flat = np.frombuffer(packed, np.uint8).reshape(len(kept), n_bytes)
    sides = np.unpackbits(flat, axis=1, count=len(ground.values), bitorder="little").astype(bool)
    size = 2 * sides.sum(1)
    first = sides[:, 0] if len(ground.values) else np.zeros(len(sides), bool)
    larger = (size > len(ground.values)) | ((size == len(ground.values)) & ~first)
    return Families(ground.values, sides ^ larger[:, None], limited, ground)


def _of_sets(ground: Ground) -> tuple[Iterator[int], str]:
    n = len(ground.labels)
    deepest, told = 1, ""
    total = 3 * n
    for size in (2, 3):
        total += comb(n, size) * 2**size + (comb(n, 2) if size == 2 else 0)
        if total > MOST_FAMILIES:
            told = (
                f"rules on {'two or ' if size == 2 else ''}three of the {count_of(n, 'label')} "
                "were left out, because there are too many"
            )
            break
        deepest = size
    has = [bits_of(row) for row in ground.members.T]
    everything = (1 << len(ground.values)) - 1

    def walk() -> Iterator[int]:
        yield from has
        yield from (holds(term, has, everything) for term in _terms(n, deepest))
        yield from (bits_of(inside) for inside in ground.inside.values())

    return walk(), told


def _terms(n: int, deepest: int) -> Iterator[Term]:
    """The conditions after single labels, those that are read most easily first."""
    labels = range(n)
    yield from (Term(0, kind) for kind in ("any", "all"))
    yield from (Term(0, "only", (j,)) for j in labels if n <= deepest)
    yield from (Term(0, "exactly", number=t) for t in range(1, n))
    yield from (Term(0, "least", number=t) for t in range(2, n))
    if deepest > 1:
        yield from (Term(0, "one of", pair, number=1) for pair in combinations(labels, 2))
    for size in range(2, deepest + 1):
        for chosen in combinations(labels, size):
            for flags in range(2**size):
                of = tuple(j for i, j in enumerate(chosen) if not flags >> i & 1)
                yield Term(0, "cube", of, tuple(j for j in chosen if j not in of))


def _of_categories(
    ground: Ground, confused: Sequence[tuple[int, int]]
) -> tuple[Iterator[int], str]:
    n = len(ground.values)
    every = comb(n, 2) + 2 * n <= MOST_FAMILIES
    pairs = combinations(range(n), 2) if every else iter(confused)

    def walk() -> Iterator[int]:
        yield from (bits_of(inside) for inside in ground.inside.values())
        yield from (1 << c for c in range(n))
        yield from (1 << a | 1 << b for a, b in pairs)

    if every:
        return walk(), ""
    if not confused:
        return walk(), f"pairs of the {n:,} categories were left out, because there are too many"
    most = f"the {len(confused):,} that are confused most"
    return walk(), f"of the {comb(n, 2):,} pairs of categories only {most} were looked at"
