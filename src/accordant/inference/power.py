"""How many items a test of kappa needs, by the methods of the literature on study design.

Two schools. Donner and colleagues assume coders who are alike, any number of them, and compare
the expected shares of patterns by a goodness-of-fit statistic. Cantor (1996) and Flack and
others (1988) take two coders with given distributions and the variance of Fleiss, Cohen &
Everitt (1969); with more than two categories the table is not known, and the worst is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..errors import RequestError
from .distributions import chi2_noncentrality, chi2_quantile, normal_quantile
from .sample_size import expected_counts

__all__ = ["expected_lower_limit", "items_for_limits", "items_for_power", "items_for_test"]


def items_for_limits(
    agreement: float,
    shares: Sequence[float],
    n_coders: int,
    low: float,
    high: float | None = None,
    *,
    level: float = 0.95,
) -> int:
    """Items for which the limits of the interval of kappa are expected at ``low`` and ``high``.

    Donner & Rotondi (2010) for two categories, Rotondi & Donner (2012) for more.

    Parameters
    ----------
    agreement : float
        Kappa that is expected.
    shares : sequence of float
        (K,) how common each category is.
    n_coders : int
    low, high : float
        Wanted limits; without ``high`` a one-sided interval.
    level : float

    Examples
    --------
    >>> items_for_limits(0.4, [0.3, 0.7], 2, 0.3, 0.5)
    397
    """
    limits = [low] if high is None else [low, high]
    if not (0 <= low < agreement and (high is None or agreement < high <= 1)):
        raise RequestError("the limits must lie on either side of the expected kappa, in 0 … 1")
    critical = _critical(level, one_sided=high is None)
    per_item = min(_distance(agreement, limit, shares, n_coders) for limit in limits)
    return math.ceil(critical / per_item)


def expected_lower_limit(
    agreement: float, shares: Sequence[float], n_coders: int, n_items: int, *, level: float = 0.95
) -> float:
    """The lower limit of a one-sided interval of kappa that so many items lead to expect.

    Examples
    --------
    >>> round(expected_lower_limit(0.7, [0.33, 0.34, 0.33], 5, 80), 4)
    0.6236
    """
    critical = _critical(level, one_sided=True) / n_items
    low, high = 0.0, agreement
    if _distance(agreement, low, shares, n_coders) < critical:
        return low
    while high - low > 1e-9:
        middle = (low + high) / 2
        far = _distance(agreement, middle, shares, n_coders) > critical
        low, high = (middle, high) if far else (low, middle)
    return low


def items_for_power(
    null: float,
    agreement: float,
    shares: Sequence[float],
    n_coders: int,
    *,
    power: float = 0.8,
    level: float = 0.95,
) -> int:
    """Items for a goodness-of-fit test that kappa is ``null`` if it is ``agreement``.

    Donner & Eliasziw (1992), Altaye, Donner & Klar (2001). The test is two-sided.

    Examples
    --------
    >>> items_for_power(0.4, 0.6, [0.3, 0.7], 2)
    191
    """
    _check_power(power, level)
    if null == agreement:
        raise RequestError("the kappa that is expected must differ from the one that is tested")
    needed = chi2_noncentrality(chi2_quantile(level, 1), 1, 1 - power)
    return math.ceil(needed / _distance(agreement, null, shares, n_coders))


def items_for_test(
    null: float,
    agreement: float,
    first: Sequence[float],
    second: Sequence[float] | None = None,
    *,
    power: float = 0.8,
    level: float = 0.95,
    two_sided: bool = False,
) -> int:
    """Items for a test that kappa of two coders is ``null`` if it is ``agreement``.

    Cantor (1996) for two categories; Flack, Afifi, Lachenbruch & Schouten (1988) for more.

    Parameters
    ----------
    null, agreement : float
        Kappa that is tested, and kappa that is expected.
    first, second : sequence of float
        (K,) distribution of each coder; the second is like the first by default.
    power, level : float
    two_sided : bool

    Examples
    --------
    >>> items_for_test(0.4, 0.6, [0.2, 0.25, 0.55])
    101
    """
    _check_power(power, level)
    if null == agreement:
        raise RequestError("the kappa that is expected must differ from the one that is tested")
    p, q = (np.asarray(x, float) for x in (first, first if second is None else second))
    if len(p) != len(q) or any(abs(x.sum() - 1) > 1e-6 or (x < 0).any() for x in (p, q)):
        raise RequestError("both coders need shares of the same categories, which sum to 1")
    surely = normal_quantile(1 - (1 - level) / (2 if two_sided else 1))
    reach = surely * _largest_spread(null, p, q) + normal_quantile(power) * _largest_spread(
        agreement, p, q
    )
    return math.ceil((reach / (agreement - null)) ** 2 - 1e-9)


def _distance(agreement: float, null: float, shares: Sequence[float], n_coders: int) -> float:
    """Goodness of fit per item: expected shares under ``agreement`` against those of ``null``."""
    p, q = _cells(agreement, shares, n_coders), _cells(null, shares, n_coders)
    used = q > 0
    return float(((p - q)[used] ** 2 / q[used]).sum())


def _cells(agreement: float, shares: Sequence[float], n_coders: int) -> Floats:
    """What the statistic tells apart: with two categories every pattern, else who agree on what.

    The literature uses a different world for each: items that are clear or not with two
    categories, items of graded difficulty with more.
    """
    if len(shares) == 2:
        counts = expected_counts(agreement, shares, n_coders)
        return np.asarray(counts.times / counts.times.sum())
    counts = expected_counts(agreement, shares, n_coders, world="difficulty")
    p = counts.times / counts.times.sum()
    unanimous = np.diff(counts.start) == 1
    return np.append(p[unanimous], p[~unanimous].sum())


def _critical(level: float, *, one_sided: bool) -> float:
    if not 0.5 < level < 1:
        raise RequestError(f"the level must lie between 0.5 and 1, not {level}")
    return chi2_quantile(2 * level - 1 if one_sided else level, 1)


def _check_power(power: float, level: float) -> None:
    if not (0 < power < 1 and 0 < level < 1):
        raise RequestError("power and level must lie between 0 and 1")


def _largest_spread(kappa: float, p: Floats, q: Floats) -> float:
    """Root n times the largest standard error of any table with these margins and kappa.

    The variance is a sum over cells if margins and kappa are given, so the worst table is the
    solution of a linear programme; with two categories there is only one table.
    """
    from scipy.optimize import linprog

    k = len(p)
    chance = float(p @ q)
    observed = kappa * (1 - chance) + chance
    same = np.eye(k)
    pull = same - observed - (1 - kappa) * (q[:, None] + p[None, :] - 2 * chance)
    square = (pull / (1 - chance)) ** 2
    rows, columns = np.repeat(np.eye(k), k, axis=1), np.tile(np.eye(k), k)
    limits = np.concatenate([rows, columns, same.reshape(1, -1)])
    found = linprog(-square.ravel(), A_eq=limits, b_eq=np.concatenate([p, q, [observed]]))
    if not found.success:
        raise RequestError(f"no table of two coders has these shares and kappa {kappa:g}")
    return math.sqrt(-found.fun)
