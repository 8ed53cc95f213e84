"""One-hot columns: a column for each label, with 1 where the coder gave it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .coder_columns import MARKS, split_names
from .labels import MISSING, TICKS
from .names import coder_like, fact_like, label_like, role_of, tidy
from .options import Options
from .separators import guess, parts
from .table import BLANK, Column, Table, plain

__all__ = ["fold_one_hot", "labels_in"]

GIVEN = frozenset(yes for yes, _ in TICKS)
NOT_GIVEN = frozenset(no for _, no in TICKS if no)
_BESIDE = r"\s*(?:__|::|[-:|/_. ])\s*"  # between a coder and a label
_MOST_WORDS = 100  # distinct cells of a column of 0 and 1, however they are written
_LONGEST = 1000  # letters of a header that names a label
_BRACKETS = re.compile(r"(.*?)\s*[\[(](.+)[\])]")
_ROLES = ("item", "coder", "question", "text", "status")


def _mostly_marks(column: Column) -> bool:
    """Whether most cells that are filled say that something is so or not: another is a slip."""
    if column.blank or len(column.words) > _MOST_WORDS:
        return False
    times = np.bincount(column.codes[column.codes != BLANK], minlength=len(column.words))
    words = [w.casefold() for w in column.text]
    known = np.array([w in GIVEN | NOT_GIVEN for w in words], bool)
    slips = known.all() or not fact_like(column.name)
    some = bool(GIVEN & {*words}) or {*words} == {"0"}
    return slips and some and bool(2 * times[known].sum() > times.sum())


@dataclass(frozen=True)
class _Sheet:
    """The columns of one coder, or of all: label to column."""

    coder: str | None
    columns: dict[str, str]


def fold_one_hot(table: Table, options: Options, *, own_coder: bool) -> tuple[Table, Options]:
    """The table with one column of label sets, or one for each coder.

    Raises
    ------
    InputError
        If a cell is neither 1 nor 0, if no names of coders can be told, or if a column of labels
        says something else.
    """
    names = _columns(table, options)
    known = any(role_of(c.name) == "coder" for c in table.columns) or len(options.coder) == 1
    alone = known or (own_coder and not any(split_names(names)))
    sheets = (
        [_Sheet(None, labels_in(names))]
        if alone
        else _of_coders(names, options.coder or _coders(names, options, table), table)
    )
    names = [n for s in sheets for n in s.columns.values()]
    folded = [_folded_column(table, sheet) for sheet in sheets]
    made = [column for column, _ in folded]
    gone = {*names}
    if alone:
        gone.update(_beside(table, options, names, sheets[0], made[0]))
        told = replace(options, layout=None, label=(made[0].name,))
    else:
        told = replace(options, layout=None, label=(), coder=tuple(c.name for c in made))
    if options.categories is None:
        told = replace(told, categories=list(sheets[0].columns))
    columns = tuple(c for c in table.columns if c.name not in gone)
    note = f"columns of 0 and 1, each for a label: {some(names, 12)}"
    notes = _half_filled(table, [place for _, places in folded for place in places])
    spans = [tuple(s.columns.values()) for s in sheets]
    shown = {c.name: f"{n[0]} … {n[-1]}" for c, n in zip(made, spans, strict=True)}
    only_marks = not any((_cells(table, name) == 0).any() for name in names)
    doubts = _without_marks(made, options) if only_marks else ()
    table = replace(
        table,
        columns=(*columns, *made),
        notes=(*table.notes, note, *notes),
        shown={**table.shown, **shown},
        warnings=(*table.warnings, *doubts),
    )
    return table, told


def _without_marks(made: Sequence[Column], options: Options) -> tuple[Notice, ...]:
    """The doubt about rows without a mark, where nothing is written for a label not given."""
    if options.blank is not None or not any((c.codes == BLANK).any() for c in made):
        return ()
    doubt = "rows without any mark count as missing, but may be answers that no label applies"
    return (
        Notice(
            doubt,
            Action("", {"blank": "missing"}, "if nothing was answered, as it is read"),
            Action("", {"blank": "empty"}, "if no label applies"),
        ),
    )


def _half_filled(table: Table, places: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """The note about blanks beside 0 and 1 in one annotation; (row, column) of each."""
    if not places:
        return ()
    row, name = places[0]
    at = "" if table.row(row) is None else f"row {table.row(row)}, "
    n = "a blank cell" if len(places) == 1 else f"{len(places):,} blank cells"
    counts = "counts" if len(places) == 1 else "count"
    return (
        f"{n} beside 0 and 1 in an annotation ({at}column {name!r}) {counts} as 0; write 0 where "
        "a label was not given",
    )


def _columns(table: Table, options: Options) -> list[str]:
    """The columns of labels."""
    if options.label:
        _check_columns(table, options.label)
        names = list(options.label)
    else:
        taken = {options.item, options.question, options.text, *options.coder}
        rest = [c for c in table.columns if c.name not in taken]
        rest = [
            c
            for c in rest
            if role_of(c.name) not in _ROLES or _declared(c.name, options) or tidy(c.name) == "no"
        ]
        names = [c.name for c in rest if _mostly_marks(c)]
    if len(names) < 2:
        raise InputError(
            "a one-hot table needs a column of 0 and 1 for each label; found "
            f"{some(names) or 'none'}",
            file=table.source,
            do=[Action("", {"label": [...]}, "the columns of the labels")],
        )
    return names


def _check_columns(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if name not in table.names:
            raise InputError(
                f"there is no column {name!r} to hold a label; the columns are "
                f"{some(table.names, 12)}",
                file=table.source,
            )


def _declared(name: str, options: Options) -> bool:
    return name in map(plain, options.categories_of("") or ())


def labels_in(names: Sequence[str]) -> dict[str, str]:
    """Label to column: the names without what all of them begin with, such as 'label_'.

    Survey programs write the label in brackets: 'relation[cause]'.
    """
    inside = [_BRACKETS.fullmatch(n[:_LONGEST]) for n in names]
    found = [m for m in inside if m]
    if len(found) == len(names) > 1 and len({m[1] for m in found}) == 1:
        return {m[2].strip(): n for m, n in zip(found, names, strict=True)}
    for mark in MARKS:
        starts = {n.rpartition(mark)[0] for n in names}
        if len(starts) == 1 and (start := starts.pop()) and len(names) > 1:
            if not all(n.rpartition(mark)[2].strip() for n in names):
                continue
            return {n[len(start) + len(mark) :].strip(): n for n in names}
    return {n: n for n in names}


def _coders(names: Sequence[str], options: Options, table: Table) -> Sequence[str]:
    """The coders of a wide table, whose columns are named by coder and label."""
    declared = set(map(plain, options.categories_of("") or ()))
    found = list[list[list[str]]]()
    for _, named in split_names(names):
        sides = [list(dict.fromkeys(p[k] for p in named.values())) for k in (0, 1)]
        coders = [
            declared.issuperset(sides[1 - k]) if declared else all(map(coder_like, sides[k]))
            for k in (0, 1)
        ]
        if coders[0] != coders[1]:
            return sides[0 if coders[0] else 1]
        found.append(sides)
    if not found:
        raise InputError(
            f"no column says who the coders are, and the columns {some(names)} are not named by "
            "coder and label, such as 'Ann_joy', for each coder and label",
            file=table.source,
            do=[Action("", {"coder": ..., "label": [...]})],
        )
    lefts, rights = found[0]
    raise InputError(
        f"the columns are named by {some(lefts)} and {some(rights)}: which are the coders?",
        file=table.source,
        do=[Action("", {"coder": lefts}), Action("", {"coder": rights})],
    )


def _of_coders(names: Sequence[str], coders: Sequence[str], table: Table) -> list[_Sheet]:
    """The columns that begin or end with the name of a coder; blank ones where others have some."""
    blank = [c.name for c in table.columns if c.blank]
    sheets = [_Sheet(c, _named_by(c, [*names, *blank])) for c in coders]
    labels = [x for s in sheets for x, n in s.columns.items() if n not in blank]
    for sheet in sheets:
        if not sheet.columns:
            raise InputError(
                f"no column is named by coder {sheet.coder!r} and a label, such as "
                f"'{sheet.coder}_joy'; the columns of 0 and 1 are {some(names)}",
                file=table.source,
            )
        lost = [x for x in labels if x not in sheet.columns]
        if lost:
            raise InputError(
                f"coder {sheet.coder!r} has no column for label {lost[0]!r}, which others have",
                file=table.source,
            )
    return [_Sheet(s.coder, {x: s.columns[x] for x in dict.fromkeys(labels)}) for s in sheets]


def _named_by(coder: str, names: Sequence[str]) -> dict[str, str]:
    """Label to column, of the columns named by a coder and a label."""
    who = re.escape(coder)
    beside = re.compile(rf"{who}{_BESIDE}(.+)|(.+?){_BESIDE}[\[(]?{who}[\])]?")
    found = {n: m for n in names if (m := beside.fullmatch(n[:_LONGEST]))}
    return {(m[1] or m[2]).strip("()[] "): n for n, m in found.items()}


def _folded_column(table: Table, sheet: _Sheet) -> tuple[Column, list[tuple[int, str]]]:
    """A column of label sets, blank where all columns are; and where a cell is beside 0 and 1."""
    cells = np.stack([_cells(table, name) for name in sheet.columns.values()], 1)
    blank = (cells == BLANK).all(1)
    given = cells == 1
    packed = np.ascontiguousarray(np.packbits(given, axis=1))
    rows = packed.view([("", packed.dtype)] * packed.shape[1]).reshape(-1)
    _, first, of = np.unique(rows, return_index=True, return_inverse=True)
    labels = list(sheet.columns)
    words = tuple(
        tuple(labels[k] for k in np.flatnonzero(given[at]).tolist()) for at in first.tolist()
    )
    name = sheet.coder or _free("label", table, sheet.columns.values())
    codes = np.where(blank, BLANK, of.reshape(-1)).astype(np.int32)
    names = list(sheet.columns.values())
    half = np.argwhere((cells == BLANK) & (cells == 0).any(1)[:, None]).tolist()
    return Column(name, codes, words), [(at, names[k]) for at, k in half]


def _free(name: str, table: Table, gone: Iterable[str]) -> str:
    taken = set(table.names) - set(gone)
    return next(n for n in (name, "labels", "label set", "set of labels") if n not in taken)


def _cells(table: Table, name: str) -> NDArray[np.int8]:
    """(N,) 1 where the label was given, 0 where not, -1 for a blank cell."""
    column = table[name]
    said = []
    for k, word in enumerate(column.text):
        text = word.casefold()
        known = 1 if text in GIVEN else 0 if text in NOT_GIVEN else BLANK
        if known == BLANK and word not in MISSING:
            share = re.fullmatch(r"0?[.,]\d+", text) is not None
            hint = (
                ". Shares do not say which labels were given: write 1 for those that were, or a "
                "row for each label with its share as a weight"
            ) * share
            weighted = Action("", {"label_weight": ...}, "the column of the shares")
            raise InputError(
                f"the cell holds {word!r}; expected 0/1, true/false, yes/no, x or blank{hint}",
                file=table.source,
                row=table.row(int(np.flatnonzero(column.codes == k)[0])),
                column=name,
                do=[
                    *[weighted] * share,
                    Action("", {"label": [...]}, "the columns that are labels"),
                ],
            )
        said.append(known)
    return np.array([*said, BLANK], np.int8)[column.codes]


def _beside(
    table: Table, options: Options, names: Sequence[str], sheet: _Sheet, made: Column
) -> tuple[str, ...]:
    """A column of labels beside the one-hot columns, which must say the same as they do."""
    known = set(sheet.columns)
    for column in table.columns:
        if column.name in names or not label_like(column.name) or column.blank:
            continue
        cells = [_set_of(w, known, options) for w in column.words]
        if not any(cells) or not all(c <= known for c in cells):
            continue
        sets = [frozenset(map(plain, w)) for w in made.words]
        for k in range(len(table)):
            one, other = int(column.codes[k]), int(made.codes[k])
            if one == BLANK or (other != BLANK and cells[one] == sets[other]):
                continue
            said = some(sorted(sets[other])) if other != BLANK and sets[other] else "no label"
            raise InputError(
                f"the one-hot columns say {said}, but this column says "
                f"{column.text[one]!r}. Correct the data, or delete one of the two",
                file=table.source,
                row=table.row(k),
                column=column.name,
            )
        return (column.name,)
    return ()


def _set_of(cell: Any, known: set[str], options: Options) -> frozenset[str]:
    if isinstance(cell, tuple):
        return frozenset(map(plain, cell))
    text = plain(cell)
    if text in known:
        return frozenset((text,))
    if text in options.empty or text in ("[]", "{}"):
        return frozenset()
    found = guess([text], known)
    mark = options.separator or (found.mark if found else None)
    return frozenset(p for p in parts(text, mark) if p) if mark else frozenset((text,))


def some(names: Iterable[str], most: int = 6) -> str:
    """A few of the names, quoted."""
    found = list(names)
    return ", ".join(map(repr, found[:most])) + (", …" if len(found) > most else "")
