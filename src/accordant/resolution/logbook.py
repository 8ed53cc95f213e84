"""The log as a person may read it: some things wait until a round closes, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .annotation import Annotated, Declined
from .case_state import Case
from .cases import CasesOpened
from .cells import cell_state
from .completion import Released
from .corrections import Rescored
from .disagreement import unanimous
from .event import Event, apply
from .imports import ImportAccepted, Imported
from .procedure import read_event
from .rounds import RoundClosed
from .sight import Sight, seeing
from .state import Epoch, Round, State
from .store.record import LogRecord
from .terms import Answer, CellState
from .transitions import NEW_EPOCH, Moved

_SAFE = ("case", "by", "coder", "item", "question", "round", "review_date", "type")


@dataclass(frozen=True)
class LogEntry:
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


def log(records: Iterable[LogRecord], state: State, person: str) -> Iterator[LogEntry]:
    """The events of a project as a person may read them, in their order.

    While a round is open, of other people's annotations only who, when and how many; and of cells
    that are annotated again, nothing that was said about them before.

    Parameters
    ----------
    records : iterable of LogRecord
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


def _entries(records: Iterable[LogRecord], sight: Sight) -> Iterator[LogEntry]:
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
        yield LogEntry(record.seq if numbered else 0, **told, body=body, withheld=why)


TELLING: dict[type[Event], tuple[str, ...]] = {
    RoundClosed: ("counts",),
    Released: ("counts", "flags", "proofs", "seals"),
    ImportAccepted: ("n", "digest"),
}
"""What of an event tells how coders annotated."""


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
        if isinstance(event, CasesOpened) and any(map(self._hides_case, event.numbers)):
            return _without(body, "because"), self.sight.until
        if isinstance(event, Imported):
            return _without(body, "warnings"), self._why(bool(event.warnings))
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


# ------------------------------------------------------------------ rounds of re-annotation


@dataclass(frozen=True)
class Again:
    """What a round of re-annotation changed on one question.

    Parameters
    ----------
    epoch, round : int
    question : str
    agreed, conflicting : int
        Cells of the scope that agreed, and that conflicted, before.
    changed : int
        Of those that agreed: another answer now, or none that all share.
    settled : int
        Of those that conflicted: agreed now.
    """

    epoch: int
    round: int
    question: str
    agreed: int = 0
    changed: int = 0
    conflicting: int = 0
    settled: int = 0


def annotated_again(records: Iterable[LogRecord]) -> list[Again]:
    """What each round of re-annotation changed: the log is read once, from the beginning.

    Examples
    --------
    >>> annotated_again([])
    []
    """
    found, state = list[Again](), State()
    for record in records:
        event = read_event(record.kind, record.body)
        some = state.epoch.round if isinstance(event, RoundClosed) else None
        some = some if some is not None and some.orders else None
        before = _cells(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _cells(state.epoch, some)
            found += [_again(state, some, q, before[q], after[q]) for q in some.questions]
    return found


_TORN = "in conflict"
_Cell = Answer | str | None
"""What all coders of a cell share; `_TORN` if they conflict."""


def _cells(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    items = range(some.n_items) if some.items is None else some.items
    torn = CellState.CONFLICTING
    return {
        q: [_TORN if cell_state(epoch, i, q) is torn else unanimous(epoch, i, q) for i in items]
        for q in some.questions
    }


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    both = [*zip(before, after, strict=True)]
    agreed = [(old, new) for old, new in both if old not in (None, _TORN)]
    torn = [new for old, new in both if old == _TORN]
    return Again(
        state.epoch.number,
        some.number,
        question,
        len(agreed),
        sum(old != new for old, new in agreed),
        len(torn),
        sum(new not in (None, _TORN) for new in torn),
    )
