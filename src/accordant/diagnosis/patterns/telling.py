"""How much of what patterns show goes into a finding, and how loudly it is said."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counts.counts import Counts
from ..finding import Severity
from .pattern import WORTH

__all__ = ["MOST_ITEMS", "MOST_LINES", "items_of", "severity_of"]

MOST_ITEMS = 25
MOST_LINES = 8


def severity_of(stake: float) -> Severity:
    """A warning, or a note if it moves less than the second digit."""
    return "warning" if stake >= WORTH else "note"


def items_of(counts: Counts, shown: NDArray[Any]) -> tuple[int, ...]:
    """Positions of the first items that show one of the patterns of a mask (P,)."""
    of_items = np.append(np.asarray(shown, bool), False)[counts.pattern_of]
    return tuple(int(i) for i in np.flatnonzero(of_items)[:MOST_ITEMS])
