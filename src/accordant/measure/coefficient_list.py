"""Which coefficients there are: assumption, formula, names and sources, from the registry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..literature import reference
from ..results import Result
from ..validation import checked
from .coefficients import COEFFICIENTS
from .measures import NAMED, Measure, measures, name_of, sources_of

__all__ = ["CoefficientList", "list_coefficients", "typed_name"]


@dataclass(frozen=True, repr=False)
class CoefficientList(Result):
    """Coefficients with what they assume; made by `list_coefficients`.

    Parameters
    ----------
    measures : tuple of Measure
        Coefficients, and coefficients with weights that have a name of their own.
    in_full : bool
        Whether everything is told, or the assumption only.
    """

    told_as: ClassVar[str] = "coefficients"
    question: ClassVar[None] = None

    measures: tuple[Measure, ...]
    in_full: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coefficient."""
        return [_row(m) for m in self.measures]


def _row(m: Measure) -> dict[str, Any]:
    c, weights = m.coefficient, m.weights or ""
    own = name_of(c.key, weights=weights, of_sets=True) if weights else ""
    return {
        "coefficient": typed_name(m),
        "symbol": own or c.symbol,
        "name": own or c.name,
        "weights": weights,
        "assumption": c.assumption,
        "expected_agreement": c.formula,
        "also_known_as": "" if own else "; ".join(c.variants),
        "aliases": "" if own else ", ".join(c.aliases),
        "sources": " ".join(map(reference, sources_of(c.key, weights))),
    }


def typed_name(m: Measure) -> str:
    """What a user types: 'alpha', 'boot_match', 'kappa_linear'."""
    if m.weights is None:
        return m.coefficient.key
    own = (m.coefficient.key, m.weights)
    return next((key for key, (c, w, _) in NAMED.items() if (c, w) == own), "_".join(own))


@checked
def list_coefficients(*names: str) -> CoefficientList:
    """The coefficients that `agreement` takes; of those that are named, everything.

    All are (A_o − A_e) / (1 − A_e) and differ in expected agreement A_e. With weights for sets of
    labels some have names of their own, such as boot-match; these stand last.

    Parameters
    ----------
    *names : str
        Keys or aliases; all coefficients by default.

    Returns
    -------
    CoefficientList

    Raises
    ------
    RequestError
        If there is no such coefficient.

    Examples
    --------
    >>> [row["coefficient"] for row in list_coefficients("fleiss", "boot_match").to_rows()]
    ['pi', 'boot_match']
    """
    return CoefficientList(tuple(measures(names) if names else _every()), bool(names))


def _every() -> Iterator[Measure]:
    """Each coefficient, and then those with weights that have a name of their own."""
    yield from map(Measure, COEFFICIENTS.values())
    for key, weights, _ in NAMED.values():
        yield Measure(COEFFICIENTS[key], weights)
