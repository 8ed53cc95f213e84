"""What the store keeps: records chained by their hashes.

The hash of a record is SHA-256 over a fixed first line and all its other fields in their order,
each as ``<number of bytes>:<UTF-8>,`` (a netstring), so that no two records
have the same bytes and any language can compute it again. Each record holds the hash of the one
before, the first one that of its project: whoever alters one must alter all later ones, and an
outside copy of the last hash shows it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from ...errors import RequestError

FIRST = "0" * 64  # the head while there is none
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
class LogRecord:
    """One event as it is kept.

    Parameters
    ----------
    seq : int
        1, 2, 3 … without a gap.
    id : str
        ``'<command>/<place>'``: events of one command are numbered from 0. A command is
        ``'<id>:<content>'``: whose and which act of a project it is, and what it does, as hashes.
    at : str
        When, UTC, ISO 8601.
    actor : str
        Who.
    kind, stream, body : str
        As in the draft.
    version : int
        Number of the event within its stream, from 1.
    prev, hash : str
        Hash of the event before (of the project's id for the first), and of this one.

    Examples
    --------
    >>> begun = Draft("begun", "project", "{}")
    >>> at = moment("2025-03-01T09:00:00Z")
    >>> [first] = sealed([begun], id="c1", at=at, actor="ana", head=(0, FIRST), versions={})
    >>> first.seq, first.command, first.version, first.hash[:12]
    (1, 'c1', 1, '707716b7ce65')
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
        """Its id and content, which all events of the command share."""
        return str(self.id).rpartition("/")[0]


_hashed = attrgetter(*FIELDS[:-1])


def hash_of(record: LogRecord) -> str:
    """SHA-256 over all fields but `hash` (64 hexadecimal digits)."""
    return _sha256(_hashed(record))


def _sha256(values: tuple[object, ...]) -> str:
    parts = [LINE]
    for value in values:
        shown = str(value).encode()
        parts.append(b"%d:%b," % (len(shown), shown))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def origin(body: str) -> str:
    """What the first event has for the hash of the one before: the hash of the project's id.

    Examples
    --------
    >>> origin('{"project":"0f3a"}')[:12], origin("no event")[:12]
    ('03208481dcea', '978cc1eb68af')
    """
    try:
        project = json.loads(body)["project"]
    except (ValueError, KeyError, TypeError):
        project = ""
    return _sha256(("project", project))


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
    kept("id of a command", id, LONGEST - 20)  # room for the place
    for draft in found:
        kept("kind of an event", draft.kind, LONGEST)
        kept("stream of an event", draft.stream, LONGEST)
        kept("actor", draft.actor or actor, LONGEST)
        kept("body of an event", draft.body)
    return found


def kept(what: str, text: str, longest: int = 0) -> str:
    """A text that both databases can keep; with a limit, a name that an index can hold.

    Raises
    ------
    RequestError
        If it holds a zero byte or half a character, or is too long.
    """
    if longest and not 0 < len(text) <= longest:
        raise RequestError(f"the {what} has {len(text):,} characters: it needs 1 to {longest}")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise RequestError(f"the {what} holds a character that a database cannot keep")
    return text


def sealed(
    drafts: Iterable[Draft],
    *,
    id: str,
    at: str,
    actor: str,
    head: tuple[int, str],
    versions: Mapping[str, int],
) -> Iterator[LogRecord]:
    """The drafts as records that follow `head`; versions follow those given per stream."""
    seq, prev = head
    last = dict(versions)
    for place, draft in enumerate(drafts):
        seq += 1
        version = last[draft.stream] = last.get(draft.stream, 0) + 1
        prev = prev if seq > 1 else origin(draft.body)
        values = (
            *(seq, f"{id}/{place}", at, draft.actor or actor),
            *(draft.kind, draft.stream, version, draft.body, prev),
        )
        record = LogRecord(*values, hash=_sha256(values))
        prev = record.hash
        yield record
