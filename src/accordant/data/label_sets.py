"""Cells that hold several labels, taken apart: lists, JSON lists, separated labels; their sizes."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .annotations import Annotations
from .labels import MISSING, as_declared, label_key, listed
from .options import Options
from .separators import guess, parts
from .table import Place, Words, as_words, plain

__all__ = [
    "EMPTY",
    "Split",
    "as_it_stands",
    "as_list",
    "set_sizes",
    "split_cells",
    "told_of_sets",
]

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
    gone = MISSING | options.missing
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
            notes.append(
                Notice(
                    f"cells such as {shown} are read as several labels, separated by {mark!r}",
                    Action("", {"separator": ""}, "if they are one label"),
                )
            )
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
        notes.append(f"{n:,} different cells hold {what}, such as {shown}: it is ignored")
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


# ---------------------------------------------------------------------- how many labels


def set_sizes(data: Annotations, question: str) -> NDArray[np.integer[Any]]:
    """(n + 1,) how many annotations of a question hold 0, 1, …, n labels.

    Examples
    --------
    >>> from accordant import read
    >>> set_sizes(read([[("a",), ("a", "b")], [(), ("b",)]]), "").tolist()
    [1, 2, 1]
    """
    if data.grid is not None:
        codes = data.grid.reshape(-1)
    else:
        columns = data.answered
        codes = columns.value[columns.question == data.questions.index(question)]
    times = np.bincount(codes.astype(np.intp) + 1, minlength=len(data.values) + 1)[1:]
    sizes = np.array([len(v) if isinstance(v, tuple) else 1 for v in data.values], np.intp)
    found: NDArray[np.integer[Any]] = np.bincount(sizes, times).astype(np.int64)
    return np.trim_zeros(found, "b")


def told_of_sets(data: Annotations, options: Options) -> Annotations:
    """The annotations with a note on how many labels they hold, if they may hold several."""
    notes = tuple(_size_notes(data, options))
    if not notes or data.reading.notes[-len(notes) :] == notes:
        return data
    return replace(data, reading=replace(data.reading, notes=(*data.reading.notes, *notes)))


def _size_notes(data: Annotations, options: Options) -> Iterator[str]:
    several = [q for q, s in zip(data.questions, data.schemes, strict=True) if s.max_labels != 1]
    for question in several:
        sizes = set_sizes(data, question)
        total = max(int(sizes.sum()), 1)
        each = [f"{k or 'none'} in {100 * n / total:.1f} %" for k, n in enumerate(sizes) if n]
        about = f"question {question!r}: " if question else ""
        yield f"{about}labels of an annotation: {', '.join(each)}"
    if several and data.reading.blanks and options.blank is None and () not in data.values:
        yield Notice(
            "blank cells count as missing",
            Action("", {"blank": "empty"}, "if a blank cell says that no label applies"),
        )
