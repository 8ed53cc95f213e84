"""What the state no longer tells and the log does: signatures, rescorings, what a round changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..resolution.cells import compared
from ..resolution.events.all import read_event
from ..resolution.events.cases import Rescored
from ..resolution.events.event import Event
from ..resolution.events.rounds import RoundClosed
from ..resolution.events.toolbox import (
    Acknowledged,
    ConceptWritten,
    EditorialConfirmed,
    GuidelinesWritten,
    Objected,
    SignedOff,
    TaskWritten,
)
from ..resolution.folding.fold import apply
from ..resolution.records import Answer
from ..resolution.state import NONE, Epoch, Round, State
from ..resolution.store.record import Record

__all__ = ["Again", "History", "Signature", "history"]


@dataclass(frozen=True)
class Signature:
    """What a person said about a version of a part of the toolbox.

    ``what`` is 'agreed', 'objected' or 'confirmed' (that an editorial change changes no answer);
    ``part`` is 'concept NAME vN' or 'guidelines VERSION'.
    """

    part: str
    person: str
    what: str
    at: str
    text: str = ""


@dataclass(frozen=True)
class Again:
    """What a round of re-annotation changed on one question.

    Parameters
    ----------
    epoch, round : int
    question : str
    agreed, conflicting : int
        Cells of the scope that agreed, and that conflicted, before.
    kept, other, torn, lost : int
        Of those that agreed: the same answer again, agreed on another one, conflicting now, without
        a common answer for another reason (no longer asked, declined).
    settled : int
        Of those that conflicted: agreed now.
    """

    epoch: int
    round: int
    question: str
    agreed: int = 0
    kept: int = 0
    other: int = 0
    torn: int = 0
    lost: int = 0
    conflicting: int = 0
    settled: int = 0

    @property
    def changed(self) -> int:
        """Cells that agreed before and changed."""
        return self.agreed - self.kept


@dataclass(frozen=True)
class Change:
    """An answer that a coder changed in a case: coder, item, question, new answer, because."""

    coder: str
    item: str
    question: str
    answer: Answer
    because: str
    at: str


@dataclass
class History:
    """What the log tells beyond the state.

    Parameters
    ----------
    signatures : list of Signature
        In their order.
    again : list of Again
    changes : dict of int to list of Change
        By number of the case.
    authors : dict of int to str
        Who wrote each toolbox, by its number.
    known : bool
        Whether there was a log to read.
    """

    signatures: list[Signature] = field(default_factory=list)
    again: list[Again] = field(default_factory=list)
    changes: dict[int, list[Change]] = field(default_factory=dict)
    authors: dict[int, str] = field(default_factory=dict)
    known: bool = False


def history(records: Iterable[Record]) -> History:
    """Read the log once, from the beginning.

    Parameters
    ----------
    records : iterable of Record
        All events (`Project.records`); none if the log is not at hand.

    Examples
    --------
    >>> history([]).known
    False
    """
    found, state = History(), State()
    for record in records:
        found.known = True
        event = read_event(record.kind, record.body)
        some = _closing(state, event)
        before = _answers(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _answers(state.epoch, some)
            found.again += [_again(state, some, q, before[q], after[q]) for q in some.questions]
        _note(found, state, event, record)
    return found


def _note(found: History, state: State, event: Event, record: Record) -> None:
    match event:
        case SignedOff(coder=who, concept=name, version=version):
            found.signatures.append(
                Signature(f"concept {name} v{version}", who, "agreed", record.at)
            )
        case Acknowledged(coder=who, guidelines=version):
            found.signatures.append(Signature(f"guidelines {version}", who, "agreed", record.at))
        case EditorialConfirmed(coder=who, version=version):
            part = f"guidelines {version}"
            found.signatures.append(Signature(part, who, "confirmed", record.at))
        case Objected(coder=who, concept=name, version=version, text=text):
            last = state.epoch.guidelines[-1].version if state.epoch.guidelines else ""
            part = f"concept {name} v{version}" if name else f"guidelines {last}"
            found.signatures.append(Signature(part, who, "objected", record.at, text))
        case Rescored():
            change = Change(
                event.coder, event.item, event.question, event.answer, event.because, record.at
            )
            found.changes.setdefault(event.case, []).append(change)
        case TaskWritten() | GuidelinesWritten() | ConceptWritten():
            found.authors[state.toolboxes[-1].ordinal] = record.actor
        case _:
            pass


# ------------------------------------------------------------------ before and after a round

_Cell = int | None
"""Code of the answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""
_TORN = -2


def _closing(state: State, event: Event) -> Round | None:
    """The round that an event closes, if it annotates again."""
    if not isinstance(event, RoundClosed):
        return None
    some = state.epoch.round
    return some if some is not None and some.orders else None


def _answers(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    items = range(some.n_items) if some.items is None else some.items
    found = {}
    for question in some.questions:
        result = compared(epoch, question, items)
        torn, open_ = set(result.conflicting), set(result.incomplete)
        columns = list(epoch.current.get(question, {}).values())
        found[question] = [
            _TORN if item in torn else None if item in open_ else _common(columns, item)
            for item in items
        ]
    return found


def _common(columns: list[list[int]], item: int) -> _Cell:
    codes = [c[item] for c in columns if item < len(c) and c[item] != NONE]
    return codes[0] if len(codes) > 1 else None


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    """Compare the cells of one question before and after a round."""
    n: Counter[str] = Counter()
    for old, new in zip(before, after, strict=True):
        if old is None:
            continue
        if old == _TORN:
            n["conflicting"] += 1
            n["settled"] += new is not None and new != _TORN
            continue
        n["agreed"] += 1
        what = "lost" if new is None else "torn" if new == _TORN else "kept"
        n["other" if what == "kept" and new != old else what] += 1
    return Again(state.epoch.number, some.number, question, **n)
