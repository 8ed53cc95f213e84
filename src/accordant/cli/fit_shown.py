"""What `accordant fit --show` can show, and how it is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..models.wording import VOTE
from ..numbers import count_of, decimal
from .at_length import print_findings
from .breakdown import MOST, Broken
from .crowdtruth_tables import crowdtruth, original
from .fit_answer import GOING
from .fit_coders import coders, confusion, leaving_out, matrix, readings, schools
from .fit_tables import (
    Parts,
    calibration,
    checks,
    convergence,
    coverage,
    findings,
    items,
    labels,
    prevalence,
    scores,
)
from .fitted import Fitted
from .fitting import print_fitting
from .tables import print_list, print_sentences, print_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["TABLES", "print_shown", "shown"]

MATRICES = 5  # coders whose confusion is shown as a matrix


def shown(found: Fitted) -> Broken:
    """The table that was asked for; the labels if none was."""
    asked = found.asked
    make = TABLES[asked.shown or "labels"]
    title = (make.__doc__ or "").partition("\n")[0].rstrip(".")
    if not any(one.model.probabilistic for one in found.singles):
        title = OF_VOTES.get(asked.shown or "labels", title)
    told = found.findings if asked.shown == "findings" else ()
    return Broken(title, tuple(make(found)), asked.most, told)


def print_shown(console: Console, found: Fitted, made: Broken) -> None:
    """Print the table, a screenful of each question."""
    show = found.asked.shown
    if show == "findings":
        print_findings(console, found.findings[: found.asked.most])
        return
    console.print()
    print_sentences(console, [made.title], style="bold")
    for question, _ in made.parts:
        own = made.of(question)
        if own is None:
            continue
        console.print()
        if len(made.parts) > 1:
            print_sentences(console, [f"question {question}"], style="bold")
        table = own.table(MOST)
        if not table.rows:
            print_sentences(console, table.notes or ["nothing to show"])
        elif show == "items":
            print_list(console, [_told(row) for row in table.rows])
            print_sentences(console, table.notes, style="dim")
        elif show == "confusion":
            _print_matrices(console, found, question)
        else:
            print_fitting(console, table, GOING)


def _told(row: Mapping[str, object]) -> str:
    text = f" “{row['text']}”" if row["text"] else ""
    confidence = decimal(float(str(row["confidence"])))
    return f"{row['item']}{text}\n{row['label']} ({confidence}) — {row['said']}"


def _print_matrices(console: Console, found: Fitted, question: str | None) -> None:
    """The confusion of a coder each, of many coders the first few."""
    own = next(c for c in found.coders if c.question == question)
    names = own.posterior.coders if found.asked.of is None else (found.asked.of,)
    most = found.asked.most or MATRICES
    for name in names[:most]:
        print_table(console, matrix(own, name))
        console.print()
    if len(names) > most:
        left = count_of(len(names) - most, "more coder")
        more = f"and {left}: --of CODER shows one, --format csv all"
        print_sentences(console, [more], style="dim")


TABLES: Mapping[str, Callable[[Fitted], Parts]] = {
    "labels": labels, "items": items, "prevalence": prevalence, "coders": coders,
    "confusion": confusion, "leaving-out": leaving_out, "schools": schools, "readings": readings,
    "scores": scores, "calibration": calibration, "coverage": coverage, "checks": checks,
    "crowdtruth": crowdtruth, "crowdtruth-original": original, "convergence": convergence,
    "findings": findings,
}  # fmt: skip
"""Every table by its name in --show."""
OF_VOTES = {
    "labels": f"{VOTE.labels} of each item", "items": VOTE.least,
    "coders": f"{VOTE.coders}, and how far",
    "confusion": "What each coder answers where the vote has which label",
    "coverage": "How many items are left if only clear votes are kept",
}  # fmt: skip
"""Titles of a vote, which knows of no truth."""
