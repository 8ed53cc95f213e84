"""Every kind of event, and how one is written to the log and read back."""

from __future__ import annotations

from typing import Any

import msgspec

from ...errors import InputError
from .. import meeting
from ..records import canonical
from . import cases, project, rounds, toolbox
from .event import Event

__all__ = ["KINDS", "read_event", "written"]

KINDS: dict[str, type[Event]] = {
    kind.__struct_config__.tag: kind
    for kind in (
        *(getattr(m, name) for m in (project, toolbox, rounds, cases) for name in m.__all__),
        *meeting.EVENTS,
    )
}
"""Event classes by their name in the log."""


def written(event: Event) -> str:
    """The body of an event in the log: canonical JSON.

    Examples
    --------
    >>> written(rounds.RoundClosed(2))
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
