"""Changing an annotation of one's own in step 5; the old one is kept."""

from __future__ import annotations

from typing import Annotated

from ..errors import RequestError
from ..kinds import Typed
from .answers import OneAnswer, checked_answer
from .assessment import proposed
from .case_state import Case, Conflict, Ending, Rescoring
from .case_table import not_owed, unmet_in
from .cases import CaseEvent, ReasonGiven, in_case, turn
from .cells import asked_at, cell_state, dependents
from .command import Cites, Events, Unmet, command, require
from .disagreement import held, item_name, label_of_case, the_case
from .event import Stamp
from .records import Answer, Evidence, Note
from .state import NONE, Epoch, State
from .toolbox import cited
from .wording import all_known
from .words import CODERS, RESOLVING, CaseState, Cause, CellState

__all__ = ["Rescored", "annotate_dependent", "rescore"]


class Rescored(CaseEvent, frozen=True, tag="rescored"):
    """A coder changes an annotation of their own; the old one is kept.

    Under c the item may be another one than the case's; under dependency the question may be.
    """

    says = "case {case}: {coder} now says “{answer}” about item {item}, question {question}"

    coder: str
    item: str
    question: str
    answer: Answer
    because: str  # "c", "d", "e", "dependency", "clarified", "deference", "imported"
    note: Note | None = None
    cites: tuple[str, ...] = ()  # toolbox elements that justify the new answer


OWN = ("c", "e", "dependency")  # a coder's own act, not the consequence of an outcome


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
    epoch.rescorings.append(Rescoring.of(event, seq=state.seq, item=item, toolbox=state.ordinal))
    ending = Ending(state.seq, event.because, event.cites)
    if event.because in ("c", "e", "imported"):
        epoch.ending = ending
    for question in dependents(epoch, (event.question,)):
        _compare(epoch, item, question, ending)
    own = item == case.item and event.question == case.question
    if own and case.state == CaseState.RESCORING:
        turn(case, CaseState.ARGUED, f"{event.coder} rescored")


def _compare(epoch: Epoch, item: int, question: str, by: Ending) -> None:
    """Note whether the answers of a cell have come to differ with a rescoring, or no longer do."""
    torn = cell_state(epoch, item, question) == CellState.CONFLICTING
    known = epoch.conflicts.setdefault(question, {})
    before = known.get(item)
    if not torn and before is not None and before.ended is None:
        before.ended = by
    elif torn and (before is None or before.ended is not None):
        own = by.how in OWN  # others follow an outcome that all accepted: they differ for a moment
        since = by.seq if own else before.since if before is not None else 0
        known[item] = Conflict(since)


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
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    note : Note, optional

    Notes
    -----
    If the annotations are equal then, and something of the toolbox is cited (here or in a reason),
    the case is agreed. Without a citation, an outcome that cites must be proposed and accepted.

    Examples
    --------
    Correct your annotation:
    $ accordant project case 5 rescore no --as bob
    Under c: that of the other item:
    $ accordant project case 5 rescore yes --item p9 --as bob
    A question that is asked now:
    $ accordant project case 5 rescore wide --question scope --as bob
    """
    one = the_case(state, case)
    wanted, asked = item or item_name(state, one), question or one.question
    all_known("item", [wanted], state.items.positions, "the project has")
    all_known("question", [asked], state.epoch.questions, "the task has")
    if asked != one.question:
        return annotate_dependent(
            state, by, item=wanted, question=asked, answer=answer, note=note, case=case
        )
    new = checked_answer(state, asked, answer, note, wanted)
    elements = cited(state, cites)
    unmet = unmet_in("case rescore", state, by, [one])
    if not unmet:
        unmet = _among(state, one, wanted)
        if wanted != item_name(state, one):
            position = state.items.positions[wanted]
            unmet += not_owed(state, position, asked, f"{wanted} ({asked})")
        unmet += _changes(state, one, by, wanted, new)
    require(f"rescoring in {label_of_case(state, one)}", unmet)
    because = "e" if one.cause == Cause.E else "c"
    return [Rescored(case, by, wanted, asked, new, because, note, elements)]


def _among(state: State, case: Case, item: str) -> list[Unmet]:
    others = case.assessments[-1].evidence.others if case.cause == Cause.C else ()
    allowed = (item_name(state, case), *others)
    if item in allowed:
        return []
    says = f"{item} is not among the items of {label_of_case(state, case)}: {', '.join(allowed)}"
    return [Unmet("own_annotation", says, "rescore one of these", argument=True)]


def _changes(state: State, case: Case, by: str, item: str, answer: Answer) -> list[Unmet]:
    code = held(state.epoch, state.items.positions[item], case.question).get(by)
    if code is None or state.epoch.answers[code] != answer:
        return []
    says = f"{by} answers “{answer}” about {item} already"
    return [Unmet("changed", says, "give another answer, or open the case again", argument=True)]


@command("case slip", "correct a slip of one's own", roles=CODERS, steps=RESOLVING)
def correct_slip(
    state: State,
    by: str,
    *,
    case: int,
    meant: OneAnswer,
    text: Annotated[str, Typed("TEXT", "--text")] = "",
    cites: Cites = (),
    note: Note | None = None,
) -> Events:
    """Say that your annotation was a slip, and correct it, in one.

    That is your reason, cause e with your consent, and the correction. The old annotation is kept.

    Parameters
    ----------
    state : State
    by : str
        The coder who made it.
    case : int
    meant : Answer, str or sequence of str
        What you meant.
    text : str
        How it came about.
    cites : sequence of str
        What in the toolbox the answer rests on: 'question ID', 'rule ID' or 'concept NAME'.
    note : Note, optional

    Examples
    --------
    A wrong key:
    $ accordant project case 7 slip yes --cites 'question 1' --as cleo
    Somebody else's: propose it, and let them say:
    $ accordant project case 7 cause e --coder cleo --meant yes
    """
    one = the_case(state, case)
    new = checked_answer(state, one.question, meant, note, item_name(state, one))
    elements, why = cited(state, cites), text.strip() or f"a slip: I meant “{new}”"
    unmet = unmet_in("case slip", state, by, [one])
    require(
        f"correcting a slip in {label_of_case(state, one)}",
        unmet or _changes(state, one, by, item_name(state, one), new),
    )
    events: Events = [] if by in one.reasons else [ReasonGiven(case, by, why, elements)]
    proof = Evidence(coder=by, meant=str(new))
    events += proposed(state, one, Cause.E, proof, by, state.seq + len(events))
    rescored = Rescored(case, by, item_name(state, one), one.question, new, "e", note, elements)
    return [*events, rescored]


@command(
    "case dependent",
    "answer a question that is asked since its parent was rescored",
    typed="case rescore",
    roles=CODERS,
    steps=RESOLVING,
)
def annotate_dependent(
    state: State,
    by: str,
    *,
    item: str,
    question: str,
    answer: OneAnswer,
    note: Note | None = None,
    case: int | None = None,
) -> Events:
    """Annotate an item on a question that one is asked since one's answer to its parent changed.

    Parameters
    ----------
    state : State
    by : str
        A coder whose own answer to the parent is one of those after which the question is asked.
    item, question : str
    answer : Answer, str or sequence of str
    note : Note, optional
    case : int, optional
        Where the parent was rescored; found if it is not given.
    """
    all_known("item", [item], state.items.positions, "the project has")
    all_known("question", [question], state.epoch.questions, "the task has")
    new = checked_answer(state, question, answer, note, item)
    where, condition = state.items.positions[item], state.epoch.questions[question].asked_if
    unmet = []
    if condition is None or by not in asked_at(state.epoch, where, question):
        says = f"{by} is not asked {question} about {item}"
        todo = "only a question whose parent was rescored can be answered now"
        unmet.append(Unmet("asked", says, todo))
    elif by in held(state.epoch, where, question):
        says = f"{by} has answered {question} about {item}"
        unmet.append(Unmet("asked", says, "change it under an accepted cause c or e"))
    require(f"answering {question} about {item}", unmet)
    parent = condition.question if condition else ""
    number = case if case is not None else _behind(state, where, item, parent)
    return [Rescored(the_case(state, number).number, by, item, question, new, "dependency", note)]


def _behind(state: State, where: int, item: str, parent: str) -> int:
    """Where the parent, or what it depends on, was rescored: of the item, or under c another."""
    while parent:
        for case in reversed(state.epoch.cases.values()):
            named = [other for a in case.assessments for other in a.evidence.others]
            if case.question == parent and (case.item == where or item in named):
                return case.number
        above = state.epoch.questions[parent].asked_if
        parent = above.question if above else ""
    raise RequestError(f"no case has to do with {item}: open a round for what is not answered")
