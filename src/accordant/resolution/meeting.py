"""A meeting: people speak at one keyboard, and each act is recorded as that of who speaks.

While it lasts, whatever is done in the name of somebody present was said there. The log names who
led it, and every release says which consents were given so.

>>> from accordant.resolution.procedure import act
>>> from accordant.resolution.setup import add_person, new_project
>>> here, now = State(), "2026-01-01T00:00:00Z"
>>> _ = act(here, "ana", now, new_project, "Letters")
>>> _ = act(here, "ana", now, add_person, "bob")
>>> act(here, "ana", now, begin_meeting, ["ana", "bob"])
Traceback (most recent call last):
accordant.resolution.command.Refused: Blocked: begin a meeting
  - the project is at “setup”; this belongs to “task and guidelines” or “conceptual alignment” or “comparison” or “resolution”: see the ways from here
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from ..errors import RequestError
from ..kinds import Typed
from .command import Events, Unmet, command, require, step
from .event import Event, Stamp, on
from .records import Meeting
from .state import State
from .wording import AGREEING, all_known
from .words import LEADS, Role

__all__ = [
    "EVENTS",
    "MeetingBegun",
    "MeetingEnded",
    "Spoken",
    "begin_meeting",
    "end_meeting",
    "open_meeting",
    "spoken_in_meetings",
]


class MeetingBegun(Event, frozen=True, tag="meeting begun"):
    """Who is present speaks at the keyboard of who leads the meeting."""

    says = "a meeting begins, led by {led_by}: {present}"
    beside = True

    present: tuple[str, ...]
    led_by: str


class MeetingEnded(Event, frozen=True, tag="meeting ended"):
    """From here on everybody acts at a keyboard of their own."""

    says = "the meeting led by {led_by} has ended"
    beside = True

    led_by: str


EVENTS: tuple[type[Event], ...] = (MeetingBegun, MeetingEnded)
"""The events of a meeting."""


@on(MeetingBegun)
def _begun(state: State, event: MeetingBegun, stamp: Stamp) -> None:
    state.meetings.append(Meeting(event.present, event.led_by, stamp[0], state.seq))


@on(MeetingEnded)
def _ended(state: State, event: MeetingEnded, stamp: Stamp) -> None:
    state.meetings[-1] = msgspec.structs.replace(state.meetings[-1], ended=state.seq)


def open_meeting(state: State) -> Meeting | None:
    """The meeting that is held now.

    Examples
    --------
    >>> open_meeting(State()) is None
    True
    """
    last = state.meetings[-1] if state.meetings else None
    return last if last is not None and not last.ended else None


@command("meeting begin", "begin a meeting", typed="meeting", roles=LEADS, steps=AGREEING)
def begin_meeting(
    state: State, by: str, present: Annotated[Sequence[str], Typed("NAME")]
) -> Events:
    """Begin a meeting at one keyboard, or end it.

    Until it ends, what is done in the name of those present counts as said there; each still
    consents for themselves. Every release tells which consents were given in a meeting.

    Parameters
    ----------
    state : State
    by : str
        Who leads it: a moderator or researcher.
    present : sequence of str
        Everybody who is there.

    Examples
    --------
    Who is there:
    $ accordant project meeting ana bob --as mia
    Everybody leaves:
    $ accordant project meeting --end --as mia
    """
    names = tuple(dict.fromkeys(present))
    if not names:
        raise RequestError("a meeting needs the names of those present")
    all_known("person", names, state.people, "those who take part are")
    before = open_meeting(state)
    if before is not None and before.led_by != by:
        says = f"{before.led_by} leads a meeting of {', '.join(before.present)}"
        do = (step("meeting", end=True),)
        require("beginning a meeting", [Unmet("meeting", says, "let it end first", do=do)])
    # Who leads one and begins another has left the first: a program may have been stopped.
    ended = [MeetingEnded(by)] if before is not None else []
    return [*ended, MeetingBegun(names, by)]


@command("meeting end", "end a meeting", typed="meeting --end", roles=LEADS)
def end_meeting(state: State, by: str) -> Events:
    """End the meeting.

    Parameters
    ----------
    state : State
    by : str
        Who leads it, or a researcher.
    """
    meeting = open_meeting(state)
    if meeting is None:
        require("ending the meeting", [Unmet("meeting", "no meeting is held")])
        return []
    if by != meeting.led_by and not state.has_role(by, Role.RESEARCHER):
        says = f"the meeting is led by {meeting.led_by}"
        require("ending the meeting", [Unmet("meeting", says, awaited=(meeting.led_by,))])
    return [MeetingEnded(meeting.led_by)]


# ------------------------------------------------------------------ what was said there


class Spoken(NamedTuple):
    """A consent that somebody gave in a meeting, at the keyboard of who led it."""

    meeting: Meeting
    case: int
    person: str


def spoken_in_meetings(state: State) -> Iterator[Spoken]:
    """Consents to causes and outcomes of the current task that were given in a meeting.

    What the leader said is left out: it was their own keyboard.

    Examples
    --------
    >>> list(spoken_in_meetings(State()))
    []
    """
    for case in state.epoch.cases.values() if state.meetings else ():
        for proposal in case.proposed:
            for person, seq in proposal.events.items():
                for meeting in state.meetings:
                    if meeting.heard(person, seq):
                        yield Spoken(meeting, case.number, person)
