"""Coders in clusters: the split with the widest gap between agreement within and with others."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...arrays import Floats, Ints

__all__ = ["MOST_CODERS", "best_split"]

MOST_CODERS = 60  # a table of all pairs is made for each draw
MOST_GROUPS = 4


def best_split(excess: Floats, n: Floats) -> tuple[Ints | None, float]:
    """(C,) the best split, and its gap; coders alone in a cluster are in no group.

    A gap counts by the share of coders that are in a group, so that groups do not get clearer by
    leaving out members.

    Parameters
    ----------
    excess, n : ndarray
        (C, C) how much two coders agree, and the weight of that.

    Examples
    --------
    >>> alike = np.kron(np.eye(2), np.ones((2, 2)))
    >>> of, gap = best_split(alike, np.ones((4, 4)))
    >>> of.tolist(), gap
    ([0, 0, 1, 1], 1.0)
    """
    best, most = None, 0.0
    for cluster in _clusters(float(excess.max()) - excess):
        size = np.bincount(cluster)
        kept = np.flatnonzero(size >= 2)
        if not 2 <= len(kept) <= MOST_GROUPS or size[kept].sum() * 2 <= len(excess):
            continue
        number = np.full(len(size), -1)
        number[kept] = np.arange(len(kept))
        of = number[cluster]
        gap = _least_gap(of, excess, n) * float(size[kept].sum()) / len(excess)
        if gap > most:
            best, most = of, gap
    return best, most


def _clusters(far: Floats) -> Iterator[Ints]:
    """(C,) clusters of average linkage, from twice as many as there may be groups down to two.

    Of coders who are `far` (C, C) from each other: the two nearest clusters are joined, and the
    distance to the others is the mean over their members (Sokal & Michener 1958).
    """
    d = far.copy()
    np.fill_diagonal(d, np.inf)
    size, of, n = np.ones(len(d)), np.arange(len(d)), len(d)
    while n > 2:
        i, j = sorted(divmod(int(d.argmin()), len(d)))
        mean = (size[i] * d[i] + size[j] * d[j]) / (size[i] + size[j])
        d[i], d[:, i], d[i, i] = mean, mean, np.inf
        d[j], d[:, j] = np.inf, np.inf
        size[i] += size[j]
        of[of == j] = i
        n -= 1
        if n <= 2 * MOST_GROUPS:
            yield of.copy()


def _least_gap(of: Ints, x: Floats, n: Floats) -> float:
    """The least gap, over all groups and all others, of x (C, C) within above between.

    If the others counted together, a group could be cut in two as soon as there is another one.
    """
    member = (of[None, :] == np.arange(of.max() + 1)[:, None]).astype(float)  # (G, C)
    off = n * (1 - np.eye(len(n)))
    weight, total = member @ off @ member.T, member @ (off * x) @ member.T
    if not (weight > 0).all():
        return -math.inf  # some never met: nothing tells whether they are of one group
    mean = total / weight
    within = np.diag(mean).copy()
    np.fill_diagonal(mean, -np.inf)
    return float((within - mean.max(1)).min())
