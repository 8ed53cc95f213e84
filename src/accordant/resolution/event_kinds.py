"""Every kind of event, and how one is written to the log and read back."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import InputError
from .event import Event
from .records import canonical
from .subjects import SUBJECTS

__all__ = ["KINDS", "read_event", "written"]

KINDS: dict[str, type[Event]] = {
    str(thing.__struct_config__.tag): thing
    for subject in SUBJECTS
    for thing in vars(subject).values()
    if isinstance(thing, type) and issubclass(thing, Event) and thing.__struct_config__.tag
}
"""Event classes by their name in the log."""


def written(event: Event) -> str:
    """The body of an event in the log: canonical JSON.

    Examples
    --------
    >>> from accordant.resolution.rounds import RoundClosed
    >>> written(RoundClosed(2))
    '{"type":"round closed","number":2}'
    """
    return canonical(event)


def read_event(kind: str, body: str) -> Event:
    """An event from the log.

    Raises
    ------
    InputError
        If the kind is unknown (written by a newer version) or the body does not fit it.
    """
    wanted: Any = KINDS.get(kind)
    if wanted is None:
        raise InputError(
            f"the log holds an event {kind!r} that this version of Accordant does not know: "
            "install a newer version"
        )
    try:
        event: Event = msgspec.json.decode(body, type=wanted)
    except msgspec.MsgspecError as error:
        raise InputError(f"the log holds a damaged event {kind!r}: {error}") from error
    return event
