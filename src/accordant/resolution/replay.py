"""The events of a project folded again: the state that they make, and what is wrong with them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from ..errors import Conflict, InputError, StoreError
from .completion import Released
from .event import Event, apply
from .event_kinds import KINDS, read_event
from .proof import seal, unproved
from .sentences import counted
from .state import State
from .store.record import Record
from .store.store import Store
from .store.verifying import UNREADABLE, Fault
from .words import ReleaseStatus

__all__ = ["compare", "examination", "faults_of", "replayed", "uncollected"]

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
    if event.proofs_digest and event.proofs_digest != seal(state):
        found.append(Fault(record.seq, f"{name} holds other proofs than the log", UNPROVED))
    if event.status is ReleaseStatus.GROUND_TRUTH and (n := unproved(state)):
        what = f"{name} is called ground truth, and {counted(n, 'answer')} of it have no proof"
        found.append(Fault(record.seq, what, UNPROVED))
    return found
