"""All coefficients, and how to find one by the names that users know."""

from __future__ import annotations

from typing import Any

from ..errors import RequestError, meant
from . import chance, multilabel  # noqa: F401  (their definitions fill the registry)
from .registry import COEFFICIENTS as COEFFICIENTS
from .registry import Coefficient

_PLAIN = {"-": "_", " ": "_", "’": "'", "'s": "", "'": "", "π": "pi", "κ": "kappa", "α": "alpha"}


def find(name: str) -> Coefficient:
    """The coefficient of a key, symbol or alias.

    Raises
    ------
    RequestError
        If there is none; says which there are.

    Examples
    --------
    >>> find("Fleiss").key, find("κ").key, find("Krippendorff's α").key
    ('pi', 'kappa', 'alpha')
    """
    wanted = plain_name(str(name))
    names: dict[str, Any] = {}
    for c in COEFFICIENTS.values():
        names |= {plain_name(n): c for n in (c.key, c.symbol, *c.name.split(", "), *c.aliases)}
    if wanted not in names:
        known = ", ".join(COEFFICIENTS)
        raise RequestError(f"unknown coefficient {name!r}: {known}{meant(wanted, names)}")
    found: Coefficient = names[wanted]
    return found


def plain_name(name: str) -> str:
    """A name without case, Greek letters, blanks and the like."""
    for sign, plain in _PLAIN.items():
        name = name.replace(sign, plain)
    return name.lower()
