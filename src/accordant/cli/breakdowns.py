"""What `accordant diagnose --show` can show, and how it is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnosis.diagnose import Diagnosis
from ..views.document import Column
from .asked import Asked
from .at_length import print_findings, print_items
from .breakdown import MOST, Breakdown, Broken, Maker, broken_down
from .confusing import behind_cell, cells, matrix
from .tables import print_sentences, print_table
from .tables_of_coders import camps, coders, consistency, directions, drift, pairs, scores, sequence
from .tables_of_items import groups, items
from .tables_of_labels import categories, levers, margins, merging, movements, use

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["BREAKDOWNS", "breakdown", "print_breakdown"]


def breakdown(found: Diagnosis, asked: Asked) -> Broken:
    """The table that was asked for; the findings if none was."""
    if asked.cell is not None:
        return behind_cell(found, asked, *asked.cell)
    if asked.shown in (None, "findings"):
        return _findings(found, asked)
    return broken_down(found, BREAKDOWNS[asked.shown], asked)


def print_breakdown(console: Console, found: Diagnosis, broken: Broken, asked: Asked) -> None:
    """Print the table, a screenful of it: confusions as a matrix where it fits, texts below."""
    if asked.shown == "findings":
        print_findings(console, found.findings[: asked.most])
        return
    console.print()
    print_sentences(console, [broken.title], style="bold")
    confused = asked.shown == "confusion" and asked.cell is None
    for part in found.each:
        drawn = matrix(part, asked, console.width) if confused else None
        own = broken.of(part.question)
        if own is None:
            continue
        console.print()
        if len(found.each) > 1:
            print_sentences(console, [f"question {part.question}"], style="bold")
        if not own.rows:
            print_sentences(console, own.table().notes or ["nothing to show"])
        elif drawn is not None:
            print_table(console, drawn)
        elif "labels" in {c.key for c in own.table().columns}:
            _print_items(console, own)
        else:
            print_table(console, own.table(MOST))


def _print_items(console: Console, own: Broken) -> None:
    table = own.table(MOST)
    print_items(console, table.rows)
    print_sentences(console, table.notes, style="dim")


def _findings(found: Diagnosis, asked: Asked) -> Broken:
    """Everything that a reader must know."""
    rows = found.to_rows()
    columns = (
        *([Column("question", "question")] if len(found.each) > 1 else []),
        Column("severity", "severity"),
        Column("title", "finding"),
        Column("stake", "stake", "value"),
        Column("sentence", "what is so"),
        Column("advice", "what to do"),
    )
    return Broken("Findings", ((None, Breakdown(rows, columns)),), asked.most, found.findings)


BREAKDOWNS: dict[str, Maker] = {
    "levers": levers, "merging": merging, "confusion": cells, "categories": categories,
    "use": use, "directions": directions, "margins": margins, "movements": movements,
    "coders": coders, "scores": scores, "pairs": pairs, "camps": camps, "drift": drift,
    "sequence": sequence, "consistency": consistency, "groups": groups, "items": items,
}  # fmt: skip
"""Every table but the findings, by its name in --show."""
