"""What does not fit a table on a terminal: findings and items, one after another, with texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..diagnosis.finding import Evidence, Finding
from ..diagnosis.items import NamedItem
from ..numbers import decimal, percent
from ..views.document import Column, Table
from .spoken import spoken
from .tables import print_list, print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["evidence_table", "item_rows", "marks_of", "print_findings", "print_items", "said"]

MOST_LINES = 6  # lines of evidence
SHOWS = 0.0005  # points of α: less is 0.000


def marks_of(finding: Finding) -> str:
    """What is at stake, and what is done first."""
    stake = f"{decimal(finding.stake)} of α at stake" if finding.stake >= SHOWS else ""
    return " · ".join(mark for mark in (stake, finding.to_do) if mark)


def evidence_table(seen: Evidence) -> Table:
    """What was seen, with what would be there without the pattern beside it."""
    lines = seen.lines[:MOST_LINES]
    other = any(not math.isnan(line.other) for line in lines)
    columns = (
        Column("name", seen.about),
        Column("n", seen.of, "count"),
        Column("share", seen.share, "share"),
        *((Column("other", seen.other, "share"),) if other and seen.other else ()),
    )
    rows = tuple(
        {"name": line.name, "n": line.n, "share": line.share, "other": line.other} for line in lines
    )
    return Table("", columns, rows)


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    """Print findings in full."""
    for finding in findings:
        about = [
            *([finding.title] if finding.title else []),
            *([f"question {finding.question}"] if finding.question else []),
        ]
        console.print()
        print_sentences(console, [" · ".join(about)], style="bold")
        marks = marks_of(finding)
        print_sentences(console, [f"{finding.severity}{f' · {marks}' if marks else ''}"], "dim")
        print_sentences(console, [said(finding)])


def said(finding: Finding) -> str:
    """A finding in the words of the command line; a scale is that of its question."""
    text = str(finding)
    if finding.question:
        text = text.replace("scale='ordinal'", f"scale={ {finding.question: 'ordinal'} }")
    return spoken(text)


def item_rows(items: Iterable[NamedItem]) -> list[dict[str, Any]]:
    """Rows of items for readers: of a crowd how many gave what, not who."""
    return [row | {"labels": item.said()} for item in items for row in item.to_rows()]


def print_items(console: Console, rows: Iterable[Mapping[str, Any]]) -> None:
    """Print items with their texts: what the coders read, and who said what."""
    told = []
    for row in rows:
        text = f" “{row['text']}”" if row.get("text") else ""
        agreed = percent(row["agreement"], 0)
        told.append(f"{row['item']}{text}\n{row['labels']} ({agreed} agreement)")
    print_list(console, told)
