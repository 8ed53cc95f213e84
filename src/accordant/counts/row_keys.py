"""Find rows that are the same, so that each is worked on once."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

MOST_KEYS = 1 << 22  # up to this many possible keys, a table is quicker than a sort
EXACT = 1 << 53  # integers that a float64 sum keeps exact
SAMPLE = 20_000  # rows looked at to see whether grouping is worth a sort


class Groups(NamedTuple):
    """G groups of R rows.

    ``first`` (G,) one row of each group, ``times`` (G,) its number of rows, ``of`` (R,) the
    group of each row.
    """

    first: Ints
    times: Ints
    of: Ints


def group_keys(key: Ints, n_possible: int) -> Groups:
    """Group rows by an integer key (R,) in ``range(n_possible)``."""
    if n_possible <= min(MOST_KEYS, 64 * len(key) + 4096):  # few rows are sorted sooner
        seen = np.zeros(n_possible, bool)
        seen[key] = True
        found = np.flatnonzero(seen)
        number = np.empty(n_possible, np.min_scalar_type(-len(found) - 1))
        number[found] = np.arange(len(found))
        of: Ints = number.take(key)
        first = np.zeros(len(found), np.intp)
        first[of] = np.arange(len(key))  # any row of the group will do
        return Groups(first, np.bincount(of, minlength=len(found)), of)
    if _mostly_distinct(key):
        return _ungrouped(len(key))
    _, first, of, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return Groups(first, times, of)


def group_rows(start: Ints, code: Ints) -> Groups:
    """Group rows that hold the same *set* of codes.

    Row i holds ``code[start[i]:start[i + 1]]``, each code at most once, in any order but the
    same order in equal rows. Rows are compared by a 64-bit hash; should two different rows
    share a hash, they are kept apart.
    """
    hashes = np.zeros(len(start) - 1, np.uint64)
    filled = np.flatnonzero(np.diff(start))
    if len(filled):
        hashes[filled] = np.add.reduceat(_scramble(code), start[filled])
    key = hashes.view(np.int64)
    groups = group_keys(key, EXACT << 1)
    return groups if _same(start, code, groups) else _ungrouped(len(key))


def mixed_radix(base: int, n_digits: int) -> tuple[Ints, int] | None:
    """Weights that pack ``n_digits`` digits below ``base`` into one exact integer, or None."""
    if n_digits * math.log2(base) > math.log2(EXACT):
        return None
    n_possible = base**n_digits
    return np.array([base**j for j in range(n_digits)], dtype=np.int64), n_possible


def renumbered(kept: NDArray[np.bool_], of: Ints) -> Ints:
    """Positions ``of`` among rows (R,), -1 for none, as positions among the rows that are kept."""
    if kept.all():
        return of
    return np.asarray(np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)[of])


def entries_of(start: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of the entries of some rows, and where each of these rows starts now."""
    size = np.diff(start)[rows]
    new_start = np.concatenate([[0], np.cumsum(size)])
    shift = np.repeat(start[:-1][rows] - new_start[:-1], size)
    return np.arange(new_start[-1]) + shift, new_start


def sums(of: Ints, x: NDArray[Any], n: int) -> NDArray[np.float64]:
    """Sum of ``x`` (R,) over the rows of each of ``n`` groups: (n,)."""
    return np.asarray(np.bincount(of, weights=x, minlength=n), dtype=np.float64)


def _mostly_distinct(key: Ints) -> bool:
    """Whether a sample shows so few repeated rows that sorting all would gain nothing."""
    if len(key) <= 4 * SAMPLE:
        return False
    sample = key[:: len(key) // SAMPLE]
    return len(np.unique(sample)) > 0.98 * len(sample)


def _scramble(code: Ints) -> NDArray[np.uint64]:
    """Spread codes over 64 bits (the finaliser of SplitMix64), so that sums hardly collide."""
    with np.errstate(over="ignore"):
        x = (code.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def _same(start: Ints, code: Ints, groups: Groups) -> bool:
    """Whether each row equals the first row of its group, code by code."""
    size = np.diff(start)
    model = groups.first[groups.of]
    if not np.array_equal(size, size[model]):
        return False
    shift = np.repeat(start[:-1][model] - start[:-1], size)
    return bool(np.array_equal(code, code[np.arange(len(code)) + shift]))


def _ungrouped(n: int) -> Groups:
    return Groups(np.arange(n), np.ones(n, np.intp), np.arange(n))
