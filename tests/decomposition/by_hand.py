"""Decomposition the slow way: plain Python on rows of annotations, straight from the definitions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from math import nan
from typing import Any

Row = list[Any]  # what each coder gave to an item, None for nothing
Given = list[tuple[Any, Any]]  # what two coders gave to the items that both annotated
COEFFICIENTS = ("percent", "s", "pi", "kappa", "alpha", "ac")


def rows_of_sets(seed: int, *, labels: str = "abc", coders: int = 2, items: int = 60) -> list[Row]:
    """Sets that differ by slips in single labels, some of them empty, some annotations missing."""
    draw = random.Random(seed)

    def slipped(truth: set[str]) -> tuple[str, ...]:
        return tuple(x for x in labels if (x in truth) ^ (draw.random() < 0.12))

    found = []
    for _ in range(items):
        truth = {x for x in labels if draw.random() < 0.4}
        row = [slipped(truth) if draw.random() < 0.85 else None for _ in range(coders)]
        found.append(row)
    return found


def rows_of_categories(seed: int, *, n: int = 5, coders: int = 2, items: int = 60) -> list[Row]:
    """Categories, a third of them guessed, some annotations missing."""
    draw = random.Random(seed)
    names = [f"v{k}" for k in range(n)]
    found = []
    for _ in range(items):
        truth = draw.choice(names)
        given = [truth if draw.random() < 0.7 else draw.choice(names) for _ in range(coders)]
        found.append([x if draw.random() < 0.85 else None for x in given])
    return found


def given_by(rows: Iterable[Row], one: int, other: int) -> Given:
    """What two coders gave to the items that both annotated."""
    return [
        (row[one], row[other]) for row in rows if row[one] is not None and row[other] is not None
    ]


def pairs_of(rows: Sequence[Row]) -> list[Given]:
    """The same for all pairs of coders with a common item."""
    every = [given_by(rows, a, b) for a, b in combinations(range(len(rows[0])), 2)]
    return [given for given in every if given]


# ------------------------------------------------------------------ coefficients


def coefficient(given: Given, categories: Sequence[Hashable], name: str) -> float:
    """A coefficient of two coders from its definition; NaN where it is undefined."""
    n, k = len(given), len(categories)
    if not n:
        return nan
    first, second = Counter(a for a, _ in given), Counter(b for _, b in given)
    observed = sum(a == b for a, b in given) / n
    shared = {c: (first[c] + second[c]) / (2 * n) for c in categories}
    expected = {
        "percent": lambda: 0.0,
        "s": lambda: 1 / k,
        "pi": lambda: sum(p * p for p in shared.values()),
        "kappa": lambda: sum(first[c] * second[c] for c in categories) / n**2,
        "alpha": lambda: (
            sum((first[c] + second[c]) * (first[c] + second[c] - 1) for c in categories)
            / (2 * n * (2 * n - 1))
        ),
        "ac": lambda: sum(p * (1 - p) for p in shared.values()) / (k - 1) if k > 1 else 1.0,
    }[name]()
    return nan if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)


def mean(values: Iterable[float]) -> float:
    """The mean of those that are not NaN."""
    known = [x for x in values if x == x]
    return sum(known) / len(known) if known else nan


def side_of(values: Sequence[Any], sides: Sequence[bool]) -> Callable[[Any], bool]:
    """The side of a value."""
    inside = {frozenset(v) if isinstance(v, tuple) else v for v, s in zip(values, sides) if s}
    return lambda v: (frozenset(v) if isinstance(v, tuple) else v) in inside


def levels(
    given: Given,
    side: Callable[[Any], bool],
    labels: Sequence[str],
    values: Sequence[Any],
    name: str,
) -> tuple[float, list[float], int]:
    """First level, second level of each label (or of all categories), and the items kept."""
    first = coefficient([(side(a), side(b)) for a, b in given], [False, True], name)
    kept = [(a, b) for a, b in given if side(a) == side(b)]
    if labels:
        second = [
            coefficient([(x in a, x in b) for a, b in kept], [False, True], name) for x in labels
        ]
    else:
        second = [coefficient(kept, list(values), name)]
    return first, second, len(kept)


# ------------------------------------------------------------------ comparable measures


def explained(given: Given, side: Callable[[Any], bool]) -> float:
    """Of the items on which two coders differ, those that they put on different sides."""
    differ = [(a, b) for a, b in given if set(a) != set(b)]
    return sum(side(a) != side(b) for a, b in differ) / len(differ) if differ else nan


def chance(given: Given, side: Callable[[Any], bool], *, own: bool) -> float:
    """The same share for two values drawn from the margins."""
    first, second = [a for a, _ in given], [b for _, b in given]
    if not own:
        first = second = first + second
    drawn = [(a, b) for a in first for b in second]
    return explained(drawn, side) if explained(given, side) == explained(given, side) else nan


def flip(
    pairs: Sequence[Given],
    values: Sequence[Any],
    side: Callable[[Any], bool],
    labels: Sequence[str],
) -> float:
    """Slips in one label of any annotation that lead to the other side, pairs weighing equally."""
    known = {frozenset(v) for v in values}
    other = every = 0.0
    for given in pairs:
        for value in (x for two in given for x in two):
            for label in labels:
                slipped = frozenset(value) ^ {label}
                if slipped in known:
                    every += 1 / (2 * len(given))
                    other += (side(value) != side(tuple(slipped))) / (2 * len(given))
    return other / every if every else nan
