"""A project in one SQLite file, or in a schema of a PostgreSQL database.

The journal mode of a file is DELETE: one file is the whole project whenever nobody writes, so it
can be copied and sent. (WAL would keep what was accepted last in a second file, and before SQLite
3.51.3 it could damage a file with several writers.) ``synchronous=EXTRA`` makes an accepted event
survive a power cut in that mode.
"""

from __future__ import annotations

import hashlib
import sqlite3
from difflib import get_close_matches
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, func, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.event import listen
from sqlalchemy.pool import QueuePool
from sqlalchemy.schema import CreateSchema

from ...errors import StoreError
from .place import PATIENCE, SUFFIX, Place, told

__all__ = [
    "APPLICATION", "copy_before", "examine", "file_engine", "make_schema", "remove", "reserve",
    "server_engine",
]  # fmt: skip

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
