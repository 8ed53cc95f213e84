"""The tables of a project, the same in a file and on a server: their version, and what is in them.

Snapshots are derived: one that does not fit its events is passed over, and may be thrown away.
What belongs to one person stands beside the log. It is neither hashed nor copied with the events,
and whoever has the file or the schema can read it.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Container, Iterable
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
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import UniqueConstraint as Unique

from ...errors import RequestError, StoreError
from .place import Place
from .record import FIRST, Record, check_name, check_text

__all__ = [
    "FOLDER", "LATEST", "READABLE", "Personal", "Snapshot", "behind", "draft", "event",
    "fits", "head", "keep_snapshot", "metadata", "newest", "page", "snapshot", "token",
    "upgrade",
]  # fmt: skip

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
