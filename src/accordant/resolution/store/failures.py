"""What a database could not do, in one sentence: what happened, what was lost, what to do."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError, TimeoutError

from ...errors import StoreError
from .place import Place

__all__ = ["PATIENCE", "failure", "told"]

PATIENCE = 15.0  # seconds that one waits for others to finish writing

LOCKED = (
    f"others have been writing for more than {PATIENCE:.0f} seconds. Try again; if nobody is "
    "writing, a program that hangs holds the project: end it"
)
FULL = "there is no room left on the disk. Make room and repeat"
READ_ONLY = "it cannot be written, only read. Allow writing, or work on a copy"
DAMAGED = (
    "the file is damaged. Keep it as it is, go back to a copy, and run `verify` on both to see "
    "which events are sound"
)
DISK = (
    "the disk did not do what was asked. It may be full, may limit the size of files, or may be "
    "failing: see to it and repeat"
)
GONE = "the server cannot be reached. See that it runs and that the address is right"
CUT_OFF = (
    "the connection to the server was lost. What was being written may or may not have been "
    "accepted: repeat it under the same id, and it is accepted once"
)
GUARDED = "the database refuses it: events are added at the end, never changed or removed"

SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_IOERR: DISK,
    sqlite3.SQLITE_CONSTRAINT: GUARDED,
    sqlite3.SQLITE_CANTOPEN: (
        "it cannot be opened. The file, or the folder in which SQLite keeps its journal while it "
        "writes, may be missing or closed to you"
    ),
    sqlite3.SQLITE_READONLY_ROLLBACK: (
        "its last writing was interrupted, and to undo that it must be opened once for writing"
    ),
    sqlite3.SQLITE_READONLY_DIRECTORY: (
        "its folder cannot be written, where SQLite keeps its journal while it writes. Allow "
        "writing, or work on a copy"
    ),
    sqlite3.SQLITE_IOERR_SHORT_READ: DAMAGED,
}
# The first two characters of an SQLSTATE are its class.
POSTGRESQL = {
    "08": CUT_OFF,
    "53": "the server has run out of memory or connections. Try again later",
    "53100": "the server has no room left on its disk. Make room and repeat",
    "57P": CUT_OFF,
    "55P03": LOCKED,
    "40P01": LOCKED,
    "25006": READ_ONLY,
    "42501": "you may not do this on the server: its owner can grant you the rights",
    "28": "the server does not accept this user or password",
    "3D000": "the server has no such database",
    "42P01": "there is no such project in the database, or you may not see it",
    "23": GUARDED,
    "P0001": GUARDED,
    "XX": DAMAGED,
}


@contextmanager
def told(place: Place, *, writing: bool = False) -> Iterator[None]:
    """Whatever the database reports within, as a StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise failure(place, error, writing=writing) from error
    except UnicodeDecodeError as error:
        # A damaged schema makes SQLite quote bytes that are no text. A writer's own such errors
        # are the writer's.
        if writing:
            raise
        raise failure(place, error) from error


def failure(place: Place, error: Exception, *, writing: bool = False) -> StoreError:
    """The StoreError for an error of a database."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    what = LOCKED if isinstance(error, TimeoutError) else _sqlite(cause) or _postgresql(cause)
    kept = writing and what != CUT_OFF
    lost = (
        " Nothing of this was saved; all that was accepted before is still there." if kept else ""
    )
    said = f" (reported: {_first_line(cause, place)})"
    return StoreError(f"{place.shown}: {what or 'the database failed'}.{lost}{said}")


def _sqlite(cause: BaseException) -> str | None:
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        return SQLITE.get(code) or SQLITE.get(code & 0xFF)
    unreadable = isinstance(cause, UnicodeDecodeError) or "decode to UTF-8" in str(cause)
    return DAMAGED if unreadable else None


def _postgresql(cause: BaseException) -> str | None:
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        known = (POSTGRESQL.get(state[:length]) for length in (5, 3, 2))
        return next(filter(None, known), None)
    # Where there is no connection there is no SQLSTATE; what went wrong is only in the words.
    words = str(cause)
    if re.search(r'authentication failed|no pg_hba.conf entry|role ".*" does not exist', words):
        return POSTGRESQL["28"]
    if re.search(r'database ".*" does not exist', words):
        return POSTGRESQL["3D000"]
    if "connection failed" in words or "could not translate host" in words:
        return GONE
    if type(cause).__module__.startswith("psycopg"):
        return CUT_OFF
    return None


def _first_line(cause: BaseException, place: Place) -> str:
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    said = lines[0]
    secret = place.url.password if place.url is not None else None
    return said.replace(str(secret), "***") if secret else said
