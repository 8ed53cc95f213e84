"""A project's events: made, opened, read, written, verified.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Store.create(f"{folder}/letters.accordant") as store:
...     with store.writing() as writing:
...         _ = writing.append([Draft("begun", "project", "{}")], actor="ana", id="c1")
...     [(record.seq, record.kind, record.actor) for record in store.records()], store.verify()
([(1, 'begun', 'ana')], [])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection
from sqlalchemy.schema import DropSchema

from ...errors import RequestError, StoreError
from . import databases, tables
from .databases import Place, told
from .record import FIRST, Draft, Record, hash_of
from .tables import Personal, Snapshot, Writing, head, keep_snapshot, newest, page
from .verification import Fault, verify

__all__ = ["Draft", "Fault", "Record", "Snapshot", "Store", "Writing"]

PAGE = 5_000  # records read at a time; a file is not locked in between
FIRST_PAGE = 200  # … at first, since many want no more


class Store:
    """The events of one project; made by `create` and `open`.

    Any number of programs and threads may have the same project open. One writes at a time, the
    others wait for up to 15 seconds.

    Attributes
    ----------
    shown : str
        Where it is, for people; without a password.
    read_only : bool
    copy : pathlib.Path or None
        The copy that was made because the file was of an older schema.
    """

    def __init__(self, place: Place, *, read_only: bool) -> None:
        self._place = place
        self.shown = place.shown
        self.read_only = read_only
        self.copy: Path | None = None
        if place.path is not None:
            self._engine = databases.file_engine(place, place.path, read_only=read_only)
        elif place.url is not None and place.schema is not None:
            self._engine = databases.server_engine(
                place, place.url, place.schema, read_only=read_only
            )
        else:
            raise RequestError("a place is a file or a schema of a server")

    def __repr__(self) -> str:
        return f"<Store {self.shown}{', read only' if self.read_only else ''}>"

    @classmethod
    def create(cls, where: str | Path) -> Store:
        """A new, empty project.

        Parameters
        ----------
        where : str or Path
            A file that does not exist yet (usually ``name.accordant``), or
            ``postgresql://user@host/database?project=name``; the database must exist.

        Raises
        ------
        StoreError
            It exists already, or cannot be made.
        """
        place = Place.of(where)
        if place.path is not None:
            databases.reserve(place, place.path)
        store = cls(place, read_only=False)
        try:
            with store._transaction(writes=True) as connection:
                if place.schema is not None:
                    databases.make_schema(connection, place, place.schema)
                else:
                    mark = f"pragma application_id = {databases.APPLICATION}"
                    connection.exec_driver_sql(mark)
                tables.upgrade(connection, place)
        except BaseException:
            store.close()
            if place.path is not None:
                databases.remove(place.path)
            raise
        return store

    @classmethod
    def open(cls, where: str | Path, *, read_only: bool = False) -> Store:
        """A project that is there.

        A file of an older schema is copied and brought up to date; on a server, where others may
        still use the older version, `upgrade` does that when you say so.

        Raises
        ------
        StoreError
            There is none, it is no project, is damaged, or was written by a newer version.
        """
        place = Place.of(where)
        logged_ahead = place.path is not None and databases.examine(place, place.path)
        store = cls(place, read_only=read_only)
        try:
            store._prepare(logged_ahead=logged_ahead)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def upgrade(cls, where: str | Path) -> None:
        """Bring a project to the schema of this version, a file after a copy."""
        place = Place.of(where)
        if place.path is not None:
            cls.open(where).close()
            return
        with cls(place, read_only=False) as store:
            store._upgrade()

    def _prepare(self, *, logged_ahead: bool) -> None:
        with self._transaction() as connection:
            behind = tables.behind(connection, self._place)
        if logged_ahead and not self.read_only:
            with told(self._place):
                raw = self._engine.raw_connection()
                try:
                    raw.cursor().execute("pragma journal_mode = delete")
                finally:
                    raw.close()
        if not behind or (self.read_only and tables.LATEST - behind >= tables.READABLE):
            return
        if self._place.path is None:
            raise StoreError(
                f"{self.shown}: is {behind} schema version{'s' * (behind > 1)} behind. Bring it up "
                "to date when nobody else uses it: Store.upgrade"
            )
        if self.read_only:
            raise StoreError(f"{self.shown}: has an older schema: accordant project upgrade")
        self._upgrade()

    def _upgrade(self) -> None:
        place = self._place
        try:
            with self._transaction(writes=True) as connection:
                if tables.behind(connection, place):  # unless another was quicker
                    if place.path is not None:
                        self.copy = databases.copy_before(place, place.path, tables.LATEST)
                    tables.upgrade(connection, place)
        except BaseException:
            if self.copy is not None:
                databases.remove(self.copy)
            raise

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        if writes and self.read_only:
            raise StoreError(f"{self.shown}: was opened to be read only")
        with (
            told(self._place, writing=writes),
            self._engine.connect().execution_options(writes=writes) as connection,
            connection.begin(),
        ):
            yield connection

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; (0, 64 zeros) before the first."""
        with self._transaction() as connection:
            return head(connection)

    def records(self, after: int = 0, *, kinds: Collection[str] | None = None) -> Iterator[Record]:
        """The events after number `after`, up to the last when reading begins, in order.

        Parameters
        ----------
        after : int
        kinds : collection of str, optional
            Only these.
        """
        until, _ = self.head
        most = FIRST_PAGE
        while after < until:
            with self._transaction() as connection:
                read = page(connection, after, until=until, kinds=kinds, most=most)
            yield from read
            if len(read) < most:
                return
            after, most = read[-1].seq, PAGE

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One write transaction: nobody else writes meanwhile; all of it is kept, or nothing.

        Raises
        ------
        StoreError
            It could not be written; then nothing of it was.
        """
        with self._transaction(writes=True) as connection:
            yield Writing(connection, self.shown)

    @contextmanager
    def personal(self, *, writes: bool = False) -> Iterator[Personal]:
        """What belongs to single persons and is no part of the log.

        Raises
        ------
        StoreError
            It could not be written; then nothing of it was.
        """
        with self._transaction(writes=writes) as connection:
            if tables.behind(connection, self._place):
                raise StoreError(f"{self.shown}: has an older schema: accordant project upgrade")
            yield Personal(connection)

    def snapshot(self, format: int | None = None) -> Snapshot | None:
        """The newest snapshot that fits the events (of one format); None where there is none."""
        with self._transaction() as connection:
            return newest(connection, format)

    def keep_snapshot(self, seq: int, hash: str, format: int, blob: bytes) -> None:
        """Keep the state after event `seq` in place of the snapshot before.

        Parameters
        ----------
        seq, hash : int, str
            The event.
        format : int
            Says how the blob is to be read.
        blob : bytes
        """
        with self._transaction(writes=True) as connection:
            keep_snapshot(connection, Snapshot(seq, hash, format, blob))

    def verify(
        self,
        *,
        head: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Fault]:
        """Everything in the project that is not as it was written.

        Parameters
        ----------
        head : str, optional
            The hash of an event that was noted outside, as reports print it (12 digits suffice).
            Without it, nothing shows that the end was cut off or all was written anew.
        progress : callable, optional
            Called with the number of events looked at and of all.

        Returns
        -------
        list of Fault
            Empty where all is well.
        """
        with self._transaction() as connection:
            return verify(connection, head=head, progress=progress)

    def copy_to(
        self, where: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Store:
        """A new project with the same events and hashes, in a file or on a server.

        Raises
        ------
        StoreError
            An event does not fit its hash; then there is no copy.
        """
        total, _ = self.head
        target = Store.create(where)
        try:
            with target.writing() as writing:
                writing.take_over(_watched(self.sound(), total, progress))
        except BaseException:
            target.discard()
            raise
        return target

    def sound(self, after: int = 0, head: str = FIRST) -> Iterator[Record]:
        """The events after number `after`, whose hash is `head`, each as it was written.

        Raises
        ------
        StoreError
            An event does not fit its hash, or does not follow the one before.
        """
        for record in self.records(after):
            if record.hash != hash_of(record) or record.prev != head:
                raise StoreError(
                    f"{self.shown}: event {record.seq} was altered after it was accepted. Run "
                    "`verify`; nothing was made of it"
                )
            head = record.hash
            yield record

    def discard(self) -> None:
        """Take back a project that `create` has just made."""
        with self._transaction(writes=True) as connection:
            if self._place.schema is not None:
                connection.execute(DropSchema(self._place.schema, cascade=True))
        self.close()
        if self._place.path is not None:
            databases.remove(self._place.path)

    def close(self) -> None:
        """Let go of the file or server."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _watched(
    records: Iterable[Record], total: int, progress: Callable[[int, int], None] | None
) -> Iterator[Record]:
    for record in records:
        if progress is not None and (record.seq % PAGE == 0 or record.seq == total):
            progress(record.seq, total)
        yield record
