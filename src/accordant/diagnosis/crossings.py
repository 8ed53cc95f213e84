"""Who gave which of two values where another gave the other one: per coder, item by item.

Coders who are alike are exchangeable: on an item to which three gave a and one gave b, each of them
is the odd one with probability 1/4. So how often a coder stands on the side of a is a sum of
independent trials, and the exact test is binomial (with the mean probability: Hoeffding 1956).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.grouping import sums

__all__ = ["Crossings", "Met", "crossings", "met"]


MOST_MEETINGS = 10_000_000  # an annotation beside another value of its item: about a second


@dataclass(frozen=True, eq=False)
class Met:
    """Every annotation beside every other value of its item; N such meetings.

    Parameters
    ----------
    entry : ndarray of int
        (N,) position of the annotation in the counts.
    other : ndarray of int
        (N,) code of the other value.
    own_n, other_n : ndarray of int
        (N,) how many coders of the item gave the value of the annotation, and the other value.
    """

    entry: Ints
    other: Ints
    own_n: Ints
    other_n: Ints


def met(counts: Counts) -> Met | None:
    """The meetings of different values; None if there are too many to go through.

    Unanimous items have none, so this is short where coders agree.
    """
    entries = np.flatnonzero((np.diff(counts.start) > 1)[counts.row])
    key = counts.row[entries] * np.int64(counts.n_values) + counts.value[entries]
    cell, of, n = np.unique(key, return_inverse=True, return_counts=True)
    row = cell // counts.n_values
    width = np.bincount(row, minlength=counts.n_patterns)  # distinct values of the pattern
    first = np.concatenate([[0], np.cumsum(width)])
    many = width[counts.row[entries]]
    if many.sum() > MOST_MEETINGS:
        return None
    entry = np.repeat(np.arange(len(entries)), many)
    start = np.cumsum(many) - many
    place = np.arange(len(entry)) - start[entry] + first[counts.row[entries][entry]]
    differ = place != of[entry]
    entry, place = entry[differ], place[differ]
    return Met(entries[entry], cell[place] % counts.n_values, n[of[entry]], n[place])


@dataclass(frozen=True, eq=False)
class Crossings:
    """Pairs of values between which a coder and others differ; M such (coder, a, b).

    Parameters
    ----------
    coder, a, b : ndarray of int
        (M,) the coder gave ``a`` where others gave ``b``, more often than was to be expected.
    n, back : ndarray
        (M,) pairs of annotations: of the coder ``a`` and of another ``b``; and the other way.
    hits, of, expected : ndarray
        (M,) items with both values on which the coder gave ``a``, of those on which the coder
        gave one of the two, and how many there would be if coders were alike.
    p_value : ndarray
        (M,) exact, two-sided, not corrected for their number.
    """

    coder: Ints
    a: Ints
    b: Ints
    n: Floats
    back: Floats
    hits: Floats
    of: Floats
    expected: Floats
    p_value: Floats


def crossings(counts: Counts, meetings: Met) -> Crossings:
    """All pairs of values on which coders cross, each once for each coder.

    Of two coders only the first is told: the other's are the same ones mirrored.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a"] * 9, ["a"] * 2 + ["b"] * 7], coders_in="rows"))
    >>> found = crossings(counts, met(counts))
    >>> found.n.tolist(), found.back.tolist(), found.p_value.tolist()
    ([7.0], [0.0], [0.015625])
    """
    from scipy.special import bdtrc

    m = meetings
    owner = np.zeros(counts.start[-1], np.int64) if counts.coder is None else counts.coder
    coder, value = owner[m.entry], counts.value[m.entry]
    keep = np.ones(len(coder), bool) if counts.n_coders > 2 else coder == 0
    coder, value, other = coder[keep], value[keep], m.other[keep]
    times = counts.times[counts.row[m.entry]][keep]
    is_low = value < other
    low, high = np.minimum(value, other), np.maximum(value, other)
    k = np.int64(counts.n_values)
    cell, of = np.unique((coder * k + low) * k + high, return_inverse=True)

    def summed(x: NDArray[Any]) -> Floats:
        return sums(of, x * times, len(cell))

    both = m.own_n[keep] + m.other_n[keep]
    chance_low = np.where(is_low, m.own_n[keep], m.other_n[keep]) / both
    items, hits, expected = summed(np.ones(len(times))), summed(is_low), summed(chance_low)
    pairs_low, pairs_high = summed(is_low * m.other_n[keep]), summed(~is_low * m.other_n[keep])
    more = hits >= expected
    hits = np.where(more, hits, items - hits)
    expected = np.where(more, expected, items - expected)
    p = 2 * np.where(
        hits > 0, bdtrc(np.maximum(hits - 1, 0), items.astype(np.int64), expected / items), 0.5
    )
    codes = [cell // (k * k), cell // k % k, cell % k]
    return Crossings(
        codes[0], np.where(more, codes[1], codes[2]), np.where(more, codes[2], codes[1]),
        np.where(more, pairs_low, pairs_high), np.where(more, pairs_high, pairs_low),
        hits, items, expected, np.minimum(1.0, p),
    )  # fmt: skip
