"""A column for each coder, or for each question of each coder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import log2
from statistics import fmean

import numpy as np

from .derived_columns import A_FEW, MAJORITY, SURE, Labels
from .evidence import Facts, Grid, agreeing, marked, overlap
from .names import (
    MARKS,
    coder_like,
    fact_like,
    label_like,
    personal,
    persons_of,
    round_like,
    speaks_of_rounds,
)
from .options import Options
from .plan import (
    AGREE,
    ASKED,
    FACT,
    GOLD,
    NAME,
    ORIENT,
    OVERLAP,
    SERIES,
    WARNS,
    Cell,
    Flip,
    Hypothesis,
    name_of,
)

FIRST, OURS = 0.75, 4.0  # the question stands first in a header; before "__", as we write it
ASKS = 0.15  # the same, of columns that may be of several times
ALIKE = 0.25  # agreement of coders on one question, at least
MOST_PAIRS = 60  # of columns that are compared
UNLIKE = 2.0  # bits for a column that is called otherwise than the others
MOST_OTHERS = 8  # columns of which each is left out in turn
FOLLOWS = 5.0  # bits: of some thirty columns like coders one follows from the others
FILLED = 0.75  # of the combinations of questions and coders that are columns at least


def of_coders(grid: Grid, options: Options) -> Iterator[Hypothesis]:
    """A column for each coder, or for each question and coder."""
    if len(options.coder) == 1:
        return
    item, base = _item_of_rows(grid, options)
    asked = _question_of_rows(grid, item, options)
    taken = {name_of(item), name_of(asked)}
    parted = len(options.coder) > 1 and not all(n in grid.table.names for n in options.coder)
    chosen = () if parted else options.coder or options.label
    free = [c for c in grid.columns if c.name not in taken]
    others = [c for c in free if c.header.role != "item"]
    pool = [c for c in free if c.name in chosen] if chosen else [c for c in others if c.answers]
    if len(pool) < 2 and not chosen:
        pool = [c for c in others if c.kind in ("word", "number") and not c.header.remark]
    again = persons_of([c.name for c in pool]) if grid.headed else {}
    maybe, asks = again, tuple[Flip, ...]()
    if again and not (again := again if _one_question(grid, again) else {}):
        says = f"columns such as {next(iter(maybe))!r} are times of the same coder"
        asks = (Flip(ASKED, says, {"coder": [*maybe]}),) if _agree(grid, maybe) > ASKS else ()
    elif grid.headed and not (again or chosen):
        asks = _asked_of_times(grid, [c.name for c in pool])
    for name in again:
        grid[name].header.fact = False  # though it speaks of a round
    groups = _groups(pool) if grid.headed or item is not None else [pool]
    if not chosen:
        for group in [g for g in groups if len(g) > 1]:
            labels = Labels.of(group)
            pool = [c for c in pool if c in group or labels.tell(c)[1] < SURE]
        groups = [g for group in groups if (g := [c for c in group if c in pool])]
    people = [c for c in pool if not c.header.consensus and not c.header.fact]
    known = {c.name for c in people} | {c.name for c in grid.table.columns if c.blank}
    if grid.headed and len(people) > 2 and not again:
        for mark, parts in split_names([n for n in grid.table.names if n in known]):
            for crossed in _crossed(grid, mark, parts, item, asked, base, options):
                yield replace(crossed, flips=(*crossed.flips, *asks))
    if parted:
        return
    alone = (
        max(map(len, groups), default=0) < 2 < len(grid.columns)
        and len(pool) == len(grid.columns) - (item is not None)
        and (item is None or item.unique)
    )
    bare = not grid.headed and item is None
    for group in [pool] if chosen or alone or bare else groups:
        given = bool(chosen) or alone or bare
        reading = _of_coders(grid, group, item, asked, base, given=given, said=options.coder)
        if reading is not None:
            rest = [g for g in groups if g[0] not in group] if not chosen else []
            left = [g for g in rest if not all(map(_no_answer, g))]  # which might be labels
            times = asks[:1] if len(reading.columns) == len(pool) else ()
            bits = reading.bits - 0.5 * len(left)
            yield replace(reading, bits=bits, flips=(*reading.flips, *times))


def _asked_of_times(grid: Grid, names: Sequence[str]) -> tuple[Flip, ...]:
    """The doubt what numbers behind the names of all columns are, 'A1', 'A2', 'B1': times, or none.

    There is none where columns of other persons and other numbers do not agree: then some part of
    the names says what was asked.
    """
    times = persons_of(names, numbered=True)
    apart = [
        (grid[a], grid[b])
        for a, b in combinations(names, 2)
        if len(times) == len(names) and times[a] != times[b]
        if a.removeprefix(times[a]) != b.removeprefix(times[b])
    ]
    if not apart or fmean(map(agreeing, apart[:MOST_PAIRS])) <= ASKS:
        return ()
    says = f"columns such as {names[0]!r} are times of the same coder"
    coders = {"coder": [*names]}
    return (
        Flip(ASKED, says, {**coders, "duplicates": "keep"}),
        Flip(ASKED, "each column is a coder", coders),
    )


def _rated(column: Facts, grid: Grid) -> bool:
    """Whether numbers lie where those of other columns do: then they are ratings, and no ids."""
    others = (c for c in grid.columns if c is not column and c.kind == "number")
    return any(overlap(column, c) > 0.2 for c in others)


def _shared(column: Facts, grid: Grid) -> bool:
    """Whether other columns hold the words of a column: then they are labels, and no names."""
    others = (c for c in grid.columns if c is not column and not c.unique)
    return bool(column.column.order) or any(overlap(column, c) > 0.6 for c in others)


def _item_of_rows(grid: Grid, options: Options) -> tuple[Facts | None, float]:
    """The column that names the items where each has one row, and bits for that."""
    if options.item:
        return grid[options.item], 2.0
    ids = [
        c
        for c in grid.columns
        if c.unique
        and not c.decimals
        and not c.header.coder
        and not c.header.label
        and not personal(c.name)
        and (c.kind not in ("time", "mail") or c.header.role == "item")
        and not (c.header.role == "coder" and c.kind == "word")
        and not (not grid.headed and c.kind == "number" and not c.counter and _rated(c, grid))
        and not (c.header.role is None and c.kind == "word" and _shared(c, grid))
    ]

    def likely(c: Facts) -> float:
        role = c.header.role
        first = c is grid.columns[0]
        return (
            NAME * (role == "item") + first - (c.kind in ("prose", "time")) - 2 * (role == "coder")
        )

    item = max(ids, key=likely, default=None)
    repeated = [
        c
        for c in grid.columns
        if c.header.role == "item" and not c.unique and 1.4 * c.n_values < len(c.filled)
    ]
    if repeated and _question_of_rows(grid, repeated[0], options) is not None:
        return repeated[0], 2.0
    if repeated:
        return item or repeated[0], -4.0  # as items do in a long table
    slips = [c for c in grid.columns if c.header.role == "item"] or [
        c
        for c in grid.columns[:2]
        if grid.headed
        and c.n_values > 0.8 * len(c.keys) > 4
        and not c.decimals
        and not c.answers
        and c.kind in ("word", "prose", "number")
        and not c.header.fact
    ]
    if item is None and slips:
        item = slips[0]
    return item, 2.0 * (item is not None)


def _question_of_rows(grid: Grid, item: Facts | None, options: Options) -> Facts | None:
    """The column that names the question, where an item has a row for each."""
    if options.question:
        return grid[options.question]
    found = [
        c
        for c in grid.columns
        if c is not item and (c.header.role == "question" or (grid.headed and round_like(c.name)))
    ]
    if not found or item is None or item.unique:
        return None
    pair = item.keys * (len(found[0].words) + 1) + found[0].keys
    return found[0] if len(np.unique(pair)) == len(pair) else None


def _groups(pool: Sequence[Facts]) -> list[list[Facts]]:
    """The columns that hold the same labels, together."""
    groups: list[list[Facts]] = []
    for column in pool:
        near, share = None, 0.0
        for group in groups:
            here = fmean(overlap(column, x) for x in group[:8])
            called = (c.header.coder or not c.header.headed for c in (column, *group))
            if all(called) and all(c.kind == "number" for c in (column, *group)):
                here = max(here, 0.4)  # few ratings on a long scale may share none
            if here > share:
                near, share = group, here
        if near is not None and share >= 0.4:
            near.append(column)
        else:
            groups.append([column])
    return groups


def _of_coders(
    grid: Grid,
    group: Sequence[Facts],
    item: Facts | None,
    asked: Facts | None,
    base: float,
    *,
    given: bool,
    said: Sequence[str] = (),
) -> Hypothesis | None:
    """The columns of a group that are coders, one decision for each."""
    core = [c for c in group if given or not c.header.consensus]
    again = {} if given else _copies(core)
    core = [c for c in core if c not in again]
    mutual = False
    for _ in range(2 * (not given and len(core) > 2)):  # a mean follows once equality is known
        named = [c for c in core if _called(c, core)]
        free = [c for c in core if c not in named]
        follow = [c for c in free if _told(c, core, named) > _needed(c, core, named)]
        mutual = mutual or len(follow) == len(core) == 3  # of yes and no, each tells the third
        core = [c for c in core if c not in (follow[-1:] if mutual else follow)]
    if len(core) < 2:
        return None
    pairs = sorted(agreeing(p) for p in combinations(core[:8], 2))
    typical = pairs[len(pairs) // 2]
    if given:
        bits = 2.0 + 1.5 * log2(len(core)) + AGREE * max(0.0, typical)
        bits -= 2 * max(0.0, 1.5 * log2(len(core) / grid.n)) * (not grid.headed)
        cells = tuple(Cell(n, "", n) for n in _with_blank(grid, [c.name for c in group], said))
        return Hypothesis(
            "wide",
            cells,
            name_of(item),
            None,
            name_of(asked),
            bits,
            tuple(_other_way(grid, len(group))),
        )
    whole = len(group) == len(grid.columns) - (item is not None)
    named = [c for c in group if _called(c, group)]
    flips, chosen = list[tuple[float, Facts, bool]](), list[Facts]()
    for column in group:
        rest = [c for c in core if c is not column]
        if not rest:
            continue
        bits = _as_coder(column, rest, typical, headed=grid.headed)
        bits += 2.0 * (whole and not column.header.consensus)
        told = again.get(column) or _told(column, rest, named)
        called = grid.headed and _called(column, rest)
        if not called and told:
            bits = min(bits, _needed(column, rest, named) - told)
        asks = min(abs(bits), ASKED) if mutual or (called and told > SURE) else abs(bits)
        flips.append((asks, column, bits > 0))
        if bits > 0:
            chosen.append(column)
    if len(chosen) < 2:
        return None
    names = [c.name for c in chosen]
    changes = []
    weak = [c for asks, c, is_coder in flips if is_coder and asks < WARNS]
    if 1 < len(weak) < len(chosen) - 1:
        says = f"{', '.join(repr(c.name) for c in weak)} are no coders"
        other = [c.name for c in chosen if c not in weak]
        changes.append(Flip(max(asks for asks, c, _ in flips if c in weak), says, {"coder": other}))
    for asks, column, is_coder in flips:
        other = [n for n in names if n != column.name] if is_coder else [*names, column.name]
        if len(other) > 1:
            says = f"{column.name!r} is " + ("no coder" if is_coder else "a coder too")
            changes.append(Flip(asks, says, {"coder": other}))
    looks = fmean(c.header.coder - 2 * c.header.label for c in chosen) if grid.headed else 0.0
    ends = [re.split(r"__| - |::|[:/|_]", c.name)[-1] for c in chosen] if grid.headed else []
    looks += 2 * (len({*ends}) > 1 and all(re.fullmatch(r"[A-Za-z]{1,3}\d+", x) for x in ends))
    looks += asked is not None
    bits = 1.5 * log2(len(chosen)) + AGREE * max(0.0, typical) + base + 2 * looks
    if item is None and whole:
        changes += _other_way(grid, len(chosen))
    if whole:
        names = _with_blank(grid, names)
    cells = tuple(Cell(n, "", n) for n in names)
    return Hypothesis("wide", cells, name_of(item), None, name_of(asked), bits, tuple(changes))


def _with_blank(grid: Grid, names: Sequence[str], said: Sequence[str] = ()) -> list[str]:
    """The names of coders, with those who are called as coders, or said to be, without a label."""
    blank = {c.name for c in grid.table.columns if c.blank}
    blank = {n for n in blank if n in said or coder_like(n)}
    return [n for n in grid.table.names if n in names or n in blank]


def _other_way(grid: Grid, n_coders: int) -> Iterator[Flip]:
    """The doubt whether columns are items, where nothing but labels is there and the shape open."""
    if (n_coders > 20 and n_coders > 3 * grid.n) or (
        not grid.headed and max(n_coders, grid.n) <= 2 * min(n_coders, grid.n)
    ):
        says = f"the {n_coders} columns are items and the {grid.n} rows coders"
        yield Flip(ASKED + 1, says, {"layout": "transposed"})


def _one_question(grid: Grid, persons: Mapping[str, str]) -> bool:
    """Whether columns of several persons, and of several times, hold answers to one question.

    Then those of different persons agree, which answers to different questions do not.
    """
    if all(map(speaks_of_rounds, persons)):
        pairs = [(grid[a], grid[b]) for a, b in combinations(persons, 2)]
        return bool(pairs) and fmean(overlap(a, b) for a, b in pairs[:MOST_PAIRS]) > 0.4
    same = [p for p in combinations(persons, 2) if persons[p[0]] == persons[p[1]]]
    alone = fmean(agreeing((grid[a], grid[b])) for a, b in same) if same else 0.0
    return _agree(grid, persons) > max(ALIKE, alone / 2)


def _agree(grid: Grid, persons: Mapping[str, str]) -> float:
    """How far columns of different persons agree."""
    pairs = [p for p in combinations(persons, 2) if persons[p[0]] != persons[p[1]]]
    return fmean(agreeing((grid[a], grid[b])) for a, b in pairs[:MOST_PAIRS]) if pairs else 0.0


def _needed(column: Facts, core: Sequence[Facts], named: Sequence[Facts]) -> float:
    """Bits that show that a column follows from others, behind which it is rather written."""
    rest = [c for c in core if c is not column]
    behind = sum(c.at > column.at and not c.header.fact for c in rest)
    form, times = Counter(_form(c.name) for c in rest).most_common(1)[0]
    unlike = 3 * times >= 2 * len(rest) and _form(column.name) != form
    called = len(named) > 1 and column not in named
    return FOLLOWS * (1 + min(2, behind) / 2) - UNLIKE * (unlike or called)


def _form(name: str) -> tuple[bool, ...]:
    """How a name looks: with a capital, with digits, several words."""
    return name[:1].isupper(), any(map(str.isdigit, name)), " " in name or "_" in name


def _told(column: Facts, core: Sequence[Facts], named: Sequence[Facts]) -> float:
    """Bits for a column following from others: from all, from those called alike, from all but one.

    One that follows itself would hide that another does.
    """
    others = [c for c in core if c is not column]
    others = [c for c in others if not c.header.fact] or others
    called = [c for c in others if c in named]
    some = [[c for c in others if c is not one] for one in others if one not in called]
    bases = [others, *([called] if column not in named else [])]
    bases = [*bases, *(some if len(others) <= MOST_OTHERS and column.kind == "number" else [])]
    bases = [b for k, b in enumerate(bases) if len(b) > 1 and b not in bases[:k]]
    best, every = 0.0, max(1, len(column.keys) // A_FEW)
    for base in bases:
        if every > 1 and not Labels.of(base, every).tell(column)[0]:
            continue
        says, bits = Labels.of(base).tell(column)
        if base not in some:
            best = max(best, bits)
        elif says != MAJORITY:
            best = max(best, bits - log2(len(some)))
    return best


def _copies(group: Sequence[Facts]) -> dict[Facts, float]:
    """Columns that say in every row what one before them says, and bits for being copies of it.

    The accident is a coder who always agrees: as often as two who are no copies do.
    """
    found, usual = dict[Facts, Facts](), 0.0
    for one, other in combinations(sorted(group, key=lambda c: not _called(c, group)), 2):
        if np.array_equal(one.keys, other.keys):
            found.setdefault(other, one)
        else:
            both = (one.keys >= 0) & (other.keys >= 0)
            same = int((one.keys == other.keys)[both].sum())
            usual = max(usual, (same + 1) / (int(both.sum()) + 2))
    rare = 2 * len(found) < len(group)  # or coders do agree so
    return {c: -len(c.filled) * log2(usual) for c in found if usual and rare}


def _called(column: Facts, others: Sequence[Facts]) -> bool:
    """Whether a header is like those of other columns, or names a coder as others do."""
    header = column.header
    return not header.fact and any(
        x is not column
        and (_series(header.words, x.header.words) or (header.coder and x.header.coder))
        for x in others
    )


def _as_coder(column: Facts, others: Sequence[Facts], typical: float, *, headed: bool) -> float:
    """Bits for a column being one of the coders: its cells, how it agrees, how it is called."""
    header = column.header
    bits = OVERLAP * (fmean(overlap(column, x) for x in others[:8]) - 0.5)
    if typical > 0.25:
        mine = fmean(agreeing((column, x)) for x in others[:8])
        bits += AGREE * (max(0.0, min(1.5, mine / typical)) - 0.5)
    alike = headed and _called(column, others)
    if not headed:
        return bits + 2.0
    first = Counter(x.header.words[0] for x in others if x.header.words)
    bits += SERIES * (alike + header.coder)
    bits -= 1.5 * (not alike and max(first.values(), default=0) > 1)
    bits -= GOLD * header.consensus + FACT * (header.fact and not header.coder)
    bits -= SERIES * (header.fact and len(header.words) == 1)
    return bits - GOLD * header.asks


def _series(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two headers are members of one series: rater 1, rater 2."""
    return bool(one and other) and (
        (len(one) > 1 or len(other) > 1)
        and (one[:1] == other[:1] or (one[1:] == other[1:] and not all(map(str.isdigit, one[1:]))))
    )


def _no_answer(column: Facts) -> bool:
    return column.measure or column.header.fact or column.header.consensus


# ------------------------------------------------------------------ by question and coder


def split_names(names: Sequence[str]) -> list[tuple[str, dict[str, tuple[str, str]]]]:
    """A mark, and names as the two parts beside it, for those that are combinations of parts.

    Examples
    --------
    >>> [(mark, parts)] = split_names(["item", "q1_A", "q1_B", "q2_A", "q2_B"])
    >>> mark, parts["q2_A"]
    ('_', ('q2', 'A'))
    """
    splits = list[tuple[str, dict[str, tuple[str, str]]]]()
    for mark, at_end in [*product(MARKS, (False, True)), ("", True)]:
        of_left = dict[str, dict[str, str]]()
        for name in names:
            if mark:
                left, there, right = name.rpartition(mark) if at_end else name.partition(mark)
            else:  # a number behind letters: 'A1'
                left = name.rstrip("0123456789")
                there = right = name[len(left) :] if left.isalpha() else ""
            left, right = left.strip(), right.strip().strip("()[]")
            ends = left[-1:].isalnum() or left.endswith((")", "]", "?"))
            cut = "@" in left and "." not in left.partition("@")[2]  # an address
            if there and ends and not cut and right[:1].isalnum():
                of_left.setdefault(left, {})[right] = name
        whole = max(of_left.values(), key=len, default={})
        lefts = [x for x, of in of_left.items() if len(of) > 1 and of.keys() <= whole.keys()]
        found = {name: (left, r) for left in lefts for r, name in of_left[left].items()}
        if len(lefts) > 1 and len(found) >= FILLED * len(whole) * len(lefts):
            splits.append((mark, {n: found[n] for n in names if n in found}))
    most = max((len(parts) for _, parts in splits), default=0)
    return [s for k, s in enumerate(splits) if len(s[1]) == most and s not in splits[:k]]


def _crossed(
    grid: Grid,
    mark: str,
    parts: Mapping[str, tuple[str, str]],
    item: Facts | None,
    asked: Facts | None,
    base: float,
    options: Options,
) -> Iterator[Hypothesis]:
    """Which part is the coder: columns that share the other hold the same labels, and agree."""
    together = [_alike(grid, parts, side) for side in (0, 1)]
    values = ORIENT * (together[0] - together[1])

    def called(side: int) -> float:
        names = {p[side] for p in parts.values()}
        return NAME * fmean(coder_like(n) - label_like(n) - 0.5 * fact_like(n) for n in names)

    names = called(1) - called(0)
    columns = [grid[n] for n in parts if n in grid.by_name]
    binary = bool(columns) and all(c.binary for c in columns)
    for side, sign in ((0, 1), (1, -1)):
        cells = tuple(Cell(n, p[side], p[1 - side]) for n, p in parts.items())
        coders = dict.fromkeys(c.coder for c in cells)
        if options.coder:
            if not set(options.coder) <= {*coders}:
                continue
            cells = tuple(c for c in cells if c.coder in options.coder)
        usual = (OURS if mark == "__" else FIRST) * sign
        bits = 5 + base + sign * (values + names) + usual + 2 * log2(len(parts))
        each = [[c for c in columns if parts[c.name][1 - side] == who] for who in coders]
        cost = ASKED / 2 if binary and all(map(marked, filter(None, each))) else 2 * ASKED
        says, hot = "marks of a coder are labels of one question", {"layout": "onehot"}
        yield Hypothesis(
            "wide",
            cells,
            name_of(item),
            None,
            name_of(asked),
            bits,
            (Flip(cost, says, {**hot, "coder": [*coders]}),) if binary else (),
        )


def _alike(grid: Grid, parts: Mapping[str, tuple[str, str]], side: int) -> float:
    """How much columns that share a part hold the same labels, and agree."""
    filled = [n for n in parts if n in grid.by_name]
    pairs = [(a, b) for a, b in combinations(filled, 2) if parts[a][side] == parts[b][side]]
    some = [(grid[a], grid[b]) for a, b in pairs[:MOST_PAIRS]]
    return fmean(overlap(a, b) + max(0.0, agreeing((a, b))) for a, b in some) if some else 0.0
