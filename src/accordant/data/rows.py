"""One row for each cell that may hold an annotation: what all layouts are melted into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .labels import Place
from .table import Codes, Column, Table

__all__ = ["Rows", "keys_of", "numbered", "repeats"]


@dataclass(frozen=True)
class Rows:
    """One row for each cell that may hold an annotation: N rows.

    ``coder`` is None if nobody knows who answered. ``status`` is what a column of the file says
    of each annotation.
    """

    item: Column
    question: Column
    coder: Column | None
    label: Column
    place: Place
    status: Column | None = None
    texts: Sequence[str] | None = None  # (I,) over the items
    metadata: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # (I,) each

    def cut(self, keep: NDArray[np.integer[Any]]) -> Rows:
        """The rows at some positions."""
        cut: dict[str, Any] = {role: column.at(keep) for role, column in self.columns().items()}
        return replace(self, **cut, place=lambda k: self.place(int(keep[k])))

    def columns(self) -> dict[str, Column]:
        """The columns (N,) that there are, by their role."""
        roles = ("item", "question", "coder", "label", "status")
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
