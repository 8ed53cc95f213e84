"""Patterns of coders and of items, apart from those of categories."""

from __future__ import annotations

from .camps import camps
from .coders import coder_apart
from .drift import common_drift, drift
from .groups import item_group
from .leans import coder_leans
from .repeats import contradictions, inconsistent_coder
from .sequence import sequence_effect

__all__ = ["OF_CODERS", "OF_ITEMS"]

OF_CODERS = frozenset(
    f.__name__
    for f in (camps, coder_apart, coder_leans, drift, inconsistent_coder, sequence_effect)
)
"""What a coder, or some coders, can do something about."""

OF_ITEMS = frozenset(f.__name__ for f in (common_drift, contradictions, item_group))
"""What lies in the items, or in the task."""
