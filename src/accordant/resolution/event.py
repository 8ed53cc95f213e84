"""What every event is: a frozen record with a kind, that belongs to a stream."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from .sentences import told

__all__ = ["Event"]


class Event(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened. Who and when stands in the record of the store.

    Two people who act on the same stream at the same time are told; streams that do not touch each
    other (another case, another coder's annotations) do not get in each other's way.
    """

    says: ClassVar[str] = ""
    """What happened, as a template of `sentences.told`."""
    commutes: ClassVar[bool] = False
    """Whether it may follow others' events of this sort that the person had not seen: a reason of
    one's own, and a consent, which names what it is given to."""

    @property
    def stream(self) -> str:
        """What the event is about."""
        return "project"

    def sentence(self) -> str:
        """What happened, for people: `says` with the facts of the event."""
        return told(self.says, {name: getattr(self, name) for name in self.__struct_fields__})

    @property
    def kind(self) -> str:
        """Name of the kind of event, as in the log."""
        return str(self.__struct_config__.tag)
