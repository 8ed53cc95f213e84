"""How good a prediction of the coders' labels could be at all, and how good a coder is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .distances import DISTANCES
from .measuring import mass_of
from .smoothing import smoothed
from .soft_labels import SoftLabels

__all__ = ["one_coder", "perfect", "references", "votes_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

NODES = 32  # distributions that stand for the law of a share
CELLS = 1_000_000  # terms that are held at a time


def perfect(soft: SoftLabels, floor: float) -> dict[str, Floats]:
    """What a model that knows the true distribution of each item would get: (I,) by distance.

    The votes of an item are a sample, so even the true distribution does not fit them exactly.
    What it may be follows, given the votes, a Dirichlet law (that of 'hierarchical' smoothing);
    for each such distribution the expected distance from as many new votes is a sum over the
    categories, since each count is binomial. Nothing is drawn.

    Parameters
    ----------
    soft : SoftLabels
        Opinions with their counts.
    floor : float
        Least probability of a prediction, for logarithms.

    Returns
    -------
    dict
        Empty where it cannot be known: for beliefs, from files, or if no item has two annotations.
        Distances that are no sum over categories are left out.
    """
    if soft.tables is None or soft.smoothing is None:
        return {}
    whole = np.rint(soft.tables)
    law = smoothed("hierarchical", whole)
    if law.name != "hierarchical":
        return {}
    alpha = soft.tables + law.pseudo
    total = alpha.sum(-1, keepdims=True)
    n = np.rint(np.broadcast_to(soft.n.reshape(-1, *[1] * (alpha.ndim - 1)), alpha.shape))
    pseudo = np.broadcast_to(soft.smoothing.pseudo, alpha.shape)
    sums = np.broadcast_to(soft.smoothing.pseudo.sum(-1, keepdims=True), alpha.shape)
    cells = np.stack([alpha, total - alpha, n, pseudo, sums], -1).reshape(-1, 5)
    first, which = _distinct(cells)
    found = {}
    for name, each in _expected(cells[first], floor).items():
        per = each[which].reshape(alpha.shape).sum(-1)
        found[name] = per.mean(1) if soft.several else per
    return found


def _distinct(rows: Floats) -> tuple[Ints, Ints]:
    """Positions of the first of each kind of row, and the kind of each row, by sorting columns."""
    code = np.zeros(len(rows), np.int64)
    for column in rows.round(9).T:
        values, at = np.unique(column, return_inverse=True)
        _, code = np.unique(code * len(values) + at.reshape(-1), return_inverse=True)
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    return first, which.reshape(-1)


def _expected(kinds: Floats, floor: float) -> dict[str, Floats]:
    """(U,) expected terms for each distinct (α_k, A − α_k, n, pseudo-count, their sum)."""
    from scipy.special import betaincinv, gammaln

    names = [name for name, d in DISTANCES.items() if d.terms is not None]
    found = {name: np.zeros(len(kinds)) for name in names}
    nodes = (np.arange(NODES) + 0.5) / NODES
    for n in np.unique(kinds[:, 2]).tolist():
        rows = np.flatnonzero(kinds[:, 2] == n)
        size = max(1, CELLS // int(NODES * (n + 1)))
        x = np.arange(n + 1)
        ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        for start in range(0, len(rows), size):
            at = rows[start : start + size]
            a, b, _, pseudo, total = kinds[at].T[:, :, None]
            inside = (a > 0) & (b > 0)
            p = betaincinv(np.where(inside, a, 1), np.where(inside, b, 1), nodes)
            p = np.where(inside, p, a > 0).clip(0, 1)[..., None]  # (u, nodes, 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                log = ways + np.where(x > 0, x * np.log(p), 0)
                log += np.where(x < n, (n - x) * np.log1p(-p), 0)
                share = (x + pseudo[..., None]) / (n + total[..., None])
            weight = np.exp(log) / NODES
            for name in names:
                distance = DISTANCES[name]
                guess = np.maximum(p, floor) if distance.bits else p
                terms = distance.terms(share, guess) if distance.terms else share
                found[name][at] = (weight * terms).sum((1, 2))
    return found


def one_coder(soft: SoftLabels, at: Ints) -> tuple[Ints, Floats, Floats, Floats, Floats] | None:
    """Each annotation as a prediction of the others: one coder's label against the rest.

    Annotations of an item with the same label are one row, so that the cost does not grow with
    the coders.

    Parameters
    ----------
    soft : SoftLabels
    at : ndarray
        (J,) positions of the items that were predicted.

    Returns
    -------
    row, target, others, label, weight : ndarray
        (R,) position in ``at``; (R, K) distribution of the other annotations; (R, K) their counts;
        (R, K) the label; (R,) weight, 1 for each item together. None where counts are unknown or
        weighted, annotations are sets of labels, or no item has two annotations.
    """
    if soft.counts is None or soft.smoothing is None or soft.several:
        return None
    counts = soft.counts[at]
    if (counts != np.rint(counts)).any():
        return None
    n = counts.sum(1)
    row, label = np.nonzero((counts > 0) & (n[:, None] > 1))
    if not len(row):
        return None
    one = np.eye(counts.shape[1])[label]
    others = counts[row] - one
    weight = counts[row, label] / n[row]
    return row, soft.smoothing.shares(others), others, one, weight


def references(soft: SoftLabels, at: Ints) -> dict[str, Floats]:
    """Predictions that need no model, (J, K) or (J, L, 2) each.

    Returns
    -------
    dict
        'soft_labels' are the distributions themselves; 'majority_label' the coders' most frequent
        label with certainty; 'frequencies' how frequent each category is, the same for all items;
        'uniform' all categories alike.
    """
    own = soft.distributions[at]
    everywhere = np.broadcast_to(own.mean(0), own.shape)
    return {
        "soft_labels": own,
        "majority_label": mass_of(votes_of(soft)[at]),
        "frequencies": everywhere,
        "uniform": np.full(own.shape, 1 / own.shape[-1]),
    }


def votes_of(soft: SoftLabels) -> Floats:
    """(I, K) or (I, L, 2) what the majority is told by: votes if there are any."""
    return soft.distributions if soft.tables is None else soft.tables
