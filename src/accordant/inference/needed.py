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
    """Tell how many items give an interval of the wanted width.

    Parameters
    ----------
    width : float
        Width of the interval from end to end.
    pilot : Annotations, path, data frame or array, optional
        Annotations like those to come. Without them, ``agreement`` and ``shares`` say what is
        expected.
    coefficient : str
    agreement : float, optional
        The kappa that is expected.
    shares : sequence of float, optional
        How common each category is expected to be.
    n_coders : int
        Coders of each item, where there is no pilot.
    weights, level, population
        As in `agreement`.
    **reading
        Options of `read`, for the pilot.

    Returns
    -------
    ItemPlan

    Raises
    ------
    RequestError
        If there is neither a pilot nor an expectation.

    Examples
    --------
    >>> import accordant as ac
    >>> plan = ac.items_needed(0.2, coefficient="kappa", agreement=0.6, shares=[0.7, 0.3])
    >>> plan.n_items
    298
    """
    (asked,), within = measures(coefficient), np.inf if population is None else population
    wanted, weights = asked.coefficient, asked.weighed(weights)
    if pilot is not None and (agreement is not None or shares is not None):
        raise RequestError("give a pilot, or agreement= and shares=, not both")
    if pilot is not None:
        data = read(pilot, **reading)
        if len(data.questions) > 1:
            raise RequestError(
                f"the pilot has several questions ({', '.join(data.questions)}), each with a "
                "number of its own: give read(...).of_question(name)"
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
            "say what is expected: a pilot, or agreement= (the expected kappa) and shares= (how "
            "common each category is)"
        )
    return plan_from_assumptions(
        wanted, agreement, shares, n_coders, width, level=level, population=within,
        weights="identity" if weights is None else weights,
    )  # fmt: skip
