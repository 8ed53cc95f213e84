"""Both ends of the intervals of coders, where draws alone would promise too much."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..estimate import Interval
from ..intervals import NO_ERROR, unseen_error
from .drawing import Expected

__all__ = ["Ends", "holding", "opened"]

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]

NEVER = 1e-12


def holding(ends: Ends, x: Floats) -> Ends:
    """The interval, wide enough to hold what the model says itself."""
    return np.fmin(ends[0], x), np.fmax(ends[1], x)


def opened(
    found: Expected,
    right: tuple[Floats, Ends],
    skill: tuple[Floats, Ends],
    chance: Floats,
    own: Interval | None,
    level: float,
) -> tuple[Ends, Ends]:
    """The ends for the share of right labels, and for skill, (C,) each.

    Parameters
    ----------
    found : Expected
        What coders answered to what.
    right, skill : tuple
        (C,) what the model says, and the ends (C,) of the draws.
    chance : ndarray
        (C,) share that would be right by chance.
    own : Interval, optional
        What the model says of the share of right labels, labels taken as found.
    level : float

    Notes
    -----
    Draws know only errors that somebody made. Of who made none, they exclude no more than so many
    annotations do (`unseen_error`). Where the draws lie beside what the model says, which knows
    more (a prior, what coders did with other labels), the interval is joined with its own. Skill
    opens as far as errors take it: one in n annotations by 1 / n / (1 - chance).
    """
    share, (low, high) = right
    value, (skill_low, skill_high) = skill
    scale = 1 / np.maximum(1 - chance, NEVER)
    if own is not None and own.level == level:
        down, up = np.fmax(share - own.low, 0), np.fmax(own.high - share, 0)
        low, high = _joined(share, (low, high), down, up)
        skill_low, skill_high = _joined(value, (skill_low, skill_high), down * scale, up * scale)
    k = np.arange(found.counts.shape[1])
    counts = found.counts[:, :, : len(k)]
    n = counts.sum((1, 2))
    free = (n - counts[:, k, k].sum(1) < NO_ERROR) & (n > NO_ERROR)
    more = np.where(free, np.fmax(low - unseen_error(n, level), 0), 0)
    low, skill_low = low - more, skill_low - more * scale
    ends = np.fmax(skill_low, -1), np.fmin(skill_high, 1)
    return holding((low, high), share), holding(ends, value)


def _joined(x: Floats, ends: Ends, down: Floats, up: Floats) -> Ends:
    """Ends beyond which x lies go so far below or above it."""
    low, high = ends
    return np.where(x <= low, x - down, low), np.where(x >= high, x + up, high)
