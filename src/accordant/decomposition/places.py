"""Where disagreement stands: the cells of the tables that items fill, and the items themselves."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.grouping import sums
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.sets import unranked
from ..measure.weights import ordered_pairs
from ..results import Result
from ..scheme import Value
from .null import Slips
from .states import States

__all__ = ["Cells", "DisputedItem", "cells_of", "disputed", "value_text"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cells:
    """The E cells of the G tables that are not empty, and the items that fill them.

    Items that were annotated alike show the same pattern, so the M lines say which of P patterns
    fills which cell: one line for each pair of coders of a pattern.

    Parameters
    ----------
    states : States
    pair, first, second : ndarray of int
        (E,) the table, the row and the column of each cell.
    n : ndarray
        (E,) items in it; in a pooled table what `States.tables` says.
    counts : Counts or None
        The counted annotations; None for tables that no items stand behind.
    pattern, cell : ndarray of int
        (M,) the pattern and the cell of each line.
    weight : ndarray
        (M,) how often an item of the pattern counts there: once, or in a pooled table half of its
        ordered pairs of annotations, over the number of annotations less one.
    """

    states: States
    pair: Ints
    first: Ints
    second: Ints
    n: Floats
    counts: Counts | None = None
    pattern: Ints | None = None
    cell: Ints | None = None
    weight: Floats | None = None

    @classmethod
    def of_tables(cls, states: States) -> Cells:
        """The cells of tables without the items behind them.

        Examples
        --------
        >>> import numpy as np
        >>> members, pooled = np.zeros((2, 0), bool), (("", ""),)
        >>> made = States(("a", "b"), (), members, pooled, np.array([[[3.0, 0.0], [1.0, 2.0]]]))
        >>> found = Cells.of_tables(made)
        >>> found.first.tolist(), found.second.tolist(), found.n.tolist()
        ([0, 1, 1], [0, 0, 1], [3.0, 1.0, 2.0])
        """
        pair, first, second = np.nonzero(states.tables)
        return cls(states, pair, first, second, states.tables[pair, first, second])

    @cached_property
    def n_of_pair(self) -> Floats:
        """(G,) items that both coders annotated."""
        return self.by_pair(np.ones(len(self.n)))

    @property
    def pattern_of(self) -> Ints:
        """(I,) the pattern of each item, -1 for one without annotations."""
        if self.counts is None:
            raise ValueError("no items stand behind these tables")
        return np.asarray(self.counts.pattern_of)

    @cached_property
    def differ(self) -> Bools:
        """(E,) whether the two values differ."""
        return np.asarray(self.first != self.second)

    @cached_property
    def slips(self) -> Slips:
        """What independent slips in the labels would give; of sets of labels only."""
        return Slips(self.states.tables, self.states.members)

    def by_pair(self, x: NDArray[Any]) -> Floats:
        """(G,) sum over the items of each pair of coders of ``x`` (E,)."""
        return sums(self.pair, self.n * x, len(self.states.pairs))

    def of_patterns(self, x: Floats) -> Floats:
        """(P,) sum over the cells that an item of each pattern fills of ``x`` (E,)."""
        if self.counts is None or self.cell is None or self.pattern is None or self.weight is None:
            raise ValueError("no items stand behind these tables")
        return sums(self.pattern, x[self.cell] * self.weight, self.counts.n_patterns)

    def anywhere(self, chosen: Bools) -> Bools:
        """(P,) whether an item of each pattern fills one of the ``chosen`` (E,) cells."""
        return np.asarray(self.of_patterns(chosen.astype(float)) > 0)

    def tables(self, times: Floats) -> Floats:
        """(G, C, C) the tables of a resample that shows pattern p ``times[p]`` times."""
        if self.cell is None or self.weight is None or self.pattern is None:
            raise ValueError("no items stand behind these tables")
        found = np.zeros(self.states.tables.shape)
        n = sums(self.cell, times[self.pattern] * self.weight, len(self.n))
        found[self.pair, self.first, self.second] = n
        return found


def cells_of(counts: Counts, states: States) -> Cells:
    """The cells of the tables that `accordant.decomposition.states.states` made of these counts.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from .states import states
    >>> counted = count(read([["a", "a", "a"], ["a", "b", "b"]]))
    >>> found = cells_of(counted, states(counted))
    >>> found.first.tolist(), found.second.tolist(), found.n.tolist()
    ([0, 0], [0, 1], [1.0, 2.0])
    >>> (found.tables(counted.times) == states(counted).tables).all()
    np.True_
    """
    c, counts = states.n_states, unranked(counts)
    number = {value: k for k, value in enumerate(states.values)}
    place = np.array([number.get(value, -1) for value in counts.values], np.int64)
    if states.is_pooled:
        counts = counts.pairable.anonymous
        pattern, code, weight = _pooled(counts, place, c)
    else:
        pattern, code, weight = _by_pair(counts, states, place)
    found, cell = np.unique(code, return_inverse=True)
    pair, rest = np.divmod(found, c * c)
    first, second = np.divmod(rest, c)
    n = sums(cell, counts.times[pattern] * weight, len(found))
    return Cells(states, pair, first, second, n, counts, pattern, cell, weight)


def _by_pair(counts: Counts, states: States, place: Ints) -> tuple[Ints, Ints, Floats]:
    """Pattern and cell for each pair of coders with a table."""
    c = states.n_states
    given = np.full((counts.n_patterns, counts.n_coders), -1)
    given[counts.row, counts.coder] = place[counts.value]
    number = {name: k for k, name in enumerate(counts.coders)}
    patterns, codes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for g, (a, b) in enumerate(states.pairs):
        one, other = given[:, number[a]], given[:, number[b]]
        both = np.flatnonzero((one >= 0) & (other >= 0))
        patterns.append(both)
        codes.append((g * c + one[both]) * c + other[both])
    pattern = np.concatenate(patterns)
    return pattern, np.concatenate(codes), np.ones(len(pattern))


def _pooled(counts: Counts, place: Ints, c: int) -> tuple[Ints, Ints, Floats]:
    """Pattern and cell for every two annotations of an item, half of each way round.

    An item with m annotations has m − 1 pairs for each, and so each weighs 1 / (m − 1).
    """
    value, weigh = place[counts.value], 1 / np.maximum(counts.size - 1, 1)
    alike = np.flatnonzero(counts.n > 1)
    patterns = [counts.row[alike]]
    codes = [value[alike] * (c + 1)]
    weights = [counts.n[alike] * (counts.n[alike] - 1) / 2]
    for a, b in ordered_pairs(counts):
        for one, other in ((a, b), (b, a)):
            patterns.append(counts.row[one])
            codes.append(value[one] * c + value[other])
            weights.append(counts.n[one] * counts.n[other] / 2)
    pattern: Ints = np.concatenate(patterns)
    weight: Floats = np.concatenate(weights)
    return pattern, np.concatenate(codes), weight * weigh[pattern]


# ------------------------------------------------------------------ items


@dataclass(frozen=True)
class DisputedItem(Result):
    """An item on which coders differ, with what each of them gave.

    Parameters
    ----------
    position : int
        Its position in the data.
    item : hashable
        As it is called in the data.
    text : str or None
        What the coders read.
    level : int
        1 if two coders differ on level 1, 2 if they differ on level 2 only.
    labels : tuple of (str, Value)
        Coder and value.
    blocks : tuple of str
        What each of these values is on level 1.
    question : str or None
    """

    position: int
    item: Hashable
    text: str | None
    level: int
    labels: tuple[tuple[str, Value], ...]
    blocks: tuple[str, ...]
    question: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row, with the labels in one cell."""
        labels = ", ".join(f"{coder}: {value_text(value)}" for coder, value in self.labels)
        return [
            {
                "question": self.question,
                "item": self.item,
                "level": self.level,
                "labels": labels,
                "text": self.text,
            }
        ]


def value_text(value: Value) -> str:
    """A value as a reader sees it.

    Examples
    --------
    >>> value_text("yes"), value_text(("place", "person")), value_text(())
    ('yes', 'place + person', '(no label)')
    """
    if isinstance(value, tuple):
        return " + ".join(map(str, value)) or "(no label)"
    return str(value) if str(value).strip() else "(empty)"


def disputed(
    data: Annotations,
    counts: Counts,
    cells: Cells,
    block: Ints,
    names: tuple[str, ...],
    level: int,
    most: int | None = None,
) -> tuple[DisputedItem, ...]:
    """The items on which two coders differ on a level, in the order of the data.

    Parameters
    ----------
    data : Annotations
        Of one question.
    counts : Counts
        Of these annotations.
    cells : Cells
        Of these counts.
    block : ndarray of int
        (C,) the block of each state.
    names : tuple of str
        What the blocks are called.
    level : {1, 2}
        Items that two coders put into different blocks, or items that all put into the same one,
        not all giving the same value.
    most : int, optional
        The first so many.

    Raises
    ------
    RequestError
        If there is no such level.
    """
    if level not in (1, 2) or isinstance(level, bool):
        raise RequestError(f"a partition has the levels 1 and 2, not {level!r}")
    counts = unranked(counts)
    apart = cells.anywhere(block[cells.first] != block[cells.second])
    chosen = apart if level == 1 else cells.anywhere(cells.differ) & ~apart
    positions = np.flatnonzero(chosen[cells.pattern_of] & (cells.pattern_of >= 0))[:most]
    own = dict(zip(cells.states.values, block.tolist(), strict=True))
    found = []
    for position in positions.tolist():
        labels = _labels(counts, int(counts.pattern_of[position]))
        found.append(
            DisputedItem(
                position,
                _plain(data.items[position]),
                None if data.texts is None else data.texts[position],
                level,
                labels,
                tuple(names[own[value]] for _, value in labels),
                data.questions[0] or None,
            )
        )
    return tuple(found)


def _labels(counts: Counts, pattern: int) -> tuple[tuple[str, Value], ...]:
    entries = range(counts.start[pattern], counts.start[pattern + 1])
    if counts.coder is None:
        each = [counts.values[counts.value[e]] for e in entries for _ in range(int(counts.n[e]))]
        return tuple((str(i + 1), value) for i, value in enumerate(each))
    return tuple((counts.coders[counts.coder[e]], counts.values[counts.value[e]]) for e in entries)


def _plain(name: Hashable) -> Hashable:
    """An item that was numbered is an int, not an entry of an array."""
    return name.item() if isinstance(name, np.generic) else name
