"""Annotations as they would be if one thing were settled, for everybody to check."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import NO_VALUE, Annotations
from ..errors import RequestError
from ..measure.sets import unranked
from ..scheme import Value
from .settling import Lever, Settling

__all__ = ["Places", "settled"]

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

MANY = 100  # values of a column


@dataclass(frozen=True, eq=False)
class Places:
    """The items that levers pick out by their metadata or their position.

    Where several questions are pooled, each question about an item is a place of its own, as in
    `Items`: I·Q places.
    """

    data: Annotations
    _codes: dict[str, tuple[Ints, dict[Hashable, int]]] = field(default_factory=dict, repr=False)

    def of(self, lever: Lever) -> Bools | None:
        """(I·Q,) the items that a lever is about by name, None if it is about all.

        Raises
        ------
        RequestError
            If there is no such column.
        """
        n_questions = len(self.data.questions)
        if lever.kind == "items":
            found = np.zeros(len(self.data.items) * n_questions, bool)
            found[list(lever.of)] = True
            return found
        if lever.kind != "group":
            return None
        column, value = lever.of
        code, known = self._coded(column)
        return np.repeat(code == known.get(value, NO_VALUE - 1), n_questions)

    def groups(self, column: str) -> dict[Hashable, int]:
        """The values of a column, blank ones aside, with the number of items of each.

        None at all if they are many: then they do not tell groups apart.
        """
        code, known = self._coded(column)
        if len(known) > MANY:
            return {}
        n = np.bincount(code + 1, minlength=len(known) + 1)[1:]
        return {value: int(n[k]) for value, k in known.items() if not _blank(value)}

    def _coded(self, column: str) -> tuple[Ints, dict[Hashable, int]]:
        """(I,) codes of the values of a column, and these; lists and the like have no code."""
        if column not in self.data.metadata:
            have = ", ".join(self.data.metadata) or "none"
            raise RequestError(f"there is no column {column!r}: the data have {have}")
        if column not in self._codes:
            known: dict[Hashable, int] = {}
            found = (_code(value, known) for value in self.data.metadata[column])
            self._codes[column] = np.fromiter(found, np.int64, len(self.data.items)), known
        return self._codes[column]


def _code(value: Any, known: dict[Hashable, int]) -> int:
    try:
        return known.setdefault(value, len(known))
    except TypeError:
        return NO_VALUE


def _blank(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def settled(data: Annotations, lever: Lever, *, ranked: bool = False) -> Annotations:
    """The annotations as they would be if one thing were settled.

    Parameters
    ----------
    data : Annotations
    lever : Lever
        What is settled; `Settling.edit` says how.
    ranked : bool
        Whether sets of the same labels in another order are different values.

    Returns
    -------
    Annotations
        The same items and coders; only labels change. Coefficients of these annotations are what
        `levers` says they would be.

    Raises
    ------
    RequestError
        If the data have no such category, coder or column.

    Examples
    --------
    >>> from accordant import read
    >>> data = read([["a", "b", "c", "a"], ["a", "c", "b", "b"], ["a", "c", "b", "a"]])
    >>> [row["label"] for row in settled(data, Lever("pair", ("b", "c"))).to_rows()][3:6]
    ['c', 'c', 'c']
    """
    counts = count(data) if ranked else unranked(count(data))
    scheme = data.scheme
    edit = Settling(counts, scheme.categories, ranked).edit(lever, Places(data).of(lever))
    keys = {_as_key(v, ranked): k for k, v in enumerate(counts.values)}
    code = np.array([keys.get(_as_key(v, ranked), NO_VALUE) for v in data.values])
    rows = data.answered
    place = rows.item.astype(np.int64) * len(data.questions) + rows.question
    old, pattern = code[rows.value], edit.counts.pattern_of[place]
    counted = np.flatnonzero((old >= 0) & (pattern >= 0))
    coder = None if counts.coder is None else _positions(data.coders, counts.coders)[rows.coder]
    at = _entries(
        edit.counts, None if coder is None else coder[counted], pattern[counted], old[counted]
    )  # fmt: skip
    new = old.copy()
    new[counted] = edit.value[at]
    changed = new != old
    return _with_values(data, changed, new[changed], edit.values)


def _as_key(value: Any, ranked: bool) -> Any:
    """What makes two values the same."""
    if not isinstance(value, tuple):
        return value
    return value if ranked else frozenset(value)


def _positions(names: tuple[str, ...], known: tuple[str, ...]) -> Ints:
    """(C,) where each name stands among those known, 0 for none."""
    place = {name: c for c, name in enumerate(known)}
    return np.array([place.get(name, 0) for name in names], np.int64)


def _entries(counts: Counts, coder: Ints | None, pattern: Ints, value: Ints) -> Ints:
    """(N,) the entries that annotations are counted in.

    ``coder`` (N,) are positions among the coders of the counts; without them an annotation is
    found by its value.
    """
    if counts.coder is None or coder is None:
        width, own, wanted = counts.n_values, counts.value, value
    else:
        width, own, wanted = counts.n_coders, counts.coder, coder
    key = counts.row * np.int64(width) + own
    order = np.argsort(key, kind="stable")
    return np.asarray(order[np.searchsorted(key[order], pattern * np.int64(width) + wanted)])


def _with_values(
    data: Annotations, changed: Bools, new: Ints, values: tuple[Value, ...]
) -> Annotations:
    """Annotations of which some, a mask over the answered ones, have other values."""
    known = {v: k for k, v in enumerate(data.values)}
    more = tuple(v for v in dict.fromkeys(values[k] for k in np.unique(new)) if v not in known)
    known |= {v: len(data.values) + k for k, v in enumerate(more)}
    code = np.array([known.get(v, NO_VALUE) for v in values])[new]
    rows = data.answered
    if data.grid is not None:
        grid = data.grid.astype(
            np.result_type(data.grid.dtype, np.min_scalar_type(-len(known) - 1))
        )
        grid[rows.item[changed], rows.coder[changed]] = code
        return replace(data, values=(*data.values, *more), layout=grid)
    value = data.columns.value.astype(np.int64)
    value[np.flatnonzero(value != NO_VALUE)[changed]] = code
    layout = replace(data.columns, value=value)
    return replace(data, values=(*data.values, *more), layout=layout)
