"""How many items are needed: from a pilot, or from what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..counts.count import count
from ..data.read import read
from ..errors import RequestError
from ..measure.distances import WeightsLike
from ..measure.measures import measures
from ..measure.weights_file import weights_of
from ..messages import Action
from ..validation import checked
from .measured import compared
from .planning import ItemPlan, plan_from_assumptions, plan_from_pilot

__all__ = ["items_needed"]


@checked
def items_needed(
    width: float,
    pilot: Any = None,
    *,
    coefficient: str = "alpha",
    agreement: float | None = None,
    shares: Sequence[float] | None = None,
    n_coders: int = 2,
    weights: WeightsLike | None = None,
    level: float = 0.95,
    population: float | None = None,
    **reading: Any,
) -> ItemPlan:
    """Tell how many items give an interval of the wanted width."""
    (asked,), within = measures(coefficient), np.inf if population is None else population
    wanted, weights = asked.coefficient, asked.weighed(weights_of(weights))
    if pilot is not None and (agreement is not None or shares is not None):
        raise RequestError("give a pilot, or the expected agreement and shares, not both")
    if pilot is not None:
        data = read(pilot, **reading)
        if len(data.questions) > 1:
            raise RequestError(
                f"the pilot has several questions ({', '.join(data.questions)}), each with a "
                "number of its own: give one of them",
                do=[Action("of_question", {"question": data.questions[0]})],
            )
        counts, scheme = count(data), data.scheme
        counts, w = compared(wanted, counts, scheme, weights)
        return plan_from_pilot(wanted, counts, w, width, level=level, population=within)
    if wanted.only_sets or asked.key != wanted.key:
        raise RequestError(
            f"{asked.key} is planned from a pilot: how many labels coders give decides about it"
        )
    if agreement is None or shares is None:
        raise RequestError(
            "say what is expected: a pilot, or the expected kappa and how common each category is",
            do=[Action("", {"agreement": ..., "shares": ...})],
        )
    return plan_from_assumptions(
        wanted, agreement, shares, n_coders, width, level=level, population=within,
        weights="identity" if weights is None else weights,
    )  # fmt: skip
