"""A test of one human that is exact, whatever the share of ties is.

On an item the human was nearer to the others (1), the model was (−1), or neither (0). Such
differences are far from normal: with few items, or a model that is hardly ever nearer, a t-test
rejects too often, and ranks ask about the middle, which is a tie.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["exactly_below", "score"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

GRID = 129  # shares of ties that are tried, and as many again around the worst
SAME = 1e-9


def score(n: int, model: Any, human: Any, epsilon: float) -> Floats:
    """The score statistic of ρ_human − ρ_model ≥ ε; low where the model does well.

    Parameters
    ----------
    n : int
        Items.
    model, human : int or ndarray
        (...) on how many of them the model was nearer, and the human.
    epsilon : float

    Returns
    -------
    ndarray
        (...) the mean difference less ε, over its standard error where the difference is ε and
        ties are as frequent as the data let suppose (Hsueh, Liu & Chen 2001).
    """
    model, human = np.asarray(model, float), np.asarray(human, float)
    # the most likely share a of items on which the model is nearer, given a + ε for the human,
    # solves 2 n a² − b a − model ε (1 − ε) = 0
    b = (model + human) * (1 - epsilon) - 2 * epsilon * (n - human)
    root = np.sqrt(b * b + 8 * n * model * epsilon * (1 - epsilon))
    share = np.clip((b + root) / (4 * n), 0, (1 - epsilon) / 2)
    variance = np.maximum(2 * share + epsilon - epsilon**2, 0) / n
    away = (human - model) / n - epsilon
    with np.errstate(divide="ignore", invalid="ignore"):
        found = away / np.sqrt(variance)
    flat = np.where(away < -SAME, -np.inf, np.where(away > SAME, np.inf, 0.0))
    return np.asarray(np.where(variance > 1e-15, found, flat))


@lru_cache(maxsize=4096)
def exactly_below(n: int, model: int, human: int, epsilon: float) -> tuple[float, float]:
    """Exact unconditional test that a model loses less than ε to a human.

    Parameters
    ----------
    n : int
        Items.
    model, human : int
        On how many of them the model was nearer to the others, and the human.
    epsilon : float

    Returns
    -------
    statistic, p_value : float
        See `score`; and how likely one as low is at most where the model loses ε, over all shares
        of ties. It is then no more likely where the model loses more (Hsueh, Liu & Chen 2001).

    Examples
    --------
    >>> round(exactly_below(20, 1, 0, 0.1)[1], 3)
    0.035
    >>> round(exactly_below(20, 0, 0, 0.2)[1], 3)
    0.021
    """
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    statistic = float(score(n, model, human, epsilon))
    k = np.arange(n + 1)
    last = _last(n, k, statistic, epsilon)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)

    def chance(share: Floats) -> Floats:
        """(R,) of a statistic as low, with the model nearer so often (R,)."""
        a = share[:, None]
        weight = np.exp(ways + xlogy(k, a) + xlog1py(n - k, -a))
        p = np.clip((a + epsilon) / (1 - a), 0, 1)
        below = np.where(last < 0, 0.0, bdtr(np.maximum(last, 0), n - k, p))
        return np.asarray((weight * below).sum(1))

    shares = (1 - epsilon) / 2 * np.linspace(0, 1, GRID) ** 2
    values = chance(shares)
    worst = int(values.argmax())
    low, high = float(shares[max(worst - 1, 0)]), float(shares[min(worst + 1, GRID - 1)])
    p = max(float(values.max()), float(chance(np.linspace(low, high, GRID)).max()))
    return statistic, min(p, 1.0)


def _last(n: int, k: Ints, statistic: float, epsilon: float) -> Ints:
    """(n + 1,) the most items for the human that give as low a score, with k for the model.

    −1 if none does. The score rises with the items of the human, so halving finds it.
    """
    low, high = np.full(n + 1, -1), n - k
    while (low < high).any():
        middle = (low + high + 1) // 2
        fits = score(n, k, middle, epsilon) <= statistic + SAME
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    return np.asarray(low)
