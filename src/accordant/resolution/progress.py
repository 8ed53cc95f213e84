"""How far the coders of an open round are: counts of what they submitted, and what is left to one.

Nothing here tells an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .round_result import asks, in_order, in_scope, labels_that_ask
from .state import NONE, Round, State


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
