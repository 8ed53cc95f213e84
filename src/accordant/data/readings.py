"""The ways in which a table can be read: each with its evidence, in bits, and what would change it.

A reading is wide (a column for each coder), wide by question and coder, long (a row for each
annotation), one-hot (a column for each label) or turned (a row for each coder). The weights were
set on generated tables of other seeds than those of the tests; `recognise` compares the readings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log2
from statistics import fmean
from typing import Any

import numpy as np

from .evidence import A_MEASURE, Evidence, Facts, Grid, agreeing, agreement, derived, overlap
from .names import coder_like, fact_like, family, label_like
from .options import Options
from .plan import Cell

__all__ = ["Flip", "Reading", "readings", "split_names"]

NAME, SERIES, GOLD, FACT = 3.0, 2.0, 10.0, 3.0
OVERLAP, AGREE, ORIENT, PAIR, LISTS, DERIVED = 6.0, 4.0, 4.0, 3.0, 4.0, 12.0
FIRST, OURS = 0.75, 4.0  # the question stands first in a header; before "__", as we write it
ASKED = 1.0  # bits of a decision that values cannot make
MARKS = ("__", " - ", "::", ": ", ":", " | ", "|", "/", "_", ".", " ", "-")
OF_LABELS = {"label", "labels", "category", "categories", "class", "tag", "tags", "code", "codes"}
MOST_PAIRS = 60  # of columns that are compared


@dataclass(frozen=True)
class Flip:
    """A decision the other way: what it costs in bits, what it says, the options that say so."""

    bits: float
    says: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """One way to read a table."""

    layout: str
    cells: tuple[Cell, ...]
    item: str | None = None
    coder: str | None = None
    question: str | None = None
    bits: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    flips: tuple[Flip, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of labels."""
        return tuple(c.column for c in self.cells)

    @property
    def options(self) -> dict[str, Any]:
        """What a user would type to have this reading."""
        if self.layout == "turned":
            return {"coders_in": "rows"} | ({"coder": self.coder} if self.coder else {})
        if self.layout == "wide":
            said: dict[str, Any] = {"coder": list(self.columns)}
            if any(c.question for c in self.cells):
                said = {"coder": list(dict.fromkeys(c.coder for c in self.cells))}
        else:
            said = {"coder": self.coder, "label": list(self.columns)}
            if len(self.columns) == 1:
                said["label"] = self.columns[0]
        if self.layout == "onehot" or (self.coder is None and self.layout == "long"):
            said["layout"] = self.layout
        said |= {"item": self.item, "question": self.question}
        return {name: value for name, value in said.items() if value}


def readings(grid: Grid, options: Options) -> list[Reading]:
    """All readings that what the user said allows, the likeliest first."""
    found = [*_wide(grid, options), *_long(grid, options), *_turned(grid, options)]
    return sorted((r for r in found if _allowed(r, options)), key=lambda r: -r.bits)


def _name(column: Facts | None) -> str | None:
    return None if column is None else column.name


def _allowed(reading: Reading, options: Options) -> bool:
    layout = options.layout
    if layout is not None and layout != reading.layout:
        return False
    if options.coders_in is not None and (options.coders_in == "rows") != (
        reading.layout == "turned"
    ):
        return False
    if options.item and reading.item != options.item:
        return False
    if len(options.coder) == 1 and reading.coder != options.coder[0]:
        return False
    return not (options.label and set(reading.columns) != set(options.label))


# ------------------------------------------------------------------ a column for each coder


def _wide(grid: Grid, options: Options) -> Iterator[Reading]:
    """A column for each coder, or for each question and coder."""
    if len(options.coder) == 1:
        return
    item, base = _item_of_rows(grid, options)
    asked = _question_of_rows(grid, item, options)
    taken = {_name(item), _name(asked), options.text, options.label_weight}
    chosen = options.coder or options.label
    pool = [
        c for c in grid.columns
        if c.name not in taken
        and (c.name in chosen if chosen else c.answers and c.header.role != "item")
    ]  # fmt: skip
    people = [c for c in pool if not c.header.consensus and not c.header.fact]
    for mark, parts in split_names([c.name for c in people]) if grid.headed else ():
        yield from _crossed(grid, mark, parts, item, asked, base)
    groups = _groups(pool) if grid.headed or item is not None else [pool]
    alone = (
        max(map(len, groups), default=0) < 2 < len(grid.columns)
        and len(pool) == len(grid.columns) - (item is not None)
        and (item is None or item.unique)
    )
    for group in [pool] if chosen or alone else groups:
        reading = _of_coders(grid, group, item, asked, base, given=bool(chosen) or alone)
        if reading is not None:
            rest = [g for g in groups if g[0] not in group] if not chosen else []
            yield _less(reading, rest, [c for c in group if c.name in reading.columns])


def _item_of_rows(grid: Grid, options: Options) -> tuple[Facts | None, list[Evidence]]:
    """The column that names the items where each has one row."""
    if options.item:
        return grid[options.item], [Evidence("item", 2.0, options.item, "it was given")]
    ids = [
        c
        for c in grid.columns
        if c.unique and not c.decimals and not c.header.coder and not c.header.label
    ]

    def likely(c: Facts) -> float:
        role = c.header.role
        first = c is grid.columns[0]
        return (
            NAME * (role == "item") + first - (c.kind in ("prose", "time")) - 2 * (role == "coder")
        )

    item = max(ids, key=likely, default=None)
    repeated = [
        c for c in grid.columns
        if c.header.role == "item" and not c.unique and 1.4 * c.n_values < len(c.filled)
    ]  # fmt: skip
    if repeated:
        name = repeated[0].name
        return item or repeated[0], [
            Evidence("repeats", -4.0, name, f"{name!r} repeats, as items do in a long table")
        ]
    slips = [c for c in grid.columns if c.header.role == "item"]
    if item is None and slips:
        item = slips[0]
    if item is None:
        return None, []
    return item, [Evidence("one row", 2.0, item.name, f"each row has another {item.name!r}")]


def _question_of_rows(grid: Grid, item: Facts | None, options: Options) -> Facts | None:
    """The column that names the question, where an item has a row for each."""
    if options.question:
        return grid[options.question]
    found = [c for c in grid.columns if c.header.role == "question" and c is not item]
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
            if here > share:
                near, share = group, here
        if near is not None and share >= 0.4:
            near.append(column)
        else:
            groups.append([column])
    return groups


def _of_coders(
    grid: Grid, group: Sequence[Facts], item: Facts | None, asked: Facts | None,
    base: Sequence[Evidence], *, given: bool,
) -> Reading | None:  # fmt: skip
    """The columns of a group that are coders, one decision for each."""
    core = [c for c in group if given or not c.header.consensus]
    if len(core) < 2:
        return None
    pairs = sorted(agreeing(p) for p in combinations(core[:8], 2))
    typical = pairs[len(pairs) // 2]
    if given:
        cells = tuple(Cell(c.name, "", c.name) for c in group)
        return Reading("wide", cells, _name(item), None, _name(asked), 5.0)
    whole = len(group) == len(grid.columns) - (item is not None)
    alone = _exceptions(core)
    evidence, flips, chosen = list(base), list[tuple[float, Facts, bool]](), list[Facts]()
    for column in group:
        rest = [c for c in core if c is not column]
        if not rest:
            continue
        found = [*_as_coder(column, rest, typical, headed=grid.headed)]
        if whole and not column.header.consensus:
            found.append(Evidence("rest", 2.0, column.name, "no other columns are left"))
        bits = sum(e.bits for e in found)
        asks = abs(bits)
        if _never_alone(column, alone):
            asks = min(asks, ASKED)
            says = f"{column.name!r} never differs where all others are equal, as each of them does"
            found.append(Evidence("consensus", 0.0, column.name, says))
        evidence += found
        flips.append((asks, column, bits > 0))
        if bits > 0:
            chosen.append(column)
    if len(chosen) < 2:
        return None
    names = [c.name for c in chosen]
    changes = []
    for asks, column, is_coder in flips:
        other = [n for n in names if n != column.name] if is_coder else [*names, column.name]
        if len(other) > 1:
            says = f"{column.name!r} is " + ("no coder" if is_coder else "a coder too")
            changes.append(Flip(asks, says, {"coder": other}))
    looks = fmean(c.header.coder - 2 * c.header.label for c in chosen) if grid.headed else 0.0
    bits = (
        1.5 * log2(len(chosen)) + AGREE * max(0.0, typical) + sum(e.bits for e in base) + 2 * looks
    )
    if whole:
        blank = {c.name for c in grid.table.columns if c.blank and coder_like(c.name)}
        names = [n for n in grid.table.names if n in names or n in blank]
    cells = tuple(Cell(n, "", n) for n in names)
    return Reading("wide", cells, _name(item), None, _name(asked), bits,
                   tuple(evidence), tuple(changes))  # fmt: skip


def _as_coder(
    column: Facts, others: Sequence[Facts], typical: float, *, headed: bool
) -> Iterator[Evidence]:
    """What speaks for a column being one of the coders, and against it."""
    name, header = column.name, column.header
    share = fmean(overlap(column, x) for x in others[:8])
    yield Evidence(
        "overlap",
        OVERLAP * (share - 0.5),
        name,
        f"{share:.0%} of the cells of {name!r} stand in the other columns too",
    )
    if typical > 0.25:
        mine = fmean(agreeing((column, x)) for x in others[:8])
        bits = AGREE * (max(0.0, min(1.5, mine / typical)) - 0.5)
        yield Evidence("agreement", bits, name, f"{name!r} agrees with the others: {mine:.2f}")
    if what := derived(column, others):
        yield Evidence("derived", -2 * DERIVED, name, f"{name!r} follows: {what}")
    if not headed:
        yield Evidence("name", 2.0, name, "no header says otherwise")
        return
    alike = any(_series(header.words, x.header.words) for x in others) or (
        header.coder and any(x.header.coder for x in others)
    )
    if alike or header.coder:
        yield Evidence("series", SERIES * (alike + header.coder), name,
                       f"{name!r} is called as coders are")  # fmt: skip
    first = Counter(x.header.words[0] for x in others if x.header.words)
    if not alike and max(first.values(), default=0) > 1:
        yield Evidence("unlike", -1.5, name, f"{name!r} is called unlike the others")
    if header.consensus:
        yield Evidence("gold", -GOLD, name, f"{name!r} speaks of what was agreed or is right")
    if header.fact and not header.coder:
        yield Evidence("fact", -FACT, name, f"{name!r} speaks of the items or the study")
    if name.rstrip().endswith("?") or len(name) > 60:
        yield Evidence("question", -4.0, name, f"{name!r} asks a question")


def _series(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two headers are members of one series: rater 1, rater 2."""
    return bool(one and other) and (
        (len(one) > 1 or len(other) > 1)
        and (one[:1] == other[:1] or bool(one[1:] and one[1:] == other[1:]))
    )


def _exceptions(core: Sequence[Facts]) -> dict[str, int]:
    """How often each column differs where all the others say the same."""
    found = {}
    for column in core:
        each = np.stack([c.keys for c in core if c is not column])
        equal = (each == each[0]).all(0) & (each[0] >= 0) & (column.keys >= 0)
        found[column.name] = int(np.count_nonzero(column.keys[equal] != each[0][equal]))
    return found if len(core) > 2 else {}


def _never_alone(column: Facts, exceptions: Mapping[str, int]) -> bool:
    """Whether a column never differs where all others are equal, as each of them does."""
    others = [n for name, n in exceptions.items() if name != column.name]
    return exceptions.get(column.name) == 0 and min(others, default=0) > 3


def _less(reading: Reading, rest: Sequence[Sequence[Facts]], chosen: Sequence[Facts]) -> Reading:
    """The reading with less weight where it leaves columns out that might be labels."""
    left = [
        g for g in rest
        if not all(c.measure or c.header.fact or c.header.consensus
                   or derived(c, chosen) for c in g)
    ]  # fmt: skip
    return Reading(**{**vars(reading), "bits": reading.bits - 0.5 * len(left)}) if left else reading


# ------------------------------------------------------------------ by question and coder


def split_names(names: Sequence[str]) -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    """A mark, and names as the two parts beside it, if they are all combinations of the parts.

    Examples
    --------
    >>> mark, parts = next(split_names(["q1_A", "q1_B", "q2_A", "q2_B"]))
    >>> mark, parts["q2_A"]
    ('_', ('q2', 'A'))
    """
    seen = list[dict[str, tuple[str, str]]]()
    for mark, at_end in product(MARKS, (False, True)):
        found = {}
        for name in names:
            left, there, right = name.rpartition(mark) if at_end else name.partition(mark)
            if there and left.strip() and right.strip():
                found[name] = (left.strip(), right.strip())
        sides = [{p[k] for p in found.values()} for k in (0, 1)]
        full = len(found) == len(names) == len(sides[0]) * len(sides[1]) == len(set(found.values()))
        if full and min(map(len, sides)) > 1 and found not in seen:
            seen.append(found)
            yield mark, found


def _crossed(
    grid: Grid, mark: str, parts: Mapping[str, tuple[str, str]], item: Facts | None,
    asked: Facts | None, base: Sequence[Evidence],
) -> Iterator[Reading]:  # fmt: skip
    """Which part is the question: columns that share it hold the same labels, and agree."""
    together = [_alike(grid, parts, side) for side in (0, 1)]
    values = ORIENT * (together[0] - together[1])

    def called(side: int) -> float:
        names = {p[side] for p in parts.values()}
        return NAME * fmean(coder_like(n) - label_like(n) - 0.5 * fact_like(n) for n in names)

    names = called(1) - called(0)
    for side, sign in ((0, 1), (1, -1)):
        cells = tuple(Cell(n, p[side], p[1 - side]) for n, p in parts.items())
        where = ("first", "second")[side]
        evidence = (
            *base,
            Evidence("orientation", sign * values, "",
                     f"columns with the same {where} part hold the same labels and agree"),
            Evidence("names", sign * names, "", f"the {where} parts are called as questions are"),
        )  # fmt: skip
        usual = (FIRST if mark != "__" else OURS) * sign
        bits = 5 + usual + sum(e.bits for e in evidence) + 2 * log2(len(parts))
        yield Reading("wide", cells, _name(item), None, _name(asked), bits, evidence)


def _alike(grid: Grid, parts: Mapping[str, tuple[str, str]], side: int) -> float:
    pairs = [(a, b) for a, b in combinations(parts, 2) if parts[a][side] == parts[b][side]]
    some = [(grid[a], grid[b]) for a, b in pairs[:MOST_PAIRS]]
    return fmean(overlap(a, b) + max(0.0, agreeing((a, b))) for a, b in some) if some else 0.0


# ------------------------------------------------------------------ a row for each annotation


def _long(grid: Grid, options: Options) -> Iterator[Reading]:
    """A row for each annotation: every column that may name the items, with every coder."""
    if len(options.coder) > 1:
        return
    ids = [
        c for c in grid.columns
        if (c.n_values > 1 or c.header.role == "item") and c.kind not in ("time", "blank")
        and (c.n_values <= len(c.keys) / 1.4 or c.header.role == "item")
        and len(c.filled) >= 0.8 * len(c.keys) and not c.decimals
    ]  # fmt: skip
    people = [
        c for c in grid.columns
        if c.n_values and (c.kind == "mail" or c.header.role == "coder")
    ]  # fmt: skip
    if options.item:
        ids = [grid[options.item]]
    whose: list[Facts | None] = [*dict.fromkeys([*ids, *people]), None]
    if options.coder:
        whose = [grid[options.coder[0]]]
    for item, coder in product(ids, whose):
        if item is coder or (
            coder is not None and not options.coder and not _may_name_coders(coder, people)
        ):
            continue
        reading = _of_rows(grid, item, coder, people, options)
        if reading is not None:
            yield reading


def _may_name_coders(column: Facts | None, people: Sequence[Facts]) -> bool:
    if column is None or column in people:
        return True
    return 2 * column.n_values <= len(column.keys) and column.kind not in ("prose", "nested")


def _of_rows(
    grid: Grid, item: Facts, coder: Facts | None, people: Sequence[Facts], options: Options
) -> Reading | None:
    n, per = len(item.keys), len(item.keys) / item.n_values
    asked, twice = grid[options.question] if options.question else None, 0.0
    if coder is not None:
        pairs = len(np.unique(item.keys * (int(coder.keys.max()) + 2) + coder.keys))
        twice = 1 - pairs / n
        asked = asked or _question_in_rows(grid, item, coder, repeated=twice > 0.1)
        if twice > 0.1 and asked is None:
            sets = coder in people or bool(options.coder)
            if asked is None and not sets:
                return None
        twice = 0.0 if asked else min(twice, 0.15)
    taken = (item.name, _name(coder), _name(asked), options.text, options.label_weight)
    spare = [c for c in grid.columns if c.name not in taken]
    labelled = coder in people and any(c.header.label for c in spare)
    if per < 1.4 and not (labelled or options.coder or options.layout == "long" or options.label):
        return None
    chosen, evidence, flips = _labels(grid, spare, item, coder, options)
    if not chosen:
        return None
    best = max(_alike_in(c, item) for c in chosen)
    few = min(c.n_values for c in chosen)
    bits = 2.0 * (per > 1.6) + AGREE * best + _named(item, "item")
    bits += max(-4.0, min(2.0, log2(item.n_values / max(few, 1)))) - 3 * (item.n_values < 6) * (
        item.header.role != "item"
    )
    bits += PAIR * (1 - 12 * twice) - 4 * (per < 1.2)
    once = f"each item of {item.name!r} has {per:.1f} rows"
    if coder is None:
        bits -= 1
        once += "; no column says whose they are"
    else:
        dense = pairs / (item.n_values * coder.n_values)
        bits += 2 * dense + _named(coder, "coder") + (coder.n_values < item.n_values) * 2 - 1
        once += f", and each of {coder.name!r} stands there once" if not twice else ""
        if (
            twice
            and options.duplicates == "error"
            and not (options.max_labels or options.label_weight)
        ):
            says = f"{n - pairs:,} rows give an item of a coder again: several labels, or slips"
            flips.append(Flip(ASKED + 2.5, says, {"duplicates": "union"}))
    left = [c for c in spare if c not in chosen]
    finer = [c for c in left if c.n_values > item.n_values and not c.unique and _constant(item, c)]
    bits -= 3.0 * any(c.kind == "prose" or c.header.role in ("item", "text") for c in finer)
    bits -= 2.0 * sum(c.header.role == "coder" and c.n_values > 1 for c in left)
    bits -= sum(c.header.role == "item" and not c.unique for c in left)
    evidence.insert(0, Evidence("rows", PAIR, item.name, once))
    names = {c.name: c.name if len(chosen) > 1 or len(options.label) > 1 else "" for c in chosen}
    cells = tuple(Cell(c, q) for c, q in names.items())
    layout = "long"
    if (hot := _hot(chosen, options)) is not None:
        layout = "onehot" if hot > 0 else "long"
        other = "long" if hot > 0 else "onehot"
        what = "each column is a question" if hot > 0 else "the columns are labels of one question"
        flips.append(Flip(abs(hot), what, {"layout": other, "label": list(names)}))
    return Reading(layout, cells, item.name, _name(coder), _name(asked), bits,
                   tuple(evidence), tuple(flips))  # fmt: skip


def _named(column: Facts, role: str) -> float:
    """What the header says for a role: its own name, or that of another role."""
    said = column.header.role
    text = said == "text" and role == "item"
    bits = NAME * ((said == role) - (said is not None and said not in (role, "label") and not text))
    return (
        bits + text + 1.5 * (role == "coder" and column.kind == "mail") - 2.0 * column.header.label
    )


def _question_in_rows(grid: Grid, item: Facts, coder: Facts, *, repeated: bool) -> Facts | None:
    """A column called question, if it tells the rows of an item and a coder apart."""
    for column in grid.columns:
        if column in (item, coder) or column.header.role != "question" or not column.full:
            continue
        if not repeated and column.n_values > max(4, len(column.keys) / 4):
            continue
        key = (item.keys * (int(coder.keys.max()) + 2) + coder.keys) * (
            int(column.keys.max()) + 2
        ) + column.keys
        if column.n_values < 30 and len(np.unique(key)) > 0.98 * len(key):
            return column
    return None


def _alike_in(column: Facts, item: Facts) -> float:
    """How much alike the cells of an item are; of ticks, blanks are a no."""
    keys = column.keys if not column.ticks else np.where(column.keys >= 0, 1, 0)
    numbers = column.numbers if column.measure else None
    return agreement(keys, item.keys, numbers)


def _labels(
    grid: Grid, spare: Sequence[Facts], item: Facts, coder: Facts | None, options: Options
) -> tuple[list[Facts], list[Evidence], list[Flip]]:
    """The columns of labels among those that are left."""
    if options.label:
        return [c for c in spare if c.name in options.label], [], []
    likely = [
        c for c in spare
        if c.answers and not c.header.consensus
        and (c.header.label or c.header.role not in ("item", "coder", "text"))
    ]  # fmt: skip
    steady = {c.name for c in likely if _constant(c, item) or _of_the_coder(c, item, coder)}
    varying = [c for c in likely if c.name not in steady and not c.header.fact]
    if not varying:
        varying = [c for c in likely if c.header.label] or [
            c for c in likely if not c.header.fact
        ][-1:]  # fmt: skip
    found, evidence, decisions = list[Facts](), list[Evidence](), list[tuple[float, Facts, bool]]()
    for column in likely:
        header, alike = column.header, _alike_in(column, item)
        bits = 3 + AGREE * min(0.6, max(0.0, alike)) + NAME * header.label
        bits -= 8.0 * (header.fact and not header.label) + 3.0 * column.measure
        if column.name in steady and column not in varying and not header.label:
            bits -= _steadiness(column, varying)
        says = f"cells of {column.name!r} are alike within items, beyond chance: {alike:.2f}"
        evidence.append(Evidence("labels", bits, column.name, says))
        decisions.append((abs(bits), column, bits > 0))
        if bits > 0:
            found.append(column)
    if said := [c for c in found if c.header.answer]:
        found, decisions = said, [d for d in decisions if d[1] in said]
    exact = [c for c in found if c.header.label and c.header.role == "label"]
    if len(exact) == 1 and len(found) > 1:
        others = [c for c in found if c is not exact[0]]
        decisions = [(1.5, c, False) for c in others]
        found = exact
    names = [c.name for c in found]
    flips = []
    for bits, column, is_label in decisions:
        other = [n for n in names if n != column.name] if is_label else [*names, column.name]
        if other:
            says = f"{column.name!r} is " + ("no answer" if is_label else "an answer too")
            flips.append(Flip(bits, says, {"label": other if len(other) > 1 else other[0]}))
    return found, evidence, flips


def _steadiness(column: Facts, varying: Sequence[Facts]) -> float:
    """Bits against a column that says the same in all rows of an item, or of a coder, being one.

    None if it is called as a column that varies is, or says throughout what that says somewhere.
    """
    known = {k for c in varying if c.n_values <= 2 * A_MEASURE for k in c.values.tolist()}
    shared = {*column.values.tolist()} <= known
    if any(family(column.name, c.name) for c in varying) or (shared and column.n_values == 1):
        return 0.0
    return 8.0 if shared or column.n_values == 1 else 11.0


def _constant(column: Facts, item: Facts) -> bool:
    """Whether a column says the same in all rows of each item."""
    keep = column.keys >= 0
    pairs = np.unique(np.stack([item.keys[keep], column.keys[keep]]), axis=1).shape[1]
    return pairs == len(np.unique(item.keys[keep])) < np.count_nonzero(keep)


def _of_the_coder(column: Facts, item: Facts, coder: Facts | None) -> bool:
    """Whether a column says the same in all rows of each coder: a group, an address."""
    if coder is None or coder.n_values >= item.n_values:
        return False
    return _constant(column, coder) and column.n_values > 1


def _hot(chosen: Sequence[Facts], options: Options) -> float | None:
    """Bits for columns of 0 and 1 being the labels of one question; None if they are no such."""
    if options.max_labels == 1 or len(chosen) < 2 or not all(c.binary for c in chosen):
        return None
    ticked = np.stack(
        [
            np.isin(
                c.keys,
                [
                    k
                    for k in c.values
                    if c.words[k] in ("1", "true", "yes", "x", "✓", "✔", "☑", "y", "t", "ja", "oui")
                ],
            )
            for c in chosen
        ]
    )
    once = bool((ticked.sum(0) == 1).all())
    bits = LISTS * any(c.ticks for c in chosen) + LISTS * once - 1.5
    first = [c.header.words[:1] for c in chosen]
    if len(set(map(tuple, first))) == 1 and first[0]:
        bits += 5.0 if first[0][0] in OF_LABELS else -2.0  # label_joy; is_joy, q1
    return bits


# ------------------------------------------------------------------ a row for each coder


def _turned(grid: Grid, options: Options) -> Iterator[Reading]:
    """A row for each coder and a column for each item: the wide table on its side."""
    if options.coders_in != "rows" and (options.item or options.label):
        return
    n, columns = grid.n, grid.columns
    who = next(
        (c for c in columns if c.name in options.coder
         or (not options.coder and c.unique and c.kind != "time"
         and (c.header.role == "coder" or c.kind == "mail" or c is columns[0]))), None,
    )  # fmt: skip
    block = [
        c for c in columns
        if c is not who and c.kind in ("word", "number") and c.header.role is None
        and not (c.header.fact or c.header.remark) and (not c.header.coder or not grid.headed)
    ]  # fmt: skip
    stems = Counter(re.split(r"[\[(:]", c.name)[0] for c in block if re.search(r"[\[(:]", c.name))
    if stems and max(stems.values()) > 0.5 * len(block):
        stem = max(stems, key=lambda s: stems[s])
        block = [c for c in block if c.name.startswith(stem)]
    if len(block) < 4 or len(block) < n or n < 2:
        return
    pooled = Counter(k for c in block for k in c.values.tolist())
    block = [c for c in block if fmean(pooled[k] > 1 for k in c.values.tolist()) >= 0.5]
    if len(block) < 4:
        return
    again = [m > 1 for m in pooled.values() for _ in range(m)]
    matrix = np.stack([c.keys for c in block])
    across = agreement(matrix.ravel(), np.repeat(np.arange(len(block)), n))
    along = agreement(matrix.ravel(), np.tile(np.arange(n), len(block)))
    shapes = {re.sub(r"\d+", "#", c.name) for c in block}
    series = len(shapes) == 1 or all("[" in c.name for c in block)
    named = who is not None and (who.header.role == "coder" or who.header.coder)
    evidence = (
        Evidence("overlap", OVERLAP * (fmean(again) - 0.5), "", "the columns hold the same labels"),
        Evidence("orientation", ORIENT * (across - along), "",
                 f"cells agree more down the {len(block)} columns than along the {n} rows"),
        Evidence("shape", min(3.0, 1.5 * log2(len(block) / n)), "",
                 "there are more columns than rows"),
        Evidence("name", (3.0 * named + 1.5 * (who is not None and who.kind == "mail") + series)
                 * grid.headed, "", "the rows name persons, the columns are numbered"),
    )  # fmt: skip
    bits = 2 + sum(e.bits for e in evidence)
    yield Reading("turned", tuple(Cell(c.name) for c in block), None, _name(who), None, bits,
                  evidence)  # fmt: skip
