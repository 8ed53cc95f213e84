"""What is computed of each case, kept while the project goes on, and made anew where it changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from .cells import look_at_many
from .disagreement import cases_about
from .state import Case, State

__all__ = ["of_each_case"]

T = TypeVar("T")
FEW = 50  # cases that are looked at one by one


class _Kept(NamedTuple):
    holds: object
    rescored: int  # changes of answers that were seen
    versions: dict[int, int]  # number → length of its thread …
    of_cases: dict[int, Any]  # … and what was made of it


def of_each_case(
    state: State, name: str, make: Callable[[Case], T], holds: object = None
) -> Mapping[int, T]:
    """What `make` says of each case of the epoch, asked again only about those that changed.

    Parameters
    ----------
    state : State
    name : str
        Of what is kept.
    make : callable
        May look at the case, the answers of its item, rounds, orders, the toolbox and people.
    holds : optional
        What else must be equal for the rest to hold.
    """
    epoch = state.epoch
    now = (
        len(epoch.rounds), epoch.round is None, len(state.toolboxes), holds,
        [order.state for order in epoch.orders], [person.roles for person in state.people.values()],
    )  # fmt: skip
    kept: _Kept | None = epoch.lasting.get(name)
    if kept is None or kept.holds != now:
        kept = _Kept(now, 0, {}, {})
    _, rescored, known, found = kept
    for one in epoch.rescorings[rescored:] if known else ():
        for case in cases_about(epoch, one.item):
            known.pop(case.number, None)
    fresh = [c for c in epoch.cases.values() if known.get(c.number) != len(c.thread)]
    if len(fresh) > FEW:
        look_at_many(epoch)
    for case in fresh:
        known[case.number], found[case.number] = len(case.thread), make(case)
    epoch.lasting[name] = _Kept(now, len(epoch.rescorings), known, found)
    return found
