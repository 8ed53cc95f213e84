"""How far the coders of an open round are: counts of what they submitted, and what is left to one.

What is left is counted once, then kept from answer to answer. Nothing here tells an answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .round_result import asks, in_order, in_scope, labels_that_ask
from .state import NONE, Round, State

__all__ = [
    "Progress",
    "Tally",
    "asked_items",
    "dependent_within",
    "done_by",
    "is_asked",
    "left_of",
    "left_to_do",
    "progress",
    "recounted",
    "tally",
]


@dataclass(frozen=True)
class Progress:
    """One coder in one round.

    Counts are of questions that are asked whatever is answered in the round: how many dependent
    ones a coder was asked tells how often they answered the parent so.

    Parameters
    ----------
    coder : str
    submitted, declined : int
        Cells (item × question).
    expected : int
        Cells that this coder is asked.
    done : bool
        Whether nothing is left of these, and, where other questions depend on them in the same
        round, the coder has said so: whether these are answered would tell the answer.
    """

    coder: str
    submitted: int
    declined: int
    expected: int
    done: bool = False

    @property
    def left(self) -> int:
        """How many cells wait."""
        return self.expected - self.submitted - self.declined


def progress(state: State, some: Round) -> list[Progress]:
    """How far each coder of an open round is."""
    return [_progress_of(state, some, coder) for coder in some.coders]


def done_by(state: State, some: Round, coder: str) -> bool:
    """Whether a coder of an open round is done with it."""
    return _progress_of(state, some, coder).done


def _progress_of(state: State, some: Round, coder: str) -> Progress:
    submitted = declined = expected = 0
    dependent = dependent_within(state, some)
    for question in some.questions:
        if question in dependent:
            continue
        asked, everything = _asked(state, some, coder, question)
        given = some.sheet.get(question, {}).get(coder, {})
        refused = some.declined.get(question, {}).get(coder, {})
        n_given = len(given) if everything else sum(map(given.__contains__, asked))
        n_refused = len(refused) if everything else sum(map(refused.__contains__, asked))
        expected += len(asked)
        submitted += n_given
        declined += n_refused
    says_so = not dependent or not expected or coder in some.submitted
    return Progress(
        coder, submitted, declined, expected, says_so and submitted + declined == expected
    )


def dependent_within(state: State, some: Round) -> tuple[str, ...]:
    """Questions of a round that are asked only after an answer that is given in it."""
    parents = ((q, state.epoch.questions[q].asked_if) for q in some.questions)
    return tuple(q for q, above in parents if above and above.question in some.questions)


def _asked(state: State, some: Round, coder: str, question: str) -> tuple[Sequence[int], bool]:
    """Items of the scope on which a coder is asked a question; whether these are all."""
    scope = in_scope(state, some, coder)
    record = state.epoch.questions[question]
    if record.asked_if is None:
        return scope, True
    asking = labels_that_ask(state.epoch, record)
    above = record.asked_if.question
    if above in some.questions:
        sheet = some.sheet.get(above, {}).get(coder, {})
        fitting, _ = _asked(state, some, coder, above)
        return [item for item in fitting if sheet.get(item, NONE) in asking], False
    column = state.epoch.current.get(above, {}).get(coder, [])
    return [item for item in scope if item < len(column) and column[item] in asking], False


def asked_items(state: State, some: Round, coder: str, question: str) -> Sequence[int]:
    """Positions of the items on which a coder is asked a question, as they have answered so far."""
    return _asked(state, some, coder, question)[0]


def left_to_do(state: State, some: Round, coder: str) -> dict[str, list[int]]:
    """Positions of the items that a coder has still to annotate or decline, by question.

    Questions whose parent is not answered yet are not among them.
    """
    found = {}
    records = [q for q in state.epoch.questions.values() if q.id in some.questions]
    for question in in_order(records):
        if left := left_of(state, some, coder, question.id):
            found[question.id] = left
    return found


def left_of(state: State, some: Round, coder: str, question: str) -> list[int]:
    """Positions of the items that a coder has still to annotate or decline on one question."""
    given = some.sheet.get(question, {}).get(coder, {})
    refused = some.declined.get(question, {}).get(coder, {})
    asked, _ = _asked(state, some, coder, question)
    return [item for item in asked if item not in given and item not in refused]


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
