"""Cells that hold several labels, taken apart: lists, JSON lists, separated labels; their sizes."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .annotations import Annotations
from .labels import MISSING, Place, as_declared, label_key, listed
from .options import Options
from .separators import guess, parts
from .table import Words, as_words, plain

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
    if isinstance(words, np.ndarray) and not (alone and options.asks_for_sets):
        return None
    cells = {k: w for k, w in enumerate(as_words(words)) if times[k]}
    if options.single:
        _check_one(cells, first)
        return None
    reader = _Reader(cells, question, options, first)
    if not (reader.several or question in options.sets or (alone and options.asks_for_sets)):
        return None
    return reader.split()


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


@dataclass
class _Reader:
    """Takes the cells of one question apart."""

    cells: Mapping[int, Any]
    question: str
    options: Options
    first: Callable[[int], dict[str, Any]]
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        declared = self.options.categories_of(self.question)
        self.categories = (
            None if declared is None else {label_key(c) for c in as_declared(declared)}
        )
        self.lists = self._listed()
        self.mark = self.options.separator
        self.found: tuple[str, ...] = ()
        if self.mark is not None:
            self.notes.append(f"labels in a cell are separated by {self.mark!r}")
        elif not self.lists:
            self._look_for_separator()

    @property
    def several(self) -> bool:
        """Whether some cell is a set rather than a label."""
        if any(len(labels) != 1 for labels in self.lists.values()) or self.found:
            return True
        texts = [w for w in self.cells.values() if isinstance(w, str)]
        if any(w in self.options.empty or self._says_nothing(w) for w in texts):
            return True
        return bool(self.mark) and any(
            (self.mark or "") in w and not self._is_category(w) for w in texts
        )

    def _says_nothing(self, text: str) -> bool:
        """Whether a cell is the empty list that a program wrote."""
        return text in EMPTY and not self._is_category(text)

    def _is_category(self, text: str) -> bool:
        return self.categories is not None and label_key(text) in self.categories

    def _texts(self) -> list[str]:
        """The cells that are words, other than those that mean missing."""
        gone = MISSING | self.options.missing | self.options.empty | EMPTY
        return [w for w in self.cells.values() if isinstance(w, str) and w not in gone]

    # -------------------------------------------------------------- lists

    def _listed(self) -> dict[int, tuple[Any, ...]]:
        """The cells that are lists, or texts that a program wrote for lists."""
        lists = {k: w for k, w in self.cells.items() if isinstance(w, tuple)}
        written = {
            k: found
            for k, w in self.cells.items()
            if isinstance(w, str)
            and w not in EMPTY
            and not self._is_category(w)
            and (found := as_list(w)) is not None
        }
        if not self._lists_are_clear(written):
            return lists
        several = [str(self.cells[k]) for k, found in written.items() if len(found) != 1]
        if several:
            self.notes.append(
                Notice(
                    f"cells such as {min(several, key=len)!r} are read as lists of labels",
                    Action("", {"separator": ""}, "if they are one label"),
                )
            )
        return lists | written

    def _lists_are_clear(self, written: Mapping[int, tuple[Any, ...]]) -> bool:
        """Whether '[…]' is a list: all cells are, or most of its labels stand alone elsewhere."""
        if not written:
            return False
        rest = set(self._texts()) - {self.cells[k] for k in written}
        if not rest:
            bare = all(_bare(str(self.cells[k])) for k in written)
            return not bare or any(len(found) > 1 for found in written.values())
        labels = {plain(x) for found in written.values() for x in found}
        return len(written) > 1 and 2 * len(labels & rest) >= len(labels)

    # -------------------------------------------------------------- separators

    def _look_for_separator(self) -> None:
        texts = self._texts()
        found = guess(texts, self.categories, asked=self.options.asks_for_sets)
        if found is not None and found.clear:
            self.mark, self.found = found.mark, found.joined
            shown = repr(min(found.joined, key=len))
            self.notes.append(
                Notice(
                    f"cells such as {shown} are read as several labels, separated by "
                    f"{found.mark!r}",
                    Action("", {"separator": ""}, "if they are one label"),
                )
            )

    def split(self) -> Split:
        """Every cell as its labels."""
        position: dict[Any, int] = {}
        of: dict[int, tuple[int, ...]] = {}
        blank: list[int] = []
        again: list[int] = []
        for k, cell in self.cells.items():
            labels = self._labels(k, cell)
            filled = [x for x in labels if x != ""]
            if len(filled) < len(labels):
                blank.append(k)
            filled = self._without_none(k, filled)
            codes = [position.setdefault(_key(x), len(position)) for x in filled]
            of[k] = tuple(dict.fromkeys(codes))
            if len(of[k]) < len(codes):
                again.append(k)
        self._tell(blank, "a separator with no label beside it", "it is ignored")
        self._tell(again, "a label twice", "it counts once")
        return Split(tuple(position), of, tuple(self.notes))

    def _without_none(self, k: int, labels: list[Any]) -> list[Any]:
        """Without words that say that no label applies, which must stand alone."""
        rest = [x for x in labels if x not in self.options.empty]
        if rest and len(rest) < len(labels):
            none = next(x for x in labels if x in self.options.empty)
            raise InputError(
                f"the annotation says {none!r}, which was said to mean that no label applies, "
                f"beside {listed(map(plain, rest))}. Correct the data, or do not call {none!r} "
                "empty",
                **self.first(k),
            )
        return rest

    def _tell(self, cells: Sequence[int], what: str, so: str) -> None:
        if cells:
            shown = as_it_stands(self.cells[cells[0]])
            n = f"{len(cells):,} different cells hold" if len(cells) > 1 else "a cell holds"
            self.notes.append(f"{n} {what}, such as {shown}: {so}")

    def _labels(self, k: int, cell: Any) -> Sequence[Any]:
        if k in self.lists:
            labels = self.lists[k]
            if self.options.separator:
                return [x for label in labels for x in self._parted(k, label)]
            return [x.strip() if isinstance(x, str) else x for x in labels]
        if isinstance(cell, str) and (cell in self.options.empty or cell in EMPTY):
            return ()
        return self._parted(k, cell)

    def _parted(self, k: int, cell: Any) -> Sequence[Any]:
        mark = self.mark
        if mark is None or not isinstance(cell, str) or mark not in cell or self._is_category(cell):
            return (cell,)
        found = parts(cell, mark)
        if not any(found):
            raise InputError(
                f"the cell {cell!r} holds a separator but no label. Leave it blank if nothing was "
                "given; write [] if no label applies",
                **self.first(k),
            )
        if not mark.strip():
            return [p for p in found if p]
        return self._with_marks_in_labels(found, mark)

    def _with_marks_in_labels(self, found: list[str], mark: str) -> list[str]:
        """Parts put together again where that gives a category: the longest that fits."""
        inside = [c for c in self.categories or () if mark in c]
        if not inside:
            return found
        out = []
        longest = max(c.count(mark) for c in inside) + 1
        tidy = {tuple(parts(c, mark)): c for c in inside}
        k = 0
        while k < len(found):
            for n in range(min(longest, len(found) - k), 0, -1):
                if n == 1 or tuple(found[k : k + n]) in tidy:
                    out.append(found[k] if n == 1 else tidy[tuple(found[k : k + n])])
                    k += n
                    break
        return out


def as_it_stands(cell: Any) -> str:
    """A cell in quotes; of a cell that was made of several, each of them.

    Examples
    --------
    >>> print(as_it_stands("joy;awe"), as_it_stands(("joy", "awe")))
    'joy;awe' 'joy', 'awe'
    """
    whole = cell if isinstance(cell, tuple) else (cell,)
    return ", ".join(repr(plain(x)) for x in whole) or "an empty list"


def _key(label: Any) -> Any:
    return plain(label) if isinstance(label, bool) else label


def as_list(text: str) -> tuple[Any, ...] | None:
    """A list as JSON, Python or a database writes it, as a tuple; None if it is no list.

    In parentheses stand spans of a text, '(12, 20)', unless the parts are quoted.

    Examples
    --------
    >>> as_list('["a", "b"]'), as_list("['a', 2]"), as_list("{a,b}"), as_list("[a, b]")
    (('a', 'b'), ('a', 2), ('a', 'b'), ('a', 'b'))
    >>> as_list("a"), as_list("(12, 20)"), as_list("('a', 'b')")
    (None, None, ('a', 'b'))
    """
    if len(text) < 2 or _OPEN.get(text[0]) != text[-1]:
        return None
    if text[0] == "(" and not _QUOTED.fullmatch(text):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            return _flat(parse(text))
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    if (text[0] == "{" and ":" not in text) or _bare(text):
        return tuple(p.strip().strip("\"'") for p in text[1:-1].split(",") if p.strip())
    return None


def _bare(text: str) -> bool:
    """Whether words stand between square brackets without quotes: [a, b]."""
    return text[:1] == "[" and not set(text[1:-1]) & set("[]{}:'\"")


def _flat(found: Any) -> tuple[Any, ...] | None:
    """A list of labels as a tuple; None for anything deeper. What is null is missing."""
    if isinstance(found, set):
        found = sorted(found, key=str)
    if isinstance(found, str):
        found = (found,)  # ('a') in parentheses
    if not isinstance(found, list | tuple):
        return None
    if not all(x is None or isinstance(x, str | int | float) for x in found):
        return None
    return tuple("null" if x is None else plain(x) if isinstance(x, bool) else x for x in found)


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
