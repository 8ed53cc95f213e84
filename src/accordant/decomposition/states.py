"""What can be cut: the values that occur, and how often two coders gave which of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import DENSE_CELLS, Counts
from ..errors import RequestError
from ..measure.sets import label_sets, unranked
from ..scheme import Label, Value

__all__ = ["MOST_PAIRS", "States", "states"]

Floats = NDArray[np.float64]
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

    def name(self, value: Value) -> str:
        """A set as bits, as Levi & Shenhav (2022) write them; a category as it is."""
        if not isinstance(value, tuple):
            return str(value)
        return "".join("1" if label in value else "0" for label in self.labels)


def states(
    counts: Counts, labels: tuple[Label, ...] | None = None, *, ordered: bool = False
) -> States:
    """The states of counted annotations; ``labels`` gives the order of the labels of sets.

    ``ordered`` says that the values, as they stand, go from low to high. Each pair of coders with a
    common item has a table of its own, unless there are more than 300 pairs, or coders are not
    known, or the tables would not fit: then one table pools them all. The order in which a set
    names its labels is not looked at.

    Raises
    ------
    RequestError
        If so many values occur that not even one table fits.

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
    given = counts.values
    counts = _in_use(unranked(counts).pairable)
    held: tuple[Label, ...] = ()
    members = np.zeros((counts.n_values, 0), bool)
    order = np.arange(counts.n_values)
    if given and isinstance(given[0], tuple):
        held, members = _members(given, counts.values, labels or ())
        order = np.lexsort(members.T[::-1]) if held else order
    pairs, tables = _tables(counts)
    return States(
        tuple(counts.values[k] for k in order), held, members[order], pairs,
        tables[:, order][:, :, order], ordered and not held,
    )  # fmt: skip


def _in_use(counts: Counts) -> Counts:
    """Only the values that somebody gave, in the order in which they stand."""
    used = np.flatnonzero(np.bincount(counts.value, minlength=counts.n_values))
    if len(used) ** 2 > DENSE_CELLS:
        raise RequestError(
            f"{len(used):,} different values are too many for a table of who gave which: choose "
            f"some of the labels, or merge values (at most {int(DENSE_CELLS**0.5):,})"
        )
    number = np.zeros(counts.n_values, np.int64)
    number[used] = np.arange(len(used))
    return replace(counts, value=number[counts.value], values=tuple(counts.values[k] for k in used))


def _members(
    given: tuple[Value, ...], used: tuple[Value, ...], first: tuple[Label, ...]
) -> tuple[tuple[Label, ...], NDArray[np.bool_]]:
    """All labels of the data, and (C, L) which of the sets in use holds which."""
    known = dict.fromkeys(label_sets(given).labels)
    held = tuple(x for x in dict.fromkeys(first) if x in known)
    held += tuple(x for x in known if x not in held)
    position = {label: number for number, label in enumerate(held)}
    members = np.zeros((len(used), len(held)), bool)
    for k, value in enumerate(used):
        members[k, [position[x] for x in (value if isinstance(value, tuple) else (value,))]] = True
    return held, members


def _tables(counts: Counts) -> tuple[Pairs, Floats]:
    """The tables of all pairs of coders with a common item, or one that pools them."""
    k, n_pairs = counts.n_values, counts.n_coders * (counts.n_coders - 1) // 2
    if not k:
        return (), np.zeros((0, 0, 0))
    if counts.coder is None or n_pairs > MOST_PAIRS or n_pairs * k * k > DENSE_CELLS:
        return (("", ""),), _pooled(counts)[None]
    grid = np.full((counts.n_coders, counts.n_patterns), k, np.min_scalar_type(k))
    grid[counts.coder, counts.row] = counts.value
    pairs, found = [], []
    for a, b in combinations(range(counts.n_coders), 2):
        both = np.flatnonzero((grid[a] < k) & (grid[b] < k))
        if len(both):
            cell = np.multiply(grid[a, both], k, dtype=np.intp) + grid[b, both]
            table = np.bincount(cell, weights=counts.times[both], minlength=k * k)
            pairs.append((counts.coders[a], counts.coders[b]))
            found.append(table.reshape(k, k))
    return tuple(pairs), np.array(found, float).reshape(-1, k, k)


def _pooled(counts: Counts) -> Floats:
    """(K, K) half of all ordered pairs of annotations of the same item, an item with m of 1/(m−1).

    Without these weights an item that ten annotated would count as forty-five that two did.
    """
    from scipy.sparse import csr_array  # large crowds only: not worth 0.2 s at start

    k = counts.n_values
    cells = (counts.n.astype(float), counts.value, counts.start)
    table = csr_array(cells, shape=(counts.n_patterns, k))
    weight = 1 / np.maximum(counts.size - 1, 1)  # (P,)
    often = cells[0] * (weight * counts.times)[counts.row]
    found = np.asarray((csr_array((often, *cells[1:]), shape=table.shape).T @ table).todense())
    found[np.diag_indices(k)] -= counts.sum_by_value(weight)
    return np.asarray(found / 2, float)
