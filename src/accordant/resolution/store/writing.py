"""One write transaction: look at what is there, decide, append; all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from operator import attrgetter

from sqlalchemy import Connection, func, insert, select

from ...errors import Conflict, RequestError
from .record import FIELDS, Draft, Record, checked, moment, sealed
from .tables import Personal, event, head, page

__all__ = ["Writing"]

BATCH = 5_000  # records at a time into the database
FEW = 50  # streams whose versions are asked for one by one: each is one step down an index

_values = attrgetter(*FIELDS)


class Writing:
    """What can be done while nobody else writes; comes from `Store.writing`."""

    def __init__(self, connection: Connection, shown: str) -> None:
        self._connection = connection
        self._shown = shown
        self._head = head(connection)
        self.personal = Personal(connection)

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last event, those of this transaction included."""
        return self._head

    def moment(self, at: str | None = None) -> str:
        """The time of what is appended: as given (UTC, ISO 8601), or now.

        Times never run backwards along the log: where a clock is behind that of whoever acted
        last, the time is that of their event.

        Raises
        ------
        RequestError
            If a time is given that is none, or lies before that of the last event.
        """
        last = self._connection.scalar(select(event.c.at).where(event.c.seq == self._head[0]))
        when = moment(at)
        if last is None or datetime.fromisoformat(when) >= datetime.fromisoformat(last):
            return when
        if at is not None:
            raise RequestError(f"{at!r} lies before {last!r}, the time of the last event")
        return str(last)

    def tail(self, after: int) -> list[Record]:
        """All events after number `after`: what others did since the caller looked."""
        return page(self._connection, after) if after < self._head[0] else []

    def earlier(self, id: str) -> list[Record] | None:
        """The events of the command `id` if it was accepted before, else None."""
        first = select(event.c.seq).where(event.c.id == f"{id}/0")
        seq = self._connection.scalar(first)
        if seq is None:
            return None
        found: list[Record] = []
        while True:  # they follow one another, since a command is one transaction
            after = seq - 1 + len(found)
            read = page(self._connection, after, most=100 if not found else BATCH)
            ours = [record for record in read if record.command == id]
            found += ours
            if not ours or len(ours) < len(read):
                return found

    def append(
        self,
        drafts: Iterable[Draft],
        *,
        actor: str = "",
        id: str,
        at: str | None = None,
    ) -> list[Record]:
        """Add events after the last one.

        Parameters
        ----------
        drafts : iterable of Draft
        actor : str
            Who does it, where a draft names nobody.
        id : str
            Name of the command, made by the caller. Where it was accepted before, nothing is
            added and its records are returned: so it is safe to repeat.
        at : str, optional
            As for `moment`.

        Returns
        -------
        list of Record
            They count as accepted when the transaction has ended without an error.

        Raises
        ------
        RequestError
            A name or text that cannot be kept, or a time before that of the last event.
        """
        wanted = checked(drafts, actor, id)
        if (first := self.earlier(id)) is not None:
            return first
        versions = self._versions({draft.stream for draft in wanted})
        records = list(
            sealed(
                wanted,
                id=id,
                at=self.moment(at),
                actor=actor,
                head=self._head,
                versions=versions,
            )
        )
        self.take_over(records)
        return records

    def take_over(self, records: Iterable[Record]) -> None:
        """Add records that are sealed already: they must follow the last one."""
        for some in _batches(records):
            rows = [dict(zip(FIELDS, _values(record), strict=True)) for record in some]
            self._connection.execute(insert(event), rows)
            self._head = (some[-1].seq, some[-1].hash)

    def expect(self, seen_by_caller: Mapping[str, int]) -> None:
        """Refuse if a stream has another version (number of its events) than the caller has seen.

        Raises
        ------
        Conflict
            With who changed it last.
        """
        versions = self._versions(set(seen_by_caller))
        for stream, seen in seen_by_caller.items():
            if (found := versions.get(stream, 0)) == seen:
                continue
            last = select(event).where(event.c.stream == stream, event.c.version == found)
            row = self._connection.execute(last).one_or_none()
            who = f", last by {row.actor!r} at {row.at}" if row is not None else ""
            raise Conflict(
                f"{self._shown}: {stream!r} has changed since you looked: you saw version {seen}, "
                f"now it has {found}{who}. Nothing was written: look again, and repeat if it "
                "still makes sense"
            )

    def _versions(self, streams: set[str]) -> dict[str, int]:
        """Stream → number of its last event, for those that have one."""
        names = sorted(streams)
        last = select(event.c.stream, func.max(event.c.version)).group_by(event.c.stream)
        found: dict[str, int] = {}
        if len(names) <= FEW:
            for name in names:
                newest = select(func.max(event.c.version)).where(event.c.stream == name)
                if (version := self._connection.scalar(newest)) is not None:
                    found[name] = version
            return found
        for start in range(0, len(names), BATCH):
            some = last.where(event.c.stream.in_(names[start : start + BATCH]))
            found |= {row[0]: row[1] for row in self._connection.execute(some)}
        return found


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
