"""`accordant report`: the whole answer, as a summary here and a document to send."""

from __future__ import annotations

from pathlib import Path

import click

from ..group import OUTPUT, Option, command
from ..measuring import Measuring
from ..options import measuring, source
from ..source import Source
from ..terminal import progress, waiting
from ..writing import check_target, save

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
    )
)
@source
@measuring
@click.option(
    "-o", "--output", "outputs", metavar="FILE", multiple=True, cls=Option, section=OUTPUT,
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write there; the name says the format: {', '.join(SUFFIXES)}. Repeat it for several. "
    "Default: the name of the file with -report.html, in this folder.",
)  # fmt: skip
@click.option(
    "--open", "opened", is_flag=True, cls=Option, section=OUTPUT, help="Open it when it is written."
)
def report(source: Source, measuring: Measuring, outputs: tuple[Path, ...], opened: bool) -> None:
    """A reliability report: a summary here, and a document to send.

    The document is one HTML file that works offline: what was read, who annotated what, the
    coefficients with intervals, where coders differ and on which items, what to report and why.
    """
    paths = outputs or (Path(f"{source.files[0].stem}-report.html"),)
    write_report(source, measuring, paths)
    if opened:
        click.launch(str(paths[0]))


def write_report(source: Source, measuring: Measuring, paths: tuple[Path, ...]) -> None:
    """Read, measure, print the summary, write the documents."""
    measuring.check()
    for path in paths:
        check_target(path, SUFFIXES)
    data = source.read()
    from ...report.report import report as make

    with progress("resampling", quiet=source.quiet) as watch:
        made = make(data, **measuring.keywords(), progress=watch)
    click.echo("\n" + made.summary())
    for path in paths:
        with waiting(f"writing {path}", quiet=source.quiet):
            save(path, made.save)
        click.echo(f"written to {path}", err=True)
