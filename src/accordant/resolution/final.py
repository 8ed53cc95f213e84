"""What the annotations come to: for each item and question an answer, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .cells import codes_at, states_of
from .declining import agreed_by_others
from .records import Answer
from .state import NONE, Case, Epoch, State
from .words import CaseState, CellState, Settled

__all__ = ["FinalAnswers", "Provenance", "final_answers"]


class Provenance(StrEnum):
    """How an answer came about."""

    ANNOTATION = "agreed by annotation"
    RESOLUTION = "agreed by resolution"
    LEFT = "left disagreed"
    DECIDED = "decided by the adjudicator"
    AGGREGATED = "aggregated"
    DECLINED = "agreed by the others, declined by a coder"
    UNSETTLED = "not settled"
    INCOMPLETE = "incomplete"
    ONE_NOT_APPLICABLE = "one not applicable"
    NOT_APPLICABLE = "not applicable"
    OUT_OF_SCOPE = "out of scope"


@dataclass(frozen=True)
class FinalAnswers:
    """The answers to one question.

    Parameters
    ----------
    question : str
    answers : list of Answer or None
        One for each item; None where there is not one: see `cells.answers_at` for all values.
    provenance : list of Provenance
        One for each item.
    """

    question: str
    answers: list[Answer | None]
    provenance: list[Provenance]


_OF_CELL = {
    CellState.AGREED: Provenance.ANNOTATION,
    CellState.CONFLICTING: Provenance.UNSETTLED,
    CellState.INCOMPLETE: Provenance.INCOMPLETE,
    CellState.ONE_NOT_APPLICABLE: Provenance.ONE_NOT_APPLICABLE,
    CellState.NOT_APPLICABLE: Provenance.NOT_APPLICABLE,
    CellState.OUT_OF_SCOPE: Provenance.OUT_OF_SCOPE,
}
_OF_SETTLED = {
    Settled.LEFT_DISAGREED: Provenance.LEFT,
    Settled.DICTATOR_DECISION: Provenance.DECIDED,
    Settled.DICTATOR_AGGREGATION: Provenance.AGGREGATED,
}
WITH_ANSWER = (Provenance.ANNOTATION, Provenance.ONE_NOT_APPLICABLE, Provenance.NOT_APPLICABLE)


def final_answers(state: State, epoch: Epoch | None = None) -> dict[str, FinalAnswers]:
    """The answer to each question about each item, as far as there is one.

    Parameters
    ----------
    state : State
        What is blind must be withheld by the caller (`sight`).
    epoch : Epoch, optional
        The current one by default.

    Returns
    -------
    dict of str to FinalAnswers
        By question, in the order of the task.

    Examples
    --------
    >>> final_answers(State())
    {}
    """
    one = state.epoch if epoch is None else epoch
    found = {q: _question(state, one, q) for q in one.questions if one.current.get(q)}
    for question, items in agreed_by_others(one).items():
        for item in items if question in found else ():
            code = next(iter(codes_at(one, item, question).values()))
            found[question].answers[item] = one.answers[code]
            found[question].provenance[item] = Provenance.DECLINED
    for case in one.cases.values():
        if case.question in found:
            _settle(found[case.question], case)
    return found


def _question(state: State, epoch: Epoch, question: str) -> FinalAnswers:
    n = len(state.items.ids)
    cells = states_of(epoch, question)
    provenance = [_OF_CELL[cell] for cell in cells]
    provenance += [Provenance.OUT_OF_SCOPE] * (n - len(provenance))
    first = [NONE] * n
    for column in epoch.current[question].values():
        for item, code in enumerate(column):
            if code != NONE and first[item] == NONE:
                first[item] = code
    pairs = zip(first, provenance, strict=True)
    answers = [epoch.answers[c] if c != NONE and how in WITH_ANSWER else None for c, how in pairs]
    return FinalAnswers(question, answers, provenance)


def _settle(final: FinalAnswers, case: Case) -> None:
    if case.state == CaseState.AGREED:
        final.answers[case.item], final.provenance[case.item] = case.answer, Provenance.RESOLUTION
    elif case.state == CaseState.UNRESOLVED and case.settled is not None:
        final.answers[case.item] = case.answer
        final.provenance[case.item] = _OF_SETTLED[case.settled]
    elif case.live:
        final.answers[case.item], final.provenance[case.item] = None, Provenance.UNSETTLED
