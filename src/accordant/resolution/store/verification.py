"""Whether a project is as it was written: every event, the chain, the file, the guards."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DBAPIError

from .record import FIRST, Record, hash_of
from .tables import Snapshot, event, fits, page, snapshot

__all__ = ["UNREADABLE", "Fault", "verify"]

PAGE = 5_000  # events read at a time
MOST = 100  # faults that are listed: where so many are, the rest says no more
SHORTEST = 12  # digits of a hash that tell it from others
# Name → fingerprint of its text in SQLite, as the latest schema has it.
GUARDS = {
    "event_follows": "beda5cfadc48d740",
    "event_is_fixed": "2eefd67311e3a20c",
    "event_is_kept": "4744c2613f8cb220",
}
TYPES = {field.name: int if field.type == "int" else str for field in fields(Record)}

ALTERED = (
    "Somebody or something changed the project after this was accepted. Compare it with a copy "
    "from before; until then, report nothing from it"
)
BROKEN = "Keep the file as it is, and go back to a copy from before"
REBUILT = "Nothing is lost: it is passed over and made anew from the events"
UNREADABLE = (
    "It is as it was written. If a newer version of Accordant wrote it, install that version; else "
    "keep the project as it is, and report this"
)
UNGUARDED = "The events may still be sound, but a program can now change them unnoticed"


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


def verify(
    connection: Connection,
    *,
    head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Fault]:
    """All faults of a project, at most 100; see `Store.verify`."""
    found: list[Fault] = []
    with _any_bytes(connection):
        for fault in _all(connection, head, progress):
            found.append(fault)
            if len(found) == MOST:
                more = f"there are {MOST} faults so far; the rest was not looked at"
                return [*found, Fault(None, more, BROKEN)]
    return found


def _all(
    connection: Connection,
    head: str | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Fault]:
    try:
        yield from _file(connection)
        yield from _guards(connection)
        yield from _events(connection, head, progress)
        yield from _snapshots(connection)
    except (DBAPIError, UnicodeDecodeError) as error:
        said = error.orig if isinstance(error, DBAPIError) else error
        yield Fault(None, f"the rest cannot be read ({said})", BROKEN)


def _file(connection: Connection) -> Iterator[Fault]:
    if connection.dialect.name != "sqlite":
        return
    for (line,) in connection.execute(text("pragma integrity_check(20)")):
        if line != "ok":
            yield Fault(None, f"the file is damaged: {' '.join(str(line).split())}", BROKEN)


def _guards(connection: Connection) -> Iterator[Fault]:
    there = dict(_guards_here(connection))
    for name, expected in GUARDS.items():
        found = there.get(name)
        if found is None:
            yield Fault(None, f"the guard {name!r} of the events is missing", UNGUARDED)
        elif found not in {expected, ""}:
            yield Fault(None, f"the guard {name!r} of the events was changed", UNGUARDED)


def _guards_here(connection: Connection) -> Iterator[tuple[str, str]]:
    """Name and fingerprint of the triggers; a server keeps no text of its own to compare."""
    if connection.dialect.name == "sqlite":
        query = "select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'event'"
        for name, sql in connection.execute(text(query)):
            # An altered file may hold bytes that are no text.
            words = " ".join(str(sql).split()).encode("utf-8", "surrogateescape")
            yield str(name), hashlib.sha256(words).hexdigest()[:16]
        return
    query = (
        "select tgname from pg_trigger where tgrelid = to_regclass('event') "
        "and not tgisinternal and tgenabled <> 'D'"
    )
    for (name,) in connection.execute(text(query)):
        yield name, ""


def _events(
    connection: Connection, head: str | None, progress: Callable[[int, int], None] | None
) -> Iterator[Fault]:
    total = connection.scalar(select(func.count()).select_from(event)) or 0
    chain = _Chain()
    met = head is None
    seen, after = 0, -(2**62)  # whatever was put before the first is looked at, too
    while read := page(connection, after, most=PAGE):
        for record in read:
            seen += 1
            met = met or _means(record.hash, head)
            if said := chain.next(record):
                number = record.seq if isinstance(record.seq, int) else None
                yield Fault(number, said, ALTERED)
        after = read[-1].seq
        if progress is not None:
            progress(seen, total)
    if not met:
        last = (
            f"it ends with event {chain.seq}, {chain.hash[:SHORTEST]}…" if seen else "it is empty"
        )
        said = f"no event has the hash {head}, which was noted outside: {last}"
        yield Fault(None, said, "The end was cut off or written anew. " + ALTERED)


class _Chain:
    """Follows the events, and says what is wrong with the next one."""

    def __init__(self) -> None:
        self.seq, self.hash = 0, FIRST
        self.command, self.place = "", -1
        self.versions: dict[str, int] = {}
        self.commands: set[str] = set()

    def next(self, record: Record) -> str:
        """What is wrong with it, joined; empty where nothing is."""
        wrong = [
            f"its {name} is no {'number' if kind is int else 'text'}"
            for name, kind in TYPES.items()
            if not isinstance(getattr(record, name), kind)
        ]
        if not wrong:
            wrong = list(self._objections(record))
            self.versions[record.stream] = record.version
            self.commands.add(record.command)
            self.seq, self.hash = record.seq, record.hash
            self.command, self.place = record.command, record.place
        return "; ".join(wrong)

    def _objections(self, record: Record) -> Iterator[str]:
        if (gone := record.seq - self.seq - 1) > 0:
            yield f"{gone:,} event{'s are' if gone > 1 else ' is'} missing before it"
        elif gone:
            yield f"its number is not {self.seq + 1}, which is due"
        if record.prev != self.hash:
            yield "it does not follow the event before it"
        if record.hash != hash_of(record):
            yield "its content does not fit its hash"
        expected = self.versions.get(record.stream, 0) + 1
        if record.version != expected:
            yield f"it is version {record.version} of {record.stream!r}, where {expected} is due"
        due = self.place + 1 if record.command == self.command else 0
        if record.place != due or (due == 0 and record.command in self.commands):
            yield f"its id {record.id!r} belongs to a command that is not whole"


def _means(hash: str, head: str | None) -> bool:
    return head is not None and len(head) >= SHORTEST and str(hash).startswith(head.lower())


def _snapshots(connection: Connection) -> Iterator[Fault]:
    for row in connection.execute(select(snapshot)):
        kept = Snapshot(row.seq, row.hash, row.format, row.blob)
        if not fits(connection, kept, row.digest):
            yield Fault(None, f"the snapshot after event {row.seq} does not fit", REBUILT)


@contextmanager
def _any_bytes(connection: Connection) -> Iterator[None]:
    """Text that is no UTF-8 is read all the same: it is a fault to report, not a crash."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str
