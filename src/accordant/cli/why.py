"""Why coders disagree, on a terminal: patterns by what is at stake, and what to settle first."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

import numpy as np

from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.finding import Evidence, Finding
from ..diagnosis.patterns.pattern import PATTERNS
from ..diagnosis.words import label_text
from ..measure.numbers import count_of, decimal
from ..reports.document import Column, Table
from .at_length import evidence_table, marks_of, print_items, title_of
from .tables import print_list, print_sentences, print_table
from .terminal import spoken

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_why"]

MOST = 5  # patterns that are told at length
MOST_SEEN = 3  # patterns with their evidence
MOST_ITEMS = 2  # of the evidence
STEPS = 3  # of the plan


def print_why(console: Console, found: Diagnosis, most: int | None = None) -> None:
    """Print the patterns of every question, what to settle first, and where to look."""
    console.print()
    for part in found.each:
        print_sentences(console, [_heading(part)], style="bold")
        console.print()
        _print_patterns(console, part, most or MOST)
        _print_plan(console, part)
    print_sentences(console, _where(found), style="dim")


def _heading(part: Part) -> str:
    question = f"question {part.question}" if part.question else ""
    facts = [
        *([question] if question else []),
        f"α {decimal(part.alpha)}",
        f"{part.items.n_disputed:,} of {count_of(float(part.counts.n_pairable), 'item')} disputed",
    ]
    return " · ".join(facts)


# ------------------------------------------------------------------ patterns


def _print_patterns(console: Console, part: Part, most: int) -> None:
    """Every block ends with an empty line."""
    serious = [f for f in part.patterns if f.severity != "note"]
    notes = [f for f in part.patterns if f.severity == "note"]
    if not serious and not notes:
        print_sentences(console, [_nothing(part), ""])
    for n, finding in enumerate(serious[:most]):
        _print_pattern(console, finding, n + 1)
        if finding.seen is not None and n < MOST_SEEN:
            _print_seen(console, part, finding.seen)
    rest = [*serious[most:], *notes]
    if rest:
        print_sentences(console, ["Beside that" if serious else "Nothing moves α much"])
        print_list(console, [f"{title_of(f)}. {spoken(f.sentence)}" for f in rest])
        console.print()


def _print_pattern(console: Console, finding: Finding, number: int) -> None:
    print_sentences(console, [f"{number}. {title_of(finding)}"], style="bold")
    print_sentences(console, [marks_of(finding)], style="dim")
    print_sentences(console, [spoken(str(finding))])
    console.print()


def _print_seen(console: Console, part: Part, seen: Evidence) -> None:
    """What was seen, and the first of the items that show it."""
    if seen.lines:
        print_table(console, evidence_table(seen))
    items = part.items.named(np.array(seen.items[:MOST_ITEMS], int))
    if items:
        print_items(console, (row for item in items for row in item.to_rows()))
        console.print()


def _nothing(part: Part) -> str:
    if not part.counts.n_pairable:
        return "No item has two annotations, so there is nothing to compare."
    if math.isnan(part.alpha):
        return "Every annotation is the same, so there is nothing to explain."
    if not part.items.n_disputed:
        return "The coders agree on every item."
    return "No pattern stands out: look at the task as a whole, or annotate more items."


# ------------------------------------------------------------------ what to settle, where to look


def _print_plan(console: Console, part: Part) -> None:
    """What to settle first, step by step."""
    steps = part.levers.plan(STEPS)
    if not steps:
        return
    symbol = part.levers.coefficient.symbol
    columns = (
        Column("settled", "What to settle first"),
        Column("n_items", "items", "count"),
        Column("after", f"{symbol} then", "value"),
        Column("gain", "gain", "value"),
    )
    rows = tuple(row for step in steps for row in step.to_rows())
    print_table(console, Table("", columns, rows))


def _where(found: Diagnosis) -> list[str]:
    """What to add to the command."""
    disputed = [part for part in found.each if part.items.n_disputed]
    if not disputed:
        return []
    cells = [m for part in disputed if part.confusion for m in part.confusion.mix_ups(1)]
    traps = [f for f in found.findings if f.code not in PATTERNS and f.severity != "note"]
    pair = " ".join(shlex.quote(label_text(x)) for x in cells[0][:2]) if cells else ""
    return [
        "--show levers: what everything else would bring; merging: what it would cost to merge",
        "--show confusion, categories, coders, scores, pairs, groups, items …: the tables (--help)",
        *([f"--cell {pair}: the items behind a cell, with their texts"] if pair else []),
        *([f"--show findings: {count_of(len(traps), 'trap')} in reading the figures"]
          if traps else []),
    ]  # fmt: skip
