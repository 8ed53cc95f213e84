"""Where a table stands among the rows of a file, and what its columns are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..labels import is_number
from ..names import role_of, tidy, words_of
from ..table import Column

_LOOK = 2000  # rows that are looked at
_ENOUGH = 6  # cells of a column that show what its cells say
_AROUND = 12  # rows that may be titles, or totals and remarks
_UNNAMED = re.compile(r"column \d+|Unnamed: \d+")
_TOTAL = re.compile(
    "totals?|sum|summe|gesamt|mean|average|mittelwert|durchschnitt|anzahl|somme|moyenne|agreement"
    "|übereinstimmung|median|sd"
)
# Words that begin the name of a row of numbers about the columns, but may name an item too.
_STATISTIC = re.compile(f"{_TOTAL.pattern}|n|kappa|alpha|count|number|percent|prozent")


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
    first = [c.strip().casefold() for c in records[0]]
    while first and not first[-1]:
        first.pop()
    below = [
        {r[k].strip().casefold() for r in records[1:_LOOK] if k < len(r)} - {""}
        for k in range(len(first))
    ]
    anywhere = set().union(*below)
    if any(role_of(c) and c not in anywhere for c in first):
        return True
    rest = [c for c in first[1:] if not _TOTAL.fullmatch(c)]
    ids = [r[0] for r in records[1:_LOOK] if r and r[0].strip()]
    numbers = [c for c in first if is_number(c)]
    named = [k for k, c in enumerate(first) if c and not is_number(c)]
    new = named and not any(first[k] in below[k] for k in named)
    if counts_up(numbers) and (new or (not named and len(numbers) > 3)):
        return True  # coders, or items, by number
    crossed = len(ids) == len({*ids}) and len(rest) > 1 and len({*first}) == len(first)
    if crossed and {*rest} <= below[0]:
        return True  # a contingency table: its rows and columns carry the same labels
    new = not anywhere.issuperset(rest)
    if first and not first[0] and all(rest) and len({*rest}) == len(rest) and new:
        return True  # the empty corner of an index or a contingency table
    for cell, cells in zip(first, below, strict=True):
        shapes = {re.sub(r"\d+", "#", x) for x in cells}
        shape = re.sub(r"\d+", "#", cell)
        if shapes == {shape} and len(cells) > 1 and shape != cell:
            return False  # an id as the others below it
        if cell and (cell in cells or (is_number(cell) and cells and all(map(is_number, cells)))):
            return False
    filled = [c for c in first if c]
    if filled and anywhere.issuperset(filled):
        return False
    return len(filled) == len({*filled}) and len(filled) * 2 >= len(first)


def counts_up(cells: Sequence[str]) -> bool:
    """Whether cells are 1, 2, 3 and so on, as columns without names are called."""
    return len(cells) > 1 and [*cells] == [str(k + 1) for k in range(len(cells))]


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
    remark is one cell with words in it.

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
    top = _below_titles(records, lines) if said is None else said
    end = _end(records, lines, top)
    if said is None and top and _spans(records[top - 1], records[top], records[top + 1 : end]):
        return Extent(top - 1, 2, end)
    if said is None and top > 1 and _spans(records[top - 2], records[top - 1], records[top:end]):
        return Extent(top - 2, 2, end)
    if top + 2 < end and _spans(records[top], records[top + 1], records[top + 2 : end]):
        return Extent(top, 2, end)
    depth = 1 if said is not None else int(has_header(records[top:end]))
    if top and not depth:  # what stands above may be the first rows of a table without a header
        there = {c.strip() for r in records[top:end] for c in r} - {""}
        if any(c.strip() in there for r in records[:top] for c in r):
            return Extent(0, 0, end)
    return Extent(top, depth, end)


def _below_titles(records: Sequence[Sequence[str]], lines: Sequence[int]) -> int:
    """The first row that fills as many cells as the rows of a table do, below an empty row or two.

    Examples
    --------
    >>> _below_titles([["a"], ["i", "x", "y"], ["1", "x", ""], ["2", "", "y"]], [1, 2, 3, 4])
    1
    """
    filled = [sum(bool(c.strip()) for c in r) for r in records[:_LOOK]]
    for k in range(1, min(_AROUND, len(filled)) if filled[0] < max(filled) else 0):
        named = {c.strip().casefold() for c in records[k] if role_of(c.strip())}
        if named and filled[k] == max(filled):
            below = {c.strip().casefold() for r in records[k + 1 : _LOOK] for c in r}
            if named - below:
                return k
            break  # labels that are called as columns may be: 'no'
    for k in range(1, min(_AROUND, len(filled) - 1)):
        if lines[k] - lines[k - 1] > 1 and max(filled[:k]) < min(filled[k : k + 3]):
            return k  # below an empty row
    usual = sorted(filled)[3 * len(filled) // 4]
    needed = max(2, (3 * usual + 4) // 5)
    top = next((k for k, n in enumerate(filled[:_AROUND]) if n >= needed), 0)
    titles, body = filled[:top], filled[top:]
    if usual < 3 or sum(n < needed for n in body) * 8 > len(body):
        alone = all(n < 2 for n in titles) and filled[top] == max(filled) > 2
        gap = top and lines[top] - lines[top - 1] > 1
        return top if gap or (alone and sum(n < 2 for n in body) * 8 <= len(body)) else 0
    return top


def _spans(upper: Sequence[str], lower: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether two rows are one header: groups of columns above, their members below."""
    width = max(len(upper), len(lower))
    above, below = ([c.strip() for c in row] + [""] * (width - len(row)) for row in (upper, lower))
    if not any(above[1:]) or not body or (above[0] and below[0] and above[0] != below[0]):
        return False
    members = [c for k, c in enumerate(below[1:], 1) if c and above[k] != c]
    there = {c.strip() for row in body[:_LOOK] for c in row[1:]}
    named = [n for n in join_header(upper, lower) if n]
    groups = [m for m in _members(_pairs(upper, lower)).values() if len(m) > 1]
    return (
        len(groups) > 0
        and len(members) > 1
        and (
            all(map(counts_up, groups)) or not (any(map(is_number, members)) or there & {*members})
        )
        and len({*named}) == len(named)
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
    first = max(top + 3, end - _AROUND)
    gaps = [
        lines[k] - lines[k - 1] > 1 + sum(c.count("\n") for c in records[k - 1])  # lines of a cell
        for k in range(first, end)
    ]
    below = [k for k, apart in enumerate(gaps, first) if apart and _alien(records, top, k, end)]
    end = min([end, *below])
    for k in range(end - 1, first - 1, -1):
        cells = [c.strip() for c in records[k] if c.strip()]
        apart = gaps[k - first]
        named = _STATISTIC.fullmatch("".join(words_of(cells[0])[:1]))
        remark = len(cells) == 1 and (" " in cells[0] or cells[0].endswith((".", ":")))
        if not (
            _TOTAL.fullmatch(tidy(cells[0]))
            or (named and _alien(records, top, k, k + 1))
            or (remark and len(records[k - 1]) > 1)
            or (apart and len(cells) < 3)
        ):
            break
        end = k
    return end


def _alien(records: Sequence[Sequence[str]], top: int, start: int, end: int) -> bool:
    """Whether some rows say other things than those above, in columns whose cells repeat."""
    beside = list[bool]()
    for j in range(max(map(len, records[top:end]))):
        above = [c for r in records[top + 1 : start] if len(r) > j and (c := r[j].strip())]
        below = [c for r in records[start:end] if len(r) > j and (c := r[j].strip())]
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
    at = [k for k, row in enumerate(body) if row[0].strip()]
    names = {body[k][0].strip() for k in at}
    tops = sum(k + 1 < len(body) and not body[k + 1][0].strip() for k in at)
    if len(at) < 2 or at[0] or 5 * tops < 3 * len(at) or len(names) < len(at) or len(body[0]) < 3:
        return body, 0
    blank = [k for k, row in enumerate(body) if not row[0].strip()]
    filled = sorted(sum(bool(c.strip()) for c in body[k]) for k in blank)
    if filled[len(filled) // 2] < 2:
        return body, 0
    merged = [
        j
        for j in range(len(body[0]))
        if all(body[k][j].strip() for k in at) and not any(body[k][j].strip() for k in blank)
    ]
    out, last = list[list[str]](), body[0]
    for row in body:
        last = row if row[0].strip() else last
        out.append([last[j] if j in merged else c for j, c in enumerate(row)])
    return out, len(blank)


def unique_names(cells: Sequence[str], headed: bool) -> tuple[list[str], tuple[str, ...]]:
    """A name for each column, with a note where one had to be made up."""
    names = dict[str, int]()  # and the number of the next one that is called so
    twice = dict[str, None]()
    for k, cell in enumerate(cells):
        given = name = " ".join(cell.split()) or f"column {k + 1}"
        while name in names:
            twice[given] = None
            name = f"{given} ({names[given]})"
            names[given] += 1
        names[name] = 2
    notes = [] if headed else ["the file has no header: columns are called by their number"]
    if twice:
        notes.append(f"several columns are called {', '.join(map(repr, twice))}")
    return list(names), tuple(notes)


def without_empty(columns: Sequence[Column]) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Without the columns that have neither a header nor a cell."""
    kept = tuple(c for c in columns if not (c.blank and _UNNAMED.fullmatch(c.name)))
    n = len(columns) - len(kept)
    return kept, (f"left out {n} empty column{'s' * (n > 1)} without a header",) if n else ()
