"""Several columns that hold the labels of one annotation, folded into one column of label sets.

A one-hot table has a column for each label, with 1 where the coder gave it; ranked columns hold
the first label of an annotation, the second, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .labels import MISSING, TICKS
from .names import MARKS, coder_like, fact_like, role_of, tidy
from .options import Options
from .table import BLANK, Column, Table, as_words, merge, plain

GIVEN = frozenset(yes for yes, _ in TICKS)
NOT_GIVEN = frozenset(no for _, no in TICKS if no)
_BESIDE = r"\s*(?:__|::|[-:|/_. ])\s*"  # between a coder and a label
_MOST_WORDS = 100  # distinct cells of a column of 0 and 1, however they are written
_BRACKETS = re.compile(r"(.*?)\s*[\[(](.+)[\])]")
_ROLES = ("item", "coder", "question", "text", "status")


def folded(tables: Sequence[Table], options: Options) -> tuple[list[Table], Options]:
    """The tables with a column of label sets where the user says that there are several columns."""
    if options.layout == "onehot":
        pairs = [_one_hot(t, options, own_coder=len(tables) > 1) for t in tables]
    elif options.ranked and len(options.label) > 1:
        pairs = [_ranks(t, options) for t in tables]
    else:
        return list(tables), options
    return [t for t, _ in pairs], pairs[0][1]


def some(names: Iterable[str], most: int = 6) -> str:
    """A few of the names, quoted."""
    found = list(names)
    return ", ".join(map(repr, found[:most])) + (", …" if len(found) > most else "")


# ------------------------------------------------------------------ a column for each label


def _one_hot(table: Table, options: Options, *, own_coder: bool) -> tuple[Table, Options]:
    """The table with one column of label sets, or one for each coder."""
    names = _columns(table, options)
    known = any(role_of(c.name) == "coder" for c in table.columns) or len(options.coder) == 1
    sheets: dict[str | None, dict[str, str]] = {None: labels_in(names)}  # coder: label to column
    if not (known or own_coder):
        sheets = {c: _named_by(c, names, table) for c in options.coder or _coders(names, table)}
    made = [_folded_column(table, who, columns) for who, columns in sheets.items()]
    told = replace(options, layout=None, label=(), coder=tuple(c.name for c in made))
    if None in sheets:
        told = replace(options, layout=None, label=(made[0].name,))
    labels = list(dict.fromkeys(x for columns in sheets.values() for x in columns))
    if options.categories is None:
        told = replace(told, categories=labels)
    gone = {n for columns in sheets.values() for n in columns.values()}
    note = f"columns of 0 and 1, each for a label: {some(gone, 12)}"
    shown = {
        c.name: f"{next(iter(columns.values()))} … {[*columns.values()][-1]}"
        for c, columns in zip(made, sheets.values(), strict=True)
    }
    table = replace(
        table,
        columns=(*(c for c in table.columns if c.name not in gone), *made),
        notes=(*table.notes, note),
        shown={**table.shown, **shown},
        warnings=(*table.warnings, *_doubts(table, gone, made, options)),
    )
    return table, told


def _doubts(
    table: Table, names: Iterable[str], made: Sequence[Column], options: Options
) -> tuple[Notice, ...]:
    """The doubt about rows without a mark, where nothing is written for a label not given."""
    written = any((_cells(table, name) == 0).any() for name in names)
    if written or options.blank is not None or not any((c.codes == BLANK).any() for c in made):
        return ()
    doubt = "rows without any mark count as missing, but may be answers that no label applies"
    as_read = Action("", {"blank": "missing"}, "if nothing was answered, as it is read")
    return (Notice(doubt, as_read, Action("", {"blank": "empty"}, "if no label applies")),)


def _columns(table: Table, options: Options) -> list[str]:
    """The columns of labels."""
    names = list(options.label)
    if not names:
        declared = {*map(plain, options.categories_of("") or ())}
        taken = {options.item, options.question, *options.coder}
        names = [
            c.name
            for c in table.columns
            if c.name not in taken
            and (role_of(c.name) not in _ROLES or c.name in declared or tidy(c.name) == "no")
            and _mostly_marks(c)
        ]
    lost = [n for n in names if n not in table.names]
    if lost or len(names) < 2:
        found = f"there is no column {lost[0]!r}" if lost else f"found {some(names) or 'none'}"
        raise InputError(
            f"a one-hot table needs a column of 0 and 1 for each label; {found}",
            file=table.source,
            do=[Action("", {"label": [...]}, "the columns of the labels")],
        )
    return names


def _mostly_marks(column: Column) -> bool:
    """Whether most cells that are filled say that something is so or not: another is a slip."""
    if column.blank or len(column.words) > _MOST_WORDS:
        return False
    times = np.bincount(column.codes[column.codes != BLANK], minlength=len(column.words))
    words = [w.casefold() for w in column.text]
    known = np.array([w in GIVEN | NOT_GIVEN for w in words], bool)
    slips = known.all() or not fact_like(column.name)
    return (
        slips
        and bool(GIVEN & {*words} or {*words} == {"0"})
        and bool(2 * times[known].sum() > times.sum())
    )


def labels_in(names: Sequence[str]) -> dict[str, str]:
    """Label to column: the names without what all of them begin with, such as 'label_'.

    Survey programs write the label in brackets: 'relation[cause]'.
    """
    found = [m for n in names if (m := _BRACKETS.fullmatch(n))]
    if len(found) == len(names) > 1 and len({m[1] for m in found}) == 1:
        return {m[2].strip(): n for m, n in zip(found, names, strict=True)}
    for mark in MARKS:
        starts = {n.rpartition(mark)[0] for n in names}
        start = starts.pop()
        if start and not starts and len(names) > 1:
            labels = [n[len(start) + len(mark) :].strip() for n in names]
            if all(labels):
                return dict(zip(labels, names, strict=True))
    return {n: n for n in names}


def _coders(names: Sequence[str], table: Table) -> list[str]:
    """The coders of a wide table, whose columns are named by coder and label: 'ann1_joy'."""
    for mark in MARKS:
        parts = [n.partition(mark) for n in names]
        if not all(p[2] for p in parts):
            continue
        for side in (0, 2):
            found = list(dict.fromkeys(p[side].strip() for p in parts))
            if 1 < len(found) < len(names) and all(map(coder_like, found)):
                return found
    raise InputError(
        f"no column says who the coders are, and the columns {some(names)} are not named by "
        "coder and label, such as 'coder1_joy'",
        file=table.source,
        do=[Action("", {"coder": [...]}, "the column that names the coders, or their names")],
    )


def _named_by(coder: str, names: Sequence[str], table: Table) -> dict[str, str]:
    """Label to column, of the columns named by a coder and a label."""
    who = re.escape(coder)
    beside = re.compile(rf"{who}{_BESIDE}(.+)|(.+?){_BESIDE}[\[(]?{who}[\])]?")
    found = {n: m for n in names if (m := beside.fullmatch(n))}
    if not found:
        raise InputError(
            f"no column is named by coder {coder!r} and a label, such as '{coder}_joy'; the "
            f"columns of 0 and 1 are {some(names)}",
            file=table.source,
        )
    return {(m[1] or m[2]).strip("()[] "): n for n, m in found.items()}


def _folded_column(table: Table, coder: str | None, columns: Mapping[str, str]) -> Column:
    """A column of label sets, blank where all columns are."""
    cells = np.stack([_cells(table, name) for name in columns.values()], 1)
    distinct, of = np.unique(cells == 1, axis=0, return_inverse=True)
    labels = list(columns)
    words = tuple(
        tuple(x for x, given in zip(labels, row, strict=True) if given) for row in distinct
    )
    free = (n for n in ("label", "labels", "label set") if n not in table.names)
    codes = np.where((cells == BLANK).all(1), BLANK, of.reshape(-1)).astype(np.int32)
    return Column(coder or next(free), codes, words)


def _cells(table: Table, name: str) -> NDArray[np.int8]:
    """(N,) 1 where the label was given, 0 where not, -1 for a blank cell."""
    column = table[name]
    said = []
    for k, word in enumerate(column.text):
        text = word.casefold()
        known = 1 if text in GIVEN else 0 if text in NOT_GIVEN else BLANK
        if known == BLANK and word not in MISSING:
            raise InputError(
                f"the cell holds {word!r}; expected 0/1, true/false, yes/no, x or blank",
                file=table.source,
                row=table.row(int(np.flatnonzero(column.codes == k)[0])),
                column=name,
                do=[Action("", {"label": [...]}, "the columns that are labels")],
            )
        said.append(known)
    return np.array([*said, BLANK], np.int8)[column.codes]


# ------------------------------------------------------------------ first, second, … label


def _ranks(table: Table, options: Options) -> tuple[Table, Options]:
    """The columns of the first, second, … label as one column of ranked sets."""
    names = options.label
    if lost := [n for n in names if n not in table.names]:
        raise InputError(f"there is no column {lost[0]!r} here", file=table.source)
    merged = merge([table[n] for n in names])
    words = as_words(merged.words)
    gone = (MISSING | options.missing) - {*map(plain, options.categories_of("") or ())}
    lost_codes = np.array([plain(w) in gone for w in words] + [True])
    none = np.array([plain(w) in options.empty for w in words] + [False])
    cells = np.where(lost_codes[merged.codes], BLANK, merged.codes).reshape(len(names), -1)
    cells[1:][none[cells[1:]]] = BLANK  # 'none' in place of a second label
    filled = cells != BLANK
    alone = np.flatnonzero(filled.any(0) & ~filled[0])
    if len(alone):
        later = int(np.flatnonzero(filled[:, alone[0]])[0])
        raise InputError(
            f"{plain(words[cells[later, alone[0]]])!r} is given here, but {names[0]!r} is blank: a "
            f"further label without a first one. Write it into {names[0]!r}",
            file=table.source,
            row=table.row(int(alone[0])),
            column=names[later],
        )
    distinct, of = np.unique(cells.T, axis=0, return_inverse=True)
    position: dict[Any, int] = {}
    rows = [tuple(words[k] for k in row if k != BLANK) for row in distinct.tolist()]
    codes = [position.setdefault(row, len(position)) if row else BLANK for row in rows]
    free = next(n for n in ("label", "labels", ", ".join(names)) if n not in table.names)
    made = Column(free, np.array(codes, np.int32)[of.reshape(-1)], tuple(position))
    kept = tuple(c for c in table.columns if c.name not in names)
    return replace(table, columns=(*kept, made)), replace(options, label=(made.name,))
