"""A project: its events in a store, and where it stands, folded from them.

>>> from tempfile import TemporaryDirectory
>>> from accordant.resolution.commands.setup import state_question
>>> folder = TemporaryDirectory()
>>> with Project.create(f"{folder.name}/letters.accordant", "Letters", by="ana") as project:
...     happened = project.do(state_question, by="ana", text="Who wrote them?")
...     project.state.step.value, [event.kind for event in happened]
('setup', ['research question stated'])
>>> folder.cleanup()
"""

from __future__ import annotations

import gc
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec

import msgspec

from .._version import __version__
from ..errors import Conflict
from .commands.command import Events, act
from .commands.setup import new_project
from .events.all import read_event, written
from .folding.fold import apply
from .refusal import Refused
from .state import State
from .store.record import Draft, Record, moment
from .store.store import Store
from .store.verifying import Fault

__all__ = ["Project", "replayed"]

Given = ParamSpec("Given")

KEEP_AFTER = 200  # events since the last snapshot, after which opening would become slow …
KEEP_SIZE = 1 << 20  # … or so many characters of events
WATCHED = ("case ", "toolbox", "order ", "group ")
"""Streams whose content a person has judged before acting: there, whoever comes second is told.
Elsewhere (one's own annotations, people, steps) the guards, asked again, are enough."""


def _format() -> int:
    """A number that changes when a snapshot of another version could mean something else."""
    described = f"{__version__} {msgspec.json.schema(State)}"
    return zlib.crc32(described.encode()) & 0x7FFFFFFF


@contextmanager
def _uncollected() -> Iterator[None]:
    """While very many things are made and none is dropped, looking for garbage is in vain."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def replayed(records: Iterable[Record], state: State | None = None) -> State:
    """The state that records add up to.

    Parameters
    ----------
    records : iterable of Record
        In their order.
    state : State, optional
        What they follow; changed in place.
    """
    state = State() if state is None else state
    for record in records:
        apply(state, [(read_event(record.kind, record.body), (record.at, record.actor))])
        state.seq, state.head = record.seq, record.hash
    return state


class Project:
    """One project, opened. Made by `create` and `open`.

    Attributes
    ----------
    store : Store
        The events.
    state : State
        Where the project stood when this object last looked. Never change it.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._kept = 0  # number of the event of the last snapshot
        self._size = 0  # characters of events since
        self.state = self._opened()

    @classmethod
    def create(
        cls,
        where: str | Path,
        title: str,
        *,
        by: str,
        imported: bool = False,
        at: str | None = None,
    ) -> Project:
        """Begin a project.

        Parameters
        ----------
        where : str or Path
            A file that does not exist yet, or ``postgresql://…/database?project=name``.
        title : str
        by : str
            Who begins it: its first researcher.
        imported : bool
            Whether annotations that were made elsewhere will come in.
        at : str, optional
            The moment (UTC, ISO 8601); now by default.
        """
        project = cls(Store.create(where))
        try:
            project.done(new_project, by, at=at, given={"title": title, "imported": imported})
        except BaseException:
            project.store.discard()
            raise
        return project

    @classmethod
    def open(cls, where: str | Path, *, read_only: bool = False) -> Project:
        """Open a project that is there."""
        store = Store.open(where, read_only=read_only)
        try:
            return cls(store)
        except BaseException:
            store.close()
            raise

    # ------------------------------------------------------------------ reading

    def refresh(self) -> State:
        """Look again: the state with what others did meanwhile."""
        return self._follow(self.store.records(self.state.seq))

    def records(self) -> Iterator[Record]:
        """The log, from the beginning; use `views.log` to show it to somebody."""
        return self.store.records()

    def verify(
        self, *, head: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> list[Fault]:
        """Everything that is not as it was written, and every event that cannot be read.

        Parameters
        ----------
        head : str, optional
            Hash of an event as a report printed it: shows whether the end was cut off.
        progress : callable, optional
        """
        faults = self.store.verify(head=head, progress=progress)
        if faults:
            return faults
        fresh = replayed(self.store.records())
        if fresh != self.refresh():
            faults.append(
                Fault(
                    None,
                    "the snapshot is not what the events add up to",
                    "nothing is lost: it will be made anew from the events",
                )
            )
            self.state = fresh
            self._keep()
        return faults

    # ------------------------------------------------------------------ acting

    def do(
        self,
        function: Callable[Concatenate[State, str, Given], Events],
        /,
        by: str,
        *args: Given.args,
        **given: Given.kwargs,
    ) -> Events:
        """Run a command, whole or not at all; see `done` for its options."""
        return self.done(function, by, given=given)

    def done(
        self,
        function: Callable[..., Events],
        by: str,
        *,
        given: Mapping[str, object],
        at: str | None = None,
        id: str | None = None,
    ) -> Events:
        """Run a command on the project as it is now.

        Parameters
        ----------
        function : callable
            A command of `commands`.
        by : str
            Who acts.
        given : mapping
            What the command takes.
        at : str, optional
            The moment (UTC, ISO 8601); now by default.
        id : str, optional
            Name of this act, made by the caller: repeated, it changes nothing and returns what
            happened the first time.

        Returns
        -------
        list of Event
            What happened, necessary consequences included.

        Raises
        ------
        Refused
            With everything that is missing; nothing happened.
        Conflict
            Somebody else acted on the same case, toolbox or order since this object last looked;
            nothing happened, and the state is the new one.
        StoreError
            It could not be written; nothing happened.
        """
        when, name = moment(at), id or secrets.token_hex(12)
        try:
            with self.store.writing() as writing:
                if (first := writing.earlier(name)) is not None:
                    return [read_event(record.kind, record.body) for record in first]
                tail = writing.tail(self.state.seq)
                moved = {record.stream: record for record in tail}
                self._follow(tail)
                events = self._decide(function, by, when, given, tail)
                self._compare(events, moved)
                drafts = [Draft(event.kind, event.stream, written(event)) for event in events]
                records = writing.append(drafts, actor=by, id=name, at=when)
        except Refused:
            raise  # before anything changed
        except BaseException:
            self.state = self._opened()  # the fold was ahead of the log
            raise
        self.state.seq, self.state.head = records[-1].seq, records[-1].hash
        self._size += sum(len(draft.body) for draft in drafts)
        if self.state.seq - self._kept >= KEEP_AFTER or self._size >= KEEP_SIZE:
            self._keep()
        return events

    def _decide(
        self,
        function: Callable[..., Events],
        by: str,
        at: str,
        given: Mapping[str, object],
        tail: list[Record],
    ) -> Events:
        try:
            return act(self.state, by, at, function, **given)
        except Refused as refused:
            others = [record for record in tail if record.actor != by]
            if others:
                last = others[-1]
                refused.note(f"since you looked, {last.actor} acted: {last.kind} ({last.stream})")
            raise

    @staticmethod
    def _compare(events: Events, moved: Mapping[str, Record]) -> None:
        for event in events:
            last = moved.get(event.stream)
            if last is not None and event.stream.startswith(WATCHED):
                raise Conflict(
                    f"{last.actor} acted on the same {event.stream} before you: {last.kind} at "
                    f"{last.at}. Nothing of yours was written: look again, and repeat if it still "
                    "makes sense"
                )

    # ------------------------------------------------------------------ the state

    def _opened(self) -> State:
        """The state from the last snapshot that can be used, and the events after it."""
        kept = self.store.snapshot(_format())
        state = State()
        if kept is not None:
            try:
                with _uncollected():
                    state = msgspec.msgpack.decode(kept.blob, type=State)
                self._kept = kept.seq
            except msgspec.MsgspecError:
                state = State()  # derived: the events say the same
        self._size = 0
        return self._follow(self.store.records(state.seq), state)

    def _follow(self, records: Iterable[Record], state: State | None = None) -> State:
        self.state = replayed(records, self.state if state is None else state)
        return self.state

    def _keep(self) -> None:
        if not self.store.read_only:
            blob = msgspec.msgpack.encode(self.state)
            self.store.keep_snapshot(self.state.seq, self.state.head, _format(), blob)
            self._kept, self._size = self.state.seq, 0

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
