"""Tests of the margins of a table of two coders: whether they use the categories alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..results import Record
from .distributions import chi2_tail

__all__ = [
    "NOTHING",
    "TestOfTable",
    "bhapkar",
    "bowker",
    "mcnemar_mid_p",
    "stuart_maxwell",
    "tested",
    "with_own_variance",
]


@dataclass(frozen=True)
class TestOfTable(Record):
    """A chi-squared test: NaN where nothing can differ."""

    __test__ = False  # not a test of pytest, whatever its name

    chi2: float
    df: int
    p_value: float


NOTHING = TestOfTable(math.nan, 0, math.nan)


def stuart_maxwell(table: Floats) -> TestOfTable:
    """Equal distributions of two coders (Stuart 1955; Maxwell 1970), from a (K, K) table.

    For two categories this is the test of McNemar (1947) without correction for continuity.

    Examples
    --------
    >>> round(stuart_maxwell(np.array([[20.0, 10, 5], [3, 30, 15], [0, 5, 40]])).chi2, 3)
    13.765
    """
    first, second = table.sum(1), table.sum(0)
    used = np.flatnonzero((first + second) > 0)
    t = table[np.ix_(used, used)]
    d = first[used] - second[used]
    v = np.diag(first[used] + second[used]) - t - t.T
    # the differences sum to 0; categories never taken for others carry no information
    size, direction = np.linalg.eigh(v) if len(used) else (np.zeros(0), np.zeros((0, 0)))
    kept = size > 1e-10 * size.max(initial=0)
    if not kept.any():
        return NOTHING
    along = d @ direction[:, kept]
    return tested(float((np.square(along) / size[kept]).sum()), int(kept.sum()))


def tested(chi2: float, df: int) -> TestOfTable:
    """The test of a statistic."""
    return TestOfTable(chi2, df, chi2_tail(chi2, df))


def bhapkar(table: Floats) -> TestOfTable:
    """Equal distributions of two coders (Bhapkar 1966): more power than Stuart-Maxwell.

    The same difference of the margins, with the variance as it is rather than as it would be
    if the margins were equal: W / (1 - W / n), where W is the statistic of Stuart and Maxwell.
    """
    return with_own_variance(stuart_maxwell(table), float(table.sum()))


def with_own_variance(found: TestOfTable, n: float) -> TestOfTable:
    """Bhapkar's test from that of Stuart and Maxwell of n items."""
    if math.isnan(found.chi2):
        return NOTHING
    room = 1 - found.chi2 / n
    return (
        tested(found.chi2 / room, found.df)
        if room > 1e-12
        else TestOfTable(math.inf, found.df, 0.0)
    )


def bowker(table: Floats) -> TestOfTable:
    """Is each confusion as frequent one way as the other (Bowker 1948)? From a (K, K) table.

    Pairs of categories that were never confused carry no information and no degree of freedom.
    """
    a, b = np.triu_indices(len(table), 1)
    n, m = table[a, b], table[b, a]
    some = n + m > 0
    if not some.any():
        return NOTHING
    return tested(float((np.square(n - m)[some] / (n + m)[some]).sum()), int(some.sum()))


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
