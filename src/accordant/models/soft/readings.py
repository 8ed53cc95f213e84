"""Whether each coder saw the same in an item: one true category, or several readings of it.

Given one category for all, coders err independently by their confusion matrices. Given several
readings, each coder saw one of them, with shares θ, and then erred. How much better the second
explains the annotations is what speaks for ambiguity, whoever the coders are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..emission import Emission
from ..votes import Votes

__all__ = [
    "ambiguous_share", "likelihoods", "reaches", "read_as", "same_size",
    "two_readings",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

ROUNDS = 10  # of the climb to the best shares; the statistic is what these rounds reach
MOST_READINGS = 4  # categories of an item of which two may be its readings
SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)  # of the first of two readings
LEAST = 1e-12  # probability of an answer; below it, it is one slip among very many


def same_size(votes: Votes, least: int = 2) -> Iterator[tuple[Ints, Ints]]:
    """Items with two or more annotations, by their number n: (B,) items, (B, n) annotations.

    A label that a coder gave several times stands there as often.
    """
    each = np.repeat(np.arange(len(votes.item)), np.rint(votes.times).astype(np.int64))
    size = np.bincount(votes.item[each], minlength=votes.n_items)
    start = np.cumsum(size) - size
    for n in np.unique(size[size >= least]).tolist():
        items = np.flatnonzero(size == n)
        yield items, each[start[items][:, None] + np.arange(n)]


def likelihoods(emission: Emission, votes: Votes, annotations: Ints) -> Floats:
    """(B, n, S, O) probability of every answer in place of annotations (B, n)."""
    at = annotations.ravel()
    table = emission.table(votes.item[at], votes.coder[at])
    return np.maximum(table.reshape(*annotations.shape, *table.shape[1:]), LEAST)


def read_as(given: Floats) -> tuple[Floats, Floats]:
    """How much better several readings explain annotations than one, and what they are.

    Parameters
    ----------
    given : ndarray
        (S, n, ...) probability of each annotation in each state of the item.

    Returns
    -------
    gain : ndarray
        (...) log likelihood with the best shares of readings less that with one state, in nats,
        from 0 up.
    shares : ndarray
        (S, ...) the best shares.
    """
    one = np.log(given).sum(1).max(0)
    shares = np.full((given.shape[0], *given.shape[2:]), 1 / given.shape[0])
    for _ in range(ROUNDS):
        joint = given * shares[:, None]
        joint /= joint.sum(0)
        shares = joint.mean(1)
    several = np.log((given * shares[:, None]).sum(0)).sum(0)
    return np.maximum(several - one, 0.0), shares


def reaches(given: Floats, gain: Floats) -> NDArray[np.bool_]:
    """(M,) whether `read_as` of (S, n, M) gains as much, without finishing the climb where it can.

    The climb never falls, so who has come as far is done. And with D_k the mean over annotations
    of P(label | k) over the mixture, no shares can gain more than n log max D_k from here (Jensen's
    inequality), so who cannot come as far is done too.
    """
    n = given.shape[1]
    each = np.log(given)
    target = gain + each.sum(1).max(0)
    found = gain <= 0
    left = np.flatnonzero(~found & (each.max(0).sum(0) >= target))
    given, target = given[:, :, left], target[left]
    shares = np.full((given.shape[0], len(left)), 1 / given.shape[0])
    for last in (*[False] * ROUNDS, True):
        mixed = np.einsum("snm,sm->nm", given, shares)
        value = np.log(mixed).sum(0)
        found[left[value >= target]] = True
        if last or not len(left):
            break
        rise = np.einsum("snm,nm->sm", given, 1 / mixed) / n
        shares *= rise
        going = (value < target) & (value + n * np.log(rise.max(0)) >= target)
        if going.sum() < 0.8 * len(left):
            left, target, shares = left[going], target[going], shares[:, going]
            given = given[:, :, going]
    return np.asarray(found)


def two_readings(given: Floats, prior: Floats) -> Floats:
    """Log likelihood of the annotations of items with two readings, (B,) from (B, n, S), in nats.

    Two readings are a pair of states, the more probable the more frequent both are; the first is
    seen with a share of 0.2 to 0.8. Of many states the four that explain an item best may be its
    readings.
    """
    s = given.shape[-1]
    if s < 2:
        return np.full(len(given), -math.inf)
    best = given / given.sum(-1, keepdims=True)
    chosen = np.argsort(-best.sum(1), axis=1, kind="stable")[:, : min(s, MOST_READINGS)]
    own = np.take_along_axis(given, chosen[:, None, :], 2)
    weight = np.maximum(prior, LEAST)[chosen]
    found, total = [], []
    for first, second in combinations(range(own.shape[-1]), 2):
        pair = np.log(weight[:, first]) + np.log(weight[:, second])
        for share in SHARES:
            mixed = share * own[..., first] + (1 - share) * own[..., second]
            found.append(pair + np.log(mixed).sum(1))
            total.append(pair)
    # pairs that are left out count with their prior and explain nothing
    every = _log_sum(np.stack(total, 1)) if s <= MOST_READINGS else math.log(
        len(SHARES) * (1 - float((prior**2).sum()) + LEAST) / 2
    )  # fmt: skip
    return np.asarray(_log_sum(np.stack(found, 1)) - every)


def _log_sum(x: Floats) -> Floats:
    top = x.max(1, keepdims=True)
    return np.asarray(top[:, 0] + np.log(np.exp(x - top).sum(1)))


def ambiguous_share(factor: Floats) -> tuple[float, float]:
    """The share of ambiguous items that log Bayes factors (B,) speak for, and its likelihood ratio.

    Returns
    -------
    share : float
        0 to 1.
    ratio : float
        Twice the gain in log likelihood over no ambiguous item at all.

    Examples
    --------
    >>> share, ratio = ambiguous_share(np.array([9.0] * 3 + [-3.0] * 7))
    >>> round(share, 2), ratio > 20
    (0.32, True)
    """
    if not len(factor):
        return math.nan, math.nan
    odds = np.exp(np.minimum(factor, 500))

    def slope(share: float) -> float:
        return float(((odds - 1) / (1 + share * (odds - 1))).sum())

    if slope(0.0) <= 0:
        return 0.0, 0.0
    low, high = 0.0, 1 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low, float(2 * np.log1p(low * (odds - 1)).sum())
