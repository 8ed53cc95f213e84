"""All patterns of a view, what is most at stake first."""

from __future__ import annotations

import math

from ..finding import Finding, ranked
from ..view import View
from .pattern import PATTERNS

__all__ = ["patterns"]


def patterns(view: View) -> tuple[Finding, ...]:
    """Why coders disagree, as far as their disagreements show it.

    Empty where nothing is compared, or nothing is disputed.
    """
    if not view.counts.n_pairable or math.isnan(view.alpha):
        return ()
    return ranked(finding for find in PATTERNS.values() for finding in find(view))
