"""`export`: what a project comes to, always with its release status."""

from __future__ import annotations

from pathlib import Path

import click

from ...data.saving import check_target, write
from ..group import GIVEN, OUTPUT, command
from ..options import option
from ..output import Output, as_json, check_new
from ..terminal import tell
from .acting import Acting, Opened, acting
from .shown import show_rows

__all__ = ["export"]

FORMATS = ("table", "json", "csv", "md", "latex")


@command(
    examples=(
        ("accordant project export labels.csv", "the final answer of each item, and its origin"),
        ("accordant project export round1.csv --round 1", "what coders submitted in a round"),
        ("accordant project export now.csv --annotations", "what they hold now"),
        ("accordant project export bundle.json --bundle", "everything, with the log and hashes"),
    )
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@option(GIVEN, "--round", "number", type=int, metavar="N", help="The annotations of a round.")
@option(
    GIVEN, "--annotations", is_flag=True, help="The annotations as they are now, of each coder."
)
@option(GIVEN, "--bundle", is_flag=True, help="Everything, as JSON.")
@option(
    OUTPUT, "-f", "--format", "form", type=click.Choice(FORMATS),
    help="Of the final answers. Default: what the name of FILE ends in, else a table.",
)  # fmt: skip
@option(OUTPUT, "--force", is_flag=True, help="Replace FILE if it exists.")
@acting
def export(
    acting: Acting,
    file: Path | None,
    number: int | None,
    annotations: bool,
    bundle: bool,
    form: str | None,
    force: bool,
) -> None:
    """Write the final answers, the annotations, or everything.

    Each row says what the release is, ground truth or less. Items that were left disagreed keep
    all answers. While a round is open nothing of its scope is given out.
    """
    if sum(map(bool, (number, annotations, bundle))) > 1:
        raise click.UsageError("choose one of --round, --annotations, --bundle")
    if file is not None:
        check_target(file)
        check_new(file, force=force)
    from ...resolution.exporting import final_rows, status_lines

    with acting.opened(reads=True) as opened:
        lines = status_lines(opened.state)
        if bundle:
            _bundle(opened, file)
        elif number is not None or annotations:
            _annotations(opened, file, number)
        else:
            rows = final_rows(opened.state, opened.viewer)
            several = ["question"] if len(opened.state.epoch.questions) > 1 else []
            heads = ["item", *several, "answer", "provenance", "answers", "case", "cause",
                     "decided_by", "cites"]  # fmt: skip
            show_rows(Output(form, file), "Final answers", heads, rows, lines,
                      going=("cites", "decided_by", "answers", "cause", "case"))  # fmt: skip
            if Output(form, file).kind in ("table", "md", "latex"):
                return  # the lines stand below the table
    tell(lines)


def _bundle(opened: Opened, file: Path | None) -> None:
    from ...resolution.exporting import bundle

    text = as_json(bundle(opened.state, opened.project.records(), opened.viewer))
    if file is None:
        click.echo(text)
    else:
        write(file, text + "\n")
        click.echo(f"written to {file}", err=True)


def _annotations(opened: Opened, file: Path | None, number: int | None) -> None:
    from ...data.write import write as write_annotations
    from ...resolution.as_annotations import to_annotations

    if file is None:
        raise click.UsageError("name the file to write the annotations to")
    data = to_annotations(opened.state, round=number, person=opened.viewer)
    tell(write_annotations(data, file, "long"))
    click.echo(f"written to {file}", err=True)
