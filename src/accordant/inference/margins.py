"""Whether coders use the categories equally often, and what that does to kappa.

Tests of the margins as a whole and by category; prevalence, bias and the largest kappa they allow.

Only items that both coders of a pair annotated count, as in a contingency table. The coefficients
that are reported (and `Movements`) take the distributions from all annotations, so where some are
missing the kappa of a pair may stand there with another value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..arrays import Bools, Floats
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..errors import RequestError
from ..measure.confusion import MOST_TABLES, MOST_VALUES, Confusion, Pairs, two_by_two
from ..measure.registry import chance_corrected
from ..measure.results import Undefined
from ..measure.sets import unranked
from ..measure.shares import LabelOrder, held_labels
from ..results import Record, Result
from ..scheme import Label, number
from .categories import Estimate
from .distributions import normal_quantile
from .exact_tests import exact_interval, sign_test
from .margin_tests import (
    NOTHING,
    TestOfTable,
    bowker,
    mcnemar_mid_p,
    stuart_maxwell,
    tested,
    with_own_variance,
)

__all__ = [
    "CategoryMargin",
    "Homogeneity",
    "Indices",
    "Margins",
    "bias_index",
    "cochran",
    "full_agreement",
    "indices",
    "kappa_max",
    "marginal_difference",
    "margins",
    "pabak",
    "prevalence_index",
]


@dataclass(frozen=True)
class CategoryMargin(Record):
    """How often two coders gave a category to the items of both.

    ``only_first`` items got it from the first coder alone, ``only_second`` from the second alone;
    ``p_value`` is McNemar's exact test (1947) of one against the other, ``mid_p`` its mid-p value.
    """

    category: Label
    first: int
    second: int
    only_first: int
    only_second: int
    p_value: float
    mid_p: float


@dataclass(frozen=True)
class Margins(Result):
    """Two coders' use of the categories, on the items that both annotated.

    Parameters
    ----------
    first, second : str
        The coders.
    n_items : int
    stuart_maxwell, bhapkar : TestOfTable
        Equal distributions; undefined for sets of labels.
    bowker : TestOfTable
        Each confusion equally frequent in both directions; undefined for sets of labels.
    categories : tuple of CategoryMargin
        Each used category by itself, in the order of the scheme.
    """

    first: str
    second: str
    n_items: int
    stuart_maxwell: TestOfTable
    bhapkar: TestOfTable
    bowker: TestOfTable
    categories: tuple[CategoryMargin, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each category; the tests of the whole table stand in every one."""
        whole = {"first_coder": self.first, "second_coder": self.second, "n_items": self.n_items}
        for name in ("stuart_maxwell", "bhapkar", "bowker"):
            found = getattr(self, name)
            whole |= {name: found.chi2, f"{name}_df": found.df, f"{name}_p": found.p_value}
        return [whole | row for c in self.categories for row in c.to_rows()]


@dataclass(frozen=True)
class Homogeneity(Result):
    """Whether several coders give a category equally often (Cochran 1950).

    ``n_items`` are those that every coder annotated; ``by_coder`` how often each gave it.
    """

    category: Label
    n_items: int
    by_coder: tuple[int, ...]
    test: TestOfTable

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        row = {"category": self.category, "n_items": self.n_items, "by_coder": self.by_coder}
        return [row | self.test.to_rows()[0]]


def margins(counts: Counts, *, labels: LabelOrder = None) -> tuple[Margins, ...]:
    """The margins of each pair of coders with items in common, at most 300 pairs.

    Parameters
    ----------
    counts : Counts
    labels : sequence, optional
        The order of the labels that sets hold.

    Returns
    -------
    tuple of Margins
        Empty if the data do not tell who gave which label, or hold thousands of values.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a"] * 9 + ["b"], ["a"] * 2 + ["b"] * 8], layout="transposed")
    >>> found, = margins(count(data))
    >>> [(c.category, c.only_first, c.only_second, c.p_value) for c in found.categories]
    [('a', 7, 0, 0.015625), ('b', 0, 7, 0.015625)]
    """
    if counts.coder is None or counts.n_values > MOST_VALUES:
        return ()
    names, members = held_labels(counts, labels)
    return tuple(
        _pair(first, second, counts, pairs, names, members)
        for first, second, pairs in islice(two_by_two(counts, counts.coders), MOST_TABLES)
    )


def _pair(
    first: str, second: str, counts: Counts, pairs: Pairs, names: tuple[Label, ...], members: Bools
) -> Margins:
    row, a, b = pairs
    k, times = len(members), counts.times[row]
    table = np.bincount(a * k + b, weights=times, minlength=k * k).astype(float).reshape(k, k)
    both = (members * (table @ members)).sum(0)
    of_first, of_second = table.sum(1) @ members, table.sum(0) @ members
    rows = tuple(
        CategoryMargin(
            names[j],
            int(of_first[j]),
            int(of_second[j]),
            int(of_first[j] - both[j]),
            int(of_second[j] - both[j]),
            sign_test(of_first[j] - both[j], of_second[j] - both[j]),
            mcnemar_mid_p(of_first[j] - both[j], of_second[j] - both[j]),
        )
        for j in np.flatnonzero(of_first + of_second)
    )
    tests = NOTHING, NOTHING, NOTHING
    if not counts.of_sets:
        equal = stuart_maxwell(table)
        tests = equal, with_own_variance(equal, float(times.sum())), bowker(table)
    return Margins(first, second, int(times.sum()), *tests, rows)


def cochran(counts: Counts, *, labels: LabelOrder = None) -> tuple[Homogeneity, ...]:
    """Cochran's Q (1950) for each used category: whether all coders give it equally often.

    Only items that every coder annotated tell. For two coders it is McNemar's test without
    correction for continuity.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> rows = [["a"] * 9 + ["b"], ["a"] * 2 + ["b"] * 8, ["a"] * 9 + ["b"]]
    >>> data = read(rows, layout="transposed")
    >>> found = cochran(count(data))[0]
    >>> found.category, found.by_coder, found.test.chi2
    ('a', (9, 2, 9), 14.0)
    """
    if counts.coder is None or counts.n_coders < 2 or counts.n_values > MOST_VALUES:
        return ()
    names, members = held_labels(counts, labels)
    whole = np.diff(counts.start) == counts.n_coders
    entry = whole[counts.row]
    row = np.cumsum(whole)[counts.row[entry]] - 1
    times, value = counts.times[whole], counts.value[entry]
    n_items, c = float(times.sum()), counts.n_coders
    found = []
    for j, name in enumerate(names):
        holds = members[value, j].astype(float)
        by_coder = sums(counts.coder[entry], holds * times[row], c)
        of_item = sums(row, holds, len(times))
        total = float(by_coder.sum())
        if not total:
            continue
        room = c * total - float(times @ np.square(of_item))
        test = NOTHING
        if room > 0:
            q = (c - 1) * (c * float(np.square(by_coder).sum()) - total**2) / room
            test = tested(q, c - 1)
        found.append(Homogeneity(name, int(n_items), tuple(int(x) for x in by_coder), test))
    return tuple(found)


def _undefined(reason: str, sentence: str) -> Estimate:
    return Estimate(math.nan, undefined=Undefined(reason, sentence))


NO_PAIRS = _undefined("no_pairs", "the two coders have no item in common")
OF_LABELS = _undefined(
    "label_sets", "annotations are sets of labels, and their margins say nothing about kappa"
)
NOT_TWO = _undefined("not_two_values", "the index is defined for two categories only")
ONE_CATEGORY = _undefined("one_category", "the scheme has one category only")


@dataclass(frozen=True)
class Indices(Record):
    """What the margins of a two-coder table do to kappa.

    Parameters
    ----------
    first, second : str
        The coders.
    n_items : int
        Items that both annotated.
    kappa, kappa_max, kappa_ratio : float
        Cohen's kappa, the largest it could be with these margins, and their ratio.
    prevalence, bias : Estimate
        (Byrt, Bishop & Carlin 1993), two categories only.
    pabak : Estimate
        (K A_o - 1) / (K - 1), with its exact binomial interval; 2 A_o - 1 for two categories.
    marginal_difference : float
        Share of annotations that would have to move for equal distributions.
    marginal_p : float
        p-value of equal distributions.
    """

    first: str
    second: str
    n_items: int
    kappa: float = math.nan
    kappa_max: float = math.nan
    kappa_ratio: float = math.nan
    prevalence: Estimate = OF_LABELS
    bias: Estimate = OF_LABELS
    pabak: Estimate = OF_LABELS
    marginal_difference: float = math.nan
    marginal_p: float = math.nan


def indices(confusion: Confusion, *, level: float = 0.95) -> Indices:
    """The indices of two coders; all undefined for a table of the labels of sets.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.confusion import contingency
    >>> found = indices(contingency(count(read([["y", "n", "y", "y"], ["y", "n", "n", "y"]]))))
    >>> found.kappa, found.kappa_max, found.pabak.value
    (0.5, 0.5, 0.5)
    """
    whose = str(confusion.first), str(confusion.second), confusion.n
    if confusion.of_labels:
        return Indices(*whose)
    table = confusion.table
    reached, largest = _kappa(table), kappa_max(table)
    ratio = reached / largest if largest > 0 else math.nan
    return Indices(
        *whose,
        reached,
        largest,
        ratio,
        prevalence_index(table, level=level),
        bias_index(table, level=level),
        pabak(table, level=level),
        marginal_difference(table),
        stuart_maxwell(table).p_value,
    )


def kappa_max(table: Floats) -> float:
    """The largest kappa that the margins of the table allow (Cohen 1960, p. 42).

    Both coders agree on as many items as their distributions let them.
    """
    n = table.sum()
    if not n:
        return math.nan
    first, second = table.sum(1) / n, table.sum(0) / n
    return float(chance_corrected(np.minimum(first, second).sum(), first @ second))


def _kappa(table: Floats) -> float:
    n = table.sum()
    if not n:
        return math.nan
    return float(chance_corrected(np.trace(table) / n, (table.sum(1) @ table.sum(0)) / n**2))


def prevalence_index(table: Floats, *, level: float = 0.95) -> Estimate:
    """(a - d) / n of a 2 x 2 table: how far one category prevails (Byrt et al. 1993, p. 425)."""
    return _difference(table, (0, 0), (1, 1), level)


def bias_index(table: Floats, *, level: float = 0.95) -> Estimate:
    """(b - c) / n of a 2 x 2 table: how far the coders' distributions differ (Byrt et al. 1993)."""
    return _difference(table, (0, 1), (1, 0), level)


def _difference(
    table: Floats, one: tuple[int, int], other: tuple[int, int], level: float
) -> Estimate:
    """Difference of two cells of a multinomial sample, as shares."""
    n = float(table.sum())
    if table.shape != (2, 2):
        return NOT_TWO
    if not n:
        return NO_PAIRS
    more, less = float(table[one]), float(table[other])
    value = (more - less) / n
    # both cells are of the same items, so their shares are correlated
    se = math.sqrt(((more + less) / n - value**2) / n)
    reach = normal_quantile((1 + level) / 2) * se
    return Estimate(value, se, max(-1.0, value - reach), min(1.0, value + reach))


def pabak(table: Floats, *, level: float = 0.95) -> Estimate:
    """Prevalence- and bias-adjusted kappa with the exact interval of Clopper & Pearson (1934).

    (K A_o - 1) / (K - 1); for two categories 2 A_o - 1 (Byrt et al. 1993). The interval is that
    of the observed agreement, carried over.
    """
    n, k = float(table.sum()), len(table)
    if not n:
        return NO_PAIRS
    if k < 2:
        return ONE_CATEGORY
    agreed = float(np.trace(table))
    se = math.sqrt(agreed * (n - agreed) / n**3)
    ends = (float(x) for x in exact_interval(agreed, n, level))
    value, low, high = ((k * p - 1) / (k - 1) for p in (agreed / n, *ends))
    return Estimate(value, se * k / (k - 1), low, high)


def marginal_difference(table: Floats) -> float:
    """Half the sum of the absolute differences of the coders' shares: 0 to 1.

    The share of one coder's annotations that would have to move for equal distributions; in a
    2 x 2 table the absolute bias index.
    """
    n = table.sum()
    return float(np.abs(table.sum(1) - table.sum(0)).sum() / (2 * n)) if n else math.nan


def full_agreement(counts: Counts, *, tolerance: float = 0.0) -> float:
    """Share of items on which all coders agree, of those with two or more annotations.

    Parameters
    ----------
    counts : Counts
    tolerance : float
        Numeric values that differ by at most this count as the same.
    """
    n = float(counts.n_pairable)
    if not n:
        return math.nan
    bare = unranked(counts.anonymous)
    score = _scores(bare, tolerance)[bare.value]
    spread = np.maximum.reduceat(score, bare.start[:-1]) - np.minimum.reduceat(
        score, bare.start[:-1]
    )
    agreed = (bare.size >= 2) & (spread <= tolerance + 1e-12)
    return float(bare.times @ agreed) / n


def _scores(counts: Counts, tolerance: float) -> Floats:
    """(K,) the values as numbers; their codes if only equal values agree."""
    if tolerance == 0:
        return np.arange(counts.n_values, dtype=float)
    found = [None if isinstance(v, tuple) else number(v) for v in counts.values]
    if None in found:
        odd = counts.values[found.index(None)]
        raise RequestError(f"a tolerance needs numeric categories; {odd!r} is not a number")
    return np.array(found, dtype=float)
