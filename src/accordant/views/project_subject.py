"""What is told about a project: its state and log as one reader may see them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any

from ..fields import FIELDS, Field
from ..resolution.cells import cell_state, look_at_many
from ..resolution.disagreement import unanimous
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
from ..resolution.logbook import head
from ..resolution.records import Answer
from ..resolution.release import ReleaseNow, status_now
from ..resolution.sight import Sight, first_answers, seeing
from ..resolution.state import Case, Epoch, Round, State
from ..resolution.store.record import Record
from ..resolution.words import CellState, ReleaseStatus, Step
from .blocks import Block, Table
from .document import Section
from .evidence import Collector

__all__ = ["Again", "History", "Subject", "Told", "called", "chapter", "history", "minute", "table"]

Told = Iterator[str | Block]


def chapter(
    key: str, title: str
) -> Callable[[Callable[[Subject], Told]], Callable[[Subject], Section | None]]:
    """A chapter of the report: its first sentence, then blocks; none if nothing is told."""

    def register(make: Callable[[Subject], Told]) -> Callable[[Subject], Section | None]:
        @wraps(make)
        def section(subject: Subject) -> Section | None:
            told: list[Any] = [*make(subject)]
            return Section(key, title, told[0], tuple(told[1:])) if told else None

        return section

    return register


def table(
    title: str, keys: str | Iterable[str | Field], rows: Iterable[Mapping[str, Any]], *notes: str,
    **settings: Any,
) -> Table:  # fmt: skip
    """A table with those of the columns in which anything stands."""
    each = tuple(rows)
    named = keys.split() if isinstance(keys, str) else keys
    columns = (FIELDS[key] if isinstance(key, str) else key for key in named)
    empty = ("", None)
    shown = (
        column
        for column in columns
        if not each or any(row.get(key) not in empty for row in each for key in column.keys)
    )
    return Table(title, tuple(shown), each, notes, **settings)


def called(heading: str, key: str, kind: str = "text") -> Field:
    """A column whose heading comes from the data."""
    return FIELDS["n" if kind == "count" else "text"].called(heading, key=key)


def minute(at: str) -> str:
    """A moment as people read it."""
    return at[:16].replace("T", " ")


@dataclass(frozen=True, eq=False)
class Subject:
    """A project, as one reader may see it.

    Parameters
    ----------
    state : State
    records : iterable of Record
        The whole log, read when it is needed; without it some things are not told.
    person : str
        Who reads; an empty name is the public.
    options : mapping
        Of `agreement`: level, interval, rng …
    name : str
        What the project's file is called.
    progress : callable, optional
        Called with what is done and all, where something takes long.
    """

    state: State
    records: Iterable[Record] = ()
    person: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    progress: Callable[[int, int], None] | None = None
    collector: Collector = field(default_factory=Collector)
    found: dict[str, Any] = field(default_factory=dict)
    """What views have computed of it."""

    question = None  # a project is told as one

    @property
    def epoch(self) -> Epoch:
        """The current epoch."""
        return self.state.epoch

    @cached_property
    def sight(self) -> Sight:
        """What the reader may see."""
        return seeing(self.state, self.person)

    @cached_property
    def now(self) -> ReleaseNow:
        """What a release would be now."""
        return status_now(self.state)

    @cached_property
    def history(self) -> History:
        """What the log tells beyond the state."""
        return history(self.records)

    @property
    def head(self) -> str:
        """Hash of the last event; empty while a round is open."""
        return head(self.state, self.person)

    @property
    def toolbox(self) -> str:
        """Hash of the toolbox in force; empty if there is none."""
        return self.state.toolbox.hash if self.state.toolbox else ""

    @property
    def released(self) -> bool:
        """Whether the last release is of the project as it is."""
        return self.state.step is Step.FINISHED and bool(self.state.releases)

    @property
    def status(self) -> str:
        """The release status in one sentence: printed on the first line and on every export."""
        if self.released:
            last = self.state.releases[-1]
            return f"Release {last.version}: {last.status}."
        if self.now.status is ReleaseStatus.ABANDONED:
            return "Abandoned: not to be used as labels."
        if self.now.status is ReleaseStatus.UNRELEASED:
            return "Not released."
        return f"Not released. Released as it is, it would be: {self.now.status}."

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the current epoch of which something may be told."""
        return tuple(c for c in self.epoch.cases.values() if not self.sight.hides_case(c))

    @property
    def n_withheld(self) -> int:
        """How many cases are being annotated again."""
        return len(self.epoch.cases) - len(self.cases)

    def item(self, case: Case) -> str:
        """Identifier of the item of a case."""
        return self.state.items.ids[case.item]

    def first(self, case: Case) -> dict[str, str]:
        """What each coder answered in the round that opened a case, as text."""
        found = {c: str(a) for c, a in first_answers(self.epoch, case).items()}
        sheets = [
            r.sheet.get(case.question, {}) for r in self.epoch.rounds if r.number == case.round
        ]
        then = {c for sheet in sheets for c, column in sheet.items() if case.item in column}
        return {coder: answer for coder, answer in found.items() if coder in then} or found

    def later(self, case: Case) -> dict[str, str]:
        """What coders answered first who were asked after that round."""
        then = self.first(case)
        found = first_answers(self.epoch, case)
        return {coder: str(answer) for coder, answer in found.items() if coder not in then}


# ------------------------------------------------------------------ what only the log tells


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
    changes : mapping of int to list of (Rescored, str)
        By number of the case: each change of an answer, and when.
    authors : dict of int to str
        Who wrote each toolbox, by its number.
    known : bool
        Whether there was a log to read.
    """

    signed: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    objected: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    again: list[Again] = field(default_factory=list)
    changes: defaultdict[int, list[tuple[Rescored, str]]] = field(
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
            found.changes[event.case].append((event, record.at))
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
