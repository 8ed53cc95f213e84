"""How far a predicted distribution lies from the one that coders show, item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["DISTANCES", "Distance", "floored", "js", "wasserstein"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Distance:
    """A measure of two distributions.

    Parameters
    ----------
    name : str
        For people.
    terms : callable or None
        ``(target, prediction) -> terms`` of the same shape, whose sum over the categories is the
        measure; None if it is no sum over categories.
    of : callable
        ``(target, prediction) -> (...)`` from arrays (..., K).
    better : {'lower', 'higher'}
    says : str
        What it is, in a sentence.
    bits : bool
        Whether it is in bits.
    """

    name: str
    of: Callable[[Floats, Floats], Floats]
    better: str
    says: str
    terms: Callable[[Floats, Floats], Floats] | None = None
    bits: bool = False


def _log2(x: Floats) -> Floats:
    return np.asarray(np.log2(np.where(x > 0, x, 1)))


def _cross_terms(t: Floats, p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(t > 0, -t * np.log2(p), 0.0)


def _kl_terms(t: Floats, p: Floats) -> Floats:
    return _cross_terms(t, p) + t * _log2(t)


def _kl(t: Floats, p: Floats) -> Floats:
    return np.asarray(np.maximum(_kl_terms(t, p).sum(-1), 0.0))  # rounding may leave −1e-17


def _js_terms(t: Floats, p: Floats) -> Floats:
    middle = (t + p) / 2
    return (t * _log2(t) + p * _log2(p)) / 2 - middle * _log2(middle)


def _square_terms(t: Floats, p: Floats) -> Floats:
    return np.asarray((t - p) ** 2)


def _absolute_terms(t: Floats, p: Floats) -> Floats:
    return np.asarray(np.abs(t - p) / 2)


def js(t: Floats, p: Floats) -> Floats:
    """Jensen–Shannon divergence of distributions (..., K), in bits, from 0 to 1.

    Examples
    --------
    >>> js(np.array([1.0, 0.0]), np.array([0.0, 1.0])).item()
    1.0
    """
    return np.asarray(_js_terms(t, p).sum(-1)).clip(0, 1)


def _cosine(t: Floats, p: Floats) -> Floats:
    size = np.sqrt((t**2).sum(-1) * (p**2).sum(-1))
    return np.asarray((t * p).sum(-1) / size)


def _sum_of(terms: Callable[[Floats, Floats], Floats]) -> Callable[[Floats, Floats], Floats]:
    return lambda t, p: np.asarray(terms(t, p).sum(-1))


DISTANCES: Mapping[str, Distance] = {
    "cross_entropy": Distance(
        "cross-entropy", _sum_of(_cross_terms), "lower",
        "bits needed to code a coder's label by the predicted distribution", _cross_terms, True,
    ),
    "kl": Distance(
        "Kullback–Leibler divergence", _kl, "lower",
        "cross-entropy beyond the entropy of the coders' distribution", _kl_terms, True,
    ),
    "js": Distance(
        "Jensen–Shannon divergence", js, "lower",
        "bits that a label gives about which of the two it came from", _js_terms, True,
    ),
    "js_distance": Distance(
        "Jensen–Shannon distance", lambda t, p: np.sqrt(js(t, p)), "lower",
        "square root of the divergence, from 0 to 1",
    ),
    "brier": Distance(
        "Brier score", _sum_of(_square_terms), "lower",
        "sum of squared differences, from 0 to 2", _square_terms,
    ),
    "total_variation": Distance(
        "total variation", _sum_of(_absolute_terms), "lower",
        "share of the labels that would have to change; half the Manhattan distance",
        _absolute_terms,
    ),
    "cosine": Distance("cosine similarity", _cosine, "higher", "from 0 to 1"),
}  # fmt: skip
"""Every measure of two distributions by its name, in the order of tables."""


def wasserstein(t: Floats, p: Floats, at: Floats) -> Floats:
    """How far the labels would have to move along the scale: (...) from arrays (..., K).

    Parameters
    ----------
    t, p : ndarray
        (..., K) distributions.
    at : ndarray
        (K,) where the categories lie.

    Examples
    --------
    >>> one, other = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    >>> wasserstein(one, other, np.array([0.0, 1.0, 2.0])).item()
    2.0
    """
    order = np.argsort(at, kind="stable")
    ahead = np.abs((t - p)[..., order].cumsum(-1))[..., :-1]
    return np.asarray((ahead * np.diff(at[order])).sum(-1))


def floored(p: Floats, floor: float) -> Floats:
    """Distributions (..., K) with nothing below the floor, summing to 1 again.

    Examples
    --------
    >>> floored(np.array([1.0, 0.0]), 0.1).round(3).tolist()
    [0.909, 0.091]
    """
    raised = np.maximum(p, floor)
    return np.asarray(raised / raised.sum(-1, keepdims=True))
