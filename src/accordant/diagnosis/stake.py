"""What is at stake where annotations are off, whatever the reason."""

from __future__ import annotations

from ..measure.registry import item_agreement
from .view import View

__all__ = ["stake_of"]


def stake_of(view: View, off: float) -> float:
    """By how much alpha would rise if so many annotations agreed with the others of their item."""
    counts = view.counts
    paired = counts.size >= 2
    d = 1 - item_agreement(counts, view.w)[paired]
    whole = float((counts.times * counts.size)[paired] @ d)
    share = min(1.0, 2 * max(0.0, float(off)) / whole) if whole else 0.0
    return max(0.0, float((1 - view.alpha) * share))
