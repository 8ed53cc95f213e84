"""The scores of predictions against soft labels, each beside what to compare it with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Finding
from ...errors import unknown
from ...results import Result

__all__ = ["REFERENCES", "Score", "SoftScores"]

Floats = NDArray[np.float64]

REFERENCES: Mapping[str, str] = {
    "perfect": "a model that knows the true distribution of each item (votes are a sample of it)",
    "soft_labels": "the soft labels themselves: nothing can be better",
    "majority_label": "the coders' most frequent label, with certainty",
    "frequencies": "how frequent each category is, the same for every item",
    "uniform": "every category alike",
}
"""What a score stands beside."""


@dataclass(frozen=True)
class Score:
    """One measure of one set of predictions.

    Parameters
    ----------
    measure, name : str
        For programs and for people.
    value : float
        NaN where undefined.
    se, low, high : float
        Standard error and interval over items.
    better : {'lower', 'higher', 'zero'}
    references : mapping of str to float
        What others get: see `REFERENCES`; NaN where it is not known.
    one_coder, against_others : float
        What one coder gets against the other coders' labels, and the predictions against the
        same.
    difference, difference_low, difference_high : float
        The predictions less one coder, with its interval.
    """

    measure: str
    name: str
    value: float
    se: float
    low: float
    high: float
    better: str
    references: Mapping[str, float]
    one_coder: float = math.nan
    against_others: float = math.nan
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan

    def row(self) -> dict[str, Any]:
        """A flat row."""
        return {
            "measure": self.measure,
            "value": self.value,
            "se": self.se,
            "low": self.low,
            "high": self.high,
            "better": self.better,
            **{name: self.references.get(name, math.nan) for name in REFERENCES},
            "one_coder": self.one_coder,
            "against_others": self.against_others,
            "difference": self.difference,
            "difference_low": self.difference_low,
            "difference_high": self.difference_high,
        }


@dataclass(frozen=True, eq=False, repr=False)
class SoftScores(Result):
    """How well predictions fit soft labels; made by `score_predictions`. J items.

    Parameters
    ----------
    question : str or None
    kind : {'opinion', 'belief'}
        Of the soft labels.
    scores : tuple of Score
    items : sequence
        (J,) names of the items that were scored.
    of_items : mapping of str to ndarray
        (J,) each distance, and the entropies of soft labels and predictions, by item.
    n_missing, n_extra, n_tied : int
        Items without a prediction; predictions without an item; items whose coders are tied.
    unit : {'bits', 'nats'}
    ties : {'left_out', 'shared'}
    level : float
    method : str
        How standard errors and intervals were made.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "soft-scores"

    question: str | None
    kind: str
    scores: tuple[Score, ...]
    items: Any
    of_items: Mapping[str, Floats]
    n_missing: int
    n_extra: int
    n_tied: int
    unit: str
    ties: str
    level: float
    method: str
    signature: str
    findings: tuple[Finding, ...] = field(default=())

    def __getitem__(self, measure: str) -> Score:
        for score in self.scores:
            if score.measure == measure:
                return score
        raise unknown("measure", measure, (s.measure for s in self.scores), "there are")

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each measure, with what others get beside it."""
        about = {"question": self.question, "kind": self.kind}
        more = {"unit": self.unit, "n_items": len(self.items)}
        return [about | score.row() | more for score in self.scores]

    def item_rows(self) -> list[dict[str, Any]]:
        """One row for each item: how far the prediction lies from the soft label."""
        names = list(self.of_items)
        columns = zip(*(x.tolist() for x in self.of_items.values()), strict=True)
        about = {"question": self.question, "kind": self.kind}
        return [
            about | {"item": item} | dict(zip(names, row, strict=True))
            for item, row in zip(self.items, columns, strict=True)
        ]
