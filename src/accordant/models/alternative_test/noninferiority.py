"""Tests that a model loses less than ε to a human, and how many items they need.

On an item the human was nearer to the others (1), the model was (−1), or neither (0). Such
differences are far from normal: with few items, or a model that is hardly ever nearer, a t-test
rejects too often, and ranks ask about the middle, which is a tie. So there is an exact test too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ...arrays import Floats, Ints
from ...errors import RequestError, unknown
from ...inference.distributions import normal_quantile
from ...inference.settings import number_of
from ...numbers import decimal, percent
from ...results import Record

__all__ = ["HALF", "AlternativePlan", "Epsilon", "adjusted", "alternative_test_items", "epsilons"]

Epsilon: TypeAlias = float | str | Mapping[str, float | str]

EPSILONS: Mapping[str, float] = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""What Calderon et al. (2025) advise: the dearer a human, the more a model may lose."""
HALF = 0.5  # of the humans must be beaten
GRID = 129  # shares of ties that are tried, and as many again around the worst
SAME = 1e-9
LEAST = 30  # items below which the t-test is not trusted (Calderon et al. 2025)
MOST = 1_000_000
MOST_HUMANS = 1000
N_SIMULATIONS = 4000


def epsilons(epsilon: Epsilon, humans: Sequence[str]) -> Floats:
    """(H,) what the model may lose against each human.

    Examples
    --------
    >>> epsilons("expert", ["ann", "bob"]).tolist()
    [0.2, 0.2]
    >>> epsilons({"ann": "expert", "bob": 0.05}, ["ann", "bob"]).tolist()
    [0.2, 0.05]
    """
    each = epsilon if isinstance(epsilon, Mapping) else dict.fromkeys(humans, epsilon)
    for name in each:
        if name not in humans:
            raise unknown("human", name, humans)
    for name in humans:
        if name not in each:
            raise RequestError(
                f"there is no number for {name!r}: give one for each human, or one for all",
                parameter="epsilon",
            )
    return np.array([_epsilon(each[name]) for name in humans], np.float64)


def _epsilon(x: Any) -> float:
    if isinstance(x, str) and x not in EPSILONS:
        known = ", ".join(f"{name!r} ({value})" for name, value in EPSILONS.items())
        raise RequestError(f"unknown epsilon {x!r}: choose one of {known}, or a number")
    found = EPSILONS[x] if isinstance(x, str) else number_of("epsilon", x)
    if not 0 <= found <= 1:
        raise RequestError(f"a number between 0 and 1, not {x!r}", parameter="epsilon")
    return found


# ------------------------------------------------------------------ tests of one human


def mean_below(n: Floats, mean: Floats, square: Floats, bound: Floats) -> tuple[Floats, Floats]:
    """One-sided t-test that a mean lies below a bound.

    Parameters
    ----------
    n, mean, square : ndarray
        (...) number of values, their mean and the mean of their squares.
    bound : ndarray
        (...) what the mean is compared with.

    Returns
    -------
    statistic, p_value : ndarray
        (...) with n − 1 degrees of freedom. Values without any spread are on one side of the
        bound for certain: p is 0 if they lie below, else 1. NaN for a single value.
    """
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.maximum(square - mean**2, 0) * n / (n - 1)
        flat = variance < 1e-12
        t = (mean - bound) / np.sqrt(variance / n)
        t = np.where(flat, np.where(mean < bound, -np.inf, np.inf), t)
        t = np.where(n > 1, t, np.nan)
        p = stdtr(n - 1, np.where(np.isfinite(t), t, 0.0))
    p = np.where(np.isposinf(t), 1.0, np.where(np.isneginf(t), 0.0, p))
    return np.asarray(t), np.asarray(np.where(np.isnan(t), np.nan, p))


def signed_ranks_below(x: Floats) -> tuple[float, float]:
    """Wilcoxon's signed-rank test that values lie below zero, exact with ties.

    Parameters
    ----------
    x : ndarray
        (n,) values; those equal to 0 do not enter.

    Returns
    -------
    statistic, p_value : float
        The sum of the ranks of the positive values, and the share of all 2^n ways to give the
        values a sign in which it is as low. 1 if every value is 0.

    Examples
    --------
    >>> signed_ranks_below(np.array([-1.0, -2.0, -3.0, -4.0, -5.0]))
    (0.0, 0.03125)
    """
    x = x[x != 0]
    if not len(x):
        return 0.0, 1.0
    size = np.abs(x)
    _, of, times = np.unique(np.round(size, 12), return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    doubled = (2 * last - times + 1)[of.reshape(-1)]  # twice the mean rank, a whole number
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2
        ways[:rank] /= 2
    statistic = int(doubled[x > 0].sum())
    return statistic / 2, min(1.0, float(ways[: statistic + 1].sum()))


def harmonic(m: int) -> float:
    """1 + 1/2 + … + 1/m: what Benjamini & Yekutieli (2001) divide the level by."""
    return math.fsum(1 / k for k in range(1, m + 1))


def adjusted(p: Floats) -> Floats:
    """p-values to be compared with q, whatever the tests depend on each other.

    Parameters
    ----------
    p : ndarray
        (m,) p-values of m tests; NaN for what was not tested.

    Returns
    -------
    ndarray
        (m,) the lowest false discovery rate at which the test is rejected (Benjamini & Yekutieli
        2001, theorem 1.3).

    Examples
    --------
    >>> adjusted(np.array([0.01, 0.02, 0.5])).round(4).tolist()
    [0.055, 0.055, 0.9167]
    """
    found = np.full(len(p), np.nan)
    at = np.flatnonzero(~np.isnan(p))
    order = at[np.argsort(p[at], kind="stable")]
    raised = p[order] * len(order) / np.arange(1, len(order) + 1)
    found[order] = np.minimum.accumulate(raised[::-1])[::-1].clip(0, 1)
    return np.minimum(found * harmonic(len(at)), 1.0)


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


# ------------------------------------------------------------------ how many items


@dataclass(frozen=True)
class AlternativePlan(Record):
    """How many items per human the alternative annotator test needs.

    Parameters
    ----------
    n_items : int or None
        Items that each human must annotate, each with another human and the model; None if no
        number is enough, and ``note`` says why.
    chance : float
        Probability of passing with so many.
    formula : float
        What the normal approximation says for one human: the root-n formula.
    advantage, human_advantage, epsilon, q, power : float
    n_humans : int
    note : str or None
    """

    told_as: ClassVar[str] = "alternative_test_items"
    question: ClassVar[None] = None

    n_items: int | None
    chance: float
    formula: float
    advantage: float
    human_advantage: float
    epsilon: float
    n_humans: int
    q: float
    power: float
    note: str | None = None

    def __str__(self) -> str:
        if self.n_items is None:
            return f"no number of items: {self.note}"
        return (
            f"{self.n_items:,} items for each of {self.n_humans} humans: a model with ρ = "
            f"{decimal(self.advantage)} beside humans with ρ = "
            f"{decimal(self.human_advantage)} passes with ε = {self.epsilon:g} with "
            f"probability {percent(self.chance, 0)}"
        )


def alternative_test_items(
    advantage: float,
    human_advantage: float,
    *,
    n_humans: int = 3,
    epsilon: Epsilon = 0.1,
    q: float = 0.05,
    power: float = 0.8,
    rng: int = 0,
) -> AlternativePlan:
    """How many items each human must annotate so that a good model passes."""
    if advantage + human_advantage < 1 - 1e-9:
        raise RequestError(
            f"the advantages of the model ({advantage!r}) and of the human ({human_advantage!r}) "
            "add up to less than 1, but on each item one of the two agrees with the others at "
            "least as well as the other",
            parameter="advantage",
        )
    if n_humans > MOST_HUMANS:
        raise RequestError(
            f"a whole number from 2 to {MOST_HUMANS:,}, not {n_humans!r}", parameter="humans"
        )
    eps = float(epsilons(epsilon, ["any"])[0])
    told = (float(advantage), float(human_advantage), eps, n_humans, q, power)
    delta = human_advantage - advantage
    if delta >= eps:
        note = (
            f"the model would be worse than the humans by {decimal(delta)}, which is ε = "
            f"{eps:g} or more"
        )
        return AlternativePlan(None, 0.0, math.nan, *told, note)

    def chance(n: int) -> float:
        return chance_to_pass(n, advantage, human_advantage, eps, n_humans, q, rng)

    formula = _formula(*told)
    low, high = LEAST - 1, max(LEAST, math.ceil(formula))
    while high <= MOST and chance(high) < power:
        low, high = high, high * 2
    if high > MOST:
        note = f"more than {MOST:,} items would be needed: the model is too near to the bound"
        return AlternativePlan(None, math.nan, formula, *told, note)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= power else (middle, high)
    return AlternativePlan(high, chance(high), formula, *told)


def chance_to_pass(
    n_items: int,
    advantage: float,
    human_advantage: float,
    epsilon: float,
    n_humans: int,
    q: float,
    rng: int = 0,
) -> float:
    """Share of simulated tests, with ``n_items`` for each human, that the model passes."""
    generator = np.random.default_rng([rng, n_items])
    share = np.array([1 - human_advantage, 1 - advantage])
    share = np.append(share, max(0.0, 1 - share.sum()))
    drawn = generator.multinomial(n_items, share / share.sum(), (N_SIMULATIONS, n_humans))
    model, human = drawn[..., 0] / n_items, drawn[..., 1] / n_items
    n, eps = (np.full(model.shape, float(x)) for x in (n_items, epsilon))
    _, p = mean_below(n, human - model, human + model, eps)
    rank = np.arange(1, n_humans + 1)
    below = np.sort(p, axis=1) <= q * rank / (n_humans * harmonic(n_humans))
    return float((np.where(below, rank, 0).max(1) >= HALF * n_humans).mean())


def _formula(
    model: float, human: float, epsilon: float, n_humans: int, q: float, power: float
) -> float:
    """Items for one human, by the normal distribution."""
    delta = human - model
    variance = max((1 - model) + (1 - human) - delta**2, 0.0)
    half = math.ceil(HALF * n_humans)
    level = q * half / (n_humans * harmonic(n_humans))
    reach = normal_quantile(1 - level) + normal_quantile(power)
    return reach**2 * variance / (epsilon - delta) ** 2
