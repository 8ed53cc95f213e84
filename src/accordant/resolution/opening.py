"""Which cases have to be opened: one for each conflict that has none."""

from __future__ import annotations

from .cells import comparisons
from .events.cases import CaseOpened
from .state import State

__all__ = ["cases_to_open", "next_case"]


def next_case(state: State) -> int:
    """The number of the next case: cases are numbered through all epochs of a project.

    Examples
    --------
    >>> next_case(State())
    1
    """
    return 1 + sum(len(epoch.cases) for epoch in state.epochs)


def cases_to_open(state: State, because: str = "comparison") -> list[CaseOpened]:
    """A case for each item and question on which annotations conflict and that has none yet.

    Cases that were settled before and conflict again are opened again by `consequences`.

    Parameters
    ----------
    state : State
    because : str
        Where the conflicts came to light.

    Returns
    -------
    list of CaseOpened
        By item, and by question in the order of the task.
    """
    epoch = state.epoch
    known = {(case.item, case.question) for case in epoch.cases.values()}
    order = {question: k for k, question in enumerate(epoch.questions)}
    cells = sorted(
        (item, order[question], question)
        for question, comparison in comparisons(epoch).items()
        for item in comparison.conflicting
        if (item, question) not in known
    )
    closed = [r.number for r in epoch.rounds if r.closed]
    first, last, ids = next_case(state), closed[-1] if closed else 0, state.items.ids
    return [
        CaseOpened(first + k, ids[item], question, last, because)
        for k, (item, _, question) in enumerate(cells)
    ]
