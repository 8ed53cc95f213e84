"""Several models scored against the same soft labels, a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..models.soft.model_scores import ModelScores
from ..numbers import level_text
from ..views.document import Column, Table
from .findings import print_told
from .fitting import print_fitting
from .tables import print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["models_table", "print_models"]

SHOWN = (
    ("cross_entropy", "cross-entropy"), ("js", "Jensen–Shannon"), ("accuracy", "accuracy"),
    ("macro_f1", "macro F1"),
)  # fmt: skip
TOLD = 4
GOING = (("macro_f1",), ("js_ends",), ("n_items",))
"""Columns that go where a line has no room, the first ones first."""


def models_table(found: ModelScores) -> Table:
    """Each model with the measures that most papers report."""
    first = next(iter(found.each.values()))
    there = {score.measure for score in first.scores}
    columns = [Column("model", "model"), Column("n_items", "items", "count")]
    for measure, name in SHOWN:
        if measure in there:
            columns.append(Column(measure, name, "value"))
            if measure != "macro_f1":
                columns.append(Column(f"{measure}_ends", "interval", "interval"))
    rows = tuple(
        row | {f"{m}_ends": (row[f"{m}_low"], row[f"{m}_high"]) for m, _ in SHOWN if m in there}
        for row in found.to_rows()
    )
    notes = (
        f"{level_text(first.level)} intervals over items ({first.method}); cross-entropy and "
        f"Jensen–Shannon divergence in {first.unit}: low is good; accuracy and F1 against the "
        "coders' most frequent label: high is good",
        "intervals of two models overlap where their difference may still be certain: the items "
        "are the same; one model alone has all measures, and what to compare them with",
    )
    return Table(f"Predictions against soft labels ({first.kind}s)", tuple(columns), rows, notes)


def print_models(console: Console, found: ModelScores) -> None:
    """Print a row for each model, and what to know beside them."""
    table = models_table(found)
    console.print()
    print_sentences(console, [table.title], style="bold")
    console.print()
    print_fitting(console, table, GOING)
    print_told(console, "What to watch", found.findings, TOLD)
