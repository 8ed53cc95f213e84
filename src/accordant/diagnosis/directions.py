"""Which way coders differ: who gives the higher value, or the second of two categories."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Ints
from ..counts.counts import Counts
from ..measure.confusion import two_by_two
from ..measure.results import Record
from ..results import Result
from ..scheme import Scheme, Value
from .exact_tests import sign_test

__all__ = ["Direction", "Directions", "comparable", "directed", "directions"]

MOST_PAIRS = 45  # pairs of coders: all pairs of ten


@dataclass(frozen=True)
class Direction(Record):
    """Two coders' differences on one question, or on several together.

    Parameters
    ----------
    question : str or None
        None for several questions together, or a single one without a name.
    first, second : str
        The coders.
    low, high : Value or None
        The two categories; None if the scale has more of them.
    n_items : int
        Items that both annotated; answers, if several questions are together.
    up, down : int
        Differences in which the second coder's value is the higher one (or ``high``), and those
        in which the first coder's is.
    p_value : float
        Exact sign test of one against the other; NaN without a difference.
    by_item : float
        The same, an item counting once by where most of its differences go. Answers to several
        questions about an item depend on each other; for one question it is ``p_value``.
    """

    row_of = "question first second low high n_items up down p_value by_item share"

    question: str | None
    first: str
    second: str
    low: Value | None
    high: Value | None
    n_items: int
    up: int
    down: int
    p_value: float
    by_item: float

    @property
    def n(self) -> int:
        """How many differences there are."""
        return self.up + self.down

    @property
    def most(self) -> int:
        """How many of them go the more frequent way."""
        return max(self.up, self.down)

    @property
    def share(self) -> float:
        """Share of the differences that go the more frequent way, .5 to 1; NaN without any."""
        return self.most / self.n if self.n else math.nan


@dataclass(frozen=True)
class Directions(Result):
    """The direction of differences for each question and pair of coders, and all together.

    Parameters
    ----------
    each : tuple of Direction
        One for each question whose categories have an order, or are two, and pair of coders.
    together : tuple of Direction
        One for each pair of coders, of all questions; empty if there is one question only, or
        the questions have different categories.
    """

    each: tuple[Direction, ...]
    together: tuple[Direction, ...] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each question and pair of coders, then those of all together."""
        return [row for d in (*self.each, *self.together) for row in d.to_rows()]


def comparable(schemes: Iterable[tuple[Iterable[Value], str]]) -> bool:
    """Whether the categories and scales of questions are the same.

    A question on which nobody used one of the categories may not know of it, so it is enough
    that one question knows all of them.

    Examples
    --------
    >>> comparable([("ny", "nominal"), ("n", "nominal")])
    True
    >>> comparable([("ny", "nominal"), ("ab", "nominal")])
    False
    """
    found = [(frozenset(categories), scale) for categories, scale in schemes]
    every = frozenset().union(*(categories for categories, _ in found))
    return len({scale for _, scale in found}) == 1 and any(every == own for own, _ in found)


def directed(scheme: Scheme, counts: Counts) -> bool:
    """Whether one value can be higher than another: an order, or two categories."""
    if counts.of_sets or scheme.scale == "circular":
        return False
    return scheme.scale != "nominal" or len(scheme.categories) == 2


def directions(
    counts: Counts, scheme: Scheme, question: str | None = None
) -> tuple[Direction, ...]:
    """The direction of the differences of each pair of coders with items in common.

    Parameters
    ----------
    counts : Counts
        Of one question, or of several with the same categories.
    scheme : Scheme
    question : str, optional
        The name of the question.

    Returns
    -------
    tuple of Direction
        At most 45; empty if no value is higher than another (a nominal scale with three
        categories, sets of labels), or the data do not tell who gave which label.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["n"] * 10, ["n"] * 3 + ["y"] * 7], coders_in="rows")
    >>> found, = directions(count(data), data.scheme)
    >>> found.up, found.down, found.p_value
    (7, 0, 0.015625)
    """
    if counts.coder is None or not directed(scheme, counts):
        return ()
    low, high = scheme.categories if len(scheme.categories) == 2 else (None, None)
    if math.comb(counts.n_coders, 2) > MOST_PAIRS:
        return ()
    found = []
    for first, second, (row, a, b) in two_by_two(counts, counts.coders):
        sign = np.zeros(counts.n_patterns, np.int64)
        sign[row] = np.sign(b - a)
        up, down = (int(counts.times @ (sign == s)) for s in (1, -1))
        p = sign_test(up, down)
        by_item = p if counts.n_questions == 1 else _by_item(counts, sign)
        n = int(counts.times[row].sum())
        found.append(Direction(question, first, second, low, high, n, up, down, p, by_item))
    return tuple(found)


def _by_item(counts: Counts, sign: Ints) -> float:
    """The sign test of where most differences of each item go."""
    net = np.append(sign, 0)[counts.pattern_of].reshape(-1, counts.n_questions).sum(1)
    return sign_test(float((net > 0).sum()), float((net < 0).sum()))
