"""The log as a person may read it, and the feed of what is new in it.

Some things wait until a round closes, nothing is lost. Single annotations are never in the feed, so
that it tells the same before and after a round closes: of an open round only that somebody has
submitted. Where a person has come to is told by the last event before the open round and by how
many of the feed they have had since: the number of an event would tell how many are hidden before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from ..errors import RequestError
from .annotation import Annotated, Declined
from .case_state import Case
from .cases import CasesGrouped
from .completion import Released
from .corrections import Rescored
from .event import Event
from .imports import ImportAccepted, Imported
from .items import ItemsAdded
from .procedure import KINDS, read_event
from .rounds import Compared
from .sight import Sight, seeing
from .state import State
from .store.record import Record
from .transitions import NEW_EPOCH, Moved

__all__ = ["TOLD", "Entry", "Feed", "changes", "head", "log", "since"]


_SAFE = ("case", "by", "coder", "item", "question", "round", "review_date", "type")


@dataclass(frozen=True)
class Entry:
    """One event as a person may see it.

    Parameters
    ----------
    seq : int
        Its number; 0 from the first withheld event of an open round on, since the number of
        events tells how many dependent questions were asked.
    at, actor, kind, stream : str
        When, who, what, about what.
    body : mapping
        What the event holds, as plain values, without what is withheld; ``n`` is then how many
        answers there are.
    withheld : str
        Why something is left out; empty if nothing is.
    hash : str
        Empty from the first withheld event on: a hash would let anybody try out answers until it
        fits.
    id, version, prev : str, int, str
        What else the hash is of (see `store.record`): given as long as the hash is.
    written : str
        The body word for word, which is what the hash is of; empty where something is withheld.
    """

    seq: int
    at: str
    actor: str
    kind: str
    stream: str
    body: Mapping[str, Any] = field(default_factory=dict)
    withheld: str = ""
    hash: str = ""
    id: str = ""
    version: int = 0
    prev: str = ""
    written: str = ""


def log(records: Iterable[Record], state: State, person: str) -> Iterator[Entry]:
    """The events of a project as a person may read them, in their order.

    While a round is open, of other people's annotations only who, when and how many; and of cells
    that are annotated again, nothing that was said about them before.

    Parameters
    ----------
    records : iterable of Record
        The whole log, from the beginning (`Project.records`).
    state : State
        What it adds up to.
    person : str
        Who reads; an empty name is the public.
    """
    return _entries(records, seeing(state, person))


def head(state: State, person: str) -> str:
    """The hash of the last event, as printed on what is exported; empty while a round is open.

    Examples
    --------
    >>> head(State(head="ab12"), "")
    'ab12'
    """
    return "" if seeing(state, person).round else state.head


def _entries(records: Iterable[Record], sight: Sight) -> Iterator[Entry]:
    curtain = _Curtain(sight)
    numbered = hashed = True
    for record in records:
        event = read_event(record.kind, record.body)
        body, why = curtain.drawn(event, record.seq)
        in_round = curtain.of_open_round(event)
        hashed = hashed and (not why or curtain.unread(event, record.seq))
        numbered = numbered and not (why and in_round)
        if why and in_round and curtain.dependent(event):
            continue
        told = {name: getattr(record, name) for name in ("at", "actor", "kind", "stream")}
        if hashed:  # and what the hash can be computed from again
            told |= {name: getattr(record, name) for name in ("hash", "id", "version", "prev")}
            told["written"] = "" if why else record.body
        yield Entry(record.seq if numbered else 0, **told, body=body, withheld=why)


TELLING: dict[type[Event], tuple[str, ...]] = {
    Compared: ("counts",),
    Released: ("counts", "flags", "proofs", "proofs_digest"),
    ImportAccepted: ("n", "digest"),
}
"""What of an event tells how coders annotated, whatever it is about."""


class _Curtain:
    """What is drawn before each kind of event for one person."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.epoch = sight, 1
        self._unread: dict[int, frozenset[int]] = {}

    def unread(self, event: Event, seq: int) -> bool:
        """Whether the thread of its case shows no content of an event."""
        number = getattr(event, "case", None) or 0
        if number not in self._unread:
            case, told = self._case_of(number), frozenset[int]()
            if case is not None and case.live:
                both = zip(self.sight.thread(case), case.thread, strict=False)
                told = frozenset(turn.seq for turn, whole in both if turn != whole)
            self._unread[number] = told
        return seq in self._unread[number]

    def _case_of(self, number: int) -> Case | None:
        found = (epoch.cases.get(number) for epoch in self.sight.state.epochs)
        return next((case for case in found if case is not None), None)

    def drawn(self, event: Event, seq: int) -> tuple[dict[str, Any], str]:
        """The body without what is withheld, and why something is."""
        if isinstance(event, Moved):
            self.epoch += event.transition == NEW_EPOCH
        body = msgspec.to_builtins(event)
        body.pop("type", None)
        if self.unread(event, seq):
            told = {key: body[key] for key in ("case", "by", "coder") if key in body}
            return told, self.sight.until_reasons
        if self.sight.round is None:
            return body, ""
        if isinstance(event, Annotated | Declined):
            return self._annotations(event, body)
        if type(event) in TELLING:
            return _without(body, *TELLING[type(event)]), self.sight.until
        if isinstance(event, Imported):
            return _without(body, "warnings"), self._why(bool(event.warnings))
        if isinstance(event, CasesGrouped):
            hidden = any(self._hides_case(n) for n in event.cases)
            return _without(body, "reason") if hidden else body, self._why(hidden)
        return self._case(event, body)

    def _why(self, hidden: bool) -> str:
        return self.sight.until if hidden else ""

    def _annotations(
        self, event: Annotated | Declined, body: dict[str, Any]
    ) -> tuple[dict[str, Any], str]:
        own = event.coder == self.sight.person
        if self.of_open_round(event):
            hidden = not own
        else:
            hidden = any(self._hides(item, event.question) for item in event.items)
        if not hidden:
            return body, ""
        kept = {"round": event.round, "coder": event.coder, "question": event.question}
        return kept | {"n": len(event.items)}, self.sight.until

    def _case(self, event: Event, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
        number = body.get("case")
        if not isinstance(number, int) or not event.stream.startswith("case "):
            return body, ""
        hidden = self._hides_case(number)
        if isinstance(event, Rescored):
            hidden = hidden or self._hides(event.item, event.question)
        if not hidden:
            return body, ""
        kept = {key: value for key, value in body.items() if key in _SAFE}
        return kept, self._why(len(kept) < len(body))

    def _hides(self, item: str, question: str) -> bool:
        return self.sight.hides(self.sight.state.items.positions[item], question)

    def _hides_case(self, number: int) -> bool:
        case = self._case_of(number)
        return case is not None and self.sight.hides_case(case)

    def of_open_round(self, event: Event) -> bool:
        """Whether an event belongs to the annotations of the round that is open."""
        if not isinstance(event, Annotated | Declined) or self.sight.round is None:
            return False
        now = self.epoch == len(self.sight.state.epochs)
        return now and event.round == self.sight.round.number

    def dependent(self, event: Event) -> bool:
        """Whether a question is asked only after some answer, so that even asking it tells."""
        questions = self.sight.state.epoch.questions
        asked = getattr(event, "question", "")
        return asked in questions and questions[asked].asked_if is not None


def _without(body: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in names}


# ------------------------------------------------------------------ the feed of what is new

UNTOLD = ("annotated", "declined")
TOLD = tuple(kind for kind in KINDS if kind not in UNTOLD)
"""Kinds of events that are in the feed, for `Store.records`."""
UNSEALED: dict[str, Any] = {"hash": "", "id": "", "version": 0, "prev": "", "written": ""}
"""The feed leaves events out: a hash, or the number in a stream, would tell of them."""
CURSOR = re.compile(r"([0-9]{1,18})(?:\+([0-9]{1,18}))?")


class _Names(msgspec.Struct):
    ids: tuple[str, ...]


class _Added(msgspec.Struct, tag=ItemsAdded.__struct_config__.tag):
    items: _Names


def _brief(record: Record) -> Record:
    """New items by their names alone: the feed is no place for all their texts."""
    if record.kind != _Added.__struct_config__.tag:
        return record
    named = record.body.partition('"]')[0] + '"]}}'  # up to where the names end: texts take long
    try:
        msgspec.json.decode(named, type=_Added)
    except msgspec.DecodeError:  # they hold what looks like an end, or do not stand first
        named = msgspec.json.encode(msgspec.json.decode(record.body, type=_Added)).decode()
    return replace(record, body=named)


@dataclass(frozen=True)
class Feed:
    """What is new.

    Parameters
    ----------
    entries : tuple of Entry
        As in the log, without hashes and the texts of new items; their number is 0 where it must
        wait until a round closes.
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
    read = (_brief(r) for r in records if number < r.seq <= state.seq and r.kind in TOLD)
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
