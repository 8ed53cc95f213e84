"""Ranked columns: one for the first label of an annotation, one for the second, and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .coder_columns import split_names
from .evidence import Facts
from .labels import MISSING
from .names import NAMES, role_of, words_of
from .options import Options
from .table import BLANK, Column, Table, as_words, merge, plain

__all__ = ["Series", "fold_ranks", "may_be_ranks", "rank_columns"]

_RANKS = (
    ("primary", "secondary", "tertiary"),
    ("first", "second", "third"),
    tuple("123456789"),
)
_NUMBERS = _RANKS[-1]
_KINDS = ("relation", "emotion", "tag")  # words for a label, beside those of NAMES
_LABEL_OF = re.compile(rf"^(?:{'|'.join((*NAMES['label'], *_KINDS))})[ _.:\-]+")
_OF_LABEL = re.compile(rf"[ _.:\-]+(?:{'|'.join((*NAMES['label'], *_KINDS))})$", re.IGNORECASE)
_SLIPS = 3  # one row in so many with a second label may break the rule


@dataclass(frozen=True)
class Series:
    """The columns of the first, second, … label; of one coder, or of all (None)."""

    columns: tuple[str, ...]
    coder: str | None = None


def rank_columns(table: Table, options: Options, *, own_coder: bool = False) -> tuple[Series, ...]:
    """The columns of the first, second, … label of an annotation, if there are some."""
    if options.max_labels == 1 or options.label_weight:
        return ()
    known = own_coder or len(options.coder) == 1 or any(role_of(n) == "coder" for n in table.names)
    if options.layout in (None, "wide") and not known and table.headed:
        return _of_coders(table, options)
    if options.layout not in (None, "long", "files"):
        return ()
    if len(options.label) > 1:
        names = options.label if set(options.label) <= set(table.names) else ()
        return (Series(names),) if options.ranked and names and _alike(table, names) else ()
    if options.label or not table.headed or not known:  # label1, label2 may be two coders
        return ()
    for names, ranks in _all_series(table.names):
        if (names and ranks[0] == "primary") or options.ranked:
            return (Series(names),) if _alike(table, names) else ()
        return (Series(names),) if _in_turn(table, names) else ()
    return ()


def may_be_ranks(table: Table, options: Options) -> str | None:
    """The note about columns such as Ann_1, Ann_2, Bob_1, Bob_2, where they look like ranks."""
    if options.given or not table.headed or any(role_of(n) == "coder" for n in table.names):
        return None
    found = _by_coder(table.names)
    if not found or not all(_in_turn(table, s.columns) for s in found):
        return None
    shown = " and ".join(map(repr, found[0].columns[:2]))
    return Notice(
        f"{shown} may be the first and the second label of one coder, {found[0].coder!r}",
        Action("", {"ranked": True}, "if so"),
    )


# ---------------------------------------------------------------------- names


def _all_series(names: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Columns called 'primary' and 'secondary', 'label1' and 'label2', …, with their ranks."""
    for ranks in _RANKS:
        found: dict[tuple[str, ...], dict[int, str]] = {}
        for name in names:
            words = words_of(name)
            at = [k for k, w in enumerate(words) if w in ranks]
            if len(at) != 1 or (ranks is _NUMBERS and at[0] != len(words) - 1):
                continue
            rest = tuple(w for k, w in enumerate(words) if k != at[0])
            if all(w in NAMES["label"] or w in _KINDS for w in rest):
                found.setdefault(rest, {})[ranks.index(words[at[0]])] = name
        for rest, series in found.items():
            full = len(series) > 1 and sorted(series) == list(range(len(series)))
            if full and (rest or ranks[0] == "primary"):
                return [(tuple(series[k] for k in sorted(series)), ranks)]
    return []


def _by_coder(names: Sequence[str], coders: Sequence[str] = ()) -> tuple[Series, ...]:
    """Columns called by coder and rank: Ann_1, Ann_2, Bob_1, Bob_2; all coders have the same."""
    for (_, parts), side, ranks in product(split_names(names), (1, 0), _RANKS):
        places = {n: _LABEL_OF.sub("", p[side].casefold()) for n, p in parts.items()}
        if {*places.values()} != {*ranks[: len({*places.values()})]}:
            continue
        found: dict[str, dict[int, str]] = {}
        for name, pair in parts.items():
            coder = _OF_LABEL.sub("", pair[1 - side])
            found.setdefault(coder, {})[ranks.index(places[name])] = name
        kept = {c: s for c, s in found.items() if not coders or c in coders}
        return tuple(Series(tuple(s[k] for k in sorted(s)), c) for c, s in kept.items())
    return ()


def _of_coders(table: Table, options: Options) -> tuple[Series, ...]:
    """The ranked columns of each coder of a wide table."""
    names = options.label or [n for n in table.names if n != options.item]
    series = _by_coder(names, options.coder)
    if not series or not set(options.coder) <= {s.coder for s in series}:
        return ()
    if options.ranked or options.coder:
        return series if all(_alike(table, s.columns) for s in series) else ()
    numbered = any(words_of(c)[-1] in _NUMBERS for s in series for c in s.columns)
    sure = not numbered and all(_in_turn(table, s.columns) for s in series)
    return series if sure else ()


# ---------------------------------------------------------------------- cells


def _alike(table: Table, names: Sequence[str]) -> bool:
    """Whether several columns hold the same labels, one a cell: labels, not questions."""
    columns = [c for c in (table[n] for n in names) if not c.blank]
    if not columns or any(Facts.of(c).lists for c in columns):
        return False
    known = set(columns[0].text)
    return all(2 * len(known & set(c.text)) >= min(len(known), len(c.text)) for c in columns)


def _in_turn(table: Table, names: Sequence[str]) -> bool:
    """Whether later columns are filled only where earlier ones are, now and then, otherwise.

    A few rows may break the rule: they are slips, which are refused one by one.
    """
    if not _alike(table, names):
        return False
    _, cells = _cells(table, names, Options())
    filled = cells != BLANK
    for first, later in zip(range(len(names) - 1), range(1, len(names)), strict=True):
        n = int(filled[later].sum())
        slips = filled[later] & (~filled[first] | (cells[later] == cells[first]))
        if not 0 < n < len(table) or _SLIPS * int(slips.sum()) > n:
            return False
    return True


def _cells(
    table: Table, names: Sequence[str], options: Options
) -> tuple[Column, NDArray[np.integer[Any]]]:
    """All labels in one column, and (R, N) their codes, `BLANK` where a word means missing."""
    merged = merge([table[n] for n in names])
    text = [plain(w) for w in as_words(merged.words)]
    declared = set(map(plain, options.categories_of("") or ()))
    gone = (MISSING | options.missing) - declared
    lost = np.array([w in gone for w in text] + [True])
    none = np.array([w in options.empty for w in text] + [False])
    cells = np.where(lost[merged.codes], BLANK, merged.codes).reshape(len(names), -1)
    cells[1:][none[cells[1:]]] = BLANK  # 'none' in place of a second label
    return merged, cells


def fold_ranks(table: Table, options: Options, series: Sequence[Series]) -> tuple[Table, Options]:
    """The columns of ranks as one column of ranked sets, or one for each coder."""
    made, notes = [], []
    for one in series:
        column, gaps = _folded(table, one, options)
        made.append(column)
        notes += gaps
    gone = {c for s in series for c in s.columns}
    columns = tuple(c for c in table.columns if c.name not in gone)
    shown = {s.coder: f"{s.columns[0]} … {s.columns[-1]}" for s in series if s.coder}
    if not options.ranked or not options.label:
        notes.insert(0, _told(series))
    told = replace(
        table,
        columns=(*columns, *made),
        notes=(*table.notes, *notes),
        shown={**table.shown, **shown},
    )
    names = tuple(c.name for c in made)
    if series[0].coder is None:
        return told, replace(options, label=names, ranked=True)
    return told, replace(options, label=(), coder=names, ranked=True)


def _told(series: Sequence[Series]) -> str:
    shown = ", ".join(map(repr, series[0].columns))
    one = "one annotation" if series[0].coder is None else f"one annotation of {series[0].coder!r}"
    others = [s.coder for s in series[1:] if s.coder]
    more = f", and so are those of {', '.join(map(repr, others))}" if others else ""
    return Notice(
        f"columns {shown} are read as the first and further labels of {one}, in this order of "
        f"importance{more}",
        Action("", {"label": ...}),
        Action("", {"max_labels": 1}, "if each is a question"),
    )


def _folded(table: Table, one: Series, options: Options) -> tuple[Column, list[str]]:
    """A column of ranked sets, and the note about gaps in them."""
    merged, cells = _cells(table, one.columns, options)
    notes = _checked(table, one, merged, cells)
    distinct, of = np.unique(cells.T, axis=0, return_inverse=True)
    words = as_words(merged.words)
    rows = [tuple(words[k] for k in row if k != BLANK) for row in distinct.tolist()]
    position: dict[Any, int] = {}
    codes = [position.setdefault(row, len(position)) if row else BLANK for row in rows]
    name = one.coder or ", ".join(one.columns)
    return Column(name, np.array(codes, np.int32)[of.reshape(-1)], tuple(position)), notes


def _checked(
    table: Table, one: Series, merged: Column, cells: NDArray[np.integer[Any]]
) -> list[str]:
    """The note about gaps between labels; a second label without a first is an error."""
    filled = cells != BLANK
    alone = filled.any(0) & ~filled[0]
    if alone.any():
        at = int(np.flatnonzero(alone)[0])
        later = int(np.flatnonzero(filled[:, at])[0])
        label = merged.text[cells[later, at]]
        raise InputError(
            f"{label!r} is given here, but {one.columns[0]!r} is blank: a further label without a "
            f"first one. Write it into {one.columns[0]!r}",
            file=table.source,
            row=table.row(at),
            column=one.columns[later],
            do=[Action("", {"max_labels": 1}, "if each column is a question")],
        )
    gaps = (filled[1:] & ~filled[:-1]).any(0)
    if not gaps.any():
        return []
    at = int(np.flatnonzero(gaps)[0])
    skipped = one.columns[int(np.flatnonzero(~filled[:, at])[0])]
    n = int(np.count_nonzero(gaps))
    row = f"row {table.row(at)}" if table.row(at) is not None else f"item {at + 1}"
    times = "once" if n == 1 else f"{n:,} times"
    return [f"{skipped!r} is blank between other labels {times} ({row}): later labels move up"]
