"""`accordant report`: the whole answer, as a summary here and a document to send."""

from __future__ import annotations

from pathlib import Path

import click

from ...data.saving import check_target
from ..asked import gold_option, order_option
from ..group import OUTPUT, Option, command
from ..measuring import Measuring
from ..options import measuring, source
from ..source import Source

__all__ = ["report"]

SUFFIXES = (".html", ".pdf", ".md", ".tex", ".json")


@command(
    examples=(
        ("accordant report ratings.csv", "print a summary and write ratings-report.html"),
        ("accordant report ratings.csv -o report.html -o report.pdf", "two formats"),
        (
            "accordant report survey.xlsx --scale ordinal --categories never,sometimes,often",
            "labels with an order",
        ),
        ("accordant report anna.csv bob.csv cleo.csv --open", "one file per coder"),
        ("accordant report ratings.csv --gold anna --order time", "against anna, in order of time"),
    )
)
@source
@measuring
@order_option
@gold_option
@click.option(
    "-o", "--output", "outputs", metavar="FILE", multiple=True, cls=Option, section=OUTPUT,
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write there; the name says the format: {', '.join(SUFFIXES)}. Repeat it for several. "
    "Default: the name of the file with -report.html, in this folder.",
)  # fmt: skip
@click.option(
    "--open", "opened", is_flag=True, cls=Option, section=OUTPUT, help="Open it when it is written."
)
def report(
    source: Source, measuring: Measuring, outputs: tuple[Path, ...], opened: bool,
    order: str | None, gold: str | None,
) -> None:  # fmt: skip
    """Print a summary and write a report to send.

    The report is one HTML file that works offline: what was read, who annotated what, the
    coefficients with intervals, where coders differ and on which items, what to report and why.
    """
    targets = outputs or (Path(f"{source.files[0].stem}-report.html"),)
    for target in targets:
        check_target(target, SUFFIXES)
    measuring.check()
    data = source.read()
    from ..making import make_report

    make_report(data, targets, measuring, order=order, gold=gold, quiet=source.quiet)
    for target in targets:
        click.echo(f"written to {target}", err=True)
    if opened:
        click.launch(str(targets[0]))
