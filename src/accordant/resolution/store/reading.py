"""Records out of the database, in their order."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from .record import FIRST, Record
from .tables import event

__all__ = ["head", "page"]


def head(connection: Connection) -> tuple[int, str]:
    """Number and hash of the last event; (0, 64 zeros) where there is none."""
    last = select(event.c.seq, event.c.hash).order_by(event.c.seq.desc()).limit(1)
    row = connection.execute(last).one_or_none()
    return (row.seq, row.hash) if row is not None else (0, FIRST)


def page(
    connection: Connection,
    after: int,
    *,
    until: int | None = None,
    kinds: Iterable[str] | None = None,
    most: int | None = None,
) -> list[Record]:
    """Records with ``after < seq <= until``, at most `most` of them."""
    query = select(event).where(event.c.seq > after).order_by(event.c.seq)
    if until is not None:
        query = query.where(event.c.seq <= until)
    if kinds is not None:
        query = query.where(event.c.kind.in_(list(kinds)))
    if most is not None:
        query = query.limit(most)
    return [Record(*row) for row in connection.execute(query)]
