"""From rows of codes to `Annotations`: statuses, duplicates, texts, the smaller layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from .annotations import NO_VALUE, Annotations, Columns, Reading, Status
from .duplicates import n_repeated, occasions, once, told_of_occasions, unique
from .labels import Doubt
from .options import BLANKS, Options
from .rows import Rows, asks_for_union, keys_of, repeats, sets_of_rows, systematic, united
from .table import BLANK, Codes, Column, as_words, plain
from .values import count_words, interpret

__all__ = ["ONE_CODER", "anonymous_name", "assemble", "doubted", "status_of", "told"]

ONE_CODER = "there is only one coder, {!r}: agreement needs two"
_SLOT = re.compile(r"slot[ _]?\d+")
_STATUS_WORDS = {
    word: status
    for status, words in {
        Status.ANSWERED: "answered submitted done complete completed accepted approved",
        Status.ANSWERED_EMPTY: "answered_empty empty",
        Status.SKIPPED: "skipped skip discarded rejected declined",
        Status.DRAFT: "draft in_progress",
        Status.NOT_APPLICABLE: "not_applicable na n_a inapplicable",
        Status.NOT_ASSIGNED: "not_assigned missing not_shown",
    }.items()
    for word in words.split()
}


def anonymous_name(coder: str) -> bool:
    """Whether a coder stands for whoever came first: 'slot 1'."""
    return _SLOT.fullmatch(coder) is not None


def status_of(word: str) -> Status | None:
    """The status that a cell names, or None.

    Examples
    --------
    >>> status_of("not_applicable: own 5a is 0")
    <Status.NOT_APPLICABLE: 4>
    """
    start = word.split(":")[0].strip().casefold()
    return _STATUS_WORDS.get("_".join(start.replace("/", " ").replace("-", " ").split()))


def assemble(rows: Rows, options: Options, reading: Reading) -> Annotations:
    """Annotations from rows, with everything that was left out counted in the reading."""
    if options.only:
        options = options.without({*rows.question.text} - {*options.only})
        rows = rows.of_questions(options.only)
    if not asks_for_union(rows, options):
        return _assembled(rows, options, reading)
    if rows.weight is not None:
        ranked = "weights order the labels of an annotation; their sizes are not used"
        reading = replace(reading, notes=(*reading.notes, ranked))
    rows, n = united(rows)
    if n:
        what = "rows that repeat a label of their annotation"
        reading = replace(reading, left_out=(*reading.left_out, (what, n)))
    return _assembled(rows, replace(options, duplicates="union"), reading)


def _assembled(rows: Rows, options: Options, reading: Reading) -> Annotations:
    names = tuple(map(plain, as_words(rows.question.words)))
    question = rows.question.codes.astype(np.min_scalar_type(len(names)), copy=False)
    label = _with_blank_category(rows.label, options)

    def first(q: int, word: int) -> dict[str, Any]:
        return rows.place(int(np.flatnonzero((label.codes == word) & (question == q))[0]))

    times = count_words(label, question, len(names))
    said = None if rows.status is None else _said(rows.status)
    nothing = _nothing(label, question, len(names), said, options)
    labels = interpret(label.words, times, names, options, first, nothing)
    lookup = labels.lookup
    value = lookup[0][label.codes] if len(names) == 1 else lookup[question, label.codes]
    blank = value == NO_VALUE
    blanks = int(np.count_nonzero(blank)) + int(
        0 if label is rows.label else np.count_nonzero(rows.label.codes == BLANK)
    )
    none = labels.empty[question] if (labels.empty != NO_VALUE).any() else np.array(NO_VALUE)
    value, status, left_out = _statuses(value, said, options, none)
    meaning = None if said is None else _meaning_of(status[blank])
    kept = status != Status.NOT_ASSIGNED
    if rows.coder is None:
        coder, coders = _slots(rows.item.codes, question, value, len(names), kept)
    else:
        coder, coders = rows.coder.codes, tuple(map(plain, as_words(rows.coder.words)))
    anonymous = rows.coder is None or all(map(anonymous_name, coders))
    notes = [*labels.notes, *_told_of_coders(coders, anonymous, rows, options.least)]
    columns, origin = Columns(rows.item.codes, question, coder, value, status), np.flatnonzero(kept)
    if len(origin) < len(kept):
        columns = columns.where(origin)
    sizes = (len(rows.item.words), len(names), len(coders))
    n, persons = n_repeated(columns, sizes), None
    if n and options.duplicates == "error":
        keep = once(columns, sizes)
        same = len(columns) - len(keep)
        if same:
            columns, origin, n = columns.where(keep), origin[keep], n - same
            left_out.append(("rows that repeat an annotation with the same label", same))
            again = Action("", {"duplicates": "keep"}, "if coders were to annotate items again")
            notes.append(
                Notice(
                    f"{same:,} annotations stand there again with the same label: each counts once",
                    again,
                )
            )
        several = sets_of_rows(rows) if n and options.max_labels is None else 0
        if several:
            told_so = replace(reading, warnings=(*reading.warnings, systematic(several)))
            return assemble(rows, replace(options, duplicates="union"), told_so)
    if n and options.duplicates == "keep":
        columns, coders, persons = occasions(columns, sizes, coders)
        sizes = (*sizes[:2], len(coders))
        notes.append(told_of_occasions(coders, persons, n))
    elif n:
        columns = unique(columns, coders, names, rows, origin, options.duplicates)
        left_out.append((f"duplicate annotations (kept the {options.duplicates})", n))
    words = rows.item.words
    return Annotations(
        items=words if isinstance(words, np.ndarray) else tuple(words),
        coders=coders,
        questions=names,
        schemes=labels.schemes,
        values=labels.values,
        layout=_smaller(columns, sizes),
        texts=rows.texts,
        metadata=rows.metadata,
        reading=told(doubted(reading, columns, sizes), blanks, options, left_out, notes, meaning),
        anonymous=anonymous,
        persons=persons,
    )


def _told_of_coders(
    coders: Sequence[str], anonymous: bool, rows: Rows, least: int
) -> Iterator[str]:
    if anonymous and rows.coder is not None:
        yield (
            f"coders called {coders[0]!r} … stand for whoever came first: nothing is said about "
            "single coders"
        )
    if len(coders) < least and not anonymous:
        yield ONE_CODER.format(coders[0])


def doubted(reading: Reading, columns: Columns, sizes: tuple[int, int, int]) -> Reading:
    """The reading with a warning if no two annotations can be compared."""
    n_items, n_questions, n_coders = sizes
    given = columns.value != NO_VALUE
    place = columns.item[given].astype(np.int64) * n_questions + columns.question[given]
    if n_coders < 2 or not len(place):
        return reading
    if len(place) > n_items * n_questions or np.bincount(place).max() > 1:
        return reading
    doubt = (
        "no item has annotations by two coders, so there is nothing to compare. Do all coders use "
        "the same item ids, and is every column what it was taken for?"
    )
    return replace(reading, warnings=(*reading.warnings, doubt))


def told(
    reading: Reading,
    blanks: int,
    options: Options,
    left_out: Sequence[tuple[str, int]],
    notes: Sequence[str],
    meaning: str | None = None,
) -> Reading:
    """The reading with what the labels and their counting added to it.

    ``meaning`` is what the blanks count as where a status column says it, row by row.
    """
    named = options.blank is not None and options.blank not in BLANKS
    by_option = f"category {options.blank!r}" if named else _in_words(_blank_status(options))
    return replace(
        reading,
        blanks=blanks,
        blanks_as=meaning or by_option,
        left_out=(*reading.left_out, *left_out),
        notes=(*reading.notes, *(n for n in notes if not isinstance(n, Doubt))),
        warnings=(*reading.warnings, *(n for n in notes if isinstance(n, Doubt))),
    )


def _said(column: Column) -> NDArray[np.int8]:
    """(N,) what the cells of a status column say, `BLANK` where they say nothing."""
    found = [status_of(w) for w in column.text]
    codes = np.array([*(BLANK if s is None else int(s) for s in found), BLANK], np.int8)
    return np.asarray(codes[column.codes])


def _blank_status(options: Options) -> Status:
    """What a blank cell means."""
    return _STATUS_WORDS[options.blank] if options.blank in BLANKS else Status.NOT_ASSIGNED


def _in_words(status: Status) -> str:
    words = status.name.lower().replace("_", " ")
    return "missing (not assigned)" if status == Status.NOT_ASSIGNED else words


def _meaning_of(status: NDArray[np.uint8]) -> str | None:
    """What the blank cells count as, the most frequent first; None if there are none."""
    n = np.bincount(status, minlength=len(Status))
    found = sorted((s for s in Status if n[s]), key=lambda s: -int(n[s]))
    if len(found) < 2:
        return _in_words(found[0]) if found else None
    return " or ".join(f"{_in_words(s)} ({n[s]:,})" for s in found)


def _statuses(
    value: Codes, told: Codes | None, options: Options, empty: Codes
) -> tuple[Codes, NDArray[np.uint8], list[tuple[str, int]]]:
    """(N,) values and statuses: what a status column says, else what a blank means.

    ``empty`` (N,) is the value of an answer that no label applies; -1 if it has none.
    """
    status = np.zeros(len(value), np.uint8)
    status[value == NO_VALUE] = _blank_status(options)
    left_out: list[tuple[str, int]] = []
    if told is not None:
        other = told > Status.ANSWERED
        lost = (value != NO_VALUE) & (value != empty)
        for s in Status:
            n = int(np.count_nonzero((told == s) & lost)) if s else 0
            if n:
                left_out.append((f"labels marked {s.name.lower().replace('_', ' ')}", n))
        status[other] = told[other]
        value = np.where(other, NO_VALUE, value).astype(value.dtype)
    if (empty != NO_VALUE).any():
        status[(value != NO_VALUE) & (value == empty)] = Status.ANSWERED_EMPTY
        value = np.where(status == Status.ANSWERED_EMPTY, empty, value).astype(value.dtype)
    return value, status, left_out


def _nothing(
    label: Column, question: Codes, n_questions: int, told: Codes | None, options: Options
) -> NDArray[np.bool_]:
    """(Q,) whether a coder says, other than by a label, that no label applies."""
    said = np.zeros(len(label), bool)
    if options.blank == "empty":
        said = label.codes == BLANK
    if told is not None:
        said = (said & (told <= Status.ANSWERED)) | (told == Status.ANSWERED_EMPTY)
    return np.bincount(question[said], minlength=n_questions) > 0


def _with_blank_category(label: Column, options: Options) -> Column:
    """Blank cells are a category if the user says so."""
    if options.blank is None or options.blank in BLANKS or not (label.codes == BLANK).any():
        return label
    words = (*as_words(label.words), options.blank)
    return Column(label.name, np.where(label.codes == BLANK, len(words) - 1, label.codes), words)


def _slots(
    item: Codes, question: Codes, value: Codes, n_questions: int, kept: NDArray[np.bool_]
) -> tuple[Codes, tuple[str, ...]]:
    """A slot for each annotation of an item when nobody knows who answered.

    Slots go by value, so that they do not depend on the order of the rows.
    """
    cell = keys_of(item, question, None, n_questions, 0)
    coder = np.where(kept, repeats([(~kept).astype(np.int8), cell], value), 0).astype(np.int32)
    n = int(coder[kept].max()) + 1 if kept.any() else 0
    return coder, tuple(f"slot {k + 1}" for k in range(n))


def _smaller(columns: Columns, sizes: tuple[int, int, int]) -> Columns | NDArray[np.integer[Any]]:
    """A grid if it is dense and every annotation has a value."""
    n_items, n_questions, n_coders = sizes
    if n_questions != 1 or n_items * n_coders > 4 * len(columns) or columns.status.any():
        return columns
    grid = np.full((n_items, n_coders), NO_VALUE, columns.value.dtype)
    grid[columns.item, columns.coder] = columns.value
    return grid
