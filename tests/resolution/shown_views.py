"""Everything that shows something of a project to a person, by name: what tests of blindness look at.

Importing this fills `SHOWN` with a function ``(state, person, records)`` for each view, which returns
all that the view can show.
"""

from __future__ import annotations

from collections.abc import Callable

from accordant.errors import RequestError
from accordant.resolution.as_annotations import to_annotations
from accordant.resolution.case_sheets import case_columns
from accordant.resolution.command import Refused
from accordant.resolution.exports import bundle, final_rows, proof_rows, status_lines
from accordant.resolution.logbook import head, log
from accordant.resolution.records import canonical
from accordant.resolution.sight import SHOWN, shown
from accordant.resolution.state import State
from accordant.resolution.store.record import Record
from accordant.resolution.suggestions import directions, inconsistencies
from accordant.resolution.views import case_view, cases, comparison_view
from accordant.resolution.work import my_work, next_item, round_sheet, work_item

__all__ = ["SHOWN"]


def shown_alike(view: Callable[..., object], **given: object) -> None:
    """Register a view that takes the state and the person."""

    def show(state: State, person: str, records: list[Record]) -> object:
        try:
            return view(state, person, **given)
        except (Refused, RequestError) as error:
            return str(error)

    SHOWN[view.__name__] = show


for one in (next_item, final_rows, proof_rows, directions, inconsistencies):
    shown_alike(one)
shown_alike(cases, earlier=True)


@shown("status_lines")
def _status_lines(state: State, person: str, records: list[Record]) -> object:
    return status_lines(state)


@shown("case_view")
def _case_views(state: State, person: str, records: list[Record]) -> object:
    return [case_view(state, n, person) for epoch in state.epochs for n in epoch.cases]


@shown("comparison_view")
def _comparisons(state: State, person: str, records: list[Record]) -> object:
    return [comparison_view(state, person, r.number) for r in state.epoch.rounds if r.closed]


@shown("case_columns")
def _case_columns(state: State, person: str, records: list[Record]) -> object:
    return case_columns(state, person, cases(state, person))


@shown("my_work")
def _my_work(state: State, person: str, records: list[Record]) -> object:
    return [my_work(state, person), my_work(state, person, todo=True, most=1)]


@shown("work_item")
def _work_item(state: State, person: str, records: list[Record]) -> object:
    some = state.epoch.round
    return work_item(state, person, state.items.ids[0]) if some and state.items.ids else None


@shown("round_sheet")
def _round_sheets(state: State, person: str, records: list[Record]) -> object:
    return [list(round_sheet(state, r.number, person)) for r in state.epoch.rounds]


@shown("log")
def _log(state: State, person: str, records: list[Record]) -> object:
    return list(log(records, state, person))


@shown("head")
def _head(state: State, person: str, records: list[Record]) -> object:
    return head(state, person)


@shown("bundle")
def _bundle(state: State, person: str, records: list[Record]) -> object:
    return canonical(bundle(state, records, person))


@shown("to_annotations")
def _annotations(state: State, person: str, records: list[Record]) -> object:
    found: list[object] = []
    for wanted in (None, *(r.number for r in state.epoch.rounds)):
        try:
            data = to_annotations(state, round=wanted, person=person)
            found += [data.to_rows(), data.values, data.schemes, data.reading]
        except (Refused, RequestError) as error:
            found.append(str(error))
    return found
