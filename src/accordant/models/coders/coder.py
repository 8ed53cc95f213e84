"""One coder at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ...results import Record, Result
from ...scheme import Value
from .verdicts import VERDICTS, Judging, Verdict

__all__ = ["Coder"]


@dataclass(frozen=True, repr=False)
class Coder(Record):
    """The reliability of a coder, with intervals.

    Parameters
    ----------
    question : str or None
    coder : str
    n_annotations, n_abstained : int
        Labels given, and how often the coder was asked and gave none.
    verdict : str
        A key of `VERDICTS`.
    competence, low, high : float
        Probability of being right under the model, and its interval.
    level : float
    method : str
        How the interval was made.
    skill, skill_low, skill_high : float
        Kappa of the coder with the truth: 0 is chance, below 0 the labels tell what is not true.
    spammer_score : float
        0 for a coder whose labels do not depend on the truth, 1 for one who tells all categories
        apart (Raykar & Yu 2012).
    bits : float
        What one annotation tells about the truth.
    agreement : float
        Mean share of the others who gave the same label; NaN without common items.
    beyond_chance_low, beyond_chance_high : float
        Interval of that share less what chance makes it (see `BeyondChance`).
    n_control : int
    accuracy, accuracy_low, accuracy_high : float
        On control items; NaN without any.
    overused : label or None
        The label that is given too often, if any certainly is.
    overuse, overuse_low, overuse_high : float
        How many times as often as it is true of the coder's items.
    against : Judging
        What the verdict is held against.
    """

    told_as: ClassVar[str] = "coder"
    __repr__ = Result.__repr__
    hidden: ClassVar[tuple[str, ...]] = ("against",)

    question: str | None
    coder: str
    verdict: Verdict
    n_annotations: int
    n_abstained: int
    competence: float
    low: float
    high: float
    level: float
    method: str
    skill: float
    skill_low: float
    skill_high: float
    spammer_score: float
    bits: float
    agreement: float
    beyond_chance_low: float
    beyond_chance_high: float
    n_control: int
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    overused: Value | None
    overuse: float
    overuse_low: float
    overuse_high: float
    against: Judging

    @property
    def words(self) -> str:
        """The verdict in a few words."""
        return VERDICTS[self.verdict]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [super().to_rows()[0] | {"verdict": self.words}]
