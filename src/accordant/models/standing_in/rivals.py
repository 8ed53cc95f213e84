"""Which of several models comes nearest to the humans, and which cannot be told from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...inference.intervals import p_value
from ...results import Result
from .aligning import MISSING
from .alternative import ModelTest, mean_advantage, spread
from .rejecting import adjusted

__all__ = ["ModelDifference", "rivals"]

Ints = NDArray[np.integer[Any]]
Signs: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True)
class ModelDifference(Result):
    """The advantage probabilities of two models on the items that both annotated.

    Parameters
    ----------
    first, second : str
    n_items, n_humans : int
        What both rest on: the items of both, and the humans for whom both were tested.
    first_advantage, second_advantage, difference : float
        Mean ρ of each, and the first less the second.
    se, low, high : float
        Of the difference, over items.
    p_value, p_adjusted : float
        That there is none, alone and corrected for the number of pairs of models.
    """

    first: str
    second: str
    n_items: int
    n_humans: int
    first_advantage: float
    second_advantage: float
    difference: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    p_adjusted: float = math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]


def rivals(
    tests: Sequence[ModelTest], sign: Signs, item: Ints, human: Ints, level: float
) -> tuple[ModelDifference, ...]:
    """Every pair of models, paired over items (M (M − 1) / 2 of them).

    Parameters
    ----------
    tests : sequence of ModelTest
        (M,)
    sign : ndarray of int8
        (N, M)
    item, human : ndarray of int
        (N,)
    level : float
    """
    tested = [np.array([t.beaten is not None for t in model.tests]) for model in tests]
    found = []
    for a in range(len(tests)):
        for b in range(a + 1, len(tests)):
            both = (sign[:, a] != MISSING) & (sign[:, b] != MISSING)
            n = np.bincount(human[both], minlength=len(tested[a]))
            chosen = tested[a] & tested[b] & (n > 0)
            names = tests[a].model, tests[b].model
            if not chosen.any():
                found.append(ModelDifference(*names, 0, 0, math.nan, math.nan, math.nan))
                continue
            one, first, n_items = mean_advantage(sign[:, a] <= 0, both, item, human, chosen)
            two, second, _ = mean_advantage(sign[:, b] <= 0, both, item, human, chosen)
            se, low, high = spread(one - two, first - second, n_items, level)
            p = p_value(one - two, 0.0, se, n_items - 1, "two-sided")
            if se == 0:  # the two never differ, or always in the same way
                p = 1.0 if one == two else 0.0
            found.append(
                ModelDifference(
                    *names, n_items, int(chosen.sum()), one, two, one - two, se, low, high, p
                )
            )
    corrected = adjusted(np.array([d.p_value for d in found]))
    return tuple(
        replace(d, p_adjusted=float(p)) for d, p in zip(found, corrected.tolist(), strict=True)
    )
