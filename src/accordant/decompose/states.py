"""What can be cut: the values that occur, and how often two coders gave which of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.sets import label_sets
from ..scheme import Label, Value

__all__ = ["MOST_PAIRS", "States", "states"]

Floats = NDArray[np.float64]

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
        table is symmetric and holds half of the ordered pairs of annotations.
    """

    values: tuple[Value, ...]
    labels: tuple[Label, ...]
    members: NDArray[np.bool_]
    pairs: tuple[tuple[str, str], ...]
    tables: Floats

    @property
    def n_states(self) -> int:
        """C."""
        return len(self.values)

    @property
    def of_sets(self) -> bool:
        """Whether the states are sets of labels."""
        return bool(self.values) and isinstance(self.values[0], tuple)

    @cached_property
    def n(self) -> Floats:
        """(G,) items that both coders annotated."""
        return np.asarray(self.tables.sum((1, 2)))

    def name(self, value: Value) -> str:
        """A set as bits, as Levi & Shenhav (2022) write them; a category as it is."""
        if not isinstance(value, tuple):
            return str(value)
        return "".join("1" if label in value else "0" for label in self.labels)


def states(counts: Counts, labels: tuple[Label, ...] | None = None) -> States:
    """The states of counted annotations; ``labels`` gives the order of the labels of sets.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = states(count(read([["b", "a,b", "a"], ["b", "b", "a"]], separator=",")))
    >>> found.values, [found.name(v) for v in found.values]
    ((('b',), ('a',), ('a', 'b')), ['01', '10', '11'])
    >>> found.tables.tolist()
    [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]]
    """
    values = counts.values
    held: tuple[Label, ...] = ()
    members = np.zeros((len(values), 0), bool)
    if counts.of_sets:
        sets = label_sets(values)
        given = dict.fromkeys(sets.labels)
        held = tuple(x for x in labels or () if x in given)
        held += tuple(x for x in given if x not in held)
        members = sets.members[:, [sets.labels.index(x) for x in held]]
    order = np.lexsort(members.T[::-1]) if counts.of_sets else np.arange(len(values))
    pairs, tables = _tables(counts)
    used = tables.sum(0)
    order = order[(used.sum(0) + used.sum(1))[order] > 0]
    return States(
        tuple(values[k] for k in order), held, members[order], pairs,
        tables[:, order][:, :, order],
    )  # fmt: skip


def _tables(counts: Counts) -> tuple[tuple[tuple[str, str], ...], Floats]:
    """The tables of all pairs of coders with a common item, or one that pools them."""
    k, n_pairs = counts.n_values, counts.n_coders * (counts.n_coders - 1) // 2
    if counts.coder is None or n_pairs > MOST_PAIRS or n_pairs * k * k > 50_000_000:
        return (("", ""),), _pooled(counts)[None]
    given = np.full((counts.n_patterns, counts.n_coders), -1)
    given[counts.row, counts.coder] = counts.value
    pairs, found = [], []
    for a, b in combinations(range(counts.n_coders), 2):
        both = (given[:, a] >= 0) & (given[:, b] >= 0)
        if both.any():
            cell = given[both, a] * k + given[both, b]
            table = np.bincount(cell, weights=counts.times[both], minlength=k * k)
            pairs.append((counts.coders[a], counts.coders[b]))
            found.append(table.reshape(k, k).astype(float))
    return tuple(pairs), np.array(found).reshape(-1, k, k)


def _pooled(counts: Counts) -> Floats:
    """(K, K) half of all ordered pairs of annotations of the same item."""
    k = counts.n_values
    table = np.zeros((counts.n_patterns, k))
    np.add.at(table, (counts.row, counts.value), counts.n)
    found = (table * counts.times[:, None]).T @ table
    found[np.diag_indices(k)] -= counts.sum_by_value(np.ones(counts.n_patterns))
    return np.asarray(found / 2)
