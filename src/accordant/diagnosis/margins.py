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

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..errors import RequestError
from ..inference.distributions import chi2_tail, normal_quantile
from ..measure.confusion import MOST_TABLES, MOST_VALUES, Confusion, given_values
from ..measure.registry import chance_corrected
from ..measure.results import Undefined
from ..measure.sets import unranked
from ..measure.shares import LabelOrder, held_labels
from ..results import Result
from ..scheme import Label, number
from .categories import Estimate
from .exact_tests import sign_test

__all__ = [
    "CategoryMargin", "Homogeneity", "Indices", "Margins", "TestOfTable", "bhapkar",
    "bias_index", "bowker", "cochran", "full_agreement", "indices", "kappa_max",
    "marginal_difference", "marginal_statistic", "marginal_test", "margins", "mcnemar_mid_p",
    "pabak", "prevalence_index", "stuart_maxwell",
]  # fmt: skip


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


NO_PAIRS = Undefined("no_pairs", "the two coders have no item in common")
OF_LABELS = Undefined(
    "label_sets", "annotations are sets of labels, and their margins say nothing about kappa"
)
NOT_TWO = Undefined("not_two_values", "the index is defined for two categories only")


@dataclass(frozen=True)
class Indices(Result):
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
    kappa: float
    kappa_max: float
    kappa_ratio: float
    prevalence: Estimate
    bias: Estimate
    pabak: Estimate
    marginal_difference: float
    marginal_p: float

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        row: dict[str, Any] = {}
        for f in fields(self):
            x = getattr(self, f.name)
            row |= x.to_row(f.name) if isinstance(x, Estimate) else {f.name: x}
        return [row]


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
    if confusion.of_labels:
        return _of_no_use(confusion)
    table = confusion.table
    reached, largest = _kappa(table), kappa_max(table)
    ratio = reached / largest if largest > 0 else math.nan
    return Indices(
        str(confusion.first), str(confusion.second), confusion.n, reached, largest, ratio,
        prevalence_index(table, level=level), bias_index(table, level=level),
        pabak(table, level=level), marginal_difference(table), marginal_test(table)[1],
    )  # fmt: skip


def _of_no_use(confusion: Confusion) -> Indices:
    nothing, none = math.nan, Estimate(math.nan, undefined=OF_LABELS)
    return Indices(
        str(confusion.first), str(confusion.second), confusion.n, nothing, nothing, nothing,
        none, none, none, nothing, nothing,
    )  # fmt: skip


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
    return _difference(table, lambda t: (t[0, 0], t[1, 1]), level)


def bias_index(table: Floats, *, level: float = 0.95) -> Estimate:
    """(b - c) / n of a 2 x 2 table: how far the coders' distributions differ (Byrt et al. 1993)."""
    return _difference(table, lambda t: (t[0, 1], t[1, 0]), level)


def _difference(table: Floats, cells: Any, level: float) -> Estimate:
    """Difference of two cells of a multinomial sample, as shares."""
    n = float(table.sum())
    if table.shape != (2, 2):
        return Estimate(math.nan, undefined=NOT_TWO)
    if not n:
        return Estimate(math.nan, undefined=NO_PAIRS)
    more, less = cells(table)
    value = float(more - less) / n
    # both cells are of the same items, so their shares are correlated
    se = math.sqrt((float(more + less) / n - value**2) / n)
    reach = normal_quantile((1 + level) / 2) * se
    return Estimate(value, se, max(-1.0, value - reach), min(1.0, value + reach))


def pabak(table: Floats, *, level: float = 0.95) -> Estimate:
    """Prevalence- and bias-adjusted kappa with the exact interval of Clopper & Pearson (1934).

    (K A_o - 1) / (K - 1); for two categories 2 A_o - 1 (Byrt et al. 1993). The interval is that
    of the observed agreement, carried over.
    """
    n, k = float(table.sum()), len(table)
    if not n:
        return Estimate(math.nan, undefined=NO_PAIRS)
    if k < 2:
        reason = Undefined("one_category", "the scheme has one category only")
        return Estimate(math.nan, undefined=reason)
    agreed = float(np.trace(table))
    se = math.sqrt(agreed * (n - agreed) / n**3)
    low, high = _clopper_pearson(agreed, n, level)
    value, low, high = ((k * p - 1) / (k - 1) for p in (agreed / n, low, high))
    return Estimate(value, se * k / (k - 1), low, high)


def _clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return low, high


def marginal_difference(table: Floats) -> float:
    """Half the sum of the absolute differences of the coders' shares: 0 to 1.

    The share of one coder's annotations that would have to move for equal distributions; in a
    2 x 2 table the absolute bias index.
    """
    n = table.sum()
    return float(np.abs(table.sum(1) - table.sum(0)).sum() / (2 * n)) if n else math.nan


def marginal_test(table: Floats) -> tuple[float, float]:
    """Chi-squared and p-value of equal distributions of the two coders (Stuart 1955; Maxwell 1970).

    For two categories this is the test of McNemar (1947) without correction for continuity.
    """
    chi2, rank = marginal_statistic(table)
    return (chi2, chi2_tail(chi2, rank)) if rank else (math.nan, math.nan)


def marginal_statistic(table: Floats) -> tuple[float, int]:
    """Chi-squared of equal distributions and its degrees of freedom; NaN and 0 without any."""
    first, second = table.sum(1), table.sum(0)
    used = np.flatnonzero((first + second) > 0)
    t = table[np.ix_(used, used)]
    d = first[used] - second[used]
    v = np.diag(first[used] + second[used]) - t - t.T
    # the differences sum to 0; categories never taken for others carry no information
    size, direction = np.linalg.eigh(v) if len(used) else (np.zeros(0), np.zeros((0, 0)))
    kept = size > 1e-10 * size.max(initial=0)
    if not kept.any():
        return math.nan, 0
    along = d @ direction[:, kept]
    return float((np.square(along) / size[kept]).sum()), int(kept.sum())


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
