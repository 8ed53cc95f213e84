"""What could not be seen: how strong a cause must have been to be found.

The last table, in which no explanation exceeds the null, is the yardstick: for each pair of labels
and each coder, how many further deviations would have been found four times in five.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..inference.null import surprise
from .coder_explanations import ABLE, ordinary_rate
from .deviations import Deviations
from .explanation import cost

__all__ = ["Power", "power"]

Floats = NDArray[np.float64]

POWER = 0.8  # four times in five
ONE_SIDED = 0.8416  # standard deviations of that
SEEN, SEEN_BY_TWO, SEEN_OF_CODER = 0.8, 0.7, 0.92
"""Of what deviates, the part that is seen as such: a part is taken for errors of other kinds, and
a larger one where nobody but two coders annotated the items (tests/claims)."""
STEPS = 40  # of halving


@dataclass(frozen=True, eq=False)
class Power:
    """What would have been found four times in five. C coders, L labels.

    Parameters
    ----------
    pairs : ndarray
        (L, L) share of the annotations of two labels that must be given for each other, beyond
        random errors, symmetric; NaN where nothing would have been enough.
    coders : ndarray
        (C,) share of a coder's annotations that must differ; empty where coders cannot be told
        apart.
    """

    pairs: Floats
    coders: Floats


def power(at: Deviations) -> Power:
    """What would have been found beside the last null."""
    return Power(_pairs(at), _coders(at) if at.sure else np.zeros(0))


def _pairs(at: Deviations) -> Floats:
    null, (d, e) = at.null, at.changed
    rows, by_null = (
        np.maximum(at.changes.losses(x.sum(0)), 1e-9) for x in (at.observed, at.expected)
    )
    once, twice = (at.changes.table(x) for x in (null.once, null.twice))
    clumping = null.clumping(once + once.T, twice + twice.T)
    guessed = at.expected.sum((0, 2))[:, None] * null.parts["guesses"]
    e = np.maximum(e, at.changes.table(guessed))  # a strong pair would be taken for guesses in part
    share = np.minimum((e + e.T) / (by_null[:, None] + by_null), 1 - 1e-9)
    held = null.exposure.sum(0) @ at.changes.held
    held = held if len(held) == len(rows) else np.append(held, 0)[: len(rows)]
    exposed = held[:, None] + held
    part = SEEN if (null.patterns.size > 2).any() else SEEN_BY_TWO
    of = rows[:, None] + rows

    def found(more: Floats) -> NDArray[np.bool_]:
        more = more * (1 - more / np.maximum(exposed, 1e-9))  # who both confuse an item agree
        o = (of - d - d.T) * share / np.maximum(1 - share, 1e-9) + part * more
        o -= ONE_SIDED * np.sqrt(np.maximum(o * clumping, 0))
        t = (of - d - d.T) / np.maximum(1 - share, 1e-9) + more
        return np.asarray(surprise(o, t, share, clumping) > cost(d.size / 2))

    least = _least(found, exposed / 2)
    np.fill_diagonal(least, np.nan)
    return np.asarray(least / np.maximum(exposed, 1e-9))


def _coders(at: Deviations) -> Floats:
    n = at.null.exposure.sum(1)
    top = ordinary_rate(at, ABLE)

    def found(more: Floats) -> NDArray[np.bool_]:
        seen = SEEN_OF_CODER * more
        o = seen - ONE_SIDED * np.sqrt(np.maximum(seen * (1 - seen / np.maximum(n, 1e-9)), 0))
        return np.asarray(surprise(o, n, top) > cost(len(n)))

    return np.asarray(_least(found, n) / np.maximum(n, 1e-9))


def _least(found: Callable[[Floats], NDArray[Any]], most: Floats) -> Floats:
    """The smallest count that is found, by halving; NaN if not even the largest is."""
    low, high = np.zeros(most.shape), most.astype(float)
    never = ~found(high)
    for _ in range(STEPS):
        middle = (low + high) / 2
        enough = found(middle)
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
    return np.where(never, math.nan, high)
