"""Whether differences go one way: the exact sign test."""

from __future__ import annotations

import math

__all__ = ["sign_test"]


def sign_test(n: float, m: float) -> float:
    """Two-sided exact p-value of n against m if both directions are equally likely.

    NaN if nothing differs.

    Examples
    --------
    >>> sign_test(7, 0), sign_test(3, 3)
    (0.015625, 1.0)
    """
    if n + m == 0:
        return math.nan
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(n, m), n + m, 0.5)))
