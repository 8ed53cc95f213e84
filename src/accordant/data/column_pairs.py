"""Columns held against one another: what they share, how much they agree, what follows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .evidence import Facts, Keys

__all__ = ["agreeing", "agreement", "derived", "marked", "overlap", "pairs_of"]

SHRUNK = 3.0  # groups that agreement by chance is worth: evidence of few items counts little


def marked(columns: Sequence[Facts]) -> bool:
    """Whether marks in these columns are rather the labels of one question than several answers.

    A mark without a word for its absence, or exactly one mark in each row that has any, says so.
    """
    ticked = np.stack([c.ticked for c in columns]).sum(0)
    blank = np.stack([c.keys < 0 for c in columns]).all(0)
    once = bool((ticked[~blank] == 1).all()) and not blank.all()
    return once or any(c.ticks for c in columns)


def pairs_of(one: Keys, other: Keys) -> tuple[Keys, Keys, Keys]:
    """The pairs of keys that occur in some rows, and how often: three of (P,).

    One key for both is sorted in a hundredth of the time of pairs. Rows with a blank are left out.

    Examples
    --------
    >>> one, other, times = pairs_of(np.array([2, 2, 0, -1]), np.array([1, 1, 3, 0]))
    >>> one.tolist(), other.tolist(), times.tolist()
    ([0, 2], [3, 1], [1, 2])
    """
    keep = (one >= 0) & (other >= 0)
    width = int(other.max(initial=0)) + 1
    pair = one[keep].astype(np.int64) * width + other[keep]
    most = (int(one.max(initial=0)) + 1) * width
    if most <= 4 * len(pair) + (1 << 12):
        times = np.bincount(pair, minlength=most)
        found = np.flatnonzero(times)
        return found // width, found % width, times[found]
    found, times = np.unique(pair, return_counts=True)
    return found // width, found % width, times


def agreement(keys: Keys, group: Keys, numbers: NDArray[np.float64] | None = None) -> float:
    """How much alike cells of one group are, beyond chance: 1 - within / total, shrunk to 0.

    Parameters
    ----------
    keys, group : ndarray
        (N,) the cell and the group (a row, an item) of each; -1 is left out.
    numbers : ndarray, optional
        (N,) the cells as numbers, for measures: variances instead of shares of unequal pairs.

    Examples
    --------
    >>> one = np.array([0, 1, 0, 1, 0, 1])
    >>> agreement(np.tile(one, 2), np.tile(np.arange(6), 2))
    0.666...
    """
    keep = (keys >= 0) & (group >= 0)
    if numbers is not None:
        keep &= ~np.isnan(numbers)
    keys, group = keys[keep], group[keep]
    if not len(keys):
        return 0.0
    _, group = np.unique(group, return_inverse=True)
    size = np.bincount(group)
    several = size > 1
    n_groups = int(np.count_nonzero(several))
    inside = several[group]
    keys, group = keys[inside], group[inside]
    if n_groups < 2 or len(np.unique(keys)) < 2:
        return 0.0
    if numbers is not None:
        x = numbers[keep][inside]
        n = size[group]
        mean = np.bincount(group, x, len(size))[group] / n
        within = np.sum((x - mean) ** 2 / (n - 1)) / n_groups
        total = float(np.var(x))
        found = 1 - within / total if total else 0.0
    else:
        pair = group.astype(np.int64) * (int(keys.max()) + 1) + keys
        _, first, times = np.unique(pair, return_index=True, return_counts=True)
        of = group[first]
        same = np.bincount(of, times * (times - 1.0), len(size))[several]
        differ = float(np.mean(1 - same / (size[several] * (size[several] - 1.0))))
        share = np.unique(keys, return_counts=True)[1] / len(keys)
        found = 1 - differ / (1 - float(share @ share))
    return float(found) * n_groups / (n_groups + SHRUNK)


def agreeing(columns: Sequence[Facts]) -> float:
    """How much columns agree, row by row."""
    n = len(columns[0].keys)
    rows = np.tile(np.arange(n), len(columns))
    if all(c.ticks for c in columns):
        return agreement(np.concatenate([c.ticked.astype(np.int64) for c in columns]), rows)
    measures = all(c.measure for c in columns)
    numbers = np.concatenate([c.numbers for c in columns]) if measures else None
    return agreement(np.concatenate([c.keys for c in columns]), rows, numbers)


def overlap(one: Facts, other: Facts) -> float:
    """The share of cells that the other column holds too, of ranges for measures; 0 to 1."""
    if not one.n_values or not other.n_values:
        return 0.0
    numbers = one.kind == other.kind == "number" and (one.measure or other.measure)
    if numbers and min(one.n_values, other.n_values) > 3:
        (a, b), (c, d) = (np.nanquantile(x.numbers, (0.05, 0.95)).tolist() for x in (one, other))
        width = max(b, d) - min(a, c)
        return max(0.0, (min(b, d) - max(a, c)) / width) if width else 1.0
    if one.lists or other.lists:
        return _overlap_of_sets(one, other)
    here = np.isin(one.filled, other.values).mean()
    there = np.isin(other.filled, one.values).mean()
    return float(here + there) / 2


def _overlap_of_sets(one: Facts, other: Facts) -> float:
    a, b = one.members, other.members
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def derived(column: Facts, others: Sequence[Facts]) -> str:
    """What a column tells that follows from the others: whether they are equal, their mean; or ''.

    Not the highest or lowest: of 0 and 1 they are so by accident.
    """
    if len(others) < 2:
        return ""
    each = np.stack([c.keys for c in others])
    rows = (column.keys >= 0) & ((each >= 0).sum(0) > 1)
    if np.count_nonzero(rows) < 5 or len(np.unique(column.keys[rows])) < 2:
        return ""
    said, each = column.keys[rows], each[:, rows]
    highest, lowest = each.max(0), np.where(each >= 0, each, each.max() + 1).min(0)
    equal = highest == lowest
    if column.n_values == 2 and all(len(np.unique(said[equal == e])) <= 1 for e in (True, False)):
        return "whether the others are equal"
    x, y = column.numbers[rows], np.stack([c.numbers[rows] for c in others])
    if np.isnan(x).any() or np.isnan(y[each >= 0]).any():
        return ""
    found = (
        ("mean", np.nanmean(y, 0)),
        ("sum", np.nansum(y, 0)),
        ("range", np.nanmax(y, 0) - np.nanmin(y, 0)),
    )
    for what, value in found:
        if np.abs(x - value).max() < 0.011:
            return f"the {what} of the others"
    return ""
