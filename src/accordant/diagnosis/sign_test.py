"""Whether a number is more or less than its share: exact binomial tests."""

from __future__ import annotations

import math

__all__ = ["binomial_test", "sign_test"]


def sign_test(n: float, m: float) -> float:
    """Two-sided exact p-value of n against m if both directions are equally likely.

    NaN if nothing differs.

    Examples
    --------
    >>> sign_test(7, 0), sign_test(3, 3)
    (0.015625, 1.0)
    """
    return binomial_test(n, n + m, 0.5)


def binomial_test(n: float, of: float, share: float) -> float:
    """Two-sided exact p-value of n out of ``of``, each with probability ``share``.

    Twice the probability of so many or more, or of so few or fewer; NaN out of nothing.

    Examples
    --------
    >>> binomial_test(3, 3, 0.25), binomial_test(0, 1, 0.25)
    (0.03125, 1.0)
    """
    if not of:
        return math.nan
    from scipy.special import bdtr

    fewer, more = bdtr(n, int(of), share), bdtr(of - n, int(of), 1 - share)
    return min(1.0, 2 * float(min(fewer, more)))
