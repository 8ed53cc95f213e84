"""From the distinct cells of every question to values: categories, or sets of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import RequestError
from ..scheme import Scheme, Value, union
from .label_sets import Split, split_cells
from .labels import Doubt, Question, check_names, listed, question_of
from .options import Options
from .table import BLANK, Codes, Column, Place, Words

__all__ = ["First", "Interpreted", "check_sets", "count_words", "interpret", "values_of"]

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
    if split is None:
        one = question_of(name, _unlisted(words), times, options, first)
        return _Answers(one, one.scheme, one.scheme.categories, one.codes)
    one = question_of(
        name,
        split.labels,
        split.times(times),
        options,
        lambda k: first(split.cell_of(k)),
        sets=True,
    )
    return _label_sets(split, one, len(words), options, first, nothing)


def _unlisted(words: Words) -> Words:
    """Cells that hold a list of one label are that label."""
    if isinstance(words, np.ndarray) or not any(isinstance(w, tuple) for w in words):
        return words
    return tuple(w[0] if isinstance(w, tuple) and w else w for w in words)


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
            made = Notice.behind(f"question{'s' * (len(names) > 1)} {listed(names)}: ", sentence)
            doubt = Doubt(made, *sentence.do) if isinstance(sentence, Doubt) else None
            sentence = doubt or made
        notes.append(sentence)
    return tuple(notes)
