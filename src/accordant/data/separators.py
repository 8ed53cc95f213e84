"""What separates the labels in a cell that holds several, and whether anything does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

SURE = (";", "|", "\n")  # hardly ever part of a label
UNSURE = (",", "/", "+", "&", "#", "-")  # 'yes, partly', 'and/or', 'C++', 'Q&A', 'run#1', 3-4
WORDS = (" and ", " ")  # never taken for separators, but pointed at
_MANY = 500
_SHARE = re.compile(r".+[:=]\s*[01]?[.,]?\d+\s*%?")  # 'reason:0.83'
_WHOLE = re.compile(r"-?(?:0|[1-9]\d*)")


@dataclass(frozen=True)
class Guess:
    """What may separate labels, shown by the cells ``joined``; ``clear`` if hardly in doubt."""

    mark: str
    joined: tuple[str, ...]
    clear: bool


def parts(cell: str, mark: str) -> list[str]:
    """What stands between the marks, without outer white space; blank parts stay.

    Examples
    --------
    >>> parts("joy; anger;", ";")
    ['joy', 'anger', '']
    """
    return [p.strip() for p in cell.split(mark)]


def guess(
    words: Iterable[str], categories: Collection[str] | None = None, *, asked: bool = False
) -> Guess | None:
    """What separates the labels of some cells, if it looks as if anything did.

    Labels that are joined in one cell mostly stand alone in another, or are joined in several
    ways. Where the mark is common within a label, the guess is not clear: a comma or slash
    separates labels only if nearly all of them stand alone elsewhere, and one is joined with
    several others.

    Parameters
    ----------
    words : iterable of str
        The distinct cells.
    categories : collection of str, optional
        The categories that were given: a cell that is one of them is one label.
    asked : bool
        Whether the user says that an annotation may hold several labels.

    Examples
    --------
    >>> guess(["joy", "anger", "joy;anger"])
    Guess(mark=';', joined=('joy;anger',), clear=True)
    >>> guess(["joy, anger", "anger, fear", "joy, fear"]).clear
    False
    >>> guess(["yes", "yes, partly", "no", "no, hardly"]).clear
    False
    >>> guess(["and", "or", "and/or"]).clear
    False
    >>> guess(["comparison/contrast", "cause/result", "list"]) is None
    True
    """
    found = guesses(words, categories, asked=asked)
    return next((g for g in found if g.clear), found[0] if found else None)


def guesses(
    words: Iterable[str], categories: Collection[str] | None = None, *, asked: bool = False
) -> list[Guess]:
    """All that may separate labels, the most usual mark first; see `guess`."""
    found = set(words)
    whole = found if categories is None else found - set(categories)
    out = []
    for mark in (*SURE, *UNSURE, *WORDS):
        joined = sorted(w for w in whole if mark in w.strip(mark + " \t\n"))
        if joined and not (mark in WORDS and len(joined) > _MANY):  # sentences
            one = _judged(mark, joined, found, categories, asked=asked)
            out += [one] if one is not None else []
    return out


def _judged(
    mark: str,
    joined: Sequence[str],
    words: set[str],
    categories: Collection[str] | None,
    *,
    asked: bool,
) -> Guess | None:
    ways = {tuple(p for p in parts(w, mark) if p) for w in joined}  # but for white space
    split = [set(way) for way in ways]
    times = Counter(p for pieces in split for p in pieces)
    shares = sum(_SHARE.fullmatch(p) is not None for p in times)
    if 2 * shares > len(times):
        return None  # a distribution over labels
    if categories is not None:
        known = sum(pieces <= set(categories) for pieces in split)
        return Guess(mark, tuple(joined), clear=True) if 2 * known >= len(split) else None
    alone = sum(p in words for p in times)
    again = sum(p in words or n > 1 for p, n in times.items())
    if mark in SURE:
        clear = alone == len(times) or (len(split) > 1 and 2 * again >= len(times)) or asked
        return Guess(mark, tuple(joined), clear) if clear else None
    if mark in WORDS:
        doubt = alone == len(times) and _joined_freely(split)
        return Guess(mark, tuple(joined), clear=False) if doubt else None
    if alone < len(times) and (len(split) < 2 or 2 * again < len(times)):
        return None
    if not alone and _in_places(ways):
        return None
    usual = 4 * alone >= 3 * len(times) and _joined_freely(split)
    clear = (usual and not _numbers_in_doubt(mark, joined, times)) or asked
    return Guess(mark, tuple(joined), clear)


def _joined_freely(split: Iterable[set[str]]) -> bool:
    """Whether some label stands with several others: 'and/or' is one label, he/she, he/they two."""
    others: dict[str, set[str]] = {}
    for pieces in split:
        for piece in pieces:
            others.setdefault(piece, set()).update(pieces - {piece})
    return any(len(found) > 1 for found in others.values())


def _in_places(ways: Collection[tuple[str, ...]]) -> bool:
    """Whether no part that stands first stands elsewhere: 'B-PER', 'I-PER', 'B-LOC' are labels."""
    return not {way[0] for way in ways} & {piece for way in ways for piece in way[1:]}


def _numbers_in_doubt(mark: str, joined: Sequence[str], pieces: Iterable[str]) -> bool:
    """Whether '1,5' may be a number and '3/4' a fraction rather than two codes."""
    if not all(map(_WHOLE.fullmatch, pieces)):
        return any(p[:1].isdigit() for p in pieces)
    return not any(w.count(mark) > 1 or f"{mark} " in w for w in joined)
