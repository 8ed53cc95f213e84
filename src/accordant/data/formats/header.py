"""Whether the first row of a table is its header, and what its columns are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..labels import is_number
from ..names import role_of, tidy, words_of
from ..table import Column

__all__ = ["has_header", "unique_names", "without_empty"]

_LOOK = 2000  # rows that are looked at
_ABOVE, _BELOW = 12, 12  # rows that may be titles, or totals and remarks
_LONG = 16  # digits: longer ones number no items
_ENOUGH = 6  # cells of a column that show what its cells say
_UNNAMED = re.compile(r"column \d+|Unnamed: \d+")
TOTALS = frozenset(
    (
        "total",
        "totals",
        "sum",
        "summe",
        "gesamt",
        "mean",
        "average",
        "mittelwert",
        "durchschnitt",
        "anzahl",
        "somme",
        "moyenne",
        "agreement",
        "übereinstimmung",
        "median",
        "sd",
    )
)
# Words that begin the name of a row of numbers about the columns, but may name an item too.
STATISTICS = TOTALS | {"n", "kappa", "alpha", "count", "number", "percent", "prozent"}


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
    >>> has_header([["name", *"123456"], ["Ann", *"422151"]])
    True
    """
    first = [c.strip().casefold() for c in records[0]]
    below = [
        {r[k].strip().casefold() for r in records[1:_LOOK] if k < len(r)} - {""}
        for k in range(len(first))
    ]
    anywhere = set().union(*below)
    if any(role_of(c) and c not in anywhere for c in first):
        return True
    while first and not first[-1]:
        first.pop()
    rest = [c for c in first[1:] if c not in TOTALS]
    ids = [r[0] for r in records[1:_LOOK] if r and r[0].strip()]
    once = len(ids) == len({*ids})
    if once and len(rest) > 1 and set(rest) <= below[0] and len({*first}) == len(first):
        return True  # a contingency table: its rows and columns carry the same labels
    if first and not first[0] and all(rest) and len(set(rest)) == len(rest):
        return True  # the empty corner of an index or a contingency table
    shapes = [{re.sub(r"\d+", "#", x) for x in b} for b in below]
    counted = [int(c) for c in rest if c.isdecimal() and len(c) < _LONG]
    steps = {b - a for a, b in pairwise(counted)}
    if (
        len(counted) == len(rest) > 5
        and steps == {1}
        and re.sub(r"\d+", "#", first[0]) not in shapes[0]
    ):
        return True  # items that are numbered
    if any(
        len(s) == 1 < len(b) and re.sub(r"\d+", "#", c) in s and re.search(r"\d", c)
        for c, s, b in zip(first, shapes, below, strict=False)
    ):
        return False  # an id as the others below it
    if any(c and c in b for c, b in zip(first, below, strict=False)) or (
        any(first) and all(c in anywhere for c in first if c)
    ):
        return False
    pairs = zip(first, below, strict=False)
    if any(is_number(c) and b and all(map(is_number, b)) for c, b in pairs):
        return False
    filled = [c for c in first if c]
    return len(filled) == len(set(filled)) and len(filled) * 2 >= len(first)


@dataclass(frozen=True)
class Extent:
    """Where a table stands among the rows of a file: its header rows, and one past its last row."""

    top: int
    depth: int
    end: int


def extent_of(
    records: Sequence[Sequence[str]], lines: Sequence[int], said: int | None = None
) -> Extent:
    """The table without titles above it and totals or remarks below it.

    Titles fill few cells where nearly all rows below fill more. A row of totals names itself; a
    remark is one cell with words in it, mostly after an empty row.

    Parameters
    ----------
    records : sequence of sequence of str
        The rows that hold anything.
    lines : sequence of int
        Where each stands in the file: a gap is an empty row.
    said : int, optional
        The record that the user says to be the header; -1 if there is none.

    Examples
    --------
    >>> rows = [["Tone"], ["id", "A", "B"], ["1", "x", "y"], ["2", "x", "x"], ["Total", "2"]]
    >>> extent_of(rows, [1, 3, 4, 5, 6])
    Extent(top=1, depth=1, end=4)
    >>> two = [["", "tone", "", "size", ""], ["id", "A", "B", "A", "B"], ["1", "x", "y", "s", "l"]]
    >>> extent_of(two, [1, 2, 3]).depth
    2
    """
    if said is not None and said < 0:
        return Extent(0, 0, len(records))
    if said is not None:
        end = _end(records, lines, said)
        two = said + 2 < end and _spans(records[said], records[said + 1], records[said + 2 : end])
        return Extent(said, 1 + two, end)
    filled = [sum(bool(c.strip()) for c in r) for r in records[:_LOOK]]
    usual = sorted(filled)[3 * len(filled) // 4]
    needed = max(2, (3 * usual + 4) // 5)
    top = next((k for k, n in enumerate(filled[:_ABOVE]) if n >= needed), 0)
    sparse = sum(n < needed for n in filled[top:])
    if usual < 3 or sparse * 8 > len(filled) - top:
        top = 0
    top = max(
        top, _below_gap(filled, lines), _below_titles(filled), _of_known_names(records, filled)
    )
    end = _end(records, lines, top)
    bare = top > 1 and lines[top] - lines[top - 2] == 2 and not has_header(records[top:end])
    if bare and _spans(records[top - 2], records[top - 1], records[top:end]):
        return Extent(top - 2, 2, end)
    if (
        top
        and lines[top] - lines[top - 1] == 1
        and _spans(records[top - 1], records[top], records[top + 1 : end])
    ):
        return Extent(top - 1, 2, end)
    if top + 2 < end and _spans(records[top], records[top + 1], records[top + 2 : end]):
        return Extent(top, 2, end)
    depth = int(has_header(records[top:end]))
    if top and not depth:  # what stands above may be the first rows of a table without a header
        there = {c.strip() for r in records[top:end] for c in r} - {""}
        if any(c.strip() in there for r in records[:top] for c in r):
            return Extent(0, 0, end)
    return Extent(top, depth, end)


def _of_known_names(records: Sequence[Sequence[str]], filled: Sequence[int]) -> int:
    """The first full row below a sparse one that names a column as headers do; 0 without one."""
    most = max(filled, default=0)
    for k, row in enumerate(records[:_ABOVE] if filled and filled[0] < most else ()):
        known = {c.strip().casefold() for c in row if role_of(c.strip())}
        if filled[k] == most and known:
            again = {c.strip().casefold() for r in records[k + 1 : _LOOK] for c in r}
            if known - again:
                return k
    return 0


def _below_titles(filled: Sequence[int]) -> int:
    """The first row below rows of one cell, if it is full and hardly a row below has one cell."""
    top = next((k for k, n in enumerate(filled[:_ABOVE]) if n > 1), 0)
    full = filled[top] == max(filled) > 2
    return top if full and 8 * sum(n < 2 for n in filled[top:]) <= len(filled) else 0


def _below_gap(filled: Sequence[int], lines: Sequence[int]) -> int:
    """The first row below an empty one, if all rows above that hold a cell or two, and it more."""
    for k in range(min(_ABOVE, len(filled) - 3), 0, -1):
        if lines[k] - lines[k - 1] > 1 and max(filled[:k]) <= 2 < filled[k]:
            return k
    return 0


def _spans(upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether two rows are one header: groups of columns above, their members below."""
    width = max(len(upper), len(lower))
    above, below = ([c.strip() for c in row] + [""] * (width - len(row)) for row in (upper, lower))
    groups = [c for c in above[1:] if c]
    if not groups or not body or (above[0] and below[0] and above[0] != below[0]):
        return False
    repeated = any(len(m) > 1 for m in _members(_pairs(upper, lower)).values())
    members = [c for k, c in enumerate(below[1:], 1) if c and above[k] != c]
    there = {c.strip() for row in body[:_LOOK] for c in row[1:]}
    joined = join_header(upper, lower)
    return (
        repeated
        and len(members) > 1
        and not any(is_number(c) for c in members)
        and not there & {*members}
        and len({*joined} - {""}) == len([n for n in joined if n])
    )


def join_header(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Names from two rows: the upper one holds for the blanks to its right.

    Examples
    --------
    >>> join_header(["", "tone", "", "size", ""], ["id", "A", "B", "A", "B"])
    ['id', 'tone | A', 'tone | B', 'size | A', 'size | B']
    >>> join_header(["", "tone", "", "size", "", ""], ["id", "A", "B", "A", "B", "source"])[-1]
    'source'
    """
    pairs = _pairs(upper, lower)
    members = _members(pairs)
    if len(members) < 2:  # one title over all coders, or none
        return [low or group for group, low in pairs]
    *others, end = members
    known = {m for g in others for m in members[g]}
    if known <= {*members[end]} and len({len(members[g]) for g in others}) == 1:
        # What follows the members of the last group stands beside the groups.
        pairs = [("", low) if g == end and low not in known else (g, low) for g, low in pairs]
    return [f"{g} | {low}" if g and low and g != low else g or low for g, low in pairs]


def _pairs(upper: Sequence[str], lower: Sequence[str]) -> list[tuple[str, str]]:
    """The group that each column belongs to, and its own name."""
    last, pairs = "", list[tuple[str, str]]()
    for k in range(max(len(upper), len(lower))):
        up, low = (row[k].strip() if k < len(row) else "" for row in (upper, lower))
        last = up or (last if low else "")
        pairs.append((last, low))
    return pairs


def _members(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for group, low in pairs:
        if group and low:
            members.setdefault(group, []).append(low)
    return members


def _end(records: Sequence[Sequence[str]], lines: Sequence[int], top: int) -> int:
    """One past the last row that is neither a total nor a remark."""
    end = len(records)
    first = max(top + 3, len(records) - _BELOW)
    for k in range(len(records) - 1, first - 1, -1):
        within = sum(c.count("\n") for c in records[k - 1])  # lines of a cell
        if lines[k] - lines[k - 1] > 1 + within and _other_cells(records, top, k):
            end = k
    for k in range(end - 1, first - 1, -1):
        cells = [c.strip() for c in records[k] if c.strip()]
        apart = lines[k] - lines[k - 1] > 1
        named = not STATISTICS.isdisjoint(words_of(cells[0])[:1])
        total = tidy(cells[0]) in TOTALS or (named and _other_cells(records, top, k))
        remark = len(cells) == 1 and (" " in cells[0] or cells[0].endswith((".", ":")))
        if not (total or (remark and len(records[k - 1]) > 1) or (apart and len(cells) < 3)):
            break
        end = k
    return end


def _other_cells(records: Sequence[Sequence[str]], top: int, start: int) -> bool:
    """Whether rows below an empty one say other things than those above: sums, shares, a legend.

    Nothing beside their names stands above in the same column, where cells repeat there.
    """
    beside = list[bool]()
    for k in range(max(map(len, records[top:]))):
        above = [c for r in records[top + 1 : start] if len(r) > k and (c := r[k].strip())]
        below = [c for r in records[start:] if len(r) > k and (c := r[k].strip())]
        if below and len(above) >= _ENOUGH and 2 * len({*above}) <= len(above):
            beside += [c in above for c in below]
    return bool(beside) and not any(beside)


def filled_down(body: list[list[str]]) -> tuple[list[list[str]], int]:
    """Rows with the ids of merged cells in each row, and how many were filled.

    Ids are merged if the first column names each item once, above blanks, and the other columns
    are full where it is blank.

    Examples
    --------
    >>> filled_down([["1", "A", "x"], ["", "B", "y"], ["2", "A", "x"], ["", "B", "x"]])[0][3]
    ['2', 'B', 'x']
    """
    ids = [row[0].strip() for row in body]
    at = [k for k, cell in enumerate(ids) if cell]
    if not at:
        return body, 0
    gaps = [b - a for a, b in zip(at, [*at[1:], len(body)], strict=True)]
    names = [ids[k] for k in at]
    merged = len(at) > 1 and at[0] == 0 and sum(g > 1 for g in gaps) * 5 >= 3 * len(gaps)
    if not merged or len(set(names)) < len(names) or len(body[0]) < 3:
        return body, 0
    blank = [k for k, cell in enumerate(ids) if not cell]
    below = [sum(bool(c.strip()) for c in body[k][1:]) for k in blank]
    above = [sum(bool(c.strip()) for c in body[k][1:]) for k in at]
    if sorted(below)[len(below) // 2] < 2 or not above:
        return body, 0
    width = len(body[0])
    also = [
        j
        for j in range(1, width)
        if all(body[k][j].strip() for k in at) and not any(body[k][j].strip() for k in blank)
    ]
    out, last = [], body[0]
    for row, cell in zip(body, ids, strict=True):
        last = row if cell else last
        out.append(
            [last[j] if not cell and (j == 0 or j in also) else c for j, c in enumerate(row)]
        )
    return out, len(blank)


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
    kept = tuple(c for c in columns if not (c.blank and _UNNAMED.fullmatch(c.name)))
    n = len(columns) - len(kept)
    return kept, (f"left out {n} empty column{'s' * (n > 1)} without a header",) if n else ()
