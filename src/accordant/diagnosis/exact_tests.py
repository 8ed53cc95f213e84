"""How likely it is to see so much or more, exactly or at most, however few there are.

Binomial and sign tests, Fisher's test, a bound of a sum of draws, and the interval of a share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Floats, Ints

__all__ = ["binomial_test", "dealt", "exact_interval", "sign_test", "tail_bound"]

STEPS = 40  # halvings of the interval that holds the best tilt; any tilt gives a true bound
STEEPEST = 60.0  # exp(60) holds in a float64 with room to spare


def tail_bound(x: Floats, share: Floats, kind: Ints, times: NDArray[Any], total: float) -> float:
    """An upper bound of P(sum of independent draws >= total).

    Chernoff's bound: the least of E exp(s sum) / exp(s total) over s >= 0. It holds for every
    sample size, however rare and lopsided the draws are, where a normal distribution does not.
    It also holds for draws without replacement from one finite population (Hoeffding 1963,
    theorem 4).

    Parameters
    ----------
    x, share : ndarray
        (E,) what may be drawn, and with which probability.
    kind : ndarray of int
        (E,) from which of G kinds of urns it is drawn.
    times : ndarray
        (G,) how many draws are made from each kind.
    total : float
        The sum that was seen.

    Examples
    --------
    Ten heads in ten throws of a coin:

    >>> x, share, kind = np.array([0.0, 1.0]), np.array([0.5, 0.5]), np.array([0, 0])
    >>> round(tail_bound(x, share, kind, np.array([10.0]), 10.0) * 2**10, 6)
    1.0
    """
    size = float(np.abs(x).max(initial=0.0))
    n = len(times)
    if not size:
        return 1.0 if total <= 0 else 0.0
    x, total = x / size, total / size
    top = np.full(n, -np.inf)
    np.maximum.at(top, kind, x)

    def tilted(s: float) -> tuple[Floats, Floats]:
        """Weights of what may be drawn, and their sum for each kind."""
        weight = share * np.exp(s * (x - top[kind]))
        return weight, np.asarray(np.bincount(kind, weights=weight, minlength=n), float)

    def drift(s: float) -> float:
        """How far the expected sum of the tilted draws is above the total: rises with s."""
        weight, mass = tilted(s)
        mean = np.bincount(kind, weights=weight * x, minlength=n) / np.where(mass, mass, 1)
        return float(times @ mean) - total

    if drift(0.0) >= 0:
        return 1.0
    low, high = 0.0, 1.0
    while drift(high) < 0 and high < STEEPEST:
        low, high = high, 2 * high
    for _ in range(STEPS if high < STEEPEST else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if drift(middle) < 0 else (low, middle)
    used = times > 0
    mass = tilted(high)[1][used]
    log = float(times[used] @ (np.log(mass) + high * top[used])) - high * total
    return min(1.0, math.exp(min(0.0, log)))


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
