"""`accordant compare`: whether agreement changed between two rounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..group import MEASURING, Option, command
from ..measuring import Measuring
from ..options import bundle, measuring, output, source_options
from ..output import Output
from ..source import Source
from ..terminal import progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["compare"]

pair = click.argument("files", nargs=2, metavar="FIRST SECOND", type=click.Path(path_type=Path))


@command(
    examples=(
        ("accordant compare round1.csv round2.csv", "all coefficients, second less first"),
        (
            "accordant compare round1.csv round2.csv -c alpha --alternative greater",
            "did training raise alpha?",
        ),
        ("accordant compare people.csv models.csv --unpaired", "items that are different ones"),
    )
)
@bundle("source", Source, (pair, *source_options))
@measuring
@output
@click.option(
    "--paired/--unpaired", default=None, cls=Option, section=MEASURING,
    help="Whether items of the same name are the same. Default: paired if both have some.",
)  # fmt: skip
def compare(source: Source, measuring: Measuring, output: Output, paired: bool | None) -> None:
    """Test whether two rounds or data sets differ.

    On the same items the test is paired: it follows each item through both rounds, which shows
    smaller changes than two intervals side by side.
    """
    chosen = measuring.check()
    first, second = (replace(source, files=(path,)).read() for path in source.files)
    from ..comparing import compare as compared

    with progress("resampling", quiet=source.quiet) as watch:
        found = compared(
            first, second, chosen, measuring.weights, measuring.settings(watch), paired=paired
        )

    def pretty(console: Console) -> None:
        from ..tables import print_sentences, print_table

        console.print()
        print_sentences(console, found.sentences)
        console.print()
        grouped = any(row["question"] for row in found.rows)
        print_table(console, found.table(), group="question" if grouped else "")

    output.show(found.rows, found.table, pretty)
