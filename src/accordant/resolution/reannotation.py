"""What rounds of re-annotation changed: told from the log, from its beginning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .cells import cell_state
from .disagreement import unanimous
from .event import apply
from .procedure import read_event
from .records import Answer
from .rounds import RoundClosed
from .state import Epoch, Round, State
from .store.record import Record
from .words import CellState

__all__ = ["Again", "annotated_again"]


@dataclass(frozen=True)
class Again:
    """What a round of re-annotation changed on one question.

    Parameters
    ----------
    epoch, round : int
    question : str
    agreed, conflicting : int
        Cells of the scope that agreed, and that conflicted, before.
    changed : int
        Of those that agreed: another answer now, or none that all share.
    settled : int
        Of those that conflicted: agreed now.
    """

    epoch: int
    round: int
    question: str
    agreed: int = 0
    changed: int = 0
    conflicting: int = 0
    settled: int = 0


def annotated_again(records: Iterable[Record]) -> list[Again]:
    """What each round of re-annotation changed: the log is read once, from the beginning.

    Examples
    --------
    >>> annotated_again([])
    []
    """
    found, state = list[Again](), State()
    for record in records:
        event = read_event(record.kind, record.body)
        some = state.epoch.round if isinstance(event, RoundClosed) else None
        some = some if some is not None and some.orders else None
        before = _cells(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _cells(state.epoch, some)
            found += [_again(state, some, q, before[q], after[q]) for q in some.questions]
    return found


_TORN = "in conflict"
_Cell = Answer | str | None
"""The answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""


def _cells(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    items = range(some.n_items) if some.items is None else some.items
    torn = CellState.CONFLICTING
    return {
        q: [_TORN if cell_state(epoch, i, q) is torn else unanimous(epoch, i, q) for i in items]
        for q in some.questions
    }


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    both = [*zip(before, after, strict=True)]
    agreed = [(old, new) for old, new in both if old not in (None, _TORN)]
    torn = [new for old, new in both if old == _TORN]
    return Again(
        state.epoch.number,
        some.number,
        question,
        len(agreed),
        sum(old != new for old, new in agreed),
        len(torn),
        sum(new not in (None, _TORN) for new in torn),
    )
