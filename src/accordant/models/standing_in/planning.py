"""How many items each human must annotate for the alternative annotator test to be passed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...inference.distributions import normal_quantile
from ...numbers import decimal, percent
from ...results import Result
from ...validation import checked
from .alternative import HALF, Epsilon, epsilons
from .rejecting import harmonic, mean_below, share_of

__all__ = ["AlternativePlan", "alternative_test_items", "chance_to_pass"]

Floats = NDArray[np.float64]

LEAST = 30  # items below which the t-test is not trusted (Calderon et al. 2025)
MOST = 1_000_000
MOST_HUMANS = 1000
N_SIMULATIONS = 4000


@dataclass(frozen=True)
class AlternativePlan(Result):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]

    def __str__(self) -> str:
        if self.n_items is None:
            return f"no number of items: {self.note}"
        return (
            f"{self.n_items:,} items for each of {self.n_humans} humans: a model with ρ = "
            f"{decimal(self.advantage, 2)} beside humans with ρ = "
            f"{decimal(self.human_advantage, 2)} passes with ε = {decimal(self.epsilon, 2)} with "
            f"probability {percent(self.chance, 0)}"
        )


@checked
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
    model, human = (share_of(n, x, open_end=False) for n, x in
                    (("advantage", advantage), ("human_advantage", human_advantage)))  # fmt: skip
    if model + human < 1 - 1e-9:
        raise RequestError(
            f"the advantages of the model ({advantage!r}) and of the human ({human_advantage!r}) "
            "add up to less than 1, but on each item one of the two agrees with the others at "
            "least as well as the other",
            parameter="advantage",
        )
    if (
        isinstance(n_humans, bool)
        or not isinstance(n_humans, int)
        or not (2 <= n_humans <= MOST_HUMANS)
    ):
        raise RequestError(f"a whole number from 2 to 1,000, not {n_humans!r}", parameter="humans")
    eps = float(epsilons(epsilon, ["any"])[0])
    q, power = share_of("q", q), share_of("power", power)
    delta = human - model
    told = (model, human, eps, n_humans, q, power)
    if delta >= eps:
        note = (
            f"the model would be worse than the humans by {decimal(delta, 2)}, which is ε = "
            f"{decimal(eps, 2)} or more"
        )
        return AlternativePlan(None, 0.0, math.nan, *told, note)
    formula = _formula(model, human, eps, n_humans, q, power)
    low, high = LEAST - 1, max(LEAST, math.ceil(formula))
    while high <= MOST and chance_to_pass(high, model, human, eps, n_humans, q, rng) < power:
        low, high = high, high * 2
    if high > MOST:
        note = f"more than {MOST:,} items would be needed: the model is too near to the bound"
        return AlternativePlan(None, math.nan, formula, *told, note)
    while high - low > 1:
        middle = (low + high) // 2
        enough = chance_to_pass(middle, model, human, eps, n_humans, q, rng) >= power
        low, high = (low, middle) if enough else (middle, high)
    chance = chance_to_pass(high, model, human, eps, n_humans, q, rng)
    return AlternativePlan(high, chance, formula, *told)


def chance_to_pass(
    n_items: int, advantage: float, human_advantage: float, epsilon: float, n_humans: int,
    q: float, rng: int = 0,
) -> float:  # fmt: skip
    """Share of simulated tests, with ``n_items`` for each human, that the model passes."""
    generator = np.random.default_rng([rng, n_items])
    share = np.array([1 - human_advantage, 1 - advantage])
    share = np.append(share, max(0.0, 1 - share.sum()))
    drawn = generator.multinomial(n_items, share / share.sum(), (N_SIMULATIONS, n_humans))
    model, human = drawn[..., 0] / n_items, drawn[..., 1] / n_items
    _, p = mean_below(np.full(model.shape, float(n_items)), human - model, human + model,
                      np.full(model.shape, epsilon))  # fmt: skip
    bound = q * np.arange(1, n_humans + 1) / (n_humans * harmonic(n_humans))
    below = np.sort(p, axis=1) <= bound
    beaten = np.where(below, np.arange(1, n_humans + 1), 0).max(1)
    return float((beaten >= HALF * n_humans).mean())


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
