"""Do coders use the categories equally often? Tests of the margins, as a whole and by category.

Only items that both coders of a pair annotated count, as in a contingency table. The coefficients
that are reported (and `Movements`) take the distributions from all annotations, so where some are
missing the kappa of a pair may stand there with another value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..inference.distributions import chi2_tail
from ..results import Result
from ..scheme import Label
from .confusion import MOST_TABLES, MOST_VALUES, given_values
from .held_labels import LabelOrder, held_labels
from .indices import marginal_statistic
from .sign_test import sign_test

__all__ = [
    "CategoryMargin", "Homogeneity", "Margins", "TestOfTable", "bhapkar", "bowker", "cochran",
    "margins", "mcnemar_mid_p", "stuart_maxwell",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class TestOfTable(Result):
    """A chi-squared test: NaN where nothing can differ."""

    __test__ = False  # not a test of pytest, whatever its name

    chi2: float
    df: int
    p_value: float

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]


NOTHING = TestOfTable(math.nan, 0, math.nan)


def stuart_maxwell(table: Floats) -> TestOfTable:
    """Equal distributions of two coders (Stuart 1955; Maxwell 1970), from a (K, K) table.

    Examples
    --------
    >>> round(stuart_maxwell(np.array([[20.0, 10, 5], [3, 30, 15], [0, 5, 40]])).chi2, 3)
    13.765
    """
    chi2, df = marginal_statistic(table)
    return TestOfTable(chi2, df, chi2_tail(chi2, df)) if df else NOTHING


def bhapkar(table: Floats) -> TestOfTable:
    """Equal distributions of two coders (Bhapkar 1966): more power than Stuart-Maxwell.

    The same difference of the margins, with the variance as it is rather than as it would be
    if the margins were equal: W / (1 - W / n), where W is the statistic of Stuart and Maxwell.
    """
    return _with_own_variance(stuart_maxwell(table), float(table.sum()))


def _with_own_variance(found: TestOfTable, n: float) -> TestOfTable:
    """Bhapkar's test from that of Stuart and Maxwell of n items."""
    if math.isnan(found.chi2):
        return NOTHING
    room = 1 - found.chi2 / n
    chi2 = found.chi2 / room if room > 1e-12 else math.inf
    return TestOfTable(chi2, found.df, chi2_tail(chi2, found.df) if room > 1e-12 else 0.0)


def bowker(table: Floats) -> TestOfTable:
    """Is each confusion as frequent one way as the other (Bowker 1948)? From a (K, K) table.

    Pairs of categories that were never confused carry no information and no degree of freedom.
    """
    a, b = np.triu_indices(len(table), 1)
    n, m = table[a, b], table[b, a]
    some = n + m > 0
    if not some.any():
        return NOTHING
    chi2 = float((np.square(n - m)[some] / (n + m)[some]).sum())
    return TestOfTable(chi2, int(some.sum()), chi2_tail(chi2, int(some.sum())))


def mcnemar_mid_p(n: float, m: float) -> float:
    """Two-sided mid-p value of n against m if both directions are equally likely.

    Half of the probability of what was seen is left out, so the test comes nearer to its level
    than the exact one, which stays below (Fagerland, Lydersen & Laake 2013). NaN if nothing
    differs.

    Examples
    --------
    >>> mcnemar_mid_p(7, 0), mcnemar_mid_p(3, 3)
    (0.0078125, 0.6875)
    """
    if not n + m:
        return math.nan
    from scipy.special import bdtr

    few, of = min(n, m), int(n + m)
    below = float(bdtr(few - 1, of, 0.5)) if few >= 1 else 0.0
    seen = float(bdtr(few, of, 0.5)) - below
    return min(1.0, 2 * (below + seen / 2)) if n != m else 1 - seen


@dataclass(frozen=True)
class CategoryMargin(Result):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]


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
    >>> data = read([["a"] * 9 + ["b"], ["a"] * 2 + ["b"] * 8], coders_in="rows")
    >>> found, = margins(count(data))
    >>> [(c.category, c.only_first, c.only_second, c.p_value) for c in found.categories]
    [('a', 7, 0, 0.015625), ('b', 0, 7, 0.015625)]
    """
    if counts.coder is None or counts.n_values > MOST_VALUES:
        return ()
    of_sets, found = counts.of_sets, []
    names, members = held_labels(counts, labels) if of_sets else _single(counts)
    for first, second in combinations(counts.coders, 2):
        a, b = given_values(counts, first), given_values(counts, second)
        both = (a >= 0) & (b >= 0)
        if both.any():
            times = np.asarray(counts.times[both], float)
            found.append(_pair(first, second, a[both], b[both], times, names, members, of_sets))
        if len(found) == MOST_TABLES:
            break
    return tuple(found)


def _single(counts: Counts) -> tuple[tuple[Label, ...], NDArray[np.bool_]]:
    """The values as labels, each held by itself."""
    names = tuple(v for v in counts.values if not isinstance(v, tuple))
    return names, np.eye(len(names), dtype=bool)


def _pair(
    first: str, second: str, a: Ints, b: Ints, times: Floats, names: tuple[Label, ...],
    members: NDArray[np.bool_], of_sets: bool,
) -> Margins:  # fmt: skip
    k, n = len(members), float(times.sum())
    table = np.bincount(a * k + b, weights=times, minlength=k * k).astype(float).reshape(k, k)
    both = (members * (table @ members)).sum(0)
    of_first, of_second = table.sum(1) @ members, table.sum(0) @ members
    rows = tuple(
        CategoryMargin(
            names[j], int(of_first[j]), int(of_second[j]),
            int(of_first[j] - both[j]), int(of_second[j] - both[j]),
            sign_test(of_first[j] - both[j], of_second[j] - both[j]),
            mcnemar_mid_p(of_first[j] - both[j], of_second[j] - both[j]),
        )
        for j in np.flatnonzero(of_first + of_second)
    )  # fmt: skip
    equal = NOTHING if of_sets else stuart_maxwell(table)
    tests = equal, _with_own_variance(equal, n), NOTHING if of_sets else bowker(table)
    return Margins(first, second, int(n), *tests, rows)


def cochran(counts: Counts, *, labels: LabelOrder = None) -> tuple[Homogeneity, ...]:
    """Cochran's Q (1950) for each used category: whether all coders give it equally often.

    Only items that every coder annotated tell. For two coders it is McNemar's test without
    correction for continuity.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a"] * 9 + ["b"], ["a"] * 2 + ["b"] * 8, ["a"] * 9 + ["b"]], coders_in="rows")
    >>> found = cochran(count(data))[0]
    >>> found.category, found.by_coder, found.test.chi2
    ('a', (9, 2, 9), 14.0)
    """
    if counts.coder is None or counts.n_coders < 2 or counts.n_values > MOST_VALUES:
        return ()
    names, members = held_labels(counts, labels) if counts.of_sets else _single(counts)
    whole = np.diff(counts.start) == counts.n_coders
    entry = whole[counts.row]
    row = np.cumsum(whole)[counts.row[entry]] - 1
    times, value = counts.times[whole], counts.value[entry]
    n_items, c = float(times.sum()), counts.n_coders
    found = []
    for j, name in enumerate(names):
        holds = members[value, j].astype(float)
        by_coder = np.bincount(
            counts.coder[entry], weights=holds * times[row], minlength=c
        )  # fmt: skip
        of_item = np.bincount(row, weights=holds, minlength=len(times))
        total = float(by_coder.sum())
        if not total:
            continue
        room = c * total - float(times @ np.square(of_item))
        test = NOTHING
        if room > 0:
            q = (c - 1) * (c * float(np.square(by_coder).sum()) - total**2) / room
            test = TestOfTable(q, c - 1, chi2_tail(q, c - 1))
        found.append(Homogeneity(name, int(n_items), tuple(int(x) for x in by_coder), test))
    return tuple(found)
