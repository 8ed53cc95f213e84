"""The state of a project beside its log: folded, kept in snapshots, checked against events."""

from __future__ import annotations

import gc
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from threading import RLock
from types import TracebackType
from typing import Self

import msgspec

from .._version import __version__
from ..errors import Conflict, InputError, StoreError
from .completion import Released
from .event import Event, apply
from .procedure import KINDS, read_event
from .proof import FACTS, proved, seal, unproved
from .sentences import counted
from .state import State
from .store.record import FIRST, Record
from .store.store import Store
from .store.verification import UNREADABLE, Fault
from .words import ReleaseStatus

__all__ = ["KeptState", "compare", "examination", "faults_of", "replayed", "uncollected"]

UNPROVED = "Do not take it for a ground truth: see what is missing, and release again"
RELEASED = "released"  # a kind of event
WATCHED = ("case ", "toolbox", "order ", "group ")
"""Streams whose content a person has judged before acting: there, whoever comes second is told.
Elsewhere (one's own annotations, people, steps) the guards, asked again, are enough; and so they
are between events that commute, such as two coders' own reasons."""


@contextmanager
def uncollected() -> Iterator[None]:
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

    Raises
    ------
    InputError
        If an event cannot be read, or does not fit those before it. The state is then what the
        events before it add up to, if it cannot be read.
    """
    state = State() if state is None else state
    for record in records:
        event = read_event(record.kind, record.body)
        try:
            apply(state, [(event, (record.at, record.actor))])
        except Exception as error:
            state.seq -= 1  # it was counted before it was carried out
            raise InputError(
                f"event {record.seq} of the log ({record.kind!r}) does not fit what was before it: "
                f"it cannot be carried out ({error!r})"
            ) from error
        state.seq, state.head = record.seq, record.hash
    return state


def faults_of(
    store: Store, *, head: str | None = None, progress: Callable[[int, int], None] | None = None
) -> list[Fault]:
    """Everything in a store that is not as it was written, and the first event that is unreadable.

    Parameters
    ----------
    store : Store
    head : str, optional
        Hash of an event as a report printed it: shows whether the end was cut off.
    progress : callable, optional
        Called with the number of events looked at and of all.
    """
    faults, _ = examination(store, head, progress)
    return faults


def examination(
    store: Store, head: str | None, progress: Callable[[int, int], None] | None
) -> tuple[list[Fault], State]:
    """The faults of a store, and what its events add up to, as far as they can be read."""
    faults, state = store.verify(head=head, progress=progress), State()
    try:
        with uncollected():
            replayed(_watched(store.records(), state, faults), state)
    except InputError as error:
        known = any(fault.seq == state.seq + 1 for fault in faults)  # it was altered, as was said
        if not known:
            faults.append(Fault(state.seq + 1, str(error), UNREADABLE))
    except StoreError:
        if not faults:
            raise
    return faults, state


def compare(events: Sequence[Event], tail: Sequence[Record], by: str) -> None:
    """Complain if somebody acted on what events are about, unless both may stand in any order."""
    for event in events:
        for last in reversed(tail):
            if last.stream != event.stream or not event.stream.startswith(WATCHED):
                continue
            if event.commutes and KINDS[last.kind].commutes and last.actor != by:
                continue
            raise Conflict(
                f"{last.actor} acted on the same {event.stream} before you: {last.kind} at "
                f"{last.at}. Nothing of yours was written: look again, and repeat if it still "
                "makes sense"
            )


def _watched(records: Iterable[Record], state: State, faults: list[Fault]) -> Iterator[Record]:
    """Records on their way into a state; of each release, whether the log proves what it says."""
    for record in records:
        if record.kind == RELEASED:
            faults += _release_faults(state, record)
        yield record


def _release_faults(state: State, record: Record) -> list[Fault]:
    event = read_event(record.kind, record.body)
    if not isinstance(event, Released) or state.epoch.abandoned:
        return []
    found, name = [], f"release {event.version}"
    kinds = {kind.value: n for kind, n in proved(state).kinds.items()}
    # Of a release whose seal has words that may have changed since, the numbers are compared.
    resealed = event.proofs_digest.startswith(FACTS) and event.proofs_digest != seal(state)
    if resealed or (event.proofs and event.proofs != kinds):
        found.append(Fault(record.seq, f"{name} holds other proofs than the log", UNPROVED))
    if event.status is ReleaseStatus.GROUND_TRUTH and (n := unproved(state)):
        what = f"{name} is called ground truth, and {counted(n, 'answer')} of it have no proof"
        found.append(Fault(record.seq, what, UNPROVED))
    return found


KEEP_AFTER = 200  # events since the last snapshot, after which opening would become slow …
KEEP_SIZE = 1 << 20  # … or so many characters of events


def _format() -> int:
    """A number that changes when a snapshot of another version could mean something else."""
    described = f"{__version__} {msgspec.json.schema(State)}"
    return zlib.crc32(described.encode()) & 0x7FFFFFFF


class KeptState:
    """A store, and what its events add up to.

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

    def _recall(self) -> None:
        """The state from the log alone, each event as it was written."""
        with self._lock, uncollected():
            fresh = replayed(self.store.sound())
            if self.refresh() != fresh:
                self._state = fresh

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

    # ------------------------------------------------------------------ snapshots

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
