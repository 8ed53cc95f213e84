"""What is judged: every model, the default among them, and the vote."""

from __future__ import annotations

import math
from inspect import signature
from typing import Any

import numpy as np

import accordant as ac
from accordant.errors import AccordantError

from .gold import Crowd
from .scores import Beliefs

MODELS = tuple(row["model"] for row in ac.list_models().to_rows())
DEFAULT = str(signature(ac.fit).parameters["model"].default)
VOTE = "majority"

METHODS = MODELS
"""Every row of the tables that is ours; the default is one of them."""


def fitted(model: str, given: Crowd) -> Beliefs:
    """A model with its intervals, as somebody gets it who gives no option."""
    found = ac.fit(given.data, model)
    return believed(found, table_of(found))


def believed(found: Any, table: Any) -> Beliefs:
    """What a posterior says of items, and a table of coders of coders.

    This and `table_of` are all that the benchmark knows of results.
    """
    own = found.estimate.average
    return Beliefs(
        found.items,
        found.categories,
        np.asarray(found.probabilities),
        None if own is None else own.alone,
        None if table is None else {str(c.coder): (c.low, c.high) for c in table},
        prevalence_of(found),
        math.nan if own is None else found.worth,
    )


def table_of(found: Any) -> Any:
    """The coders of a posterior; None if there is no such table."""
    try:
        return ac.coders(found)
    except AccordantError:
        return None


def prevalence_of(found: Any) -> list[tuple[float, float]] | None:
    """The interval of the prevalence of each category, if the model has one."""
    if not found.model.probabilistic:
        return None
    ends = found.interval("prevalence")
    return list(zip(ends.low.tolist(), ends.high.tolist(), strict=True))
