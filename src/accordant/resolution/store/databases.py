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
from pathlib import Path
from random import uniform
from time import monotonic, sleep
from typing import cast

from sqlalchemy import Connection, Engine, create_engine, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.event import listen
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError, TimeoutError
from sqlalchemy.pool import QueuePool

from ...errors import RequestError, StoreError, meant

SUFFIX = ".accordant"
SERVER = re.compile(r"postgres(ql)?(\+\w+)?://", re.IGNORECASE)
PROJECT = re.compile(r"[a-z][a-z0-9_-]{0,49}")
SECRETS = ("password", "sslpassword", "passfile", "sslkey")
EXAMPLE = "postgresql://user@host/database?project=name"
PATIENCE = 15.0  # seconds that one waits for others to finish writing


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
        if (isinstance(where, str) and "://" in where) or not str(where).strip():
            raise RequestError(f"a project is a file (name{SUFFIX}) or {EXAMPLE!r}")
        path = Path(where).expanduser()
        return cls(shown=str(path), path=path)


def _server(where: str) -> Place:
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # The text is not repeated, as it may hold a password.
        raise RequestError(f"this is no URL of a project like {EXAMPLE!r}") from None
    name = url.query.get("project")
    if not isinstance(name, str) or not PROJECT.fullmatch(name):
        rule = "1 to 50 of a–z, 0–9, - and _, a letter first"
        raise RequestError(f"no name of a project in the URL {EXAMPLE!r}: {rule}")
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


# ------------------------------------------------------------------ what failed

LOCKED = "others are writing: try again"
FULL = "there is no room left on the disk"
READ_ONLY = "it can only be read: allow writing, or work on a copy"
DAMAGED = "it is damaged: go back to a copy"
GONE = "the server cannot be reached"
CUT_OFF = (
    "the connection to the server was lost: repeat under the same id what was being written, "
    "and it is accepted once"
)
GUARDED = "events are added at the end, never changed or removed"
DENIED = "the server does not let this user in, or has no such database"

SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: GUARDED,
}
# The first characters of an SQLSTATE are its class.
POSTGRESQL = {
    "08": CUT_OFF,
    "57P": CUT_OFF,
    "53100": FULL,
    "55P03": LOCKED,
    "40P01": LOCKED,
    "25006": READ_ONLY,
    "42501": READ_ONLY,
    "28": DENIED,
    "3D000": DENIED,
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
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        what = LOCKED if isinstance(error, TimeoutError) else _sqlite(cause) or _server_says(cause)
        kept = "" if not writing or what == CUT_OFF else "; what was accepted before is still there"
        first = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
        secret = place.url.password if place.url is not None else None
        reported = first.replace(str(secret), "***") if secret else first
        said = f"{place.shown}: {what or 'the database failed'}{kept} (reported: {reported})"
        raise StoreError(said) from error


def _sqlite(cause: BaseException) -> str | None:
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        return SQLITE.get(code & 0xFF)
    return DAMAGED if "decode to UTF-8" in str(cause) else None


def _server_says(cause: BaseException) -> str | None:
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        return next(filter(None, (POSTGRESQL.get(state[:length]) for length in (5, 3, 2))), None)
    # Where there is no connection there is no SQLSTATE; what went wrong is only in the words.
    words = str(cause)
    if re.search(r"authentication failed|no pg_hba.conf entry|does not exist", words):
        return DENIED
    if "connection failed" in words or "could not translate host" in words:
        return GONE
    return CUT_OFF if type(cause).__module__.startswith("psycopg") else None


# ------------------------------------------------------------------ a file

APPLICATION = int.from_bytes(b"Acrd")  # application_id: by it `file` and we know a project
MAGIC = b"SQLite format 3\0"


def reserve(place: Place, path: Path) -> None:
    """Make the empty file of a new project; nobody else can have made it."""
    try:
        path.open("xb").close()
    except FileExistsError:
        raise StoreError(f"{place.shown}: there is a file of that name") from None
    except OSError as error:
        raise StoreError(f"{place.shown}: cannot be made ({error.strerror})") from None


def remove(path: Path) -> None:
    """Take back a file that `reserve` has just made."""
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def examine(place: Place, path: Path) -> None:
    """Complain unless the file is a project of ours."""
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except FileNotFoundError:
        names = [found.name for found in path.absolute().parent.glob(f"*{SUFFIX}")]
        near = meant(path.name, [*names, *(n.removesuffix(SUFFIX) for n in names)])
        raise StoreError(f"{place.shown}: there is no such file{near}") from None
    except OSError as error:
        raise StoreError(f"{place.shown}: cannot be read ({error.strerror})") from None
    ours = header.startswith(MAGIC) and int.from_bytes(header[68:72]) == APPLICATION
    if not ours and not path.with_name(f"{path.name}-journal").exists():  # which SQLite mends
        raise StoreError(f"{place.shown}: is no project, or making it was interrupted")


# ------------------------------------------------------------------ connections

# Kept on where the owner of the server has turned it off: what is accepted must be on the disk.
BEGIN = """
    select set_config('search_path', %(path)s, true), set_config('lock_timeout', %(wait)s, true),
           set_config('synchronous_commit', case current_setting('synchronous_commit')
                      when 'off' then 'on' else current_setting('synchronous_commit') end, true)
"""


def engine(place: Place, *, read_only: bool) -> Engine:
    """Connections to a place; none is made yet. A transaction that writes has the option `writes`.

    One writes at a time, so that numbers have no gap and the chain no fork.
    """
    if place.path is not None:
        return _file_engine(place, place.path, read_only)
    if place.url is None or place.schema is None:
        raise RequestError("a place is a file or a schema of a server")
    return _server_engine(place, place.url, place.schema, read_only)


def _file_engine(place: Place, path: Path, read_only: bool) -> Engine:
    # A URI, so that SQLite never makes a file that is not there, and no letter of a path is magic.
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"

    def connect() -> sqlite3.Connection:
        with told(place):
            connection = sqlite3.connect(
                uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            connection.execute("pragma synchronous = extra")
        return connection

    def begin(connection: Connection) -> None:
        # Taken at once: two that read first and then want to write would wait for each other.
        if connection.get_execution_options().get("writes", False):
            _take(cast(sqlite3.Connection, connection.connection.driver_connection))
        else:
            connection.exec_driver_sql("begin")

    made = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    listen(made, "begin", begin)
    return made


def _take(connection: sqlite3.Connection) -> None:
    """Begin to write, once nobody else does.

    SQLite's own way to wait sleeps longer the longer one has waited, up to 0.1 s at a time: who
    comes last is served first. Asking often, at random moments, all wait about as long.
    """
    until = monotonic() + PATIENCE
    connection.execute("pragma busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("begin immediate")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
            sleep(uniform(0.0002, 0.001))
    finally:
        connection.execute(f"pragma busy_timeout = {PATIENCE * 1000:.0f}")


def _server_engine(place: Place, url: URL, schema: str, read_only: bool) -> Engine:
    try:
        made = create_engine(
            url,
            # What is read must not be older than the lock that a writer waits for.
            isolation_level="READ COMMITTED",
            execution_options={"postgresql_readonly": read_only},
            connect_args={} if "connect_timeout" in url.query else {"connect_timeout": 10},
            pool_pre_ping=True,
        )
    except ModuleNotFoundError:
        raise StoreError(
            f"{place.shown}: projects on a server need psycopg: pip install 'accordant[postgres]'"
        ) from None
    words = {"path": f'"{schema}"', "wait": f"{PATIENCE * 1000:.0f}ms"}
    key = int.from_bytes(hashlib.sha256(f"accordant:{schema}".encode()).digest()[:8], signed=True)

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(BEGIN, words)
        if connection.get_execution_options().get("writes", False):
            connection.execute(select(func.pg_advisory_xact_lock(key)))

    listen(made, "begin", begin)
    return made
