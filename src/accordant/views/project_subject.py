"""What is told about a project: its state and log as one reader may see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..fields import FIELDS, Field, columns
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
from ..resolution.logbook import head
from ..resolution.records import Answer
from ..resolution.release import ReleaseNow, status_now
from ..resolution.sight import Sight, first_answers, seeing
from ..resolution.state import NONE, Case, Epoch, Round, State
from ..resolution.store.record import Record
from ..resolution.words import ReleaseStatus, Step
from .blocks import Table
from .evidence import Collector

__all__ = ["Again", "History", "Signature", "Subject", "filled", "history", "minute", "table"]


def filled(keys: str, rows: Sequence[Mapping[str, Any]], *more: Field) -> tuple[Field, ...]:
    """The columns of some keys in which anything stands, and further ones."""
    found = (*columns(keys), *more)
    return tuple(c for c in found if not rows or any(r.get(c.key) not in ("", None) for r in rows))


def table(title: str, keys: str, rows: Iterable[Mapping[str, Any]], *notes: str,
          **settings: Any) -> Table:  # fmt: skip
    """A table with those of the columns in which anything stands."""
    each = tuple(rows)
    return Table(title, filled(keys, each), each, notes, **settings)


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
        then, found = self._asked_then(case), self._first(case)
        return {coder: answer for coder, answer in found.items() if coder in then} or found

    def later(self, case: Case) -> dict[str, str]:
        """What coders answered first who were asked after that round."""
        then, found = self._asked_then(case), self._first(case)
        known = any(coder in then for coder in found)
        return {coder: answer for coder, answer in found.items() if known and coder not in then}

    def _first(self, case: Case) -> dict[str, str]:
        return {c: str(a) for c, a in first_answers(self.epoch, case).items()}

    def _asked_then(self, case: Case) -> set[str]:
        """Coders whose answer stands in the round that opened a case."""
        return {
            coder
            for some in self.epoch.rounds
            if some.number == case.round
            for coder, column in some.sheet.get(case.question, {}).items()
            if case.item in column
        }


# ------------------------------------------------------------------ what only the log tells


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


@dataclass
class History:
    """What the log tells beyond the state.

    Parameters
    ----------
    signatures : list of Signature
        In their order.
    again : list of Again
    changes : dict of int to list of (Rescored, str)
        By number of the case: each change of an answer, and when.
    authors : dict of int to str
        Who wrote each toolbox, by its number.
    known : bool
        Whether there was a log to read.
    """

    signatures: list[Signature] = field(default_factory=list)
    again: list[Again] = field(default_factory=list)
    changes: dict[int, list[tuple[Rescored, str]]] = field(default_factory=dict)
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
        before = _answers(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _answers(state.epoch, some)
            found.again += [_again(state, some, q, before[q], after[q]) for q in some.questions]
        _note(found, state, event, record)
    return found


def _note(found: History, state: State, event: Event, record: Record) -> None:
    def signed(part: str, who: str, what: str, text: str = "") -> None:
        found.signatures.append(Signature(part, who, what, record.at, text))

    match event:
        case SignedOff(coder=who, concept=name, version=version):
            signed(f"concept {name} v{version}", who, "agreed")
        case Acknowledged(coder=who, guidelines=version):
            signed(f"guidelines {version}", who, "agreed")
        case EditorialConfirmed(coder=who, version=version):
            signed(f"guidelines {version}", who, "confirmed")
        case Objected(coder=who, concept=name, version=version, text=text):
            last = state.epoch.guidelines[-1].version if state.epoch.guidelines else ""
            part = f"concept {name} v{version}" if name else f"guidelines {last}"
            signed(part, who, "objected", text)
        case Rescored():
            found.changes.setdefault(event.case, []).append((event, record.at))
        case TaskWritten() | GuidelinesWritten() | ConceptWritten():
            found.authors[state.toolboxes[-1].ordinal] = record.actor
        case _:
            pass


_Cell = int | None
"""Code of the answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""
_TORN = -2


def _closing(state: State, event: Event) -> Round | None:
    """The round that an event closes, if it annotates again."""
    some = state.epoch.round if isinstance(event, RoundClosed) else None
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


def answer_text(answer: Answer | None) -> str:
    """An answer in a sentence."""
    return "no answer" if answer is None else f"“{answer}”"


def called(heading: str, key: str, kind: str = "text") -> Field:
    """A column whose heading comes from the data."""
    return FIELDS["n" if kind == "count" else "text"].called(heading, key=key)
