"""Contingency tables: what is taken for what, with the items behind every cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import Literal

import numpy as np

from ..diagnosis.confusion import Confusion, against_rest, contingency
from ..diagnosis.words import isolated, label_text, quoted
from ..numbers import count_of, joined, percent
from .document import FEW_COLUMNS, Block, Cell, Choice, Matrix, Prose, Section
from .evidence import allowance
from .margins import margins_table
from .moved import direction_blocks, movement_blocks
from .of_labels import ANOTHER, OTHERS, added, labels_cell, labels_notes, labels_title
from .study import Part, Study

__all__ = ["confusion_section"]

MOST_PAIRS = 15  # pairs of coders with a table of their own
MOST_RESTS = 10  # coders with a table against all others
MOST_CELLS = 6_000  # of all these tables together
MOST_LABELS = 30  # labels of a table that a page can show


def confusion_section(study: Study) -> Section | None:
    """Every pair of coders, and all pairs together; None if there is nothing to compare."""
    if not study.comparable or all(part.continuous for part in study.parts):
        return None
    lead = study.told(_lead)
    if all(part.found.confusion is None for part in study.parts):
        return Section("confusion", "What is taken for what", lead)
    blocks = (*study.per_part(lambda p: _tables(study, p)), *direction_blocks(study))
    return Section("confusion", "What is taken for what", lead, blocks)


def _lead(part: Part) -> str:
    if part.continuous:
        return part.measurements
    if part.found.confusion is None:
        return f"{part.found.counts.n_values:,} different values are too many for a table."
    mixed = part.found.confusion.mix_ups(3)
    more = added(part.found.confusion)
    if not mixed:
        return more or "Coders never gave different labels to the same item."
    shown = joined(
        f"{quoted(a)} and {quoted(b)} ({count_of(n, 'pair')} of annotations)"
        for a, b, n, _ in mixed
    )
    return f"Taken for each other most often: {shown}.{' ' if more else ''}{more}"


def _tables(study: Study, part: Part) -> Iterator[Block]:
    if part.continuous:
        yield Prose(part.measurements)
        return
    pooled = part.found.confusion
    if pooled is None or not pooled.n:
        yield Prose("No item has two annotations, or there are too many values for a table.")
        return
    known = part.found.counts.coder is not None and not study.data.anonymous
    labels = part.found.scheme.categories if part.of_sets else None
    pairs = _pairs(part, len(pooled.values)) if known else []
    tables = [contingency(part.found.counts, *pair, labels=labels) for pair in pairs]
    if len(tables) == 1 and part.found.counts.n_coders == 2:
        yield _matrix(study, part, tables[0])
    else:
        options = [("All pairs of coders together", (_matrix(study, part, pooled),))]
        if known and 2 < part.found.counts.n_coders <= MOST_RESTS:
            rests = [
                against_rest(part.found.counts, c, labels=labels) for c in pooled.counts.coders
            ]
            n = len(rests)
            options += [
                (f"{t.first} and {OTHERS}", (_matrix(study, part, t, n),)) for t in rests if t.n
            ]
        options += [(f"{t.first} and {t.second}", (_matrix(study, part, t),)) for t in tables]
        yield Choice("Coders", tuple(options)) if tables else options[0][1][0]
    if tables and not pooled.of_labels:
        yield margins_table(tables, level=part.level, depth="detail" if len(tables) > 1 else "main")
    yield from movement_blocks(part)


def _pairs(part: Part, width: int) -> list[tuple[str, str]]:
    """Pairs of coders with common items, those with the most first."""
    found = part.found.pairs
    each = [(found.n_common[a, b], a, b) for a, b in combinations(range(len(found.coders)), 2)]
    most = min(MOST_PAIRS, max(1, MOST_CELLS // min(width, MOST_LABELS) ** 2))
    each = sorted((x for x in each if x[0] > 0), key=lambda x: (-x[0], x[1], x[2]))
    return [(found.coders[a], found.coders[b]) for _, a, b in each[:most]]


def _matrix(study: Study, part: Part, table: Confusion, n_tables: int = 1) -> Matrix:
    """A table whose cells open items; the more tables share the room, the fewer each."""
    shown = _shown(table)
    names = tuple(_name(table, k) for k in shown)
    n = table.table
    keep = allowance(n_tables * int(np.count_nonzero(n[np.ix_(shown, shown)])))
    cells = tuple(
        tuple(_cell(study, part, table, k, other, keep) for other in shown) for k in shown
    )
    first, second = (
        (table.first, table.second or OTHERS) if table.first else ("one coder", "another coder")
    )
    if table.of_labels:
        return Matrix(
            labels_title(table), str(first), str(second), names, names, cells,
            notes=(*labels_notes(table), *_notes(table, shown)),
        )  # fmt: skip
    totals = (
        tuple(f"{x:,.0f}" for x in n.sum(1)[shown]),
        tuple(f"{x:,.0f}" for x in n.sum(0)[shown]),
        f"{n.sum():,.0f}",
    )
    return Matrix(
        _title(table), str(first), str(second), names, names, cells, totals, _notes(table, shown)
    )


def _name(table: Confusion, k: int) -> str:
    if table.of_labels and k == len(table.values) - 1:
        return "nothing more"
    return label_text(table.values[k])


def _shown(table: Confusion) -> list[int]:
    """The labels that fit a page: all, or the most frequent ones in the order of the scheme."""
    used = table.table.sum(0) + table.table.sum(1)
    if len(used) <= MOST_LABELS:
        return list(range(len(used)))
    if table.of_labels:
        used[-1] = used.max() + 1  # what one coder adds is always shown
    return sorted(np.argsort(-used, kind="stable")[:MOST_LABELS].tolist())


def _cell(study: Study, part: Part, table: Confusion, k: int, other: int, keep: int) -> Cell:
    """Shaded by its share of the row: what the others say where one coder says this."""
    n, of_row = int(table.table[k, other]), float(table.table[k].sum())
    if n == 0:
        return Cell("0", 0.0, 0, "plain")
    patterns = np.flatnonzero(table.patterns(k, other))
    items = part.showing(patterns, keep)
    total = int(part.found.counts.times[patterns].sum())
    row, column = (isolated(label_text(table.values[j])) for j in (k, other))
    spoken = (
        f"{labels_cell(table, k, other)}: {count_of(total, 'item')}"
        if table.of_labels
        else f"{table.first} said {row}, {table.second or ANOTHER} said {column}: "
        f"{count_of(total, 'item')}"
        if table.first
        else f"Two coders said {row}: {count_of(total, 'item')}"
        if k == other
        else f"One coder said {row}, another {column}: {count_of(total, 'item')}"
    )
    key = study.collector.add(part.found.items, total, items)
    kind: Literal["agree", "differ"] = "agree" if k == other else "differ"
    share = "" if table.of_labels else percent(n / of_row, 0)
    level = max(1, round(10 * sqrt(n / of_row)))
    return Cell(f"{n:,}", float(n), level, kind, key, spoken, share)


def _title(table: Confusion) -> str:
    if not table.n:
        return "No common items"
    if table.first and table.second is None:
        return (
            f"{isolated(table.first)} and {ANOTHER} gave the same label in "
            f"{percent(table.observed)} of {count_of(table.n, 'pair')} of annotations"
        )
    if table.first:
        return (
            f"{isolated(table.first)} and {isolated(str(table.second))} gave the same label to "
            f"{percent(table.observed)} of {count_of(table.n, 'item')}"
        )
    return (
        f"Two annotations of an item are the same in {percent(table.observed)} of "
        f"{count_of(table.n / 2, 'pair')}"
    )


def _notes(table: Confusion, shown: list[int]) -> tuple[str, ...]:
    notes = []
    if not table.first:
        notes.append("Every pair of annotations stands twice, once in each direction.")
    if len(shown) < len(table.values):
        n, of = (x - table.of_labels for x in (len(shown), len(table.values)))
        notes.append(f"The {n} most frequent of {of} labels are shown.")
    if table.never_agreed:
        never = joined(quoted(v) for v in table.never_agreed)
        notes.append(f"Given by both sides, but never to the same item: {never}.")
    small = "" if table.of_labels or len(shown) > FEW_COLUMNS else " (in small print)"
    notes.append(f"Shading: share of the row{small}; blue for agreement, orange for disagreement.")
    return tuple(notes)
