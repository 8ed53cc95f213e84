"""How labels are distributed: numbers, shares and entropy.

Where annotations are sets, the labels in them are counted, each as one, in the order of the scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Floats, Ints
from ..counts.counts import DENSE_CELLS, Counts
from ..results import Result
from ..scheme import Label, Value
from .sets import label_sets, unranked


@dataclass(frozen=True, eq=False)
class Distribution(Result):
    """How often each label was given, in the order of the scheme.

    Parameters
    ----------
    values : tuple
        (K,) labels.
    n : ndarray
        (K,) number of annotations that hold it.
    entropy : float
        In bits: 0 if one value was always given, log2 K if all were given equally often.
    """

    values: tuple[Value, ...]
    n: Floats
    entropy: float

    @property
    def total(self) -> int:
        """Number of labels; of single labels that of annotations."""
        return int(self.n.sum())

    @property
    def share(self) -> Floats:
        """(K,) share of the labels."""
        return shares_of(self.n)

    @property
    def unused(self) -> tuple[Value, ...]:
        """Labels that nobody gave."""
        return tuple(v for v, n in zip(self.values, self.n, strict=True) if n == 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each value."""
        return [
            {"value": value, "n": int(n), "share": float(share)}
            for value, n, share in zip(self.values, self.n, self.share, strict=True)
        ]


def shares_of(n: NDArray[Any]) -> Floats:
    """(K,) shares of numbers; NaN if they are all 0."""
    total = n.sum()
    return np.asarray(n / total if total else np.full(n.shape, np.nan))


def distribution(counts: Counts, labels: LabelOrder = None) -> Distribution:
    """The labels of all coders together; ``labels`` gives the order of those that sets hold.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = distribution(count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])))
    >>> found.n.tolist(), round(found.entropy, 3)
    ([5.0, 3.0], 0.954)
    """
    n = counts.sum_by_value(np.ones(counts.n_patterns))
    if not counts.of_sets:
        return Distribution(counts.values, n, float(entropy(n)))
    order, members = held_labels(counts, labels)
    n = n @ members
    return Distribution(order, n, float(entropy(n)))


def entropy(n: ArrayLike) -> Floats:
    """Entropy in bits of the numbers or shares along the last axis; NaN if they are all 0."""
    n = np.asarray(n, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = n / n.sum(-1, keepdims=True)
        return np.asarray(-(p * np.log2(np.where(p > 0, p, 1))).sum(-1)) + 0.0


def item_entropy(counts: Counts) -> Floats:
    """(P,) entropy in bits of the values of an item: 0 if all coders gave the same one."""
    bare = unranked(counts.anonymous)
    p = bare.n / bare.size[bare.row]
    found = np.maximum(-bare.sum_entries(p * np.log2(p)), 0.0)
    return np.asarray(found[counts.anonymous_of])


def given_by_coder(counts: Counts) -> tuple[Ints, Ints, Floats]:
    """Coder, value and how often the coder gave it, for all that occur, in this order.

    A table of all coders x values is made only where it is small.
    """
    coder, k = counts.coder, counts.n_values
    if coder is None or counts.n_coders * k <= DENSE_CELLS:
        table = counts.by_coder
        owner, value = np.nonzero(table)
        return owner, value, table[owner, value]
    cell, of = np.unique(coder * np.int64(k) + counts.value, return_inverse=True)
    n = np.bincount(of, weights=counts.times[counts.row], minlength=len(cell))
    return cell // k, cell % k, n.astype(float)


def labels_by_coder(counts: Counts, labels: LabelOrder = None) -> tuple[Ints, Ints, Floats]:
    """Coder, label and how often the coder gave it, as `given_by_coder` does for values."""
    owner, value, n = given_by_coder(counts)
    if not counts.of_sets:
        return owner, value, n
    order, members = held_labels(counts, labels)
    entry, label = np.nonzero(members[value])
    cell, of = np.unique(owner[entry] * np.int64(len(order)) + label, return_inverse=True)
    total = np.bincount(of, weights=n[entry], minlength=len(cell)).astype(float)
    return cell // max(1, len(order)), cell % max(1, len(order)), total


def coder_entropy(counts: Counts) -> Floats:
    """(C,) entropy in bits of each coder's labels."""
    if counts.coder is None:
        return np.full(counts.n_coders, np.nan)
    owner, _, n = labels_by_coder(counts)
    total = np.bincount(owner, weights=n, minlength=counts.n_coders)
    p = n / total[owner]
    bits = np.bincount(owner, weights=-p * np.log2(p), minlength=counts.n_coders)
    return np.where(total > 0, np.maximum(bits, 0.0), np.nan)


Members: TypeAlias = NDArray[np.bool_]
LabelOrder: TypeAlias = Sequence[Label] | None


def held_labels(counts: Counts, order: LabelOrder = None) -> tuple[tuple[Label, ...], Members]:
    """(L,) labels in the order asked for, used or not, and (V, L) which value holds which.

    A single label is held by itself, in the order of the values.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["b", "a,b"], ["b", "b"]], separator=","))
    >>> held_labels(counts, ("a", "b", "c"))[0]
    ('a', 'b', 'c')
    """
    if not counts.of_sets:
        single = tuple(v for v in counts.values if not isinstance(v, tuple))
        return single, np.eye(len(single), dtype=bool)
    sets = label_sets(counts.values)
    labels = tuple(dict.fromkeys((*(order or ()), *sets.labels)))
    position = {label: k for k, label in enumerate(labels)}
    members = np.zeros((len(sets.members), len(labels)), bool)
    members[:, [position[label] for label in sets.labels]] = sets.members
    return labels, members
