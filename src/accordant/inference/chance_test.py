"""Standard errors if coders only guessed: for a test against chance, never for an interval.

If there is no agreement beyond chance, a coefficient varies in a way of its own. Fleiss, Cohen
& Everitt (1969) for kappa and Fleiss, Nee & Landis (1979) for pi derive it, and older
programs print z from it. It says nothing about a coefficient that is not 0: an interval built
on it is too narrow or too wide, a defect that several programs have.

Both papers are one idea. Let h(a, b) be the weight of two labels less what each of the two
would agree on average: what remains of agreement when coders guess. The remainders of different
pairs of annotations are uncorrelated then, so variances add up over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.registry import Coefficient
from ..measure.weights import Weights, ordered_pairs
from .intervals import p_value
from .settings import Alternative

__all__ = ["NullTest", "null_test"]

MOST_VALUES = 2000  # h is a (K, K) table


@dataclass(frozen=True)
class NullTest:
    """Test of 'coders only guess' with the standard error that holds then.

    ``se`` is the standard error under that hypothesis: not one to build an interval on.
    """

    coefficient: str
    value: float
    se: float
    z: float
    p_value: float
    source: str


def null_test(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    alternative: Alternative = "two-sided",
) -> NullTest:
    """Test a coefficient against 0 with its standard error under that hypothesis.

    Known for pi, Light's kappa and, if every coder annotated every item, kappa.

    Raises
    ------
    RequestError
        For other coefficients, for which the literature has no such standard error, and for
        kappa with missing annotations.
    """
    known = {"pi": _pi, "kappa": _kappa, "light": _light}
    if coefficient.key not in known:
        raise RequestError(
            f"no standard error under the hypothesis of chance is known for {coefficient.key}: "
            f"it exists for {', '.join(known)}"
        )
    if counts.n_values > MOST_VALUES:
        raise RequestError(
            f"the test against chance needs a table of all pairs of values; {counts.n_values:,} "
            f"values are more than the {MOST_VALUES:,} it can hold"
        )
    counts, w = coefficient.view(counts, w)
    value = float(coefficient.parts(counts, w).value)
    if np.isnan(value):
        return NullTest(coefficient.key, value, np.nan, np.nan, np.nan, "")
    variance, source = known[coefficient.key](coefficient, counts, w)
    se = float(np.sqrt(variance))
    z = value / se if se > 0 else np.nan
    return NullTest(
        coefficient.key, value, se, z, p_value(value, 0.0, se, np.inf, alternative), source
    )


def _pi(coefficient: Coefficient, counts: Counts, w: Weights) -> tuple[float, str]:
    """Fleiss, Nee & Landis (1979), here for any weights and unequal numbers of coders."""
    p, size = counts.share, counts.size
    n, n_pairable = float(counts.n_items), float(counts.n_pairable)
    pairs = np.where(size >= 2, size * (size - 1) / 2, np.inf)
    spread = _spread(w, p[None], p[None]).item() * float(counts.times @ (1 / pairs)) / n_pairable**2
    # Items with one annotation tell about chance only, so what labels do alone does not cancel.
    alone = float(p @ (w.apply(p) - w.expected(p, p)) ** 2)
    apart = 4 / size * ((size >= 2) / n_pairable - 1 / n) ** 2
    spread += alone * float(counts.times @ apart)
    return spread / float(1 - w.expected(p, p)) ** 2, "Fleiss, Nee & Landis (1979)"


def _kappa(coefficient: Coefficient, counts: Counts, w: Weights) -> tuple[float, str]:
    """Fleiss, Cohen & Everitt (1969) for two coders, summed over pairs for more."""
    n_coders = counts.n_coders
    if (counts.size < n_coders).any():
        raise RequestError(
            "the test of kappa against chance is known for items that every coder annotated; "
            "pi, Light's kappa and intervals allow for missing annotations"
        )
    p = _shares(counts)
    room = 1 - float(coefficient.expected(counts, w))
    pairs = n_coders * (n_coders - 1) / 2
    spread = np.triu(_spread(w, p, p), 1).sum() / pairs**2
    return float(spread / (counts.n_items * room**2)), "Fleiss, Cohen & Everitt (1969)"


def _light(coefficient: Coefficient, counts: Counts, w: Weights) -> tuple[float, str]:
    """The kappas of different pairs are uncorrelated if coders only guess."""
    n, p = _common(counts), _shares(counts)
    room = 1 - p @ w.apply(p).T
    there = np.triu((n > 0) & (room > 1e-12), 1)
    each = _spread(w, p, p)[there] / (n[there] * room[there] ** 2)
    return float(each.sum()) / np.count_nonzero(there) ** 2, "Fleiss, Cohen & Everitt (1969)"


def _common(counts: Counts) -> Floats:
    """(C, C) items that both coders of a pair annotated, the earlier coder first."""
    if counts.coder is None:
        raise RequestError("this test needs to know which coder gave which label")
    width = counts.n_coders
    n = np.zeros(width**2)
    for one, other in ordered_pairs(counts):
        cell = counts.coder[one] * width + counts.coder[other]
        n += np.bincount(cell, weights=counts.times[counts.row[one]], minlength=width**2)
    return n.reshape(width, width)


def _shares(counts: Counts) -> Floats:
    """(C, K) the distribution of each coder."""
    return np.asarray(counts.by_coder / counts.by_coder.sum(-1, keepdims=True))


def _spread(w: Weights, p: Floats, q: Floats) -> Floats:
    """Variance of h for labels drawn from each of ``p`` (C, K) and each of ``q`` (D, K): (C, D).

    h is orthogonal to what each label does alone, so variances subtract.
    """
    table = w.matrix
    ahead, behind = table @ q.T, p @ table
    every = p @ table**2 @ q.T - p @ ahead**2 - behind**2 @ q.T + (p @ ahead) ** 2
    return np.asarray(np.maximum(every, 0))
