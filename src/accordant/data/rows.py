"""One row for each cell that may hold an annotation: what all layouts are melted into.

Rows that are about one item, question and coder repeat an annotation: they are its labels, further
occasions of the coder, or mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .labels import Place, is_number
from .options import Options
from .table import BLANK, Codes, Column, Table, as_words, plain

__all__ = [
    "Rows",
    "asks_for_union",
    "keys_of",
    "numbered",
    "repeats",
    "sets_of_rows",
    "systematic",
    "united",
]

_SHARE = 0.1  # of the annotations that must have several rows to be no slip
_FEWEST = 3  # annotations with several rows


@dataclass(frozen=True)
class Rows:
    """One row for each cell that may hold an annotation: N rows.

    ``coder`` is None if nobody knows who answered. ``status`` is what a column of the file says
    of each annotation, ``weight`` how strongly the label was given.
    """

    item: Column
    question: Column
    coder: Column | None
    label: Column
    place: Place
    status: Column | None = None
    weight: Column | None = None
    texts: Sequence[str] | None = None  # (I,) over the items
    metadata: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # (I,) each

    def cut(self, keep: NDArray[np.integer[Any]]) -> Rows:
        """The rows at some positions."""
        cut: dict[str, Any] = {role: column.at(keep) for role, column in self.columns().items()}
        return replace(self, **cut, place=lambda k: self.place(int(keep[k])))

    def of_questions(self, names: Sequence[str]) -> Rows:
        """The rows of some questions, in the order given; all if there is no such question."""
        known = self.question.text
        if not set(names) <= set(known):
            return self
        chosen = [known.index(name) for name in names]
        kept = self.cut(np.flatnonzero(np.isin(self.question.codes, chosen)))
        into = np.zeros(len(known), np.int32)
        into[chosen] = np.arange(len(names))
        question = Column(self.question.name, into[kept.question.codes], tuple(names))
        return replace(kept, question=question)

    def columns(self) -> dict[str, Column]:
        """The columns (N,) that there are, by their role."""
        roles = ("item", "question", "coder", "label", "status", "weight")
        return {role: column for role in roles if (column := getattr(self, role)) is not None}


def numbered(table: Table) -> Column:
    """(N,) ids for the rows of a table that has none: 1, 2, 3, …."""
    n = len(table)
    return Column("item", np.arange(n, dtype=np.int32), np.arange(1, n + 1))


def keys_of(
    item: Codes, question: Codes, coder: Codes | None, n_questions: int, n_coders: int
) -> NDArray[np.int64]:
    """(N,) one number for each item, question and coder."""
    key = item.astype(np.int64) * n_questions
    key += question
    if coder is not None:
        key *= n_coders
        key += coder
    return key


def repeats(keys: Sequence[Codes], order: Codes | None = None) -> NDArray[np.int64]:
    """(N,) how many rows with the same keys come before each, as they stand or by ``order``.

    Examples
    --------
    >>> repeats([np.array([7, 8, 7, 7])]).tolist()
    [0, 0, 1, 2]
    """
    at = np.lexsort([*([] if order is None else [order]), *keys])
    new = np.zeros(len(at), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[at][1:] != key[at][:-1]
    start = np.flatnonzero(new)
    before = np.empty(len(at), np.int64)
    before[at] = np.arange(len(at)) - np.repeat(start, np.diff(np.r_[start, len(at)]))
    return before


# ---------------------------------------------------------------------- rows of one annotation


def asks_for_union(rows: Rows, options: Options) -> bool:
    """Whether the user says that the rows of an annotation are its labels.

    A largest number of labels says so only where no cell holds several.
    """
    if rows.coder is None:
        return False
    if options.duplicates == "union" or options.label_weight:
        return True
    lists = any(isinstance(w, tuple) for w in as_words(rows.label.words))
    several = (options.max_labels or 0) > 1 and options.duplicates == "error"
    return several and not options.separator and not lists


def systematic(n: int) -> Notice:
    """The warning about several rows of an annotation that are read as its labels."""
    return Notice(
        f"{n:,} annotations have several rows, each with another label: they are read as one "
        "annotation with several labels. If they are mistakes or by different coders, correct "
        "the data",
        Action("", {"duplicates": "first"}, "or 'last', or 'keep'"),
        Action("", {"duplicates": "union"}, "to confirm"),
    )


def sets_of_rows(rows: Rows) -> int:
    """In how many annotations several rows hold different labels, if that is no accident; or 0.

    It is none where many annotations of several coders have several rows, no two rows are the
    same, and the labels are words: a second number is rather a second try.
    """
    words = as_words(rows.label.words)
    if rows.coder is None or rows.status is not None:
        return 0
    if any(isinstance(w, tuple) or is_number(plain(w)) for w in words):
        return 0
    given = rows.label.codes != BLANK
    key, label = _keys(rows)[given], rows.label.codes[given]
    if repeats([key, label]).any():
        return 0
    before = repeats([key])
    several = key[before == 1]
    coders = np.unique(several % len(rows.coder.words))
    enough = len(several) >= max(_FEWEST, _SHARE * np.count_nonzero(before == 0))
    return len(several) if enough and len(coders) > 1 else 0


def united(rows: Rows) -> tuple[Rows, int]:
    """One row for each annotation, and how many rows repeated a label of theirs.

    Labels stand in the order of their weights, else of their rows.
    """
    key, label = _keys(rows), rows.label.codes
    weight = np.ones(len(key)) if rows.weight is None else _weights(rows, rows.weight)
    label = np.where(weight > 0, label, BLANK)
    order = np.lexsort((-weight, key))
    start = np.flatnonzero(np.diff(key[order], prepend=-1))
    group = np.repeat(np.arange(len(start)), np.diff(np.r_[start, len(key)]))
    codes, words, n_twice = _sets(label[order], group, len(start), rows)
    first = np.minimum.reduceat(order, start) if len(start) else start
    if rows.weight is not None and len(start):  # labels of no weight: an empty set
        given = np.logical_or.reduceat((rows.label.codes != BLANK)[order], start)
        codes = np.where((codes == BLANK) & given, len(words), codes)
        words = (*words, ())
    back = np.argsort(first)
    label_of = Column(rows.label.name, codes[back], words)
    return replace(rows.cut(first[back]), label=label_of, weight=None), n_twice


def _keys(rows: Rows) -> NDArray[np.int64]:
    coder, n_coders = (None, 0) if rows.coder is None else (rows.coder.codes, len(rows.coder.words))
    return keys_of(rows.item.codes, rows.question.codes, coder, len(rows.question.words), n_coders)


def _sets(
    label: Codes, group: NDArray[np.integer[Any]], n_groups: int, rows: Rows
) -> tuple[NDArray[np.int64], tuple[Any, ...], int]:
    """(G,) codes of what each group holds, the words they lead to, and labels given twice."""
    words = list(as_words(rows.label.words))
    given = label != BLANK
    label, group = label[given].astype(np.int64), group[given]
    once = repeats([group, label]) == 0
    n_twice = int(np.count_nonzero(~once))
    label, group = label[once], group[once]
    codes = np.full(n_groups, BLANK, np.int64)
    several = np.bincount(group, minlength=n_groups)[group] > 1
    codes[group[~several]] = label[~several]
    label, group = label[several], group[several]
    if len(group):
        which, row = np.unique(group, return_inverse=True)
        rank = repeats([group])
        table = np.full((len(which), int(rank.max()) + 1), BLANK, np.int64)
        table[row, rank] = label
        distinct, of = np.unique(table, axis=0, return_inverse=True)
        codes[which] = len(words) + of.reshape(-1)
        words += [tuple(words[k] for k in row if k != BLANK) for row in distinct.tolist()]
    return codes, tuple(words), n_twice


def _weights(rows: Rows, column: Column) -> NDArray[np.float64]:
    """(N,) the weights; a label without one, or with one that is no number, is an error."""
    found = [float(w) if is_number(w) else np.nan for w in column.text]
    weight: NDArray[np.float64] = np.array([*found, np.nan])[column.codes]
    bad = (rows.label.codes != BLANK) & ~(weight >= 0)
    if bad.any():
        raise InputError(
            "the weight of the label is missing, negative or no number; a weight says how "
            "strongly a label was given, 0 that it was not",
            **rows.place(int(np.flatnonzero(bad)[0])) | {"column": None},
        )
    return weight
