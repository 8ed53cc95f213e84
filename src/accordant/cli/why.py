"""Why coders disagree, on a terminal: patterns by what is at stake, and what to settle first."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.finding import Evidence, Finding
from ..diagnosis.words import label_text
from ..numbers import count_of, decimal
from .at_length import evidence_table, item_rows, marks_of, print_items, said
from .settle_first import can_be_settled, print_plan
from .spoken import spoken
from .tables import print_list, print_sentences, print_table
from .traps import print_traps, print_traps_of_all, traps

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_why"]

MOST = 5  # patterns that are told at length
MOST_SEEN = 3  # patterns with their evidence
MOST_ITEMS = 2  # of the evidence
FEW = 10  # disputed items: fewer spread like anything
RELIABLE = 0.8  # of α; below, conclusions are tentative (Krippendorff 2004)
NAMELESS = ("contingency table", "counts")  # layouts whose items have no names


def print_why(console: Console, found: Diagnosis, most: int | None = None) -> None:
    """Print the patterns of every question, what to settle first, and where to look."""
    console.print()
    told = print_traps_of_all(console, found)
    for part in found.each:
        print_sentences(console, [_heading(part)], style="bold")
        console.print()
        here = print_traps(console, part)
        told += here
        if not (here and math.isnan(part.alpha)):  # else the trap has said why there is nothing
            _print_patterns(console, part, most or MOST)
        print_plan(console, part)
    print_sentences(console, _where(found, told), style="dim")


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
        print_sentences(console, ["Beside that" if serious else _little(part)])
        print_list(console, [f"{f.title}. {spoken(f.sentence)}" for f in rest])
        console.print()


def _print_pattern(console: Console, finding: Finding, number: int) -> None:
    print_sentences(console, [f"{number}. {finding.title}"], style="bold")
    print_sentences(console, [marks_of(finding)], style="dim")
    print_sentences(console, [said(finding)])
    console.print()


def _print_seen(console: Console, part: Part, seen: Evidence) -> None:
    """What was seen, and the first of the items that show it."""
    if seen.lines:
        print_table(console, evidence_table(seen))
    items = part.items.named(np.array(seen.items[:MOST_ITEMS], int))
    if items:
        print_items(console, item_rows(items))
        console.print()


def _nothing(part: Part) -> str:
    if not part.counts.n_pairable:
        return "No item has two annotations, so there is nothing to compare."
    if math.isnan(part.alpha):
        return "Every annotation is the same, so there is nothing to explain."
    if not part.items.n_disputed:
        return "The coders agree on every item."
    if part.items.n_disputed < FEW:
        return f"{count_of(part.items.n_disputed, 'disputed item')}: too few to show a pattern."
    return "No pattern stands out: look at the task as a whole, or annotate more items."


def _little(part: Part) -> str:
    """What stands above patterns that move α little."""
    if part.items.n_disputed < FEW:
        return f"{count_of(part.items.n_disputed, 'disputed item')}: too few for more than a hint"
    if part.alpha >= RELIABLE:
        return "Nothing is both certain and moves α much"
    return (
        "No single thing explains the disagreement, which is spread over much else. What is more "
        "than chance, though it moves α little"
    )


# ------------------------------------------------------------------ what to settle, where to look


def _where(found: Diagnosis, told: int) -> list[str]:
    """What to add to the command; ``told`` traps are told already."""
    disputed = [part for part in found.each if part.items.n_disputed]
    if not disputed:
        return []
    settled = any(can_be_settled(part.levers) for part in disputed)
    tables = "scores, pairs, groups, items …"
    left = len(traps(found.findings)) - told
    what = "trap" if not told else "further trap"
    return [
        *(["--show levers: what everything else would bring; merging: what it would cost to merge"]
          if settled else []),
        f"--show confusion, categories, coders, {tables}: the tables (--help)",
        *_cell(disputed),
        *([f"--show findings: {count_of(left, what)} in reading the figures"] if left else []),
    ]  # fmt: skip


def _cell(disputed: Sequence[Part]) -> list[str]:
    """How to see the items behind the most frequent confusion, where items have names."""
    if disputed[0].data.reading.layout in NAMELESS:
        return []
    cells = [m for part in disputed if part.confusion for m in part.confusion.mix_ups(1)]
    if not cells:
        return []
    pair = " ".join(shlex.quote(label_text(x)) for x in cells[0][:2])
    texts = "" if disputed[0].data.texts is None else ", with their texts"
    return [f"--cell {pair}: the items behind a cell{texts}"]
