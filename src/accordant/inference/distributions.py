"""Tails and quantiles of the normal and t distributions.

`scipy.stats` would do, but takes half a second to import; these are its own functions.
"""

from __future__ import annotations

from statistics import NormalDist

__all__ = ["normal_quantile", "normal_tail", "t_quantile", "t_tail"]

_NORMAL = NormalDist()


def normal_tail(z: float) -> float:
    """P(Z > z).

    Examples
    --------
    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    from math import erfc, sqrt

    return 0.5 * erfc(z / sqrt(2))


def normal_quantile(p: float) -> float:
    """z with P(Z <= z) = p."""
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
    """t with P(T <= t) = p."""
    from scipy.special import stdtrit

    return float(stdtrit(df, p))
