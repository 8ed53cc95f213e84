"""Several rows of one annotation, each with a label: read as one set of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError
from .labels import Place, is_number
from .options import Options
from .rows import Rows
from .table import BLANK, Codes, Column, as_words, plain

__all__ = ["asks_for_union", "sets_of_rows", "systematic", "united"]

_SHARE = 0.1  # of the annotations that must have several rows to be no slip
_FEWEST = 3  # annotations with several rows


def systematic(n: int) -> Notice:
    """The warning about several rows of an annotation that are read as its labels."""
    return Notice(
        f"{n:,} annotations have several rows, each with another label: they are read as one "
        "annotation with several labels. If they are mistakes or by different coders, correct "
        "the data",
        Action("", {"duplicates": "first"}, "or 'last', or 'keep'"),
        Action("", {"duplicates": "union"}, "to confirm"),
    )


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
    key = _keys(rows)[given]
    label = rows.label.codes[given].astype(np.int64)
    order = np.lexsort((label, key))
    key, label = key[order], label[order]
    again = key[1:] == key[:-1]
    if (again & (label[1:] == label[:-1])).any():
        return 0
    several = np.unique(key[1:][again])
    n = len(key) - int(np.count_nonzero(again))
    coders = np.unique(several % len(rows.coder.words))
    enough = len(several) >= max(_FEWEST, _SHARE * n) and len(coders) > 1
    return len(several) if enough else 0


def united(rows: Rows, options: Options) -> tuple[Rows, int]:
    """One row for each annotation, and how many rows repeated a label of theirs.

    Labels stand in the order of their weights, else of their rows.
    """
    key = _keys(rows)
    label = rows.label.codes
    if rows.weight is not None:
        _check_weights(rows)
        label = np.where(rows.weight > 0, label, BLANK)
    order = np.lexsort((np.zeros(len(key)) if rows.weight is None else -rows.weight, key))
    key, label = key[order], label[order]
    start = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    group = np.repeat(np.arange(len(start)), np.diff(np.r_[start, len(key)]))
    codes, words, n_twice = _sets(label, group, len(start), rows)
    first = np.minimum.reduceat(order, start) if len(start) else start
    back = np.argsort(first, kind="stable")
    if rows.weight is not None:
        codes = np.where((codes == BLANK) & _given(rows, order, start), len(words), codes)
        words = (*words, ())
    kept = first[back]
    made = rows.cut(kept, _place(rows.place, kept))
    return replace(made, label=Column(rows.label.name, codes[back], words), weight=None), n_twice


def _given(rows: Rows, order: Codes, start: Codes) -> NDArray[np.bool_]:
    """(G,) whether an annotation has a label at all, though of no weight."""
    given = (rows.label.codes != BLANK)[order]
    return np.logical_or.reduceat(given, start) if len(start) else given


def _place(place: Place, kept: Codes) -> Place:
    return lambda k: place(int(kept[k]))


def _keys(rows: Rows) -> NDArray[np.int64]:
    """(N,) one number for each item, question and coder."""
    key = rows.item.codes.astype(np.int64) * len(rows.question.words)
    key += rows.question.codes
    if rows.coder is not None:
        key *= len(rows.coder.words)
        key += rows.coder.codes
    return key


def _sets(
    label: Codes, group: NDArray[np.integer[Any]], n_groups: int, rows: Rows
) -> tuple[NDArray[np.int64], tuple[Any, ...], int]:
    """(G,) codes of what each group holds, the words they lead to, and labels given twice."""
    words = list(as_words(rows.label.words))
    given = label != BLANK
    label, group = label[given].astype(np.int64), group[given]
    pair = group * max(len(words), 1) + label
    _, once = np.unique(pair, return_index=True)
    n_twice = len(pair) - len(once)
    once.sort()
    label, group = label[once], group[once]
    size = np.bincount(group, minlength=n_groups)
    codes = np.full(n_groups, BLANK, np.int64)
    single = size[group] == 1
    codes[group[single]] = label[single]
    label, group = label[~single], group[~single]
    if len(group):
        start = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
        rank = np.arange(len(group)) - np.repeat(start, np.diff(np.r_[start, len(group)]))
        table = np.full((len(start), int(rank.max()) + 1), BLANK, np.int64)
        table[np.repeat(np.arange(len(start)), np.diff(np.r_[start, len(group)])), rank] = label
        distinct, of = np.unique(table, axis=0, return_inverse=True)
        codes[group[start]] = len(words) + of.reshape(-1)
        words += [tuple(words[k] for k in row if k != BLANK) for row in distinct.tolist()]
    return codes, tuple(words), n_twice


def _check_weights(rows: Rows) -> None:
    """A label without a weight, or with one that is no number, is an error."""
    if rows.weight is None:
        return
    bad = (rows.label.codes != BLANK) & ~(rows.weight >= 0)
    if bad.any():
        raise InputError(
            "the weight of the label is missing, negative or no number; a weight says how "
            "strongly a label was given, 0 that it was not",
            **rows.place(int(np.flatnonzero(bad)[0])) | {"column": None},
        )
