"""Numbers as answers: what an item's labels are on average."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...scheme import number

__all__ = ["mean_of", "median_of", "numbers_of"]

Floats = NDArray[np.float64]
HALF = 1e-9


def numbers_of(categories: Any) -> Floats:
    """(K,) the categories as numbers.

    Raises
    ------
    RequestError
        If one of them is no number.
    """
    found = [None if isinstance(c, tuple) else number(c) for c in categories]
    if None in found:
        name = categories[found.index(None)]
        raise RequestError(f"the category {name!r} is not a number: there is no mean or median")
    return np.array(found, float)


def mean_of(probabilities: Floats, numbers: Floats) -> Floats:
    """(I,) mean of each item.

    Examples
    --------
    >>> mean_of(np.array([[0.5, 0.25, 0.25]]), np.array([0.0, 10.0, 50.0])).tolist()
    [15.0]
    """
    return np.asarray(probabilities @ numbers)


def median_of(probabilities: Floats, numbers: Floats) -> Floats:
    """(I,) median of each item; between two numbers where half of the weight is on each side.

    Examples
    --------
    >>> median_of(np.array([[0.5, 0.25, 0.25], [0.6, 0.2, 0.2]]), np.array([0.0, 10.0, 50.0]))
    array([5., 0.])
    """
    order = np.argsort(numbers, kind="stable")
    below = probabilities[:, order].cumsum(1)
    half = below[:, -1:] / 2
    x = numbers[order]
    low = x[(below >= half - HALF).argmax(1)]
    above = below > half + HALF
    high = np.where(above.any(1), x[above.argmax(1)], low)
    return np.asarray((low + high) / 2)
