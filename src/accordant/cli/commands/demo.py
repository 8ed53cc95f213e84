"""`accordant demo`: the main job on a bundled example."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from pathlib import Path

import click

from ...data.saving import check_target
from ..group import OUTPUT, Option, command
from ..terminal import MARGIN, width

__all__ = ["demo"]

EXAMPLE, NAME = "visitors", "accordant-report.html"


@command(
    examples=(
        ("accordant demo", f"write {NAME} into this folder"),
        ("accordant demo --output /tmp", "write it elsewhere"),
    )
)
@click.option(
    "-o", "--output", metavar="FOLDER", default=".", cls=Option, section=OUTPUT,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Where to put the report. Default: here.",
)  # fmt: skip
def demo(output: Path) -> None:
    """Try everything on a bundled example.

    Reads annotations of four coders, prints the summary of a reliability report and writes the
    report, one HTML file that opens in any browser and works offline.
    """
    target = output / NAME
    check_target(target)
    from ...data import examples
    from ..making import make_report

    example = examples.about(EXAMPLE)
    for line in (f"{example.what}.", str(examples.path(EXAMPLE))):
        click.echo(textwrap.indent(textwrap.fill(line, width() - MARGIN), " " * MARGIN))
    make_report(examples.load(EXAMPLE), (target,))
    click.echo(textwrap.indent(next_steps(target), " " * MARGIN))


def next_steps(target: Path) -> str:
    """Where the report is and what to type now."""
    program = "accordant" if shutil.which("accordant") else os.path.relpath(sys.argv[0])
    return f"""
The report: {target.resolve()}
Open it in a browser; it works offline and can be sent as it is.

Now with a file of your own:
  {program} describe FILE     is it understood?
  {program} report FILE       the report
  {program} agreement FILE    the coefficients only
  {program} --help            everything else"""
