"""`accordant describe`: who annotated what, before anything is measured."""

from __future__ import annotations

import click

from ..group import OUTPUT, Option, command
from ..options import output, source
from ..output import Output
from ..source import Source

__all__ = ["describe"]


@command(
    examples=(
        ("accordant describe ratings.csv", "is the file understood, and is anything missing?"),
        ("accordant describe ratings.csv --by coder", "what each coder annotated"),
        ("accordant describe ratings.csv --by label --format csv", "how often each label occurs"),
        ("accordant describe ratings.csv --by size", "how many labels each coder gives"),
    )
)
@source
@output
@click.option(
    "--by", type=click.Choice(["question", "coder", "label", "size"]), cls=Option, section=OUTPUT,
    help="Only this table. JSON, CSV, Markdown and LaTeX hold one: by question unless you say "
    "otherwise.",
)  # fmt: skip
def describe(source: Source, output: Output, by: str | None) -> None:
    """Who annotated what: coverage, gaps, labels.

    Entropy is in bits: 0 if one label was always given, 1 for two labels in equal numbers.
    """
    data = source.read()
    from ..coverage import covered, print_coverage

    found, kind = covered(data), by or "question"
    output.show(
        found.rows(kind),
        lambda: found.table(kind),
        lambda console: print_coverage(console, found, by),
    )
