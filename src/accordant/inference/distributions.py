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
    """P(T > t) with ``df`` degrees of freedom; NaN without one.

    The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22). Loading
    SciPy for it would take a fifth of a second, as long as a small analysis.

    Examples
    --------
    >>> round(t_tail(2.2281389, 10), 6)
    0.025
    """
    if not df > 0 or math.isnan(t):
        return math.nan
    if math.isinf(df) or math.isinf(t):
        return normal_tail(t)
    tail = _far_tail(abs(t), df)
    return tail if t >= 0 else 1 - tail


def _far_tail(t: float, df: float) -> float:
    """The same for t from 0 up: half of I_x(df/2, 1/2) with x = df / (df + t²)."""
    x, rest = df / (df + t * t), t * t / (df + t * t)
    a, b = df / 2, 0.5
    front = math.exp(-a * math.log1p(t * t / df) + _log_gamma_ratio(a)) * math.sqrt(rest / math.pi)
    if x <= (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / (2 * a)
    return 0.5 - front * _beta_fraction(b, a, rest) / (2 * b)


def _log_gamma_ratio(a: float) -> float:
    """Log of Γ(a + 1/2) / Γ(a); by its series where the difference would lose digits."""
    if a < 100:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    return math.log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of I_x(a, b), by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 10_000):
        for up in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / (1 + up * d), 1 + up / c
            found *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return found


@lru_cache(1000)
def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p; NaN without a degree of freedom.

    Newton's method on the tail, in the angle, in which the distribution is nearly straight.

    Examples
    --------
    >>> round(t_quantile(0.975, 10), 7), round(t_quantile(0.975, 10.5), 7)
    (2.2281389, 2.2138403)
    """
    if not (df > 0 and 0 < p < 1):
        return math.nan
    if math.isinf(df):
        return normal_quantile(p)
    wanted = min(p, 1 - p)
    scale = _log_gamma_ratio(df / 2) - math.log(math.pi) / 2
    angle = math.atan2(-normal_quantile(wanted), math.sqrt(df))
    for _ in range(100):
        tail = _far_tail(math.sqrt(df) * math.tan(angle), df)
        slope = math.exp(scale + (df - 1) * math.log(math.cos(angle)))
        step = (tail - wanted) / slope
        angle = min(max(angle + step, 0.0), math.pi / 2 - 1e-9)
        if abs(step) <= 1e-15 * abs(angle):
            break
    t = math.sqrt(df) * math.tan(angle)
    return t if p > 0.5 else -t


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
