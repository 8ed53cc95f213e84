"""How far each pair of coders agrees, and which of the two gives the higher value.

Of sets of labels the measures of Marchal et al. (2022) are about two coders: of more coders a
pooled figure is a mean over pairs, and its precision and recall are the same; here each pair stands
for itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..counts.tables import n_meetings
from ..inference.exact_tests import sign_test
from ..measure.coefficients import COEFFICIENTS
from ..measure.confusion import two_by_two
from ..measure.distances import weights_for
from ..measure.pairs import each_pair
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..numbers import count_of
from ..results import Record, Result
from ..scheme import Scheme, Value

__all__ = [
    "MOST_CODERS",
    "MOST_MEASURED",
    "CoderPairs",
    "Direction",
    "Directions",
    "SetAgreement",
    "SetPairs",
    "coder_pairs",
    "comparable",
    "directed",
    "directions",
    "set_pairs",
]

MOST_CODERS = 100  # a table of more coders cannot be read; the busiest ones are shown
MOST_MEASURED = 50  # pairs: exact chance of large sets of many labels takes a tenth of a second


@dataclass(frozen=True, eq=False)
class CoderPairs(Result):
    """Agreement of every pair of coders on the items that both annotated.

    Parameters
    ----------
    coders : tuple of str
        (C,) the coders shown.
    n_common : ndarray
        (C, C) items that both annotated; on the diagonal the items of the coder.
    percent, kappa : ndarray
        (C, C) A_o and Cohen's kappa with the weights of the scale; NaN where undefined and on
        the diagonal.
    left_out : int
        Coders that are not shown: those with the fewest annotations.
    weights : str
        Name of the weights.
    """

    coders: tuple[str, ...]
    n_common: Floats
    percent: Floats
    kappa: Floats
    left_out: int = 0
    weights: str = "identity"

    @property
    def n_without_overlap(self) -> int:
        """Pairs of coders without a common item."""
        return int((self._each(self.n_common) == 0).sum())

    @property
    def n_without_kappa(self) -> int:
        """Pairs without a kappa: no common item, or no variation on these."""
        return int(np.isnan(self._each(self.kappa)).sum())

    @property
    def n_pairs(self) -> int:
        """Pairs of the coders shown."""
        return len(self.coders) * (len(self.coders) - 1) // 2

    @cached_property
    def light(self) -> float:
        """Light's kappa (1971): the mean kappa of the pairs where it is defined."""
        found = self._each(self.kappa)
        return float(np.nanmean(found)) if (~np.isnan(found)).any() else math.nan

    def _each(self, table: Floats) -> Floats:
        """The entries of a (C, C) table, one for each pair."""
        return np.asarray(table[np.triu_indices(len(self.coders), 1)])

    def mean_of_coder(self, table: Floats) -> Floats:
        """(C,) mean over the pairs of a coder of ``percent`` or ``kappa``, NaN if there is none."""
        known = ~np.isnan(table)
        n = known.sum(1)
        return np.where(n, np.where(known, table, 0).sum(1) / np.where(n, n, 1), np.nan)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [
            {
                "first": self.coders[a],
                "second": self.coders[b],
                "n_common": int(self.n_common[a, b]),
                "percent": float(self.percent[a, b]),
                "kappa": float(self.kappa[a, b]),
            }
            for a, b in zip(*np.triu_indices(len(self.coders), 1), strict=True)
        ]


def coder_pairs(counts: Counts, w: Weights, *, most: int = MOST_CODERS) -> CoderPairs:
    """Compare every coder with every other.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]]))
    >>> found = coder_pairs(counts, weights_for("identity", counts))
    >>> found.percent.tolist()[0][1], found.kappa.tolist()[0][1]
    (0.75, 0.5)
    """
    if counts.coder is None:
        nobody = np.zeros((0, 0))
        return CoderPairs((), nobody, nobody, nobody, 0, w.name)
    shown = busiest(counts, most)
    left_out = counts.n_coders - len(shown)
    if left_out:
        counts = counts.of_coders(shown)
    n_common = np.diag(_items_of(counts))
    percent, kappa = (np.full(n_common.shape, np.nan) for _ in range(2))
    for found in each_pair(*COEFFICIENTS["light"].view(counts, w)):
        for table, x in ((n_common, found.n), (percent, found.observed), (kappa, found.value)):
            table[found.one, found.other] = table[found.other, found.one] = x
    return CoderPairs(counts.coders, n_common, percent, kappa, left_out, w.name)


def busiest(counts: Counts, most: int) -> Ints:
    """The coders with the most annotations, in the order of the data."""
    if counts.n_coders <= most or counts.coder is None:
        return np.arange(counts.n_coders)
    return np.sort(np.argsort(-_items_of(counts), kind="stable")[:most])


def _items_of(counts: Counts) -> Floats:
    """(C,) number of items that each coder annotated."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return sums(coder, counts.times[counts.row], counts.n_coders)


@dataclass(frozen=True)
class SetAgreement(Record):
    """Two coders on the items that both annotated; chance is that of these items.

    Parameters
    ----------
    first, second : str
    n_common : int
        Items that both annotated.
    observed, expected : float
        Of boot-match: how often they share a label or both give none, and how often they would
        by label draw.
    boot_match, boot_precision, boot_recall : float
        Corrected for chance; NaN where undefined. Precision is about the labels of the first
        coder, recall about those of the second.
    undefined : Undefined or None
        Why there is no boot-match.
    """

    first: str
    second: str
    n_common: int
    observed: float
    expected: float
    boot_match: float
    boot_precision: float
    boot_recall: float
    undefined: Undefined | None = None


@dataclass(frozen=True)
class SetPairs(Result):
    """The pairs of coders with the most common items, in the order of the data.

    Parameters
    ----------
    pairs : tuple of SetAgreement
    n_left_out : int
        Pairs with common items that are not measured.
    """

    pairs: tuple[SetAgreement, ...]
    n_left_out: int = 0

    @property
    def reason(self) -> str:
        """Why pairs are left out; empty if none is."""
        if not self.n_left_out:
            return ""
        return (
            f"{count_of(self.n_left_out, 'more pair')} of coders with common items "
            f"{'is' if self.n_left_out == 1 else 'are'} left out, because the exact chance of "
            f"many pairs takes long: the {len(self.pairs):,} with the most common items are shown."
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [row for pair in self.pairs for row in pair.to_rows()]


def set_pairs(counts: Counts, pairs: CoderPairs, *, most: int = MOST_MEASURED) -> SetPairs:
    """Measure every pair of coders, or those with the most common items.

    Parameters
    ----------
    counts : Counts
        Whose values are sets of labels.
    pairs : CoderPairs
        Of the same counts: which coders met on how many items.
    most : int
        Pairs that are measured.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.diagnosis.diagnose import diagnose
    >>> rows = [["a,b", "a", "b"], ["a", "a", "b"], ["b", "a", "a,b"]]
    >>> for pair in diagnose(read(rows, separator=",")).pooled.set_pairs.pairs:
    ...     print(pair.first, pair.second, round(pair.boot_match, 3))
    coder 1 coder 2 1.0
    coder 1 coder 3 1.0
    coder 2 coder 3 0.0
    """
    if counts.coder is None:
        return SetPairs(())
    one, other = np.triu_indices(len(pairs.coders), 1)
    n = pairs.n_common[one, other]
    chosen = np.sort(np.argsort(-n, kind="stable")[: min(most, int((n > 0).sum()))])
    measured = tuple(
        _measured(counts, pairs.coders[a], pairs.coders[b])
        for a, b in zip(one[chosen], other[chosen], strict=True)
    )
    return SetPairs(measured, n_meetings(counts) - len(measured))


def _measured(counts: Counts, *names: str) -> SetAgreement:
    both = np.array([counts.coders.index(name) for name in names])
    two = counts.of_coders(both).pairable
    boot = COEFFICIENTS["boot"]
    match, precision, recall = (
        boot.parts(two, weights_for(name, two)) for name in ("overlap", "precision", "recall")
    )
    observed, expected = float(match.observed), float(match.expected)
    return SetAgreement(
        two.coders[0],
        two.coders[1],
        int(two.n_items),
        observed,
        expected,
        float(match.value),
        float(precision.value),
        float(recall.value),
        why_undefined(boot, two, observed, expected),
    )


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
    >>> data = read([["n"] * 10, ["n"] * 3 + ["y"] * 7], layout="transposed")
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
