"""Whether the first row of a table is its header, and what its columns are called."""

from __future__ import annotations

from collections.abc import Sequence

from ..labels import is_number
from ..names import role_of
from ..table import Column

__all__ = ["has_header", "unique_names", "without_empty"]

_LOOK = 2000  # rows that are looked at


def has_header(records: Sequence[Sequence[str]]) -> bool:
    """Whether the first of some rows of text cells is a header.

    It is not if its cells occur again below them, are blank or repeated, or are numbers above
    numbers; unless one of them is a well-known name.

    Examples
    --------
    >>> has_header([["item", "1", "2"], ["x", "1", "0"]])
    True
    >>> has_header([["a", "1", "stat"], ["b", "1", "stat"]])
    False
    """
    first = [c.strip() for c in records[0]]
    below = [
        {r[k].strip() for r in records[1:_LOOK] if k < len(r)} - {""} for k in range(len(first))
    ]
    if any(role_of(c) and c not in b for c, b in zip(first, below, strict=True)):
        return True
    while first and not first[-1]:
        first.pop()
    rest = first[1:]
    if len(rest) > 1 and set(rest) <= below[0] and len({*first}) == len(first):
        return True  # a contingency table: its rows and columns carry the same labels
    if first and not first[0] and all(rest) and len(set(rest)) == len(rest):
        return True  # the empty corner of an index or a contingency table
    anywhere = set().union(*below)
    if any(c and c in b for c, b in zip(first, below, strict=False)) or (
        any(first) and all(c in anywhere for c in first if c)
    ):
        return False
    pairs = zip(first, below, strict=False)
    if any(is_number(c) and b and all(map(is_number, b)) for c, b in pairs):
        return False
    filled = [c for c in first if c]
    return len(filled) == len(set(filled)) and len(filled) * 2 >= len(first)


def unique_names(cells: Sequence[str], headed: bool) -> tuple[list[str], tuple[str, ...]]:
    """A name for each column, with a note where one had to be made up."""
    names = dict[str, int]()  # and the number of the next one that is called so
    twice: list[str] = []
    for k, cell in enumerate(cells):
        name = " ".join(cell.split()) or f"column {k + 1}"
        if name in names:
            twice.append(name)
            given = name
            while name in names:
                name = f"{given} ({names[given]})"
                names[given] += 1
        names[name] = 2
    notes = [] if headed else ["the file has no header: columns are called by their number"]
    if twice:
        notes.append(f"several columns are called {', '.join(map(repr, dict.fromkeys(twice)))}")
    return list(names), tuple(notes)


def without_empty(columns: Sequence[Column]) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Without the columns that have neither a header nor a cell."""
    kept = tuple(c for c in columns if not (c.blank and c.name.startswith("column ")))
    n = len(columns) - len(kept)
    return kept, (f"left out {n} empty column{'s' * (n > 1)} without a header",) if n else ()
