"""What the store keeps: records chained by their hashes.

The hash of a record is SHA-256 over a fixed first line and all its other fields in their order,
each as ``<number of bytes>:<UTF-8>,`` (a netstring), so that no two records
have the same bytes and any language can compute it again. Each record holds the hash of the one
before: whoever alters one must alter all later ones, and an outside copy of the last hash shows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from ...errors import RequestError

__all__ = [
    "FIELDS",
    "FIRST",
    "Draft",
    "Record",
    "check_name",
    "check_text",
    "checked",
    "command_of",
    "hash_of",
    "moment",
    "sealed",
]

FIRST = "0" * 64  # what the first record has for the hash of the one before
FIELDS = ("seq", "id", "at", "actor", "kind", "stream", "version", "body", "prev", "hash")
LINE = b"accordant event 1\n"
LONGEST = 500  # characters of a name: an entry of a PostgreSQL index has at most 2,704 bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be appended.

    Parameters
    ----------
    kind : str
        Name of the kind of event.
    stream : str
        What it belongs to (a case, a round, the toolbox); versions are counted per stream.
    body : str
        Everything else, as canonical JSON; the store does not look into it.
    actor : str
        Who, where somebody else acts than in the rest of the command.
    """

    kind: str
    stream: str
    body: str
    actor: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is kept.

    Parameters
    ----------
    seq : int
        1, 2, 3 … without a gap.
    id : str
        ``'<command>/<place>'``: events of one command are numbered from 0.
    at : str
        When, UTC, ISO 8601.
    actor : str
        Who.
    kind, stream, body : str
        As in the draft.
    version : int
        Number of the event within its stream, from 1.
    prev, hash : str
        Hash of the event before (64 zeros for the first), and of this one.

    Examples
    --------
    >>> begun = Draft("begun", "project", "{}")
    >>> at = moment("2025-03-01T09:00:00Z")
    >>> [first] = sealed([begun], id="c1", at=at, actor="ana", head=(0, FIRST), versions={})
    >>> first.seq, first.command, first.place, first.version, first.hash[:12]
    (1, 'c1', 0, 1, 'ec39a54e7168')
    >>> hash_of(first) == first.hash
    True
    """

    seq: int
    id: str
    at: str
    actor: str
    kind: str
    stream: str
    version: int
    body: str
    prev: str
    hash: str

    @property
    def command(self) -> str:
        """The id that the command was given."""
        return command_of(self.id)

    @property
    def place(self) -> int:
        """Number of the event within its command, from 0; −1 where the id says none."""
        number = self.id.rpartition("/")[2]
        return int(number) if number.isascii() and number.isdigit() else -1


_hashed = attrgetter(*FIELDS[:-1])


def hash_of(record: Record) -> str:
    """SHA-256 over all fields but `hash` (64 hexadecimal digits)."""
    return _sha256(_hashed(record))


def _sha256(values: tuple[object, ...]) -> str:
    parts = [LINE]
    for value in values:
        # A damaged file may hold what is no text; it must get another hash, not a crash.
        shown = str(value).encode("utf-8", "surrogateescape")
        parts.append(b"%d:%b," % (len(shown), shown))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def command_of(id: str) -> str:
    """The command of an event's id."""
    return id.rpartition("/")[0]


def moment(at: str | None) -> str:
    """The time of an event: as given (UTC, ISO 8601), or now.

    Examples
    --------
    >>> moment("2025-03-01T09:00:00Z")
    '2025-03-01T09:00:00Z'
    >>> moment("yesterday")
    Traceback (most recent call last):
    accordant.errors.RequestError: 'yesterday' is no time in UTC such as '2025-03-01T09:00:00Z'
    """
    if at is None:
        return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    try:
        offset = datetime.fromisoformat(at).utcoffset()
    except ValueError:
        offset = None
    if offset != timedelta(0):
        raise RequestError(f"{at!r} is no time in UTC such as '2025-03-01T09:00:00Z'")
    return at


def checked(drafts: Iterable[Draft], actor: str, id: str) -> list[Draft]:
    """The drafts, if both databases can keep them as they are; else a RequestError."""
    found = list(drafts)
    check_name("id of a command", id, LONGEST - 20)  # room for the place
    for draft in found:
        check_name("kind of an event", draft.kind)
        check_name("stream of an event", draft.stream)
        check_name("actor", draft.actor or actor)
        check_text("body of an event", draft.body)
    return found


def sealed(
    drafts: Iterable[Draft],
    *,
    id: str,
    at: str,
    actor: str,
    head: tuple[int, str],
    versions: Mapping[str, int],
) -> Iterator[Record]:
    """The drafts as records that follow `head`; versions follow those given per stream."""
    seq, prev = head
    last = dict(versions)
    for place, draft in enumerate(drafts):
        seq += 1
        version = last[draft.stream] = last.get(draft.stream, 0) + 1
        values = (
            *(seq, f"{id}/{place}", at, draft.actor or actor),
            *(draft.kind, draft.stream, version, draft.body, prev),
        )
        record = Record(*values, hash=_sha256(values))
        prev = record.hash
        yield record


def check_name(what: str, name: str, longest: int = LONGEST) -> None:
    """Complain about a name that is empty, or too long for an index."""
    check_text(what, name)
    if not name or len(name) > longest:
        size = f"has {len(name):,} characters" if name else "is empty"
        raise RequestError(f"the {what} {size}: it needs 1 to {longest}")


def check_text(what: str, text: str) -> None:
    """Complain about a text that a database cannot keep."""
    if not isinstance(text, str):
        raise RequestError(f"the {what} must be text, not {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RequestError(f"the {what} holds half a character that cannot be written") from None
    if "\0" in text:
        raise RequestError(f"the {what} holds a zero byte, which PostgreSQL cannot keep")
