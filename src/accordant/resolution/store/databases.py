"""Where a project is kept: one SQLite file, or a schema of a PostgreSQL database; and what failed.

The journal mode of a file is DELETE: one file is the whole project whenever nobody writes, so it
can be copied and sent. (WAL would keep what was accepted last in a second file, and before SQLite
3.51.3 it could damage a file with several writers.) ``synchronous=EXTRA`` makes an accepted event
survive a power cut in that mode.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, func, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.event import listen
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError, TimeoutError
from sqlalchemy.pool import QueuePool
from sqlalchemy.schema import CreateSchema

from ...errors import RequestError, StoreError

__all__ = [
    "APPLICATION",
    "PATIENCE",
    "SUFFIX",
    "Place",
    "copy_before",
    "examine",
    "failure",
    "file_engine",
    "make_schema",
    "remove",
    "reserve",
    "server_engine",
    "told",
]

SUFFIX = ".accordant"
SERVER = re.compile(r"postgres(ql)?(\+\w+)?://", re.IGNORECASE)
PROJECT = re.compile(r"[a-z][a-z0-9_-]{0,49}")
SECRETS = ("password", "sslpassword", "passfile", "sslkey")
EXAMPLE = "postgresql://user@host/database?project=name"


@dataclass(frozen=True)
class Place:
    """A file, or a schema of a PostgreSQL database.

    A server keeps each project in a schema of its own, ``accordant_<project>``: the tables are
    those of a file, rights can be granted per project, and a project is dumped or dropped alone.

    Parameters
    ----------
    shown : str
        For messages; never holds a password.
    path : Path, optional
        The file.
    url : sqlalchemy.engine.URL, optional
        The database.
    schema : str, optional
        The schema in it.

    Examples
    --------
    >>> place = Place.of("postgresql://ana:secret@db.example/team?project=letters")
    >>> place.shown, place.schema
    ('postgresql://ana@db.example/team?project=letters', 'accordant_letters')
    >>> Place.of("letters.accordant").shown
    'letters.accordant'
    """

    shown: str
    path: Path | None = None
    url: URL | None = field(default=None, repr=False)
    schema: str | None = None

    @classmethod
    def of(cls, where: str | Path) -> Place:
        """The place that a path or URL names."""
        if isinstance(where, str) and SERVER.match(where):
            return _server(where)
        if isinstance(where, str) and "://" in where:
            kind = where.partition("://")[0]
            raise RequestError(f"a project is a file or {EXAMPLE!r}, not {kind!r}")
        if not str(where).strip():
            raise RequestError(f"no file is named: give a file (name{SUFFIX}) or {EXAMPLE!r}")
        path = Path(where).expanduser()
        return cls(shown=str(path), path=path)


def _server(where: str) -> Place:
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # The text is not repeated, as it may hold a password.
        raise RequestError(f"this is no URL of a project; it looks like {EXAMPLE!r}") from None
    name = url.query.get("project")
    if not isinstance(name, str) or not PROJECT.fullmatch(name):
        found = "no project is named" if name is None else f"{name!r} is no name of a project"
        rule = "1 to 50 of a–z, 0–9, - and _, a letter first"
        raise RequestError(f"{found} in the URL: write {EXAMPLE!r}; a name has {rule}")
    told = URL.create(
        "postgresql",
        username=url.username,
        host=url.host,
        port=url.port,
        database=url.database,
        query={key: value for key, value in url.query.items() if key not in SECRETS},
    )
    return Place(
        shown=told.render_as_string(hide_password=False),
        url=url.set(drivername="postgresql+psycopg").difference_update_query(["project"]),
        schema=f"accordant_{name}",
    )


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


APPLICATION = int.from_bytes(b"Acrd")  # application_id: by it `file` and we know a project
MAGIC = b"SQLite format 3\0"
HEADER = 100  # bytes; https://www.sqlite.org/fileformat2.html#the_database_header


def file_engine(place: Place, path: Path, *, read_only: bool) -> Engine:
    """Connections to the file, which must exist."""
    # A URI, so that SQLite never makes a file that is not there, and no letter of a path is magic.
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"

    def connect() -> sqlite3.Connection:
        with told(place):
            connection = sqlite3.connect(
                uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            connection.execute("pragma foreign_keys = on")
            connection.execute("pragma synchronous = extra")
        return connection

    made = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    listen(made, "begin", _begin)
    return made


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    # Taken at once: two that read first and then want to write would wait for each other.
    connection.exec_driver_sql("begin immediate" if writes else "begin")


def reserve(place: Place, path: Path) -> None:
    """Make the empty file of a new project; nobody else can have made it."""
    _folder(place, path)
    try:
        path.open("xb").close()
    except FileExistsError:
        raise StoreError(
            f"{place.shown}: there is a file of that name already. Open it, or choose another name"
        ) from None
    except OSError as error:
        raise StoreError(f"{place.shown}: cannot be made ({error.strerror})") from None


def remove(path: Path) -> None:
    """Take back a file that `reserve` has just made."""
    _journal(path).unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def examine(place: Place, path: Path) -> bool:
    """Whether the file is a project of ours in another journal mode; a StoreError if it is none."""
    _folder(place, path)
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
        size = path.stat().st_size
    except FileNotFoundError:
        raise StoreError(f"{place.shown}: there is no such file{_near(path)}") from None
    except IsADirectoryError:
        raise StoreError(f"{place.shown}: is a folder; a project is one file") from None
    except OSError as error:
        raise StoreError(f"{place.shown}: cannot be read ({error.strerror})") from None
    interrupted = _journal(path).exists()  # then SQLite mends the file when it is opened
    if not header and not interrupted:
        raise StoreError(
            f"{place.shown}: is empty: making it was interrupted. Delete the file and make it anew"
        )
    if header and not header.startswith(MAGIC):
        raise StoreError(f"{place.shown}: is no project but some other file (projects: *{SUFFIX})")
    if interrupted:
        return False
    if _number(header, 68) != APPLICATION:
        raise StoreError(f"{place.shown}: is an SQLite database of another program, no project")
    page = _number(header, 16, 2)
    pages = _number(header, 28)
    # The number of pages counts only if the last writer knew of it.
    if _number(header, 24) == _number(header, 92) and size < (65536 if page == 1 else page) * pages:
        raise StoreError(
            f"{place.shown}: is cut off: {size:,} bytes of {page * pages:,}. It was probably not "
            "copied whole: copy it again, or go back to an older copy"
        )
    return header[18] == 2  # write-ahead log


def copy_before(place: Place, path: Path, number: int) -> Path:
    """A copy of the project beside it, made before its schema becomes `number`.

    The caller holds the right to write, so that nobody changes it meanwhile.
    """
    stem = f"{path.stem}.before-schema-{number}"
    for again in count():
        target = path.with_name(f"{stem}{f'-{again}' if again else ''}{path.suffix}")
        try:
            target.open("xb").close()  # SQLite fills an empty file, and nobody else has its name
            break
        except FileExistsError:
            continue
        except OSError as error:
            raise StoreError(f"{place.shown}: cannot be copied ({error.strerror})") from None
    with told(place):
        connection = sqlite3.connect(path.absolute().as_uri(), uri=True, timeout=PATIENCE)
        try:
            connection.execute("vacuum into ?", (str(target),))
        except BaseException:
            remove(target)
            raise
        finally:
            connection.close()
    return target


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _folder(place: Place, path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise StoreError(f"{place.shown}: there is no folder {str(path.parent)!r}")


def _near(path: Path) -> str:
    try:
        names = [found.name for found in path.absolute().parent.glob(f"*{SUFFIX}")]
    except OSError:
        names = []
    near = get_close_matches(path.name, names, 2) or get_close_matches(path.name + SUFFIX, names, 1)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _number(header: bytes, at: int, length: int = 4) -> int:
    return int.from_bytes(header[at : at + length])


# Kept on where the owner of the server has turned it off: what is accepted must be on the disk.
BEGIN = """
    select set_config('search_path', %(path)s, true), set_config('lock_timeout', %(wait)s, true),
           set_config('synchronous_commit', case current_setting('synchronous_commit')
                      when 'off' then 'on' else current_setting('synchronous_commit') end, true)
"""


def server_engine(place: Place, url: URL, schema: str, *, read_only: bool) -> Engine:
    """Connections to the server; none is made yet."""
    try:
        made = create_engine(
            url,
            # A snapshot of the data must not be older than the lock that a writer waits for.
            isolation_level="READ COMMITTED",
            execution_options={"postgresql_readonly": read_only},
            connect_args={} if "connect_timeout" in url.query else {"connect_timeout": 10},
            pool_pre_ping=True,
        )
    except ModuleNotFoundError:
        raise StoreError(
            f"{place.shown}: projects on a server need psycopg. Install it with "
            "pip install 'accordant[postgres]'"
        ) from None
    words = {"path": f'"{schema}"', "wait": f"{PATIENCE * 1000:.0f}ms"}
    key = int.from_bytes(hashlib.sha256(f"accordant:{schema}".encode()).digest()[:8], signed=True)

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(BEGIN, words)
        if connection.get_execution_options().get("writes", False):
            # One writer at a time, so that numbers have no gap and the chain no fork.
            connection.execute(select(func.pg_advisory_xact_lock(key)))

    listen(made, "begin", begin)
    return made


def make_schema(connection: Connection, place: Place, schema: str) -> None:
    """The empty schema of a new project; whoever writes holds the lock, so nobody else makes it."""
    if inspect(connection).has_schema(schema):
        raise StoreError(
            f"{place.shown}: there is a project of that name already. Open it, or choose another"
        )
    connection.execute(CreateSchema(schema))
