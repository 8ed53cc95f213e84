"""`accordant convert`: the same annotations in another shape or format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...data.saving import check_target
from ..group import OUTPUT, Option, command
from ..options import bundle, source_options
from ..output import check_new
from ..source import Source
from ..terminal import tell, waiting

__all__ = ["convert"]

files = click.argument(
    "files", nargs=-1, required=True, metavar="FILE... [OUT]", type=click.Path(path_type=Path)
)

LAYOUTS = ("long", "wide", "onehot", "table", "counts")


@command(
    examples=(
        ("accordant convert survey.xlsx ratings.csv", "one row per annotation, as CSV"),
        ("accordant convert ratings.csv wide.xlsx --to wide", "a column per coder"),
        ("accordant convert ratings.csv -o ratings.jsonl", "the file to write as an option"),
        ("accordant convert anna.csv bob.csv both.csv", "several files into one"),
        ("accordant convert wide.csv confusion.csv --to table", "contingency table of two coders"),
    )
)
@bundle("source", Source, (files, *source_options))
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(path_type=Path),
    cls=Option,
    section=OUTPUT,
    help="The file to write, instead of the last name.",
)
@click.option(
    "--to", type=click.Choice(LAYOUTS), default="long", show_default=True, cls=Option,
    section=OUTPUT,
    help="One row per annotation; a column per coder (and question); a column of 0 and 1 per "
    "label; the contingency table of two coders; how many coders chose each category.",
)  # fmt: skip
@click.option("--force", is_flag=True, cls=Option, section=OUTPUT, help="Replace OUT if it exists.")
def convert(source: Source, output: Path | None, to: str, force: bool) -> None:
    """Write annotations in another shape or format.

    The last name, or --output, is the file to write; its suffix says the format: .csv, .tsv,
    .xlsx, .parquet or .jsonl. What the shape cannot hold is told. A file that exists is not
    replaced.
    """
    from ...data.write import FORMATS, write

    source, target = _target(source, output)
    check_target(target, tuple(FORMATS))
    check_new(target, force=force, hint=" (the last name is the file to write)")
    data = source.read()
    with waiting(f"writing {target.name}", quiet=source.quiet):
        lost = write(data, target, to)  # type: ignore[arg-type]
    tell(lost)
    click.echo(f"written to {target}", err=True)


def _target(source: Source, output: Path | None) -> tuple[Source, Path]:
    """The files to read and the one to write."""
    if output is not None:
        return source, output
    if len(source.files) < 2:
        raise click.UsageError(
            f"name the file to write after {str(source.files[0])!r}, or with --output"
        )
    return replace(source, files=source.files[:-1]), source.files[-1]
