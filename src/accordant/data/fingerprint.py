"""A digest of annotations that does not depend on the order of anything but the categories.

Every id, name and value has a key: the first 128 bits of the SHA-256 of its text. The keys of an
annotation's item, question, coder, value and status are mixed into one number of 128 bits, and
these numbers are added up. A sum needs no sorting and no memory, whatever the order of the rows.

If mixed keys behave like random numbers, two data sets that differ by accident get the same sum
with probability 2**-128, and two of I ids the same key with probability below I**2 / 2**129. This
guards against mix-ups, not against somebody who searches for a collision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..scheme import Scheme

# (N,) item, question, coder, value (-1 for none) and status of some annotations
Piece: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
Keys: TypeAlias = NDArray[np.uint64]

_AT_ONCE = 1 << 15  # annotations that fit the cache of a processor
_STATUSES = 8  # room for the codes of `Status`


def fingerprint(
    items: Iterable[str],
    coders: Sequence[str],
    questions: Sequence[str],
    schemes: Sequence[Scheme],
    values: Sequence[Any],
    pieces: Iterable[Piece],
    persons: Sequence[str] | None = None,
    spans: str | None = None,
) -> str:
    """SHA-256 over the scheme of each question and the sums of all keys, as 64 hex digits.

    Parameters
    ----------
    items : iterable of str
        (I,) ids as text, the same whether they came as numbers or as text.
    coders, questions, schemes, values : sequence
        (C,), (Q,), (Q,) and (K,); the order of coders, questions and values does not matter.
    pieces : iterable of tuple of ndarray
        All annotations, as codes into the other arguments.
    persons : sequence of str, optional
        (C,) which person each coder is; without it the digest is as if nobody had asked.
    spans : str, optional
        All spans as text, where coders marked any.
    """
    item, coder, question = _keys(items), _keys(coders), _keys(questions)
    value = _keys(repr(_word(v)) for v in values)
    digest = sha256(b"accordant annotations 2")
    for name, scheme in sorted(zip(questions, schemes, strict=True)):
        digest.update(f"\x1e{name}\x1f{_scheme(scheme)}".encode())
    for keys in (item, coder, question, value):
        digest.update(_told(keys.sum(1, dtype=np.uint64), keys.shape[1]))
    digest.update(_told(*_rows(item, question, coder, value, pieces)))
    if persons is not None:
        digest.update(repr(sorted(zip(coders, persons, strict=True))).encode("utf-8", "replace"))
    if spans is not None:
        digest.update(f"\x1espans{spans}".encode("utf-8", "replace"))
    return digest.hexdigest()


def _scheme(scheme: Scheme) -> str:
    """The scheme as text; what was added later is left out where it has no effect."""
    words = replace(scheme, categories=tuple(_word(c) for c in scheme.categories))
    return repr(words).replace(", ranked=False)", ")")


def _word(value: Any) -> Any:
    """A boolean as files spell it: the same annotations have the same digest through every door."""
    return str(value) if isinstance(value, bool) else value


def _keys(texts: Iterable[str]) -> Keys:
    """(2, N) keys of 128 bits."""
    rest = iter(texts)
    parts = [np.zeros((0, 2), np.uint64)]
    while some := [sha256(t.encode("utf-8", "surrogatepass")) for t in islice(rest, _AT_ONCE)]:
        digests = b"".join([d.digest() for d in some])
        parts.append(np.frombuffer(digests, "<u8").reshape(-1, 4)[:, :2].astype(np.uint64))
    return np.ascontiguousarray(np.concatenate(parts).T)


def _told(sums: Keys, n: int) -> bytes:
    return b"\x1e" + n.to_bytes(8, "little") + sums.astype("<u8").tobytes()


def _rows(
    item: Keys, question: Keys, coder: Keys, value: Keys, pieces: Iterable[Piece]
) -> tuple[Keys, int]:
    """(2,) the sums of the mixed keys of all annotations, and how many there are."""
    asked = _mixed(coder[:, :, None] + _mixed(question[:, None, :].copy()))
    blank = _keys([""])  # of the code -1, which is the last
    statuses = _keys(map(str, range(_STATUSES)))
    said = np.concatenate([value, blank], 1)[:, :, None] + _mixed(statuses)[:, None, :]
    tables = [
        (item[lane], asked[lane].reshape(-1), _mixed(said[lane]).reshape(-1)) for lane in (0, 1)
    ]
    n_questions, n_values = question.shape[1], value.shape[1]
    sums, n = np.zeros(2, np.uint64), 0
    for piece in pieces:
        n += len(piece[0])
        for k in range(0, len(piece[0]), _AT_ONCE):
            i, q, c, v, s = (x[k : k + _AT_ONCE] for x in piece)
            who = c.astype(np.intp) * n_questions + q
            what = np.where(v < 0, n_values, v).astype(np.intp) * _STATUSES + s
            sums += np.array(
                [
                    _mixed(keys.take(i) + _mixed(by.take(who) ^ gave.take(what))).sum()
                    for keys, by, gave in tables
                ]
            )
    return sums, n


def _mixed(keys: Keys) -> Keys:
    """The keys, in place, each bit depending on all: the finaliser of Steele, Lea & Flood 2014.

    "Fast splittable pseudorandom number generators", OOPSLA, figure 17 (variant 13 of Stafford).
    """
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        keys ^= keys >> np.uint64(shift)
        keys *= np.uint64(factor)
    keys ^= keys >> np.uint64(31)
    return keys
