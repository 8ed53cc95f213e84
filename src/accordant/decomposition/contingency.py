"""What is divided: the values that occur, how often two coders gave which, and in which items."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats, Ints
from ..counts.counts import DENSE_CELLS, Counts
from ..counts.row_keys import sums
from ..data.annotations import Annotations
from ..errors import RequestError
from ..inference.item_patterns import Patterns
from ..measure.sets import label_sets, unranked
from ..measure.weights import ordered_pairs
from ..results import Result
from ..scheme import Label, Value

Pairs = tuple[tuple[str, str], ...]

MOST_PAIRS = 300  # pairs of coders with a table of their own; more are pooled


@dataclass(frozen=True, eq=False)
class States:
    """The values that two coders of an item gave, and the tables of pairs of coders.

    C states, L labels, G pairs of coders. States that no pair of coders used are left out.

    Parameters
    ----------
    values : tuple
        (C,) categories in the order of the scheme, or sets of labels in the order of their bits:
        none, the last label, …, the first label, …, all.
    labels : tuple
        (L,) the labels of sets, in the order of the scheme; of categories empty.
    members : ndarray of bool
        (C, L) which set holds which label.
    pairs : tuple of (str, str)
        (G,) the coders of each table; ``("", "")`` for a table that pools all pairs.
    tables : ndarray
        (G, C, C) number of items, by the value of the first and that of the second coder. A pooled
        table is symmetric and holds half of the ordered pairs of annotations, each of which weighs
        1 / (m − 1) where m coders annotated the item, as in Krippendorff's coincidences (2011): so
        it sums to half of the annotations.
    ordered : bool
        Whether the values are those of an ordered scale, from low to high.
    """

    values: tuple[Value, ...]
    labels: tuple[Label, ...]
    members: NDArray[np.bool_]
    pairs: Pairs
    tables: Floats
    ordered: bool = False

    @property
    def n_states(self) -> int:
        """C."""
        return len(self.values)

    @property
    def of_sets(self) -> bool:
        """Whether the states are sets of labels."""
        return bool(self.values) and isinstance(self.values[0], tuple)

    @property
    def is_pooled(self) -> bool:
        """Whether one table pools all pairs of coders."""
        return self.pairs == (("", ""),)

    @cached_property
    def n(self) -> Floats:
        """(G,) items that both coders annotated; of a pooled table half of the annotations."""
        return np.asarray(self.tables.sum((1, 2)))

    @cached_property
    def share(self) -> Floats:
        """(C,) share of each state in the annotations, every pair of coders counting the same."""
        used = self.n > 0
        if not used.any():
            return np.zeros(self.n_states)
        both = (self.tables.sum(1) + self.tables.sum(2))[used] / (2 * self.n[used, None])
        return np.asarray(both.mean(0))

    def name(self, value: Value) -> str:
        """A set as bits, as Levi & Shenhav (2022) write them; a category as it is."""
        if not isinstance(value, tuple):
            return str(value)
        return "".join("1" if label in value else "0" for label in self.labels)


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
    counts : Counts
        The counted annotations.
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
    counts: Counts
    pattern: Ints
    cell: Ints
    weight: Floats

    @cached_property
    def n_of_pair(self) -> Floats:
        """(G,) items that both coders annotated."""
        return self.by_pair(np.ones(len(self.n)))

    @cached_property
    def differ(self) -> Bools:
        """(E,) whether the two values differ."""
        return np.asarray(self.first != self.second)

    def by_pair(self, x: NDArray[Any]) -> Floats:
        """(G,) sum over the items of each pair of coders of ``x`` (E,)."""
        return sums(self.pair, self.n * x, len(self.states.pairs))

    def of_patterns(self, x: Floats) -> Floats:
        """(P,) sum over the cells that an item of each pattern fills of ``x`` (E,)."""
        return sums(self.pattern, x[self.cell] * self.weight, self.counts.n_patterns)

    def anywhere(self, chosen: Bools) -> Bools:
        """(P,) whether an item of each pattern fills one of the ``chosen`` (E,) cells."""
        return np.asarray(self.of_patterns(chosen.astype(float)) > 0)

    def n_items(self, chosen: Bools) -> int:
        """How many items fill one of the ``chosen`` (E,) cells."""
        return round(float(self.counts.times @ self.anywhere(chosen)))

    def patterns(self, most: int) -> Patterns:
        """The annotations for a null; coders are not told apart where they are more than so many.

        Or where nobody knows them.
        """
        counts = self.counts.pairable
        counts = counts.anonymous if counts.n_coders > most else counts
        place, found = _numbers(self.states.values, counts.values), Patterns.of(counts)
        return replace(found, value=place[found.value].astype(int), n_values=self.states.n_states)


def cells_of(
    counts: Counts, labels: tuple[Label, ...] | None = None, *, ordered: bool = False
) -> Cells:
    """The states of counted annotations, and the items behind their tables.

    ``labels`` gives the order of the labels of sets; ``ordered`` says that the values, as they
    stand, go from low to high. Each pair of coders with a common item has a table of its own,
    unless there are more than 300 pairs, or coders are not known, or the tables would not fit: then
    one table pools them all. The order in which a set names its labels is not looked at.

    Raises
    ------
    RequestError
        If so many values occur that not even one table fits.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = cells_of(count(read([["a", "a", "a"], ["a", "b", "b"]])))
    >>> found.first.tolist(), found.second.tolist(), found.n.tolist()
    ([0, 0], [0, 1], [1.0, 2.0])
    >>> of_sets = cells_of(count(read([["b", "a,b", "a"], ["b", "b", "a"]], separator=","))).states
    >>> of_sets.values, [of_sets.name(value) for value in of_sets.values]
    ((('b',), ('a',), ('a', 'b')), ['01', '10', '11'])
    """
    counts = unranked(counts)
    pairable = counts.pairable
    used = np.flatnonzero(np.bincount(pairable.value, minlength=counts.n_values))
    c = len(used)
    if c**2 > DENSE_CELLS:
        raise RequestError(
            f"{c:,} different values are too many for a table of who gave which: choose "
            f"some of the labels, or merge values (at most {int(DENSE_CELLS**0.5):,})"
        )
    values = tuple(counts.values[k] for k in used)
    held: tuple[Label, ...] = ()
    members = np.zeros((c, 0), bool)
    if counts.values and isinstance(counts.values[0], tuple):
        held, members = _members(counts.values, values, labels or ())
        order = np.lexsort(members.T[::-1]) if held else np.arange(c)
        values, members = tuple(values[k] for k in order), members[order]
    place = _numbers(values, counts.values)
    n_pairs = counts.n_coders * (counts.n_coders - 1) // 2
    pairs: Pairs = (("", ""),) if c else ()
    if counts.coder is None or n_pairs > MOST_PAIRS or n_pairs * c * c > DENSE_CELLS:
        counts = pairable.anonymous
        pattern, code, weight = _pooled(counts, place, c)
    else:
        pairs, pattern, code = _by_pair(counts, place, c)
        weight = np.ones(len(pattern))
    found, cell = np.unique(code, return_inverse=True)
    pair, rest = np.divmod(found, max(c * c, 1))
    first, second = np.divmod(rest, max(c, 1))
    n = sums(cell, counts.times[pattern] * weight, len(found))
    tables = np.zeros((len(pairs), c, c))
    tables[pair, first, second] = n
    made = States(values, held, members, pairs, tables, ordered and not held)
    return Cells(made, pair, first, second, n, counts, pattern, cell, weight)


def _numbers(values: tuple[Value, ...], given: tuple[Value, ...]) -> Ints:
    """The place of each given value among the values; -1 for one that is not there."""
    number = {value: k for k, value in enumerate(values)}
    return np.array([number.get(value, -1) for value in given], np.int64)


def _members(
    given: tuple[Value, ...], used: tuple[Value, ...], first: tuple[Label, ...]
) -> tuple[tuple[Label, ...], Bools]:
    """All labels of the data, and (C, L) which of the sets in use holds which."""
    known = dict.fromkeys(label_sets(given).labels)
    held = tuple(x for x in dict.fromkeys(first) if x in known)
    held += tuple(x for x in known if x not in held)
    position = {label: number for number, label in enumerate(held)}
    members = np.zeros((len(used), len(held)), bool)
    for k, value in enumerate(used):
        members[k, [position[x] for x in (value if isinstance(value, tuple) else (value,))]] = True
    return held, members


def _by_pair(counts: Counts, place: Ints, c: int) -> tuple[Pairs, Ints, Ints]:
    """The pairs of coders with a common item; pattern and cell for each of them."""
    given = np.full((counts.n_patterns, counts.n_coders), -1)
    given[counts.row, counts.coder] = place[counts.value]
    pairs: list[tuple[str, str]] = []
    patterns, codes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for a, b in combinations(range(counts.n_coders), 2):
        both = np.flatnonzero((given[:, a] >= 0) & (given[:, b] >= 0))
        if len(both):
            patterns.append(both)
            codes.append((len(pairs) * c + given[both, a]) * c + given[both, b])
            pairs.append((counts.coders[a], counts.coders[b]))
    return tuple(pairs), np.concatenate(patterns), np.concatenate(codes)


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
    pattern_of = cells.counts.pattern_of
    positions = np.flatnonzero(chosen[pattern_of] & (pattern_of >= 0))[:most]
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
