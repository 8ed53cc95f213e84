"""Cells that a coder declined, and on which all others gave the same answer.

The coders who annotated an item must agree on it. Who declined, for a reason that is on record,
did not annotate it: that is no disagreement, and is said wherever the answer is given out.
"""

from __future__ import annotations

from .cells import asked_at, codes_at, look_at_many, missing_cells
from .disagreement import cases_about
from .state import Epoch

__all__ = ["agreed_by_others"]

ENOUGH = 2  # coders who gave the same answer


def agreed_by_others(epoch: Epoch) -> dict[str, list[int]]:
    """Positions of such cells by question; only questions that have some.

    Parameters
    ----------
    epoch : Epoch

    Examples
    --------
    >>> agreed_by_others(Epoch(1))
    {}
    """
    missing = missing_cells(epoch)
    if missing:
        look_at_many(epoch)
    found = {
        question: [item for item in items if _agreed(epoch, item, question)]
        for question, items in missing.items()
    }
    return {question: items for question, items in found.items() if items}


def _agreed(epoch: Epoch, item: int, question: str) -> bool:
    codes = codes_at(epoch, item, question)
    if len(codes) < ENOUGH or len(set(codes.values())) > 1:
        return False
    silent = (coder for coder in asked_at(epoch, item, question) if coder not in codes)
    return all(_only_declined(epoch, item, question, coder) for coder in silent)


def _only_declined(epoch: Epoch, item: int, question: str, coder: str) -> bool:
    """Declined, and never annotated: who did once must still be heard."""
    declined = any(item in r.declined.get(question, {}).get(coder, {}) for r in epoch.rounds)
    annotated = any(item in r.sheet.get(question, {}).get(coder, {}) for r in epoch.rounds)
    rescored = any(coder == who for case in cases_about(epoch, item) for who, *_ in case.rescored)
    return declined and not annotated and not rescored
