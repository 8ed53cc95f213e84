"""Tails and quantiles of the normal, t and chi-squared distributions.

`scipy.stats` would do, but takes half a second to import; these are its own functions.
"""

from __future__ import annotations

from math import erfc, sqrt
from statistics import NormalDist

__all__ = [
    "chi2_noncentrality", "chi2_quantile", "chi2_tail", "normal_quantile", "normal_tail",
    "t_quantile", "t_tail",
]  # fmt: skip

_NORMAL = NormalDist()


def normal_tail(z: float) -> float:
    """P(Z > z).

    Examples
    --------
    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    return 0.5 * erfc(z / sqrt(2))


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
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p; NaN without a degree of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, p)) if df > 0 else float("nan")


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


def chi2_noncentrality(x: float, df: float, p: float) -> float:
    """The noncentrality with P(X <= x) = p."""
    from scipy.special import chndtrinc

    return float(chndtrinc(x, df, p))
