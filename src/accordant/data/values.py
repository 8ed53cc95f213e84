"""From the distinct cells of every question to values: categories, or sets of labels.

Cells that hold several labels are taken apart: lists, JSON lists, separated labels.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError, RequestError
from ..scheme import Scheme, Value, union
from .annotations import Annotations
from .labels import Question, as_declared, check_names, label_key, listed, nothing_said, question_of
from .options import Options
from .separators import guess, parts
from .table import BLANK, Codes, Column, Place, Words, as_words, plain

First: TypeAlias = Callable[[int, int], dict[str, Any]]  # question, distinct cell -> its place
Ints: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Interpreted:
    """What the distinct cells mean.

    ``lookup`` (Q, W + 1) leads from a question and a distinct cell into ``values``, or to -1
    if the cell means that nothing was given; its last column is for blanks. ``empty`` (Q,) is
    the value of the empty set, -1 if a question has none.
    """

    lookup: NDArray[np.integer[Any]]
    values: tuple[Value, ...]
    schemes: tuple[Scheme, ...]
    notes: tuple[str, ...]
    empty: NDArray[np.integer[Any]]


def interpret(
    words: Words,
    times: Ints,
    names: Sequence[str],
    options: Options,
    first: First,
    nothing: Sequence[bool] | NDArray[np.bool_] = (),
) -> Interpreted:
    """The categories of each question and the value of each distinct cell.

    Parameters
    ----------
    words : sequence
        (W,) distinct cells.
    times : ndarray
        (Q, W) how often each occurs in each question.
    names : sequence of str
        (Q,) the questions.
    first : callable
        Where a cell first occurs in a question, for messages.
    nothing : sequence of bool
        (Q,) whether a coder answered without a label that none applies, other than by a cell
        that says so.
    """
    check_names(options, names)
    nothing = nothing if len(nothing) else np.zeros(len(names), bool)
    readers = [
        _read(words, times[q], name, options, partial(first, q), bool(nothing[q]), len(names) == 1)
        for q, name in enumerate(names)
    ]
    schemes = tuple(r.scheme for r in readers)
    values = values_of([(r.scheme, r.values) for r in readers])
    lookup = np.full((len(names), len(words) + 1), BLANK, np.min_scalar_type(-max(len(values), 1)))
    position = {value: k for k, value in enumerate(values)}
    for q, reader in enumerate(readers):
        into = np.array([*(position[value] for value in reader.values), BLANK])
        lookup[q, :-1] = into[reader.codes]
    empty = np.array(
        [values.index(()) if s.max_labels != 1 and () in values else BLANK for s in schemes]
    )
    return Interpreted(lookup, values, schemes, _gather(readers, options), empty)


def count_words(label: Column, question: Codes, n_questions: int) -> Ints:
    """(Q, W) how often each distinct cell occurs in each question."""
    n_words = len(label.words)
    flat = (
        label.codes + 1
        if n_questions == 1
        else (question.astype(np.int64) * (n_words + 1) + label.codes + 1)
    )
    n = np.bincount(flat, minlength=n_questions * (n_words + 1))
    return n.reshape(n_questions, n_words + 1)[:, 1:]


@dataclass(frozen=True)
class _Answers:
    """What the cells of one question mean: ``codes`` (W,) into ``values``, or -1."""

    one: Question
    scheme: Scheme
    values: tuple[Value, ...]
    codes: NDArray[np.int64]
    notes: tuple[str, ...] = ()


def _read(
    words: Words, times: Ints, name: str, options: Options, first: Place, nothing: bool, alone: bool
) -> _Answers:
    split = split_cells(words, times, name, options, first, alone=alone)
    try:
        if split is None:
            if not isinstance(words, np.ndarray):  # a list of one label is that label
                words = tuple(w[0] if isinstance(w, tuple) and w else w for w in words)
            one = question_of(name, words, times, options, first)
            return _Answers(one, one.scheme, one.scheme.categories, one.codes)
        one = question_of(
            name,
            split.labels,
            split.times(times),
            options,
            lambda k: first(split.cell_of(k)),
            sets=True,
        )
    except InputError as error:
        if not alone and not isinstance(options.categories, Sequence):  # else it is said of all
            error.do = tuple(_about([name], error.do))
        raise
    return _label_sets(split, one, len(words), options, first, nothing)


def _label_sets(
    split: Split, one: Question, n_words: int, options: Options, first: Place, nothing: bool
) -> _Answers:
    """The cells as sets of labels, of which the scheme is read as if each stood alone."""
    scheme = replace(one.scheme, max_labels=None, ranked=options.ranked)
    check_sets(one.name, scheme)
    categories = scheme.categories
    sets: dict[int, tuple[int, ...]] = {}
    for cell, labels in split.of.items():
        given = [int(c) for c in dict.fromkeys(one.codes[list(labels)].tolist()) if c >= 0]
        if labels and not given:
            continue  # every word in the cell means missing
        sets[cell] = tuple(given if options.ranked else sorted(given))
    found = set(sets.values()) | ({()} if nothing else set())
    values = sorted(found, key=lambda labels: (len(labels), labels))
    position = {labels: k for k, labels in enumerate(values)}
    codes = np.full(n_words, BLANK, np.int64)
    codes[list(sets)] = [position[labels] for labels in sets.values()]
    named = tuple(tuple(categories[c] for c in labels) for labels in values)
    return _Answers(one, scheme, named, codes, split.notes)


def check_sets(question: str, scheme: Scheme) -> None:
    """The error for a scheme that sets of labels cannot have."""
    if scheme.scale != "nominal":
        asked = f"question {question!r} holds" if question else "the annotations hold"
        raise RequestError(
            f"{asked} sets of labels, which have no order and no distance on a scale "
            f"({scheme.scale!r}). How far two sets agree is said by the weights",
            parameter="scale",
        )


def values_of(questions: Sequence[tuple[Scheme, tuple[Value, ...]]]) -> tuple[Value, ...]:
    """The values of all questions: categories first, then sets of labels."""
    if len(questions) == 1:
        return questions[0][1]
    single = [s for s, _ in questions if s.max_labels == 1]
    categories: tuple[Value, ...] = union(single).categories if single else ()
    sets = [v for s, values in questions if s.max_labels != 1 for v in values]
    return tuple(dict.fromkeys([*categories, *sets])) if sets else categories


def _gather(readers: Sequence[_Answers], options: Options) -> tuple[str, ...]:
    """The notes of all questions, each sentence once with the questions it is about."""
    about: dict[str, list[str]] = {}
    missing: Counter[str] = Counter()
    for reader in readers:
        missing.update(reader.one.missing)
        for sentence in (*reader.notes, *reader.one.notes):
            about.setdefault(sentence, []).append(reader.one.name)
    notes: list[str] = []
    if missing:
        shown = ", ".join(f"{token!r} ({n:,})" for token, n in missing.most_common())
        all_of_them = Action("", {"categories": [...]}, "all of them, if these are categories")
        known = missing.keys() <= options.missing
        notes.append(Notice(f"cells that say {shown} count as blank", *[all_of_them] * (not known)))
    for sentence, names in about.items():
        if names != [""] and len(names) < len(readers):
            said = f"question{'s' * (len(names) > 1)} {listed(names)}: {sentence}"
            kind = type(sentence) if isinstance(sentence, Notice) else Notice
            sentence = kind(said, *_about(names, getattr(sentence, "do", ())))
        notes.append(sentence)
    return tuple(notes)


def _about(names: Sequence[str], do: Iterable[Action]) -> list[Action]:
    """Next steps that are about these questions alone."""

    def of(option: str, x: Any) -> Any:
        return dict.fromkeys(names, x) if option in ("scale", "categories") else x

    return [replace(step, options={k: of(k, x) for k, x in step.options.items()}) for step in do]


# ------------------------------------------------------------------ cells that hold several labels

EMPTY = frozenset(("[]", "{}", "()"))  # cells that say that no label applies
_OPEN = {"[": "]", "{": "}", "(": ")"}
_QUOTED = re.compile(r"""\(\s*(?:'[^']*'|"[^"]*")\s*(?:,\s*(?:'[^']*'|"[^"]*")\s*)*,?\s*\)""")


@dataclass(frozen=True)
class Split:
    """The distinct cells of a question as labels.

    ``labels`` (P,) are the distinct labels as written. ``of`` leads from each distinct cell that
    occurs to its labels, in the order of the cell; to none if it says that no label applies.
    """

    labels: tuple[Any, ...]
    of: Mapping[int, tuple[int, ...]]
    notes: tuple[str, ...]

    def times(self, times: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """(P,) in how many annotations each label occurs, from (W,) for the cells."""
        out = np.zeros(len(self.labels), np.int64)
        for cell, labels in self.of.items():
            out[list(labels)] += times[cell]
        return out

    def cell_of(self, label: int) -> int:
        """The first cell that holds a label."""
        return next(cell for cell, labels in self.of.items() if label in labels)


def split_cells(
    words: Words,
    times: NDArray[np.integer[Any]],
    question: str,
    options: Options,
    first: Place,
    *,
    alone: bool,
) -> Split | None:
    """The cells of a question taken apart, or None if each holds one label.

    Parameters
    ----------
    words, times
        (W,) distinct cells, and how often each occurs.
    first : callable
        Where a cell first occurs, for messages.
    alone : bool
        Whether this is the only question: then it is the one of which the user says that an
        annotation may hold several labels.
    """
    asked = alone and options.asks_for_sets
    if isinstance(words, np.ndarray) and not asked:
        return None
    cells = {k: w for k, w in enumerate(as_words(words)) if times[k]}
    if options.single:
        _check_one(cells, first)
        return None
    declared = options.categories_of(question)
    known = None if declared is None else {label_key(c) for c in as_declared(declared)}
    texts = {k: w for k, w in cells.items() if isinstance(w, str)}
    whole = {k for k, w in texts.items() if known is not None and label_key(w) in known}
    none = {k for k, w in texts.items() if w in options.empty or (w in EMPTY and k not in whole)}
    gone = nothing_said(options)
    open_ = {k: w for k, w in texts.items() if k not in whole | none and w not in gone}
    lists, notes = _lists(cells, open_, {w for w in texts.values() if w not in gone | EMPTY})
    mark, several = options.separator, any(len(x) != 1 for x in lists.values()) or bool(none)
    if mark is not None:
        notes.append(f"labels in a cell are separated by {mark!r}")
        several = several or any(mark in w for w in open_.values())
    elif not lists:
        words_only = [w for w in texts.values() if w not in gone | options.empty | EMPTY]
        found = guess(words_only, known, asked=options.asks_for_sets)
        if found is not None and found.clear:
            mark, several = found.mark, True
            shown = repr(min(found.joined, key=len))
            told = f"cells such as {shown} are read as several labels, separated by {mark!r}"
            notes.append(Notice(told, Action("", {"separator": ""}, "if they are one label")))
    if not (several or asked or question in options.sets):
        return None
    position: dict[Any, int] = {}
    of: dict[int, tuple[int, ...]] = {}
    odd = list[int]()
    for k, cell in cells.items():
        labels = () if k in none else lists.get(k, (cell,))
        if mark is not None and k not in whole:
            labels = tuple(x for label in labels for x in _parted(label, mark, known or ()))
        filled = [x.strip() if isinstance(x, str) else x for x in labels]
        filled = _without_none([x for x in filled if x != ""], options, first, k)
        if labels and not filled and k not in none and str(cell) not in options.empty:
            raise InputError(
                f"the cell {cell!r} holds a separator but no label. Leave it blank if nothing was "
                "given; write [] if no label applies",
                **first(k),
            )
        words_of = [plain(x) if isinstance(x, bool) else x for x in filled]
        of[k] = tuple(dict.fromkeys(position.setdefault(x, len(position)) for x in words_of))
        odd += [k] * (len(of[k]) < len(labels) and bool(of[k]))
    if odd:
        shown, n = as_it_stands(cells[odd[0]]), len(odd)
        what = "a label twice, or a separator with no label beside it"
        notes.append(f"cells that hold {what}, such as {shown}: it is ignored ({n:,} different)")
    return Split(tuple(position), of, tuple(notes))


def _check_one(cells: Mapping[int, Any], first: Place) -> None:
    for k, cell in cells.items():
        if isinstance(cell, tuple) and len(cell) != 1:
            shown = ", ".join(map(repr, map(str, cell)))
            held = f"{len(cell)} labels, {shown}" if cell else "an empty list"
            raise InputError(
                f"the cell holds {held}, but annotations were said to hold one label; without "
                "this limit sets of labels are read",
                **first(k),
            )


def _lists(
    cells: Mapping[int, Any], texts: Mapping[int, str], alone: set[str]
) -> tuple[dict[int, tuple[Any, ...]], list[str]]:
    """The cells that are lists, or texts that a program wrote for lists.

    A text is one if all are, or if most of its labels stand ``alone`` in other cells.
    """
    lists = {k: w for k, w in cells.items() if isinstance(w, tuple)}
    written = {k: found for k, w in texts.items() if (found := as_list(w)) is not None}
    rest = alone - {texts[k] for k in written}
    labels = {plain(x) for found in written.values() for x in found}
    if not written or (rest and (len(written) < 2 or 2 * len(labels & rest) < len(labels))):
        return lists, []
    several = [texts[k] for k, found in written.items() if len(found) != 1]
    if not several:
        return lists | written, []
    told = Notice(
        f"cells such as {min(several, key=len)!r} are read as lists of labels",
        Action("", {"separator": ""}, "if they are one label"),
    )
    return lists | written, [told]


def _parted(cell: Any, mark: str, known: Collection[str]) -> Sequence[Any]:
    """The labels of a cell; one that is a category as a whole stays so."""
    if not isinstance(cell, str) or mark not in cell or label_key(cell) in known:
        return (cell,)
    return parts(cell, mark)


def _without_none(labels: list[Any], options: Options, first: Place, k: int) -> list[Any]:
    """Without words that say that no label applies, which must stand alone."""
    rest = [x for x in labels if x not in options.empty]
    if rest and len(rest) < len(labels):
        none = next(x for x in labels if x in options.empty)
        raise InputError(
            f"the annotation says {none!r}, which was said to mean that no label applies, beside "
            f"{listed(map(plain, rest))}. Correct the data, or do not call {none!r} empty",
            **first(k),
        )
    return rest


def as_it_stands(cell: Any) -> str:
    """A cell in quotes; of a cell that was made of several, each of them.

    Examples
    --------
    >>> print(as_it_stands("joy;awe"), as_it_stands(("joy", "awe")))
    'joy;awe' 'joy', 'awe'
    """
    whole = cell if isinstance(cell, tuple) else (cell,)
    return ", ".join(repr(plain(x)) for x in whole) or "an empty list"


def as_list(text: str) -> tuple[Any, ...] | None:
    """A list as JSON or Python writes it, as a tuple; None if it is no list of labels.

    In parentheses stand spans of a text, '(12, 20)', unless the parts are quoted. What is null is
    missing.

    Examples
    --------
    >>> as_list('["a", "b"]'), as_list("['a', 2]"), as_list("[a, b]"), as_list("('a', 'b')")
    (('a', 'b'), ('a', 2), None, ('a', 'b'))
    """
    if len(text) < 2 or _OPEN.get(text[0]) != text[-1]:
        return None
    if text[0] == "(" and not _QUOTED.fullmatch(text):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        found = sorted(found, key=str) if isinstance(found, set) else found
        found = (found,) if isinstance(found, str) else found  # ('a') in parentheses
        flat = isinstance(found, list | tuple) and all(
            x is None or isinstance(x, str | int | float) for x in found
        )
        words = ("null" if x is None else plain(x) if isinstance(x, bool) else x for x in found)
        return tuple(words) if flat else None
    return None


def told_of_sets(data: Annotations, options: Options) -> Annotations:
    """The annotations with a note on blank cells, if they may hold several labels."""
    several = any(s.max_labels != 1 for s in data.schemes)
    open_ = several and data.reading.blanks and options.blank is None and () not in data.values
    told = "blank cells count as missing"
    if not open_ or told in map(str, data.reading.notes):
        return data
    way = Action("", {"blank": "empty"}, "if a blank cell says that no label applies")
    notes = (*data.reading.notes, Notice(told, way))
    return replace(data, reading=replace(data.reading, notes=notes))
