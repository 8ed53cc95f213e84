"""What is added to the counts of an item before they become shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown

__all__ = ["SMOOTHINGS", "Smoothing", "SmoothingName", "concentrated", "smoothed"]

Floats = NDArray[np.float64]
SmoothingName: TypeAlias = Literal["none", "cells", "jeffreys", "hierarchical"]

SMOOTHINGS: dict[SmoothingName, str] = {
    "none": "shares of the votes as they are",
    "cells": "one annotation added, spread evenly over the categories",
    "jeffreys": "half an annotation added to each category",
    "hierarchical": "shares shrunk towards the mean over all items; similar items are shrunk more",
}
"""Every smoothing and what it does."""

LARGEST = 1e6  # concentration; items that are all alike have no largest
SMALLEST = 1e-6


@dataclass(frozen=True, eq=False)
class Smoothing:
    """A Dirichlet prior for the distribution of labels of an item.

    Parameters
    ----------
    name : {'none', 'cells', 'jeffreys', 'hierarchical'}
    pseudo : ndarray
        (K,) annotations that are added to each category; (L, 2) for labels of sets, yes and no.
    asked : str
        The name that was asked for: ``'hierarchical'`` cannot be estimated where no item has two
        annotations.
    """

    name: SmoothingName
    pseudo: Floats
    asked: str

    @property
    def concentration(self) -> float:
        """How many annotations are added to an item (to a label of sets: on average)."""
        return float(self.pseudo.sum(-1).mean())

    def shares(self, counts: Floats) -> Floats:
        """(..., K) shares of counts (..., K); NaN where there is nothing at all."""
        alpha = counts + self.pseudo
        with np.errstate(invalid="ignore"):
            return np.asarray(alpha / alpha.sum(-1, keepdims=True))


def smoothed(name: str, counts: Floats) -> Smoothing:
    """The smoothing of a name for these counts.

    Parameters
    ----------
    name : {'none', 'cells', 'jeffreys', 'hierarchical'}
        ``'cells'`` adds one annotation, 1 / K to each category (Perks 1947); ``'jeffreys'`` ½ to
        each; ``'hierarchical'`` what the items have in common (see `concentrated`).
    counts : ndarray
        (I, K) annotations of each item, or (I, L, 2) of each label.

    Returns
    -------
    Smoothing

    Raises
    ------
    RequestError
        If there is no such smoothing.
    """
    k = counts.shape[-1]
    shape = counts.shape[1:]
    if name == "none":
        return Smoothing("none", np.zeros(shape), name)
    if name == "cells":
        return Smoothing("cells", np.full(shape, 1 / k), name)
    if name == "jeffreys":
        return Smoothing("jeffreys", np.full(shape, 0.5), name)
    if name == "hierarchical":
        if counts.sum(-1).max(initial=0) < 2:
            return Smoothing("none", np.zeros(shape), name)
        if counts.ndim == 2:
            return Smoothing("hierarchical", concentrated(counts), name)
        each = [concentrated(counts[:, label]) for label in range(counts.shape[1])]
        return Smoothing("hierarchical", np.array(each).reshape(shape), name)
    raise unknown("smoothing", name, SMOOTHINGS, "choose from")


def concentrated(counts: Floats) -> Floats:
    """The Dirichlet law that the distributions of the items come from: (K,) its parameters.

    The counts of an item follow a Dirichlet–multinomial law. Its parameters are the mode of the
    likelihood times a flat prior for the correlation of two annotations of an item,
    1 / (1 + Σ_k α_k), on a logarithmic scale. The prior weighs about as much as one item, and
    keeps the mode from 0 and from infinity. The likelihood needs how many items have at least j
    annotations of each category, and nothing else.

    Parameters
    ----------
    counts : ndarray
        (I, K) whole numbers.

    Returns
    -------
    ndarray
        (K,) 0 for a category that nobody gave.

    Notes
    -----
    Minka (2000), *Estimating a Dirichlet distribution*, section 3.

    Examples
    --------
    >>> apart = concentrated(np.array([[5.0, 0.0], [0.0, 5.0]] * 20))
    >>> alike = concentrated(np.array([[3.0, 2.0], [2.0, 3.0]] * 20))
    >>> bool(apart.sum() < 0.1), bool(alike.sum() > 10)
    (True, True)
    """
    from scipy.optimize import minimize

    used = np.flatnonzero(counts.sum(0) > 0)
    at_least = _at_least(counts[:, used])  # (J, k)
    of_all = _at_least(counts.sum(1, keepdims=True))[:, 0]  # (M,)
    j, m = np.arange(len(at_least))[:, None], np.arange(len(of_all))

    def fall(x: Floats) -> tuple[float, Floats]:
        alpha = np.exp(x)
        total = float(alpha.sum())
        value = float((at_least * np.log(alpha + j)).sum() - (of_all * np.log(total + m)).sum())
        value += math.log(total) - 2 * math.log1p(total)
        slope = (at_least / (alpha + j)).sum(0) - (of_all / (total + m)).sum()
        slope += 1 / total - 2 / (1 + total)
        return -value, -slope * alpha

    mean = counts[:, used].sum(0) / counts.sum()
    bounds = [(math.log(SMALLEST), math.log(LARGEST))] * len(used)
    options: Any = {"maxiter": 500, "ftol": 1e-14, "gtol": 1e-8}
    found = minimize(fall, np.log(mean), jac=True, method="L-BFGS-B", bounds=bounds,
                     options=options)  # fmt: skip
    out = np.zeros(counts.shape[1])
    out[used] = np.exp(found.x)
    return out


def _at_least(counts: Floats) -> Floats:
    """(J, K) how many items have more than j annotations of each category."""
    whole = counts.astype(np.int64)
    most, k = int(whole.max(initial=0)), whole.shape[1]
    cell = whole + (most + 1) * np.arange(k)
    each = np.bincount(cell.ravel(), minlength=(most + 1) * k).reshape(k, -1).T
    return np.asarray(each[::-1].cumsum(0)[::-1][1:])
