"""A coder who annotates an item again: each time is kept as an occasion of that coder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .annotations import Columns

__all__ = ["occasions", "told_of_occasions"]


def occasions(
    columns: Columns, key: NDArray[np.int64], coders: Sequence[str]
) -> tuple[Columns, tuple[str, ...], tuple[str, ...]]:
    """The annotations with a coder for each time somebody annotated the same item.

    Parameters
    ----------
    columns : Columns
        N annotations, in the order in which they were made.
    key : ndarray of int
        (N,) the same number for the annotations of an item, question and coder.
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
    time = _times(key)
    most = np.zeros(len(coders), np.int64)
    np.maximum.at(most, columns.coder, time + 1)
    most = np.maximum(most, 1)
    start = np.cumsum(most) - most
    names = [
        name if k == 0 else f"{name} ({_nth(k + 1)} time)"
        for name, n in zip(coders, most.tolist(), strict=True)
        for k in range(n)
    ]
    _check(names, coders)
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


def _times(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N,) how often the same key came before."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    start = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    length = np.diff(np.r_[start, len(ordered)])
    time = np.empty(len(key), np.int64)
    time[order] = np.arange(len(key)) - np.repeat(start, length)
    return time


def _nth(n: int) -> str:
    """Second, third … in figures.

    Examples
    --------
    >>> [_nth(n) for n in (2, 3, 4, 11, 22, 113)]
    ['2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    ending: dict[Any, str] = {1: "st", 2: "nd", 3: "rd"}
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ending.get(n % 10, 'th')}"


def _check(names: Sequence[str], coders: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        taken = next(n for n in names if n in set(coders) and names.count(n) > 1)
        raise InputError(
            f"an occasion of a coder would be called {taken!r}, but a coder has this name "
            "already: give the coder another name",
            parameter="duplicates",
        )
