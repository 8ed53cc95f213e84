"""Whether the errors about an item concentrate on one label more than those about a hard item.

How many coders err tells nothing: an item may be hard. But whoever errs about a hard item errs as
usual, so the labels of those who differ from the truth fall on the other categories as their
confusion matrices say. Given who differs, the number of them with a certain label is a sum of
independent indicators, whatever the ease of the item is, and even if it is another one for each
coder. An item with a second reading has too many of one label.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .rareness import adjusted

__all__ = ["concentration", "discrete"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

PLAUSIBLE = 0.05  # belief from which a category may be the truth of an item
FEWEST = 2  # of the same label that can be called a second reading
CELLS = 2_000_000  # numbers that are held at a time
NEAR = 1 + 1e-9


def concentration(
    table: Floats, label: Ints, belief: Floats, category: Ints, n_categories: int
) -> tuple[Floats, Floats]:
    """p-values of the hypothesis that an item has one reading, however hard it is.

    Parameters
    ----------
    table : ndarray
        (B, n, S, O) probability of each answer of each coder in each state.
    label : ndarray
        (B, n) what they said; answers from ``n_categories`` on are no labels and do not count.
    belief : ndarray
        (B, S) in each state. The p-value is the largest of those of the states that are believed
        in by 5 % or more.
    category : ndarray
        (S,) the category of each state.
    n_categories : int
        K. With two p is 1.

    Returns
    -------
    p_value, least : ndarray
        (B,) the smallest tail of any label counted for all labels (Bonferroni, but for what each
        can reach); and the p-value if all who differ gave the same label, which is as low as it
        can be.
    """
    p, least = np.zeros(len(label)), np.zeros(len(label))
    n = label.shape[1]
    size = max(1, CELLS // (n_categories * (n + 1)))
    for state, own in enumerate(category.tolist()):
        chosen = np.flatnonzero((belief[:, state] >= PLAUSIBLE) | (belief.argmax(1) == state))
        for start in range(0, len(chosen), size):
            at = chosen[start : start + size]
            found = _given_truth(table[at, :, state, :n_categories], label[at], own)
            p[at], least[at] = np.maximum(p[at], found[0]), np.maximum(least[at], found[1])
    return p, least


def _given_truth(row: Floats, label: Ints, truth: int) -> tuple[Floats, Floats]:
    """(B,) and (B,) where one category is the truth; ``row`` is (B, n, K)."""
    b, n, k = row.shape
    others = np.delete(np.arange(k), truth)
    if not len(others):
        return np.ones(b), np.ones(b)
    differs = (label != truth) & (label < k)
    pattern = row[..., others] / row[..., others].sum(-1, keepdims=True)
    chance = np.where(differs[..., None], pattern, 0.0)  # (B, n, K − 1)
    exactly = np.zeros((b, len(others), n + 1))
    exactly[..., 0] = 1
    for a in range(n):
        q = chance[:, a, :, None]
        exactly[..., 1:] += q * (exactly[..., :-1] - exactly[..., 1:])
        exactly[..., :1] *= 1 - q
    tail = exactly[..., ::-1].cumsum(-1)[..., ::-1]  # this many or more
    tail[..., :FEWEST] = 1.0
    count = (label[..., None] == others).sum(1)  # (B, K − 1)
    seen = np.take_along_axis(tail, count[..., None], -1)[..., 0].min(1)
    all_alike = np.take_along_axis(tail, differs.sum(1)[:, None, None], -1)[..., 0].min(1)
    return _reached(tail, seen), _reached(tail, all_alike)


def _reached(tail: Floats, t: Floats) -> Floats:
    """(B,) that the tail of some label is as small as t: each adds what it can reach."""
    below = np.where(tail <= t[:, None, None] * NEAR, tail, 0.0).max(-1)
    return np.asarray(np.minimum(below.sum(1), 1.0))


def discrete(p: Floats, least: Floats, level: float) -> Floats:
    """q-values of tests some of which cannot reject, whatever is seen (Gilbert 2005).

    Tests that could not be significant even after the correction for those that could (Tarone
    1990) do not count; the others are adjusted as by Benjamini & Hochberg (1995).

    Parameters
    ----------
    p, least : ndarray
        (I,) p-values, and how small each could be; NaN where nothing is tested.
    level : float

    Returns
    -------
    ndarray
        (I,) 1 for tests that cannot reject.

    Examples
    --------
    >>> p = np.array([0.01, 0.5, 1.0, 1.0, np.nan])
    >>> discrete(p, np.array([0.001, 0.01, 0.6, 0.6, np.nan]), 0.1).tolist()
    [0.02, 0.5, 1.0, 1.0, nan]
    """
    known = ~np.isnan(p)
    could = np.sort(least[known])
    m = int(known.sum())
    fit_for = np.searchsorted(could, level / np.arange(1, m + 1), side="right")
    enough = np.flatnonzero(fit_for <= np.arange(1, m + 1))
    bound = level / (enough[0] + 1) if len(enough) else level
    able = known & (np.where(known, least, 1.0) <= bound)
    found = np.where(known, 1.0, np.nan)
    found[able] = adjusted(p[able])
    return found
