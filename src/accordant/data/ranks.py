"""Ranked columns: one for the first label of an annotation, one for the second, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .names import NAMES, role_of, words_of
from .options import Options
from .table import BLANK, Column, Table, as_words, merge

__all__ = ["fold_ranks", "rank_columns"]

_RANKS = (("primary", "secondary", "tertiary"), ("first", "second", "third"), ("1", "2", "3", "4"))


def rank_columns(table: Table, options: Options) -> tuple[str, ...]:
    """The columns of the first, second, … label of an annotation, if there are some."""
    if options.max_labels == 1 or options.label_weight or options.layout not in (None, "long"):
        return ()
    if len(options.label) > 1:
        names = options.label if set(options.label) <= set(table.names) else ()
        return names if options.ranked and names and _alike(table, names) else ()
    coder = len(options.coder) == 1 or any(role_of(n) == "coder" for n in table.names)
    if options.label or not table.headed or not coder:  # label1, label2 may be two coders
        return ()
    series = _series(table.names)
    return series if series and _in_turn(table, series) else ()


def _alike(table: Table, names: Sequence[str]) -> bool:
    """Whether several columns hold the same labels, one a cell: labels, not questions."""
    columns = [table[n] for n in names]
    known = set(columns[0].text)
    if any(isinstance(w, tuple) and len(w) != 1 for c in columns for w in as_words(c.words)):
        return False
    return all(2 * len(known & set(c.text)) >= min(len(known), len(c.text)) for c in columns)


def _series(names: Sequence[str]) -> tuple[str, ...]:
    """Columns called 'primary' and 'secondary', 'label1' and 'label2', 'first sense', …."""
    for ranks in _RANKS:
        found: dict[tuple[str, ...], dict[int, str]] = {}
        for name in names:
            words = words_of(name)
            at = [k for k, w in enumerate(words) if w in ranks]
            if len(at) != 1 or (ranks[0] == "1" and at[0] != len(words) - 1):
                continue
            rest = tuple(w for k, w in enumerate(words) if k != at[0])
            if all(w in NAMES["label"] or w in ("relation", "emotion", "tag") for w in rest):
                found.setdefault(rest, {})[ranks.index(words[at[0]])] = name
        for rest, series in found.items():
            full = len(series) > 1 and sorted(series) == list(range(len(series)))
            if full and (rest or ranks[0] == "primary"):
                return tuple(series[k] for k in sorted(series))
    return ()


def _in_turn(table: Table, names: Sequence[str]) -> bool:
    """Whether later columns are filled only where earlier ones are, now and then, otherwise."""
    if not _alike(table, names):
        return False
    merged = merge([table[n] for n in names])
    cells = merged.codes.reshape(len(names), -1)
    filled = cells != BLANK
    for first, later in zip(range(len(names) - 1), range(1, len(names)), strict=True):
        if (filled[later] & ~filled[first]).any() or filled[later].all():
            return False
        if (filled[later] & (cells[later] == cells[first])).any() or not filled[later].any():
            return False
    return True


def fold_ranks(table: Table, options: Options, names: Sequence[str]) -> tuple[Table, Options]:
    """The columns of ranks as one column of ranked sets."""
    merged = merge([table[n] for n in names])
    cells = merged.codes.reshape(len(names), -1).T
    distinct, of = np.unique(cells, axis=0, return_inverse=True)
    words = as_words(merged.words)
    rows = [tuple(words[k] for k in row if k != BLANK) for row in distinct.tolist()]
    blank = [k for k, row in enumerate(rows) if not row]
    sets: dict[Any, int] = {row: k for k, row in enumerate(rows) if row}
    position = np.array([BLANK if k in blank else list(sets).index(r) for k, r in enumerate(rows)])
    name = ", ".join(names)
    made = Column(name, position[of.reshape(-1)].astype(np.int32), tuple(sets))
    shown = ", ".join(map(repr, names))
    note = (
        f"columns {shown} are read as the first and further labels of one annotation, in this "
        "order of importance; say label= to choose one, or max_labels=1 if each is a question"
    )
    told = options.label == tuple(names)
    columns = tuple(c for c in table.columns if c.name not in names)
    notes = table.notes if told else (*table.notes, note)
    return (
        replace(table, columns=(*columns, made), notes=notes),
        replace(options, label=(name,), ranked=True),
    )
