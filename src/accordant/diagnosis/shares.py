"""How labels are distributed: numbers, shares and entropy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..counts.counts import DENSE_CELLS, Counts
from ..measure.results import Rows
from ..scheme import Value

__all__ = [
    "Distribution", "coder_entropy", "distribution", "entropy", "given_by_coder", "item_entropy",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Distribution(Rows):
    """How often each value was given, in the order of the scheme.

    Parameters
    ----------
    values : tuple
        (K,) values.
    n : ndarray
        (K,) number of annotations.
    entropy : float
        In bits: 0 if one value was always given, log2 K if all were given equally often.
    """

    values: tuple[Value, ...]
    n: Floats
    entropy: float

    @property
    def total(self) -> int:
        """Number of annotations."""
        return int(self.n.sum())

    @property
    def share(self) -> Floats:
        """(K,) share of the annotations."""
        total = self.n.sum()
        return self.n / total if total else np.full(len(self.n), np.nan)

    @property
    def unused(self) -> tuple[Value, ...]:
        """Values that nobody gave."""
        return tuple(v for v, n in zip(self.values, self.n, strict=True) if n == 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each value."""
        return [
            {"value": value, "n": int(n), "share": float(share)}
            for value, n, share in zip(self.values, self.n, self.share, strict=True)
        ]


def distribution(counts: Counts) -> Distribution:
    """The labels of all coders together.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = distribution(count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])))
    >>> found.n.tolist(), round(found.entropy, 3)
    ([5.0, 3.0], 0.954)
    """
    n = counts.sum_by_value(np.ones(counts.n_patterns))
    return Distribution(counts.values, n, float(entropy(n)))


def entropy(n: ArrayLike) -> Floats:
    """Entropy in bits of the numbers or shares along the last axis; NaN if they are all 0."""
    n = np.asarray(n, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = n / n.sum(-1, keepdims=True)
        return np.asarray(-(p * np.log2(np.where(p > 0, p, 1))).sum(-1)) + 0.0


def item_entropy(counts: Counts) -> Floats:
    """(P,) entropy in bits of the labels of an item."""
    bare = counts.anonymous
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


def coder_entropy(counts: Counts) -> Floats:
    """(C,) entropy in bits of each coder's labels."""
    if counts.coder is None:
        return np.full(counts.n_coders, np.nan)
    owner, _, n = given_by_coder(counts)
    total = np.bincount(owner, weights=n, minlength=counts.n_coders)
    p = n / total[owner]
    return np.maximum(np.bincount(owner, weights=-p * np.log2(p), minlength=counts.n_coders), 0.0)
