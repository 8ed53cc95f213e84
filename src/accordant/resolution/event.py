"""What every event is: a frozen record with a kind; and the fold, events in and state out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar

import msgspec

from ..messages import worded
from .sentences import counted
from .state import State


class Event(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened. Who and when stands in the record of the store.

    Of two people who act on the same stream at the same time the second looks again; streams that
    do not touch each other (another case, another coder's annotations) do not get in the way.
    """

    says: ClassVar[str] = ""
    """A template of `messages.worded`."""
    within: ClassVar[str] = "project"
    """The stream that it belongs to, as a template: "case {0.case}"."""

    commutes: ClassVar[bool] = False
    """Whether it says the same, whatever else that commutes another person does meanwhile."""
    beside: ClassVar[bool] = False
    """Whether nothing that is computed and kept changes."""

    def reach(self, state: State) -> tuple[int, ...] | None:
        """Positions of the items about which alone it changes anything; None: it may be anything.

        Everything that is computed of cases and answers is kept by this (`Epoch.kept`).
        """
        return () if self.beside else None

    @property
    def stream(self) -> str:
        """What the event is about."""
        return self.within.format(self)

    def sentence(self) -> str:
        """What happened, for people: `says` with the facts of the event."""
        return worded(self.says, self.facts)

    @property
    def facts(self) -> dict[str, Any]:
        """Its fields by name; and in words the ``scope`` of its items, where none are all."""
        facts: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        if isinstance(items := facts.get("items"), tuple):
            facts["scope"] = counted(len(items), "item") if items else "all items"
        return facts

    @property
    def kind(self) -> str:
        """Name of the kind of event, as in the log."""
        return str(self.__struct_config__.tag)


# ------------------------------------------------------------------ events in, state out

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
        items = event.reach(state)
        _forget(state, items)  # before, for what the fold itself looks at; and again after it
        state.seq += 1
        name = getattr(event, "coder", "") or getattr(event, "by", "")
        if name and stamp[1] != name:
            state.for_others[state.seq] = stamp[1]
        FOLDS[type(event)](state, event, stamp)
        _forget(state, items)
        stream = event.stream
        state.versions[stream] = state.versions.get(stream, 0) + 1
    return state


def _forget(state: State, items: tuple[int, ...] | None) -> None:
    for epoch in state.epochs:
        epoch.forget(items)
