"""Kappa of every pair of coders on the items that both annotated, and the mean of these.

A mean of ratios is not the ratio of means, so Light's kappa does not follow from one A_o and
one A_e. M pairs of coders have a common item; the others are not there at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.grouping import sums
from .registry import Parts, chance_corrected
from .weights import Weights, ordered_pairs

__all__ = ["mean_of_pairs", "n_undefined_pairs", "pull_on_pairs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

CELLS = 4_000_000  # sums held at a time


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two annotations of an item, sorted by who gave them: L of them.

    ``pair`` (L,) in ``range(n_pairs)``, ``row`` (L,) the pattern, ``first`` and ``second`` (L,)
    the values that the earlier and the later coder gave.
    """

    pair: Ints
    row: Ints
    first: Ints
    second: Ints
    n_pairs: int

    def sums(self, times: Any, column: Ints, x: Floats, width: int) -> Floats:
        """Sums of ``x`` (L,) over items by column: (..., width)."""
        if times.ndim == 1:
            return sums(column, x * times[self.row], width)
        from scipy.sparse import coo_array  # resamples only: not worth 0.2 s at start

        table = coo_array((x, (self.row, column)), shape=(times.shape[-1], width))
        return np.asarray(times @ table.tocsr())


@dataclass(frozen=True, eq=False)
class PairParts(Parts):
    """A_o, A_e and kappa of M pairs: (..., M), with what they rest on.

    ``n`` (..., M) common items; ``first`` and ``second`` (..., M, K) how the earlier and the
    later coder distribute their labels over these items.
    """

    n: Floats
    first: Floats
    second: Floats


def mean_of_pairs(counts: Counts, w: Weights) -> Parts:
    """Mean A_o, A_e and kappa of the pairs that have a kappa: (...).

    If no pair has one, the mean A_o and A_e of all pairs with a common item, which say why.
    """
    shape = counts.n_items.shape
    known, met = np.zeros((4, *shape)), np.zeros((4, *shape))
    for part in _chunks(counts):
        found = _parts_of(counts, w, part)
        numbers = np.stack([found.observed, found.expected, found.value, np.ones(found.n.shape)])
        known += np.where(np.isnan(found.value), 0, numbers).sum(-1)
        met += np.where(np.isnan(found.observed), 0, numbers).sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, expected, value = np.where(known[3] > 0, known[:3] / known[3], met[:3] / met[3])
    return Parts(observed, expected, value)


def n_undefined_pairs(counts: Counts, w: Weights) -> int:
    """How many pairs of coders have no kappa: no common item, or no variation on these."""
    values = [_parts_of(counts, w, part).value for part in _chunks(counts)]
    known = sum(np.count_nonzero(~np.isnan(v)) for v in values)
    return counts.n_coders * (counts.n_coders - 1) // 2 - int(known)


def pull_on_pairs(counts: Counts, w: Weights) -> Floats:
    """How far an item pulls the mean kappa: (P,), n times the derivative by its weight.

    Each kappa is linearised on the common items of its pair (Fleiss, Cohen & Everitt 1969).
    """
    total, n_known = np.zeros(counts.n_patterns), 0
    for part in _chunks(counts):
        found = _parts_of(counts, w, part)
        known = ~np.isnan(found.value)
        n_known += int(np.count_nonzero(known))
        pair, one, other = part.pair, part.first, part.second
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = _ahead(w, found.second)[pair, one] + _behind(w, found.first)[pair, other]
            change = (w.at(one, other) - found.observed[pair]) - (1 - found.value[pair]) * (
                moved - 2 * found.expected[pair]
            )
            pull = change / ((1 - found.expected) * found.n)[pair]
        total += sums(part.row, np.where(known[pair], pull, 0), counts.n_patterns)
    return total * float(counts.n_items) / max(n_known, 1)


def _parts_of(counts: Counts, w: Weights, part: Pairs) -> PairParts:
    m, k = part.n_pairs, counts.n_values
    ones = np.ones(len(part.pair))
    n = part.sums(counts.times, part.pair, ones, m)
    agreed = part.sums(counts.times, part.pair, w.at(part.first, part.second), m)
    first, second = (
        part.sums(counts.times, part.pair * k + x, ones, m * k) for x in (part.first, part.second)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = (x.reshape(*n.shape, k) / n[..., None] for x in (first, second))
        observed, expected = agreed / n, np.where(n > 0, w.expected(p, q), np.nan)
    return PairParts(observed, expected, chance_corrected(observed, expected), n, p, q)


def _chunks(counts: Counts) -> Iterator[Pairs]:
    """The pairs of coders, so many at a time that their sums fit."""
    coder, found = counts.coder, ordered_pairs(counts)
    if coder is None or not found:
        return
    one, other = (np.concatenate([x[k] for x in found]) for k in (0, 1))
    code = coder[one] * np.int64(counts.n_coders) + coder[other]
    order = np.argsort(code, kind="stable")
    seen, start = np.unique(code[order], return_index=True)
    start = np.append(start, len(order))
    size = int(np.prod(counts.times.shape[:-1], dtype=int))
    step = max(1, CELLS // (max(size, 1) * counts.n_values))
    for low in range(0, len(seen), step):
        high = min(low + step, len(seen))
        entry = order[start[low] : start[high]]
        a, b = one[entry], other[entry]
        pair = np.repeat(np.arange(high - low), np.diff(start[low : high + 1]))
        yield Pairs(pair, counts.row[a], counts.value[a], counts.value[b], high - low)


def _ahead(w: Weights, q: Floats) -> Floats:
    """(M, K) agreement of each value of the earlier coder with the later coder's."""
    return w.apply(q)


def _behind(w: Weights, p: Floats) -> Floats:
    """(M, K) agreement of each value of the later coder with the earlier coder's."""
    return w.apply(p) if w.symmetric else np.asarray(p @ w.matrix)
