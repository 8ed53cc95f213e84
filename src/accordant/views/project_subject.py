"""What is told about a project: its state and log as one reader may see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any

from ..fields import FIELDS, Field
from ..resolution.case_state import Case
from ..resolution.logbook import Again, annotated_again, head
from ..resolution.release import ReleaseNow, status_now
from ..resolution.sight import Sight, first_answers, seeing
from ..resolution.state import Epoch, State
from ..resolution.store.record import LogRecord
from ..resolution.terms import ReleaseStatus, Step
from .blocks import Block, Table
from .cell_items import Collector
from .document import Section

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
    title: str,
    keys: str | Iterable[str | Field],
    rows: Iterable[Mapping[str, Any]],
    *notes: str,
    **settings: Any,
) -> Table:
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
    records : iterable of LogRecord
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
    records: Iterable[LogRecord] = ()
    person: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    progress: Callable[[int, int], None] | None = None
    collector: Collector = field(default_factory=Collector)
    found: dict[str, Any] = field(default_factory=dict)

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
    def again(self) -> list[Again]:
        """What rounds of re-annotation changed."""
        return annotated_again(self.records)

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
