"""Whether something rises or falls with the place of items in an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trend", "rank_within", "trend"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Trend:
    """A trend in each of G groups.

    ``z`` (G,) is the sum of products of place and x in standard errors, if every order of a
    stratum were as likely as another; ``slope`` (G,) how much x rises from the first place to the
    last, by a straight line; 0 where nothing varies.
    """

    z: Floats
    slope: Floats


def rank_within(place: Floats, group: Ints) -> Floats:
    """(N,) rank of each place within its group, from 0 to 1; equal places have the same one.

    Examples
    --------
    >>> rank_within(np.array([5.0, 5.0, 9.0, 1.0]), np.array([0, 0, 0, 1])).tolist()
    [0.25, 0.25, 1.0, 0.5]
    """
    if not len(place):
        return np.zeros(0)
    order = np.lexsort((place, group))
    p, g = place[order], group[order]
    first = np.concatenate([[True], (p[1:] != p[:-1]) | (g[1:] != g[:-1])])
    tie = np.cumsum(first) - 1
    size = np.bincount(tie)
    at = np.arange(len(p))
    mean = np.bincount(tie, weights=at) / size
    n = np.bincount(g)
    start = np.cumsum(n) - n
    last = np.maximum(n[g] - 1, 1)
    found = np.empty(len(p))
    found[order] = np.where(n[g] > 1, (mean[tie] - start[g]) / last, 0.5)
    return found


def trend(x: Floats, rank: Floats, group: Ints, stratum: Ints, n_groups: int) -> Trend:
    """The trend of x over ranks in each group, within strata that are alike.

    Strata keep what differs between them from looking like a trend: in items sorted by category,
    a coder who misses one category would seem to become better or worse. The variance is that of
    the sum of products over all orders of a stratum (Hoeffding 1951, theorem 2), so nothing is
    assumed about x.

    Parameters
    ----------
    x, rank : ndarray
        (N,) observations and their ranks (`rank_within`).
    group, stratum : ndarray of int
        (N,) the group, such as a coder, and what is held constant.
    n_groups : int

    Examples
    --------
    >>> x, rank = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 1 / 3, 2 / 3, 1])
    >>> zero = np.zeros(4, int)
    >>> found = trend(x, rank, zero, zero, 1)
    >>> found.slope.round(3).tolist(), found.z.round(3).tolist()
    ([1.2], [1.549])
    """
    width = int(stratum.max(initial=0)) + 1
    _, key = np.unique(group * np.int64(width) + stratum, return_inverse=True)
    n = np.bincount(key)
    owner = np.zeros(len(n), np.int64)
    owner[key] = group
    r = rank - (np.bincount(key, weights=rank) / n)[key]
    y = x - (np.bincount(key, weights=x) / n)[key]
    rr, yy = np.bincount(key, weights=r * r), np.bincount(key, weights=y * y)
    product = np.bincount(group, weights=r * y, minlength=n_groups)
    variance = np.bincount(owner, weights=rr * yy / np.maximum(n - 1, 1), minlength=n_groups)
    along = np.bincount(owner, weights=rr, minlength=n_groups)
    small = 1e-12
    return Trend(
        np.where(variance > small, product / np.sqrt(np.where(variance > small, variance, 1)), 0.0),
        np.where(along > small, product / np.where(along > small, along, 1), 0.0),
    )
