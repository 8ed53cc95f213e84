"""What the log of a project tells beyond its state: who signed what, what changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from .cells import cell_state, look_at_many
from .concepts import ConceptWritten, Objected, SignedOff
from .disagreement import unanimous
from .event import Event, apply
from .guidelines import Acknowledged, EditorialConfirmed, GuidelinesWritten
from .procedure import read_event
from .records import Answer
from .rescoring import Rescored
from .rounds import RoundClosed
from .state import Epoch, Round, State
from .store.record import Record
from .task import TaskWritten
from .words import CellState

__all__ = ["Again", "History", "history"]


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


@dataclass
class History:
    """What the log tells beyond the state.

    Parameters
    ----------
    signed : mapping of str to dict of str to str
        Part of the toolbox, 'concept NAME vN' or 'guidelines VERSION' → coder → the name of the
        coder who agreed, with what was said of it.
    objected : mapping of str to list of str
        Part → who objected, and why.
    again : list of Again
    changes : mapping of int to list of (Rescored, int)
        By number of the case: each change of an answer, and the number of its event.
    authors : dict of int to str
        Who wrote each toolbox, by its number.
    known : bool
        Whether there was a log to read.
    """

    signed: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    objected: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    again: list[Again] = field(default_factory=list)
    changes: defaultdict[int, list[tuple[Rescored, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    authors: dict[int, str] = field(default_factory=dict)
    known: bool = False


def history(records: Iterable[Record]) -> History:
    """Read the log once, from the beginning; nothing is known if it is not at hand.

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
        before = _cells(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _cells(state.epoch, some)
            found.again += [_again(state, some, q, before[q], after[q]) for q in some.questions]
        _note(found, state, event, record)
    return found


def _note(found: History, state: State, event: Event, record: Record) -> None:
    match event:
        case SignedOff(coder=who, concept=name, version=version):
            found.signed[f"concept {name} v{version}"][who] = who
        case Acknowledged(coder=who, guidelines=version):
            found.signed[f"guidelines {version}"][who] = who
        case EditorialConfirmed(coder=who, version=version):
            found.signed[f"guidelines {version}"][who] = f"{who} (changes no answer)"
        case Objected(coder=who, concept=name, version=version, text=text):
            last = state.epoch.guidelines[-1].version if state.epoch.guidelines else ""
            part = f"concept {name} v{version}" if name else f"guidelines {last}"
            found.objected[part].append(f"{who}: {text}")
        case Rescored():
            found.changes[event.case].append((event, record.seq))
        case TaskWritten() | GuidelinesWritten() | ConceptWritten():
            found.authors[state.toolboxes[-1].ordinal] = record.actor


def _closing(state: State, event: Event) -> Round | None:
    """The round that an event closes, if it annotates again."""
    some = state.epoch.round if isinstance(event, RoundClosed) else None
    return some if some is not None and some.orders else None


_TORN = "in conflict"
_Cell = Answer | str | None
"""The answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""


def _cells(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    look_at_many(epoch)
    items = range(some.n_items) if some.items is None else some.items
    return {q: [_cell(epoch, item, q) for item in items] for q in some.questions}


def _cell(epoch: Epoch, item: int, question: str) -> _Cell:
    match cell_state(epoch, item, question):
        case CellState.CONFLICTING:
            return _TORN
        case CellState.INCOMPLETE:
            return None
    return unanimous(epoch, item, question)


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    """Compare the cells of one question before and after a round."""
    n: Counter[str] = Counter()
    for old, new in zip(before, after, strict=True):
        now = "lost" if new is None else "torn" if new == _TORN else "settled"
        if old == _TORN:
            n.update(["conflicting", *(["settled"] if now == "settled" else [])])
        elif old is not None:
            same = "kept" if new == old else "other"
            n.update(["agreed", same if now == "settled" else now])
    return Again(state.epoch.number, some.number, question, **n)
