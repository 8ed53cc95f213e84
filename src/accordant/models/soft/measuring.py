"""Measures over all items as functions of sums, so that each has a standard error.

Whatever is told of a set of predictions (a mean distance, F1, a correlation of entropies) is a
function of sums over items. Its standard error follows by the delta method from the sums of each
item, or of each cluster of items, and a bootstrap draws items without measuring anything anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..posterior import TIE
from .distances import DISTANCES, floored, wasserstein
from .entropies import entropy

__all__ = [
    "AGGREGATES", "Sums", "errors", "influences", "mass_of", "resampled", "sums_of", "values",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

AGGREGATES = (
    "entropy_gap", "entropy_correlation", "entropy_similarity", "accuracy", "micro_f1", "macro_f1",
)  # fmt: skip
ENTROPIES = 5  # sums of t, p, t², p², tp
CELLS = 4_000_000  # draws that are held at a time
TINY = 1e-20  # step of a complex derivative, which loses no digits


@dataclass(frozen=True, eq=False)
class Sums:
    """What is summed: R rows, M columns.

    Parameters
    ----------
    names : tuple of str
        The distances, in the order of their columns.
    x : ndarray
        (R, M): weight; distances; five sums of entropies; weight of rows with a majority; credit;
        then, for each category, hits, predicted and true.
    """

    names: tuple[str, ...]
    x: Floats

    @property
    def measures(self) -> tuple[str, ...]:
        """What `values` gives, in order."""
        return (*self.names, *AGGREGATES)


def mass_of(p: Floats) -> Floats:
    """(R, K) the most probable category of each row, shared out where several are.

    Examples
    --------
    >>> mass_of(np.array([[0.2, 0.8], [0.5, 0.5]])).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    top = p >= p.max(-1, keepdims=True) - TIE
    return np.asarray(top / top.sum(-1, keepdims=True))


def sums_of(
    target: Floats,
    majority: Floats,
    decided: Floats,
    p: Floats,
    *,
    floor: float,
    at: Floats | None,
    weight: Floats | None = None,
) -> Sums:
    """The columns to be summed, for R predictions.

    Parameters
    ----------
    target, p : ndarray
        (R, K) distributions, or (R, L, 2) of the labels of sets, yes first.
    majority : ndarray
        (R, K) the coders' label, shared out at a tie; (R, L) whether they gave it, 0, ½ or 1.
    decided : ndarray
        (R,) or (R, L) 1 where hard scores count, 0 at a tie that is left out.
    floor : float
        Least probability of a prediction, for logarithms.
    at : ndarray or None
        (K,) places on an ordered scale.
    weight : ndarray, optional
        (R,) of each row.
    """
    several = p.ndim == 3
    raised = floored(p, floor)
    found = {}
    for name, distance in DISTANCES.items():
        found[name] = distance.of(target, raised if distance.bits else p)
    if at is not None and not several:
        found["wasserstein"] = wasserstein(target, p, at)
    t, e = entropy(target), entropy(p)
    if several:
        found = {name: x.mean(1) for name, x in found.items()}
        t, e = t.mean(1), e.mean(1)
        guess = np.where(p[..., 0] > 0.5 + TIE, 1.0, np.where(p[..., 0] < 0.5 - TIE, 0.0, 0.5))
        same = guess * majority + (1 - guess) * (1 - majority)
        count = np.maximum(decided.sum(1), 1)
        credit = (same * decided).sum(1) / count
        hits, own = guess * majority * decided, guess * decided
        true, valid = majority * decided, (decided.sum(1) > 0).astype(float)
    else:
        guess, kept = mass_of(p), decided[:, None]
        hits, own, true = guess * majority * kept, guess * kept, majority * kept
        credit, valid = hits.sum(1), decided
    columns = [
        np.ones(len(p)), *found.values(), t, e, t**2, e**2, t * e, valid, credit * valid,
    ]  # fmt: skip
    x = np.column_stack([*columns, hits, own, true])
    if weight is not None:
        x *= weight[:, None]
    return Sums(tuple(found), x)


def values(s: Any, n_distances: int) -> Any:
    """(..., D + 6) every measure, from sums (..., M), real or complex."""
    n = s[..., :1]
    distances = s[..., 1 : 1 + n_distances] / n
    rest = s[..., 1 + n_distances :]
    t, e, tt, ee, te = np.moveaxis(rest[..., :ENTROPIES] / n, -1, 0)
    hits, own, true = np.split(rest[..., ENTROPIES + 2 :], 3, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vt, ve = tt - t * t, ee - e * e
        moves = (vt.real > TIE**1.5) & (ve.real > TIE**1.5)
        correlation = np.where(moves, (te - t * e) / np.sqrt(vt * ve), np.nan)
        similarity = te / np.sqrt(tt * ee)
        accuracy = rest[..., ENTROPIES + 1] / rest[..., ENTROPIES]
        micro = 2 * hits.sum(-1) / (own.sum(-1) + true.sum(-1))
        both = own + true
        occurs = both.real > TIE
        each = np.where(occurs, 2 * hits / np.where(occurs, both, 1), 0)
        macro = each.sum(-1) / occurs.sum(-1)
    return np.concatenate(
        [distances, np.stack([e - t, correlation, similarity, accuracy, micro, macro], -1)], -1
    )


def influences(sums: Sums, cluster: Ints, n_clusters: int) -> Floats:
    """(G, D + 6) how far each cluster moves each measure: their squares sum to its variance.

    Parameters
    ----------
    sums : Sums
    cluster : ndarray
        (R,) from 0 to G − 1.
    n_clusters : int
        G.
    """
    by = np.stack([np.bincount(cluster, x, n_clusters) for x in sums.x.T], 1)  # (G, M)
    total = by.sum(0)
    step = total.astype(complex) + 1j * TINY * np.eye(len(total))
    with np.errstate(invalid="ignore"):
        slope = values(step, len(sums.names)).imag / TINY  # (M, D + 6)
        moved = by @ slope
    undefined = ~np.isfinite(values(total, len(sums.names)))
    return np.where(undefined, np.nan, moved)


def errors(moved: Floats) -> Floats:
    """(D + 6,) standard errors from influences (G, D + 6), with G − 1 for G."""
    g = len(moved)
    if g < 2:
        return np.full(moved.shape[1], np.nan)
    return np.asarray(np.sqrt(g / (g - 1) * (moved**2).sum(0)))


def resampled(sums: Sums, cluster: Ints, order: Ints, n_resamples: int, rng: Any) -> Floats:
    """(B, D + 6) the measures in resamples of the clusters.

    Parameters
    ----------
    sums : Sums
    cluster : ndarray
        (R,) from 0 to G − 1.
    order : ndarray
        (G,) the clusters by their names, so that draws do not depend on the order of rows.
    n_resamples : int
        B.
    rng : int or Generator
    """
    g = len(order)
    by = np.stack([np.bincount(cluster, x, g) for x in sums.x.T], 1)[order]
    generator = np.random.default_rng(rng)
    found, size = [], max(1, CELLS // max(g, 1))
    for start in range(0, n_resamples, size):
        drawn = generator.multinomial(g, np.full(g, 1 / g), size=min(size, n_resamples - start))
        found.append(values(drawn @ by, len(sums.names)))
    return np.concatenate(found)
