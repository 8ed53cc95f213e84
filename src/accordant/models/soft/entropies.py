"""Entropy of a distribution of labels, in bits, and what few annotations hide of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ENTROPIES", "effective", "entropy", "expected_entropy", "miller_madow"]

Floats = NDArray[np.float64]

ENTROPIES = ("plug-in", "miller-madow", "bayes")
"""How the entropy behind a few annotations is estimated."""


def entropy(p: Floats) -> Floats:
    """Entropy of distributions (..., K), in bits: (...).

    Examples
    --------
    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(-(p * np.log2(np.where(p > 0, p, 1))).sum(-1)) + 0.0


def miller_madow(counts: Floats) -> Floats:
    """Entropy of the population that counts (..., K) were drawn from, in bits.

    Shares of n annotations have too little entropy, by about (m − 1) / 2n nats, where m
    categories occur (Miller 1955). NaN where there is no annotation.

    Examples
    --------
    >>> miller_madow(np.array([2.0, 1.0])).round(3).item()  # .918 without the correction
    1.0
    >>> miller_madow(np.array([20.0, 10.0])).round(3).item()
    0.942
    """
    n = counts.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = counts / n[..., None]
        more = ((counts > 0).sum(-1) - 1) / (2 * n * math.log(2))
        return np.asarray(np.minimum(entropy(p) + more, math.log2(max(counts.shape[-1], 1))))


def expected_entropy(alpha: Floats) -> Floats:
    """Mean entropy, in bits, of distributions that follow a Dirichlet law (..., K).

    ψ(A + 1) − Σ_k α_k / A ψ(α_k + 1), with A = Σ_k α_k (Wolpert & Wolf 1995).

    Examples
    --------
    >>> expected_entropy(np.array([1.0, 1.0])).round(4).item()  # 1 / (2 ln 2)
    0.7213
    """
    from scipy.special import psi

    total: Any = alpha.sum(-1)
    share = alpha / total[..., None]
    return np.asarray((psi(total + 1) - (share * psi(alpha + 1)).sum(-1)) / math.log(2))


def effective(bits: Floats) -> Floats:
    """How many equally frequent categories would have that entropy: 2 to its power.

    Examples
    --------
    >>> effective(np.array([0.0, 1.0])).tolist()
    [1.0, 2.0]
    """
    return np.asarray(np.exp2(bits))
