"""Which model to take, on a terminal: models by how well they predict hidden annotations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..models.trust.choosing import ModelChoice
from ..numbers import count_of
from ..views.document import Column, Table
from .fitting import print_fitting
from .spoken import spoken
from .tables import print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_choice", "table_of_choice"]


def table_of_choice(*each: ModelChoice) -> Table:
    """The models that were compared, the best first; those that were skipped below."""
    rows = tuple(
        row
        | {
            "advised": "←" if row["advised"] else "",
            "clear": "" if math.isnan(row["se"]) else "clearly" if row["clearly_behind"] else "no",
        }
        for found in each
        for row in found.to_rows()
        if row["skipped"] is None
    )
    found = each[0]
    columns = (
        *((Column("question", "question"),) if len(each) > 1 else ()),
        Column("name", "model"), Column("model", "key"), Column("score", "log prob.", "value"),
        Column("behind", "behind", "value"), Column("se", "SE", "value"), Column("clear", "worse"),
        *((Column("accuracy", "right", "value"),) if found.n_gold else ()),
        Column("seconds", "seconds", "bits"), Column("advised", ""),
    )  # fmt: skip
    notes = (
        f"log prob.: mean log probability of {count_of(found.n_annotations, 'annotation')} that "
        f"were hidden in {found.folds} parts; behind: how much better the best predicts",
        *dict.fromkeys(spoken(one.not_compared) for one in each if one.not_compared),
    )
    return Table("Which model predicts these annotations", columns, rows, notes)


def print_choice(console: Console, found: ModelChoice) -> None:
    """Print the table, and what to do and why."""
    table = table_of_choice(found)
    of = f" of {found.question}" if found.question else ""
    console.print()
    print_sentences(console, [table.title + of], style="bold")
    console.print()
    print_fitting(console, table, (("seconds",), ("clear",), ("se",)))
    console.print()
    print_sentences(console, [" ".join(map(spoken, found.advice))])
    if found.to_name:
        of = ",".join((found.each[0].model.key, *found.to_name))
        print_sentences(console, [f"--which -m {of} compares these too."], style="dim")
    print_sentences(
        console,
        ["Predicting coders is not finding the truth: where many share an error, only known labels "
         "(--truth) show it."],
        style="dim",
    )  # fmt: skip
