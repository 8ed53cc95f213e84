"""A finding: a fact about the data with its numbers, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..measure.results import Rows
from .facts import Facts

__all__ = [
    "RULES", "SEVERITIES", "Contrast", "Evidence", "Finding", "Remedy", "Severity", "ranked",
    "rule",
]  # fmt: skip

Severity: TypeAlias = Literal["problem", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "note")
Remedy: TypeAlias = Literal["categories", "guideline", "coder", "items", "task"]
"""Where to look for the remedy: what is mended first."""


@dataclass(frozen=True)
class Contrast:
    """One line of evidence: what is seen, beside what would be there without the pattern.

    Parameters
    ----------
    name : str
        What the line is about: a pair of categories, a coder, a group of items.
    n : int
        How many annotations, pairs or items the share is of.
    share : float
        The share that is seen, 0 to 1.
    other : float
        The share to compare it with; NaN if there is none.
    """

    name: str
    n: int
    share: float
    other: float = math.nan


@dataclass(frozen=True)
class Evidence:
    """The lines behind a finding, and what their columns are called.

    ``of`` names what ``n`` counts, ``share`` and ``other`` what the two shares are. ``items`` are
    positions of the items that show it (as in `Items.named`), those to read first in front.
    """

    lines: tuple[Contrast, ...]
    about: str
    of: str
    share: str
    other: str = ""
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class Finding(Rows):
    """One thing that a reader of the figures must know.

    Parameters
    ----------
    code : str
        For programs and for the documentation, e.g. ``'prevalence'``.
    severity : {'problem', 'warning', 'note'}
        A problem: a figure does not exist or must not be used as it stands. A warning: a trap in
        reading it. A note: good to know.
    sentence : str
        What is the case, with the numbers.
    advice : str
        What to do.
    evidence : mapping
        The numbers behind the sentence.
    sources : tuple of str
        Keys of the literature.
    question : str or None
        None for pooled annotations, or a single question without a name.
    stake : float
        How much agreement is at stake: by how much alpha would rise, roughly, if the disagreements
        that the pattern adds were not there; NaN for what is not about disagreements.
    remedy : str or None
        Where to look for the remedy: the categories, the guideline, a coder, some items, the task.
    seen : Evidence or None
        What was seen, for a table and a chart.
    """

    code: str
    severity: Severity
    sentence: str
    advice: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    question: str | None = None
    stake: float = math.nan
    remedy: Remedy | None = None
    seen: Evidence | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "question": self.question,
                "severity": self.severity,
                "code": self.code,
                "stake": self.stake,
                "remedy": self.remedy,
                "sentence": self.sentence,
                "advice": self.advice,
                "sources": ", ".join(self.sources),
            }
        ]

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}"


Rule: TypeAlias = Callable[[Facts], Finding | None]
RULES: dict[str, Rule] = {}
"""Every rule by the code of its finding, in the order in which findings are told."""


def rule(function: Rule) -> Rule:
    """Register a rule under its name, which is the code of its findings."""
    RULES[getattr(function, "__name__", "")] = function
    return function


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first; among these what has most agreement at stake."""

    def place(f: Finding) -> tuple[int, float]:
        return SEVERITIES.index(f.severity), 0.0 if math.isnan(f.stake) else -f.stake

    return tuple(sorted(findings, key=place))
