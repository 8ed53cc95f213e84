"""What things are called in a report: coefficients, labels, parts of the data."""

from __future__ import annotations

from ..measure.registry import COEFFICIENTS
from ..measure.results import Agreement

__all__ = ["POOLED", "coefficient_name", "cut", "weights_text"]

POOLED = "All questions together"
_TWO = {"pi": "Scott's π", "kappa": "Cohen's κ"}
_MANY = {"pi": "Fleiss' κ", "kappa": "Conger's κ"}
_WEIGHTS = {
    "identity": "equal or not",
    "linear": "linear",
    "quadratic": "quadratic",
    "ordinal": "ordinal (Gwet)",
    "ordinal-metric": "ordinal (Krippendorff)",
}


def coefficient_name(row: Agreement) -> str:
    """The name under which the coefficient of these data is known.

    Examples
    --------
    >>> import accordant as ac
    >>> two = ac.agreement([["a", "b", "a"], ["a", "b", "b"]])
    >>> [coefficient_name(row) for row in two]
    ['Percent agreement', "Bennett's S", "Scott's π", "Cohen's κ", ..., "Gwet's AC1"]
    """
    return name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights)


def name_of(key: str, *, n_coders: int = 2, weights: str = "identity") -> str:
    """The name of a coefficient for a number of coders and weights."""
    if key == "ac":
        return "Gwet's AC1" if weights == "identity" else "Gwet's AC2"
    names = _TWO if n_coders == 2 else _MANY
    if key not in names:
        return COEFFICIENTS[key].name
    return names[key] if weights == "identity" else f"{names[key]}, weighted"


def weights_text(name: str) -> str:
    """The weights in words."""
    return _WEIGHTS.get(name, name)


def cut(text: str, most: int) -> str:
    """A text of at most ``most`` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
