"""A finding: a fact about the data with its numbers, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..measure.results import Rows
from .facts import Facts

__all__ = ["RULES", "SEVERITIES", "Finding", "Severity", "rule"]

Severity: TypeAlias = Literal["problem", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "note")


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
    """

    code: str
    severity: Severity
    sentence: str
    advice: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    question: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "question": self.question,
                "severity": self.severity,
                "code": self.code,
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
