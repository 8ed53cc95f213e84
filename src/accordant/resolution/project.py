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

import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, overload

import msgspec

from .._version import __version__
from ..errors import AccordantError, StoreError
from .acts import NOT_POSSIBLE, Act, Acts, ActsRefused, Wrong
from .commands.command import Events, carried_out, decided
from .commands.setup import new_project
from .events.all import read_event, written
from .events.event import Event
from .logbook import head as shown_head
from .refusal import Refused
from .replay import compare, examination, faults_of, replayed, uncollected
from .state import State
from .store.record import FIRST, Draft, Record
from .store.store import Store, Writing
from .store.verifying import Fault

__all__ = ["Project", "examined"]

Given = ParamSpec("Given")

KEEP_AFTER = 200  # events since the last snapshot, after which opening would become slow …
KEEP_SIZE = 1 << 20  # … or so many characters of events


def _format() -> int:
    """A number that changes when a snapshot of another version could mean something else."""
    described = f"{__version__} {msgspec.json.schema(State)}"
    return zlib.crc32(described.encode()) & 0x7FFFFFFF


def examined(
    where: str | Path,
    *,
    head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Fault], int, str]:
    """Faults of a project, also of one that cannot be opened; how many events it has; its head.

    The head is empty while it must wait: even the number of events tells what was answered.
    """
    try:
        with Project.open(where, read_only=True) as project:
            faults = project.verify(head=head, progress=progress)
            return faults, project.state.seq, shown_head(project.state, "")
    except AccordantError:  # what cannot be opened can be looked at
        with Store.open(where, read_only=True) as store:
            faults = faults_of(store, head=head, progress=progress)
            if not faults:
                raise
            return faults, 0, ""


def _streams(given: Mapping[str, object]) -> set[str]:
    """The cases that a command names."""
    named = [given.get("case"), given.get("cases")]
    numbers = [n for some in named for n in (some if isinstance(some, list | tuple) else [some])]
    return {f"case {number}" for number in numbers}


class Project:
    """One project, opened. Made by `create` and `open`.

    Any number of threads may share it: they act one after the other. Whoever reads the state while
    others act reads it within `reading`.

    Attributes
    ----------
    store : Store
        The events.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = RLock()  # held while the state and the log are taken from one event to another
        self._kept = 0  # number of the event of the last snapshot
        self._size = 0  # characters of events since
        self._state: State | None = self._opened()

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
            project = cls(store)
            if not project.state.seq:
                raise StoreError(
                    f"{store.shown}: is empty: making it was interrupted. Delete it and make it "
                    "anew"
                )
            return project
        except BaseException:
            store.close()
            raise

    # ------------------------------------------------------------------ reading

    @property
    def state(self) -> State:
        """Where the project stood when this object last looked. Never change it.

        Raises
        ------
        StoreError
            If an act failed, and since then the project cannot be read to see where it stands.
        """
        with self._lock:
            if self._state is None:
                self._state = self._opened()
            return self._state

    @contextmanager
    def reading(self) -> Iterator[State]:
        """The state, which no other thread changes in the meantime."""
        with self._lock:
            yield self.state

    def refresh(self) -> State:
        """Look again: the state with what others did meanwhile."""
        with self._lock:
            self._follow(self.store.records(self.state.seq))
            return self.state

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
        faults, fresh = examination(self.store, head, progress)
        if faults:
            return faults
        found = self._opened()
        replayed((r for r in self.store.records(fresh.seq) if r.seq <= found.seq), fresh)
        if fresh != found:
            what = "the snapshot is not what the events add up to"
            faults.append(Fault(None, what, "Nothing is lost: it is made anew from the events"))
            with self._lock:
                self._state = fresh
                self._write(fresh)
        return faults

    # ------------------------------------------------------------------ acting

    @overload
    def do(
        self,
        function: Callable[Concatenate[State, str, Given], Events],
        /,
        by: str,
        *args: Given.args,
        **given: Given.kwargs,
    ) -> Events: ...

    @overload
    def do(
        self,
        function: Callable[..., Events],
        /,
        by: str,
        *args: Any,
        expect: Mapping[str, int],
        **given: Any,
    ) -> Events: ...

    def do(
        self,
        function: Callable[..., Events],
        /,
        by: str,
        *args: Any,
        **given: Any,
    ) -> Events:
        """Run a command, whole or not at all; see `done` for its options, and for ``expect``."""
        expect = given.pop("expect", None)
        return self._act(Act(function, by, given, expect=expect or {}, args=args))

    def done(
        self,
        function: Callable[..., Events],
        by: str,
        *,
        given: Mapping[str, object],
        at: str | None = None,
        id: str | None = None,
        expect: Mapping[str, int] | None = None,
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
            The moment (UTC, ISO 8601), not before that of the last event; now by default.
        id : str, optional
            Name of this act, made by the caller: repeated, it changes nothing and returns what
            happened the first time.
        expect : mapping of str to int, optional
            What the person had before them: ``{"case 7": version}`` as `views.case_view` gives it.

        Returns
        -------
        list of Event
            What happened, necessary consequences included.

        Raises
        ------
        Refused
            With everything that is missing; nothing happened.
        Conflict
            Somebody else acted on the same case, toolbox or order since this object last looked, or
            something has moved on from what is expected; nothing happened, and the state is the new
            one.
        StoreError
            It could not be written; nothing happened.
        """
        return self._act(Act(function, by, given, expect=expect or {}), at, id)

    def together(
        self, acts: Iterable[Act | Wrong] | Acts, *, at: str | None = None, id: str | None = None
    ) -> Events:
        """Carry out several acts, all of them or none.

        Each is tried on what the ones before it left, also after one that cannot be done, so that
        everything that is wrong is told at once.

        Parameters
        ----------
        acts : iterable of Act, or callable
            A callable is given the state: what it yields next may depend on what was done so far.
        at, id : str, optional
            As for `done`.

        Returns
        -------
        list of Event
            What happened, in its order; the log names who did each.

        Raises
        ------
        ActsRefused
            With the place of each act that cannot be done; nothing happened.
        StoreError
            It could not be written; nothing happened.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from accordant.resolution import steps
        >>> folder = TemporaryDirectory()
        >>> with Project.create(f"{folder.name}/p.accordant", "Letters", by="ana") as project:
        ...     new = [Act(steps.add_person, "ana", {"name": name}) for name in ("bob", "cleo")]
        ...     _ = project.together(new)
        ...     project.state.coders
        ('bob', 'cleo')
        >>> folder.cleanup()
        """
        if callable(acts):
            return self._carried_out(acts, at, id)
        listed = list(acts)
        return self._carried_out(lambda _: listed, at, id)

    def _act(self, act: Act, at: str | None = None, id: str | None = None) -> Events:
        try:
            return self._carried_out(lambda _: [act], at, id)
        except ActsRefused as refused:
            raise refused.each[0].error from None

    def _carried_out(self, acts: Acts, at: str | None, id: str | None) -> Events:
        with self._lock:
            before: int | None = None
            try:
                with self.store.writing() as writing:
                    tail = writing.tail(self.state.seq)
                    self._follow(tail)
                    before = self.state.seq
                    name = id or secrets.token_hex(12)
                    if (first := writing.earlier(name)) is not None:
                        return [read_event(record.kind, record.body) for record in first]
                    when = writing.moment(at)
                    happened = self._tried(acts, writing, tail, when)
                    drafts = [Draft(e.kind, e.stream, written(e), by) for by, e in happened]
                    records = writing.append(drafts, id=name, at=when)
            except BaseException:
                if before is not None and self.state.seq != before:  # memory is ahead of the log
                    self._state = None  # looked up in the log when it is asked for
                raise
            if records:
                self.state.seq, self.state.head = records[-1].seq, records[-1].hash
            self._size += sum(len(draft.body) for draft in drafts)
            if self.state.seq - self._kept >= KEEP_AFTER or self._size >= KEEP_SIZE:
                with suppress(StoreError):  # what was done is in the log: a snapshot can wait
                    self._keep()
            return [event for _, event in happened]

    def _tried(
        self, acts: Acts, writing: Writing, tail: list[Record], when: str
    ) -> list[tuple[str, Event]]:
        """What happens, each event with who acts; the state is then ahead of the log."""
        happened, wrong, tried = list[tuple[str, Event]](), list[Wrong](), 0
        for act in acts(self.state):
            tried += 1
            if isinstance(act, Wrong):
                wrong.append(act)
                continue
            try:
                writing.expect(act.expect)
                own = self._decided(act, tail)
                compare(own, tail, act.by)
                events = carried_out(self.state, act.by, when, own)
                streams = {event.stream for event in own}
                compare([e for e in events if e.stream not in streams], tail, act.by)
            except NOT_POSSIBLE as error:
                wrong.append(Wrong(act.place, error))
            else:
                happened += [(act.by, event) for event in events]
        if wrong:
            raise ActsRefused(wrong, tried)
        return happened

    def _decided(self, act: Act, tail: list[Record]) -> Events:
        try:
            return decided(self.state, act.by, act.function, *act.args, **act.given)
        except Refused as refused:
            # Not even that somebody answered again in a round: it may tell what they answered.
            others = [r for r in tail if r.actor != act.by and not r.stream.startswith("round ")]
            same = [record for record in others if record.stream in _streams(act.given)]
            if others:
                last = (same or others)[-1]
                refused.note(f"since you looked, {last.actor} acted: {last.kind} ({last.stream})")
            raise

    # ------------------------------------------------------------------ the state

    def _snapshot(self) -> State:
        """The state of the last snapshot that can be used; an empty one where there is none."""
        kept = self.store.snapshot(_format())
        with uncollected(), suppress(msgspec.MsgspecError):  # derived: the events say the same
            if kept is not None:
                return msgspec.msgpack.decode(kept.blob, type=State)
        return State()

    def _opened(self) -> State:
        """The state from the last snapshot that can be used, and the events after it."""
        state = self._snapshot()
        self._kept, self._size = state.seq, 0
        with uncollected():
            return replayed(self.store.records(state.seq), state)

    def _follow(self, records: Iterable[Record]) -> None:
        """Take in what others did; whatever goes wrong, the state is never half of it."""
        state, self._state = self.state, None
        self._state = replayed(records, state)

    def _keep(self) -> None:
        """Keep a snapshot: never of memory, but of the last one and the events since, each checked.

        Memory that is something else, since somebody changed the state, is put right.
        """
        if self.store.read_only:
            return
        base, last = self._snapshot(), self.state.seq
        since = takewhile(lambda r: r.seq <= last, self.store.sound(base.seq, base.head or FIRST))
        with uncollected():
            self._state = replayed(since, base)
        self._write(self._state)

    def _write(self, state: State) -> None:
        if not self.store.read_only:
            blob = msgspec.msgpack.encode(state)
            self.store.keep_snapshot(state.seq, state.head, _format(), blob)
            self._kept, self._size = state.seq, 0

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
