"""Where a project is kept, and how that is told without a password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ...errors import RequestError

__all__ = ["SUFFIX", "Place"]

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
