"""Findings of models on a terminal: the serious ones with what to do, the rest counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..diagnosis.finding import Finding
from ..numbers import count_of
from ..views.document import Column
from .spoken import spoken
from .tables import print_list, print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["finding_columns", "one_of_each", "print_told"]


def finding_columns(*, several: bool = False) -> tuple[Column, ...]:
    """The columns of a table of findings; ``several`` questions have a column for them."""
    return (
        *([Column("question", "question")] if several else []),
        Column("severity", "severity"),
        Column("sentence", "what is so"),
        Column("advice", "what to do"),
    )


def one_of_each(findings: Iterable[Finding]) -> list[Finding]:
    """The first finding of each code and sentence."""
    kinds: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        kinds.setdefault((finding.code, finding.sentence), finding)
    return list(kinds.values())


def print_told(
    console: Console,
    heading: str,
    findings: Sequence[Finding],
    most: int,
    first: Sequence[str] = (),
) -> None:
    """Print findings under a heading, each with what to do, and how many are left.

    ``first`` are sentences that stand before them.
    """
    if not findings and not first:
        return
    console.print()
    print_sentences(console, [heading], style="bold")
    print_list(console, [spoken(text) for text in (*first, *map(str, findings[:most]))])
    left = len(findings) - most
    if left > 0:
        more = f"and {count_of(left, 'more finding')}: --show findings"
        print_sentences(console, [more], style="dim")
