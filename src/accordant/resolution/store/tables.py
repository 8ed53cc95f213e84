"""The tables of a project, the same in a file and on a server: their version, what is in them.

A write transaction looks at what is there and appends: all of it or nothing. Snapshots are derived:
one that does not fit its events is passed over, and may be thrown away. What belongs to one person
stands beside the log. It is neither hashed nor copied with the events, and whoever has the file or
the schema can read it.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import UniqueConstraint as Unique

from ...errors import Conflict, RequestError, StoreError
from .databases import Place
from .record import FIELDS, FIRST, Draft, Record, check_name, check_text, checked, moment, sealed

__all__ = [
    "FOLDER",
    "LATEST",
    "READABLE",
    "Personal",
    "Snapshot",
    "Writing",
    "behind",
    "draft",
    "event",
    "fits",
    "head",
    "keep_snapshot",
    "metadata",
    "newest",
    "page",
    "snapshot",
    "token",
    "upgrade",
]

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ix": "%(table_name)s_%(column_0_N_name)s_index",
    }
)
# Only INTEGER is the row's own number in SQLite; there it has 8 bytes anyway.
Number = BigInteger().with_variant(Integer, "sqlite")

event = Table(
    "event",
    metadata,
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("at", Text, nullable=False),  # text: hashed, so it must be the same bytes everywhere
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("version", Number, nullable=False),
    Column("body", Text, nullable=False),
    Column("prev", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Unique("id"),
    Unique("stream", "version"),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False),
    Column("format", Number, nullable=False),
    Column("digest", Text, nullable=False),
    Column("blob", LargeBinary, nullable=False),
)

draft = Table(
    "draft",
    metadata,
    Column("person", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

token = Table(
    "token",
    metadata,
    Column("person", Text, primary_key=True),
    Column("digest", Text, nullable=False),
)


LATEST = 2
READABLE = 1  # from here on events and snapshots are read as they are
FOLDER = Path(__file__).parent / "migrations"
TABLE = "alembic_version"

_one_at_a_time = threading.Lock()  # Alembic keeps what it works on in a global


def behind(connection: Connection, place: Place) -> int:
    """How many revisions the project is behind; a StoreError where it is ahead, or no project."""
    found = _number(connection, place)
    if found > LATEST:
        raise StoreError(
            f"{place.shown}: was written by a newer Accordant (schema {found}; this one knows "
            f"schema {LATEST}). Install the newer version; nothing was changed"
        )
    return LATEST - found


def upgrade(connection: Connection, place: Place) -> None:
    """Bring the tables to the latest schema, within the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes.update(connection=connection, schema=place.schema)
    with _one_at_a_time:
        command.upgrade(config, f"{LATEST:04}")
    if place.path is not None:  # for other programs that look at the file; we read the table
        connection.exec_driver_sql(f"pragma user_version = {LATEST}")


def _number(connection: Connection, place: Place) -> int:
    named = None
    if inspect(connection).has_table(TABLE, schema=place.schema):
        named = connection.scalar(text("select version_num from alembic_version"))
    if named is None and place.path is None:
        raise StoreError(f"{place.shown}: there is no such project in the database")
    if named is None or not re.fullmatch(r"(?!0000)[0-9]{4}", str(named)):
        raise StoreError(
            f"{place.shown}: holds no project: making it was interrupted, or another program has "
            "changed it. Delete it and make it anew, or go back to a copy"
        )
    return int(named)


def head(connection: Connection) -> tuple[int, str]:
    """Number and hash of the last event; (0, 64 zeros) where there is none."""
    last = select(event.c.seq, event.c.hash).order_by(event.c.seq.desc()).limit(1)
    row = connection.execute(last).one_or_none()
    return (row.seq, row.hash) if row is not None else (0, FIRST)


def page(
    connection: Connection,
    after: int,
    *,
    until: int | None = None,
    kinds: Iterable[str] | None = None,
    most: int | None = None,
) -> list[Record]:
    """Records with ``after < seq <= until``, at most `most` of them."""
    query = select(event).where(event.c.seq > after).order_by(event.c.seq)
    if until is not None:
        query = query.where(event.c.seq <= until)
    if kinds is not None:
        query = query.where(event.c.kind.in_(list(kinds)))
    if most is not None:
        query = query.limit(most)
    return [Record(*row) for row in connection.execute(query)]


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


class Personal:
    """What can be read and, in a transaction that writes, changed; from `Store.personal`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def drafts(self, person: str) -> dict[str, str]:
        """Key → text of what a person has not sent."""
        query = select(draft.c.key, draft.c.text).where(draft.c.person == person)
        return {row.key: row.text for row in self._connection.execute(query.order_by(draft.c.key))}

    def keep_draft(self, person: str, key: str, text: str) -> None:
        """Keep a text in place of the one before; an empty one removes it."""
        check_name("key of a draft", key)
        check_text("draft", text)
        self._drop(draft, person, key)
        if text:
            row = {"person": person, "key": key, "text": text}
            self._connection.execute(insert(draft), row)

    def drop_drafts(self, person: str, acts: Container[str]) -> None:
        """Remove the texts of acts that are done: what stands in a key before its last "/"."""
        for key in self.drafts(person):
            if key.rpartition("/")[0] in acts:
                self._drop(draft, person, key)

    def tokens(self) -> dict[str, str]:
        """Person → hash of their token."""
        return {row.person: row.digest for row in self._connection.execute(select(token))}

    def keep_token(self, person: str, digest: str) -> None:
        """Keep the hash of a person's token in place of the one before; an empty one removes it."""
        self._drop(token, person)
        if digest:
            self._connection.execute(insert(token), {"person": person, "digest": digest})

    def _drop(self, table: Table, person: str, key: str = "") -> None:
        query = delete(table).where(table.c.person == person)
        self._connection.execute(query.where(table.c.key == key) if key else query)


BATCH = 5_000  # records at a time into the database
AHEAD = timedelta(days=1)  # how wrong a clock may be
FEW = 50  # streams whose versions are asked for one by one: each is one step down an index

_values = attrgetter(*FIELDS)


class Writing:
    """What can be done while nobody else writes; comes from `Store.writing`."""

    def __init__(self, connection: Connection, shown: str) -> None:
        self._connection = connection
        self._shown = shown
        self._head = head(connection)
        self.personal = Personal(connection)

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last event, those of this transaction included."""
        return self._head

    def moment(self, at: str | None = None) -> str:
        """The time of what is appended: as given (UTC, ISO 8601), or now.

        Times never run backwards along the log: where a clock is behind that of whoever acted
        last, the time is that of their event.

        Raises
        ------
        RequestError
            If a time is given that is none, lies before that of the last event, or more than a day
            ahead of the clock: all later events would have to bear it.
        """
        last = self._connection.scalar(select(event.c.at).where(event.c.seq == self._head[0]))
        when = moment(at)
        if at and datetime.fromisoformat(at) > datetime.now(UTC) + AHEAD:
            raise RequestError(
                f"{at!r} is more than a day ahead of the clock: give the time of the act in UTC"
            )
        if last is None or datetime.fromisoformat(when) >= datetime.fromisoformat(last):
            return when
        if at is not None:
            raise RequestError(f"{at!r} lies before {last!r}, the time of the last event")
        return str(last)

    def tail(self, after: int) -> list[Record]:
        """All events after number `after`: what others did since the caller looked."""
        return page(self._connection, after) if after < self._head[0] else []

    def earlier(self, id: str) -> list[Record] | None:
        """The events of the command `id` if it was accepted before, else None."""
        first = select(event.c.seq).where(event.c.id == f"{id}/0")
        seq = self._connection.scalar(first)
        if seq is None:
            return None
        found: list[Record] = []
        while True:  # they follow one another, since a command is one transaction
            after = seq - 1 + len(found)
            read = page(self._connection, after, most=100 if not found else BATCH)
            ours = [record for record in read if record.command == id]
            found += ours
            if not ours or len(ours) < len(read):
                return found

    def append(
        self,
        drafts: Iterable[Draft],
        *,
        actor: str = "",
        id: str,
        at: str | None = None,
    ) -> list[Record]:
        """Add events after the last one.

        Parameters
        ----------
        drafts : iterable of Draft
        actor : str
            Who does it, where a draft names nobody.
        id : str
            Name of the command, made by the caller. Where it was accepted before, nothing is
            added and its records are returned: so it is safe to repeat.
        at : str, optional
            As for `moment`.

        Returns
        -------
        list of Record
            They count as accepted when the transaction has ended without an error.

        Raises
        ------
        RequestError
            A name or text that cannot be kept, or a time before that of the last event.
        """
        wanted = checked(drafts, actor, id)
        if (first := self.earlier(id)) is not None:
            return first
        versions = self._versions({draft.stream for draft in wanted})
        records = list(
            sealed(
                wanted,
                id=id,
                at=self.moment(at),
                actor=actor,
                head=self._head,
                versions=versions,
            )
        )
        self.take_over(records)
        return records

    def take_over(self, records: Iterable[Record]) -> None:
        """Add records that are sealed already: they must follow the last one."""
        for some in _batches(records):
            rows = [dict(zip(FIELDS, _values(record), strict=True)) for record in some]
            self._connection.execute(insert(event), rows)
            self._head = (some[-1].seq, some[-1].hash)

    def expect(self, seen_by_caller: Mapping[str, int]) -> None:
        """Refuse if a stream has another version (number of its events) than the caller has seen.

        Raises
        ------
        Conflict
            With who changed it last.
        """
        versions = self._versions(set(seen_by_caller))
        for stream, seen in seen_by_caller.items():
            if (found := versions.get(stream, 0)) == seen:
                continue
            last = select(event).where(event.c.stream == stream, event.c.version == found)
            row = self._connection.execute(last).one_or_none()
            who = f", last by {row.actor!r} at {row.at}" if row is not None else ""
            raise Conflict(
                f"{self._shown}: {stream!r} has changed since you looked: you saw version {seen}, "
                f"now it has {found}{who}. Nothing was written: look again, and repeat if it "
                "still makes sense"
            )

    def _versions(self, streams: set[str]) -> dict[str, int]:
        """Stream → number of its last event, for those that have one."""
        names = sorted(streams)
        last = select(event.c.stream, func.max(event.c.version)).group_by(event.c.stream)
        found: dict[str, int] = {}
        if len(names) <= FEW:
            for name in names:
                newest = select(func.max(event.c.version)).where(event.c.stream == name)
                if (version := self._connection.scalar(newest)) is not None:
                    found[name] = version
            return found
        for start in range(0, len(names), BATCH):
            some = last.where(event.c.stream.in_(names[start : start + BATCH]))
            found |= {row[0]: row[1] for row in self._connection.execute(some)}
        return found


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
