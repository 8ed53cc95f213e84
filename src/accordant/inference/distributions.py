"""Tails and quantiles of the normal, t and chi-squared distributions, and two exact bounds.

`scipy.stats` would do, but takes half a second to import; these are its own functions.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

_NORMAL = NormalDist()


def normal_tail(z: float) -> float:
    """P(Z > z).

    Examples
    --------
    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    return 0.5 * math.erfc(z / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p."""
    return _NORMAL.inv_cdf(p)


def t_tail(t: float, df: float) -> float:
    """P(T > t) with ``df`` degrees of freedom.

    Examples
    --------
    >>> round(t_tail(2.2281389, 10), 6)
    0.025
    """
    if df in WHOLE and -math.inf < t < math.inf and (p := _t_tail(t, int(df))) > SMALL:
        return p
    from scipy.special import stdtr

    return float(stdtr(df, -t))


WHOLE = range(1, 101)
"""Degrees of freedom whose t distribution is summed here: loading SciPy for it takes 0.2 s."""
SMALL = 1e-3  # from here on the sum is accurate to 13 digits


@lru_cache(1000)
def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p; NaN without a degree of freedom.

    Examples
    --------
    >>> round(t_quantile(0.975, 10), 7), round(t_quantile(0.975, 10.5), 7)
    (2.2281389, 2.2138403)
    """
    if not df > 0:
        return math.nan
    if df in WHOLE and SMALL < p < 1 - SMALL:
        return _t_quantile(p, int(df))
    from scipy.special import stdtrit

    return float(stdtrit(df, p))


def _t_tail(t: float, df: int) -> float:
    """The finite sums of Abramowitz & Stegun (1964, 26.7.3 and 26.7.4)."""
    odd = df % 2
    angle = math.atan2(t, math.sqrt(df))
    square = df / (df + t * t)  # of its cosine
    total, term = 0.0, math.sqrt(square) if odd else 1.0
    for j in range(1 + odd, df, 2):
        total += term
        term *= square * j / (j + 1)
    inside = math.sin(angle) * total
    return 0.5 - (angle + inside) / math.pi if odd else 0.5 - inside / 2


def _t_quantile(p: float, df: int) -> float:
    """Newton's method on the tail, in the angle, in which the distribution is nearly straight."""
    scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(math.pi) / 2
    angle = math.atan2(normal_quantile(p), math.sqrt(df))
    for _ in range(50):
        t = math.sqrt(df) * math.tan(angle)
        step = (p - 1 + _t_tail(t, df)) / math.exp(scale + (df - 1) * math.log(math.cos(angle)))
        angle += step
        if abs(step) < 1e-15 * abs(angle) or not step:
            break
    return math.sqrt(df) * math.tan(angle)


def chi2_tail(x: float, df: float) -> float:
    """P(X > x) with ``df`` degrees of freedom.

    Examples
    --------
    >>> round(chi2_tail(3.8414588, 1), 6)
    0.05
    """
    from scipy.special import chdtrc

    return float(chdtrc(df, x))


def chi2_quantile(p: float, df: float) -> float:
    """The x with P(X <= x) = p."""
    from scipy.special import chdtri

    return float(chdtri(df, 1 - p))


# ------------------------------------------------------------------ no disagreement in n items
#
# Clopper & Pearson (1934) for items out of an endless population, the "rule of three"; the
# hypergeometric distribution for items out of N.

SLIP = 1e-9  # a number of items that is whole but for rounding is whole


def least_share(n: int, level: float, population: float = math.inf) -> float:
    """The lowest share of items without disagreement that n such items are compatible with.

    Parameters
    ----------
    n : int
        Items, none of which shows a disagreement.
    level : float
        Of the two-sided interval: its lower end.
    population : float
        How many items there are.

    Examples
    --------
    >>> round(least_share(50, 0.95), 3), least_share(50, 0.95, population=100)
    (0.929, 0.95)
    """
    rare = (1 - level) / 2
    if math.isinf(population):
        return float(rare ** (1 / n))
    low, high = 0, int(population) - n + 1  # so many cannot all be missed
    while high - low > 1:
        middle = (low + high) // 2
        likely = _all_missed(n, middle, int(population)) >= rare
        low, high = (middle, high) if likely else (low, middle)
    return 1 - low / int(population)


def none_by_chance(n: int, share: float, population: float = math.inf) -> float:
    """The probability that none of n items shows a disagreement if a share of all shows none.

    Examples
    --------
    >>> none_by_chance(10, 0.8)
    0.1073741824
    """
    if math.isinf(population):
        return float(share**n)
    return _all_missed(n, math.ceil(int(population) * (1 - share) - SLIP), int(population))


def _all_missed(n: int, wrong: int, population: int) -> float:
    """The probability that n items drawn without replacement miss all that are ``wrong``."""
    if wrong > population - n:
        return 0.0
    few, many = sorted((n, wrong))  # the distribution is symmetric in both
    return float(np.exp(np.log1p(-many / (population - np.arange(few))).sum()))
