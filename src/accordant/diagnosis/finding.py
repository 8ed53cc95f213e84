"""A finding: a fact about the data with its numbers, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..measure.results import Rows
from .facts import Facts

__all__ = [
    "RULES",
    "SEVERITIES",
    "Finding",
    "Severity",
    "amount",
    "listed",
    "p_text",
    "rule",
    "share_text",
]

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


def amount(n: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> amount(1, "item"), amount(1200, "item"), amount(2, "category", "categories")
    ('1 item', '1,200 items', '2 categories')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


def p_text(p: float) -> str:
    """A p-value in a sentence.

    Examples
    --------
    >>> p_text(0.0123), p_text(1e-20)
    ('p = 0.012', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def share_text(share: float) -> str:
    """A share in a sentence; small ones with a digit more.

    Examples
    --------
    >>> share_text(0.254), share_text(0.0041), share_text(0.0)
    ('25%', '0.4%', '0%')
    """
    return f"{share:.1%}" if 0 < share < 0.095 else f"{share:.0%}"


def listed(values: Any, most: int = 5) -> str:
    """Names in a sentence, the first few of many.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(range(9), most=2)
    ("'a', 'b' and 'c'", '0, 1 and 7 more')
    """
    names = [repr(v) for v in values]
    if len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
