"""Dirichlet distributions as variational models need them."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats

__all__ = ["divergence", "expected_logs"]


def expected_logs(a: Floats) -> Floats:
    """E log p under Dirichlet distributions with parameters (..., O).

    Examples
    --------
    >>> expected_logs(np.array([1.0, 1.0])).round(3).tolist()
    [-1.0, -1.0]
    """
    from scipy.special import digamma

    return np.asarray(digamma(a) - digamma(a.sum(-1, keepdims=True)))


def divergence(a: Floats, b: Floats, logs: Floats) -> float:
    """Σ Kullback–Leibler divergence of Dirichlet distributions with parameters a from those of b.

    The last axis is that of a distribution; ``logs`` are expected under a.

    Examples
    --------
    >>> a = np.array([3.0, 1.0])
    >>> divergence(a, a, expected_logs(a))
    0.0
    """
    from scipy.special import gammaln

    whole = gammaln(a.sum(-1)) - gammaln(b.sum(-1))
    parts = gammaln(b) - gammaln(a) + (a - b) * logs
    return float(whole.sum() + parts.sum())
