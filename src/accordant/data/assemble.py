"""From rows of codes to `Annotations`: statuses, duplicates, texts, the smaller layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .annotations import NO_VALUE, Annotations, Columns, Reading, Status
from .label_sets import as_it_stands
from .labels import Doubt
from .occasions import occasions, told_of_occasions
from .options import BLANKS, Options
from .repeated import asks_for_union, sets_of_rows, systematic, united
from .rows import Rows
from .table import BLANK, Codes, Column, as_words, plain
from .values import count_words, interpret

__all__ = [
    "ONE_CODER",
    "anonymous_name",
    "assemble",
    "doubted",
    "slots",
    "spread",
    "status_of",
    "told",
]

ONE_CODER = "there is only one coder, {!r}: agreement needs two"
_SLOT = re.compile(r"slot[ _]?\d+")
_BLANK_STATUS = {
    None: Status.NOT_ASSIGNED,
    "missing": Status.NOT_ASSIGNED,
    "not_assigned": Status.NOT_ASSIGNED,
    "not_applicable": Status.NOT_APPLICABLE,
    "skipped": Status.SKIPPED,
    "empty": Status.ANSWERED_EMPTY,
}
_STATUS_WORDS = {
    "answered": Status.ANSWERED, "submitted": Status.ANSWERED, "done": Status.ANSWERED,
    "complete": Status.ANSWERED, "completed": Status.ANSWERED, "accepted": Status.ANSWERED,
    "approved": Status.ANSWERED, "answered_empty": Status.ANSWERED_EMPTY,
    "empty": Status.ANSWERED_EMPTY, "skipped": Status.SKIPPED, "skip": Status.SKIPPED,
    "discarded": Status.SKIPPED, "rejected": Status.SKIPPED, "declined": Status.SKIPPED,
    "draft": Status.DRAFT, "in_progress": Status.DRAFT, "not_applicable": Status.NOT_APPLICABLE,
    "na": Status.NOT_APPLICABLE, "n_a": Status.NOT_APPLICABLE,
    "inapplicable": Status.NOT_APPLICABLE, "not_assigned": Status.NOT_ASSIGNED,
    "missing": Status.NOT_ASSIGNED, "not_shown": Status.NOT_ASSIGNED,
}  # fmt: skip


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
    if not asks_for_union(rows, options):
        return _assembled(rows, options, reading)
    if rows.weight is not None:
        ranked = "weights order the labels of an annotation; their sizes are not used"
        reading = replace(reading, notes=(*reading.notes, ranked))
    rows, n = united(rows, options)
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
    nothing = _nothing(label, question, len(names), rows.status, options)
    labels = interpret(label.words, times, names, options, first, nothing)
    lookup = labels.lookup
    value = lookup[0][label.codes] if len(names) == 1 else lookup[question, label.codes]
    blank = value == NO_VALUE
    blanks = int(np.count_nonzero(blank)) + int(
        0 if label is rows.label else np.count_nonzero(rows.label.codes == BLANK)
    )
    empty = labels.empty
    none = empty[question] if (empty != NO_VALUE).any() else np.array(NO_VALUE)
    value, status, left_out = _statuses(value, rows.status, options, none)
    meaning = None if rows.status is None else _meaning_of(status[blank])
    notes = [*labels.notes]
    kept = status != Status.NOT_ASSIGNED
    item = rows.item.codes
    if rows.coder is None:
        slot, coders = slots(item, question, value, len(names), kept)
        coder: Codes = slot
    else:
        coder, coders = rows.coder.codes, tuple(map(plain, as_words(rows.coder.words)))
    anonymous = rows.coder is None or all(map(anonymous_name, coders))
    if anonymous and rows.coder is not None:
        notes.append(
            f"coders called {coders[0]!r} … stand for whoever came first: nothing is said about "
            "single coders"
        )
    if len(coders) == 1 and not anonymous:
        notes.append(ONE_CODER.format(coders[0]))
    columns = Columns(item, question, coder, value, status)
    origin: NDArray[np.integer[Any]] | None = None
    if not kept.all():
        columns, origin = columns.where(kept), np.flatnonzero(kept)
    sizes = (len(rows.item.words), len(names), len(coders))
    n = _n_repeated(columns, sizes)
    if n and options.duplicates == "error":
        columns, origin, same = _once(columns, sizes, origin)
        if same:
            left_out.append(("rows that repeat an annotation with the same label", same))
            again = Action("", {"duplicates": "keep"}, "if coders were to annotate items again")
            notes.append(Notice(f"{same:,} annotations stand there again with the same label: "
                                "each counts once", again))  # fmt: skip
        n -= same
    if n and options.duplicates == "error" and options.max_labels is None:
        several = sets_of_rows(rows)
        if several:
            told_so = replace(reading, warnings=(*reading.warnings, systematic(several)))
            return assemble(rows, replace(options, duplicates="union"), told_so)
    persons = None
    if n and options.duplicates == "keep":
        columns, coders, persons = occasions(columns, _keys(columns, sizes), coders)
        sizes = (*sizes[:2], len(coders))
        notes.append(told_of_occasions(coders, persons, n))
    elif n:
        columns = _unique(columns, sizes, rows, origin, coders, names, options, n)
        left_out.append((f"duplicate annotations (kept the {options.duplicates})", n))
    return Annotations(
        items=_ids(rows.item.words),
        coders=coders,
        questions=names,
        schemes=labels.schemes,
        values=labels.values,
        layout=_smaller(columns, sizes),
        texts=None if rows.texts is None else spread(rows.texts, ""),
        metadata={k: spread(c, None) for k, c in rows.metadata.items()},
        reading=told(doubted(reading, columns, sizes), blanks, options, left_out, notes, meaning),
        anonymous=anonymous,
        persons=persons,
    )


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
    named = options.blank is not None and options.blank not in _BLANK_STATUS
    status = _BLANK_STATUS.get(options.blank, Status.NOT_ASSIGNED)
    by_option = f"category {options.blank!r}" if named else _in_words(status)
    return replace(
        reading,
        blanks=blanks,
        blanks_as=meaning or by_option,
        left_out=(*reading.left_out, *left_out),
        notes=(*reading.notes, *(n for n in notes if not isinstance(n, Doubt))),
        warnings=(*reading.warnings, *(n for n in notes if isinstance(n, Doubt))),
    )


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
    nothing = _BLANK_STATUS.get(options.blank, Status.NOT_ASSIGNED)
    status = np.zeros(len(value), np.uint8)
    status[value == NO_VALUE] = nothing
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
        said = (said & (told == BLANK)) | (told == Status.ANSWERED_EMPTY)
    return np.bincount(question[said], minlength=n_questions) > 0


def _with_blank_category(label: Column, options: Options) -> Column:
    """Blank cells are a category if the user says so."""
    if options.blank is None or options.blank in BLANKS or not (label.codes == BLANK).any():
        return label
    words = (*as_words(label.words), options.blank)
    return Column(label.name, np.where(label.codes == BLANK, len(words) - 1, label.codes), words)


def slots(
    item: Codes, question: Codes, value: Codes, n_questions: int, kept: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """A slot for each annotation of an item when nobody knows who answered.

    Slots go by value, so that they do not depend on the order of the rows.
    """
    cell = np.where(kept, item.astype(np.int64) * n_questions + question, -1)
    order = np.lexsort((value, cell))
    ordered = cell[order]
    start = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    length = np.diff(np.r_[start, len(ordered)])
    rank = np.arange(len(ordered)) - np.repeat(start, length)
    coder = np.zeros(len(item), np.int32)
    coder[order] = np.where(ordered < 0, 0, rank)
    n = int(coder[kept].max()) + 1 if kept.any() else 0
    return coder, tuple(f"slot {k + 1}" for k in range(n))


def _keys(columns: Columns, sizes: tuple[int, int, int]) -> NDArray[np.int64]:
    """(N,) one number for each item, question and coder."""
    _, n_questions, n_coders = sizes
    key = columns.item.astype(np.int64) * n_questions
    key += columns.question
    key *= n_coders
    key += columns.coder
    return key


def _n_repeated(columns: Columns, sizes: tuple[int, int, int]) -> int:
    """How many rows repeat an annotation."""
    n_items, n_questions, n_coders = sizes
    key = _keys(columns, sizes)
    if n_items * n_questions * n_coders <= 4 * len(key) + (1 << 20):
        seen = np.zeros(n_items * n_questions * n_coders, bool)
        seen[key] = True
        return len(key) - int(np.count_nonzero(seen))
    key.sort()  # a hundredth of the time of np.unique, which hashes
    return int(np.count_nonzero(key[1:] == key[:-1]))


def _once(
    columns: Columns, sizes: tuple[int, int, int], origin: NDArray[np.integer[Any]] | None
) -> tuple[Columns, NDArray[np.integer[Any]] | None, int]:
    """Without rows that say of an annotation what a row above says; how many there are."""
    key, (value, status) = _keys(columns, sizes), (columns.value, columns.status)
    order = np.lexsort((status, value, key))
    same = key[order][1:] == key[order][:-1]
    for said in (value, status):
        same &= said[order][1:] == said[order][:-1]
    keep = np.sort(order[np.r_[True, ~same]])
    if len(keep) == len(key):
        return columns, origin, 0
    return columns.where(keep), keep if origin is None else origin[keep], len(key) - len(keep)


def _unique(
    columns: Columns,
    sizes: tuple[int, int, int],
    rows: Rows,
    origin: NDArray[np.integer[Any]] | None,
    coders: Sequence[str],
    names: Sequence[str],
    options: Options,
    n: int,
) -> Columns:
    """Without the ``n`` repeated annotations, or the error that names two rows of one."""
    key = _keys(columns, sizes)
    order = np.argsort(key, kind="stable")
    again = np.r_[False, key[order][1:] == key[order][:-1]]
    if options.duplicates not in ("first", "last"):
        k = int(np.flatnonzero(again)[np.argmin(order[again])])
        pair = [int(order[k - 1]), int(order[k])]
        raise _twice(pair, columns, rows, origin, coders, names, n)
    keep = ~again if options.duplicates == "first" else ~np.r_[again[1:], False]
    return columns.where(np.sort(order[keep]))


def _twice(
    pair: Sequence[int],
    columns: Columns,
    rows: Rows,
    origin: NDArray[np.integer[Any]] | None,
    coders: Sequence[str],
    names: Sequence[str],
    n: int,
) -> InputError:
    at = [int(k if origin is None else origin[k]) for k in pair]
    first, second = map(rows.place, at)
    words = as_words(rows.label.words)
    codes = rows.label.codes[at].tolist()
    said = [as_it_stands(words[k]) if k != BLANK else "nothing" for k in codes]
    item = plain(as_words(rows.item.words)[int(columns.item[pair[0]])])
    question = names[int(columns.question[pair[0]])]
    asked = f" to question {question!r}" if question else ""
    other = [str(first[k]) for k in ("file",) if first.get(k) != second.get(k)]
    where = f"row {first['row']}" if first.get("row") is not None else "before"
    more = f"; {n:,} annotations are repeated in all" if n > 1 else ""
    return InputError(
        f"coder {coders[int(columns.coder[pair[0]])]!r} annotated item {item!r}{asked} twice: "
        f"{said[0]} ({', '.join([*other, where])}) and {said[1]} here{more}",
        **second,
        do=[Action("", {"duplicates": "first"}, "or 'last'"),
            Action("", {"duplicates": "keep"}, "if coders were to annotate items again"),
            Action("", {"duplicates": "union"},
                   "if a coder may give several labels, a row each")],
    )  # fmt: skip


def _smaller(columns: Columns, sizes: tuple[int, int, int]) -> Columns | NDArray[np.integer[Any]]:
    """A grid if it is dense and every annotation has a value."""
    n_items, n_questions, n_coders = sizes
    if n_questions != 1 or n_items * n_coders > 4 * len(columns) or columns.status.any():
        return columns
    grid = np.full((n_items, n_coders), NO_VALUE, columns.value.dtype)
    grid[columns.item, columns.coder] = columns.value
    return grid


def _ids(words: Any) -> Any:
    return words if isinstance(words, np.ndarray) else tuple(words)


def spread(column: Column, blank: Any) -> tuple[Any, ...]:
    """(N,) the cells of a column."""
    words = [*as_words(column.words), blank]
    return tuple(words[k] for k in column.codes.tolist())
