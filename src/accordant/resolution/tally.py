"""What is left to one coder in an open round: counted once, then kept from answer to answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .merging import asks, in_scope
from .progressing import asked_items, left_of
from .state import NONE, Round, State

__all__ = ["Tally", "is_asked", "recounted", "tally"]

MANY = 1000  # items at once, from which all are counted anew when somebody looks


@dataclass
class Tally:
    """How much one coder is asked and what is left, dependent questions included.

    Parameters
    ----------
    scope : sequence of int
        Positions of the items that they annotate, in increasing order.
    n_asked, n_left : int
        Cells that are asked, and those without an answer or a reason to decline.
    undone : set of int
        Positions of the items with a cell that is left.
    """

    scope: Sequence[int]
    n_asked: int
    n_left: int
    undone: set[int]

    def after(self, position: int) -> Iterator[int]:
        """Items that are left, those behind a position first, then those before it."""
        start = bisect_right(self.scope, position)
        for place in (*range(start, len(self.scope)), *range(start)):
            if self.scope[place] in self.undone:
                yield self.scope[place]


def tally(state: State, some: Round, coder: str) -> Tally:
    """What is left to a coder in the open round."""
    kept = some.tallies
    if coder not in kept:
        kept[coder] = _counted(state, some, coder)
    found: Tally = kept[coder]
    return found


def _counted(state: State, some: Round, coder: str) -> Tally:
    n_asked, n_left, undone = 0, 0, set[int]()
    for question in some.questions:
        left = left_of(state, some, coder, question)
        n_asked += len(asked_items(state, some, coder, question))
        n_left += len(left)
        undone.update(left)
    return Tally(in_scope(state, some, coder), n_asked, n_left, undone)


@contextmanager
def recounted(state: State, some: Round, coder: str, items: Iterable[int]) -> Iterator[None]:
    """Around a change of what a coder says about some items: only these are counted again."""
    positions = [*dict.fromkeys(items)]
    if len(positions) > MANY:
        some.tallies.pop(coder, None)
    known: Tally | None = some.tallies.get(coder)
    positions = [] if known is None else positions
    before = [_of_item(state, some, coder, item) for item in positions]
    yield
    for item, (asked, left) in zip(positions, before, strict=True):
        now_asked, now_left = _of_item(state, some, coder, item)
        if known is not None:
            known.n_asked += now_asked - asked
            known.n_left += now_left - left
            (known.undone.add if now_left else known.undone.discard)(item)


def _of_item(state: State, some: Round, coder: str, item: int) -> tuple[int, int]:
    """How many questions a coder is asked about an item, and how many of these are left."""
    asked = [q for q in some.questions if is_asked(state, some, coder, item, q)]
    done = (some.sheet, some.declined)
    left = [q for q in asked if not any(item in s.get(q, {}).get(coder, {}) for s in done)]
    return len(asked), len(left)


def is_asked(state: State, some: Round, coder: str, item: int, question: str) -> bool:
    """Whether a coder is asked a question about an item, given their own answers so far."""
    when = state.epoch.questions[question].asked_if
    if when is None:
        return True
    if when.question in some.questions:
        if not is_asked(state, some, coder, item, when.question):
            return False
        code = some.sheet.get(when.question, {}).get(coder, {}).get(item, NONE)
    else:
        column = state.epoch.current.get(when.question, {}).get(coder, [])
        code = column[item] if item < len(column) else NONE
    return code != NONE and asks(state.epoch.answers[code], state.epoch.questions[question])
