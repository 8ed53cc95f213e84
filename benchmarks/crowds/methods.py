"""What is judged: every model, the default, the advised model and the vote."""

from __future__ import annotations

import math
from inspect import signature
from typing import Any

import numpy as np

import accordant as ac
from accordant.errors import AccordantError
from accordant.models.call import MODELS

from .gold import Crowd
from .scores import Beliefs

SLOW = ("hierarchical", "subtypes")
"""Models that are given a part of a large crowd."""

DEFAULT = str(signature(ac.fit).parameters["model"].default)
VOTE, ADVISED = "majority", "advised"

METHODS = (*MODELS, ADVISED)
"""Every row of the tables that is ours; the default is one of them."""


def part_for(method: str, given: Crowd) -> Crowd:
    """The crowd, or the part of it that a method is given."""
    return given.capped if method in SLOW else given


def beliefs_of(method: str, given: Crowd) -> tuple[Beliefs, str]:
    """What a method says of a crowd, and the name of the model.

    Raises
    ------
    AccordantError
        If the model is not for such data.
    """
    model = advised(given) if method == ADVISED else method
    return fitted(model, given), model


def advised(given: Crowd) -> str:
    """The model that is advised to somebody without known labels; from a part if it is large."""
    return str(ac.which_model(given.capped.data).advised)


def fitted(model: str, given: Crowd) -> Beliefs:
    """A model with its intervals, as somebody gets it who gives no option."""
    found = ac.fit(given.data, model)
    return believed(found, table_of(found))


def believed(found: Any, table: Any) -> Beliefs:
    """What a posterior says of items, and a table of coders of coders.

    This and `table_of` are all that the benchmark knows of results.
    """
    model = found.model.probabilistic
    return Beliefs(
        found.items,
        found.categories,
        np.asarray(found.probabilities),
        found.not_recalibrated.probabilities if model else None,
        None if table is None else {str(c.coder): (c.low, c.high) for c in table},
        prevalence_of(found),
        found.worth if model else math.nan,
    )


def table_of(found: Any) -> Any:
    """The coders of a posterior; None if there is no such table."""
    try:
        return ac.coders(found, leave_out=0)
    except AccordantError:
        return None


def prevalence_of(found: Any) -> list[tuple[float, float]] | None:
    """The interval of the prevalence of each category, if the model has one."""
    if not found.model.probabilistic:
        return None
    ends = found.interval("prevalence")
    return list(zip(ends.low.tolist(), ends.high.tolist(), strict=True))
