"""What must be annotated again after a change of the toolbox, as an order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import unknown
from ..causes import CAUSES
from ..cells import dependents
from ..events.rounds import ReannotationOrdered
from ..refusal import Unmet
from ..sentences import counted, listing
from ..state import Case, State
from ..words import CaseState, Step

__all__ = ["Wanted", "cases_mended", "item_positions", "ordered", "uncovered", "unknown_cases"]

Wanted = Sequence[str] | None
"""Ids of questions or items; None: all that the change bears on."""


def item_positions(state: State, items: Iterable[str]) -> list[int]:
    """Positions of items by their ids, increasing.

    Raises
    ------
    RequestError
        If the project has no such item.
    """
    where = state.items.positions
    found = set()
    for item in items:
        if item not in where:
            raise unknown("item", item, where, "the project has")
        found.add(where[item])
    return sorted(found)


def unknown_cases(state: State, cases: Sequence[int]) -> None:
    """Complain about numbers of cases that there are not."""
    for number in cases:
        if number not in state.epoch.cases:
            raise unknown("case", number, state.epoch.cases, "there are")


def cases_mended(
    state: State,
    to: Step,
    questions: Sequence[str],
    items: Sequence[int] | None,
    concept: str = "",
) -> tuple[int, ...]:
    """Cases with an accepted cause that a change mends: a change must name them to settle them.

    Those that were returned, and others with the same kind of cause as far as their cell is in the
    scope of the change.

    Parameters
    ----------
    state : State
    to : Step
        Where the change is made: task and guidelines (a1-task, a2), or alignment (a1-concept, b).
    questions, items
        The scope; no items: all.
    concept : str
        That changes.
    """
    found = []
    for case in state.epoch.cases.values():
        if case.cause is None or CAUSES[case.cause].returns_to is not to:
            continue
        named = case.assessments[-1].evidence.concept or case.returned_for
        within = case.question in questions and (items is None or case.item in items)
        returned = case.state is CaseState.RETURNED
        waits = returned or (case.state is CaseState.CAUSE_ACCEPTED and within)
        if waits and (to is not Step.ALIGNMENT or named in ("", concept)):
            found.append(case.number)
    return tuple(found)


def uncovered(
    state: State, cases: Sequence[int], questions: Sequence[str], items: Sequence[int] | None
) -> list[Unmet]:
    """Cases behind a change whose own cell would not be annotated again."""
    within = None if items is None else set(items)

    def outside(case: Case) -> bool:
        return case.question not in questions or (within is not None and case.item not in within)

    found = [number for number in cases if outside(state.epoch.cases[number])]
    if not found:
        return []
    says = f"{counted(len(found), 'case')} behind the change outside its scope ({listing(found)})"
    return [Unmet("scope_covers_cases", says, "widen the scope so that it holds them")]


def ordered(
    state: State,
    trigger: str,
    questions: Sequence[str],
    items: Wanted,
    narrowed: str,
    cases: Sequence[int],
    toolbox: int,
) -> ReannotationOrdered:
    """The order for a change; questions that depend on others come with them."""
    return ReannotationOrdered(
        len(state.epoch.orders) + 1,
        trigger,
        toolbox,
        tuple(dependents(state.epoch, questions)),
        tuple(items or ()),
        narrowed.strip(),
        tuple(cases),
    )
