"""Events as they are written, with the state that they lead to and later ones build on."""

from __future__ import annotations

import msgspec

from ..event import Event
from ..fold import apply
from ..state import State

__all__ = ["Draft"]

_LATER = "later"  # the moment is known when the command is carried out; a round without one is open


class Draft:
    """Events that will happen together.

    Attributes
    ----------
    state : State
        What they lead to; a copy of the one before.
    events : list of Event
    by : str
        Who acts.
    """

    def __init__(self, state: State, by: str) -> None:
        self.state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
        self.events: list[Event] = []
        self.by = by

    def tell(self, *events: Event) -> None:
        """Write events, and fold them."""
        self.events += events
        apply(self.state, [(event, (_LATER, self.by)) for event in events])
