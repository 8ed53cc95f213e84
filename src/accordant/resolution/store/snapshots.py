"""Snapshots: a state that was computed from the events, kept so that opening is fast.

They are derived. One that does not fit its events is passed over, and may be thrown away.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from ...errors import RequestError
from .tables import event, snapshot

__all__ = ["Snapshot", "fits", "keep_snapshot", "newest"]


class Snapshot(NamedTuple):
    """The state after event `seq`, whose hash is `hash`; `format` says how to read the blob."""

    seq: int
    hash: str
    format: int
    blob: bytes


def newest(connection: Connection, format: int | None) -> Snapshot | None:
    """The last snapshot that fits the events, of that format; None where there is none."""
    query = select(snapshot).order_by(snapshot.c.seq.desc())
    if format is not None:
        query = query.where(snapshot.c.format == format)
    for row in connection.execute(query):
        found = Snapshot(row.seq, row.hash, row.format, row.blob)
        if fits(connection, found, row.digest):
            return found
    return None


def keep_snapshot(connection: Connection, new: Snapshot) -> None:
    """Put the snapshot in the place of those before."""
    if not _of_event(connection, new):
        raise RequestError(f"there is no event {new.seq} with the hash {new.hash[:12]}…")
    connection.execute(delete(snapshot))
    connection.execute(insert(snapshot), {**new._asdict(), "digest": _digest(new)})


def fits(connection: Connection, found: Snapshot, digest: str) -> bool:
    """Whether the snapshot is what was kept, and of an event that there is."""
    return (
        isinstance(found.blob, bytes) and _digest(found) == digest and _of_event(connection, found)
    )


def _of_event(connection: Connection, found: Snapshot) -> bool:
    there = select(event.c.hash).where(event.c.seq == found.seq)
    return bool(connection.scalar(there) == found.hash)


def _digest(of: Snapshot) -> str:
    sha = hashlib.sha256(f"{of.seq}:{of.hash}:{of.format}:".encode("utf-8", "surrogateescape"))
    sha.update(of.blob)
    return sha.hexdigest()
