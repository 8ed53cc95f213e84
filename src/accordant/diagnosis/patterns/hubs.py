"""A category that is disputed with many others: the trouble is the category, not one pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..disputes import Disputes, Mask, at_least
from ..finding import Contrast
from ..words import quoted
from .pattern import LEVEL
from .telling import MOST_LINES

__all__ = ["Hub", "hub_lines", "hubs"]

MOST_TRIED = 10  # categories with the largest excess
STRONGEST = 0.5  # of its disputes are with one partner: then it is half of a pair
UNEVEN = 1.2  # times an even spread over the partners is allowed where there are only two
AGAIN = 0.05  # level of the second test, without the strongest partner: the first one decides


@dataclass(frozen=True)
class Hub:
    """A category with more disputes than chance gives it, also without its strongest partner.

    ``share`` of the disputed items are about it, ``expected`` would be; ``partners`` are
    positions of the categories it is disputed with, the strongest first.
    """

    position: int
    share: float
    expected: float
    p_value: float
    partners: tuple[int, ...]


def hubs(found: Disputes, left: Mask) -> list[Hub]:
    """The categories that take part in more disputes than chance gives them, most first.

    The half of a confused pair is none: it must be disputed more than by chance with the other
    categories as well.
    """
    if found.n_taken < 3 or not left.any():
        return []
    of, votes = _total(found, left), (found.votes * left).sum(1)
    expected = found.nulls(left).sum(2).max(0)
    excess = (votes - expected * of)[: found.n_taken]
    tried = [int(k) for k in np.argsort(-excess, kind="stable")[:MOST_TRIED] if excess[k] > 0]
    each = [_hub(found, left, k) for k in tried]
    return [x for x in each if x is not None]


def _hub(found: Disputes, left: Mask, k: int) -> Hub | None:
    own = found.votes[k] * left[k]
    order = [int(j) for j in np.argsort(-own, kind="stable") if own[j] > 0]
    if len(order) < 2:
        return None
    share, expected, p = _taking_part(found, left, k)
    rest = left.copy()
    rest[k, order[0]] = rest[order[0], k] = False
    p = min(1.0, p * found.n_taken)
    most = max(STRONGEST, UNEVEN / (found.n_taken - 1)) * float(own.sum())
    spread = own[order[0]] <= most and _taking_part(found, rest, k)[2] < AGAIN
    return Hub(k, share, expected, p, tuple(order)) if p < LEVEL and spread else None


def _taking_part(found: Disputes, left: Mask, k: int) -> tuple[float, float, float]:
    """Share of the disputes that a category takes part in, by chance, and the p-value of more."""
    of, own = _total(found, left), float((found.votes[k] * left[k]).sum())
    expected = float(found.nulls(left)[:, k].sum(1).max())
    return own / of if of else 0.0, expected, float(at_least(own, of, expected))


def _total(found: Disputes, left: Mask) -> float:
    return float(np.triu(found.votes * left, 1).sum())


def hub_lines(found: Disputes, left: Mask, hub: int) -> tuple[Contrast, ...]:
    """The hub, then what takes part in most disagreements, beside their share by chance."""
    own = (found.table * left).sum(1)[: found.n_taken]
    of = float(np.triu(found.table * left, 1).sum()) or 1.0
    expected = found.nulls(left).sum(2).max(0)
    order = np.argsort(-own, kind="stable").tolist()
    return tuple(
        Contrast(quoted(found.values[k]), int(own[k]), float(own[k] / of), float(expected[k]))
        for k in [hub, *(k for k in order if k != hub)][:MOST_LINES]
    )
