"""What a case is about now: who annotated its item, what they hold, and whose consent it needs.

What is computed of each case is kept while the project goes on, and made anew where it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Generic, Self, TypeVar

from ..errors import RequestError, unknown
from ..kinds import Typed
from .case_state import Assessment, Case, Proposal
from .causes import CAUSES
from .cells import asked_at, coders_at, codes_at, missing_cells
from .records import Answer
from .sentences import listing
from .state import Epoch, State
from .words import CaseState

__all__ = [
    "Cases",
    "OfCases",
    "agreed_but_declined",
    "agreed_by_others",
    "awaited_assessment",
    "awaited_proposal",
    "case_at",
    "cases_about",
    "cases_named",
    "consenters",
    "held",
    "item_name",
    "label_of_case",
    "labels_of_cases",
    "live_cases",
    "of_each_case",
    "participants",
    "said",
    "the_case",
    "unanimous",
]

Cases = Annotated[int | str | Sequence[int | str], Typed("CASE", argument=True)]
"""Numbers of cases, or names of groups, which stand for their members."""


def held(epoch: Epoch, item: int, question: str) -> dict[str, int]:
    """Code of the answer that each coder of a cell holds now, by coder.

    An answer counts as long as its question is asked (`Question.asked_if`).
    """
    return codes_at(epoch, item, question)


def said(epoch: Epoch, case: Case) -> dict[str, Answer]:
    """The answer that each coder of the case holds now."""
    codes = held(epoch, case.item, case.question)
    return {coder: epoch.answers[code] for coder, code in codes.items()}


def participants(epoch: Epoch, case: Case) -> tuple[str, ...]:
    """The coders who annotated the item of a case: all of them must accept what it comes to."""
    return coders_at(epoch, case.item, case.question)


def unanimous(epoch: Epoch, item: int, question: str) -> Answer | None:
    """The answer that all coders of a cell hold, if there are two or more and all hold the same."""
    codes = list(held(epoch, item, question).values())
    return epoch.answers[codes[0]] if len(codes) > 1 and len(set(codes)) == 1 else None


def consenters(epoch: Epoch, case: Case, assessment: Assessment) -> tuple[str, ...]:
    """Whose consent a cause needs: the coder whom it names, or all coders of the item."""
    if CAUSES[assessment.cause].everybody:
        return participants(epoch, case)
    return (assessment.evidence.coder,)


def awaited_assessment(case: Case) -> Assessment | None:
    """The cause that has been proposed and waits for consent."""
    waits = case.state == CaseState.CAUSE_PROPOSED and case.assessments
    return case.assessments[-1] if waits else None


def awaited_proposal(case: Case) -> Proposal | None:
    """The outcome that has been proposed and waits for acceptance."""
    last = case.proposals[-1] if case.proposals else None
    if (
        last is None
        or last.ended
        or case.state not in (CaseState.ARGUED, CaseState.CAUSE_ACCEPTED, CaseState.RETURNED)
    ):
        return None
    return last


def case_at(epoch: Epoch, item: int, question: str) -> Case | None:
    """The case of an item and a question, whatever became of it: there is at most one."""
    of_item = cases_about(epoch, item)
    return next((case for case in of_item if case.question == question), None)


def cases_about(epoch: Epoch, item: int) -> Sequence[Case]:
    """The cases about an item, in the order of their numbers."""

    def filed(before: tuple[dict[int, list[int]], int], _: object) -> object:
        found, n = before
        for case in islice(epoch.cases.values(), n, None):
            found.setdefault(case.item, []).append(case.number)
        return found, len(epoch.cases)

    numbers = epoch.kept("cases by item", lambda: filed(({}, 0), ()), filed)[0].get(item, ())
    return [epoch.cases[number] for number in numbers]


def live_cases(epoch: Epoch) -> list[Case]:
    """Cases about which something is still to be done."""
    found: list[Case] = epoch.kept("live", lambda: [c for c in epoch.cases.values() if c.live])
    return found


def item_name(state: State, case: Case) -> str:
    """Identifier of the item of a case."""
    return state.items.ids[case.item]


def label_of_case(state: State, case: Case) -> str:
    """How messages name a case: “case 4 (2017-1-8, 5a)”."""
    return f"case {case.number} ({item_name(state, case)}, {case.question})"


def labels_of_cases(state: State, cases: Iterable[Case]) -> str:
    """How messages name several: the first ones, and how many more."""
    return listing(cases, named=partial(label_of_case, state))


def the_case(state: State, number: int) -> Case:
    """A case of the current epoch.

    Raises
    ------
    RequestError
        If there is no such case, or it belongs to an earlier epoch.
    """
    case = state.epoch.cases.get(number)
    if case is not None:
        return case
    if any(number in epoch.cases for epoch in state.epochs):
        raise RequestError(f"case {number} belongs to an earlier task, which can only be read")
    raise unknown("case", number, state.epoch.cases, "there are")


def cases_named(state: State, cases: Cases) -> list[Case]:
    """The cases that numbers and names of groups stand for, each once, in the order given.

    Raises
    ------
    RequestError
        If a case or group does not exist, or none is given.
    """
    named = [cases] if isinstance(cases, (int, str)) else list(cases)
    numbers: dict[int, None] = {}
    for name in named:
        if isinstance(name, int):
            numbers[name] = None
        elif name in state.groups:
            numbers.update(dict.fromkeys(state.groups[name]))
        elif name.isdecimal():
            numbers[int(name)] = None
        else:
            raise unknown("group of cases", name, state.groups, "there are")
    if not numbers:
        raise RequestError("no case is named: give the numbers of cases, or the name of a group")
    return [the_case(state, number) for number in numbers]


# ------------------------------------------------------------------ declined by one coder

ENOUGH = 2  # coders who gave the same answer


def agreed_by_others(epoch: Epoch) -> dict[str, list[int]]:
    """Cells that a coder declined, and on which all others gave the same answer.

    The coders who annotated an item must agree on it. Who declined, for a reason that is on record,
    did not annotate it: that is no disagreement, and is said wherever the answer is given out.

    Parameters
    ----------
    epoch : Epoch

    Returns
    -------
    dict of str to list of int
        Positions of the items by question; only questions that have some.

    Examples
    --------
    >>> agreed_by_others(Epoch(1))
    {}
    """

    def renewed(before: dict[str, list[int]], items: Collection[int]) -> dict[str, list[int]]:
        found = {
            q: {i for i in items if agreed_but_declined(epoch, i, q)}.union(
                i for i in before.get(q, ()) if i not in items
            )
            for q in epoch.questions
        }
        return {question: sorted(some) for question, some in found.items() if some}

    def anew() -> dict[str, list[int]]:
        return renewed({}, {i for some in missing_cells(epoch).values() for i in some})

    kept: dict[str, list[int]] = epoch.kept("agreed by others", anew, renewed)
    return kept


def agreed_but_declined(epoch: Epoch, item: int, question: str) -> bool:
    """Whether somebody declined a cell, and all others who were asked gave the same answer."""
    codes = codes_at(epoch, item, question)
    if len(codes) < ENOUGH or len(set(codes.values())) > 1:
        return False
    silent = [coder for coder in asked_at(epoch, item, question) if coder not in codes]
    return bool(silent) and all(_only_declined(epoch, item, question, coder) for coder in silent)


def _only_declined(epoch: Epoch, item: int, question: str, coder: str) -> bool:
    """Declined, and never annotated: who did once must still be heard."""
    declined = any(item in r.declined.get(question, {}).get(coder, {}) for r in epoch.rounds)
    annotated = any(item in r.sheet.get(question, {}).get(coder, {}) for r in epoch.rounds)
    rescored = any(
        turn.kind == "rescored" and turn.by == coder
        for case in cases_about(epoch, item)
        for turn in case.thread
    )
    return declined and not annotated and not rescored


T = TypeVar("T", bound=Hashable)


class OfCases(Generic[T]):
    """What is said of each case, by number; and of which cases the same is said."""

    def __init__(self) -> None:
        self.said: dict[int, T] = {}
        self.same: dict[T, set[int]] = {}

    def say(self, of: Iterable[Case], make: Callable[[Case], T]) -> Self:
        """Say it of some cases, whatever was said of them before."""
        for case in of:
            number, now = case.number, make(case)
            if number in self.said:
                self.same[self.said[number]].discard(number)
            self.said[number] = now
            self.same.setdefault(now, set()).add(number)
        return self


def of_each_case(state: State, name: str, make: Callable[[Case], T]) -> OfCases[T]:
    """What `make` says of each case of the epoch, asked again only about those that changed.

    Parameters
    ----------
    state : State
    name : str
        Of what is kept.
    make : callable
        May look at whatever an event that is `beside` all of it leaves as it is.
    """
    epoch = state.epoch

    def anew() -> OfCases[T]:
        return OfCases[T]().say(epoch.cases.values(), make)

    def renewed(found: OfCases[T], items: Iterable[int]) -> OfCases[T]:
        return found.say((case for item in items for case in cases_about(epoch, item)), make)

    kept: OfCases[T] = epoch.kept(name, anew, renewed)
    return kept
