"""The tables of a project, the same in a file and on a server."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy import UniqueConstraint as Unique

__all__ = ["draft", "event", "metadata", "snapshot", "token"]

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
