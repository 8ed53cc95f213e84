"""Traps in reading figures that stand with the patterns on a terminal: what must not be missed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.finding import Finding
from ..diagnosis.patterns.pattern import PATTERNS
from ..numbers import decimal
from .at_length import said
from .tables import print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["neighbours", "print_traps", "print_traps_of_all", "traps"]

NUMBERS = "numbers_as_names"
SCALE = "neighbours"  # the pattern of many neighbouring numbers


def traps(found: Iterable[Finding]) -> list[Finding]:
    """The findings that are no patterns and more than a note."""
    return [f for f in found if f.code not in PATTERNS and f.severity != "note"]


def print_traps_of_all(console: Console, found: Diagnosis) -> int:
    """What is so of all questions together; how many traps were told."""
    told = traps(found.about_all)
    if not told:
        return 0
    print_sentences(console, [f"all questions · α {decimal(found.pooled.alpha)}"], style="bold")
    console.print()
    for finding in told:
        _print(console, finding)
    return len(told)


def print_traps(console: Console, part: Part) -> int:
    """What must not be missed of a question; how many traps were told."""
    told = [f for f in traps(part.findings) if f.severity == "problem"]
    numbers = next((f for f in part.findings if f.code == NUMBERS), None)
    first = numbers if numbers is not None and neighbours(part) else None
    if first is not None:
        _print_numbers(console, first, part.question)
    for finding in told:
        _print(console, finding)
    return len(told) + (first is not None)


def neighbours(part: Part) -> bool:
    """Whether a pattern is about two numbers with none between them.

    Not where the first one says that all are so taken for each other: it says what to do, too.
    """
    if not part.patterns or part.patterns[0].code == SCALE:
        return False
    try:
        grades = sorted(float(str(value)) for value, _ in part.facts.used)
    except ValueError:
        return False
    beside = set(pairwise(grades))
    return any(
        finding.code == SCALE or tuple(sorted(float(str(x)) for x in finding.categories)) in beside
        for finding in part.patterns
        if finding.code == SCALE or len(finding.categories) == 2
    )


def _print_numbers(console: Console, finding: Finding, question: str | None) -> None:
    scale = f"--scale {shlex.quote(f'{question}=ordinal') if question else 'ordinal'}"
    print_sentences(console, [f"Before all else: {finding.title}"], style="bold")
    print_sentences(console, [
        f"{finding.sentence} Patterns between neighbouring numbers are what grades look like then. "
        f"If they are grades, read again with {scale} before you look at the patterns below."
    ])  # fmt: skip
    console.print()


def _print(console: Console, finding: Finding) -> None:
    print_sentences(console, [finding.title], style="bold")
    print_sentences(console, [said(finding)])
    console.print()
