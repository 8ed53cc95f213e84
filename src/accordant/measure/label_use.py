"""Which labels each coder gives, beside the other coders on the same items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import DENSE_CELLS, Counts
from ..counts.row_keys import sums
from ..counts.tables import by_pattern, filled, value_table
from ..numbers import tied
from ..results import Result
from ..scheme import Value
from .shares import LabelOrder, held_labels


@dataclass(frozen=True, eq=False)
class LabelUse(Result):
    """The labels of each coder beside those of the others. C coders, K labels.

    Where annotations are sets, a coder may give several labels to an item.

    Parameters
    ----------
    coders, values : tuple
        (C,) and (K,).
    given : ndarray
        (C, K) how often the coder gave the label.
    shared : ndarray
        (C, K) the same on items that somebody else annotated too.
    others : ndarray
        (C, K) share of the other annotations of these items that hold the label, each item
        counting once; NaN for a coder without such items.
    n_items, n_shared : ndarray
        (C,) items of the coder, and those that somebody else annotated too.
    """

    coders: tuple[str, ...]
    values: tuple[Value, ...]
    given: Floats
    shared: Floats
    others: Floats
    n_items: Floats
    n_shared: Floats

    @cached_property
    def share(self) -> Floats:
        """(C, K) share of each label among the labels of the coder; NaN if it gave none."""
        n = self.given.sum(1, keepdims=True)
        return np.asarray(self.given / np.where(n, n, np.nan))

    @cached_property
    def share_of_items(self) -> Floats:
        """(C, K) to which share of its items the coder gave each label."""
        return np.asarray(self.given / self.n_items[:, None])

    @cached_property
    def bias(self) -> Floats:
        """(C, K) how much more often the coder gives a label than others on the same items."""
        n = self.n_shared[:, None]
        return np.asarray(self.shared / np.where(n, n, np.nan) - self.others)

    def strongest_bias(self) -> list[tuple[Value | None, float]]:
        """For each coder the value that differs most from the others, and by how much.

        Of values that differ alike it is the first in the order of the data.
        """
        known = np.asarray(~np.isnan(self.bias).any(1))
        best = tied(np.abs(np.where(known[:, None], self.bias, 0))).argmax(1)
        return [
            (self.values[k], float(self.bias[c, k])) if known[c] else (None, math.nan)
            for c, k in enumerate(best.tolist())
        ]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each value that a coder gave."""
        return [
            {
                "coder": self.coders[c],
                "value": self.values[k],
                "n": int(self.given[c, k]),
                "share": float(self.share[c, k]),
                "bias": float(self.bias[c, k]),
            }
            for c, k in np.argwhere(self.given > 0).tolist()
        ]


def label_use(counts: Counts, labels: LabelOrder = None) -> LabelUse | None:
    """The labels of each coder; None without coders, without labels, or if it is too large.

    ``labels`` gives the order of those that sets hold.
    """
    coder, k = counts.coder, counts.n_values
    if coder is None or counts.n_coders * k > DENSE_CELLS:
        return None
    times = counts.times[counts.row] * (counts.size >= 2)[counts.row]
    shared = _by_value(counts, times)
    given, n_shared = counts.by_coder, shared.sum(1)
    others, values = _others(counts, times, n_shared), counts.values
    n_items = given.sum(1)
    if counts.of_sets:
        values, members = held_labels(counts, labels)
        given, shared, others = (x @ members.astype(float) for x in (given, shared, others))
    if not values:
        return None  # every annotation is the empty set
    return LabelUse(counts.coders, values, given, shared, others, n_items, n_shared)


def _by_value(counts: Counts, x: NDArray[Any]) -> Floats:
    """(C, K) sum of ``x`` (E,) over the annotations of each coder with each value."""
    shape = counts.n_coders, counts.n_values
    owner = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    cell = owner * np.int64(shape[1]) + counts.value
    return sums(cell, x, shape[0] * shape[1]).reshape(shape)


def _others(counts: Counts, times: NDArray[Any], n: Floats) -> Floats:
    """(C, K) mean share of each value among the other annotations of a coder's items."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    each = times / np.maximum(counts.size[counts.row] - 1, 1)
    who = by_pattern(counts, coder, counts.n_coders, each)
    total = filled(who.T @ value_table(counts)) - _by_value(counts, each)
    # a difference of two sums: rounding may take a share of 0 below 0
    return np.clip(total / np.where(n, n, np.nan)[:, None], 0, 1)
