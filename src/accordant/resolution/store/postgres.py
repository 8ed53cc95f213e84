"""A project in a schema of a PostgreSQL database."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, Engine, create_engine, func, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.event import listen
from sqlalchemy.schema import CreateSchema

from ...errors import StoreError
from .place import PATIENCE, Place

__all__ = ["engine", "make"]

# Kept on where the owner of the server has turned it off: what is accepted must be on the disk.
BEGIN = """
    select set_config('search_path', %(path)s, true), set_config('lock_timeout', %(wait)s, true),
           set_config('synchronous_commit', case current_setting('synchronous_commit')
                      when 'off' then 'on' else current_setting('synchronous_commit') end, true)
"""


def engine(place: Place, url: URL, schema: str, *, read_only: bool) -> Engine:
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


def make(connection: Connection, place: Place, schema: str) -> None:
    """The empty schema of a new project; whoever writes holds the lock, so nobody else makes it."""
    if inspect(connection).has_schema(schema):
        raise StoreError(
            f"{place.shown}: there is a project of that name already. Open it, or choose another"
        )
    connection.execute(CreateSchema(schema))
