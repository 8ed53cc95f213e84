"""A project's events: made, opened, read, written, verified.

A write transaction looks at what is there and appends: all of it or nothing. What belongs to one
person stands beside the log, and is not hashed.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Store.create(f"{folder}/letters.accordant") as store:
...     with store.writing() as writing:
...         _ = writing.append([Draft("begun", "project", "{}")], actor="ana", id="c1")
...     [(record.seq, record.kind, record.actor) for record in store.records()], store.verify()
([(1, 'begun', 'ana')], [])
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from operator import attrgetter
from pathlib import Path
from types import TracebackType

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateSchema, DropSchema

from ...errors import RequestError, StoreError
from . import databases
from .databases import Place, told
from .record import FIELDS, FIRST, Draft, LogRecord, checked, hash_of, kept, moment, origin, sealed

Progress = Callable[[int, int], None]

# ------------------------------------------------------------------ the tables

SCHEMA = 2
"""A project with another number is refused."""
metadata = MetaData()
# Only INTEGER is the row's own number in SQLite; there it has 8 bytes anyway.
Number = BigInteger().with_variant(Integer, "sqlite")

schema = Table("accordant", metadata, Column("schema", Number, nullable=False))
event = Table(
    "event",
    metadata,
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("at", Text, nullable=False),  # text: hashed, so it must be the same bytes everywhere
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("version", Number, nullable=False),
    Column("body", Text, nullable=False),
    Column("prev", Text, nullable=False),
    Column("hash", Text, nullable=False),
    UniqueConstraint("stream", "version"),
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

# The guards stop mistakes, and programs that mean well; whoever may write to the file can drop
# them, which `verify` reports. `insert or replace` deletes rows without asking the trigger for
# deletions, so that for insertions looks for all three keys.
SQLITE = {
    "event_is_kept": """
        create trigger event_is_kept before delete on event
        begin select raise(abort, 'accepted events are never deleted'); end
        """,
    "event_is_fixed": """
        create trigger event_is_fixed before update on event
        begin select raise(abort, 'accepted events are never changed'); end
        """,
    "event_follows": """
        create trigger event_follows before insert on event
        when new.seq is not 1 + coalesce((select max(seq) from event), 0)
          or new.prev is not coalesce(
               (select hash from event order by seq desc limit 1), new.prev)
          or exists (select 1 from event where id = new.id)
          or exists (select 1 from event where stream = new.stream and version = new.version)
        begin select raise(abort, 'an event must follow the last one'); end
        """,
}
POSTGRESQL = {
    "event_is_kept": """
        create function event_is_fixed() returns trigger language plpgsql as $$
        begin raise exception 'accepted events are never changed or deleted'; end $$;
        create trigger event_is_kept before truncate on event
        for each statement execute function event_is_fixed()
        """,
    "event_is_fixed": """
        create trigger event_is_fixed before update or delete on event
        for each statement execute function event_is_fixed()
        """,
    "event_follows": """
        create function event_follows() returns trigger language plpgsql
        set search_path from current as $$
        declare last record;
        begin
          select seq, hash into last from event order by seq desc limit 1;
          if new.seq <> 1 + coalesce(last.seq, 0)
             or new.prev <> coalesce(last.hash, new.prev) then
            raise exception 'an event must follow the last one';
          end if;
          return new;
        end $$;
        create trigger event_follows before insert on event
        for each row execute function event_follows()
        """,
}


def _head(connection: Connection) -> tuple[int, str]:
    last = select(event.c.seq, event.c.hash).order_by(event.c.seq.desc()).limit(1)
    row = connection.execute(last).one_or_none()
    return (row.seq, row.hash) if row is not None else (0, FIRST)


def _page(connection: Connection, after: int, *, most: int | None = None) -> list[LogRecord]:
    query = select(event).where(event.c.seq > after).order_by(event.c.seq).limit(most)
    return [LogRecord(*row) for row in connection.execute(query)]


# ------------------------------------------------------------------ in one transaction


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
        row = {"person": person, "key": kept("key of a draft", key, 500)}
        self._put(draft, row, {"text": kept("draft", text)} if text else {})

    def drop_drafts(self, person: str, acts: Container[str]) -> None:
        """Remove the texts of acts that are done: what stands in a key before its last "/"."""
        for key in self.drafts(person):
            if key.rpartition("/")[0] in acts:
                self._put(draft, {"person": person, "key": key}, {})

    def tokens(self) -> dict[str, str]:
        """Person → hash of their token."""
        return {row.person: row.digest for row in self._connection.execute(select(token))}

    def keep_token(self, person: str, digest: str) -> None:
        """Keep the hash of a person's token in place of the one before; an empty one removes it."""
        self._put(token, {"person": person}, {"digest": digest} if digest else {})

    def _put(self, table: Table, row: dict[str, str], value: dict[str, str]) -> None:
        self._connection.execute(delete(table).filter_by(**row))
        if value:
            self._connection.execute(insert(table), row | value)


BATCH = 5_000  # records at a time into and out of the database
AHEAD = timedelta(days=1)  # how wrong a clock may be
_values = attrgetter(*FIELDS)


class Writing:
    """What can be done while nobody else writes; comes from `Store.writing`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.head = _head(connection)
        self.personal = Personal(connection)

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
        last = self._connection.scalar(select(event.c.at).where(event.c.seq == self.head[0]))
        when = moment(at)
        if at and datetime.fromisoformat(at) > datetime.now(UTC) + AHEAD:
            raise RequestError(f"{at!r} is more than a day ahead of the clock")
        if last is None or datetime.fromisoformat(when) >= datetime.fromisoformat(last):
            return when
        if at is not None:
            raise RequestError(f"{at!r} lies before {last!r}, the time of the last event")
        return str(last)

    def tail(self, after: int) -> list[LogRecord]:
        """All events after number `after`: what others did since the caller looked."""
        return _page(self._connection, after) if after < self.head[0] else []

    def earlier(self, id: str, content: str = "") -> list[LogRecord] | None:
        """The events of the command `id` if it was accepted before, else None.

        Raises
        ------
        RequestError
            It was accepted with another content.
        """
        own = event.c.id.startswith(f"{id}:", autoescape=True)
        own &= event.c.id.between(f"{id}:", f"{id}:g")  # by the index
        row = self._connection.execute(
            select(event.c.seq, event.c.id).where(own).order_by(event.c.seq).limit(1)
        ).one_or_none()
        if row is None:
            return None
        command = f"{id}:{content}"
        if row.id != f"{command}/0":
            raise RequestError("an act of this id was carried out, with another content")
        found: list[LogRecord] = []
        while read := _page(self._connection, row.seq - 1 + len(found), most=BATCH):
            found += (ours := [record for record in read if record.command == command])
            if len(ours) < len(read):  # a command is one transaction: its events stand together
                break
        return found

    def append(
        self,
        drafts: Iterable[Draft],
        *,
        actor: str = "",
        id: str,
        content: str = "",
        at: str | None = None,
    ) -> list[LogRecord]:
        """Add events after the last one.

        Parameters
        ----------
        drafts : iterable of Draft
        actor : str
            Who does it, where a draft names nobody.
        id : str
            Name of the command, made by the caller. Where it was accepted before, nothing is
            added and its records are returned: so it is safe to repeat.
        content : str
            What the command does, as hexadecimal digits: with another one the id is refused.
        at : str, optional
            As for `moment`.

        Returns
        -------
        list of Record
            They count as accepted when the transaction has ended without an error.

        Raises
        ------
        RequestError
            A name or text that cannot be kept, a time before that of the last event, or the id of
            an act of another content.
        """
        wanted = checked(drafts, actor, id)
        if (first := self.earlier(id, content)) is not None:
            return first
        versions = {name: self._version(name) for name in {draft.stream for draft in wanted}}
        when = self.moment(at)
        records = list(
            sealed(
                wanted,
                id=f"{id}:{content}",
                at=when,
                actor=actor,
                head=self.head,
                versions=versions,
            )
        )
        if records:
            rows = [dict(zip(FIELDS, _values(record), strict=True)) for record in records]
            self._connection.execute(insert(event), rows)
            self.head = (records[-1].seq, records[-1].hash)
        return records

    def since(self, stream: str, version: int) -> list[LogRecord] | None:
        """The events of a stream after one of its versions; None if it has no such version yet."""
        if not 0 <= version <= self._version(stream):
            return None
        query = select(event).where(event.c.stream == stream, event.c.version > version)
        return [LogRecord(*row) for row in self._connection.execute(query)]

    def _version(self, stream: str) -> int:
        last = select(func.max(event.c.version)).where(event.c.stream == stream)
        return self._connection.scalar(last) or 0


# ------------------------------------------------------------------ the store


class Store:
    """The events of one project; made by `create` and `open`.

    Any number of programs and threads may have the same project open. One writes at a time, the
    others wait for up to 15 seconds.

    Attributes
    ----------
    shown : str
        Where it is, for people; without a password.
    read_only : bool
    """

    def __init__(self, place: Place, *, read_only: bool) -> None:
        self._place, self.shown, self.read_only = place, place.shown, read_only
        self._engine = databases.engine(place, read_only=read_only)

    @classmethod
    def create(cls, where: str | Path) -> Store:
        """A new, empty project.

        Parameters
        ----------
        where : str or Path
            A file that does not exist yet (usually ``name.accordant``), or
            ``postgresql://user@host/database?project=name``; the database must exist.

        Raises
        ------
        StoreError
            It exists already, or cannot be made.
        """
        place = Place.of(where)
        if place.path is not None:
            databases.reserve(place, place.path)
        store = cls(place, read_only=False)
        try:
            with store._transaction(writes=True) as connection:
                store._make(connection)
        except BaseException:
            store.close()
            if place.path is not None:
                databases.remove(place.path)
            raise
        return store

    def _make(self, connection: Connection) -> None:
        if self._place.schema is None:
            connection.exec_driver_sql(f"pragma application_id = {databases.APPLICATION}")
        elif inspect(connection).has_schema(self._place.schema):
            raise StoreError(f"{self.shown}: there is a project of that name already")
        else:
            connection.execute(CreateSchema(self._place.schema))
        metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(schema), {"schema": SCHEMA})
        for statement in (SQLITE if self._place.schema is None else POSTGRESQL).values():
            connection.exec_driver_sql(statement)

    @classmethod
    def open(cls, where: str | Path, *, read_only: bool = False) -> Store:
        """A project that is there.

        Raises
        ------
        StoreError
            There is none, it is no project, is damaged, or is of another version's schema.
        """
        place = Place.of(where)
        if place.path is not None:
            databases.examine(place, place.path)
        store = cls(place, read_only=read_only)
        try:
            with store._transaction() as connection:
                there = inspect(connection).has_table("accordant", schema=place.schema)
                number = connection.scalar(select(schema.c.schema)) if there else None
        except BaseException:
            store.close()
            raise
        if number != SCHEMA:
            store.close()
            if number is None:
                raise StoreError(f"{place.shown}: there is no project, or only a part of one")
            raise StoreError(
                f"{place.shown}: was written by another version of Accordant (schema {number}, "
                f"not {SCHEMA})"
            )
        return store

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        if writes and self.read_only:
            raise StoreError(f"{self.shown}: was opened to be read only")
        with (
            told(self._place, writing=writes),
            self._engine.connect().execution_options(writes=writes) as connection,
            connection.begin(),
        ):
            yield connection

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; (0, 64 zeros) before the first."""
        with self._transaction() as connection:
            return _head(connection)

    def records(self, after: int = 0) -> Iterator[LogRecord]:
        """The events after number `after`, in order; a file is not locked between pages."""
        read: list[LogRecord] = []
        while not read or len(read) == BATCH:
            with self._transaction() as connection:
                read = _page(connection, after, most=BATCH)
            if not read:
                return
            yield from read
            after = read[-1].seq

    def sound(self) -> Iterator[LogRecord]:
        """The events, each as it was written.

        Raises
        ------
        StoreError
            An event does not fit its hash, or does not follow the one before.
        """
        head = ""
        for record in self.records():
            head = head or origin(record.body)
            if record.hash != hash_of(record) or record.prev != head:
                raise StoreError(
                    f"{self.shown}: event {record.seq} was altered after it was accepted: run "
                    "`verify`"
                )
            head = record.hash
            yield record

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One write transaction: nobody else writes meanwhile; all of it is kept, or nothing.

        Raises
        ------
        StoreError
            It could not be written; then nothing of it was.
        """
        with self._transaction(writes=True) as connection:
            yield Writing(connection)

    @contextmanager
    def personal(self, *, writes: bool = False) -> Iterator[Personal]:
        """What belongs to single persons and is no part of the log.

        Raises
        ------
        StoreError
            It could not be written; then nothing of it was.
        """
        with self._transaction(writes=writes) as connection:
            yield Personal(connection)

    def verify(self, *, head: str | None = None, progress: Progress | None = None) -> list[Fault]:
        """Everything in the project that is not as it was written, the first 100 faults.

        Parameters
        ----------
        head : str, optional
            The hash of an event that was noted outside, as reports print it (12 digits suffice).
            Without it, nothing shows that the end was cut off or all was written anew.
        progress : callable, optional
            Called with the number of events looked at and of all.
        """
        with self._transaction() as connection:
            return list(islice(_faults(connection, head, progress), MOST))

    def discard(self) -> None:
        """Take back a project that `create` has just made."""
        if self._place.schema is not None:
            with self._transaction(writes=True) as connection:
                connection.execute(DropSchema(self._place.schema, cascade=True))
        self.close()
        if self._place.path is not None:
            databases.remove(self._place.path)

    def close(self) -> None:
        """Let go of the file or server."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# ------------------------------------------------------------------ is it as it was written?

MOST = 100  # faults that are listed: where so many are, the rest says no more
SHORTEST = 12  # digits of a hash that tell it from others
ALTERED = (
    "The project was changed after this was accepted. Compare it with a copy from before; until "
    "then, report nothing from it"
)
BROKEN = "Keep the file as it is, and go back to a copy from before"
UNREADABLE = (
    "It is as it was written, perhaps by a newer version of Accordant: install that, or report this"
)
UNGUARDED = "A program can now change events unnoticed"


@dataclass(frozen=True)
class Fault:
    """Something in the store that is not as it was written.

    Parameters
    ----------
    seq : int or None
        Number of the event; None where the fault is of no single event.
    what : str
        What was found.
    advice : str
        What to do.
    """

    seq: int | None
    what: str
    advice: str

    def __str__(self) -> str:
        where = f"event {self.seq}: " if self.seq is not None else ""
        return f"{where}{self.what}. {self.advice}."


def _faults(connection: Connection, head: str | None, progress: Progress | None) -> Iterator[Fault]:
    try:
        if connection.dialect.name == "sqlite":
            for (line,) in connection.execute(text("pragma integrity_check(20)")):
                if line != "ok":
                    yield Fault(None, f"the file is damaged: {line}", BROKEN)
        yield from _guards(connection)
        yield from _chain(connection, head, progress)
    except (DBAPIError, UnicodeError) as error:
        said = error.orig if isinstance(error, DBAPIError) else error
        yield Fault(None, f"the rest cannot be read ({said})", BROKEN)


def _guards(connection: Connection) -> Iterator[Fault]:
    """Triggers that are missing or, in a file, not those that were made."""
    if connection.dialect.name == "sqlite":
        query = "select name, sql from sqlite_master where type = 'trigger'"
        there = {name: str(sql).split()[2:] for name, sql in connection.execute(text(query))}
        whole = {name for name, sql in SQLITE.items() if there.get(name) == sql.split()[2:]}
    else:
        query = "select tgname from pg_trigger where tgrelid = to_regclass('event')"
        found = connection.execute(text(f"{query} and not tgisinternal and tgenabled <> 'D'"))
        whole = {name for (name,) in found}
    for name in SQLITE:
        if name not in whole:
            yield Fault(None, f"the guard {name!r} of the events is missing or changed", UNGUARDED)


def _chain(connection: Connection, head: str | None, progress: Progress | None) -> Iterator[Fault]:
    total = connection.scalar(select(func.count()).select_from(event)) or 0
    seen, last, met = 0, "", head is None
    versions: dict[str, int] = {}
    after = -(2**62)  # whatever was put before the first is looked at, too
    while read := _page(connection, after, most=BATCH):
        for record in read:
            seen += 1
            last = last or origin(record.body)
            met = met or (len(head or "") >= SHORTEST and str(record.hash).startswith(str(head)))
            version = versions[record.stream] = versions.get(record.stream, 0) + 1
            for wrong, what in (
                (record.seq != seen, f"its number is not {seen}, which is due"),
                (record.prev != last, "it does not follow the event before it"),
                (record.hash != hash_of(record), "its content does not fit its hash"),
                (record.version != version, f"version {version} of its stream is due"),
            ):
                if wrong:
                    yield Fault(record.seq, what, ALTERED)
            seen, last = record.seq, record.hash
        after = read[-1].seq
        if progress is not None:
            progress(seen, total)
    if not met:
        what = f"no event has the hash {head}; it ends with {last[:12]}…"
        yield Fault(None, what, f"The end was cut off or written anew. {ALTERED}")
