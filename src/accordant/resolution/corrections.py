"""Changing an annotation of one's own in step 5; the old one is kept."""

from __future__ import annotations

from .answer_form import OneAnswer, checked_answer
from .case_state import Case, Rescoring
from .case_table import citing, not_owed, unmet_in
from .cases import CaseEvent, in_case, turn
from .cells import asked_at
from .command import Cites, Events, Unmet, command, require
from .disagreement import cases_named, held, item_name, label_of_case
from .event import Stamp
from .sentences import listing
from .state import NONE, Epoch, State
from .terms import CODERS, RESOLVING, Answer, CaseState, Cause, Note
from .toolbox import cited
from .wording import all_known


class Rescored(CaseEvent, frozen=True, tag="rescored"):
    """A coder changes an annotation of their own; the old one is kept.

    Under c the item may be another one than the case's; under dependency the question may be.
    """

    says = "case {case}: {coder} now says “{answer}” about item {item}, question {question}"

    coder: str
    item: str
    question: str
    answer: Answer
    because: str  # "c", "d", "e", "dependency", "clarified", "imported"
    note: Note | None = None
    cites: tuple[str, ...] = ()  # toolbox elements that justify the new answer


def _write(state: State, epoch: Epoch, coder: str, event: Rescored) -> int:
    """Put an answer into the columns, and return the position of its item."""
    item = state.items.positions[event.item]
    for columns, number in ((epoch.current, epoch.code(event.answer)), (epoch.made, state.ordinal)):
        column = columns.setdefault(event.question, {}).setdefault(coder, [])
        column += [NONE] * (len(state.items.ids) - len(column))
        column[item] = number
    if event.note is not None:
        epoch.notes.setdefault(event.question, {}).setdefault(coder, {})[item] = event.note
    return item


@in_case(Rescored)
def _rescored(state: State, case: Case, event: Rescored, stamp: Stamp) -> None:
    epoch = state.epochs[case.epoch - 1]
    item = _write(state, epoch, event.coder, event)
    withdraw_unasked(epoch, item, event.question, event.coder)
    facts = {"item": item, "toolbox": state.ordinal, "code": epoch.code(event.answer)}
    epoch.rescorings.append(Rescoring.of(event, seq=state.seq, **facts))
    own = item == case.item and event.question == case.question
    if own and case.state == CaseState.RESCORING:
        turn(case, CaseState.ARGUED, f"{event.coder} rescored")


def withdraw_unasked(epoch: Epoch, item: int, question: str, coder: str) -> None:
    """Answers to questions that are no longer asked count no more; rounds and log keep them."""
    code = epoch.current[question][coder][item]
    labels = set(epoch.answers[code].labels) if code != NONE else set()
    for child in epoch.task.questions if epoch.task else ():
        condition = child.asked_if
        if condition is None or condition.question != question or labels & set(condition.labels):
            continue
        column = epoch.current.get(child.id, {}).get(coder, [])
        if item < len(column) and column[item] != NONE:
            column[item] = NONE
            withdraw_unasked(epoch, item, child.id, coder)


@command("case rescore", "correct one's own annotation", roles=CODERS, steps=RESOLVING)
def rescore(
    state: State,
    by: str,
    *,
    case: int,
    answer: OneAnswer,
    item: str = "",
    question: str = "",
    cites: Cites = (),
    note: Note | None = None,
) -> Events:
    """Correct an annotation of your own, under cause c or e.

    The old one is kept. With a question, answer what is asked now because you changed the answer
    on which it depends.

    Parameters
    ----------
    state : State
    by : str
        The coder whom the accepted cause names.
    case : int
    answer : Answer, str or sequence of str
        The new answer.
    item : str
        Under c also one of the other items; the item of the case by default.
    question : str
        A question that is asked of you since you changed the answer to its parent; the question
        of the case by default.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'; needed
        under c and e.
    note : Note, optional

    Notes
    -----
    If the annotations are equal then, the case is agreed. What was overlooked stands in the
    toolbox: a correction cites it.

    Examples
    --------
    Correct your annotation:
    $ accordant project case rescore 5 no --cites 'rule R2' --as bob
    Under c: that of the other item:
    $ accordant project case rescore 5 yes --item p9 --cites 'rule R2' --as bob
    A question that is asked now:
    $ accordant project case rescore 5 wide --question scope --as bob
    """
    [one], elements = cases_named(state, case), cited(state, cites)
    wanted, asked = item or item_name(state, one), question or one.question
    all_known("item", [wanted], state.items.positions)
    all_known("question", [asked], state.epoch.questions)
    new = checked_answer(state, asked, answer, note, wanted)
    if asked != one.question:
        unmet, because = _dependent(state, by, wanted, asked), "dependency"
    else:
        unmet = unmet_in("case rescore", state, by, [one])
        unmet = unmet or citing(elements) + _unchangeable(state, one, by, wanted, new)
        because = "e" if one.cause == Cause.E else "c"
    require(unmet)
    return [Rescored(one.number, by, wanted, asked, new, because, note, elements)]


def _unchangeable(state: State, case: Case, by: str, item: str, answer: Answer) -> list[Unmet]:
    """Why an answer of one's own may not be changed to another about this item."""
    others = case.assessments[-1].evidence.others if case.cause == Cause.C else ()
    allowed, where = (item_name(state, case), *others), state.items.positions[item]
    if item not in allowed:
        says = f"{item} is not among the items of {label_of_case(state, case)}: {listing(allowed)}"
        return [Unmet("own_annotation", says, argument=True)]
    unmet = not_owed(state, where, case.question, f"{item} ({case.question})")
    code = held(state.epoch, where, case.question).get(by)
    if code is not None and state.epoch.answers[code] == answer:
        says = f"{by} answers “{answer}” about {item} already"
        unmet.append(Unmet("changed", says, argument=True))
    return unmet


def _dependent(state: State, by: str, item: str, question: str) -> list[Unmet]:
    """Why a question that depends on another is not to be answered in its case."""
    where, condition = state.items.positions[item], state.epoch.questions[question].asked_if
    if condition is None or by not in asked_at(state.epoch, where, question):
        return [Unmet("asked", f"{by} is not asked {question} about {item}")]
    if by in held(state.epoch, where, question):
        return [Unmet("asked", f"{by} has answered {question} about {item}")]
    return []
