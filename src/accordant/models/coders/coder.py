"""One coder at a glance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...diagnosis.words import quoted
from ...numbers import count_of, decimal, interval, percent
from ...results import Result
from ...scheme import Value
from .verdicts import VERDICTS, Judging, Verdict

__all__ = ["Coder"]


@dataclass(frozen=True)
class Coder(Result):
    """How far a coder can be trusted, with intervals.

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

    question: str | None
    coder: str
    n_annotations: int
    n_abstained: int
    verdict: Verdict
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

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        n = count_of(self.n_annotations, "annotation")
        skill = f"skill {decimal(self.skill, 2)} {interval(self.skill_low, self.skill_high)}"
        text = {
            "reliable": f"certainly more than {decimal(self.against.enough, 2)} above chance",
            "sloppy": f"above chance, but certainly below {decimal(self.against.sloppy, 2)}, three "
            "quarters of the usual skill",
            "constant": "always the same label, where the usual coder would not",
            "random": f"{'not' if self.skill_low <= 0 else 'hardly'} above chance, and certainly "
            f"below {decimal(self.against.enough, 2)}, half of the usual skill",
            "adversarial": "certainly below chance: turned round, the labels would help",
            "few": "the annotations do not tell",
            "school": "agrees with others whose labels the model does not follow",
        }[self.verdict]
        right = "" if math.isnan(self.competence) else (
            f" right with probability {percent(self.competence, 0)} "
            f"{interval(self.low, self.high)},"
        )  # fmt: skip
        return f"{quoted(self.coder)}: {self.words};{right} {skill}: {text} ({n})."

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "question": self.question,
                "coder": self.coder,
                "verdict": self.words,
                "n_annotations": self.n_annotations,
                "n_abstained": self.n_abstained,
                "competence": self.competence,
                "low": self.low,
                "high": self.high,
                "level": self.level,
                "method": self.method,
                "skill": self.skill,
                "skill_low": self.skill_low,
                "skill_high": self.skill_high,
                "spammer_score": self.spammer_score,
                "bits": self.bits,
                "agreement": self.agreement,
                "beyond_chance_low": self.beyond_chance_low,
                "beyond_chance_high": self.beyond_chance_high,
                "n_control": self.n_control,
                "accuracy": self.accuracy,
                "accuracy_low": self.accuracy_low,
                "accuracy_high": self.accuracy_high,
                "overused": self.overused,
                "overuse": self.overuse,
                "overuse_low": self.overuse_low,
                "overuse_high": self.overuse_high,
                "sentence": self.sentence,
            }
        ]

    def __str__(self) -> str:
        return self.sentence
