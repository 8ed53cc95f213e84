"""A row for each annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import log, log2, sqrt

import numpy as np

from .derived_columns import SURE, follows, orders
from .evidence import A_MEASURE, Facts, Grid, Keys, agreement, marked, overlap, pairs_of
from .labels import in_order
from .names import family, round_like
from .options import Options
from .plan import AGREE, ASKED, GOLD, NAME, PAIR, WARNS, Cell, Flip, Hypothesis, name_of

MOST_COPIED = 50  # coders of whom a column may be a copy
MOST_COUNTS = 1_000_000  # items times labels that are counted
MOST_LABELS = 10  # of a column that is rather labels than items
MOST_ROWS = 400  # of an item that no header names, if the column has as few values as labels have
OF_LABELS = {"label", "labels", "category", "categories", "class", "tag", "tags", "code", "codes"}


def of_annotations(grid: Grid, options: Options) -> Iterator[Hypothesis]:
    """A row for each annotation: every column that may name the items, with every coder."""
    if len(options.coder) > 1:
        return
    ids = [
        c
        for c in grid.columns
        if c.header.role == "item"
        or (c.header.role == "text" and c.n_values)
        or (1 < c.n_values <= len(c.keys) / 1.4 and c.kind not in ("time", "blank"))
    ]
    ids = [
        c
        for c in ids
        if (c.header.role or c.n_values > MOST_LABELS or grid.n <= MOST_ROWS * c.n_values)
        and c.n_values > (c.header.role is None)
        and len(c.filled) >= 0.8 * len(c.keys)
        and (not c.decimals or c.header.role == "item")
    ]
    if not options.item:
        ids = [c for c in ids if c.kind != "mail" or c.header.role == "item"]
        others = any(
            not c.counter
            and c.n_values > MOST_LABELS
            and not c.header.label
            and c.header.role in (None, "item", "text")
            for c in ids
        )
        ids = [c for c in ids if not (c.counter and others)]
    people = [
        c for c in grid.columns if c.n_values and (c.kind == "mail" or c.header.role == "coder")
    ]
    whose: list[Facts | None] = [*dict.fromkeys([*ids, *people]), None]
    if options.item:
        ids = [grid[options.item]]
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


def _asks(column: Facts) -> bool:
    return column.header.role == "question"


def _may_name_coders(column: Facts | None, people: Sequence[Facts]) -> bool:
    if column is None or column in people:
        return True
    few = 2 * column.n_values <= len(column.keys)
    return few and column.kind not in ("prose", "nested") and not round_like(column.name)


def _of_rows(
    grid: Grid, item: Facts, coder: Facts | None, people: Sequence[Facts], options: Options
) -> Hypothesis | None:
    n, per = len(item.keys), len(item.keys) / item.n_values
    if coder not in people and not options.coder and _one_row_each(grid, item):
        return None
    asked, twice = grid[options.question] if options.question else None, 0.0
    if coder is not None:
        most = item.n_values * coder.n_values
        named = coder in people or options.coder or asked is not None
        if most < 0.9 * n and not named and not any(map(_asks, grid.columns)):
            return None  # most rows would give an item of a coder again
        pairs = len(np.unique(item.keys * (int(coder.keys.max()) + 2) + coder.keys))
        twice = 1 - pairs / n
        asked = asked or _question_in_rows(grid, item, coder, twice)
        if twice > 0.1 and asked is None and coder not in people and not options.coder:
            return None
        twice = 0.0 if asked else min(twice, 0.15)
    taken = (item.name, name_of(coder), name_of(asked))
    spare = [c for c in grid.columns if c.name not in taken]
    labelled = coder in people and any(c.header.label for c in spare)
    if per < 1.4 and not (labelled or options.coder or options.layout == "long" or options.label):
        return None
    chosen, flips = _labels(grid, spare, item, coder, asked, options)
    if not chosen:
        return None
    best = max(alike_in(c, item) for c in chosen)
    few = min(c.n_values for c in chosen)
    bits = 2.0 * (per > 1.6) + AGREE * best + _named(item, "item")
    bits += max(-4.0, min(2.0, log2(item.n_values / max(few, 1)))) - 3 * (item.n_values < 6) * (
        item.header.role != "item"
    )
    bits += PAIR * (1 - 12 * twice) - 4 * (per < 1.2)
    if coder is not None and (item.header.role, coder.header.role) == ("item", "coder"):
        bits += 2 * NAME * any(c.header.role == "label" for c in chosen)
    if coder is None:
        bits -= 1
    else:
        dense = pairs / (item.n_values * coder.n_values)
        bits += 2 * dense + _named(coder, "coder") + (coder.n_values < item.n_values) * 2 - 1
    if item.n_values <= 1.5 * few and any(overlap(item, c) > 0.4 for c in chosen):
        bits -= 6.0
    if coder is not None and coder not in people and grid.headed and not options.coder:
        bits -= 1.0 + 6.0 * any(overlap(coder, c) > 0.4 for c in chosen)
    named = item.header.role in ("item", "text")
    if not named and (item.header.coder or item.lists):
        bits -= 4.0
    if not named and coder is None and any(_names_rows(c, grid) for c in spare):
        bits -= 4.0
    left = [c for c in spare if c not in chosen]
    finer = [c for c in left if c.n_values > item.n_values and not c.unique and _constant(item, c)]
    bits -= 3.0 * any(c.kind == "prose" or c.header.role in ("item", "text") for c in finer)
    bits -= (2.0 + 2.0 * (coder is None)) * sum(
        c.header.role == "coder" and c.n_values > 1 for c in left
    )
    bits -= 3.0 * any(c.header.role == "item" and not c.unique for c in left)
    form = grid.columns[0].kind == "time" and not grid.columns[0].header.role  # asks in all headers
    bits -= GOLD * ((item.header.asks and not form) or item.header.consensus)
    several = len(chosen) > 1
    names = {
        c.name: c.name if several or (options.label and not c.header.label) else "" for c in chosen
    }
    cells = tuple(Cell(c, q) for c, q in names.items())
    layout = "onehot" if _hot(chosen, options) else "long"
    if layout == "onehot":
        what = "each column is a question"
        flips.append(Flip(PAIR, what, {"layout": "long", "label": list(names)}))
    elif len(chosen) > 1 and all(c.binary for c in chosen):
        what = "the columns are labels of one question"
        cost = ASKED / 2 if marked(chosen) else 2 * ASKED
        flips.append(Flip(cost, what, {"layout": "onehot", "label": list(names)}))
    return Hypothesis(layout, cells, item.name, name_of(coder), name_of(asked), bits, tuple(flips))


def _one_row_each(grid: Grid, item: Facts) -> bool:
    """Whether a column named as a question tells all rows of an item apart: none is left to say."""
    for column in grid.columns:
        asks = column.header.role == "question" or round_like(column.name)
        if asks and column is not item and column.full:
            pair = item.keys * (int(column.keys.max()) + 1) + column.keys
            if len(np.unique(pair)) == len(pair):
                return True
    return False


def _names_rows(column: Facts, grid: Grid) -> bool:
    """Whether a column names an item in each row: by its header, as text, or as the first."""
    named = column.header.role in ("item", "text") or column.kind == "prose"
    return column.unique and (named or column is grid.columns[0]) and column.kind != "time"


def _named(column: Facts, role: str) -> float:
    """What the header says for a role: its own name, or that of another role."""
    said = column.header.role
    text = said == "text" and role == "item"
    bits = NAME * ((said == role) - (said is not None and said not in (role, "label") and not text))
    return (
        bits + text + 1.5 * (role == "coder" and column.kind == "mail") - 2.0 * column.header.label
    )


def _question_in_rows(grid: Grid, item: Facts, coder: Facts, twice: float) -> Facts | None:
    """A column called question, or round, if it tells the rows of an item and a coder apart."""
    repeated = twice > 0.1
    for column in grid.columns:
        again = twice > 0 and round_like(column.name)
        asks = _asks(column) or again
        if column in (item, coder) or not asks or not column.full:
            continue
        if not repeated and column.n_values > max(4, len(column.keys) / 4):
            continue
        key = (item.keys * (int(coder.keys.max()) + 2) + coder.keys) * (
            int(column.keys.max()) + 2
        ) + column.keys
        told = column.n_values < 30 and len(np.unique(key)) > 0.98 * len(key)
        if told or (not again and column.n_values <= max(4, len(column.keys) / 4)):
            return column
    return None


def alike_in(column: Facts, item: Facts) -> float:
    """How much alike the cells of an item are; of ticks, blanks are a no."""
    keys = column.keys if not column.ticks else np.where(column.keys >= 0, 1, 0)
    numbers = column.numbers if column.measure else None
    return agreement(keys, item.keys, numbers)


def _labels(
    grid: Grid,
    spare: Sequence[Facts],
    item: Facts,
    coder: Facts | None,
    asked: Facts | None,
    options: Options,
) -> tuple[list[Facts], list[Flip]]:
    """The columns of labels among those that are left."""
    if options.label:
        return [c for c in spare if c.name in options.label], []
    structure = grid.table.known
    if sure := [c for c in spare if structure.get(c.name)]:
        return sure, []
    likely = [
        c
        for c in spare
        if c.answers
        and c.name not in structure
        and not c.header.consensus
        and (c.header.label or c.n_values < 3 or c.partition != item.partition)
        and (c.header.label or c.header.role not in ("item", "coder", "text", "question"))
    ]
    steady = {c.name for c in likely if _constant(c, item) or _of_the_coder(c, item, coder)}
    varying = [c for c in likely if c.name not in steady and not c.header.fact]
    if not varying:
        left = [c for c in likely if not c.header.fact]
        varying = [c for c in likely if c.header.label] or [
            c for c in left if c is left[-1] or overlap(c, left[-1]) > 0.4
        ]
    told = [c for c in varying if c.header.label or c is varying[0]]
    groups = item.keys if asked is None else item.keys * (len(asked.words) + 1) + asked.keys
    likely = [
        c for c in likely if c in told or not any(_follows(c, x, groups, coder) for x in told)
    ]
    varying = [c for c in varying if c in likely]
    found, decisions = list[Facts](), list[tuple[float, Facts, bool]]()
    alone = not any(c.header.label for c in varying)
    for column in likely:
        header, alike = column.header, alike_in(column, item)
        bits = 3 + AGREE * min(0.6, max(0.0, alike)) + NAME * header.label
        bits -= 8.0 * (header.fact and not header.label)
        measured = column.measure and not _chosen(column, item)
        beside = any(c.header.label and not c.measure for c in likely)
        bits -= 3.0 * measured + 6.0 * (measured and column.decimals and beside)
        if column.name in steady and column not in varying and not (header.label and alone):
            bits -= _steadiness(column, varying)
        cost = abs(bits)
        if bits < 0 and _constant(column, item) and _could_be_labels(column, item):
            apart = max((_apart(c, item) for c in told), default=0.0)
            cost = max(cost, WARNS) if apart > SURE else min(cost, ASKED)
        decisions.append((cost, column, bits > 0))
        if bits > 0:
            found.append(column)
    if said := [c for c in found if c.header.answer]:
        found, decisions = said, [d for d in decisions if d[1] in said]
    if len(found) > 1 and all(c.binary for c in found):  # marks of a label that hardly anybody gave
        known = {*found[0].texts}
        found = [
            c
            for c in likely
            if c in found or (c.binary and {*c.texts} & known and (c.ticks or not c.header.fact))
        ]
    exact = [c for c in found if c.header.label and c.header.role == "label"]
    if len(exact) == 1 and len(found) > 1:
        least = 0.75 * max(0.2, alike_in(exact[0], item))
        same = [
            c for c in found if c is exact[0] or alike_in(c, item) + 2 * _error(c, item) > least
        ]
        decisions = [d for d in decisions if not d[2]] + [
            (
                max(1.5, min(10 * alike_in(c, item), _beyond_chance(c, item)))
                if c in same
                else 1.5 + 1.4 * (1 - max(0.0, alike_in(c, item)) / least),
                c,
                c in same,
            )
            for c in found
            if c is not exact[0]
        ]
        found = same
    names = [c.name for c in found]
    flips = []
    silenced = [(bits, c.name) for bits, c, is_label in decisions if not is_label and bits < 3.0]
    if len(silenced) > 1:
        says = f"{', '.join(repr(n) for _, n in silenced)} are answers too"
        both = [c.name for c in likely if c.name in names or any(c.name == n for _, n in silenced)]
        flips.append(Flip(min(silenced)[0], says, {"label": both}))
        decisions = [d for d in decisions if all(d[1].name != n for _, n in silenced)]
    for bits, column, is_label in decisions:
        other = [n for n in names if n != column.name] if is_label else [*names, column.name]
        if other:
            says = f"{column.name!r} is " + ("no answer" if is_label else "an answer too")
            flips.append(Flip(bits, says, {"label": other if len(other) > 1 else other[0]}))
    return found, flips


def _chosen(column: Facts, item: Facts) -> bool:
    """Whether numbers are rather grades than measures: few, often, and alike within items."""
    few = column.n_values <= min(A_MEASURE, len(column.filled) / 2)
    return few and _beyond_chance(column, item) > WARNS


def _could_be_labels(column: Facts, item: Facts) -> bool:
    """Whether a column that says one thing of each item may be a question all answer alike.

    Few values, mostly of several items with two annotations or more, that no name calls a fact.
    """
    few = 1 < column.n_values <= A_MEASURE  # what never varies tells nothing of agreement
    if column.header.fact or not few or len(item.keys) < 2 * item.n_values:
        return False
    items = np.bincount(pairs_of(item.keys, column.keys)[1])
    return bool(2 * items[items > 1].sum() >= items.sum())


def _apart(column: Facts, item: Facts) -> float:
    """Bits for coders who differ as they do here not agreeing on all items in another question."""
    items, _, times = pairs_of(item.keys, column.keys)
    _, at, several = np.unique(items, return_inverse=True, return_counts=True)
    asked = np.bincount(at, times) > 1
    differ = float((several > 1)[asked].mean()) if asked.any() else 0.0
    return -float(asked.sum()) * log2(max(1 - differ, 1e-9))


def _error(column: Facts, item: Facts) -> float:
    """The standard error of the agreement within items if there were none but by chance."""
    at = item.keys[column.keys >= 0]
    size = np.bincount(at[at >= 0])
    share = np.unique(column.filled, return_counts=True)[1] / len(column.filled)
    odds = 1.0 if column.measure else 1 / float(share @ share) - 1
    return 1 / sqrt(max(1.0, float(size @ (size - 1)) / 2 * odds))


def _beyond_chance(column: Facts, item: Facts) -> float:
    """Bits for the cells of an item being alike for a reason: half of the squared z."""
    return (max(0.0, alike_in(column, item)) / _error(column, item)) ** 2 / 2 / log(2)


def _steadiness(column: Facts, varying: Sequence[Facts]) -> float:
    """Bits against a column that says the same in all rows of an item, or of a coder, being one.

    None if it is called as a column that varies is, or says throughout what that says somewhere.
    """
    known = {k for c in varying if c.n_values <= 2 * A_MEASURE for k in c.values.tolist()}
    shared = {*column.values.tolist()} <= known
    if any(family(column.name, c.name) for c in varying) or (shared and column.n_values == 1):
        return 0.0
    rated = column.n_values > 2 and (  # as on a scale
        in_order(column.texts) is not None or (column.kind == "number" and not column.measure)
    )
    return 6.5 if column.n_values == 1 else 7.0 if shared or rated else 11.0


def _constant(column: Facts, item: Facts) -> bool:
    """Whether a column says the same in all rows of each item."""
    items, _, times = pairs_of(item.keys, column.keys)
    return bool((np.diff(items) > 0).all()) and len(items) < int(times.sum())


def _follows(column: Facts, label: Facts, group: Keys, coder: Facts | None) -> bool:
    """Whether a column follows from another: from all cells of an item (N,), or is it otherwise.

    Or it says of each row whether its cell is the most frequent one of the item.
    """
    rows = np.flatnonzero((label.keys >= 0) & (group >= 0))
    if coder is not None:  # without rows that stand there again
        who = (group * (int(coder.keys.max()) + 2) + coder.keys)[rows]
        rows = rows[np.unique(who, return_index=True)[1]]
    words, codes = np.unique(label.keys[rows], return_inverse=True)
    here, items = np.unique(group[rows], return_inverse=True)
    cells = column.keys[rows]
    if len(words) < 2 or len(words) * len(here) > MOST_COUNTS or 0 < orders(cells) < SURE:
        return False
    if len(pairs_of(cells, codes)[0]) == len(words) == column.n_values:
        return True
    counts = np.bincount(items * len(words) + codes, minlength=len(here) * len(words))
    counts = counts.reshape(len(here), len(words))
    first = np.full(len(here), -1)
    first[items] = cells
    if (first[items] != cells).any():
        most = counts.max(1)[items]
        told = (counts.sum(1)[items] > 1) & ((counts == counts.max(1)[:, None]).sum(1)[items] == 1)
        usual = (counts[items, codes] == most)[told].astype(np.int64)
        return (
            column.n_values == 2 == len(pairs_of(cells[told], usual)[0]) == len(set(usual.tolist()))
        )
    text = [label.words[k] for k in words.tolist()]
    if follows(first, column.words, counts, text)[1] >= SURE:
        return True
    each = [] if coder is None else [coder.keys[rows] == k for k in coder.values[:MOST_COPIED]]
    same = cells == words[codes]
    return any(same[mine].all() and orders(cells[mine]) >= SURE for mine in each)


def _of_the_coder(column: Facts, item: Facts, coder: Facts | None) -> bool:
    """Whether a column says the same in all rows of each coder: a group, an address."""
    if coder is None or coder.n_values >= item.n_values:
        return False
    return _constant(column, coder) and column.n_values > 1


def _hot(chosen: Sequence[Facts], options: Options) -> bool:
    """Whether columns of marks are the labels of one question: 'label_joy', 'label_awe', …."""
    first = {tuple(c.header.words[:1]) for c in chosen}
    numbered = all(c.header.words[-1:][0].isdigit() for c in chosen if c.header.words)
    return (
        not options.single
        and len(chosen) > 1
        and len(first) == 1
        and not first.isdisjoint((x,) for x in OF_LABELS)
        and not numbered
        and all(c.binary or c.nearly_binary for c in chosen)
    )
