"""Why a coefficient has no value: the one list of reasons."""

from __future__ import annotations

import math

import numpy as np

from ..counts.counts import Counts
from .registry import Coefficient, certain
from .results import Undefined

__all__ = ["why_undefined"]


def why_undefined(
    coefficient: Coefficient, counts: Counts, observed: float, expected: float
) -> Undefined | None:
    """The reason why there is no value, or None if there is one."""
    if counts.n_items == 0:
        return Undefined("empty", "there is no annotation")
    if counts.n_coders < 2:
        return Undefined("one_coder", f"only one coder ({counts.coders[0]}) annotated anything")
    if math.isnan(observed):
        return Undefined("no_pairs", "no item was annotated by two coders")
    if coefficient.needs_coders and counts.coder is None:
        return Undefined(
            "unknown_coders",
            "it needs to know which coder gave which label, and the data give only counts",
        )
    if counts.n_values < 2 and math.isnan(expected):
        return Undefined("one_category", f"the scheme has one category only ({counts.values[0]!r})")
    if math.isnan(expected):
        return Undefined("no_chance", "there are too few annotations to estimate chance agreement")
    if certain(np.asarray(expected)).item():
        used = {int(v) for v in counts.value[:1]}
        only = repr(counts.values[used.pop()]) if used else "one value"
        return Undefined(
            "no_variation",
            f"every annotation is {only}, so agreement is certain by chance; "
            "without variation reliability cannot be judged",
        )
    return None
