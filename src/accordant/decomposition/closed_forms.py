"""Coefficients of two coders in closed form: all that a table of counts must say for them.

A coefficient is 1 − D_o / D_e, observed over expected disagreement, and D_e follows from three
numbers: what two independent draws from the margins disagree, how many items there are, and how
many categories. So thousands of tables are judged by a handful of vector operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..measure.coefficients import find

__all__ = ["CERTAIN", "CLOSED_FORMS", "ClosedForm", "closed_form"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Expected: TypeAlias = Callable[[Floats, Any, int], Floats]

CERTAIN = 1e-12  # below this expected disagreement agreement is certain by chance


@dataclass(frozen=True)
class ClosedForm:
    """How much two coders would disagree by chance.

    Parameters
    ----------
    key : str
        The coefficient of `accordant.measure` that it is for two coders without gaps.
    own : bool
        Whether chance draws from each coder's own margins, Σ p_k q_k, or from those that both
        share, Σ ((p_k + q_k) / 2)².
    expected : callable
        D_e from the disagreement of two such draws (...), the number of items and of categories.
    """

    key: str
    own: bool
    expected: Expected

    def value(self, differ: Floats, apart: Floats, n: Any, k: int) -> tuple[Floats, Bools]:
        """The coefficient, 0 where it is undefined, and where it is defined: (...) each.

        Parameters
        ----------
        differ, apart : ndarray
            (...) shares: what the coders disagree, and what two draws from the margins do.
        n : ndarray or float
            (...) number of items.
        k : int
            Number of categories.

        Examples
        --------
        >>> import numpy as np
        >>> differ, apart = np.array([0.2, 0]), np.array([0.5, 0])
        >>> value, known = CLOSED_FORMS["kappa"].value(differ, apart, 10, 2)
        >>> value.tolist(), known.tolist()
        ([0.6, 0.0], [True, False])
        """
        chance = self.expected(apart, n, k)
        known = chance > CERTAIN
        value = differ / np.maximum(chance, CERTAIN)
        np.subtract(1, value, out=value)
        value *= known
        return value, known


def _percent(apart: Floats, n: Any, k: int) -> Floats:
    return np.ones_like(apart)


def _s(apart: Floats, n: Any, k: int) -> Floats:
    return np.full_like(apart, 1 - 1 / max(k, 1))


def _margins(apart: Floats, n: Any, k: int) -> Floats:
    return apart


def _ac(apart: Floats, n: Any, k: int) -> Floats:
    return 1 - apart / (k - 1) if k > 1 else np.zeros_like(apart)


def _alpha(apart: Floats, n: Any, k: int) -> Floats:
    """Drawn without replacement from the 2n annotations (Krippendorff 2011)."""
    return np.asarray(apart * (2 * n / np.maximum(2 * n - 1, 1)))


CLOSED_FORMS = {
    form.key: form
    for form in (
        ClosedForm("percent", False, _percent),
        ClosedForm("s", False, _s),
        ClosedForm("pi", False, _margins),
        ClosedForm("kappa", True, _margins),
        ClosedForm("alpha", False, _alpha),
        ClosedForm("ac", False, _ac),
    )
}
"""Every coefficient that bipartitions can be scored with, by its key."""


@cache  # resamples ask for it thousands of times
def closed_form(coefficient: str) -> ClosedForm:
    """The closed form of a coefficient, by any name under which `accordant.measure` knows it.

    Light's κ is the mean of the κ of all pairs of coders, which is what scores of several pairs
    are anyway.

    Raises
    ------
    RequestError
        If there is no such coefficient, or margins alone do not give it.

    Examples
    --------
    >>> closed_form("Cohen").key, closed_form("light").key, closed_form("Krippendorff").key
    ('kappa', 'kappa', 'alpha')
    """
    key = find(coefficient).key
    key = "kappa" if key == "light" else key
    if key not in CLOSED_FORMS:
        raise RequestError(
            f"hierarchical agreement is not defined for {coefficient!r}: "
            f"choose from {', '.join(CLOSED_FORMS)}"
        )
    return CLOSED_FORMS[key]
