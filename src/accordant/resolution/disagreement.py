"""What a case is about now: who annotated its item, what they hold, and whose consent it needs.

What is computed of each case is kept while the project goes on, and made anew where it changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Annotated

from ..errors import RequestError, unknown
from ..kinds import Typed
from .case_state import Assessment, Case, Proposal
from .causes import CAUSES
from .cells import asked_at, coders_at, codes_at, missing_cells
from .sentences import listing
from .state import Epoch, State
from .terms import Answer, CaseState

Cases = Annotated[int | str | Sequence[int | str], Typed("CASE", argument=True)]
"""Or ranges of numbers, such as 3-7."""


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


def awaiting(case: Case) -> Assessment | Proposal | None:
    """The cause or outcome that waits for consent."""
    return awaited_assessment(case) or awaited_proposal(case)


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
        raise RequestError(f"case {number} belongs to an earlier task")
    raise unknown("case", number, state.epoch.cases, "there are")


def cases_named(state: State, cases: Cases) -> list[Case]:
    """The cases that are named, each once, in the order given.

    Raises
    ------
    RequestError
        If a case does not exist, or none is given.
    """
    named = [cases] if isinstance(cases, (int, str)) else list(cases)
    found: dict[int, Case] = {}
    for part in (part for one in named for part in str(one).split(",")):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise RequestError(f"{part!r} is no number of a case, and no range such as 3-7")
        for number in range(int(first), int(last or first) + 1):
            found[number] = the_case(state, number)
    if not found:
        raise RequestError("no case is named")
    return list(found.values())


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
