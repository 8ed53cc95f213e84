"""BWA, the Bayesian weighted average (Li et al. 2019b): labels as numbers near 0 or 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..em import Climb, How, Step, climb
from ..votes import Votes
from .tally import one_vote_each, tally, with_known

__all__ = ["averaged"]

Floats = NDArray[np.float64]

SHAPE = 15.0  # of the prior of precisions: annotations of a usual coder that everybody is given
TOWARDS_MEAN = 1.0  # precision with which an item is drawn to the mean of all items


def averaged(votes: Votes, once: bool, how: How) -> tuple[Floats, Floats, Climb]:
    """Weighted averages of what was said, for each category by itself.

    Parameters
    ----------
    votes : Votes
        Control items are 1 in their category and 0 in others.
    once : bool
        Whether a coder says a thing about an item once at most, however often asked. A coder who
        gave it two labels then said both.
    how : How

    Returns
    -------
    averages : ndarray
        (I, K) from 0 to 1; they need not sum to 1.
    precision : ndarray
        (C, K) weight of each coder for each category.
    climb : Climb

    Notes
    -----
    An annotation is 1 in its category and 0 in others, and normally distributed around the item's
    value with a precision of the coder's own, which has a Gamma prior (shape 15 / 2). The value is
    normal around the mean of all items with precision 1. The scale of the prior is what precision
    would be if coders differed by chance only, times 4 (1 − 1 / K) (the paper's correction for
    many categories). Each update is the exact maximum in one group of variables, so the joint log
    density, profiled over precisions and mean, never falls.
    """
    k = votes.n_categories
    each = one_vote_each(votes) if once else votes.times
    said = votes.label < k
    item, coder, label = votes.item[said], votes.coder[said], votes.label[said]
    w = np.ones(len(item)) if once else votes.times[said]
    per_coder = np.bincount(coder, each[said], votes.n_coders)
    table = _table(votes, each)
    n = np.asarray(table.sum(1))[:, None]
    chosen = tally(votes, np.ones_like(each) if once else each)
    start = with_known(votes, np.where(n > 0, chosen / np.where(n > 0, n, 1), 1 / k))
    spread = (np.bincount(item, w, votes.n_items)[:, None] * start * (1 - start)).sum(0) / max(
        per_coder.sum(), 1e-300
    )
    scale = SHAPE * spread * 4 * (1 - 1 / k) + 1e-12  # all may agree: then precision has no limit
    cell = coder.astype(np.int64) * k + label
    own = np.bincount(cell, w, votes.n_coders * k).reshape(-1, k)

    def precisions(z: Floats) -> Floats:
        """(C, K) from squared distances: all as if 0 had been said, then what was said."""
        chosen = np.bincount(cell, w * z[item, label], votes.n_coders * k).reshape(-1, k)
        squares = np.maximum(table.T @ z**2 - 2 * chosen + own, 0)
        return np.asarray((SHAPE + per_coder)[:, None] / (scale + squares))

    def step(z: Floats) -> Step:
        mean, v = z.mean(0), precisions(z)
        value = 0.5 * float(((SHAPE + per_coder)[:, None] * np.log(v)).sum())
        value -= 0.5 * TOWARDS_MEAN * float(((z - mean) ** 2).sum())
        n = votes.n_items * k
        at = item.astype(np.int64) * k + label
        pull = np.bincount(at, w * v[coder, label], n).reshape(-1, k)
        new = (TOWARDS_MEAN * mean + pull) / (TOWARDS_MEAN + table @ v)
        return Step(with_known(votes, new), value)

    z, run = climb(step, start, how, "log posterior")
    return z, precisions(z), run


def _table(votes: Votes, each: Floats) -> Any:
    """(I, C) sparse: how much the coder's annotations of the item count."""
    from scipy.sparse import csr_array

    x = np.where(votes.label < votes.n_categories, each, 0)
    shape = votes.n_items, votes.n_coders
    return csr_array((x, votes.coder, votes.item_start), shape=shape)
