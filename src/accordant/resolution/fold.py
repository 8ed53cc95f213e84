"""The fold: events in, state out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .event import Event
from .state import State

__all__ = ["Stamp", "apply", "on"]

Stamp = tuple[str, str]
"""When (UTC, ISO 8601) and who."""
E = TypeVar("E", bound=Event)
FOLDS: dict[type[Event], Callable[[State, Any, Stamp], None]] = {}


def on(
    kind: type[E],
) -> Callable[[Callable[[State, E, Stamp], None]], Callable[[State, E, Stamp], None]]:
    """Register how a kind of event changes the state. One function for each kind."""

    def register(fold: Callable[[State, E, Stamp], None]) -> Callable[[State, E, Stamp], None]:
        FOLDS[kind] = fold
        return fold

    return register


def apply(state: State, events: Iterable[tuple[Event, Stamp]]) -> State:
    """Change the state by events, in their order, and return it.

    While an event is folded ``state.seq`` is its number in the log: what happened before what is
    told by these numbers, since the clocks of two people may differ.
    """
    for event, stamp in events:
        state.epoch.forget()
        state.seq += 1
        name = getattr(event, "coder", "") or getattr(event, "by", "")
        if name and stamp[1] != name:
            state.for_others[state.seq] = stamp[1]
        FOLDS[type(event)](state, event, stamp)
        state.last[stamp[1]] = state.seq
        state.versions[event.stream] = state.versions.get(event.stream, 0) + 1
    return state
