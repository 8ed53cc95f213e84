"""Where the labels of an item lie on an ordered scale, and how far they spread."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...scheme import Scheme

__all__ = ["ON_A_SCALE", "dispersion", "mean_and_sd", "medians", "places"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

NUMERIC = ("interval", "ratio", "bipolar")
HALF = 1e-9  # a share this close to one half is one half


def places(scheme: Scheme) -> Floats | None:
    """(K,) where the categories lie: their numbers, their ranks, or None without an order."""
    if scheme.scale == "ordinal":
        return np.arange(len(scheme.categories), dtype=float)
    if scheme.scale in NUMERIC and scheme.numbers is not None:
        return np.array(scheme.numbers)
    return None


def medians(p: Floats) -> tuple[Ints, Ints]:
    """(I,) positions of the lower and of the upper median category of distributions (I, K).

    They differ where one half lies below and one half above.

    Examples
    --------
    >>> low, high = medians(np.array([[0.2, 0.5, 0.3], [0.5, 0.0, 0.5]]))
    >>> low.tolist(), high.tolist()
    ([1, 0], [1, 2])
    """
    below = p.cumsum(1)
    return (below >= 0.5 - HALF).argmax(1), (below > 0.5 + HALF).argmax(1)


def dispersion(p: Floats) -> Floats:
    """How far distributions (I, K) over an order spread: 0 in one category, 1 half at each end.

    2 Σ_k min(F_k, 1 − F_k) / (K − 1), F being the cumulative shares (Leik 1966).

    Examples
    --------
    >>> dispersion(np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])).tolist()
    [0.0, 1.0, 0.5]
    """
    if p.shape[1] < 2:
        return np.full(len(p), math.nan)
    f = p.cumsum(1)[:, :-1]
    return np.asarray(2 * np.minimum(f, 1 - f).sum(1).clip(0) / (p.shape[1] - 1))


def mean_and_sd(p: Floats, at: Floats) -> tuple[Floats, Floats]:
    """(I,) mean and (I,) standard deviation of distributions (I, K) over numbers (K,)."""
    mean = p @ at
    return mean, np.sqrt(np.maximum(p @ at**2 - mean**2, 0))


def _ordinal(p: Floats, scheme: Scheme) -> dict[str, list[Any]]:
    """The two median categories, mostly the same one, and Leik's dispersion."""
    low, high = ([scheme.categories[k] for k in at.tolist()] for at in medians(p))
    return {"median_low": low, "median_high": high, "dispersion": dispersion(p).tolist()}


def _numeric(p: Floats, scheme: Scheme) -> dict[str, list[Any]]:
    """Mean, median and standard deviation."""
    at = np.array(scheme.numbers)
    order = np.argsort(at, kind="stable")
    low, high = medians(p[:, order])
    mean, sd = mean_and_sd(p, at)
    middle = (at[order][low] + at[order][high]) / 2
    return {"mean": mean.tolist(), "median": middle.tolist(), "sd": sd.tolist()}


ON_A_SCALE: dict[str, Callable[[Floats, Scheme], dict[str, list[Any]]]] = {
    "ordinal": _ordinal,
    **dict.fromkeys(NUMERIC, _numeric),
}
"""What to say of distributions over the categories of each scale."""
