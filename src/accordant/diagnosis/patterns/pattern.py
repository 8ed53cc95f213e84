"""What a pattern is: a function of a view that tells what it finds, with what is at stake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

from ..finding import Finding
from ..view import View

__all__ = ["LEVEL", "PATTERNS", "WORTH", "Pattern", "pattern", "stake_of"]

LEVEL = 0.01  # of each family of tests; the families together stay near .05
WORTH = 0.02  # points of alpha: what moves less than the second digit is only a note

Pattern: TypeAlias = Callable[[View], Iterator[Finding]]
_Pattern = TypeVar("_Pattern", bound=Callable[..., Iterator[Finding]])  # further ones may follow
PATTERNS: dict[str, Pattern] = {}
"""Every pattern by its name; the first line of its docstring is the title of its findings."""


def pattern(function: _Pattern) -> _Pattern:
    """Register a pattern under its name, which is the code of its findings."""
    PATTERNS[getattr(function, "__name__", "")] = function
    return function


def stake_of(view: View, excess: float) -> float:
    """Points of alpha that an excess share of all disagreement costs.

    Alpha is 1 - D_o / D_e. Without the share x of the observed disagreement, and with the same
    expected one, it would be higher by x (1 - alpha). In a view of some coders or items the excess
    is a share of their disagreement only: what is told is always in the alpha of the whole view.
    """
    if view.within is None:
        return max(0.0, float((1 - view.alpha) * excess))
    whole, all_of_it = view.within, view.within.disagreement
    share = float(excess) * view.disagreement / all_of_it if all_of_it else 0.0
    return max(0.0, float((1 - whole.alpha) * share))
