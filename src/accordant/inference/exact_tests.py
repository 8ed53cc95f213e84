"""Exact tests and the exact interval of a share, however few there are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats


def dealt(k: int, n: int, marked: int, total: int) -> float:
    """P(k or more marked ones among n of ``total`` that hold ``marked``): Fisher's exact test.

    Examples
    --------
    All three marked cards of six in a hand of three, one of 20 hands:

    >>> round(dealt(3, 3, 3, 6), 6)
    0.05
    """
    from scipy.special import gammaln

    j = np.arange(max(k, 0, n + marked - total), min(n, marked) + 1)

    def choose(m: Any, i: Any) -> Any:
        return gammaln(m + 1) - gammaln(i + 1) - gammaln(np.asarray(m) - i + 1)

    log = choose(marked, j) + choose(total - marked, n - j) - choose(total, n)
    return min(1.0, float(np.exp(log).sum()))


def exact_interval(k: ArrayLike, n: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Interval of Clopper & Pearson (1934) for k out of n; NaN out of nothing.

    Examples
    --------
    >>> low, high = exact_interval([0, 5], [10, 10], 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.187], [0.308, 0.813])
    """
    from scipy.special import betaincinv

    k, n = np.asarray(k, float), np.asarray(n, float)
    out = (1 - level) / 2
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - k + 1, out), 0.0)
    high = np.where(k < n, betaincinv(k + 1, np.maximum(n - k, 1), 1 - out), 1.0)
    return np.where(n > 0, low, np.nan), np.where(n > 0, high, np.nan)


def sign_test(n: float, m: float) -> float:
    """Two-sided exact p-value of n against m if both directions are equally likely.

    NaN if nothing differs.

    Examples
    --------
    >>> sign_test(7, 0), sign_test(3, 3)
    (0.015625, 1.0)
    """
    if not n + m:
        return math.nan
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(n, m), int(n + m), 0.5)))
