"""The version of the tables: read, compared with what this Accordant knows, brought up to date."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from ...errors import StoreError
from .place import Place

__all__ = ["FOLDER", "LATEST", "READABLE", "behind", "upgrade"]

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
