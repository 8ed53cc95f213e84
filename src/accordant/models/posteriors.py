"""A posterior for each of several questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import unknown
from ..measure.results import Rows
from .posterior import Posterior
from .sets.set_posterior import SetPosterior

__all__ = ["Posteriors"]


@dataclass(frozen=True, eq=False)
class Posteriors(Rows):
    """What a model found for each question; there is nothing to pool, truths being different."""

    each: tuple[Posterior | SetPosterior, ...]

    def __iter__(self) -> Iterator[Posterior | SetPosterior]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, question: str) -> Posterior | SetPosterior:
        for one in self.each:
            if one.question == question:
                return one
        raise unknown("question", question, (p.question for p in self.each))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each question and item."""
        rows = [row for one in self.each for row in one.to_rows()]
        names = list(dict.fromkeys(key for row in rows for key in row))
        return [{name: row.get(name) for name in names} for row in rows]

    def __str__(self) -> str:
        return "\n".join(map(str, self.each))

    __repr__ = __str__
