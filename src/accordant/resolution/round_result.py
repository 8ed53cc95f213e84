"""What a round leaves behind when it closes: its sheets become the annotations that count."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import repeat

from .state import NONE, Columns, Epoch, Round, State
from .terms import Answer, Question


def in_order(questions: Sequence[Question]) -> list[Question]:
    """Questions with each parent before its children."""
    by_id = {question.id: question for question in questions}
    found: dict[str, Question] = {}

    def take(question: Question, seen: tuple[str, ...]) -> None:
        parent = question.asked_if
        if parent and parent.question in by_id and parent.question not in seen:
            take(by_id[parent.question], (*seen, question.id))
        found.setdefault(question.id, question)

    for question in questions:
        take(question, (question.id,))
    return list(found.values())


def in_scope(state: State, some: Round, coder: str) -> Sequence[int]:
    """Positions of the items that a coder annotates in a round, in increasing order.

    Besides those that are assigned, also those that they have annotated before: whoever has an
    annotation that is owed again makes it again.
    """
    assigned = _assigned(state, some, coder)
    everything = range(some.n_items)
    if some.items is None:
        return everything if assigned is None else assigned
    if assigned is None:
        return some.items
    mine = set(assigned)
    return [item for item in some.items if item in mine]


def _assigned(state: State, some: Round, coder: str) -> Sequence[int] | None:
    assigned = state.assigned.get(coder)
    if assigned is None:
        return None
    found: Sequence[int] = state.epoch.kept(
        f"scope of {coder} in round {some.number}",
        lambda: _with_annotated(state, some, coder, assigned),
    )
    return found


def _with_annotated(
    state: State, some: Round, coder: str, assigned: Sequence[int]
) -> Sequence[int]:
    before = (state.epoch.made.get(question, {}).get(coder, ()) for question in some.questions)
    held = {item for made in before for item, ordinal in enumerate(made) if ordinal != NONE}
    frozen = assigned[: bisect_left(assigned, some.n_items)]  # later items wait for another round
    return frozen if held <= set(frozen) else sorted(held.union(frozen))


def labels_that_ask(epoch: Epoch, question: Question) -> frozenset[int]:
    """Codes of the parent's answers after which a question is asked."""
    return frozenset(code for code, answer in enumerate(epoch.answers) if asks(answer, question))


def asks(answer: Answer, question: Question) -> bool:
    """Whether a dependent question is asked after an answer to its parent."""
    when = question.asked_if
    return when is not None and not set(when.labels).isdisjoint(answer.labels)


def merged(state: State, some: Round) -> tuple[Columns, Columns]:
    """The annotations that count once a round has closed, for the questions of its scope.

    Parameters
    ----------
    state : State
    some : Round
        The open round of the current epoch.

    Returns
    -------
    tuple of Columns
        Codes of answers, and ordinals of the toolbox under which each coder was asked (`NONE`:
        never): question → coder → one number for each item of the project. A coder who declined,
        or was not asked because of their own answer to the parent, has an ordinal and no code.
    """
    epoch, n = state.epoch, len(state.items.ids)
    current: Columns = {}
    made: Columns = {}
    everything = all(coder not in state.assigned for coder in some.coders) and some.items is None
    for question in in_order([q for q in epoch.questions.values() if q.id in some.questions]):
        id = question.id
        current[id], made[id] = {}, {}
        for coder, codes in epoch.current.get(id, {}).items():
            current[id][coder] = codes + [NONE] * (n - len(codes))
            made[id][coder] = epoch.made[id][coder] + [NONE] * (n - len(codes))
        asking = labels_that_ask(epoch, question)
        for coder in some.coders:
            sheet = some.sheet.get(id, {}).get(coder, {})
            if question.asked_if is not None:
                above = current.get(
                    question.asked_if.question, epoch.current.get(question.asked_if.question, {})
                ).get(coder, [])
                sheet = {i: code for i, code in sheet.items() if _at(above, i) in asking}
            if everything and some.n_items == n:  # the usual case, without a loop over items
                current[id][coder] = list(map(sheet.get, range(n), repeat(NONE)))
                made[id][coder] = [some.toolbox] * n
                continue
            codes = current[id].setdefault(coder, [NONE] * n)
            ordinals = made[id].setdefault(coder, [NONE] * n)
            for item in in_scope(state, some, coder):
                codes[item] = sheet.get(item, NONE)
                ordinals[item] = some.toolbox
    return current, made


def _at(codes: list[int], item: int) -> int:
    return codes[item] if item < len(codes) else NONE
