"""What each coder does with all labels together: what is thought of the coder before one label.

A label that is true of five items tells hardly anything about how often each coder finds it, and a
model that learns from these items alone loses the label: it explains the few annotations as slips.
But a coder who misses many labels will miss a rare one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..em import How
from ..emission import Confusions
from ..estimate import believed
from ..estimators.pooling import answers_by_truth, rows_of
from ..model import Model
from ..priors import learned
from ..starts import anchor
from ..votes import Votes

__all__ = ["STRENGTH", "Behaviour", "behaviour", "can_share"]

Floats = NDArray[np.float64]

STRENGTH = 10.0  # annotations in a row that all labels together count for
ROUNDS = 100
STILL = 1e-3  # of a confusion probability: for a prior this is exact enough


class Behaviour(dict[str, Floats]):
    """For each coder a (2, 2) table of made-up annotations; short where options are shown."""

    def __repr__(self) -> str:
        return "all labels together"


def can_share(model: Model, options: Any) -> bool:
    """Whether a model can start from what coders did elsewhere, and was not told already."""
    return "history" in model.takes and options.get("history") is None


def behaviour(tables: Sequence[Votes], how: How) -> Behaviour:
    """How coders say yes and no, whichever the label, while each label has its own prevalence.

    Parameters
    ----------
    tables : sequence of Votes
        (L,) yes or no about each label, by the same coders.
    how : How

    Returns
    -------
    Behaviour
        Rows (what is true) of `STRENGTH` annotations.
    """
    beliefs = [anchor(table) for table in tables]
    confusion = np.zeros(1)
    for _ in range(min(ROUNDS, how.max_iterations)):
        counts: Any = sum(answers_by_truth(t, q) for t, q in zip(tables, beliefs, strict=True))
        new = rows_of(counts + learned(counts, 2.0))
        change = float(np.abs(new - confusion).max())
        confusion = new
        if change < STILL:
            break
        emission = Confusions(confusion)
        beliefs = [
            believed(t, _prevalence(q), emission.log_likelihood(t))[0]
            for t, q in zip(tables, beliefs, strict=True)
        ]
    return Behaviour(zip(tables[0].coders, STRENGTH * confusion, strict=True))


def _prevalence(q: Floats) -> Floats:
    """(2,) with one item made up, half of each: none is impossible."""
    return np.asarray((q.sum(0) + 0.5) / (len(q) + 1))
