"""What happened since a person last looked, as they may see it: a feed of the log.

Single annotations are never in it, so that it tells the same before and after a round closes: of an
open round only that somebody has submitted. Where a person has come to is told by the last event
before the open round and by how many of the feed they have had since: the number of an event would
tell how many are hidden before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import RequestError
from .event_kinds import KINDS
from .logbook import Entry, log
from .sight import seeing
from .state import State
from .store.record import Record

__all__ = ["TOLD", "Feed", "changes", "since"]

UNTOLD = ("annotated", "declined")
TOLD = tuple(kind for kind in KINDS if kind not in UNTOLD)
"""Kinds of events that are in the feed, for `Store.records`."""
UNSEALED: dict[str, Any] = {"hash": "", "id": "", "version": 0, "prev": "", "written": ""}
"""The feed leaves events out: a hash, or the number in a stream, would tell of them."""
CURSOR = re.compile(r"([0-9]{1,18})(?:\+([0-9]{1,18}))?")


@dataclass(frozen=True)
class Feed:
    """What is new.

    Parameters
    ----------
    entries : tuple of Entry
        As in the log, without hashes; their number is 0 where it must wait until a round closes.
    cursor : str
        Where to go on from next time.
    """

    entries: tuple[Entry, ...]
    cursor: str


def since(after: int | str) -> int:
    """Number of the event after which the log must be read for what follows a cursor.

    Examples
    --------
    >>> since("120+3"), since(7)
    (120, 7)
    """
    return _place(after)[0]


def _place(after: int | str) -> tuple[int, int]:
    """Number of an event, and how many of the feed were told after it."""
    found = CURSOR.fullmatch(str(after))
    if found is None:
        raise RequestError(f"{after!r} is no place in the log: give the cursor of the last answer")
    return int(found[1]), int(found[2] or 0)


def changes(
    state: State,
    records: Iterable[Record],
    person: str,
    after: int | str = 0,
    *,
    most: int | None = None,
) -> Feed:
    """What happened after an event, as a person may see it.

    Parameters
    ----------
    state : State
    records : iterable of Record
        The log, from event ``since(after)`` or an earlier one on:
        ``project.store.records(since(after), kinds=TOLD)``.
    person : str
        Who asks; an empty name is the public.
    after : int or str
        Number of an event, or the cursor of the last answer; by default everything.
    most : int, optional
        At most so many entries; the cursor leads on to the rest.

    Returns
    -------
    Feed

    Raises
    ------
    RequestError
        If nobody of this name takes part, or the cursor is none.

    Examples
    --------
    >>> changes(State(), [], "").cursor
    '0'
    """
    number, had = _place(after)
    some = seeing(state, person).round
    last = state.seq if some is None else some.seq  # whose number may be told
    if number > last:
        number, had = last, 0
    read = (r for r in records if number < r.seq <= state.seq and r.kind in TOLD)
    entries, waiting, cursor = list[Entry](), 0, f"{number}+{had}"
    for place, one in enumerate(log(read, state, person)):
        waits = one.seq > last
        if place >= had:
            if len(entries) == most:
                return Feed(tuple(entries), cursor)
            entries.append(replace(one, seq=0 if waits else one.seq, **UNSEALED))
        waiting += waits
        cursor = f"{last}+{waiting}" if waits else str(one.seq)
    return Feed(tuple(entries), f"{last}+{waiting}" if waiting else str(last))
