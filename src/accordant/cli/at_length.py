"""What does not fit a table on a terminal: findings and items, one after another, with texts."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..diagnosis.about_questions import POOLED_RULES
from ..diagnosis.finding import RULES, Evidence, Finding
from ..diagnosis.patterns.pattern import PATTERNS
from ..measure.numbers import decimal, percent
from ..reports.document import Column, Table
from .tables import print_list, print_sentences
from .terminal import spoken

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["evidence_table", "marks_of", "print_findings", "print_items", "title_of"]

MOST_LINES = 6  # lines of evidence
SHOWS = 0.0005  # points of α: less is 0.000
HEADING = 20  # characters in a line of a heading
MEND: dict[str | None, str] = {
    "categories": "mend the categories",
    "guideline": "mend the guideline",
    "coder": "talk to the coder",
    "items": "look at the items",
    "task": "look at the task",
}
"""What is mended first, in a few words."""


def title_of(finding: Finding) -> str:
    """What a finding is about, in the words of the pattern or rule that found it."""
    known: dict[str, Any] = {**RULES, **POOLED_RULES, **PATTERNS}
    told = known[finding.code].__doc__ if finding.code in known else ""
    return (told or finding.code.replace("_", " ").capitalize()).split("\n")[0].rstrip(".")


def marks_of(finding: Finding) -> str:
    """What is at stake, and what is to be mended first."""
    stake = f"{decimal(finding.stake)} of α at stake" if finding.stake >= SHOWS else ""
    return " · ".join(mark for mark in (stake, MEND.get(finding.remedy, "")) if mark)


def evidence_table(seen: Evidence) -> Table:
    """What was seen, with what would be there without the pattern beside it."""
    lines = seen.lines[:MOST_LINES]
    other = any(not math.isnan(line.other) for line in lines)
    columns = (
        Column("name", _in_lines(seen.about)),
        Column("n", _in_lines(seen.of), "count"),
        Column("share", _in_lines(seen.share), "share"),
        *((Column("other", _in_lines(seen.other), "share"),) if other and seen.other else ()),
    )
    rows = tuple(
        {"name": line.name, "n": line.n, "share": line.share, "other": line.other} for line in lines
    )
    return Table("", columns, rows)


def _in_lines(heading: str) -> str:
    return textwrap.fill(heading, HEADING)


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    """Print findings in full."""
    for finding in findings:
        about = [title_of(finding), *([f"question {finding.question}"] if finding.question else [])]
        console.print()
        print_sentences(console, [" · ".join(about)], style="bold")
        marks = marks_of(finding)
        print_sentences(console, [f"{finding.severity}{f' · {marks}' if marks else ''}"], "dim")
        print_sentences(console, [spoken(str(finding))])


def print_items(console: Console, rows: Iterable[Mapping[str, Any]]) -> None:
    """Print items with their texts: what the coders read, and who said what."""
    told = []
    for row in rows:
        text = f" “{row['text']}”" if row.get("text") else ""
        agreed = percent(row["agreement"], 0)
        told.append(f"{row['item']}{text}\n{row['labels']} ({agreed} agreement)")
    print_list(console, told)
