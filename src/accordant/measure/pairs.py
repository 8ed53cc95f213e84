"""Kappa of every pair of coders on the items that both annotated, and the mean of these (Light).

A mean of ratios is not the ratio of means, so Light's kappa does not follow from one A_o and
one A_e. M pairs of coders have a common item; the others are not there at all. A million items
of twenty coders have a hundred million pairs of annotations, so these never exist at once: they
are listed a few coders at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import MOST_KEYS, sums
from .registry import Parts, chance_corrected
from .weights import Weights

CELLS = 4_000_000  # sums held at a time
LISTED = 2_000_000  # pairs of annotations held at a time, but at least those of one coder
MARGIN = 3
"""Simulated intervals of 4 to 40 coders hold the true value in 92 of 100 or more where pairs
share this many times the share of all items, in 0 to 30 far below: each kappa is then too low."""


@dataclass(frozen=True, eq=False)
class PairParts(Parts):
    """A_o, A_e and kappa of M pairs: (..., M), and their ``n`` (..., M) common items.

    ``one`` and ``other`` (M,) are the coders, the earlier first.
    """

    one: Ints
    other: Ints
    n: Floats


def mean_of_pairs(counts: Counts, w: Weights) -> Parts:
    """Mean A_o, A_e and kappa of the pairs that have a kappa: (...).

    If no pair has one, the mean A_o and A_e of all pairs with a common item, which say why.
    """
    shape = counts.n_items.shape
    known, met = np.zeros((4, *shape)), np.zeros((4, *shape))
    for found in each_pair(counts, w):
        numbers = np.stack([found.observed, found.expected, found.value, np.ones(found.n.shape)])
        known += np.where(np.isnan(found.value), 0, numbers).sum(-1)
        met += np.where(np.isnan(found.observed), 0, numbers).sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Parts(*np.where(known[3] > 0, known[:3] / known[3], met[:3] / met[3]))


def remark_on_pairs(counts: Counts, w: Weights) -> str | None:
    """Which pairs of coders are not in the mean."""
    every = counts.n_coders * (counts.n_coders - 1) // 2
    known = sum(int((~np.isnan(found.value)).sum()) for found in each_pair(counts, w))
    if known == every:
        return None
    return f"mean of {known:,} of {every:,} pairs of coders; the others have no kappa"


def doubt_on_pairs(counts: Counts, w: Weights) -> str | None:
    """Why the mean kappa should not be reported: pairs of coders share too few items."""
    n, disputed, n_met = 0.0, 0.0, 0
    for found in each_pair(counts, w):
        n, n_met = n + float(found.n.sum()), n_met + len(found.n)
        disputed += float((found.n * (1 - found.expected)).sum())
    n_items, share = float(counts.n_pairable), n / max(n_met, 1)
    if share >= n_items / 2 or disputed / max(n_met, 1) >= MARGIN * n_items / max(share, 1):
        return None
    return (
        f"pairs of coders share {share:,.3g} of {n_items:,.0f} items on average: the mean of "
        "their κ is biased, so there is no interval"
    )


def each_pair(counts: Counts, w: Weights) -> Iterator[PairParts]:
    """Every pair of coders with a common item, those of a few first coders at a time.

    The annotations of an item stand in the order of the coders, so those behind an annotation
    are its pairs in which its coder is the first.
    """
    if counts.coder is None:
        return
    coder = counts.coder
    behind = counts.start[1:][counts.row] - np.arange(len(coder)) - 1
    order = np.argsort(coder, kind="stable")
    ends = np.cumsum(np.bincount(coder, minlength=counts.n_coders))
    n_pairs = np.append(0, np.cumsum(behind[order]))
    low = 0
    while low < len(order):
        fits = np.searchsorted(n_pairs[ends], n_pairs[low] + LISTED, "right") - 1
        own = np.searchsorted(ends, low, "right")  # the coder with whom we go on
        high = int(ends[max(fits, own)])
        yield from _of_entries(counts, coder, w, order[low:high], behind)
        low = high


def _of_entries(
    counts: Counts, coder: Ints, w: Weights, entries: Ints, behind: Ints
) -> Iterator[PairParts]:
    """The pairs of some annotations with those behind them, by pair of coders."""
    n, k = behind[entries], counts.n_values
    first = np.repeat(entries, n)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(n) - n, n)
    code = coder[first] * np.int64(counts.n_coders) + coder[second]
    if counts.n_coders**2 <= MOST_KEYS:  # counted, not sorted
        seen = np.flatnonzero(np.bincount(code))
        of = np.searchsorted(seen, np.arange(counts.n_coders**2))[code]
    else:
        seen, of = np.unique(code, return_inverse=True)
    one, other = np.divmod(seen, counts.n_coders)
    step = max(1, CELLS // (max(counts.n_items.size, 1) * k))
    every = step >= len(one)
    for low in range(0, len(one), step):
        high = min(low + step, len(one))
        here = slice(None) if every else (of >= low) & (of < high)
        a, b, pair, m = first[here], second[here], of[here] - low, high - low
        row = counts.row[a]
        met = _sums(counts, row, pair, np.ones(len(a)), m)
        agreed = _sums(counts, row, pair, w.at(counts.value[a], counts.value[b]), m)
        with np.errstate(invalid="ignore", divide="ignore"):
            p, q = (
                _sums(counts, row, pair * k + counts.value[x], np.ones(len(a)), m * k).reshape(
                    *met.shape, k
                )
                / met[..., None]
                for x in (a, b)
            )
            observed, expected = agreed / met, np.where(met > 0, w.expected(p, q), np.nan)
        value = chance_corrected(observed, expected)
        yield PairParts(observed, expected, value, one[low:high], other[low:high], met)


def _sums(counts: Counts, row: Ints, column: Ints, x: Floats, width: int) -> Floats:
    """Sums of ``x`` (L,) over items by column: (..., width)."""
    times: Any = counts.times
    if times.ndim == 1:
        return sums(column, x * times[row], width)
    from scipy.sparse import coo_array  # resamples only: not worth 0.2 s at start

    table = coo_array((x, (row, column)), shape=(times.shape[-1], width))
    return np.asarray(times @ table.tocsr())
