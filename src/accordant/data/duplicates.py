"""Annotations that stand there twice: the same again, mistakes, or occasions of one coder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..errors import InputError
from .annotations import Columns
from .label_sets import as_it_stands
from .rows import Rows, keys_of, repeats
from .table import BLANK, as_words, plain

__all__ = ["n_repeated", "occasions", "once", "told_of_occasions", "unique"]

Ints = NDArray[np.integer[Any]]
Sizes = tuple[int, int, int]  # I, Q, C


def _keys(columns: Columns, sizes: Sizes) -> NDArray[np.int64]:
    return keys_of(columns.item, columns.question, columns.coder, *sizes[1:])


def n_repeated(columns: Columns, sizes: Sizes) -> int:
    """How many rows repeat an annotation."""
    n_items, n_questions, n_coders = sizes
    key = _keys(columns, sizes)
    if n_items * n_questions * n_coders <= 4 * len(key) + (1 << 20):
        seen = np.zeros(n_items * n_questions * n_coders, bool)
        seen[key] = True
        return len(key) - int(np.count_nonzero(seen))
    key.sort()  # a hundredth of the time of np.unique, which hashes
    return int(np.count_nonzero(key[1:] == key[:-1]))


def once(columns: Columns, sizes: Sizes) -> Ints:
    """The rows that do not say of an annotation what a row above says."""
    return np.flatnonzero(repeats([_keys(columns, sizes), columns.value, columns.status]) == 0)


def unique(
    columns: Columns,
    coders: Sequence[str],
    names: Sequence[str],
    rows: Rows,
    origin: Ints,
    duplicates: str,
) -> Columns:
    """The first or the last of repeated annotations, or the error that names two rows of one.

    ``origin`` (N,) are the positions of the annotations in ``rows``.
    """
    key = _keys(columns, (len(rows.item.words), len(names), len(coders)))
    if duplicates == "last":
        return columns.where(repeats([key[::-1]])[::-1] == 0)
    again = repeats([key]) > 0
    if duplicates == "first":
        return columns.where(~again)
    at = int(np.flatnonzero(again)[0])
    before = int(np.flatnonzero(key == key[at])[0])
    item = plain(as_words(rows.item.words)[int(columns.item[at])])
    question = names[int(columns.question[at])]
    coder = coders[int(columns.coder[at])]
    asked = f" to question {question!r}" if question else ""
    raise _twice(
        f"coder {coder!r} annotated item {item!r}{asked}",
        rows,
        (int(origin[before]), int(origin[at])),
        int(np.count_nonzero(again)),
    )


def _twice(who: str, rows: Rows, at: tuple[int, int], n: int) -> InputError:
    """The error about two rows of one annotation, of ``n`` that are repeated."""
    first, second = map(rows.place, at)
    words = as_words(rows.label.words)
    codes = rows.label.codes[list(at)].tolist()
    said = [as_it_stands(words[k]) if k != BLANK else "nothing" for k in codes]
    other = [str(first[k]) for k in ("file",) if first.get(k) != second.get(k)]
    where = f"row {first['row']}" if first.get("row") is not None else "before"
    more = f"; {n:,} annotations are repeated in all" if n > 1 else ""
    return InputError(
        f"{who} twice: {said[0]} ({', '.join([*other, where])}) and {said[1]} here{more}",
        **second,
        do=[
            Action("", {"duplicates": "first"}, "or 'last'"),
            Action("", {"duplicates": "keep"}, "if coders were to annotate items again"),
            Action("", {"duplicates": "union"}, "if a coder may give several labels, a row each"),
        ],
    )


# ---------------------------------------------------------------------- occasions


def occasions(
    columns: Columns, sizes: Sizes, coders: Sequence[str]
) -> tuple[Columns, tuple[str, ...], tuple[str, ...]]:
    """The annotations with a coder for each time somebody annotated the same item.

    Parameters
    ----------
    columns : Columns
        N annotations, in the order in which they were made.
    sizes : tuple of int
        Of items, questions and coders.
    coders : sequence of str
        (C,) names.

    Returns
    -------
    tuple
        The annotations, the occasions ('Ann', 'Ann (2nd time)', 'Bob') and the person of each
        ('Ann', 'Ann', 'Bob').

    Raises
    ------
    InputError
        If somebody else is called as an occasion would be.
    """
    time = repeats([_keys(columns, sizes)])
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


def told_of_occasions(coders: Sequence[str], persons: Sequence[str], n: int) -> str:
    """A sentence about ``n`` annotations that were kept as second, third … ones."""
    again = next(c for c, p in zip(coders, persons, strict=True) if c != p)
    who = len({p for c, p in zip(coders, persons, strict=True) if c != p})
    return (
        f"{n:,} {'annotation repeats an' if n == 1 else 'annotations repeat'} earlier "
        f"{'one' if n == 1 else 'ones'} of the same coder ({who:,} coder{'s' * (who > 1)}): each "
        f"repeat is read as a separate coder, such as {again!r}, in the order of the rows. Models "
        "treat the repeats as one coder. Coefficients do not: agreement between repeats is "
        "intra-coder consistency, not inter-coder reliability"
    )


def _nth(n: int) -> str:
    """Second, third … in figures.

    Examples
    --------
    >>> [_nth(n) for n in (2, 3, 4, 11, 22, 113)]
    ['2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    ending: dict[Any, str] = {1: "st", 2: "nd", 3: "rd"}
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ending.get(n % 10, 'th')}"
