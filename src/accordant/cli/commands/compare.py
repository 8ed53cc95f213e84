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
from ..terminal import progress, tell

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["compare"]

ONLY_ALONE = ("population", "sampled_coders", "coder_population", "method", "n_simulations")
"""What can be asked of one data set, but not of the difference of two."""

pair = click.argument("files", nargs=2, metavar="BEFORE AFTER", type=click.Path(path_type=Path))


@command(
    examples=(
        ("accordant compare round1.csv round2.csv", "all coefficients, after less before"),
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
    smaller changes than two intervals side by side. What makes the two hard to compare is told.
    """
    measuring.check()
    before, after = (replace(source, files=(path,)).read() for path in source.files)
    from ...public import compare as compared
    from ..changes import mismatches

    one, two = source.files
    names = (one.name, two.name) if one.name != two.name else (str(one), str(two))
    told = mismatches(before, after, names)
    tell(line for line in told if line.startswith("warning") or not source.quiet)
    keywords = measuring.keywords()
    for name in ONLY_ALONE:
        del keywords[name]
    with progress("resampling", quiet=source.quiet) as watch:
        table = compared(before, after, paired=paired, progress=watch, **keywords)

    from ...reports.names import compares_sets

    of_sets = compares_sets(before) or compares_sets(after)

    def pretty(console: Console) -> None:
        from ..changes import changes_table, how_paired
        from ..tables import print_sentences, print_table

        console.print()
        print_sentences(console, [how_paired(table.rows)])
        console.print()
        shown = changes_table(table.rows, of_sets=of_sets)
        print_table(console, shown, group="question" if len(shown.columns) > 7 else "")

    from ..changes import changes_table

    output.show(table.to_rows(), lambda: changes_table(table.rows, of_sets=of_sets), pretty)
