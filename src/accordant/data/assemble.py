"""From rows of codes to `Annotations`: statuses, repeats, names, the smaller layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .annotations import NO_VALUE, Annotations, Columns, Reading, Status
from .labels import Doubt
from .names import persons_of
from .options import BLANKS, Options
from .table import BLANK, Codes, Column, Rows, as_words, keys_of, plain, repeats
from .values import count_words, interpret

Ints: TypeAlias = NDArray[np.integer[Any]]
Sizes: TypeAlias = tuple[int, int, int]  # I, Q, C

OCCASIONS = (
    "agreement between coders takes the first of an item, and agreement of coders with "
    "themselves is a figure of its own"
)
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
    notes = list[str](labels.notes)
    if anonymous and rows.coder is not None:
        notes.append(
            f"coders called {coders[0]!r} … stand for whoever came first: nothing is said about "
            "single coders"
        )
    if len(coders) < options.least and not anonymous:
        notes.append(ONE_CODER.format(coders[0]))
    columns, origin = Columns(rows.item.codes, question, coder, value, status), np.flatnonzero(kept)
    if len(origin) < len(kept):
        columns = columns.where(origin)
    sizes, persons = (len(rows.item.words), len(names), len(coders)), None
    n = _n_repeated(columns, sizes)
    if n and (options.duplicates == "keep" or (rows.occasion and options.duplicates != "first")):
        when = None if rows.occasion is None else _in_time(rows.occasion)[origin]
        columns, coders, persons = _occasions(columns, sizes, coders, when)
        sizes = (*sizes[:2], len(coders))
        notes.append(_told_of_occasions(coders, persons, n))
    elif n:
        keep = _once(columns, sizes, options.duplicates)
        same = len(columns) - len(keep)
        columns, origin = columns.where(keep), origin[keep]
        if options.duplicates == "error" and n > same:
            raise _twice(columns, (coders, names), rows, origin, sizes)
        if options.duplicates == "first":
            left_out.append(("duplicate annotations (kept the first)", n))
        else:
            left_out.append(("rows that repeat an annotation with the same label", n))
            again = Action("", {"duplicates": "keep"}, "if coders were to annotate items again")
            what = f"rows that repeat an annotation with the same label count once: {n:,}"
            notes.append(Notice(what, again))
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


def doubted(reading: Reading, columns: Columns, sizes: Sizes) -> Reading:
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


def _smaller(columns: Columns, sizes: Sizes) -> Columns | Ints:
    """A grid if it is dense and every annotation has a value."""
    n_items, n_questions, n_coders = sizes
    if n_questions != 1 or n_items * n_coders > 4 * len(columns) or columns.status.any():
        return columns
    grid = np.full((n_items, n_coders), NO_VALUE, columns.value.dtype)
    grid[columns.item, columns.coder] = columns.value
    return grid


# ------------------------------------------------------------------ repeated annotations


def _keys(columns: Columns, sizes: Sizes) -> NDArray[np.int64]:
    return keys_of(columns.item, columns.question, columns.coder, *sizes[1:])


def _n_repeated(columns: Columns, sizes: Sizes) -> int:
    """How many rows repeat an annotation."""
    n_items, n_questions, n_coders = sizes
    key = _keys(columns, sizes)
    if n_items * n_questions * n_coders <= 4 * len(key) + (1 << 20):
        seen = np.zeros(n_items * n_questions * n_coders, bool)
        seen[key] = True
        return len(key) - int(np.count_nonzero(seen))
    key.sort()  # a hundredth of the time of np.unique, which hashes
    return int(np.count_nonzero(key[1:] == key[:-1]))


def _once(columns: Columns, sizes: Sizes, duplicates: str) -> Ints:
    """The first row of each annotation; where repeats are errors, of each that says the same."""
    said = [columns.value, columns.status] if duplicates == "error" else []
    return np.flatnonzero(repeats([_keys(columns, sizes), *said]) == 0)


def _twice(
    columns: Columns,
    names: tuple[Sequence[str], Sequence[str]],
    rows: Rows,
    origin: Ints,
    sizes: Sizes,
) -> InputError:
    """The error that names two rows of one annotation which do not say the same.

    ``names`` are those of the coders and the questions, ``origin`` (N,) the positions of the
    annotations in ``rows``.
    """
    key = _keys(columns, sizes)
    again = repeats([key]) > 0
    n, at = int(np.count_nonzero(again)), int(np.flatnonzero(again)[0])
    before = int(np.flatnonzero(key == key[at])[0])
    coders, questions = names
    item = plain(as_words(rows.item.words)[int(columns.item[at])])
    question = questions[int(columns.question[at])]
    first, second = rows.place(int(origin[before])), rows.place(int(origin[at]))
    words = as_words(rows.label.words)
    codes = rows.label.codes[origin[[before, at]]].tolist()
    said = [repr(words[c]) if c != BLANK else "nothing" for c in codes]
    where = f"row {first['row']}" if first.get("row") is not None else "before"
    file = f"{first['file']}, " if first.get("file") != second.get("file") else ""
    asked = f" to question {question!r}" if question else ""
    more = f"; {n:,} annotations are repeated in all" if n > 1 else ""
    return InputError(
        f"coder {coders[int(columns.coder[at])]!r} annotated item {item!r}{asked} twice: {said[0]} "
        f"({file}{where}) and {said[1]} here{more}. If an annotation has several labels, write "
        "them into one cell ('x; y', with the option separator ';') or one list",
        **second,
        do=[
            Action("", {"duplicates": "first"}, "to keep the first"),
            Action("", {"duplicates": "keep"}, "if coders were to annotate items again"),
        ],
    )


def _in_time(column: Column) -> Ints:
    """(N,) which occasion of a column each row belongs to, in their order."""
    texts = column.text
    order = sorted(range(len(texts)), key=lambda k: (*map(int, re.findall(r"\d+", texts[k])), k))
    return np.array([*np.argsort(order), -1])[column.codes]


def _occasions(
    columns: Columns, sizes: Sizes, coders: Sequence[str], when: Ints | None
) -> tuple[Columns, tuple[str, ...], tuple[str, ...]]:
    """The annotations with a coder for each time somebody annotated the same item.

    Beside them the occasions ('Ann', 'Ann (2nd time)', 'Bob') and the person of each ('Ann',
    'Ann', 'Bob'), in the order of the rows.
    """
    time = repeats([_keys(columns, sizes)], when)
    most = np.ones(len(coders), np.int64)
    np.maximum.at(most, columns.coder, time + 1)
    start = np.cumsum(most) - most
    names = [
        name if k == 0 else f"{name} ({_nth(k + 1)} time)"
        for name, n in zip(coders, most.tolist(), strict=True)
        for k in range(n)
    ]
    if len(set(names)) < len(names):
        taken = next(n for n in names if n in set(coders) and names.count(n) > 1)
        raise InputError(
            f"an occasion of a coder would be called {taken!r}, but a coder has this name "
            "already: give the coder another name",
            parameter="duplicates",
        )
    persons = tuple(np.repeat(np.array(coders, object), most).tolist())
    coder = (start[columns.coder] + time).astype(np.min_scalar_type(len(names)))
    return replace(columns, coder=coder), tuple(names), persons


def _told_of_occasions(coders: Sequence[str], persons: Sequence[str], n: int) -> str:
    again = next(c for c, p in zip(coders, persons, strict=True) if c != p)
    return (
        f"repeated annotations are kept as further occasions of their coders, such as "
        f"{again!r} ({n:,}): {OCCASIONS}"
    )


def _nth(n: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ending}"


def with_persons(data: Annotations, options: Options) -> Annotations:
    """The annotations with whose each coder is, where their names tell occasions apart.

    Numbers alone do if the user says so; else there is a doubt, where both annotated some item.
    """
    if data.persons or data.anonymous:
        return data
    found, reading = persons_of(data.coders), data.reading
    numbered = {} if found else persons_of(data.coders, numbered=True)
    if options.duplicates == "keep":
        found = found or numbered
    names = ", ".join(map(repr, [*(found or numbered)][:4])) + ", …" * (len(found or numbered) > 4)
    if found:
        persons = tuple(found.get(c, c) for c in data.coders)
        told = f"{names} are occasions of the same coders: {OCCASIONS}"
        reading = replace(reading, notes=(*reading.notes, told))
        return replace(data, persons=persons, reading=reading)
    named = {n: who for n, who in numbered.items() if len(who) > 2}
    who = reading.columns.get("coder")
    asked = who is None and len(numbered) == len(data.coders) and reading.warnings
    if asked or options.coder or reading.controls or not _share_items(data, named):
        return data
    doubt = Notice(
        f"{names} may be coders of their own or, by their names, occasions of the same coders",
        Action("", {"coder": who or [*data.coders]}, "if each is a coder"),
        Action("", {"duplicates": "keep"}, "if they are occasions"),
    )
    return replace(data, reading=replace(reading, warnings=(*reading.warnings, doubt)))


def _share_items(data: Annotations, persons: Mapping[str, str]) -> bool:
    """Whether some person has several names in an item."""
    c = data.answered
    whose = np.array(
        [[*persons.values()].index(p) if (p := persons.get(n)) else -1 for n in data.coders]
    )
    who = whose[c.coder]
    key = c.item[who >= 0].astype(np.int64) * len(data.coders) + who[who >= 0]
    asked = key * len(data.questions) + c.question[who >= 0]
    return len(np.unique(asked)) < len(asked)


# ------------------------------------------------------------------ names of persons

_ADDRESS = re.compile(r"([^@\s]+)@[^@\s]+\.[^@\s]+")


def without_addresses(data: Annotations) -> Annotations:
    """The annotations with e-mail addresses of coders cut at the @, numbered where two collide."""
    names = tuple(dict.fromkeys(data.persons or data.coders))
    short = _shortened(names)
    if not short:
        return data

    def named(text: str) -> str:
        for address in sorted(short, key=len, reverse=True):
            if address in text:
                do = text.do if isinstance(text, Notice) else ()
                text = Notice(text.replace(address, short[address]), *do)
        return text

    persons = data.persons or data.coders
    coders = tuple(
        short.get(p, p) + c.removeprefix(p) for c, p in zip(data.coders, persons, strict=True)
    )
    reading, spans = data.reading, data.spans
    return replace(
        data,
        coders=coders,
        persons=None if data.persons is None else tuple(short.get(p, p) for p in data.persons),
        metadata={str(named(key)): cells for key, cells in data.metadata.items()},
        spans=None
        if spans is None
        else replace(spans, coders=tuple(short.get(c, c) for c in spans.coders)),
        reading=replace(
            reading,
            columns={role: named(name) for role, name in reading.columns.items()},
            left_out=tuple((named(what), n) for what, n in reading.left_out),
            notes=(
                *map(named, reading.notes),
                "coders are shown by what stands before the @ of their e-mail addresses",
            ),
            warnings=tuple(map(named, reading.warnings)),
        ),
    )


def _shortened(names: Iterable[str]) -> dict[str, str]:
    """Every address and what stands before its @, with a number where that is no name for one."""
    found = {n: m[1] for n in names if (m := _ADDRESS.fullmatch(n))}
    taken = [*found.values(), *(n for n in names if n not in found)]
    short = dict[str, str]()
    for start in dict.fromkeys(found.values()):
        same = sorted(n for n, one in found.items() if one == start)
        free = (n for k in range(1, len(taken) + 2) if (n := f"{start} {k}") not in taken)
        short |= {n: start if taken.count(start) == 1 else next(free) for n in same}
    return short
