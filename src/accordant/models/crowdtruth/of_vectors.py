"""What both versions of CrowdTruth's measures are about: the same vectors, named alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...data.annotations import Annotations
from ...results import Result
from ...scheme import Value
from .vectors import Vectors

__all__ = ["OfVectors"]


@dataclass(frozen=True, eq=False, repr=False)
class OfVectors(Result):
    """Measures of annotations as vectors. I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    vectors : Vectors
        The annotations as vectors.
    """

    question: str | None
    data: Annotations
    vectors: Vectors

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.vectors.items

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.vectors.coders

    @property
    def categories(self) -> tuple[Value, ...]:
        """(K,) in the order of the scheme; ``()``, if a coder gave the empty set, comes last."""
        return self.vectors.categories
