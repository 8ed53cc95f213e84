"""What each coder may do, with what is true drawn too: one after the other, given the other.

Beliefs that rest on few labels err together with the coders that they were learned from: the labels
of spammers move them, and spammers seem to be right. Expected counts do not show it; draws do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..em import How
from ..estimators.pooling import rows_of
from ..votes import UNKNOWN, Votes

__all__ = ["affordable", "drawn_with_truth"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

STRENGTHS = (0.5, 1.0, 2.0, 4.0)
"""Annotations that each row of the crowd's confusion matrix is worth beforehand: nobody knows how
alike coders are, so there is a chain for each."""
CHAINS = len(STRENGTHS)
FIRST = 50  # rounds that are not kept
ROUNDS = 100  # that are: 400 draws
MOST = 20_000_000  # annotations and cells that all rounds go through: half a second
CODE = 8  # of these draws, among all that a seed is used for


def affordable(votes: Votes) -> bool:
    """Whether what is true can be drawn quickly."""
    cells = (votes.n_items + votes.n_coders * votes.n_answers) * votes.n_categories
    return CHAINS * (FIRST + ROUNDS) * (len(votes.item) + cells) <= MOST


def drawn_with_truth(votes: Votes, q: Floats, pooled: Floats, how: How) -> Floats:
    """(B, C, K, O) draws of the confusion matrices.

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) beliefs that the draws begin with.
    pooled : ndarray
        (K, O) confusion matrix of all coders together, that each is drawn towards.
    how : How
        Its seed.

    Notes
    -----
    Gibbs sampling (Geman & Geman 1984) of what is true, of prevalence and of confusion matrices.
    Items are drawn in the order of their names, categories in that of their frequency.
    """
    table, order = _by_frequency(votes, q)
    rows, columns = order
    crowd = pooled[rows][:, columns]
    prior = np.array(STRENGTHS)[:, None, None, None] * crowd
    k, o = crowd.shape
    rng, shape = how.generator(CODE), (CHAINS, votes.n_coders, k, o)
    known = np.where(votes.known == UNKNOWN, UNKNOWN, np.argsort(rows)[votes.known])
    place = votes.coder.astype(np.int64) * (k * o) + np.argsort(columns)[votes.label]
    truth = _chosen(np.broadcast_to(q[:, None, rows], (len(q), CHAINS, k)), known, votes, rng)
    kept = []
    for done in range(FIRST + ROUNDS):
        counts = np.array(
            [np.bincount(place + o * z[votes.item], votes.times, shape[1] * k * o) for z in truth.T]
        )
        confusion = _dirichlet(counts.reshape(shape) + prior, rng)
        items = np.array([np.bincount(z, minlength=k) for z in truth.T])
        prevalence = _dirichlet(items + 1 / k, rng)
        logs = np.log(confusion).transpose(1, 3, 0, 2).reshape(-1, CHAINS * k)
        joint = np.asarray(table @ logs).reshape(-1, CHAINS, k) + np.log(prevalence)
        joint -= joint.max(-1, keepdims=True)
        truth = _chosen(rows_of(np.exp(joint)), known, votes, rng)
        if done >= FIRST:
            kept.append(confusion)
    found = np.concatenate(kept)
    return np.ascontiguousarray(found[:, :, np.argsort(rows)][:, :, :, np.argsort(columns)])


def _by_frequency(votes: Votes, q: Floats) -> tuple[Any, tuple[Ints, Ints]]:
    """The labels (I, C * O) with the most frequent answer first; categories, and answers, so."""
    from scipy.sparse import csr_array

    given = np.bincount(votes.label, votes.times, votes.n_answers)
    rows = np.argsort(-q.sum(0), kind="stable")
    columns = np.argsort(-given, kind="stable")
    cells = votes.coder.astype(np.int64) * votes.n_answers + np.argsort(columns)[votes.label]
    shape = (votes.n_items, votes.n_coders * votes.n_answers)
    return csr_array((votes.times, cells, votes.item_start), shape=shape), (rows, columns)


def _chosen(p: Floats, known: Ints, votes: Votes, rng: np.random.Generator) -> Ints:
    """(I, H) one category of each item in each chain; of a control item what is known."""
    u = np.empty(p.shape[:2])
    u[votes.order] = rng.random(p.shape[:2])
    drawn = np.minimum((u[:, :, None] >= np.cumsum(p, -1)).sum(-1), p.shape[2] - 1)
    return np.where(known[:, None] == UNKNOWN, drawn, known[:, None])


def _dirichlet(shape: Floats, rng: np.random.Generator) -> Floats:
    """Draws of the same shape; the last axis sums to 1."""
    found = rng.standard_gamma(np.maximum(shape, 1e-3)) + 1e-300
    return np.asarray(found / found.sum(-1, keepdims=True))
