"""The first CrowdTruth measures: clarity of items, ambiguity of categories, disagreement of coders.

Aroyo & Welty (2013). Nothing is weighted and nothing is iterated: the annotations of an item are
added to one vector, and everything is a cosine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...errors import RequestError
from .vectors import Vectors

__all__ = ["Originals", "originals"]

Floats = NDArray[np.float64]

MOST = 5000  # categories whose similarities are a table


class Originals(NamedTuple):
    """I items, C coders, K categories, L cells; see `CrowdTruthOriginal`."""

    cell_score: Floats  # (L,)
    clarity: Floats  # (I,)
    similarity: Floats  # (K, K)
    ambiguity: Floats  # (K,)
    category_clarity: Floats  # (K,)
    with_items: Floats  # (C,)
    with_coders: Floats  # (C,)
    n_labels: Floats  # (C,)


def originals(v: Vectors) -> Originals:
    """All measures of some vectors."""
    n_items, n_coders, n = v.shape
    total = _sums(v.cell, v.share, len(v.cell_item))
    length = np.sqrt(np.bincount(v.cell_item, total**2, n_items))
    score = total / length[v.cell_item]
    clarity = np.zeros(n_items)
    np.maximum.at(clarity, v.cell_item, score)
    category_clarity = np.full(n, np.nan)
    np.fmax.at(category_clarity, v.cell_category, score)
    similarity = _similarity(v)
    apart = similarity.copy()
    np.fill_diagonal(apart, -np.inf)
    ambiguity = apart.max(1, initial=-np.inf)
    ambiguity = np.where(np.isfinite(ambiguity), ambiguity, np.nan)
    with_items = _disagreement_with_items(v, total)
    labels = np.bincount(v.coder[v.row], v.share, n_coders) - _empty(v)
    return Originals(
        score, clarity, similarity, ambiguity, category_clarity, with_items,
        _disagreement_with_coders(v), labels / np.maximum(v.per_coder, 1),
    )  # fmt: skip


def _empty(v: Vectors) -> Floats:
    """(C,) how often the coder gave the empty set, which is no label."""
    none = v.category == len(v.categories) - 1 if () in v.categories else np.zeros(len(v.row), bool)
    return _sums(v.coder[v.row[none]], v.share[none], len(v.coders))


def _similarity(v: Vectors) -> Floats:
    """(K, K) P(column is given to an item | row is), by whichever coders; NaN for unused rows."""
    from scipy.sparse import csr_array

    n_items, _, n = v.shape
    if n > MOST:
        raise RequestError(
            f"there are {n:,} categories: these measures are for closed tasks, in which all items "
            "have the same few",
            do=[Action("crowdtruth", {"task": "open"}, "for an open task")],
        )
    ones = np.ones(len(v.cell_item))
    held = csr_array((ones, (v.cell_category, v.cell_item)), shape=(n, n_items))
    together = (held @ held.T).toarray()
    alone = together.diagonal()[:, None]
    return np.where(alone > 0, together / np.where(alone > 0, alone, 1), np.nan)


def _disagreement_with_items(v: Vectors, total: Floats) -> Floats:
    """(C,) mean of 1 − cos(own vector, sum of the vectors of the other coders of the item)."""
    rest = total[v.reach_cell] - v.reach_share
    product = np.bincount(v.reach_row, v.reach_share * rest, len(v.item))
    own = np.sqrt(np.bincount(v.row, v.share**2, len(v.item)))
    other = np.sqrt(np.bincount(v.reach_row, rest**2, len(v.item)))
    shared = v.shared[v.item]
    apart = 1 - product[shared] / (own * other)[shared]
    return _over(_sums(v.coder[shared], apart, len(v.coders)), v.n_shared)


def _disagreement_with_coders(v: Vectors) -> Floats:
    """(C,) mean over the coder's fellows of the mean of 1 − cos on the items that both share."""
    from scipy.sparse import csr_array

    n_items, n_coders, _ = v.shape
    unit = v.share / np.sqrt(np.bincount(v.row, v.share**2))[v.row]
    shape = (n_coders, len(v.cell_item))
    vectors = csr_array((unit, (v.coder[v.row], v.cell)), shape=shape)
    annotated = csr_array((np.ones(len(v.item)), (v.coder, v.item)), shape=(n_coders, n_items))
    likeness, together = vectors @ vectors.T, (annotated @ annotated.T).tocsr()
    together.setdiag(0)
    together.eliminate_zeros()
    fellows: Any = np.diff(together.indptr)
    inverse = together.copy()
    inverse.data = 1 / together.data
    alike = np.asarray(likeness.multiply(inverse).sum(1)).ravel()
    return _over(fellows - alike, fellows)


def _sums(of: Any, x: Floats, n: int) -> Floats:
    return np.asarray(np.bincount(of, x, n), np.float64)


def _over(x: Floats, n: Any) -> Floats:
    """Means; NaN of nothing, and no −0.000 by rounding."""
    return np.where(n > 0, np.maximum(x, 0) / np.maximum(n, 1), np.nan)
